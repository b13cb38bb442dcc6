//! A share of slow requests, and the bounds that its events give it.
//!
//! Slow requests come in bursts: a stall delays all that wait for it, and is one event. A run shows
//! a share by its number of independent events, so that the bounds are those of a binomial
//! distribution (Clopper and Pearson 1934) over events. How many requests make an event is unknown
//! until enough bursts were seen, and a run that saw none cannot tell that there are none: 32 at
//! least, which a queue of ordinary depth holds.

use super::judgement::ObjectiveOutcome;
use fathom_core::summary::MIN_TAIL_COUNT;
use statrs::distribution::{Beta, ContinuousCDF as _};

/// Probability that a true share lies beyond one of the bounds.
const TAIL: f64 = 0.025;
/// Requests that an event has at least.
const LEAST_PER_EVENT: f64 = 32.0;
/// Steps, each a quarter longer, in which the length that decides is searched: up to 800 times.
const LONGER_STEPS: i32 = 30;
const LONGER: f64 = 1.25;

/// Requests of a step that were slower than a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share {
    /// Requests beyond the limit.
    pub(super) beyond: f64,
    /// All requests.
    pub(super) all: f64,
    /// Requests that make one event.
    per_event: f64,
}

impl Share {
    /// A share of requests, of which `together` wait together (outstanding, or by how they
    /// scatter).
    pub(super) fn of(beyond: f64, all: f64, together: f64) -> Self {
        Self {
            beyond,
            all,
            per_event: together.max(LEAST_PER_EVENT),
        }
    }

    /// What the share says of a limit that allows the share `allowed`. It is kept only where ten
    /// events would have been seen at the limit.
    pub(super) fn outcome(self, allowed: f64) -> ObjectiveOutcome {
        let (low, high) = self.bounds();
        if high <= allowed && self.events_at(allowed) >= MIN_TAIL_COUNT {
            ObjectiveOutcome::Pass
        } else if low > allowed {
            ObjectiveOutcome::Fail
        } else {
            ObjectiveOutcome::Undecided
        }
    }

    /// How many times as many requests with the same share would decide it, if 800 times are
    /// enough.
    pub(super) fn longer(self, allowed: f64) -> Option<f64> {
        let times = (1..=LONGER_STEPS).map(|step| LONGER.powi(step));
        times.into_iter().find(|times| {
            let more = Self {
                beyond: self.beyond * times,
                all: self.all * times,
                ..self
            };
            more.outcome(allowed) != ObjectiveOutcome::Undecided
        })
    }

    /// Events that a step like this one has where the share is exactly what is allowed.
    pub(super) fn events_at(self, allowed: f64) -> f64 {
        self.all * allowed / self.per_event
    }

    /// Bounds of the share, each of which the true one exceeds with a probability of `TAIL`.
    fn bounds(self) -> (f64, f64) {
        let events = self.beyond / self.per_event;
        let others = (self.all - self.beyond) / self.per_event;
        let quantile = |one: f64, other: f64, share: f64| {
            Beta::new(one, other).map_or(0.5, |beta| beta.inverse_cdf(share))
        };
        let low = if events > 0.0 {
            quantile(events, others + 1.0, TAIL)
        } else {
            0.0
        };
        let high = if others > 0.0 {
            quantile(events + 1.0, others, 1.0 - TAIL)
        } else {
            1.0
        };
        (low, high)
    }
}

/// Requests without which a limit that allows the share `allowed` is never shown to be kept.
pub(super) fn fewest_requests(allowed: f64) -> f64 {
    MIN_TAIL_COUNT * LEAST_PER_EVENT / allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole events against the binomial distribution itself, summed term by term.
    #[test]
    fn the_bounds_are_exact() {
        let tail_up_to = |events: u32, of: u32, share: f64| -> f64 {
            let term = |k: u32| {
                let ways = (0..k).fold(0.0, |sum, i| {
                    sum + f64::from(of - i).ln() - f64::from(i + 1).ln()
                });
                (ways + f64::from(k) * share.ln() + f64::from(of - k) * (1.0 - share).ln()).exp()
            };
            (0..=events).map(term).sum()
        };
        for (events, of) in [(0, 100), (1, 100), (5, 500), (10, 1000), (200, 20_000)] {
            let share = Share::of(f64::from(events) * 32.0, f64::from(of) * 32.0, 1.0);
            let (low, high) = share.bounds();
            assert!(
                (tail_up_to(events, of, high) - TAIL).abs() < 1e-6,
                "{events} of {of}: {high}"
            );
            if events > 0 {
                let above = 1.0 - tail_up_to(events - 1, of, low);
                assert!((above - TAIL).abs() < 1e-6, "{events} of {of}: {low}");
            }
        }
    }

    #[test]
    fn ten_events_are_required_and_a_longer_step_has_them() {
        let share = |requests: f64| Share::of(0.0, requests, 1.0);
        assert_eq!(fewest_requests(0.01).round() as u64, 32_000);
        assert_eq!(share(31_999.0).outcome(0.01), ObjectiveOutcome::Undecided);
        assert_eq!(share(32_001.0).outcome(0.01), ObjectiveOutcome::Pass);
        assert_eq!(share(20_000.0).longer(0.01), Some(1.25_f64.powi(3)));
        // A share at the limit is never decided.
        assert_eq!(Share::of(320.0, 32_000.0, 1.0).longer(0.01), None);
        assert_eq!(
            Share::of(3200.0, 32_000.0, 1.0).outcome(0.01),
            ObjectiveOutcome::Fail
        );
        // More that wait together are fewer events.
        assert_eq!(
            Share::of(0.0, 32_001.0, 64.0).outcome(0.01),
            ObjectiveOutcome::Undecided
        );
    }
}
