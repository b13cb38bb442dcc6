//! Options as the programs of the IOR project take them: flags of one letter, several in a word,
//! the last of them with a value; and long ones.

use fathom_tools::coverage::OptionRow;
use fathom_tools::faults::Faults;
use fathom_tools::translation::{Note, Notes, Standing};
use fathom_tools::words::{CommandWords, Word};

/// What is wrong with a value, and what would be right.
pub(crate) type Wrong = (String, String);

/// What an option does to what is asked for, an `A`.
pub(crate) enum Does<A: 'static> {
    /// Sets a number, which is this at most; `k`, `m`, `g` and `t` multiply it.
    Number(u64, fn(&mut A) -> &mut u64),
    /// Sets a flag.
    Flag(fn(&mut A) -> &mut bool),
    /// Counts how often it is given.
    Count(fn(&mut A) -> &mut u64),
    /// Takes a word.
    Text(fn(&mut A, &str) -> Result<(), Wrong>),
    /// Nothing; whether it has a value.
    Nothing(bool),
}

/// An option of one letter.
pub(crate) struct LetterOption<A: 'static> {
    /// Its letter, or its long name.
    pub(crate) name: &'static str,
    pub(crate) row: OptionRow,
    pub(crate) does: Does<A>,
}

/// A table of options: the name, how far it is honoured, its words for the page, what it does.
macro_rules! letters {
    ($($name:literal $standing:ident ($($word:expr),+), $does:expr;)+) => {
        &[$($crate::letters::LetterOption {
            name: $name,
            row: fathom_tools::coverage::OptionRow::$standing($($word),+),
            does: $does,
        }),+]
    };
}
pub(crate) use letters;

impl<A> LetterOption<A> {
    const fn takes_value(&self) -> bool {
        match self.does {
            Does::Number(..) | Does::Text(_) => true,
            Does::Flag(_) | Does::Count(_) => false,
            Does::Nothing(takes) => takes,
        }
    }
}

/// The options of a program.
pub(crate) struct Letters<A: 'static> {
    pub(crate) program: &'static str,
    /// An example of options alone.
    pub(crate) example: &'static str,
    /// How many tasks there are, which the words do not say.
    pub(crate) tasks: OptionRow,
    pub(crate) options: &'static [LetterOption<A>],
    /// Of long options that are not in the table.
    pub(crate) other: OptionRow,
}

/// What reading them came to.
pub(crate) struct Read<'a, A> {
    pub(crate) words: &'a CommandWords,
    pub(crate) errors: Faults,
    pub(crate) notes: Notes,
    pub(crate) asked: A,
}

impl<A> Read<'_, A> {
    pub(crate) fn error(&mut self, word: &Word, message: impl Into<String>, remedy: &str) {
        let error = self.words.error(word.span.clone(), message, None, remedy);
        self.errors.push(error);
    }

    /// What is wrong with all of it together.
    pub(crate) fn wrong(&mut self, message: impl Into<String>, remedy: &str) {
        let error = self.words.error(self.words.end(), message, None, remedy);
        self.errors.push(error);
    }
}

impl<A> Letters<A> {
    /// All rows, as they are documented.
    pub(crate) fn rows(&self) -> Vec<OptionRow> {
        let letters = self.options.iter().map(|option| option.row);
        std::iter::once(self.tasks)
            .chain(letters)
            .chain([self.other])
            .collect()
    }
}

