//! The access specifications that a table tells before its blocks.

use fathom_core::Op;
use fathom_core::spec::{IoKind, Job};
use fathom_core::units::{Bytes, Percent};
use fathom_tools::plain_job;
use std::collections::HashMap;

/// Bytes of a sector, to which requests without an alignment of their own keep.
const SECTOR: u64 = 512;

/// Largest request.
const MOST_BYTES: f64 = (1_u64 << 30) as f64;

/// All that were found so far, and which one the lines belong to.
#[derive(Debug, Default)]
pub(super) struct Specs {
    kinds: HashMap<String, Vec<IoKind>>,
    current: Option<String>,
    /// The next line has a name.
    is_named: bool,
}

impl Specs {
    /// Takes a line that is no part of a block.
    pub(super) fn line(&mut self, text: &str) {
        if text.starts_with('\'') {
            self.is_named = text.starts_with("'Access specification name");
            if text.starts_with("'End access") {
                self.current = None;
            }
            return;
        }
        let cells: Vec<&str> = text.split(',').map(str::trim).collect();
        if std::mem::take(&mut self.is_named) {
            let name = cells.first().copied().unwrap_or_default().to_owned();
            self.kinds.insert(name.clone(), Vec::new());
            self.current = Some(name);
            return;
        }
        let Some(kinds) = self
            .current
            .as_ref()
            .and_then(|name| self.kinds.get_mut(name))
        else {
            return;
        };
        let numbers: Vec<f64> = cells.iter().filter_map(|cell| cell.parse().ok()).collect();
        if let [size, share, reads, random, ref rest @ ..] = numbers[..]
            && (1.0..=MOST_BYTES).contains(&size)
        {
            let align = rest.get(2).copied().filter(|align| *align >= 1.0);
            let align = Bytes(align.map_or(SECTOR, |align| align as u64));
            let kind = |op: Op, of_reads: f64| IoKind {
                op,
                block_size: Bytes(size as u64),
                random: Percent(random.clamp(0.0, 100.0)),
                align,
                weight: share * of_reads / 100.0,
            };
            let both = [kind(Op::Read, reads), kind(Op::Write, 100.0 - reads)];
            kinds.extend(both.into_iter().filter(|kind| kind.weight > 0.0));
        }
    }

    /// A worker that does what a specification says; what that is is not known of one that the
    /// table does not tell.
    pub(super) fn job(&self, name: &str, spec: &str) -> Job {
        let kinds = self.kinds.get(spec).cloned().unwrap_or_default();
        let mut job = plain_job::job(name);
        job.durability.direct = true;
        job.kinds = kinds;
        job
    }
}
