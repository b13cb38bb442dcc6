//! Plans of roles as JSON: every layout with its arithmetic.

use super::Shown;
use crate::commands::listed;
use crate::error::Problem;
use fathom_volume::plan::{RoleOffer, RolesPlan, arithmetic};
use serde::Serialize;

/// The cheapest layouts of all roles, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::commands) struct RolesDocument<'a> {
    /// The day of the catalogue.
    as_of: String,
    /// The best plan of each cloud.
    plans: Vec<RolesRow<'a>>,
    /// What was assumed.
    remarks: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RolesRow<'a> {
    #[serde(flatten)]
    plan: &'a RolesPlan,
    roles: Vec<RoleRow<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RoleRow<'a> {
    #[serde(flatten)]
    role: &'a RoleOffer,
    /// How its figures come about, a line for each.
    arithmetic: Vec<String>,
}

pub(super) fn document(shown: &Shown<'_>) -> Result<String, Problem> {
    let plans = shown.plans.iter().map(|plan| {
        let roles = plan.roles.iter().map(|role| RoleRow {
            role,
            arithmetic: arithmetic(&role.offer, shown.need(role)),
        });
        RolesRow {
            plan,
            roles: roles.collect(),
        }
    });
    let document = RolesDocument {
        as_of: shown.market.at.to_string(),
        plans: plans.collect(),
        remarks: shown.remarks(),
    };
    listed::stamped("plan-roles", &document)
}
