//! The fields of the tables below a phase and a job.

use super::{Default, Field, Group, Kind, Layout, Opt, ValueForm, Word, fields, tree};
use crate::rows;
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

static CURSOR_SCOPES: &[Word] = rows! { Word;
    new("per_op", "Separate sequential positions for reads and writes");
    new("shared", "One position");
};

/// The keys of `access`.
pub static ACCESS: Group = Group {
    name: "access",
    plain: tree!(Access::PLAIN),
    fields: fields! {
        "distribution": Kind::Form(DISTRIBUTIONS), Default::Plain, "distribution of random offsets"
            .beside("distribution").example("as in `distribution = { zipf = { theta = 1.1 } }`");
        "without_repetition": Kind::Flag, Default::Plain,
            "random requests touch each block once before any block repeats. With several sizes \
             and one thread, `align` is the smallest size; requests are shortened where they would \
             overlap used blocks".beside("without_repetition");
        "stride": Kind::Size, Default::PlainAs("the request's"),
            "distance between two sequential requests".beside("stride");
        "cursor": Kind::Form(&CURSORS), Default::PlainAs("`\"own\"`"),
            "`\"own\"`: each thread has its own sequential position, spread evenly over the \
             window; `{ own = { stride = … } }`: threads start this far apart, and wrap at the end \
             by whole steps; `\"shared\"`: the threads of the job share one position"
            .beside("cursor")
            .example("as in `cursor = \"shared\"` or `cursor = { own = { stride = \"1GiB\" } }`");
        "cursor_scope": Kind::Word(CURSOR_SCOPES), Default::Plain,
            "whether reads and writes have separate sequential positions".beside("cursor_scope");
        "walk": Kind::Form(WALKS), Default::Given("\"free\""),
            "other dependencies between consecutive requests".beside("walk")
                .example("as in `walk = \"trim_first\"` or `walk = { zones = { done = \"1MiB\", \
                 length = \"1MiB\", skip = \"3MiB\" } }`");
    },
};

/// The forms of `distribution`.
pub static DISTRIBUTIONS: &[ValueForm] = rows! { ValueForm;
    new("uniform", &NONE, true, "everywhere alike");
    new("zipf", &ZIPF, false,
        "block of rank k with probability proportional to k^-theta; ranks are scattered");
    new("pareto", &PARETO, false,
        "a share `h` of the requests goes to 1 - `h` of the blocks; ranks are scattered");
    new("normal", &NORMAL, false, "normal distribution around the middle of the window");
    new("hot", &HOT, false,
        "a share `ios` of the requests goes to the next share `of` of the window; the remaining \
         requests go to the remaining window");
};

static ZIPF: Group = group(
    "zipf",
    fields! {
        "theta": Kind::Number, Default::Needed("1.1"), "above 0, usually 0.8 to 1.2";
    },
);

static PARETO: Group = group(
    "pareto",
    fields! {
        "h": Kind::Number, Default::Needed("0.9"), "between 0 and 1";
    },
);

static NORMAL: Group = group(
    "normal",
    fields! {
        "deviation": Kind::Share, Default::Needed("10"), "of the window";
    },
);

static HOT: Group = group(
    "hot",
    fields! {
        "ranges": Kind::Tables(&RANGE, Layout::Inline), Default::Needed("[{ ios = 90, of = 10 }]"),
            "";
    },
);

static RANGE: Group = group(
    "ranges",
    fields! {
        "ios": Kind::Share, Default::Needed("90"), "";
        "of": Kind::Share, Default::Needed("10"), "";
    },
);

static CURSORS: [ValueForm; 2] = [
    ValueForm::new("own", &OWN, true, "each thread has its own position"),
    ValueForm::new("shared", &NONE, true, "all threads share one position"),
];

static OWN: Group = group(
    "own",
    fields! {
        "stride": Kind::Size, Default::Plain, "";
    },
);

/// The forms of `walk`.
pub static WALKS: &[ValueForm] = rows! { ValueForm;
    new("free", &NONE, true, "nothing");
    new("trim_first", &NONE, true,
        "each write follows a trim of the same range; the job has a trim and a write of one size, \
         or several equal trims and writes; both are counted");
    new("to_the_end", &NONE, true,
        "requests of one operation are sequential, and the last request of a loop is shortened to \
         the end of the window");
    new("zones", &ZONES, false,
        "requests stay in a zone of that length until `done` of it is transferred, then continue \
         in the next zone, `skip` further; after the last zone the first follows");
    new("write_pointers", &WRITE_POINTERS, true,
        "writes go to the write pointers of a zoned device: one at a time to each of at most \
         `open` zones (`of_thread` per thread) of length `zone`; a full zone is reset before it is \
         written again, which counts as a trim; with `append` the device chooses the offset in a \
         zone, for any number of requests at a time");
};

