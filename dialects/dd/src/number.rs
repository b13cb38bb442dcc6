//! Numbers as GNU dd reads them: `64`, `10M`, `4kB`, `2x512`, and `64KB` or `64B` for bytes where
//! the unit is blocks otherwise.

/// A number that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) value: u64,
    /// The number ends in `B`: it counts bytes where blocks are counted.
    pub(super) in_bytes: bool,
}

/// Why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Not one of dd's forms.
    Malformed,
    /// More than 2^63 - 1, which no file has bytes.
    TooLarge,
}

/// Reads a number.
pub(super) fn number(text: &str) -> Result<Number, Fault> {
    let mut value: u64 = 1;
    let mut in_bytes = false;
    for factor in text.split('x') {
        if in_bytes && text.contains('x') {
            // A B may stand only at the end of all.
            return Err(Fault::Malformed);
        }
        let (factor, bytes) = factor_of(factor)?;
        value = value.checked_mul(factor).ok_or(Fault::TooLarge)?;
        in_bytes = bytes;
    }
    if i64::try_from(value).is_err() {
        return Err(Fault::TooLarge);
    }
    Ok(Number { value, in_bytes })
}

fn factor_of(text: &str) -> Result<(u64, bool), Fault> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, suffix) = text.split_at(end);
    if digits.is_empty() {
        return Err(Fault::Malformed);
    }
    let number: u64 = digits.parse().map_err(|_| Fault::TooLarge)?;
    let (unit, in_bytes) = suffix_of(suffix).ok_or(Fault::Malformed)?;
    // What is too large for us is too large even with nothing before it.
    let unit = unit.ok_or(Fault::TooLarge)?;
    let product = number.checked_mul(unit).ok_or(Fault::TooLarge)?;
    Ok((product, in_bytes))
}

/// What a suffix multiplies by, none when that is beyond 64 bits; and whether it says bytes.
fn suffix_of(suffix: &str) -> Option<(Option<u64>, bool)> {
    let simple = match suffix {
        "" | "c" => (Some(1), false),
        "w" => (Some(2), false),
        "b" => (Some(512), false),
        "B" => (Some(1), true),
        _ => {
            let mut letters = suffix.chars();
            let power = match letters.next()? {
                'k' | 'K' => 1,
                'M' => 2,
                'G' => 3,
                'T' => 4,
                'P' => 5,
                'E' => 6,
                'Z' => 7,
                'Y' => 8,
                _ => return None,
            };
            match letters.as_str() {
                "" => (1024_u64.checked_pow(power), false),
                "iB" => (1024_u64.checked_pow(power), true),
                "B" => (1000_u64.checked_pow(power), true),
                _ => return None,
            }
        }
    };
    Some(simple)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_those_of_the_manual() {
        let cases = [
            ("64", 64, false),
            ("1c", 1, false),
            ("1w", 2, false),
            ("1b", 512, false),
            ("3B", 3, true),
            ("4k", 4096, false),
            ("4K", 4096, false),
            ("4kB", 4000, true),
            ("4KB", 4000, true),
            ("4KiB", 4096, true),
            ("4kiB", 4096, true),
            ("10M", 10 << 20, false),
            ("10MB", 10_000_000, true),
            ("1G", 1 << 30, false),
            ("2T", 2 << 40, false),
            ("2x512", 1024, false),
            ("1kx2xM", 0, false),
            ("1kx2x1M", 2 << 30, false),
            ("00x5", 0, false),
        ];
        for (text, value, in_bytes) in cases {
            let expected = match text {
                "1kx2xM" => Err(Fault::Malformed),
                _ => Ok(Number { value, in_bytes }),
            };
            assert_eq!(number(text), expected, "{text}");
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for text in [
            "", "k", "1m", "1g", "1R", "-1", "1.5M", "1 M", "1KxB", "3Bx2", "x", "1x",
        ] {
            assert_eq!(number(text), Err(Fault::Malformed), "{text}");
        }
        for text in ["1Z", "8E", "99999999999999999999", "4Ex2"] {
            assert_eq!(number(text), Err(Fault::TooLarge), "{text}");
        }
    }
}
