//! What one run knows of itself: its numbers by interval, and how far they may be off.
//!
//! Rates, means and the share of requests below a percentile are all ratios of two sums over
//! intervals. The error of such a ratio is that of the mean of its residuals, which the series
//! keep in order, so that their correlation counts. The interval of a percentile is read from the
//! merged histogram at the ranks that the error of the share leaves open (Woodruff 1952):
//! histograms are merged, percentiles never averaged.
//!
//! Slow requests come in bursts: one stall makes all slow that wait for it, and is one event
//! however many they are. What lies beyond a percentile is counted in events: the number of
//! independent ones that would scatter over the intervals as the requests do. Requests that come
//! alone are their own events; bursts of 32 are a thirty-second as many; what lies in one interval
//! is one.

use super::job_op::JobOp;
use super::metric::Metric;
use crate::stats::{Located, SeriesMean, median, rank_interval, student_factor};
use fathom_core::interval::Part;
use fathom_core::result::{IntervalOp, PhaseResult, RunResult};
use std::collections::BTreeMap;

/// Fewer intervals do not tell how much a run varies.
pub(super) const LEAST_INTERVALS: usize = 8;

/// Events beyond a percentile below which nothing is said of it, as of requests within a run
/// ([`fathom_core::summary::MIN_TAIL_COUNT`]).
pub(super) const LEAST_EVENTS: f64 = fathom_core::summary::MIN_TAIL_COUNT;

/// More intervals are put together; that many show any correlation that matters.
const MOST_INTERVALS: usize = 480;

/// A number of one run on the logarithmic scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    pub(super) located: Located,
    /// By how much an error bar from independent intervals would be too small, where that is worth
    /// saying.
    pub(super) correlation_factor: Option<f64>,
}

/// Why nothing is known of a number of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unknown {
    /// Too few intervals, or some without their histograms.
    Intervals,
    /// So few events beyond the percentile.
    Events(f64),
}

/// One interval, or neighbours put together.
#[derive(Clone, Debug, Default)]
struct Piece {
    seconds: f64,
    ios: f64,
    bytes: f64,
    /// Sum of all response times, nanoseconds.
    time_ns: f64,
    /// Response times: upper edge of a bucket to the number in it; only if all were kept.
    latencies: BTreeMap<u64, u64>,
}

impl Piece {
    fn add(&mut self, other: Self) {
        self.seconds += other.seconds;
        self.ios += other.ios;
        self.bytes += other.bytes;
        self.time_ns += other.time_ns;
        for (edge, count) in other.latencies {
            *self.latencies.entry(edge).or_default() += count;
        }
    }
}

/// The intervals of one place of one run.
pub(super) struct PlaceIntervals {
    pieces: Vec<Piece>,
}

impl PlaceIntervals {
    /// Gathers them; decodes the histograms only where `with_latencies`.
    pub(super) fn of(run: &RunResult, place: &JobOp, with_latencies: bool) -> Self {
        let count: usize = place
            .jobs(run)
            .map(|(phase, ..)| phase.intervals.len())
            .sum();
        let together = count.div_ceil(MOST_INTERVALS).max(1);
        let mut pieces = Vec::new();
        for (phase, index, job) in place.jobs(run) {
            let own = phase_pieces(phase, index, job.active_ns, place, with_latencies);
            let group = together.max(if with_latencies {
                phase.histogram_intervals as usize
            } else {
                1
            });
            let mut own = own.into_iter().peekable();
            while own.peek().is_some() {
                let mut piece = Piece::default();
                own.by_ref().take(group).for_each(|next| piece.add(next));
                pieces.push(piece);
            }
        }
        Self { pieces }
    }

    /// What is known of a metric, or why nothing is.
    pub(super) fn known(&self, metric: Metric) -> Result<Known, Unknown> {
        if self.pieces.len() < LEAST_INTERVALS {
            return Err(Unknown::Intervals);
        }
        let found = match metric {
            Metric::Iops => self.ratio(|piece| (piece.ios, piece.seconds)),
            Metric::Throughput => self.ratio(|piece| (piece.bytes, piece.seconds)),
            Metric::Mean => self.ratio(|piece| (piece.time_ns, piece.ios)),
            Metric::Percentile(_, share) => return self.percentile(share),
        };
        found.ok_or(Unknown::Intervals)
    }

