//! What a rule finds in a result.

use fathom_core::figure;

/// How certain a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Numbers in the output show it.
    Shown,
    /// It explains what the output shows, and so may something else.
    Suspected,
    /// The output lacks what would decide it.
    CannotTell,
}

impl Certainty {
    /// One word, or two.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::Suspected => "suspected",
            Self::CannotTell => "cannot tell",
        }
    }
}

/// What a finding does to the number, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// The number is of something else than the storage.
    Elsewhere,
    /// The number is not of the load that was asked for.
    OtherLoad,
    /// The number is right, and something limits it.
    Limit,
    /// How to read it: nothing is wrong.
    Reading,
}

impl Effect {
    /// Whether it is a fault of the measurement.
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::Elsewhere | Self::OtherLoad)
    }

    /// A stable word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Elsewhere => "elsewhere",
            Self::OtherLoad => "other-load",
            Self::Limit => "limit",
            Self::Reading => "reading",
        }
    }
}

/// What a rule says about one result.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its stable code.
    pub code: &'static str,
    /// How certain it is.
    pub certainty: Certainty,
    /// What it does to the number.
    pub effect: Effect,
    /// The answer in words a manager can repeat.
    pub headline: String,
    /// The numbers, and the lines that show them.
    pub sentence: String,
    /// What to do.
    pub remedy: String,
    /// The command that decides it, for the tool that was used; empty if there is none.
    pub decide: String,
    /// The same for Fathom.
    pub fathom: String,
    /// Lines of the paste that show it.
    pub lines: Vec<usize>,
    /// Results of the paste that it applies to, from 0.
    pub results: Vec<usize>,
}

/// A number that is usually whole.
pub(crate) fn whole(number: f64) -> String {
    if number.fract() == 0.0 {
        figure::count(number as u64)
    } else {
        figure::outstanding(number)
    }
}
