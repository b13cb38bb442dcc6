//! Whether the requests of a task wait for earlier ones.
//!
//! In a closed load a request follows a completion. Three signs are looked for, in this order:
//! the number in flight is constant and requests follow completions at once; requests overlap
//! less often than independent ones would; or gaps are as much longer as the requests before
//! them take.

use super::buckets::Buckets;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Requests that start within this time while one is in flight are parts of one step: read-ahead
/// and a write that was split are not made independently.
const STEP_NS: u64 = 30_000;
/// A request that starts this soon after a completion at most follows it at once.
const MOST_IMMEDIATE_NS: u64 = 50_000;
/// A task that is idle for longer pauses.
const LEAST_PAUSE_NS: u64 = 20_000;
/// Steps without which nothing is decided.
const LEAST_STEPS: u64 = 30;
/// Overlaps that are expected at least for the second sign.
const LEAST_EXPECTED: f64 = 20.0;
/// Fewer overlaps than this share of the expected ones are those of a closed load.
const FEW_OVERLAPS: f64 = 0.4;
/// And fewer than this share are those of one chain, whoever makes the requests. Four clients of a
/// server have 0.84 of the expected ones, a copy 0.65, a single client with its journal 0.003.
const CHAIN: f64 = 0.05;
/// Share of the greatest number in flight that the mean is at least, if it is constant.
const FULL: f64 = 0.75;
/// Share of the requests that follow a completion at once, of a load that keeps its depth.
const MOST_FOLLOW: f64 = 0.5;
/// Requests that are made at once at least by a task that works in batches.
const BATCH: u32 = 4;
/// Requests in flight that are counted one by one.
const MOST_IN_FLIGHT: usize = 4096;

/// The times of the requests of one task.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace {
    /// Completions of those in flight.
    in_flight: BinaryHeap<Reverse<u64>>,
    /// The latest completion so far.
    completed_ns: Option<u64>,
    pub(super) requests: u64,
    /// Those that read, and those that flush.
    pub(super) reads: u64,
    pub(super) flushes: u64,
    with_service: u64,
    pub(super) first_ns: u64,
    pub(super) last_ns: u64,
    /// Number of requests that started with each number in flight, themselves included.
    depths: Vec<u32>,
    /// From the latest completion to a start.
    reactions: Buckets,
    /// Starts after an idle time.
    pauses: u64,
    step: Option<Step>,
    steps: u64,
    overlaps: u64,
    gaps: Buckets,
    services: Buckets,
    sums: Sums,
}

/// Requests that started together.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Instants in nanoseconds: of its first and of its last request, and of its completion.
    first: u64,
    last: u64,
    done: u64,
}

/// Sums of gaps and of the service times before them, seconds.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    gap: f64,
    service: f64,
    gap_squared: f64,
    service_squared: f64,
    both: f64,
}

/// Whether requests wait for earlier ones, where a user states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadKind {
    /// They come at instants of their own.
    Open,
    /// They wait.
    Closed,
}

/// How a task makes its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// At instants of its own.
    Open,
    /// After completions, with this number in flight at most.
    Closed { depth: u32 },
    /// Too few requests, or no service times.
    Unknown,
}

impl Pace {
    /// Adds a request. Instants must not go back. The answer is the length of a pause that it ends.
    pub(super) fn add(&mut self, at_ns: u64, service_ns: Option<u64>) -> Option<u64> {
        if self.requests == 0 {
            self.first_ns = at_ns;
        }
        self.requests += 1;
        self.last_ns = at_ns;
        let service_ns = service_ns?;
        self.with_service += 1;
        while let Some(Reverse(done_ns)) = self.in_flight.peek().copied() {
            if done_ns > at_ns && self.in_flight.len() < MOST_IN_FLIGHT {
                break;
            }
            self.in_flight.pop();
            self.completed_ns = self.completed_ns.max(Some(done_ns.min(at_ns)));
        }
        let done_ns = at_ns.saturating_add(service_ns);
        let reaction_ns = self.completed_ns.map(|completed_ns| at_ns - completed_ns);
        if let Some(reaction_ns) = reaction_ns {
            self.reactions.add(reaction_ns);
        }
        let is_idle = self.in_flight.is_empty();
        let pause_ns = reaction_ns.filter(|length_ns| is_idle && *length_ns > LEAST_PAUSE_NS);
        self.pauses += u64::from(pause_ns.is_some());
        self.in_flight.push(Reverse(done_ns));
        let depth = self.in_flight.len();
        if self.depths.len() <= depth {
            self.depths.resize(depth + 1, 0);
        }
        self.depths[depth] = self.depths[depth].saturating_add(1);
        self.add_to_step(at_ns, done_ns);
        pause_ns
    }

