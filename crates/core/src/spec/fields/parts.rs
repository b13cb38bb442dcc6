//! The fields of the tables below a phase and a job.

use super::{Default, Field, Form, Group, Kind, Layout, Opt, Word, form, tree, word};
use crate::spec::{Access, Data, Durability};
use serde_json::json;

pub(super) const MS: u64 = 1_000_000;

pub(super) const fn group(name: &'static str, fields: &'static [Field]) -> Group {
    Group {
        name,
        fields,
        plain: tree!(json!({})),
    }
}

static NONE: Group = group("", &[]);

static CURSOR_SCOPES: [Word; 2] = [
    word("per_op", "Reads and writes keep a position each"),
    word("shared", "One position"),
];

/// Of `access`.
pub static ACCESS: Group = Group {
    name: "access",
    plain: tree!(Access::PLAIN),
    fields: &[
        Field::new(
            "distribution",
            Kind::Form(&DISTRIBUTIONS),
            Default::Plain,
            "how random places are chosen",
        )
        .beside("distribution")
        .example("as in `distribution = { zipf = { theta = 1.1 } }`"),
        Field::new(
            "without_repetition",
            Kind::Flag,
            Default::Plain,
            "a random pass touches each block once before it begins anew; of several sizes, with \
             one thread, the smallest as `align` of all, and requests that are shortened where \
             they would meet what the pass has had",
        )
        .beside("without_repetition"),
        Field::new(
            "stride",
            Kind::Size,
            Default::PlainAs("the request's"),
            "distance from one sequential request to the next",
        )
        .beside("stride"),
        Field::new(
            "cursor",
            Kind::Form(&CURSORS),
            Default::PlainAs("`\"own\"`"),
            "`\"own\"`: each thread has a sequential position of its own, the window shared out \
             evenly; `{ own = { stride = … } }`: started that far apart, and past the end at the \
             first place from which whole steps lead to the start; `\"shared\"`: the threads of \
             the job advance one position",
        )
        .beside("cursor")
        .example("as in `cursor = \"shared\"` or `cursor = { own = { stride = \"1GiB\" } }`"),
        Field::new(
            "cursor_scope",
            Kind::Word(&CURSOR_SCOPES),
            Default::Plain,
            "whether reads and writes keep a sequential position each",
        )
        .beside("cursor_scope"),
        Field::new(
            "walk",
            Kind::Form(&WALKS),
            Default::Given("\"free\""),
            "what else binds a request to the ones before it",
        )
        .beside("walk")
        .example(
            "as in `walk = \"trim_first\"` or `walk = { zones = { done = \"1MiB\", length = \
             \"1MiB\", skip = \"3MiB\" } }`",
        ),
    ],
};

/// Of `distribution`.
pub static DISTRIBUTIONS: [Form; 5] = [
    form("uniform", &NONE, true, "everywhere alike"),
    form(
        "zipf",
        &ZIPF,
        false,
        "block of rank k with probability proportional to k^-theta; ranks are scattered",
    ),
    form(
        "pareto",
        &PARETO,
        false,
        "a share `h` of the requests goes to 1 - `h` of the blocks; ranks are scattered",
    ),
    form("normal", &NORMAL, false, "around the middle of the window"),
    form(
        "hot",
        &HOT,
        false,
        "a share `ios` of the requests to the next share `of` of the window; what is left to the \
         rest",
    ),
];

static ZIPF: Group = group(
    "zipf",
    &[Field::new(
        "theta",
        Kind::Number,
        Default::Needed("1.1"),
        "above 0, usually 0.8 to 1.2",
    )],
);

static PARETO: Group = group(
    "pareto",
    &[Field::new(
        "h",
        Kind::Number,
        Default::Needed("0.9"),
        "between 0 and 1",
    )],
);

static NORMAL: Group = group(
    "normal",
    &[Field::new(
        "deviation",
        Kind::Share,
        Default::Needed("10"),
        "of the window",
    )],
);

static HOT: Group = group(
    "hot",
    &[Field::new(
        "ranges",
        Kind::Tables(&RANGE, Layout::Inline),
        Default::Needed("[{ ios = 90, of = 10 }]"),
        "",
    )],
);

static RANGE: Group = group(
    "ranges",
    &[
        Field::new("ios", Kind::Share, Default::Needed("90"), ""),
        Field::new("of", Kind::Share, Default::Needed("10"), ""),
    ],
);

static CURSORS: [Form; 2] = [
    form("own", &OWN, true, "each thread has a position of its own"),
    form("shared", &NONE, true, "the threads advance one position"),
];

static OWN: Group = group(
    "own",
    &[Field::new("stride", Kind::Size, Default::Plain, "")],
);

