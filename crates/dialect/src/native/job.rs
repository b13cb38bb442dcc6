//! A job: its long form, and the short forms of every day.

use super::either::Either;
use super::print::PATTERN;
use super::table::Table;
use super::{access, keys, pacing};
use fathom_core::op::Op;
use fathom_core::spec::{
    Data, Durability, Fill, Floor, IoKind, Job, JobStop, PatternError, QueueScope, Replay,
    SyncEvery, Verify,
};
use fathom_core::units::{Bytes, Nanos, Percent};

const QUEUE_SCOPES: [(&str, QueueScope); 2] = [
    ("per_target", QueueScope::PerTarget),
    ("shared", QueueScope::Shared),
];
const VERIFIES: [(&str, Verify); 4] = [
    ("off", Verify::Off),
    ("stamp", Verify::Stamp),
    ("check", Verify::Check),
    ("read_back", Verify::ReadBack),
];
const FILLS: [(&str, Fill); 3] = [
    ("zero", Fill::Zero),
    ("random", Fill::Random),
    ("counting", Fill::Counting),
];
const OPS: [(&str, Op); 3] = [("read", Op::Read), ("write", Op::Write), ("trim", Op::Trim)];

const RECORDED: [(&str, Op); 4] = [
    ("read", Op::Read),
    ("write", Op::Write),
    ("trim", Op::Trim),
    ("flush", Op::Flush),
];

pub(super) fn read(table: &Table<'_>, default_name: String) -> Job {
    Job {
        name: table.text("name").unwrap_or(default_name),
        targets: targets(table),
        threads: table.small_count("threads").unwrap_or(1),
        queue_depth: table.small_count("queue_depth").unwrap_or(1),
        queue_scope: table
            .choice("queue_scope", &QUEUE_SCOPES)
            .unwrap_or(QueueScope::PerTarget),
        size: table.size("size"),
        offset: table.size("offset").unwrap_or_default(),
        window: table.size("window"),
        fresh: table.flag("fresh").unwrap_or(false),
        cold: table.flag("cold").unwrap_or(false),
        warm: table.flag("warm").unwrap_or(false),
        access: access::read(table),
        pacing: pacing::read(table),
        after: table.text("after"),
        delay: table.time("delay").unwrap_or_default(),
        replay: replay(table),
        durability: durability(table),
        data: data(table),
        verify: table.choice("verify", &VERIFIES).unwrap_or(Verify::Off),
        stop: stop(table),
        kinds: kinds(table),
    }
}

fn targets(table: &Table<'_>) -> Vec<String> {
    if let (Some(one), Some(all)) = (table.entry("target"), table.entry("targets")) {
        table.clash(&one, &all);
    }
    match table.text("target") {
        Some(one) => vec![one],
        None => table.texts("targets").unwrap_or_default(),
    }
}

fn durability(table: &Table<'_>) -> Durability {
    let either = Either::open(table, "durability", keys::DURABILITY);
    let mut sync = either.same("sync", |table, key| {
        let table = table.table(key, keys::SYNC)?;
        let writes = table.needed("writes", "32", table.small_count("writes"));
        Some(SyncEvery {
            writes: writes?,
            data_only: table.flag("data_only").unwrap_or(false),
        })
    });
    for (key, data_only) in [("fsync_every", false), ("fdatasync_every", true)] {
        let writes = either.pick(key, "sync", |_, _| table.small_count(key));
        sync = sync.or(writes.map(|writes| SyncEvery { writes, data_only }));
    }
    let short = table.entries(&["sync", "fsync_every", "fdatasync_every"]);
    for pair in short.windows(2) {
        table.clash(&pair[0], &pair[1]);
    }
    Durability {
        direct: either.same("direct", Table::flag).unwrap_or(true),
        write_through: either.same("write_through", Table::flag).unwrap_or(false),
        sync,
    }
}

fn data(table: &Table<'_>) -> Data {
    let either = Either::open(table, "data", keys::DATA);
    let fill = either.same("fill", |table, key| self::fill(table, key));
    let compressible_to = either.same("compressible_to", Table::share);
    Data {
        fill: fill.unwrap_or(Fill::Random),
        compressible_to: compressible_to.unwrap_or(Percent::ALL),
        duplicate: either
            .same("duplicate", Table::share)
            .unwrap_or(Percent::ZERO),
    }
}

