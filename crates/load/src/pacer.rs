//! When the next request of a thread is due.

use crate::amount::Amounts;
use crate::pause::Pause;
use crate::random::Random;
use crate::rate_levels::RateLevels;
use crate::shared::Shared;
use fathom_core::spec::{Arrivals, Job, Pacing, RateCurve};
use fathom_core::{Nanos, Rate};
use rand_distr::Exp1;

/// How often a job that waits for another one's burst looks whether it has ended.
const AFTER_POLL: Nanos = Nanos::from_micros(200);

/// Fractions of a nanosecond are kept in units of 2^-20, so that a rate of 10 million a second
/// is exact to a part in 10^8.
const FRACTION_BITS: u32 = 20;

/// What the pacer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// A request is due at this instant.
    Now(Nanos),
    /// Not before this instant.
    At(Nanos),
    /// Not before something in flight has completed.
    WhenIdle,
}

#[derive(Clone, Debug)]
enum Mode {
    Closed,
    Think {
        pause: Box<Pause>,
        burst: u64,
        left: u64,
        resume: Nanos,
    },
    Open(Box<Arrival>),
    Burst(Burst),
}

/// The schedule of an open load.
#[derive(Clone, Debug)]
struct Arrival {
    /// Instant of the next arrival after the start, in 2^-20 ns.
    next: u128,
    /// Arrivals that were issued since they were last asked for.
    arrived: u64,
    /// Mean gap in 2^-20 ns: of a request, or of a byte.
    gap: f64,
    by_bytes: bool,
    poisson: bool,
    random: Random,
    /// When the rate is higher than between bursts.
    levels: Option<RateLevels>,
}

#[derive(Clone, Copy, Debug)]
struct Burst {
    bytes: u64,
    left: u64,
    /// Begin of the running or of the next burst.
    begin: Nanos,
    /// Period; zero for a burst that is triggered.
    every: Nanos,
    running: bool,
    done: u64,
}

/// Decides when a thread's requests are due.
#[derive(Clone, Debug)]
pub struct Pacer {
    mode: Mode,
    start: Nanos,
    /// From the start of the phase to that of the job.
    delay: Nanos,
    /// Job whose bursts are waited for.
    after: Option<usize>,
    /// Bursts of it that have been answered.
    answered: u64,
    waiting: bool,
}

impl Pacer {
    /// The pacer of thread `thread` of `job`; `after` is the position of the job it waits for.
    /// Threads with one `job_seed` have their random bursts at the same time.
    pub fn new(job: &Job, thread: u32, after: Option<usize>, [job_seed, seed]: [u64; 2]) -> Self {
        // Who has nothing to do is not made, and does not wait for its turn either.
        let amounts = Amounts::of(job);
        let threads = u64::from(amounts.threads_at_work());
        let burst = |every| {
            let bytes = amounts.share_of_burst(thread).unwrap_or(0);
            Mode::Burst(Burst {
                bytes,
                left: bytes,
                begin: Nanos::ZERO,
                every,
                running: false,
                done: 0,
            })
        };
        let mode = match &job.pacing {
            Pacing::Closed { think, .. } if *think == Nanos::ZERO => Mode::Closed,
            Pacing::Closed { think, burst } => Mode::Think {
                pause: Box::new(Pause::new(job, *think, seed)),
                burst: *burst,
                left: *burst,
                resume: Nanos::ZERO,
            },
            Pacing::Open { rate, arrivals } => Mode::Open(Box::new(Arrival::new(
                *rate,
                (*arrivals, job.rate_curve.as_ref()),
                (thread, threads),
                [job_seed, seed],
            ))),
            Pacing::Cyclic { every, .. } => burst(*every),
            Pacing::Triggered { .. } => burst(Nanos::ZERO),
        };
        Self {
            mode,
            start: Nanos::ZERO,
            delay: job.delay,
            after,
            answered: 0,
            waiting: after.is_some() || job.delay > Nanos::ZERO,
        }
    }

    /// Whether a request is due whenever there is room for it, from begin to end.
    pub const fn is_free(&self) -> bool {
        matches!(self.mode, Mode::Closed) && !self.waiting && self.after.is_none()
    }

    /// Whether requests come in bursts, whose lengths are recorded.
    pub const fn is_in_bursts(&self) -> bool {
        matches!(self.mode, Mode::Burst(_))
    }

    /// How often it looks whether another job's burst has ended, while it waits for that alone.
    pub fn polls(&self) -> Option<Nanos> {
        let is_waiting = self.waiting && self.after.is_some();
        is_waiting.then_some(AFTER_POLL)
    }

    /// Bursts that have ended.
    pub const fn bursts_done(&self) -> u64 {
        match &self.mode {
            Mode::Burst(burst) => burst.done,
            _ => 0,
        }
    }

