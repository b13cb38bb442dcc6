//! Looks through the catalogue for layouts that give what is needed, and ranks them.

use super::choices::{Share, chunk, enough, smallest, stripe, variants};
use super::cost::{Scope, usual_region};
use super::dominance::{family, without_dominated};
use super::machines::{Lack, Machines, Wanted, at_most};
use super::offer::{Meets, Offer, Ordered, weigh};
use super::picks::{Pick, picks, safer_first};
use super::{Need, beyond, ephemeral, generation, unpriced};
use crate::catalog::{
    Catalog, Cloud, Date, InstanceType, Law, Remark, RemarkKind, Terms, VolumeType,
};
use crate::layout::{Amount, BuildError, Layout, VolumeText};
use fathom_core::Bytes;
use fathom_core::SmallSort as _;
use serde::Serialize;

const GIB: f64 = 1_073_741_824.0;
/// How often the order is raised until the load gets through: splitting over chunks may cost more
/// than equal parts.
const TRIES: usize = 8;

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
    /// What a machine must have.
    pub wanted: &'a Wanted,
    /// What of the bill counts.
    pub scope: Scope,
    /// Licences, commitment and currency of the bill.
    pub terms: &'a Terms,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// Best first: what gives the need all the time by price, then what does while credit lasts,
    /// then the rest; what has no known price comes last, whatever it is.
    pub offers: Vec<Offer>,
    /// A few different kinds of layout among them, best first.
    pub picks: Vec<Pick>,
    /// Why nothing is enough, where nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<String>,
    /// What would cost less than all of them by prices of other regions, where it has none here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpriced: Option<String>,
    /// That the machine of the first is of an older generation, and the nearest current one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<String>,
    /// What has to be said of all of them.
    pub remarks: Vec<Remark>,
}

/// Layouts that give a need, best first.
///
/// For each volume type, its options and each number of volumes two layouts are tried: one that is
/// ordered so that it gives the need all the time, and where the type bursts the smallest that has
/// the room. What costs no less than one with fewer volumes and gives no more is left out.
pub fn plan(need: &Need, market: &Market<'_>) -> Plan {
    let machines = of_market(market);
    let mut offers = Vec::new();
    for volume in types(market) {
        offers.extend(of_type(volume, need, market));
    }
    offers.extend(ephemeral::offers(need, market, &machines));
    equip(&mut offers, need, market, &machines);
    let has_any = offers
        .iter()
        .any(|offer: &Offer| !matches!(offer.meets, Meets::No(_) | Meets::Unknown(_)));
    if has_any {
        offers.retain(|offer| !matches!(offer.meets, Meets::No(_)));
    }
    // Of layouts without a price none beats another yet.
    let unpriced = unpriced::sentence(&offers, need, market);
    let found = finish(without_dominated(offers), need, market, &machines);
    Plan {
        unpriced,
        older: older(&found.offers, need, market, &machines),
        ..found
    }
}

/// What is to be said of the first machine, where its vendor counts it among older ones.
fn older(
    offers: &[Offer],
    need: &Need,
    market: &Market<'_>,
    machines: &Machines<'_>,
) -> Option<String> {
    let is_asked = market.scope != Scope::Disks && market.at >= generation::SINCE;
    let first = offers.first().filter(|_| is_asked)?;
    let machine = first.machine.as_ref()?;
    generation::older(&machine.name)?;
    let volumes: Vec<&Ordered> = first.orders.iter().collect();
    let other = match market.instance {
        Some(_) => None,
        None => machines.find_current(first.cloud, &volumes, need, machine),
    };
    generation::sentence(machine, other.as_ref(), market.scope)
}

/// Given layouts, in the order in which they are given.
///
/// # Errors
///
/// [`BuildError`] of the first that cannot be.
pub fn compare(layouts: &[Layout], need: &Need, market: &Market<'_>) -> Result<Plan, BuildError> {
    let machines = of_market(market);
    let written = |layout: &Layout| layout.with_chunks(market.catalog, market.at).to_string();
    let texts: Vec<String> = layouts.iter().map(written).collect();
    let offers = layouts.iter().zip(&texts).map(|(layout, text)| {
        Ok(Offer {
            layout: text.clone(),
            ..weigh(layout, need, market)?
        })
    });
    let mut offers = offers.collect::<Result<Vec<Offer>, BuildError>>()?;
    equip(&mut offers, need, market, &machines);
    let mut plan = finish(offers, need, market, &machines);
    plan.beyond = beyond::sentence(&plan.offers, need, market, true);
    let place = |offer: &Offer| texts.iter().position(|text| *text == offer.layout);
    plan.offers.small_sort_by_key(place);
    plan.older = older(&plan.offers, need, market, &machines);
    plan.picks.clear();
    Ok(plan)
}