/// A word, or `pattern:` with its bytes.
fn fill(table: &Table<'_>, key: &'static str) -> Option<Fill> {
    let entry = table.entry(key)?;
    let Some(bytes) = entry
        .value
        .as_str()
        .and_then(|text| text.strip_prefix(PATTERN))
    else {
        return table.choice(key, &FILLS);
    };
    match bytes.parse() {
        Ok(pattern) => Some(Fill::Pattern(pattern)),
        Err(error) => {
            let help = "write hexadecimal digits in pairs, and `%o` where the offset of the \
                        request goes, as in `\"pattern:deadbeef%o\"`";
            let error: PatternError = error;
            table
                .reading()
                .error(&entry.span, error.to_string(), help.to_owned());
            None
        }
    }
}

fn stop(table: &Table<'_>) -> JobStop {
    let either = Either::open(table, "stop", keys::STOP);
    JobStop {
        bytes: either.pick("stop_bytes", "bytes", Table::size),
        ios: either.pick("stop_ios", "ios", Table::count),
        time: either.pick("stop_time", "time", Table::time),
        floor: either.same("floor", floor),
    }
}

/// What the job must not be slower than.
fn floor(table: &Table<'_>, key: &'static str) -> Option<Floor> {
    let table = table.table(key, keys::FLOOR)?;
    Some(Floor {
        ios: table.count("ios"),
        bytes: table.size("bytes"),
        over: table.time("over").unwrap_or(Nanos::from_secs(1)),
    })
}

/// Requests of a trace; `speed` counts in percent of the recorded one, all of it by default.
fn replay(table: &Table<'_>) -> Option<Replay> {
    let table = table.table("replay", keys::REPLAY)?;
    Some(Replay {
        trace: table.needed("trace", "\"run.log\"", table.text("trace"))?,
        speed: table.number("speed").map(Percent),
        shrink: table.count("shrink").unwrap_or(1),
        align: table.size("align"),
        without: table.choices("without", &RECORDED).unwrap_or_default(),
    })
}

/// The `io` list, or one block size with a share of reads.
fn kinds(table: &Table<'_>) -> Vec<IoKind> {
    const SHORT: [&str; 4] = ["block_size", "read", "random", "align"];
    let short = table.entries(&SHORT);
    if let Some(list) = table.entry("io") {
        if let Some(entry) = short.first() {
            table.clash(&list, entry);
        }
        let tables = table.tables("io", &[keys::IO]).unwrap_or_default();
        return tables.iter().filter_map(kind).collect();
    }
    let Some(first) = short.first() else {
        return Vec::new();
    };
    for index in 0..2 {
        for entry in &short {
            let path = table.path(&format!("io[{index}].{}", entry.key));
            table.reading().place(path, entry.span.clone());
        }
        let path = table.path(&format!("io[{index}]"));
        table.reading().place(path, first.span.clone());
    }
    table.reading().place(table.path("io"), first.name.clone());
    let read = table.share("read").unwrap_or(Percent::ALL);
    let random = table.share("random").unwrap_or(Percent::ALL);
    let align = table.size("align");
    let Some(block_size) = table.size("block_size") else {
        return Vec::new();
    };
    [(Op::Read, read.0), (Op::Write, 100.0 - read.0)]
        .into_iter()
        .filter(|(_, weight)| *weight > 0.0)
        .map(|(op, weight)| IoKind {
            op,
            block_size,
            random,
            align: align.unwrap_or(block_size),
            weight,
        })
        .collect()
}

/// One kind of request of the list.
fn kind(table: &Table<'_>) -> Option<IoKind> {
    let op = table.needed("op", "\"read\"", op(table));
    let block_size = table.needed("block_size", "\"8KiB\"", table.size("block_size"));
    let random = table.share("random").unwrap_or(Percent::ALL);
    let align = table.size("align");
    let weight = table.number("weight").unwrap_or(1.0);
    let block_size: Bytes = block_size?;
    Some(IoKind {
        op: op?,
        block_size,
        random,
        align: align.unwrap_or(block_size),
        weight,
    })
}

/// A flush is no choice, but a rule of the validation says what to write for it.
fn op(table: &Table<'_>) -> Option<Op> {
    let entry = table.entry("op")?;
    if entry.value.as_str() == Some(Op::Flush.name()) {
        return Some(Op::Flush);
    }
    table.choice("op", &OPS)
}
