//! What reads and what writes have to do with a change of a mixed closed load.
//!
//! With N outstanding requests and a share p of reads, the throughput is
//! `X = N / (p R_r + (1 - p) R_w)` (Little 1961). So a write cache that makes writes free raises
//! it by at most `1 / p` when both took as long before: 43 % at 70/30, 2 % at 98/2.

use super::job_op::JobOp;
use crate::stats::median;
use fathom_core::op::Op;
use fathom_core::result::{LoadModel, RunResult};
use serde::Serialize;

/// The change of the throughput of one mixed job in parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mixed {
    /// Phase of the job.
    pub phase: String,
    /// The name of the job.
    pub job: String,
    /// Share of reads among the requests of the base (0 to 1).
    pub read_share: f64,
    /// Mean service time of reads, base and other, nanoseconds.
    pub read_ns: [f64; 2],
    /// Mean service time of writes, base and other, nanoseconds.
    pub write_ns: [f64; 2],
    /// Requests a second of reads and writes, other over base.
    pub measured: f64,
    /// What the ratio would be if only reads had changed.
    pub by_reads: f64,
    /// What the ratio would be if only writes had changed.
    pub by_writes: f64,
    /// What the ratio would be if writes took no time at all and reads what they took before.
    pub most_by_writes: f64,
}

/// The decomposition of each mixed closed job that the runs of both sides have, by the medians over
/// the runs of each, which are the numbers of the table.
pub(super) fn of(base: &[&RunResult], other: &[&RunResult], places: &[JobOp]) -> Vec<Mixed> {
    let writes = places.iter().filter(|place| place.op == Op::Write);
    writes
        .filter_map(|place| {
            let reads = JobOp {
                op: Op::Read,
                ..place.clone()
            };
            let closed = |run: &&RunResult| {
                let mut jobs = place.jobs(run);
                jobs.all(|(_, _, job)| job.load_model == LoadModel::Closed)
            };
            if !places.contains(&reads) || !base.iter().chain(other).all(closed) {
                return None;
            }
            let base = Parts::of_all(base, &reads, place)?;
            let other = Parts::of_all(other, &reads, place)?;
            Some(decompose(place, base, other))
        })
        .collect()
}

/// Rate and times of the two halves of a job.
#[derive(Clone, Copy)]
struct Parts {
    read_share: f64,
    iops: f64,
    read_ns: f64,
    write_ns: f64,
}

impl Parts {
    fn of_all(runs: &[&RunResult], reads: &JobOp, writes: &JobOp) -> Option<Self> {
        let parts = runs.iter().map(|run| Self::of(run, reads, writes));
        let parts: Vec<Self> = parts.collect::<Option<_>>()?;
        let middle = |of: fn(&Self) -> f64| median(&parts.iter().map(of).collect::<Vec<_>>());
        Some(Self {
            read_share: middle(|part| part.read_share),
            iops: middle(|part| part.iops),
            read_ns: middle(|part| part.read_ns),
            write_ns: middle(|part| part.write_ns),
        })
    }

    fn of(run: &RunResult, reads: &JobOp, writes: &JobOp) -> Option<Self> {
        let half = |place: &JobOp| {
            let (ops, seconds) = place.ops(run);
            let ios: u64 = ops.iter().map(|op| op.ios).sum();
            let times = ops.iter().map(|op| op.service_ns.mean * op.ios as f64);
            (ios > 0).then(|| (ios as f64, times.sum::<f64>() / ios as f64, seconds))
        };
        let (read_ios, read_ns, seconds) = half(reads)?;
        let (write_ios, write_ns, _) = half(writes)?;
        Some(Self {
            read_share: read_ios / (read_ios + write_ios),
            iops: (read_ios + write_ios) / seconds,
            read_ns,
            write_ns,
        })
    }
}

fn decompose(place: &JobOp, base: Parts, other: Parts) -> Mixed {
    let share = base.read_share;
    let slot = |read_ns: f64, write_ns: f64| share * read_ns + (1.0 - share) * write_ns;
    let before = slot(base.read_ns, base.write_ns);
    Mixed {
        phase: place.phase.clone(),
        job: place.job.clone(),
        read_share: share,
        read_ns: [base.read_ns, other.read_ns],
        write_ns: [base.write_ns, other.write_ns],
        measured: other.iops / base.iops,
        by_reads: before / slot(other.read_ns, base.write_ns),
        by_writes: before / slot(base.read_ns, other.write_ns),
        most_by_writes: before / slot(base.read_ns, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture::{self, JobPlan, Stream};

    /// The numbers beside it are medians, too.
    #[test]
    fn several_runs_are_decomposed_by_their_medians() {
        let run = |ios: u64| {
            let streams = [Op::Read, Op::Write].map(|op| Stream::random(op, 4096, vec![ios; 4]));
            let job = JobPlan::closed("j", 8, streams.to_vec());
            fixture::run("mixed", &[("p", vec![job])])
        };
        let runs = [run(1000), run(9000), run(2000)];
        let place = |op| JobOp {
            phase: "p".to_owned(),
            job: "j".to_owned(),
            op,
        };
        let places = [place(Op::Read), place(Op::Write)];
        let [a, b, c] = &runs;
        let found = of(&[a], &[a, b, c], &places);
        assert_eq!((found.len(), found[0].measured), (1, 2.0));
    }

    #[test]
    fn free_writes_are_worth_what_the_mix_allows() {
        let place = JobOp {
            phase: "p".to_owned(),
            job: "j".to_owned(),
            op: Op::Write,
        };
        let parts = |read_share, write_ns| Parts {
            read_share,
            iops: 1.0,
            read_ns: 1e6,
            write_ns,
        };
        let cases = [(0.70, 43.0), (0.80, 25.0), (0.67, 49.0), (0.98, 2.0)];
        for (share, percent) in cases {
            let found = decompose(&place, parts(share, 1e6), parts(share, 1e3));
            let most = ((found.most_by_writes - 1.0) * 100.0).round();
            let writes = ((found.by_writes - 1.0) * 100.0).round();
            let reads = (found.by_reads - 1.0) * 100.0;
            assert_eq!((most, writes, reads), (percent, percent, 0.0), "{share}");
        }
    }
}
