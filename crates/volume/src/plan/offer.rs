//! One layout on the scales: what it gives, whether that is enough, and its price.

use super::Need;
use super::cost::{Cost, usual_region};
use super::figures::Figures;
use super::machines::Machine;
use super::search::Market;
use crate::catalog::{BillError, Cloud, Evidence, Refusal, Remark, VolumeOrder, VolumeType};
use crate::layout::{BuildError, Layout, Options};
use crate::model::VolumeModel as _;
use crate::models::{ServiceLaw, System};
use crate::sizing::never_held;
use fathom_core::figure;
use serde::Serialize;

const GIB: f64 = 1_073_741_824.0;
/// Room that stripes lose to whole chunks.
const CHUNK_LOSS: f64 = 0.999;

/// Whether a layout gives what is needed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Meets {
    /// Nothing was asked for but figures.
    NotAsked,
    /// For as long as one likes.
    Sustained,
    /// For as long as one likes by its credit: the recorded load, repeated for ever, leaves enough.
    Credit,
    /// As long as credit lasts: this number of seconds from full buckets.
    Burst(f64),
    /// Not at all, and why.
    No(String),
    /// The vendor does not sell it, as far as the catalogue knows: what, and what it sells.
    NotSold(String),
    /// No source states what the machine lets through to these volumes, or what the volumes give:
    /// what to look up.
    Unknown(String),
}

/// A layout with its figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Offer {
    /// The layout as it would be written.
    pub layout: String,
    /// Whose volumes they are.
    pub cloud: Cloud,
    /// How many volumes.
    pub volumes: usize,
    /// Usable bytes.
    pub size_bytes: u64,
    /// What it gives.
    pub figures: Figures,
    /// Whether that is enough.
    pub meets: Meets,
    /// Mean time of a request where nothing waits, nanoseconds. The models assume it: no vendor
    /// states it. None where it was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ns: Option<f64>,
    /// Price a month.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Why there is no price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_price: Option<String>,
    /// The machine before it: the one that was named, or else the cheapest that lets the need
    /// through all the time; none where none is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// The volumes as ordered, each kind once.
    pub orders: Vec<Ordered>,
    /// Who states the limits.
    pub sources: Vec<Evidence>,
    /// Notes about the offer.
    pub remarks: Vec<Remark>,
    /// What is asked for over what there always is, of each load.
    #[serde(skip)]
    pub(super) lacks: Vec<f64>,
    /// Without a price of the whole: that of the disks and of the machine without licences and
    /// commitments, a month; none where that is not known either.
    #[serde(skip)]
    pub known_part: Option<f64>,
}

/// Volumes of one kind in a layout.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ordered {
    /// How many.
    pub count: usize,
    /// The type to order.
    #[serde(skip)]
    pub volume: VolumeType,
    /// What is ordered of it.
    pub order: VolumeOrder,
}

impl Offer {
    /// Price a month for each 1,000 requests a second that last.
    pub fn price_per_1000_iops(&self) -> Option<f64> {
        let cost = self.cost.as_ref()?;
        Some(cost.total / self.figures.sustained_iops * 1_000.0)
    }

    /// Price a month of all that counts; infinite where it is not known.
    pub fn price(&self) -> f64 {
        self.cost.as_ref().map_or(f64::INFINITY, |cost| cost.total)
    }

    /// What a plan ranks by: the price, or else the known part of it.
    fn ranked_price(&self) -> f64 {
        let known = self.known_part.unwrap_or(f64::INFINITY);
        self.cost.as_ref().map_or(known, |cost| cost.total)
    }

    /// Requests a second that last, with the machine before the volumes.
    pub fn lasting_iops(&self) -> f64 {
        let mean = self.figures.sustained_bytes_per_second / self.figures.sustained_iops;
        let machine = self.machine.iter();
        let of_machine = machine.map(|machine| machine.lasting_iops(mean));
        of_machine.fold(self.figures.sustained_iops, f64::min)
    }

