//! Lines of a paste without what people and programs put around an output.

use std::borrow::Cow;

/// A line of a paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: usize,
    /// Its text without prefixes and escapes.
    pub text: String,
}

/// Characters of a line that are looked at; a longer one is cut.
const LONGEST: usize = 1 << 20;

/// Two bytes as a unit of UTF-16.
type Unit = fn([u8; 2]) -> u16;

/// The text of the bytes: UTF-8 with or without a mark, or UTF-16. What is neither is replaced.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let (unit, rest): (Unit, &[u8]) = match bytes {
        [0xFF, 0xFE, rest @ ..] => (u16::from_le_bytes, rest),
        [0xFE, 0xFF, rest @ ..] => (u16::from_be_bytes, rest),
        [0xEF, 0xBB, 0xBF, rest @ ..] => return String::from_utf8_lossy(rest),
        [_, 0, _, 0, ..] => (u16::from_le_bytes, bytes),
        [0, _, 0, _, ..] => (u16::from_be_bytes, bytes),
        _ => return String::from_utf8_lossy(bytes),
    };
    let (pairs, _) = rest.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    Cow::Owned(String::from_utf16_lossy(&units))
}

/// Lines that are read: of a paste of more, the rest is ignored.
pub(crate) const MOST_LINES: usize = 2_000_000;

/// The first two million lines of a text. Fences of Markdown are dropped. Quotes, timestamps and
/// the prefixes of container logs are removed from the start of lines, and escapes of terminals
/// from all of them.
pub fn lines(text: &str) -> Vec<Line> {
    let raw: Vec<&str> = text.split('\n').take(MOST_LINES).collect();
    let has_columns = is_prefixed_by_container(&raw);
    let mut lines = Vec::with_capacity(raw.len());
    for (index, line) in raw.into_iter().enumerate() {
        let mut end = line.len().min(LONGEST);
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        let visible = without_escapes(&line[..end]);
        let mut text = without_quotes(&visible);
        if has_columns {
            text = after_container(text).unwrap_or(text);
        }
        text = without_stamp(text);
        if text.trim_start().starts_with("```") || text.trim_start().starts_with("~~~") {
            text = "";
        }
        lines.push(Line {
            number: index + 1,
            text: text.trim_end().to_owned(),
        });
    }
    lines
}

/// Removes escape sequences, and of what a carriage return overwrites all but the last.
fn without_escapes(line: &str) -> String {
    let line = line.trim_end_matches('\r');
    let line = line.rsplit('\r').next().unwrap_or(line);
    let mut text = String::with_capacity(line.len());
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\u{1b}' => match signs.next() {
                Some('[') => {
                    while signs
                        .next()
                        .is_some_and(|next| !('@'..='~').contains(&next))
                    {}
                }
                Some(']') => {
                    while signs
                        .next()
                        .is_some_and(|next| next != '\u{7}' && next != '\u{1b}')
                    {
                    }
                }
                _ => {}
            },
            '\u{9b}' => {
                while signs
                    .next()
                    .is_some_and(|next| !('@'..='~').contains(&next))
                {}
            }
            '\u{a0}' | '\u{202f}' | '\u{2007}' => text.push(' '),
            '\u{feff}' | '\u{200b}' => {}
            other => text.push(other),
        }
    }
    text
}

/// Removes the marks of quotes in mails and Markdown.
fn without_quotes(mut line: &str) -> &str {
    while let Some(rest) = line.trim_start().strip_prefix('>') {
        // `>=64=0.0%` is a column of fio.
        if rest.starts_with('=') {
            break;
        }
        line = rest.strip_prefix(' ').unwrap_or(rest);
    }
    line
}

/// Whether most lines begin with the name of a container or pod.
fn is_prefixed_by_container(lines: &[&str]) -> bool {
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    let (mut all, mut prefixed) = (0, 0);
    for line in filled.take(2000) {
        all += 1;
        prefixed += usize::from(after_container(line).is_some());
    }
    prefixed >= 3 && prefixed * 2 > all
}

/// What follows `name-1  | ` or `[pod/name/container] `.
fn after_container(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix("[pod/") {
        let (_, rest) = rest.split_once(']')?;
        return Some(rest.strip_prefix(' ').unwrap_or(rest));
    }
    let (name, rest) = line.split_once('|')?;
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || "-_./".contains(sign);
    let word = name.trim_end();
    let is_container = !word.is_empty()
        && word.len() < name.len()
        && word.contains(is_name)
        && word.chars().all(is_name)
        && word.contains(|sign: char| sign.is_ascii_alphabetic());
    is_container.then(|| rest.strip_prefix(' ').unwrap_or(rest))
}

/// Names of months, three letters each.
const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";

/// Removes a timestamp of a log: RFC 3339, with what containerd puts after it, or that of syslog
/// with host and program.
fn without_stamp(line: &str) -> &str {
    let bytes = line.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        bytes
            .get(range)
            .is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    let is_day = digits(0..4) && bytes.get(4) == Some(&b'-') && digits(5..7) && digits(8..10);
    if is_day && bytes.get(10) == Some(&b'T') && digits(11..13) && bytes.get(13) == Some(&b':') {
        let Some((_, rest)) = line.split_once(' ') else {
            return line;
        };
        for stream in ["stdout F ", "stderr F ", "stdout P "] {
            if let Some(rest) = rest.strip_prefix(stream) {
                return rest;
            }
        }
        return rest;
    }
    let is_month = line.get(..3).is_some_and(|month| {
        MONTHS.find(month).is_some_and(|at| at % 3 == 0) && bytes.get(3) == Some(&b' ')
    });
    if is_month && digits(7..9) && bytes.get(9) == Some(&b':') && bytes.get(15) == Some(&b' ') {
        let after = line.get(16..).unwrap_or_default();
        let mut words = after.splitn(3, ' ');
        let (_, program, rest) = (words.next(), words.next(), words.next());
        if program.is_some_and(|program| program.ends_with(':')) {
            return rest.unwrap_or_default();
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        lines(text).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn encodings_are_read() {
        let cases: [(&[u8], &str); 5] = [
            (b"\xFF\xFEa\0b\0", "ab"),
            (b"\xFE\xFF\0a\0b", "ab"),
            (b"a\0b\0", "ab"),
            (b"\xEF\xBB\xBFa", "a"),
            (b"a\xFF", "a\u{fffd}"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(decode(bytes), expected);
        }
    }

    #[test]
    fn what_surrounds_an_output_goes() {
        let cases = [
            ("> > x: 1\r", "x: 1"),
            ("\u{1b}[1mread\u{1b}[0m: IOPS=1", "read: IOPS=1"),
            ("Jobs: 1\rJobs: 2", "Jobs: 2"),
            ("```text", ""),
            (">=64=0.0%", ">=64=0.0%"),
            (
                "2026-01-02T03:04:05.678Z stdout F   read: IOPS=1",
                "  read: IOPS=1",
            ),
            (
                "Nov 27 02:06:01 host fio[123]:   read: IOPS=1",
                "  read: IOPS=1",
            ),
            ("Nov 27 02:06:01 no log", "Nov 27 02:06:01 no log"),
        ];
        for (text, expected) in cases {
            assert_eq!(texts(text), [expected], "{text}");
        }
        let logs = "fio-1  | a\nfio-1  |   b\nfio-1  | c\n";
        assert_eq!(texts(logs), ["a", "  b", "c", ""]);
        let pods = "[pod/fio-x/fio] a\n[pod/fio-x/fio]  b\n[pod/fio-x/fio] c";
        assert_eq!(texts(pods), ["a", " b", "c"]);
    }
}
