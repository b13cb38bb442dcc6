//! The history: every run kept in one SQLite file.
//!
//! [`Store`] is the file. A run is its document, the versioned JSON of
//! [`RunResult`](fathom_core::result::RunResult), packed; everything else in the file can be made
//! from the documents again, but for tags and notes.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod error;
mod migrate;
mod packing;
mod query;
mod reading;
mod store;
mod write;

pub use error::StoreError;
pub use query::Wanted;
pub use reading::{ReadError, read_results};
pub use store::Store;
