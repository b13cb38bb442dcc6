//! The words of a call: options of one letter, the files, and the values of variables.

use crate::source::Variables;
use crate::translate::{Input, Overrides};
use fathom_core::spec::Verify;
use fathom_tools::coverage::OptionRow as Row;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::reason;
use fathom_tools::faults::Faults;
use fathom_tools::translation::{Note, Standing};
use fathom_tools::words::{CommandWords, Word};
use std::io;

/// What a call asks for.
#[derive(Debug, Default)]
pub(crate) struct VdbenchOptions {
    files: Vec<String>,
    variables: Variables,
    overrides: Overrides,
    /// Directory of the summary.
    pub(crate) output: Option<String>,
    /// Name the runs and do nothing.
    pub(crate) simulates: bool,
    notes: Vec<Note>,
}

/// What an option does with its value.
type Does = fn(&mut VdbenchOptions, &str) -> Result<(), &'static str>;

/// A row of the table.
struct CallOption {
    /// Its beginning; a value follows it in the same word or is the next one.
    name: &'static str,
    takes: bool,
    row: Row,
    does: Does,
}

/// The table: a name, whether a value follows, what becomes of it, and what it changes.
macro_rules! options {
    ($($name:literal $($takes:ident)?: $row:expr
        $(, |$asked:ident, $value:ident| $body:expr)?;)+) => {
        &[$(CallOption {
            name: $name,
            takes: options!(@takes $($takes)?),
            row: $row,
            does: options!(@does $(, $asked, $value, $body)?),
        }),+]
    };
    (@takes) => { false };
    (@takes takes) => { true };
    (@does) => { |_, _| Ok(()) };
    (@does, $asked:ident, $value:ident, $body:expr) => {
        |$asked, $value| {
            $body;
            Ok(())
        }
    };
}

/// The longer of two names that begin alike comes first.
static OPTIONS: &[CallOption] = options! {
    "-f" takes: Row::kept("-f FILE…", "parameter files, one after another"),
        |asked, value| asked.files.push(value.to_owned());
    "-o" takes: Row::near("-o DIR", "directory of reports",
        "it has to be there, and gets summary.html alone; without -o nothing is written"),
        |asked, value| asked.output = Some(value.to_owned());
    "-e" takes: Row::kept("-e S", "elapsed= of all runs"),
        |asked, value| asked.overrides.elapsed_s = Some(seconds(value)?);
    "-i" takes: Row::kept("-i S", "interval= of all runs"),
        |asked, value| asked.overrides.interval_s = Some(seconds(value)?);
    "-w" takes: Row::kept("-w S", "warmup= of all runs"),
        |asked, value| asked.overrides.warm_up_s = Some(seconds(value)?);
    "-l" takes: Row::kept("-l N", "repeat all runs N times"),
        |asked, value| asked.overrides.loops = Some(repeats(value)?);
    "-s": Row::kept("-s", "name the runs without making a request"),
        |asked, _value| asked.simulates = true;
    "-vr": Row::near("-vr", "validate=read_after_write",
        "where a workload only writes; validate=yes otherwise"),
        |asked, _value| asked.overrides.verify = Some(Verify::ReadWritten);
    "-v": Row::near("-v", "validate=yes", "blocks are not read before they are written again"),
        |asked, _value| asked.overrides.verify = Some(Verify::Check);
    "-j": Row::refused("-j, -jr, -jn", "keep or use a journal",
        "`fathom durability` checks writes after a loss of power");
    "-t": Row::refused("-t, -tf", "a short test of vdbench", "`fathom selftest` tests Fathom");
    "-c": Row::refused("-c", "remove the files of a tree first",
        "files are removed after each run");
    "-m" takes: Row::ignored("-m N", "processes that make the load",
        "Fathom has one with threads");
    "-p" takes: Row::ignored("-p PORT", "the port of its processes", "Fathom has one process");
    "-d" takes: Row::ignored("-d N", "print more", "the history has all figures");
    "-k": Row::ignored("-k", "print counters of Solaris", "there are none on Linux");
};

const VARIABLE: Row = Row::kept("NAME=VALUE", "value of $NAME in the files");

/// The rows for the page.
pub(crate) fn rows() -> Vec<Row> {
    OPTIONS
        .iter()
        .map(|option| option.row)
        .chain([VARIABLE])
        .collect()
}