    /// Sets the start of the phase.
    pub fn begin(&mut self, start: Nanos) {
        let start = start.saturating_add(self.delay);
        self.start = start;
        match &mut self.mode {
            Mode::Burst(burst) => burst.begin = start,
            Mode::Think { resume, .. } => *resume = start,
            Mode::Closed | Mode::Open(_) => {}
        }
    }

    /// Whether a request is due at `now`. `idle` says that nothing of this thread is in flight.
    #[inline]
    pub fn due(&mut self, now: Nanos, idle: bool, shared: &Shared) -> Due {
        if matches!(self.mode, Mode::Closed) && !self.waiting {
            return Due::Now(now);
        }
        self.due_by_schedule(now, idle, shared)
    }

    #[inline(never)]
    fn due_by_schedule(&mut self, now: Nanos, idle: bool, shared: &Shared) -> Due {
        if self.waiting {
            if now < self.start {
                return Due::At(self.start);
            }
            if let Some(job) = self.after {
                let ended = shared.bursts_ended(job);
                if ended <= self.answered {
                    return Due::At(now.saturating_add(AFTER_POLL));
                }
                self.follow(ended, now);
            }
            self.waiting = false;
        }
        match &mut self.mode {
            Mode::Closed => Due::Now(now),
            Mode::Think {
                pause,
                burst,
                left,
                resume,
            } => {
                if *left == 0 && idle {
                    // Nothing will complete that could end it.
                    *left = *burst;
                    *resume = pause.after(now, self.start);
                }
                if *left == 0 {
                    Due::WhenIdle
                } else if now < *resume {
                    Due::At(*resume)
                } else {
                    Due::Now(now)
                }
            }
            Mode::Open(arrival) => {
                let at = self.start.saturating_add(arrival.at());
                if at > now {
                    return Due::At(at);
                }
                Due::Now(at)
            }
            Mode::Burst(burst) => {
                if burst.left == 0 {
                    return if idle { Due::At(now) } else { Due::WhenIdle };
                }
                if now < burst.begin {
                    return Due::At(burst.begin);
                }
                burst.running = true;
                Due::Now(now)
            }
        }
    }

    /// The burst that was waited for has ended: begins at `now`.
    fn follow(&mut self, ended: u64, now: Nanos) {
        self.answered = ended;
        if let Mode::Open(_) = self.mode {
            self.start = now;
        }
        if let Mode::Burst(burst) = &mut self.mode {
            burst.begin = now;
        }
    }

    /// A request of `len` bytes was issued.
    #[inline]
    pub fn issued(&mut self, len: u32) {
        match &mut self.mode {
            Mode::Closed => {}
            Mode::Think { left, .. } => *left -= 1,
            Mode::Open(arrival) => {
                arrival.arrived += 1;
                arrival.advance(len);
            }
            Mode::Burst(burst) => burst.left = burst.left.saturating_sub(u64::from(len)),
        }
    }

    /// Nothing is in flight any more, at `now`. Ends a burst that has been issued whole and
    /// gives its length.
    #[inline]
    pub fn idle(&mut self, now: Nanos) -> Option<Nanos> {
        match &mut self.mode {
            Mode::Closed | Mode::Open(_) => None,
            Mode::Think {
                pause,
                burst,
                left,
                resume,
                ..
            } => {
                if *left == 0 {
                    *left = *burst;
                    *resume = pause.after(now, self.start);
                }
                None
            }
            Mode::Burst(burst) => {
                if burst.left > 0 || !burst.running {
                    return None;
                }
                let length = now.saturating_sub(burst.begin);
                burst.running = false;
                burst.done += 1;
                burst.left = burst.bytes;
                // A burst that took longer than its period delays the next one.
                burst.begin = (burst.begin + burst.every).max(now);
                self.waiting = burst.every == Nanos::ZERO;
                Some(length)
            }
        }
    }

    /// Arrivals due before `at` that were not issued yet: the backlog of an open load. Of random
    /// arrivals the first is known, and as many more as come in that time on average; with a rate
    /// in bytes what comes after the first depends on sizes that are not chosen yet.
    pub fn backlog(&self, at: Nanos) -> u64 {
        let Mode::Open(arrival) = &self.mode else {
            return 0;
        };
        let since = u128::from(at.saturating_sub(self.start).0) << FRACTION_BITS;
        if self.waiting || arrival.next >= since {
            return 0;
        }
        if arrival.by_bytes {
            return 1;
        }
        let more = match &arrival.levels {
            Some(levels) => (levels.gaps(arrival.next, since) / arrival.gap) as u128,
            None => (since - arrival.next - 1) / (arrival.gap.round() as u128).max(1),
        };
        whole(more).saturating_add(1)
    }

