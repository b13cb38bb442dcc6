//! Lists: a value for each direction, ranges, and names with escaped separators.

use super::size::{Base, number};
use crate::source::Wrong;

/// From the smaller to the larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

/// Values for reads, writes and trims out of `a,b,c`: a missing later one is the last one given, an
/// empty one keeps what was there.
pub(crate) fn per_direction<T: Clone>(
    text: &str,
    before: &[T; 3],
    mut read: impl FnMut(&str) -> Result<T, Wrong>,
) -> Result<[T; 3], Wrong> {
    let mut values = before.clone();
    let mut last = None;
    let mut parts = text.split(',');
    for value in &mut values {
        match parts.next().map(str::trim) {
            Some("") => {}
            Some(part) => {
                let given = read(part)?;
                *value = given.clone();
                last = Some(given);
            }
            None => {
                if let Some(last) = &last {
                    *value = last.clone();
                }
            }
        }
    }
    if parts.next().is_some() {
        let message = format!("`{text}` has more than three parts");
        return Err(Wrong::new(message, "one each for reads, writes and trims"));
    }
    if last.is_none() {
        return Err(Wrong::new("a value is missing", "as in 4k, or 4k,64k"));
    }
    Ok(values)
}

/// A list of numbers with its commas: where nothing after a number has one, fio takes colons, and
/// hyphens where there are none of these either. `4k-16k` are two sizes and no range.
pub(crate) fn with_commas(text: &str) -> String {
    let mut parts = Vec::new();
    let mut rest = text;
    let separator = |rest: &str| {
        [',', ':', '-']
            .into_iter()
            .find(|mark| rest.contains(*mark))
    };
    while let Some(mark) = separator(rest) {
        // A number below zero, which is no list.
        if rest.starts_with('-') {
            break;
        }
        let (part, after) = rest.split_once(mark).unwrap_or((rest, ""));
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts.join(",")
}

/// Ranges `low-high` for each direction.
pub(crate) fn ranges(text: &str, base: Base) -> Result<[Option<Range>; 3], Wrong> {
    per_direction(text, &[None; 3], |part| {
        let wrong = || {
            let message = format!("`{part}` is not a range");
            Wrong::new(message, "two sizes, as in 4k-16k")
        };
        let (one, other) = part.split_once(['-', ':']).ok_or_else(wrong)?;
        let (one, other) = (number(one, base)?.value, number(other, base)?.value);
        Ok(Some(Range {
            low: one.min(other),
            high: one.max(other),
        }))
    })
}

/// The parts of a list whose separator is written `\:` inside a part.
pub(crate) fn split_escaped(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let last = parts.len() - 1;
        match letter {
            '\\' if letters.peek() == Some(&':') => {
                letters.next();
                parts[last].push(':');
            }
            ':' => parts.push(String::new()),
            other => parts[last].push(other),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_share_what_is_not_given() {
        let read = |text: &str| {
            per_direction(text, &[1, 2, 3], |part| {
                number(part, Base::Binary).map(|read| read.value)
            })
        };
        assert_eq!(read("4k"), Ok([4096, 4096, 4096]));
        assert_eq!(read("4k,8k"), Ok([4096, 8192, 8192]));
        assert_eq!(read(",8k"), Ok([1, 8192, 8192]));
        assert_eq!(read("4k,,8k"), Ok([4096, 2, 8192]));
        assert!(read("").is_err());
        assert!(read("1,2,3,4").is_err());
    }

    /// What fio 3.33 made of these as `bs`, by the bytes of its requests.
    #[test]
    fn numbers_are_separated_as_fio_does() {
        let cases = [
            ("4k", "4k"),
            ("4k-16k", "4k,16k"),
            ("4k:16k", "4k,16k"),
            ("4k-8k-12k", "4k,8k,12k"),
            ("4k-8k,16k-32k", "4k-8k,16k,32k"),
            ("4k-8k:16k", "4k-8k,16k"),
            (",4k-8k", ",4k,8k"),
            ("8k,", "8k,"),
            ("8k,,16k", "8k,,16k"),
            ("8k,-16k", "8k,-16k"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(with_commas(text), expected, "{text}");
        }
    }

    #[test]
    fn ranges_may_be_reversed() {
        let range = |low, high| Some(Range { low, high });
        assert_eq!(
            ranges("4k-16k,64k:8k", Base::Binary),
            Ok([range(4096, 16384), range(8192, 65536), range(8192, 65536)])
        );
        assert!(ranges("4k", Base::Binary).is_err());
    }

    #[test]
    fn a_colon_in_a_name_is_escaped() {
        assert_eq!(split_escaped("/dev/a:/b\\:c:"), ["/dev/a", "/b:c"]);
        assert_eq!(split_escaped(""), [""; 0]);
    }
}
