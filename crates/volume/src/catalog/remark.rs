//! Remarks about a figure.

use serde::Serialize;

/// How much a remark weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
pub struct Remark {
    /// How much it weighs.
    pub kind: RemarkKind,
    /// One sentence.
    pub text: String,
}

impl Remark {
    /// The figure may be wrong.
    pub fn warning(text: impl Into<String>) -> Self {
        Self {
            kind: RemarkKind::Warning,
            text: text.into(),
        }
    }

    /// Something was assumed.
    pub fn assumed(text: impl Into<String>) -> Self {
        Self {
            kind: RemarkKind::Assumed,
            text: text.into(),
        }
    }

    /// Worth knowing.
    pub fn note(text: impl Into<String>) -> Self {
        Self {
            kind: RemarkKind::Note,
            text: text.into(),
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
