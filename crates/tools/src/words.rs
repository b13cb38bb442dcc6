//! The words of a command line, and where in its text each of them stands.

use crate::diagnostic::{Diagnostic, Severity, Skipped};
use std::ops::Range;
use std::sync::Arc;

/// The words of a line as a shell would make them; what is wrong with it otherwise.
pub fn shell_words(text: &str) -> Result<Vec<String>, String> {
    let line = format!("fathom {text}");
    let words =
        CommandWords::split(&line, "command line").map_err(|error| error.message.clone())?;
    Ok(words.list.into_iter().map(|word| word.text).collect())
}

/// A word as the program would get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word without quotes and escapes.
    pub text: String,
    /// Its place in the command line, quotes included.
    pub span: Range<usize>,
    /// Whether it stands there letter by letter.
    pub is_plain: bool,
}

/// A command line in words.
#[derive(Clone, Debug)]
pub struct CommandWords {
    file: Arc<str>,
    text: Arc<str>,
    /// The words after the program's name.
    pub list: Vec<Word>,
}

impl CommandWords {
    /// The words that a program was called with, its name left out.
    pub fn of(program: &str, argv: &[String]) -> Self {
        let mut text = program.to_owned();
        let mut list = Vec::new();
        for word in argv {
            text.push(' ');
            let start = text.len();
            // A place has to be inside one line.
            text.push_str(&word.replace(['\n', '\r'], " "));
            list.push(Word {
                text: word.clone(),
                span: start..text.len(),
                is_plain: text[start..] == **word,
            });
        }
        Self {
            file: "command line".into(),
            text: text.into(),
            list,
        }
    }

    /// The words of a line as a shell would make them: blanks part them, quotes and backslashes
    /// keep blanks together. The first word is the program.
    pub fn split(text: &str, file: &str) -> Result<Self, Box<Diagnostic>> {
        let mut words = Self {
            file: file.into(),
            text: text.into(),
            list: Vec::new(),
        };
        let mut splitter = Splitter::new(text);
        while let Some(word) = splitter.word() {
            match word {
                Ok(mut word) => {
                    word.is_plain = text[word.span.clone()] == *word.text;
                    words.list.push(word);
                }
                Err(start) => {
                    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
                    return Err(Box::new(words.error(
                        start..end,
                        "the quote that begins here is not closed",
                        None,
                        "close it in the same line",
                    )));
                }
            }
        }
        if !words.list.is_empty() {
            words.list.remove(0);
        }
        Ok(words)
    }

    /// The place of a part of a word; of the whole word where quotes make them differ.
    pub fn part(&self, word: &Word, part: Range<usize>) -> Range<usize> {
        let raw = &self.text[word.span.clone()];
        if word.is_plain && raw.get(part.clone()).is_some() {
            word.span.start + part.start..word.span.start + part.end
        } else {
            self.within_line(word.span.clone())
        }
    }

    /// The end of the line: where something is missing.
    pub fn end(&self) -> Range<usize> {
        let end = self.text.trim_end().len();
        end..end
    }

    /// An error at a place of the line.
    pub fn error(
        &self,
        span: Range<usize>,
        message: impl Into<String>,
        suggestion: Option<String>,
        remedy: &str,
    ) -> Diagnostic {
        Diagnostic {
            skipped: Skipped::default(),
            severity: Severity::Error,
            message: message.into(),
            file: Arc::clone(&self.file),
            text: Arc::clone(&self.text),
            span: self.within_line(span),
            suggestion,
            remedy: (!remedy.is_empty()).then(|| remedy.to_owned()),
        }
    }

    fn within_line(&self, span: Range<usize>) -> Range<usize> {
        let line = self.text[span.clone()].find('\n');
        span.start..line.map_or(span.end, |at| span.start + at)
    }
}

/// How sure a dialect is, from 0 to 100, that a text is a command line of one of these programs.
pub fn calls(text: &str, programs: &[&str]) -> u8 {
    let first = text.split_whitespace().next().unwrap_or_default();
    let name = first.rsplit('/').next().unwrap_or(first);
    if programs.contains(&name) { 90 } else { 0 }
}

struct Splitter<'a> {
    rest: std::iter::Peekable<std::str::CharIndices<'a>>,
    end: usize,
}

impl<'a> Splitter<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            rest: text.char_indices().peekable(),
            end: text.len(),
        }
    }

    /// The next word, or the place of a quote without an end.
    fn word(&mut self) -> Option<Result<Word, usize>> {
        while self.rest.next_if(|(_, c)| c.is_whitespace()).is_some() {}
        let start = self.rest.peek()?.0;
        let mut text = String::new();
        while let Some((at, c)) = self.rest.next_if(|(_, c)| !c.is_whitespace()) {
            match c {
                '\'' | '"' => {
                    if !self.quoted(c, &mut text) {
                        return Some(Err(at));
                    }
                }
                '\\' => match self.rest.next() {
                    // A backslash at the end of a line continues it.
                    Some((_, '\n')) => {}
                    Some((_, c)) => text.push(c),
                    None => text.push('\\'),
                },
                c => text.push(c),
            }
        }
        let end = self.rest.peek().map_or(self.end, |(at, _)| *at);
        Some(Ok(Word {
            text,
            span: start..end,
            // Seen to by whoever has the text.
            is_plain: false,
        }))
    }

    /// What is between quotes; whether they end.
    fn quoted(&mut self, quote: char, text: &mut String) -> bool {
        while let Some((_, c)) = self.rest.next() {
            match c {
                c if c == quote => return true,
                '\\' if quote == '"' => match self.rest.next() {
                    Some((_, c @ ('"' | '\\'))) => text.push(c),
                    Some((_, c)) => text.extend(['\\', c]),
                    None => return false,
                },
                c => text.push(c),
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<String> {
        let words = CommandWords::split(line, "line").unwrap();
        words.list.into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn words_are_those_of_a_shell() {
        assert_eq!(
            texts("./dd if=/dev/zero  'of=a b' \"bs=\\\"x\" c\\ d"),
            ["if=/dev/zero", "of=a b", "bs=\"x", "c d"]
        );
        assert_eq!(texts(""), [""; 0]);
        assert_eq!(
            texts("dd a \\\n b"),
            ["a", "", "b"].map(String::from)[..].to_vec()
        );
    }

    #[test]
    fn a_quote_without_an_end_is_marked() {
        let error = CommandWords::split("dd 'of=x", "line").unwrap_err();
        let drawn = "\
error: the quote that begins here is not closed
 --> line:1:4
  |
1 | dd 'of=x
  |    ^^^^^
  = help: close it in the same line";
        assert_eq!(error.to_string(), drawn);
    }

    #[test]
    fn parts_of_plain_words_have_places() {
        let words = CommandWords::of("dd", &["bs=1Q".into(), "of=a\nb".into()]);
        assert_eq!(words.part(&words.list[0], 3..5), 6..8);
        assert_eq!(words.part(&words.list[1], 3..4), 9..15);
        assert_eq!(words.end(), 15..15);
    }
}
