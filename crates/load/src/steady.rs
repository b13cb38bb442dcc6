//! Watches for a steady state, round by round.

use crate::book::JobBook;
use fathom_core::Nanos;
use fathom_core::result::SteadyReport;
use fathom_core::spec::{Steady, SteadyMetric};
use fathom_verdict::stats::steady_window;
use std::collections::VecDeque;

/// What the last round led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steadiness {
    /// Go on.
    Open,
    /// The last window is steady.
    Reached,
    /// The most rounds allowed have passed without it.
    GivenUp,
}

/// The rounds so far, and the books of those in the window.
#[derive(Debug)]
pub struct SteadyWatch {
    rule: Steady,
    rounds: Vec<f64>,
    window: VecDeque<Round>,
    current: Round,
}

/// One round.
#[derive(Clone, Debug, Default)]
struct Round {
    jobs: Vec<JobBook>,
    start: Option<Nanos>,
    length: Nanos,
}

impl SteadyWatch {
    /// A watch by `rule`.
    pub fn new(rule: Steady) -> Self {
        Self {
            rule,
            rounds: Vec::new(),
            window: VecDeque::new(),
            current: Round::default(),
        }
    }

    /// Adds a complete interval of the measured time; says where that leaves the phase.
    pub fn add(&mut self, jobs: &[JobBook], start: Nanos, length: Nanos) -> Steadiness {
        self.current.jobs.resize_with(jobs.len(), JobBook::default);
        for (mine, theirs) in self.current.jobs.iter_mut().zip(jobs) {
            mine.merge(theirs);
        }
        self.current.start.get_or_insert(start);
        self.current.length = self.current.length + length;
        if self.current.length < self.rule.round {
            return Steadiness::Open;
        }
        let round = std::mem::take(&mut self.current);
        self.rounds.push(round.metric(self.rule.metric));
        self.window.push_back(round);
        let wanted = self.rule.rounds as usize;
        if self.window.len() > wanted {
            self.window.pop_front();
        }
        if self.window.len() == wanted && self.passes() {
            Steadiness::Reached
        } else if self.rounds.len() >= self.rule.max_rounds as usize {
            Steadiness::GivenUp
        } else {
            Steadiness::Open
        }
    }

    /// Whole rounds so far.
    pub fn count(&self) -> usize {
        self.rounds.len()
    }

    fn passes(&self) -> bool {
        let last = &self.rounds[self.rounds.len().saturating_sub(self.rule.rounds as usize)..];
        last.len() == self.rule.rounds as usize
            && steady_window(last).is_some_and(|window| window.keeps(&self.rule))
    }

    /// The window as one: its books, its start and its length. What was measured after the last
    /// whole round is left out, unless there is no whole round at all.
    pub fn into_measured(mut self) -> (Vec<JobBook>, Option<Nanos>, Nanos) {
        if self.window.is_empty() {
            self.window.push_back(self.current);
        }
        let start = self.window.front().and_then(|round| round.start);
        let mut sum = Round::default();
        for round in self.window {
            sum.jobs
                .resize_with(round.jobs.len().max(sum.jobs.len()), JobBook::default);
            for (mine, theirs) in sum.jobs.iter_mut().zip(&round.jobs) {
                mine.merge(theirs);
            }
            sum.length = sum.length + round.length;
        }
        (sum.jobs, start, sum.length)
    }

    /// How it went.
    pub fn report(&self) -> SteadyReport {
        let first = self.rounds.len().saturating_sub(self.rule.rounds as usize);
        let window = steady_window(&self.rounds[first..]);
        SteadyReport {
            reached: self.passes(),
            rounds: self.rounds.clone(),
            range_percent: window.map_or(0.0, |window| window.range_percent),
            excursion_percent: window.map_or(0.0, |window| window.excursion_percent),
            missed: window.map_or_else(Vec::new, |window| window.missed(&self.rule)),
        }
    }
}

impl Round {
    fn metric(&self, metric: SteadyMetric) -> f64 {
        let sum = |of: fn(&JobBook) -> u64| self.jobs.iter().map(of).sum::<u64>() as f64;
        let seconds = self.length.as_secs_f64();
        match metric {
            SteadyMetric::Iops => sum(|job| job.sum(|op| op.ios)) / seconds,
            SteadyMetric::Throughput => sum(|job| job.sum(|op| op.bytes)) / seconds,
            SteadyMetric::ServiceTime => {
                let totals = self.jobs.iter().map(JobBook::service_total);
                let (time, count) =
                    totals.fold((0, 0), |(time, count), (t, n)| (time + t, count + n));
                time as f64 / (count as f64).max(1.0)
            }
        }
    }
}
