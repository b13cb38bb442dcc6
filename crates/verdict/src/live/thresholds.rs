//! The numbers from which the live judge speaks.

use crate::threshold::{Threshold, thresholds};

thresholds! {
    list LIVE;

    /// Requests in flight on average from which somebody nearly always waits for the storage
    WAITED_FOR: f64 = 0.9, Count, Decided "docs/throttled.md";
    /// Requests in flight on average below which the storage idles
    IDLE: f64 = 0.5, Count, Decided "docs/throttled.md";
    /// Share of the time in which EBS counted more than a limit allows, from which that limits
    EXCEEDED: f64 = 0.1, Share, Decided "docs/throttled.md";
    /// Requests that wait for their share of `io.cost`, on average, from which that limits
    COST_WAITS: f64 = 0.1, Count, Decided "docs/throttled.md";
    /// Share of a queue that is taken on average from which it is full
    FULL: f64 = 0.9, Share, Decided "docs/throttled.md";
    /// Slots of a queue from which a full one limits: a shorter one is full with any load
    FEWEST_SLOTS: u64 = 4, Count, Decided "docs/throttled.md";
    /// Requests that a scheduler holds, on average, from which it limits; they are also at least
    /// as many as the driver has
    SCHEDULER_HOLDS: f64 = 4.0, Count, Decided "docs/throttled.md";
    /// Share of the time in which a task waited for I/O, from which writers wait for dirty pages
    STALLED: f64 = 0.1, Share, Decided "docs/throttled.md";
    /// Requests of NFS that wait for a slot, on average over those sent, from which slots limit
    NFS_BACKLOG: f64 = 0.5, Count, Decided "docs/throttled.md";

    listed:

    /// Share of a limit of the control group from which the load runs at it
    crate::io_limits::AT_LIMIT as AT_LIMIT, Share, Decided;
    /// How far a rate may lie from a limit of a volume or an instance
    crate::bound::NEAR as NEAR, Share, Decided;
    /// Share of the time with a flush under way from which flushes set the pace
    crate::bound::FLUSHING as FLUSHING, Share, Decided;
    /// Share of the kernel's limit of dirty pages from which writers wait
    crate::bound::DIRTY_AT_LIMIT as DIRTY_AT_LIMIT, Share, Decided;
}
