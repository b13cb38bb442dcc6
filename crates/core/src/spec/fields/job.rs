//! The fields of a job, and the short form of its requests.

use super::{
    ACCESS, DATA, DATA_FILE, DURABILITY, Default, FILES, Field, Group, IO, IO_CLASSES, Kind,
    Layout, Opt, PACINGS, REPLAY, STOP, Word, tree, word,
};
use crate::engine::{Choice, ENGINES};
use crate::spec::{Compat, Job};
use serde_json::json;

static QUEUE_SCOPES: [Word; 2] = [
    word("per_target", "Outstanding requests for each target"),
    word("shared", "Outstanding requests over all targets"),
];

static TARGET_ORDERS: [Word; 1] = [word("drawn", "Any, each by itself")];

static VERIFIES: [Word; 5] = [
    word("off", "Writes carry plain data"),
    word("stamp", "Writes are stamped, for a later `fathom verify`"),
    word(
        "check",
        "Writes are stamped, and every read is checked as it completes",
    ),
    word(
        "read_back",
        "As check; after the phase the whole window is read back and checked",
    ),
    word(
        "read_written",
        "As check; after the phase what was written is read back as it was written, and checked",
    ),
];

static FORMS: [Word; 12] = [
    word(
        "fathom",
        "Fathom's own: each 512 bytes, with the age of the write",
    ),
    word("fio_meta", "fio's header alone"),
    word("fio_md5", "fio's header and MD5"),
    word("fio_crc64", "fio's header and CRC-64"),
    word("fio_crc32", "fio's header and CRC-32"),
    word("fio_crc32c", "fio's header and CRC-32C"),
    word("fio_sha256", "fio's header and eight bytes of a SHA-256"),
    word("fio_sha512", "fio's header and the end of the block"),
    word("fio_xxhash", "fio's header and xxHash"),
    word("fio_sha1", "fio's header and SHA-1"),
    word(
        "fio_pattern",
        "fio's header and a pattern that is checked itself",
    ),
    word(
        "fio_bare",
        "no header: the pattern alone, and wrong where no job has written it",
    ),
];

