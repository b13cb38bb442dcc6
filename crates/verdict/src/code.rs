//! The codes of all caveats, as a type: their words stand in the table of checks and nowhere else.

use crate::check::{Check, Effect, Entry};
use crate::checks::{BEFORE, BESIDE, CHECKS, Code};
use fathom_core::{Caveat, KnownCode, Level};

impl Code {
    /// The code of a word as results have it; none for one that only another version knows.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == word)
    }

    /// The code of a caveat.
    pub fn of(caveat: &Caveat) -> Option<Self> {
        Self::named(caveat.code.as_str())
    }

    /// Whether a caveat has this code.
    pub fn is(self, caveat: &Caveat) -> bool {
        caveat.code == self
    }

    /// A caveat about the whole run.
    pub fn caveat(self, level: Level, message: impl Into<String>) -> Caveat {
        Caveat::new(self, level, message)
    }

    /// What it does to the number; of a code of `fathom check` alone, what that says.
    pub fn effect(self) -> Option<Effect> {
        let entry = self.entry().or_else(|| self.before())?;
        Some(entry.effect)
    }

    /// Its entry where it occurs in a result; none for one of `fathom check` alone.
    pub fn entry(self) -> Option<&'static Entry> {
        let checks = CHECKS.iter().flat_map(|check| check.codes);
        let mut all = checks.chain(BESIDE);
        all.find(|entry| entry.code == self)
    }

    /// The check of results that raises it.
    pub fn check(self) -> Option<&'static Check> {
        CHECKS.iter().find(|check| check.raises(self))
    }

    /// What is known of it where `fathom check` says it.
    pub fn before(self) -> Option<&'static Entry> {
        let mut all = BEFORE.iter().map(|look| &look.entry);
        all.find(|entry| entry.code == self)
    }
}

impl KnownCode for Code {
    fn word(self) -> &'static str {
        self.name()
    }
}

/// Declares [`Code`] and, from the same lines, the tables of what raises each code. A line is what
/// raises them and its codes with their words; a code that has its word further up is named alone.
macro_rules! table {
    (
        checks: { $($check:path: $($of_check:ident $check_word:literal),+;)+ }
        before: { $($look:path: $($of_look:ident $look_word:literal)?;)+ }
        beside: { $($entry:path: $of_entry:ident $entry_word:literal;)+ }
    ) => {
        /// What a caveat is about. Results hold its word, which scripts may rely on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = concat!("`", $check_word, "`")] $of_check,)+)+
            $($(#[doc = concat!("`", $look_word, "`")] $of_look,)?)+
            $(#[doc = concat!("`", $entry_word, "`")] $of_entry,)+
        }

        impl Code {
            /// All codes.
            pub const ALL: &[Self] = &[
                $($(Self::$of_check,)+)+ $($(Self::$of_look,)?)+ $(Self::$of_entry,)+
            ];

            /// Its word, as in `io_errors`.
            pub const fn name(self) -> &'static str {
                match self {
                    $($(Self::$of_check => $check_word,)+)+
                    $($(Self::$of_look => $look_word,)?)+
                    $(Self::$of_entry => $entry_word,)+
                }
            }
        }

        /// All checks of a result, in the order in which their caveats of the same level are
        /// listed.
        pub static CHECKS: &[Check] = &[$($check),+];

        /// What `fathom check` looks for, in the order in which caveats of the same level are
        /// listed.
        pub static BEFORE: &[Look] = &[$($look),+];

        /// What gets into a result by other ways than its checks; it stays when it is judged again.
        pub static BESIDE: &[Entry] = &[$($entry),+];

        #[cfg(test)]
        mod tests {
            use super::*;

            /// The line of a check names the codes that its file has.
            #[test]
            fn the_lines_of_the_table_are_what_the_files_hold() {
                let lines: &[&[Code]] = &[$(&[$(Code::$of_check),+]),+];
                for (check, codes) in CHECKS.iter().zip(lines) {
                    let held: Vec<Code> = check.codes.iter().map(|entry| entry.code).collect();
                    assert_eq!(held, *codes);
                }
                let lines: &[Code] = &[$(Code::$of_entry),+];
                let held: Vec<Code> = BESIDE.iter().map(|entry| entry.code).collect();
                assert_eq!(held, lines);
            }
        }
    };
}
pub(crate) use table;
