//! Codes that no check of a result raises: they are found while targets are prepared, put beside a
//! result by who made it, or found by `fathom check` before there is a result.

use super::{Entry, entry};

/// Codes that get into a result by other ways than its checks; they stay when it is judged again.
pub const ELSEWHERE: &[Entry] = &[
    entry(
        "sparse_target",
        "P10",
        "invalid",
        "parts of the file that are read were never written: holes",
    ),
    entry(
        "unwritten_target",
        "P11",
        "invalid",
        "parts of the file that are read were reserved and never written",
    ),
    entry(
        "file_shrunk",
        "P13",
        "suspect",
        "the file that fathom laid out takes less than 95 % of its size on its file system",
    ),
    entry(
        "device_unknown",
        "4.1",
        "note",
        "what lies below the target could not be found out",
    ),
    entry(
        "file_unmarked",
        "",
        "note",
        "the file cannot carry the mark by which a later run knows it as fathom's",
    ),
    entry(
        "instance",
        "5.7",
        "note",
        "a cloud's machine was recognised, and its limits were held against the result",
    ),
    entry(
        "ebs_counts",
        "5.7",
        "note",
        "a run on EBS volumes that count what was asked of them: what they counted meanwhile",
    ),
    entry(
        "source_state",
        "",
        "that of the source",
        "an imported result that fathom wrote in another tool's form, and that was not valid there",
    ),
    entry(
        "catalogue",
        "",
        "qualified; note",
        "a simulated result: a limit that the catalogue does not vouch for, or knows of another \
         day only",
    ),
    entry(
        "assumed",
        "",
        "note",
        "a simulated result: what was assumed, because nobody said it",
    ),
    entry(
        "closed_form",
        "",
        "note",
        "a simulated result without single requests: it has no latencies",
    ),
    entry(
        "course",
        "5.5",
        "note",
        "a simulated result: when credit ends, what is left, how it comes back, what lasts",
    ),
    entry(
        "member_missing",
        "",
        "qualified",
        "a member did not come to the measurement, and the others were let start without it",
    ),
    entry(
        "member_failed",
        "",
        "qualified",
        "a member could not prepare or measure",
    ),
    entry(
        "member_lost",
        "",
        "qualified",
        "a member was gone before it had reported all",
    ),
    entry(
        "members_too_few",
        "",
        "invalid",
        "a smaller share of the members finished than `--invalid-below` asks for",
    ),
    entry(
        "member_unbalanced",
        "",
        "invalid",
        "the totals that a member says are not what its intervals add up to",
    ),
    entry(
        "members_on_one_machine",
        "",
        "qualified",
        "hosts of different names run under one kernel",
    ),
    entry(
        "members_on_one_device",
        "",
        "note",
        "members of one machine use the same device",
    ),
    entry(
        "start_skew",
        "",
        "qualified",
        "members started further apart than 1 ms and 1 % of an interval",
    ),
    entry(
        "members_straggle",
        "",
        "qualified",
        "the first member was done more than 5 % of the time before the last",
    ),
    entry(
        "members_unequal",
        "",
        "note",
        "the rates of the members have a coefficient of variation of more than 10 %",
    ),
];

/// Codes of `fathom check`; where a check of a result has the same code, it means the same.
pub const FITNESS: &[Entry] = &[
    entry(
        "memory_target",
        "P18",
        "invalid; qualified below /dev/shm",
        "tmpfs or ramfs",
    ),
    entry(
        "sparse",
        "P10",
        "invalid",
        "less than 98 % of the file is allocated",
    ),
    entry(
        "unwritten",
        "P11",
        "invalid",
        "more than 0.1 % of the file is reserved and was never written",
    ),
    entry(
        "encoded_extents",
        "P13",
        "qualified",
        "more than 0.1 % of the file is compressed, encrypted or inline",
    ),
    entry(
        "shared_extents",
        "P14",
        "qualified",
        "more than 0.1 % of the file is shared with others",
    ),
    entry(
        "direct_unsupported",
        "P20",
        "suspect",
        "the file system says that the file has no direct I/O",
    ),
    entry(
        "little_room",
        "P16",
        "suspect",
        "less than 1 GiB of room in a directory",
    ),
    entry("read_only", "", "qualified", "it cannot be written"),
    entry(
        "mounted",
        "",
        "qualified",
        "a device on which a file system is mounted",
    ),
    entry(
        "no_device",
        "4.1",
        "qualified",
        "no block device is known below it",
    ),
    entry(
        "misaligned",
        "P50",
        "suspect",
        "a partition begins inside a physical block",
    ),
    entry(
        "link_degraded",
        "P62",
        "qualified",
        "the link is slower or narrower than the disk's best",
    ),
    entry(
        "background",
        "P73",
        "suspect",
        "an array of md is degraded, or checks or rebuilds itself",
    ),
    entry(
        "unhealthy",
        "",
        "suspect; qualified; note",
        "the health log of an NVMe controller (root only) has a critical warning; says that 100 % \
         or more of the life is used; counts errors of the medium",
    ),
    entry(
        "io_limited",
        "P74",
        "qualified",
        "the control group limits block I/O",
    ),
    entry(
        "neighbour",
        "P70",
        "suspect",
        "others do more than 50 IOPS or 1 MB/s on a disk in the 3 s that it looks",
    ),
    entry(
        "steal",
        "P71",
        "suspect; note from 1 %",
        "the hypervisor takes more than 5 % of the processors in the 3 s",
    ),
];
