//! A plan as JSON: every figure with its parts and its sources.

use super::Shown;
use crate::commands::listed;
use fathom_volume::plan::arithmetic;
use serde_json::{Value, json};

pub(super) fn document(shown: &Shown<'_>) -> String {
    let Shown {
        plan, need, market, ..
    } = shown;
    let kinds: Vec<Value> = need
        .flow
        .kinds
        .iter()
        .map(|kind| {
            json!({
                "op": kind.op,
                "bytes": kind.bytes,
                "sequential": kind.sequential,
                "share": kind.weight,
            })
        })
        .collect();
    let also: Vec<Value> = need
        .also
        .iter()
        .map(|peak| json!({ "iops": peak.iops, "bytes_per_second": peak.bytes_per_second() }))
        .collect();
    let offers: Vec<Value> = plan
        .offers
        .iter()
        .enumerate()
        .map(|(index, offer)| {
            let mut value = serde_json::to_value(offer).unwrap_or_default();
            value["price_per_1000_iops"] = json!(offer.price_per_1000_iops());
            value["is_fact"] = json!(offer.is_fact());
            value["arithmetic"] = json!(arithmetic(offer, need));
            if let Some(replay) = shown.played.get(index) {
                value["recording"] = json!(replay);
            }
            value
        })
        .collect();
    let document = json!({
        "as_of": market.at.to_string(),
        "instance": market.instance.map(|instance| &instance.name),
        "need": {
            "asked": { "iops": shown.asked.iops, "capacity_gib": shown.asked.capacity_gib },
            "headroom_percent": shown.headroom_percent,
            "growth_percent": shown.growth_percent,
            "iops": need.iops,
            "bytes_per_second": need.bytes_per_second(),
            "also": also,
            "capacity_gib": need.capacity_gib,
            "latency_ns": need.latency_ns,
            "requests": kinds,
        },
        "beyond": plan.beyond,
        "unpriced": plan.unpriced,
        "years": shown.years,
        "picks": plan.picks,
        "offers": offers,
        "remarks": plan.remarks,
    });
    listed::stamped("plan", document)
}
