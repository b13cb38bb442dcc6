//! Numbers as tools print them.

/// The longest number at the start of the text, and what follows it. Commas between groups of three
/// digits are skipped; a comma as the decimal mark is read where `comma` allows it.
pub(crate) fn lead(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let bytes = text.as_bytes();
    let mut digits = String::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'0'..=b'9' | b'.' => digits.push(char::from(*byte)),
            b'-' | b'+' if at == 0 => digits.push(char::from(*byte)),
            b',' if is_group(&bytes[at + 1..]) => {}
            b',' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) && !digits.contains('.') => {
                digits.push('.');
            }
            b'e' | b'E' if has_exponent(&bytes[at + 1..]) && !digits.is_empty() => {
                digits.push('e');
                digits.push(char::from(bytes[at + 1]));
                at += 1;
            }
            _ => break,
        }
        at += 1;
        if at > 64 {
            return None;
        }
    }
    let number: f64 = digits.parse().ok()?;
    number.is_finite().then_some((number, &text[at..]))
}

/// Whether exactly three digits follow, as between groups.
fn is_group(rest: &[u8]) -> bool {
    rest.len() >= 3
        && rest[..3].iter().all(u8::is_ascii_digit)
        && !rest.get(3).is_some_and(u8::is_ascii_digit)
}

fn has_exponent(rest: &[u8]) -> bool {
    matches!(rest, [b'+' | b'-', digit, ..] if digit.is_ascii_digit())
}

/// A number with nothing after it.
pub(crate) fn plain(text: &str) -> Option<f64> {
    let (number, rest) = lead(text)?;
    rest.trim().is_empty().then_some(number)
}

/// A count with an SI prefix: `12.3k`, `1.5M`.
pub(crate) fn si(text: &str) -> Option<f64> {
    let (number, rest) = lead(text)?;
    let factor = match rest.trim_start().bytes().next() {
        Some(b'k' | b'K') => 1e3,
        Some(b'm' | b'M') => 1e6,
        Some(b'g' | b'G') => 1e9,
        _ => 1.0,
    };
    Some(number * factor)
}

/// Units of sizes and rates; a bare letter is binary, as most tools mean it.
const SIZES: [(&str, f64); 25] = [
    ("pib", 1_125_899_906_842_624.0),
    ("tib", 1_099_511_627_776.0),
    ("gib", 1_073_741_824.0),
    ("mib", 1_048_576.0),
    ("kib", 1024.0),
    ("pb", 1e15),
    ("tb", 1e12),
    ("gb", 1e9),
    ("mb", 1e6),
    ("kb", 1e3),
    ("mbytes", 1e6),
    ("kbytes", 1e3),
    ("gbytes", 1e9),
    ("bytes", 1.0),
    ("byte", 1.0),
    ("p", 1_125_899_906_842_624.0),
    ("t", 1_099_511_627_776.0),
    ("g", 1_073_741_824.0),
    ("m", 1_048_576.0),
    ("k", 1024.0),
    ("ti", 1_099_511_627_776.0),
    ("gi", 1_073_741_824.0),
    ("mi", 1_048_576.0),
    ("ki", 1024.0),
    ("b", 1.0),
];

/// A size or a rate in bytes: `4096B`, `4KiB`, `1.5 GB/s`, `64k`. `binary` takes KB for KiB.
pub(crate) fn size_with(text: &str, binary: bool) -> Option<f64> {
    let (number, rest) = lead(text)?;
    let unit: String = rest
        .trim_start()
        .chars()
        .take_while(char::is_ascii_alphabetic)
        .take(8)
        .collect();
    let unit = unit.to_ascii_lowercase();
    if unit.is_empty() {
        return Some(number);
    }
    let found = SIZES.iter().find(|(name, _)| *name == unit)?;
    let factor = if binary && unit.len() == 2 && unit.ends_with('b') {
        SIZES.iter().find(|(name, _)| **name == unit[..1])?.1
    } else {
        found.1
    };
    Some(number * factor)
}

/// A size or a rate in bytes.
pub(crate) fn size(text: &str) -> Option<f64> {
    size_with(text, false)
}

/// The factor of a unit of time to nanoseconds.
pub(crate) fn time_unit(unit: &str) -> Option<f64> {
    let unit: String = unit
        .trim()
        .chars()
        .take_while(|sign| sign.is_alphabetic())
        .take(8)
        .collect();
    Some(match unit.to_lowercase().as_str() {
        "ns" | "nsec" => 1.0,
        "us" | "usec" | "usecs" | "µs" | "μs" => 1e3,
        "ms" | "msec" | "msecs" => 1e6,
        "s" | "sec" | "secs" | "seconds" | "second" => 1e9,
        "m" | "min" | "minutes" => 6e10,
        "h" | "hours" => 3.6e12,
        _ => return None,
    })
}

/// A time in nanoseconds: `12.3 ms`, `850us`.
pub(crate) fn time(text: &str) -> Option<f64> {
    let (number, rest) = lead(text)?;
    Some(number * time_unit(rest)?)
}

/// The text after a word, if the text has it.
pub(crate) fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.find(word).map(|at| &text[at + word.len()..])
}

/// The text between two words.
pub(crate) fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    let rest = after(text, from)?;
    Some(&rest[..rest.find(to)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_tools_print_them() {
        let cases = [
            ("3,010 x", Some((3010.0, " x"))),
            ("1,5 GB/s", Some((1.5, " GB/s"))),
            ("12.3k", Some((12.3, "k"))),
            ("1.2e+3;", Some((1200.0, ";"))),
            ("-1", Some((-1.0, ""))),
            ("x", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(lead(text), expected, "{text}");
        }
    }

    #[test]
    fn sizes_and_times_have_their_units() {
        let cases = [
            ("4096B", Some(4096.0)),
            ("4KiB", Some(4096.0)),
            ("4k", Some(4096.0)),
            ("1.5 GB/s", Some(1.5e9)),
            ("48.0MiB/s", Some(48.0 * 1_048_576.0)),
            ("7", Some(7.0)),
            ("7 parsecs", None),
        ];
        for (text, expected) in cases {
            assert_eq!(size(text), expected, "{text}");
        }
        assert_eq!(size_with("33450KB/s", true), Some(33450.0 * 1024.0));
        assert_eq!(time("12.5 ms"), Some(12.5e6));
        assert_eq!(time("850us"), Some(850e3));
        assert_eq!(si("12.3k"), Some(12300.0));
    }
}
