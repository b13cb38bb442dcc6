//! Every field of a specification, once: its key, its kind, its default, what it may be, a
//! sentence, and the option of the command line that changes it.
//!
//! The reader and the printer of the text, the options with their help and completions, and the
//! tables of `docs/specification.md` are made of it. A field that is added needs its place in
//! the struct, in [`plain`](super::Job::plain) and a row here.

mod files;
mod io;
mod job;
mod parts;
mod steady;
mod whole;

pub use files::FILES;
pub use io::IO;
use io::IO_CLASSES;
pub use job::{COMPAT, EVERYDAY, JOB};
pub use parts::{
    ACCESS, ARRIVALS, CLOSED, DATA, DATA_FILE, DISTRIBUTIONS, DURABILITY, FILLS, OPEN, PACINGS,
    PAUSE, RATE_CURVE, REPLAY, STOP, SYNC, WALKS,
};
pub use steady::STEADY;
pub use whole::{PHASE, WORKLOAD};

use crate::units::Nanos;
use serde_json::Value;

/// A table of a specification.
#[derive(Debug)]
pub struct Group {
    /// The key of the table, or its name.
    pub name: &'static str,
    /// Its fields, in the order in which they are printed.
    pub fields: &'static [Field],
    /// The values of fields whose default is [`Default::Plain`], made once.
    pub plain: fn() -> &'static Value,
}

/// One field.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// What its value is.
    pub kind: Kind,
    /// The value without the key.
    pub default: Default,
    /// What it says, as a row of a table: without its range, in lower case.
    pub meaning: &'static str,
    /// The numbers it may be, where that is a matter of this field alone.
    pub range: Option<Range>,
    /// The key that states the same next to the job instead of in the job's table.
    pub short: Option<&'static str>,
    /// What an error shows after "as in".
    pub example: &'static str,
    /// Whether it is printed also where its value is the one it has by default, and the resolved
    /// form leaves it out.
    pub is_full: bool,
    /// The option of the command line that changes it.
    pub option: Option<Opt>,
}

