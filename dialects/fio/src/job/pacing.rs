//! When the requests of a job go.

use super::Maker;
use crate::source::{Findings, Wrong};
use fathom_core::spec::{Arrivals, IoClass, IoKind, Pacing};
use fathom_core::{Nanos, Op, Rate};
use fathom_tools::translation::Standing;

impl Maker<'_> {
    /// Closed, with think time, or open at a rate.
    pub(super) fn pacing(&self, kinds: &[IoKind], findings: &mut Findings) -> Option<Pacing> {
        let settings = self.settings;
        let by_bytes = total(kinds, settings.rate, |kind| kind.block_size.0 as f64);
        let by_ios = total(kinds, settings.rate_iops, |_| 1.0);
        let rate = match (by_bytes, by_ios) {
            (Some(_), Some(_)) => {
                let wrong = Wrong::new(
                    "a rate in bytes and one in requests exclude each other",
                    "one of rate and rate_iops",
                );
                self.error(findings, "rate_iops", wrong);
                return None;
            }
            (Some(bytes), None) => Rate::BytesPerSecond(bytes),
            (None, Some(ios)) => Rate::Iops(ios),
            (None, None) => {
                return Some(if settings.think == Nanos::ZERO {
                    Pacing::CLOSED
                } else {
                    self.thinking()
                });
            }
        };
        if settings.think != Nanos::ZERO && self.thinks_longer(kinds, findings)? {
            return Some(self.thinking());
        }
        Some(Pacing::Open {
            rate,
            arrivals: if settings.poisson {
                Arrivals::Poisson
            } else {
                Arrivals::Constant
            },
        })
    }

    /// As fast as completions allow, with pauses.
    fn thinking(&self) -> Pacing {
        Pacing::Closed {
            think: self.settings.think,
            burst: self.settings.think_blocks,
        }
    }

    /// Requests a second of all directions together at their rates; none where one that has
    /// requests is without.
    fn rate_of_all(&self, kinds: &[IoKind]) -> Option<f64> {
        let settings = self.settings;
        let rate = |(op, limits): (Op, (u64, u64))| {
            let its = kinds.iter().filter(|kind| kind.op == op);
            let weight: f64 = its.clone().map(|kind| kind.weight).sum();
            let bytes = its.map(|kind| kind.weight * kind.block_size.0 as f64);
            match limits {
                _ if weight <= 0.0 => Some(0.0),
                (0, 0) => None,
                (0, ios) => Some(ios as f64),
                (limit, _) => Some(limit as f64 * weight / bytes.sum::<f64>()),
            }
        };
        let limits = settings.rate.into_iter().zip(settings.rate_iops);
        let ops = [Op::Read, Op::Write, Op::Trim].into_iter();
        ops.zip(limits).map(rate).sum()
    }

    /// Seconds of pauses for each second of requests at their rate, if they have one.
    fn pauses(&self, kinds: &[IoKind]) -> Option<f64> {
        let settings = self.settings;
        let each = settings.think.as_secs_f64() / settings.think_blocks.max(1) as f64;
        Some(each * self.rate_of_all(kinds)?)
    }

    /// Whether pauses hold the job back more than its rate does. fio catches up with the rate
    /// behind each pause, so that only the slower of the two is seen.
    fn thinks_longer(&self, kinds: &[IoKind], findings: &mut Findings) -> Option<bool> {
        let Some(pauses) = self.pauses(kinds) else {
            let wrong = Wrong::new(
                "pauses between requests cannot be combined with a rate",
                "one of thinktime and rate, or thinktime alone with rates of all directions",
            );
            self.error(findings, "thinktime", wrong);
            return None;
        };
        let is_longer = pauses >= 1.0;
        if let Some(word) = self.settings.word("thinktime") {
            let message = if is_longer {
                "the pauses are longer than the rate needs, and alone hold the job back"
            } else {
                "requests arrive by the clock, at the rate that fio comes to with its pauses"
            };
            findings.note(Standing::Approximated, &word.what(), message);
        }
        Some(is_longer)
    }

    /// Class and level of the requests, as far as they are given.
    pub(super) fn priority(&self) -> (Option<IoClass>, Option<u32>) {
        match (self.settings.io_class, self.settings.io_level) {
            (None, None) => (None, None),
            (Some(IoClass::Idle), _) => (Some(IoClass::Idle), None),
            (None, level) => (Some(IoClass::BestEffort), level.or(Some(0))),
            (class, None) => (class, Some(0)),
            (class, level) => (class, level),
        }
    }
}

/// The rate of the whole job at which no direction exceeds its limit.
fn total(kinds: &[IoKind], limits: [u64; 3], size: impl Fn(&IoKind) -> f64) -> Option<f64> {
    let all: f64 = kinds.iter().map(|kind| kind.weight * size(kind)).sum();
    let limit = |(op, limit): (Op, u64)| {
        let its = kinds.iter().filter(|kind| kind.op == op);
        let share: f64 = its.map(|kind| kind.weight * size(kind)).sum::<f64>() / all;
        (limit > 0 && share > 0.0).then(|| round(limit as f64 / share))
    };
    [Op::Read, Op::Write, Op::Trim]
        .into_iter()
        .zip(limits)
        .filter_map(limit)
        .reduce(f64::min)
}

/// To twelve digits, without the noise of the last, so that 700 of 70 percent are 1000.
fn round(rate: f64) -> f64 {
    let digits = 10_f64.powf(11.0 - rate.log10().floor());
    (rate * digits).round() / digits
}

/// The rate of `threads` clones together.
pub(super) fn multiply(pacing: &mut Pacing, threads: f64) {
    if let Pacing::Open { rate, .. } = pacing {
        *rate = rate.scaled(threads);
    }
}
