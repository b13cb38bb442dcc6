//! The search for the highest rate under objectives, and the shape of the curve around it.
//!
//! A closed run gives the maximum; a bisection finds the rate and a longer run a little below
//! verifies it; two more searches of other random arrivals, in a narrower range, say how far the
//! answer moves; then the curve is drawn at fixed shares of the maximum.

use super::StepPlan;
use super::axis;
use super::report::served_iops;
use fathom_core::Nanos;
use fathom_core::result::{PhaseResult, RampAxis, RateAnswer, StepPurpose};
use fathom_core::spec::Phase;
use fathom_load::course::{Leg, PhaseOrder};
use fathom_verdict::slo::{Objective, RateSearch, SearchEnd, judge};
use fathom_verdict::stats::median;

/// Shares of the closed maximum at which the curve is drawn, percent.
const SHAPE: [u32; 8] = [10, 25, 50, 70, 80, 90, 95, 100];
/// Lowest rate of the search, share of the maximum.
const LOWEST: f64 = 0.05;
/// How many times as long a step may get to be decided.
const MOST_LONGER: u64 = 8;
/// How much longer the verifying run is.
const VERIFY_LONGER: u64 = 3;
/// How many times as long it may get to be decided.
const VERIFY_MOST: u64 = VERIFY_LONGER * MOST_LONGER;
/// Range of the further searches around the first answer.
const NARROW: f64 = 1.2;

/// How long and how often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchTimes {
    /// Measured time of a step.
    pub step: Nanos,
    /// Ratio minus one between what keeps and what breaks the objectives at the end.
    pub precision: f64,
    /// Searches in all.
    pub repetitions: u32,
}

/// How long a step is, in steps of the search.
#[derive(Clone, Copy, Debug)]
struct Lengths {
    /// At first.
    plain: u64,
    /// To be decided, at most.
    most: u64,
    /// Whether it has its ten events within the most.
    has_events: bool,
}

/// The course of a rate ramp, with objectives or without.
#[derive(Debug)]
pub struct ObjectiveSearch {
    template: Phase,
    objectives: Vec<Objective>,
    times: SearchTimes,
    steps: Vec<StepPlan>,
    maximum_iops: f64,
    search: Option<RateSearch>,
    /// How many times as long the undecided rate is tried once more.
    again: Option<u64>,
    /// Seconds of the run that would have decided, where the longest one did not.
    decides_s: Option<f64>,
    ends: Vec<SearchEnd>,
    shape: Vec<f64>,
    shape_is_planned: bool,
}

impl ObjectiveSearch {
    /// A course over rates of the template's load.
    pub const fn new(template: Phase, objectives: Vec<Objective>, times: SearchTimes) -> Self {
        Self {
            template,
            objectives,
            times,
            steps: Vec::new(),
            maximum_iops: 0.0,
            search: None,
            again: None,
            decides_s: None,
            ends: Vec::new(),
            shape: Vec::new(),
            shape_is_planned: false,
        }
    }

    /// What the phases were, in their order.
    pub fn steps(&self) -> &[StepPlan] {
        &self.steps
    }

    /// What the search found, if objectives were given.
    pub fn answer(&self, phases: &[PhaseResult]) -> Option<RateAnswer> {
        if self.objectives.is_empty() {
            return None;
        }
        let found = self.ends.iter().filter_map(|end| match end {
            SearchEnd::Found { rate, .. } => Some(*rate),
            _ => None,
        });
        let rates: Vec<f64> = found.collect();
        let broken = self.ends.iter().filter_map(|end| match end {
            SearchEnd::Found { broken_at, .. } => Some(*broken_at),
            _ => None,
        });
        let rate = (!rates.is_empty()).then(|| median(&rates));
        let verified = rate.and_then(|rate| self.nearest_verified(rate));
        Some(RateAnswer {
            objectives: self.objectives.iter().map(ToString::to_string).collect(),
            rate,
            broken_at: broken.reduce(f64::min),
            share_percent: rate
                .filter(|_| self.maximum_iops > 0.0)
                .map(|rate| 100.0 * rate / self.maximum_iops),
            outstanding: verified
                .and_then(|index| phases.get(index))
                .map(super::report::outstanding),
            reason: if rates.is_empty() {
                self.why_none()
            } else {
                String::new()
            },
            decides_s: self.decides_s.filter(|_| rates.is_empty()),
            rates,
        })
    }

