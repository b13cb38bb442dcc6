//! Several roles behind one machine: data, log, temporary files, each with volumes of its own.

use super::Need;
use super::cost::Scope;
use super::machines::{Machine, Machines};
use super::offer::{Meets, Offer, Ordered};
use super::search::{Market, is_planned, kind, of_market, plan};
use crate::catalog::{Cloud, Law};
use crate::model::{Flow, FlowKind};
use fathom_core::SmallSort as _;
use serde::Serialize;

const GIB: f64 = 1_073_741_824.0;
/// Kinds of layout of each role that are tried together.
const KINDS: usize = 3;

/// What one role needs.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleNeed {
    /// The role, as in `log`.
    pub role: String,
    /// What the role needs.
    pub need: Need,
}

/// Volumes for each role, and the machine before all of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RolesPlan {
    /// Whose.
    pub cloud: Cloud,
    /// The layout of each role, its price that of the disks alone. Programs get it with its
    /// arithmetic.
    #[serde(skip)]
    pub roles: Vec<RoleOffer>,
    /// The machine; none where none is known that lets all of it through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// Disks of all roles, a month.
    pub disks: f64,
    /// Disks and machine, a month; none where a part has no known price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// As in `USD`.
    pub currency: String,
    /// Requests a second of all roles.
    pub iops: f64,
    /// Bytes a second of all roles.
    pub bytes_per_second: f64,
    /// Requests a second of the roles on attached volumes. Only these count against the machine's
    /// limit.
    pub attached_iops: f64,
    /// Bytes a second of the roles on attached volumes.
    pub attached_bytes_per_second: f64,
}

/// The layout of a role.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoleOffer {
    /// As the user named it.
    pub role: String,
    /// Its layout.
    pub offer: Offer,
}

/// The cheapest volumes and machine for all roles at once, of each cloud that has them; cheapest
/// first, what has no known price last.
///
/// Of each role the cheapest layouts of a few kinds are tried with those of the others: which
/// machine is enough depends on all of them.
pub fn plan_roles(roles: &[RoleNeed], market: &Market<'_>) -> Vec<RolesPlan> {
    let named = market.cloud.or(market.instance.map(|one| one.cloud));
    let mut found: Vec<RolesPlan> = Cloud::sellers()
        .filter(|own| is_planned(named, *own))
        .filter_map(|cloud| of_cloud(roles, cloud, market))
        .collect();
    let price = |plan: &RolesPlan| plan.total.unwrap_or(f64::INFINITY);
    found.small_sort_by(|one, other| price(one).total_cmp(&price(other)));
    found
}

fn of_cloud(roles: &[RoleNeed], cloud: Cloud, market: &Market<'_>) -> Option<RolesPlan> {
    let own = Market {
        cloud: Some(cloud),
        scope: Scope::Disks,
        ..*market
    };
    let mut choices: Vec<Vec<Offer>> = Vec::new();
    for role in roles {
        let offers = plan(&role.need, &own).offers.into_iter();
        let mut kinds = Vec::new();
        let lasting = offers.filter(|offer| {
            let is_enough = matches!(offer.meets, Meets::Sustained | Meets::Credit);
            let own = kind(offer);
            let is_new = is_enough && offer.cost.is_some() && !kinds.contains(&own);
            if is_new {
                kinds.push(own);
            }
            is_new
        });
        let lasting: Vec<Offer> = lasting.take(KINDS).collect();
        if lasting.is_empty() {
            return None;
        }
        choices.push(lasting);
    }
    let machines = of_market(&own);
    combinations(&choices)
        .into_iter()
        .filter(|offers| fit_pools(roles, offers))
        .map(|offers| put_together(roles, offers, &own, &machines))
        .min_by(|one, other| {
            let price = |plan: &RolesPlan| plan.total.unwrap_or(f64::INFINITY);
            price(one).total_cmp(&price(other))
        })
}

