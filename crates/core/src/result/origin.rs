//! Where the numbers of a result come from.

use super::{ResultField, Unknown};
use serde::{Deserialize, Serialize};

/// Where the numbers of a result come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Origin {
    /// Fathom put the load on real targets.
    #[default]
    Measured,
    /// Fathom's own loop against a model, in virtual time.
    Simulated {
        /// The model in words, as in `4x gp2:250GiB under r5d.xlarge`.
        model: String,
    },
    /// Another program measured; Fathom read what it wrote.
    Imported {
        /// The program and its version as far as the source says, as in `fio-3.33`.
        tool: String,
        /// The form that was read, as in `fio-json+`.
        format: String,
        /// Fields of the result about which the source says nothing. In the document they are
        /// empty or zero; [`Origin::known`] gives no value for them.
        #[serde(default, skip_serializing_if = "Unknown::is_empty")]
        unknown: Unknown,
    },
}

impl Origin {
    /// Whether Fathom measured on real targets.
    pub fn is_measured(&self) -> bool {
        *self == Self::Measured
    }

    /// Whether another program measured.
    pub const fn is_imported(&self) -> bool {
        matches!(self, Self::Imported { .. })
    }

    /// Whether a field of the result means anything: always, but for fields of an import about
    /// which the source says nothing.
    pub fn knows(&self, field: ResultField) -> bool {
        self.unknown()
            .is_none_or(|unknown| !unknown.contains(field))
    }

    /// The value of a field, if it means anything.
    pub fn known<T>(&self, field: ResultField, value: T) -> Option<T> {
        self.knows(field).then_some(value)
    }

    /// The fields about which the source of an import says nothing; none of other results.
    pub const fn unknown(&self) -> Option<&Unknown> {
        match self {
            Self::Imported { unknown, .. } => Some(unknown),
            Self::Measured | Self::Simulated { .. } => None,
        }
    }

    /// One word for tables: measured, simulated or imported.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Simulated { .. } => "simulated",
            Self::Imported { .. } => "imported",
        }
    }

    /// The first words of every report: where its numbers come from.
    pub fn words(&self) -> String {
        match self {
            Self::Measured => self.word().to_owned(),
            Self::Simulated { model } => {
                format!("simulated: no storage was measured; model {model}")
            }
            Self::Imported { tool, format, .. } => {
                format!("imported: measured by {tool}, read from its {format}")
            }
        }
    }
}

/// Where the numbers of several results come from: how many of each origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Origins {
    /// Results that Fathom measured.
    pub measured: usize,
    /// Results of a model.
    pub simulated: usize,
    /// Results of another program.
    pub imported: usize,
}

impl<'a> FromIterator<&'a Origin> for Origins {
    fn from_iter<I: IntoIterator<Item = &'a Origin>>(origins: I) -> Self {
        let mut all = Self::default();
        for origin in origins {
            *match origin {
                Origin::Measured => &mut all.measured,
                Origin::Simulated { .. } => &mut all.simulated,
                Origin::Imported { .. } => &mut all.imported,
            } += 1;
        }
        all
    }
}

impl std::iter::Sum for Origins {
    fn sum<I: Iterator<Item = Self>>(origins: I) -> Self {
        origins.fold(Self::default(), |all, one| Self {
            measured: all.measured + one.measured,
            simulated: all.simulated + one.simulated,
            imported: all.imported + one.imported,
        })
    }
}

impl Origins {
    /// The origin of all of them: measured, simulated, imported or mixed.
    pub const fn word(self) -> &'static str {
        match self {
            Self {
                simulated: 0,
                imported: 0,
                ..
            } => "measured",
            Self {
                measured: 0,
                imported: 0,
                ..
            } => "simulated",
            Self {
                measured: 0,
                simulated: 0,
                ..
            } => "imported",
            _ => "mixed",
        }
    }

    /// How many results of each origin: `2 measured, 1 simulated`.
    pub fn counted(self) -> String {
        let all = [
            (self.measured, "measured"),
            (self.simulated, "simulated"),
            (self.imported, "imported"),
        ];
        let present = all.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = present
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        words.join(", ")
    }

    /// What stands above results that Fathom did not measure itself, all or some of them.
    pub fn warning(self) -> Option<String> {
        Some(match self.word() {
            "measured" => return None,
            "simulated" => "simulated: no storage was measured".to_owned(),
            "imported" => "imported: measured by another program".to_owned(),
            _ => format!("mixed origins: {}", self.counted()),
        })
    }

    /// The first line of a table or a page of these results, with its warning.
    pub fn first_line(self, text: &str) -> String {
        let warning = self.warning().map(|warning| format!("{warning}. {text}"));
        warning.unwrap_or_else(|| text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_origins_are_counted_in_the_first_line() {
        let simulated = Origin::Simulated {
            model: "2x gp3".to_owned(),
        };
        let cases = [
            (vec![], "measured", "", "text"),
            (vec![&Origin::Measured], "measured", "1 measured", "text"),
            (
                vec![&simulated, &simulated],
                "simulated",
                "2 simulated",
                "simulated: no storage was measured. text",
            ),
            (
                vec![&simulated, &Origin::Measured, &simulated],
                "mixed",
                "1 measured, 2 simulated",
                "mixed origins: 1 measured, 2 simulated. text",
            ),
        ];
        for (origins, word, counted, first_line) in cases {
            let all: Origins = origins.into_iter().collect();
            let found = (all.word(), all.counted(), all.first_line("text"));
            assert_eq!(found, (word, counted.to_owned(), first_line.to_owned()));
        }
        let words = "simulated: no storage was measured; model 2x gp3";
        assert_eq!(simulated.words(), words);
    }

    #[test]
    fn only_an_import_has_fields_that_mean_nothing() {
        let imported = Origin::Imported {
            tool: "fio-3.33".to_owned(),
            format: "fio-json".to_owned(),
            unknown: Unknown::from([ResultField::QueueDepthHeld]),
        };
        let fields = [ResultField::QueueDepthHeld, ResultField::QueueDepth];
        let known = fields.map(|field| imported.known(field, 7));
        assert_eq!(known, [None, Some(7)]);
        assert!(Origin::Measured.knows(ResultField::QueueDepthHeld));
        assert_eq!(Origin::Measured.unknown(), None);
        let text = r#"{"kind":"imported","tool":"fio-3.33","format":"fio-json"}"#;
        let read: Origin = serde_json::from_str(text).expect("the list may be missing");
        let knows = read.knows(ResultField::QueueDepth);
        assert_eq!((read.is_imported(), knows), (true, true));
    }
}
