//! The words of Fathom: units, the specification of a workload, the histogram, the result.
//!
//! Everything above speaks in these types. The crate is pure: it opens nothing, starts no
//! thread and reads no clock, so that every rule in it can be tested with plain values.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

pub mod cap;
pub mod caveat;
mod constant_rows;
pub mod content;
pub mod engine;
pub mod figure;
pub mod file_name;
#[cfg(feature = "fixture")]
pub mod fixture;
pub mod foreign;
pub mod gcra;
pub mod histogram;
pub mod interval;
mod is_default;
pub mod moments;
pub mod nearest;
pub mod op;
pub mod paint;
pub mod recording;
pub mod result;
#[cfg(feature = "schema")]
mod schema;
pub mod selector;
pub mod slowest;
mod small_sort;
pub mod spec;
pub mod table;
pub mod tolerated;
pub mod trace;
pub mod units;

pub use cap::{Cap, CapBurst, CapError, CapOwner, CapScope, CapUnit};
pub use caveat::{Caveat, CodeWord, KnownCode, Level, State};
pub use engine::{EngineKind, UnknownEngine};
pub use gcra::Gcra;
pub use histogram::{Histogram, summary};
pub use op::{Op, PerOp};
pub use selector::RunSelector;
pub use small_sort::SmallSort;
pub use tolerated::{ErrorNumbers, Tolerated};
pub use units::{Bytes, Nanos, Percent, Rate};
