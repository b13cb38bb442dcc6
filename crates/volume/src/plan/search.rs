//! Looks through the catalogue for layouts that give what is needed, and ranks them.

use super::choices::{Share, enough, smallest, stripe};
use super::cost::usual_region;
use super::offer::{Meets, Offer, weigh};
use super::smallest::Sizes;
use super::{Need, Smallest};
use crate::catalog::{Catalog, Cloud, Date, InstanceType, Law, Remark, RemarkKind, VolumeType};
use crate::layout::{BuildError, Layout};
use serde::Serialize;

/// How often the order is raised until the load gets through: splitting over chunks may cost more
/// than equal parts.
const TRIES: usize = 4;

/// Where and when, and behind what.
#[derive(Clone, Copy, Debug)]
pub struct Market<'a> {
    /// What is known.
    pub catalog: &'a Catalog,
    /// The day.
    pub at: Date,
    /// The region of the prices; none for the usual one of each cloud.
    pub region: Option<&'a str>,
    /// The instance before the volumes.
    pub instance: Option<&'a InstanceType>,
    /// Whose volumes; none for those of every cloud.
    pub cloud: Option<Cloud>,
    /// Most volumes in a stripe.
    pub max_volumes: usize,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// Best first: what gives the need all the time by price, then what does while credit lasts,
    /// then the rest.
    pub offers: Vec<Offer>,
    /// What has to be said of all of them.
    pub remarks: Vec<Remark>,
}

/// Layouts that give a need, best first.
///
/// For each volume type and number of volumes two layouts are tried: one that is ordered so that
/// it gives the need all the time, and where the type bursts the smallest that has the room. What
/// costs no less than one with fewer volumes and gives no more is left out.
pub fn plan(need: &Need, market: &Market<'_>) -> Plan {
    let mut offers = Vec::new();
    for volume in types(market) {
        offers.extend(of_type(volume, need, market));
    }
    let has_any = offers
        .iter()
        .any(|offer: &Offer| !matches!(offer.meets, Meets::No(_)));
    if has_any {
        offers.retain(|offer| !matches!(offer.meets, Meets::No(_)));
    }
    let offers = without_dominated(offers);
    finish(offers, need, market)
}

/// Given layouts, in the order in which they are given.
///
/// # Errors
///
/// [`BuildError`] of the first that cannot be.
pub fn compare(layouts: &[Layout], need: &Need, market: &Market<'_>) -> Result<Plan, BuildError> {
    let offers = layouts.iter().map(|layout| weigh(layout, need, market));
    let offers = offers.collect::<Result<Vec<Offer>, BuildError>>()?;
    let mut plan = finish(offers, need, market);
    let place = |offer: &Offer| {
        let same = |layout: &Layout| layout.to_string() == offer.layout;
        layouts.iter().position(same)
    };
    plan.offers.sort_by_key(place);
    Ok(plan)
}

/// The types on offer, each in the period of the day. Types of single devices have no figures to
/// plan with, and those that began later cannot be ordered yet.
fn types<'a>(market: &Market<'a>) -> Vec<&'a VolumeType> {
    let cloud = market.cloud.or(market.instance.map(|one| one.cloud));
    let mut names: Vec<&str> = Vec::new();
    let mut types = Vec::new();
    for volume in market.catalog.volumes() {
        let is_other = cloud.is_some_and(|cloud| cloud != volume.cloud);
        let in_region = market.region.is_none_or(|region| {
            market
                .catalog
                .prices()
                .all_regions(volume.cloud)
                .contains(&region)
        });
        let is_device = matches!(volume.law, Law::Device(_)) || volume.cloud == Cloud::Local;
        if is_other || is_device || !in_region || names.contains(&volume.name.as_str()) {
            continue;
        }
        names.push(&volume.name);
        let now = market.catalog.volume(&volume.name, market.at);
        types.extend(now.ok().filter(|now| now.validity.holds(market.at)));
    }
    types
}

fn of_type(volume: &VolumeType, need: &Need, market: &Market<'_>) -> Vec<Offer> {
    // Disks of a pool share their limits: more of them give no more.
    let most = match volume.law {
        Law::Pooled(_) => 1,
        _ => market.max_volumes,
    };
    let most = market
        .instance
        .and_then(|instance| instance.max_volumes)
        .map_or(most, |own| most.min(own as usize));
    let mut found = Vec::new();
    for count in 1..=most {
        let Some(lasting) = lasting(volume, need, market, count) else {
            continue;
        };
        let small = smallest(volume, Share::of(need, volume, count, 1.0));
        let small = small
            .and_then(|text| weigh(&stripe(text, count), need, market).ok())
            .filter(|small| small.layout != lasting.layout);
        found.push(lasting);
        found.extend(small);
    }
    found
}

/// A layout that gives the need all the time, or as near to it as the type comes.
fn lasting(volume: &VolumeType, need: &Need, market: &Market<'_>, count: usize) -> Option<Offer> {
    let mut scale = 1.0;
    let mut best: Option<Offer> = None;
    for _ in 0..TRIES {
        let Some(text) = enough(volume, Share::of(need, volume, count, scale)) else {
            break;
        };
        let offer = weigh(&stripe(text, count), need, market).ok()?;
        let lacks = offer.lacks;
        let is_same = best
            .as_ref()
            .is_some_and(|best| best.layout == offer.layout);
        let is_enough = !matches!(offer.meets, Meets::Burst(_) | Meets::No(_));
        best = Some(offer);
        if is_enough || is_same || !lacks.is_finite() {
            break;
        }
        scale *= lacks.max(1.0);
    }
    best
}

