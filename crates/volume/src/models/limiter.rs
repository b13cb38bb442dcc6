//! One limit at work: a rate that is never exceeded, over a bucket of credit where there is one.

use super::meter::{Meter, Tokens};
use crate::catalog::Limit;
use crate::model::{FlowKind, IoShape, Level};
use fathom_core::{CapScope, CapUnit, Gcra, Nanos, Op};

/// A limit evens out over this time: what was not used in the last hundredth of a second may follow
/// at once. Without it a large request would delay the small one behind it, even where the limit is
/// far from reached. Vendors state no figure.
const SLACK_SECONDS: f64 = 0.01;

/// One limit at work.
#[derive(Clone, Debug)]
pub struct Limiter {
    name: String,
    unit: CapUnit,
    scope: CapScope,
    meter: Meter,
    /// The highest rate, evened out over [`SLACK_SECONDS`].
    peak: Gcra,
    /// What bursts are paid from: fills at the sustained rate.
    credit: Option<Gcra>,
}

impl Limiter {
    /// The limit `name` with a share of its credit, 0 to 1.
    pub fn new(name: &str, limit: &Limit, credit: f64) -> Self {
        let cap = &limit.cap;
        let bucket = cap.burst.map(|burst| {
            let mut bucket = Gcra::new(cap.value, burst.capacity.round() as u64);
            bucket.set_level(Nanos::ZERO, burst.capacity * credit.clamp(0.0, 1.0));
            bucket
        });
        let rate = cap.burst.map_or(cap.value, |burst| burst.value);
        let mut peak = Gcra::new(rate, ((rate * SLACK_SECONDS) as u64).max(1));
        // Nothing is saved up at the start, so that a load from the first instant on gets the rate
        // and no more.
        peak.set_level(Nanos::ZERO, 1.0);
        Self {
            name: name.to_owned(),
            unit: cap.unit,
            scope: cap.scope,
            meter: Meter::new(cap.unit, limit.accounting),
            peak,
            credit: bucket,
        }
    }

    /// Says whose it is, unless it is one of the instance, which all share.
    pub(crate) fn name_for(&mut self, role: &str, of_instance: &[String]) {
        if !of_instance.contains(&self.name) {
            self.name = format!("{role} {}", self.name);
        }
    }

    /// Name and unit: `gp2 IOPS`, `r5d.xlarge throughput`.
    pub fn title(&self) -> String {
        let unit = match self.unit {
            CapUnit::Iops => "IOPS",
            CapUnit::BytesPerSecond => "throughput",
        };
        let scope = match self.scope {
            CapScope::All => "",
            CapScope::Reads => "read ",
            CapScope::Writes => "write ",
        };
        format!("{} {scope}{unit}", self.name)
    }

    /// What it limits.
    pub const fn unit(&self) -> CapUnit {
        self.unit
    }

    fn counts(&self, op: Op) -> bool {
        match self.scope {
            CapScope::All => true,
            CapScope::Reads => op == Op::Read,
            CapScope::Writes => op != Op::Read,
        }
    }

    /// Tokens of a request that comes at an instant; counted once for each.
    pub(super) fn tokens(&mut self, io: IoShape, at: Nanos) -> Tokens {
        if self.counts(io.op) {
            self.meter.count(io, at)
        } else {
            Tokens::default()
        }
    }

    /// Notes until when a request waits.
    pub(super) fn waits(&mut self, io: IoShape, until: Nanos) {
        if self.counts(io.op) {
            self.meter.waits(io, until);
        }
    }

    /// The first instant at which `tokens` tokens are available.
    pub(super) fn earliest(&self, at: Nanos, tokens: u64) -> Nanos {
        if tokens == 0 {
            return at;
        }
        let peak = self.peak.earliest(at, tokens);
        match &self.credit {
            Some(credit) => credit.earliest(peak, tokens),
            None => peak,
        }
    }

    /// Takes them.
    pub(super) fn take(&mut self, at: Nanos, tokens: u64) {
        if tokens > 0 {
            self.peak.take(at, tokens);
            if let Some(credit) = &mut self.credit {
                credit.take(at, tokens);
            }
        }
    }

    /// Mean tokens of a request of a kind.
    pub(super) fn mean_tokens(&self, kind: &FlowKind) -> f64 {
        if self.counts(kind.op) {
            self.meter.mean(kind)
        } else {
            0.0
        }
    }

    /// The highest rate in tokens a second.
    pub fn peak_rate(&self) -> f64 {
        self.peak.rate()
    }

    /// The rate that lasts, in tokens a second.
    pub fn base_rate(&self) -> f64 {
        self.credit.as_ref().map_or(self.peak.rate(), Gcra::rate)
    }

    /// Credit at an instant and in a full bucket; none where there is no bucket.
    pub fn credit(&self, at: Nanos) -> Option<(f64, f64)> {
        let credit = self.credit.as_ref()?;
        Some((credit.level(at), credit.capacity() as f64))
    }

    /// Sets the credit at an instant.
    pub fn set_credit(&mut self, at: Nanos, tokens: f64) {
        if let Some(credit) = &mut self.credit {
            credit.set_level(at, tokens);
        }
    }

    /// The level of its bucket, if it has one.
    pub(super) fn level(&self, at: Nanos) -> Option<Level> {
        let (value, full) = self.credit(at)?;
        Some(Level {
            name: self.title(),
            unit: match self.unit {
                CapUnit::Iops => "I/Os",
                CapUnit::BytesPerSecond => "bytes",
            },
            value,
            full,
        })
    }
}
