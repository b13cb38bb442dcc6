//! Clients with jobs of their own: each set of them is measured by a call of its own, and one
//! report tells of all.

use super::call::{Asked, mismatches};
use super::layout::{FioPart, is_failed, write_fio_parts};
use super::tool::Tool;
use crate::call::{Call, OwnWords, Said};
use fathom_core::result::RunResult;
use std::fmt;

/// A call for clients of which not all have the same jobs.
pub struct FioApart {
    tool: Tool,
    parts: Vec<(Vec<String>, Box<Asked>)>,
}

impl FioApart {
    pub(super) const fn new(tool: Tool, parts: Vec<(Vec<String>, Box<Asked>)>) -> Self {
        Self { tool, parts }
    }

    /// Fathom's options among the words.
    pub const fn own(&self) -> &OwnWords {
        &self.tool.own
    }

    /// The calls, each with the words that make it by themselves.
    pub fn calls(&mut self) -> impl Iterator<Item = (&[String], &mut dyn Call)> {
        let parts = self.parts.iter_mut();
        parts.map(|(words, asked)| (words.as_slice(), asked.as_mut() as &mut dyn Call))
    }

    /// What fio would say of the results of the calls, by their number; of one that has none it
    /// says nothing.
    pub fn said(&self, results: &[Option<RunResult>]) -> Said {
        let parts: Vec<FioPart<'_>> = self.told(results).collect();
        let styles = self.tool.styles();
        let texts = styles.iter().map(|style| write_fio_parts(&parts, *style));
        Said {
            out: texts.collect(),
            err: parts.iter().map(|part| mismatches(part.result)).collect(),
            judged: true,
        }
    }

    /// Whether fio would call it a failure.
    pub fn is_failed(&self, results: &[Option<RunResult>]) -> bool {
        let mut parts = self.told(results);
        parts.any(|part| is_failed(part.result, part.layout))
    }

    fn told<'a>(&'a self, results: &'a [Option<RunResult>]) -> impl Iterator<Item = FioPart<'a>> {
        let parts = self.parts.iter().zip(results);
        parts.filter_map(|((_, asked), result)| {
            let result = result.as_ref()?;
            let layout = &asked.layout;
            Some(FioPart { result, layout })
        })
    }
}

impl fmt::Debug for FioApart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.parts.iter().map(|(words, _)| words);
        f.debug_list().entries(lines).finish()
    }
}
