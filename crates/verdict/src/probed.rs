//! What the micro-probes of a run showed: always by rounds that are neighbours in time, so that a
//! storage which drifts or is disturbed answers no question wrongly.

use fathom_core::result::{MicroProbe, ProbeKind, ProbeRound, RunResult};
use fathom_core::stats::{RankInterval, median, quantile_ranks};

/// The middle of the rounds, and between which it lies with 95 % confidence, by ranks: one round of
/// nine, two of twelve may have been disturbed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Middle {
    /// The median.
    pub(crate) estimate: f64,
    /// Least that it can be.
    pub(crate) low: f64,
    /// Most that it can be.
    pub(crate) high: f64,
}

/// Whether there were any that show something: where nothing was served, nothing is seen.
pub(crate) fn any(result: &RunResult) -> bool {
    ratio(result, (ProbeKind::Write, own), (ProbeKind::Read, own)).is_some()
}

/// A number of a round, if it has it.
pub(crate) type Of = fn(&ProbeRound) -> Option<f64>;

/// Median time of its reads or writes, nanoseconds.
pub(crate) fn own(round: &ProbeRound) -> Option<f64> {
    round.median_ns.map(|median| median as f64)
}

/// Median time of its flushes, nanoseconds.
pub(crate) fn flush(round: &ProbeRound) -> Option<f64> {
    round.flush_median_ns.map(|median| median as f64)
}

/// A write and the flush after it, nanoseconds.
pub(crate) fn flushed(round: &ProbeRound) -> Option<f64> {
    Some(own(round)? + flush(round)?)
}

/// Bytes a second, if there were any.
pub(crate) fn rate(round: &ProbeRound) -> Option<f64> {
    (round.bytes_per_second > 0.0).then_some(round.bytes_per_second)
}

/// All rounds of one question.
pub(crate) fn find(result: &RunResult, kind: ProbeKind) -> Option<&MicroProbe> {
    result.micro_probes.iter().find(|one| one.kind == kind)
}

/// One number over another, from rounds of the same number; `None` where there are too few of
/// them to say anything.
pub(crate) fn ratio(
    result: &RunResult,
    (kind, of): (ProbeKind, Of),
    (base, base_of): (ProbeKind, Of),
) -> Option<Middle> {
    let base = find(result, base)?;
    let rounds = find(result, kind)?.rounds.iter();
    let ratios: Vec<f64> = rounds
        .filter_map(|round| {
            let beside = base.rounds.iter().find(|one| one.number == round.number)?;
            let ratio = of(round)? / base_of(beside)?;
            (ratio > 0.0 && ratio.is_finite()).then_some(ratio)
        })
        .collect();
    middle(ratios)
}

/// A number over all rounds; `None` where there are too few to say anything.
pub(crate) fn level(result: &RunResult, kind: ProbeKind, of: Of) -> Option<Middle> {
    let rounds = find(result, kind)?.rounds.iter();
    middle(rounds.filter_map(of).collect())
}

fn middle(mut values: Vec<f64>) -> Option<Middle> {
    let RankInterval { low, high } = quantile_ranks(values.len() as u64, 0.5);
    values.sort_by(f64::total_cmp);
    let at = |rank: u64| values[rank as usize - 1];
    Some(Middle {
        estimate: median(&values),
        low: at(low?),
        high: at(high?),
    })
}

/// Made-up probes.
#[cfg(test)]
pub(crate) mod made_up {
    use super::*;
    use fathom_core::fixture;
    use fathom_core::histogram::Histogram;

    fn probe(kind: ProbeKind, round: impl Fn(u32) -> ProbeRound) -> MicroProbe {
        let rounds: Vec<ProbeRound> = (0..9).map(round).collect();
        let all = |median_ns: Option<u64>| {
            let mut times: Histogram = Histogram::new();
            times.record_n(median_ns?, 1000);
            Some(times.summary())
        };
        MicroProbe {
            kind,
            service_ns: all(rounds[0].median_ns),
            flush_ns: all(rounds[0].flush_median_ns),
            rounds,
        }
    }

    const fn empty(number: u32) -> ProbeRound {
        ProbeRound {
            number,
            measured_ns: 250_000_000,
            ios: 1000,
            bytes_per_second: 1e6,
            median_ns: None,
            flush_median_ns: None,
        }
    }

    /// Rounds with this median, the last of which was disturbed.
    pub(crate) fn with_median(kind: ProbeKind, median_ns: u64) -> MicroProbe {
        probe(kind, |number| ProbeRound {
            median_ns: Some(if number == 8 {
                median_ns * 20
            } else {
                median_ns
            }),
            ..empty(number)
        })
    }

    /// Writes, each with a flush, with these medians.
    pub(crate) fn with_flush(write_ns: u64, flush_ns: u64) -> MicroProbe {
        probe(ProbeKind::WriteFlush, |number| ProbeRound {
            median_ns: Some(write_ns),
            flush_median_ns: Some(flush_ns),
            ..empty(number)
        })
    }

    /// Flushes alone.
    pub(crate) fn with_flush_alone(flush_ns: u64) -> MicroProbe {
        probe(ProbeKind::Flush, |number| ProbeRound {
            flush_median_ns: Some(flush_ns),
            ..empty(number)
        })
    }

    /// Writes at these rates, round by round.
    pub(crate) fn with_rates(kind: ProbeKind, rate: impl Fn(u32) -> f64) -> MicroProbe {
        probe(kind, |number| ProbeRound {
            bytes_per_second: rate(number),
            ..empty(number)
        })
    }

    /// A run of random reads on an SSD with these probes beside it.
    pub(crate) fn run(micro_probes: Vec<MicroProbe>) -> RunResult {
        RunResult {
            micro_probes,
            ..fixture::random_read()
        }
    }
}
