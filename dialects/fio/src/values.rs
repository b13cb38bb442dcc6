//! Values as fio reads them, its traps included: each has a note that says what was read.

mod expression;
mod list;
mod pattern;
mod size;
mod time;

pub(super) use list::{Range, per_direction, ranges, split_escaped, with_commas};
pub(super) use pattern::{pattern, with_files, written as written_pattern};
pub(super) use size::{Base, number, size};
pub(super) use time::time;

use super::source::Wrong;
use super::word::Word;

/// A value, and what its author may not have meant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Read<T> {
    pub(super) value: T,
    pub(super) trap: Option<String>,
}

impl<T> Read<T> {
    const fn plain(value: T) -> Self {
        Self { value, trap: None }
    }
}

/// A whole number of bytes with fio's suffixes, if it is one.
pub(crate) fn plain_bytes(text: &str) -> Option<u64> {
    number(text, Base::Binary).ok().map(|read| read.value)
}

/// A time with fio's suffixes, a bare number in seconds, if it is one.
pub(crate) fn plain_time(text: &str) -> Option<fathom_core::Nanos> {
    let time = time(text, fathom_core::Nanos::from_secs(1));
    time.ok().map(|read| read.value)
}

/// An amount of bytes, or a share of the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Amount {
    Bytes(u64),
    Percent(f64),
}

impl Default for Amount {
    fn default() -> Self {
        Self::Bytes(0)
    }
}

impl Amount {
    /// The bytes, of a whole that may not be known.
    pub(super) fn of(self, whole: Option<u64>) -> Option<u64> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Percent(percent) => Some((whole? as f64 * percent / 100.0) as u64),
        }
    }
}

/// A yes or no; a flag without a value says yes.
pub(super) fn yes(word: &Word) -> Result<bool, Wrong> {
    match word.value.as_deref() {
        None => Ok(true),
        Some(value) => match value.trim().parse::<u64>() {
            Ok(number) => Ok(number != 0),
            Err(_) => Err(Wrong::new(
                format!("`{value}` is not a yes or no"),
                "give 1 or 0",
            )),
        },
    }
}

/// One of some words.
pub(super) fn choice<T: Copy>(word: &Word, known: &[(&str, T)]) -> Result<T, Wrong> {
    let text = word.text().trim();
    if let Some((_, value)) = known.iter().find(|(name, _)| *name == text) {
        return Ok(*value);
    }
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let nearest = fathom_core::nearest::nearest(text, names.iter().copied());
    let message = format!("`{text}` is not a value of `{}`", word.key);
    Err(Wrong::new(message, format!("one of {}", names.join(", "))).suggest(nearest))
}

/// A decimal number, not negative.
pub(super) fn decimal(text: &str) -> Result<f64, Wrong> {
    let wrong = || Wrong::new(format!("`{text}` is not a number"), "as in `99.9`");
    let number: f64 = text.trim().parse().map_err(|_| wrong())?;
    if number.is_finite() && number >= 0.0 {
        Ok(number)
    } else {
        Err(wrong())
    }
}

/// A share in percent with or without its sign.
pub(super) fn percent(text: &str) -> Result<f64, Wrong> {
    let number = decimal(text.trim().trim_end_matches('%'))?;
    if number > 100.0 {
        let message = format!("`{}` is not a share", text.trim());
        return Err(Wrong::new(message, "give 0 to 100"));
    }
    Ok(number)
}
