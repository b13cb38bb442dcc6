//! Why a message did not arrive, or cannot.

use std::fmt;
use std::time::Duration;

/// How long to wait for an answer, before the place counts as not there.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Characters of a cause at most.
const LONGEST: usize = 400;

/// What kept a message, and what to do. Nothing of it says a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
pub struct Failure {
    /// Why.
    pub cause: String,
    /// What to do about it, where that is known.
    pub remedy: Option<String>,
}

impl Failure {
    pub(crate) fn new(cause: impl fmt::Display) -> Self {
        // A cause becomes one line of a list, and another machine may say anything.
        let cause = cause.to_string();
        let lines = cause.lines().map(str::trim).filter(|line| !line.is_empty());
        let line = lines.collect::<Vec<_>>().join("; ");
        let plain = line
            .chars()
            .map(|one| if one.is_control() { '?' } else { one });
        Self {
            cause: plain.take(LONGEST).collect(),
            remedy: None,
        }
    }

    /// The same for what a library says: a wait that was given up has a number of the system's for
    /// a name there, and a certificate that is not believed has no remedy.
    pub(crate) fn of_library(said: &str) -> Self {
        if said.contains("(os error 11)") || said.contains("timed out") {
            let waited = PATIENCE.as_secs();
            return Self::new(format!("no answer within {waited} s"));
        }
        let failure = Self::new(said);
        if said.contains("UnknownIssuer") {
            return failure.remedy("SSL_CERT_FILE=FILE with the authority of your site");
        }
        failure
    }

    /// With where it was.
    pub(crate) fn at(mut self, place: &str) -> Self {
        self.cause = format!("{place}: {}", self.cause);
        self
    }

    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

/// A text that is no place for results.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{cause}; try {remedy}")]
pub struct DestinationError {
    /// What is wrong with it.
    pub cause: String,
    /// What it should be.
    pub remedy: String,
}

impl DestinationError {
    pub(crate) fn new(cause: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            cause: cause.into(),
            remedy: remedy.into(),
        }
    }
}
