//! A table of the text: its keys, those it must not have, and the tables below it.
//!
//! Every reader, here and in [`value`](super::value) and [`form`](super::form), answers `None` both
//! for a key that is not there and for a value that cannot be read; in the second case the reason
//! has been noted, and the text as a whole is refused.

use super::keys;
use super::reading::Reading;
use fathom_core::nearest::nearest;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Number of keys that are still listed when it is clear which one was intended.
const LIST: usize = 20;

/// A table with the path of what it resolves to.
pub(super) struct Table<'r> {
    reading: &'r Reading,
    entries: &'r DeTable<'r>,
    path: String,
    span: Range<usize>,
}

/// A value with its key.
#[derive(Clone)]
pub(super) struct Entry<'r> {
    pub(super) key: &'static str,
    pub(super) value: &'r DeValue<'r>,
    /// Where the key is written.
    pub(super) name: Range<usize>,
    /// Where the value is written.
    pub(super) span: Range<usize>,
}

impl<'r> Table<'r> {
    /// The table at `path`, every key of which must be in one of the `known` groups.
    pub(super) fn open(
        reading: &'r Reading,
        entries: &'r DeTable<'r>,
        path: String,
        span: Range<usize>,
        known: &[&[&'static str]],
    ) -> Self {
        reading.place(|| path.clone(), &span);
        let table = Self {
            reading,
            entries,
            path,
            span,
        };
        for key in entries.keys() {
            if reading.is_hopeless() {
                break;
            }
            if !known.iter().any(|group| group.contains(&&**key.get_ref())) {
                table.unknown(key.get_ref(), &key.span(), known);
            }
        }
        table
    }

    pub(super) fn reading(&self) -> &'r Reading {
        self.reading
    }

    /// The path of a value in the resolved workload; nothing where nobody asks for places.
    pub(super) fn path(&self, key: &str) -> String {
        if !self.reading.keeps_places() {
            String::new()
        } else if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// The path of a table of a list.
    fn path_of_item(&self, key: &str, index: usize) -> String {
        if self.reading.keeps_places() {
            format!("{}[{index}]", self.path(key))
        } else {
            String::new()
        }
    }

    /// The path of the table itself in the resolved workload.
    pub(super) fn own_path(&self) -> String {
        self.path.clone()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Reads this table again as the one that resolves to another path.
    pub(super) fn as_path(&self, path: String) -> Self {
        self.reading.place(|| path.clone(), &self.span);
        Self {
            reading: self.reading,
            entries: self.entries,
            path,
            span: self.span.clone(),
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    pub(super) fn entry(&self, key: &'static str) -> Option<Entry<'r>> {
        let (name, value) = self.entries.get_key_value(key)?;
        self.reading.place(|| self.path(key), &value.span());
        Some(Entry {
            key,
            value: value.get_ref(),
            name: name.span(),
            span: value.span(),
        })
    }

    /// The entries that are there, of a list of keys.
    pub(super) fn entries(&self, keys: &[&'static str]) -> Vec<Entry<'r>> {
        keys.iter().filter_map(|key| self.entry(key)).collect()
    }

    fn unknown(&self, key: &str, span: &Range<usize>, known: &[&[&'static str]]) {
        if self.reading.is_full() {
            // It is only counted: the intended one need not be looked for.
            self.reading
                .add(span, format!("unknown key `{key}`"), None, None);
            return;
        }
        let mut all: Vec<&str> = Vec::new();
        for key in known.iter().copied().flatten() {
            if !all.contains(key) {
                all.push(key);
            }
        }
        let meant = keys::translated(key)
            .filter(|translated| all.contains(translated))
            .or_else(|| nearest(key, all.iter().copied()));
        let remedy = match (keys::home(key), meant) {
            (Some(home), None) => Some(format!("`{key}` is a key of {home}")),
            // The whole list would hide the intended one.
            (_, Some(_)) if all.len() > LIST => None,
            _ => Some(format!("the keys here are {}", all.join(", "))),
        };
        self.reading.add(
            span,
            format!("unknown key `{key}`"),
            meant.map(|meant| format!("did you mean `{meant}`?")),
            remedy,
        );
    }

    /// The table below a key.
    pub(super) fn table(&self, key: &'static str, known: &[&'static str]) -> Option<Table<'r>> {
        let entry = self.entry(key)?;
        let Some(entries) = entry.value.as_table() else {
            self.reading.error(
                &entry.span,
                format!("`{key}` is {}, but must be a table", noun(entry.value)),
                format!("its keys are {}", known.join(", ")),
            );
            return None;
        };
        let path = self.path(key);
        Some(Table::open(
            self.reading,
            entries,
            path,
            entry.span,
            &[known],
        ))
    }

    /// The tables of a list below a key; without the key, none.
    pub(super) fn tables(
        &self,
        key: &'static str,
        known: &[&[&'static str]],
    ) -> Option<Vec<Table<'r>>> {
        let entry = self.entry(key)?;
        let items = entry.value.as_array().map(|array| array.iter());
        let Some(items) = items else {
            self.reading.error(
                &entry.span,
                format!("`{key}` is {}, but must be a list", noun(entry.value)),
                self.as_list(&entry),
            );
            return None;
        };
        let mut tables = Vec::new();
        for (index, item) in items.enumerate() {
            if self.reading.is_hopeless() {
                break;
            }
            let Some(entries) = item.get_ref().as_table() else {
                let message = format!(
                    "`{key}` has {} in it, but must be a list of tables",
                    noun(item.get_ref())
                );
                let remedy = "write each as a table in braces, or below a header of its own";
                self.reading.error(&item.span(), message, remedy);
                continue;
            };
            let path = self.path_of_item(key, index);
            if !self.reading.asks_for(&path) {
                continue;
            }
            tables.push(Table::open(self.reading, entries, path, item.span(), known));
        }
        Some(tables)
    }

    /// How to make a list of what is written as one table.
    fn as_list(&self, entry: &Entry<'_>) -> String {
        match self.reading.quoted(&entry.span) {
            Some(header) if header.starts_with('[') => {
                format!("write the header with two brackets, `[{header}]`")
            }
            _ => format!("write a list of tables, as in `{} = [{{ … }}]`", entry.key),
        }
    }

    /// A key without which its table means nothing.
    pub(super) fn needed<T>(
        &self,
        key: &'static str,
        example: &str,
        value: Option<T>,
    ) -> Option<T> {
        if value.is_none() && !self.has(key) {
            self.reading.error(
                &self.span,
                format!("`{key}` is missing"),
                format!("add it, as in `{key} = {example}`"),
            );
        }
        value
    }

    /// Notes that two keys say the same thing.
    pub(super) fn clash(&self, one: &Entry<'_>, other: &Entry<'_>) {
        let (first, second) = if one.name.start < other.name.start {
            (one, other)
        } else {
            (other, one)
        };
        // Of those that are only counted nobody reads it.
        let line = if self.reading.is_full() {
            0
        } else {
            self.reading.line(&first.name)
        };
        self.reading.error(
            &second.name,
            format!(
                "`{}` and `{}` of line {line} say the same thing",
                second.key, first.key
            ),
            "keep one of the two",
        );
    }
}

/// What a value of the text is called.
pub(super) fn noun(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(number) if number.as_str().starts_with('-') => "a negative number",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