impl<A> Letters<A> {
    /// Reads these words, which change what is asked for without any.
    pub(crate) fn read<'a>(&self, words: &'a CommandWords, list: &[Word], asked: A) -> Read<'a, A> {
        let mut read = Read {
            words,
            errors: Faults::default(),
            notes: Notes::default(),
            asked,
        };
        let mut list = list.iter();
        while let Some(word) = list.next() {
            if read.errors.is_hopeless() {
                break;
            }
            match word.text.strip_prefix('-') {
                None => {
                    let message = format!("`{}` is no option of {}", word.text, self.program);
                    let remedy = format!("options alone, as in {}", self.example);
                    read.error(word, message, &remedy);
                }
                Some(long) if long.starts_with('-') => {
                    self.long(&mut read, word, &mut list);
                }
                Some(letters) => self.letters(&mut read, word, letters, &mut list),
            }
        }
        read
    }

    fn find(&self, name: &str) -> Option<&LetterOption<A>> {
        self.options.iter().find(|option| option.name == name)
    }

    fn long(&self, read: &mut Read<'_, A>, word: &Word, list: &mut std::slice::Iter<'_, Word>) {
        let whole = word.text.trim_start_matches('-');
        let (name, rest) = whole.split_once('=').unwrap_or((whole, ""));
        if let Some(option) = self.find(name).filter(|option| option.name.len() > 1) {
            Self::take(read, option, &format!("--{name}"), word, rest, list);
        } else {
            let message = format!("`{}` is not taken: {}", word.text, self.other.remark);
            read.error(word, message, "without it");
        }
    }

    /// The letters of a word: flags, and at last one with a value.
    fn letters(
        &self,
        read: &mut Read<'_, A>,
        word: &Word,
        letters: &str,
        list: &mut std::slice::Iter<'_, Word>,
    ) {
        // A flag says no more the second time, and its message has been printed.
        let mut known = Vec::new();
        for (at, letter) in letters.char_indices() {
            if known.contains(&letter) {
                continue;
            }
            let end = at + letter.len_utf8();
            let Some(option) = self.find(&letters[at..end]) else {
                let message = format!("{} has no option `-{letter}`", self.program);
                let remedy = format!(
                    "see docs/dialects/{}.md for those that it has",
                    self.program
                );
                read.error(word, message, &remedy);
                return;
            };
            if !option.takes_value() && !matches!(option.does, Does::Count(_)) {
                known.push(letter);
            }
            let rest = letters[end..].trim_start_matches('=');
            let is_last = Self::take(read, option, &format!("-{letter}"), word, rest, list);
            if is_last {
                return;
            }
        }
    }

    /// Takes one option; whether the rest of its word was its value.
    fn take(
        read: &mut Read<'_, A>,
        option: &LetterOption<A>,
        name: &str,
        word: &Word,
        rest: &str,
        list: &mut std::slice::Iter<'_, Word>,
    ) -> bool {
        let row = option.row;
        let takes = option.takes_value();
        let value = match (takes, rest.is_empty()) {
            (false, _) => None,
            (true, true) => list.next().cloned(),
            (true, false) => Some(Word {
                text: rest.to_owned(),
                span: word.span.clone(),
                is_plain: false,
            }),
        };
        if takes && value.is_none() {
            read.error(word, format!("`{name}` needs a value"), row.form);
            return true;
        }
        match row.standing {
            Standing::Refused => {
                let message = format!("`{name}` is not taken: {}", row.remark);
                read.error(word, message, "without it");
            }
            standing @ (Standing::Ignored | Standing::Approximated) => {
                read.notes.add(Note::new(standing, name, row.remark));
            }
            Standing::Kept => {}
        }
        match (&option.does, value) {
            (Does::Flag(flag), _) => *flag(&mut read.asked) = true,
            (Does::Count(count), _) => *count(&mut read.asked) += 1,
            (Does::Number(most, slot), Some(value)) => match number(&value.text) {
                Some(number) if number <= *most => *slot(&mut read.asked) = number,
                _ => {
                    let message = format!("`{}` is no number for {name}", value.text);
                    read.error(&value, message, &format!("a whole number up to {most}"));
                }
            },
            (Does::Text(set), Some(value)) => {
                if let Err((message, remedy)) = set(&mut read.asked, &value.text) {
                    read.error(&value, message, &remedy);
                }
            }
            _ => {}
        }
        takes
    }
}

/// `-a`, of which there is one interface here.
pub(crate) fn check_interface<A>(_: &mut A, interface: &str) -> Result<(), Wrong> {
    if interface == "POSIX" {
        return Ok(());
    }
    let message = format!("the interface `{interface}` is not taken");
    Err((message, "-a POSIX, or without it".to_owned()))
}

/// A whole number, which may end in a power of 1024.
pub(crate) fn number(text: &str) -> Option<u64> {
    let (digits, shift) = match text.chars().last()? {
        'k' | 'K' => (&text[..text.len() - 1], 10),
        'm' | 'M' => (&text[..text.len() - 1], 20),
        'g' | 'G' => (&text[..text.len() - 1], 30),
        't' | 'T' => (&text[..text.len() - 1], 40),
        _ => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}
