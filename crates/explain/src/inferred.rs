//! What numbers imply that the paste does not state.

use crate::evidence::Evidence;

/// The smallest request, and how far rate over requests may be from a power of two.
const SMALLEST: f64 = 512.0;
const NEAR: f64 = 0.02;

/// How far the requests in flight may be from the number of jobs.
const CLOSE: f64 = 0.1;

/// Fills in the size of a request by its rate, and a depth of one by Little's law.
pub(crate) fn complete(one: &mut Evidence) {
    if one.is_watched() {
        // Requests of all sizes, and of nobody's depth.
        return;
    }
    if one.load.block.is_none() {
        let sizes = one.sides.iter().filter_map(|side| {
            let size = side.rate? / side.iops?;
            let near = SMALLEST.max(size.log2().round().exp2());
            ((size / near - 1.0).abs() <= NEAR).then_some(near)
        });
        one.load.block = sizes.reduce(f64::max);
    }
    if one.load.depth.is_none() {
        let jobs = one.load.jobs.unwrap_or(0.0);
        let held = one.in_flight();
        let is_one = held.is_some_and(|held| (held / jobs - 1.0).abs() <= CLOSE);
        one.load.depth = is_one.then_some(1.0);
    }
}
