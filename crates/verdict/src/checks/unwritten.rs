//! A file of which some was reserved and never written.

use crate::check::{Code, Example, Look, entry};
use crate::checks::extents::EXTENT_SHARE;
use crate::checks::sparse::FRESH;
use crate::fitness::{Facts, samples};
use fathom_core::figure::size;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { Unwritten: Before, Number, "invalid",
        "more than {EXTENT_SHARE} of the file is reserved and was never written",
        [crate::checks::extents::row::EXTENT_SHARE],
        Example::Target(samples::of_a_file)
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    let Some(file) = &facts.file else { return };
    if file.unwritten_bytes as f64 > file.size_bytes as f64 * EXTENT_SHARE {
        let message = format!(
            "{} of the file were reserved and never written. They are read without I/O",
            size(file.unwritten_bytes)
        );
        found.push(
            Code::Unwritten
                .caveat(Level::Invalid, message)
                .remedy(FRESH),
        );
    }
}
