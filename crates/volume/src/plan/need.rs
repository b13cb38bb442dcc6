//! What a load needs of storage.

use crate::catalog::Remark;
use crate::model::{Flow, FlowKind};
use crate::sizing::Peak;
use fathom_core::recording::Sample;
use fathom_core::{Op, figure};
use std::sync::Arc;

/// The default size of requests, bytes: the size for which vendors state IOPS.
const USUAL_BYTES: f64 = 16_384.0;
/// The size where only a throughput is asked for: the unit in which vendors count large requests.
const LARGE_BYTES: f64 = 262_144.0;
/// Share of reads where nobody says otherwise.
const USUAL_READS: f64 = 0.7;
/// IOPS × block size may differ from the requested throughput by this share: rounding, not a
/// contradiction.
const ROUNDING: f64 = 0.02;

/// What is asked for, as far as somebody said it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wish {
    /// Requests a second.
    pub iops: Option<f64>,
    /// Throughput, bytes a second.
    pub bytes_per_second: Option<f64>,
    /// Bytes of a request.
    pub block_bytes: Option<f64>,
    /// Share of reads, 0 to 1.
    pub reads: Option<f64>,
    /// Share of requests that go to a random place, 0 to 1.
    pub random: Option<f64>,
    /// GiB of room.
    pub capacity_gib: Option<f64>,
    /// Mean time that a request may take, nanoseconds.
    pub latency_ns: Option<f64>,
    /// Requests of a sequential stream that wait together, 1 or more.
    pub together: Option<f64>,
    /// Share of the month in which the load runs, 0 to 1.
    pub busy: Option<f64>,
    /// GiB of snapshots that are kept.
    pub snapshot_gib: f64,
    /// Chunk of a stripe in bytes; none to choose it.
    pub chunk_bytes: Option<u64>,
    /// Whether the data may be lost, so that disks in the host will do.
    pub ephemeral_ok: bool,
    /// The kinds of requests of a profile; sizes and shares above beat it.
    pub flow: Option<Flow>,
    /// Loads that have to be served at other times.
    pub also: Vec<Peak>,
    /// The recording that the loads are of, where it says how long its moments are.
    pub played: Option<Played>,
}

/// A recorded load, and how many times as much of it is needed.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Its moments.
    pub samples: Arc<[Sample]>,
    /// Required rate / observed rate.
    pub growth: f64,
}

/// What a load needs: every choice made.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// The kinds of requests, weights adding up to one.
    pub flow: Flow,
    /// Requests a second; none where layouts are only compared.
    pub iops: Option<f64>,
    /// Loads that have to be served too, each at a time of its own.
    pub also: Vec<Peak>,
    /// The recording that the loads are of.
    pub played: Option<Played>,
    /// GiB of room.
    pub capacity_gib: f64,
    /// Whether nobody asked for a capacity.
    pub any_capacity: bool,
    /// Mean time that a request may take, nanoseconds.
    pub latency_ns: Option<f64>,
    /// Share of the month in which the load runs, 0 to 1: transactions are billed for it.
    pub busy: f64,
    /// GiB of snapshots that are kept.
    pub snapshot_gib: f64,
    /// Chunk of a stripe in bytes; none to choose it.
    pub chunk_bytes: Option<u64>,
    /// Whether the data may be lost, so that disks in the host will do.
    pub ephemeral_ok: bool,
    /// What was assumed.
    pub remarks: Vec<Remark>,
}

/// An invalid wish.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NeedError {
    /// A number that is not more than nothing.
    #[error("the {what} asked for is not a number above zero")]
    NotPositive {
        /// The name of the wish.
        what: &'static str,
    },
    /// IOPS, throughput and block size that do not belong together.
    #[error("{iops} IOPS of {block} are {product} MB/s, and {asked} MB/s are asked for")]
    Contradiction {
        /// Requests a second.
        iops: String,
        /// Size of a request.
        block: String,
        /// Their product.
        product: String,
        /// What was asked for.
        asked: String,
    },
}

impl Wish {
    /// The need: what was not said is assumed, and remarked.
    ///
    /// # Errors
    ///
    /// [`NeedError`] where numbers contradict each other or cannot be.
    pub fn resolve(&self) -> Result<Need, NeedError> {
        self.refuse_nothing()?;
        let mut remarks = Vec::new();
        let flow = self.shape(&mut remarks);
        remarks.extend(merging(&flow, self.together));
        let mean = flow.mean_bytes();
        let iops = match (self.iops, self.bytes_per_second) {
            (Some(iops), Some(rate)) => {
                if (rate / (iops * mean) - 1.0).abs() > ROUNDING {
                    return Err(NeedError::Contradiction {
                        iops: figure::iops(iops),
                        block: figure::size(mean as u64),
                        product: figure::megabytes(iops * mean),
                        asked: figure::megabytes(rate),
                    });
                }
                Some(iops)
            }
            (Some(iops), None) => Some(iops),
            (None, rate) => rate.map(|rate| rate / mean),
        };
        let capacity_gib = self.capacity_gib.unwrap_or_else(|| {
            remarks.push(Remark::assumed(
                "any capacity will do; --capacity says how much is needed",
            ));
            1.0
        });
        Ok(Need {
            flow,
            iops,
            also: self.also.clone(),
            played: self.played.clone(),
            capacity_gib,
            any_capacity: self.capacity_gib.is_none(),
            latency_ns: self.latency_ns,
            busy: self.busy.unwrap_or(1.0).clamp(0.0, 1.0),
            snapshot_gib: self.snapshot_gib,
            chunk_bytes: self.chunk_bytes,
            ephemeral_ok: self.ephemeral_ok,
            remarks,
        })
    }

