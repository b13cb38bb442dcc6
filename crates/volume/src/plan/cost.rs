//! What a layout costs a month: the bills of its volumes, part by part, and the machine.

use super::Need;
use super::machines::Machine;
use super::search::Market;
use crate::catalog::{
    BillError, BillPart, BurstChoice, Cloud, Law, MachinePrice, Terms, Usage, VolumeOrder,
    VolumeType,
};
use fathom_core::figure::decimal;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// What of a bill counts when layouts are ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Machine and disks.
    #[default]
    Whole,
    /// The disks alone.
    Disks,
    /// The machine alone.
    Machine,
}

/// The monthly list price of a layout.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cost {
    /// The region whose prices these are.
    pub region: String,
    /// The parts of the disks, those of equal price added up.
    pub parts: Vec<BillPart>,
    /// Their sum.
    pub disks: f64,
    /// The machine, where it counts and is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachinePrice>,
    /// All that counts together.
    pub total: f64,
    /// As in `USD`.
    pub currency: String,
}

/// The currency of the vendors' lists.
const LIST_CURRENCY: &str = "USD";

/// The region whose prices are taken where none is named.
pub(super) const fn usual_region(cloud: Cloud) -> &'static str {
    match cloud {
        Cloud::Aws | Cloud::Rds => "us-east-1",
        Cloud::Azure => "eastus",
        Cloud::Gcp => "us-central1",
        Cloud::Oci => "us-ashburn-1",
        Cloud::Alibaba => "cn-hangzhou",
        Cloud::Own => "own",
        Cloud::Local => "",
    }
}

impl Cost {
    /// What volumes as ordered cost a month, without a machine.
    pub(super) fn of(
        market: &Market<'_>,
        orders: &[(VolumeType, VolumeOrder)],
        region: &str,
        need: &Need,
    ) -> Result<Self, BillError> {
        let mut parts: Vec<BillPart> = Vec::new();
        let mut currency = String::new();
        let all_gib: f64 = orders
            .iter()
            .map(|(volume, order)| gib(volume, order))
            .sum();
        for run in orders.chunk_by(|one, next| one == next) {
            let (volume, order) = &run[0];
            if volume.is_in_host() && volume.cloud != Cloud::Gcp {
                // They are in the price of the machine; Google bills them by the GiB.
                LIST_CURRENCY.clone_into(&mut currency);
                continue;
            }
            let share = gib(volume, order) / all_gib;
            let usage = usage(volume, order, need, share);
            let prices = market.catalog.prices();
            let bill = prices.bill(volume, order, region, market.at, usage.as_ref())?;
            let count = run.len() as f64;
            for part in bill.parts {
                let same = |known: &&mut BillPart| {
                    known.what == part.what
                        && known.evidence == part.evidence
                        && (known.price - part.price).abs() < f64::EPSILON
                };
                match parts.iter_mut().find(same) {
                    Some(known) => {
                        known.quantity += part.quantity * count;
                        known.amount += part.amount * count;
                    }
                    None => parts.push(BillPart {
                        quantity: part.quantity * count,
                        amount: part.amount * count,
                        ..part
                    }),
                }
            }
            currency = bill.currency;
        }
        if let Some(conversion) = &market.terms.conversion {
            let amounts = parts
                .iter_mut()
                .flat_map(|part| [&mut part.price, &mut part.amount]);
            conversion.convert(&mut amounts.collect::<Vec<_>>(), &mut currency);
        }
        let disks = parts.iter().fold(0.0, |sum, part| sum + part.amount);
        Ok(Self {
            region: region.to_owned(),
            parts,
            disks,
            machine: None,
            total: disks,
            currency,
        })
    }

    /// With the machine, as far as it counts. None where its price is not known.
    pub(super) fn with(mut self, machine: Option<&Machine>, scope: Scope) -> Option<Self> {
        if scope == Scope::Disks {
            return Some(self);
        }
        let price = machine?.price.clone()?;
        if price.currency != self.currency {
            return None;
        }
        let disks = if scope == Scope::Machine {
            0.0
        } else {
            self.disks
        };
        self.total = disks + price.month();
        self.machine = Some(price);
        Some(self)
    }

    /// `412.30 USD a month (disks 120.00, machine 292.30)`.
    pub fn in_words(&self, scope: Scope) -> String {
        let mut text = format!("{} {} a month", decimal(self.total, 2), self.currency);
        match (&self.machine, scope) {
            (Some(machine), Scope::Whole) => {
                let parts = [self.disks, machine.month()].map(|amount| decimal(amount, 2));
                let _ = write!(text, " (disks {}, machine {})", parts[0], parts[1]);
            }
            (_, Scope::Disks) => text += " for the disks",
            (_, Scope::Machine) => text += " for the machine",
            _ => {}
        }
        text
    }

    /// What the price is: `list prices in us-east-1: machine Linux, on demand, as of 2025-11-03;
    /// disks as of 2025-10-28`.
    pub fn origin_in_words(&self, cloud: Cloud, scope: Scope, terms: &Terms) -> String {
        let is_rds = cloud == Cloud::Rds;
        let single = if is_rds {
            ", single-AZ (Multi-AZ costs twice as much)"
        } else {
            ""
        };
        let mut text = format!("list prices in {}{single}: ", self.region);
        if let Some(machine) = &self.machine {
            let terms = terms.in_words();
            let what = if is_rds {
                format!("class {}", terms.replacen("Linux", "MySQL", 1))
            } else {
                format!("machine {terms}")
            };
            let _ = write!(text, "{what}, as of {}", machine.evidence.as_of);
        }
        if scope != Scope::Machine {
            let mut days: Vec<String> = Vec::new();
            for part in &self.parts {
                let day = part.evidence.as_of.to_string();
                if !days.contains(&day) {
                    days.push(day);
                }
            }
            let and = if self.machine.is_some() { "; " } else { "" };
            if !days.is_empty() {
                let _ = write!(text, "{and}disks as of {}", days.join(", "));
            }
        }
        text
    }
}

fn gib(volume: &VolumeType, order: &VolumeOrder) -> f64 {
    order.size_gib.unwrap_or(volume.max_gib)
}

/// What one volume is asked for, with its share of the need; none where nothing is needed.
fn usage(volume: &VolumeType, order: &VolumeOrder, need: &Need, share: f64) -> Option<Usage> {
    let snapshot_gib = need.snapshot_gib * share;
    let Some(iops) = need.iops else {
        return (snapshot_gib > 0.0).then_some(Usage {
            snapshot_gib,
            ..Usage::default()
        });
    };
    let iops = iops * share * need.busy;
    let in_units = |unit: f64| -> f64 {
        let kinds = need.flow.kinds.iter();
        kinds
            .map(|kind| kind.weight * (kind.bytes / unit).ceil())
            .sum::<f64>()
            * iops
    };
    let all = volume
        .billed_bytes
        .map_or(0.0, |unit| in_units(unit as f64));
    let most = volume.billed_max_hour;
    let billed = most.map_or(all, |most| all.min(most / 3_600.0 * need.busy));
    let burst = match &volume.law {
        Law::Tier(law) if order.burst == BurstChoice::OnDemand => {
            let unit = 262_144.0;
            let busy = need.busy.max(f64::MIN_POSITIVE);
            let requests = in_units(unit) / busy - law.iops;
            let bytes = (iops / busy * need.flow.mean_bytes() - law.bytes) / unit;
            requests.max(bytes).max(0.0) * need.busy
        }
        _ => 0.0,
    };
    Some(Usage {
        transactions_per_second: billed,
        burst_per_second: burst,
        snapshot_gib,
    })
}
