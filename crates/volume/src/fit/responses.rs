//! Response times of a trace, as a whole and in windows, and how near it is to itself.

use fathom_core::Nanos;
use fathom_core::histogram::Histogram;
use fathom_core::summary::supports;

/// Requests of a window, if possible: those that its p99 needs.
const WINDOW_REQUESTS: u64 = 1_000;
/// Windows: those of `fathom learn`.
const WINDOWS: (u64, u64) = (2, 10);

/// Response times by the instants of their requests.
#[derive(Clone, Debug, PartialEq)]
pub struct Responses {
    length: Nanos,
    whole: Histogram,
    windows: Vec<Histogram>,
}

impl Responses {
    /// Of a trace of this length with about this number of requests.
    pub fn new(length: Nanos, requests: u64) -> Self {
        let windows = (requests / WINDOW_REQUESTS).clamp(WINDOWS.0, WINDOWS.1);
        Self {
            length,
            whole: Histogram::new(),
            windows: vec![Histogram::new(); windows as usize],
        }
    }

    /// Adds a request that came at an instant of the trace.
    pub fn add(&mut self, at: Nanos, response: Nanos) {
        self.whole.record(response.0);
        self.window(at).record(response.0);
    }

    /// Adds requests that came around an instant.
    pub fn add_all(&mut self, at: Nanos, responses: &Histogram) {
        self.whole.add(responses);
        self.window(at).add(responses);
    }

    fn window(&mut self, at: Nanos) -> &mut Histogram {
        let last = self.windows.len() - 1;
        let window =
            u128::from(at.0) * self.windows.len() as u128 / u128::from(self.length.0.max(1));
        &mut self.windows[last.min(window as usize)]
    }

    /// Number of requests so far.
    pub const fn count(&self) -> u64 {
        self.whole.len()
    }

    /// A percentile in nanoseconds, by its share from 0 to 1; none where too few requests lie
    /// beyond it.
    pub fn percentile(&self, quantile: f64) -> Option<f64> {
        percentile(&self.whole, quantile)
    }

    /// Nanoseconds.
    pub fn mean_ns(&self) -> f64 {
        self.whole.mean_ns()
    }

    /// How near the trace is to itself: of a percentile in each window and in the next, the median
    /// of |ln(next / window)|. None where no two neighbours have enough requests.
    pub fn floor(&self, quantile: f64) -> Option<f64> {
        distance(&self.of_windows(|window| percentile(window, quantile)))
    }

    /// The same of the number of requests.
    pub fn floor_of_rate(&self) -> Option<f64> {
        let count = |window: &Histogram| Some(window.len() as f64).filter(|count| *count > 0.0);
        distance(&self.of_windows(count))
    }

    fn of_windows(&self, of: impl Fn(&Histogram) -> Option<f64>) -> Vec<Option<f64>> {
        self.windows.iter().map(of).collect()
    }
}

/// None also where most requests take no time: a trace that has no times writes zeros.
fn percentile(histogram: &Histogram, quantile: f64) -> Option<f64> {
    let is_known = supports(histogram.len(), quantile) && histogram.quantile_ns(0.5) > 0;
    is_known.then(|| histogram.quantile_ns(quantile) as f64)
}

fn distance(values: &[Option<f64>]) -> Option<f64> {
    let pairs = values.windows(2);
    let distances = pairs.filter_map(|pair| Some((pair[1]? / pair[0]?).ln().abs()));
    median(distances.collect())
}

/// The middle, or the mean of the two in the middle.
pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some(f64::midpoint(values[last / 2], values[values.len() / 2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,000 requests in each window, of this number of microseconds.
    fn of_windows(micros: &[u64]) -> Responses {
        let length = Nanos::from_secs(micros.len() as u64);
        let mut responses = Responses::new(length, micros.len() as u64 * 1_000);
        for (second, micros) in (0..).zip(micros) {
            for number in 0..1_000 {
                let at = Nanos(second * 1_000_000_000 + number * 1_000_000);
                responses.add(at, Nanos::from_micros(*micros));
            }
        }
        responses
    }

    #[test]
    fn a_trace_is_compared_with_itself() {
        let rounded = |floor: Option<f64>| floor.map(|floor| (floor * 1e3).round());
        let found = [&[100, 100][..], &[100, 200, 100, 100, 100], &[100]].map(|micros| {
            let responses = of_windows(micros);
            (
                rounded(responses.floor(0.99)),
                rounded(responses.floor_of_rate()),
            )
        });
        // Of one second there are two windows of 500 requests, which have no p99.
        let expected = [
            (Some(0.0), Some(0.0)),
            (Some(347.0), Some(0.0)),
            (None, Some(0.0)),
        ];
        assert_eq!(found, expected);
        assert_eq!(of_windows(&[100]).percentile(0.999), None);
    }
}
