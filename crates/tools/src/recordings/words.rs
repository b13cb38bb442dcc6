//! The text of a recording, and errors on its words.

use super::ReadError;
use super::json::{self, Each};
use super::prefix::{Peeled, Prefix};
use crate::diagnostic::{Diagnostic, Severity, Skipped};
use serde::de::{DeserializeOwned, DeserializeSeed};
use std::cell::{Cell, RefCell};
use std::io::{self, BufRead, Read as _};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Bytes of a text that are looked at to find its format.
const BEGIN_BYTES: u64 = 64 << 10;
/// Bytes of a line at most: heads of thousands of counters have some.
const MOST_LINE_BYTES: u64 = 64 << 20;

/// Reads a line with its end, as [`BufRead::read_until`] does.
pub(super) fn read_line(from: &mut dyn BufRead, into: &mut Vec<u8>) -> io::Result<usize> {
    let count = from.take(MOST_LINE_BYTES).read_until(b'\n', into)?;
    if count as u64 == MOST_LINE_BYTES {
        let message = "it has a line of more than 64 MiB";
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(count)
}

/// A text with its name, of which only the start is held, and of the rest one line at a time.
pub(super) struct Text {
    file: Arc<str>,
    /// By which it is known what the text is: whole lines, or a part of a value of JSON; all of it
    /// where it does not go on.
    pub(super) begin: String,
    rest: RefCell<Option<Box<dyn BufRead>>>,
    /// The line that is looked at, and those before it.
    current: RefCell<(usize, Rc<str>)>,
    failed: Cell<Option<io::Error>>,
}

/// A length of one day in seconds.
const DAY_SECONDS: u64 = 86_400;

impl Text {
    /// A text that is there.
    pub(super) fn new(text: &str, file: &str) -> Self {
        Self {
            file: file.into(),
            begin: text.to_owned(),
            rest: RefCell::new(None),
            current: RefCell::new((0, "".into())),
            failed: Cell::new(None),
        }
    }

    /// A text that is read as it is looked at.
    pub(super) fn of(mut from: impl BufRead + 'static, file: &str) -> io::Result<Self> {
        let mut begin = Vec::new();
        from.by_ref().take(BEGIN_BYTES).read_to_end(&mut begin)?;
        let mut letters = begin.iter().filter(|byte| !byte.is_ascii_whitespace());
        let first = (letters.next(), letters.next());
        if matches!(first, (Some(b'{'), _) | (Some(b'['), Some(b'{'))) {
            // JSON may be one line, however long.
            json::to_letter(&mut from, &mut begin)?;
        } else if !begin.ends_with(b"\n") {
            read_line(&mut from, &mut begin)?;
        }
        let text = Self::new(&String::from_utf8_lossy(&begin), file);
        text.rest.replace(Some(Box::new(from)));
        Ok(text)
    }

    /// The same without what stands before each line.
    pub(super) fn peeled(self, prefix: Prefix) -> Self {
        let lines = self.begin.split_inclusive('\n');
        let begin = lines.map(|line| prefix.cut(line)).collect();
        let rest = self.rest.into_inner();
        let rest = rest.map(|rest| -> Box<dyn BufRead> { Box::new(Peeled::of(rest, prefix)) });
        Self {
            begin,
            rest: RefCell::new(rest),
            ..self
        }
    }

    /// The name of the file.
    pub(super) fn name(&self) -> &str {
        &self.file
    }

    /// Why it could not be read to its end.
    pub(super) fn failed(&self) -> Option<io::Error> {
        self.failed.take()
    }

    /// Reads one value of JSON, all of the text, a part at a time.
    pub(super) fn json<V>(
        &self,
        seed: impl for<'de> DeserializeSeed<'de, Value = V>,
    ) -> Result<V, Box<Diagnostic>> {
        self.whole(|from| json::read(from, &self.file, seed))
    }

    /// Hands on the elements below a path of JSON, as [`json::each`] does.
    pub(super) fn elements<T: DeserializeOwned>(
        &self,
        path: &'static [&'static str],
        each: Each<'_, T>,
    ) -> Result<(), Box<Diagnostic>> {
        self.whole(|from| json::each(from, &self.file, path, each))
    }

    /// All of the text to somebody who reads it to its end.
    fn whole<V>(
        &self,
        read: impl FnOnce(&mut dyn BufRead) -> Result<V, ReadError>,
    ) -> Result<V, Box<Diagnostic>> {
        let (mut rest, mut none) = (self.rest.take(), io::empty());
        let rest: &mut dyn BufRead = match &mut rest {
            Some(rest) => rest,
            None => &mut none,
        };
        let read = read(&mut self.begin.as_bytes().chain(rest));
        read.map_err(|error| match error {
            ReadError::Text(error) => error,
            ReadError::Io(error) => {
                let refusal = self.refuse("", &error.to_string());
                self.failed.set(Some(error));
                Box::new(refusal.with("a file that can be read"))
            }
        })
    }

    /// An error on `word`, which begins at `at`, a place that [`Self::lines`] told of the line that
    /// is looked at.
    pub(super) fn error(&self, at: usize, word: &str, message: String) -> Diagnostic {
        let current = self.current.borrow();
        let (before, line) = &*current;
        let begin = at.saturating_sub(*before).min(line.len());
        let end = (begin + word.len()).min(line.len());
        on_line(&self.file, *before, line, begin..end, message)
    }

    /// What the line that is looked at has between two places.
    pub(super) fn between(&self, places: Range<usize>) -> String {
        let current = self.current.borrow();
        let (before, line) = &*current;
        let found = line.get(places.start.saturating_sub(*before)..places.end - before);
        found.unwrap_or_default().to_owned()
    }

    /// An error on the first line, which is `first`.
    pub(super) fn refuse(&self, first: &str, message: &str) -> Refusal {
        let message = message.to_owned();
        Refusal(on_line(&self.file, 0, first, 0..first.len(), message))
    }

    /// The lines with the place where each begins: the number of lines before it, as if those were
    /// empty. Those beyond the start are read, and can be read once.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, Rc<str>)> {
        let mut begin = self.begin.lines();
        let mut number = 0;
        let mut bytes = Vec::new();
        std::iter::from_fn(move || {
            let line: Rc<str> = match begin.next() {
                Some(line) => line.into(),
                None => self.next_of_rest(&mut bytes)?,
            };
            let at = number;
            number += 1;
            self.current.replace((at, Rc::clone(&line)));
            Some((at, line))
        })
    }

    fn next_of_rest(&self, bytes: &mut Vec<u8>) -> Option<Rc<str>> {
        let mut rest = self.rest.borrow_mut();
        bytes.clear();
        match read_line(rest.as_mut()?, bytes) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) => {
                self.failed.set(Some(error));
                return None;
            }
        }
        let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Some(String::from_utf8_lossy(line).into())
    }
}

