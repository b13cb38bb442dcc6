//! Numbers as DISKSPD reads them: counts laxly, sizes strictly.

/// A count: leading blanks, a sign, digits; whatever follows is left unread, and no digits are 0.
/// What does not fit in 32 bits is the number nearest to it. Gives the number and what was left.
pub(super) fn count(text: &str) -> (i64, &str) {
    let trimmed = text.trim_start_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r']);
    let (negative, digits) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, trimmed),
    };
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    if end == 0 {
        return (0, text);
    }
    let value = digits[..end].parse::<i64>().unwrap_or(i64::MAX);
    let value = if negative { -value } else { value };
    let value = value.clamp(i32::MIN.into(), i32::MAX.into());
    (value, &digits[end..])
}

/// A number of 32 bits as C's `strtoul` reads it: leading blanks, a sign, digits, and nothing
/// else. A negative one counts down from 2³², and what does not fit is the largest.
pub(super) fn unsigned(text: &str) -> Option<u32> {
    let trimmed = text.trim_start_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r']);
    let (negative, digits) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, trimmed),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = digits.parse::<u32>();
    Some(match number {
        Ok(number) if negative => number.wrapping_neg(),
        Ok(number) => number,
        Err(_) => u32::MAX,
    })
}

/// Why a size could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadSize {
    NoNumber,
    Unit,
    TooLarge,
}

impl BadSize {
    pub(super) const fn message(self) -> &'static str {
        match self {
            Self::NoNumber => "a size begins with a whole number",
            Self::Unit => "a size ends in K, M, G, T, b for blocks, or nothing for bytes",
            Self::TooLarge => "the size does not fit in 64 bits",
        }
    }
}

/// A size: whole number, then at most one of K M G T (powers of 1024) or b (blocks).
pub(super) fn size(text: &str, block_bytes: u64) -> Result<u64, BadSize> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    if digits.is_empty() {
        return Err(BadSize::NoNumber);
    }
    let factor = match unit {
        "" => 1,
        "K" | "k" => 1 << 10,
        "M" | "m" => 1 << 20,
        "G" | "g" => 1 << 30,
        "T" | "t" => 1 << 40,
        "B" | "b" => block_bytes,
        _ => return Err(BadSize::Unit),
    };
    let number = digits.parse::<u64>().map_err(|_| BadSize::TooLarge)?;
    number.checked_mul(factor).ok_or(BadSize::TooLarge)
}

/// A size as DISKSPD prints it: whole in the largest unit that fits when exact, else with two
/// decimals; bytes below 1 KiB bare.
pub fn display_size(bytes: u64) -> String {
    let units = [
        (1_u64 << 40, "TiB"),
        (1 << 30, "GiB"),
        (1 << 20, "MiB"),
        (1 << 10, "KiB"),
    ];
    let Some((factor, unit)) = units.into_iter().find(|(factor, _)| bytes >= *factor) else {
        return bytes.to_string();
    };
    if bytes.is_multiple_of(factor) {
        format!("{}{unit}", bytes / factor)
    } else {
        format!("{:.2}{unit}", bytes as f64 / factor as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_laxly() {
        let cases = [
            ("10s", (10, "s")),
            ("4x8", (4, "x8")),
            ("", (0, "")),
            ("foo", (0, "foo")),
            (" +7", (7, "")),
            ("-3", (-3, "")),
            ("99999999999999999999", (i32::MAX.into(), "")),
            ("-99999999999999999999", (i32::MIN.into(), "")),
        ];
        for (text, expected) in cases {
            assert_eq!(count(text), expected, "{text}");
        }
    }

    #[test]
    fn a_number_of_32_bits_is_read_as_c_does() {
        let cases = [
            ("42", Some(42)),
            (" +7", Some(7)),
            ("-1", Some(u32::MAX)),
            ("4294967296", Some(u32::MAX)),
            ("-99999999999", Some(u32::MAX)),
            ("", None),
            ("-", None),
            ("1x", None),
            ("0x10", None),
        ];
        for (text, expected) in cases {
            assert_eq!(unsigned(text), expected, "{text}");
        }
    }

    #[test]
    fn sizes_are_read_strictly() {
        let cases = [
            ("64", Ok(64)),
            ("8K", Ok(8192)),
            ("2t", Ok(2 << 40)),
            ("10b", Ok(40960)),
            ("3B", Ok(12288)),
            ("", Err(BadSize::NoNumber)),
            ("-1", Err(BadSize::NoNumber)),
            ("1.5M", Err(BadSize::Unit)),
            ("8KiB", Err(BadSize::Unit)),
            ("8 K", Err(BadSize::Unit)),
            ("20000000T", Err(BadSize::TooLarge)),
            ("99999999999999999999", Err(BadSize::TooLarge)),
        ];
        for (text, expected) in cases {
            assert_eq!(size(text, 4096), expected, "{text}");
        }
    }

    #[test]
    fn sizes_are_printed_whole_when_they_are() {
        let cases = [
            (0, "0"),
            (512, "512"),
            (1024, "1KiB"),
            (65536, "64KiB"),
            (1536 << 20, "1.50GiB"),
            (5 << 30, "5GiB"),
            (1 << 40, "1TiB"),
        ];
        for (bytes, text) in cases {
            assert_eq!(display_size(bytes), text);
        }
    }
}
