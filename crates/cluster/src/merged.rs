//! What all members did, added up as it arrives: one array of cells for each series, never a
//! histogram for each member.

use crate::glance::Row;
use crate::limits;
use crate::message::{IntervalReport, SeriesCounts};
use crate::slots::Slots;
use crate::timeline::{IntervalSum, Timeline};
use fathom_core::Nanos;
use fathom_core::histogram::{Cells, HistogramError, Packed};
use fathom_core::interval::Part;
use serde::Serialize;

/// Why a report of a member cannot be added.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// It speaks of a phase that there is not.
    #[error("it reports on phase {phase} of {phases}")]
    Phase {
        /// Number that it named.
        phase: u32,
        /// How many there are.
        phases: usize,
    },
    /// It speaks of a series that there is not.
    #[error("it reports on series {series} of {count}")]
    Series {
        /// Number that it named.
        series: u16,
        /// How many there are in the phase.
        count: usize,
    },
    /// An interval is missing or came twice.
    #[error("interval {came} came where interval {expected} was due")]
    Order {
        /// Number of the interval that came.
        came: u64,
        /// Number that was due.
        expected: u64,
    },
    /// A histogram is damaged.
    #[error(transparent)]
    Histogram(#[from] HistogramError),
}

#[derive(Clone, Debug)]
enum Times {
    Empty,
    Open(Box<Cells>),
    Sealed(Packed),
}

impl Times {
    fn add(&mut self, packed: &Packed) -> Result<(), HistogramError> {
        if packed.is_empty() {
            return Ok(());
        }
        if matches!(self, Self::Empty) {
            *self = Self::Open(Box::default());
        }
        match self {
            Self::Empty => Ok(()),
            Self::Open(cells) => cells.add(packed),
            Self::Sealed(sealed) => sealed.merge(packed),
        }
    }

    fn pack(&self) -> Packed {
        match self {
            Self::Empty => Packed::default(),
            Self::Open(cells) => cells.pack(),
            Self::Sealed(sealed) => sealed.clone(),
        }
    }
}

#[derive(Clone, Debug)]
struct Totals {
    counts: SeriesCounts,
    service: Times,
    response: Option<Times>,
}

/// One phase over all members.
#[derive(Clone, Debug)]
struct Phase {
    totals: Vec<Totals>,
    timeline: Timeline,
    /// By rank, and in it by series.
    members: Vec<Vec<SeriesCounts>>,
}

/// All phases over all members.
#[derive(Clone, Debug)]
pub struct Merged {
    /// Series of each phase.
    series: Vec<u16>,
    /// Intervals of each phase.
    slots: Vec<Slots>,
    members: usize,
    phases: Vec<Option<Phase>>,
}

/// What a phase came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PhaseTotal {
    /// By series, over all members and the measured time.
    pub series: Vec<SeriesTotal>,
    /// The time series, warm-up and cool-down included.
    pub rows: Vec<IntervalSum>,
    /// Intervals of the plan that each row spans.
    pub span: u64,
    /// By rank, and in it by series, over the measured time.
    pub members: Vec<Vec<SeriesCounts>>,
}

/// What a series came to over all members.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SeriesTotal {
    /// What was counted.
    pub counts: SeriesCounts,
    /// Service times.
    pub service: Packed,
    /// Response times, where they differ.
    pub response: Option<Packed>,
}

impl Merged {
    /// For one phase per entry of `series` and `slots`, and this number of members.
    pub fn new(series: &[u16], slots: &[Slots], members: usize) -> Self {
        Self {
            series: series.to_vec(),
            slots: slots.to_vec(),
            members,
            phases: vec![None; series.len()],
        }
    }

    /// Adds an interval of the member of `rank`, whose middle is given in time since the start of
    /// the phase, on the coordinator's clock; the number of the interval in which that is. If it is
    /// damaged nothing of it is added.
    ///
    /// # Errors
    ///
    /// [`ReportError`]
    pub fn add(
        &mut self,
        middle: Nanos,
        rank: u32,
        report: &IntervalReport,
    ) -> Result<u64, ReportError> {
        let number = report.phase as usize;
        let phases = self.phases.len();
        let places = self.phases.get_mut(number).zip(self.slots.get(number));
        let Some((place, slots)) = places else {
            let phase = report.phase;
            return Err(ReportError::Phase { phase, phases });
        };
        let count = usize::from(self.series[number]).min(limits::SERIES);
        for delta in &report.series {
            if usize::from(delta.series) >= count {
                let series = delta.series;
                return Err(ReportError::Series { series, count });
            }
            delta.service.check()?;
            delta.response.as_ref().map_or(Ok(()), Packed::check)?;
        }
        let slot = slots.at(middle);
        let phase = place.get_or_insert_with(|| Phase::new(count, *slots, self.members));
        phase.timeline.add(slot, rank, report)?;
        if report.part == Part::Measure {
            phase.add(rank, report)?;
        }
        Ok(slot)
    }

    /// Packs a phase to which nothing more is to come.
    pub fn seal(&mut self, phase: u32) {
        if let Some(Some(phase)) = self.phases.get_mut(phase as usize) {
            phase.timeline.seal();
            for totals in &mut phase.totals {
                totals.service = Times::Sealed(totals.service.pack());
                let response = totals.response.as_ref().map(Times::pack);
                totals.response = response.map(Times::Sealed);
            }
        }
    }

