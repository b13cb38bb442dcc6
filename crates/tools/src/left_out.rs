//! What the layouts of programs that know reads and writes only leave out of a result.

use fathom_core::result::RunResult;
use fathom_core::{Op, figure};

/// The operations that are neither, with their numbers; none where there are none.
pub fn operations(result: &RunResult) -> Option<String> {
    let jobs = || result.phases.iter().flat_map(|phase| &phase.jobs);
    let others = Op::REQUESTS.into_iter();
    let others = others.filter(|op| !matches!(op, Op::Read | Op::Write));
    let told = others.filter_map(|op| {
        let ios: u64 = jobs()
            .filter_map(|job| job.ops.get(op))
            .map(|done| done.ios)
            .sum();
        (ios > 0).then(|| format!("{} {}", figure::count(ios), op.name()))
    });
    let told: Vec<String> = told.collect();
    let list = told.join(", ");
    (!told.is_empty()).then(|| {
        format!("reads and writes are all that this format has a place for; left out: {list}")
    })
}