    fn nearest_verified(&self, rate: f64) -> Option<usize> {
        let verified = self
            .steps
            .iter()
            .enumerate()
            .filter(|(_, step)| step.purpose == StepPurpose::Verify);
        verified
            .min_by(|(_, a), (_, b)| (a.value - rate).abs().total_cmp(&(b.value - rate).abs()))
            .map(|(index, _)| index)
    }

    fn why_none(&self) -> String {
        match self.ends.first() {
            Some(SearchEnd::NeverKept { lowest }) => format!(
                "not even {} IOPS, {} % of the closed load's maximum, meet the objectives",
                fathom_core::figure::iops(*lowest),
                (LOWEST * 100.0) as u32
            ),
            Some(SearchEnd::Unconfirmed { tried }) => format!(
                "the longer runs down to {} IOPS did not confirm the result of the short ones",
                fathom_core::figure::iops(*tried)
            ),
            Some(SearchEnd::TooShort { tried }) => {
                let seconds = self.decides_s.unwrap_or_default();
                let step = (seconds / VERIFY_MOST as f64).ceil();
                format!(
                    "undecided: steps at {} IOPS met them, but with too few events. A run of {} is \
                     long enough; use --step {step:.0}s",
                    fathom_core::figure::iops(*tried),
                    fathom_core::figure::time(seconds * 1e9)
                )
            }
            _ => self.stopped_while(),
        }
    }

    /// What a ramp that was stopped had not found yet.
    fn stopped_while(&self) -> String {
        let last = self.steps.last();
        match last.map(|step| (step.purpose, fathom_core::figure::iops(step.value))) {
            Some((StepPurpose::Verify, rate)) => {
                format!("undecided: the ramp was stopped while {rate} IOPS were verified")
            }
            Some((StepPurpose::Search, rate)) => {
                format!("undecided: the search was stopped at {rate} IOPS")
            }
            _ => "the ramp was stopped before the search".to_owned(),
        }
    }

    /// Takes in what the last phase has shown.
    fn hear(&mut self, done: &[PhaseResult]) {
        let (Some(phase), Some(step)) = (done.last(), self.steps.last()) else {
            return;
        };
        match step.purpose {
            StepPurpose::Maximum => {
                self.maximum_iops = served_iops(phase);
                if !self.objectives.is_empty() {
                    let low = self.maximum_iops * LOWEST;
                    self.begin_search(low, self.maximum_iops);
                }
            }
            StepPurpose::Search | StepPurpose::Verify => {
                let judgement = judge(phase, &self.objectives);
                let lengths = self.lengths(step);
                let had = self.again.take();
                let longer = judgement.longer().map(|times| {
                    let had = had.unwrap_or(lengths.plain) as f64;
                    (had * times).ceil() as u64
                });
                if had.is_none() && longer.is_some_and(|times| times <= lengths.most) {
                    self.again = longer;
                    return;
                }
                // One that had the time for its events, and saw larger ones, says something.
                let is_short = judgement.is_short() && !lengths.has_events;
                if step.purpose == StepPurpose::Verify {
                    let least = is_short.then(|| self.seconds_of_events(step.value));
                    let seconds = longer.map(|times| times as f64 * self.times.step.0 as f64 / 1e9);
                    self.decides_s = seconds.or(least);
                }
                if let Some(search) = &mut self.search {
                    search.tell(judgement.outcome, is_short);
                    if let Some(end) = search.end() {
                        self.ends.push(end);
                        self.begin_next_search(end);
                    }
                }
            }
            StepPurpose::Curve => {}
        }
    }

