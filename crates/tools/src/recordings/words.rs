//! The text of a recording, and errors on its words.

use crate::diagnostic::{Diagnostic, Severity};
use std::sync::Arc;

/// A text with its name.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: Arc<str>,
    file: Arc<str>,
}

/// A length of one day in seconds.
const DAY_SECONDS: u64 = 86_400;

impl Text {
    pub(super) fn new(text: &str, file: &str) -> Self {
        Self {
            text: text.into(),
            file: file.into(),
        }
    }

    /// An error on `word`, which begins at `at`.
    pub(super) fn error(&self, at: usize, word: &str, message: String) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message,
            file: Arc::clone(&self.file),
            text: Arc::clone(&self.text),
            span: at..at + word.len(),
            suggestion: None,
            remedy: None,
        }
    }

    /// An error on the first line, which is `first`.
    pub(super) fn refuse(&self, first: &str, message: &str) -> Refusal {
        Refusal(self.error(0, first, message.to_owned()))
    }

    /// What is wrong with a JSON text, on its line.
    pub(super) fn json(&self, error: &serde_json::Error) -> Diagnostic {
        let number = error.line().max(1);
        let (at, line) = self.lines().nth(number - 1).unwrap_or_default();
        let mut column = error.column().saturating_sub(1).min(line.len());
        while !line.is_char_boundary(column) {
            column -= 1;
        }
        let word = line[column..].chars().next();
        let end = column + word.map_or(0, char::len_utf8);
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        self.error(at + column, &line[column..end], message.to_owned())
    }

    /// The lines with the place where each begins.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let begin = self.text.as_ptr().addr();
        let line = move |line: &'_ str| line.as_ptr().addr() - begin;
        self.text.lines().map(move |text| (line(text), text))
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
