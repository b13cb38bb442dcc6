//! Disks in the host of a machine, for data that may be lost: they cost nothing in addition to
//! their machine.

use super::Need;
use super::choices::stripe;
use super::cost::Scope;
use super::machines::{MachineLoads, Machines};
use super::offer::{Meets, Offer, Ordered, weigh};
use super::search::Market;
use crate::catalog::{Cloud, InstanceType, Remark, VolumeType};
use crate::layout::{Amount, VolumeText};

const GIB: f64 = 1_073_741_824.0;

/// Of each cloud the cheapest machine whose disks give the need, and the cheapest with one disk.
/// Of a machine that is named, its disks, enough or not.
pub(super) fn offers(need: &Need, market: &Market<'_>, machines: &Machines<'_>) -> Vec<Offer> {
    if !need.ephemeral_ok || need.iops.is_none() {
        return Vec::new();
    }
    let mut names: Vec<&VolumeType> = Vec::new();
    for volume in market.catalog.volumes() {
        if volume.is_in_host() && names.iter().all(|known| known.name != volume.name) {
            names.push(volume);
        }
    }
    let asked = MachineLoads::of(need);
    let mut found = Vec::new();
    for volume in names {
        let try_all =
            |row: &InstanceType, most: usize| of_machine(volume, row, most, need, &asked, market);
        if let Some(row) = market.instance {
            if row.cloud == volume.cloud {
                found.extend(try_all(row, market.max_volumes));
            }
            continue;
        }
        let cheapest = |most: usize| {
            let mut rows = machines.rows(volume.cloud);
            rows.find_map(|row| try_all(row, most).filter(|offer| offer.meets == Meets::Sustained))
        };
        if market.scope == Scope::Disks {
            let first = cheapest(market.max_volumes);
            found.extend(first.and_then(|first| part(&first, need, market)));
            continue;
        }
        let first = cheapest(market.max_volumes);
        let single = first.as_ref().filter(|first| first.volumes > 1);
        found.extend(single.and_then(|_| cheapest(1)));
        found.extend(first);
    }
    found
}

/// The part of disks that a role needs: its machine has to serve the other roles too, so that it
/// may be one with other disks.
fn part(offer: &Offer, need: &Need, market: &Market<'_>) -> Option<Offer> {
    let Ordered { count, order, .. } = offer.orders.first()?;
    let amount = |number: f64, unit: &str| Amount {
        number: number.ceil(),
        unit: unit.to_owned(),
    };
    let lacks = offer.lacks.iter().copied().fold(0.0, f64::max);
    let gb = need.capacity_gib * GIB / 1e9 / *count as f64;
    let text = VolumeText {
        name: order.name.clone(),
        size: Some(amount(gb, "GB")),
        iops: Some((order.iops? * lacks).ceil()),
        rate: Some(amount(order.bytes_per_second? * lacks / 1e6, "MB")),
        ..VolumeText::default()
    };
    let own = weigh(&stripe(text, *count, need.chunk_bytes), need, market).ok()?;
    Some(Offer {
        sources: offer.sources.clone(),
        remarks: offer.remarks.clone(),
        ..own
    })
}

/// As few disks of a machine as give the need, or all of them; none where it has none, or no source
/// states what they give.
fn of_machine(
    volume: &VolumeType,
    row: &InstanceType,
    most: usize,
    need: &Need,
    asked: &MachineLoads,
    market: &Market<'_>,
) -> Option<Offer> {
    let store = market.catalog.instance_store(row)?;
    let (iops, bytes) = asked.each(store)?;
    let most = most.min(store.disks as usize);
    let gb = store.disk_gb.floor();
    let by_room = need.capacity_gib * GIB * 0.999 / (gb * 1e9);
    let least = by_room.max(asked.most_iops / iops).ceil().max(1.0) as usize;
    if least > most && market.instance.is_none() {
        return None;
    }
    let amount = |number: f64, unit: &str| Amount {
        number,
        unit: unit.to_owned(),
    };
    let text = VolumeText {
        name: volume.name.clone(),
        size: Some(amount(gb, "GB")),
        iops: Some(iops.floor()),
        rate: Some(amount((bytes / 1e6).floor(), "MB")),
        ..VolumeText::default()
    };
    let mut best = None;
    for count in least.min(most)..=most {
        let layout = stripe(text.clone(), count, need.chunk_bytes);
        let offer = weigh(&layout, need, market).ok()?;
        let is_enough = offer.meets == Meets::Sustained;
        best = Some(offer);
        if is_enough {
            break;
        }
    }
    let mut offer = best?;
    offer.sources.push(store.evidence.clone());
    offer.remarks.push(Remark::assumed(match volume.cloud {
        Cloud::Aws => {
            "reads and writes share the time of the disks of a host. AWS states no MB/s for them: \
             counted is what requests of 4 KiB move"
        }
        _ => "reads and writes share the time of the disks of a host",
    }));
    Some(offer)
}
