//! Flat tables for spreadsheets and data frames: one row for each operation, one for each
//! operation in each interval, or one for each percentile.
//!
//! Every row carries the run, its state and its place (phase, repeat, job, operation), so that
//! tables of many runs can be put below each other. Numbers are whole and in base units.

mod intervals;
mod percentiles;
mod place;
mod summary;

pub(crate) use intervals::render as intervals;
pub(crate) use percentiles::render as percentiles;
pub(crate) use summary::render as summary;

use csv::Writer;

/// A table with its header, row by row.
struct Rows(Writer<Vec<u8>>);

impl Rows {
    fn new(header: impl IntoIterator<Item = String>) -> Self {
        let mut rows = Self(Writer::from_writer(Vec::new()));
        rows.push(header);
        rows
    }

    fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0
            .write_record(cells)
            .expect("memory takes everything, and all rows are as long as the header");
    }

    fn finish(self) -> String {
        let bytes = self.0.into_inner().expect("memory takes everything");
        String::from_utf8(bytes).expect("all cells are text")
    }
}

/// A number in its shortest form, empty where there is none.
fn cell<T: ToString>(number: Option<T>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}
