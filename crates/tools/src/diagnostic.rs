//! What is wrong with a text: the place, the cause, the remedy.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Characters before the place at fault that are quoted of a line which is too long.
const BEFORE: usize = 60;

/// No drawing is made narrower.
const LEAST_COLUMNS: usize = 20;

/// Characters of a message, which may quote a word of any length.
pub const MESSAGE: usize = 400;

/// Characters of an advice, which may list all that is known.
pub const ADVICE: usize = 1600;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text can be used, but may not mean what its author thinks.
    Warning,
    /// The text cannot be used.
    Error,
}

impl Severity {
    /// The word that begins a message.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One thing that is wrong with a text, with all that is needed to draw it.
///
/// Its `Display` is a plain drawing without colours, of several lines, without a final line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong: a fragment that begins in lower case, without a full stop.
    pub message: String,
    /// Name of the file, as the user gave it.
    pub file: Arc<str>,
    /// The text of the file: all of it, or the part around the place where it is read as it comes.
    pub text: Arc<str>,
    /// What of the file stands before `text`.
    pub skipped: Skipped,
    /// The bytes of `text` at fault; on character boundaries, and inside one line.
    pub span: Range<usize>,
    /// What was probably meant.
    pub suggestion: Option<String>,
    /// What to write instead.
    pub remedy: Option<String>,
}

/// How many columns the parts of a drawing may take.
#[derive(Clone, Copy, Debug)]
struct Room {
    /// Columns of the message.
    message: usize,
    /// Of what is advised.
    advice: usize,
    /// Of the quoted line, in characters of it: more than fit on a screen show nothing.
    quoted: usize,
}

/// Where nobody says how wide a terminal is.
const PLAIN: Room = Room {
    message: usize::MAX,
    advice: 90,
    quoted: 160,
};

/// What of a file is not held: all before some place in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Whole lines.
    pub lines: usize,
    /// Characters of the line after those.
    pub columns: usize,
}

impl Diagnostic {
    /// The line of the beginning of the span, from 1.
    pub fn line(&self) -> usize {
        1 + self.skipped.lines + self.text[..self.span.start].matches('\n').count()
    }

    /// The column of the beginning of the span in characters, from 1.
    pub fn column(&self) -> usize {
        1 + self.cut_columns() + self.held_column()
    }

    /// The line that the span is in, without its end.
    pub fn source_line(&self) -> &str {
        let rest = &self.text[self.line_start()..];
        rest.lines().next().unwrap_or_default()
    }

    /// The drawing in at most `columns` columns, words that are longer aside.
    pub fn within(&self, columns: usize) -> String {
        let columns = columns.max(LEAST_COLUMNS);
        // The number of the line, the frame, and a sign at each end for what was cut.
        let beside = self.line().to_string().len() + " | ……".chars().count();
        let mut text = String::new();
        let room = Room {
            message: columns,
            advice: columns.min(PLAIN.advice),
            quoted: columns.saturating_sub(beside).min(PLAIN.quoted),
        };
        // Writing to a string cannot fail.
        let _ = self.draw(&mut text, room);
        text
    }

    /// The advice in the order in which it is shown, each a sentence of its own.
    pub fn help(&self) -> impl Iterator<Item = &str> {
        self.suggestion
            .as_deref()
            .into_iter()
            .chain(self.remedy.as_deref())
    }

    /// The part of the line around the span that is shown, and the column of the span in it.
    fn excerpt(&self, most: usize) -> (String, usize) {
        let column = self.held_column();
        let line = self.source_line();
        // A tab would put the caret elsewhere on every terminal.
        let shown = |c: char| if c == '\t' { ' ' } else { c };
        let first = if line.chars().nth(most).is_some() {
            column.saturating_sub(BEFORE.min(most * 2 / 5))
        } else {
            0
        };
        let mut quoted: String = line.chars().skip(first).take(most).map(shown).collect();
        if line.chars().nth(first + most).is_some() {
            quoted.push('…');
        }
        let is_cut = first > 0 || self.cut_columns() > 0;
        if is_cut {
            quoted.insert(0, '…');
        }
        (quoted, column - first + usize::from(is_cut))
    }

    fn draw(&self, f: &mut impl fmt::Write, room: Room) -> fmt::Result {
        let (line, column) = (self.line(), self.column());
        let number = line.to_string();
        let gutter = " ".repeat(number.len());
        let (quoted, indent) = self.excerpt(room.quoted);
        let carets = self.text[self.span.clone()].chars().take(room.quoted);
        let beside = quoted.chars().count().saturating_sub(indent);
        let carets = carets.count().min(beside).max(1);
        let message = format!("{}: {}", self.severity.name(), cut(&self.message, MESSAGE));
        wrap(f, &message, 0, 2, room.message)?;
        // A name comes from a text as well: that of an include.
        let file = cut(&self.file, MESSAGE);
        writeln!(f, "\n{gutter}--> {file}:{line}:{column}")?;
        writeln!(f, "{gutter} |")?;
        writeln!(f, "{}", format!("{number} | {quoted}").trim_end())?;
        let caret = "^".repeat(carets);
        write!(f, "{gutter} | {}{caret}", " ".repeat(indent))?;
        for advice in self.help() {
            write!(f, "\n{gutter} = help: ")?;
            let column = number.len() + " = help: ".len();
            wrap(f, &cut(advice, ADVICE), column, column, room.advice)?;
        }
        Ok(())
    }

    /// Characters of the line before the span, of those that are held.
    fn held_column(&self) -> usize {
        self.text[self.line_start()..self.span.start]
            .chars()
            .count()
    }

