//! What the history of a metric shows, in words.

use super::{Series, SeriesPoint};
use crate::compare::{Factor, Metric};
use crate::stats::{LEAST_RUNS, LevelChange, LevelChanges};
use fathom_core::SmallSort as _;
use fathom_core::figure::{count, percent, plural};
use serde::Serialize;

/// Version of the JSON of [`Trends`]; raised where a field loses its meaning.
pub const TREND_VERSION: u32 = 1;

/// Factors that the sentence of a change names.
const NAMED: usize = 2;

/// The history of one metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Trend {
    /// The usable runs, the earliest first.
    #[serde(flatten)]
    pub series: Series,
    /// What was measured of each run.
    pub metric: Metric,
    /// Runs that are SUSPECT, INVALID or without a value.
    pub left_out: usize,
    /// `None` where too few runs are usable.
    pub found: Option<Shifts>,
}

/// What was found in a history.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shifts {
    /// Levels and changes.
    #[serde(flatten)]
    pub changes: LevelChanges,
    /// For each change, what differs between the last run before it and the first run after it.
    pub differences: Vec<Vec<Factor>>,
}

/// The answer to a question about one or more metrics.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Trends {
    /// Always [`TREND_VERSION`].
    pub trend_version: u32,
    /// Each metric; those that got worse first, then those that got better.
    pub trends: Vec<Trend>,
    /// Other metrics in the history, which were not asked for.
    pub others: usize,
}

impl Trend {
    /// Evaluates a history. `differences` compares two runs by their ids.
    ///
    /// # Errors
    ///
    /// Those of `differences`.
    pub fn of<E>(
        mut series: Series,
        metric: Metric,
        mut differences: impl FnMut(&str, &str) -> Result<Vec<Factor>, E>,
    ) -> Result<Self, E> {
        let all = series.points.len();
        let is_usable = |point: &SeriesPoint| {
            let is_trusted = ["VALID", "QUALIFIED"].contains(&point.state.as_str());
            is_trusted && point.value.is_some_and(|value| value > 0.0)
        };
        series.points.retain(is_usable);
        let values: Vec<f64> = series.points.iter().filter_map(|one| one.value).collect();
        let found = match LevelChanges::of(&values) {
            None => None,
            Some(changes) => {
                let pairs = changes.changes.iter().map(|change| {
                    let [before, after] = [change.at - 1, change.at];
                    differences(&series.points[before].run_id, &series.points[after].run_id)
                });
                let differences = pairs.collect::<Result<_, E>>()?;
                Some(Shifts {
                    changes,
                    differences,
                })
            }
        };
        Ok(Self {
            left_out: all - series.points.len(),
            series,
            metric,
            found,
        })
    }

    /// The changes, the earliest first, each with what changed in the setup.
    pub fn changes(&self) -> impl DoubleEndedIterator<Item = (&LevelChange, &[Factor])> {
        self.found.iter().flat_map(|found| {
            let factors = found.differences.iter().map(Vec::as_slice);
            found.changes.changes.iter().zip(factors)
        })
    }

    /// Whether the latest change made it worse; `None` without a change.
    pub fn got_worse(&self) -> Option<bool> {
        let (latest, _) = self.changes().next_back()?;
        Some((latest.ratio.estimate < 1.0) == self.metric.is_rate())
    }

    /// The runs with which the disk changed, each with the disk before: seen also where the metric
    /// did not change.
    pub fn disk_changes(&self) -> Vec<(usize, &str)> {
        let mut known: Option<&str> = None;
        let mut changes = Vec::new();
        for (at, point) in self.series.points.iter().enumerate() {
            let disk = point.disk.as_str();
            if disk.is_empty() {
                continue;
            }
            if let Some(before) = known.filter(|before| *before != disk) {
                changes.push((at, before));
            }
            known = Some(disk);
        }
        changes
    }

    /// The latest change of the disk in words, after a semicolon; empty without one.
    fn disk_words(&self) -> String {
        let changes = self.disk_changes();
        let Some((at, before)) = changes.last() else {
            return String::new();
        };
        let SeriesPoint { run_id, disk, .. } = &self.series.points[*at];
        let day = self.day(*at);
        format!("; the disk changed from {before} to {disk} at run {run_id} of {day}")
    }

    /// What was measured, as in `read IOPS of nightly on /data/f.dat`.
    pub fn subject(&self) -> String {
        let key = &self.series.key;
        let name = match self.metric {
            Metric::Iops => "IOPS",
            Metric::Throughput => "throughput",
            Metric::Mean => "mean latency",
            Metric::Percentile(..) => &format!("{} latency", self.metric.name()),
        };
        let origin = match key.origin.as_str() {
            "measured" => String::new(),
            other => format!("{other} "),
        };
        format!(
            "{origin}{} {name} of {} on {}",
            key.op, key.workload, key.targets
        )
    }

