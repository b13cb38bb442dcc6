//! What every code means, for people: `docs/checks.md` and `fathom help CODE`.

mod elsewhere;
mod examples;
mod groups;
#[cfg(test)]
mod page;
#[cfg(test)]
mod raised;
#[cfg(test)]
mod tests;
mod topic;

pub use elsewhere::{ELSEWHERE, FITNESS};
pub use examples::{Example, examples};
pub use groups::{GROUPS, Group};
pub use topic::Topic;

/// A code of a caveat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The code.
    pub code: &'static str,
    /// Number of the check, or section, in the methodology; empty for a check of our own.
    pub point: &'static str,
    /// Level of its caveat.
    pub level: &'static str,
    /// Condition, with its thresholds.
    pub when: &'static str,
}

const fn entry(
    code: &'static str,
    point: &'static str,
    level: &'static str,
    when: &'static str,
) -> Entry {
    Entry {
        code,
        point,
        level,
        when,
    }
}

/// All codes of checks, those of one check together.
pub const CATALOGUE: &[Entry] = &[
    entry(
        "imported",
        "",
        "qualified",
        "another program measured; checks whose evidence an import lacks do not run",
    ),
    entry(
        "nothing_measured",
        "",
        "invalid",
        "no phase ran, or no request completed in one; not if the user cut it off and \
         another was complete",
    ),
    entry(
        "null_engine",
        "",
        "qualified",
        "the null engine ran: it touches no storage",
    ),
    entry(
        "simulated",
        "",
        "qualified",
        "the simulator ran: virtual time",
    ),
    entry(
        "verify_failed",
        "",
        "invalid",
        "a verified block did not hold what was written",
    ),
    entry("io_errors", "", "suspect", "any request failed"),
    entry(
        "interrupted",
        "",
        "qualified; suspect if the process was killed",
        "the user ended the measurement, or the process was gone before its end and the history \
         had the result as far as it had come",
    ),
    entry(
        "memory_target",
        "P18",
        "invalid; qualified below /dev/shm, and of a memory disk that is the target",
        "the file system, the upper one of an overlay, or what keeps the file of a loop device \
         below the target, keeps its files in memory (tmpfs, ramfs); or a memory disk (zram, brd) \
         lies below the target, or is it",
    ),
    entry(
        "cache_reads",
        "P01",
        "qualified; invalid below 5 %, but where a warm cache is meant",
        "the device read less than 95 % of the bytes read",
    ),
    entry(
        "loop_cached",
        "P01, P04",
        "qualified; suspect of writes",
        "the disks below a loop device read less than 95 % of what it read; or it takes writes \
         into the page cache of its backing file, unless each is made durable and the disks below \
         wrote 95 % of them",
    ),
    entry(
        "writes_deferred",
        "P04",
        "qualified",
        "the device wrote less than 95 % of the bytes written",
    ),
    entry(
        "neighbour",
        "P03",
        "suspect; qualified at a limit of the control group",
        "the device moved more than 5 %, one queue and 1 MiB beyond our bytes, and nothing of ours \
         explains it",
    ),
    entry(
        "readahead",
        "P02",
        "qualified",
        "as `neighbour`, for buffered reads",
    ),
    entry(
        "write_amplified",
        "P05",
        "note",
        "as `neighbour`, for buffered, flushed or durable writes",
    ),
    entry(
        "split",
        "P06",
        "note",
        "direct I/O, and the device made more than 1.05 requests of one of ours",
    ),
    entry(
        "merged",
        "P07",
        "qualified",
        "direct I/O, and more than 5 % of the requests were merged away",
    ),
    entry(
        "no_device",
        "4.1",
        "note",
        "no block device is known below the targets, or it counts nothing",
    ),
    entry(
        "accounting",
        "3.1",
        "invalid",
        "more requests were outstanding than fit (more than 1.005 × the depth), as counted \
         or as rates times service times",
    ),
    entry(
        "generator_bound",
        "3.1",
        "suspect",
        "a closed loop held less than 90 % of its queue depth",
    ),
    entry(
        "submission_gaps",
        "3.1",
        "qualified; note from 95 %",
        "it held 90 to 98 %",
    ),
    entry(
        "queue_depth_limited",
        "3.1",
        "qualified",
        "the engine holds fewer requests than were asked for; or reads go through the page cache \
         and the device had less than half as many as were held (libaio without counters: always)",
    ),
    entry(
        "generation_time",
        "",
        "note",
        "requests took more than 5 % of the mean service time to prepare, which does not hold it \
         (1,000 requests or more, and not on the null engine)",
    ),
    entry(
        "generator_cpu",
        "3.5",
        "suspect; note from 70 %",
        "a closed loop without polling used 90 % of its threads' processor time, over a second and \
         1,000 requests or more",
    ),
    entry(
        "io_workers",
        "",
        "qualified",
        "the kernel's io_uring workers used 5 % of the processor time or more",
    ),
    entry(
        "steal",
        "P71",
        "suspect; note from 1 %",
        "the hypervisor kept more than 5 % of the processor time",
    ),
    entry(
        "overloaded",
        "2.2",
        "suspect",
        "an open load: over 1 % of the arrivals not served, or the \
         oldest waited 10 s",
    ),
    entry(
        "rate_missed",
        "2.2",
        "qualified; note from 0.1 %",
        "submitted at a rate more than 1 % off (beyond three deviations of Poisson \
         arrivals)",
    ),
    entry(
        "not_steady",
        "1.2",
        "suspect",
        "the steady-state rule was asked for and not met: SNIA's (in 5 rounds a range of 20 % and \
         a best-fit line that moves by 10 %, within 25 rounds) unless the workload has others",
    ),
    entry(
        "too_slow",
        "",
        "qualified",
        "an operation of a job was slower than its floor, and the job ended for it",
    ),
    entry(
        "no_polling",
        "",
        "qualified",
        "completions were to be polled for, and `queue/io_poll` of a device is 0",
    ),
    entry(
        "no_depth",
        "",
        "suspect; qualified where one outstanding request is too slow",
        "a search for a queue depth was asked for and found none",
    ),
    entry(
        "short_run",
        "1.2",
        "note; qualified below two",
        "fewer than five complete intervals",
    ),
    entry(
        "zero_data",
        "4.5",
        "qualified",
        "only zeros were written, or 90 % or more of 64 sampled blocks of a file that is read are zeros",
    ),
    entry(
        "small_file",
        "P16",
        "note; qualified if buffered",
        "a direct file covers less than 5 % of its device, a buffered one is smaller than \
         twice the memory",
    ),
    entry(
        "overlapping_streams",
        "",
        "qualified",
        "sequential threads start at one place",
    ),
    entry(
        "short_transfers",
        "",
        "note; suspect from 0.1 % of the requests, invalid from 1 %",
        "requests moved fewer bytes than asked, or none at all",
    ),
    entry(
        "engine_fallback",
        "",
        "note",
        "the first choice of engine could not be used",
    ),
    entry(
        "slow_clock",
        "8.3",
        "note; qualified from 5 %",
        "a reading of the clock costs over 100 ns; two of them against the shortest mean \
         service time",
    ),
    entry(
        "long_intervals",
        "3.5",
        "note; qualified above 1 %",
        "intervals were lengthened because they were collected late",
    ),
    entry(
        "flush_missing",
        "P08",
        "suspect",
        "flushes returned, the devices keep writes in a cache and counted none",
    ),
    entry(
        "direct_unsupported",
        "P20",
        "suspect",
        "statx says that the file has no direct I/O, and it was asked for",
    ),
    entry(
        "direct_fallback",
        "P21",
        "suspect; qualified in memory",
        "direct I/O asked for, over 5 % of the file in the page cache, and the device \
         moved less than 90 % of the bytes; or btrfs wrote 90 % of the bytes by way of it, as it \
         does where a file has checksums; or the file lies in memory",
    ),
    entry(
        "direct_leak",
        "P22",
        "qualified",
        "direct I/O asked for, and over 1 % of the file got into the page cache",
    ),
    entry(
        "delayed_extents",
        "P12",
        "suspect",
        "over 0.1 % of the file has no place on the device after it was written back",
    ),
    entry(
        "encoded_extents",
        "P13",
        "qualified",
        "over 0.1 % of the file is compressed, encrypted or inline",
    ),
    entry(
        "shared_extents",
        "P14",
        "qualified",
        "over 0.1 % of the file is shared with another, and it is written",
    ),
    entry(
        "fragmented",
        "P15",
        "note",
        "a sequential run over a file of more than 1000 extents, and more than 1000 in a \
         GiB",
    ),
    entry(
        "never_written",
        "P17",
        "suspect",
        "90 % or more of 64 sampled blocks of a device that is read are zeros",
    ),
    entry(
        "faster_than_link",
        "P60",
        "invalid",
        "a direction moved more than 1.02 × what the links carry",
    ),
    entry(
        "link_degraded",
        "P62",
        "note",
        "the link runs slower or narrower than it could",
    ),
    entry(
        "too_fast",
        "P61",
        "suspect",
        "direct reads: median below 5 µs on flash or 100 µs over a network, mean below 2 \
         ms random on half a rotating disk",
    ),
    entry(
        "thermal",
        "P72",
        "suspect",
        "the health log of an NVMe controller counted slowing down for heat, or time above its \
         warning or critical temperature; without the log over 10 °C hotter at the end, and the \
         last quarter below 95 % of the first",
    ),
    entry(
        "background",
        "P73",
        "suspect",
        "a software RAID was resyncing, rebuilding or checking, or btrfs balancing, resizing or \
         replacing, when the run began or while it ran",
    ),
    entry(
        "discards",
        "P73",
        "suspect above 5 %; note, also on a file system mounted with `discard`",
        "the device counted over ten discards a second and over 1 % of its reads and writes, \
         and the phase trims nothing",
    ),
    entry(
        "io_limited",
        "P74",
        "qualified",
        "the control group limits its I/O on a device below the targets (`io.max`, \
         `io.latency`, `blkio.throttle`)",
    ),
    entry(
        "memory_limited",
        "",
        "qualified",
        "the control group limits memory to less than there is, and a job goes through the page \
         cache",
    ),
    entry(
        "clock_step",
        "P75",
        "note",
        "the clock of the wall moved over 10 ms against the monotonic one",
    ),
    entry(
        "generator_starved",
        "3.5",
        "suspect; note from 1 %",
        "a thread waited for a processor while another ran for over 5 % of the time, a second or \
         more; what waking up onto an idle processor takes is none of it",
    ),
    entry(
        "cpu_quota",
        "3.5",
        "suspect; note if any",
        "the quota of the control group held the process back for over 0.5 % of the time",
    ),
    entry(
        "cpu_freq",
        "3.5",
        "qualified; note from 15 %",
        "the mean frequency of the processors moved by over 30 %",
    ),
    entry(
        "generator_paused",
        "3.5",
        "suspect",
        "a thread that only sleeps was 10 ms late or more, and that made over 25 % and 1 ms of a \
         percentile, took 5 % of the measured time, or lasted 100 ms",
    ),
    entry(
        "tail_contaminated",
        "3.5",
        "qualified",
        "an idle thread woke over 1 ms late at its p99.9, and over 10 % of the least \
         p99.9 reported",
    ),
    entry(
        "wakeup_latency",
        "3.5",
        "qualified; note if only seen between rates",
        "processors left idle states for half of the requests or more, and that takes so long \
         on average that service times are over 1.3 × those without; or reads of an open load \
         over 1.3 × as long as at four times their rate",
    ),
    entry(
        "context_switches",
        "3.5",
        "note",
        "a thread left its processor over twice for each request (three times where it waits for \
         arrivals), over 1,000 requests or more",
    ),
    entry(
        "major_faults",
        "3.5",
        "note",
        "a thread had a page fault that needed I/O",
    ),
    entry(
        "numa_remote",
        "3.5",
        "note",
        "a thread was on another node than the device at its first and last request",
    ),
    entry(
        "above_device",
        "3.3",
        "note",
        "over 30 % of a mean service time above 50 µs is not the device's",
    ),
    entry(
        "trend",
        "1.2, 5.4",
        "qualified; note where only the last third differs",
        "a closed load without a steady-state rule: the best-fit line moves over 10 % of \
         the mean, at over four standard errors, in ten intervals or more; or the mean of the last \
         third is 5 % off a level kept until then, and cumulated sums raise an alarm there",
    ),
    entry(
        "burst_possible",
        "5.5",
        "note",
        "a cloud whose volumes burst, and a run shorter than the shortest burst",
    ),
    entry(
        "near_ceiling",
        "3.4",
        "suspect; note from half",
        "80 % or more of what the same threads make when requests complete at once \
         (`--probe` or `--explain`)",
    ),
    entry(
        "busy_before",
        "P70",
        "suspect; note from 1 %",
        "others made over 5 % of our requests on the device before the run, or over 50 a \
         second on a rotating disk (`--probe`)",
    ),
    entry(
        "writeback_ack",
        "P30",
        "note; qualified on a rotating disk",
        "a single write takes less than 0.8 of a single read, or less than 1 ms on a rotating disk \
         whose reads take longer (`--probe`)",
    ),
    entry(
        "flush_free",
        "P31",
        "note; qualified if the run flushes",
        "`fdatasync` after a write costs less than 20 µs on a device with a volatile cache \
         (`--probe`)",
    ),
    entry(
        "flush_real",
        "4.4",
        "note",
        "a write with `fdatasync` takes more than 5 × one without, on a device with a \
         volatile cache (`--probe`)",
    ),
    entry(
        "cache_persists",
        "4.4",
        "note",
        "a write with `fdatasync` takes less than 2 ms on a rotating disk (`--probe`)",
    ),
    entry(
        "dsync_cheaper",
        "4.4",
        "note",
        "a write through `O_DSYNC` takes less than half of one with `fdatasync` (`--probe`)",
    ),
    entry(
        "compresses",
        "P40",
        "note; qualified if the run's data are no random ones",
        "zeros are written more than 1.15 × as fast as random data (`--probe`)",
    ),
    entry(
        "dedupes",
        "P41",
        "note; qualified if the run's data are no random ones",
        "one block over and over is written more than 1.15 × as fast as random data (`--probe`)",
    ),
    entry(
        "rmw",
        "P50",
        "note; qualified if the run writes so",
        "a write at a multiple of 512 bytes takes more than 1.3 × one at a multiple of 4 KiB \
         (`--probe`)",
    ),
    entry(
        "partition_start",
        "4.6",
        "suspect",
        "a partition below the target begins inside a physical block of its disk",
    ),
    entry(
        "below_block",
        "4.6",
        "note",
        "direct writes whose block size or alignment is no multiple of the physical block",
    ),
    entry(
        "steal_stalls",
        "P71",
        "qualified",
        "stolen time and service times rise together (rank correlation over 0.5, p < 0.01) \
         over ten intervals or more",
    ),
    entry(
        "remote_owner",
        "P76",
        "qualified; note if it is shared",
        "another machine serves the file system, or several share it",
    ),
    entry(
        "few_events",
        "8.4",
        "note",
        "the requests beyond the highest percentile completed in three events or fewer; where not \
         all of them were kept, it was reached in three or fewer of ten or more intervals",
    ),
    entry(
        "coarse_clock",
        "8.3",
        "note; qualified where it matters",
        "the clock goes in steps of over 1 µs; a median is below ten of them",
    ),
];
