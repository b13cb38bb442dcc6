//! The fields of the files that a job deals with.

use super::{Default, Field, Group, Kind, Opt, Word, tree, word};
use crate::spec::Files;

static FILE_KINDS: [Word; 2] = [
    word("file", "Regular files"),
    word("directory", "Empty directories"),
];

static FILE_PLACES: [Word; 2] = [
    word("own", "Each thread has a tree of directories of its own"),
    word("shared", "All threads work in one tree"),
];

/// Of `files` in a job.
pub static FILES: Group = Group {
    name: "files",
    plain: tree!(Files::PLAIN),
    fields: &[
        Field::new("count", Kind::Count, Default::Plain, "files of each thread")
            .from(1, u64::MAX)
            .option(Opt::new(
                27,
                "files",
                "N",
                "Files of each thread; for jobs that deal with files",
            )),
        Field::new(
            "of",
            Kind::Word(&FILE_KINDS),
            Default::Plain,
            "what they are: files, or empty directories",
        ),
        Field::new(
            "directories",
            Kind::Word(&FILE_PLACES),
            Default::Plain,
            "whether each thread has a tree of directories of its own, or all work in one",
        ),
        Field::new(
            "depth",
            Kind::SmallCount,
            Default::Plain,
            "levels of directories below the topmost of a tree",
        )
        .from(0, 64),
        Field::new(
            "branches",
            Kind::SmallCount,
            Default::Plain,
            "directories in each that is not of the lowest level",
        )
        .from(1, 65_536),
        Field::new(
            "leaves",
            Kind::Flag,
            Default::Given("false"),
            "files are in directories of the lowest level alone, not in all",
        ),
        Field::new(
            "shift",
            Kind::SmallCount,
            Default::Given("0"),
            "each thread has to do with the files of the thread so many places after it, which \
             another made",
        ),
        Field::new(
            "present",
            Kind::Share,
            Default::PlainAs(
                "none where the first job makes files, all where it makes none, half where it \
                 does that and more",
            ),
            "share of the files that is made before the first phase that uses them",
        ),
        Field::new(
            "once",
            Kind::Flag,
            Default::Plain,
            "the job is over when it has dealt with each file once: with each that is there, or, \
             where it makes them, with each that is not",
        ),
        Field::new(
            "sync",
            Kind::Flag,
            Default::Given("false"),
            "what is written to a file is durable (`fsync`) before it is closed",
        ),
    ],
};
