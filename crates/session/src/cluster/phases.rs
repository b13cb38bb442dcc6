//! A phase over all members, in the form of a phase of one host.

use super::added;
use super::brief::Brief;
use super::members::place;
use crate::plan::Plan;
use fathom_cluster::MeasurementOutcome;
use fathom_cluster::merged::{PhaseTotal, SeriesTotal};
use fathom_cluster::message::SeriesCounts;
use fathom_cluster::timeline::IntervalSum;
use fathom_core::SmallSort as _;
use fathom_core::histogram::Packed;
use fathom_core::interval::Part;
use fathom_core::result::{
    Edges, EncodedHistogram, EndReason, ErrorTally, IntervalJob, IntervalOp, IntervalResult,
    JobResult, LoadModel, OpResult, PhaseResult, SlowRequest,
};
use fathom_core::spec::{Job, Phase};
use fathom_core::summary::{LatencySummary, Spread};
use fathom_core::{Histogram, Op};

/// The phase of this number among those of all repeats.
pub(super) fn of(
    plan: &Plan,
    outcome: &MeasurementOutcome,
    briefs: &[Option<Brief>],
    number: usize,
) -> PhaseResult {
    let specs = &plan.workload.phases;
    let spec = &specs[number % specs.len()];
    let total = &outcome.phases[number];
    let own = |brief: &'_ Brief| brief.phases.get(number).cloned();
    let own: Vec<PhaseResult> = briefs.iter().flatten().filter_map(own).collect();
    let most = |of: fn(&PhaseResult) -> u64| own.iter().map(of).max();
    let interval = plan.workload.interval;
    let intervals = intervals(spec, total);
    let whole_ns = interval.0.saturating_mul(total.span);
    let measured = intervals.iter().filter(|one| one.part == Part::Measure);
    let in_rows = measured.map(|one| one.length_ns).sum();
    let measured_ns = most(|one| one.measured_ns).unwrap_or(in_rows);
    let ended_by = own
        .first()
        .map_or(EndReason::Interrupted, |one| one.ended_by);
    let gone = outcome.members.iter().enumerate();
    let gone = gone.filter(|(_, member)| member.result.is_none() && member.has_finished(number));
    let gone: Vec<usize> = gone.map(|(rank, _)| rank).collect();
    let members = Members {
        outcome,
        own: &own,
        gone: if own.is_empty() { &[] } else { &gone },
        number,
        measured_ns,
        whole_ns,
        intervals: &intervals,
    };
    let jobs = spec.jobs.iter().enumerate();
    let jobs = jobs
        .map(|(index, job)| members.job(index, job, total))
        .collect();
    PhaseResult {
        repeat: (number / specs.len()) as u32 + 1,
        start_ns: most(|one| one.start_ns).unwrap_or(0),
        warm_up_ns: most(|one| one.warm_up_ns).unwrap_or(spec.warm_up.0),
        measured_ns,
        cool_down_ns: most(|one| one.cool_down_ns).unwrap_or(spec.cool_down.0),
        ended_by: if outcome.interrupted {
            EndReason::Interrupted
        } else {
            ended_by
        },
        jobs,
        intervals,
        ..PhaseResult::empty(&spec.name)
    }
}

/// The histogram of what travelled; it was checked when it came.
fn histogram(packed: &Packed) -> Histogram {
    packed.histogram().unwrap_or_default()
}

/// The rows of a phase on which anybody has reported.
pub(super) fn reported(total: &PhaseTotal) -> Vec<&IntervalSum> {
    let rows = total.rows.iter();
    rows.filter(|row| row.end_ns > row.start_ns).collect()
}

fn intervals(spec: &Phase, total: &PhaseTotal) -> Vec<IntervalResult> {
    let rows = reported(total).into_iter();
    rows.map(|row| interval_of(spec, row, total.span)).collect()
}

