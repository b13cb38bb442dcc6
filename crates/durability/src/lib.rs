//! Whether a storage kept what it had acknowledged when power was cut.
//!
//! - [`promise`]: what can be promised of a write.
//! - [`plan`]: which write comes when and goes where, computed from a few numbers.
//! - [`log`]: the acknowledgement log of a run, line by line.
//! - [`history`]: what has to be where, by the plan and the log.
//! - [`judge()`]: what was read back, held against that.
//!
//! Nothing here reads or writes: what a place holds is asked of a [`judge::Storage`].
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod history;
pub mod judge;
pub mod log;
pub mod plan;
pub mod promise;

pub use history::History;
pub use judge::{Broken, Harm, Judgement, Open, State, Storage, Unit, judge};
pub use log::{End, Header, Log, LogError, LogLine};
pub use plan::{Deed, Plan, PlanError, Step};
pub use promise::Promise;