/// Of `walk`.
pub static WALKS: [Form; 5] = [
    form("free", &NONE, true, "nothing"),
    form(
        "trim_first",
        &NONE,
        true,
        "each write goes where the trim just before it went; the job has two kinds, a trim and \
         then a write, of one size, or several trims and as many writes alike; both count",
    ),
    form(
        "to_the_end",
        &NONE,
        true,
        "requests of one kind go on in order, and the last of a pass is as short as what is left \
         of the window",
    ),
    form(
        "zones",
        &ZONES,
        false,
        "requests stay in a zone of that length until `done` of it is transferred, then the next \
         has its turn, `skip` beyond it; after the last that fits comes the first again",
    ),
    form(
        "write_pointers",
        &WRITE_POINTERS,
        true,
        "writes go to the write pointers of a zoned device, no more than one at a time to each of \
         at most `open` zones (`of_thread` of each thread), `zone` long each; a full zone is reset \
         before it is written again, which is a trim in the result; with `append` the device finds \
         the place in a zone, for any number at a time",
    ),
];

static WRITE_POINTERS: Group = group(
    "write_pointers",
    &[
        Field::new("open", Kind::SmallCount, Default::Plain, ""),
        Field::new("of_thread", Kind::SmallCount, Default::Plain, ""),
        Field::new("zone", Kind::Size, Default::Plain, ""),
        Field::new("append", Kind::Flag, Default::Given("false"), ""),
    ],
);

static ZONES: Group = group(
    "zones",
    &[
        Field::new("done", Kind::Size, Default::Needed("\"1MiB\""), ""),
        Field::new("length", Kind::Size, Default::Like("done"), ""),
        Field::new("skip", Kind::Size, Default::Given("\"0B\""), ""),
    ],
);

/// Of `pacing`.
pub static PACINGS: [Form; 4] = [
    form(
        "closed",
        &CLOSED,
        true,
        "a new request when an old one completes; a thread pauses for `think` after every `burst` \
         requests",
    ),
    form(
        "open",
        &OPEN,
        false,
        "by the clock, whatever the storage does; the rate is that of the whole job",
    ),
    form(
        "cyclic",
        &CYCLIC,
        false,
        "a burst of `bytes` every so often, all threads together, as fast as the depth allows",
    ),
    form(
        "triggered",
        &TRIGGERED,
        false,
        "such a burst each time the job named by `after` has ended one of its own",
    ),
];

/// Of `pacing.closed`.
pub static CLOSED: Group = group(
    "closed",
    &[
        Field::new("think", Kind::Time, Default::Given("\"0s\""), "")
            .beside("think")
            .full(),
        Field::new("burst", Kind::Count, Default::Given("1"), "")
            .beside("burst")
            .full(),
    ],
);

static ARRIVALS: [Word; 2] = [
    word("constant", "Equal gaps"),
    word("poisson", "Exponential gaps: many independent users"),
];

/// Of `pacing.open`.
pub static OPEN: Group = group(
    "open",
    &[
        Field::new("rate", Kind::Rate, Default::Needed("\"1000 IOPS\""), "")
            .beside("rate")
            .option(Opt::new(
                10,
                "rate",
                "RATE",
                "Open load: requests arrive by the clock, as \"1000 IOPS\" or \"100 MB/s\" for \
                 each job",
            )),
        Field::new(
            "arrivals",
            Kind::Word(&ARRIVALS),
            Default::Given("\"constant\""),
            "",
        )
        .beside("arrivals")
        .option(Opt::new(
            11,
            "arrivals",
            "HOW",
            "How the arrivals of an open load are spread",
        )),
    ],
);

static CYCLIC: Group = group(
    "cyclic",
    &[
        Field::new("every", Kind::Time, Default::Needed("\"80s\""), ""),
        Field::new("bytes", Kind::Size, Default::Needed("\"2GiB\""), ""),
    ],
);

static TRIGGERED: Group = group(
    "triggered",
    &[Field::new(
        "bytes",
        Kind::Size,
        Default::Needed("\"2GiB\""),
        "",
    )],
);

/// Of `durability`.
pub static DURABILITY: Group = Group {
    name: "durability",
    plain: tree!(Durability::PLAIN),
    fields: &[
        Field::new(
            "direct",
            Kind::Flag,
            Default::Plain,
            "past the page cache (`O_DIRECT`): sizes and places are multiples of 512 bytes",
        )
        .beside("direct")
        .option(
            Opt::new(19, "direct", "", "Past the page cache (`O_DIRECT`)")
                .negative("no-direct", "Through the page cache"),
        ),
        Field::new(
            "write_through",
            Kind::Flag,
            Default::Plain,
            "a write completes when its data is durable (`O_DSYNC`)",
        )
        .beside("write_through")
        .option(Opt::new(
            22,
            "write-through",
            "",
            "A write completes when its data is durable (`O_DSYNC`); for jobs that write",
        )),
        Field::new(
            "sync",
            Kind::Table(&SYNC),
            Default::Plain,
            "flush after every so many writes of a thread to a target",
        )
        .beside("sync"),
    ],
};

