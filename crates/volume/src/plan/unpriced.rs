//! A layout that would be the cheapest, if the catalogue had its price in this region.

use super::cost::{Cost, Scope, usual_region};
use super::search::Market;
use super::{Need, Offer};
use crate::catalog::{Cloud, VolumeOrder, VolumeType};
use fathom_core::figure;

/// The sentence, with an estimate from other regions; none where nothing would cost less.
pub(super) fn sentence(offers: &[Offer], need: &Need, market: &Market<'_>) -> Option<String> {
    let enough = || {
        offers
            .iter()
            .filter(|offer| offer.rank() == 0 && need.iops.is_some())
    };
    let best = enough().map(Offer::price).fold(f64::INFINITY, f64::min);
    let missing = enough().filter(|offer| offer.cost.is_none() && offer.cloud != Cloud::Local);
    let (offer, price, regions) = missing
        .filter_map(|offer| {
            let (price, regions) = estimate(offer, need, market)?;
            Some((offer, price, regions))
        })
        .min_by(|one, other| one.1.total_cmp(&other.1))
        .filter(|(_, price, _)| *price < best)?;
    let region = market.region.unwrap_or_else(|| usual_region(offer.cloud));
    let on = offer
        .machine
        .as_ref()
        .map(|machine| format!(" on {}", machine.in_words()));
    Some(format!(
        "not in this list: {}{} gives this load, but the catalogue has no price of it in {region}. \
         It costs about {} {} a month by the prices of {}. `fathom catalog refresh` adds its price \
         from {}",
        offer.layout,
        on.unwrap_or_default(),
        figure::decimal(price, 0),
        currency(market),
        figure::plural(regions as u64, "other region"),
        offer.cloud.feed().replace("REGION", region)
    ))
}

/// The currency that is shown.
fn currency<'a>(market: &Market<'a>) -> &'a str {
    let shown = market.terms.conversion.as_ref();
    shown.map_or("USD", |conversion| &conversion.currency)
}

/// The middle of the prices in other regions, and how many there are; with the machine here.
fn estimate(offer: &Offer, need: &Need, market: &Market<'_>) -> Option<(f64, usize)> {
    let machine = match market.scope {
        Scope::Disks => 0.0,
        _ => offer.machine.as_ref()?.price.as_ref()?.month(),
    };
    let orders: Vec<(VolumeType, VolumeOrder)> = offer
        .orders
        .iter()
        .flat_map(|one| vec![(one.volume.clone(), one.order.clone()); one.count])
        .collect();
    let name = &orders.first()?.0.name;
    let regions = market
        .catalog
        .prices()
        .regions(offer.cloud, name)
        .into_iter();
    let costs = regions.filter_map(|region| {
        let cost = Cost::of(market, &orders, region, need).ok()?;
        (cost.currency == currency(market)).then_some(cost.disks)
    });
    let mut costs: Vec<f64> = costs.collect();
    costs.sort_by(f64::total_cmp);
    let disks = match market.scope {
        Scope::Machine => 0.0,
        _ => *costs.get(costs.len() / 2)?,
    };
    Some((disks + machine, costs.len()))
}
