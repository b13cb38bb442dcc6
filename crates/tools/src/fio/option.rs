//! One option of fio: its names, how far it is honoured, and what it sets.

use super::settings::Settings;
use super::source::{TextPlace, Wrong};
use crate::translation::Standing;

/// What an option does to the settings of a job.
pub(super) type Set = fn(&mut Settings, &Word) -> Result<(), Wrong>;

/// How an option is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `name=value`.
    Value,
    /// `name`, or `name=1`.
    Flag,
}

/// One option of fio.
#[derive(Clone, Copy, Debug)]
pub(super) struct FioOption {
    pub(super) name: &'static str,
    pub(super) aliases: &'static [&'static str],
    pub(super) form: Form,
    pub(super) standing: Standing,
    /// In what it differs, why it has no effect, or why it is refused; of an option that is kept,
    /// what to know. Empty when there is nothing to say.
    pub(super) remark: &'static str,
    /// Values with which it asks for nothing, so that there is nothing to say or to refuse.
    pub(super) harmless: &'static [&'static str],
    pub(super) set: Option<Set>,
}

impl FioOption {
    const fn new(name: &'static str, standing: Standing, remark: &'static str) -> Self {
        Self {
            name,
            aliases: &[],
            form: Form::Value,
            standing,
            remark,
            harmless: &[],
            set: None,
        }
    }

    /// As fio does it.
    pub(super) const fn kept(name: &'static str, set: Set) -> Self {
        let mut option = Self::new(name, Standing::Kept, "");
        option.set = Some(set);
        option
    }

    /// Nearly.
    pub(super) const fn near(name: &'static str, remark: &'static str, set: Set) -> Self {
        let mut option = Self::new(name, Standing::Approximated, remark);
        option.set = Some(set);
        option
    }

    /// It changes nothing that is measured here.
    pub(super) const fn ignored(name: &'static str, remark: &'static str) -> Self {
        Self::new(name, Standing::Ignored, remark)
    }

    /// It would change the result and cannot be honoured.
    pub(super) const fn refused(name: &'static str, remark: &'static str) -> Self {
        Self::new(name, Standing::Refused, remark)
    }

    pub(super) const fn alias(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    pub(super) const fn flag(mut self) -> Self {
        self.form = Form::Flag;
        self
    }

    pub(super) const fn remark(mut self, remark: &'static str) -> Self {
        self.remark = remark;
        self
    }

    /// Also read where it is only noted, because others depend on it.
    pub(super) const fn also(mut self, set: Set) -> Self {
        self.set = Some(set);
        self
    }

    pub(super) const fn unless(mut self, harmless: &'static [&'static str]) -> Self {
        self.harmless = harmless;
        self
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

/// An option as given in a job.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) option: &'static FioOption,
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

    /// Whether it asks for nothing.
    pub(super) fn is_harmless(&self) -> bool {
        match &self.value {
            Some(value) => self.option.harmless.contains(&value.as_str()),
            None => false,
        }
    }
}
