//! JSON that is one value, read as it comes: a part of it is held at a time, and an error knows its
//! place anyway.

use super::ReadError;
use crate::diagnostic::{Diagnostic, Severity, Skipped};
use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess,
    SeqAccess, Visitor,
};
use std::fmt;
use std::io::{self, BufRead, Read};
use std::marker::PhantomData;

/// Bytes that are held before a place; twice as many for a while.
const HELD: usize = 1 << 10;

/// Reads one value, after which nothing may follow.
pub(super) fn read<V>(
    from: &mut dyn BufRead,
    file: &str,
    seed: impl for<'de> DeserializeSeed<'de, Value = V>,
) -> Result<V, ReadError> {
    let mut handed = Handed::of(from);
    let mut deserializer = serde_json::Deserializer::from_reader(&mut handed);
    let value = seed.deserialize(&mut deserializer);
    let read = value.and_then(|value| deserializer.end().map(|()| value));
    read.map_err(|error| {
        if error.is_io() {
            return ReadError::Io(error.into());
        }
        match handed.error(file, &error) {
            Ok(error) => error.into(),
            Err(error) => error.into(),
        }
    })
}

/// What is done with each element; it may refuse one, in words.
pub(super) type Each<'a, T> = &'a mut dyn FnMut(T) -> Result<(), String>;

/// Hands on each element of the lists below `path`, one at a time, of every document of a text:
/// answers that were put into one file count as one.
pub(super) fn each<T: DeserializeOwned>(
    from: &mut dyn BufRead,
    file: &str,
    path: &'static [&'static str],
    each: Each<'_, T>,
) -> Result<(), ReadError> {
    let mut handed = Handed::of(from);
    let mut deserializer = serde_json::Deserializer::from_reader(&mut handed);
    let mut read = Ok(());
    while read.is_ok() {
        let below = Below {
            path,
            each: &mut *each,
            of: PhantomData,
        };
        read = below.deserialize(&mut deserializer);
        if read.is_ok() && deserializer.end().is_ok() {
            return Ok(());
        }
    }
    match read {
        Err(error) if error.is_io() => Err(ReadError::Io(error.into())),
        Err(error) => Err(match handed.error(file, &error) {
            Ok(error) => error.into(),
            Err(error) => error.into(),
        }),
        Ok(()) => Ok(()),
    }
}

