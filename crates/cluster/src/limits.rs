//! Limits on every length that another process can name. What is beyond is refused, by name.

/// Members of one measurement.
pub const MEMBERS: usize = 65_536;
/// Members whose clocks are read at once. With 9,900 at once the answers queue and offsets are off
/// by up to 27 ms; in groups of this size they stay within the round trip.
pub const CLOCK_GROUP: usize = 64;
/// Readings of each clock before the start; the one with the shortest round trip counts.
pub const CLOCK_READINGS: u32 = 8;
/// Bytes of a frame from somebody who has not shown that he knows the token.
pub const STRANGER_BYTES: usize = 1024;
/// Bytes of any frame.
pub const FRAME_BYTES: usize = 8 << 20;
/// Bytes of a plan.
pub const PLAN_BYTES: usize = 4 << 20;
/// Bytes of what a member says of itself at its end.
pub const BRIEF_BYTES: usize = 256 << 10;
/// Bytes of a name or a reason.
pub const TEXT_BYTES: usize = 4096;
/// Series of figures (operations of jobs) in a phase.
pub const SERIES: usize = 1024;
/// Slowest requests of a member that are told.
pub const SLOWEST: usize = fathom_core::slowest::KEPT;
/// Caveats of a member.
pub const CAVEATS: usize = 256;
/// Rows of the time series of a phase. Beyond, neighbours are merged, so that the memory of the
/// coordinator does not grow with the length of the run.
pub const ROWS: usize = 256;
/// Intervals that may be open at once, waiting for the slowest member.
pub const OPEN_ROWS: usize = 4;
