//! `iotest.sh -i N -t DIR -b BLOCKS -s KB`, read as getopts reads it.

use super::options::{self, BLOCKS, IotestOptions, LETTERS, Letter, MAX_FILE_KIB, Value};
use super::streams::Streams;
use fathom_core::EngineKind;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::Surroundings;
use fathom_tools::faults::Faults;
use fathom_tools::plain_job::workload;
use fathom_tools::translation::{Note, RunWishes, Translation};
use fathom_tools::words::{CommandWords, Word, calls};
use std::collections::BTreeMap;
use std::ops::Range;

/// What Fathom can do that the script cannot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// Drop the pages of what was written before it is read.
    pub cold: bool,
    /// Write random bytes instead of zeros.
    pub incompressible: bool,
}

/// Translates a whole command line.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn translate(
    text: &str,
    file: &str,
    _: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let words = CommandWords::split(text, file).map_err(|error| vec![*error])?;
    read(&words, Wishes::default())
}

/// How sure it is that a text is a command line of the script.
pub fn detect(_: &str, text: &str) -> u8 {
    calls(text, &["iotest", "iotest.sh"])
}

/// Translates the words after the program's name.
///
/// # Errors
///
/// Everything that is wrong with them.
pub fn translate_argv(argv: &[String], wishes: Wishes) -> Result<Translation, Vec<Diagnostic>> {
    read(&CommandWords::of("iotest", argv), wishes)
}

struct Reader<'a> {
    words: &'a CommandWords,
    errors: Faults,
    /// The value of each letter and its place.
    given: BTreeMap<char, (String, Range<usize>)>,
    notes: Vec<Note>,
    /// A word was wrong, which may be one that seems to be missing.
    malformed: bool,
}

fn read(words: &CommandWords, wishes: Wishes) -> Result<Translation, Vec<Diagnostic>> {
    let mut reader = Reader {
        words,
        errors: Faults::default(),
        given: BTreeMap::new(),
        notes: Vec::new(),
        malformed: false,
    };
    reader.options();
    reader.malformed = !reader.errors.is_empty();
    let Some(mut asked) = reader.asked() else {
        return Err(reader.errors.into_vec());
    };
    reader.check_file(&asked);
    if !reader.errors.is_empty() {
        return Err(reader.errors.into_vec());
    }
    let source = options::command_line(&mut asked);
    let streams = Streams {
        directory: &asked.directory,
        program: "iotest",
        count: asked.streams as u32,
        blocks: asked.blocks,
        block_kib: asked.block_kib,
        flush: false,
        incompressible: wishes.incompressible,
        cold: wishes.cold,
    };
    let mut notes = reader.notes;
    notes.push(Note::new(
        options::SYNC.standing,
        options::SYNC.form,
        options::SYNC.remark,
    ));
    Ok(Translation {
        workload: workload("iotest", source, streams.phases()),
        notes,
        wishes: RunWishes {
            engine: Some(EngineKind::Psync),
            ..RunWishes::default()
        },
    })
}

