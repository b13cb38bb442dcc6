//! A load that rose or fell all the time.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::pace::{self, Pace, Unevenness};
use crate::samples;
use crate::stats::{CUSUM_LIMIT, cusum, level_shifts, noise};
use crate::subject;
use fathom_core::figure::{duration, iops, percent};
use fathom_core::interval::Part;
use fathom_core::result::{Bound, IntervalJob, LoadModel, Mechanism, PhaseResult, RunResult};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Excursion of the best-fit line from first to last value, of the mean
    TREND_PERCENT: f64 = 10.0, Percent, Published "SNIA PTS, 2.1.24";
    /// Slope of that line over its standard error: with 10 intervals or more, p < 0.004
    TREND_CERTAIN: f64 = 4.0, Sigmas, Decided;
    /// Complete intervals that a trend rests on at least
    TREND_INTERVALS: usize = 10, Count, Decided;
    /// Change of the mean in the last third of a run from which it is reported
    LATE_STEP: f64 = 0.05, Share, Decided;
    /// Complete intervals for that: ten to know the level by
    LATE_CHANGE_INTERVALS: usize = 15, Count, Decided;

    listed:

    /// Deviation of a value from its level that does not count
    crate::stats::CUSUM_SLACK as CUSUM_SLACK, Sigmas, Verified "k of tabular CUSUM";
    /// Cumulated deviation from which a level has been left
    crate::stats::CUSUM_LIMIT as CUSUM_LIMIT, Sigmas, Verified "h of tabular CUSUM";
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the load rose or fell all the time",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { Trend: Steadiness, Number,
        "qualified; suspect if levels differ by {UNEVEN_GROSS} or more; note if only the last \
         third differs slightly",
        "a closed load without a steady-state rule: its rate has up to {LEVELS:word} levels \
         with a standard deviation of {UNEVEN} of the mean or more (see `uneven`); or the \
         best-fit line moves more than {TREND_PERCENT} of the mean, at more than \
         {TREND_CERTAIN:word} standard errors, in {TREND_INTERVALS:word} intervals or more; or \
         the mean of the last third is {LATE_STEP} off the earlier level, and cumulated sums \
         raise an alarm there. Slices or intervals in which the load generator had no CPU for \
         {HELD_UP} or more do not count",
        [row::TREND_PERCENT, row::TREND_CERTAIN, row::TREND_INTERVALS, row::LATE_STEP,
            row::LATE_CHANGE_INTERVALS, row::CUSUM_SLACK, row::CUSUM_LIMIT, pace::row::UNEVEN,
            pace::row::UNEVEN_GROSS, pace::row::HELD_UP, pace::row::LEVELS],
        Example::Run(samples::reads, |r| {
            for (second, interval) in (0..).zip(&mut samples::phase(r).intervals) {
                let read = interval.jobs[0].ops[Op::Read].as_mut().expect("it reads");
                read.ios -= second * 250;
            }
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let closed = |phase: &PhaseResult| {
            let mut jobs = phase.jobs.iter();
            jobs.all(|job| job.load_model == LoadModel::Closed)
        };
        // The rule that was asked for has spoken of it.
        if phase.steady.is_some() || !closed(phase) {
            continue;
        }
        let pace = Pace::of(phase);
        if pace
            .as_ref()
            .is_some_and(|pace| pace.standstill().is_some())
        {
            continue;
        }
        if let Some(uneven) = pace.and_then(|pace| pace.unevenness()) {
            caveats.extend(stepped(result, phase, &uneven));
            continue;
        }
        let (rates, own) = rates(phase, result.provenance.workload.interval.0);
        let (Some(line), Some(of_own)) = (FittedLine::through(&rates), FittedLine::through(&own))
        else {
            continue;
        };
        if rates.len() < TREND_INTERVALS || !line.is_trend() || !of_own.is_trend() {
            caveats.extend(late(&rates).map(|caveat| caveat.about(subject::phase(result, phase))));
            continue;
        }
        let message = format!(
            "{}. The mean has little meaning",
            moved(&rates, line.excursion_percent > 0.0)
        );
        caveats.push(
            Code::Trend
                .caveat(Level::Qualified, message)
                .remedy(remedy(phase, line.excursion_percent > 0.0))
                .about(subject::phase(result, phase)),
        );
    }
}

/// An instant of a phase: to the hundredth of a second in its first minute.
fn instant(seconds: f64) -> String {
    if seconds < 60.0 {
        format!("{seconds:.2} s")
    } else {
        duration((seconds * 1e9) as u64)
    }
}

