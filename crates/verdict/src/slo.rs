//! Service-level objectives: what response time is asked for, whether a phase met it, and the
//! search for the highest rate that does.

mod judgement;
mod objective;
mod search;
mod share;
#[cfg(test)]
mod trial;

pub use judgement::{ObjectiveOutcome, ObjectiveReading, StepJudgement, judge};
pub use objective::{Objective, Quantity, SloError};
pub use search::{RateSearch, SearchEnd, Step};
