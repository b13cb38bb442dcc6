//! What a load asked for while it was watched: joint figures of its busiest moments, and whether
//! the device was the limit.

use crate::model::{Flow, FlowKind};
use fathom_core::Op;
use fathom_core::SmallSort as _;
use fathom_core::recording::Sample;
use serde::Serialize;
use std::sync::Arc;

/// A moment counts as busy as the busiest within this share of it.
const TOP: f64 = 0.02;
/// This share of the moments at the top makes it flat.
const FLAT_SHARE: f64 = 0.02;
/// Fewer moments at the top prove nothing.
const FLAT_LEAST: usize = 5;
/// Saturated: an await this many times that of the quietest tenth …
const SLOW: f64 = 3.0;
/// … while the rate is within this share of its maximum.
const NEAR: f64 = 0.1;
/// More saturated moments than this share of all, and the demand was higher than what was seen.
const CENSORED: f64 = 0.01;
/// Seconds of the window whose mean stands for what lasts: how long vendors let bursts last.
const WINDOW_SECONDS: f64 = 1_800.0;

/// Everything of one span of time, together: maxima of different moments are never added.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Vector {
    /// When it ended, as the source writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Arc<str>>,
    /// Requests a second.
    pub iops: f64,
    /// Throughput, bytes a second.
    pub bytes_per_second: f64,
    /// Share of reads among the requests, 0 to 1; of the bytes where requests are not
    /// distinguished.
    pub reads: f64,
    /// Mean bytes of a read; none where there was none or they are not distinguished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bytes: Option<f64>,
    /// Mean bytes of a write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_bytes: Option<f64>,
    /// Requests in flight on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outstanding: Option<f64>,
}

impl Vector {
    /// Its requests by kind. A recording does not state offsets: all are random. Where reads and
    /// writes are not distinguished both have the mean size. Empty for no requests.
    pub fn flow(&self) -> Flow {
        let mean = self.bytes_per_second / self.iops;
        let kind = |op, bytes: Option<f64>, weight| FlowKind {
            op,
            bytes: bytes.unwrap_or(mean),
            sequential: 0.0,
            together: 1.0,
            weight,
        };
        let kinds = [
            kind(Op::Read, self.read_bytes, self.reads),
            kind(Op::Write, self.write_bytes, 1.0 - self.reads),
        ];
        let moves = |kind: &FlowKind| self.iops > 0.0 && kind.weight > 0.0;
        Flow {
            kinds: kinds.into_iter().filter(moves).collect(),
        }
    }
}

/// A top that looks like a limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlatTop {
    /// Share of the moments at the limit, 0 to 1.
    pub share: f64,
    /// The highest rate seen there: requests a second.
    pub iops: f64,
    /// Whether requests took longer there. None where the recording does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_slow: Option<bool>,
}

/// What was observed of a load.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Observed {
    /// Moments, and the seconds that they cover as far as it is known.
    pub moments: usize,
    /// Seconds of all moments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The moment of the most requests.
    pub most_iops: Vector,
    /// The moment of the most bytes.
    pub most_bytes: Vector,
    /// The moment that is busier by requests than the quantile asked for.
    pub quantile_iops: Vector,
    /// The same by bytes.
    pub quantile_bytes: Vector,
    /// Mean over all.
    pub mean: Vector,
    /// Mean over the busiest half hour in a row; none where the recording is shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busiest_window: Option<Vector>,
    /// Mean bytes of a read over all; none where there was none or they are not distinguished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bytes: Option<f64>,
    /// Mean bytes of a write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_bytes: Option<f64>,
    /// A sign that the device was the limit: the need is higher than what was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flat_top: Option<FlatTop>,
}

/// What a series of moments shows. `quantile` is 0 to 1, by nearest rank. None for no moments.
pub fn observe(samples: &[Sample], quantile: f64) -> Option<Observed> {
    let by = |pick: fn(&Sample) -> f64| {
        let mut order: Vec<&Sample> = samples.iter().collect();
        order.small_sort_by(|one, other| pick(one).total_cmp(&pick(other)));
        order
    };
    let (by_iops, by_bytes) = (by(|one| one.ios_per_second), by(Sample::bytes_per_second));
    let rank = ((quantile * samples.len() as f64).ceil() as usize).clamp(1, samples.len().max(1));
    let weights: Vec<f64> = samples
        .iter()
        .map(|one| one.seconds().unwrap_or(1.0))
        .collect();
    let size = |bytes: fn(&Sample) -> f64, requests: fn(&Sample) -> Option<f64>| {
        let sum = |of: &dyn Fn(&Sample) -> f64| -> f64 {
            let pairs = samples.iter().zip(&weights);
            pairs.map(|(sample, weight)| of(sample) * weight).sum()
        };
        let count = sum(&|sample| requests(sample).unwrap_or(0.0));
        (count > 0.0).then(|| sum(&bytes) / count)
    };
    Some(Observed {
        moments: samples.len(),
        seconds: samples.iter().map(Sample::seconds).sum(),
        most_iops: vector(by_iops.last()?),
        most_bytes: vector(by_bytes.last()?),
        quantile_iops: vector(by_iops[rank - 1]),
        quantile_bytes: vector(by_bytes[rank - 1]),
        mean: mean(samples, &weights),
        busiest_window: busiest(samples),
        read_bytes: size(|one| one.read_bytes_per_second, |one| one.reads_per_second),
        write_bytes: size(
            |one| one.written_bytes_per_second,
            |one| one.writes_per_second,
        ),
        flat_top: flat_top(samples),
    })
}