    /// Characters of the line that are not held.
    fn cut_columns(&self) -> usize {
        if self.line_start() == 0 {
            self.skipped.columns
        } else {
            0
        }
    }

    fn line_start(&self) -> usize {
        self.text[..self.span.start]
            .rfind('\n')
            .map_or(0, |at| at + 1)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.draw(f, PLAIN)
    }
}

impl std::error::Error for Diagnostic {}

/// A text without its middle, if it is too long to be read.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if text.chars().nth(most).is_none() {
        return text.into();
    }
    let at = |number: usize| {
        text.char_indices()
            .nth(number)
            .map_or(text.len(), |(at, _)| at)
    };
    let begin = &text[..at(most / 2)];
    let end = text
        .char_indices()
        .rev()
        .nth(most / 2)
        .map_or(0, |(at, _)| at);
    format!("{begin} … {}", &text[end..]).into()
}

/// Writes `text` from a column on, broken between words, the further lines indented by `indent`.
fn wrap(
    f: &mut impl fmt::Write,
    text: &str,
    first: usize,
    indent: usize,
    most: usize,
) -> fmt::Result {
    let mut column = first;
    for (index, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if index > 0 && column + 1 + length > most {
            write!(f, "\n{}", " ".repeat(indent))?;
            column = indent;
        } else if index > 0 {
            f.write_str(" ")?;
            column += 1;
        }
        f.write_str(word)?;
        column += length;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic(text: &str, span: Range<usize>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: "unknown key `thread`".into(),
            file: "a.toml".into(),
            text: text.into(),
            skipped: Skipped::default(),
            span,
            suggestion: Some("did you mean `threads`?".into()),
            remedy: None,
        }
    }

    #[test]
    fn the_line_is_quoted_and_the_place_marked() {
        let found = diagnostic("name = \"ä\"\n\tthread = 4\nread = 1", 13..19);
        assert_eq!(
            (found.line(), found.column(), found.source_line()),
            (2, 2, "\tthread = 4")
        );
        let narrow = "\
error: unknown key
  `thread`
 --> a.toml:2:2
  |
2 |  thread = 4
  |  ^^^^^^
  = help: did you mean
          `threads`?";
        assert_eq!(found.within(22), narrow);
        let drawn = "\
error: unknown key `thread`
 --> a.toml:2:2
  |
2 |  thread = 4
  |  ^^^^^^
  = help: did you mean `threads`?";
        assert_eq!(found.to_string(), drawn);
    }

    #[test]
    fn an_empty_place_and_an_empty_text_have_a_mark_too() {
        let drawn = "\
error: unknown key `thread`
 --> a.toml:1:1
  |
1 |
  | ^
  = help: did you mean `threads`?";
        assert_eq!(diagnostic("", 0..0).to_string(), drawn);
    }

    #[test]
    fn of_a_line_without_end_the_part_around_the_place_is_shown() {
        let text = format!("{}thread{}", "a".repeat(500), "b".repeat(500));
        let mut found = diagnostic(&text, 500..506);
        found.message = format!("unknown key `{text}`");
        let drawn = format!(
            "error: unknown key `{} … {}`\n --> a.toml:1:501\n  |\n1 | …{}thread{}…\n  | \
             {}^^^^^^\n  = help: did you mean `threads`?",
            "a".repeat(187),
            "b".repeat(200),
            "a".repeat(60),
            "b".repeat(94),
            " ".repeat(61),
        );
        assert_eq!(found.to_string(), drawn);
        // A place without end has as many marks as there are letters.
        found.span = 0..text.len();
        found.message = "too long".into();
        let drawn = format!(
            "error: too long\n --> a.toml:1:1\n  |\n1 | {}…\n  | {}\n  = help: did you mean \
             `threads`?",
            "a".repeat(160),
            "^".repeat(160),
        );
        assert_eq!(found.to_string(), drawn);
    }

    #[test]
    fn a_name_without_end_is_cut() {
        let mut found = diagnostic("thread = 4", 0..6);
        found.file = "d/".repeat(1000).into();
        let name = format!("{} … /{}", "d/".repeat(100), "d/".repeat(100));
        let drawn = format!(
            "error: unknown key `thread`\n --> {name}:1:1\n  |\n1 | thread = 4\n  | ^^^^^^\n  = \
             help: did you mean `threads`?"
        );
        assert_eq!(found.to_string(), drawn);
    }

    #[test]
    fn of_a_text_that_is_not_held_the_place_is_that_in_the_file() {
        let mut found = diagnostic("…ad = 4\nx = 1", 4..5);
        found.skipped = Skipped {
            lines: 1_999_999,
            columns: 150_000_000,
        };
        assert_eq!((found.line(), found.column()), (2_000_000, 150_000_003));
        found.text = "ead = 4\nx = 1".into();
        found.span = 0..3;
        let drawn = "\
error: unknown key `thread`
       --> a.toml:2000000:150000001
        |
2000000 | …ead = 4
        |  ^^^
        = help: did you mean `threads`?";
        assert_eq!(found.to_string(), drawn);
        // The next line is there from its begin.
        found.span = 8..9;
        assert_eq!((found.line(), found.column()), (2_000_001, 1));
    }

    #[test]
    fn long_advice_is_wrapped_between_words() {
        let mut found = diagnostic("x", 0..1);
        found.suggestion = None;
        found.remedy = Some(["threads"; 14].join(", "));
        let drawn = "\
error: unknown key `thread`
 --> a.toml:1:1
  |
1 | x
  | ^
  = help: threads, threads, threads, threads, threads, threads, threads, threads, threads,
          threads, threads, threads, threads, threads";
        assert_eq!(found.to_string(), drawn);
    }
}
