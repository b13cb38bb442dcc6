//! The end at the coordinator.

use super::COLUMNS;
use super::letters::{Column, Held, Interval, Piece, closed, open};
use crate::frame::framed;
use crate::message::{IntervalReport, SeriesCounts, SeriesDelta, ToCoordinator};
use fathom_core::Nanos;
use fathom_core::histogram::{Cells, Numbers, Packed};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How long a report waits for those of the others.
const PATIENCE: Nanos = Nanos::from_millis(500);
/// By this part of their length reports of one interval may be apart.
const APART: u64 = 8;

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// These bytes of the member of this rank go to the coordinator.
    Forward(u32, Vec<u8>),
    /// The stream of this rank ends.
    End(u32),
    /// Ask the outlet of this rank for a whole report, then say [`Junction::whole`].
    Give(u32, Interval),
    /// Tell all outlets to add up these histograms, then say [`Junction::reduced`].
    Reduce(Interval, Vec<Column>),
}

#[derive(Debug, Default)]
struct Queue {
    pieces: VecDeque<Piece>,
    /// When its report came that waits for others.
    since: Option<Nanos>,
    /// Whether that was asked for.
    is_asked: bool,
    /// Whether nothing more is said or heard.
    is_over: bool,
    /// Whether nobody listens any more.
    is_left: bool,
}

impl Queue {
    /// The report that waits for others.
    fn head(&self) -> Option<&Held> {
        match self.pieces.front() {
            Some(Piece::Held(held)) if !self.is_asked => Some(held),
            _ => None,
        }
    }

    fn put(&mut self, frame: Vec<u8>) {
        if let Some(Piece::Held(_)) = self.pieces.front() {
            self.pieces[0] = Piece::Bytes(frame);
        }
        (self.since, self.is_asked) = (None, false);
    }
}

/// Puts the histograms of all members into what their coordinator hears.
#[derive(Debug)]
pub struct Junction {
    queues: BTreeMap<u32, Queue>,
    reducing: Option<Vec<Column>>,
    /// Intervals that were added up on the way, and reports that went whole.
    told: (u64, u64),
}

impl Junction {
    /// For the members of these ranks.
    pub fn new(ranks: impl IntoIterator<Item = u32>) -> Self {
        let queues = ranks.into_iter().map(|rank| (rank, Queue::default()));
        Self {
            queues: queues.collect(),
            reducing: None,
            told: (0, 0),
        }
    }

    /// Intervals that were added up on the way, and reports that could have been and went whole.
    pub const fn told(&self) -> (u64, u64) {
        self.told
    }

    /// A member said this.
    pub fn come(&mut self, rank: u32, piece: Piece) {
        if let Some(queue) = self.queues.get_mut(&rank) {
            queue.is_over |= piece == Piece::Ended;
            if piece == Piece::Ended || !queue.is_left {
                queue.pieces.push_back(piece);
            }
        }
    }

    /// The coordinator has closed the stream of a member, and hears nothing more of it.
    pub fn left(&mut self, rank: u32) {
        if let Some(queue) = self.queues.get_mut(&rank) {
            (queue.is_over, queue.is_left, queue.is_asked) = (true, true, false);
            queue.pieces.retain(|piece| *piece == Piece::Ended);
        }
    }

    /// A report that was asked for.
    pub fn whole(&mut self, rank: u32, frame: Vec<u8>) {
        if let Some(queue) = self.queues.get_mut(&rank).filter(|queue| queue.is_asked) {
            queue.put(frame);
            self.told.1 += 1;
        }
    }

    /// What is to be done now.
    pub fn steps(&mut self, now: Nanos) -> Vec<Step> {
        let mut steps = Vec::new();
        for (rank, queue) in &mut self.queues {
            while let Some(piece) = queue.pieces.pop_front() {
                match piece {
                    Piece::Bytes(bytes) => steps.push(Step::Forward(*rank, bytes)),
                    Piece::Ended => steps.push(Step::End(*rank)),
                    held @ Piece::Held(_) => {
                        queue.pieces.push_front(held);
                        queue.since.get_or_insert(now);
                        break;
                    }
                }
            }
        }
        if self.reducing.is_none() {
            match self.alike() {
                Some((interval, columns)) => {
                    steps.push(Step::Reduce(interval, columns.clone()));
                    self.reducing = Some(columns);
                }
                None => self.ask(now, &mut steps),
            }
        }
        steps
    }