    /// The row of the time series of a phase that ends with interval `slot`, if one does.
    pub fn row_ending(&self, phase: u32, slot: u64) -> Option<Row> {
        let phase = self.phases.get(phase as usize)?.as_ref()?;
        phase.timeline.row_ending(slot)
    }

    /// Requests of all members in the measured time so far.
    pub fn ios(&self) -> u64 {
        let phases = self.phases.iter().flatten();
        let totals = phases.flat_map(|phase| &phase.totals);
        totals.map(|totals| totals.counts.ios).sum()
    }

    /// What the member of `rank` did in a phase, by series.
    pub fn of_member(&self, phase: usize, rank: u32) -> &[SeriesCounts] {
        let phase = self.phases.get(phase).and_then(Option::as_ref);
        phase.map_or(&[], |phase| &phase.members[rank as usize])
    }

    /// What each phase came to.
    pub fn phases(&self) -> Vec<PhaseTotal> {
        let total = |phase: &Option<Phase>| match phase {
            None => PhaseTotal::default(),
            Some(phase) => phase.total(),
        };
        self.phases.iter().map(total).collect()
    }
}

impl Phase {
    fn new(series: usize, slots: Slots, members: usize) -> Self {
        let totals = |_| Totals {
            counts: SeriesCounts::default(),
            service: Times::Empty,
            response: None,
        };
        Self {
            totals: (0..series).map(totals).collect(),
            timeline: Timeline::new(series, slots, members),
            members: vec![vec![SeriesCounts::default(); series]; members],
        }
    }

    fn add(&mut self, rank: u32, report: &IntervalReport) -> Result<(), HistogramError> {
        for delta in &report.series {
            let series = usize::from(delta.series);
            let totals = &mut self.totals[series];
            totals.service.add(&delta.service)?;
            if let Some(response) = &delta.response {
                let times = totals.response.get_or_insert(Times::Empty);
                times.add(response)?;
            }
            totals.counts.add(&delta.counts);
            self.members[rank as usize][series].add(&delta.counts);
        }
        Ok(())
    }

    fn total(&self) -> PhaseTotal {
        let series = |totals: &Totals| SeriesTotal {
            counts: totals.counts,
            service: totals.service.pack(),
            response: totals.response.as_ref().map(Times::pack),
        };
        PhaseTotal {
            series: self.totals.iter().map(series).collect(),
            rows: self.timeline.rows(),
            span: self.timeline.span(),
            members: self.members.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::SeriesDelta;
    use fathom_core::histogram::Counts;

    /// What goes before the measured time is one interval.
    const SLOTS: Slots = Slots {
        warm_up: Nanos(1),
        measured: None,
        interval: Nanos(1),
    };

    fn report(part: Part, series: u16, value_ns: u64) -> IntervalReport {
        let mut counts = Counts::new();
        counts.record(value_ns, 2);
        IntervalReport {
            phase: 0,
            part,
            index: 0,
            start_ns: 0,
            end_ns: 1,
            series: vec![SeriesDelta {
                series,
                counts: SeriesCounts {
                    ios: 2,
                    bytes: 8192,
                    ..SeriesCounts::default()
                },
                service: Packed::of(&counts),
                response: Some(Packed::of(&counts)),
            }],
            held: vec![8000],
        }
    }

    #[test]
    fn only_the_measured_time_is_in_the_totals() {
        let mut merged = Merged::new(&[2], &[SLOTS], 2);
        let warm_up = report(Part::WarmUp, 0, 500);
        merged.add(Nanos(0), 0, &warm_up).expect("whole");
        for rank in [0, 1, 1] {
            let measured = report(Part::Measure, 1, 700);
            merged.add(Nanos(1), rank, &measured).expect("whole");
        }
        merged.seal(0);
        let late = report(Part::Measure, 1, 900);
        merged.add(Nanos(1), 0, &late).expect("whole");
        let total = &merged.phases()[0];
        assert_eq!((merged.ios(), total.series[1].counts.bytes), (8, 32_768));
        assert_eq!(total.series[0], SeriesTotal::default());
        let response = total.series[1].response.as_ref();
        let whole = response.expect("an open load").histogram().expect("own");
        assert_eq!((whole.len(), whole.max_ns(), whole.min_ns()), (8, 900, 700));
        let members: Vec<u64> = total.members.iter().map(|one| one[1].ios).collect();
        assert_eq!(members, [4, 4]);
        let rows: Vec<u64> = total.rows.iter().map(|row| row.counts[0].ios).collect();
        assert_eq!(rows, [2, 0]);
    }

    #[test]
    fn what_there_is_not_is_refused() {
        let mut merged = Merged::new(&[1], &[SLOTS], 1);
        let foreign = merged.add(Nanos(0), 0, &report(Part::Measure, 1, 5));
        let error = foreign.expect_err("no such series").to_string();
        assert_eq!(error, "it reports on series 1 of 1");
        let mut later = report(Part::Measure, 0, 5);
        later.phase = 3;
        let error = merged.add(Nanos(0), 0, &later).expect_err("no such phase");
        assert_eq!(error.to_string(), "it reports on phase 3 of 1");
        assert_eq!(merged.phases(), [PhaseTotal::default()]);
    }
}