fn repeats(text: &str) -> Result<u32, &'static str> {
    let loops = text
        .parse()
        .ok()
        .filter(|loops| (1..=10_000).contains(loops));
    loops.ok_or("a number of repeats, 1 to 10000")
}

fn seconds(text: &str) -> Result<u64, &'static str> {
    let (digits, factor) = match text.chars().last() {
        Some('m') => (&text[..text.len() - 1], 60),
        Some('h') => (&text[..text.len() - 1], 3600),
        _ => (text, 1),
    };
    let seconds = digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(factor));
    seconds
        .filter(|seconds| (1..=100_000_000).contains(seconds))
        .ok_or("seconds, as in 60, 5m or 2h")
}

/// Reads the words of a call.
///
/// # Errors
///
/// Everything that is wrong with them.
pub(crate) fn read(argv: &[String]) -> Result<VdbenchOptions, Vec<Diagnostic>> {
    let words = CommandWords::of("vdbench", argv);
    let mut errors = Faults::default();
    let mut asked = VdbenchOptions::default();
    let mut list = words.list.iter().peekable();
    while let Some(word) = list.next() {
        if errors.is_hopeless() {
            break;
        }
        let mut wrong = |word: &Word, message: String, remedy: &str| {
            errors.push(words.error(word.span.clone(), message, None, remedy));
        };
        let Some(option) = OPTIONS
            .iter()
            .find(|option| word.text.starts_with(option.name))
        else {
            match word.text.split_once('=') {
                Some((name, value)) if !word.text.starts_with('-') && !name.is_empty() => {
                    asked.variables.insert(name.to_owned(), value.to_owned());
                }
                _ if !word.text.starts_with('-') && !asked.files.is_empty() => {
                    asked.files.push(word.text.clone());
                }
                _ => {
                    let message = format!("`{}` is no option of vdbench", word.text);
                    wrong(
                        word,
                        message,
                        "-f FILE; docs/dialects/vdbench.md lists the options",
                    );
                }
            }
            continue;
        };
        let inline = &word.text[option.name.len()..];
        let next = list.next_if(|_| option.takes && inline.is_empty());
        let value = next.map_or(inline, |next| next.text.as_str());
        if matches!(
            option.row.standing,
            Standing::Ignored | Standing::Approximated
        ) {
            let note = Note::new(option.row.standing, option.name, option.row.remark);
            asked.notes.push(note);
        }
        if option.row.standing == Standing::Refused {
            let message = format!("`{}` is not possible: {}", word.text, option.row.remark);
            wrong(word, message, "without it");
        } else if option.takes && value.is_empty() {
            wrong(
                word,
                format!("`{}` needs a value", word.text),
                option.row.form,
            );
        } else if let Err(expected) = (option.does)(&mut asked, value) {
            let message = format!("`{value}` is not possible for `{}`", option.name);
            wrong(next.unwrap_or(word), message, expected);
        }
    }
    if asked.files.is_empty() && errors.is_empty() {
        let message = "no parameter file is named";
        errors.push(words.error(words.end(), message, None, "-f FILE"));
    }
    if errors.is_empty() {
        Ok(asked)
    } else {
        Err(errors.into_vec())
    }
}

impl VdbenchOptions {
    /// What is read of the files.
    ///
    /// # Errors
    ///
    /// Files that cannot be read.
    pub(crate) fn input(
        &self,
        read: &dyn Fn(&str) -> io::Result<String>,
    ) -> Result<Input, Vec<Diagnostic>> {
        let words = CommandWords::of(
            "vdbench",
            &[&["-f".to_owned()], self.files.as_slice()].concat(),
        );
        let mut files = Vec::new();
        for (name, word) in self.files.iter().zip(&words.list[1..]) {
            match read(name) {
                Ok(text) => files.push((name.clone(), text)),
                Err(error) => {
                    let message = format!("cannot read {name}: {}", reason(&error));
                    let remedy = "a parameter file of vdbench";
                    return Err(vec![words.error(word.span.clone(), message, None, remedy)]);
                }
            }
        }
        Ok(Input {
            files,
            variables: self.variables.clone(),
            overrides: self.overrides,
            targets: Vec::new(),
            notes: self.notes.clone(),
        })
    }
}