/// What a value is.
#[derive(Debug)]
pub enum Kind {
    /// Any text.
    Text,
    /// A list of texts.
    Texts,
    /// True or false.
    Flag,
    /// A whole number of 64 bits.
    Count,
    /// A whole number of 32 bits.
    SmallCount,
    /// A whole number of 32 bits, which may be negative.
    Integer,
    /// A list of whole numbers of 32 bits.
    SmallCounts,
    /// A whole or broken number.
    Number,
    /// A share in percent.
    Share,
    /// Bytes.
    Size,
    /// A duration with its unit.
    Time,
    /// Requests or bytes a second.
    Rate,
    /// One of a few words.
    Word(&'static [Word]),
    /// A list of some of a few words.
    Words(&'static [Word]),
    /// What bytes are: a word, or a pattern.
    Fill(&'static [Word]),
    /// A word alone, or a table with one key that says which form it is.
    Form(&'static [ValueForm]),
    /// A table with keys of its own.
    Table(&'static Group),
    /// A list of tables.
    Tables(&'static Group, Layout),
}

/// How a list of tables is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Each below a header.
    Headers,
    /// Each on a line.
    Lines,
    /// All on one line.
    Inline,
}

/// One of a few words.
#[derive(Debug)]
pub struct Word {
    /// As a specification has it.
    pub word: &'static str,
    /// What it means, for the help of an option.
    pub meaning: &'static str,
    /// Whether it is read, and refused by a rule that says what to write instead.
    pub is_refused: bool,
}

/// One of the forms that a value can take.
#[derive(Debug)]
pub struct ValueForm {
    /// The word, or the key.
    pub name: &'static str,
    /// What stands below the key.
    pub group: &'static Group,
    /// Whether the word alone says enough.
    pub alone: bool,
    /// What it says.
    pub meaning: &'static str,
}

/// The default of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// What the table's [`plain`](Group::plain) value has, which may be nothing.
    Plain,
    /// As [`Plain`](Default::Plain), in words.
    PlainAs(&'static str),
    /// This value, in JSON.
    Given(&'static str),
    /// The value of another field of the table.
    Like(&'static str),
    /// Nothing: the field must be there, as in this example.
    Needed(&'static str),
    /// What the reader makes of the rest of the text, in words.
    Said(&'static str),
}

/// Numbers that a field may be, bounds included; of a time in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The lower limit.
    pub least: u64,
    /// The upper limit.
    pub most: u64,
}

/// An option of the command line.
#[derive(Debug)]
pub struct Opt {
    /// Its place among the options in the help.
    pub place: u8,
    /// Its name, without the hyphens.
    pub name: &'static str,
    /// What its value is called; empty for a flag.
    pub value: &'static str,
    /// What the help says.
    pub help: &'static str,
    /// What the long help adds in a paragraph of its own.
    pub more: &'static str,
    /// Of a flag, the one that takes it back, with its help.
    pub negative: Option<(&'static str, &'static str)>,
    /// The option that excludes it.
    pub against: Option<&'static str>,
}

impl Group {
    /// All of its keys.
    pub fn keys(&self) -> Vec<&'static str> {
        self.fields.iter().map(|field| field.name).collect()
    }

    /// The keys that state the same next to the job.
    pub fn shorts(&self) -> Vec<&'static str> {
        self.fields.iter().filter_map(|field| field.short).collect()
    }

    /// The field with a key.
    ///
    /// # Panics
    ///
    /// When there is none: a mistake in the program.
    #[track_caller]
    pub fn field(&self, name: &str) -> &'static Field {
        let found = self.fields.iter().find(|field| field.name == name);
        found.unwrap_or_else(|| panic!("`{}` has no field `{name}`", self.name))
    }
}

impl Range {
    /// Whether `number` is in it.
    pub const fn has(self, number: u64) -> bool {
        self.least <= number && number <= self.most
    }
}

impl Field {
    const fn new(name: &'static str, kind: Kind, default: Default, meaning: &'static str) -> Self {
        Self {
            name,
            kind,
            default,
            meaning,
            range: None,
            short: None,
            example: "",
            is_full: false,
            option: None,
        }
    }

    const fn from(mut self, least: u64, most: u64) -> Self {
        self.range = Some(Range { least, most });
        self
    }

    const fn beside(mut self, short: &'static str) -> Self {
        self.short = Some(short);
        self
    }

    const fn example(mut self, example: &'static str) -> Self {
        self.example = example;
        self
    }

    const fn full(mut self) -> Self {
        self.is_full = true;
        self
    }

    const fn option(mut self, option: Opt) -> Self {
        self.option = Some(option);
        self
    }

    /// Whether a number is one that the field may be.
    pub fn allows(&self, number: u64) -> bool {
        self.range.is_none_or(|range| range.has(number))
    }

    /// The range in words, as in `1 to 4096`; a bound that is no bound is left out. Empty where
    /// there is none.
    pub fn range_in_words(&self) -> String {
        let Some(range) = self.range else {
            return String::new();
        };
        let word = |number: u64| match self.kind {
            Kind::Time => Nanos(number).to_string(),
            _ => number.to_string(),
        };
        match (range.least, range.most) {
            (least, u64::MAX) => format!("at least {}", word(least)),
            (least, most) => format!("{} to {}", word(least), word(most)),
        }
    }
}

impl Opt {
    const fn new(place: u8, name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self {
            place,
            name,
            value,
            help,
            more: "",
            negative: None,
            against: None,
        }
    }

    const fn more(mut self, more: &'static str) -> Self {
        self.more = more;
        self
    }

    const fn against(mut self, name: &'static str) -> Self {
        self.against = Some(name);
        self
    }

    const fn negative(mut self, name: &'static str, help: &'static str) -> Self {
        self.negative = Some((name, help));
        self
    }
}

impl Word {
    const fn new(word: &'static str, meaning: &'static str) -> Self {
        Self {
            word,
            meaning,
            is_refused: false,
        }
    }
}

impl ValueForm {
    const fn new(
        name: &'static str,
        group: &'static Group,
        alone: bool,
        meaning: &'static str,
    ) -> Self {
        Self {
            name,
            group,
            alone,
            meaning,
        }
    }
}

const fn word(word: &'static str, meaning: &'static str) -> Word {
    Word::new(word, meaning)
}

/// The tables in which options stand, from the outermost.
const WITH_OPTIONS: [&Group; 10] = [
    &WORKLOAD,
    &PHASE,
    &JOB,
    &EVERYDAY,
    &OPEN,
    &STOP,
    &SYNC,
    &DURABILITY,
    &DATA,
    &FILES,
];

/// Every field that an option changes, in the order of the help.
pub fn options() -> Vec<(&'static Field, &'static Opt)> {
    let fields = WITH_OPTIONS.iter().flat_map(|group| group.fields);
    let with = |field: &'static Field| Some((field, field.option.as_ref()?));
    let mut all: Vec<_> = fields.filter_map(with).collect();
    all.sort_by_key(|(_, option)| option.place);
    all
}

/// Fields: the key, the kind, the default, the meaning, and what else is known of it.
macro_rules! fields {
    ($($name:literal: $kind:expr, $default:expr, $meaning:literal
        $(.$of:ident($($word:expr),*))*;)+) => {
        &[$($crate::spec::fields::Field::new($name, $kind, $default, $meaning)
            $(.$of($($word),*))*),+]
    };
}
use fields;

/// A value as the tree that fields are read from and printed by; each place makes its own once.
macro_rules! tree {
    ($value:expr) => {
        || {
            static TREE: std::sync::LazyLock<serde_json::Value> =
                // What is no number has no place in it; nothing else can fail.
                std::sync::LazyLock::new(|| serde_json::to_value($value).unwrap_or_default());
            &TREE
        }
    };
}
use tree;
