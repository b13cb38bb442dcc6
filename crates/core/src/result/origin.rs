//! Where the numbers of a result come from.

use serde::{Deserialize, Serialize};

/// Where the numbers of a result come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
        /// Fields of the result about which the source says nothing, by their names in the
        /// document, as in `queue_depth_held`. They are empty or zero, and mean nothing.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unknown: Vec<String>,
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

    /// Whether a field of the result, by its name in the document, means anything: always, but
    /// for fields of an import about which the source says nothing.
    pub fn knows(&self, field: &str) -> bool {
        match self {
            Self::Imported { unknown, .. } => unknown.iter().all(|name| name != field),
            Self::Measured | Self::Simulated { .. } => true,
        }
    }

    /// The fields about which the source says nothing; none but of an import.
    pub fn unknown(&self) -> &[String] {
        match self {
            Self::Imported { unknown, .. } => unknown,
            Self::Measured | Self::Simulated { .. } => &[],
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_import_has_fields_that_mean_nothing() {
        let imported = Origin::Imported {
            tool: "fio-3.33".to_owned(),
            format: "fio-json".to_owned(),
            unknown: vec!["queue_depth_held".to_owned()],
        };
        let known = ["queue_depth_held", "queue_depth"].map(|field| imported.knows(field));
        assert_eq!(known, [false, true]);
        assert_eq!(imported.unknown(), ["queue_depth_held"]);
        assert!(Origin::Measured.knows("queue_depth_held"));
        assert_eq!(Origin::Measured.unknown(), [""; 0]);
        let text = r#"{"kind":"imported","tool":"fio-3.33","format":"fio-json"}"#;
        let read: Origin = serde_json::from_str(text).expect("the list may be missing");
        assert_eq!(
            (read.is_imported(), read.knows("queue_depth")),
            (true, true)
        );
    }
}
