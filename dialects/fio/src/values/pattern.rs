//! The patterns of fio: bytes in quotes, hexadecimal and decimal numbers, and the offset.

use crate::source::Wrong;
use fathom_core::spec::{Fill, MOST_PATTERN_BYTES, Pattern};
use fathom_tools::dialects::Surroundings;
use std::fmt::Write as _;
use std::path::Path;

/// As fio reads it: `"text"`, `0x` with digits in the order of the bytes, a decimal number with its
/// lowest byte first, `%o`; any of them after each other, with blanks or `-` for a sign between.
pub(crate) fn pattern(text: &str) -> Result<Fill, Wrong> {
    let mut parts: Vec<Option<Vec<u8>>> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (part, after) = next(rest)?;
        parts.push(part);
        rest = after.trim_start();
    }
    let counting: Vec<u8> = (0..=255).collect();
    if let [Some(bytes)] = parts.as_slice()
        && *bytes == counting
    {
        return Ok(Fill::Counting);
    }
    let made = Pattern::new(parts.iter().map(Option::as_deref));
    made.map(Fill::Pattern)
        .map_err(|error| Wrong::new(error.to_string(), "a shorter one, as in 0xdeadbeef"))
}

/// The text of a pattern with the bytes of files in the place of their names in single quotes; of
/// one that cannot be read, the name stays.
pub(crate) fn with_files(text: &str, surroundings: &dyn Surroundings) -> String {
    let mut parts = text.split('\'');
    let mut all = parts.next().unwrap_or_default().to_owned();
    while let Some(name) = parts.next() {
        let after = parts.next();
        match (surroundings.read_bytes(Path::new(name)), after) {
            (Ok(content), Some(after)) => {
                all.push_str("0x");
                for byte in content.iter().take(MOST_PATTERN_BYTES) {
                    // Writing to a string cannot fail.
                    let _ = write!(all, "{byte:02x}");
                }
                all.push_str(after);
            }
            (_, after) => {
                for part in [Some(name), after].into_iter().flatten() {
                    all.push('\'');
                    all.push_str(part);
                }
            }
        }
    }
    all
}

type Part<'a> = (Option<Vec<u8>>, &'a str);

fn next(text: &str) -> Result<Part<'_>, Wrong> {
    if let Some(rest) = text.strip_prefix("%o") {
        return Ok((None, rest));
    }
    if let Some(rest) = text.strip_prefix('"') {
        let (inside, rest) = rest.split_once('"').ok_or_else(|| {
            Wrong::new("a quote that does not end", "a second one after the text")
        })?;
        return Ok((Some(inside.as_bytes().to_vec()), rest));
    }
    if text.starts_with('\'') {
        let message = "a pattern from a file that cannot be read";
        let remedy = "a file that is there, or its bytes, as in 0xdeadbeef";
        return Err(Wrong::new(message, remedy));
    }
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    if let Some(digits) = digits {
        return hexadecimal(digits);
    }
    decimal(text)
}

fn hexadecimal(text: &str) -> Result<Part<'_>, Wrong> {
    let end = text
        .find(|letter: char| !letter.is_ascii_hexdigit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.is_empty() {
        return Err(none(text));
    }
    // A digit too few is one of the first byte.
    let whole = if digits.len() % 2 == 1 {
        format!("0{digits}")
    } else {
        digits.to_owned()
    };
    let byte = |at: usize| u8::from_str_radix(&whole[at..at + 2], 16).unwrap_or(0);
    Ok((Some((0..whole.len()).step_by(2).map(byte).collect()), rest))
}

fn decimal(text: &str) -> Result<Part<'_>, Wrong> {
    let sign = usize::from(text.starts_with('-'));
    let end = text[sign..]
        .find(|letter: char| !letter.is_ascii_digit())
        .map_or(text.len(), |end| end + sign);
    // The zero of a hexadecimal number that follows is none of this one.
    let is_next = text[..end].ends_with('0') && text[end..].starts_with(['x', 'X']);
    let (digits, rest) = text.split_at(end - usize::from(is_next));
    let number: i32 = digits.parse().map_err(|_| none(text))?;
    let bytes = number.to_le_bytes();
    let used = if number < 0 {
        bytes.len()
    } else {
        bytes.iter().rposition(|byte| *byte != 0).unwrap_or(0) + 1
    };
    Ok((Some(bytes[..used].to_vec()), rest))
}

fn none(text: &str) -> Wrong {
    let word: String = text.chars().take(16).collect();
    Wrong::new(
        format!("`{word}` is no pattern"),
        "0x with hexadecimal digits, a text in double quotes, a number, or %o",
    )
}

/// A fill as fio writes it; none for what fio has no pattern for.
pub(crate) fn written(fill: Fill) -> Option<String> {
    let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or_default();
    let hex = |bytes: &mut dyn Iterator<Item = u8>| -> String {
        let digits = bytes.flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
        "0x".chars().chain(digits).collect()
    };
    match fill {
        Fill::Zero | Fill::Random | Fill::Scrambled | Fill::Ior(_) | Fill::File => None,
        Fill::Counting => Some(hex(&mut (0..=255))),
        Fill::Pattern(pattern) => {
            let parts = pattern.parts().into_iter().map(|part| match part {
                None => "%o".to_owned(),
                Some(bytes) => hex(&mut bytes.iter().copied()),
            });
            Some(parts.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        match pattern(text) {
            Ok(Fill::Pattern(pattern)) => pattern.to_string(),
            other => format!("{other:?}"),
        }
    }

    /// Each is what fio 3.33 has written to a file.
    #[test]
    fn patterns_are_read_as_fio_reads_them() {
        let cases = [
            ("0xdeadbeef", "deadbeef"),
            ("0xabc", "0abc"),
            ("1234567", "87d612"),
            ("-5", "fbffffff"),
            ("\"abc\"-12", "616263f4ffffff"),
            ("\"abcd\"-120xdeadface", "61626364f4ffffffdeadface"),
            ("0xaabb%o", "aabb%o"),
            ("0x01%o\"zz\"", "01%o7a7a"),
            ("0", "00"),
        ];
        for (text, expected) in cases {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in ["aabb%o", "%o", "00", "01%o02%o"] {
            let fill = Fill::Pattern(text.parse().expect("a pattern"));
            let written = written(fill).expect("fio has it");
            assert_eq!(told(&written), text, "{written}");
        }
        let counting = written(Fill::Counting).expect("fio has it");
        assert!(matches!(pattern(&counting), Ok(Fill::Counting)));
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in ["", "abc", "0x", "\"abc", "'file'", "99999999999", "%n"] {
            assert!(pattern(text).is_err(), "{text}");
        }
    }
}
