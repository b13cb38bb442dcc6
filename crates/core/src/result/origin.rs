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
    },
}

impl Origin {
    /// Whether Fathom measured on real targets.
    pub fn is_measured(&self) -> bool {
        *self == Self::Measured
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