/// Of `sync`.
pub static SYNC: Group = group(
    "sync",
    &[
        Field::new(
            "writes",
            Kind::SmallCount,
            Default::Needed("32"),
            "writes between two flushes",
        )
        .option(
            Opt::new(
                23,
                "sync-every",
                "N",
                "Flush after every so many writes; for jobs that write",
            )
            .more("With fsync, or with fdatasync where the workload flushes by fdatasync already."),
        ),
        Field::new(
            "data_only",
            Kind::Flag,
            Default::Given("false"),
            "`fdatasync` instead of `fsync`",
        ),
    ],
);

/// The words of `fill`.
pub static FILLS: [Word; 5] = [
    word("zero", "Zeros"),
    word("random", "Random bytes, new in every block"),
    word(
        "scrambled",
        "Random bytes made once, and a new number in each 512 of a write",
    ),
    word("counting", "The bytes 0 to 255 again and again"),
    word("file", "Random parts of what the file of `data_file` holds"),
];

/// Of `data`.
pub static DATA: Group = Group {
    name: "data",
    plain: tree!(Data::PLAIN),
    fields: &[
        Field::new(
            "fill",
            Kind::Fill(&FILLS),
            Default::Plain,
            "zeros; random bytes, new in every block; random bytes made once, with a new number in \
             each 512 of a write, which costs less and repeats most (in a mix with reads, as \
             random); the bytes 0 to 255 again and again; random parts of the file of `data_file`; \
             a pattern; or what a task of IOR writes",
        )
        .beside("fill"),
        Field::new(
            "compressible_to",
            Kind::Share,
            Default::Plain,
            "size to which a good compressor shrinks each 4 KiB; 100 cannot be compressed. Of a \
             pattern, less is the share of each 4 KiB that is random, in front of it",
        )
        .beside("compressible_to"),
        Field::new(
            "duplicate",
            Kind::Share,
            Default::Plain,
            "share of 4 KiB blocks that are copies of others",
        )
        .beside("duplicate"),
    ],
};

/// Of `data_file`.
pub static DATA_FILE: Group = group(
    "data_file",
    &[
        Field::new(
            "path",
            Kind::Text,
            Default::Needed("\"/data/pages.bin\""),
            "the file, which is read before the load begins",
        ),
        Field::new(
            "size",
            Kind::Size,
            Default::Needed("\"20MiB\""),
            "how much of it is kept in memory, once for all threads: its first bytes, or all of it \
             again and again; at least the largest request, at most 4 GiB",
        ),
    ],
);

/// Of `replay`.
pub static REPLAY: Group = group(
    "replay",
    &[
        Field::new(
            "trace",
            Kind::Text,
            Default::Needed("\"run.log\""),
            "path of the trace",
        ),
        Field::new(
            "speed",
            Kind::Number,
            Default::Plain,
            "percent of the recorded speed; `100` as recorded; without it, as fast as completions \
             allow",
        ),
        Field::new(
            "shrink",
            Kind::Count,
            Default::Given("1"),
            "offsets are divided by this",
        ),
    ],
);

/// Of `stop`.
pub static STOP: Group = group(
    "stop",
    &[
        Field::new("bytes", Kind::Size, Default::Plain, "after so many bytes")
            .beside("stop_bytes")
            .option(Opt::new(
                13,
                "bytes",
                "SIZE",
                "End each job after so many bytes; without --time, only then",
            )),
        Field::new("ios", Kind::Count, Default::Plain, "after so many requests")
            .from(1, u64::MAX)
            .beside("stop_ios")
            .option(Opt::new(
                12,
                "ios",
                "N",
                "End each job after so many requests; without --time, only then",
            )),
        Field::new(
            "time",
            Kind::Time,
            Default::Plain,
            "after so long from its begin, or from that of the measured time if that is later",
        )
        .beside("stop_time"),
        Field::new(
            "with_warm_up",
            Kind::Flag,
            Default::Plain,
            "count what is done in the warm-up as part of the amounts",
        )
        .beside("stop_with_warm_up"),
        Field::new(
            "as_before",
            Kind::Flag,
            Default::Plain,
            "after no more requests than the job of this name did in an earlier phase, which may \
             have ended before it was through",
        )
        .beside("stop_as_before"),
        Field::new(
            "ends_phase",
            Kind::Flag,
            Default::Plain,
            "the first thread to be through ends the phase, and so the jobs beside it",
        )
        .beside("stop_ends_phase"),
        Field::new(
            "when_full",
            Kind::Flag,
            Default::Plain,
            "the first write for which there is no room left is no error, and ends the thread",
        )
        .beside("stop_when_full"),
    ],
);
