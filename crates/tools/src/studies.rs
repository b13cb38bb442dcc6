//! Published studies, claim by claim: the figure that a study states, and the command that computes
//! it.
//!
//! They are files in `studies/`, embedded. `fathom studies` lists and runs them, and the pages in
//! `docs/studies/` show what it prints.

use fathom_core::figure;
use serde::{Deserialize, Serialize};

/// The word of a command that a directory of the user replaces.
pub const TARGET: &str = "TARGET";

/// A figure that is this close to another agrees with it: studies round theirs. Percent.
pub const CLOSE_PERCENT: f64 = 5.0;

/// Names of the studies, as in `fathom studies sas`.
pub const NAMES: [&str; 5] = ["sas", "ec2", "iris", "azure", "proliant"];

const TEXTS: [&str; 5] = [
    include_str!("../../../studies/sas.toml"),
    include_str!("../../../studies/ec2.toml"),
    include_str!("../../../studies/iris.toml"),
    include_str!("../../../studies/azure.toml"),
    include_str!("../../../studies/proliant.toml"),
];

/// A published study.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// One of [`NAMES`].
    #[serde(skip_deserializing)]
    pub name: String,
    /// What it measured, for headings.
    pub title: String,
    /// The page about it, from the root of the repository.
    pub page: String,
    /// What it states, in the order in which it is listed.
    #[serde(rename = "claim")]
    pub claims: Vec<Claim>,
}

/// One statement of a study that has a figure.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The statement as a sentence.
    pub text: String,
    /// Unit of both figures.
    pub unit: Unit,
    /// The study's figure; none where it states the fact without one.
    pub study: Option<f64>,
    /// The figure that the command gives; none where it depends on the target, or there is none.
    pub fathom: Option<f64>,
    /// What computes the figure; none where nothing does.
    pub command: Option<Command>,
    /// Divisor of a figure that is a ratio.
    pub over: Option<Command>,
    /// Why the figures differ, or what the figure does not show.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// A command that prints JSON, and where the figure is in it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// The words as typed, without `--json`.
    pub line: String,
    /// JSON pointer (RFC 6901) to the figure.
    pub at: String,
}

/// Unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Unit {
    /// Requests per second.
    #[serde(rename = "IOPS")]
    Iops,
    /// 10^6 bytes per second.
    #[serde(rename = "MB/s")]
    Megabytes,
    /// 10^9 bytes.
    #[serde(rename = "GB")]
    Gigabytes,
    /// US dollars per month.
    #[serde(rename = "USD")]
    Dollars,
    /// 60 seconds.
    #[serde(rename = "min")]
    Minutes,
    /// 3,600 seconds.
    #[serde(rename = "h")]
    Hours,
    /// 10^-3 seconds; JSON has nanoseconds.
    #[serde(rename = "ms")]
    Milliseconds,
    /// Binary kilobytes.
    #[serde(rename = "KiB")]
    Kibibytes,
    /// Number of disks.
    #[serde(rename = "disks")]
    Disks,
    /// Number of requests.
    #[serde(rename = "requests")]
    Requests,
    /// Change from the divisor, percent.
    #[serde(rename = "%")]
    Change,
    /// Ratio to the divisor.
    #[serde(rename = "times")]
    Times,
}

impl Unit {
    /// A figure of JSON in this unit: JSON has bytes, seconds, and nanoseconds for latencies.
    fn of(self, raw: f64) -> f64 {
        match self {
            Self::Megabytes | Self::Milliseconds => raw / 1e6,
            Self::Gigabytes => raw / 1e9,
            Self::Minutes => raw / 60.0,
            Self::Hours => raw / 3600.0,
            Self::Kibibytes => raw / 1024.0,
            Self::Change => (raw - 1.0) * 100.0,
            Self::Iops | Self::Dollars | Self::Disks | Self::Requests | Self::Times => raw,
        }
    }

    /// A figure as it is printed, with the unit.
    pub fn in_words(self, figure: f64) -> String {
        match self {
            Self::Iops => figure::iops(figure) + " IOPS",
            Self::Megabytes => figure::megabytes(figure * 1e6) + " MB/s",
            Self::Gigabytes => figure::significant(figure) + " GB",
            Self::Dollars => figure::decimal(figure, 2) + " USD a month",
            Self::Minutes => figure::decimal(figure, 1) + " min",
            Self::Hours => figure::decimal(figure, 1) + " h",
            Self::Milliseconds => figure::significant(figure) + " ms",
            Self::Kibibytes => figure::significant(figure) + " KiB",
            Self::Disks => figure::decimal(figure, 0) + " disks",
            Self::Requests => figure::decimal(figure, 0) + " requests",
            Self::Change => {
                let sign = if figure > 0.0 { "+" } else { "" };
                format!("{sign}{} %", figure::decimal(figure, 0))
            }
            Self::Times => format!("×{}", figure::significant(figure)),
        }
    }
}

/// How two figures relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// They are within [`CLOSE_PERCENT`].
    Agrees,
    /// They are not.
    Differs,
    /// The study states no figure.
    NotStated,
    /// The figure is not computed.
    NotComputed,
}

impl Agreement {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Self; 4] = [
        Self::Agrees,
        Self::Differs,
        Self::NotStated,
        Self::NotComputed,
    ];

    /// Word for a list.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::NotStated => "the study states no figure",
            Self::NotComputed => "not computed",
        }
    }
}