/// Whether disks that share their limits (Persistent Disk, by its type) give all roles together
/// what each was planned with by itself.
fn fit_pools(roles: &[RoleNeed], offers: &[&Offer]) -> bool {
    let pooled = |offer: &Offer| {
        let first = offer.orders.first()?;
        match &first.volume.law {
            Law::Pooled(law) if law.shared => Some((first.volume.name.clone(), law.clone())),
            _ => None,
        }
    };
    offers
        .iter()
        .filter_map(|offer| pooled(offer))
        .all(|(name, law)| {
            let own = roles.iter().zip(offers);
            let own =
                own.filter(|(_, offer)| pooled(offer).is_some_and(|(other, _)| other == name));
            let (mut gib, mut iops, mut bytes) = (0.0, 0.0, 0.0);
            for (role, offer) in own {
                gib += offer.size_bytes as f64 / GIB;
                iops += role.need.iops.unwrap_or(0.0);
                bytes += role.need.bytes_per_second().unwrap_or(0.0);
            }
            let (reads, writes, rate) = law.per_gib;
            iops <= law.included.0 + reads.min(writes) * gib && bytes <= law.included.1 + rate * gib
        })
}

/// One of each, in every way.
fn combinations(choices: &[Vec<Offer>]) -> Vec<Vec<&Offer>> {
    choices.iter().fold(vec![Vec::new()], |known, more| {
        let longer = |begin: &Vec<_>| {
            let begin = begin.clone();
            more.iter().map(move |offer| {
                let mut all: Vec<&Offer> = begin.clone();
                all.push(offer);
                all
            })
        };
        known.iter().flat_map(longer).collect()
    })
}

/// What all roles ask of the machine.
fn together(roles: &[&RoleNeed]) -> Need {
    let rates = roles.iter().map(|role| role.need.iops.unwrap_or(0.0));
    let kinds = roles.iter().zip(rates.clone()).flat_map(|(role, rate)| {
        let kinds = role.need.flow.kinds.iter();
        kinds.map(move |kind| FlowKind {
            weight: kind.weight * rate,
            ..*kind
        })
    });
    let flow = Flow {
        kinds: kinds.collect(),
    };
    Need {
        iops: Some(rates.sum()),
        flow: flow.normalized(),
        also: Vec::new(),
        played: None,
        ..roles[0].need.clone()
    }
}

fn put_together(
    roles: &[RoleNeed],
    offers: Vec<&Offer>,
    market: &Market<'_>,
    machines: &Machines<'_>,
) -> RolesPlan {
    let volumes: Vec<&Ordered> = offers.iter().flat_map(|offer| &offer.orders).collect();
    let cloud = offers[0].cloud;
    // What disks in the host serve does not go through the machine's way to its volumes.
    let pairs = roles.iter().zip(&offers);
    let (in_host, attached): (Vec<_>, Vec<_>) = pairs.partition(|(_, offer)| offer.is_volatile());
    let needs = |pairs: Vec<(&RoleNeed, &&Offer)>| {
        let own: Vec<&RoleNeed> = pairs.into_iter().map(|(role, _)| role).collect();
        (!own.is_empty()).then(|| together(&own))
    };
    let all = together(&roles.iter().collect::<Vec<_>>());
    let in_host = needs(in_host).unwrap_or_else(|| all.clone());
    let attached = needs(attached);
    let rate = attached.as_ref().and_then(|need| need.iops);
    let bytes = attached.as_ref().and_then(Need::bytes_per_second);
    let attached = attached.unwrap_or_else(|| all.clone());
    let machine = match market.instance {
        Some(row) => Machines::lets_through(market, row, &volumes, &attached, &in_host),
        None => machines.find(cloud, &volumes, &attached, &in_host),
    };
    let disks: f64 = offers.iter().map(|offer| offer.price()).sum();
    let costs = offers.iter().filter_map(|offer| offer.cost.as_ref());
    let currency = costs.map(|cost| cost.currency.clone()).next();
    let currency = currency.unwrap_or_default();
    let price = machine.as_ref().and_then(|machine| machine.price.as_ref());
    let month = price.filter(|price| price.currency == currency);
    RolesPlan {
        cloud,
        disks,
        total: month.map(|price| disks + price.month()),
        currency,
        machine,
        iops: all.iops.unwrap_or(0.0),
        bytes_per_second: all.bytes_per_second().unwrap_or(0.0),
        attached_iops: rate.unwrap_or(0.0),
        attached_bytes_per_second: bytes.unwrap_or(0.0),
        roles: roles
            .iter()
            .zip(offers)
            .map(|(role, offer)| RoleOffer {
                role: role.role.clone(),
                offer: offer.clone(),
            })
            .collect(),
    }
}
