//! Remarks about a figure.

use serde::Serialize;

/// How much a remark weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RemarkKind {
    /// The figure may be wrong: beyond what the catalogue knows, or not verified.
    Warning,
    /// Something that was not said was assumed.
    Assumed,
    /// Worth knowing.
    Note,
}

/// Something to say under a table of figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Remark {
    /// How much it weighs.
    pub kind: RemarkKind,
    /// One sentence.
    pub text: String,
    /// Whether it says that nobody is known to sell it so.
    #[serde(skip)]
    pub is_not_offered: bool,
}

impl Remark {
    /// The figure may be wrong.
    pub fn warning(text: impl Into<String>) -> Self {
        Self {
            kind: RemarkKind::Warning,
            text: text.into(),
            is_not_offered: false,
        }
    }

    /// Nobody is known to sell it so, and the figure is that of what was asked for.
    pub fn not_offered(text: impl Into<String>) -> Self {
        Self {
            is_not_offered: true,
            ..Self::warning(text)
        }
    }

    /// Something was assumed.
    pub fn assumed(text: impl Into<String>) -> Self {
        Self {
            kind: RemarkKind::Assumed,
            text: text.into(),
            is_not_offered: false,
        }
    }

    /// Worth knowing.
    pub fn note(text: impl Into<String>) -> Self {
        Self {
            kind: RemarkKind::Note,
            text: text.into(),
            is_not_offered: false,
        }
    }
}

impl std::fmt::Display for Remark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = match self.kind {
            RemarkKind::Warning => "warning",
            RemarkKind::Assumed => "assumed",
            RemarkKind::Note => "note",
        };
        write!(f, "{word}: {}", self.text)
    }
}