    /// Where it was measured, as in `host lab7, io_uring, main/oltp, closed, 2 × 32`.
    pub fn place(&self) -> String {
        let key = &self.series.key;
        format!(
            "host {}, {}, {}/{}, {}, {} × {}",
            key.hostname,
            key.engine,
            key.phase,
            key.job,
            key.load_model,
            key.threads,
            key.queue_depth
        )
    }

    /// The answer in one sentence: the latest change, or that there is none.
    pub fn sentence(&self) -> String {
        let subject = self.subject();
        let runs = self.series.points.len();
        let Some(found) = &self.found else {
            let usable = plural(runs as u64, "usable run");
            let left_out = match self.left_out {
                0 => String::new(),
                some => format!(" and {} left out", count(some as u64)),
            };
            return format!(
                "{subject}: {usable}{left_out}, too few to find changes ({LEAST_RUNS} are needed)"
            );
        };
        let Some((latest, factors)) = self.changes().next_back() else {
            let [first, last] = [0, runs - 1].map(|at| self.day(at));
            let runs = plural(runs as u64, "run");
            let disk = self.disk_words();
            return format!(
                "{subject}: steady over {runs} from {first} to {last}, no change{disk}"
            );
        };
        let earlier = match found.changes.changes.len() - 1 {
            0 => String::new(),
            more => format!("; {}", plural(more as u64, "earlier change")),
        };
        let words = self.change_words(latest, factors);
        let is_disk = |factor: &Factor| ["device", "origin"].contains(&factor.name);
        let is_told = factors.iter().any(is_disk);
        let disk = if is_told {
            String::new()
        } else {
            self.disk_words()
        };
        format!("{subject} {words}{disk}{earlier}")
    }

    /// A change in words: its size with the interval, its run, and what changed in the setup with
    /// it.
    pub fn change_words(&self, change: &LevelChange, factors: &[Factor]) -> String {
        let ratio = &change.ratio;
        let verb = if ratio.estimate < 1.0 { "fell" } else { "rose" };
        let share = |ratio: f64| (ratio - 1.0).abs() * 100.0;
        let (one, two) = (share(ratio.low), share(ratio.high));
        let run = &self.series.points[change.at].run_id;
        let confidence = (ratio.confidence * 100.0).round();
        format!(
            "{verb} {} ({confidence} % interval {} to {}) at run {run} of {}; {}",
            percent(share(ratio.estimate)),
            percent(one.min(two)),
            percent(one.max(two)),
            self.day(change.at),
            causes(factors)
        )
    }

    /// The day of a run in UTC.
    pub fn day(&self, at: usize) -> &str {
        let started_at = &self.series.points[at].started_at;
        started_at.get(..10).unwrap_or(started_at)
    }
}

/// What changed together with the metric.
fn causes(factors: &[Factor]) -> String {
    if factors.is_empty() {
        return "no known part of the setup changed in this run".to_owned();
    }
    let mut words: Vec<String> = factors.iter().take(NAMED).map(factor_words).collect();
    if factors.len() > NAMED {
        words.push(plural((factors.len() - NAMED) as u64, "other difference"));
    }
    format!("in the same run {}", words.join(", "))
}

fn factor_words(factor: &Factor) -> String {
    let [before, after] = factor.values();
    format!("{} changed from {before} to {after}", factor.subject())
}

impl Trends {
    /// The answer; what got worse is first.
    pub fn new(mut trends: Vec<Trend>, others: usize) -> Self {
        trends.small_sort_by_key(|trend| match trend.got_worse() {
            Some(true) => 0,
            Some(false) => 1,
            None => 2,
        });
        Self {
            trend_version: TREND_VERSION,
            trends,
            others,
        }
    }