static READ_AHEADS: [Word; 1] = [word(
    "sequential",
    "they are in order: Linux reads twice as far ahead",
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
    fields: &[
        Field::new(
            "name",
            Kind::Text,
            Default::Said("name of the workload; with several, `job-1`, …"),
            "unique in the phase",
        ),
        Field::new(
            "targets",
            Kind::Texts,
            Default::PlainAs("the targets of the run"),
            "paths, or `@role` for one that the command line binds; `target` is short for one",
        ),
        Field::new(
            "engine",
            Kind::Word(&JOB_ENGINES),
            Default::PlainAs("that of the run"),
            "what makes the requests of this job; `--engine` holds for all jobs whatever stands \
             here",
        ),
        Field::new(
            "threads",
            Kind::SmallCount,
            Default::Plain,
            "number of threads",
        )
        .from(1, 4096)
        .option(Opt::new(9, "threads", "N", "Threads of each job")),
        Field::new(
            "queue_depth",
            Kind::SmallCount,
            Default::Plain,
            "outstanding requests of a thread; at a fixed rate, the most there can be",
        )
        .from(1, 32_768)
        .option(Opt::new(
            8,
            "queue-depth",
            "N",
            "Outstanding requests of each thread",
        )),
        Field::new(
            "queue_scope",
            Kind::Word(&QUEUE_SCOPES),
            Default::Plain,
            "whether the depth counts for each target, or over all of them in turn",
        ),
        Field::new(
            "submit_batch",
            Kind::SmallCount,
            Default::PlainAs("learned"),
            "requests that a thread submits at once at most. Without it, each thread of an engine \
             that submits in batches learns it from its first requests (in the warm-up, if there \
             is one) and keeps it; `workers[].submit_batch` of the result says what it was",
        )
        .from(1, 32_768)
        .option(Opt::new(
            25,
            "submit-batch",
            "N",
            "Requests that a thread submits at once at most; learned without it",
        )),
        Field::new(
            "complete_batch",
            Kind::SmallCount,
            Default::PlainAs("`1`"),
            "completions that a thread waits for before it goes on; fewer where fewer are in \
             flight or something else is due. More than 1 costs fewer system calls, keeps fewer \
             requests outstanding, and is in the latency",
        )
        .from(1, 32_768)
        .option(Opt::new(
            26,
            "complete-batch",
            "N",
            "Completions that a thread waits for before it goes on",
        )),
        Field::new(
            "size",
            Kind::Size,
            Default::PlainAs("the target as it is"),
            "size of a file that has to be made, and what is used of a larger one; a block device \
             is used whole all the same, as far as `window` does not limit it",
        )
        .option(Opt::new(
            2,
            "size",
            "SIZE",
            "Size of files to make, and of what is used of larger ones",
        )),
        Field::new(
            "offset",
            Kind::Size,
            Default::Plain,
            "where the used window of the target begins",
        )
        .option(Opt::new(
            3,
            "offset",
            "SIZE",
            "Where the used part of the target begins",
        )),
        Field::new(
            "window",
            Kind::Size,
            Default::PlainAs("to the end"),
            "length of the used window",
        )
        .option(Opt::new(
            4,
            "window",
            "SIZE",
            "Length of the used part of the target",
        )),
        Field::new(
            "fresh",
            Kind::Flag,
            Default::Given("false"),
            "the file is made empty, or emptied from the job's `offset` on, and grows under the \
             job's writes, instead of being written everywhere beforehand; only for jobs that \
             write all of it in order, or each block once",
        ),
        Field::new(
            "cold",
            Kind::Flag,
            Default::Given("false"),
            "what the page cache holds of the targets is written back and dropped before the job \
             begins",
        ),
        Field::new(
            "warm",
            Kind::Flag,
            Default::Given("false"),
            "what the page cache holds is meant: buffered reads that it answers are the result, \
             which says so with its hit ratio; without it, a result of which it answered more \
             than 95 % is INVALID",
        )
        .option(Opt::new(
            21,
            "warm",
            "",
            "What the page cache holds is meant: the result says how much it answered; for jobs \
             that read through it",
        )
        .against("direct")),
        Field::new(
            "access",
            Kind::Table(&ACCESS),
            Default::PlainAs("uniform"),
            "where requests go, see below",
        ),
        Field::new(
            "pacing",
            Kind::Form(&PACINGS),
            Default::PlainAs("`\"closed\"`"),
            "when requests go, see below",
        )
        .example("as in `pacing = { open = { rate = \"1000 IOPS\" } }`"),
        Field::new(
            "io_class",
            Kind::Word(&IO_CLASSES),
            Default::PlainAs("that of the process"),
            "the class of priority that the kernel's scheduler gives the requests of this job \
             (`ioprio_set`); what it does with it depends on the scheduler of the device",
        ),
        Field::new(
            "io_level",
            Kind::SmallCount,
            Default::PlainAs("4"),
            "the level in that class, 0 the most urgent",
        )
        .from(0, 7),
        Field::new(
            "after",
            Kind::Text,
            Default::Plain,
            "begin when a burst of the named job of the phase has ended; with `triggered` \
             pacing, each time",
        ),
        Field::new(
            "delay",
            Kind::Time,
            Default::Given("\"0s\""),
            "begin so long after the phase; rates of the job count from there",
        ),
        Field::new(
            "replay",
            Kind::Table(&REPLAY),
            Default::Plain,
            "make the requests of a trace instead of drawing them; `io` may be left out",
        ),
        Field::new(
            "files",
            Kind::Table(&FILES),
            Default::Plain,
            "requests are of many files in a directory, each of one of them whole, see below",
        ),
        Field::new(
            "durability",
            Kind::Table(&DURABILITY),
            Default::PlainAs("direct"),
            "how requests meet the page cache, see below",
        ),
        Field::new(
            "sync_at_end",
            Kind::Flag,
            Default::Given("false"),
            "each thread flushes its targets when its load is over, also where a clock ends it",
        ),
        Field::new(
            "data",
            Kind::Table(&DATA),
            Default::PlainAs("random"),
            "what writes carry, see below",
        ),
        Field::new(
            "verify",
            Kind::Word(&VERIFIES),
            Default::Plain,
            "`stamp`: written blocks describe themselves (offset, generation, checksum); `check`: \
             and reads are checked; `read_back`: and all is read back at the end of the phase; \
             `read_written`: and what was written is read back then, in requests as long as the \
             writes, whose times are told beside the measured ones",
        )
        .option(Opt::new(
            24,
            "verify",
            "MODE",
            "Self-describing blocks and their checks",
        )),
        Field::new(
            "compat",
            Kind::Table(&COMPAT),
            Default::PlainAs("none"),
            "what only job files of other programs ask for, see below",
        ),
        Field::new(
            "stop",
            Kind::Table(&STOP),
            Default::PlainAs("none"),
            "own end of the job",
        ),
        Field::new(
            "io",
            Kind::Tables(&IO, Layout::Lines),
            Default::Said(""),
            "the kinds of request, see below",
        ),
    ],
};

/// Of `compat`: what only job files of other programs ask for.
pub static COMPAT: Group = Group {
    name: "compat",
    plain: tree!(Compat::default()),
    fields: &[
        Field::new(
            "target_order",
            Kind::Word(&TARGET_ORDERS),
            Default::PlainAs("in turn, whatever is left of each"),
            "which of several targets a thread goes to, where they share its depth",
        )
        .beside("target_order"),
        Field::new(
            "target_weights",
            Kind::SmallCounts,
            Default::PlainAs("all alike"),
            "of targets that are drawn, how often each is, in their order: its share of the sum",
        )
        .beside("target_weights"),
        Field::new(
            "uncut",
            Kind::Flag,
            Default::Given("false"),
            "nothing of a fresh file goes: what it holds is written over where it is, and it grows \
             where it ends before the job does",
        )
        .beside("uncut"),
        Field::new(
            "cold_again",
            Kind::Size,
            Default::PlainAs("never"),
            "the page cache of the targets is dropped again each time a thread has requested this \
             many bytes, for example after each pass; pages that are not written back yet stay; \
             only with `cold`",
        )
        .beside("cold_again"),
        Field::new(
            "read_ahead",
            Kind::Word(&READ_AHEADS),
            Default::PlainAs("random reads are announced as random"),
            "the advice to the kernel about the reads (`posix_fadvise`), which decides what it \
             reads ahead",
        )
        .beside("read_ahead"),
        Field::new(
            "verify_as",
            Kind::Word(&FORMS),
            Default::Given("\"fathom\""),
            "the form in which blocks describe themselves; those of fio's are one for each \
             request or `verify_interval`, with random data or a pattern that runs on through each \
             request where all are alike, and else begins anew in each block",
        )
        .beside("verify_as"),
        Field::new(
            "verify_interval",
            Kind::Size,
            Default::PlainAs("a request"),
            "bytes of a block in a form of fio's, with its header",
        )
        .beside("verify_interval"),
        Field::new(
            "verify_backlog",
            Kind::SmallCount,
            Default::PlainAs("none"),
            "writes of a thread after which it reads them back before it goes on, with \
             `verify = \"read_written\"`; these reads are part of what is measured, and what was \
             read so is not read again at the end",
        )
        .from(1, 1 << 20)
        .beside("verify_backlog"),
        Field::new(
            "data_file",
            Kind::Table(&DATA_FILE),
            Default::Plain,
            "with `fill = \"file\"`: the file that supplies the content of writes. Each write has \
             a random part of it, which begins at any byte; with `direct`, at a multiple of 512",
        )
        .beside("data_file"),
        Field::new(
            "idle",
            Kind::Flag,
            Default::Given("false"),
            "the targets are created and laid out, but the job makes no request",
        )
        .beside("idle"),
    ],
};

/// Requests of one size, reads and writes.
pub static EVERYDAY: Group = Group {
    name: "requests",
    plain: tree!(json!({})),
    fields: &[
        Field::new(
            "block_size",
            Kind::Size,
            Default::Plain,
            "bytes of a request",
        )
        .option(Opt::new(
            5,
            "block-size",
            "SIZE",
            "Size and alignment of all requests, as 8KiB",
        )),
        Field::new(
            "read",
            Kind::Share,
            Default::Given("100"),
            "share of reads; the others are writes",
        )
        .option(Opt::new(
            6,
            "read",
            "PERCENT",
            "Share of reads; the others write",
        )),
        Field::new(
            "random",
            Kind::Share,
            Default::Given("100"),
            "share of requests that go to a random place; each of the others continues where the \
             last one ended",
        )
        .option(Opt::new(
            7,
            "random",
            "PERCENT",
            "Share of requests that go to a random place; the others continue from the last",
        )),
        Field::new(
            "align",
            Kind::Size,
            Default::Like("block_size"),
            "random places are a multiple of this",
        ),
    ],
};
