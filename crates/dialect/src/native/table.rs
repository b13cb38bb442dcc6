//! A table of the text, and its values by key and kind.
//!
//! Every reader answers `None` both for a key that is not there and for a value that cannot be
//! read; in the second case the reason has been noted, and the text as a whole is refused.

use super::keys::{self, Form};
use super::reading::Reading;
use crate::nearest::nearest;
use fathom_core::units::{Bytes, Nanos, Percent, Rate, UnitError};
use std::ops::Range;
use std::str::FromStr;
use toml::de::{DeTable, DeValue};

/// Number of keys that are still listed when it is clear which one was meant.
const LIST: usize = 20;

/// A kind of value: what it is called, and how one looks.
struct Kind {
    noun: &'static str,
    example: &'static str,
}

const TEXT: Kind = Kind {
    noun: "a text",
    example: "\"name\"",
};
const FLAG: Kind = Kind {
    noun: "true or false",
    example: "true",
};
const COUNT: Kind = Kind {
    noun: "a whole number",
    example: "4",
};
const NUMBER: Kind = Kind {
    noun: "a number",
    example: "1.5",
};
const SHARE: Kind = Kind {
    noun: "a share in percent",
    example: "70",
};
const SIZE: Kind = Kind {
    noun: "a size",
    example: "\"8KiB\"",
};
const TIME: Kind = Kind {
    noun: "a time with its unit",
    example: "\"30s\"",
};
const RATE: Kind = Kind {
    noun: "a rate with its unit",
    example: "\"1000 IOPS\"",
};

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
        reading.place(path.clone(), span.clone());
        let table = Self {
            reading,
            entries,
            path,
            span,
        };
        for key in entries.keys() {
            if !known.iter().any(|group| group.contains(&&**key.get_ref())) {
                table.unknown(key.get_ref(), &key.span(), known);
            }
        }
        table
    }

    pub(super) fn reading(&self) -> &'r Reading {
        self.reading
    }

    /// The path of a value in the resolved workload.
    pub(super) fn path(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// Reads this table again as the one that resolves to another path.
    pub(super) fn as_path(&self, path: String) -> Self {
        self.reading.place(path.clone(), self.span.clone());
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
        self.reading.place(self.path(key), value.span());
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
            // The whole list would hide the one that was meant.
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

    pub(super) fn text(&self, key: &'static str) -> Option<String> {
        self.read(key, &TEXT, |value| value.as_str().map(str::to_owned))
    }

    pub(super) fn flag(&self, key: &'static str) -> Option<bool> {
        self.read(key, &FLAG, |value| match value {
            DeValue::Boolean(flag) => Some(*flag),
            _ => None,
        })
    }

    /// A whole number that is not negative; above the largest integer of TOML as a text.
    pub(super) fn count(&self, key: &'static str) -> Option<u64> {
        self.read(key, &COUNT, |value| match value {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            DeValue::String(text) => text.parse().ok(),
            _ => None,
        })
    }

    /// A whole number that fits 32 bits.
    pub(super) fn small_count(&self, key: &'static str) -> Option<u32> {
        let count = self.count(key)?;
        u32::try_from(count).map_or_else(
            |_| {
                let entry = self.entry(key)?;
                let message = format!("`{count}` is too large for `{key}`");
                let remedy = format!("write at most {}", u32::MAX);
                self.reading.error(&entry.span, message, remedy);
                None
            },
            Some,
        )
    }

    pub(super) fn number(&self, key: &'static str) -> Option<f64> {
        self.read(key, &NUMBER, number)
    }

    pub(super) fn share(&self, key: &'static str) -> Option<Percent> {
        let entry = self.entry(key)?;
        let share = match entry.value {
            DeValue::String(text) => text.trim().trim_end_matches('%').trim().parse().ok(),
            other => number(other),
        };
        let Some(share) = share else {
            self.wrong_kind(&entry, &SHARE);
            return None;
        };
        if !Percent(share).is_valid() {
            self.reading.error(
                &entry.span,
                format!("`{key}` is a share, and {share} is not from 0 to 100"),
                format!("write a number from 0 to 100, as in `{key} = 70`"),
            );
            return None;
        }
        Some(Percent(share))
    }

    pub(super) fn size(&self, key: &'static str) -> Option<Bytes> {
        if let Some(DeValue::Integer(_)) = self.entry(key).map(|entry| entry.value) {
            return self.count(key).map(Bytes);
        }
        self.quantity(key, &SIZE)
    }

    pub(super) fn time(&self, key: &'static str) -> Option<Nanos> {
        self.quantity(key, &TIME)
    }

    pub(super) fn rate(&self, key: &'static str) -> Option<Rate> {
        self.quantity(key, &RATE)
    }

    fn quantity<T: FromStr<Err = UnitError>>(&self, key: &'static str, kind: &Kind) -> Option<T> {
        let entry = self.entry(key)?;
        let parsed = match entry.value {
            DeValue::String(text) => text.parse::<T>(),
            // Nothing is nothing in every unit.
            DeValue::Integer(number) if number.as_str() == "0" => "0".parse(),
            DeValue::Integer(_) | DeValue::Float(_) => {
                let message = format!("`{key}` has no unit");
                self.reading.error(&entry.span, message, advice(key, kind));
                return None;
            }
            _ => {
                self.wrong_kind(&entry, kind);
                return None;
            }
        };
        let error = match parsed {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        let (message, remedy) = match error {
            UnitError::Malformed {
                what,
                text,
                expected,
            } => {
                let message = format!("`{text}` is not a {what}");
                (message, format!("write {expected}"))
            }
            UnitError::TooLarge { .. } => (error.to_string(), advice(key, kind)),
        };
        self.reading.error(&entry.span, message, remedy);
        None
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(&self, key: &'static str, words: &[(&str, T)]) -> Option<T> {
        let entry = self.entry(key)?;
        let known = || words.iter().map(|(word, _)| *word);
        let list = known()
            .map(|word| format!("`\"{word}\"`"))
            .collect::<Vec<_>>()
            .join(", ");
        let Some(text) = entry.value.as_str() else {
            let message = format!("`{key}` is {}, but must be a word", noun(entry.value));
            self.reading
                .error(&entry.span, message, format!("write one of {list}"));
            return None;
        };
        let found = words.iter().find(|(word, _)| *word == text);
        if found.is_none() {
            self.reading.add(
                &entry.span,
                format!("`{text}` is not a value of `{key}`"),
                nearest(text, known()).map(|meant| format!("did you mean `\"{meant}\"`?")),
                Some(format!("write one of {list}")),
            );
        }
        found.map(|(_, value)| *value)
    }

    /// A list of texts.
    pub(super) fn texts(&self, key: &'static str) -> Option<Vec<String>> {
        let entry = self.entry(key)?;
        let texts = entry.value.as_array().and_then(|array| {
            let texts = array.iter().map(|item| item.get_ref().as_str());
            texts.map(|text| text.map(str::to_owned)).collect()
        });
        if texts.is_none() {
            self.reading.error(
                &entry.span,
                format!("`{key}` must be a list of texts"),
                format!("as in `{key} = [\"/data/a\", \"/data/b\"]`"),
            );
        }
        texts
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

    /// One of several forms of a value: its name, and the table below it if there is one. What
    /// is in that table resolves to keys beside the name, not below it.
    pub(super) fn form(
        &self,
        key: &'static str,
        forms: &'static [Form],
        example: &str,
    ) -> Option<(&'static str, Option<Table<'r>>)> {
        let entry = self.entry(key)?;
        let names: Vec<&'static str> = forms.iter().map(|form| form.name).collect();
        if let Some(word) = entry.value.as_str() {
            return self.word(&entry, word, forms, example);
        }
        let outer = self.table(key, &names)?;
        let entries = outer.entries(&names);
        let [one] = entries.as_slice() else {
            if let [one, other, ..] = entries.as_slice() {
                self.clash(one, other);
            } else if outer.entries.is_empty() {
                let message = format!("`{key}` does not say which");
                self.reading.error(&entry.span, message, example);
            }
            return None;
        };
        let form = forms.iter().find(|form| form.name == one.key)?;
        let inner = outer.table(form.name, form.keys)?;
        Some((form.name, Some(inner.as_path(outer.path))))
    }

    fn word(
        &self,
        entry: &Entry<'r>,
        word: &str,
        forms: &'static [Form],
        example: &str,
    ) -> Option<(&'static str, Option<Table<'r>>)> {
        let found = forms.iter().find(|form| form.name == word);
        match found {
            Some(form) if form.alone => return Some((form.name, None)),
            Some(form) => {
                let message = format!("`{word}` alone does not say enough");
                let remedy = format!("its table has {}; {example}", form.keys.join(", "));
                self.reading.error(&entry.span, message, remedy);
            }
            None => {
                let names = forms.iter().map(|form| form.name);
                let list: Vec<&str> = names.clone().collect();
                self.reading.add(
                    &entry.span,
                    format!("`{word}` is not a value of `{}`", entry.key),
                    nearest(word, names).map(|meant| format!("did you mean `{meant}`?")),
                    Some(format!("the choices are {}; {example}", list.join(", "))),
                );
            }
        }
        None
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
                format!("write a header with two brackets, as in `[[{key}]]`"),
            );
            return None;
        };
        let mut tables = Vec::new();
        for (index, item) in items.enumerate() {
            let Some(entries) = item.get_ref().as_table() else {
                let message = format!(
                    "`{key}` has {} in it, but must be a list of tables",
                    noun(item.get_ref())
                );
                let remedy = format!("write `[[{key}]]` above the keys of each");
                self.reading.error(&item.span(), message, remedy);
                continue;
            };
            let path = format!("{}[{index}]", self.path(key));
            tables.push(Table::open(self.reading, entries, path, item.span(), known));
        }
        Some(tables)
    }

    fn read<T>(
        &self,
        key: &'static str,
        kind: &Kind,
        read: impl FnOnce(&DeValue<'_>) -> Option<T>,
    ) -> Option<T> {
        let entry = self.entry(key)?;
        let value = read(entry.value);
        if value.is_none() {
            self.wrong_kind(&entry, kind);
        }
        value
    }

    fn wrong_kind(&self, entry: &Entry<'_>, kind: &Kind) {
        let message = format!(
            "`{}` is {}, but must be {}",
            entry.key,
            noun(entry.value),
            kind.noun
        );
        self.reading
            .error(&entry.span, message, advice(entry.key, kind));
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
        let line = self.reading.line(&first.name);
        self.reading.error(
            &second.name,
            format!(
                "`{}` contradicts `{}` of line {line}: both say the same thing",
                second.key, first.key
            ),
            "keep one of the two",
        );
    }
}

fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .ok()
            .map(|number| number as f64),
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

fn advice(key: &str, kind: &Kind) -> String {
    format!("write {}, as in `{key} = {}`", kind.noun, kind.example)
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
