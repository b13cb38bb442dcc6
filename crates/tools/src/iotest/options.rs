//! Every option of the two scripts, and what else they do that a result depends on.

use crate::coverage::Row;

pub(super) const REST: Row = Row::ignored(
    "words after the options",
    "nothing",
    "the script reads its options up to the first other word and nothing after it",
);
pub(super) const SYNC: Row = Row::near(
    "sync before the reads",
    "write everything back that waits in memory",
    "what the streams have written is written back before their reads begin, where the script \
     waits for the whole machine",
);
pub(super) const READS: Row = Row::kept(
    "reads of what was just written",
    "through the page cache, which may hold all of it; `--cold` drops it first, and the report \
     says what came from memory",
);

pub(super) const DF: Row = Row::ignored(
    "df line of TARGET DETAILS",
    "how full the file system is",
    "a result does not hold it; the mount point is there",
);

/// Of `iotest.sh`, and of what it does without being asked.
pub const OPTIONS: &[Row] = &[
    Row::kept("-i N", "number of concurrent streams"),
    Row::kept("-t DIR", "directory of the files, one for each stream"),
    Row::kept("-b BLOCKS", "blocks of each file"),
    Row::kept("-s KB", "size of a block in KiB"),
    REST,
    Row::kept(
        "zeros",
        "what is written; `--incompressible` writes random bytes",
    ),
    Row::kept("writes without a flush", "as `dd` does without `conv=`"),
    SYNC,
    READS,
    Row::kept("removal of the files", "at the end; `--keep` leaves them"),
    DF,
    Row::near(
        "iotest.sh.results.N",
        "file with the results",
        "the results go to standard output; `--output iotest:FILE` writes them to a file",
    ),
];

/// Of `rhel_iotest.sh`, and of what it does without being asked.
pub const RHEL_OPTIONS: &[Row] = &[
    Row::kept(
        "-t DIR",
        "absolute directory; here once for each file system, perhaps named: `-t WORK=/saswork`",
    ),
    Row::kept("--help, -help, --h, -h", "usage"),
    Row::kept("--version, -version, --v, -v", "version"),
    Row::kept("streams", "one for each physical core"),
    Row::kept("blocks of 64 KiB", "size of a request"),
    Row::kept("files of MemTotal", "size of each file, in whole blocks"),
    Row::kept(
        "XFS preallocation",
        "room that XFS takes beyond the end of a growing file",
    ),
    Row::kept("10 % of the file system", "room that stays free"),
    Row::kept(
        "smaller files",
        "when there is not enough room; the report says that it is no full test",
    ),
    Row::kept(
        "4 GB RAM for each core",
        "refused below; `--file-size` says how large the files are instead",
    ),
    Row::kept(
        "conv=fsync",
        "each file is flushed at its end, inside the time",
    ),
    SYNC,
    READS,
    DF,
    Row::near(
        "logs in a tar file",
        "what the script collects about the host",
        "the JSON result holds the facts about the host: `--output json:FILE`",
    ),
];
