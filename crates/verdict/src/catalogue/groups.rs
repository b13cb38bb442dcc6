//! The codes in the order in which people read of them.

/// Codes that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Heading.
    pub title: &'static str,
    /// What they have in common, in a sentence or two.
    pub about: &'static str,
    /// Whether they are those of `fathom check`, before there is a result.
    pub before: bool,
    /// Its codes.
    pub codes: &'static [&'static str],
}

const fn group(title: &'static str, about: &'static str, codes: &'static [&'static str]) -> Group {
    Group {
        title,
        about,
        before: false,
        codes,
    }
}

/// All codes, each in one group.
pub const GROUPS: [Group; 16] = [
    group(
        "Whether there is a number at all",
        "Requests that failed, were cut off, or cannot have been.",
        &[
            "nothing_measured",
            "verify_failed",
            "io_errors",
            "short_transfers",
            "interrupted",
            "accounting",
        ],
    ),
    group(
        "What was measured",
        "Something else than the storage of this machine.",
        &[
            "null_engine",
            "simulated",
            "imported",
            "memory_target",
            "remote_owner",
            "no_device",
        ],
    ),
    group(
        "The account of the bytes",
        "Our own bytes and requests beside those that the block devices counted over the same time \
         (methodology 4.1).",
        &[
            "cache_reads",
            "loop_cached",
            "writes_deferred",
            "neighbour",
            "readahead",
            "write_amplified",
            "split",
            "merged",
            "flush_missing",
        ],
    ),
    group(
        "The file on its device",
        "How the blocks lie (4.2). The first three are found while the target is prepared.",
        &[
            "sparse_target",
            "unwritten_target",
            "file_shrunk",
            "delayed_extents",
            "encoded_extents",
            "shared_extents",
            "fragmented",
            "never_written",
            "small_file",
        ],
    ),
    group(
        "Direct I/O",
        "An open flag says what was asked for, not what was done (4.3).",
        &["direct_unsupported", "direct_fallback", "direct_leak"],
    ),
    group(
        "Write cache, data, alignment",
        "All but `zero_data` rest on micro-probes and need `--probe` (4.4 to 4.6).",
        &[
            "writeback_ack",
            "flush_free",
            "flush_real",
            "cache_persists",
            "dsync_cheaper",
            "compresses",
            "dedupes",
            "zero_data",
            "rmw",
            "partition_start",
            "below_block",
        ],
    ),
    group(
        "Faster than can be",
        "What the link carries and the medium can do (4.7).",
        &["faster_than_link", "link_degraded", "too_fast"],
    ),
    group(
        "Others, heat, limits",
        "What went on around the run (4.8).",
        &[
            "busy_before",
            "background",
            "discards",
            "thermal",
            "io_limited",
            "memory_limited",
            "steal",
            "steal_stalls",
            "clock_step",
        ],
    ),
    group(
        "The generator",
        "Whether fathom itself was fast enough (3.1, 3.3 to 3.5).",
        &[
            "generator_bound",
            "submission_gaps",
            "near_ceiling",
            "generation_time",
            "generator_cpu",
            "generator_starved",
            "cpu_quota",
            "cpu_freq",
            "generator_paused",
            "tail_contaminated",
            "wakeup_latency",
            "context_switches",
            "major_faults",
            "numa_remote",
            "above_device",
            "queue_depth_limited",
            "io_workers",
            "no_polling",
            "engine_fallback",
        ],
    ),
    group(
        "The load",
        "Whether the load was the one that was asked for (2.2).",
        &[
            "overloaded",
            "rate_missed",
            "overlapping_streams",
            "too_slow",
            "no_depth",
        ],
    ),
    group(
        "Steadiness",
        "Whether a mean says what the storage does (1.2, 5.5).",
        &["not_steady", "trend", "short_run", "burst_possible"],
    ),
    group(
        "The clock and the tail",
        "What times and percentiles can be told apart (8.3, 8.4).",
        &["slow_clock", "coarse_clock", "few_events", "long_intervals"],
    ),
    group(
        "Beside a result",
        "Not doubts but what else is known; they are no checks and stay when a stored result is \
         judged again.",
        &[
            "device_unknown",
            "file_unmarked",
            "instance",
            "ebs_counts",
            "source_state",
        ],
    ),
    group(
        "Of a simulated result",
        "What `fathom simulate` says of its own numbers.",
        &["catalogue", "assumed", "closed_form", "course"],
    ),
    group(
        "Of many hosts",
        "Members that are missing or gone, and what they have in common that they should not.",
        &[
            "member_missing",
            "member_failed",
            "member_lost",
            "members_too_few",
            "member_unbalanced",
            "members_on_one_machine",
            "members_on_one_device",
            "start_skew",
            "members_straggle",
            "members_unequal",
        ],
    ),
    Group {
        title: "Before a run: `fathom check`",
        about: "The same codes where a check of a result has them, and some that only matter \
                before.",
        before: true,
        codes: &[
            "memory_target",
            "sparse",
            "unwritten",
            "encoded_extents",
            "shared_extents",
            "direct_unsupported",
            "little_room",
            "read_only",
            "mounted",
            "no_device",
            "misaligned",
            "link_degraded",
            "background",
            "unhealthy",
            "io_limited",
            "neighbour",
            "steal",
        ],
    },
];