    /// What gives the need for good comes before what does so for a while, and that before the
    /// rest.
    pub(super) const fn rank(&self) -> u8 {
        match self.meets {
            Meets::NotAsked | Meets::Sustained | Meets::Credit => 0,
            Meets::Burst(_) => 1,
            Meets::No(_) | Meets::NotSold(_) => 2,
            Meets::Unknown(_) => 3,
        }
    }

    /// The order of a plan: what is not known to work last, before it an unknown price, then by
    /// what it gives, then by price. Of what is not enough, what comes nearest is first.
    pub(super) fn compare(&self, other: &Self) -> std::cmp::Ordering {
        let key = |offer: &Self| {
            let short = match offer.meets {
                Meets::No(_) | Meets::NotSold(_) => -offer.figures.sustained_iops,
                _ => 0.0,
            };
            let is_unknown = matches!(offer.meets, Meets::Unknown(_));
            (
                is_unknown,
                offer.cost.is_none(),
                offer.rank(),
                short,
                offer.ranked_price(),
            )
        };
        key(self)
            .partial_cmp(&key(other))
            .unwrap_or(std::cmp::Ordering::Equal)
            .then(self.volumes.cmp(&other.volumes))
            .then(
                other
                    .figures
                    .sustained_iops
                    .total_cmp(&self.figures.sustained_iops),
            )
    }

    /// Whether it has disks in the host, whose data is lost with the machine.
    pub fn is_volatile(&self) -> bool {
        self.orders.iter().any(|one| one.volume.is_in_host())
    }

    /// Whether every figure was read in a document that its row names.
    pub fn is_fact(&self) -> bool {
        self.sources.iter().all(|one| one.confidence.is_fact())
    }
}

/// Puts one layout on the scales.
///
/// # Errors
///
/// [`BuildError`] where the layout cannot be built.
pub fn weigh(layout: &Layout, need: &Need, market: &Market<'_>) -> Result<Offer, BuildError> {
    let options = Options {
        instance: market.instance,
        // Where nobody asks for the time of a request, nothing is to be assumed of it.
        service: need
            .latency_ns
            .is_none()
            .then_some(ServiceLaw::Constant(0.0)),
        ..Options::default()
    };
    let built = layout.build(market.catalog, market.at, &options)?;
    let figures = Figures::of(&built.system, &need.flow);
    let cloud = built
        .orders
        .first()
        .map_or(Cloud::Local, |(volume, _)| volume.cloud);
    let region = market.region.unwrap_or_else(|| usual_region(cloud));
    let cost = Cost::of(market, &built.orders, region, need);
    let size_bytes = built.system.size_bytes();
    let latency_ns = need.latency_ns.map(|_| built.system.latency_ns(&need.flow));
    let shortage = shortage(need, size_bytes, latency_ns);
    let (mut meets, lacks) = meets(need, &built.system, &figures, shortage);
    let mut refused = built.orders.iter().filter_map(not_sold);
    meets = refused.next().map_or(meets, Meets::NotSold);
    let mut sources: Vec<Evidence> = Vec::new();
    let of_volumes = built.orders.iter().map(|(volume, _)| &volume.evidence);
    for evidence in of_volumes.chain(market.instance.map(|row| &row.evidence)) {
        if !sources.contains(evidence) {
            sources.push(evidence.clone());
        }
    }
    let runs = built.orders.chunk_by(|one, next| one == next);
    let orders = runs.map(|run| Ordered {
        count: run.len(),
        volume: run[0].0.clone(),
        order: run[0].1.clone(),
    });
    let mut remarks = built.remarks;
    if let Err(error) = &cost {
        let elsewhere = match error {
            BillError::NoPrice { regions, .. } if !regions.is_empty() => {
                format!(", but in {}", regions.join(", "))
            }
            _ => String::new(),
        };
        // Disks of one's own have no region.
        if cloud != Cloud::Local {
            remarks.push(Remark::warning(format!(
                "{error}{elsewhere}: it ranks behind"
            )));
        }
    }
    Ok(Offer {
        layout: layout.to_string(),
        cloud,
        volumes: built.orders.len(),
        size_bytes,
        meets,
        latency_ns,
        no_price: cost.as_ref().err().map(|error| match cloud {
            Cloud::Local => "the catalogue has no prices of disks of your own".to_owned(),
            _ => error.to_string(),
        }),
        cost: cost.ok(),
        known_part: None,
        machine: None,
        orders: orders.collect(),
        sources,
        remarks,
        figures,
        lacks,
    })
}

