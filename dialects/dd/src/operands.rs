//! The operands of a dd command line, each with its place; the last of equals wins, as with dd.

use super::number::{Fault, number};
use super::options::{self, List};
use fathom_core::nearest::nearest;
use fathom_core::spec::Job;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::faults::Faults;
use fathom_tools::plain_job;
use fathom_tools::translation::{Note, Standing};
use fathom_tools::words::{CommandWords, Word};
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
    /// No output at all.
    Nothing,
    /// All of them, and how it goes meanwhile.
    Progress,
}

/// An amount, and whether a flag has it count bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Counted {
    pub(super) amount: Option<Amount>,
    pub(super) in_bytes: bool,
}

impl Counted {
    /// The amount in its unit.
    pub(super) fn meant(&self) -> Option<Amount> {
        let mut amount = self.amount.clone()?;
        amount.in_bytes |= self.in_bytes;
        Some(amount)
    }
}

/// A command line, read.
#[derive(Clone, Debug, Default)]
pub(super) struct Operands {
    pub(super) input: Option<Named>,
    pub(super) output: Option<Named>,
    pub(super) block: Option<Amount>,
    pub(super) input_block: Option<Amount>,
    pub(super) output_block: Option<Amount>,
    pub(super) count: Counted,
    pub(super) seek: Counted,
    pub(super) skip: Counted,
    pub(super) status: Status,
    /// The output has to be there already.
    pub(super) has_to_be_there: bool,
    /// The output must not be there.
    pub(super) has_to_be_new: bool,
    /// Every write goes to the end of the output.
    pub(super) appends: bool,
    /// A block that was not read whole is filled up.
    pub(super) fills_up: bool,
    /// The job that reads the input, as far as flags describe it.
    pub(super) reading: Job,
    /// The job that writes the output, likewise.
    pub(super) writing: Job,
    pub(super) notes: Vec<Note>,
    pub(super) errors: Faults,
}

/// What every message about operands names.
const USUAL: &str = "the operands are if= of= bs= count= conv= iflag= oflag= seek= skip= status=";

impl Operands {
    fn none() -> Self {
        let job = plain_job::job("dd");
        Self {
            writing: Job {
                fresh: true,
                ..job.clone()
            },
            reading: job,
            ..Self::default()
        }
    }

    pub(super) fn read(words: &CommandWords) -> Self {
        let mut operands = Self::none();
        // The first one ends options, of which there are none.
        let mut list = words.list.iter();
        let end = list.position(|word| word.text == "--");
        for (number, word) in words.list.iter().enumerate() {
            if end == Some(number) {
                continue;
            }
            operands.word(words, word);
            if operands.errors.is_hopeless() {
                break;
            }
        }
        operands
    }

    /// The job at the end that a list of flags is about.
    pub(super) fn end(&mut self, list: List) -> &mut Job {
        match list {
            List::Input => &mut self.reading,
            List::Output | List::Conv => &mut self.writing,
        }
    }

    fn word(&mut self, words: &CommandWords, word: &Word) {
        let Some((name, value)) = word.text.split_once('=') else {
            let remedy = match word.text.as_str() {
                "--help" | "--version" => "`fathom dd --help` has the help",
                _ => USUAL,
            };
            let message = format!("`{}` is no operand", word.text);
            let place = words.part(word, 0..word.text.len());
            self.errors.push(words.error(place, message, None, remedy));
            return;
        };
        let given = Given {
            words,
            word,
            name,
            value,
        };
        if let Some(read) = options::operand(name) {
            read(self, &given);
        } else if let Some(list) = options::list(name) {
            self.list(&given, list);
        } else if name == options::STATUS {
            self.status(&given);
        } else {
            let meant = nearest(name, options::names());
            self.errors.push(words.error(
                words.part(word, 0..name.len()),
                format!("there is no operand `{name}=`"),
                meant.map(|meant| format!("did you mean `{meant}=`?")),
                USUAL,
            ));
        }
    }