impl Reader<'_> {
    /// Reads options up to the first word that is none, the last of equals wins.
    fn options(&mut self) {
        let mut list = self.words.list.iter().peekable();
        while let Some(word) = list.next() {
            if self.errors.is_hopeless() {
                return;
            }
            let mut letters = word.text.char_indices();
            if letters.next() != Some((0, '-')) || word.text == "-" || word.text == "--" {
                if word.text != "--" {
                    self.stray(word);
                }
                if let Some(rest) = list.next().filter(|_| word.text == "--") {
                    self.stray(rest);
                }
                return;
            }
            let Some((at, letter)) = letters.next() else {
                continue;
            };
            let glued = at + letter.len_utf8();
            if options::letter(letter).is_none() {
                let place = self.words.part(word, 0..glued);
                self.errors.push(self.words.error(
                    place,
                    format!("there is no option `-{letter}`"),
                    None,
                    &format!("the options are {}", options::forms()),
                ));
                // What follows may be its value.
                list.next_if(|next| !next.text.starts_with('-'));
                continue;
            }
            if glued < word.text.len() {
                let place = self.words.part(word, glued..word.text.len());
                self.given
                    .insert(letter, (word.text[glued..].to_owned(), place));
            } else if let Some(value) = list.next() {
                let place = self.words.part(value, 0..value.text.len());
                self.given.insert(letter, (value.text.clone(), place));
            } else {
                let place = self.words.part(word, 0..word.text.len());
                self.errors.push(self.words.error(
                    place,
                    format!("`-{letter}` is the last word and has no value"),
                    None,
                    &format!("as in {}", options::example()),
                ));
            }
        }
    }

    /// A word that the script does not read, nor any after it.
    fn stray(&mut self, word: &Word) {
        if word.text.starts_with(['–', '—', '−']) {
            let place = self.words.part(word, 0..word.text.len());
            self.errors.push(self.words.error(
                place,
                "this dash is not the one of the keyboard, so it begins no option",
                None,
                "type `-` anew",
            ));
            return;
        }
        let place = self.words.part(word, 0..word.text.len());
        let message = format!("`{}` is no option; {}", word.text, options::REST.remark);
        let remedy = format!("leave it out; the options are {}", options::forms());
        self.errors
            .push(self.words.error(place, message, None, &remedy));
    }

    /// What all options say together: the numbers, and where they are to be written.
    fn asked(&mut self) -> Option<IotestOptions> {
        let mut asked = IotestOptions::default();
        let mut is_whole = true;
        for option in &LETTERS {
            if let Value::Number { most, remedy, slot } = option.value {
                let number = self.number(option, most, remedy);
                is_whole &= number.is_some();
                *slot(&mut asked) = number.unwrap_or_default();
            }
        }
        for option in &LETTERS {
            if let Value::Directory(slot) = option.value {
                let directory = self.directory(option);
                is_whole &= directory.is_some();
                *slot(&mut asked) = directory.unwrap_or_default();
            }
        }
        is_whole.then_some(asked)
    }

    fn number(&mut self, option: &Letter, most: u64, whole: &str) -> Option<u64> {
        let Some((value, place)) = self.given.get(&option.key) else {
            self.missing(option);
            return None;
        };
        let (message, remedy) = match value.trim().parse::<u64>() {
            Ok(number) if (1..=most).contains(&number) => return Some(number),
            Ok(0) => (
                format!("`{}` does nothing", option.with("0")),
                "give at least 1",
            ),
            Ok(_) => (
                format!("{value} is more than {} can be", option.with("").trim_end()),
                "choose less",
            ),
            Err(_) => (format!("`{value}` is not a number"), whole),
        };
        let found = self.words.error(place.clone(), message, None, remedy);
        self.errors.push(found);
        None
    }

    fn directory(&mut self, option: &Letter) -> Option<String> {
        match self.given.get(&option.key) {
            Some((directory, _)) if !directory.is_empty() => Some(directory.clone()),
            Some((_, place)) => {
                let message = "the directory has no name";
                let place = place.clone();
                self.errors
                    .push(self.words.error(place, message, None, &option.remedy()));
                None
            }
            None => {
                self.missing(option);
                None
            }
        }
    }

    fn missing(&mut self, option: &Letter) {
        if self.malformed {
            return;
        }
        let message = format!("`{}` is missing", option.with("").trim_end());
        let end = self.words.end();
        self.errors
            .push(self.words.error(end, message, None, &option.remedy()));
    }

    fn check_file(&mut self, asked: &IotestOptions) {
        let IotestOptions {
            blocks, block_kib, ..
        } = asked;
        let file_kib = blocks.checked_mul(*block_kib);
        if file_kib.is_none_or(|kib| kib > MAX_FILE_KIB) {
            let given = self.given.get(&BLOCKS);
            let place = given.map_or(0..0, |(_, place)| place.clone());
            self.errors.push(self.words.error(
                place,
                format!("{blocks} blocks of {block_kib} KiB are more than a file can hold"),
                None,
                "choose fewer",
            ));
        }
    }
}
