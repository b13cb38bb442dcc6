//! Why many hosts came to nothing.

use fathom_core::result::MemberState;
use std::io;

/// What many hosts cannot do together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotClustered(pub(crate) String);

impl NotClustered {
    pub(crate) fn new(what: &str) -> Self {
        Self(what.to_owned())
    }
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// Many hosts cannot do this together.
    #[error(transparent)]
    NotClustered(#[from] NotClustered),
    /// The way to the members failed.
    #[error("cannot wait for the members: {0}")]
    Transport(#[from] io::Error),
    /// Members were missing, or could not prepare.
    #[error("{why}")]
    Abandoned {
        /// Why, in words.
        why: String,
        /// What had become of each member by then, by rank, and why.
        fates: Vec<(MemberState, String)>,
    },
}

impl ClusterError {
    /// What went wrong, in a few words; the rest is in the message.
    pub const fn thing(&self) -> &'static str {
        match self {
            Self::NotClustered(_) => "several hosts cannot run this measurement together",
            Self::Transport(_) => "the measurement was aborted",
            Self::Abandoned { .. } => "nothing was measured",
        }
    }

    /// What to try.
    pub const fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::NotClustered(_) => Some("use one host, or another workload"),
            Self::Transport(_) => None,
            Self::Abandoned { .. } => Some(
                "fix the cause above, or use --allow-missing to measure with the other \
                      members",
            ),
        }
    }
}
