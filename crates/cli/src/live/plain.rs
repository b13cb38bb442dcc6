//! Progress as plain lines: one for each interval, at most one for each second of the phase, and in
//! virtual time a few for each part of it.

use super::app::{LiveOp, PhaseState};
use super::clock_face::seconds;
use fathom_core::figure;
use fathom_core::interval::Part;
use fathom_core::result::IntervalResult;
use fathom_session::{Event, Observer};
use std::io::Write;

const SECOND_NS: u64 = 1_000_000_000;
/// Lines about a part of a phase in virtual time.
const LINES: u64 = 4;
/// Operations of jobs that a line has one by one. Nobody reads those of thousands of jobs.
const ROWS: usize = 8;
/// A layout or a check says something this many times.
const STEPS: u64 = 4;

/// Writes progress lines. Where they cannot be written, the run still goes on.
#[derive(Debug)]
pub(crate) struct Plain<W> {
    to: W,
    phase: Option<PhaseState>,
    /// End of the interval that was last shown.
    shown_ns: Option<u64>,
    step: Option<(String, u64)>,
    /// Virtual hours pass in seconds, and nobody reads a line for each second of them.
    is_virtual: bool,
}

impl<W: Write> Plain<W> {
    pub(crate) const fn new(to: W) -> Self {
        Self {
            to,
            phase: None,
            shown_ns: None,
            step: None,
            is_virtual: false,
        }
    }

    /// Lines about virtual time.
    pub(crate) fn of_virtual_time(to: W) -> Self {
        Self {
            is_virtual: true,
            ..Self::new(to)
        }
    }

    /// Least time between two lines of a part of the phase.
    fn pause_ns(&self, part: Part) -> u64 {
        let phase = self.phase.as_ref().filter(|_| self.is_virtual);
        let length_ns = phase.and_then(|phase| phase.in_part(part, 0).1);
        length_ns.map_or(SECOND_NS, |length_ns| SECOND_NS.max(length_ns / LINES))
    }

    fn line(&mut self, text: &str) {
        // Nobody to tell it to is no reason to stop measuring.
        // In one piece, so that it is shown as a whole or not at all.
        let _ = self.to.write_all(format!("{text}\n").as_bytes());
    }

    fn show_interval(&mut self, interval: &IntervalResult) {
        let end_ns = interval.start_ns + interval.length_ns;
        let is_due = self
            .shown_ns
            .is_none_or(|shown| end_ns.saturating_sub(shown) >= self.pause_ns(interval.part));
        let shown = |phase: &&PhaseState| is_due && !phase.is_brief();
        let Some(phase) = self.phase.as_ref().filter(shown) else {
            return;
        };
        let rows = phase.rows(interval);
        let (shown, rest) = rows.split_at(rows.len().min(ROWS));
        let mut figures: Vec<String> = shown.iter().map(figures_of).collect();
        figures.extend(sum_of(rest));
        let line = format!("{}  {}", place(phase, interval, end_ns), figures.join("; "));
        self.shown_ns = Some(end_ns);
        self.line(&line);
    }

    fn show_amount(&mut self, doing: &str, path: &str, done_bytes: u64, total_bytes: u64) {
        let step = (done_bytes * STEPS)
            .checked_div(total_bytes)
            .unwrap_or(STEPS);
        let now = (format!("{doing} {path}"), step);
        if self.step.as_ref() == Some(&now) {
            return;
        }
        let line = format!(
            "{}: {} of {}",
            now.0,
            figure::size(done_bytes),
            figure::size(total_bytes)
        );
        self.step = Some(now);
        self.line(&line);
    }
}

impl<W: Write> Observer for Plain<W> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            // The reason begins with the name.
            Event::Engine { reason, .. } => self.line(&format!("engine {reason}")),
            Event::Layout {
                path,
                done_bytes,
                total_bytes,
            } => self.show_amount("laying out", path, *done_bytes, *total_bytes),
            Event::PhaseStart { .. } => {
                self.phase = PhaseState::started(event);
                self.shown_ns = None;
            }
            Event::Interval { interval } => self.show_interval(interval),
            Event::Tick { .. }
            | Event::PhaseEnd { .. }
            | Event::Begin { .. }
            | Event::Prepared { .. }
            | Event::Leg { .. }
            | Event::Writes { .. }
            | Event::Account { .. }
            | Event::Requests { .. }
            | Event::Member { .. }
            | Event::Members { .. }
            | Event::Hosts { .. }
            | Event::RequestsLost { .. }
            | Event::RequestsWaited { .. } => {}
            Event::WriteBack { path } => self.line(&format!("waiting until {path} is written")),
            Event::Verify {
                path,
                done_bytes,
                total_bytes,
            } => self.show_amount("checking", path, *done_bytes, *total_bytes),
        }
    }
}

/// `[3/6 rand-read-4k-qd32  2s/5s]`
fn place(phase: &PhaseState, interval: &IntervalResult, end_ns: u64) -> String {
    let (elapsed, length) = phase.in_part(interval.part, end_ns);
    let part = match interval.part {
        Part::WarmUp => "warm-up ",
        Part::Measure => "",
        Part::CoolDown => "cool-down ",
    };
    let elapsed = seconds(elapsed);
    let time = match length.map(seconds) {
        Some(length) => format!("{elapsed:>width$}/{length}", width = length.len()),
        None => elapsed,
    };
    let width = phase.count.to_string().len();
    let (number, count) = (phase.number, phase.count);
    format!("[{number:>width$}/{count} {} {part}{time}]", phase.name)
}