/// Leaves out what another one beats: no more volumes, no higher price, no less of anything.
fn without_dominated(offers: Vec<Offer>) -> Vec<Offer> {
    let beats = |one: &Offer, other: &Offer| {
        let price = |offer: &Offer| offer.cost.as_ref().map_or(f64::INFINITY, |cost| cost.total);
        let of_one_kind = one.orders.first().map(|order| family(&order.volume))
            == other.orders.first().map(|order| family(&order.volume));
        let figures = [
            (one.figures.sustained_iops, other.figures.sustained_iops),
            (one.figures.burst_iops, other.figures.burst_iops),
            (
                one.figures.burst_seconds.unwrap_or(0.0),
                other.figures.burst_seconds.unwrap_or(0.0),
            ),
        ];
        let gives_enough = matches!(one.meets, Meets::Sustained)
            || figures.iter().all(|(one, other)| *one >= other * 0.999);
        of_one_kind
            && rank(one) <= rank(other)
            && one.volumes <= other.volumes
            && price(one) <= price(other) + 0.005
            && gives_enough
            && (one.volumes, &one.layout) != (other.volumes, &other.layout)
    };
    let kept: Vec<bool> = offers
        .iter()
        .enumerate()
        .map(|(index, offer)| {
            let others = offers.iter().enumerate();
            !others
                .filter(|(other, _)| *other != index)
                .any(|(other, one)| beats(one, offer) && !(beats(offer, one) && index < other))
        })
        .collect();
    let pairs = offers.into_iter().zip(kept);
    pairs
        .filter_map(|(offer, keep)| keep.then_some(offer))
        .collect()
}

/// Tiers of one family are sizes of one thing.
fn family(volume: &VolumeType) -> &str {
    volume.family.as_deref().unwrap_or(&volume.name)
}

const fn rank(offer: &Offer) -> u8 {
    match offer.meets {
        Meets::NotAsked | Meets::Sustained => 0,
        Meets::Burst(_) => 1,
        Meets::No(_) => 2,
    }
}

/// Ranks, finds instances, and gathers what has to be said.
fn finish(mut offers: Vec<Offer>, need: &Need, market: &Market<'_>) -> Plan {
    let price = |offer: &Offer| offer.cost.as_ref().map_or(f64::INFINITY, |cost| cost.total);
    offers.sort_by(|one, other| {
        let no_more = other.figures.sustained_iops;
        rank(one)
            .cmp(&rank(other))
            .then(price(one).total_cmp(&price(other)))
            .then(one.volumes.cmp(&other.volumes))
            .then(no_more.total_cmp(&one.figures.sustained_iops))
    });
    let mut remarks = need.remarks.clone();
    if market.instance.is_none() {
        let sizes = Sizes::new(market.catalog, market.at);
        for offer in &mut offers {
            offer.smallest_instance = fitting(&sizes, offer, need);
        }
        let clouds = clouds(&offers).into_iter();
        remarks.extend(clouds.filter_map(|cloud| sizes.remark(cloud)));
        if offers.iter().any(|offer| offer.smallest_instance.is_some()) {
            remarks.push(Remark::note(
                "no prices of instances are known: shown is the smallest by virtual processors and \
                 memory that does not bind, which need not be the cheapest",
            ));
        }
    }
    if market.region.is_none() {
        let regions = clouds(&offers)
            .into_iter()
            .filter(|cloud| *cloud != Cloud::Local)
            .map(usual_region);
        let regions: Vec<&str> = regions.collect();
        if !regions.is_empty() {
            remarks.push(Remark::assumed(format!(
                "prices of {}; --region says otherwise",
                regions.join(", ")
            )));
        }
    }
    let found = offers.iter().flat_map(|offer| &offer.remarks);
    for remark in found.filter(|remark| remark.kind != RemarkKind::Note) {
        if !remarks.contains(remark) {
            remarks.push(remark.clone());
        }
    }
    Plan { offers, remarks }
}

/// The clouds of the offers, each once.
fn clouds(offers: &[Offer]) -> Vec<Cloud> {
    let mut clouds: Vec<Cloud> = offers.iter().map(|offer| offer.cloud).collect();
    clouds.sort_unstable();
    clouds.dedup();
    clouds
}

/// An instance that lets through what is needed of the layout: the need, or without one all that
/// the layout gives.
fn fitting(sizes: &Sizes<'_>, offer: &Offer, need: &Need) -> Option<Smallest> {
    let mut iops = need.iops.unwrap_or(offer.figures.sustained_iops);
    let is_fast = offer
        .orders
        .iter()
        .any(|order| matches!(order.volume.name.as_str(), "premium-ssd-v2" | "ultra"));
    let mut bytes = iops * need.flow.mean_bytes();
    for peak in &need.also {
        iops = iops.max(peak.iops);
        bytes = bytes.max(peak.bytes_per_second());
    }
    sizes.find(offer.cloud, offer.volumes, iops, bytes, is_fast)
}
