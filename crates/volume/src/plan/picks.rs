//! A few different kinds of layout among many: what an adviser would put on the table.

use super::Need;
use super::offer::{Meets, Offer, weigh};
use super::search::{Market, kind};
use crate::layout::Layout;
use fathom_core::figure;
use serde::Serialize;

/// Most layouts that are picked.
const MOST: usize = 5;
/// Layouts that are shown where nothing is enough.
const NEAREST: usize = 3;
/// A layout of twice the volumes, or whose data goes with the machine, has to cost less than this
/// share of a safer one to be first.
const WORTH_A_RISK: f64 = 0.95;
/// A burst has to save this share of the price to be worth its end.
const WORTH: f64 = 0.9;

/// A layout that stands for its kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pick {
    /// Its place among the offers.
    pub index: usize,
    /// Why it is here.
    pub reason: Reason,
    /// What it gives beyond the need, as a share of it; none for no rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headroom: Option<f64>,
    /// What becomes of twice the load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twice: Option<Twice>,
}

/// Why a layout is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It costs hardly more than the cheapest, and has half the volumes that can fail, or keeps
    /// its data when the machine stops.
    Safer,
    /// It costs least of all that last.
    Cheapest,
    /// It costs least of those that need no credit, where the cheapest does.
    NoCredit,
    /// It costs least of those of a single volume.
    SingleVolume,
    /// It costs least of another kind of volume.
    OtherKind,
    /// It costs least of those that give twice the need.
    RoomToGrow,
    /// It costs less, and lasts for a while only.
    Burst,
    /// It comes nearest, and nothing is enough.
    Nearest,
}

impl Reason {
    /// In words: `cheapest`, `another kind` …
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Safer => "safer",
            Self::Cheapest => "cheapest",
            Self::NoCredit => "without credit",
            Self::SingleVolume => "one volume",
            Self::OtherKind => "another kind",
            Self::RoomToGrow => "room to grow",
            Self::Burst => "for a while",
            Self::Nearest => "nearest",
        }
    }
}

/// What becomes of twice the load.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Twice {
    /// It is given without end.
    Given,
    /// For this number of seconds; then this number of requests a second is left.
    Burst(f64, f64),
    /// The requests a second that are given, and what limits them.
    Held(f64, String),
}

impl Twice {
    /// A description for people.
    pub fn in_words(&self) -> String {
        match self {
            Self::Given => "given without end".to_owned(),
            Self::Burst(seconds, left) => format!(
                "for {}, then {} IOPS",
                figure::duration((seconds * 1e9) as u64),
                figure::iops(*left)
            ),
            Self::Held(iops, by) => format!("{} IOPS, limited by {by}", figure::iops(*iops)),
        }
    }
}

/// The picks of ranked offers.
pub(super) fn picks(offers: &[Offer], need: &Need, market: &Market<'_>) -> Vec<Pick> {
    let Some(iops) = need.iops else {
        return Vec::new();
    };
    let first = offers.iter().position(lasts);
    let found = match first {
        Some(first) => lasting(offers, first, iops),
        None => of_kinds(offers),
    };
    let doubled = need.times(2.0);
    let pick = |(index, reason): (usize, Reason)| {
        let offer: &Offer = &offers[index];
        Pick {
            index,
            reason,
            headroom: (offer.rank() < 3 && offer.meets != Meets::Credit)
                .then(|| offer.lasting_iops() / iops - 1.0),
            twice: twice(offer, &doubled, market),
        }
    };
    found.into_iter().map(pick).collect()
}

fn lasts(offer: &Offer) -> bool {
    matches!(offer.meets, Meets::Sustained | Meets::Credit) && offer.cost.is_some()
}

/// Moves a safer layout before the cheapest that lasts, where that saves less than a twentieth:
/// one of half the volumes or fewer, or one whose data does not go with the machine.
pub(super) fn safer_first(offers: &mut [Offer]) {
    let Some(first) = offers.iter().position(lasts) else {
        return;
    };
    let cheapest = &offers[first];
    let key = |offer: &Offer| (offer.is_volatile(), offer.volumes);
    let is_safer = |offer: &Offer| {
        let gives_as_long = offer.meets == Meets::Sustained || offer.meets == cheapest.meets;
        let is_near = cheapest.price() > offer.price() * WORTH_A_RISK;
        let is_half = offer.volumes * 2 <= cheapest.volumes;
        let is_kept = cheapest.is_volatile() && !offer.is_volatile();
        let is_less = is_kept || is_half && offer.is_volatile() == cheapest.is_volatile();
        lasts(offer) && gives_as_long && is_near && is_less
    };
    let all = offers.iter().enumerate();
    let safer = all.filter(|(_, offer)| is_safer(offer));
    if let Some((best, _)) = safer.min_by_key(|(_, offer)| key(offer)) {
        offers[first..=best].rotate_right(1);
    }
}

