//! What a step of the self-test is, and what comes of it.

use super::bench::Bench;

/// One step: a file, and a line in the table of steps.
pub(super) struct Step {
    /// Printed when it begins.
    pub(super) purpose: &'static str,
    /// The name of its test, if what it shows is the speed of a disk, which an imitation of the
    /// system has not.
    pub(super) of_a_disk: Option<&'static str>,
    pub(super) run: fn(&Bench<'_>) -> Vec<StepRow>,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Passed,
    Failed,
    /// It could not be made, or decides nothing here.
    Skipped,
}

impl Answer {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "FAILED",
            Self::Skipped => "skipped",
        }
    }
}

/// A row of the printed table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StepRow {
    pub(super) test: String,
    pub(super) answer: Answer,
    /// What was seen, or why it was skipped.
    pub(super) seen: String,
}

impl StepRow {
    pub(super) fn new(test: impl Into<String>, answer: Answer, seen: impl Into<String>) -> Self {
        Self {
            test: test.into(),
            answer,
            seen: seen.into(),
        }
    }

    /// A test that passes where `is_right` holds.
    pub(super) fn of(test: impl Into<String>, is_right: bool, seen: impl Into<String>) -> Self {
        let answer = if is_right {
            Answer::Passed
        } else {
            Answer::Failed
        };
        Self::new(test, answer, seen)
    }
}