static WRITE_POINTERS: Group = group(
    "write_pointers",
    fields! {
        "open": Kind::SmallCount, Default::Plain, "";
        "of_thread": Kind::SmallCount, Default::Plain, "";
        "zone": Kind::Size, Default::Plain, "";
        "append": Kind::Flag, Default::Given("false"), "";
    },
);

static ZONES: Group = group(
    "zones",
    fields! {
        "done": Kind::Size, Default::Needed("\"1MiB\""), "";
        "length": Kind::Size, Default::Like("done"), "";
        "skip": Kind::Size, Default::Given("\"0B\""), "";
    },
);

/// The forms of `pacing`.
pub static PACINGS: &[ValueForm] = rows! { ValueForm;
    new("closed", &CLOSED, true,
        "closed load: a new request starts when an earlier one completes; a thread pauses for \
         `think` after every `burst` requests");
    new("open", &OPEN, false,
        "open load: requests start by the clock, independent of the storage; the rate applies to \
         the whole job");
    new("cyclic", &CYCLIC, false,
        "a burst of `bytes` at each interval, over all threads, as fast as the queue depth allows");
    new("triggered", &TRIGGERED, false, "a burst after each burst of the job named by `after`");
};

/// Of `pacing.closed`.
pub static CLOSED: Group = group(
    "closed",
    fields! {
        "think": Kind::Time, Default::Given("\"0s\""), "".beside("think").full();
        "burst": Kind::Count, Default::Given("1"), "".beside("burst").full();
    },
);

/// The forms of `arrivals`.
pub static ARRIVALS: &[ValueForm] = rows! { ValueForm;
    new("constant", &NONE, true, "equal gaps");
    new("poisson", &NONE, true, "exponential gaps: many independent users");
    new("bursts", &BURSTS, false,
        "exponential gaps around a base rate, to which bursts add `share` of all requests; a burst \
         starts at random, on average `every` that time, and lasts `length` on average; with \
         `clocked` it starts exactly then and lasts exactly as long");
};

static BURSTS: Group = group(
    "bursts",
    fields! {
        "share": Kind::Share, Default::Needed("80"), "";
        "every": Kind::Time, Default::Needed("\"5s\""), "";
        "length": Kind::Time, Default::Needed("\"300ms\""), "";
        "clocked": Kind::Flag, Default::Given("false"), "";
    },
);

/// The keys of an entry of `pauses`.
pub static PAUSE: Group = group(
    "pauses",
    fields! {
        "share": Kind::Share, Default::Needed("90"), "share of the pauses, in percent";
        "length": Kind::SmallCount, Default::Needed("20"), "relative length of these pauses";
    },
);

/// The keys of `rate_curve`.
pub static RATE_CURVE: Group = group(
    "rate_curve",
    fields! {
        "every": Kind::Time, Default::Needed("\"1min\""), "length of each interval";
        "levels": Kind::SmallCounts, Default::Needed("[20, 100, 180]"),
            "relative rates of successive intervals; 0 for none";
    },
);

/// Of `pacing.open`.
pub static OPEN: Group = group(
    "open",
    fields! {
        "rate": Kind::Rate, Default::Needed("\"1000 IOPS\""), "".beside("rate")
            .option(Opt::new(10, "rate", "RATE",
                "Open load: requests start by the clock, at \"1000 IOPS\" or \"100 MB/s\" per \
                 job"));
        "arrivals": Kind::Form(ARRIVALS), Default::Given("\"constant\""), "".beside("arrivals")
            .example("as in `arrivals = \"poisson\"` or `arrivals = { bursts = { share = 80, \
                      every = \"5s\", length = \"300ms\" } }`")
            .option(Opt::new(11, "arrivals", "HOW", "Distribution of arrivals in an open load"));
    },
);

static CYCLIC: Group = group(
    "cyclic",
    fields! {
        "every": Kind::Time, Default::Needed("\"80s\""), "";
        "bytes": Kind::Size, Default::Needed("\"2GiB\""), "";
    },
);

static TRIGGERED: Group = group(
    "triggered",
    fields! {
        "bytes": Kind::Size, Default::Needed("\"2GiB\""), "";
    },
);

/// The keys of `durability`.
pub static DURABILITY: Group = Group {
    name: "durability",
    plain: tree!(Durability::PLAIN),
    fields: fields! {
        "direct": Kind::Flag, Default::Plain,
            "bypass the page cache (`O_DIRECT`); sizes and offsets are multiples of 512 bytes"
            .beside("direct")
            .option(Opt::new(19, "direct", "",
                "Bypass the page cache (`O_DIRECT`)").negative("no-direct", "Use the page cache"));
        "write_through": Kind::Flag, Default::Plain,
            "a write completes when its data is durable (`O_DSYNC`)".beside("write_through")
            .option(Opt::new(22, "write-through", "",
                "Complete writes only when their data is durable (`O_DSYNC`); for jobs that \
                 write"));
        "sync": Kind::Table(&SYNC), Default::Plain,
            "flush after every N writes of a thread to a target".beside("sync");
    },
};

