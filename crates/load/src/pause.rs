//! How long a thread pauses.

use crate::random::Random;
use crate::rate_levels::RateLevels;
use fathom_core::Nanos;
use fathom_core::spec::{Job, PauseLength};
use rand_distr::StandardUniform;

/// The pauses of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Pause {
    mean: Nanos,
    /// Lengths over their mean, each with the share of the pauses that are shorter or as long.
    lengths: Box<[(f64, f64)]>,
    /// When pauses are shorter than on average.
    levels: Option<RateLevels>,
    random: Random,
}

impl Pause {
    pub(crate) fn new(job: &Job, mean: Nanos, seed: u64) -> Self {
        let mut sum = 0.0;
        let lengths = PauseLength::factors(&job.pauses);
        let lengths = lengths.into_iter().map(|(share, factor)| {
            sum += share;
            (sum, factor)
        });
        Self {
            mean,
            lengths: lengths.collect(),
            levels: RateLevels::new(None, job.rate_curve.as_ref(), 1.0, seed),
            random: Random::new(seed),
        }
    }

    /// The end of a pause that begins now, in a job that began at `start`.
    pub(crate) fn after(&mut self, now: Nanos, start: Nanos) -> Nanos {
        let length = self.length();
        let Some(levels) = &mut self.levels else {
            return now.saturating_add(length);
        };
        let from = now.saturating_sub(start);
        let until = levels.after(u128::from(from.0), length.0 as f64);
        start.saturating_add(Nanos(u64::try_from(until).unwrap_or(u64::MAX)))
    }

    /// Of the next one, where levels do not change it.
    fn length(&mut self) -> Nanos {
        let Some((_, longest)) = self.lengths.last().copied() else {
            return self.mean;
        };
        let drawn: f64 = self.random.sample(&StandardUniform);
        let found = self.lengths.iter().find(|(share, _)| drawn < *share);
        let factor = found.map_or(longest, |(_, factor)| *factor);
        Nanos((self.mean.0 as f64 * factor) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::Percent;
    use fathom_core::spec::RateCurve;

    fn job(pauses: &[(f64, u32)], levels: &[u32]) -> Job {
        let pauses = pauses.iter().map(|(share, length)| PauseLength {
            share: Percent(*share),
            length: *length,
        });
        Job {
            pauses: pauses.collect(),
            rate_curve: (!levels.is_empty()).then(|| RateCurve {
                every: Nanos::from_secs(1),
                levels: levels.to_vec(),
            }),
            ..Job::plain()
        }
    }

    #[test]
    fn lengths_have_their_shares_and_the_mean() {
        let mut pause = Pause::new(&job(&[(90.0, 5), (10.0, 55)], &[]), Nanos(10_000), 7);
        let drawn: Vec<u64> = (0..100_000)
            .map(|_| pause.after(Nanos(50), Nanos::ZERO).0 - 50)
            .collect();
        let long = drawn.iter().filter(|length| **length == 55_000).count();
        let short = drawn.iter().filter(|length| **length == 5000).count();
        assert_eq!(long + short, drawn.len());
        // Five standard deviations of a binomial with p = 0.1.
        assert!(long.abs_diff(10_000) < 475, "{long}");
    }

    #[test]
    fn pauses_follow_the_curve() {
        let mut pause = Pause::new(&job(&[], &[300, 100, 0]), Nanos(300_000_000), 7);
        let second = 1_000_000_000;
        let start = Nanos(second);
        // At 2.25, 0.75 and 0 times the mean rate.
        let found = [0, second, 2 * second]
            .map(|at| pause.after(Nanos(second + at), start).0 - second - at);
        assert_eq!(found, [133_333_333, 400_000_000, 1_133_333_333]);
    }
}