    fn refuse_nothing(&self) -> Result<(), NeedError> {
        let numbers = [
            ("IOPS", self.iops),
            ("throughput", self.bytes_per_second),
            ("block size", self.block_bytes),
            ("capacity", self.capacity_gib),
            ("latency", self.latency_ns),
        ];
        let wrong = numbers
            .into_iter()
            .find(|(_, number)| number.is_some_and(|number| !(number.is_finite() && number > 0.0)));
        match wrong {
            Some((what, _)) => Err(NeedError::NotPositive { what }),
            None => Ok(()),
        }
    }

    /// The kinds of requests: of the profile, with the options given in addition.
    fn shape(&self, remarks: &mut Vec<Remark>) -> Flow {
        if let Some(flow) = &self.flow {
            let of_profile = flow.normalized();
            return self.reshaped(&of_profile);
        }
        let bytes = self.block_bytes.unwrap_or_else(|| {
            let (bytes, from) = match (self.iops, self.bytes_per_second) {
                (Some(iops), Some(rate)) => (rate / iops, ", from the throughput and the IOPS"),
                (None, Some(_)) => (LARGE_BYTES, ""),
                _ => (USUAL_BYTES, ""),
            };
            remarks.push(Remark::assumed(format!(
                "requests of {}{from}; --block-size says otherwise",
                figure::size(bytes as u64)
            )));
            bytes
        });
        let reads = self.reads.unwrap_or_else(|| {
            remarks.push(Remark::assumed(format!(
                "{} reads; --read says otherwise",
                figure::percent(USUAL_READS * 100.0)
            )));
            USUAL_READS
        });
        let random = self.random.unwrap_or_else(|| {
            remarks.push(Remark::assumed(
                "all requests go to random offsets; --random says otherwise",
            ));
            1.0
        });
        let together = self.together.unwrap_or(1.0);
        let kind = |op, weight| FlowKind {
            op,
            bytes,
            sequential: 1.0 - random,
            together,
            weight,
        };
        Flow {
            kinds: vec![kind(Op::Read, reads), kind(Op::Write, 1.0 - reads)],
        }
        .normalized()
    }

    fn reshaped(&self, flow: &Flow) -> Flow {
        let share = |op| -> f64 {
            let kinds = flow.kinds.iter().filter(|kind| kind.op == op);
            kinds.map(|kind| kind.weight).sum()
        };
        let (reads, writes) = (share(Op::Read), share(Op::Write));
        let kinds = flow.kinds.iter().map(|kind| {
            let weight = match (self.reads, kind.op) {
                (Some(asked), Op::Read) if reads > 0.0 => kind.weight / reads * asked,
                (Some(asked), Op::Write) if writes > 0.0 => kind.weight / writes * (1.0 - asked),
                _ => kind.weight,
            };
            FlowKind {
                bytes: self.block_bytes.unwrap_or(kind.bytes),
                sequential: self.random.map_or(kind.sequential, |random| 1.0 - random),
                together: self.together.unwrap_or(kind.together),
                weight,
                ..*kind
            }
        });
        Flow {
            kinds: kinds.collect(),
        }
        .normalized()
    }
}

/// Small sequential requests of a load: what is assumed of their being counted as one.
fn merging(flow: &Flow, together: Option<f64>) -> Option<Remark> {
    let is_small = |kind: &FlowKind| kind.sequential > 0.0 && kind.bytes < LARGE_BYTES;
    if together.is_some() || !flow.kinds.iter().any(is_small) {
        return None;
    }
    Some(Remark::assumed(
        "sequential requests wait one at a time, so that none are counted as one; \
         --sequential-depth says how many wait together",
    ))
}

impl Need {
    /// The loads that have to be served, each by itself; none where layouts are only compared.
    pub fn peaks(&self) -> Vec<Peak> {
        let first = self.iops.map(|iops| Peak {
            flow: self.flow.clone(),
            iops,
        });
        first.into_iter().chain(self.also.iter().cloned()).collect()
    }