/// A row of the time series, which spans a number of intervals of the plan, as an interval of one
/// host.
pub(super) fn interval_of(spec: &Phase, row: &IntervalSum, span: u64) -> IntervalResult {
    IntervalResult {
        part: row.part,
        start_ns: row.start_ns,
        length_ns: row.end_ns.saturating_sub(row.start_ns),
        jobs: interval_jobs(spec, row, span),
    }
}

fn interval_jobs(spec: &Phase, row: &IntervalSum, span: u64) -> Vec<IntervalJob> {
    let jobs = 0..spec.jobs.len();
    jobs.map(|job| interval_job(job, row, span)).collect()
}

fn interval_job(job: usize, row: &IntervalSum, span: u64) -> IntervalJob {
    let mut entry = IntervalJob {
        job: job as u32,
        queue_depth_held: row
            .held
            .get(job)
            .map_or(0.0, |milli| *milli as f64 / 1e3 / span as f64),
        ..IntervalJob::default()
    };
    for op in Op::ALL {
        let at = place(job, op);
        let counts = row.counts.get(at).copied().unwrap_or_default();
        if counts.ios > 0 || counts.errors > 0 {
            let times = row.service.get(at).map(histogram).unwrap_or_default();
            entry.ops[op] = Some(IntervalOp {
                ios: counts.ios,
                bytes: counts.bytes,
                errors: counts.errors,
                service_ns: LatencySummary::of(&times),
                response_ns: None,
                service_histogram: Some(EncodedHistogram::of(&times)),
                response_histogram: None,
            });
        }
    }
    entry
}

struct Members<'a> {
    outcome: &'a MeasurementOutcome,
    own: &'a [PhaseResult],
    /// Ranks of those who finished this phase and were lost later. Their intervals were counted;
    /// what they would have said of themselves at the end, the others say of the same job.
    gone: &'a [usize],
    number: usize,
    measured_ns: u64,
    /// Length of a whole interval.
    whole_ns: u64,
    intervals: &'a [IntervalResult],
}

