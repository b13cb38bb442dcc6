//! The fields of the files that a job deals with.

use super::{Default, Group, Kind, Opt, Word, fields, tree, word};
use crate::spec::Files;

static FILE_KINDS: [Word; 2] = [
    word("file", "Regular files"),
    word("directory", "Empty directories"),
];

static FILE_PLACES: [Word; 2] = [
    word("own", "Each thread has its own directory tree"),
    word("shared", "All threads share one directory tree"),
];

/// Of `files` in a job.
pub static FILES: Group = Group {
    name: "files",
    plain: tree!(Files::PLAIN),
    fields: fields! {
        "count": Kind::Count, Default::Plain, "number of files per thread".from(1, u64::MAX)
            .option(Opt::new(27, "files", "N",
                "Number of files per thread; only for jobs with files"));
        "of": Kind::Word(&FILE_KINDS), Default::Plain,
            "type of the entries: files or empty directories";
        "directories": Kind::Word(&FILE_PLACES), Default::Plain,
            "whether each thread has its own directory tree, or all share one";
        "depth": Kind::SmallCount, Default::Plain, "directory levels below the root of a tree"
            .from(0, 64);
        "branches": Kind::SmallCount, Default::Plain,
            "subdirectories of each directory above the lowest level".from(1, 65_536);
        "leaves": Kind::Flag, Default::Given("false"),
            "put files only in directories of the lowest level, not in all";
        "shift": Kind::SmallCount, Default::Given("0"),
            "each thread uses the files of the thread N positions further, which another thread \
             created";
        "present": Kind::Share,
            Default::PlainAs("none if the first job creates files, all if no job creates files, \
             half if it creates and uses them"),
            "share of the files created before the first phase that uses them";
        "once": Kind::Flag, Default::Plain,
            "end the job when it has used each file once: every existing file, or if the job \
             creates files, every missing file";
        "sync": Kind::Flag, Default::Given("false"),
            "make written data durable (`fsync`) before closing a file";
    },
};