    /// How many times as long as a step of the search a step is, and may get to be decided. One
    /// that has its ten events within that gets the time for them at once.
    fn lengths(&self, plan: &StepPlan) -> Lengths {
        let (plain, most) = match plan.purpose {
            StepPurpose::Verify => (VERIFY_LONGER, VERIFY_MOST),
            _ => (1, MOST_LONGER),
        };
        let seconds = self.seconds_of_events(plan.value);
        let needed = (seconds * 1e9 / self.times.step.0.max(1) as f64).ceil() as u64;
        let has_events = needed <= most;
        Lengths {
            plain: if has_events { plain.max(needed) } else { plain },
            most,
            has_events,
        }
    }

    /// In how many seconds a rate has the ten events without which nothing is kept; a fiftieth
    /// more, for arrivals are random.
    fn seconds_of_events(&self, rate: f64) -> f64 {
        let requests = self.objectives.iter().map(Objective::fewest_requests);
        1.02 * requests.fold(0.0, f64::max) / rate.max(1e-9)
    }

    fn begin_search(&mut self, low: f64, high: f64) {
        self.search = Some(RateSearch::new(low, high, self.times.precision));
    }

    fn begin_next_search(&mut self, end: SearchEnd) {
        self.search = None;
        if let SearchEnd::Found { passed, .. } = end
            && (self.ends.len() as u32) < self.times.repetitions
        {
            self.begin_search(passed / NARROW, passed * NARROW);
        }
    }

    fn next_step(&mut self) -> Option<(StepPlan, u64)> {
        if self.steps.is_empty() {
            let maximum = StepPlan {
                purpose: StepPurpose::Maximum,
                value: 0.0,
            };
            return Some((maximum, 1));
        }
        if let Some(step) = self.search.as_ref().and_then(RateSearch::next_step) {
            let plan = StepPlan {
                purpose: if step.verifies {
                    StepPurpose::Verify
                } else {
                    StepPurpose::Search
                },
                value: step.rate,
            };
            let times = self.again.unwrap_or_else(|| self.lengths(&plan).plain);
            return Some((plan, times));
        }
        if !self.shape_is_planned {
            self.shape_is_planned = true;
            self.shape = SHAPE
                .iter()
                .map(|percent| self.maximum_iops * f64::from(*percent) / 100.0)
                .filter(|rate| *rate > 0.0)
                .collect();
        }
        if self.shape.is_empty() {
            return None;
        }
        let curve = StepPlan {
            purpose: StepPurpose::Curve,
            value: self.shape.remove(0),
        };
        Some((curve, 1))
    }
}

impl PhaseOrder for ObjectiveSearch {
    fn next_leg(&mut self, done: &[PhaseResult]) -> Option<Leg> {
        self.hear(done);
        let (step, times) = self.next_step()?;
        let number = self.steps.len() + 1;
        let mut phase = if step.purpose == StepPurpose::Maximum {
            axis::closed(&self.template, "closed-maximum".to_owned())
        } else {
            let word = match step.purpose {
                StepPurpose::Verify => "verify",
                StepPurpose::Search => "search",
                _ => "rate",
            };
            let name = format!("{word}-{}-step-{number}", step.value.round());
            axis::at(&self.template, RampAxis::Rate, step.value, name)
        };
        phase.duration = Some(Nanos(self.times.step.0.saturating_mul(times)));
        self.steps.push(step);
        Some(Leg {
            template: 0,
            repeat: 1,
            phase,
            alone: false,
            interval: None,
        })
    }

    fn expected(&self) -> usize {
        let bisection = if self.objectives.is_empty() {
            0
        } else {
            let halvings = ((1.0 / LOWEST).ln() / (1.0 + self.times.precision).ln()).log2();
            halvings.ceil() as usize + 3
        };
        (1 + bisection + SHAPE.len()).max(self.steps.len() + 1)
    }
}
