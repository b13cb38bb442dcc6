//! Many requests at once, in closed form: between two events every rate is constant.
//!
//! An event is a bucket that runs empty, or a backlog that is worked off. In each step the load
//! is held by the first of: its own rate (open), its outstanding requests over the latency
//! (closed), a limit, a device without a free server. Where both loads compete, the open one is
//! served first: it does not wait to be asked.

use super::System;
use crate::model::{Bound, Demand, LimitIndex, Served, ServedStep};
use fathom_core::Nanos;

/// Tokens below which a bucket is empty: less than any request costs.
const EMPTY: f64 = 0.5;
/// Steps of one span; each ends a bucket or a backlog, so far fewer are needed.
const MAX_STEPS: usize = 10_000;

/// A limit in a step.
struct Gauge {
    index: LimitIndex,
    /// Credit and the most of it; none where the rate is always the same.
    credit: Option<(f64, f64)>,
    peak: f64,
    base: f64,
    /// Tokens for each request of the open and of the closed load.
    open: f64,
    closed: f64,
}

impl Gauge {
    fn rate(&self) -> f64 {
        match self.credit {
            Some((level, _)) if level <= EMPTY => self.base,
            _ => self.peak,
        }
    }

    fn bound(&self) -> Bound {
        match self.credit {
            Some((level, _)) if level <= EMPTY => Bound::Spent(self.index),
            _ => Bound::Limit(self.index),
        }
    }

    /// Tokens a second that leave the bucket; negative while it fills.
    fn drain(&self, rates: &Rates) -> f64 {
        rates.open * self.open + rates.closed * self.closed - self.base
    }
}

/// Rates of one step.
#[derive(Clone, Copy, Debug)]
struct Rates {
    open: f64,
    closed: f64,
    bound: Bound,
}

/// What does not change over the span.
struct Offer<'a> {
    demand: &'a Demand,
    open_device_iops: f64,
    closed_device_iops: f64,
    closed_latency_ns: f64,
}

/// Serves a demand over a span, and leaves the system's buckets as they are at its end.
pub(crate) fn serve(system: &mut System, demand: &Demand, at: Nanos, span: Nanos) -> Served {
    let (open_costs, open_device_iops) = system.costs(&demand.open);
    let (closed_costs, closed_device_iops) = system.costs(&demand.closed);
    let offer = Offer {
        demand,
        open_device_iops,
        closed_device_iops,
        closed_latency_ns: system.latency_ns(&demand.closed),
    };
    let limiters = system.limiters().iter().enumerate();
    let mut gauges: Vec<Gauge> = limiters
        .map(|(index, limiter)| Gauge {
            index: index as LimitIndex,
            credit: limiter.credit(at),
            peak: limiter.peak_rate(),
            base: limiter.base_rate(),
            open: open_costs[index],
            closed: closed_costs[index],
        })
        .collect();
    let mut served = Served {
        steps: Vec::new(),
        backlog: demand.backlog,
    };
    let end = at + span;
    let mut now = at;
    while now < end && served.steps.len() < MAX_STEPS {
        let rates = rates(&gauges, &offer, served.backlog);
        let left = (end - now).as_secs_f64();
        let step = next_event(&gauges, &rates, &offer, served.backlog).min(left);
        // At least a nanosecond, so that every step gets on.
        let until = (now + Nanos(((step * 1e9).ceil() as u64).max(1))).min(end);
        let seconds = (until - now).as_secs_f64();
        for gauge in &mut gauges {
            let drain = gauge.drain(&rates);
            if let Some((level, full)) = &mut gauge.credit {
                *level = (*level - drain * seconds).clamp(0.0, *full);
            }
        }
        served.backlog = (served.backlog + (demand.open_iops - rates.open) * seconds).max(0.0);
        served.steps.push(ServedStep {
            at: now,
            span: until - now,
            closed_iops: rates.closed,
            open_iops: rates.open,
            bound: rates.bound,
        });
        now = until;
    }
    for (gauge, limiter) in gauges.iter().zip(system.limiters_mut()) {
        if let Some((level, _)) = gauge.credit {
            limiter.set_credit(end, level);
        }
    }
    served
}

/// What is served now.
fn rates(gauges: &[Gauge], offer: &Offer<'_>, backlog: f64) -> Rates {
    let demand = offer.demand;
    let mut rates = Rates {
        open: if backlog > EMPTY {
            f64::INFINITY
        } else {
            demand.open_iops
        },
        closed: 0.0,
        bound: Bound::Demand,
    };
    let wants_open = demand.open_iops > 0.0 || backlog > EMPTY;
    if !wants_open {
        rates.open = 0.0;
    }
    for gauge in gauges.iter().filter(|gauge| wants_open && gauge.open > 0.0) {
        let most = gauge.rate() / gauge.open;
        if most < rates.open {
            rates.open = most;
            rates.bound = gauge.bound();
        }
    }
    if wants_open && offer.open_device_iops < rates.open {
        rates.open = offer.open_device_iops;
        rates.bound = Bound::Busy;
    }
    if !rates.open.is_finite() {
        // Nothing limits: the backlog is gone at once.
        rates.open = demand.open_iops + backlog * 1e9;
    }
    if demand.outstanding > 0.0 && !demand.closed.kinds.is_empty() {
        closed(gauges, offer, &mut rates);
    }
    rates
}

/// What the closed load gets next to the open one.
fn closed(gauges: &[Gauge], offer: &Offer<'_>, rates: &mut Rates) {
    let latency_s = offer.closed_latency_ns / 1e9;
    let mut most = if latency_s > 0.0 {
        offer.demand.outstanding / latency_s
    } else {
        f64::INFINITY
    };
    let mut bound = Bound::Outstanding;
    for gauge in gauges.iter().filter(|gauge| gauge.closed > 0.0) {
        let left = (gauge.rate() - rates.open * gauge.open).max(0.0) / gauge.closed;
        if left < most {
            most = left;
            bound = gauge.bound();
        }
    }
    // A device's time is shared: what the open load takes of it is gone.
    let busy = if offer.open_device_iops.is_finite() {
        (rates.open / offer.open_device_iops).min(1.0)
    } else {
        0.0
    };
    let device = offer.closed_device_iops * (1.0 - busy);
    if device < most {
        most = device;
        bound = Bound::Busy;
    }
    rates.closed = most;
    rates.bound = bound;
}

/// Seconds until a bucket runs empty or the backlog is worked off.
fn next_event(gauges: &[Gauge], rates: &Rates, offer: &Offer<'_>, backlog: f64) -> f64 {
    let mut next = f64::INFINITY;
    for gauge in gauges {
        let drain = gauge.drain(rates);
        if let Some((level, _)) = gauge.credit
            && level > EMPTY
            && drain > 1e-9
        {
            next = next.min(level / drain);
        }
    }
    let catching_up = rates.open - offer.demand.open_iops;
    if backlog > EMPTY && catching_up > 0.0 {
        next = next.min(backlog / catching_up);
    }
    next
}