    /// The same load, multiplied.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        let more = |peak: &Peak| Peak {
            iops: peak.iops * factor,
            ..peak.clone()
        };
        Self {
            iops: self.iops.map(|iops| iops * factor),
            also: self.also.iter().map(more).collect(),
            played: self.played.as_ref().map(|played| Played {
                growth: played.growth * factor,
                ..played.clone()
            }),
            ..self.clone()
        }
    }

    /// The same with each of its loads multiplied by a factor of its own, the first one first.
    #[must_use]
    pub(super) fn each_peak(&self, mut factor: impl FnMut(&Peak) -> f64) -> Self {
        let mut peaks = self.peaks().into_iter().map(|peak| Peak {
            iops: peak.iops * factor(&peak),
            ..peak
        });
        let first = self.iops.and_then(|_| peaks.next());
        Self {
            iops: first.map(|peak| peak.iops),
            also: peaks.collect(),
            ..self.clone()
        }
    }

    /// One of its loads alone.
    pub(super) fn of_peak(&self, peak: &Peak) -> Self {
        Self {
            flow: peak.flow.clone(),
            iops: Some(peak.iops),
            also: Vec::new(),
            ..self.clone()
        }
    }

    /// The same load with this number of sequential requests outstanding; none where that was
    /// stated, or where vendors would not merge more of them.
    #[must_use]
    pub fn merged(&self, together: f64) -> Option<Self> {
        merging(&self.flow, None).filter(|remark| self.remarks.contains(remark))?;
        let mut own = self.clone();
        for kind in &mut own.flow.kinds {
            kind.together = together;
        }
        Some(own)
    }

    /// Bytes a second that are needed.
    pub fn bytes_per_second(&self) -> Option<f64> {
        self.iops.map(|iops| iops * self.flow.mean_bytes())
    }

    /// The need in words: `10,000 IOPS of 16 KiB (163.8 MB/s), 70.0 % reads, 200 GiB`.
    pub fn in_words(&self) -> String {
        let block = figure::size(self.flow.mean_bytes().round() as u64);
        let reads: f64 = {
            let kinds = self.flow.kinds.iter().filter(|kind| kind.op == Op::Read);
            kinds.map(|kind| kind.weight).sum()
        };
        let load = match (self.iops, self.bytes_per_second()) {
            (Some(iops), Some(rate)) => format!(
                "{} IOPS of {block} ({} MB/s)",
                figure::iops(iops),
                figure::megabytes(rate)
            ),
            _ => format!("requests of {block}"),
        };
        let load = self.also.iter().fold(load, |load, peak| {
            format!(
                "{load} and at other times {} of {} ({} MB/s)",
                figure::iops(peak.iops),
                figure::size(peak.flow.mean_bytes().round() as u64),
                figure::megabytes(peak.bytes_per_second())
            )
        });
        let mut words = format!("{load}, {} reads", figure::percent(reads * 100.0));
        if !self.any_capacity {
            let room = figure::size((self.capacity_gib * 1_073_741_824.0) as u64);
            words = format!("{words}, {room}");
        }
        if let Some(latency) = self.latency_ns {
            words = format!("{words}, {} at most on average", figure::time(latency));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_said_is_assumed_and_remarked() {
        let need = Wish {
            iops: Some(10_000.0),
            ..Wish::default()
        }
        .resolve()
        .unwrap();
        let words: Vec<String> = need.remarks.iter().map(ToString::to_string).collect();
        assert_eq!(
            words,
            [
                "assumed: requests of 16 KiB; --block-size says otherwise",
                "assumed: 70.0 % reads; --read says otherwise",
                "assumed: all requests go to random offsets; --random says otherwise",
                "assumed: any capacity will do; --capacity says how much is needed",
            ]
        );
        assert_eq!(
            need.in_words(),
            "10,000 IOPS of 16 KiB (163.8 MB/s), 70.0 % reads"
        );
    }

    #[test]
    fn a_contradiction_is_refused() {
        let wish = Wish {
            iops: Some(1_000.0),
            bytes_per_second: Some(100e6),
            block_bytes: Some(4096.0),
            ..Wish::default()
        };
        let said = wish.resolve().unwrap_err().to_string();
        let expected = "1,000 IOPS of 4 KiB are 4.10 MB/s, and 100.0 MB/s are asked for";
        assert_eq!(said, expected);
        let nothing = Wish {
            iops: Some(0.0),
            ..Wish::default()
        };
        assert_eq!(
            nothing.resolve(),
            Err(NeedError::NotPositive { what: "IOPS" })
        );
    }

    #[test]
    fn the_block_size_follows_from_both_rates() {
        let wish = Wish {
            iops: Some(1_000.0),
            bytes_per_second: Some(8_192_000.0),
            ..Wish::default()
        };
        let need = wish.resolve().unwrap();
        assert!((need.flow.mean_bytes() - 8192.0).abs() < 1e-9);
    }
}