/// The cheapest that lasts, and others that are different from it.
fn lasting(offers: &[Offer], first: usize, iops: f64) -> Vec<(usize, Reason)> {
    let best = &offers[first];
    let own = kind(best);
    let find = |wanted: &dyn Fn(&Offer) -> bool| {
        offers
            .iter()
            .position(|offer| lasts(offer) && wanted(offer))
    };
    let steady = find(&|offer| best.meets == Meets::Credit && offer.meets == Meets::Sustained);
    let single = find(&|offer| best.volumes > 1 && offer.volumes == 1);
    let other = find(&|offer| kind(offer).0 != own.0).or(find(&|offer| kind(offer) != own));
    let third = find(&|offer| {
        let known = [Some(first), other].into_iter().flatten();
        known
            .into_iter()
            .all(|index| kind(&offers[index]).0 != kind(offer).0)
    });
    let burst = offers.iter().position(|offer| {
        matches!(offer.meets, Meets::Burst(_)) && offer.price() <= best.price() * WORTH
    });
    let price = |index: &usize| offers[*index].price();
    let all_lasting = (0..offers.len()).filter(|index| lasts(&offers[*index]));
    let cheapest = all_lasting.min_by(|one, other| price(one).total_cmp(&price(other)));
    let is_cheapest = cheapest.is_none_or(|cheapest| price(&cheapest) >= best.price());
    let why = if is_cheapest {
        Reason::Cheapest
    } else {
        Reason::Safer
    };
    let all = [
        (Some(first), why),
        (cheapest, Reason::Cheapest),
        (steady, Reason::NoCredit),
        (single, Reason::SingleVolume),
        (other, Reason::OtherKind),
        (
            find(&|offer| offer.lasting_iops() >= 2.0 * iops),
            Reason::RoomToGrow,
        ),
        (burst, Reason::Burst),
        (third, Reason::OtherKind),
    ];
    let mut found: Vec<(usize, Reason)> = Vec::new();
    for (index, reason) in all {
        if let Some(index) = index
            && found.iter().all(|(known, _)| *known != index)
            && found.len() < MOST
        {
            found.push((index, reason));
        }
    }
    found
}

/// Where nothing lasts: of each family what gives the need for a while, or else comes nearest.
fn of_kinds(offers: &[Offer]) -> Vec<(usize, Reason)> {
    let (rank, reason, most) = if offers.iter().any(|offer| offer.rank() == 1) {
        (1, Reason::Burst, MOST)
    } else {
        (2, Reason::Nearest, NEAREST)
    };
    let mut seen: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for (index, offer) in offers.iter().enumerate() {
        let own = kind(offer).0;
        let fits = offer.rank() == rank || reason == Reason::Nearest;
        if fits && !seen.contains(&own) && found.len() < most {
            seen.push(own);
            found.push((index, reason));
        }
    }
    found
}

/// What becomes of twice the load, with the machine that was found for the load itself.
fn twice(offer: &Offer, doubled: &Need, market: &Market<'_>) -> Option<Twice> {
    let layout: Layout = offer.layout.parse().ok()?;
    let found = weigh(&layout, doubled, market).ok()?;
    let asked = doubled.iops?;
    let machine = offer.machine.as_ref();
    let mean = doubled.flow.mean_bytes();
    let of_machine = machine.map_or(f64::INFINITY, |machine| machine.lasting_iops(mean));
    if of_machine < asked && of_machine < found.figures.sustained_iops {
        let name = machine.map_or_else(String::new, super::machines::Machine::in_words);
        return Some(Twice::Held(of_machine, name));
    }
    if matches!(offer.meets, Meets::Unknown(_)) {
        return None;
    }
    Some(match found.meets {
        Meets::Sustained | Meets::Credit | Meets::NotAsked => Twice::Given,
        Meets::Burst(seconds) => Twice::Burst(seconds, found.figures.sustained_iops),
        Meets::No(_) | Meets::NotSold(_) | Meets::Unknown(_) => Twice::Held(
            found.figures.sustained_iops,
            found.figures.bound_by.join(" and "),
        ),
    })
}
