//! One option of fio: its names, how far it is honoured, how it is read and how it is written.

use super::settings::Settings;
use super::source::Wrong;
use super::word::Word;
use super::write::{OfJob, OfRun, Pen, Turn};
use fathom_tools::translation::Standing;

/// What an option does to the settings of a job.
pub(super) type Set = fn(&mut Settings, &Word) -> Result<(), Wrong>;

/// A [`Set`] that does one thing.
macro_rules! set {
    ($to:pat_param, $word:pat_param => $does:expr) => {
        |$to, $word| {
            $does;
            Ok(())
        }
    };
}
pub(super) use set;

/// Where an option is in a job file that is written: a part, and the position in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum At {
    /// In `[global]`.
    Run(u8),
    /// There too, when all jobs are known.
    Engine(u8),
    Target(u8),
    Clones(u8),
    Requests(u8),
    Order(u8),
    Pace(u8),
    Durability(u8),
    Data(u8),
    Check(u8),
    Time(u8),
    /// When a section is put behind the others.
    Turn(u8),
    Command(u8),
}

/// From what an option is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum By {
    Run(fn(&OfRun<'_>, &mut Pen<'_>)),
    Job(fn(&OfJob<'_>, &mut Pen<'_>)),
    Turn(fn(Turn, &mut Pen<'_>)),
}

/// How an option is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Writing {
    pub(super) at: At,
    pub(super) by: By,
}

/// The form of an option in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OptionForm {
    /// `name=value`.
    Value,
    /// `name`, or `name=1`.
    Flag,
    /// `name=value`, or `name` in a file; among the words of a call the next one is its value.
    Text,
}

/// One option of fio.
#[derive(Clone, Copy, Debug)]
pub(super) struct FioOption {
    pub(super) name: &'static str,
    pub(super) aliases: &'static [&'static str],
    pub(super) form: OptionForm,
    pub(super) standing: Standing,
    /// In what it differs, why it has no effect, or why it is refused; of an option that is kept,
    /// what to know. Empty when there is nothing to say.
    pub(super) remark: &'static str,
    /// Values with which it asks for nothing, so that there is nothing to say or to refuse.
    pub(super) harmless: &'static [&'static str],
    pub(super) set: Option<Set>,
    /// How it is written of a workload; none where something else says the same.
    pub(super) writing: Option<Writing>,
    /// The same once more, elsewhere.
    pub(super) second: Option<Writing>,
    /// Keys of a job that it writes all of.
    pub(super) says: &'static [&'static str],
    /// The name by which it is written.
    pub(super) spelt: &'static str,
}

impl FioOption {
    const fn new(name: &'static str, standing: Standing, remark: &'static str) -> Self {
        Self {
            name,
            aliases: &[],
            form: OptionForm::Value,
            standing,
            remark,
            harmless: &[],
            set: None,
            writing: None,
            second: None,
            says: &[],
            spelt: name,
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
        self.form = OptionForm::Flag;
        self
    }

    pub(super) const fn text(mut self) -> Self {
        self.form = OptionForm::Text;
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

    /// Written in the section of a job.
    pub(super) const fn of_job(mut self, at: At, by: fn(&OfJob<'_>, &mut Pen<'_>)) -> Self {
        self.writing = Some(Writing {
            at,
            by: By::Job(by),
        });
        self
    }

    /// Written in the section of a job as well.
    pub(super) const fn of_job_too(mut self, at: At, by: fn(&OfJob<'_>, &mut Pen<'_>)) -> Self {
        self.second = Some(Writing {
            at,
            by: By::Job(by),
        });
        self
    }

    /// Written in `[global]`.
    pub(super) const fn of_run(mut self, at: At, by: fn(&OfRun<'_>, &mut Pen<'_>)) -> Self {
        self.writing = Some(Writing {
            at,
            by: By::Run(by),
        });
        self
    }

    /// Written where a section follows others.
    pub(super) const fn of_turn(mut self, at: At, by: fn(Turn, &mut Pen<'_>)) -> Self {
        self.writing = Some(Writing {
            at,
            by: By::Turn(by),
        });
        self
    }

    /// Writes all of these keys of a job, or names what it cannot.
    pub(super) const fn says(mut self, keys: &'static [&'static str]) -> Self {
        self.says = keys;
        self
    }

    /// Written by an alias.
    pub(super) const fn spelt(mut self, name: &'static str) -> Self {
        self.spelt = name;
        self
    }

    /// Whether it asks for nothing with this value.
    pub(super) fn is_harmless(&self, value: Option<&str>) -> bool {
        value.is_some_and(|value| self.harmless.contains(&value))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}
