//! The time series of a run, phase by phase, bounded however long it lasts.

use super::chart::{Bar, Chart, Segment};
use fathom_core::figure;
use fathom_core::result::IntervalResult;

/// Points of a phase; more are put together two by two.
const POINTS: usize = 512;
/// Requests of this size and more are shown in bytes a second.
const LARGE_BYTES: u64 = 64 << 10;

/// One phase over time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PhaseChart {
    /// Number and name.
    pub(crate) label: String,
    /// Nanoseconds after the start of the first phase.
    pub(crate) begin_ns: u64,
    points: Vec<Point>,
    /// Intervals in a point.
    size: usize,
    /// Intervals in the last point.
    last: usize,
}

/// What a span of time did.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    from_ns: u64,
    to_ns: u64,
    ios: u64,
    bytes: u64,
    /// The worst of its intervals; 0 where none supports one.
    p99_ns: u64,
}

impl PhaseChart {
    pub(crate) const fn new(label: String, begin_ns: u64) -> Self {
        Self {
            label,
            begin_ns,
            points: Vec::new(),
            size: 1,
            last: 0,
        }
    }

    /// End of what is known.
    pub(crate) fn end_ns(&self) -> u64 {
        self.points
            .last()
            .map_or(self.begin_ns, |point| point.to_ns)
    }

    pub(crate) fn take(&mut self, interval: &IntervalResult) {
        let ops = || {
            let jobs = interval.jobs.iter();
            jobs.flat_map(|job| {
                fathom_core::Op::ALL
                    .into_iter()
                    .filter_map(|op| job.ops.get(op))
            })
        };
        let from_ns = self.begin_ns + interval.start_ns;
        let point = Point {
            from_ns,
            to_ns: from_ns + interval.length_ns,
            ios: ops().map(|op| op.ios).sum(),
            bytes: ops().map(|op| op.bytes).sum(),
            p99_ns: ops()
                .filter_map(|op| op.service_ns.percentile("99"))
                .max()
                .unwrap_or(0),
        };
        match self.points.last_mut() {
            Some(last) if self.last < self.size => {
                *last = last.and(&point);
                self.last += 1;
            }
            _ => {
                self.points.push(point);
                self.last = 1;
            }
        }
        if self.points.len() > POINTS {
            let pairs = self.points.chunks(2);
            let joined =
                pairs.map(|pair| pair[1..].iter().fold(pair[0], |one, next| one.and(next)));
            self.last += self.size * ((self.points.len() + 1) % 2);
            self.points = joined.collect();
            self.size *= 2;
        }
    }

    /// Whether its requests are large, so that bytes a second say more.
    fn is_large(&self) -> bool {
        let ios: u64 = self.points.iter().map(|point| point.ios).sum();
        let bytes: u64 = self.points.iter().map(|point| point.bytes).sum();
        ios > 0 && bytes / ios >= LARGE_BYTES
    }

    fn segment(&self, value: impl Fn(&Point) -> f64, words: impl Fn(f64) -> String) -> Segment {
        let bar = |point: &Point| Bar {
            from_ns: point.from_ns,
            to_ns: point.to_ns,
            value: value(point),
        };
        let bars: Vec<Bar> = self.points.iter().map(bar).collect();
        let highest = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
        Segment {
            from_ns: self.begin_ns,
            highest: if highest > 0.0 {
                words(highest)
            } else {
                String::new()
            },
            bars,
        }
    }
}

impl Point {
    fn and(&self, next: &Self) -> Self {
        Self {
            from_ns: self.from_ns,
            to_ns: next.to_ns,
            ios: self.ios + next.ios,
            bytes: self.bytes + next.bytes,
            p99_ns: self.p99_ns.max(next.p99_ns),
        }
    }

    fn seconds(&self) -> f64 {
        (self.to_ns - self.from_ns).max(1) as f64 / 1e9
    }
}

/// Requests or bytes a second, whichever says more of a phase.
pub(crate) fn rates(courses: &[PhaseChart], end_ns: u64) -> Chart {
    let segment = |course: &PhaseChart| {
        if course.is_large() {
            let words = |rate| format!("{} MB/s", figure::megabytes(rate));
            course.segment(|point| point.bytes as f64 / point.seconds(), words)
        } else {
            let words = |rate| format!("{} IOPS", figure::iops(rate));
            course.segment(|point| point.ios as f64 / point.seconds(), words)
        }
    };
    Chart {
        title: "rate".to_owned(),
        segments: courses.iter().map(segment).collect(),
        end_ns,
        is_worst: false,
    }
}

/// The worst p99 among the operations.
pub(crate) fn latencies(courses: &[PhaseChart], end_ns: u64) -> Chart {
    let segment = |course: &PhaseChart| course.segment(|point| point.p99_ns as f64, figure::time);
    Chart {
        title: "p99".to_owned(),
        segments: courses.iter().map(segment).collect(),
        end_ns,
        is_worst: true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use fathom_core::interval::Part;

    #[test]
    fn a_long_phase_is_whole_in_few_points() {
        let mut course = PhaseChart::new("1 a".to_owned(), 0);
        let count = 10 * POINTS as u64 + 3;
        for second in 0..count {
            course.take(&fixture::interval(Part::Measure, second * 1000, 1000, &[0]));
        }
        assert!(course.points.len() <= POINTS);
        let ios: u64 = course.points.iter().map(|point| point.ios).sum();
        assert_eq!(ios, count * 68_500);
        assert_eq!(course.end_ns(), count * 1_000_000_000);
        let chart = rates(&[course], 1);
        assert_eq!(chart.segments[0].highest, "68,500 IOPS");
        let near = |bar: &Bar| (bar.value - 68_500.0).abs() < 1e-6;
        assert!(chart.segments[0].bars.iter().all(near));
    }
}