/// A value on the path to the elements. A list on the path is looked through.
struct Below<'a, T> {
    path: &'static [&'static str],
    each: Each<'a, T>,
    of: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for Below<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Below<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.first() {
            Some(key) => write!(f, "an object with `{key}`"),
            None => f.write_str("a sequence"),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        if self.path.is_empty() {
            while let Some(element) = seq.next_element::<T>()? {
                (self.each)(element).map_err(A::Error::custom)?;
            }
            return Ok(());
        }
        loop {
            let below = Below {
                path: self.path,
                each: &mut *self.each,
                of: PhantomData,
            };
            if seq.next_element_seed(below)?.is_none() {
                return Ok(());
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Some((first, rest)) = self.path.split_first() else {
            let element = T::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
            return (self.each)(element).map_err(A::Error::custom);
        };
        while let Some(key) = map.next_key::<String>()? {
            if key == *first {
                map.next_value_seed(Below {
                    path: rest,
                    each: &mut *self.each,
                    of: PhantomData,
                })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// A number, or the text of one: monitors write either. None for what is no finite number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number(pub(super) Option<f64>);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged)]
        enum Either {
            Number(f64),
            Text(String),
            Null(()),
        }
        let number = match Either::deserialize(deserializer)? {
            Either::Number(number) => Some(number),
            Either::Text(text) => match text.parse() {
                Ok(number) => Some(number),
                Err(_) => return Err(D::Error::custom(format!("`{text}` is no number"))),
            },
            Either::Null(()) => None,
        };
        Ok(Self(number.filter(|number| number.is_finite())))
    }
}

/// Reads on to the end of a letter that is in `begin` by a part.
pub(super) fn to_letter(from: &mut impl BufRead, begin: &mut Vec<u8>) -> io::Result<()> {
    while let Some(next) = from.fill_buf()?.first().copied() {
        if !is_within_letter(next) {
            break;
        }
        begin.push(next);
        from.consume(1);
    }
    Ok(())
}

/// Whether a byte of UTF-8 goes on with the letter before it.
const fn is_within_letter(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// A text on its way to who reads it, with what was handed on last: who finds an error may have
/// read a little further, to the end of the lists around it.
struct Handed<'a> {
    from: &'a mut dyn BufRead,
    /// The end of what was handed on.
    held: Vec<u8>,
    /// What stands before it.
    skipped: Skipped,
    /// The same of the line in which it begins, in bytes.
    bytes: usize,
}

impl Read for Handed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(into)?;
        self.held.extend_from_slice(&into[..count]);
        if self.held.len() >= 2 * HELD {
            self.cut();
        }
        Ok(count)
    }
}

impl<'a> Handed<'a> {
    fn of(from: &'a mut dyn BufRead) -> Self {
        Self {
            from,
            held: Vec::with_capacity(2 * HELD),
            skipped: Skipped::default(),
            bytes: 0,
        }
    }

    /// Drops all but the last bytes, at the start of a letter.
    fn cut(&mut self) {
        let cut = self.held.len() - HELD;
        let letter = self.held[cut..]
            .iter()
            .position(|byte| !is_within_letter(*byte));
        for byte in self.held.drain(..cut + letter.unwrap_or(0)) {
            if byte == b'\n' {
                self.skipped.lines += 1;
                (self.skipped.columns, self.bytes) = (0, 0);
            } else {
                self.skipped.columns += usize::from(!is_within_letter(byte));
                self.bytes += 1;
            }
        }
    }

    /// What is wrong, on its line.
    fn error(mut self, file: &str, error: &serde_json::Error) -> io::Result<Diagnostic> {
        let before = error.line().max(1) - 1;
        let further = before.saturating_sub(self.skipped.lines);
        let mut ends = self.held.iter().enumerate();
        let ends = ends.by_ref().filter(|(_, byte)| **byte == b'\n');
        let start = match further.checked_sub(1) {
            Some(last) => ends.map(|(at, _)| at + 1).nth(last).unwrap_or(0),
            None => 0,
        };
        let mut line = self.held.split_off(start);
        if let Some(end) = line.iter().position(|byte| *byte == b'\n') {
            line.truncate(end);
        } else {
            let rest = (&mut *self.from).take(HELD as u64);
            io::BufReader::new(rest).read_until(b'\n', &mut line)?;
        }
        let (skipped, cut) = if further == 0 {
            (self.skipped, self.bytes)
        } else {
            let whole = Skipped {
                lines: before,
                columns: 0,
            };
            (whole, 0)
        };
        // The place counts bytes and is that of the last one that was looked at.
        let mut place = error.column().saturating_sub(cut + 1).min(line.len());
        // The end of a number is known by what follows it.
        let is_number = place > 0 && line.get(place - 1).is_some_and(u8::is_ascii_digit);
        let follows = |byte: &u8| b",]} \t\r".contains(byte);
        if error.is_data() && is_number && line.get(place).is_none_or(follows) {
            place -= 1;
        }
        while place > 0 && is_within_letter(line.get(place).copied().unwrap_or(0)) {
            place -= 1;
        }
        let mut after = line.iter().enumerate().skip(place + 1);
        let after = after.find(|(_, byte)| !is_within_letter(**byte));
        let end = after.map_or(line.len(), |(next, _)| next);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (before, word) = (text(&line[..place]), text(&line[place..end]));
        let after = text(&line[end..]);
        let span = before.len()..before.len() + word.len();
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        Ok(Diagnostic {
            severity: Severity::Error,
            message: message.to_owned(),
            file: file.into(),
            text: (before + &word + after.trim_end_matches(['\r', '\n'])).into(),
            skipped,
            span,
            suggestion: None,
            remedy: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::IgnoredAny;
    use std::marker::PhantomData;

    fn refused(text: &str) -> Diagnostic {
        let seed = PhantomData::<IgnoredAny>;
        match read(&mut text.as_bytes(), "a.json", seed) {
            Err(ReadError::Text(error)) => *error,
            other => panic!("{:?}", other.map(|_| ())),
        }
    }

    #[test]
    fn an_error_far_into_a_line_without_end_has_its_place() {
        // Letters of several bytes are one column each.
        let long = "\"é\",".repeat(100_000);
        let found = refused(&format!("\n[\n{long}7 8]\n"));
        assert_eq!((found.line(), found.column()), (3, 400_003));
        assert_eq!(&found.text[found.span.clone()], "8");
        assert_eq!(found.message, "expected `,` or `]`");
        assert!(found.text.len() < 4 * HELD, "{}", found.text.len());
        assert!(found.source_line().ends_with("\"é\",7 8]"));
    }

    #[test]
    fn an_error_at_the_end_is_on_the_last_line() {
        let found = refused("{\"a\":\n{\"b\": 1}");
        assert_eq!((found.line(), found.column()), (2, 8));
        assert_eq!(found.message, "EOF while parsing an object");
        let found = refused("");
        assert_eq!((found.line(), found.column(), &*found.text), (1, 1, ""));
    }

    /// Who finds an error reads on to the end of the lists around it.
    #[test]
    fn an_error_before_the_ends_of_lists_has_its_place() {
        let seed = PhantomData::<Vec<Vec<u8>>>;
        let text = format!("[[{}7, true\n]\n,\n\n[]]", "1,\n".repeat(5_000));
        let found = match read(&mut text.as_bytes(), "a.json", seed) {
            Err(ReadError::Text(error)) => *error,
            other => panic!("{:?}", other.map(|_| ())),
        };
        assert_eq!((found.line(), found.column()), (5_001, 7));
        assert_eq!(found.source_line(), "7, true");
    }

    #[test]
    fn nothing_follows_the_value() {
        let found = refused("{}\n {}");
        assert_eq!((found.line(), found.column()), (2, 2));
        assert_eq!(found.message, "trailing characters");
    }
}
