//! A file with holes.

use crate::check::{Code, Example, Look, entry, thresholds};
use crate::fitness::{Facts, samples};
use fathom_core::figure::size;
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of a file that must be allocated: below, it has holes
    ALLOCATED: f64 = 0.98, Share, Decided;
}

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { Sparse: Before, Number, "invalid",
        "less than {ALLOCATED} of the file is allocated",
        [row::ALLOCATED],
        Example::Target(samples::of_a_file)
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    let Some(file) = &facts.file else { return };
    if (file.allocated_bytes as f64) < file.size_bytes as f64 * ALLOCATED {
        let message = format!(
            "the file has holes: {} of {} are allocated. Holes are read without I/O",
            size(file.allocated_bytes),
            size(file.size_bytes)
        );
        found.push(Code::Sparse.caveat(Level::Invalid, message).remedy(FRESH));
    }
}

/// What to do about a file that cannot be read from its device as it is.
pub(crate) const FRESH: &str = "let fathom create a file, or write this one completely";
