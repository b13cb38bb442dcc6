//! The time series of a phase over all members, in the coordinator's time.
//!
//! The latest rows are open: members add to arrays of cells. Older ones are packed; what a slow
//! member still has to say about them is added to the packed form. When there are more rows than
//! [`limits::ROWS`], neighbours are merged, exactly, and each spans twice the time.

use crate::glance::Row;
use crate::limits;
use crate::message::{IntervalReport, SeriesCounts};
use crate::slots::Slots;
use fathom_core::Nanos;
use fathom_core::histogram::{Cells, HistogramError, Packed};
use fathom_core::interval::Part;
use serde::Serialize;

/// One row: what happened over all members between two instants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IntervalSum {
    /// When it begins, nanoseconds after the start of the phase.
    pub start_ns: u64,
    /// Up to where members report on it; its start while none has.
    pub end_ns: u64,
    /// The part of the phase to which most of it belongs: that of the first report.
    pub part: Part,
    /// What was counted, by series.
    pub counts: Vec<SeriesCounts>,
    /// Service times, by series.
    pub service: Vec<Packed>,
    /// Outstanding requests of each job in thousandths, the sum of all members and intervals.
    pub held: Vec<u64>,
    /// Requests of each member, by rank.
    pub members: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Open {
    row: IntervalSum,
    /// By series; none where nothing happened yet.
    cells: Vec<Option<Box<Cells>>>,
}

impl Open {
    fn new(start_ns: u64, part: Part, series: usize, members: usize) -> Self {
        Self {
            row: IntervalSum {
                start_ns,
                end_ns: start_ns,
                part,
                counts: vec![SeriesCounts::default(); series],
                service: Vec::new(),
                held: Vec::new(),
                members: vec![0; members],
            },
            cells: vec![None; series],
        }
    }

    fn pack(mut self) -> IntervalSum {
        let pack = |cells: &Option<Box<Cells>>| match cells {
            None => Packed::default(),
            Some(cells) => cells.pack(),
        };
        self.row.service = self.cells.iter().map(pack).collect();
        self.row
    }
}

/// All rows of a phase.
#[derive(Clone, Debug)]
pub struct Timeline {
    series: usize,
    slots: Slots,
    members: usize,
    /// Reported intervals that a row spans.
    span: u64,
    packed: Vec<IntervalSum>,
    open: std::collections::VecDeque<Open>,
}

impl Timeline {
    /// For a number of series, these intervals and a number of members.
    pub fn new(series: usize, slots: Slots, members: usize) -> Self {
        Self {
            series,
            slots,
            members,
            span: 1,
            packed: Vec::new(),
            open: std::collections::VecDeque::new(),
        }
    }

    /// Intervals of the plan that each row spans.
    pub const fn span(&self) -> u64 {
        self.span
    }

    /// Adds what the member of `rank` did in the interval whose middle lies in that of number
    /// `slot` by the coordinator's time.
    ///
    /// # Errors
    ///
    /// [`HistogramError`] if a histogram is damaged.
    pub fn add(
        &mut self,
        slot: u64,
        rank: u32,
        report: &IntervalReport,
    ) -> Result<(), HistogramError> {
        // A clock that jumped must not make a million rows.
        let there = (self.packed.len() + self.open.len()) as u64;
        let slot = slot.min((there + limits::ROWS as u64 / 2) * self.span);
        let mut at = (slot / self.span) as usize;
        while at >= self.packed.len() + self.open.len() {
            if self.packed.len() + self.open.len() >= limits::ROWS {
                self.halve()?;
                at = (slot / self.span) as usize;
                continue;
            }
            self.begin(report.part);
        }
        let length = Nanos(report.end_ns.saturating_sub(report.start_ns));
        let length = length.min(self.slots.length_of(slot));
        let end_ns = self.slots.start_of(slot).saturating_add(length).0;
        let count = |row: &mut IntervalSum| {
            row.end_ns = row.end_ns.max(end_ns);
            add_held(&mut row.held, &report.held);
            for delta in &report.series {
                row.counts[usize::from(delta.series)].add(&delta.counts);
                let member = &mut row.members[rank as usize];
                let ios = u32::try_from(delta.counts.ios).unwrap_or(u32::MAX);
                *member = member.saturating_add(ios);
            }
        };
        if let Some(open) = at.checked_sub(self.packed.len()) {
            let open = &mut self.open[open];
            for delta in &report.series {
                let cells = &mut open.cells[usize::from(delta.series)];
                cells.get_or_insert_default().add(&delta.service)?;
            }
            count(&mut open.row);
        } else {
            let row = &mut self.packed[at];
            for delta in &report.series {
                row.service[usize::from(delta.series)].merge(&delta.service)?;
            }
            count(row);
        }
        Ok(())
    }

    fn begin(&mut self, part: Part) {
        if self.open.len() >= limits::OPEN_ROWS
            && let Some(oldest) = self.open.pop_front()
        {
            self.packed.push(oldest.pack());
        }
        let number = (self.packed.len() + self.open.len()) as u64;
        let start_ns = self.slots.start_of(number * self.span).0;
        let open = Open::new(start_ns, part, self.series, self.members);
        self.open.push_back(open);
    }

    /// The row of interval `slot`, if that is its last interval.
    pub fn row_ending(&self, slot: u64) -> Option<Row> {
        if !(slot + 1).is_multiple_of(self.span) {
            return None;
        }
        let number = slot / self.span;
        let at = usize::try_from(number).ok()?;
        let sum = match at.checked_sub(self.packed.len()) {
            None => self.packed[at].clone(),
            Some(open) => self.open.get(open)?.clone().pack(),
        };
        Some(Row {
            number,
            span: self.span,
            sum,
        })
    }