    fn add_to_step(&mut self, at_ns: u64, done_ns: u64) {
        let Some(step) = &mut self.step else {
            self.step = Some(Step {
                first: at_ns,
                last: at_ns,
                done: done_ns,
            });
            return;
        };
        if at_ns < step.done && at_ns - step.last < STEP_NS {
            step.last = at_ns;
            step.done = step.done.max(done_ns);
            return;
        }
        let gap_ns = at_ns - step.first;
        let service_ns = step.done - step.first;
        self.steps += 1;
        self.overlaps += u64::from(gap_ns < service_ns);
        self.gaps.add(gap_ns);
        self.services.add(service_ns);
        self.sums.add(gap_ns as f64 / 1e9, service_ns as f64 / 1e9);
        self.step = Some(Step {
            first: at_ns,
            last: at_ns,
            done: done_ns,
        });
    }

    /// What a user states of it, else what the times show. Without service times no depth is known.
    pub(super) fn manner_as(&self, stated: Option<LoadKind>) -> Manner {
        match stated {
            None => self.manner(),
            Some(LoadKind::Open) => Manner::Open,
            Some(LoadKind::Closed) if self.with_service == 0 => Manner::Unknown,
            Some(LoadKind::Closed) => {
                let (depth, mean) = self.depth();
                let is_full = mean >= FULL * f64::from(depth);
                let depth = is_full.then_some(depth);
                Manner::Closed {
                    depth: depth.unwrap_or_else(|| self.at_once()),
                }
            }
        }
    }

    fn manner(&self) -> Manner {
        if self.with_service < LEAST_STEPS {
            return Manner::Unknown;
        }
        let (depth, mean) = self.depth();
        if depth > 1 && mean >= FULL * f64::from(depth) && self.follows_at_once() {
            return Manner::Closed { depth };
        }
        if self.steps < LEAST_STEPS {
            return Manner::Unknown;
        }
        let expected = self.gaps.expected_below(&self.services);
        let is_closed = if expected >= LEAST_EXPECTED {
            (self.overlaps as f64) < FEW_OVERLAPS * expected
        } else {
            match self.sums.follows(self.steps as f64) {
                Some(follows) => follows,
                None => return Manner::Unknown,
            }
        };
        if is_closed {
            // What is together in a step is in flight together.
            Manner::Closed {
                depth: self.at_once(),
            }
        } else {
            Manner::Open
        }
    }

    /// Whether each request waits for the one before.
    pub(super) fn is_chain(&self) -> bool {
        let expected = self.gaps.expected_below(&self.services);
        expected >= LEAST_EXPECTED && (self.overlaps as f64) < CHAIN * expected
    }

    /// Whether it makes many requests at once, if it makes enough.
    pub(super) fn is_in_batches(&self) -> bool {
        self.at_once() >= BATCH
    }

    /// Requests from one pause to the next, on average; none without pauses.
    pub(super) fn burst(&self) -> Option<f64> {
        (self.pauses > 0).then(|| self.with_service as f64 / self.pauses as f64)
    }

    /// The number in flight that a hundredth of the requests exceeds at most, and the mean.
    fn depth(&self) -> (u32, f64) {
        let all: u64 = self.depths.iter().map(|count| u64::from(*count)).sum();
        let mut sum = 0.0;
        let (mut below, mut depth) = (0, 1);
        for (number, count) in self.depths.iter().enumerate() {
            if below * 100 < all * 99 {
                depth = number.max(1) as u32;
            }
            below += u64::from(*count);
            sum += number as f64 * f64::from(*count);
        }
        (depth, sum / all.max(1) as f64)
    }

    /// How many requests are made at once. Those of a batch start with 1, 2, … in flight, so that
    /// the median shows its size, whatever rare moments with many in flight there are.
    fn at_once(&self) -> u32 {
        let all: u64 = self.depths.iter().map(|count| u64::from(*count)).sum();
        // The numbers in flight below and above the middle, which are often the same.
        let at = |place: u64| {
            let mut sum = 0;
            let passed = self.depths.iter().position(|count| {
                sum += u64::from(*count);
                sum > place
            });
            passed.unwrap_or(0) as u32
        };
        let twice = at(all.saturating_sub(1) / 2) + at(all / 2);
        twice.saturating_sub(1).clamp(1, self.depth().0)
    }

