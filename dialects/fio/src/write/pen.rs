//! What the writer of one option is given: its name, the section, and where to say what is lost.

use super::section::Section;
use fathom_tools::losses::Losses;
use fathom_tools::translation::Standing;
use std::fmt::Display;

/// Writes one option of one section.
pub(crate) struct Pen<'a> {
    pub(crate) key: &'static str,
    pub(crate) section: &'a mut Section,
    pub(crate) losses: &'a mut Losses,
}

impl Pen<'_> {
    /// `key=value`.
    pub(crate) fn put(&mut self, value: impl Display) {
        self.section.put(self.key, value);
    }

    /// `key=value`, if there is one.
    pub(crate) fn put_some(&mut self, value: Option<impl Display>) {
        if let Some(value) = value {
            self.put(value);
        }
    }

    /// `key`.
    pub(crate) fn flag_if(&mut self, set: bool) {
        if set {
            self.section.flag(self.key);
        }
    }

    /// What of the workload, under its key `what`, is not said as it is.
    pub(crate) fn lose(
        &mut self,
        standing: Standing,
        what: &'static str,
        message: impl Into<String>,
    ) {
        self.losses.say(standing, what, message);
    }

    /// The same where it is so.
    pub(crate) fn lose_if(
        &mut self,
        lost: bool,
        standing: Standing,
        what: &'static str,
        message: &str,
    ) {
        self.losses.say_if(lost, standing, what, message);
    }
}