    /// Packs what is open; nothing more is to come but from stragglers.
    pub fn seal(&mut self) {
        while let Some(oldest) = self.open.pop_front() {
            self.packed.push(oldest.pack());
        }
    }

    fn halve(&mut self) -> Result<(), HistogramError> {
        self.seal();
        let rows = std::mem::take(&mut self.packed);
        let mut rows = rows.into_iter();
        while let Some(mut row) = rows.next() {
            if let Some(next) = rows.next() {
                merge(&mut row, &next)?;
            }
            self.packed.push(row);
        }
        self.span *= 2;
        Ok(())
    }

    /// All rows, oldest first; those still open are packed for it.
    pub fn rows(&self) -> Vec<IntervalSum> {
        let open = self.open.iter().map(|open| open.clone().pack());
        self.packed.iter().cloned().chain(open).collect()
    }
}

fn add_held(sum: &mut Vec<u64>, held: &[u64]) {
    sum.resize(sum.len().max(held.len()), 0);
    for (sum, one) in sum.iter_mut().zip(held) {
        *sum = sum.saturating_add(*one);
    }
}

fn merge(row: &mut IntervalSum, next: &IntervalSum) -> Result<(), HistogramError> {
    add_held(&mut row.held, &next.held);
    // Nobody may have reported on the later one.
    if next.end_ns > next.start_ns {
        row.end_ns = next.end_ns;
    }
    for (own, other) in row.counts.iter_mut().zip(&next.counts) {
        own.add(other);
    }
    for (own, other) in row.service.iter_mut().zip(&next.service) {
        own.merge(other)?;
    }
    for (own, other) in row.members.iter_mut().zip(&next.members) {
        *own = own.saturating_add(*other);
    }
    row.part = row.part.max(next.part).min(Part::Measure);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::SeriesDelta;
    use fathom_core::histogram::Counts;

    const SLOTS: Slots = Slots {
        warm_up: Nanos(4),
        measured: None,
        interval: Nanos(10),
    };

    /// When each row begins and ends.
    fn edges(timeline: &Timeline) -> Vec<(u64, u64)> {
        let rows = timeline.rows();
        rows.iter().map(|row| (row.start_ns, row.end_ns)).collect()
    }

    fn report(values: &[u64]) -> IntervalReport {
        let mut counts = Counts::new();
        for value in values {
            counts.record(*value, 1);
        }
        IntervalReport {
            phase: 0,
            part: Part::Measure,
            index: 0,
            start_ns: 0,
            end_ns: 10,
            series: vec![SeriesDelta {
                series: 0,
                counts: SeriesCounts {
                    ios: values.len() as u64,
                    ..SeriesCounts::default()
                },
                service: Packed::of(&counts),
                response: None,
            }],
            held: vec![1500],
        }
    }

    fn ios(timeline: &Timeline) -> Vec<u64> {
        let rows = timeline.rows();
        rows.iter().map(|row| row.counts[0].ios).collect()
    }

    #[test]
    fn late_reports_reach_their_row() {
        let mut timeline = Timeline::new(1, SLOTS, 2);
        for slot in 0..9 {
            timeline.add(slot, 0, &report(&[500, 600])).expect("whole");
        }
        timeline.add(1, 1, &report(&[700])).expect("whole");
        assert_eq!(ios(&timeline), [2, 3, 2, 2, 2, 2, 2, 2, 2]);
        let row = &timeline.rows()[1];
        assert_eq!(
            (row.members.as_slice(), row.service[0].len()),
            ([2, 1].as_slice(), 3)
        );
    }

    #[test]
    fn a_long_run_has_as_many_rows_as_a_short_one_and_loses_nothing() {
        let mut timeline = Timeline::new(1, SLOTS, 1);
        for slot in 0..3000 {
            timeline
                .add(slot, 0, &report(&[500 + slot]))
                .expect("whole");
        }
        let rows = timeline.rows();
        assert!(rows.len() <= limits::ROWS, "{}", rows.len());
        assert_eq!((timeline.span(), ios(&timeline).iter().sum()), (16, 3000));
        let values: u64 = rows.iter().map(|row| row.service[0].len()).sum();
        assert_eq!(values, 3000);
    }

    #[test]
    fn a_clock_that_jumped_makes_few_rows() {
        let mut timeline = Timeline::new(1, SLOTS, 1);
        timeline.add(u64::MAX, 0, &report(&[1])).expect("whole");
        assert!(timeline.rows().len() <= limits::ROWS);
        assert_eq!(ios(&timeline).iter().sum::<u64>(), 1);
    }

    #[test]
    fn a_row_is_as_long_as_what_was_reported_of_it() {
        let mut timeline = Timeline::new(1, SLOTS, 1);
        let mut last = report(&[500]);
        last.end_ns = 3;
        for slot in [0, 1, 3] {
            timeline.add(slot, 0, &report(&[500])).expect("whole");
        }
        timeline.add(4, 0, &last).expect("whole");
        let expected = [(0, 4), (4, 14), (14, 14), (24, 34), (34, 37)];
        assert_eq!(edges(&timeline), expected);
    }

    #[test]
    fn rows_that_are_merged_end_with_the_later_one() {
        let mut timeline = Timeline::new(1, SLOTS, 1);
        let count = limits::ROWS as u64 + 1;
        for slot in (0..count).filter(|slot| *slot != 3) {
            timeline.add(slot, 0, &report(&[500])).expect("whole");
        }
        assert_eq!(timeline.span(), 2);
        assert_eq!(edges(&timeline)[..3], [(0, 14), (14, 24), (34, 54)]);
    }
}
