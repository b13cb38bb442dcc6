//! Whether direct reads pass by the page cache: they are slower than reads of cached blocks.

use super::bench::{Bench, empty, op};
use super::step::{Answer, Step, StepRow};
use fathom_core::{Op, figure};

const TEST: &str = "direct I/O";

pub(super) const STEP: Step = Step {
    purpose: "direct reads are compared with reads of the page cache",
    of_a_disk: Some(TEST),
    run,
};

/// Ratio of the rates from which direct reads surely missed the page cache.
const CLEAR: f64 = 1.5;

fn run(bench: &Bench<'_>) -> Vec<StepRow> {
    let mut rates = [0.0; 2];
    for (direct, rate) in [true, false].into_iter().zip(&mut rates) {
        let spec = format!(
            "warm_up = \"1s\"\nblock_size = \"4KiB\"\n\
             read = 100\nrandom = 100\nqueue_depth = 1\ndirect = {direct}\n\
             duration = \"{}s\"\n",
            bench.seconds()
        );
        match bench.measure(&spec, None) {
            Ok(result) => match op(&result, Op::Read) {
                Some(read) => *rate = read.iops,
                None => return vec![empty(TEST)],
            },
            Err(refusal) => return vec![refusal.line(TEST)],
        }
    }
    let [direct, cached] = rates;
    let seen = format!(
        "{} IOPS direct, {} IOPS from the page cache",
        figure::iops(direct),
        figure::iops(cached)
    );
    vec![if cached > CLEAR * direct {
        StepRow::new(TEST, Answer::Passed, seen)
    } else {
        // A disk in memory answers as fast.
        let seen = format!("{seen}: too near to each other to decide");
        StepRow::new(TEST, Answer::Skipped, seen)
    }]
}
