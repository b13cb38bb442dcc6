//! Colours, if they are wanted at all.
//!
//! Only "select graphic rendition" sequences (ECMA-48, 8.3.117) with the eight basic colours, so
//! that the terminal's own palette decides what they look like.

use crate::foreign::visible;
use crate::{Level, State};

/// What a piece of text is, rather than what it looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    #[default]
    /// As the terminal has it.
    Plain,
    /// Bold.
    Strong,
    /// Of little weight.
    Faint,
    /// Green: nothing is wrong.
    Good,
    /// Yellow: to be looked at.
    Warning,
    /// Red: wrong.
    Bad,
}

impl Style {
    /// How a state is shown.
    pub const fn of_state(state: State) -> Self {
        match state {
            State::Valid => Self::Good,
            State::Qualified => Self::Warning,
            State::Suspect | State::Invalid => Self::Bad,
        }
    }

    /// How the weight of a caveat is shown.
    pub const fn of_level(level: Level) -> Self {
        match level {
            Level::Note => Self::Faint,
            Level::Qualified => Self::Warning,
            Level::Suspect | Level::Invalid => Self::Bad,
        }
    }

    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "1",
            Self::Faint => "2",
            Self::Good => "1;32",
            Self::Warning => "1;33",
            Self::Bad => "1;31",
        }
    }
}

/// `text` as one line, in `style` if `color` is wanted. Control characters in it are escaped.
pub fn paint(color: bool, style: Style, text: &str) -> String {
    let text = visible(text);
    if !color || style == Style::Plain || text.is_empty() {
        return text.into_owned();
    }
    format!("\x1b[{}m{text}\x1b[0m", style.code())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_added_unless_asked_for() {
        assert_eq!(paint(false, Style::Bad, "INVALID"), "INVALID");
        assert_eq!(paint(true, Style::Plain, "x"), "x");
        assert_eq!(
            paint(false, Style::Plain, "x\x1b[2J\n"),
            "x\\u001b[2J\\u000a"
        );
        assert_eq!(
            paint(true, Style::Bad, "INVALID"),
            "\x1b[1;31mINVALID\x1b[0m"
        );
    }
}