    /// The answer in one line.
    pub fn headline(&self) -> String {
        let all = self.trends.len();
        match self.trends.as_slice() {
            [] => "no run of the history matches".to_owned(),
            [only] => only.sentence(),
            [first, ..] => {
                let with = |worse| {
                    let trends = self.trends.iter();
                    trends.filter(|one| one.got_worse() == Some(worse)).count()
                };
                let (worse, better) = (with(true), with(false));
                let few = self.trends.iter().filter(|one| one.found.is_none()).count();
                let few = match few {
                    0 => String::new(),
                    few => format!(", {} with too few runs", count(few as u64)),
                };
                let counts = format!(
                    "{} of {} got worse, {} better{few}",
                    count(worse as u64),
                    plural(all as u64, "metric"),
                    count(better as u64)
                );
                if worse + better > 0 {
                    format!("{counts}: {}", first.sentence())
                } else {
                    counts
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::SeriesKey;
    use super::*;
    use crate::compare::FactorRole;
    use std::convert::Infallible;

    fn trend(values: &[f64]) -> Trend {
        let key = SeriesKey {
            workload: "nightly".to_owned(),
            targets: "/data/f.dat".to_owned(),
            hostname: "lab7".to_owned(),
            engine: "io_uring".to_owned(),
            origin: "measured".to_owned(),
            phase: "main".to_owned(),
            job: "oltp".to_owned(),
            op: "read".to_owned(),
            load_model: "closed".to_owned(),
            threads: 2,
            queue_depth: 32,
        };
        let points = values.iter().enumerate().map(|(day, value)| SeriesPoint {
            run_id: format!("run-{:02}", day + 1),
            started_at: format!("2026-03-{:02}T12:00:00.000Z", day + 1),
            state: if day == 2 { "SUSPECT" } else { "VALID" }.to_owned(),
            disk: "nvme0n1, 1.00 TB ACME 990".to_owned(),
            value: Some(*value),
        });
        let series = Series {
            key,
            points: points.collect(),
        };
        let kernel = |before: &str, after: &str| {
            let factor = Factor {
                name: "kernel",
                place: String::new(),
                base: format!("that of {before}"),
                other: format!("that of {after}"),
                role: FactorRole::Noted,
            };
            Ok::<_, Infallible>(vec![factor])
        };
        let Ok(trend) = Trend::of(series, Metric::Iops, kernel);
        trend
    }

    #[test]
    fn the_answer_names_the_run_and_what_changed_with_it() {
        let level = |day: usize| if day < 9 { 5000.0 } else { 4500.0 };
        let wobble = |day: usize| (day * 7 % 11) as f64;
        let changed: Vec<f64> = (0..18).map(|day| level(day) + wobble(day)).collect();
        let steady: Vec<f64> = (0..18).map(|day| 5000.0 + wobble(day)).collect();
        let [changed, steady, few] = [&changed[..], &steady, &steady[..9]].map(trend);
        let answer = "read IOPS of nightly on /data/f.dat fell 10.0 % (95 % interval 9.9 % to \
                      10.0 %) at run run-10 of 2026-03-10; in the same run kernel changed from \
                      that of run-09 to that of run-10";
        assert_eq!(changed.sentence(), answer);
        let expected = "read IOPS of nightly on /data/f.dat: steady over 17 runs from 2026-03-01 \
                        to 2026-03-18, no change";
        assert_eq!(steady.sentence(), expected);
        let expected = "read IOPS of nightly on /data/f.dat: 8 usable runs and 1 left out, too \
                        few to find changes (11 are needed)";
        assert_eq!(few.sentence(), expected);
        assert_eq!((few.left_out, few.got_worse()), (1, None));
        let all = Trends::new(vec![few, steady, changed], 0);
        let expected = format!("1 of 3 metrics got worse, 0 better, 1 with too few runs: {answer}");
        assert_eq!(all.headline(), expected);
        assert_eq!(
            Trends::new(Vec::new(), 0).headline(),
            "no run of the history matches"
        );
    }

    /// Also where it made no difference, and where the runs between are of an earlier version.
    #[test]
    fn another_disk_is_named() {
        let level = |day: usize| if day < 9 { 5000.0 } else { 4500.0 };
        let wobble = |day: usize| (day * 7 % 11) as f64;
        let steady: Vec<f64> = (0..18).map(|day| 5000.0 + wobble(day)).collect();
        let fell: Vec<f64> = (0..18).map(|day| level(day) + wobble(day)).collect();
        let with = |values: &[f64]| {
            let mut trend = trend(values);
            for (at, point) in trend.series.points.iter_mut().enumerate() {
                match at {
                    10 => point.disk.clear(),
                    11.. => "nvme0n1, 1.00 TB ACME 1000".clone_into(&mut point.disk),
                    _ => {}
                }
            }
            trend.sentence()
        };
        let disk = "; the disk changed from nvme0n1, 1.00 TB ACME 990 to nvme0n1, 1.00 TB ACME \
                    1000 at run run-13 of 2026-03-13";
        let same = trend(&steady).sentence();
        assert_eq!(with(&steady), format!("{same}{disk}"));
        let same = trend(&fell).sentence();
        assert_eq!(with(&fell), format!("{same}{disk}"));
    }
}
