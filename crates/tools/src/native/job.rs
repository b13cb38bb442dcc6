//! A job: its long form, and the short forms of every day.

use super::either::Either;
use super::group::{Tree, plain};
use super::pacing;
use super::table::Table;
use fathom_core::spec::Job;
use fathom_core::spec::fields::{DURABILITY, EVERYDAY, Field, Group, IO, JOB, Kind};
use serde_json::{Value, json};

/// Flushes next to a job, and whether they are of data only.
pub(super) const FLUSHES: [(&str, bool); 2] = [("fsync_every", false), ("fdatasync_every", true)];

/// The job, unless there is anything wrong with the text.
pub(super) fn read(table: &Table<'_>, default_name: String) -> Option<Job> {
    let mut tree = Tree::new();
    tree.insert("name".to_owned(), default_name.into());
    for field in JOB.fields {
        let value = value(table, field);
        table.settle(&mut tree, field, value);
    }
    table.reading().made(&tree, &JOB)
}

fn value(table: &Table<'_>, field: &Field) -> Option<Value> {
    match (field.name, &field.kind) {
        ("targets", _) => targets(table),
        ("pacing", _) => pacing::read(table),
        ("durability", _) => durability(table),
        ("io", _) => Some(kinds(table)),
        (_, Kind::Table(group)) if stands_beside(group) => {
            Some(Either::open(table, group).values()?.into())
        }
        _ => table.value(field.name, field),
    }
}

/// Whether the keys of a table may be next to the job.
fn stands_beside(group: &Group) -> bool {
    group.fields.iter().all(|field| field.short.is_some())
}

fn targets(table: &Table<'_>) -> Option<Value> {
    if let (Some(one), Some(all)) = (table.entry("target"), table.entry("targets")) {
        table.clash(&one, &all);
    }
    match table.text("target") {
        Some(one) => Some(json!([one])),
        None => Some(table.texts("targets")?.into()),
    }
}

fn durability(table: &Table<'_>) -> Option<Value> {
    let either = Either::open(table, &DURABILITY);
    let mut tree = match either.values() {
        Some(tree) => tree,
        None if FLUSHES.iter().any(|(key, _)| table.has(key)) => plain(&DURABILITY),
        None => return None,
    };
    for (key, data_only) in FLUSHES {
        let writes = either.pick(key, "sync", |_, _| table.small_count(key));
        if let Some(writes) = writes.filter(|_| !tree.contains_key("sync")) {
            let sync = json!({ "writes": writes, "data_only": data_only });
            tree.insert("sync".to_owned(), sync);
        }
    }
    let short = table.entries(&["sync", "fsync_every", "fdatasync_every"]);
    for pair in short.windows(2) {
        table.clash(&pair[0], &pair[1]);
    }
    Some(tree.into())
}

/// The `io` list, or one block size with a share of reads.
fn kinds(table: &Table<'_>) -> Value {
    let short = table.entries(&EVERYDAY.keys());
    if let Some(list) = table.entry("io") {
        if let Some(entry) = short.first() {
            table.clash(&list, entry);
        }
        let tables = table.tables("io", &[&IO.keys()]).unwrap_or_default();
        let trees = tables.iter().filter_map(|table| table.group(&IO));
        return trees.map(Value::Object).collect();
    }
    let Some(first) = short.first() else {
        return json!([]);
    };
    for index in 0..2 {
        for entry in &short {
            let path = || table.path(&format!("io[{index}].{}", entry.key));
            table.reading().place(path, &entry.span);
        }
        let path = || table.path(&format!("io[{index}]"));
        table.reading().place(path, &first.span);
    }
    table.reading().place(|| table.path("io"), &first.name);
    let Some(every) = table.group(&EVERYDAY) else {
        return json!([]);
    };
    reads_and_writes(every)
}

/// The kinds of request that a share of reads makes.
fn reads_and_writes(mut every: Tree) -> Value {
    let read = every.remove("read").and_then(|share| share.as_f64());
    let read = read.unwrap_or_default();
    if !every.contains_key("block_size") {
        return json!([]);
    }
    [("read", read), ("write", 100.0 - read)]
        .into_iter()
        .filter(|(_, weight)| *weight > 0.0)
        .map(|(op, weight)| {
            let mut kind = every.clone();
            kind.insert("op".to_owned(), op.into());
            kind.insert("weight".to_owned(), weight.into());
            Value::Object(kind)
        })
        .collect()
}