/// A given layout with the nearest orders that the vendor sells; none where all of it is on sale.
pub fn nearest_on_sale(offer: &Offer, need: &Need, market: &Market<'_>) -> Option<Offer> {
    if !matches!(offer.meets, Meets::NotSold(_)) {
        return None;
    }
    let layout: Layout = offer.layout.parse().ok()?;
    let sold = layout.on_sale(market.catalog, market.at)?;
    compare(&[sold], need, market)
        .ok()?
        .offers
        .into_iter()
        .next()
}

/// A given layout with larger chunks, and how large they are, where its chunk makes its volumes
/// count a request several times and more would be given with larger ones.
pub fn with_larger_chunks(
    offer: &Offer,
    need: &Need,
    market: &Market<'_>,
) -> Option<(Bytes, Offer)> {
    let layout: Layout = offer.layout.parse().ok()?;
    let (larger, chunk) = layout.with_larger_chunks(market.catalog, market.at)?;
    let found = compare(&[larger], need, market).ok()?;
    let other = found.offers.into_iter().next()?;
    (other.lasting_iops() > offer.lasting_iops() * 1.001).then_some((chunk, other))
}

/// The machines of a market; of the clouds that are looked at.
pub(super) fn of_market<'a>(market: &Market<'a>) -> Machines<'a> {
    let cloud = market.cloud.or(market.instance.map(|one| one.cloud));
    let clouds: Vec<Cloud> = Cloud::sellers()
        .filter(|own| is_planned(cloud, *own))
        .filter(|own| is_sold(market, *own))
        .collect();
    Machines::new(market, &clouds)
}

/// Whether a cloud is looked at where this one is named, or none.
pub(super) fn is_planned(named: Option<Cloud>, own: Cloud) -> bool {
    named.map_or(own.is_planned_unasked(), |named| named == own)
}

fn is_sold(market: &Market<'_>, cloud: Cloud) -> bool {
    market.region.is_none_or(|region| {
        let known = market.catalog.prices().all_regions(cloud);
        known.contains(&region)
            || market
                .catalog
                .machine_prices()
                .regions(cloud)
                .contains(&region)
    })
}

/// The types on offer, each in the period of the day. Types of single devices have no figures to
/// plan with, and those that began later cannot be ordered yet.
pub(super) fn types<'a>(market: &Market<'a>) -> Vec<&'a VolumeType> {
    let cloud = market.cloud.or(market.instance.map(|one| one.cloud));
    let sold: Vec<Cloud> = Cloud::ALL
        .into_iter()
        .filter(|own| is_planned(cloud, *own))
        .filter(|own| is_sold(market, *own))
        .collect();
    let mut names: Vec<&str> = Vec::new();
    let mut types = Vec::new();
    for volume in market.catalog.volumes() {
        let is_device = matches!(volume.law, Law::Device(_)) || volume.cloud == Cloud::Local;
        // Only one machine may write to it.
        let is_for_reading = volume.is_called("hyperdisk-ml");
        let is_known = names.contains(&volume.name.as_str());
        let row = market.instance;
        let is_refused = row.is_some_and(|row| market.catalog.takes(row, volume) == Some(false));
        if is_device || is_for_reading || is_refused || is_known || !sold.contains(&volume.cloud) {
            continue;
        }
        names.push(&volume.name);
        let now = market.catalog.volume(&volume.name, market.at);
        types.extend(now.ok().filter(|now| now.validity.holds(market.at)));
    }
    types
}

/// How many volumes of a type may be together.
pub(super) fn most_volumes(volume: &VolumeType, market: &Market<'_>) -> usize {
    // Disks of a pool share their limits: more of them give no more.
    let most = match volume.law {
        Law::Pooled(ref law) if law.shared => 1,
        // A database has one volume, which RDS stripes by itself.
        _ if volume.cloud == Cloud::Rds => 1,
        _ => market.max_volumes,
    };
    let own = market.instance.and_then(|instance| instance.max_volumes);
    own.map_or(most, |own| most.min(own as usize))
}

