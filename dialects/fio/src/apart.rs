//! Clients with jobs of their own: each set of them is measured by a call of its own, and one
//! report tells of all.

use super::call::{CallOptions, mismatches};
use super::formats::is_result;
use super::layout::{FioPart, write_fio_parts};
use super::tool::Tool;
use fathom_core::result::RunResult;
use fathom_tools::call::{Apart, Call, OwnWords, Said};

/// A call for clients of which not all have the same jobs.
pub(super) struct FioApart {
    tool: Tool,
    parts: Vec<(Vec<String>, Box<CallOptions>)>,
}

impl FioApart {
    pub(super) const fn new(tool: Tool, parts: Vec<(Vec<String>, Box<CallOptions>)>) -> Self {
        Self { tool, parts }
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

impl Apart for FioApart {
    fn own(&self) -> &OwnWords {
        &self.tool.own
    }

    fn calls(&mut self) -> Vec<(&[String], &mut dyn Call)> {
        let parts = self.parts.iter_mut();
        let calls = parts.map(|(words, asked)| (words.as_slice(), asked.as_mut() as &mut dyn Call));
        calls.collect()
    }

    fn is_own_result(&self, head: &[u8]) -> bool {
        is_result(head)
    }

    fn said(&self, results: &[Option<RunResult>]) -> Said {
        let parts: Vec<FioPart<'_>> = self.told(results).collect();
        let styles = self.tool.styles();
        let texts = styles.iter().map(|style| write_fio_parts(&parts, *style));
        Said {
            out: texts.collect(),
            err: parts.iter().map(|part| mismatches(part.result)).collect(),
            judged: true,
        }
    }
}
