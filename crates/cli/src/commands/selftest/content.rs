//! Whether each engine writes and reads the right bytes, and each request once.

use super::bench::{Bench, job, op};
use super::step::{Answer, Step, StepRow};
use fathom_core::engine::{Choice, ENGINES, EngineRow};
use fathom_core::{Op, figure};
use fathom_engine::{available, is_of_this_system};

pub(super) const STEP: Step = Step {
    purpose: "each engine writes, and what it wrote is read back",
    of_a_disk: None,
    run,
};

/// Sizes of requests, with the queue depth.
const SHAPES: [(&str, u64, u32); 3] = [
    ("4KiB", 4 << 10, 32),
    ("64KiB", 64 << 10, 8),
    ("1MiB", 1 << 20, 2),
];

fn run(bench: &Bench<'_>) -> Vec<StepRow> {
    let rows = ENGINES.iter().filter(|row| measures_files(row));
    rows.flat_map(|row| each_shape(bench, row)).collect()
}

fn measures_files(row: &EngineRow) -> bool {
    row.choice == Choice::RunOrJob
        && row.capabilities.needs_target
        && !row.capabilities.takes_namespace
        && is_of_this_system(row.kind)
}

fn each_shape(bench: &Bench<'_>, row: &EngineRow) -> Vec<StepRow> {
    if let Err(cause) = available(row.kind) {
        let name = format!("content, {}", row.name);
        return vec![StepRow::new(
            name,
            Answer::Skipped,
            format!("it is {cause}"),
        )];
    }
    let shapes = SHAPES.iter();
    shapes
        .map(|(size, bytes, depth)| one(bench, row, size, *bytes, *depth))
        .collect()
}

fn one(bench: &Bench<'_>, row: &EngineRow, size: &str, bytes: u64, depth: u32) -> StepRow {
    let test = format!("content, {} {size}", row.name);
    // Twice the file, so that blocks are overwritten.
    let ios = 2 * (bench.size_mib() << 20) / bytes;
    let depth = if row.capabilities.batches { depth } else { 1 };
    let direct = !row.capabilities.maps_targets;
    let spec = format!(
        "warm_up = \"0s\"\nblock_size = \"{size}\"\n\
         read = 0\nrandom = 100\nqueue_depth = {depth}\nstop_ios = {ios}\n\
         direct = {direct}\nverify = \"read_back\"\n"
    );
    let result = match bench.measure(&spec, Some(row.kind)) {
        Ok(result) => result,
        Err(refusal) => return refusal.line(test),
    };
    let written = op(&result, Op::Write).map_or(0, |op| op.ios);
    let verified = job(&result)
        .and_then(|job| job.verified)
        .unwrap_or_default();
    let whole = (bench.size_mib() << 20) / 512;
    let is_right = written == ios && verified.wrong == 0 && verified.blocks >= whole;
    let seen = format!(
        "{} of {} writes, {} blocks of 512 bytes read back, {} wrong",
        figure::count(written),
        figure::count(ios),
        figure::count(verified.blocks),
        figure::count(verified.wrong)
    );
    StepRow::of(test, is_right, seen)
}