/// An error in a line of a text that is not there as a whole.
pub(super) fn on_line(
    file: &str,
    before: usize,
    line: &str,
    span: Range<usize>,
    message: String,
) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        message,
        file: file.into(),
        text: line.into(),
        skipped: Skipped {
            lines: before,
            columns: 0,
        },
        span,
        suggestion: None,
        remedy: None,
    }
}

/// An error that waits for its advice.
pub(super) struct Refusal(Diagnostic);

impl Refusal {
    pub(super) fn with(mut self, remedy: &str) -> Diagnostic {
        self.0.remedy = Some(remedy.to_owned());
        self.0
    }
}

/// The time of day that a word like `15:08:44`, `2026-11-21T15:08:44+0000` or `03:08:44` with a
/// `PM` after it means, in seconds.
pub(super) fn time_of_day(word: &str, half: Option<&str>) -> Option<u64> {
    let clock = word.split_once('T').map_or(word, |(_, clock)| clock);
    let clock = clock.get(..8)?;
    let mut parts = clock.split(':').map(|part| part.parse::<u64>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() || hours > 24 || minutes > 59 || seconds > 60 {
        return None;
    }
    let hours = match half {
        Some("PM") => hours % 12 + 12,
        Some("AM") => hours % 12,
        _ => hours,
    };
    Some(hours * 3600 + minutes * 60 + seconds)
}

/// Nanoseconds from one time of day to the next, over midnight if need be; none for no time.
pub(super) fn between_ns(from: u64, to: u64) -> Option<u64> {
    let seconds = (to + DAY_SECONDS - from) % DAY_SECONDS;
    (seconds > 0).then_some(seconds * 1_000_000_000)
}

/// A figure: `1.25`, `1,25` in other languages, `4.7%`, or `178.5k` and the like of `iostat -h`,
/// whose letters are powers of 1024 upon `unit`. The factor is 1 where there is no letter.
pub(super) fn figure(word: &str) -> Option<(f64, Option<f64>)> {
    let word = word.strip_suffix('%').unwrap_or(word);
    let (digits, letter) = match word.chars().last()? {
        's' => (&word[..word.len() - 1], Some(512.0)),
        'B' => (&word[..word.len() - 1], Some(1.0)),
        'k' => (&word[..word.len() - 1], Some(1024.0)),
        'M' => (&word[..word.len() - 1], Some(1024.0 * 1024.0)),
        'G' => (&word[..word.len() - 1], Some(1024.0 * 1024.0 * 1024.0)),
        'T' => (&word[..word.len() - 1], Some(1024.0_f64.powi(4))),
        _ => (word, None),
    };
    let plain = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b".,".contains(&byte));
    let number: f64 = plain.then(|| digits.replace(',', ".").parse().ok())??;
    Some((number, letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_are_read() {
        let cases = [
            ("15:08:44", None, Some(54_524)),
            ("03:08:44", Some("PM"), Some(54_524)),
            ("12:00:01", Some("AM"), Some(1)),
            ("2026-11-21T15:08:47+0000", None, Some(54_527)),
            ("15:08", None, None),
            ("25:00:00", None, None),
            ("Average:", None, None),
            ("11/21/26", None, None),
        ];
        for (word, half, expected) in cases {
            assert_eq!(time_of_day(word, half), expected, "{word}");
        }
        assert_eq!(between_ns(86_399, 1), Some(2_000_000_000));
        assert_eq!(between_ns(5, 5), None);
    }

    #[test]
    fn figures_are_read_in_every_form() {
        let cases = [
            ("1.25", Some((1.25, None))),
            ("1,25", Some((1.25, None))),
            ("4.7%", Some((4.7, None))),
            ("178.5k", Some((178.5, Some(1024.0)))),
            ("0.0B", Some((0.0, Some(1.0)))),
            ("-nan", None),
            ("k", None),
            ("", None),
            ("vda", None),
        ];
        for (word, expected) in cases {
            assert_eq!(figure(word), expected, "{word}");
        }
    }
}
