//! The operands of a dd command line, each with its place; the last of equals wins, as with dd.

use super::number::{Fault, number};
use super::options;
use crate::faults::Faults;
use crate::nearest::nearest;
use crate::translation::{Note, Standing};
use crate::words::{Word, Words};
use std::collections::BTreeSet;
use std::ops::Range;

/// A file that is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) path: String,
    pub(super) place: Range<usize>,
}

/// A number of blocks or bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) value: u64,
    pub(super) in_bytes: bool,
    pub(super) place: Range<usize>,
}

impl Amount {
    /// In bytes, if that can be said in 63 bits.
    pub(super) fn bytes(&self, block_bytes: u64) -> Option<u64> {
        let factor = if self.in_bytes { 1 } else { block_bytes };
        let bytes = self.value.checked_mul(factor)?;
        i64::try_from(bytes).ok().map(|_| bytes)
    }
}

/// How much dd says: `status=`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// Its three lines.
    #[default]
    All,
    /// The first two of them.
    NoTransfer,
    /// Nothing.
    Nothing,
    /// All of them, and how it goes meanwhile.
    Progress,
}

/// A command line, read.
#[derive(Clone, Debug, Default)]
pub(super) struct Operands {
    pub(super) input: Option<Named>,
    pub(super) output: Option<Named>,
    pub(super) block: Option<Amount>,
    pub(super) input_block: Option<Amount>,
    pub(super) output_block: Option<Amount>,
    pub(super) count: Option<Amount>,
    pub(super) seek: Option<Amount>,
    pub(super) skip: Option<Amount>,
    pub(super) status: Status,
    pub(super) conv: BTreeSet<String>,
    pub(super) input_flags: BTreeSet<String>,
    pub(super) output_flags: BTreeSet<String>,
    pub(super) notes: Vec<Note>,
    pub(super) errors: Faults,
}

const NAMES: [&str; 15] = [
    "if", "of", "bs", "ibs", "obs", "cbs", "count", "seek", "oseek", "skip", "iseek", "status",
    "conv", "iflag", "oflag",
];

impl Operands {
    pub(super) fn read(words: &Words) -> Self {
        let mut operands = Self::default();
        for word in &words.list {
            operands.word(words, word);
            if operands.errors.is_hopeless() {
                break;
            }
        }
        operands
    }

    fn word(&mut self, words: &Words, word: &Word) {
        let Some((name, value)) = word.text.split_once('=') else {
            let remedy = match word.text.as_str() {
                "--help" | "--version" => "`fathom dd --help` has the help",
                _ => "the operands are if= of= bs= count= conv= iflag= oflag= seek= skip= status=",
            };
            let message = format!("`{}` is no operand", word.text);
            let place = words.part(word, 0..word.text.len());
            self.errors.push(words.error(place, message, None, remedy));
            return;
        };
        let at = name.len() + 1;
        let place = words.part(word, at..word.text.len());
        let named = || {
            Some(Named {
                path: value.to_owned(),
                place: place.clone(),
            })
        };
        match name {
            "if" => self.input = named(),
            "of" => self.output = named(),
            "bs" => self.block = self.amount(words, name, value, place),
            "ibs" => self.input_block = self.amount(words, name, value, place),
            "obs" => self.output_block = self.amount(words, name, value, place),
            "count" => self.count = self.amount(words, name, value, place),
            "seek" | "oseek" => self.seek = self.amount(words, name, value, place),
            "skip" | "iseek" => self.skip = self.amount(words, name, value, place),
            "status" => self.status(words, value, place),
            "conv" | "iflag" | "oflag" => self.list(words, word, name, value),
            "cbs" => self.errors.push(words.error(
                words.part(word, 0..word.text.len()),
                "`cbs` belongs to conversions, and no bytes are converted",
                None,
                "leave it out",
            )),
            _ => {
                let meant = nearest(name, NAMES).map(|meant| format!("did you mean `{meant}=`?"));
                self.errors.push(words.error(
                    words.part(word, 0..name.len()),
                    format!("there is no operand `{name}=`"),
                    meant,
                    "the operands are if= of= bs= count= conv= iflag= oflag= seek= skip= status=",
                ));
            }
        }
    }

    fn amount(
        &mut self,
        words: &Words,
        name: &str,
        value: &str,
        place: Range<usize>,
    ) -> Option<Amount> {
        let is_size = name.ends_with("bs");
        let (message, remedy) = match number(value) {
            Ok(found) if found.value > 0 || !is_size => {
                return Some(Amount {
                    value: found.value,
                    in_bytes: found.in_bytes && !is_size,
                    place,
                });
            }
            Ok(_) => ("a block of 0 bytes moves nothing".to_owned(), "as in bs=1M"),
            Err(Fault::TooLarge) => (format!("{value} is more than any file has"), "choose less"),
            Err(Fault::Malformed) => (
                format!("`{value}` is not a number of dd"),
                "as in 512, 64k, 10M, 1G (powers of 1024), 10MB (powers of 1000) or 2x512",
            ),
        };
        self.errors.push(words.error(place, message, None, remedy));
        None
    }

    fn status(&mut self, words: &Words, value: &str, place: Range<usize>) {
        self.status = match value {
            "none" => Status::Nothing,
            "noxfer" => Status::NoTransfer,
            "progress" => Status::Progress,
            _ => {
                let known = ["none", "noxfer", "progress"];
                let meant = nearest(value, known).map(|meant| format!("did you mean `{meant}`?"));
                let message = format!("`{value}` is not a value of `status=`");
                let remedy = "the choices are none, noxfer, progress";
                self.errors.push(words.error(place, message, meant, remedy));
                return;
            }
        };
    }

    /// `conv=`, `iflag=` or `oflag=`: words with commas between them.
    fn list(&mut self, words: &Words, word: &Word, name: &str, value: &str) {
        let mut at = name.len() + 1;
        for item in value.split(',') {
            let place = words.part(word, at..at + item.len());
            at += item.len() + 1;
            let Some(row) = options::row(name, item) else {
                let known = options::words(name);
                let meant = nearest(item, known.iter().copied());
                self.errors.push(words.error(
                    place,
                    format!("`{item}` is not a word of `{name}=`"),
                    meant.map(|meant| format!("did you mean `{meant}`?")),
                    &format!("the words are {}", known.join(", ")),
                ));
                continue;
            };
            if row.standing == Standing::Refused {
                let message = format!("`{name}={item}` cannot be measured: {}", row.remark);
                self.errors
                    .push(words.error(place, message, None, "leave it out"));
                continue;
            }
            if options::deserves_note(row) {
                let what = format!("{name}={item}");
                self.notes.push(Note::new(row.standing, what, row.remark));
            }
            let set = match name {
                "conv" => &mut self.conv,
                "iflag" => &mut self.input_flags,
                _ => &mut self.output_flags,
            };
            set.insert(item.to_owned());
        }
    }
}
