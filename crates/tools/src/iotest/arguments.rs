//! `iotest.sh -i N -t DIR -b BLOCKS -s KB`, read as getopts reads it.

use super::options;
use super::streams::Streams;
use crate::diagnostic::Diagnostic;
use crate::dialects::Surroundings;
use crate::faults::Faults;
use crate::plain_job::workload;
use crate::translation::{Note, RunWishes, Translation};
use crate::words::{Word, Words, calls};
use std::ops::Range;

/// What Fathom can do that the script cannot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// Drop the pages of what was written before it is read.
    pub cold: bool,
    /// Write random bytes instead of zeros.
    pub incompressible: bool,
}

/// Largest block that one request moves, KiB.
const MAX_BLOCK_KIB: u64 = 1 << 20;
/// Most streams: each is a thread and a file.
const MAX_STREAMS: u64 = 4096;
/// No file is larger.
const MAX_FILE_KIB: u64 = 1 << 53;

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
    let words = Words::split(text, file).map_err(|error| vec![*error])?;
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
    read(&Words::of("iotest", argv), wishes)
}

/// One option's value and its place.
type Given = Option<(String, Range<usize>)>;

struct Reader<'a> {
    words: &'a Words,
    errors: Faults,
    streams: Given,
    directory: Given,
    blocks: Given,
    block_kib: Given,
    notes: Vec<Note>,
    /// A word was wrong, which may be one that seems to be missing.
    malformed: bool,
}

fn read(words: &Words, wishes: Wishes) -> Result<Translation, Vec<Diagnostic>> {
    let mut reader = Reader {
        words,
        errors: Faults::default(),
        streams: None,
        directory: None,
        blocks: None,
        block_kib: None,
        notes: Vec::new(),
        malformed: false,
    };
    reader.options();
    reader.malformed = !reader.errors.is_empty();
    let count = reader.number("-i", &reader.streams.clone(), MAX_STREAMS);
    let blocks = reader.number("-b", &reader.blocks.clone(), MAX_FILE_KIB);
    let block_kib = reader.number("-s", &reader.block_kib.clone(), MAX_BLOCK_KIB);
    let directory = reader.needed_directory();
    let (Some(count), Some(blocks), Some(block_kib), Some(directory)) =
        (count, blocks, block_kib, directory)
    else {
        return Err(reader.errors.into_vec());
    };
    reader.check_file(blocks, block_kib);
    if !reader.errors.is_empty() {
        return Err(reader.errors.into_vec());
    }
    let streams = Streams {
        directory: &directory,
        program: "iotest",
        count: count as u32,
        blocks,
        block_kib,
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
    let source = format!("iotest.sh -i {count} -t {directory} -b {blocks} -s {block_kib}");
    Ok(Translation {
        workload: workload("iotest", source, streams.phases()),
        notes,
        wishes: RunWishes {
            engine: Some("psync"),
            ..RunWishes::default()
        },
    })
}

impl Reader<'_> {
    /// Reads options up to the first word that is none, the last of equals wins.
    fn options(&mut self) {
        let mut list = self.words.list.iter().peekable();
        while let Some(word) = list.next() {
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
            let slot = match letter {
                'i' => &mut self.streams,
                't' => &mut self.directory,
                'b' => &mut self.blocks,
                's' => &mut self.block_kib,
                _ => {
                    let place = self.words.part(word, 0..glued);
                    self.errors.push(self.words.error(
                        place,
                        format!("there is no option `-{letter}`"),
                        None,
                        "the options are -i N -t DIR -b BLOCKS -s KB",
                    ));
                    // What follows may be its value.
                    list.next_if(|next| !next.text.starts_with('-'));
                    continue;
                }
            };
            if glued < word.text.len() {
                let place = self.words.part(word, glued..word.text.len());
                *slot = Some((word.text[glued..].to_owned(), place));
            } else if let Some(value) = list.next() {
                let place = self.words.part(value, 0..value.text.len());
                *slot = Some((value.text.clone(), place));
            } else {
                let place = self.words.part(word, 0..word.text.len());
                self.errors.push(self.words.error(
                    place,
                    format!("`-{letter}` is the last word and has no value"),
                    None,
                    "as in -i 5 -t /saswork -b 580000 -s 64",
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
        let row = options::REST;
        self.notes
            .push(Note::new(row.standing, word.text.clone(), row.remark));
    }

    fn number(&mut self, option: &str, given: &Given, most: u64) -> Option<u64> {
        let Some((value, place)) = given else {
            self.missing(option, example(option));
            return None;
        };
        let (message, remedy) = match value.trim().parse::<u64>() {
            Ok(number) if (1..=most).contains(&number) => return Some(number),
            Ok(0) => (format!("`{option} 0` does nothing"), "give at least 1"),
            Ok(_) => (
                format!("{value} is more than {option} can be"),
                "choose less",
            ),
            Err(_) => (
                format!("`{value}` is not a number"),
                if option == "-s" {
                    "give the block size in KiB without a unit, as in -s 64"
                } else {
                    "give a whole number"
                },
            ),
        };
        self.errors
            .push(self.words.error(place.clone(), message, None, remedy));
        None
    }

    fn needed_directory(&mut self) -> Option<String> {
        match &self.directory {
            Some((directory, _)) if !directory.is_empty() => Some(directory.clone()),
            Some((_, place)) => {
                let place = place.clone();
                self.errors.push(self.words.error(
                    place,
                    "the directory has no name",
                    None,
                    example("-t"),
                ));
                None
            }
            None => {
                self.missing("-t", example("-t"));
                None
            }
        }
    }

    fn missing(&mut self, option: &str, remedy: &str) {
        if self.malformed {
            return;
        }
        let end = self.words.end();
        self.errors.push(
            self.words
                .error(end, format!("`{option}` is missing"), None, remedy),
        );
    }

    fn check_file(&mut self, blocks: u64, block_kib: u64) {
        let file_kib = blocks.checked_mul(block_kib);
        if file_kib.is_none_or(|kib| kib > MAX_FILE_KIB) {
            let place = self
                .blocks
                .as_ref()
                .map_or(0..0, |(_, place)| place.clone());
            self.errors.push(self.words.error(
                place,
                format!("{blocks} blocks of {block_kib} KiB are more than a file can hold"),
                None,
                "choose fewer",
            ));
        }
    }
}

fn example(option: &str) -> &'static str {
    match option {
        "-i" => "give the number of streams, as in -i 5",
        "-t" => "give the directory to test, as in -t /saswork",
        "-b" => "give the blocks of each file, as in -b 580000",
        _ => "give the size of a block in KiB, as in -s 64",
    }
}
