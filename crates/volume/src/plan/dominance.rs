//! Layouts that another one beats in everything are left out.

use super::offer::{Meets, Offer};
use crate::catalog::VolumeType;
use std::collections::HashMap;

/// Leaves out what another one beats: no more volumes, no higher price, no less of anything.
pub(super) fn without_dominated(offers: Vec<Offer>) -> Vec<Offer> {
    // Only what is of one kind is held against each other: of hundreds of offers a few dozen.
    let mut kinds: HashMap<Option<&str>, Vec<usize>> = HashMap::new();
    for (index, offer) in offers.iter().enumerate() {
        kinds.entry(kind_of(offer)).or_default().push(index);
    }
    let kept: Vec<bool> = offers
        .iter()
        .enumerate()
        .map(|(index, offer)| {
            let others = kinds[&kind_of(offer)]
                .iter()
                .map(|other| (*other, &offers[*other]));
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

fn kind_of(offer: &Offer) -> Option<&str> {
    offer.orders.first().map(|order| family(&order.volume))
}

/// Of two offers of one kind.
fn beats(one: &Offer, other: &Offer) -> bool {
    if one.rank() > other.rank() || one.volumes > other.volumes {
        return false;
    }
    let figures = [
        (one.figures.sustained_iops, other.figures.sustained_iops),
        (one.figures.burst_iops, other.figures.burst_iops),
        (
            one.figures.burst_seconds.unwrap_or(0.0),
            other.figures.burst_seconds.unwrap_or(0.0),
        ),
    ];
    let gives_enough = one.meets == Meets::Sustained
        || one.meets == Meets::Credit && other.meets != Meets::Sustained
        || figures.iter().all(|(one, other)| *one >= other * 0.999);
    one.price() <= other.price() + 0.005
        && gives_enough
        && (one.volumes, &one.layout) != (other.volumes, &other.layout)
}

/// Tiers of one family are sizes of one thing.
pub(super) fn family(volume: &VolumeType) -> &str {
    volume.family.as_deref().unwrap_or(&volume.name)
}