impl Members<'_> {
    fn jobs(&self, index: usize) -> impl Iterator<Item = &JobResult> + Clone {
        self.own
            .iter()
            .filter_map(move |phase| phase.jobs.get(index))
    }

    fn job(&self, index: usize, spec: &Job, total: &PhaseTotal) -> JobResult {
        let sum = |of: fn(&JobResult) -> u64| self.jobs(index).map(of).sum::<u64>();
        let gone = self.counted_of_gone(index, total);
        let mut job = JobResult {
            name: spec.name.clone(),
            load_model: self
                .jobs(index)
                .next()
                .map_or(LoadModel::Closed, |one| one.load_model),
            targets: self.targets(index),
            threads: self.for_all(sum(|one| u64::from(one.threads))) as u32,
            active_ns: self.jobs(index).map(|one| one.active_ns).max().unwrap_or(0),
            queue_depth: self.for_all(sum(|one| one.queue_depth)),
            queue_depth_possible: self.for_all(sum(|one| one.queue_depth_possible)),
            queue_depth_held: self.held(index),
            submitted: sum(|one| one.submitted) + gone.ios + gone.errors,
            completed: sum(|one| one.completed) + gone.ios,
            failed: sum(|one| one.failed) + gone.errors,
            edges: self.edges(index),
            offered_iops: self
                .sum_of(index, |one| one.offered_iops)
                .map(|rate: f64| rate * self.all() as f64 / self.own.len() as f64),
            due: self
                .sum_of(index, |one| one.due)
                .map(|due| self.for_all(due)),
            max_lag_ns: self.jobs(index).filter_map(|one| one.max_lag_ns).max(),
            queued: self
                .sum_of(index, |one| one.queued)
                .map(|queued| self.for_all(queued)),
            end_flush_ns: self.jobs(index).filter_map(|one| one.end_flush_ns).max(),
            verified: added::verified(self.jobs(index)),
            read_back: added::read_back(self.jobs(index)),
            calls: added::calls(self.jobs(index)),
            stuck: added::stuck(self.jobs(index)),
            errors: self.errors(index),
            workers: Vec::new(),
            ..JobResult::default()
        };
        for op in Op::ALL {
            if let Some(total) = total.series.get(place(index, op))
                && (total.counts.ios > 0 || self.jobs(index).any(|one| one.ops.get(op).is_some()))
            {
                job.ops[op] = Some(self.op(index, op, total));
            }
        }
        job
    }

    /// Members that went through the phase to its end.
    const fn all(&self) -> usize {
        self.own.len() + self.gone.len()
    }

    /// A sum over those who reported, as it is over all who went through the phase: each has the
    /// same jobs.
    fn for_all(&self, sum: u64) -> u64 {
        let own = self.own.len().max(1) as u128;
        let all = u128::from(sum) * self.all() as u128 / own;
        all.try_into().unwrap_or(u64::MAX)
    }

    /// Outstanding requests: what each reported at its end, or where one did not, the mean of what
    /// all reported in the intervals.
    fn held(&self, index: usize) -> f64 {
        if self.gone.is_empty() {
            return self.jobs(index).map(|one| one.queue_depth_held).sum();
        }
        let measured = self.intervals.iter();
        let measured = measured.filter(|one| one.part == Part::Measure);
        let (mut held, mut length) = (0.0, 0.0);
        for interval in measured {
            let depth = interval.jobs.get(index).map(|job| job.queue_depth_held);
            held += depth.unwrap_or(0.0) * interval.length_ns as f64;
            length += interval.length_ns as f64;
        }
        held / f64::max(length, 1.0)
    }

    /// What was counted of a job of those who are gone.
    fn counted_of_gone(&self, index: usize, total: &PhaseTotal) -> SeriesCounts {
        let mut sum = SeriesCounts::default();
        let of_gone = self.gone.iter().filter_map(|rank| total.members.get(*rank));
        for counts in of_gone {
            for op in Op::REQUESTS {
                if let Some(counts) = counts.get(place(index, op)) {
                    sum.add(counts);
                }
            }
        }
        sum
    }

    /// The sum of what all have, if any has reported.
    fn sum_of<T: std::iter::Sum>(
        &self,
        index: usize,
        of: fn(&JobResult) -> Option<T>,
    ) -> Option<T> {
        self.jobs(index).next()?;
        self.jobs(index).map(of).sum()
    }

    /// All targets, each with its host before its path.
    fn targets(&self, index: usize) -> Vec<String> {
        let finished = self
            .outcome
            .members
            .iter()
            .filter(|member| member.result.is_some());
        let members = finished.zip(self.jobs(index));
        let named = members.flat_map(|(member, job)| {
            let host = &member.name.host;
            job.targets.iter().map(move |path| format!("{host}:{path}"))
        });
        let gone = self.gone.iter();
        let gone =
            gone.map(|rank| format!("{}:(not reported)", self.outcome.members[*rank].name.host));
        named.chain(gone).collect()
    }

    fn edges(&self, index: usize) -> Option<Edges> {
        let edges = self.jobs(index).map(|one| one.edges);
        edges.sum_or_none()
    }

    fn errors(&self, index: usize) -> Vec<ErrorTally> {
        let mut errors: Vec<ErrorTally> = Vec::new();
        for one in self.jobs(index).flat_map(|job| &job.errors) {
            let same = |other: &&mut ErrorTally| other.op == one.op && other.errno == one.errno;
            match errors.iter_mut().find(same) {
                Some(known) => known.count += one.count,
                None => errors.push(one.clone()),
            }
        }
        errors
    }

    fn op(&self, index: usize, op: Op, total: &SeriesTotal) -> OpResult {
        let service = histogram(&total.service);
        let response = total.response.as_ref().map(histogram);
        let seconds = self.measured_ns as f64 / 1e9;
        let rate = |amount: u64| {
            if seconds > 0.0 {
                amount as f64 / seconds
            } else {
                0.0
            }
        };
        let own = || self.jobs(index).filter_map(|job| job.ops.get(op));
        let late = own().filter_map(|one| one.late).reduce(|mut sum, one| {
            sum += one;
            sum
        });
        let times = |all: &Histogram| {
            let mut times = LatencySummary::of(all);
            // Members send their late requests with their results, and not one by one.
            times.max = times.max.max(late.map_or(0, |late| late.longest_ns()));
            times
        };
        let service_ns = times(&service);
        let response_ns = response.as_ref().map(times);
        OpResult {
            ios: total.counts.ios,
            bytes: total.counts.bytes,
            iops: rate(total.counts.ios),
            bytes_per_second: rate(total.counts.bytes),
            errors: total.counts.errors,
            short: own().map(|one| one.short).sum(),
            short_bytes: own().map(|one| one.short_bytes).sum(),
            late,
            iops_by_interval: self.by_interval(index, op, |one| one.ios),
            bytes_per_second_by_interval: self.by_interval(index, op, |one| one.bytes),
            response_ns: response_ns.unwrap_or_else(|| service_ns.clone()),
            service_ns,
            service_histogram: Some(EncodedHistogram::of(&service)),
            response_histogram: response.as_ref().map(EncodedHistogram::of),
            slowest: self.slowest(index, op),
            ..OpResult::default()
        }
    }

    /// Amounts a second in the whole intervals of the measured time.
    fn by_interval(&self, index: usize, op: Op, amount: fn(&IntervalOp) -> u64) -> Spread {
        let whole = self
            .intervals
            .iter()
            .filter(|one| one.part == Part::Measure && one.length_ns == self.whole_ns);
        let rates = whole.map(|one| {
            let done = one
                .jobs
                .get(index)
                .and_then(|job| job.ops.get(op))
                .map_or(0, amount);
            done as f64 / (one.length_ns as f64 / 1e9)
        });
        Spread::of(&rates.collect::<Vec<_>>())
    }

    /// The slowest of the slowest of all members.
    fn slowest(&self, index: usize, op: Op) -> Vec<SlowRequest> {
        let finished = self
            .outcome
            .members
            .iter()
            .filter_map(|member| member.result.as_ref());
        let mut slowest = Vec::new();
        // The targets of all members follow one another.
        let mut before = 0;
        for (result, job) in finished.zip(self.jobs(index)) {
            let own = result.slowest.iter().filter(|slow| {
                slow.phase as usize == self.number && usize::from(slow.series) == place(index, op)
            });
            slowest.extend(own.map(|slow| SlowRequest {
                issued_ns: slow.issued_ns,
                service_ns: slow.service_ns,
                lag_ns: None,
                target: slow.target.saturating_add(before),
                offset: slow.offset,
                bytes: slow.bytes,
            }));
            before = before.saturating_add(job.targets.len() as u16);
        }
        slowest.small_sort_by_key(|slow| std::cmp::Reverse(slow.service_ns));
        slowest.truncate(fathom_core::slowest::KEPT);
        slowest
    }
}

