//! What could be ordered of a volume type to give a share of a load.

use super::Need;
use crate::catalog::{Accounting, CountRule, Law, Sharing, VolumeOrder, VolumeType};
use crate::layout::{Array, Layout, RaidLevel, VolumeText};
use crate::models::Meter;
use fathom_core::{Bytes, CapUnit, Op};

/// A share of the load that falls to one of several equal volumes, in the type's own counting. Of
/// loads at different times each figure is that of the load that has the most of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    gib: f64,
    iops: f64,
    bytes: f64,
    /// Of reads and of writes alone.
    apart: [(f64, f64); 2],
}

impl Share {
    /// What falls to one of `count` volumes by equal parts.
    pub(super) fn of(need: &Need, volume: &VolumeType, count: usize) -> Self {
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
        let of_requests = Meter::new(CapUnit::Iops, accounting);
        let of_bytes = Meter::new(CapUnit::BytesPerSecond, of_bytes);
        let mut share = Self {
            gib: need.capacity_gib / count as f64,
            iops: 0.0,
            bytes: 0.0,
            apart: [(0.0, 0.0); 2],
        };
        for peak in need.peaks() {
            let each = peak.iops / count as f64;
            let [reads, writes] = [Op::Read, Op::Write].map(|op| {
                let own = peak.flow.kinds.iter().filter(|kind| kind.op == op);
                own.fold((0.0, 0.0), |(iops, bytes), kind| {
                    let weight = each * kind.weight;
                    let (one, size) = (of_requests.mean(kind), of_bytes.mean(kind));
                    (iops + weight * one, bytes + weight * size)
                })
            });
            share.iops = share.iops.max(reads.0 + writes.0);
            share.bytes = share.bytes.max(reads.1 + writes.1);
            for (most, own) in share.apart.iter_mut().zip([reads, writes]) {
                *most = (most.0.max(own.0), most.1.max(own.1));
            }
        }
        share
    }

    /// With at least these requests and bytes.
    pub(super) const fn at_least(self, iops: f64, bytes: f64) -> Self {
        Self {
            iops: self.iops.max(iops),
            bytes: self.bytes.max(bytes),
            ..self
        }
    }
}

/// The chunk of a stripe of a type; none for the usual one, which a layout need not state.
pub(super) fn chunk(volume: &VolumeType, count: usize, need: &Need) -> Option<u64> {
    let unit = volume.whole_unit().filter(|_| count > 1);
    need.chunk_bytes.or(unit)
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
            let [read, written] = share.apart;
            let by_reads = (read.0 - iops) / reads;
            let by_writes = (written.0 - iops) / writes;
            let most_bytes = match law.sharing {
                Sharing::All => share.bytes,
                _ => read.1.max(written.1),
            };
            let by_bytes = (most_bytes - bytes) / rate;
            let by_all = match law.sharing {
                Sharing::Apart => 0.0,
                _ => (share.iops - iops) / reads.max(writes),
            };
            let gib = share.gib.max(by_reads).max(by_writes).max(by_bytes);
            sized(volume, gib.max(by_all))
        }
        Law::Provisioned(_) | Law::Follows(_) => {
            let order = volume.order_for(share.gib, share.iops, share.bytes)?;
            Some(VolumeText::of(volume, &order))
        }
        Law::Device(_) => None,
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

/// Of a size on sale, without further choices.
fn sized(volume: &VolumeType, gib: f64) -> Option<VolumeText> {
    let number = volume.size_for(gib)?;
    let order = VolumeOrder::new(&volume.name, Some(number));
    Some(VolumeText::of(volume, &order))
}
