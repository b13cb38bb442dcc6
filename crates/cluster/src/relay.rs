//! Somebody in between, who carries the streams of members to their coordinator: of an interval
//! that all of them report, the histograms are added up on the way and arrive once, with the last
//! of the reports.
//!
//! An [`Outlet`] is with each member, a [`Junction`] with the coordinator. Nobody at either end
//! knows of them: what arrives is what members could have said. An interval that not all members
//! have reported in time, or not at the same time, goes as it is, so that nothing waits for one who
//! is late and a member that is gone is counted up to what it has said.

mod junction;
mod letters;
mod outlet;

pub use junction::{Junction, Step};
pub use letters::{Column, Down, Held, Interval, Piece, Up};
pub use outlet::Outlet;

/// Histograms of an interval at most that are added up on the way: a megabyte of cells. More are
/// shorter as they are.
const COLUMNS: usize = 16;

#[cfg(test)]
mod tests;
