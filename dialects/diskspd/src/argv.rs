//! DISKSPD's command line: words to a profile, with DISKSPD 2.2's own verdict on each word.
//!
//! An option is one word, a letter and its value without a blank, and comes before the targets.
//! Only `-` begins an option, since `/` begins a path here. The block size is read before all
//! else, because other sizes may be given in blocks.

mod affinity;
mod numbers;
mod order;
mod switches;
mod table;
mod target;
mod together;
mod unknown;

use super::number;
use super::options::OptionForm;
use super::profile::{MOST_TARGETS, Profile, Target, TimeSpan};
use super::source::{PlacedNote, Source};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::faults::Faults;
use fathom_tools::translation::{Note, Standing};
use std::collections::BTreeMap;
pub(super) use table::words;
use unknown::{DASHES, unknown};

/// A command line, read.
#[derive(Clone, Debug)]
pub(super) struct CommandLine {
    pub(super) profile: Profile,
    /// `-X`: the profile to read instead, and what the command line changes in it.
    pub(super) file: Option<ProfileFile>,
    pub(super) source: Source,
    /// What DISKSPD takes without a word, though it may not be meant.
    pub(super) notes: Vec<PlacedNote>,
}

/// `-z`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seed {
    Number(u64),
    /// A new one each time.
    Fresh,
}

/// `-X<file>` with the options that may follow it.
#[derive(Clone, Debug, Default)]
pub(super) struct ProfileFile {
    /// Path of the file.
    pub(super) path: String,
    /// Number of the word.
    pub(super) word: usize,
    pub(super) duration_s: Option<u32>,
    pub(super) warm_up_s: Option<u32>,
    pub(super) cool_down_s: Option<u32>,
    pub(super) seed: Option<Seed>,
    pub(super) has_format: bool,
    pub(super) has_experiment_flags: bool,
    /// What takes the place of `*1`, `*2`, …
    pub(super) targets: Vec<String>,
}

/// Words of which something is noted: more are only counted.
const MOST_NOTES: usize = 1000;

/// What is wrong with a word.
#[derive(Debug)]
struct Fault {
    message: String,
    remedy: String,
}

impl Fault {
    fn new(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            remedy: remedy.into(),
        }
    }
}

type OptionResult = Result<(), Fault>;

struct Reader<'a> {
    argv: &'a [String],
    source: Source,
    profile: Profile,
    span: TimeSpan,
    /// What every target gets.
    target: Target,
    paths: Vec<String>,
    file: Option<ProfileFile>,
    /// The first word of an option, by the option's name.
    seen: BTreeMap<&'static str, usize>,
    /// Explicit stride or alignment, above 0.
    stride_bytes: Option<u64>,
    /// Cache flags given so far, as letters.
    cache_flags: Vec<char>,
    notes: Vec<PlacedNote>,
    /// Those that are only counted.
    more_notes: usize,
    faults: Faults,
    /// Whether `-X` is among the words.
    names_profile: bool,
}

/// Reads a command line, the program's name first.
///
/// # Errors
///
/// All words that DISKSPD refuses; when each is fine by itself, what they contradict.
pub(super) fn read(argv: &[String]) -> Result<CommandLine, Vec<Diagnostic>> {
    let source = Source::command_line(argv);
    let mut reader = Reader {
        argv: argv.get(1..).unwrap_or_default(),
        source,
        profile: Profile::default(),
        span: TimeSpan::default(),
        target: Target::default(),
        paths: Vec::new(),
        file: None,
        seen: BTreeMap::new(),
        stride_bytes: None,
        cache_flags: Vec::new(),
        notes: Vec::new(),
        more_notes: 0,
        faults: Faults::default(),
        names_profile: argv.iter().skip(1).any(|word| word.starts_with("-X")),
    };
    reader.block_size();
    reader.all_words();
    if reader.faults.is_empty() {
        reader.together();
    }
    if !reader.faults.is_empty() {
        return Err(reader.faults.into_vec());
    }
    Ok(reader.finish())
}

