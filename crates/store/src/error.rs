//! Why the history could not do what was asked.

use fathom_core::result::ResultError;
use std::path::PathBuf;

/// Why the history could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be opened or made.
    #[error("cannot open the history {}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What SQLite or the system said.
        cause: String,
    },
    /// The file is none that a history may be kept in.
    #[error("cannot keep the history in {}", .0.path.display())]
    Refused(fathom_device::DoorError),
    /// The file was written by a newer program.
    #[error("cannot read the history {}", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that this program writes.
        known: u32,
    },
    /// SQLite refused a statement, as when the disk is full.
    #[error("cannot use the history")]
    Sql(#[from] rusqlite::Error),
    /// A bundle cannot be written.
    #[error("cannot write the runs")]
    Export(std::io::Error),
    /// A stored document cannot be unpacked.
    #[error("a document of the history is damaged")]
    Packing(#[from] std::io::Error),
    /// A stored document is no result.
    #[error("a document of the history is damaged")]
    Document(#[from] ResultError),
    /// What is stored of a run cannot be read.
    #[error("what the history holds of {run_id} is damaged")]
    Damaged {
        /// Identifies the run.
        run_id: String,
        /// What is wrong with it.
        cause: Box<StoreError>,
    },
    /// The run is still in progress.
    #[error("there is no result of {run_id} yet")]
    Unfinished {
        /// Identifies the run.
        run_id: String,
    },
    /// No run is called so.
    #[error("no run of the history is called {name}")]
    NoRun {
        /// As it was named.
        name: String,
        /// Runs in the history.
        runs: u64,
    },
    /// Several runs are called so.
    #[error("{name} is not one run")]
    Ambiguous {
        /// As it was named.
        name: String,
        /// How many runs are called so.
        count: u64,
        /// The first few of them by their ids, the latest first.
        ids: Vec<String>,
    },
}

impl StoreError {
    /// The same, where it is about what is stored, as one about a run.
    pub(crate) fn of_run(self, run_id: &str) -> Self {
        match self {
            Self::Packing(_) | Self::Document(_) => Self::Damaged {
                run_id: run_id.to_owned(),
                cause: Box::new(self),
            },
            // What SQLite cannot read of a page says nothing of the other pages.
            Self::Sql(rusqlite::Error::SqliteFailure(failure, _))
                if failure.code == rusqlite::ErrorCode::DatabaseCorrupt =>
            {
                Self::Damaged {
                    run_id: run_id.to_owned(),
                    cause: Box::new(self),
                }
            }
            other => other,
        }
    }

    /// Why, where the message itself does not say it.
    pub fn because(&self) -> Option<String> {
        match self {
            Self::Open { cause, .. } => Some(cause.clone()),
            Self::Refused(error) => Some(error.cause()),
            Self::TooNew { found, known, .. } => Some(format!(
                "it has version {found}, and this program knows versions up to {known}"
            )),
            Self::Sql(error) => Some(error.to_string()),
            Self::Export(error) | Self::Packing(error) => Some(error.to_string()),
            Self::Document(error) => Some(error.to_string()),
            Self::Damaged { cause, .. } => cause.because(),
            Self::Unfinished { .. } => Some("it is still running".to_owned()),
            Self::NoRun { runs: 0, .. } => Some("there is no run in it".to_owned()),
            Self::NoRun { .. } => None,
            Self::Ambiguous { count, ids, .. } => {
                let rest = if *count > ids.len() as u64 {
                    ", …"
                } else {
                    ""
                };
                Some(format!("{count} runs begin so: {}{rest}", ids.join(", ")))
            }
        }
    }

    /// What to do about it.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::Open { .. } | Self::Refused(_) => Some("another file with --store FILE"),
            Self::TooNew { .. } => Some("a newer fathom, or another file with --store FILE"),
            Self::Sql(_) => Some("room on its disk and the permission to write there"),
            Self::Unfinished { .. } => Some("the same when it has ended"),
            Self::Damaged { .. } => Some(
                "`fathom export --all --output FILE` saves all other runs, `fathom remove` takes \
                 this one out",
            ),
            Self::Export(_) | Self::Packing(_) | Self::Document(_) => None,
            Self::NoRun { .. } => Some("`fathom history` lists the runs"),
            Self::Ambiguous { .. } => Some("more of its digits"),
        }
    }
}
