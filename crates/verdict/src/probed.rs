//! What the micro-probes of a run showed.

use fathom_core::Op;
use fathom_core::result::{OpResult, PhaseResult, ProbeKind, RunResult};

/// Whether there were any that show something: where nothing was served, nothing is seen.
pub(crate) fn any(result: &RunResult) -> bool {
    let read = median_ns(result, ProbeKind::Read, Op::Read);
    read.is_some() && median_ns(result, ProbeKind::Write, Op::Write).is_some()
}

/// All probes of a kind, of the run as a whole.
fn all(result: &RunResult, kind: ProbeKind) -> impl Iterator<Item = &PhaseResult> {
    let ours = result
        .probes
        .iter()
        .filter(|probe| probe.of_phase.is_empty());
    ours.filter(move |probe| probe.kind == kind)
        .map(|probe| &probe.phase)
}

/// Half of the requests of an operation took longer than this, nanoseconds.
pub(crate) fn median_ns(result: &RunResult, kind: ProbeKind, op: Op) -> Option<f64> {
    let phase = all(result, kind).next()?;
    let median = operation(phase, op)?.service_ns.percentile("50")?;
    Some(median as f64)
}

/// Bytes written a second, round by round.
pub(crate) fn rates(result: &RunResult, kind: ProbeKind) -> Vec<f64> {
    let writes = all(result, kind).filter_map(|phase| operation(phase, Op::Write));
    writes.map(|one| one.bytes_per_second).collect()
}

fn operation(phase: &PhaseResult, op: Op) -> Option<&OpResult> {
    phase.jobs.iter().find_map(|job| job.op(op))
}

/// Made-up probes.
#[cfg(test)]
pub(crate) mod made_up {
    use super::*;
    use fathom_core::fixture::{self, JobPlan, Stream, series};
    use fathom_core::result::Probe;

    fn probe(kind: ProbeKind, jobs: &[JobPlan]) -> Probe {
        Probe {
            of_phase: String::new(),
            kind,
            phase: fixture::phase("probe", jobs),
        }
    }

    fn requests(op: Op, per_second: u64) -> Probe {
        let kind = if op == Op::Read {
            ProbeKind::Read
        } else {
            ProbeKind::Write
        };
        let stream = Stream::random(op, 4096, series(per_second, 2));
        probe(kind, &[JobPlan::closed("probe", 1, vec![stream])])
    }

    /// A probe of one operation with this median.
    pub(crate) fn with_median(kind: ProbeKind, op: Op, median_ns: u64) -> Probe {
        let mut made = requests(op, 10_000);
        made.kind = kind;
        set_median(&mut made, op, median_ns);
        made
    }

    /// Writes, each with a flush, with these medians.
    pub(crate) fn with_flush(kind: ProbeKind, write_ns: u64, flush_ns: u64) -> Probe {
        let mut made = with_median(kind, Op::Write, write_ns);
        let job = &mut made.phase.jobs[0];
        job.flush.clone_from(&job.write);
        set_median(&mut made, Op::Flush, flush_ns);
        made
    }

    fn set_median(made: &mut Probe, op: Op, median_ns: u64) {
        let one = made.phase.jobs[0].op_mut(op).as_mut().expect("it is there");
        let median = one
            .service_ns
            .percentiles
            .insert("50".to_owned(), median_ns);
        assert!(median.is_some(), "the sample supports it");
    }

    /// Writes at a rate.
    pub(crate) fn with_rate(kind: ProbeKind, bytes_per_second: f64) -> Probe {
        let mut made = requests(Op::Write, 10_000);
        made.kind = kind;
        let write = made.phase.jobs[0].write.as_mut().expect("it writes");
        write.bytes_per_second = bytes_per_second;
        made
    }

    /// A run of random reads on an SSD with these probes beside it.
    pub(crate) fn run(probes: Vec<Probe>) -> RunResult {
        RunResult {
            probes,
            ..fixture::random_read()
        }
    }
}
