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
use fathom_core::result::{Origin, ResultField};

/// A number in its shortest form, empty where there is none.
fn cell<T: ToString>(number: Option<T>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// Empties the cells of a row about which the source of an import says nothing; `columns` are
/// pairs of a column and the field of the document behind it.
fn blank_unknown(
    row: &mut [String],
    header: &[String],
    origin: &Origin,
    columns: &[(&str, ResultField)],
) {
    for (column, field) in columns {
        let place = header.iter().position(|name| name == column);
        if let Some(place) = place.filter(|_| !origin.knows(*field)) {
            row[place].clear();
        }
    }
}