impl Claim {
    /// Whether a command names a target of the user's.
    pub fn needs_target(&self) -> bool {
        let commands = self.command.iter().chain(&self.over);
        let mut words = commands.flat_map(|command| command.line.split_whitespace());
        words.any(|word| word == TARGET || word.ends_with("=TARGET"))
    }

    /// How the study's figure and another one relate.
    pub fn agreement(&self, figure: Option<f64>) -> Agreement {
        match (self.study, figure) {
            (_, None) => Agreement::NotComputed,
            (None, Some(_)) => Agreement::NotStated,
            (Some(study), Some(figure)) => {
                let away = (figure - study).abs();
                if away * 100.0 <= study.abs() * CLOSE_PERCENT {
                    Agreement::Agrees
                } else {
                    Agreement::Differs
                }
            }
        }
    }

    /// The figure from what the commands print; none where a number is missing.
    pub fn figure(
        &self,
        mut document: impl FnMut(&str) -> Option<serde_json::Value>,
    ) -> Option<f64> {
        let mut number =
            |command: &Command| document(&command.line)?.pointer(&command.at)?.as_f64();
        let figure = number(self.command.as_ref()?)?;
        let raw = match &self.over {
            Some(over) => figure / number(over)?,
            None => figure,
        };
        Some(self.unit.of(raw)).filter(|figure| figure.is_finite())
    }
}

/// All studies, in the order of [`NAMES`].
///
/// # Panics
///
/// A file is invalid, which a test of this module excludes.
pub fn studies() -> Vec<Study> {
    let read = |(name, text): (&str, &str)| Study {
        name: name.to_owned(),
        ..toml::from_str(text).unwrap_or_else(|error| panic!("studies/{name}.toml: {error}"))
    };
    NAMES.into_iter().zip(TEXTS).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeSet;

    fn claim(text: &str) -> Claim {
        toml::from_str(text).expect("a claim")
    }

    #[test]
    fn every_claim_is_whole() {
        let incomplete = |claim: &Claim| {
            let is_computed = claim.command.is_some() && !claim.needs_target();
            let differs = claim.agreement(claim.fathom) != Agreement::Agrees;
            is_computed != claim.fathom.is_some()
                || (differs && claim.why.is_empty())
                || (claim.over.is_some() && claim.command.is_none())
                || !claim.text.ends_with('.')
        };
        let found: Vec<String> = studies()
            .into_iter()
            .flat_map(|study| study.claims)
            .filter(incomplete)
            .map(|claim| claim.text)
            .collect();
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn no_claim_stands_twice_and_no_command_writes_or_saves() {
        let studies = studies();
        let mut texts = BTreeSet::new();
        for claim in studies.iter().flat_map(|study| &study.claims) {
            assert!(texts.insert(&claim.text), "{}", claim.text);
            for command in claim.command.iter().chain(&claim.over) {
                let mut words = command.line.split_whitespace();
                assert_eq!(words.next(), Some("fathom"), "{}", command.line);
                let name = words.next().unwrap_or_default();
                let saved = match name {
                    "plan" | "need" => 0,
                    "simulate" | "run" => 1,
                    "ab" => 2,
                    _ => usize::MAX,
                };
                let unsaved = words.filter(|word| word.trim_end_matches('"') == "--no-save");
                let is_harmless = unsaved.count() >= saved;
                assert!(is_harmless, "{}", command.line);
            }
        }
    }

    #[test]
    fn figures_within_five_percent_agree() {
        let claim = claim("text = 'x.'\nunit = 'IOPS'\nstudy = 100.0");
        let cases = [
            (Some(105.0), Agreement::Agrees),
            (Some(94.9), Agreement::Differs),
            (Some(-100.0), Agreement::Differs),
            (None, Agreement::NotComputed),
        ];
        for (figure, expected) in cases {
            assert_eq!(claim.agreement(figure), expected, "{figure:?}");
        }
    }

    #[test]
    fn a_figure_is_a_number_of_the_document_or_a_ratio_of_two() {
        let plain = "text = 'x.'\nunit = 'MB/s'\ncommand = { line = 'a', at = '/x/0' }";
        let ratio = "text = 'x.'\nunit = '%'\ncommand = { line = 'a', at = '/x/0' }\n\
                     over = { line = 'b', at = '/y' }";
        let documents = |line: &str| match line {
            "a" => Some(json!({ "x": [3_000_000] })),
            "b" => Some(json!({ "y": 2e6, "z": 0 })),
            _ => None,
        };
        assert_eq!(claim(plain).figure(documents), Some(3.0));
        assert_eq!(claim(ratio).figure(documents), Some(50.0));
        let broken = [
            plain.replace("/x/0", "/x/1"),
            plain.replace("'a'", "'c'"),
            ratio.replace("/y", "/z"),
            ratio.replace("'b'", "'c'"),
        ];
        for text in broken {
            assert_eq!(claim(&text).figure(documents), None, "{text}");
        }
    }

    #[test]
    fn a_target_is_a_word_or_the_end_of_one() {
        let with = |line: &str| {
            claim(&format!(
                "text = 'x.'\nunit = 'IOPS'\ncommand = {{ line = '{line}', at = '/' }}"
            ))
        };
        let cases = [
            ("fathom run --target TARGET", true),
            ("fathom run --target=TARGET", true),
            ("fathom rhel-iotest -t WORK=TARGET", true),
            ("fathom run --tag TARGETS", false),
        ];
        for (line, expected) in cases {
            assert_eq!(with(line).needs_target(), expected, "{line}");
        }
    }
}
