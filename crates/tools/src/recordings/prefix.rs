//! What people and programs put before each line of an output: the mark of a quote, or the time of
//! `ts`.

use std::io::{self, BufRead, Read};

/// Something that stands before every line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Prefix {
    /// `> `, once or more.
    Quote,
    /// A time of `ts`, in its usual form or in one with a date, and a blank.
    Time,
}

impl Prefix {
    /// The one that every line of a text has; the last may be cut off.
    pub(super) fn of(begin: &str) -> Option<Self> {
        let has = |prefix: Self| {
            let mut lines = begin
                .split_inclusive('\n')
                .filter(|line| line.ends_with('\n'));
            let is_some = lines.clone().next().is_some();
            is_some && lines.all(|line| prefix.length(line) > 0)
        };
        [Self::Quote, Self::Time].into_iter().find(|one| has(*one))
    }

    /// A line without it.
    pub(super) fn cut(self, line: &str) -> &str {
        &line[self.length(line)..]
    }

    /// Its bytes on a line.
    fn length(self, line: &str) -> usize {
        match self {
            Self::Quote => {
                let mut rest = line;
                while let Some(inner) = rest.trim_start_matches(' ').strip_prefix('>') {
                    rest = inner.strip_prefix(' ').unwrap_or(inner);
                }
                line.len() - rest.len()
            }
            Self::Time => FORMS.iter().find_map(|form| fits(line, form)).unwrap_or(0),
        }
    }
}

/// What `ts` writes: a letter `a`, a digit `0`, and everything else as it stands.
const FORMS: [&str; 6] = [
    "aaa 00 00:00:00",
    "0000-00-00 00:00:00",
    "0000-00-00T00:00:00",
    "[0000-00-00 00:00:00]",
    "[0000-00-00T00:00:00]",
    "0000000000",
];

/// Bytes of a form at the start of a line, with a fraction or a zone after it, and the blank.
fn fits(line: &str, form: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let is_alike = |(byte, sign): (&u8, u8)| match sign {
        b'a' => byte.is_ascii_alphabetic(),
        b'0' => byte.is_ascii_digit(),
        sign => *byte == sign,
    };
    let head = bytes.get(..form.len())?;
    if !head.iter().zip(form.bytes()).all(is_alike) {
        return None;
    }
    let goes_on = |byte: &u8| byte.is_ascii_digit() || b".:+-Z".contains(byte);
    let more = bytes[form.len()..].iter().take_while(|byte| goes_on(byte));
    let end = form.len() + more.count();
    match bytes.get(end) {
        Some(b' ' | b'\t') => Some(end + 1),
        // An empty line: some strip the blank after the time.
        Some(b'\r' | b'\n') => Some(end),
        _ => None,
    }
}

/// A text whose lines have lost it.
pub(super) struct Peeled {
    from: Box<dyn BufRead>,
    prefix: Prefix,
    line: Vec<u8>,
    at: usize,
}

impl Peeled {
    pub(super) fn of(from: Box<dyn BufRead>, prefix: Prefix) -> Self {
        Self {
            from,
            prefix,
            line: Vec::new(),
            at: 0,
        }
    }
}

impl BufRead for Peeled {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at == self.line.len() {
            self.line.clear();
            self.at = 0;
            if super::words::read_line(&mut self.from, &mut self.line)? == 0 {
                return Ok(&[]);
            }
            // All of what is cut is ASCII.
            let head = self.line.len().min(64);
            let head = self.line[..head].utf8_chunks().next();
            self.at = head.map_or(0, |chunk| self.prefix.length(chunk.valid()));
        }
        Ok(&self.line[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }
}

impl Read for Peeled {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_every_line_is_found() {
        let cases = [
            ("> a\n> > b\n>\n", Some(Prefix::Quote), "a\nb\n\n"),
            (
                "Nov 20 10:00:00 a b\nNov 20 10:00:01 \n",
                Some(Prefix::Time),
                "a b\n\n",
            ),
            ("2026-11-20T10:00:00.123 a\n", Some(Prefix::Time), "a\n"),
            ("[2026-11-20 10:00:00]  a\n", Some(Prefix::Time), " a\n"),
            ("1795353894.123456 a\n", Some(Prefix::Time), "a\n"),
            ("2026-11-20T10:00:00Z,1\n", None, ""),
            ("> a\nb\n", None, ""),
            ("", None, ""),
        ];
        for (text, prefix, without) in cases {
            let found = Prefix::of(text);
            assert_eq!(found, prefix, "{text}");
            let Some(prefix) = found else { continue };
            let lines = text.split_inclusive('\n').map(|line| prefix.cut(line));
            assert_eq!(lines.collect::<String>(), without);
            let mut read = String::new();
            let from = Box::new(io::Cursor::new(text.as_bytes().to_vec()));
            Peeled::of(from, prefix)
                .read_to_string(&mut read)
                .expect("it is a text");
            assert_eq!(read, without);
        }
    }
}
