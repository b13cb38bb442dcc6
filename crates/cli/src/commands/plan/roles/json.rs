//! Plans of roles as JSON: every layout with its arithmetic.

use super::Shown;
use crate::commands::listed;
use fathom_volume::plan::arithmetic;
use serde_json::{Value, json};

pub(super) fn document(shown: &Shown<'_>) -> String {
    let plans = shown.plans.iter().map(|plan| {
        let mut value = serde_json::to_value(plan).unwrap_or_default();
        for (index, role) in plan.roles.iter().enumerate() {
            let lines = arithmetic(&role.offer, shown.need(role));
            value["roles"][index]["arithmetic"] = json!(lines);
        }
        value
    });
    let document = json!({
        "as_of": shown.market.at.to_string(),
        "plans": plans.collect::<Vec<Value>>(),
        "remarks": shown.remarks(),
    });
    listed::stamped("plan-roles", document)
}
