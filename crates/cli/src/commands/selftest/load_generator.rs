//! What the load generator costs: requests to no storage at all.

use super::bench::{Bench, empty, op};
use super::step::{Step, StepRow};
use fathom_core::{EngineKind, Op, figure};

pub(super) const STEP: Step = Step {
    purpose: "the load generator runs without storage",
    of_a_disk: None,
    run,
};

fn run(bench: &Bench<'_>) -> Vec<StepRow> {
    const TEST: &str = "load generator";
    let spec = format!(
        "warm_up = \"0s\"\nblock_size = \"4KiB\"\n\
         read = 100\nrandom = 100\nqueue_depth = 32\nduration = \"{}s\"\n",
        bench.seconds()
    );
    let result = match bench.measure(&spec, Some(EngineKind::Null)) {
        Ok(result) => result,
        Err(refusal) => return vec![refusal.line(TEST)],
    };
    let Some(read) = op(&result, Op::Read) else {
        return vec![empty(TEST)];
    };
    let seen = format!(
        "{} requests a second without storage: {} each",
        figure::iops(read.iops),
        figure::time(1e9 / read.iops.max(1.0))
    );
    vec![StepRow::of(TEST, read.ios > 0, seen)]
}
