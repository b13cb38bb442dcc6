//! The fields of a job, and the short form of its requests.

use super::{
    ACCESS, DATA, DATA_FILE, DURABILITY, Default, FILES, Group, IO, IO_CLASSES, Kind, Layout, Opt,
    PACINGS, PAUSE, RATE_CURVE, REPLAY, STOP, Word, fields, tree, word,
};
use crate::engine::{Choice, ENGINES};
use crate::rows;
use crate::spec::{Compat, Job};
use serde_json::json;

static QUEUE_SCOPES: [Word; 2] = [
    word("per_target", "Outstanding requests for each target"),
    word("shared", "Outstanding requests over all targets"),
];

static TARGET_ORDERS: [Word; 1] = [word("drawn", "A random target for each request")];

static VERIFIES: &[Word] = rows! { Word;
    new("off", "Writes carry plain data");
    new("stamp", "Stamp writes, for a later `fathom verify`");
    new("check", "Stamp writes, and check every read on completion");
    new("read_back", "As check; after the phase, also read and check the whole window");
    new("read_written",
        "As check; after the phase, also read and check all written blocks with the same requests");
};

static FORMS: &[Word] = rows! { Word;
    new("fathom", "Fathom's format: every 512 bytes are stamped with the age of the write");
    new("fio_meta", "Only fio's header");
    new("fio_md5", "fio's header and MD5");
    new("fio_crc64", "fio's header and CRC-64");
    new("fio_crc32", "fio's header and CRC-32");
    new("fio_crc32c", "fio's header and CRC-32C");
    new("fio_sha256", "fio's header and eight bytes of a SHA-256");
    new("fio_sha512", "fio's header and the end of the block");
    new("fio_xxhash", "fio's header and xxHash");
    new("fio_sha1", "fio's header and SHA-1");
    new("fio_pattern", "fio's header and a pattern that is checked itself");
    new("fio_bare", "No header, only the pattern; unwritten blocks count as wrong");
};

static READ_AHEADS: [Word; 1] = [word(
    "sequential",
    "Reads are sequential: Linux doubles the read-ahead",
)];

/// The engines that a job can ask for, from the table of engines.
static JOB_ENGINES: [Word; COUNT] = {
    let mut words = [const { word("", "") }; COUNT];
    let (mut row, mut next) = (0, 0);
    while row < ENGINES.len() {
        if is_of_jobs(row) {
            words[next] = word(ENGINES[row].name, ENGINES[row].description);
            next += 1;
        }
        row += 1;
    }
    words
};

const COUNT: usize = {
    let (mut row, mut count) = (0, 0);
    while row < ENGINES.len() {
        count += is_of_jobs(row) as usize;
        row += 1;
    }
    count
};

const fn is_of_jobs(row: usize) -> bool {
    matches!(ENGINES[row].choice, Choice::RunOrJob)
}

