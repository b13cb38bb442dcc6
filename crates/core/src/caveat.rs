//! What is questionable about a result, and what to do about it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How far a result may be trusted. The worst level among its caveats decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// All checks that could run have passed.
    Valid,
    /// True, but an answer to a narrower question than the headline.
    Qualified,
    /// A check failed that could change the number by more than 5 %.
    Suspect,
    /// The number does not describe the named target. Also the state before any check has run.
    Invalid,
}

impl State {
    /// Upper-case word for people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Valid => "VALID",
            Self::Qualified => "QUALIFIED",
            Self::Suspect => "SUSPECT",
            Self::Invalid => "INVALID",
        }
    }

    /// The state that a list of caveats leaves.
    pub fn of(caveats: &[Caveat]) -> Self {
        caveats
            .iter()
            .map(|caveat| caveat.level.state())
            .max()
            .unwrap_or(Self::Valid)
    }
}

/// How much a caveat weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Worth knowing; changes nothing.
    Note,
    /// Narrows what the number means.
    Qualified,
    /// Could change the number by more than 5 %.
    Suspect,
    /// The number is not what it says.
    Invalid,
}

impl Level {
    /// The state a result has with this as its worst caveat.
    pub const fn state(self) -> State {
        match self {
            Self::Note => State::Valid,
            Self::Qualified => State::Qualified,
            Self::Suspect => State::Suspect,
            Self::Invalid => State::Invalid,
        }
    }
}

/// A code that a table declares, and not any text.
pub trait KnownCode: Copy {
    /// Its word, as in `io_errors`.
    fn word(self) -> &'static str;
}

/// The code of a caveat as results hold it: the word of a [`KnownCode`], or of one that only the
/// version knows that made the result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct CodeWord(String);

impl CodeWord {
    /// A word as somebody else wrote it.
    pub fn foreign(word: impl Into<String>) -> Self {
        Self(word.into())
    }

    /// The word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<C: KnownCode> From<C> for CodeWord {
    fn from(code: C) -> Self {
        Self(code.word().to_owned())
    }
}

impl<C: KnownCode> PartialEq<C> for CodeWord {
    fn eq(&self, code: &C) -> bool {
        self.0 == code.word()
    }
}

impl fmt::Display for CodeWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One questionable thing, with its evidence and a remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Caveat {
    /// Stable name, as in `io_errors`; scripts may allow-list it.
    pub code: CodeWord,
    /// How much it weighs.
    pub level: Level,
    /// What was seen, in one sentence with its numbers.
    pub message: String,
    /// What to do about it; empty when there is nothing to do.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub remedy: String,
    /// The subject: a phase, `phase/job` or a device; empty for the whole run.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
}

impl Caveat {
    /// A caveat about the whole run.
    pub fn new(code: impl Into<CodeWord>, level: Level, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            level,
            message: message.into(),
            remedy: String::new(),
            subject: String::new(),
        }
    }

    /// Says what to do about it.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// Sets the subject.
    #[must_use]
    pub fn about(mut self, subject: impl Into<String>) -> Self {
        self.subject = subject.into();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_level_decides() {
        let caveat = |level| Caveat::new(CodeWord::foreign("x"), level, "");
        assert_eq!(State::of(&[]), State::Valid);
        assert_eq!(State::of(&[caveat(Level::Note)]), State::Valid);
        let all = [Level::Suspect, Level::Invalid, Level::Qualified].map(caveat);
        assert_eq!(State::of(&all), State::Invalid);
        assert_eq!(State::of(&all[..1]), State::Suspect);
    }
}