/// All of one moment together.
pub(super) fn vector(sample: &Sample) -> Vector {
    let bytes = sample.bytes_per_second();
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    Vector {
        at: sample.at.clone(),
        iops: sample.ios_per_second,
        bytes_per_second: bytes,
        reads: match sample.reads_per_second {
            Some(reads) => share(reads, sample.ios_per_second),
            None => share(sample.read_bytes_per_second, bytes),
        },
        read_bytes: sample.read_size_bytes(),
        write_bytes: sample.write_size_bytes(),
        outstanding: sample.queue_depth,
    }
}

/// Means by time; shares by requests.
fn mean(samples: &[Sample], weights: &[f64]) -> Vector {
    let total: f64 = weights.iter().sum();
    let over = |of: &dyn Fn(&Vector) -> f64| -> f64 {
        let pairs = samples.iter().zip(weights);
        pairs
            .map(|(sample, weight)| of(&vector(sample)) * weight)
            .sum::<f64>()
            / total
    };
    let iops = over(&|one| one.iops);
    let reads = over(&|one| one.iops * one.reads);
    let all_known = samples.iter().all(|one| one.queue_depth.is_some());
    let size = |share: fn(&Vector) -> f64, bytes: fn(&Vector) -> Option<f64>| {
        let known = |one: &Vector| bytes(one).map_or(0.0, |_| one.iops * share(one));
        let moved = over(&|one| known(one) * bytes(one).unwrap_or(0.0));
        let requests = over(&known);
        (requests > 0.0).then(|| moved / requests)
    };
    Vector {
        at: samples.last().and_then(|last| last.at.clone()),
        iops,
        bytes_per_second: over(&|one| one.bytes_per_second),
        reads: if iops > 0.0 { reads / iops } else { 0.0 },
        read_bytes: size(|one| one.reads, |one| one.read_bytes),
        write_bytes: size(|one| 1.0 - one.reads, |one| one.write_bytes),
        outstanding: all_known.then(|| over(&|one| one.outstanding.unwrap_or(0.0))),
    }
}

/// The half hour in a row with the most requests.
fn busiest(samples: &[Sample]) -> Option<Vector> {
    let seconds: Vec<f64> = samples.iter().map(Sample::seconds).collect::<Option<_>>()?;
    let mut best: Option<(f64, usize, usize)> = None;
    let (mut first, mut span, mut requests) = (0, 0.0, 0.0);
    for (index, sample) in samples.iter().enumerate() {
        span += seconds[index];
        requests += sample.ios_per_second * seconds[index];
        while span - seconds[first] >= WINDOW_SECONDS {
            span -= seconds[first];
            requests -= samples[first].ios_per_second * seconds[first];
            first += 1;
        }
        let rate = requests / span;
        if span >= WINDOW_SECONDS && best.is_none_or(|(known, ..)| rate > known) {
            best = Some((rate, first, index));
        }
    }
    let (_, first, last) = best?;
    Some(mean(&samples[first..=last], &seconds[first..=last]))
}

