//! Sizes and other whole numbers.
//!
//! A number is decimal or begins with `0x`. Its letters are powers of `kb_base`; the spellings
//! `KiB MiB …` mean powers of the *other* base, and whatever follows a first letter is not looked
//! at. fio 3.33 was asked for all of this.

use super::{Amount, Read, expression};
use crate::source::Wrong;

/// What `k` means: 1024, or 1000 with `kb_base=1000`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Base {
    #[default]
    Binary,
    Decimal,
}

impl Base {
    const fn letter(self) -> u64 {
        match self {
            Self::Binary => 1024,
            Self::Decimal => 1000,
        }
    }

    const fn iec(self) -> u64 {
        match self {
            Self::Binary => 1000,
            Self::Decimal => 1024,
        }
    }
}

const LETTERS: &str = "kmgtp";

/// Reads a size. A share is written with `%`, or with two, as scripts do that fear for one.
pub(crate) fn size(text: &str, base: Base) -> Result<Read<Amount>, Wrong> {
    let trimmed = text.trim();
    if trimmed.ends_with('%') {
        let number = trimmed.trim_end_matches('%');
        let number = super::decimal(number)?;
        return Ok(Read::plain(Amount::Percent(number)));
    }
    let read = number(trimmed, base)?;
    Ok(Read {
        value: Amount::Bytes(read.value),
        trap: read.trap,
    })
}

/// Reads a whole number with its suffix.
pub(crate) fn number(text: &str, base: Base) -> Result<Read<u64>, Wrong> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        return expression::evaluate(inner, base).map(Read::plain);
    }
    let malformed = || {
        let message = format!("`{text}` is not a number");
        Wrong::new(message, "digits and a suffix, as in 4k, 1m or 2g")
    };
    let too_large = || Wrong::new(format!("`{text}` is too large"), "choose less");
    let digits = text.strip_prefix('+').unwrap_or(text);
    let (radix, digits) = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => (16, hex),
        None => (10, digits),
    };
    let end = digits
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(digits.len());
    let (number, suffix) = digits.split_at(end);
    if number.is_empty() {
        return Err(malformed());
    }
    let number = u64::from_str_radix(number, radix).map_err(|_| too_large())?;
    let (factor, is_plain) = factor(suffix, base);
    let value = number.checked_mul(factor).ok_or_else(too_large)?;
    let trap = (!is_plain).then(|| format!("fio reads {value}, whatever the spelling promises"));
    Ok(Read { value, trap })
}

/// The factor of a suffix, and whether it means what it looks like.
fn factor(suffix: &str, base: Base) -> (u64, bool) {
    let lower = suffix.to_ascii_lowercase();
    let power = |of: u64, letter: char| {
        let exponent = LETTERS.find(letter).map_or(0, |at| at as u32 + 1);
        of.pow(exponent)
    };
    let first = lower.chars().next();
    match (first, lower.get(1..).unwrap_or_default()) {
        (None | Some('b'), "") => (1, true),
        (Some(letter), rest) if LETTERS.contains(letter) => match rest {
            "ib" => (power(base.iec(), letter), false),
            "i" => (power(base.letter(), letter), base == Base::Binary),
            "" | "b" => (power(base.letter(), letter), true),
            _ => (power(base.letter(), letter), false),
        },
        _ => (1, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What fio 3.33 itself made of these as `--size`, by the bytes it read.
    #[test]
    fn numbers_are_those_of_fio() {
        let cases = [
            ("4k", 4096, 4000),
            ("4K", 4096, 4000),
            ("4kb", 4096, 4000),
            ("4KB", 4096, 4000),
            ("4kB", 4096, 4000),
            ("4KiB", 4000, 4096),
            ("4kib", 4000, 4096),
            ("4ki", 4096, 4000),
            ("4Ki", 4096, 4000),
            ("0x1000", 4096, 4096),
            ("4096b", 4096, 4096),
            ("4096B", 4096, 4096),
            ("1.5k", 1, 1),
            ("4x", 4, 4),
            ("4kk", 4096, 4000),
            ("4kx", 4096, 4000),
            ("4 k", 4, 4),
            ("4k*2", 4096, 4000),
            ("010", 10, 10),
            ("4e3", 4, 4),
            ("+4k", 4096, 4000),
        ];
        for (text, binary, decimal) in cases {
            let read = |base| number(text, base).map(|read| read.value);
            assert_eq!(read(Base::Binary), Ok(binary), "{text}");
            assert_eq!(read(Base::Decimal), Ok(decimal), "{text}");
        }
    }

    #[test]
    fn spellings_that_promise_something_else_are_told() {
        let trapped = |text: &str| number(text, Base::Binary).unwrap().trap;
        for text in ["4k", "4ki", "4kb", "512", "512B", "1g", "0x20"] {
            assert_eq!(trapped(text), None, "{text}");
        }
        let told = |bytes: u64| Some(format!("fio reads {bytes}, whatever the spelling promises"));
        assert_eq!(trapped("1MiB"), told(1_000_000));
        assert_eq!(trapped("1.5g"), told(1));
        assert_eq!(trapped("64kbytes"), told(65536));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "k", "x4", "-4k", "99999999999999999999", "9999999p"] {
            assert!(number(text, Base::Binary).is_err(), "{text}");
        }
    }

    #[test]
    fn shares_have_their_sign() {
        let read = size("12.5%", Base::Binary).unwrap().value;
        assert_eq!(read, Amount::Percent(12.5));
        assert_eq!(read.of(Some(800)), Some(100));
        assert_eq!(read.of(None), None);
        let twice = size("50%%", Base::Binary).unwrap().value;
        assert_eq!(twice, Amount::Percent(50.0));
    }
}
