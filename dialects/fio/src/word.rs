//! An option as it is given.

use super::source::TextPlace;

/// An option as given in a job.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// The first name of its option.
    pub(super) name: &'static str,
    /// Whether it asks for nothing.
    pub(super) is_harmless: bool,
    /// The name as typed.
    pub(super) key: String,
    pub(super) value: Option<String>,
    /// Name and value.
    pub(super) place: TextPlace,
    /// The value, or the name where there is none.
    pub(super) value_place: TextPlace,
}

impl Word {
    /// The option as typed, for notes.
    pub(super) fn what(&self) -> String {
        match &self.value {
            Some(value) => format!("{}={value}", self.key),
            None => self.key.clone(),
        }
    }

    /// The value; empty for a flag without one.
    pub(super) fn text(&self) -> &str {
        self.value.as_deref().unwrap_or_default()
    }
}