/// A pace with a few levels; `uneven` reports one without.
fn stepped(result: &RunResult, phase: &PhaseResult, uneven: &Unevenness) -> Option<Caveat> {
    let (first, last) = (uneven.levels.first()?, uneven.levels.last()?);
    let mut levels: Vec<String> = uneven.levels[..uneven.levels.len() - 1]
        .iter()
        .map(|level| format!("{} IOPS until {}", iops(level.iops), instant(level.end_s)))
        .collect();
    levels.push(format!("{} IOPS afterwards", iops(last.iops)));
    let message = format!(
        "the rate changed: {}. The mean of {} IOPS describes none of these levels",
        levels.join(", "),
        iops(uneven.mean)
    );
    let level = if uneven.is_gross() {
        Level::Suspect
    } else {
        Level::Qualified
    };
    let caveat = Code::Trend
        .caveat(level, message)
        .remedy(remedy(phase, last.iops > first.iops))
        .about(subject::phase(result, phase));
    Some(caveat)
}

/// What to do, as far as it is known what moved the load.
fn remedy(phase: &PhaseResult, rose: bool) -> String {
    let known = phase.bound.as_ref().and_then(|bound| of_cause(bound));
    match known {
        Some(words) => words,
        None if rose => {
            "use a longer warm-up (--warm-up), or stop at the steady state (`steady`)".to_owned()
        }
        None => "run longer (--time) to see the sustained rate, or stop at the steady state \
                 (`steady`)"
            .to_owned(),
    }
}

/// Gives the findings the remedies of what made the rates fall, once that has been found out.
pub(crate) fn renew(result: &mut RunResult) {
    for index in 0..result.phases.len() {
        let phase = &result.phases[index];
        let words = phase.bound.as_ref().and_then(|bound| of_cause(bound));
        let Some(words) = words else { continue };
        let about = subject::phase(result, phase);
        let is_meant = |one: &&mut Caveat| {
            Code::Trend.is(one) && one.level > Level::Note && one.subject == about
        };
        for one in result.caveats.iter_mut().filter(is_meant) {
            one.remedy.clone_from(&words);
        }
    }
}

/// What to do about a fall with a cause.
fn of_cause(bound: &Bound) -> Option<String> {
    let both = |before: f64, after: f64, until: &str| {
        format!(
            "report two rates instead of the mean: {} IOPS {until}, {} afterwards",
            iops(before),
            iops(after)
        )
    };
    let credit = |before: f64, after: f64| {
        let both = both(before, after, "while credit lasts");
        format!("{both}. A longer warm-up only uses up the credit unseen")
    };
    if let Some(fall) = bound.falls.iter().find(|fall| fall.is_credit) {
        return Some(credit(fall.before_iops, fall.after_iops));
    }
    let (before, after) = match (&bound.bucket, &bound.fall) {
        (Some(bucket), _) => (bucket.burst_iops, bucket.baseline_iops),
        (None, Some(fall)) => (fall.before_iops, fall.after_iops),
        (None, None) => return None,
    };
    let cause = bound.culprits.first().map(|one| one.mechanism);
    Some(match cause {
        None if bound.bucket.is_none() => return None,
        None | Some(Mechanism::VolumeCredit | Mechanism::InstanceCredit | Mechanism::Processor) => {
            credit(before, after)
        }
        Some(Mechanism::FlashCache | Mechanism::WriteCache | Mechanism::DirtyLimit) => format!(
            "{}. For the second rate, write more than the cache size during the warm-up \
             (--warm-up)",
            both(before, after, "until the cache is full")
        ),
        Some(Mechanism::Heat) => both(before, after, "while the device is cool"),
        Some(Mechanism::Collection) => format!(
            "{}. For the second rate, write the whole target twice first",
            both(before, after, "while there are empty blocks")
        ),
    })
}

/// How far the load moved, in shares that cannot pass the whole: of its first third where it fell.
fn moved(rates: &[f64], rose: bool) -> String {
    let third = (rates.len() / 3).max(1);
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let first = mean(&rates[..third]);
    let last = mean(&rates[rates.len() - third..]);
    let way = if rose { "rose" } else { "fell" };
    let change = (last / first - 1.0) * 100.0;
    if first <= 0.0 || (change > 0.0) != rose {
        return format!("the load {way} from start to end");
    }
    format!(
        "the load {way} by {} from the first third to the last ({} to {} IOPS)",
        percent(change.abs()),
        iops(first),
        iops(last)
    )
}

/// A level that was kept until the last third, and then left: the run ended too early to say what
/// lasts. Who asked for a time gets that time, and this.
fn late(rates: &[f64]) -> Option<Caveat> {
    if rates.len() < LATE_CHANGE_INTERVALS {
        return None;
    }
    let (early, last) = rates.split_at(rates.len() - rates.len() / 3);
    if !level_shifts(early).is_empty() {
        return None;
    }
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let level = mean(early);
    let change = mean(last) / level - 1.0;
    cusum(last, level, noise(early), CUSUM_LIMIT)?;
    if level <= 0.0 || change.abs() < LATE_STEP {
        return None;
    }
    let way = if change > 0.0 { "rose" } else { "fell" };
    let message = format!(
        "the rate {way} by {} in the last third. The run is too short to show which rate is \
         sustained",
        percent(change.abs() * 100.0)
    );
    Some(
        Code::Trend
            .caveat(Level::Note, message)
            .remedy("run longer (--time)"),
    )
}