/// A need with the chunk of this number of volumes.
pub(super) fn chunked(volume: &VolumeType, count: usize, need: &Need) -> Need {
    Need {
        chunk_bytes: chunk(volume, count, need),
        ..need.clone()
    }
}

fn of_type(volume: &VolumeType, need: &Need, market: &Market<'_>) -> Vec<Offer> {
    let mut found = Vec::new();
    let counts = 1..=most_volumes(volume, market);
    for count in counts {
        let need = &chunked(volume, count, need);
        let lasting = lasting(volume, need, market, count);
        let small = smallest(volume, Share::of(need, volume, count));
        let small = small
            .into_iter()
            .flat_map(|text| variants(volume, &text))
            .filter_map(|text| weigh(&stripe(text, count, need.chunk_bytes), need, market).ok())
            .filter(|small| lasting.iter().all(|own| own.layout != small.layout));
        let small: Vec<Offer> = small.collect();
        found.extend(by_credit(volume, need, market, count, lasting.as_ref()));
        found.extend(lasting);
        found.extend(small);
    }
    found
}

/// The smallest that a recording never finds without credit, where that is between what has the
/// room and what needs no credit. Of stripes, powers of two are tried.
fn by_credit(
    volume: &VolumeType,
    need: &Need,
    market: &Market<'_>,
    count: usize,
    lasting: Option<&Offer>,
) -> Option<Offer> {
    need.played.as_ref()?;
    if !count.is_power_of_two() || !matches!(volume.law, Law::Scaled(_) | Law::Throughput(_)) {
        return None;
    }
    let small = smallest(volume, Share::of(need, volume, count))?;
    let gib = |text: &VolumeText| text.size.as_ref().map(|size| size.number);
    let mut low = gib(&small)?;
    let most = lasting.map(|offer| offer.size_bytes as f64 / GIB / count as f64);
    let mut high = most.unwrap_or(volume.max_gib);
    let weighed = |number: f64| {
        let size = small.size.as_ref().map(|size| Amount {
            number,
            ..size.clone()
        });
        let text = VolumeText {
            size,
            ..small.clone()
        };
        let offer = of_text(text, need, market, count)?;
        (offer.meets == Meets::Credit).then_some(offer)
    };
    if weighed(low).is_some() {
        // It is looked at as the smallest that has the room.
        return None;
    }
    let mut best = None;
    while high - low > 1.0 {
        let middle = f64::midpoint(low, high).floor();
        match weighed(middle) {
            Some(offer) => (best, high) = (Some(offer), middle),
            None => low = middle,
        }
    }
    best
}

/// A layout that gives the need all the time, or as near to it as the type comes. Behind a machine
/// that was named, what it never lets through is not ordered.
pub(super) fn lasting(
    volume: &VolumeType,
    need: &Need,
    market: &Market<'_>,
    count: usize,
) -> Option<Offer> {
    let Some(row) = market.instance else {
        return ordered(volume, need, market, count);
    };
    let alone = Market {
        instance: None,
        ..*market
    };
    let limited = need.each_peak(|peak| {
        let alone = need.of_peak(peak);
        at_most(market.catalog, row, volume, &alone).min(1.0)
    });
    let found = ordered(volume, &limited, &alone, count)?;
    weigh(&found.layout.parse().ok()?, need, market).ok()
}

/// What is ordered of a type so that it gives the need by itself.
fn ordered(volume: &VolumeType, need: &Need, market: &Market<'_>, count: usize) -> Option<Offer> {
    // Each load takes its own part more: they come at different times.
    let mut scaled = need.clone();
    let mut best: Option<Offer> = None;
    for _ in 0..TRIES {
        let Some(text) = enough(volume, Share::of(&scaled, volume, count)) else {
            break;
        };
        let offer = of_text(text, need, market, count)?;
        let lacks = offer.lacks.clone();
        let is_same = best
            .as_ref()
            .is_some_and(|best| best.layout == offer.layout);
        let is_enough = !matches!(offer.meets, Meets::Burst(_) | Meets::No(_));
        let is_raised = best.is_some() && offer.meets == Meets::Sustained;
        best = Some(if is_raised {
            without_surplus(offer, need, volume, market, count)
        } else {
            offer
        });
        if is_enough || is_same || !lacks.iter().all(|lacks| lacks.is_finite()) {
            break;
        }
        let mut more = lacks.into_iter();
        scaled = scaled.each_peak(|_| more.next().unwrap_or(1.0).max(1.0));
    }
    best
}

