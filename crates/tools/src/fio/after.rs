//! Files that are written when a run is over, from its result.

use super::states::FioState;
use super::verify_state::VerifyState;
use fathom_core::Op;
use fathom_core::result::{IntervalResult, RunResult};
use std::fmt::Write as _;

/// A file that is written when a run is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FioAfter {
    /// What a clone has written, for one that verifies it.
    State(Box<FioState>),
    /// The bandwidth of one direction, all jobs together.
    Bandwidth(Op),
}

impl FioAfter {
    /// Those of `--bandwidth-log`.
    pub const BANDWIDTHS: [Self; 3] = [
        Self::Bandwidth(Op::Read),
        Self::Bandwidth(Op::Write),
        Self::Bandwidth(Op::Trim),
    ];

    /// Its name, in the directory of the logs.
    pub fn name(&self) -> String {
        match self {
            Self::State(state) => state.path.clone(),
            Self::Bandwidth(op) => format!("agg-{}_bw.log", op.name()),
        }
    }

    /// What it is, for messages.
    pub const fn what(&self) -> &'static str {
        match self {
            Self::State(_) => "the state of the writes",
            Self::Bandwidth(_) => "the log",
        }
    }

    /// Whether the input asks for it; what it does not ask for is left out where it cannot be
    /// written.
    pub const fn is_asked(&self) -> bool {
        match self {
            Self::State(state) => state.is_asked,
            Self::Bandwidth(_) => true,
        }
    }

    /// Its bytes; none where there is nothing to write.
    pub fn bytes(&self, result: &RunResult) -> Option<Vec<u8>> {
        match self {
            Self::State(state) => state.bytes(result),
            Self::Bandwidth(op) => Some(bandwidths(result, *op).into_bytes()),
        }
    }

    /// Whether a file that begins so is one of an earlier run.
    pub fn begins(&self, head: &[u8]) -> bool {
        match self {
            Self::State(_) => VerifyState::begins(head),
            Self::Bandwidth(_) => {
                let line = head.split(|byte| *byte == b'\n').next();
                let line = line.map(String::from_utf8_lossy).unwrap_or_default();
                let fields = line.split(", ").map(str::parse::<u64>);
                fields.flatten().count() == 5
            }
        }
    }
}

/// A line for each interval: its end in milliseconds from the begin of the run, KiB a second, the
/// direction, and two zeros.
fn bandwidths(result: &RunResult, op: Op) -> String {
    let mut text = String::new();
    let begin =
        |phase: &fathom_core::result::PhaseResult| phase.start_ns.saturating_sub(phase.warm_up_ns);
    let first = result.phases.first().map_or(0, begin);
    for phase in &result.phases {
        for interval in phase.intervals.iter().filter(|one| one.length_ns > 0) {
            let end = begin(phase) - first + interval.start_ns + interval.length_ns;
            let rate = u128::from(bytes(interval, op)) * 1_000_000_000
                / u128::from(interval.length_ns)
                / 1024;
            let direction = match op {
                Op::Write => 1,
                Op::Trim => 2,
                _ => 0,
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}, {rate}, {direction}, 0, 0", end / 1_000_000);
        }
    }
    text
}

fn bytes(interval: &IntervalResult, op: Op) -> u64 {
    let jobs = interval.jobs.iter().filter_map(|job| job.ops[op].as_ref());
    jobs.map(|one| one.bytes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture::{JobPlan, Stream, run};

    /// As fio 3.33 writes them: `604, 3317, 0, 0, 0`. The phase has a warm-up of 5 s.
    #[test]
    fn each_interval_is_a_line_of_each_direction() {
        let reads = |name| {
            let stream = Stream::random(Op::Read, 4096, vec![100, 50]);
            JobPlan::closed(name, 1, vec![stream])
        };
        let result = run("x", &[("p", vec![reads("a"), reads("b")])]);
        let bytes = |log: &FioAfter| log.bytes(&result).map(String::from_utf8);
        let [read, write, trim] = FioAfter::BANDWIDTHS;
        let found = [&read, &write, &trim].map(|log| bytes(log).and_then(Result::ok));
        let expected = [
            "6000, 800, 0, 0, 0\n7000, 400, 0, 0, 0\n",
            "6000, 0, 1, 0, 0\n7000, 0, 1, 0, 0\n",
            "6000, 0, 2, 0, 0\n7000, 0, 2, 0, 0\n",
        ];
        assert_eq!(found, expected.map(|text| Some(text.to_owned())));
        assert_eq!(write.name(), "agg-write_bw.log");
        assert!(read.begins(b"1000, 800, 0, 0, 0\n"));
        assert!(!read.begins(b"my notes, 1, 2"));
    }
}
