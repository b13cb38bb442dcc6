//! Whether the kernel's counters of the disk agree with the requests.

use super::bench::{Bench, empty, op};
use super::perfmon;
use super::step::{Answer, Step, StepRow};
use fathom_core::{Op, figure};

pub(super) const STEP: Step = Step {
    purpose: "the counters of the disk are compared with the requests",
    of_a_disk: Some("counters"),
    run,
};

/// Bytes of the disk for each byte of the load that are still agreement: others use the disk too.
const AGREE: std::ops::RangeInclusive<f64> = 0.98..=1.1;

fn run(bench: &Bench<'_>) -> Vec<StepRow> {
    let cases = [(Op::Read, 100), (Op::Write, 0)];
    let lines = cases
        .into_iter()
        .map(|(operation, read)| one(bench, operation, read));
    lines.chain(perfmon::lines(bench)).collect()
}

fn one(bench: &Bench<'_>, operation: Op, read: u32) -> StepRow {
    let test = format!("counters, {}", operation.name());
    let spec = format!(
        "warm_up = \"0s\"\nblock_size = \"64KiB\"\n\
         read = {read}\nrandom = 100\nqueue_depth = 8\nduration = \"{}s\"\n",
        bench.seconds()
    );
    let result = match bench.measure(&spec, None) {
        Ok(result) => result,
        Err(refusal) => return refusal.line(test),
    };
    let Some(own) = op(&result, operation) else {
        return empty(&test);
    };
    let ledger = result
        .phases
        .first()
        .and_then(|phase| phase.ledger.as_deref());
    let ratio = ledger.and_then(|ledger| match operation {
        Op::Read => ledger.read_ratio,
        _ => ledger.write_ratio,
    });
    let Some(ratio) = ratio else {
        return StepRow::new(
            test,
            Answer::Skipped,
            "this disk has no counters that can be read",
        );
    };
    let seen = format!(
        "the disk counted {ratio:.3} bytes for each byte of {}",
        figure::volume(own.bytes)
    );
    // More is somebody else's load, less is a cache.
    if AGREE.contains(&ratio) {
        StepRow::new(test, Answer::Passed, seen)
    } else {
        StepRow::new(
            test,
            Answer::Skipped,
            format!("{seen}: a cache, or other users of the disk"),
        )
    }
}