    /// The logarithm of a ratio of sums.
    fn ratio(&self, parts: impl Fn(&Piece) -> (f64, f64)) -> Option<Known> {
        let parts: Vec<(f64, f64)> = self.pieces.iter().map(parts).collect();
        let (above, below) = sums(&parts);
        let ratio = above / below;
        if !ratio.is_finite() || ratio <= 0.0 {
            return None;
        }
        let series = residuals(&parts, ratio)?;
        let error = series.error * parts.len() as f64 / above;
        Some(Known {
            located: Located {
                value: ratio.ln(),
                error,
                size: series.effective_size,
            },
            correlation_factor: factor_of(&series),
        })
    }

    fn percentile(&self, share: f64) -> Result<Known, Unknown> {
        let mut all = Piece::default();
        for piece in &self.pieces {
            all.add(Piece {
                latencies: piece.latencies.clone(),
                ..Piece::default()
            });
        }
        let count: u64 = all.latencies.values().sum();
        let value = edge_at(&all.latencies, (count as f64 * share).ceil() as u64)
            .ok_or(Unknown::Intervals)?;
        let events = self.events(value).ok_or(Unknown::Intervals)?;
        if events < LEAST_EVENTS {
            return Err(Unknown::Events(events));
        }
        // Where the error reaches beyond the slowest request, nothing bounds the percentile above.
        let beyond = || self.events(value + 1).unwrap_or(0.0);
        let located = self.woodruff(&all.latencies, count, share, value);
        located.ok_or_else(|| Unknown::Events(beyond()))
    }

    /// A percentile with the ranks that the error of its share leaves open.
    fn woodruff(
        &self,
        latencies: &BTreeMap<u64, u64>,
        count: u64,
        share: f64,
        value: u64,
    ) -> Option<Known> {
        let parts = self.shares(|edge| edge <= value);
        // Exactly the share, though the bucket at the quantile may hold more.
        let (below, total) = sums(&parts);
        let series = residuals(&parts, below / total)?;
        let factor = student_factor(series.effective_size, 0.05);
        let margin = factor * series.error * parts.len() as f64;
        let ranks = rank_interval(count, share, margin);
        let low = edge_below(latencies, ranks.low?)?;
        let high = edge_at(latencies, ranks.high?)?;
        let width = (high as f64).ln() - (low.max(1) as f64).ln();
        Some(Known {
            located: Located {
                value: (value as f64).ln(),
                error: width / 2.0 / factor,
                size: series.effective_size,
            },
            correlation_factor: factor_of(&series),
        })
    }

    /// Independent events among the requests of at least `value` nanoseconds: as many as would
    /// scatter over the intervals as these requests do, and never more than there are requests.
    fn events(&self, value: u64) -> Option<f64> {
        let parts = self.shares(|edge| edge >= value);
        let (beyond, total) = sums(&parts);
        let series = residuals(&parts, beyond / total)?;
        let spread = series.error * parts.len() as f64 / beyond;
        Some(beyond.min(1.0 / (spread * spread)))
    }

    /// Of each piece the requests in some buckets, and all.
    fn shares(&self, is_counted: impl Fn(u64) -> bool) -> Vec<(f64, f64)> {
        let pieces = self.pieces.iter();
        let share = |piece: &Piece| {
            let counted = piece
                .latencies
                .iter()
                .filter(|(edge, _)| is_counted(**edge));
            let counted: u64 = counted.map(|(_, count)| count).sum();
            let all: u64 = piece.latencies.values().sum();
            (counted as f64, all as f64)
        };
        pieces.map(share).collect()
    }
}