/// Adds up what only some have.
trait SumOrNone {
    fn sum_or_none(self) -> Option<Edges>;
}

impl<I: Iterator<Item = Option<Edges>>> SumOrNone for I {
    fn sum_or_none(self) -> Option<Edges> {
        self.flatten().reduce(|sum, one| Edges {
            before: sum.before + one.before,
            after: sum.after + one.after,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_cluster::MemberOutcome;
    use fathom_cluster::coordinator::MemberFate;
    use fathom_cluster::event::{Counted, Name};
    use fathom_cluster::message::MemberResult;
    use fathom_core::fixture;

    const PHASES: usize = 3;
    const SECOND: u64 = 1_000_000_000;

    /// Of three hosts, the last is lost in the third phase; the others report at their end.
    #[expect(
        clippy::too_many_lines,
        reason = "a table of what three members report"
    )]
    fn outcome() -> (Plan, MeasurementOutcome, Vec<Option<Brief>>) {
        let mut whole = fixture::random_read();
        let mut phase = whole.phases[0].clone();
        phase.intervals.clear();
        phase.measured_ns = 10 * SECOND;
        let job = &mut phase.jobs[0];
        (job.threads, job.queue_depth, job.queue_depth_possible) = (2, 8, 8);
        (job.queue_depth_held, job.completed) = (7.5, 1000);
        job.targets = vec!["/data/f".to_owned()];
        whole.phases = vec![phase; PHASES];
        let brief = Brief::read(&Brief::fitting(&whole, false)).expect("as it was written");
        let plan = Plan::new(whole.provenance.workload.clone());
        let counts = SeriesCounts {
            ios: 1000,
            bytes: 4_096_000,
            ..SeriesCounts::default()
        };
        let at = place(0, Op::Read);
        let of = |counts: SeriesCounts| {
            let mut series = vec![SeriesCounts::default(); Op::ALL.len()];
            series[at] = counts;
            series
        };
        let mut sum = SeriesCounts::default();
        (0..3).for_each(|_| sum.add(&counts));
        let mut series = vec![SeriesTotal::default(); Op::ALL.len()];
        series[at].counts = sum;
        let total = PhaseTotal {
            series,
            rows: vec![IntervalSum {
                start_ns: 0,
                end_ns: 10 * SECOND,
                part: Part::Measure,
                counts: of(sum),
                service: Vec::new(),
                held: vec![22_500],
                members: vec![1000; 3],
            }],
            span: 1,
            members: vec![of(counts); 3],
        };
        let member = |(rank, is_lost): (u32, bool)| MemberOutcome {
            name: Name {
                host: format!("h{rank}"),
                rank: Some(rank),
            },
            identity: None,
            place: None,
            seed: 0,
            fate: if is_lost {
                MemberFate::Lost("its connection ended".to_owned())
            } else {
                MemberFate::Finished
            },
            counted: Some(Counted {
                phase: 2,
                interval: 0,
                ios: 3000,
            }),
            offset_ns: None,
            starts: vec![None; PHASES],
            result: (!is_lost).then(|| MemberResult {
                phases: Vec::new(),
                slowest: Vec::new(),
                doubts: Vec::new(),
                devices: Vec::new(),
                brief: Vec::new(),
            }),
            is_balanced: None,
            left: Vec::new(),
        };
        let outcome = MeasurementOutcome {
            members: [(0, false), (1, false), (2, true)].map(member).into(),
            phases: vec![total; PHASES],
            invalid_below_percent: 50.0,
            abandoned: None,
            interrupted: false,
        };
        (plan, outcome, vec![Some(brief.clone()), Some(brief), None])
    }

    #[test]
    fn a_lost_member_counts_in_the_phases_that_it_finished() {
        let (plan, outcome, briefs) = outcome();
        let told = |number| {
            let phase = of(&plan, &outcome, &briefs, number);
            let job = &phase.jobs[0];
            let read = job.ops[Op::Read].as_ref().expect("reads");
            (
                (read.iops as u64, job.completed, job.threads),
                (job.queue_depth, job.queue_depth_held),
                job.targets.clone(),
            )
        };
        let targets = |names: &[&str]| {
            names
                .iter()
                .map(|&name| name.to_owned())
                .collect::<Vec<_>>()
        };
        let whole = (
            (300, 3000, 6),
            (24, 22.5),
            targets(&["h0:/data/f", "h1:/data/f", "h2:(not reported)"]),
        );
        assert_eq!((told(0), told(1)), (whole.clone(), whole));
        let without = (
            (300, 2000, 4),
            (16, 15.0),
            targets(&["h0:/data/f", "h1:/data/f"]),
        );
        assert_eq!(told(2), without);
        let members = crate::cluster::members::all(&plan, &outcome, &briefs);
        let rates: Vec<u64> = members[2]
            .phases
            .iter()
            .map(|phase| phase.iops as u64)
            .collect();
        assert_eq!(rates, [100, 100, 0]);
    }
}
