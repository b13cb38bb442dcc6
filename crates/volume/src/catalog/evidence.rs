//! Who says so: the source of a row, its day, and how far it can be trusted.

use super::dates::AsOf;
use serde::{Deserialize, Serialize};

/// How a figure is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Read in the source named.
    #[default]
    Sourced,
    /// Computed by a rule that the source states.
    Derived,
    /// Follows from figures that were read, but is printed nowhere.
    Inferred,
    /// Read, but the day is not known.
    Undated,
    /// Read, but not borne out by a second source, or out of line with one.
    Unchecked,
    /// Remembered, not verified.
    Memory,
}

impl Confidence {
    /// Whether the figure may be shown without a word of warning.
    pub fn is_fact(self) -> bool {
        self == Self::Sourced
    }

    /// The words that go with a figure of this kind; none for one that was read.
    pub const fn warning(self) -> Option<&'static str> {
        match self {
            Self::Sourced => None,
            Self::Derived => Some("derived by a rule"),
            Self::Inferred => Some("in part inferred"),
            Self::Undated => Some("of unknown date"),
            Self::Unchecked => Some("not borne out by a second source"),
            Self::Memory => Some("from memory, not verified"),
        }
    }

    /// One word for tables.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sourced => "sourced",
            Self::Derived => "derived",
            Self::Inferred => "inferred",
            Self::Undated => "undated",
            Self::Unchecked => "unchecked",
            Self::Memory => "memory",
        }
    }
}

/// Who says so, and when.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evidence {
    /// The source in words.
    pub source: String,
    /// The day on which it said so.
    pub as_of: AsOf,
    /// How it is known.
    pub confidence: Confidence,
    /// What else the source says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl std::fmt::Display for Evidence {
    /// Source, day and warning: `Amazon EC2 User Guide, as of 2023-05-11`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, as of {}", self.source, self.as_of)?;
        match self.confidence.warning() {
            Some(warning) => write!(f, " ({warning})"),
            None => Ok(()),
        }
    }
}
