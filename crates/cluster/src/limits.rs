//! Limits on every length that another process can name. What is beyond is refused, by name.

use fathom_core::{Nanos, Op};

/// Members of one measurement.
pub const MEMBERS: usize = 65_536;
/// Members whose clocks are read at once. With 9,900 at once the answers queue and offsets are off
/// by up to 27 ms; in groups of this size they stay within the round trip.
pub const CLOCK_GROUP: usize = 64;
/// Readings of each clock before the start; the one with the shortest round trip counts.
pub const CLOCK_READINGS: u32 = 8;
/// Bytes of a frame from somebody who has not shown that he knows the token.
pub const STRANGER_BYTES: usize = 1024;
/// Bytes of all frames of such a peer: its greeting and its hello.
pub const STRANGER_TOTAL_BYTES: usize = 8 << 10;
/// Connections at once that have not shown that they know the token. More wait in the queue of the
/// system.
pub const STRANGERS: usize = 1024;
/// How long such a connection may take to show it.
pub const STRANGER_TIME: Nanos = Nanos::from_secs(10);
/// Refusals of strangers that are reported one by one.
pub const REFUSALS: u64 = 16;
/// Bytes of any frame.
pub const FRAME_BYTES: usize = 8 << 20;
/// Bytes of a plan.
pub const PLAN_BYTES: usize = 4 << 20;
/// Bytes of a piece of what a member says of itself at its end.
pub const BRIEF_BYTES: usize = 256 << 10;
/// Bytes of a piece of a member's course.
pub const COURSE_BYTES: usize = 256 << 10;
/// Bytes of all pieces of a member.
pub const BRIEFS_BYTES: usize = 64 << 20;
/// Bytes of a name or a reason.
pub const TEXT_BYTES: usize = 4096;
/// Jobs in a phase. An interval in which all of them fill every cell of a histogram still fits into
/// a frame.
pub const JOBS: usize = 512;
/// Series of figures (operations of jobs) in a phase.
pub const SERIES: usize = JOBS * Op::ALL.len();
/// Jobs in all phases of all repeats: what a member says of each is 1 to 3 KiB long, and all of it
/// has to fit into [`BRIEFS_BYTES`].
pub const JOBS_OF_ALL_PHASES: usize = 16_384;
/// Series in all phases of all members, of 32 bytes each in the memory of the coordinator.
pub const SERIES_OF_MEMBERS: usize = 32 << 20;
/// Slowest requests that a member reports.
pub const SLOWEST: usize = fathom_core::slowest::KEPT;
/// Places where a member makes something.
pub const PLACES: usize = 1024;
/// Caveats of a member.
pub const CAVEATS: usize = 256;
/// Rows of the time series of a phase. Beyond, neighbours are merged, so that the memory of the
/// coordinator does not grow with the length of the run.
pub const ROWS: usize = 256;
/// Intervals that may be open at once, waiting for the slowest member.
pub const OPEN_ROWS: usize = 4;