/// The keys of `sync`.
pub static SYNC: Group = group(
    "sync",
    fields! {
        "writes": Kind::SmallCount, Default::Needed("32"), "writes between two flushes"
            .option(Opt::new(23, "sync-every", "N",
                "Flush after every N writes; for jobs that write").more("Uses fsync, or fdatasync \
                 if the workload already flushes with fdatasync."));
        "data_only": Kind::Flag, Default::Given("false"), "`fdatasync` instead of `fsync`";
    },
);

/// The words of `fill`.
pub static FILLS: &[Word] = rows! { Word;
    new("zero", "Zeros");
    new("random", "Random bytes, new for every block");
    new("scrambled", "Random bytes generated once, with a new number in each 512 bytes of a write");
    new("counting", "The bytes 0 to 255, repeated");
    new("file", "Random parts of the file of `data_file`");
};

/// The keys of `data`.
pub static DATA: Group = Group {
    name: "data",
    plain: tree!(Data::PLAIN),
    fields: fields! {
        "fill": Kind::Fill(FILLS), Default::Plain,
            "zeros; random bytes, new for every block; random bytes generated once, with a new \
             number in each 512 bytes of a write, which costs less but repeats (in a mix with \
             reads, same as random); the bytes 0 to 255, repeated; random parts of the file of \
             `data_file`; a pattern; or the data of an IOR task".beside("fill");
        "compressible_to": Kind::Share, Default::Plain,
            "size of each 4 KiB after good compression, in percent; 100 is incompressible. For a \
             pattern, a lower value is the random share at the start of each 4 KiB"
            .beside("compressible_to");
        "duplicate": Kind::Share, Default::Plain,
            "percentage of 4 KiB blocks that are copies of others".beside("duplicate");
    },
};

/// The keys of `data_file`.
pub static DATA_FILE: Group = group(
    "data_file",
    fields! {
        "path": Kind::Text, Default::Needed("\"/data/pages.bin\""),
            "path of the file, which is read before the load starts";
        "size": Kind::Size, Default::Needed("\"20MiB\""),
            "amount kept in memory, once for all threads: the first bytes of the file, repeated if \
             the file is shorter; between the largest request and 4 GiB";
    },
);

/// The keys of `replay`.
pub static REPLAY: Group = group(
    "replay",
    fields! {
        "trace": Kind::Text, Default::Needed("\"run.log\""),
            "path of the trace: of `fathom capture`, an I/O log of fio, or a trace of blktrace";
        "speed": Kind::Number, Default::Plain,
            "percentage of the recorded speed; `100` is the recorded speed; without it, as fast as \
             completions allow: a request waits until no more are outstanding than were when it \
             was recorded";
        "unordered": Kind::Flag, Default::Given("false"),
            "without `speed`, requests do not wait for others, and need a free slot only";
        "shrink": Kind::Count, Default::Given("1"), "divisor for offsets";
        "processes": Kind::Texts, Default::Plain,
            "names of the processes whose requests are replayed; without it, those of all";
        "roles": Kind::Texts, Default::Plain,
            "names of the roles whose requests are replayed, as `fathom learn` prints them; \
             without it, those of all";
        "region_start": Kind::Size, Default::Plain,
            "replay only requests that start at this recorded offset or after it";
        "region_end": Kind::Size, Default::Plain,
            "replay only requests that start before this recorded offset";
        "packed": Kind::Flag, Default::Given("false"),
            "regions of 1 MiB without requests take no space; all requests go to one target";
    },
);

/// The keys of `stop`.
pub static STOP: Group = group(
    "stop",
    fields! {
        "bytes": Kind::Size, Default::Plain, "stop after N bytes".beside("stop_bytes")
            .option(Opt::new(13, "bytes", "SIZE",
                "Stop each job after N bytes; without --time, only then"));
        "ios": Kind::Count, Default::Plain, "stop after N requests".from(1, u64::MAX)
            .beside("stop_ios")
            .option(Opt::new(12, "ios", "N",
                "Stop each job after N requests; without --time, there is no time limit"));
        "time": Kind::Time, Default::Plain,
            "stop after this time from the start of the job, or of the measured time if that is \
             later".beside("stop_time");
        "with_warm_up": Kind::Flag, Default::Plain, "count bytes and requests of the warm-up too"
            .beside("stop_with_warm_up");
        "as_before": Kind::Flag, Default::Plain,
            "stop after as many requests as the named job made in an earlier phase, even if that \
             job ended early".beside("stop_as_before");
        "ends_phase": Kind::Flag, Default::Plain,
            "the first thread that is complete ends the phase, with all other jobs"
            .beside("stop_ends_phase");
        "when_full": Kind::Flag, Default::Plain,
            "the first write that finds no free space ends the thread without an error"
            .beside("stop_when_full");
    },
);
