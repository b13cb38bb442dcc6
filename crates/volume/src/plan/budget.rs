//! The question turned round: how much of a load a sum of money buys.

use super::Need;
use super::dominance::family;
use super::offer::{Meets, Offer};
use super::search::{
    Market, Plan, chunked, equip, finish, lasting, most_volumes, of_market, types,
};
use fathom_core::SmallSort as _;

/// Steps that halve the range of rates: a millionth of it is left.
const STEPS: usize = 22;
/// The most requests a second that are thought of.
const MOST_IOPS: f64 = 4_000_000.0;

/// The layouts that give the most of a need's load for good, for a budget a month: of each family
/// of volumes the best, the most first. Its rate is left open; its shape, its capacity and the
/// wanted machine count.
///
/// With a rate, see [`super::plan`]: what is dearer is left out, and what bursts longest is first.
pub fn afford(need: &Need, market: &Market<'_>, budget: f64) -> Plan {
    if need.iops.is_some() {
        return longest(need, market, budget);
    }
    let machines = of_market(market);
    let mut best: Vec<(String, Offer, f64)> = Vec::new();
    for volume in types(market) {
        let name = family(volume).to_owned();
        let counts = 1..=most_volumes(volume, market);
        for count in counts {
            let need = chunked(volume, count, need);
            let of = |iops: f64| -> Option<Offer> {
                let own = Need {
                    iops: Some(iops),
                    ..need.clone()
                };
                let mut offers = vec![lasting(volume, &own, market, count)?];
                equip(&mut offers, &own, market, &machines);
                let offer = offers.pop()?;
                let is_lasting = matches!(offer.meets, Meets::Sustained);
                (is_lasting && offer.price() <= budget).then_some(offer)
            };
            let known = best.iter().position(|(known, ..)| *known == name);
            let floor = known.map_or(1.0, |index| best[index].2 * 1.001);
            let Some((offer, iops)) = most(of, floor) else {
                continue;
            };
            match known {
                Some(index) => best[index] = (name.clone(), offer, iops),
                None => best.push((name.clone(), offer, iops)),
            }
        }
    }
    let offers = best.into_iter().map(|(_, offer, _)| offer).collect();
    let mut plan = finish(offers, need, market, &machines);
    plan.offers
        .small_sort_by(|one, other| other.lasting_iops().total_cmp(&one.lasting_iops()));
    plan
}

/// The highest rate above a floor for which there is an offer, to a thousandth.
fn most(of: impl Fn(f64) -> Option<Offer>, floor: f64) -> Option<(Offer, f64)> {
    let (mut low, mut high) = (floor, MOST_IOPS);
    let mut best = (of(low)?, low);
    for _ in 0..STEPS {
        let middle = (low * high).sqrt();
        match of(middle) {
            Some(offer) => {
                best = (offer, middle);
                low = middle;
            }
            None => high = middle,
        }
        if high / low < 1.001 {
            break;
        }
    }
    Some(best)
}

/// The layouts of a plan that a budget buys: those that last by price, then the longest bursts.
fn longest(need: &Need, market: &Market<'_>, budget: f64) -> Plan {
    let mut plan = super::plan(need, market);
    plan.offers.retain(|offer| offer.price() <= budget);
    let seconds = |offer: &Offer| match offer.meets {
        Meets::Burst(seconds) => seconds,
        Meets::No(_) | Meets::NotSold(_) | Meets::Unknown(_) => 0.0,
        Meets::Sustained | Meets::Credit | Meets::NotAsked => f64::INFINITY,
    };
    plan.offers.small_sort_by(|one, other| {
        let by_time = seconds(other).total_cmp(&seconds(one));
        by_time.then(one.price().total_cmp(&other.price()))
    });
    plan.picks = super::picks::picks(&plan.offers, need, market);
    plan
}
