//! A claim with the figure that is shown for it.

use crate::paragraph::{hanging, wrapped};
use fathom_core::foreign::visible;
use fathom_tools::studies::{Agreement, Claim, Command};
use serde::Serialize;

/// Column of the texts behind the labels.
const COLUMN: usize = 11;

/// A claim, and what became of its command.
pub(super) struct ClaimLine<'a> {
    pub(super) claim: &'a Claim,
    /// The figure, listed or computed now.
    figure: Option<f64>,
    /// Why the command gave no figure.
    failure: Option<String>,
}

/// A claim for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Row<'a> {
    #[serde(flatten)]
    claim: &'a Claim,
    /// The figure, listed or computed now.
    figure: Option<f64>,
    agreement: Agreement,
    /// Whether a command names a disk of the user's.
    needs_target: bool,
    /// False if the command failed or printed another figure than the listed one.
    reproduced: bool,
    /// Why the command gave no figure.
    failure: Option<&'a str>,
}

impl<'a> ClaimLine<'a> {
    /// With the figure of the list.
    pub(super) const fn listed(claim: &'a Claim) -> Self {
        Self {
            claim,
            figure: claim.fathom,
            failure: None,
        }
    }

    /// With the figure of its command, or the reason why there is none.
    pub(super) fn computed(claim: &'a Claim, answer: Result<f64, String>) -> Self {
        let (figure, failure) = match answer {
            Ok(figure) => (Some(figure), None),
            Err(failure) => (None, Some(failure)),
        };
        Self {
            claim,
            figure,
            failure,
        }
    }

    pub(super) fn agreement(&self) -> Agreement {
        self.claim.agreement(self.figure)
    }

    /// Whether the command failed or printed another figure than the listed one.
    pub(super) fn is_not_reproduced(&self) -> bool {
        let is_other = self.claim.fathom.is_some() && self.words(self.claim.fathom) != self.found();
        self.failure.is_some() || is_other
    }

    fn words(&self, figure: Option<f64>) -> Option<String> {
        figure.map(|figure| self.claim.unit.in_words(figure))
    }

    fn found(&self) -> Option<String> {
        self.words(self.figure)
    }

    pub(super) fn text(&self) -> String {
        let claim = self.claim;
        let mut text = wrapped(&claim.text);
        let labelled = |label, words: &str| hanging(label, COLUMN, words);
        let study = self.words(claim.study);
        text += &labelled("study", study.as_deref().unwrap_or("no figure"));
        if let Some(found) = self.found() {
            text += &labelled("fathom", &format!("{found}: {}", self.agreement().word()));
        }
        if self.is_not_reproduced() {
            let listed = self.words(claim.fathom);
            let listed = listed.map(|listed| format!("the listed figure is {listed}"));
            let reason = self.failure.as_deref().map(visible);
            let parts = listed.into_iter().chain(reason.map(Into::into));
            let parts: Vec<String> = parts.collect();
            text += &labelled("!", &format!("NOT REPRODUCED: {}", parts.join("; ")));
        }
        if !claim.why.is_empty() {
            text += &labelled("why", &claim.why);
        }
        if claim.needs_target() && self.figure.is_none() {
            text += &labelled("needs", "a disk: replace TARGET by a directory on it");
        }
        let label = |label: &str, command: &Command| format!("  {label:<9}{}\n", command.line);
        if let Some(command) = &claim.command {
            text += &label("command", command);
        }
        // A ratio of two figures of one command needs that command once.
        let over = claim.over.as_ref();
        let over = over.filter(|over| {
            claim
                .command
                .as_ref()
                .is_none_or(|one| one.line != over.line)
        });
        if let Some(over) = over {
            text += &label("over", over);
        }
        text
    }

    /// For programs.
    pub(super) fn row(&self) -> Row<'_> {
        Row {
            claim: self.claim,
            figure: self.figure,
            agreement: self.agreement(),
            needs_target: self.claim.needs_target(),
            reproduced: !self.is_not_reproduced(),
            failure: self.failure.as_deref(),
        }
    }
}
