//! Flat tables for spreadsheets and data frames: one row for each operation, one for each
//! operation in each interval, one for each percentile, one for each of the slowest requests, or
//! one for each thing of the machine.
//!
//! Every row carries the run, its state and its place (phase, repeat, and job and operation where
//! they have a part in it), so that tables of many runs can be put below each other. Numbers are
//! whole and in base units. What the source of an import does not say is empty.

mod intervals;
mod machine;
mod percentiles;
mod place;
mod slowest;
mod summary;

pub(crate) use intervals::render as intervals;
pub(crate) use machine::render as machine;
pub(crate) use percentiles::render as percentiles;
pub(crate) use slowest::render as slowest;
pub(crate) use summary::render as summary;

use crate::sheet::Sheet;

/// A number in its shortest form, empty where there is none.
fn cell<T: ToString>(number: Option<T>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}
