//! The generator alone: the same loop with requests that complete at once. No storage can be
//! measured faster than that.

use fathom_core::Nanos;
use fathom_core::result::{PhaseResult, ProbeKind, RunResult};
use fathom_core::spec::{Pacing, Phase, Verify};

/// Measured time. Methodology 3.4 asks for 2 s.
const MEASURED: Nanos = Nanos::from_secs(2);

/// The phase without storage; none where its jobs do not run all the time.
pub(super) fn probe(phase: &Phase) -> Option<Phase> {
    let mut probe = phase.clone();
    probe.name = format!("{}-probe-ceiling", phase.name);
    probe.warm_up = Nanos::ZERO;
    probe.duration = Some(MEASURED);
    probe.cool_down = Nanos::ZERO;
    probe.steady = None;
    for job in &mut probe.jobs {
        if job.replay.is_some() || job.pacing.is_bursty() || job.after.is_some() {
            return None;
        }
        // However slowly requests are to go, the question is how fast they could.
        job.set_pacing(Pacing::CLOSED);
        job.stop = fathom_core::spec::JobStop::default();
        job.delay = Nanos::ZERO;
        // Nothing is read that could be checked.
        job.verify = match job.verify {
            Verify::Off => Verify::Off,
            _ => Verify::Stamp,
        };
        job.fresh = false;
        job.cold = false;
        job.set_compat(|compat| compat.cold_again = None);
        job.warm = false;
    }
    Some(probe)
}

/// Writes the ceilings that were found into the accounts of their phases.
pub(super) fn note(result: &mut RunResult) {
    let ceilings = result
        .probes
        .iter()
        .filter(|probe| probe.kind == ProbeKind::Ceiling);
    let rate = |phase: &PhaseResult| {
        let ops = phase.jobs.iter().flat_map(|job| job.ops.present());
        ops.map(|(_, one)| one.iops).sum::<f64>()
    };
    for probe in ceilings {
        let phases = result.phases.iter_mut();
        for phase in phases.filter(|phase| phase.name == probe.of_phase) {
            if let Some(ledger) = &mut phase.ledger {
                ledger.generator.ceiling_iops = Some(rate(&probe.phase));
            }
        }
    }
}