fn figures_of(row: &LiveOp) -> String {
    let mut parts = vec![format!(
        "{} {} IOPS {} MB/s",
        row.label(),
        figure::iops(row.iops),
        figure::megabytes(row.bytes_per_second)
    )];
    let latencies = [
        ("p50", row.p50_ns),
        ("p99", row.p99_ns),
        ("max", row.max_ns),
    ];
    for (name, value) in latencies {
        parts.extend(value.map(|ns| format!("{name} {}", figure::time(ns as f64))));
    }
    if row.errors > 0 {
        parts.push(figure::plural(row.errors, "error"));
    }
    parts.join("  ")
}

/// What the operations that a line does not name come to.
fn sum_of(rest: &[LiveOp]) -> Option<String> {
    let iops: f64 = rest.iter().map(|row| row.iops).sum();
    let bytes_per_second: f64 = rest.iter().map(|row| row.bytes_per_second).sum();
    let errors: u64 = rest.iter().map(|row| row.errors).sum();
    let mut parts = vec![format!(
        "{} more: {} IOPS {} MB/s",
        figure::count(rest.len() as u64),
        figure::iops(iops),
        figure::megabytes(bytes_per_second)
    )];
    if errors > 0 {
        parts.push(figure::plural(errors, "error"));
    }
    (!rest.is_empty()).then(|| parts.join("  "))
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    fn lines(events: &[Event<'_>]) -> String {
        let mut plain = Plain::new(Vec::new());
        for event in events {
            plain.event(event);
        }
        String::from_utf8(plain.to).unwrap()
    }

    #[test]
    fn an_interval_is_a_line() {
        let warm_up = fixture::interval(Part::WarmUp, 0, 1000, &[0]);
        let first = fixture::interval(Part::Measure, 1000, 1000, &[0]);
        let second = fixture::interval(Part::Measure, 2000, 1000, &[0]);
        let shown = lines(&[
            fixture::ENGINE,
            fixture::phase_start(&["one"]),
            Event::Interval { interval: &warm_up },
            Event::Interval { interval: &first },
            Event::Interval { interval: &second },
        ]);
        let expected = "\
engine io_uring: available
[ 3/12 random-read warm-up 1s/1s]  read 67,500 IOPS 276.5 MB/s  p50 34.2 µs  p99 1.20 ms  \
max 3.00 ms; write 1,000 IOPS 4.10 MB/s  max 90.0 ms  2 errors
[ 3/12 random-read  1s/15s]  read 67,500 IOPS 276.5 MB/s  p50 34.2 µs  p99 1.20 ms  \
max 3.00 ms; write 1,000 IOPS 4.10 MB/s  max 90.0 ms  2 errors
[ 3/12 random-read  2s/15s]  read 67,500 IOPS 276.5 MB/s  p50 34.2 µs  p99 1.20 ms  \
max 3.00 ms; write 1,000 IOPS 4.10 MB/s  max 90.0 ms  2 errors
";
        assert_eq!(shown, expected);
    }

    #[test]
    fn short_intervals_are_shown_once_a_second() {
        let intervals: Vec<_> = (0..30)
            .map(|n| fixture::interval(Part::Measure, 1000 + n * 100, 100, &[0]))
            .collect();
        let mut events = vec![fixture::phase_start(&["one"])];
        events.extend(
            intervals
                .iter()
                .map(|interval| Event::Interval { interval }),
        );
        let places: Vec<String> = lines(&events)
            .lines()
            .map(|line| line.split(']').next().unwrap_or("").to_owned())
            .collect();
        let expected = [
            "[ 3/12 random-read  0s/15s",
            "[ 3/12 random-read  1s/15s",
            "[ 3/12 random-read  2s/15s",
        ];
        assert_eq!(places, expected);
    }

    #[test]
    fn several_jobs_are_named() {
        let interval = fixture::interval(Part::CoolDown, 16_000, 1000, &[1, 0]);
        let shown = lines(&[
            fixture::phase_start(&["one", "two"]),
            Event::Interval {
                interval: &interval,
            },
        ]);
        let figures = |job: &str| {
            format!(
                "{job} read 67,500 IOPS 276.5 MB/s  p50 34.2 µs  p99 1.20 ms  max 3.00 ms; {job} \
                 write 1,000 IOPS 4.10 MB/s  max 90.0 ms  2 errors"
            )
        };
        let expected = format!(
            "[ 3/12 random-read cool-down 1s/2s]  {}; {}\n",
            figures("two"),
            figures("one")
        );
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_line_names_few_of_many_jobs() {
        let names = ["job"; 1000];
        let jobs: Vec<u32> = (0..1000).collect();
        let interval = fixture::interval(Part::Measure, 0, 1000, &jobs);
        let shown = lines(&[
            fixture::phase_start(&names),
            Event::Interval {
                interval: &interval,
            },
        ]);
        let figures: Vec<&str> = shown.trim_end().split("; ").collect();
        let last = "1,992 more: 68.2 M IOPS 279,454 MB/s  1,992 errors";
        assert_eq!((figures.len(), figures[ROWS]), (ROWS + 1, last));
    }

    #[test]
    fn layout_speaks_in_steps() {
        let events: Vec<Event<'_>> = (0..=8)
            .map(|eighth| Event::Layout {
                path: "/data/x",
                done_bytes: eighth << 27,
                total_bytes: 1 << 30,
            })
            .collect();
        let expected = "\
laying out /data/x: 0 B of 1 GiB
laying out /data/x: 256 MiB of 1 GiB
laying out /data/x: 512 MiB of 1 GiB
laying out /data/x: 768 MiB of 1 GiB
laying out /data/x: 1 GiB of 1 GiB
";
        assert_eq!(lines(&events), expected);
    }
}