/// Of a `[[phase.job]]`.
pub static JOB: Group = Group {
    name: "job",
    plain: tree!(Job::plain()),
    fields: fields! {
        "name": Kind::Text, Default::Said("name of the workload; with several jobs `job-1`, …"),
            "unique in the phase";
        "targets": Kind::Texts, Default::PlainAs("the targets of the run"),
            "paths, or `@role` for a path set on the command line; `target` is a short form for \
             one";
        "engine": Kind::Word(&JOB_ENGINES), Default::PlainAs("the engine of the run"),
            "I/O engine of this job; `--engine` overrides it for all jobs";
        "threads": Kind::SmallCount, Default::Plain, "number of threads".from(1, 4096)
            .option(Opt::new(9, "threads", "N", "Threads per job"));
        "queue_depth": Kind::SmallCount, Default::Plain,
            "queue depth per thread; in an open load, the maximum".from(1, 32_768)
            .option(Opt::new(8, "queue-depth", "N", "Queue depth per thread"));
        "queue_scope": Kind::Word(&QUEUE_SCOPES), Default::Plain,
            "whether the queue depth applies per target, or to all targets in turn";
        "submit_batch": Kind::SmallCount, Default::PlainAs("learned"),
            "maximum number of requests that a thread submits at once. By default, each thread of \
             a batching engine learns it from its first requests (in the warm-up, if any) and \
             keeps it; `workers[].submit_batch` of the result contains it".from(1, 32_768)
            .option(Opt::new(25, "submit-batch", "N",
                "Maximum number of requests submitted at once per thread [default: learned]"));
        "complete_batch": Kind::SmallCount, Default::PlainAs("`1`"),
            "completions that a thread waits for before it continues; fewer if fewer are in flight \
             or another task is due. Values above 1 cost fewer system calls, keep fewer requests \
             outstanding, and increase the latency".from(1, 32_768)
            .option(Opt::new(26, "complete-batch", "N",
                "Completions that a thread waits for before it continues"));
        "size": Kind::Size, Default::PlainAs("the current size of the target"),
            "size of a created file, and the used part of a larger one; a block device is always \
             used whole, unless `window` limits it"
            .option(Opt::new(2, "size", "SIZE",
                "Size of created files, and the used part of larger ones"));
        "offset": Kind::Size, Default::Plain, "start offset of the used window of the target"
            .option(Opt::new(3, "offset", "SIZE", "Start offset of the used part of the target"));
        "window": Kind::Size, Default::PlainAs("to the end"), "length of the used window"
            .option(Opt::new(4, "window", "SIZE", "Length of the used part of the target"));
        "fresh": Kind::Flag, Default::Given("false"),
            "create the file empty, or truncate it at the job's `offset`, and let the writes of \
             the job extend it, instead of filling it first; only for jobs that write all of it in \
             order, or each block once";
        "cold": Kind::Flag, Default::Given("false"),
            "write back and drop the page cache of the targets before the job starts";
        "warm": Kind::Flag, Default::Given("false"),
            "allow reads from a warm page cache; the result reports the hit ratio. Without it, a \
             result with a hit ratio above 95 % is INVALID"
            .option(Opt::new(21, "warm", "",
                "Allow reads from a warm page cache; the report gives the share that the cache \
                 served").against("direct"));
        "access": Kind::Table(&ACCESS), Default::PlainAs("uniform"),
            "offsets of the requests, see below";
        "pacing": Kind::Form(PACINGS), Default::PlainAs("`\"closed\"`"),
            "timing of the requests, see below"
            .example("as in `pacing = { open = { rate = \"1000 IOPS\" } }`");
        "io_class": Kind::Word(IO_CLASSES), Default::PlainAs("the priority of the process"),
            "I/O priority class of the requests (`ioprio_set`); the effect depends on the I/O \
             scheduler of the device";
        "io_level": Kind::SmallCount, Default::PlainAs("4"),
            "priority level in that class, 0 is the most urgent".from(0, 7);
        "after": Kind::Text, Default::Plain,
            "start after a burst of the named job of this phase has ended; with `triggered` \
             pacing, after each burst";
        "delay": Kind::Time, Default::Given("\"0s\""),
            "delay from the start of the phase; rates of the job count from there";
        "pauses": Kind::Tables(&PAUSE, Layout::Inline), Default::PlainAs("all alike"),
            "lengths of the pauses of a closed load: each pause has one of the relative lengths, \
             drawn with its `share`. `think` is their mean"
            .example("as in `pauses = [{ share = 90, length = 1 }, { share = 10, length = 20 }]`");
        "rate_curve": Kind::Table(&RATE_CURVE), Default::PlainAs("constant"),
            "change of the rate of an open load over time: each interval of length `every` has the \
             next of the relative `levels`, and after the last one the first again. `rate` is the \
             mean over the curve. In a closed load, the pauses of an interval are divided by its \
             level over the mean level"
            .example("as in `rate_curve = { every = \"1min\", levels = [20, 100, 180] }`");
        "replay": Kind::Table(&REPLAY), Default::Plain,
            "replay the requests of a trace instead of generating them; `io` may be omitted";
        "files": Kind::Table(&FILES), Default::Plain,
            "requests use many files in a directory, each as a whole, see below";
        "durability": Kind::Table(&DURABILITY), Default::PlainAs("direct"),
            "use of the page cache, see below";
        "sync_pattern": Kind::SmallCounts, Default::PlainAs("the same number"),
            "numbers of writes before successive flushes, instead of the same number before each; \
             after the last one the first again. Only for jobs that flush after writes"
            .example("as in `sync_pattern = [1, 2]`");
        "sync_at_end": Kind::Flag, Default::Given("false"),
            "each thread flushes its targets at the end of its load, also if a time limit ends it";
        "data": Kind::Table(&DATA), Default::PlainAs("random"), "content of writes, see below";
        "verify": Kind::Word(VERIFIES), Default::Plain,
            "`stamp`: written blocks contain their offset, generation and checksum; `check`: reads \
             are also checked; `read_back`: the whole window is also read at the end of the phase; \
             `read_written`: written blocks are also read at the end, with the same requests, and \
             those times are reported separately"
            .option(Opt::new(24, "verify", "MODE", "Stamp and check blocks"));
        "compat": Kind::Table(&COMPAT), Default::PlainAs("none"),
            "fields that only job files of other programs use, see below";
        "stop": Kind::Table(&STOP), Default::PlainAs("none"), "end condition of the job";
        "io": Kind::Tables(&IO, Layout::Lines), Default::Said(""), "operations, see below";
    },
};

