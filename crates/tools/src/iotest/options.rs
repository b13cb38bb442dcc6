//! Every option of the two scripts, and what else they do that a result depends on.

use crate::coverage::OptionRow;

pub(super) const REST: OptionRow = OptionRow::ignored(
    "words after the options",
    "nothing",
    "the script reads its options up to the first other word and nothing after it",
);
pub(super) const SYNC: OptionRow = OptionRow::near(
    "sync before the reads",
    "write everything back that waits in memory",
    "what the streams have written is written back before their reads begin, where the script \
     waits for the whole machine",
);
pub(super) const READS: OptionRow = OptionRow::kept(
    "reads of what was just written",
    "through the page cache, which may hold all of it; `--cold` drops it first, and the report \
     says what came from memory",
);

pub(super) const DF: OptionRow = OptionRow::ignored(
    "df line of TARGET DETAILS",
    "how full the file system is",
    "a result does not hold it; the mount point is there",
);

/// Of `iotest.sh`, and of what it does without being asked.
pub const OPTIONS: &[OptionRow] = &[
    OptionRow::kept("-i N", "number of concurrent streams"),
    OptionRow::kept("-t DIR", "directory of the files, one for each stream"),
    OptionRow::kept("-b BLOCKS", "blocks of each file"),
    OptionRow::kept("-s KB", "size of a block in KiB"),
    REST,
    OptionRow::kept(
        "zeros",
        "what is written; `--incompressible` writes random bytes",
    ),
    OptionRow::kept("writes without a flush", "as `dd` does without `conv=`"),
    SYNC,
    READS,
    OptionRow::kept("removal of the files", "at the end; `--keep` leaves them"),
    DF,
    OptionRow::near(
        "iotest.sh.results.N",
        "file with the results",
        "the results go to standard output; `--output iotest:FILE` writes them to a file",
    ),
];

/// Of `rhel_iotest.sh`, and of what it does without being asked.
pub const RHEL_OPTIONS: &[OptionRow] = &[
    OptionRow::kept(
        "-t DIR",
        "absolute directory; here once for each file system, perhaps named: `-t WORK=/saswork`",
    ),
    OptionRow::kept("--help, -help, --h, -h", "usage"),
    OptionRow::kept("--version, -version, --v, -v", "version"),
    OptionRow::kept("streams", "one for each physical core"),
    OptionRow::kept("blocks of 64 KiB", "size of a request"),
    OptionRow::kept("files of MemTotal", "size of each file, in whole blocks"),
    OptionRow::kept(
        "XFS preallocation",
        "room that XFS takes beyond the end of a growing file",
    ),
    OptionRow::kept("10 % of the file system", "room that stays free"),
    OptionRow::kept(
        "smaller files",
        "when there is not enough room; the report says that it is no full test",
    ),
    OptionRow::kept(
        "4 GB RAM for each core",
        "refused below; `--file-size` says how large the files are instead",
    ),
    OptionRow::kept(
        "conv=fsync",
        "each file is flushed at its end, inside the time",
    ),
    SYNC,
    READS,
    DF,
    OptionRow::near(
        "logs in a tar file",
        "what the script collects about the host",
        "the JSON result holds the facts about the host: `--output json:FILE`",
    ),
];
