//! The answer to the question that a run asks in the words of another program.

use crate::PROGRAMS;
use fathom_core::result::RunResult;

/// The sentence of the first program that has one for this result.
pub fn sentence(result: &RunResult) -> Option<String> {
    let mut sentences = PROGRAMS.iter().filter_map(|program| program.sentence);
    sentences.find_map(|sentence| sentence(result))
}
