//! What is wrong with an expression, with its place.

/// An expression that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExpressionError {
    /// What is wrong.
    pub message: String,
    /// Place in the text: first byte, and how many.
    pub place: (usize, usize),
    /// What would be right.
    pub remedy: Option<String>,
}

impl ExpressionError {
    pub(super) fn new(message: impl Into<String>, place: (usize, usize)) -> Self {
        Self {
            message: message.into(),
            place,
            remedy: None,
        }
    }

    pub(super) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// The part of the text at the place; all of it where the place is its end.
    pub fn part<'a>(&self, text: &'a str) -> &'a str {
        let (begin, length) = self.place;
        let part = text.get(begin..begin + length).unwrap_or_default().trim();
        if part.is_empty() { text.trim() } else { part }
    }
}
