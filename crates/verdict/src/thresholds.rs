//! The numbers from which a verdict speaks, in one place: each is a constant for the code and a
//! row of [`THRESHOLDS`] for people, out of the same lines.
//!
//! A row is `NAME: type = value, unit, mark "source", calibrated "how", for [codes]`, below the
//! words that say what it is. The mark tells who set it: `Decided` is ours, `[D]` in our
//! methodology, `Verified` its `[V]`. Numbers like `4.2` are its sections, `P11` its checks. A few
//! are those of the generator, which cannot ask here; a test there holds its own against them.

use crate::threshold::{BOUND, Mark, Threshold, Unit, thresholds};
use fathom_core::stats;

thresholds! {
    // The ledger: 4.1.

    /// Share of the bytes that the device must have read for the number to be its own
    READ_BY_DEVICE: f64 = 0.95, Share, Decided "4.1, P01",
        calibrated "of simulated devices 40 of 40 that answer 7 % or more from memory are seen, \
                    and none of 500 without",
        for ["cache_reads", "loop_cached"];
    /// Share of the bytes that a device read below which practically all came from memory
    READ_FROM_MEMORY: f64 = 0.05, Share, Decided "4.1, P01", for ["cache_reads"];
    /// Difference at which two times of what missed a warm page cache agree, and at which the
    /// requests of the device are as many as ours that missed
    WARM_AGREES: f64 = 0.10, Share, Decided "4.10", for ["cache_reads"];
    /// Requests that must have missed it for that
    WARM_LEAST: u64 = 100, Count, Decided "4.10", for ["cache_reads"];
    /// Share of the bytes that the device must have written
    WRITTEN_BY_DEVICE: f64 = 0.95, Share, Decided "4.1, P04",
        calibrated "of simulated devices 40 of 40 that count 7 % less or more are seen, and none \
                    of 500 that count all",
        for ["loop_cached", "writes_deferred"];
    /// Bytes beyond ours that are let pass, over ours: the step between a result that may be
    /// compared and one that may not
    FOREIGN: f64 = 0.05, Share, Decided "4.1, P02, P03, P05",
        calibrated "of simulated devices 40 of 40 with a neighbour of a tenth of the load or more \
                    are seen, and none of 500 without",
        for ["neighbour", "readahead", "write_amplified"];
    /// Bytes beyond ours that are let pass however few ours are: a system's own journal and logs
    HOUSEKEEPING_BYTES: u64 = 1 << 20, Bytes, Decided "4.1, P03",
        for ["neighbour", "readahead", "write_amplified"];
    /// Part of the outstanding requests that the device must have had, by its own counters, where
    /// they go through the page cache
    DEPTH_CONFIRMED: f64 = 0.5, Share, Decided "3.1", for ["queue_depth_limited"];
    /// Times the bytes that may be in flight that a comparison needs, so that these weigh 5 %
    LEAST_QUEUES: u64 = 20, Count, Decided "4.1",
        for ["cache_reads", "loop_cached", "writes_deferred"];
    /// Share of a limit of the control group from which the load runs at it: what it lets through
    /// is counted over other windows than ours
    AT_LIMIT: f64 = 0.95, Share, Decided "4.8, P74", for ["neighbour"];
    /// Requests of the device for each of ours that are let pass
    WHOLE: f64 = 1.05, Times, Decided "4.1, P06", for ["split"];
    /// Share of our requests that may be merged away
    MERGED: f64 = 0.05, Share, Decided "4.1, P07", for ["merged"];

    /// Share of the requests that moved fewer bytes than asked from which the others are doubted
    SHORT_SUSPECT: f64 = 0.001, Share, Decided "4.1", for ["short_transfers"];
    /// And from which what was measured is not what was asked for
    SHORT_INVALID: f64 = 0.01, Share, Decided "4.1", for ["short_transfers"];

    // Files: 4.2.

    /// Share of the bytes of a file in a state that may be let pass
    EXTENT_SHARE: f64 = 0.001, Share, Decided "4.2, P11 to P14",
        for ["delayed_extents", "encoded_extents", "shared_extents", "check unwritten",
            "check encoded_extents", "check shared_extents"];
    /// Share of a file that must be allocated: below, it has holes
    ALLOCATED: f64 = 0.98, Share, Decided "4.2, P10", for ["check sparse"];
    /// Extents, and extents in a GiB, from which a sequential run is no more one
    EXTENTS_PER_GIB: f64 = 1000.0, Count, Decided "4.2, P15", for ["fragmented"];
    /// Times the memory that a file read through the page cache must have: one is not enough,
    /// since the kernel keeps a part of every pass
    MEMORIES: u64 = 2, Times, Decided "4.2, P16; as InterSystems asks for of a database",
        for ["small_file"];
    /// Share of the device that a file must cover: a smaller one may fit its caches, and the arm of
    /// a disk hardly moves
    COVERED: f64 = 0.05, Share, Decided "4.2, P16", for ["small_file"];
    /// Share of sampled blocks that are zeros from which a device was never written
    ZERO_BLOCKS: f64 = 0.90, Share, Decided "4.2, P17", for ["never_written"];

    /// Blocks all over a device that are sampled, as many as its methodology has
    SAMPLED_BLOCKS: u64 = 64, Count, Decided "4.2, P17", for ["never_written"];
    /// Share of its size that a file takes at least where it is stored as it is
    STORED: f64 = 0.95, Share, Decided "4.2, P13", for ["file_shrunk"];

    // Direct I/O: 4.3.

    /// Share of the file that may get into the page cache in a direct run
    LEAK: f64 = 0.01, Share, Decided "4.3, P22", for ["direct_leak"];
    /// Share of the file in the page cache from which direct I/O was not direct
    RESIDENT: f64 = 0.05, Share, Decided "4.3, P21", for ["direct_fallback"];
    /// Share of the tool's bytes below which a device must have moved for that
    RESIDENT_DEVICE: f64 = 0.9, Share, Decided "4.3, P21", for ["direct_fallback"];

    // Write cache, data, alignment: 4.4 to 4.6.

    /// A single write over a single read below which a buffer acknowledges it
    WRITE_BACK: f64 = 0.8, Times, Decided "4.4, P30", for ["writeback_ack"];
    /// A single write over a single read below which that is certain
    WRITE_BACK_CERTAIN: f64 = 0.5, Times, Decided "4.4, P30", for ["writeback_ack"];
    /// Half a turn of the fastest disks, 15,000 a minute: what takes half of that was not written,
    /// and what is flushed sooner was not either
    HALF_TURN_NS: f64 = 2e6, Nanoseconds, Verified "4.4, P30",
        for ["cache_persists", "writeback_ack"];
    /// A flush that costs less does nothing
    FLUSH_FREE_NS: f64 = 20_000.0, Nanoseconds, Decided "4.4, P31", for ["flush_free"];
    /// Time of a flushed write over one that is not, from which what is not flushed is volatile
    FLUSH_REAL: f64 = 5.0, Times, Decided "4.4", for ["flush_real"];
    /// Time of a durable write over one that is flushed, from which it is much cheaper
    DSYNC_CHEAPER: f64 = 0.5, Times, Decided "4.4", for ["dsync_cheaper"];
    /// Rate of zeros or repeats over that of random data
    SPARED: f64 = 1.15, Times, Decided "4.5, P40 and P41", for ["compresses", "dedupes"];
    /// Time of misaligned writes over that of aligned ones
    MISALIGNED: f64 = 1.3, Times, Decided "4.6, P50", for ["rmw"];
    /// The unit that the aligned writes keep to: the physical block of today's disks
    ALIGNED_BYTES: u64 = 4096, Bytes, Decided "4.6, P50", for ["rmw"];

    // Physics: 4.7.

    /// Multiple of the link's rate that cannot be: edges of the measured time
    LINK: f64 = 1.02, Times, Decided "4.7, P60", for ["faster_than_link"];
    /// Median read of flash that no published device goes below
    FLASH_READ_NS: u64 = 5_000, Nanoseconds, Decided "4.7, P61", for ["too_fast"];
    /// Mean random read that no disk with a moving arm goes below
    DISK_READ_NS: f64 = 2e6, Nanoseconds, Decided "4.7, P61", for ["too_fast"];
    /// Share of a disk over which its arm moves from which that holds
    DISK_SPAN: f64 = 0.5, Share, Decided "4.7, P61", for ["too_fast"];
    /// Median read that no network goes below
    NETWORK_READ_NS: u64 = 100_000, Nanoseconds, Decided "4.7, P61", for ["too_fast"];

    // Neighbours, time, heat: 4.8.

    /// Requests of others before the run over ours: noted
    IDLE_SHARE: f64 = 0.01, Share, Decided "4.8, P70", for ["busy_before"];
    /// Requests of others before the run over ours: suspect, as all that could change the number so
    IDLE_SUSPECT: f64 = 0.05, Share, Decided "4.8, P70; 0", for ["busy_before"];
    /// Requests a second of others that move the arm of a disk whatever we do
    IDLE_DISK_IOPS: f64 = 50.0, Iops, Decided "4.8, P70", for ["busy_before"];
    /// Requests a second of others while nobody measures: a system's own journal and logs
    FIT_NEIGHBOUR_IOPS: f64 = 50.0, Iops, Decided "4.8, P70", for ["check neighbour"];
    /// Bytes a second of others while nobody measures: a system's own journal and logs
    FIT_NEIGHBOUR_BYTES: f64 = 1e6, BytesPerSecond, Decided "4.8, P70",
        for ["check neighbour"];
    /// Percent of the machine's processor time that the hypervisor may keep: noted, suspect
    STEAL_PERCENT: (f64, f64) = (1.0, 5.0), Percent, Decided "3.5; 4.8, P71",
        for ["steal", "check steal"];
    /// Rank correlation of stolen time and service time from which they rise together
    TOGETHER: f64 = 0.5, Count, Decided "4.8, P71", for ["steal_stalls"];
    /// Chance (p) of as high a rank correlation below which it is none
    TOGETHER_P: f64 = 0.01, Count, Decided "4.8, P71", for ["steal_stalls"];
    /// Intervals that a rank correlation rests on at least
    TOGETHER_INTERVALS: usize = 10, Count, Decided "4.8, P71", for ["steal_stalls"];
    /// Mean percent of stolen time below which none is told
    TOGETHER_STEAL: f64 = 0.1, Percent, Decided "4.8, P71", for ["steal_stalls"];
    /// Rise of the device's temperature from begin to end
    HEAT_MILLIDEGREES: i64 = 10_000, Millidegrees, Decided "4.8, P72", for ["thermal"];
    /// Late over early rate below which heat slowed the device
    HEAT_SLOWER: f64 = 0.95, Share, Decided "4.8, P72", for ["thermal"];
    /// Estimate of a disk of its life that is used, percent: what it was made for
    WORN_PERCENT: u8 = 100, Percent, Decided "4.8", for ["check unhealthy"];
    /// Discards of others over our reads and writes: noted, suspect; as those before the run
    DISCARDS: (f64, f64) = (0.01, 0.05), Share, Decided "4.8, P73", for ["discards"];
    /// Discards a second that are let pass: those of what a quiet system deletes
    DISCARDS_IOPS: f64 = 10.0, Iops, Decided "4.8, P73", for ["discards"];
    /// Drift of the clock of the wall against the monotonic one
    CLOCK_STEP_NS: u64 = 10_000_000, Nanoseconds, Decided "4.8, P75", for ["clock_step"];

    // Little's law: 3.1.

    /// Share of the slots of a closed loop that hold a request from which its queue was full: what
    /// is missing is within the reading of the clock
    FULL: f64 = 0.98, Share, Decided "3.1",
        calibrated "every published run that we computed again and that filled its queue is at \
                    98.6 % or above",
        for ["submission_gaps"];
    /// Share of held slots below which the headline's depth is not the one that was measured
    NEARLY_FULL: f64 = 0.95, Share, Decided "3.1", for ["submission_gaps"];
    /// Share of held slots below which the generator and not the storage sets the pace
    HALF_HEARTED: f64 = 0.90, Share, Decided "3.1", for ["generator_bound", "submission_gaps"];
    /// Requests outstanding over slots: more cannot be, so times or counts are wrong
    IMPOSSIBLE: f64 = 1.005, Times, Decided "3.1", for ["accounting"];
    /// Requests with fewer of which the edges of the measured time weigh too much
    LEAST_IOS: u64 = 1_000, Count, Decided "3.1",
        for ["accounting", "generator_bound", "submission_gaps"];

    // The generator: 3.3 to 3.5.

    /// Share of the service time above the block layer that is let pass
    ABOVE: f64 = 0.30, Share, Decided "3.3", for ["above_device"];
    /// Mean service time below which it is not taken apart
    ABOVE_LEAST_NS: f64 = 50_000.0, Nanoseconds, Decided "3.3", for ["above_device"];
    /// Requests that make the mean of the kernel good, which sums milliseconds
    ABOVE_REQUESTS: u64 = 1_000, Count, Decided "3.3", for ["above_device"];
    /// Share by which the requests of the device may differ in number from ours, to be the same
    ABOVE_ALIKE: f64 = 0.05, Share, Decided "3.3", for ["above_device"];
    /// Rate over that of the generator alone: noted, suspect
    CEILING: (f64, f64) = (0.5, 0.8), Share, Decided "3.4", for ["near_ceiling"];
    /// Mean generation time over the mean service time that is let pass
    GENERATION_TIME: f64 = 0.05, Share, Decided "0", for ["generation_time"];
    /// Requests with fewer of which its mean is nobody's business
    GENERATION_LEAST_IOS: u64 = 1_000, Count, Decided "0", for ["generation_time"];
    /// Share of a processor that each thread that does not poll may use: noted, suspect
    GENERATOR_CPU: (f64, f64) = (0.70, 0.90), Share, Decided "3.5", for ["generator_cpu"];
    /// Share of the processor time from which the workers of io_uring are part of what is measured
    IO_WORKERS: f64 = 0.05, Share, Decided "3.5; 0", for ["io_workers"];
    /// Measured time below which what the generator used and waited is not judged: the counters are
    /// read within milliseconds, and some of them count hundredths of a second
    GENERATOR_LEAST_NS: u64 = 1_000_000_000, Nanoseconds, Decided "3.5",
        for ["generator_cpu", "generator_starved", "io_workers", "steal"];
    /// Requests below which the processor time is that of the run and not that of the requests
    GENERATOR_LEAST_IOS: u64 = 1_000, Count, Decided "3.5", for ["generator_cpu", "io_workers"];
    /// Share of the time that a thread waited for a processor: noted, suspect
    RUN_QUEUE: (f64, f64) = (0.01, 0.05), Share, Decided "3.5", for ["generator_starved"];
    /// Share of the time in which the quota held the group back: suspect
    THROTTLED: f64 = 0.005, Share, Decided "3.5", for ["cpu_quota"];
    /// Range of the processors' frequency over the highest: noted, qualified
    FREQUENCY: (f64, f64) = (0.15, 0.30), Share, Decided "3.5", for ["cpu_freq"];
    /// Share of the p99.9 that is reported which stalls of an idle thread may reach
    HICCUP: f64 = 0.10, Share, Decided "3.5", for ["tail_contaminated"];
    /// Stalls below which they are the kernel's wake-up, which every completion has as well
    HICCUP_LEAST_NS: u64 = 1_000_000, Nanoseconds, Decided "3.5", for ["tail_contaminated"];
    /// Wake-ups that the p99.9 of an idle thread rests on: one lies beyond it
    HICCUP_SAMPLES: u64 = 1_000, Count, Decided "8.4", for ["tail_contaminated"];
    /// Part of a percentile from which it is not the storage's alone: by less, intervals differ by
    /// themselves
    PAUSE_LIFT: f64 = 0.25, Share, Decided "3.5", for ["generator_paused"];
    /// Part of a percentile below which it is the kernel's wake-up
    PAUSE_LEAST_NS: u64 = 1_000_000, Nanoseconds, Decided "3.5", for ["generator_paused"];
    /// Time that a backlog takes to be served, over the length of the pause that made it: as long,
    /// where the storage could do twice what it was asked
    PAUSE_DRAIN: f64 = 1.0, Times, Decided "2.2", for ["generator_paused"];
    /// Length of a pause that is told whatever it did
    PAUSE_LONG_NS: u64 = 100_000_000, Nanoseconds, Decided "3.5", for ["generator_paused"];
    /// Share of the measured time in pauses from which the rate is not the storage's alone
    PAUSED: f64 = 0.05, Share, Decided "0", for ["generator_paused"];
    /// Service time over what it would be without waking up a processor; the same of a low rate
    /// over a high one
    WAKE: f64 = 1.3, Times, Decided "3.5", for ["wakeup_latency"];
    /// Times a rate that is high beside a low one, of 300 and 6000 in our methodology
    WAKE_RATES: f64 = 4.0, Times, Decided "3.5", for ["wakeup_latency"];
    /// Requests on which the median of each of the two rates rests
    WAKE_SAMPLES: u64 = 100, Count, Decided "8.4", for ["wakeup_latency"];
    /// Times that a thread may leave its processor for a request
    SWITCHES: f64 = 2.0, Times, Decided "3.5", for ["context_switches"];
    /// Times that it may where it waits for the arrival as well, and wakes for both
    SWITCHES_PACED: f64 = 3.0, Times, Decided "3.5", for ["context_switches"];
    /// Requests that a count of switches needs: a thread also wakes at the ends of intervals
    SWITCHES_REQUESTS: u64 = 1_000, Count, Decided "3.5", for ["context_switches"];
    /// Share of the intervals that may be late before the series is coarser than asked
    LATE_INTERVALS: f64 = 0.01, Share, Decided "3.5", for ["long_intervals"];

    // Steadiness: 1.2.

    /// Excursion of the best-fit line from first to last value, of the mean
    TREND_PERCENT: f64 = 10.0, Percent, Published "SNIA PTS, 2.1.24", for ["trend"];
    /// Slope of that line over its standard error: with 10 intervals or more, p < 0.004
    TREND_CERTAIN: f64 = 4.0, Sigmas, Decided "1.2", for ["trend"];
    /// Complete intervals that a trend rests on at least
    TREND_INTERVALS: usize = 10, Count, Decided "1.2", for ["trend"];
    /// Change of the mean in the last third of a run from which it is told
    LATE_STEP: f64 = 0.05, Share, Decided "5.4", for ["trend"];
    /// Complete intervals for that: ten to know the level by
    LATE_CHANGE_INTERVALS: usize = 15, Count, Decided "5.4", for ["trend"];
    /// Complete intervals that a deviation rests on: as many as the rounds of the steady state
    ENOUGH_INTERVALS: usize = 5, Count, Published "SNIA PTS, 2.1.24", for ["short_run"];
    /// Complete intervals below which there is no deviation at all
    LEAST_INTERVALS: usize = 2, Count, Verified "1.2", for ["short_run"];
    /// Shortest burst of a full bucket: 5.4 million credits at 3000 IOPS over a fill of 100
    SHORTEST_BURST_NS: u64 = 1_862_000_000_000, Nanoseconds, Verified "5.5; Amazon's gp2",
        for ["burst_possible"];

    // Rates: 2.2.

    /// Share of the arrivals that may be waiting at the end: the growth of a backlog from which a
    /// load counts as too high for the storage
    BACKLOG: f64 = 0.01, Share, Decided "2.2", for ["overloaded"];
    /// Time that the oldest arrival may wait: then an open load is given up
    ABORT_LAG_NS: u64 = 10_000_000_000, Nanoseconds, Decided "2.2", for ["overloaded"];
    /// Deviation from the rate that was asked for: noted (what the generator promises), qualified
    RATE_OFF: (f64, f64) = (0.001, 0.01), Share, Decided "2.2", for ["rate_missed"];
    /// Deviations of the number of Poisson arrivals, the square root of it, that are let pass
    RATE_SIGMAS: f64 = 3.0, Sigmas, Decided "2.2", for ["rate_missed"];

    // The clock and the tail: 8.3 and 8.4.

    /// A reading of the clock through the vDSO costs some 25 ns, a system call 500 and more:
    /// between them lies which of the two it is
    CLOCK_CHEAP_NS: f64 = 100.0, Nanoseconds, Decided "8.3", for ["slow_clock"];
    /// Share of the shortest mean service time that the two readings around it may be
    CLOCK_WEIGHS: f64 = 0.05, Share, Decided "3.5; 8.3", for ["slow_clock"];
    /// Step of the clock above which it is coarse
    COARSE_CLOCK_NS: u64 = 1_000, Nanoseconds, Decided "8.3", for ["coarse_clock"];
    /// Steps below which a time is not told from another
    COARSE_STEPS: u64 = 10, Count, Decided "8.3", for ["coarse_clock"];
    /// Events or intervals that are few for the highest percentile: the example has three
    FEW_EVENTS: usize = 3, Count, Decided "8.4", for ["few_events"];
    /// Intervals that there have to be, to tell few from all: ten requests that are slow by chance
    /// meet so few in 1 of 1000 runs
    FEW_EVENTS_INTERVALS: usize = 10, Count, Decided "8.4", for ["few_events"];

    // Before the run.

    /// Room below which there is too little for a file that says anything
    ROOM_BYTES: u64 = 1 << 30, Bytes, Decided "4.2, P16", for ["check little_room"];

    // Why it stopped there: 3.6, 5.7.

    /// Share of the slots of a closed load that hold a request, below which the generator is slow
    HELD: f64 = 0.90, Share, Decided "3.1",
        calibrated "500 simulated devices without a misfortune hold all slots; published runs that \
                    were slow by themselves hold 70 and 89 %, the others 98.6 % or more",
        for [BOUND];
    /// Share of the time of its threads that a load waits for flushes, from which they set its pace
    FLUSHING: f64 = 0.5, Share, Decided "3.6", for [BOUND];
    /// Part of a loss of throughput that a single stall in the short run explains, from which it is
    /// no sign of contention
    STALL_EXPLAINS: f64 = 0.5, Share, Decided "3.6", for [BOUND];
    /// How far a plateau may lie from a limit: a shaper counts a little differently, and a small
    /// initial credit lifts the mean of a short run
    NEAR: f64 = 0.03, Share, Decided "5.7",
        calibrated "of 500 simulated devices of other seeds at a limit, with 2 % of noise, 9 lie \
                    farther from it, at 2 % 14, at 5 % four; from 10 % on a wrong limit is as near",
        for [BOUND];
    /// Ratio of two limits, both in requests, within which one cannot be told from the other
    COLLISION: f64 = 1.25, Times, Decided "5.7",
        calibrated "of 167 simulated devices at a limit all 14 that are as near are called \
                    ambiguous, and none that is not",
        for [BOUND];
    /// Factors from the size at which two limits meet to sizes that tell them apart
    APART: f64 = 4.0, Times, Decided "5.7", for [BOUND];
    /// A plateau this close to a limit lies at it, without more words
    EXACT: f64 = 0.002, Share, Decided "5.7", for [BOUND];
    /// Difference from which a limit counts large requests otherwise than the host
    OTHER_COUNT: f64 = 0.01, Share, Decided "5.7", for [BOUND];
    /// Change of throughput that counts as none
    FLAT: f64 = 0.03, Share, Decided "3.6",
        calibrated "of 500 simulated devices of other seeds at a limit 9 change by more, at 2 % \
                    35, at 5 % two; of 100 below all limits none changes by less, up to 8 %",
        for [BOUND];
    /// Ratio of the latencies at twice the outstanding requests between which something is full
    DOUBLED: (f64, f64) = (1.9, 2.1), Times, Verified "3.6", for [BOUND];
    /// How far the same load may differ before and after the doubling to be the same
    STILL_SAME: f64 = 0.06, Share, Decided "3.6", for [BOUND];
    /// Outstanding requests that can fill the storage over those there are, from which it is told
    SHALLOW: f64 = 1.05, Times, Decided "6.2", for [BOUND];
    /// Change of throughput that counts as none between requests of two sizes
    FLAT_OTHER_SIZE: f64 = 0.06, Share, Decided "3.6", for [BOUND];
    /// Growth of throughput that shows room
    GROWS: f64 = 0.10, Share, Decided "3.6",
        calibrated "of 600 simulated devices of other seeds none at a limit grows so much and none \
                    below all does not, from 8 to 15 %; at 5 % two would, at 20 % four would not",
        for [BOUND];
    /// Loss of throughput that shows contention
    DROPS: f64 = 0.05, Share, Decided "3.6",
        calibrated "of 600 simulated devices without contention none loses so much; at 2 % 12 \
                    would, at 3 % one",
        for [BOUND];

    // What made it fall: 5.6.

    /// How far the second burst of a bucket may be from what its rest has paid for
    RECOVERS: f64 = 0.10, Share, Verified "5.5, step 6", for [BOUND];
    /// How far the rate of reads may lie from the later one for both to be held by the same
    READS_ALIKE: f64 = 0.05, Share, Decided "5.6", for [BOUND];
    /// Rate of reads over the later one from which reads are not held by what holds it
    READS_FASTER: f64 = 1.2, Times, Decided "5.6", for [BOUND];
    /// Credit over that of the limit's bucket that is let pass: the edges of the fall
    CREDIT_SPARE: f64 = 1.05, Times, Decided "5.6", for [BOUND];
    /// Share of a device that fast cells in front of slow ones take
    FLASH_SHARE: (f64, f64) = (0.005, 0.4), Share, Decided "5.6", for [BOUND];
    /// Memory of a controller that holds writes
    CACHE_BYTES: (f64, f64) = (0.5e9, 8e9), Bytes, Decided "5.6", for [BOUND];
    /// Time of a write over that of a read from which it takes as much
    BECOMES_READ: f64 = 0.8, Times, Decided "5.6", for [BOUND];
    /// Share of the kernel's limit of dirty pages from which writers are held back: half-way from
    /// where it begins to write, a half of it, to all of it
    DIRTY_AT_LIMIT: f64 = 0.7, Share, Decided "5.6", for [BOUND];
    /// Percent of the processor time that the hypervisor keeps more after a fall than before
    STEAL_RISES: f64 = 1.0, Percent, Decided "5.6; 3.5", for [BOUND];

    listed:

    // Levels and buckets: 5.2 and 5.5.

    /// Least ratio of burst to baseline of a bucket
    stats::BUCKET_LEAST_RATIO as "bucket::LEAST_RATIO", Times, Decided "5.5", for [BOUND];
    /// Fewest points of each plateau of a bucket
    stats::BUCKET_FEWEST_POINTS as "bucket::FEWEST_POINTS", Count, Decided "5.5", for [BOUND];
    /// Largest coefficient of variation of each plateau of a bucket
    stats::BUCKET_STEADY as "bucket::STEADY", Share, Decided "5.5",
        calibrated "of 1000 simulated buckets with 2 % of noise one is missed and 6 are measured \
                    with an error over 5 %; at 2 % 31 and 2, at 5 % one and 11",
        for [BOUND];
    /// Standard errors by which the variation of a plateau may exceed the largest
    stats::BUCKET_SCATTER as "bucket::SCATTER", Sigmas, Decided "5.5",
        calibrated "of 1000 simulated buckets in 30 points, with 2 % of noise, 12.0 % were not \
                    seen without it, and none are missed with it and EDGE; none is seen in 1000 \
                    series without a bucket",
        for [BOUND];
    /// Times its variation that a value at the edge of a plateau may lie off it
    stats::BUCKET_EDGE as "bucket::EDGE", Times, Decided "5.5", calibrated "with SCATTER",
        for [BOUND];
    /// Longest transition between both plateaus, in points
    stats::BUCKET_TRANSITION as "bucket::TRANSITION", Count, Decided "5.5", for [BOUND];
    /// Deviation of a value from its level that does not count
    stats::CUSUM_SLACK as "cusum::CUSUM_SLACK", Sigmas, Verified "5.4, k", for ["trend"];
    /// Cumulated deviation from which a level has been left
    stats::CUSUM_LIMIT as "cusum::CUSUM_LIMIT", Sigmas, Verified "5.4, h", for ["trend"];
    /// Least ratio of the rates before and after a fall
    stats::FALL_LEAST_RATIO as "fall::FALL_LEAST_RATIO", Times, Decided "5.6", for [BOUND];
    /// Fewest points on each side of it
    stats::FALL_FEWEST_POINTS as "fall::FALL_FEWEST_POINTS", Count, Decided "5.6", for [BOUND];
    /// Standard errors by which both sides differ
    stats::FALL_CERTAIN as "fall::FALL_CERTAIN", Sigmas, Decided "5.6", for [BOUND];
    /// Share of the later side's upper quartile below which a point is a dip
    stats::FALL_DIP as "fall::FALL_DIP", Share, Decided "5.6", for [BOUND];
    /// Dips from which that side is a saw-tooth
    stats::FALL_DIPS as "fall::FALL_DIPS", Count, Decided "5.6", for [BOUND];
    /// Points half-way between both levels from which the way down is gradual
    stats::FALL_GRADUAL as "fall::FALL_GRADUAL", Count, Decided "5.6", for [BOUND];
    /// Weight k of a change of level, `k sigma^2 ln n`
    stats::SEGMENT_PENALTY as "segments::PENALTY", Count, Verified "5.2, PELT", for [BOUND];
    /// Points from which a level has three at least instead of two
    stats::SEGMENT_LONG as "segments::LONG", Count, Decided "5.2", for [BOUND];
    /// Ratio of largest to smallest value from which levels are compared as logarithms
    stats::SEGMENT_WIDE as "segments::WIDE", Times, Decided "5.2", for [BOUND];
    /// Smallest ratio of two levels that counts as a change
    stats::SEGMENT_LEAST_STEP as "segments::LEAST_STEP", Times, Decided "5.2",
        calibrated "of 1000 simulated buckets with 2 % of noise none is missed and 2 are measured \
                    with an error over 5 %, from 1.05 to 1.20; at 1.02 three and 2",
        for [BOUND];
    /// Points on each side from which ranks decide: with fewer no p is as small
    stats::SEGMENT_RANKED as "segments::RANKED", Count, Verified "5.2", for [BOUND];
    /// Largest p of a change that ranks decide
    stats::SEGMENT_SURE as "segments::SURE", Count, Decided "5.2", for [BOUND];
    /// Size of a step, in deviations of the noise, that counts where ranks cannot decide
    stats::SEGMENT_LARGE_STEP as "segments::LARGE_STEP", Sigmas, Decided "5.2", for [BOUND];
    /// Correlation of neighbours from which the weight of a change is raised
    stats::SEGMENT_CORRELATED as "segments::CORRELATED", Count, Decided "5.2", for [BOUND];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{CATALOGUE, ELSEWHERE, FITNESS};
    use std::path::{Path, PathBuf};

    #[test]
    fn every_threshold_has_words_a_source_and_a_code_that_there_is() {
        let known = |code: &str| {
            if let Some(code) = code.strip_prefix("check ") {
                return FITNESS.iter().any(|entry| entry.code == code);
            }
            let mut all = CATALOGUE.iter().chain(ELSEWHERE);
            code == BOUND || all.any(|entry| entry.code == code)
        };
        for threshold in THRESHOLDS {
            let name = threshold.name;
            assert!(!threshold.what.trim().is_empty(), "{name}");
            assert!(!threshold.source.is_empty(), "{name}");
            assert!(!threshold.values.is_empty(), "{name}");
            assert!(threshold.codes.iter().all(|code| known(code)), "{name}");
        }
        let mut names: Vec<&str> = THRESHOLDS.iter().map(|one| one.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), THRESHOLDS.len());
    }

    /// Files below a folder.
    fn files(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("a folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let inside = |path: PathBuf| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        };
        paths.flat_map(inside).collect()
    }

    /// Numbers that are constants, as `FILE: line`.
    fn numbers(file: &Path) -> Vec<String> {
        let text = std::fs::read_to_string(file).expect("a text");
        let kinds = [
            "f64",
            "u8",
            "u16",
            "u64",
            "i64",
            "u32",
            "i32",
            "usize",
            "(f64, f64)",
        ];
        let is_number = |line: &&str| {
            let Some((_, after)) = line.split_once("const ") else {
                return false;
            };
            let kind = after.split_once(": ").map_or("", |(_, kind)| kind);
            kinds
                .iter()
                .any(|one| kind.starts_with(&format!("{one} =")))
        };
        let found = text.lines().filter(is_number);
        found
            .map(|line| format!("{}: {}", file.display(), line.trim()))
            .collect()
    }

    #[test]
    fn no_number_of_a_verdict_stands_elsewhere() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
        let elsewhere: Vec<String> = files(folder)
            .iter()
            .flat_map(|file| numbers(file))
            .collect();
        assert_eq!(elsewhere, Vec::<String>::new());
    }
}