/// The complete intervals of the measured time in which the job was at work.
fn phase_pieces(
    phase: &PhaseResult,
    index: usize,
    active_ns: u64,
    place: &JobOp,
    with_latencies: bool,
) -> Vec<Piece> {
    let measured = || {
        let intervals = phase.intervals.iter();
        intervals.filter(|interval| interval.part == Part::Measure)
    };
    let lengths: Vec<f64> = measured()
        .map(|interval| interval.length_ns as f64)
        .collect();
    let complete = median(&lengths) * 0.9;
    let begin = measured()
        .map(|interval| interval.start_ns)
        .min()
        .unwrap_or(0);
    let end = begin.saturating_add(active_ns);
    let at_work = measured().filter(|interval| {
        interval.length_ns as f64 >= complete
            && interval.start_ns + interval.length_ns <= end.saturating_add(1_000_000)
    });
    at_work
        .map(|interval| {
            let entry = JobOp::entry(&interval.jobs, index).and_then(|job| job.ops.get(place.op));
            let mut piece = entry.map_or_else(Piece::default, |op| piece(op, with_latencies));
            piece.seconds = interval.length_ns as f64 / 1e9;
            piece
        })
        .collect()
}

fn piece(op: &IntervalOp, with_latencies: bool) -> Piece {
    let response = op.response_ns.as_ref().unwrap_or(&op.service_ns);
    let mut latencies = BTreeMap::new();
    if with_latencies {
        let encoded = op.response_histogram.as_ref();
        let encoded = encoded.or(op.service_histogram.as_ref());
        let decoded = encoded.and_then(|encoded| encoded.decode().ok());
        if let Some(histogram) = decoded {
            latencies.extend(histogram.buckets());
        }
    }
    Piece {
        seconds: 0.0,
        ios: op.ios as f64,
        bytes: op.bytes as f64,
        time_ns: response.mean * response.count as f64,
        latencies,
    }
}

fn sums(parts: &[(f64, f64)]) -> (f64, f64) {
    let add = |sum: (f64, f64), part: &(f64, f64)| (sum.0 + part.0, sum.1 + part.1);
    parts.iter().fold((0.0, 0.0), add)
}

/// What each part has above what the ratio of the sums would give it.
fn residuals(parts: &[(f64, f64)], ratio: f64) -> Option<SeriesMean> {
    let series = parts.iter().map(|(above, below)| above - ratio * below);
    SeriesMean::of(&series.collect::<Vec<_>>())
}

fn factor_of(series: &SeriesMean) -> Option<f64> {
    series
        .is_correlated()
        .then(|| series.error / series.naive_error)
}

/// Upper edge of the bucket that holds the value of a rank (1-based).
fn edge_at(latencies: &BTreeMap<u64, u64>, rank: u64) -> Option<u64> {
    let mut up_to = 0;
    let mut edges = latencies.iter();
    let found = edges.find(|(_, count)| {
        up_to += *count;
        up_to >= rank
    });
    found.map(|(edge, _)| *edge)
}

/// A value not above the one of a rank: the lower edge of its bucket.
fn edge_below(latencies: &BTreeMap<u64, u64>, rank: u64) -> Option<u64> {
    let edge = edge_at(latencies, rank)?;
    Some(fathom_core::histogram::lower_edge_ns(edge))
}

/// What a series of rates a second tells of the logarithm of their mean.
#[cfg(test)]
pub(super) fn known_rate(series: &[f64]) -> Option<Located> {
    let piece = |rate: &f64| Piece {
        seconds: 1.0,
        ios: *rate,
        ..Piece::default()
    };
    let pieces = series.iter().map(piece).collect();
    let known = PlaceIntervals { pieces }.known(Metric::Iops).ok()?;
    Some(known.located)
}

/// What the response times of each interval (upper edge of a bucket to the number in it) tell of
/// the logarithm of their percentile.
#[cfg(test)]
pub(super) fn known_percentile(
    intervals: Vec<BTreeMap<u64, u64>>,
    metric: Metric,
) -> Result<Located, Unknown> {
    let piece = |latencies| Piece {
        seconds: 1.0,
        latencies,
        ..Piece::default()
    };
    let pieces = intervals.into_iter().map(piece).collect();
    let known = PlaceIntervals { pieces }.known(metric)?;
    Ok(known.located)
}