    /// Arrivals issued since the last call (open loads); a flush is none.
    pub fn take_arrived(&mut self) -> u64 {
        match &mut self.mode {
            Mode::Open(arrival) => std::mem::take(&mut arrival.arrived),
            _ => 0,
        }
    }

    /// How late the next arrival of an open load is at `now`.
    pub fn lag(&self, now: Nanos) -> Nanos {
        let Mode::Open(arrival) = &self.mode else {
            return Nanos::ZERO;
        };
        if self.waiting {
            return Nanos::ZERO;
        }
        now.saturating_sub(self.start.saturating_add(arrival.at()))
    }
}

impl Arrival {
    fn new(
        rate: Rate,
        (arrivals, curve): (Arrivals, Option<&RateCurve>),
        (thread, threads): (u32, u64),
        [job_seed, seed]: [u64; 2],
    ) -> Self {
        let unit = 1e9 * f64::from(1 << FRACTION_BITS);
        let gap = unit * threads as f64 / rate.per_second();
        let bursts = match &arrivals {
            Arrivals::Bursts(bursts) => Some(bursts),
            Arrivals::Constant | Arrivals::Poisson => None,
        };
        let mut arrival = Self {
            next: 0,
            arrived: 0,
            gap,
            by_bytes: matches!(rate, Rate::BytesPerSecond(_)),
            poisson: arrivals != Arrivals::Constant,
            random: Random::new(seed),
            levels: RateLevels::new(bursts, curve, unit / 1e9, job_seed),
        };
        if arrival.by_bytes {
            // The first one is where the rate is above 0.
            arrival.step(0.0);
        } else if arrival.poisson {
            arrival.advance(0);
        } else {
            // The threads' grids interleave to one grid of the whole job.
            arrival.step((gap * f64::from(thread) / threads as f64).floor());
        }
        arrival
    }

    fn at(&self) -> Nanos {
        Nanos(whole(self.next >> FRACTION_BITS))
    }

    /// Moves to the next arrival after a request of `len` bytes. The gap is kept to 2^-20 ns:
    /// truncating it to microseconds is what makes other generators too fast.
    fn advance(&mut self, len: u32) {
        let size = if self.by_bytes { f64::from(len) } else { 1.0 };
        let factor = if self.poisson {
            self.random.sample(&Exp1)
        } else {
            1.0
        };
        self.step(self.gap * size * factor);
    }

    /// Moves by a gap at the mean rate.
    #[inline]
    fn step(&mut self, gap: f64) {
        self.next = match &mut self.levels {
            Some(levels) => levels.after(self.next, gap),
            None => self.next.saturating_add(gap.round() as u128),
        };
    }
}

