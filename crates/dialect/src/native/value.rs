//! The values of a table, by key and kind.

use super::table::{Entry, Table, noun};
use crate::nearest::nearest;
use fathom_core::units::{Bytes, Nanos, Percent, Rate, UnitError};
use std::str::FromStr;
use toml::de::DeValue;

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

impl Table<'_> {
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
        self.read(key, &COUNT, whole)
    }

    /// A whole number that fits 32 bits.
    pub(super) fn small_count(&self, key: &'static str) -> Option<u32> {
        let count = self.count(key)?;
        u32::try_from(count).map_or_else(
            |_| {
                let entry = self.entry(key)?;
                let message = format!("`{count}` is too large for `{key}`");
                let remedy = format!("write at most {}", u32::MAX);
                self.reading().error(&entry.span, message, remedy);
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
            self.reading().error(
                &entry.span,
                format!("`{key}` is a share, and {share} is not from 0 to 100"),
                format!("write a number from 0 to 100, as in `{key} = 70`"),
            );
            return None;
        }
        Some(Percent(share))
    }

    pub(super) fn size(&self, key: &'static str) -> Option<Bytes> {
        let entry = self.entry(key)?;
        if let DeValue::Integer(_) = entry.value {
            let bytes = whole(entry.value).map(Bytes);
            if bytes.is_none() {
                self.wrong_kind(&entry, &SIZE);
            }
            return bytes;
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
                self.reading()
                    .error(&entry.span, message, advice(key, kind));
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
        self.reading().error(&entry.span, message, remedy);
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
            self.reading()
                .error(&entry.span, message, format!("write one of {list}"));
            return None;
        };
        let found = words.iter().find(|(word, _)| *word == text);
        if found.is_none() {
            self.reading().add(
                &entry.span,
                format!("`{text}` is not a value of `{key}`"),
                nearest(text, known()).map(|meant| format!("did you mean `\"{meant}\"`?")),
                Some(format!("write one of {list}")),
            );
        }
        found.map(|(_, value)| *value)
    }

    /// A list of some of a few words.
    pub(super) fn choices<T: Copy>(
        &self,
        key: &'static str,
        words: &[(&str, T)],
    ) -> Option<Vec<T>> {
        let entry = self.entry(key)?;
        let texts = self.texts(key)?;
        let mut values = Vec::new();
        for text in texts {
            if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
                values.push(*value);
                continue;
            }
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.reading().add(
                &entry.span,
                format!("`{text}` is not a value of `{key}`"),
                nearest(&text, known.iter().copied())
                    .map(|meant| format!("did you mean `\"{meant}\"`?")),
                Some(format!("write some of {}", known.join(", "))),
            );
            return None;
        }
        Some(values)
    }

    /// A list of texts.
    pub(super) fn texts(&self, key: &'static str) -> Option<Vec<String>> {
        let entry = self.entry(key)?;
        let texts = entry.value.as_array().and_then(|array| {
            let texts = array.iter().map(|item| item.get_ref().as_str());
            texts.map(|text| text.map(str::to_owned)).collect()
        });
        if texts.is_none() {
            self.reading().error(
                &entry.span,
                format!("`{key}` must be a list of texts"),
                format!("as in `{key} = [\"/data/a\", \"/data/b\"]`"),
            );
        }
        texts
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
        self.reading()
            .error(&entry.span, message, advice(entry.key, kind));
    }
}

fn whole(value: &DeValue<'_>) -> Option<u64> {
    match value {
        DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
        DeValue::String(text) => text.parse().ok(),
        _ => None,
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
