//! The sums of simulated members, added up interval by interval as a coordinator does.

use super::super::series;
use crate::{Event, Observer};
use fathom_cluster::Slots;
use fathom_cluster::event::Counted;
use fathom_cluster::merged::{Merged, PhaseTotal, ReportError};
use fathom_cluster::message::{MemberResult, SeriesCounts};
use fathom_core::Nanos;
use fathom_core::interval::Part;
use std::cell::RefCell;

/// What all members did so far.
#[derive(Debug)]
pub(super) struct Sums {
    state: RefCell<Added>,
}

#[derive(Debug)]
struct Added {
    merged: Merged,
    /// Up to where each member is counted, by rank.
    counted: Vec<Option<Counted>>,
    /// Why something could not be added, first of all.
    failed: Option<ReportError>,
}

impl Sums {
    /// For one phase per entry of `series` and `slots`, and this number of members.
    pub(super) fn new(series: &[u16], slots: &[Slots], members: usize) -> Self {
        Self {
            state: RefCell::new(Added {
                merged: Merged::new(series, slots, members),
                counted: vec![None; members],
                failed: None,
            }),
        }
    }

    /// Whom the member of `rank` tells a phase.
    pub(super) const fn teller(&self, rank: u32, phase: u32) -> Teller<'_> {
        Teller {
            sums: self,
            rank,
            phase,
            next: 0,
        }
    }

    /// Nothing more is to come to a phase.
    ///
    /// # Errors
    ///
    /// If something could not be added.
    pub(super) fn seal(&self, phase: u32) -> Result<(), ReportError> {
        let mut state = self.state.borrow_mut();
        state.merged.seal(phase);
        state.failed.take().map_or(Ok(()), Err)
    }

    /// What each phase came to.
    pub(super) fn phases(&self) -> Vec<PhaseTotal> {
        self.state.borrow().merged.phases()
    }

    /// Up to where the member of `rank` is counted.
    pub(super) fn counted(&self, rank: u32) -> Option<Counted> {
        self.state.borrow().counted[rank as usize]
    }

    /// Whether what a member says in the end is what its intervals added up to.
    pub(super) fn are_those_of(&self, rank: u32, result: &MemberResult) -> bool {
        let state = self.state.borrow();
        let mut phases = result.phases.iter().enumerate();
        phases.all(|(phase, said)| {
            let counted = state.merged.of_member(phase, rank);
            let is_nothing = said.iter().all(|one| *one == SeriesCounts::default());
            counted == said.as_slice() || counted.is_empty() && is_nothing
        })
    }
}

/// Adds what one member tells of a phase.
#[derive(Debug)]
pub(super) struct Teller<'a> {
    sums: &'a Sums,
    rank: u32,
    phase: u32,
    /// Number of its next interval.
    next: u64,
}

impl Observer for Teller<'_> {
    fn event(&mut self, event: &Event<'_>) {
        let Event::Interval { interval } = event else {
            return;
        };
        let mut state = self.sums.state.borrow_mut();
        let report = series::report(interval, 0).map_err(ReportError::from);
        let added = report.and_then(|mut report| {
            report.phase = self.phase;
            report.index = self.next;
            let middle = report.start_ns / 2 + report.end_ns / 2;
            state.merged.add(Nanos(middle), self.rank, &report)?;
            Ok(report)
        });
        match added {
            Ok(report) => {
                let is_measured = report.part == Part::Measure;
                let done = report.series.iter().map(|one| one.counts.ios);
                let ios = if is_measured { done.sum() } else { 0 };
                let counted = &mut state.counted[self.rank as usize];
                *counted = Some(Counted {
                    phase: self.phase,
                    interval: self.next,
                    ios: counted.map_or(0, |one| one.ios) + ios,
                });
                self.next += 1;
            }
            Err(error) => {
                state.failed.get_or_insert(error);
            }
        }
    }
}
