//! What a layout gives to a kind of load: sustained, at its peak, for how long, and what binds.

use crate::model::{Demand, Flow, VolumeModel as _};
use crate::models::System;
use fathom_core::{CapUnit, Nanos};
use serde::Serialize;

/// Longest time that is looked ahead: a burst that lasts longer never ends for practice.
const HORIZON: Nanos = Nanos::from_secs(366 * 86_400);
/// Outstanding requests of a load that takes all it can get.
const GREEDY: f64 = 1e12;
/// Two terms within this share of each other bind together: no measurement tells them apart.
const TIE: f64 = 0.02;
/// Above this size a request counts as several with every cloud, so more bytes a second take as
/// many requests more.
const UNIT_BYTES: f64 = 262_144.0;

/// A limit as it weighs on the load: all volumes of a name together.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Term {
    /// Whose, and in which unit: `gp2 IOPS`, `r5d.xlarge throughput`.
    pub name: String,
    /// Limits of this name in the layout.
    pub count: usize,
    /// What the cap limits.
    pub unit: CapUnit,
    /// One of them, sustained and at its peak: requests or bytes a second.
    pub rate: (f64, f64),
    /// Credit of one of them when full, where it has a bucket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit: Option<f64>,
    /// What a request of the load costs at one of them on average.
    pub tokens: f64,
    /// Requests of the load that it lets through, sustained and at its peak.
    pub iops: (f64, f64),
}

/// What a layout gives to a kind of load.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figures {
    /// Requests a second that last.
    pub sustained_iops: f64,
    /// Bytes a second that last.
    pub sustained_bytes_per_second: f64,
    /// Requests a second while all credit lasts.
    pub burst_iops: f64,
    /// Bytes a second while all credit lasts.
    pub burst_bytes_per_second: f64,
    /// What binds the sustained rate; more than one name where they coincide.
    pub bound_by: Vec<String>,
    /// What binds the burst.
    pub burst_bound_by: Vec<String>,
    /// Seconds for which the burst lasts from full buckets; none where there is no burst.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst_seconds: Option<f64>,
    /// Seconds of idleness until what the burst took is there again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refill_seconds: Option<f64>,
    /// Size of a request above which bytes bind instead of requests, sustained; none where a
    /// larger request only counts as several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossover_bytes: Option<f64>,
    /// All limits.
    pub terms: Vec<Term>,
}

impl Figures {
    /// What a system gives to a kind of load that asks for all it can get.
    pub fn of(system: &System, flow: &Flow) -> Self {
        let terms = terms(system, flow);
        let mean = flow.mean_bytes();
        let least = |pick: fn(&Term) -> f64| terms.iter().map(pick).fold(f64::INFINITY, f64::min);
        let (sustained, burst) = (least(|term| term.iops.0), least(|term| term.iops.1));
        let binding = |rate: f64, pick: fn(&Term) -> f64| {
            let close = terms.iter().filter(|term| pick(term) <= rate * (1.0 + TIE));
            let mut words: Vec<String> = close.map(Term::in_words).collect();
            words.dedup();
            words
        };
        let course = (burst > sustained * (1.0 + 1e-9)).then(|| course(system, flow, burst));
        Self {
            sustained_iops: sustained,
            sustained_bytes_per_second: sustained * mean,
            burst_iops: burst,
            burst_bytes_per_second: burst * mean,
            bound_by: binding(sustained, |term| term.iops.0),
            burst_bound_by: binding(burst, |term| term.iops.1),
            burst_seconds: course.map(|(seconds, _)| seconds),
            refill_seconds: course.map(|(_, refill)| refill),
            crossover_bytes: crossover(&terms),
            terms,
        }
    }

