//! A plan as JSON: every figure with its parts and its sources.

use super::Shown;
use super::years::Year;
use crate::commands::listed;
use crate::error::Problem;
use fathom_core::Op;
use fathom_volume::catalog::Remark;
use fathom_volume::plan::{Need, Offer, Pick, arithmetic};
use fathom_volume::sizing::Replay;
use serde::Serialize;

/// Layouts that give what is needed, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::commands) struct PlanDocument<'a> {
    /// The day of the catalogue.
    as_of: String,
    /// The machine of `--instance`.
    instance: Option<&'a str>,
    need: NeedRow<'a>,
    /// Why nothing is enough, where nothing is.
    beyond: Option<&'a str>,
    /// What would cost less by prices of other regions.
    unpriced: Option<&'a str>,
    /// That the machine of the first is of an older generation, and the nearest current one.
    older: Option<&'a str>,
    /// The growth of the load, year by year.
    years: &'a [Year],
    /// A few layouts that differ, best first.
    picks: &'a [Pick],
    /// All layouts, best first.
    offers: Vec<OfferRow<'a>>,
    remarks: &'a [Remark],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NeedRow<'a> {
    asked: LoadDocument,
    /// What is asked for above the need, percent.
    headroom_percent: f64,
    /// Growth of the load, percent.
    growth_percent: f64,
    /// Requests per second; null where layouts are only compared.
    iops: Option<f64>,
    bytes_per_second: Option<f64>,
    /// Other loads that have to fit too.
    also: Vec<Also>,
    capacity_gib: f64,
    /// Longest mean service time, nanoseconds.
    latency_ns: Option<f64>,
    requests: Vec<Kind<'a>>,
}

/// Without headroom.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LoadDocument {
    iops: Option<f64>,
    capacity_gib: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Also {
    iops: f64,
    bytes_per_second: f64,
}

/// Requests of one kind.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Kind<'a> {
    op: &'a Op,
    /// Size of a request, bytes.
    bytes: f64,
    /// Share of them at increasing offsets, from 0 to 1.
    sequential: f64,
    /// Share of all requests, from 0 to 1.
    share: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OfferRow<'a> {
    #[serde(flatten)]
    offer: &'a Offer,
    /// Price a month for each 1,000 requests a second that last.
    price_per_1000_iops: Option<f64>,
    /// Whether each of its figures is stated by a source.
    is_fact: bool,
    /// How its figures come about, a line for each.
    arithmetic: Vec<String>,
    /// What a recorded load does to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    recording: Option<&'a Replay>,
}

pub(super) fn document(shown: &Shown<'_>) -> Result<String, Problem> {
    let Shown {
        plan, need, market, ..
    } = shown;
    let offers = plan
        .offers
        .iter()
        .enumerate()
        .map(|(index, offer)| OfferRow {
            offer,
            price_per_1000_iops: offer.price_per_1000_iops(),
            is_fact: offer.is_fact(),
            arithmetic: arithmetic(offer, need),
            recording: shown.played.get(index),
        });
    let document = PlanDocument {
        as_of: market.at.to_string(),
        instance: market.instance.map(|instance| instance.name.as_str()),
        need: need_row(shown, need),
        beyond: plan.beyond.as_deref(),
        unpriced: plan.unpriced.as_deref(),
        older: plan.older.as_deref(),
        years: &shown.years,
        picks: &plan.picks,
        offers: offers.collect(),
        remarks: &plan.remarks,
    };
    listed::stamped("plan", &document)
}

fn need_row<'a>(shown: &Shown<'_>, need: &'a Need) -> NeedRow<'a> {
    let also = need.also.iter().map(|peak| Also {
        iops: peak.iops,
        bytes_per_second: peak.bytes_per_second(),
    });
    let requests = need.flow.kinds.iter().map(|kind| Kind {
        op: &kind.op,
        bytes: kind.bytes,
        sequential: kind.sequential,
        share: kind.weight,
    });
    NeedRow {
        asked: LoadDocument {
            iops: shown.asked.iops,
            capacity_gib: shown.asked.capacity_gib,
        },
        headroom_percent: shown.headroom_percent,
        growth_percent: shown.growth_percent,
        iops: need.iops,
        bytes_per_second: need.bytes_per_second(),
        also: also.collect(),
        capacity_gib: need.capacity_gib,
        latency_ns: need.latency_ns,
        requests: requests.collect(),
    }
}
