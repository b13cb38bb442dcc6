//! Whether requests of an open load start when they are due.

use super::bench::{Bench, job, op};
use super::step::{Answer, Step, StepRow};
use fathom_core::{Op, figure};

pub(super) const STEP: Step = Step {
    purpose: "an open load has its rate",
    of_a_disk: None,
    run,
};

/// Requests a second, of which every disk can do as many.
const RATE: u64 = 100;

fn run(bench: &Bench<'_>) -> Vec<StepRow> {
    const TEST: &str = "open load";
    let ios = RATE * bench.seconds();
    let spec = format!(
        "warm_up = \"0s\"\nblock_size = \"4KiB\"\n\
         read = 100\nrandom = 100\nqueue_depth = 16\nrate = \"{RATE}iops\"\n\
         duration = \"{}s\"\n",
        bench.seconds()
    );
    let result = match bench.measure(&spec, None) {
        Ok(result) => result,
        Err(refusal) => return vec![refusal.line(TEST)],
    };
    let due = job(&result).and_then(|job| job.due).unwrap_or_default();
    let lag_ns = job(&result)
        .and_then(|job| job.max_lag_ns)
        .unwrap_or_default();
    let done = op(&result, Op::Read).map_or(0, |read| read.ios);
    let seen = format!(
        "{} of {} requests at {RATE} a second; the latest started {} late",
        figure::count(done),
        figure::count(ios),
        figure::time(lag_ns as f64)
    );
    // One may be due at an edge of the measured time.
    let is_made = due.abs_diff(ios) <= 1;
    let is_slow = is_made && done.abs_diff(ios) > 1;
    vec![if is_slow {
        let seen = format!("{seen}: the disk is too slow, or too busy");
        StepRow::new(TEST, Answer::Skipped, seen)
    } else {
        StepRow::of(TEST, is_made, seen)
    }]
}