    /// Seconds for which a load of `iops` requests a second gets them all, from full buckets;
    /// infinite where it always does.
    pub fn carries(system: &System, flow: &Flow, iops: f64) -> f64 {
        let demand = Demand {
            open: flow.clone(),
            open_iops: iops,
            ..Demand::default()
        };
        let served = system.clone().serve(&demand, Nanos::ZERO, HORIZON);
        let short = served
            .steps
            .iter()
            .find(|step| step.open_iops < iops * (1.0 - 1e-9));
        short.map_or(f64::INFINITY, |step| step.at.as_secs_f64())
    }
}

impl Term {
    /// `gp2 IOPS`, `4x gp2 IOPS`.
    pub fn in_words(&self) -> String {
        match self.count {
            1 => self.name.clone(),
            count => format!("{count}x {}", self.name),
        }
    }
}

/// The limits, those that are equal as one.
fn terms(system: &System, flow: &Flow) -> Vec<Term> {
    let (costs, device_iops) = system.costs(flow);
    let mut terms: Vec<Term> = Vec::new();
    if device_iops.is_finite() {
        let rate = (device_iops, device_iops);
        terms.push(Term {
            name: "disk positioning and transfer".to_owned(),
            count: 1,
            unit: CapUnit::Iops,
            rate,
            credit: None,
            tokens: 1.0,
            iops: rate,
        });
    }
    for (limiter, tokens) in system.limiters().iter().zip(costs) {
        let (base, peak) = (limiter.base_rate(), limiter.peak_rate());
        let through = |rate: f64| {
            if tokens > 0.0 {
                rate / tokens
            } else {
                f64::INFINITY
            }
        };
        let new = Term {
            name: limiter.title(),
            count: 1,
            unit: limiter.unit(),
            rate: (base, peak),
            credit: limiter.credit(Nanos::ZERO).map(|(_, full)| full),
            tokens,
            iops: (through(base), through(peak)),
        };
        // Only equal ones are one line: the sum of others would be no count times anything.
        let is_same = |known: &&mut Term| {
            let close = |one: f64, other: f64| (one - other).abs() <= 1e-9 * one.max(other);
            known.name == new.name
                && close(known.rate.0, new.rate.0)
                && close(known.rate.1, new.rate.1)
                && close(known.tokens, new.tokens)
        };
        match terms.iter_mut().find(is_same) {
            Some(known) => known.count += 1,
            None => terms.push(new),
        }
    }
    terms
}

/// Seconds of the burst under a load that asks for all, and of the refill after it.
fn course(system: &System, flow: &Flow, burst: f64) -> (f64, f64) {
    let demand = Demand {
        closed: flow.clone(),
        outstanding: GREEDY,
        ..Demand::default()
    };
    let served = system.clone().serve(&demand, Nanos::ZERO, HORIZON);
    let drop = served
        .steps
        .iter()
        .find(|step| step.closed_iops < burst * (1.0 - 1e-6));
    let end = drop.map_or(HORIZON, |step| step.at);
    let mut spent = system.clone();
    spent.serve(&demand, Nanos::ZERO, end);
    let refills = spent.limiters().iter().filter_map(|limiter| {
        let (level, full) = limiter.credit(end)?;
        Some((full - level) / limiter.base_rate())
    });
    (end.as_secs_f64(), refills.fold(0.0, f64::max))
}

/// Where the sustained limits of bytes begin to bind before those of requests: bytes a second
/// over requests a second.
fn crossover(terms: &[Term]) -> Option<f64> {
    let of = |unit: CapUnit| {
        let own = terms.iter().filter(move |term| term.unit == unit);
        let all = |name: &str| -> f64 {
            let same = terms.iter().filter(|term| term.name == name);
            same.map(|term| term.rate.0 * term.count as f64).sum()
        };
        own.map(|term| all(&term.name))
            .fold(f64::INFINITY, f64::min)
    };
    let (bytes, requests) = (of(CapUnit::BytesPerSecond), of(CapUnit::Iops));
    let size = bytes / requests;
    (size.is_finite() && size <= UNIT_BYTES).then_some(size)
}
