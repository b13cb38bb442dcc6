//! A run on one line.

use fathom_core::Op;
use fathom_core::result::{PhaseResult, RunResult};

/// What a list says of a run's speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Headline {
    /// Requests a second, flushes aside, of the phase with the most.
    pub(crate) iops: f64,
    /// Bytes a second of the phase with the most.
    pub(crate) bytes_per_second: f64,
    /// Phases with names of their own; repeats of one are averaged.
    pub(crate) phases: u64,
}

impl Headline {
    pub(crate) fn of(result: &RunResult) -> Self {
        let mut names: Vec<&str> = Vec::new();
        for phase in &result.phases {
            if !names.contains(&phase.name.as_str()) {
                names.push(&phase.name);
            }
        }
        let mut headline = Self {
            phases: names.len() as u64,
            ..Self::default()
        };
        for name in names {
            let repeats: Vec<_> = result
                .phases
                .iter()
                .filter(|phase| phase.name == name)
                .filter_map(rates)
                .collect();
            let count = repeats.len().max(1) as f64;
            let iops = repeats.iter().map(|rates| rates.0).sum::<f64>() / count;
            let bytes = repeats.iter().map(|rates| rates.1).sum::<f64>() / count;
            headline.iops = headline.iops.max(iops);
            headline.bytes_per_second = headline.bytes_per_second.max(bytes);
        }
        headline
    }
}

/// Requests and bytes a second of all jobs together, over the time of the job that was longest at
/// work; none of a repeat that was cut off before its measured time.
fn rates(phase: &PhaseResult) -> Option<(f64, f64)> {
    let longest_ns = phase.jobs.iter().map(|job| job.active_ns).max();
    let seconds = longest_ns.unwrap_or(0) as f64 / 1e9;
    if seconds == 0.0 {
        return None;
    }
    let ops = || phase.jobs.iter().flat_map(|job| job.ops.present());
    let data = || ops().filter(|(op, _)| *op != Op::Flush);
    let ios: u64 = data().map(|(_, one)| one.ios).sum();
    let bytes: u64 = data().map(|(_, one)| one.bytes).sum();
    Some((ios as f64 / seconds, bytes as f64 / seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture::{self, JobPlan, Stream};

    fn job(ios: u64, block_bytes: u64) -> Vec<JobPlan> {
        let stream = Stream::random(Op::Read, block_bytes, vec![ios; 10]);
        vec![JobPlan::closed("read", 4, vec![stream])]
    }

    #[test]
    fn the_largest_of_the_phases_is_told_and_repeats_are_averaged() {
        let mut result = fixture::run(
            "w",
            &[("small", job(1000, 4096)), ("large", job(100, 1 << 20))],
        );
        let (small, large) = (result.phases[0].clone(), result.phases[1].clone());
        assert_eq!(
            Headline::of(&result),
            Headline {
                iops: 1000.0,
                bytes_per_second: 100.0 * 1_048_576.0,
                phases: 2
            }
        );
        let slower = fixture::phase("small", &job(500, 4096));
        result.phases = vec![small, slower, large];
        assert_eq!(
            Headline::of(&result),
            Headline {
                iops: 750.0,
                bytes_per_second: 100.0 * 1_048_576.0,
                phases: 2
            }
        );
        // A third one was cut off before its measured time.
        let mut empty = fixture::phase("small", &job(500, 4096));
        empty.measured_ns = 0;
        empty.jobs[0].active_ns = 0;
        empty.jobs[0].ops[Op::Read] = None;
        result.phases.push(empty);
        assert_eq!(Headline::of(&result).iops.to_bits(), 750.0_f64.to_bits());
        result.phases.clear();
        assert_eq!(Headline::of(&result), Headline::default());
    }
}
