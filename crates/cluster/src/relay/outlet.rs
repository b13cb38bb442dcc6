//! The end at a member.

use super::COLUMNS;
use super::letters::{Column, Held, Interval, Piece, closed, open};
use crate::frame::{Frames, framed};
use crate::greeting::{Greeting, OPENING};
use crate::message::{IntervalReport, SeriesDelta, ToCoordinator, ToMember};
use fathom_core::histogram::{Cells, Numbers, Packed};
use std::collections::BTreeMap;

/// Shorter intervals are not merged: their distance would be less than the error of the clocks.
const SHORTEST_NS: u64 = 100_000_000;

/// A report of which only a part went.
#[derive(Debug)]
struct Kept {
    whole: Vec<u8>,
    series: Vec<SeriesDelta>,
}

/// Takes the histograms out of what a member says.
#[derive(Debug)]
pub struct Outlet {
    /// What the member says; none where it is not understood and goes as it comes.
    said: Option<Frames>,
    /// What it hears.
    heard: Option<Frames>,
    /// Whether the member is of this release, so that its messages are known.
    is_known: bool,
    /// When each phase was to begin by the member's clock.
    begins: BTreeMap<u32, u64>,
    kept: BTreeMap<Interval, Kept>,
}

impl Default for Outlet {
    fn default() -> Self {
        Self {
            said: Some(Frames::new(OPENING)),
            heard: Some(Frames::new(OPENING)),
            is_known: false,
            begins: BTreeMap::new(),
            kept: BTreeMap::new(),
        }
    }
}

impl Outlet {
    /// Its member said this.
    pub fn said(&mut self, bytes: &[u8]) -> Vec<Piece> {
        let Some(mut frames) = self.said.take() else {
            return vec![Piece::Bytes(bytes.to_vec())];
        };
        frames.push(bytes);
        let (mut pieces, mut plain) = (Vec::new(), Vec::new());
        loop {
            let frame = match frames.take() {
                Ok(Some(frame)) => frame,
                Ok(None) => {
                    self.said = Some(frames);
                    break;
                }
                Err(_) => {
                    // No frames: whoever receives them says so.
                    plain.extend(frames.take_rest());
                    break;
                }
            };
            frames.trust();
            if let Some(greeting) = Greeting::read(&frame) {
                self.is_known = greeting == Greeting::of(env!("CARGO_PKG_VERSION"));
            }
            match self.hold(&frame) {
                Some(held) => {
                    if !plain.is_empty() {
                        pieces.push(Piece::Bytes(std::mem::take(&mut plain)));
                    }
                    pieces.push(Piece::Held(held));
                }
                None => plain.extend(framed(&frame)),
            }
        }
        if !plain.is_empty() {
            pieces.push(Piece::Bytes(plain));
        }
        pieces
    }

    /// Its member receives this.
    pub fn heard(&mut self, bytes: &[u8]) {
        let Some(mut frames) = self.heard.take() else {
            return;
        };
        frames.push(bytes);
        loop {
            match frames.take() {
                Ok(Some(frame)) => self.note(&frame),
                Ok(None) => break,
                Err(_) => return,
            }
            frames.trust();
        }
        self.heard = Some(frames);
    }

    /// Notes when a phase is to begin.
    fn note(&mut self, frame: &[u8]) {
        let read = postcard::take_from_bytes::<(u64, u64)>(frame);
        let message = read.ok().map(|(_, message)| message);
        let message = message.and_then(|message| postcard::from_bytes(message).ok());
        match message.flatten() {
            Some(ToMember::Start { phase, at_ns }) => {
                self.begins.insert(phase, at_ns);
            }
            // Another measurement begins anew.
            Some(ToMember::Prepare(_)) => self.begins.clear(),
            _ => {}
        }
    }

    /// Takes the histograms out of a frame, if it is a report that can go without.
    fn hold(&mut self, frame: &[u8]) -> Option<Held> {
        let (head, message) = open(frame).filter(|_| self.is_known)?;
        let ToCoordinator::Interval(report) = message else {
            return None;
        };
        let begin_ns = *self.begins.get(&report.phase)?;
        let length_ns = report.end_ns.checked_sub(report.start_ns)?;
        let columns = columns(&report);
        let damaged = |delta: &SeriesDelta| {
            let response = delta.response.as_ref();
            delta.service.check().is_err() || response.is_some_and(|one| one.check().is_err())
        };
        if length_ns < SHORTEST_NS || columns.len() > COLUMNS || report.series.iter().any(damaged) {
            return None;
        }
        let interval = (report.phase, report.index);
        let middle_ns = report.start_ns / 2 + report.end_ns / 2;
        let bare = IntervalReport {
            series: report.series.iter().map(bare).collect(),
            ..report.clone()
        };
        let held = Held {
            interval,
            part: report.part,
            middle_ns: middle_ns.wrapping_sub(begin_ns) as i64,
            length_ns,
            columns,
            frame: closed(head, ToCoordinator::Interval(bare)),
        };
        let whole = framed(frame);
        let series = report.series;
        self.kept.insert(interval, Kept { whole, series });
        Some(held)
    }

    /// A report that is wanted whole after all: bytes of the stream.
    pub fn whole(&mut self, interval: Interval) -> Vec<u8> {
        let kept = self.kept.remove(&interval);
        kept.map(|kept| kept.whole).unwrap_or_default()
    }

    /// Histograms of an interval, one after another, as numbers to be added up; they are not kept
    /// any longer.
    pub fn numbers(&mut self, interval: Interval, columns: &[Column]) -> Numbers {
        let kept = self.kept.remove(&interval);
        let series = kept.map(|kept| kept.series).unwrap_or_default();
        let mut numbers = Numbers {
            sums: Vec::with_capacity(columns.len() * Numbers::SUMS),
            largest: Vec::with_capacity(columns.len() * Numbers::LARGEST),
        };
        for column in columns {
            let mut cells = Cells::new();
            for delta in series.iter().filter(|one| one.series == column.series) {
                let packed = if column.response {
                    delta.response.as_ref()
                } else {
                    Some(&delta.service)
                };
                // It was found whole when it was taken out.
                let _ = packed.map(|packed| cells.add(packed));
            }
            let own = cells.to_numbers();
            numbers.sums.extend(own.sums);
            numbers.largest.extend(own.largest);
        }
        numbers
    }
}

/// Which histograms a report has.
fn columns(report: &IntervalReport) -> Vec<Column> {
    let of = |delta: &SeriesDelta| {
        let column = |response| Column {
            series: delta.series,
            response,
        };
        let response = delta.response.as_ref().map(|_| column(true));
        [Some(column(false)), response]
    };
    let mut columns: Vec<Column> = report.series.iter().flat_map(of).flatten().collect();
    columns.sort_unstable();
    columns.dedup();
    columns
}

/// What was counted, without the times.
fn bare(delta: &SeriesDelta) -> SeriesDelta {
    SeriesDelta {
        series: delta.series,
        counts: delta.counts,
        service: Packed::default(),
        response: delta.response.as_ref().map(|_| Packed::default()),
    }
}
