//! What can be wrong with a catalogue, or with a question to it.

use super::{CatalogFile, Cloud, meant};

/// Why a file of a catalogue could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogError {
    /// A row that is not of the form.
    #[error("{file}:{line}: {cause}")]
    Row {
        /// Path inside the folder.
        file: String,
        /// Line, from 1.
        line: u64,
        /// What is wrong.
        cause: String,
    },
    /// A file that nothing reads.
    #[error("{file}: not a file of a catalogue")]
    UnknownFile {
        /// Path inside the folder.
        file: String,
    },
}

impl CatalogError {
    pub(super) fn unknown_file(file: &CatalogFile<'_>) -> Self {
        Self::UnknownFile {
            file: file.path.to_owned(),
        }
    }
}

/// A name that the catalogue does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {kind} `{name}`{}", cause(name))]
pub struct Unknown {
    /// What was looked for: `volume type`, `instance type` …
    pub kind: &'static str,
    /// The name that was given.
    pub name: String,
    /// The known name that was probably meant.
    pub nearest: Option<String>,
}

/// Why a well-known name is unknown here.
fn cause(name: &str) -> String {
    Cloud::unsourced(name).map_or_else(String::new, |cause| format!(": {cause}"))
}

impl Unknown {
    pub(super) fn new<'a>(
        kind: &'static str,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Self {
        Self {
            kind,
            name: name.to_owned(),
            nearest: meant(name, known)
                .filter(|_| Cloud::unsourced(name).is_none())
                .map(str::to_owned),
        }
    }
}
