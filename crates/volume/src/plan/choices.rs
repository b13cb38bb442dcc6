//! What could be ordered of a volume type to give a share of a load.

use super::Need;
use crate::catalog::{Accounting, CountRule, Law, Sharing, VolumeType};
use crate::layout::{Amount, Array, Layout, RaidLevel, VolumeText};
use crate::model::Flow;
use crate::models::Meter;
use fathom_core::{Bytes, CapUnit, Op};

/// A share of the load that falls to one of several equal volumes, in the type's own counting.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    gib: f64,
    iops: f64,
    bytes: f64,
    /// Share of reads, 0 to 1.
    reads: f64,
}

impl Share {
    /// What falls to one of `count` volumes, `scale` times as much as by equal parts.
    pub(super) fn of(need: &Need, volume: &VolumeType, count: usize, scale: f64) -> Self {
        let accounting = match volume.count {
            None => Accounting::Once,
            Some((CountRule::Split, unit)) => Accounting::Split(unit),
            Some((CountRule::SplitMerge, unit)) => Accounting::SplitMerge(unit),
            Some((CountRule::WholeMerge, unit)) => Accounting::WholeMerge(unit),
        };
        let of_bytes = match accounting {
            Accounting::WholeMerge(_) => accounting,
            _ => Accounting::Once,
        };
        let mut share = Self {
            gib: need.capacity_gib / count as f64,
            iops: 0.0,
            bytes: 0.0,
            reads: reads(&need.flow),
        };
        for peak in need.peaks() {
            let each = peak.iops * scale / count as f64;
            let tokens = |unit: CapUnit, accounting| -> f64 {
                let meter = Meter::new(unit, accounting);
                let kinds = peak.flow.kinds.iter();
                kinds.map(|kind| kind.weight * meter.mean(kind)).sum()
            };
            share.iops = share.iops.max(each * tokens(CapUnit::Iops, accounting));
            let bytes = each * tokens(CapUnit::BytesPerSecond, of_bytes);
            share.bytes = share.bytes.max(bytes);
        }
        share
    }
}

/// Share of reads, 0 to 1.
fn reads(flow: &Flow) -> f64 {
    let reads = flow.kinds.iter().filter(|kind| kind.op == Op::Read);
    reads.map(|kind| kind.weight).sum()
}

/// The chunks with which a stripe of a type is tried; none is the usual one.
///
/// A type that counts whole units, random requests included, loses what a chunk is smaller than a
/// unit.
pub(super) fn chunks(volume: &VolumeType, count: usize, need: &Need) -> Vec<Option<u64>> {
    match volume.count {
        Some((CountRule::WholeMerge, unit)) if count > 1 && need.chunk_bytes.is_none() => {
            vec![None, Some(unit)]
        }
        _ => vec![need.chunk_bytes],
    }
}

/// `count` equal volumes as one.
pub(super) fn stripe(volume: VolumeText, count: usize, chunk: Option<u64>) -> Layout {
    if count == 1 {
        return Layout::Volume(volume);
    }
    Layout::Array(Array {
        level: RaidLevel::Raid0,
        members: vec![Layout::Volume(volume); count],
        chunk: chunk.map(Bytes),
    })
}

/// The smallest with the capacity; of a tier, that tier. None where no volume has the capacity.
pub(super) fn smallest(volume: &VolumeType, share: Share) -> Option<VolumeText> {
    match &volume.law {
        Law::Tier(_) => (share.gib <= volume.max_gib).then(|| named(volume)),
        Law::Scaled(_) | Law::Throughput(_) | Law::Pooled(_) | Law::Fixed(_) => {
            sized(volume, share.gib)
        }
        Law::Provisioned(_) | Law::Follows(_) | Law::Device(_) => None,
    }
}