/// Of `compat`: what only job files of other programs ask for.
pub static COMPAT: Group = Group {
    name: "compat",
    plain: tree!(Compat::default()),
    fields: fields! {
        "target_order": Kind::Word(&TARGET_ORDERS),
            Default::PlainAs("all targets in turn, each until it is complete"),
            "selection of the target, if several share the queue depth of a thread"
            .beside("target_order");
        "target_weights": Kind::SmallCounts, Default::PlainAs("all alike"),
            "weight of each target for random selection, in order; the share is the weight divided \
             by the sum".beside("target_weights");
        "uncut": Kind::Flag, Default::Given("false"),
            "do not truncate an existing file: overwrite its content in place, and extend it if it \
             is shorter than the job".beside("uncut");
        "cold_again": Kind::Size, Default::PlainAs("never"),
            "drop the page cache of the targets again after each thread has requested this many \
             bytes, for example after each pass over the file; dirty pages stay; only with `cold`"
            .beside("cold_again");
        "read_ahead": Kind::Word(&READ_AHEADS), Default::PlainAs("random for random reads"),
            "advice to the kernel about reads (`posix_fadvise`), which sets the read-ahead"
            .beside("read_ahead");
        "verify_as": Kind::Word(FORMS), Default::Given("\"fathom\""),
            "format of the stamps. fio's formats have one header per request or `verify_interval`, \
             with random data or a pattern; the pattern continues through each request if all \
             requests are equal, otherwise it restarts in each block".beside("verify_as");
        "verify_interval": Kind::Size, Default::PlainAs("a request"),
            "size of a block in a fio format, including its header".beside("verify_interval");
        "verify_backlog": Kind::SmallCount, Default::PlainAs("none"),
            "writes of a thread before it reads them back, with `verify = \"read_written\"`; these \
             reads are part of the measurement, and their blocks are not read again at the end"
            .from(1, 1 << 20).beside("verify_backlog");
        "data_file": Kind::Table(&DATA_FILE), Default::Plain,
            "with `fill = \"file\"`: file that supplies the content of writes. Each write uses a \
             random part of it at any byte offset; with `direct`, at a multiple of 512"
            .beside("data_file");
        "idle": Kind::Flag, Default::Given("false"),
            "create and fill the targets, but send no requests".beside("idle");
    },
};

/// Requests of one size, reads and writes.
pub static EVERYDAY: Group = Group {
    name: "requests",
    plain: tree!(json!({})),
    fields: fields! {
        "block_size": Kind::Size, Default::Plain, "request size"
            .option(Opt::new(5, "block-size", "SIZE",
                "Size and alignment of all requests, such as 8KiB"));
        "read": Kind::Share, Default::Given("100"), "percentage of reads; the rest are writes"
            .option(Opt::new(6, "read", "PERCENT", "Percentage of reads; the rest are writes"));
        "random": Kind::Share, Default::Given("100"),
            "percentage of requests at random offsets; each of the others continues after the last \
             one"
            .option(Opt::new(7, "random", "PERCENT",
                "Percentage of requests at random offsets; the others continue after the last \
                 one"));
        "align": Kind::Size, Default::Like("block_size"), "random offsets are a multiple of this";
    },
};
