//! The table of cases and what each may cost.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// Where the table stands.
pub(super) const LIST: &str = "xtask/budgets.toml";

#[derive(Debug, Deserialize, Eq, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Budgets {
    #[serde(rename = "case")]
    pub(super) cases: Vec<Case>,
    #[serde(default, rename = "reading")]
    pub(super) readings: Vec<Reading>,
}

/// What reading a text may cost.
#[derive(Debug, Deserialize, Eq, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Reading {
    pub(super) name: String,
    #[serde(rename = "kind")]
    pub(super) text: Text,
    /// How many things the short and the long text have.
    pub(super) things: [u64; 2],
    /// Instructions for each thing.
    pub(super) budget: u32,
}

#[derive(Debug, Deserialize, Eq, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) name: String,
    /// As in `fathom run --engine`.
    pub(super) engine: String,
    pub(super) target: Storage,
    pub(super) queue_depth: u32,
    #[serde(default)]
    pub(super) load: Load,
    /// I/Os of the short and of the long run.
    pub(super) ios: [u64; 2],
    /// Instructions per I/O.
    pub(super) budget: u32,
    #[serde(default)]
    pub(super) required: bool,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Storage {
    Null,
    Zram,
    CachedFile,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Load {
    #[default]
    Read,
    Write,
    Poisson,
}

/// A kind of text that is made and read.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Text {
    Fio,
    FioWaits,
    Native,
    Diskspd,
    Iometer,
    Trace,
    Recording,
}

impl Budgets {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let budgets: Self = toml::from_str(text).with_context(|| format!("cannot read {LIST}"))?;
        for Case {
            name,
            ios: [short, long],
            ..
        } in &budgets.cases
        {
            ensure!(
                short < long,
                "{LIST}: `{name}` must have fewer I/Os in its first run"
            );
        }
        for Reading {
            name,
            things: [short, long],
            ..
        } in &budgets.readings
        {
            ensure!(
                short < long,
                "{LIST}: `{name}` must have fewer things in its first text"
            );
        }
        Ok(budgets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_read_with_its_defaults() {
        let text = "[[case]]\nname = \"a\"\nengine = \"psync\"\ntarget = \"cached-file\"\n\
            queue_depth = 1\nload = \"write\"\nios = [1, 2]\nbudget = 350\n";
        let case = Case {
            name: "a".to_owned(),
            engine: "psync".to_owned(),
            target: Storage::CachedFile,
            queue_depth: 1,
            load: Load::Write,
            ios: [1, 2],
            budget: 350,
            required: false,
        };
        let reading = Reading {
            name: "b".to_owned(),
            text: Text::Fio,
            things: [1, 2],
            budget: 7,
        };
        let more = "[[reading]]\nname = \"b\"\nkind = \"fio\"\nthings = [1, 2]\nbudget = 7\n";
        let expected = Budgets {
            cases: vec![case],
            readings: vec![reading],
        };
        assert_eq!(Budgets::parse(&[text, more].concat()).unwrap(), expected);
    }

    #[test]
    fn runs_in_the_wrong_order_are_refused() {
        let text = "[[case]]\nname = \"a\"\nengine = \"psync\"\ntarget = \"zram\"\n\
            queue_depth = 1\nios = [2, 2]\nbudget = 350\n";
        let error = Budgets::parse(text).unwrap_err().to_string();
        assert_eq!(
            error,
            "xtask/budgets.toml: `a` must have fewer I/Os in its first run"
        );
        let text = "case = []\n[[reading]]\nname = \"a\"\nkind = \"fio\"\nthings = [3, 2]\n\
            budget = 350\n";
        let error = Budgets::parse(text).unwrap_err().to_string();
        assert_eq!(
            error,
            "xtask/budgets.toml: `a` must have fewer things in its first text"
        );
    }
}
