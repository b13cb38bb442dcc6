//! How a search for a steady state went, in fio's terms.

use super::stage::Stage;
use super::value::Value;
use crate::{FioJob, Limit};
use fathom_core::Op;
use fathom_core::interval::Part;
use fathom_core::spec::SteadyMetric;
use fathom_verdict::stats::steady_window;

/// A search that was made.
#[derive(Clone, Debug)]
pub(super) struct Steadiness {
    /// As in `iops_slope:0.3%`.
    rule: String,
    seconds: u64,
    attained: bool,
    /// What the limit is held against, in its unit.
    found: f64,
    /// After a limit and what is held against it: that they are in percent of the mean.
    sign: &'static str,
    max_deviation: f64,
    slope: f64,
    metric: &'static str,
    is_slope: bool,
    /// Of each second of the window.
    iops: Vec<f64>,
    bytes: Vec<f64>,
}

impl Steadiness {
    /// That of a row in its phase, if its job asked for one. `indices` are the row's jobs.
    pub(super) fn of(row: &FioJob, stage: &Stage<'_>, indices: &[usize]) -> Option<Self> {
        let phase = stage.phase;
        let asked = row.steady?;
        // There is none where the time was too short to look for it.
        let report = phase.steady.as_ref();
        let rounds = report.map_or(&[][..], |report| &report.rounds);
        let rounds = &rounds[rounds.len().saturating_sub(asked.seconds as usize)..];
        let window = steady_window(rounds);
        let mean = window.map_or(0.0, |window| window.mean);
        let slope = window.map_or(0.0, |window| window.slope);
        let deviation = window.map_or(0.0, |window| window.deviation());
        let followed = if asked.slope { slope } else { deviation };
        let (limit, found, sign) = match asked.limit {
            Limit::Percent(limit) if mean > 0.0 => (limit, followed * 100.0 / mean, "%"),
            Limit::Percent(limit) => (limit, 0.0, "%"),
            Limit::Most(limit) => (limit, followed, ""),
        };
        let metric = match asked.metric {
            SteadyMetric::Iops => "iops",
            SteadyMetric::Throughput => "bw",
            SteadyMetric::ServiceTime => "lat",
        };
        let word = if asked.slope { "_slope" } else { "" };
        let window_s = asked.seconds as usize;
        let (iops, bytes) = match report {
            Some(_) => seconds(stage, indices, window_s),
            None => (vec![0.0; window_s], vec![0.0; window_s]),
        };
        Some(Self {
            rule: format!("{metric}{word}:{limit:.6}{sign}"),
            seconds: asked.seconds,
            attained: report.is_some_and(|report| report.reached),
            found,
            sign,
            max_deviation: if asked.slope { 0.0 } else { deviation },
            slope: if asked.slope { slope } else { 0.0 },
            metric,
            is_slope: asked.slope,
            iops,
            bytes,
        })
    }

    /// The object `steadystate` of a job.
    pub(super) fn json(&self) -> Value {
        let list = |values: &[f64]| Value::List(values.iter().map(|v| whole(*v)).collect());
        let data = Value::object(vec![
            ("bw_mean", whole(mean(&self.bytes))),
            ("iops_mean", whole(mean(&self.iops))),
            ("iops", list(&self.iops)),
            ("bw", list(&self.bytes)),
        ]);
        Value::object(vec![
            ("ss", Value::text(self.rule.clone())),
            ("duration", Value::number(self.seconds)),
            ("attained", Value::number(u8::from(self.attained))),
            (
                "criterion",
                Value::text(format!("{:.6}{}", self.found, self.sign)),
            ),
            ("max_deviation", Value::decimal(self.max_deviation)),
            ("slope", Value::decimal(self.slope)),
            ("data", data),
        ])
    }

    /// The line for people; `both` and `count` write rates of bytes and of requests.
    pub(super) fn line(
        &self,
        both: impl Fn(f64) -> String,
        count: impl Fn(f64) -> String,
    ) -> String {
        format!(
            "  steadystate  : attained={}, bw={}, iops={}, {} {}={:.3}{}\n",
            if self.attained { "yes" } else { "no" },
            both(mean(&self.bytes)),
            count(mean(&self.iops)),
            self.metric,
            if self.is_slope { "slope" } else { "mean dev" },
            self.found,
            self.sign
        )
    }
}

fn whole(value: f64) -> Value {
    Value::number(value.round() as u64)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Requests and bytes a second of the last intervals of the measured time.
fn seconds(stage: &Stage<'_>, indices: &[usize], most: usize) -> (Vec<f64>, Vec<f64>) {
    let measured = stage.intervals(indices);
    let measured = measured.filter(|(one, _)| one.part == Part::Measure && one.length_ns > 0);
    let rates = measured.map(|(interval, entries)| {
        let ops = entries.into_iter().flat_map(|job| job.ops.present());
        let requests = ops.filter(|(op, _)| *op != Op::Flush);
        let done = requests.fold((0, 0), |(ios, bytes), (_, op)| {
            (ios + op.ios, bytes + op.bytes)
        });
        let length = interval.length_ns as f64 / 1e9;
        (done.0 as f64 / length, done.1 as f64 / length)
    });
    let mut rates: Vec<(f64, f64)> = rates.collect();
    rates.drain(..rates.len().saturating_sub(most));
    rates.into_iter().unzip()
}