/// What of an order the vendor does not sell: `3,000 IOPS of rds-gp3 are not on offer: at least
/// 12,000, as of 2026-04-13`.
fn not_sold((volume, order): &(VolumeType, VolumeOrder)) -> Option<String> {
    let Refusal { asked, limit } = volume.refusals(order).into_iter().next()?;
    let (name, as_of) = (&volume.name, &volume.evidence.as_of);
    Some(format!(
        "{asked} not on offer for {name}: {limit}, as of {as_of}"
    ))
}

/// Whether all loads are served, and for each what is asked for over what there always is.
fn meets(
    need: &Need,
    system: &System,
    figures: &Figures,
    shortage: Option<String>,
) -> (Meets, Vec<f64>) {
    let mut worst = (Meets::NotAsked, Vec::new());
    for (index, peak) in need.peaks().into_iter().enumerate() {
        let own;
        let given = if index == 0 {
            figures
        } else {
            own = Figures::of(system, &peak.flow);
            &own
        };
        let lacks = peak.iops / given.sustained_iops;
        let found = if lacks <= 1.0 / (1.0 - 1e-9) {
            Meets::Sustained
        } else {
            match Figures::carries(system, &peak.flow, peak.iops) {
                seconds if seconds > 1.0 => Meets::Burst(seconds),
                _ => Meets::No(format!("limited by {}", given.burst_bound_by.join(" and "))),
            }
        };
        worst.1.push(lacks);
        worst.0 = worse(worst.0, found);
    }
    if let (Meets::Burst(_), Some(played)) = (&worst.0, &need.played)
        && never_held(system, &played.samples, played.growth) == Ok(true)
    {
        worst.0 = Meets::Credit;
    }
    if figures.sustained_iops.is_infinite() {
        worst.0 = Meets::Unknown(
            "the rates of a disk are not known. Add those that the maker states, such as \
             local-ssd:480GB:90000iops:500MB/s or hdd-7200:4TB:200MB/s"
                .to_owned(),
        );
    }
    if let Some(shortage) = shortage {
        worst.0 = Meets::No(shortage);
    }
    worst
}

/// The one that gives less.
fn worse(one: Meets, other: Meets) -> Meets {
    let key = |meets: &Meets| match meets {
        Meets::NotAsked => (0, 0.0),
        Meets::Sustained => (1, 0.0),
        Meets::Credit => (2, 0.0),
        Meets::Burst(seconds) => (3, -seconds),
        Meets::No(_) | Meets::NotSold(_) => (4, 0.0),
        Meets::Unknown(_) => (5, 0.0),
    };
    if key(&one) >= key(&other) { one } else { other }
}

/// What else is not enough: room, or the time of a request.
fn shortage(need: &Need, size_bytes: u64, latency_ns: Option<f64>) -> Option<String> {
    if (size_bytes as f64) < need.capacity_gib * GIB * CHUNK_LOSS {
        let [own, asked] = [size_bytes, (need.capacity_gib * GIB) as u64].map(figure::size);
        return Some(format!("too small: {own} of {asked}"));
    }
    let (time, most) = latency_ns.zip(need.latency_ns)?;
    (time > most).then(|| {
        let [time, most] = [time, most].map(figure::time);
        format!("a request takes {time} by the models, and {most} is asked for")
    })
}
