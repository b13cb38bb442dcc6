//! What the micro-probes of a run showed: always by rounds that are neighbours in time, so that a
//! storage which drifts or is disturbed answers no question wrongly.

use crate::stats::{Middle, OfRound};
use crate::traffic::devices;
use fathom_core::result::{MicroProbe, ProbeKind, ProbeRound, RunResult};

/// Whether there were any that show something: where nothing was served, nothing is seen.
pub(crate) fn any(result: &RunResult) -> bool {
    let of: OfRound = ProbeRound::service;
    ratio(result, (ProbeKind::Write, of), (ProbeKind::Read, of)).is_some()
}

/// All rounds of one question.
pub(crate) fn find(result: &RunResult, kind: ProbeKind) -> Option<&MicroProbe> {
    result.micro_probes.iter().find(|one| one.kind == kind)
}

/// One number over another.
pub(crate) fn ratio(
    result: &RunResult,
    (kind, of): (ProbeKind, OfRound),
    (base, base_of): (ProbeKind, OfRound),
) -> Option<Middle> {
    Middle::of_ratios((find(result, kind)?, of), (find(result, base)?, base_of))
}

/// A number over all rounds.
pub(crate) fn level(result: &RunResult, kind: ProbeKind, of: OfRound) -> Option<Middle> {
    Middle::of_rounds(find(result, kind)?, of)
}

/// Median time of all requests of a question, or of their flushes, nanoseconds.
pub(crate) fn median(
    result: &RunResult,
    kind: ProbeKind,
    of: fn(&MicroProbe) -> Option<u64>,
) -> Option<f64> {
    find(result, kind).and_then(of).map(|median| median as f64)
}

/// A write and its flush.
pub(crate) fn flushed_ns(result: &RunResult) -> Option<f64> {
    median(result, ProbeKind::WriteFlush, MicroProbe::flushed_ns)
}

/// Whether there is a disk with a platter: virtual disks carry the flag without one.
pub(crate) fn turns(result: &RunResult) -> bool {
    devices(result).any(|device| device.leaf && device.rotational && device.kind == "disk")
}

/// Made-up probes.
pub(crate) mod made_up {
    use fathom_core::fixture;
    use fathom_core::histogram::Histogram;
    use fathom_core::result::{MicroProbe, ProbeKind, ProbeRound, RunResult};

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
    #[cfg(test)]
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

    /// A run of random reads on an SSD with these probes.
    pub(crate) fn run(micro_probes: Vec<MicroProbe>) -> RunResult {
        RunResult {
            micro_probes,
            ..fixture::random_read()
        }
    }

    /// The same on a disk that turns.
    #[cfg(test)]
    pub(crate) fn on_platters(mut result: RunResult) -> RunResult {
        let device = &mut result.provenance.targets[0].devices[0];
        device.rotational = true;
        device.kind = "disk".to_owned();
        result
    }
}