/// Whether the top of the series is that of a limit rather than of a load.
fn flat_top(samples: &[Sample]) -> Option<FlatTop> {
    let most = samples
        .iter()
        .map(|one| one.ios_per_second)
        .fold(0.0, f64::max);
    if most <= 0.0 {
        return None;
    }
    let total = samples.len() as f64;
    let mut awaits: Vec<f64> = samples.iter().filter_map(|one| one.await_ms).collect();
    awaits.sort_by(f64::total_cmp);
    let quiet = awaits.get(awaits.len() / 10).copied();
    if let Some(quiet) = quiet {
        // With awaits the question has an answer: slower by far while no more gets through, and
        // requests wait for each other. A single large write on an idle disk is slow as well.
        let saturated = samples.iter().filter(|one| {
            one.ios_per_second >= most * (1.0 - NEAR)
                && one
                    .await_ms
                    .is_some_and(|time| time > SLOW * quiet && one.ios_per_second * time >= 1000.0)
        });
        let share = saturated.count() as f64 / total;
        return (share > CENSORED).then_some(FlatTop {
            share,
            iops: most,
            is_slow: Some(true),
        });
    }
    let top = samples
        .iter()
        .filter(|one| one.ios_per_second >= most * (1.0 - TOP))
        .count();
    let share = top as f64 / total;
    (top >= FLAT_LEAST && share >= FLAT_SHARE).then_some(FlatTop {
        share,
        iops: most,
        is_slow: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(reads: f64, writes: f64, bytes: f64, await_ms: Option<f64>) -> Sample {
        Sample {
            length_ns: Some(60_000_000_000),
            ios_per_second: reads + writes,
            reads_per_second: Some(reads),
            writes_per_second: Some(writes),
            read_bytes_per_second: reads * bytes,
            written_bytes_per_second: writes * bytes,
            await_ms,
            ..Sample::default()
        }
    }

    #[test]
    fn peaks_are_joint() {
        // Many small requests in one moment, few large ones in another.
        let series = [
            sample(900.0, 100.0, 4_096.0, Some(1.0)),
            sample(50.0, 50.0, 1_048_576.0, Some(1.0)),
            sample(10.0, 0.0, 4_096.0, Some(1.0)),
        ];
        let found = observe(&series, 0.99).unwrap();
        let pair = |one: &Vector| (one.iops, one.bytes_per_second, one.reads);
        assert_eq!(pair(&found.most_iops), (1_000.0, 4_096_000.0, 0.9));
        assert_eq!(pair(&found.most_bytes), (100.0, 104_857_600.0, 0.5));
        assert_eq!((found.seconds, found.busiest_window), (Some(180.0), None));
        assert_eq!(found.flat_top, None);
        assert_eq!(observe(&[], 0.99), None);
    }

    #[test]
    fn requests_keep_their_sizes() {
        let both = Sample {
            written_bytes_per_second: 400.0 * 65_536.0,
            ..sample(100.0, 400.0, 4_096.0, None)
        };
        let kind = |op, bytes, weight| FlowKind {
            op,
            bytes,
            sequential: 0.0,
            together: 1.0,
            weight,
        };
        let expected = [kind(Op::Read, 4_096.0, 0.2), kind(Op::Write, 65_536.0, 0.8)];
        assert_eq!(vector(&both).flow().kinds, expected);
        let found = observe(&[both.clone(), both], 0.99).unwrap();
        assert_eq!(found.mean.flow().kinds, expected);
        // sar: bytes are told apart, requests are not.
        let joint = Sample {
            ios_per_second: 100.0,
            read_bytes_per_second: 300_000.0,
            written_bytes_per_second: 100_000.0,
            ..Sample::default()
        };
        let expected = [
            kind(Op::Read, 4_000.0, 0.75),
            kind(Op::Write, 4_000.0, 0.25),
        ];
        assert_eq!(vector(&joint).flow().kinds, expected);
        assert_eq!(vector(&Sample::default()).flow(), Flow::default());
    }

    #[test]
    fn the_busiest_half_hour_is_in_a_row() {
        let mut series = vec![sample(100.0, 0.0, 4_096.0, None); 120];
        for one in &mut series[40..70] {
            *one = sample(400.0, 0.0, 4_096.0, None);
        }
        let found = observe(&series, 0.5).unwrap();
        let window = found.busiest_window.unwrap();
        assert_eq!((window.iops, window.reads), (400.0, 1.0));
        assert_eq!((found.mean.iops, found.quantile_iops.iops), (175.0, 100.0));
    }

    #[test]
    fn a_flat_top_with_slow_requests_hides_demand() {
        let mut series = vec![sample(300.0, 0.0, 4_096.0, Some(1.0)); 96];
        series.extend(vec![sample(2_950.0, 0.0, 4_096.0, Some(20.0)); 4]);
        let found = observe(&series, 0.99).unwrap();
        let expected = FlatTop {
            share: 0.04,
            iops: 2_950.0,
            is_slow: Some(true),
        };
        assert_eq!(found.flat_top, Some(expected));
        // A single large write on an idle disk is slow, and nothing waits behind it.
        let mut idle = vec![sample(2.0, 0.0, 4_096.0, Some(0.2)); 2];
        idle.push(sample(0.0, 2.0, 1_800_000.0, Some(9.0)));
        assert_eq!(observe(&idle, 0.99).unwrap().flat_top, None);
        // The same rates at the usual speed are a load, not a limit.
        for one in &mut series[96..] {
            one.await_ms = Some(1.1);
        }
        assert_eq!(observe(&series, 0.99).unwrap().flat_top, None);
    }
}
