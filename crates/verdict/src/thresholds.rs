//! The numbers from which a check speaks, each with where it comes from: `(D)` is our own design
//! decision, anything else is the source that set it.
//!
//! Those of checks that have only one, and whose reason needs the check beside it, are constants
//! there.

/// Share of the bytes of a file in a state that may be let pass. (D): methodology, 4.2, P11 to
/// P14.
pub(crate) const EXTENT_SHARE: f64 = 0.001;
/// Extents in a GiB from which a sequential run is no more one. (D): 4.2, P15.
pub(crate) const EXTENTS_PER_GIB: f64 = 1000.0;
/// Share of sampled blocks that are zeros from which a device was never written. (D): 4.2, P17.
pub(crate) const ZERO_BLOCKS: f64 = 0.90;
/// Share of the file that may get into the page cache in a direct run. (D): 4.3, P22.
pub(crate) const LEAK: f64 = 0.01;
/// Share of the file in the page cache from which direct I/O was not direct. (D): 4.3, P21.
pub(crate) const RESIDENT: f64 = 0.05;
/// Share of the tool's bytes that a device must have moved for that. (D): 4.3, P21.
pub(crate) const RESIDENT_DEVICE: f64 = 0.9;
/// Multiple of the link's rate that cannot be: edges of the measured time. (D): 4.7, P60.
pub(crate) const LINK: f64 = 1.02;
/// Median read of flash that no published device goes below, nanoseconds. (D): 4.7, P61.
pub(crate) const FLASH_READ_NS: u64 = 5_000;
/// Mean random read of a disk with a moving arm, nanoseconds. (D): 4.7, P61.
pub(crate) const DISK_READ_NS: f64 = 2e6;
/// Median read over a network, nanoseconds. (D): 4.7, P61.
pub(crate) const NETWORK_READ_NS: u64 = 100_000;
/// Rise of the device's temperature, thousandths of a degree. (D): 4.8, P72.
pub(crate) const HEAT_MILLIDEGREES: i64 = 10_000;
/// Late over early rate below which heat slowed the device. (D): 4.8, P72.
pub(crate) const HEAT_SLOWER: f64 = 0.95;
/// Drift of the two clocks, nanoseconds. (D): 4.8, P75.
pub(crate) const CLOCK_STEP_NS: u64 = 10_000_000;
/// Share of the time that a thread waited for a processor: noted, suspect. (D): 3.5.
pub(crate) const RUN_QUEUE: (f64, f64) = (0.01, 0.05);
/// Share of the time in which the quota held the group back: suspect. (D): 3.5.
pub(crate) const THROTTLED: f64 = 0.005;
/// Range of the processors' frequency over the highest: noted, qualified. (D): 3.5.
pub(crate) const FREQUENCY: (f64, f64) = (0.15, 0.30);
/// Share of the p99.9 that is reported which stalls of an idle thread may reach. (D): 3.5.
pub(crate) const HICCUP: f64 = 0.10;
/// Shorter stalls are the kernel's wake-up, which every completion has as well. (D).
pub(crate) const HICCUP_LEAST_NS: u64 = 1_000_000;
/// Wake-ups that its p99.9 rests on: one beyond it.
pub(crate) const HICCUP_SAMPLES: u64 = 1_000;
/// Share of the service time above the block layer. (D): 3.3.
pub(crate) const ABOVE: f64 = 0.30;
/// Shorter service times are not taken apart. (D): 3.3.
pub(crate) const ABOVE_LEAST_NS: f64 = 50_000.0;
/// The kernel sums milliseconds: so many requests make its mean good. (D): 3.3.
pub(crate) const ABOVE_REQUESTS: u64 = 1_000;
/// Excursion of the best-fit line, percent of the mean. SNIA PTS 2.1.24.
pub(crate) const TREND_PERCENT: f64 = 10.0;
/// Its slope over the slope's standard error. (D): with 10 intervals or more, p < 0.004.
pub(crate) const TREND_CERTAIN: f64 = 4.0;
/// Complete intervals for that. (D).
pub(crate) const TREND_INTERVALS: usize = 10;
/// Shortest burst of a full bucket of 5.4 million credits at 3000 IOPS over a fill of 100: 5.5.
pub(crate) const SHORTEST_BURST_NS: u64 = 1_862_000_000_000;
/// Rate over that of the generator alone: noted, suspect. (D): 3.4.
pub(crate) const CEILING: (f64, f64) = (0.5, 0.8);
/// Requests of others before the run over ours: noted. (D): 4.8, P70.
pub(crate) const IDLE_SHARE: f64 = 0.01;
/// And suspect: what could change the number by so much is so by section 0.
pub(crate) const IDLE_SUSPECT: f64 = 0.05;
/// Requests a second of others that move the arm of a disk whatever we do. (D): 4.8, P70.
pub(crate) const IDLE_DISK_IOPS: f64 = 50.0;
/// A single write over a single read below which a buffer acknowledges it, and certainly. (D):
/// 4.4, P30.
pub(crate) const WRITE_BACK: f64 = 0.8;
pub(crate) const WRITE_BACK_CERTAIN: f64 = 0.5;
/// Half a turn of the fastest disks, 15,000 a minute, nanoseconds: 4.4.
pub(crate) const HALF_TURN_NS: f64 = 2e6;
/// A flush that costs less does nothing, nanoseconds. (D): 4.4, P31.
pub(crate) const FLUSH_FREE_NS: f64 = 20_000.0;
/// Rate of zeros or repeats over that of random data. (D): 4.5, P40 and P41.
pub(crate) const SPARED: f64 = 1.15;
/// Time of misaligned writes over that of aligned ones. (D): 4.6, P50.
pub(crate) const MISALIGNED: f64 = 1.3;
/// Rank correlation of stolen time and service time, and its p. (D): 4.8, P71.
pub(crate) const TOGETHER: f64 = 0.5;
pub(crate) const TOGETHER_P: f64 = 0.01;
/// Intervals for that, and mean percent of stolen time below which none is told. (D).
pub(crate) const TOGETHER_INTERVALS: usize = 10;
pub(crate) const TOGETHER_STEAL: f64 = 0.1;
/// Intervals on which the highest percentile rests that are few: 8.4 has three in its example.
pub(crate) const FEW_EVENTS: usize = 3;
/// Of so many at least: ten requests that are slow by chance meet so few in 1 of 1000 runs. (D).
pub(crate) const FEW_EVENTS_INTERVALS: usize = 10;
/// Step of the clock, nanoseconds: 8.3.
pub(crate) const COARSE_CLOCK_NS: u64 = 1_000;
/// Steps below which a time is not told from another: 8.3.
pub(crate) const COARSE_STEPS: u64 = 10;
/// Share of the intervals that may be late before the series is coarser than asked. (D): 3.5.
pub(crate) const LATE_INTERVALS: f64 = 0.01;