/// The number, or the largest one: an arrival in centuries is one that never comes.
fn whole(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Gaps of an arrival schedule in nanoseconds.
    fn gaps(rate: f64, arrivals: Arrivals, count: usize) -> Vec<f64> {
        let mut arrival = Arrival::new(Rate::Iops(rate), (arrivals, None), (0, 1), [7, 42]);
        let unit = f64::from(1 << FRACTION_BITS);
        (0..count)
            .map(|_| {
                let before = arrival.next;
                arrival.advance(4096);
                (arrival.next - before) as f64 / unit
            })
            .collect()
    }

    fn mean_and_variation(gaps: &[f64]) -> (f64, f64) {
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let square = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
        (mean, square.sqrt() / mean)
    }

    #[test]
    fn poisson_gaps_are_exponential() {
        let mut gaps = gaps(300_000.0, Arrivals::Poisson, 100_000);
        let (mean, variation) = mean_and_variation(&gaps);
        assert!((mean / 3333.33 - 1.0).abs() < 0.01, "mean {mean} ns");
        assert!(
            (variation - 1.0).abs() < 0.02,
            "coefficient of variation {variation}"
        );
        // Kolmogorov and Smirnov's distance to the exponential distribution.
        gaps.sort_by(f64::total_cmp);
        let n = gaps.len() as f64;
        let distance = gaps.iter().enumerate().map(|(index, gap)| {
            let exact = 1.0 - (-gap * 300_000.0 / 1e9).exp();
            (exact - index as f64 / n)
                .abs()
                .max((exact - (index + 1) as f64 / n).abs())
        });
        let distance = distance.fold(0.0, f64::max);
        assert!(distance < 0.01, "distance {distance}");
    }

    proptest! {
        /// Every rate that can be parsed, from one request in the age of the universe upwards.
        #[test]
        fn no_arrival_is_early_however_low_the_rate(
            exponent in -300.0..9.0_f64,
            poisson: bool,
            threads in 1_u64..5,
        ) {
            let rate = 10_f64.powf(exponent);
            let arrivals = if poisson { Arrivals::Poisson } else { Arrivals::Constant };
            let arrivals = (arrivals, None);
            let mut arrival = Arrival::new(Rate::Iops(rate), arrivals, (0, threads), [7, 42]);
            if !poisson {
                arrival.advance(4096);
            }
            let factor: f64 = if poisson { Random::new(42).sample(&Exp1) } else { 1.0 };
            let gap_ns = 1e9 * threads as f64 / rate * factor;
            let last = arrival.at().0;
            // Half a unit of rounding, and what a float cannot hold.
            prop_assert!(last as f64 + 1.5 >= gap_ns.min(1e19) * (1.0 - 1e-12), "{last} {gap_ns}");
            arrival.advance(4096);
            prop_assert!(arrival.at().0 >= last);
        }
    }

    #[test]
    fn arrivals_in_bursts_have_the_mean_rate_and_the_dispersion_of_their_description() {
        for clocked in [false, true] {
            let bursts = fathom_core::spec::Bursts {
                share: fathom_core::Percent(80.0),
                every: Nanos::from_millis(1013),
                length: Nanos::from_millis(101),
                clocked,
            };
            let mut counts = vec![0.0; 20_000];
            for thread in 0..2 {
                let arrivals = Arrivals::Bursts(bursts);
                let seeds = [7, u64::from(thread)];
                let mut arrival =
                    Arrival::new(Rate::Iops(1000.0), (arrivals, None), (thread, 2), seeds);
                while let Some(count) = counts.get_mut((arrival.at().0 / 50_000_000) as usize) {
                    *count += 1.0;
                    arrival.advance(4096);
                }
            }
            let n = counts.len() as f64;
            let mean = counts.iter().sum::<f64>() / n;
            let variance = counts
                .iter()
                .map(|count| (count - mean).powi(2))
                .sum::<f64>()
                / n;
            let expected = bursts.dispersion(1000.0, 0.05);
            let close = |a: f64, b: f64, most: f64| (a / b - 1.0).abs() < most;
            assert!(close(mean, 50.0, 0.06), "{clocked}: mean {mean}");
            assert!(
                close(variance / mean, expected, 0.12),
                "{clocked}: dispersion {} instead of {expected}",
                variance / mean
            );
        }
    }

    #[test]
    fn a_backlog_in_bursts_is_what_comes_on_average_however_long_it_is() {
        let bursts = |clocked| fathom_core::spec::Bursts {
            share: fathom_core::Percent(80.0),
            every: Nanos::from_secs(1),
            length: Nanos::from_millis(100),
            clocked,
        };
        let pacer = |rate: f64, clocked| {
            let arrivals = Arrivals::Bursts(bursts(clocked));
            let rate = Rate::Iops(rate);
            let job = Job {
                pacing: Pacing::Open { rate, arrivals },
                ..Job::plain()
            };
            Pacer::new(&job, 0, None, [7, 42])
        };
        let of = |ms: u64| pacer(1000.0, true).backlog(Nanos::from_millis(ms)) as f64;
        // Within the first burst, after it, and after ten of them: the first arrival is drawn.
        for (ms, mean) in [(50, 410.0), (100, 820.0), (600, 920.0), (10_000, 10_000.0)] {
            assert!((of(ms) - mean).abs() <= 10.0, "{ms} ms: {}", of(ms));
        }
        // More bursts than are followed one by one, at once.
        let year = pacer(1e9, false).backlog(Nanos::from_secs(366 * 86_400)) as f64;
        assert!((year / (366.0 * 86_400e9) - 1.0).abs() < 0.01, "{year}");
    }

    #[test]
    fn a_curve_moves_the_arrivals_of_all_threads_and_keeps_their_mean() {
        let curve = RateCurve {
            every: Nanos::from_secs(1),
            levels: vec![0, 1, 3],
        };
        let mut counts = [0_u32; 9];
        for thread in 0..2 {
            let with = (Arrivals::Constant, Some(&curve));
            let mut arrival = Arrival::new(Rate::Iops(1000.0), with, (thread, 2), [7, 42]);
            while let Some(count) = counts.get_mut((arrival.at().0 / 1_000_000_000) as usize) {
                *count += 1;
                arrival.advance(4096);
            }
        }
        let off = counts.iter().zip([0_u32, 750, 2250].iter().cycle());
        let off: Vec<bool> = off
            .map(|(count, mean)| count.abs_diff(*mean) <= 2)
            .collect();
        assert_eq!(off, [true; 9], "{counts:?}");
    }

    #[test]
    fn constant_gaps_do_not_drift() {
        let gaps = gaps(300_000.0, Arrivals::Constant, 3_000_000);
        let ten_seconds: f64 = gaps.iter().sum();
        assert!((ten_seconds - 1e10).abs() < 10.0, "{ten_seconds} ns");
    }
}