    /// The interval that all members report, and its histograms.
    fn alike(&self) -> Option<(Interval, Vec<Column>)> {
        let queues = self.queues.values();
        let heads = queues.map(|queue| queue.head().filter(|_| !queue.is_over));
        let heads: Vec<&Held> = heads.collect::<Option<_>>()?;
        let first = *heads.first()?;
        let same = |held: &&Held| held.interval == first.interval && held.part == first.part;
        let middles = || heads.iter().map(|held| held.middle_ns);
        let apart = middles().max()?.abs_diff(middles().min()?);
        let shortest = heads.iter().map(|held| held.length_ns).min()?;
        let columns = heads.iter().flat_map(|held| held.columns.iter().copied());
        let columns: BTreeSet<Column> = columns.collect();
        let fits = columns.len() <= COLUMNS && apart <= shortest / APART;
        let all = heads.iter().all(same) && fits;
        all.then(|| (first.interval, columns.into_iter().collect()))
    }

    /// Asks for the reports that cannot be added up any more.
    fn ask(&mut self, now: Nanos, steps: &mut Vec<Step>) {
        let is_over = self.queues.values().any(|queue| queue.is_over);
        let all_here = self.queues.values().all(|queue| queue.head().is_some());
        let heads = || self.queues.values().filter_map(Queue::head);
        let first = heads().map(|held| held.interval).min();
        let apart = heads().any(|held| Some(held.interval) != first);
        for (rank, queue) in &mut self.queues {
            let Some(interval) = queue.head().map(|held| held.interval) else {
                continue;
            };
            let waited = queue
                .since
                .is_some_and(|since| now.saturating_sub(since) >= PATIENCE);
            // Those who have gone past an interval will not report it any more.
            let is_past = (apart || all_here) && Some(interval) == first;
            if is_over || waited || is_past {
                queue.is_asked = true;
                steps.push(Step::Give(*rank, interval));
            }
        }
    }

    /// The histograms that were to be added up, as the numbers have come to. The last of the
    /// members says those of all.
    pub fn reduced(&mut self, numbers: &Numbers) {
        let Some(columns) = self.reducing.take() else {
            return;
        };
        let sums = numbers.sums.chunks(Numbers::SUMS);
        let each = sums.zip(numbers.largest.chunks(Numbers::LARGEST));
        let cells = each.map(|(sums, largest)| Cells::of_numbers(sums, largest));
        let packed = cells.map(|cells| cells.map_or_else(Packed::default, |cells| cells.pack()));
        let mut all = Some(columns.into_iter().zip(packed).collect::<Vec<_>>());
        for queue in self.queues.values_mut().rev() {
            let frame = match queue.pieces.front_mut() {
                Some(Piece::Held(held)) => std::mem::take(&mut held.frame),
                _ => continue,
            };
            let frame = match all.take() {
                Some(all) => filled(&frame, all),
                None => frame,
            };
            queue.put(framed(&frame));
        }
        self.told.0 += 1;
    }
}

/// A frame of a report with these histograms in it.
fn filled(frame: &[u8], histograms: Vec<(Column, Packed)>) -> Vec<u8> {
    let Some((head, ToCoordinator::Interval(mut report))) = open(frame) else {
        return frame.to_vec();
    };
    for (column, packed) in histograms {
        let delta = delta_of(&mut report, column.series);
        if column.response {
            delta.response = Some(packed);
        } else {
            delta.service = packed;
        }
    }
    closed(head, ToCoordinator::Interval(report))
}

fn delta_of(report: &mut IntervalReport, series: u16) -> &mut SeriesDelta {
    let place = report.series.iter().position(|one| one.series >= series);
    let place = place.unwrap_or(report.series.len());
    if report
        .series
        .get(place)
        .is_none_or(|one| one.series != series)
    {
        let empty = SeriesDelta {
            series,
            counts: SeriesCounts::default(),
            ..SeriesDelta::default()
        };
        report.series.insert(place, empty);
    }
    &mut report.series[place]
}