/// Requests a second of the complete intervals that were measured, without those in which the
/// generator was held up; and the same over the time in which it had a processor.
fn rates(phase: &PhaseResult, interval_ns: u64) -> (Vec<f64>, Vec<f64>) {
    let measured = phase
        .intervals
        .iter()
        .filter(|one| one.part == Part::Measure);
    let complete = measured.filter(|one| one.length_ns >= interval_ns);
    let rates = complete.filter_map(|one| {
        let end_ns = one.start_ns.saturating_add(one.length_ns);
        let held_up = phase.held_up_share(one.start_ns, end_ns);
        let ios: u64 = one.jobs.iter().map(IntervalJob::ios).sum();
        let rate = ios as f64 * 1e9 / one.length_ns as f64;
        (held_up < pace::HELD_UP).then_some((rate, rate / (1.0 - held_up)))
    });
    rates.unzip()
}

/// The least-squares line through a series.
struct FittedLine {
    /// From first to last value along it, percent of the mean; negative where it falls.
    excursion_percent: f64,
    /// Its slope over the slope's standard error.
    certainty: f64,
}

impl FittedLine {
    fn is_trend(&self) -> bool {
        self.excursion_percent.abs() > TREND_PERCENT && self.certainty >= TREND_CERTAIN
    }

    fn through(values: &[f64]) -> Option<Self> {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        if values.len() < 3 || mean <= 0.0 {
            return None;
        }
        let middle = (n - 1.0) / 2.0;
        let offset = |index: usize| index as f64 - middle;
        let pairs = || values.iter().enumerate();
        let across: f64 = pairs().map(|(index, _)| offset(index).powi(2)).sum();
        let along: f64 = pairs()
            .map(|(index, value)| offset(index) * (value - mean))
            .sum();
        let slope = along / across;
        let rest: f64 = pairs()
            .map(|(index, value)| (value - mean - slope * offset(index)).powi(2))
            .sum();
        let error = (rest / (n - 2.0) / across).sqrt();
        Some(Self {
            excursion_percent: slope * (n - 1.0) / mean * 100.0,
            certainty: slope.abs() / error.max(f64::MIN_POSITIVE),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::Op;
    use fathom_core::fixture::{self, JobPlan, Stream};

    fn messages(series: Vec<u64>) -> Vec<String> {
        let stream = Stream::random(Op::Read, 4096, series);
        let jobs = vec![JobPlan::closed("randread", 32, vec![stream])];
        let result = fixture::run("trend", &[("measure", jobs)]);
        let found = found(&CHECK, &result).into_iter();
        found.map(|one| one.message).collect()
    }

    #[test]
    fn a_steady_fall_is_told_and_noise_is_not() {
        let falling = (0..20).map(|second| 10_000 - second * 100).collect();
        assert_eq!(
            messages(falling),
            [
                "the load fell by 14.4 % from the first third to the last (9,750 to 8,350 IOPS). \
                 The mean has little meaning"
            ]
        );
        let noisy = (0..20)
            .map(|second| 10_000 + (second * 7919 % 13) * 300)
            .collect();
        assert_eq!(messages(noisy), Vec::<String>::new());
    }

    #[test]
    fn the_remedy_is_that_of_what_made_it_fall() {
        let series = (0..20).map(|second| if second < 8 { 3_000 } else { 750 });
        let stream = Stream::random(Op::Read, 4096, series.collect());
        let jobs = vec![JobPlan::closed("randread", 32, vec![stream])];
        let mut result = fixture::run("trend", &[("measure", jobs)]);
        result.caveats = found(&CHECK, &result);
        let told = |result: &RunResult| result.caveats[0].remedy.clone();
        assert_eq!(
            told(&result),
            "run longer (--time) to see the sustained rate, or stop at the steady state (`steady`)"
        );
        crate::explain(&mut result, &[]);
        crate::renew_remedies(&mut result);
        assert_eq!(
            told(&result),
            "report two rates instead of the mean: 3,000 IOPS while credit lasts, 750.0 \
             afterwards. A longer warm-up only uses up the credit unseen"
        );
    }

    #[test]
    fn a_change_in_the_last_third_asks_for_a_longer_run() {
        let wobble = |second: u64| 10_000 + second * 7919 % 13 * 10;
        let late = |from: u64, lost: u64| {
            let rate = |second: u64| wobble(second) - if second < from { 0 } else { lost };
            messages((0..30).map(rate).collect())
        };
        assert_eq!(
            late(27, 3_000),
            [
                "the rate fell by 9.1 % in the last third. The run is too short to \
                 show which rate is sustained"
            ]
        );
        assert_eq!(late(27, 1_000), Vec::<String>::new());
        assert_eq!(late(30, 0), Vec::<String>::new());
    }
}
