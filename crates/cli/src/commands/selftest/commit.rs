//! Whether a commit of a database can be measured: a write of 4 KiB, then a flush.

use super::bench::{Bench, empty, op};
use super::step::{Step, StepRow};
use fathom_core::{Op, figure};

const TEST: &str = "commits";

pub(super) const STEP: Step = Step {
    purpose: "commits are flushed",
    of_a_disk: Some(TEST),
    run,
};

fn run(bench: &Bench<'_>) -> Vec<StepRow> {
    let spec = format!(
        "warm_up = \"0s\"\nblock_size = \"4KiB\"\n\
         read = 0\nrandom = 0\nqueue_depth = 1\nfdatasync_every = 1\n\
         duration = \"{}s\"\n",
        bench.seconds()
    );
    let result = match bench.measure(&spec, None) {
        Ok(result) => result,
        Err(refusal) => return vec![refusal.line(TEST)],
    };
    let (Some(write), Some(flush)) = (op(&result, Op::Write), op(&result, Op::Flush)) else {
        return vec![empty(TEST)];
    };
    let seen = format!(
        "{} writes, {} flushes of {} each",
        figure::count(write.ios),
        figure::count(flush.ios),
        figure::time(flush.service_ns.mean)
    );
    // The last of each may be outside of the measured time.
    vec![StepRow::of(TEST, write.ios.abs_diff(flush.ios) <= 1, seen)]
}