/// A layout that is enough with more requests and bytes than asked for, or a cheaper one that is
/// enough with more of one kind: a request that is split takes more IOPS and no more bytes.
fn without_surplus(
    offer: Offer,
    need: &Need,
    volume: &VolumeType,
    market: &Market<'_>,
    count: usize,
) -> Offer {
    let Some(raised) = offer.orders.first().map(|own| own.order.clone()) else {
        return offer;
    };
    let asked = Share::of(need, volume, count);
    let shares = [
        asked.at_least(raised.iops.unwrap_or(0.0), 0.0),
        asked.at_least(0.0, raised.bytes_per_second.unwrap_or(0.0)),
    ];
    let texts = shares.into_iter().filter_map(|share| enough(volume, share));
    let others = texts.filter_map(|text| of_text(text, need, market, count));
    let others = others.filter(|other| other.meets == Meets::Sustained);
    let cheaper = |one: Offer, other: Offer| {
        let is_cheaper = other.price() < one.price();
        if is_cheaper { other } else { one }
    };
    others.fold(offer, cheaper)
}

fn of_text(text: VolumeText, need: &Need, market: &Market<'_>, count: usize) -> Option<Offer> {
    weigh(&stripe(text, count, need.chunk_bytes), need, market).ok()
}

/// Finds each layout its machine, and adds that to the bill.
pub(super) fn equip(
    offers: &mut [Offer],
    need: &Need,
    market: &Market<'_>,
    machines: &Machines<'_>,
) {
    for offer in offers {
        let volumes: Vec<&Ordered> = offer.orders.iter().collect();
        // Where nothing is asked for, the machine has to let through what the volumes give.
        let own = Need {
            iops: need.iops.or(Some(offer.figures.sustained_iops)),
            ..need.clone()
        };
        let (machine, lack) = match market.instance {
            Some(row) => {
                let (machine, lack) = Machines::one(market, row, &volumes, &own);
                (Some(machine), lack)
            }
            None => (machines.find(offer.cloud, &volumes, &own, &own), None),
        };
        offer.machine = machine;
        if let Some(verdict) = behind(offer, lack, need, market) {
            offer.meets = verdict;
        }
        price(offer, market);
    }
}

/// What becomes of a layout that would be enough, behind its machine; none where it stays enough.
fn behind(offer: &Offer, lack: Option<Lack>, need: &Need, market: &Market<'_>) -> Option<Meets> {
    let is_enough = matches!(
        offer.meets,
        Meets::Sustained | Meets::Credit | Meets::Burst(_)
    );
    if !is_enough || offer.cloud == Cloud::Local {
        return None;
    }
    let Some(machine) = &offer.machine else {
        // Of the disks alone, no machine is asked for.
        return (market.scope != Scope::Disks)
            .then(|| Meets::Unknown("no machine is known that lets this load through".to_owned()));
    };
    match lack {
        Some(Lack::Refused(why)) => Some(Meets::No(format!("{}: {why}", machine.name))),
        Some(Lack::MaximaOnly) => Some(Meets::Unknown(format!(
            "the catalogue's document of {} states what it lets through at most, not what lasts. \
             Look up its baseline in the vendor's documentation, or use a later --as-of",
            machine.name
        ))),
        Some(lack) => {
            let volume = offer
                .orders
                .first()
                .map_or("its volumes", |one| &one.volume.name);
            let page = match offer.cloud {
                Cloud::Gcp => {
                    ". Look up \"Hyperdisk performance limits\" or \"Persistent Disk \
                               performance limits\" of Google"
                }
                _ => ". Look up the storage limits of this size in the vendor's documentation",
            };
            let name = &machine.name;
            Some(Meets::Unknown(match lack {
                Lack::NoLimit => format!(
                    "{name} takes {volume}, and no source of the catalogue states how much it lets \
                     through{page}"
                ),
                _ => format!(
                    "no source of the catalogue states whether {name} takes {volume}, and how much \
                     it lets through{page}"
                ),
            }))
        }
        None => {
            let is_short = offer.meets == Meets::Sustained
                && need
                    .iops
                    .is_some_and(|iops| offer.lasting_iops() < iops * (1.0 - 1e-9));
            is_short.then(|| Meets::No(format!("limited by {}", machine.name)))
        }
    }
}

