//! The history: every run kept in one SQLite file.
//!
//! [`Store`] is the file. A run is its document, the versioned JSON of
//! [`RunResult`](fathom_core::result::RunResult), packed; everything else in the file can be made
//! from the documents again, but for tags, notes and what waits to be delivered.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod accounts;
mod bundle;
mod error;
mod headline;
mod journal;
mod list;
mod marks;
mod migrate;
mod outbox;
mod ownership;
mod packing;
mod projection;
mod query;
mod reading;
mod rebuild;
mod recordings;
mod retention;
mod series;
mod store;
mod write;

pub use accounts::HeldAccount;
pub use bundle::{Arrival, BUNDLE_VERSION, Parcel};
pub use error::StoreError;
pub use journal::{Entry, UNREADABLE};
pub use list::{Filter, RunRow};
pub use outbox::{Claim, Pending};
pub use query::Wanted;
pub use reading::{Held, ReadError, read, read_results};
pub use recordings::{OpenRecording, RecordingRow};
pub use retention::Retention;
pub use store::{Store, sqlite_version};
