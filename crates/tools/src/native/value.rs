//! The values of a table, by key and kind.

use super::kind::{IOR, PATTERN};
use super::table::{Entry, Table, noun};
use fathom_core::nearest::nearest;
use fathom_core::spec::fields::Word;
use fathom_core::spec::{IorData, IorDataError, Pattern, PatternError};
use fathom_core::units::{Bytes, Nanos, Percent, Rate, UnitError};
use serde_json::{Value, json};
use std::str::FromStr;
use toml::de::DeValue;

/// What a value is called, and how one looks.
struct Noun {
    noun: &'static str,
    example: &'static str,
}

const TEXT: Noun = Noun {
    noun: "a text",
    example: "\"name\"",
};
const FLAG: Noun = Noun {
    noun: "true or false",
    example: "true",
};
const COUNT: Noun = Noun {
    noun: "a whole number",
    example: "4",
};
const INTEGER: Noun = Noun {
    noun: "a whole number of 32 bits",
    example: "-4",
};
const NUMBER: Noun = Noun {
    noun: "a number",
    example: "1.5",
};
const SHARE: Noun = Noun {
    noun: "a share in percent",
    example: "70",
};
const SIZE: Noun = Noun {
    noun: "a size",
    example: "\"8KiB\"",
};
const TIME: Noun = Noun {
    noun: "a time with its unit",
    example: "\"30s\"",
};
const RATE: Noun = Noun {
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

    /// A whole number that fits 32 bits with its sign.
    pub(super) fn integer(&self, key: &'static str) -> Option<i32> {
        self.read(key, &INTEGER, |value| {
            let number = value.as_integer()?;
            i32::from_str_radix(number.as_str(), number.radix()).ok()
        })
    }

    /// Whole numbers that fit 32 bits.
    pub(super) fn small_counts(&self, key: &'static str) -> Option<Vec<u32>> {
        let read = |value: &DeValue<'_>| -> Option<Vec<u32>> {
            let items = value.as_array()?.iter();
            let counts = items.map(|item| u32::try_from(whole(item.get_ref())?).ok());
            counts.collect()
        };
        let entry = self.entry(key)?;
        let counts = read(entry.value);
        if counts.is_none() {
            self.reading().error(
                &entry.span,
                format!("`{key}` must be a list of whole numbers up to {}", u32::MAX),
                format!("as in `{key} = [1, 3]`"),
            );
        }
        counts
    }

    pub(super) fn number(&self, key: &'static str) -> Option<f64> {
        let number = self.read(key, &NUMBER, number)?;
        if !number.is_finite() {
            let entry = self.entry(key)?;
            let message = format!("`{key}` cannot be {number}");
            self.reading()
                .error(&entry.span, message, advice(key, &NUMBER));
            return None;
        }
        Some(number)
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

    fn quantity<T: FromStr<Err = UnitError>>(&self, key: &'static str, kind: &Noun) -> Option<T> {
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
    pub(super) fn choice(&self, key: &'static str, words: &[Word]) -> Option<&'static str> {
        let entry = self.entry(key)?;
        let offered = words.iter().filter(|word| !word.is_refused);
        let known = || offered.clone().map(|word| word.word);
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
        let found = words.iter().find(|word| word.word == text);
        if found.is_none() {
            self.reading().add(
                &entry.span,
                format!("`{text}` is not a value of `{key}`"),
                nearest(text, known()).map(|meant| format!("did you mean `\"{meant}\"`?")),
                Some(format!("write one of {list}")),
            );
        }
        found.map(|word| word.word)
    }

    /// A list of some of a few words.
    pub(super) fn choices(&self, key: &'static str, words: &[Word]) -> Option<Vec<String>> {
        let entry = self.entry(key)?;
        let texts = self.texts(key)?;
        let known: Vec<&str> = words.iter().map(|word| word.word).collect();
        for text in &texts {
            if known.contains(&text.as_str()) {
                continue;
            }
            self.reading().add(
                &entry.span,
                format!("`{text}` is not a value of `{key}`"),
                nearest(text, known.iter().copied())
                    .map(|meant| format!("did you mean `\"{meant}\"`?")),
                Some(format!("write some of {}", known.join(", "))),
            );
            return None;
        }
        Some(texts)
    }

    /// A word, `pattern:` with its bytes, or `ior:` with what tells IOR's.
    pub(super) fn fill(&self, key: &'static str, words: &[Word]) -> Option<Value> {
        let entry = self.entry(key)?;
        let text = entry.value.as_str();
        if let Some(data) = text.and_then(|text| text.strip_prefix(IOR)) {
            let data: Result<IorData, IorDataError> = data.parse();
            let said = data.map(|data| json!({ "ior": data }));
            return said
                .map_err(|error| {
                    let help = "as in `\"ior:timestamp/3/1700000000\"`: timestamp, offset, \
                                incompressible or random, the task, and what `-G` of IOR says";
                    self.reading().error(&entry.span, error.to_string(), help);
                })
                .ok();
        }
        let Some(bytes) = text.and_then(|text| text.strip_prefix(PATTERN)) else {
            return Some(self.choice(key, words)?.into());
        };
        let pattern: Result<Pattern, PatternError> = bytes.parse();
        match pattern {
            Ok(pattern) => Some(json!({ "pattern": pattern })),
            Err(error) => {
                let help = "write hexadecimal digits in pairs, and `%o` where the offset of the \
                            request goes, as in `\"pattern:deadbeef%o\"`";
                self.reading().error(&entry.span, error.to_string(), help);
                None
            }
        }
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
        kind: &Noun,
        read: impl FnOnce(&DeValue<'_>) -> Option<T>,
    ) -> Option<T> {
        let entry = self.entry(key)?;
        let value = read(entry.value);
        if value.is_none() {
            self.wrong_kind(&entry, kind);
        }
        value
    }

    fn wrong_kind(&self, entry: &Entry<'_>, kind: &Noun) {
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

fn advice(key: &str, kind: &Noun) -> String {
    format!("write {}, as in `{key} = {}`", kind.noun, kind.example)
}