    /// Whether most requests start right after a completion, more than would by chance.
    fn follows_at_once(&self) -> bool {
        let span_ns = self.last_ns - self.first_ns;
        let gap_ns = span_ns / self.with_service.max(1);
        let soon_ns = (gap_ns / 4).clamp(1, MOST_IMMEDIATE_NS);
        self.reactions.share_below(soon_ns) >= MOST_FOLLOW
    }
}

impl Sums {
    fn add(&mut self, gap: f64, service: f64) {
        self.gap += gap;
        self.service += service;
        self.gap_squared += gap * gap;
        self.service_squared += service * service;
        self.both += gap * service;
    }

    /// Whether a gap grows with the service time before it, as it does by the same amount in a
    /// closed load and not at all in an open one: the slope of the regression, and its standard
    /// error. None where they do not tell.
    fn follows(&self, count: f64) -> Option<bool> {
        let (gap, service) = (self.gap / count, self.service / count);
        let of_gap = (self.gap_squared / count - gap * gap).max(0.0);
        let of_service = (self.service_squared / count - service * service).max(0.0);
        let both = self.both / count - gap * service;
        if of_service <= 0.0 {
            return None;
        }
        let slope = both / of_service;
        let rest = (of_gap - slope * both).max(0.0);
        let error = (rest / of_service / count).sqrt();
        ((slope - 0.5).abs() > 2.0 * error).then_some(slope > 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::super::reuse::hash;
    use super::*;

    /// Exponential with this mean.
    fn drawn(number: u64, mean_ns: f64) -> u64 {
        let uniform = (hash(number) >> 11) as f64 / (1_u64 << 53) as f64;
        (-(1.0 - uniform).ln() * mean_ns) as u64
    }

    #[test]
    fn independent_arrivals_are_open() {
        for (gap_ns, service_ns) in [(100_000.0, 80_000.0), (1_000_000.0, 100_000.0)] {
            let mut pace = Pace::default();
            let mut now = 0;
            for number in 0..5000 {
                now += drawn(2 * number, gap_ns);
                pace.add(now, Some(drawn(2 * number + 1, service_ns)));
            }
            assert_eq!(pace.manner(), Manner::Open, "{gap_ns}");
        }
    }

    #[test]
    fn equal_gaps_are_open() {
        let mut pace = Pace::default();
        for number in 0..5000 {
            pace.add(number * 1_000_000, Some(drawn(number, 2_500_000.0)));
        }
        assert_eq!(pace.manner(), Manner::Open);
        let mut pace = Pace::default();
        for number in 0..5000 {
            pace.add(number * 1_000_000, Some(drawn(number, 50_000.0)));
        }
        assert_eq!(pace.manner(), Manner::Open);
    }

    #[test]
    fn what_waits_is_closed() {
        for think_ns in [0, 10_000, 1_000_000, 20_000_000] {
            let mut pace = Pace::default();
            let mut now = 0;
            for number in 0..5000 {
                let service_ns = 50_000 + drawn(number, 100_000.0);
                pace.add(now, Some(service_ns));
                now += service_ns + think_ns;
            }
            assert_eq!(pace.manner(), Manner::Closed { depth: 1 }, "{think_ns}");
            let is_paused = think_ns > LEAST_PAUSE_NS;
            assert_eq!(pace.burst().is_some(), is_paused, "{think_ns}");
        }
    }

    #[test]
    fn a_constant_depth_is_closed() {
        let mut pace = Pace::default();
        let mut done: BinaryHeap<Reverse<u64>> = BinaryHeap::new();
        for number in 0..20_000 {
            let now = if done.len() < 32 {
                0
            } else {
                done.pop().map_or(0, |Reverse(at)| at)
            };
            let service_ns = 50_000 + drawn(number, 100_000.0);
            pace.add(now, Some(service_ns));
            done.push(Reverse(now + service_ns));
        }
        assert_eq!(pace.manner(), Manner::Closed { depth: 32 });
    }

    #[test]
    fn nothing_is_said_without_service_times() {
        let mut pace = Pace::default();
        for number in 0..5000 {
            pace.add(number * 1000, None);
        }
        assert_eq!(pace.manner(), Manner::Unknown);
    }
}
