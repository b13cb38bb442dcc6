//! Where the requests of a job go.

use super::Maker;
use crate::settings::Directions;
use crate::source::{Findings, Wrong};
use fathom_core::Bytes;
use fathom_core::spec::{Access, Cursor, Distribution, IoKind, Walk};
use fathom_tools::translation::Standing;

impl Maker<'_> {
    /// Order and distribution.
    pub(super) fn access(&self, kinds: &[IoKind], findings: &mut Findings) -> Option<Access> {
        let settings = self.settings;
        let any_random = kinds.iter().any(|kind| kind.random.0 > 0.0);
        let distribution = if any_random {
            self.distribution(findings)?
        } else {
            Distribution::Uniform
        };
        let stride = match settings.pattern_step {
            Some(step) if !settings.pattern.random && step > 0 => {
                Some(Bytes(self.smallest_block().saturating_add(step)))
            }
            _ => None,
        };
        if stride.is_some() && !has_one_size(kinds) {
            let message = "a stride over blocks of several sizes";
            self.error(findings, "rw", Wrong::new(message, "one block size"));
            return None;
        }
        let walk = self.walk(findings)?;
        // Where a write goes in a zone is said by its pointer.
        let may_repeat = walk.is_at_write_pointers();
        Some(Access {
            without_repetition: any_random
                && !may_repeat
                && self.visits_once(kinds, &distribution, findings),
            distribution,
            stride,
            // All clones begin at the same place.
            cursor: Cursor::Own {
                stride: Some(Bytes(0)),
            },
            walk,
            ..Access::PLAIN
        })
    }

    /// What binds requests to those before them.
    fn walk(&self, findings: &mut Findings) -> Option<Walk> {
        let settings = self.settings;
        if settings.zoned {
            return self.write_pointers(findings);
        }
        let limits = [
            ("max_open_zones", settings.open_zones),
            ("job_max_open_zones", settings.open_zones_of_job),
        ];
        if let Some((option, _)) = limits.into_iter().find(|(_, most)| *most > 0) {
            let wrong = Wrong::new("open zones without a zoned device", "zonemode=zbd");
            self.error(findings, option, wrong);
            return None;
        }
        if settings.zone_bytes > 0 {
            let wrong = Wrong::new("a zone size without zones", "zonemode=zbd");
            self.error(findings, "zonesize", wrong);
            return None;
        }
        Some(if settings.pattern.trims_first() {
            Walk::TrimFirst
        } else {
            Walk::Free
        })
    }

    /// Writes to a zoned device; reads of one are bound to nothing.
    fn write_pointers(&self, findings: &mut Findings) -> Option<Walk> {
        let settings = self.settings;
        let some = |most: u32| Some(most).filter(|most| *most > 0);
        match settings.pattern.directions {
            Directions::Writes => {
                let zone = Bytes(settings.zone_bytes);
                Some(Walk::WritePointers {
                    open: some(settings.open_zones),
                    of_thread: some(settings.open_zones_of_job),
                    zone: Some(zone).filter(|zone| zone.0 > 0),
                    append: false,
                })
            }
            Directions::Reads => {
                if let Some(word) = settings.word("zonemode") {
                    let message = "reads are made anywhere, also where nothing is written yet";
                    findings.note(Standing::Approximated, &word.what(), message);
                }
                Some(Walk::Free)
            }
            _ => {
                let message =
                    "in a job of a zoned device, other requests than reads or writes alone";
                let wrong = Wrong::new(message, "a job for reads and one for writes");
                self.error(findings, "rw", wrong);
                None
            }
        }
    }

    /// Whether each block is visited once in a pass: fio's way unless it is set otherwise or cannot
    /// count.
    fn visits_once(
        &self,
        kinds: &[IoKind],
        distribution: &Distribution,
        findings: &mut Findings,
    ) -> bool {
        let aligned = kinds.iter().all(|kind| kind.align == kind.block_size);
        let may_repeat = self.settings.repeats_blocks && !self.settings.visits_once;
        if may_repeat || *distribution != Distribution::Uniform {
            return false;
        }
        if has_one_size(kinds) && aligned || self.covers(kinds) {
            return true;
        }
        if let Some(word) = ["bssplit", "bsrange", "bs", "ba"]
            .iter()
            .find_map(|name| self.settings.word(name))
            && !has_one_size(kinds)
        {
            let reason = "with several sizes blocks may be visited again within a pass";
            findings.note(Standing::Approximated, &word.what(), reason);
        }
        false
    }

    /// Whether passes of several sizes go over each block once: what fio keeps a map for, which one
    /// thread has here.
    fn covers(&self, kinds: &[IoKind]) -> bool {
        let smallest = self.smallest_block();
        let settings = self.settings;
        let alone = settings.clones == 1 || !settings.group_reporting;
        let smallest_of = |op| {
            let its = kinds.iter().filter(move |kind| kind.op == op);
            its.map(|kind| kind.block_size.0).min()
        };
        alone
            && kinds.iter().all(|kind| {
                kind.align.0 == smallest
                    && kind.block_size.0.is_multiple_of(smallest)
                    && kind.random.0 >= 100.0
                    && smallest_of(kind.op) == Some(smallest)
            })
    }

    fn distribution(&self, findings: &mut Findings) -> Option<Distribution> {
        let spots = &self.settings.spots;
        let pattern = self.settings.pattern;
        let spot = match (pattern.reads(), pattern.writes()) {
            (true, _) => &spots[0],
            (false, true) => &spots[1],
            (false, false) => &spots[2],
        };
        match spot {
            Distribution::Normal { deviation } if deviation.0 <= 0.0 => {
                let message = "a normal distribution without a deviation";
                let remedy = "in percent of the size, as in normal:10";
                self.error(findings, "random_distribution", Wrong::new(message, remedy));
                None
            }
            distribution => Some(distribution.clone()),
        }
    }
}

fn has_one_size(kinds: &[IoKind]) -> bool {
    kinds
        .windows(2)
        .all(|pair| pair[0].block_size == pair[1].block_size && pair[0].align == pair[1].align)
}
