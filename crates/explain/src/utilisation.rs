//! Percentages of time with a request: one scale for all rules about devices that were watched.

/// A device below this hardly works.
pub(crate) const IDLE: f64 = 20.0;
/// A device below this has room.
pub(crate) const ROOM: f64 = 60.0;
/// Seeks, or one request at a time, fill a device from here.
pub(crate) const FILLED: f64 = 75.0;
/// A device has a request nearly all the time from here.
pub(crate) const BUSY: f64 = 90.0;
/// A device gives what it can from here.
pub(crate) const FULL: f64 = 95.0;
/// There was always a request from here.
pub(crate) const ALWAYS: f64 = 99.0;
/// No share of time is above this, whatever the clock and the rounding.
pub(crate) const MOST: f64 = 105.0;