/// The whole bill, or why there is none.
fn price(offer: &mut Offer, market: &Market<'_>) {
    let Some(cost) = offer.cost.take() else {
        return;
    };
    let region = cost.region.clone();
    let listed = offer
        .machine
        .as_ref()
        .and_then(|machine| machine.listed_month);
    let known_part = match market.scope {
        Scope::Machine => 0.0,
        _ => cost.disks,
    };
    offer.cost = cost.with(offer.machine.as_ref(), market.scope);
    if offer.cost.is_none() {
        offer.known_part = listed.map(|month| known_part + month);
        offer.no_price = Some(match &offer.machine {
            Some(machine) => {
                let terms = market.terms.of_machine.is_empty();
                let under = if terms {
                    String::new()
                } else {
                    format!(" ({})", market.terms.in_words())
                };
                format!("no price of {}{under} is known in {region}", machine.name)
            }
            None => "no machine is known that lets it through".to_owned(),
        });
    }
}

/// Ranks, and gathers what has to be said.
pub(super) fn finish(
    mut offers: Vec<Offer>,
    need: &Need,
    market: &Market<'_>,
    machines: &Machines<'_>,
) -> Plan {
    offers.small_sort_by(Offer::compare);
    if need.iops.is_some() {
        safer_first(&mut offers);
    }
    let mut remarks = need.remarks.clone();
    if market.instance.is_none() {
        let clouds = clouds(&offers).into_iter();
        remarks.extend(clouds.filter_map(|cloud| machines.remark(cloud)));
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
    remarks.extend(transactions(&offers, need));
    remarks.extend(unknown_terms(&offers, market));
    let found = offers.iter().flat_map(|offer| &offer.remarks);
    for remark in found.filter(|remark| remark.kind != RemarkKind::Note) {
        if !remarks.contains(remark) {
            remarks.push(remark.clone());
        }
    }
    Plan {
        picks: picks(&offers, need, market),
        beyond: beyond::sentence(&offers, need, market, false),
        unpriced: None,
        older: None,
        offers,
        remarks,
    }
}

/// Licences and commitments whose price no source gives for a cloud.
fn unknown_terms(offers: &[Offer], market: &Market<'_>) -> Vec<Remark> {
    let clouds = clouds(offers).into_iter();
    let remarks = clouds
        .filter(|cloud| *cloud != Cloud::Local)
        .flat_map(|cloud| {
            let terms = market.terms.of_machine.iter();
            let unknown = terms.filter(move |term| !market.catalog.terms().knows(cloud, **term));
            unknown.map(move |term| {
                Remark::assumed(format!(
                    "machines of {cloud} have no price, as no source gives one for {}",
                    term.words()
                ))
            })
        });
    remarks.collect()
}

/// What is to be said of volumes that are billed by the request.
fn transactions(offers: &[Offer], need: &Need) -> Option<Remark> {
    let mut orders = offers.iter().flat_map(|offer| &offer.orders);
    if !orders.any(|ordered| ordered.volume.billed_bytes.is_some()) {
        return None;
    }
    let hourly = "Azure bills a maximum of them in an hour. That of Standard SSD, S4 and S6 is \
                  from a copy of its price page (unchecked). That of other Standard HDD is not \
                  known: their bill may be lower";
    Some(match need.iops {
        None => Remark::warning(
            "without a rate, what Standard SSD and HDD cost by the transaction is left out",
        ),
        Some(_) => Remark::assumed(format!(
            "transactions of Standard SSD and HDD at the rate of the need for {} of the month \
             (--busy says otherwise). {hourly}",
            fathom_core::figure::percent(need.busy * 100.0)
        )),
    })
}

/// The clouds of the offers, each once.
fn clouds(offers: &[Offer]) -> Vec<Cloud> {
    let mut clouds: Vec<Cloud> = offers.iter().map(|offer| offer.cloud).collect();
    clouds.sort_unstable();
    clouds.dedup();
    clouds
}

/// The kind of a layout: its family, and the option that it is ordered with.
pub(super) fn kind(offer: &Offer) -> (String, bool, bool) {
    let first = offer.orders.first();
    let name = first.map_or_else(String::new, |one| family(&one.volume).to_owned());
    let plus = first.is_some_and(|one| one.order.plus);
    let on_demand =
        first.is_some_and(|one| one.order.burst == crate::catalog::BurstChoice::OnDemand);
    (name, plus, on_demand)
}