/// One that gives its share all the time. None where the type cannot, as far as the catalogue
/// knows.
pub(super) fn enough(volume: &VolumeType, share: Share) -> Option<VolumeText> {
    match &volume.law {
        Law::Tier(_) | Law::Fixed(_) => smallest(volume, share),
        Law::Scaled(law) => {
            let by_iops = share.iops / law.iops_per_gib;
            let beyond_small = match law.small {
                Some((small_gib, rate)) if share.bytes > rate => small_gib + 1.0,
                _ => 0.0,
            };
            let by_iops = if share.iops <= law.iops_min {
                0.0
            } else {
                by_iops
            };
            sized(volume, share.gib.max(by_iops).max(beyond_small))
        }
        Law::Throughput(law) => {
            let gib = share.gib.max(share.bytes / law.base.0);
            sized(volume, gib)
        }
        Law::Pooled(law) => {
            let (iops, bytes) = law.included;
            let (reads, writes, rate) = law.per_gib;
            // Reads and writes are limited apart.
            let by_reads = (share.iops * share.reads - iops) / reads;
            let by_writes = (share.iops * (1.0 - share.reads) - iops) / writes;
            let larger = match law.sharing {
                Sharing::All => 1.0,
                _ => share.reads.max(1.0 - share.reads),
            };
            let by_bytes = (share.bytes * larger - bytes) / rate;
            let by_all = match law.sharing {
                Sharing::Apart => 0.0,
                _ => (share.iops - iops) / reads.max(writes),
            };
            let gib = share.gib.max(by_reads).max(by_writes).max(by_bytes);
            sized(volume, gib.max(by_all))
        }
        Law::Provisioned(_) => provisioned(volume, share),
        Law::Follows(law) => {
            let bytes = (share.iops / law.iops_per_byte)
                .max(share.bytes)
                .max(law.bytes_min);
            if bytes > law.bytes_max {
                return None;
            }
            let mut text = sized(volume, share.gib)?;
            text.rate = Some(rate(volume, bytes));
            Some(text)
        }
        Law::Device(_) => None,
    }
}

/// Bytes a second as whole units of the vendor.
fn rate(volume: &VolumeType, bytes: f64) -> Amount {
    let unit = if volume.unit_bytes > 1e6 { "MiB" } else { "MB" };
    Amount {
        number: (bytes / volume.unit_bytes - 1e-9).ceil(),
        unit: unit.to_owned(),
    }
}

/// A volume with each of the options that its type has: performance plus, burst on demand.
pub(super) fn variants(volume: &VolumeType, text: &VolumeText) -> Vec<VolumeText> {
    let mut variants = vec![text.clone()];
    if let Law::Tier(law) = &volume.law {
        variants.extend(law.plus.map(|_| VolumeText {
            plus: true,
            ..text.clone()
        }));
        variants.extend(law.on_demand.map(|_| VolumeText {
            on_demand: true,
            ..text.clone()
        }));
    }
    variants
}

/// IOPS and throughput as they are needed, and a size that allows them.
fn provisioned(volume: &VolumeType, share: Share) -> Option<VolumeText> {
    let Law::Provisioned(law) = &volume.law else {
        return None;
    };
    let least = law.iops_included.or(law.iops_min).unwrap_or(0.0);
    // Throughput beyond the included one takes IOPS.
    let included = law.bytes_included.unwrap_or(0.0);
    let for_bytes = match (law.bytes_per_iops, law.knee) {
        (Some(_), Some((knee, above))) if share.bytes > knee => share.bytes / above,
        (Some(each), _) if share.bytes > included => share.bytes / each,
        _ => 0.0,
    };
    let iops = share.iops.max(for_bytes).max(least).ceil();
    if iops > law.iops_max || share.bytes > law.bytes_max {
        return None;
    }
    let by_ratio = match (law.iops_per_gib_max, law.iops_included) {
        (_, Some(included)) if iops <= included => 0.0,
        (Some(ratio), _) => iops / ratio,
        (None, _) => 0.0,
    };
    let mut text = sized(volume, share.gib.max(by_ratio))?;
    if law.iops_included.is_none_or(|included| iops > included) {
        text.iops = Some(iops);
    }
    if let Some(included) = law.bytes_included
        && (share.bytes > included || law.iops_included.is_none())
    {
        text.rate = Some(rate(volume, share.bytes.max(included)));
    }
    Some(text)
}

/// One of its share of the size, with what else has to be ordered for the need. A tier is found by
/// the name of its family. None where that size does not exist.
pub(super) fn of_size(volume: &VolumeType, family: &str, share: Share) -> Option<VolumeText> {
    match &volume.law {
        Law::Tier(_) => Some(VolumeText {
            name: family.to_owned(),
            ..sized(volume, share.gib)?
        }),
        Law::Provisioned(_) | Law::Follows(_) => enough(volume, share),
        _ => sized(volume, share.gib),
    }
}

fn named(volume: &VolumeType) -> VolumeText {
    VolumeText {
        name: volume.name.clone(),
        ..VolumeText::default()
    }
}

/// Of a size in whole GiB, within what is on offer.
fn sized(volume: &VolumeType, gib: f64) -> Option<VolumeText> {
    // Rounding of a quotient must not cost a GiB.
    let number = (gib - 1e-9).ceil().max(volume.min_gib).max(1.0);
    (number <= volume.max_gib).then(|| VolumeText {
        size: Some(Amount {
            number,
            unit: "GiB".to_owned(),
        }),
        ..named(volume)
    })
}
