//! Files that are written when a run is over, from its result.

use fathom_core::Op;
use fathom_core::result::{IntervalResult, RunResult};
use fathom_tools::call::LaterFile;
use std::fmt::Write as _;

/// Those of `--bandwidth-log`: the bandwidth of each direction, all jobs together.
pub(super) const BANDWIDTHS: [LaterFile; 3] = [
    LaterFile {
        name: "agg-read_bw.log",
        is_own,
        bytes: |result| bandwidths(result, Op::Read),
    },
    LaterFile {
        name: "agg-write_bw.log",
        is_own,
        bytes: |result| bandwidths(result, Op::Write),
    },
    LaterFile {
        name: "agg-trim_bw.log",
        is_own,
        bytes: |result| bandwidths(result, Op::Trim),
    },
];

/// Whether a file that begins so is one of an earlier run.
fn is_own(head: &[u8]) -> bool {
    let line = head.split(|byte| *byte == b'\n').next();
    let line = line.map(String::from_utf8_lossy).unwrap_or_default();
    let fields = line.split(", ").map(str::parse::<u64>);
    fields.flatten().count() == 5
}

/// A line for each interval: its end in milliseconds from the start of the run, KiB a second, the
/// direction, and two zeros.
fn bandwidths(result: &RunResult, op: Op) -> Vec<u8> {
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
    text.into_bytes()
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
        let text = |file: LaterFile| String::from_utf8((file.bytes)(&result)).ok();
        let found = BANDWIDTHS.map(text);
        let expected = [
            "6000, 800, 0, 0, 0\n7000, 400, 0, 0, 0\n",
            "6000, 0, 1, 0, 0\n7000, 0, 1, 0, 0\n",
            "6000, 0, 2, 0, 0\n7000, 0, 2, 0, 0\n",
        ];
        assert_eq!(found, expected.map(|text| Some(text.to_owned())));
        assert!(is_own(b"1000, 800, 0, 0, 0\n"));
        assert!(!is_own(b"my notes, 1, 2"));
    }
}
