//! Where the numbers of a result come from.

use super::{ResultField, Unknown};
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
}

#[cfg(test)]
mod tests {
    use super::*;

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
