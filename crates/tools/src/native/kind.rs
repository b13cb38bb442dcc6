//! Every kind of value, once: how it is read and how it is written.
#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method of a table of one lifetime is no function for tables of any"
)]

use super::group::Tree;
use super::print::{count, form, inline, items, word};
use super::table::Table;
use super::toml_text::{List, number, quoted, text};
use fathom_core::spec::fields::{Field, Group, Kind, Layout, ValueForm};
use serde_json::Value;

/// Before the bytes of a pattern.
pub(super) const PATTERN: &str = "pattern:";
/// Before what tells the data of a task of IOR.
pub(super) const IOR: &str = "ior:";

/// Reads the value of a field below a key of the text.
type Read<'k> = Box<dyn Fn(&Table<'_>, &'static str, &Field) -> Option<Value> + 'k>;

/// A kind of value.
pub(super) struct ValueKind<'k> {
    pub(super) read: Read<'k>,
    /// A value as text.
    pub(super) write: Box<dyn Fn(&Value) -> String + 'k>,
}

impl<'k> ValueKind<'k> {
    fn new(
        read: impl Fn(&Table<'_>, &'static str, &Field) -> Option<Value> + 'k,
        write: impl Fn(&Value) -> String + 'k,
    ) -> Self {
        Self {
            read: Box::new(read),
            write: Box::new(write),
        }
    }

    /// A kind that is read alike whatever the field.
    fn plain<T: Into<Value>>(
        read: impl Fn(&Table<'_>, &'static str) -> Option<T> + 'k,
        write: impl Fn(&Value) -> String + 'k,
    ) -> Self {
        let read = move |table: &Table<'_>, key, _: &Field| Some(read(table, key)?.into());
        Self::new(read, write)
    }

    /// A quantity with its unit, none of which has a character to escape.
    fn quantity<T: ToString>(read: impl Fn(&Table<'_>, &'static str) -> Option<T> + 'k) -> Self {
        let read = move |table: &Table<'_>, key| Some(read(table, key)?.to_string());
        Self::plain(read, |value| quoted(word(value)))
    }
}

/// How values of a kind are read and written.
pub(super) fn way(kind: &Kind) -> ValueKind<'_> {
    match kind {
        Kind::Text => ValueKind::plain(|table, key| table.text(key), |value| text(word(value))),
        Kind::Texts => ValueKind::plain(|table, key| table.texts(key), texts),
        Kind::Flag => ValueKind::plain(|table, key| table.flag(key), Value::to_string),
        Kind::Count => ValueKind::plain(|table, key| table.count(key), count),
        Kind::SmallCount => ValueKind::plain(|table, key| table.small_count(key), Value::to_string),
        Kind::Integer => ValueKind::plain(|table, key| table.integer(key), Value::to_string),
        Kind::SmallCounts => ValueKind::plain(|table, key| table.small_counts(key), counts),
        Kind::Number => ValueKind::plain(|table, key| table.number(key), decimal),
        Kind::Share => {
            let read = |table: &Table<'_>, key| Some(table.share(key)?.0);
            ValueKind::plain(read, decimal)
        }
        Kind::Size => ValueKind::quantity(|table, key| table.size(key)),
        Kind::Time => ValueKind::quantity(|table, key| table.time(key)),
        Kind::Rate => ValueKind::quantity(|table, key| table.rate(key)),
        Kind::Word(words) => ValueKind::new(
            |table, key, _| Some(table.choice(key, words)?.into()),
            |value| text(word(value)),
        ),
        Kind::Words(words) => ValueKind::new(
            |table, key, _| Some(table.choices(key, words)?.into()),
            texts,
        ),
        Kind::Fill(words) => ValueKind::new(|table, key, _| table.fill(key, words), filled),
        Kind::Form(forms) => one_of(forms),
        Kind::Table(group) => table(group),
        Kind::Tables(group, layout) => tables(group, *layout),
    }
}

fn one_of(forms: &'static [ValueForm]) -> ValueKind<'static> {
    ValueKind::new(
        move |table, key, field| table.one_of(key, forms, field.example),
        move |value| form(forms, value),
    )
}

fn table(group: &Group) -> ValueKind<'_> {
    ValueKind::plain(
        |table, key| table.table(key, &group.keys())?.group(group),
        |value| inline(group, value).to_string(),
    )
}

fn tables(group: &Group, layout: Layout) -> ValueKind<'_> {
    let read = |table: &Table<'_>, key, _: &Field| {
        let tables = table.tables(key, &[&group.keys()])?;
        let trees: Vec<Option<Tree>> = tables.iter().map(|table| table.group(group)).collect();
        Some(trees.into_iter().collect::<Option<Vec<Tree>>>()?.into())
    };
    let each = |value: &Value| -> Vec<_> {
        let tables = items(value).iter();
        tables.map(|one| inline(group, one)).collect()
    };
    match layout {
        Layout::Inline => ValueKind::new(read, move |value| {
            let tables: Vec<String> = each(value).iter().map(ToString::to_string).collect();
            format!("[{}]", tables.join(", "))
        }),
        Layout::Headers | Layout::Lines => {
            ValueKind::new(read, move |value| List(each(value)).to_string())
        }
    }
}

fn texts(value: &Value) -> String {
    let texts: Vec<String> = items(value).iter().map(|one| text(word(one))).collect();
    format!("[{}]", texts.join(", "))
}

fn counts(value: &Value) -> String {
    let counts: Vec<String> = items(value).iter().map(Value::to_string).collect();
    format!("[{}]", counts.join(", "))
}

fn decimal(value: &Value) -> String {
    number(value.as_f64().unwrap_or(f64::NAN))
}

fn filled(value: &Value) -> String {
    let told = [("pattern", PATTERN), ("ior", IOR)];
    let mut told = told.into_iter();
    let told = told.find_map(|(key, prefix)| Some((prefix, value.get(key)?)));
    match told {
        Some((prefix, told)) => text(&format!("{prefix}{}", word(told))),
        None => text(word(value)),
    }
}
