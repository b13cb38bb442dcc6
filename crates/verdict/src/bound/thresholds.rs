//! The numbers from which the answer why a load stopped where it did speaks.

use crate::threshold::{Threshold, thresholds};

thresholds! {
    list BOUND;

    /// Share of the slots of a closed load that hold a request, below which the generator is slow
    HELD: f64 = 0.90, Share, Decided,
        calibrated "500 simulated devices without a misfortune hold all slots; published runs that \
                    were slow by themselves hold 70 and 89 %, the others 98.6 % or more";
    /// Share of the time of its threads that a load waits for flushes, from which they set its pace
    FLUSHING: f64 = 0.5, Share, Decided;
    /// Part of a loss of throughput that a single stall in the short run explains, from which it is
    /// no sign of contention
    STALL_EXPLAINS: f64 = 0.5, Share, Decided;
    /// How far a plateau may lie from a limit: a shaper counts a little differently, and a small
    /// initial credit lifts the mean of a short run
    NEAR: f64 = 0.03, Share, Decided,
        calibrated "of 500 simulated devices of other seeds at a limit, with 2 % of noise: 9 are \
                    farther from it, at 2 % 14, at 5 % four";
    /// Ratio of two limits, both in requests, within which they cannot be distinguished
    COLLISION: f64 = 1.25, Times, Decided,
        calibrated "of 167 simulated devices at a limit all 14 that are as near are called \
                    ambiguous, and none that is not";
    /// Factors from the size at which two limits meet to sizes that tell them apart
    APART: f64 = 4.0, Times, Decided;
    /// A plateau this close to a limit lies at it, without more words
    EXACT: f64 = 0.002, Share, Decided;
    /// Difference from which a limit counts large requests otherwise than the host
    OTHER_COUNT: f64 = 0.01, Share, Decided;
    /// Change of throughput that counts as none
    FLAT: f64 = 0.03, Share, Decided,
        calibrated "of 500 simulated devices of other seeds at a limit 9 change by more, at 2 % \
                    35, at 5 % two; of 100 below all limits none changes by less, up to 8 %";
    /// Ratio of the latencies at twice the outstanding requests between which something is full
    DOUBLED: (f64, f64) = (1.9, 2.1), Times, Verified "Little's law";
    /// How far the same load may differ before and after the doubling to be the same
    STILL_SAME: f64 = 0.06, Share, Decided;
    /// Ratio of the outstanding requests that fill the storage to those of the load, from which it
    /// is reported
    SHALLOW: f64 = 1.05, Times, Decided;
    /// Change of throughput that counts as none between requests of two sizes
    FLAT_OTHER_SIZE: f64 = 0.06, Share, Decided;
    /// Growth of throughput that shows room
    GROWS: f64 = 0.10, Share, Decided,
        calibrated "of 600 simulated devices of other seeds none at a limit grows as much and none \
                    below all limits grows less, from 8 to 15 %; at 5 % two would, at 20 % four \
                    would not";
    /// Loss of throughput that shows contention
    DROPS: f64 = 0.05, Share, Decided,
        calibrated "of 600 simulated devices without contention none loses as much; at 2 % 12 \
                    would, at 3 % one";
    /// How far the second burst of a bucket may be from what its rest has paid for
    RECOVERS: f64 = 0.10, Share, Verified "what a token bucket refills";
    /// How far the rate of reads may lie from the later one for both to be held by the same
    READS_ALIKE: f64 = 0.05, Share, Decided;
    /// Rate of reads over the later one from which reads are not held by what holds it
    READS_FASTER: f64 = 1.2, Times, Decided;
    /// Credit over that of the limit's bucket that is let pass: the edges of the fall
    CREDIT_SPARE: f64 = 1.05, Times, Decided;
    /// Share of a device that fast cells in front of slow ones take
    FLASH_SHARE: (f64, f64) = (0.005, 0.4), Share, Decided;
    /// Memory of a controller that holds writes
    CACHE_BYTES: (f64, f64) = (0.5e9, 8e9), Bytes, Decided;
    /// Time of a write over that of a read from which it takes as much
    BECOMES_READ: f64 = 0.8, Times, Decided;
    /// Share of the kernel's limit of dirty pages from which writers are throttled: half-way from
    /// where it begins to write, a half of it, to all of it
    DIRTY_AT_LIMIT: f64 = 0.7, Share, Decided;
    /// Percent of the processor time that the hypervisor keeps more after a fall than before
    STEAL_RISES: f64 = 1.0, Percent, Decided;

    listed:

    /// Least ratio of burst to baseline of a bucket
    crate::stats::BUCKET_LEAST_RATIO as BUCKET_LEAST_RATIO, Times, Decided;
    /// Fewest points of each plateau of a bucket
    crate::stats::BUCKET_FEWEST_POINTS as BUCKET_FEWEST_POINTS, Count, Decided;
    /// Largest coefficient of variation of each plateau of a bucket
    crate::stats::BUCKET_STEADY as BUCKET_STEADY, Share, Decided,
        calibrated "of 1000 simulated buckets with 2 % of noise one is missed and 6 are measured \
                    with an error over 5 %; at 2 % 31 and 2, at 5 % one and 11";
    /// Standard errors by which the variation of a plateau may exceed the largest
    crate::stats::BUCKET_SCATTER as BUCKET_SCATTER, Sigmas, Decided,
        calibrated "of 1000 simulated buckets in 30 points, with 2 % of noise, 12.0 % were not \
                    seen without it, and none are missed with it and EDGE; none is seen in 1000 \
                    series without a bucket";
    /// Times its variation that a value at the edge of a plateau may lie off it
    crate::stats::BUCKET_EDGE as BUCKET_EDGE, Times, Decided, calibrated "with SCATTER";
    /// Longest transition between both plateaus, in points
    crate::stats::BUCKET_TRANSITION as BUCKET_TRANSITION, Count, Decided;
    /// Least ratio of the rates before and after a fall
    crate::stats::FALL_LEAST_RATIO as FALL_LEAST_RATIO, Times, Decided;
    /// Fewest points on each side of it
    crate::stats::FALL_FEWEST_POINTS as FALL_FEWEST_POINTS, Count, Decided;
    /// Standard errors by which both sides differ
    crate::stats::FALL_CERTAIN as FALL_CERTAIN, Sigmas, Decided;
    /// Share of the later side's upper quartile below which a point is a dip
    crate::stats::FALL_DIP as FALL_DIP, Share, Decided;
    /// Dips from which that side is a saw-tooth
    crate::stats::FALL_DIPS as FALL_DIPS, Count, Decided;
    /// Points half-way between both levels from which the way down is gradual
    crate::stats::FALL_GRADUAL as FALL_GRADUAL, Count, Decided;
    /// Weight k of a change of level, `k sigma^2 ln n`
    crate::stats::SEGMENT_PENALTY as SEGMENT_PENALTY, Count, Verified "the linear penalty of PELT";
    /// Points from which a level has three at least instead of two
    crate::stats::SEGMENT_LONG as SEGMENT_LONG, Count, Decided;
    /// Ratio of largest to smallest value from which levels are compared as logarithms
    crate::stats::SEGMENT_WIDE as SEGMENT_WIDE, Times, Decided;
    /// Smallest ratio of two levels that counts as a change
    crate::stats::SEGMENT_LEAST_STEP as SEGMENT_LEAST_STEP, Times, Decided,
        calibrated "of 1000 simulated buckets with 2 % of noise none is missed and 2 are measured \
                    with an error over 5 %, from 1.05 to 1.20; at 1.02 three and 2";
    /// Points on each side from which ranks decide: with fewer no p is as small
    crate::stats::SEGMENT_RANKED as SEGMENT_RANKED, Count, Verified "the number of orders of ranks";
    /// Largest p of a change that ranks decide
    crate::stats::SEGMENT_SURE as SEGMENT_SURE, Count, Decided;
    /// Size of a step, in deviations of the noise, that counts where ranks cannot decide
    crate::stats::SEGMENT_LARGE_STEP as SEGMENT_LARGE_STEP, Sigmas, Decided;
    /// Correlation of neighbours from which the weight of a change is raised
    crate::stats::SEGMENT_CORRELATED as SEGMENT_CORRELATED, Count, Decided;
}