    fn status(&mut self, given: &Given<'_>) {
        let known = options::statuses();
        let names = || known.iter().map(|(name, _)| *name);
        let value = given.value;
        match known.iter().find(|(name, _)| *name == value) {
            Some((_, status)) => self.status = *status,
            None => self.errors.push(given.words.error(
                given.place(),
                format!("`{value}` is not a value of `{}=`", given.name),
                nearest(value, names()).map(|meant| format!("did you mean `{meant}`?")),
                &format!("the choices are {}", names().collect::<Vec<_>>().join(", ")),
            )),
        }
    }

    /// Words with commas between them.
    fn list(&mut self, given: &Given<'_>, list: List) {
        let Given {
            words, word, name, ..
        } = given;
        let mut at = name.len() + 1;
        for item in given.value.split(',') {
            if self.errors.is_hopeless() {
                return;
            }
            let place = words.part(word, at..at + item.len());
            at += item.len() + 1;
            let Some(option) = options::row(list, item) else {
                let known = options::words(list);
                let meant = nearest(item, known.iter().copied());
                let meant = meant.filter(|_| !self.errors.is_full());
                self.errors.push(words.error(
                    place,
                    format!("`{item}` is not a word of `{name}=`"),
                    meant.map(|meant| format!("did you mean `{meant}`?")),
                    &format!("the words are {}", known.join(", ")),
                ));
                continue;
            };
            let (standing, remark) = (option.row.standing, option.row.remark);
            if standing == Standing::Refused {
                let message = format!("`{name}={item}` cannot be measured: {remark}");
                self.errors
                    .push(words.error(place, message, None, "leave it out"));
                continue;
            }
            if standing != Standing::Kept {
                let note = Note::new(standing, format!("{name}={item}"), remark);
                if !self.notes.contains(&note) {
                    self.notes.push(note);
                }
            }
            if let Some(set) = option.set {
                set(self, list);
            }
        }
    }
}

/// An operand and its value.
pub(super) struct Given<'a> {
    words: &'a CommandWords,
    word: &'a Word,
    name: &'a str,
    value: &'a str,
}

impl Given<'_> {
    fn place(&self) -> Range<usize> {
        let at = self.name.len() + 1;
        self.words.part(self.word, at..self.word.text.len())
    }

    pub(super) fn named(&self) -> Named {
        Named {
            path: self.value.to_owned(),
            place: self.place(),
        }
    }

    /// A number of blocks or bytes.
    pub(super) fn amount(&self, errors: &mut Faults) -> Option<Amount> {
        self.number(false, errors)
    }

    /// Bytes of a block, at least one.
    pub(super) fn size(&self, errors: &mut Faults) -> Option<Amount> {
        self.number(true, errors)
    }

    fn number(&self, is_size: bool, errors: &mut Faults) -> Option<Amount> {
        let value = self.value;
        let (message, remedy) = match number(value) {
            Ok(found) if found.value > 0 || !is_size => {
                return Some(Amount {
                    value: found.value,
                    in_bytes: found.in_bytes && !is_size,
                    place: self.place(),
                });
            }
            Ok(_) => ("a block of 0 bytes moves nothing".to_owned(), "as in bs=1M"),
            Err(Fault::TooLarge) => (format!("{value} is more than any file has"), "choose less"),
            Err(Fault::Malformed) => (
                format!("`{value}` is not a number of dd"),
                "as in 512, 64k, 10M, 1G (powers of 1024), 10MB (powers of 1000) or 2x512",
            ),
        };
        let found = self.words.error(self.place(), message, None, remedy);
        errors.push(found);
        None
    }

    /// That it means nothing where no bytes are converted.
    pub(super) fn is_for_conversions(&self) -> Diagnostic {
        self.words.error(
            self.words.part(self.word, 0..self.word.text.len()),
            format!(
                "`{}` belongs to conversions, and no bytes are converted",
                self.name
            ),
            None,
            "leave it out",
        )
    }
}