impl Reader<'_> {
    /// `-b` first: it defines what `b` means in other sizes.
    fn block_size(&mut self) {
        for index in 0..self.argv.len() {
            let Some(value) = self.argv[index].strip_prefix("-b") else {
                continue;
            };
            let outcome = self.block(value);
            self.keep(index, outcome);
        }
    }

    fn all_words(&mut self) {
        let argv = self.argv;
        for (index, word) in argv.iter().enumerate() {
            if self.faults.is_hopeless() {
                return;
            }
            if let Some(option) = word.strip_prefix('-') {
                let outcome = if self.paths.is_empty() {
                    self.option(option, index)
                } else {
                    Err(Fault::new(
                        format!("`{word}` comes after a target"),
                        "options come first, targets last",
                    ))
                };
                self.keep(index, outcome);
            } else if word.starts_with(DASHES) {
                let dash = word.chars().next().unwrap_or('-');
                let outcome = Err(Fault::new(
                    format!(
                        "`{word}` begins with the dash U+{:04X} that web pages make of a hyphen",
                        u32::from(dash)
                    ),
                    "begin options with a plain hyphen `-`",
                ));
                self.keep(index, outcome);
            } else if self.paths.len() < MOST_TARGETS {
                self.paths.push(word.clone());
            } else {
                let outcome = Err(Fault::new(
                    format!("more than {MOST_TARGETS} targets are too many"),
                    "fewer targets, or several runs",
                ));
                return self.keep(index, outcome);
            }
        }
    }

    fn keep(&mut self, index: usize, outcome: OptionResult) {
        if let Err(fault) = outcome {
            let place = self.source.word(index);
            let found = self.source.error(place, fault.message, &fault.remedy);
            self.faults.push(found);
        }
    }

    fn option(&mut self, option: &str, index: usize) -> OptionResult {
        let Some(letter) = option.chars().next() else {
            return Err(Fault::new(
                "`-` alone is no option",
                "name a file, as in `./-`",
            ));
        };
        let switch = table::find(letter);
        if self.names_profile && !switch.is_some_and(|switch| switch.beside) {
            return Err(Fault::new(
                format!("`-{letter}` cannot be used with a profile"),
                "only -v -z -R -W -d -C -: and targets can; change the profile",
            ));
        }
        let value = &option[letter.len_utf8()..];
        let switch = switch.ok_or_else(|| unknown(letter, value))?;
        (switch.read)(self, value, index)
    }

    /// Remembers that an option was there; the word of its first time, if this is not it.
    fn again(&mut self, name: &'static str, index: usize) -> Option<usize> {
        let before = self.seen.get(name).copied();
        self.seen.entry(name).or_insert(index);
        before
    }

    fn has(&self, name: &'static str) -> bool {
        self.seen.contains_key(name)
    }

    /// Says that letters after a value are not read.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "what remains of a word is never wrong"
    )]
    fn rest(&mut self, index: usize, rest: &str) -> OptionResult {
        if !rest.is_empty() {
            let message = format!("`{rest}` is not read, as DISKSPD does not read it");
            self.tell(Standing::Kept, index, message);
        }
        Ok(())
    }

    /// A note about a word; of a line of a million words the first ones.
    fn tell(&mut self, standing: Standing, index: usize, message: impl Into<String>) {
        if self.notes.len() < MOST_NOTES {
            let note = Note::new(standing, self.argv[index].clone(), message);
            self.notes.push((self.source.word(index).start, note));
        } else {
            self.more_notes += 1;
        }
    }

    /// The note that a row holds, when it belongs to a word alone.
    fn note(&mut self, row: &OptionForm, index: usize) {
        self.tell(row.standing, index, row.remark);
    }

    /// A count of at least `least`.
    fn count(&mut self, value: &str, index: usize, least: u32, what: &str) -> Result<u32, Fault> {
        let (number, rest) = number::count(value);
        let range = i64::from(least)..=i64::from(u32::MAX);
        if !range.contains(&number) {
            let word = self.argv[index].as_str();
            let example = word.strip_suffix(value).unwrap_or(&word[..2]);
            let apart = value.is_empty() && self.next_is_a_number(index);
            return Err(Fault::new(
                format!("{what} is a number of at least {least}"),
                if apart {
                    format!("write the number without a blank, as in `{example}8`")
                } else {
                    format!("as in `{example}8`")
                },
            ));
        }
        self.rest(index, rest)?;
        Ok(number as u32)
    }

    fn next_is_a_number(&self, index: usize) -> bool {
        let next = self.argv.get(index + 1);
        next.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    }

    fn size(&self, value: &str, example: &str) -> Result<u64, Fault> {
        number::size(value, self.target.block_bytes)
            .map_err(|bad| Fault::new(bad.message(), format!("as in `{example}`")))
    }

    fn finish(mut self) -> CommandLine {
        if self.more_notes > 0 {
            let message = format!("{} more words have notes", self.more_notes);
            let note = Note::new(Standing::Kept, "-", message);
            self.notes.push((usize::MAX, note));
        }
        let target = self.template();
        if let Some(file) = &mut self.file {
            file.targets = self.paths;
        } else {
            self.span.targets = self
                .paths
                .into_iter()
                .map(|path| Target {
                    path,
                    ..target.clone()
                })
                .collect();
            self.profile.spans.push(self.span);
        }
        CommandLine {
            profile: self.profile,
            file: self.file,
            source: self.source,
            notes: self.notes,
        }
    }

    /// What every target gets, with the block size where nothing else was given.
    fn template(&self) -> Target {
        let mut target = self.target.clone();
        target.order.stride_bytes = self.stride_bytes.unwrap_or(target.block_bytes);
        target
    }
}
