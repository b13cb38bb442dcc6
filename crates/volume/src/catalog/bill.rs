//! What a volume costs a month, part by part.

use super::price_book::{Price, PriceBook};
use super::{BurstChoice, Cloud, Date, Evidence, Law, Usage, VolumeOrder, VolumeType};
use serde::Serialize;

/// The monthly price of one volume.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bill {
    /// The parts, in the order of a vendor's bill.
    pub parts: Vec<BillPart>,
    /// Their sum.
    pub total: f64,
    /// As in `USD`.
    pub currency: String,
}

/// One line of a bill.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BillPart {
    /// What is counted: `GiB`, `IOPS`, `MiB/s`, `MB/s`, `disk`, `burst on demand`, or by 10,000
    /// `transactions` and `burst transactions`.
    pub what: &'static str,
    /// How many.
    pub quantity: f64,
    /// For one.
    pub price: f64,
    /// The product.
    pub amount: f64,
    /// Who says so, and when: the day need not be the one that was asked for.
    pub evidence: Evidence,
}

/// Why a price cannot be given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BillError {
    /// The type has no price in the region.
    #[error("no price of {name} is known in {region}")]
    NoPrice {
        /// The volume type.
        name: String,
        /// The region that was asked for.
        region: String,
        /// Regions in which it has prices.
        regions: Vec<String>,
    },
    /// The type has a price, but not of something that was ordered.
    #[error("the price of the {what} of {name} is not known in {region}")]
    NoMeter {
        /// The volume type.
        name: String,
        /// What has no price.
        what: &'static str,
        /// The region that was asked for.
        region: String,
    },
}

/// What a meter counts, and how many of it a volume has.
fn quantity(
    price: &Price,
    volume: &VolumeType,
    order: &VolumeOrder,
    usage: Option<&Usage>,
) -> (&'static str, f64) {
    let rate = order.bytes_per_second.unwrap_or(0.0);
    let used = |pick: fn(&Usage) -> f64| usage.map_or(0.0, pick);
    let on_demand = order.burst == BurstChoice::OnDemand;
    match price.meter.as_str() {
        "gib_month" => ("GiB", order.size_gib.unwrap_or(volume.min_gib)),
        "iops_month" | "iops_month_above" => ("IOPS", order.iops.unwrap_or(0.0)),
        "mibps_month" | "mibps_month_above" => ("MiB/s", rate / 1_048_576.0),
        "mbps_month" | "mbps_month_above" => ("MB/s", rate / 1e6),
        "transactions_10k_lrs" => (
            "transactions (10,000)",
            Usage::ten_thousands(used(|usage| usage.transactions_per_second)),
        ),
        "burst_enable_month_lrs" => ("burst on demand", f64::from(u8::from(on_demand))),
        "burst_transactions_10k_lrs" => (
            "burst transactions (10,000)",
            Usage::ten_thousands(used(|usage| usage.burst_per_second)),
        ),
        "snapshot_gib_month" => ("GiB of snapshots", used(|usage| usage.snapshot_gib)),
        // Only while no such disk is attached.
        "vcpu_reservation_month" => ("reserved vCPU", 0.0),
        _ => ("disk", 1.0),
    }
}

impl PriceBook {
    /// What one volume costs a month in a region, at the prices nearest to a day.
    ///
    /// A meter with bands counts each band at its own price. Without a usage, what is billed by
    /// the request is left out; of two meters of transactions the dearer one counts.
    ///
    /// # Errors
    ///
    /// [`BillError`] where the region has no price of the type, or of something ordered.
    pub fn bill(
        &self,
        volume: &VolumeType,
        order: &VolumeOrder,
        region: &str,
        at: Date,
        usage: Option<&Usage>,
    ) -> Result<Bill, BillError> {
        let name = volume.name.as_str();
        // Block Express is a kind of io2, and billed as such.
        let billed = name.strip_suffix("-block-express").unwrap_or(name);
        let mut meters = self.meters(volume.cloud, region, billed, at);
        if let (Some(family), false) = (&volume.family, meters.is_empty()) {
            add_family(&mut meters, self.meters(volume.cloud, region, family, at));
        }
        let Some(first) = meters.first() else {
            return Err(self.no_price(volume.cloud, billed, region));
        };
        let currency = first.currency.clone();
        let mut parts = Vec::new();
        for (index, price) in meters.iter().enumerate() {
            let (what, ordered) = quantity(price, volume, order, usage);
            let next = meters.get(index + 1).filter(|next| {
                quantity(next, volume, order, usage).0 == what && next.above > price.above
            });
            let upper = next.map_or(ordered, |next| ordered.min(next.above));
            let counted = (upper - price.above).max(0.0);
            if counted > 0.0 {
                parts.push(BillPart {
                    what,
                    quantity: counted,
                    price: price.price,
                    amount: counted * price.price,
                    evidence: price.evidence.clone(),
                });
            }
        }
        refuse_unpriced(volume, order, &meters, region, usage)?;
        Ok(Bill {
            total: parts.iter().map(|part| part.amount).sum(),
            parts,
            currency,
        })
    }

    fn no_price(&self, cloud: Cloud, name: &str, region: &str) -> BillError {
        BillError::NoPrice {
            name: name.to_owned(),
            region: region.to_owned(),
            regions: self
                .regions(cloud, name)
                .into_iter()
                .map(str::to_owned)
                .collect(),
        }
    }
}

/// Adds the meters of a family; of a meter that both have, the dearer one counts.
fn add_family<'a>(own: &mut Vec<&'a Price>, family: Vec<&'a Price>) {
    for price in family {
        match own.iter_mut().find(|known| known.meter == price.meter) {
            Some(known) if known.price < price.price => *known = price,
            Some(_) => {}
            None => own.push(price),
        }
    }
}

/// A bill without the price of what was ordered would look cheap.
fn refuse_unpriced(
    volume: &VolumeType,
    order: &VolumeOrder,
    meters: &[&Price],
    region: &str,
    usage: Option<&Usage>,
) -> Result<(), BillError> {
    let has = |word: &str| meters.iter().any(|price| price.meter.starts_with(word));
    let (extra_iops, extra_bytes) = match &volume.law {
        Law::Provisioned(law) => {
            let bytes = law.bytes_included.zip(order.bytes_per_second);
            (
                order.iops.unwrap_or(0.0) > law.iops_included.unwrap_or(0.0),
                bytes.is_some_and(|(included, asked)| asked > included),
            )
        }
        Law::Follows(_) => (false, true),
        _ => (false, false),
    };
    let transactions = usage.is_some_and(|usage| usage.transactions_per_second > 0.0);
    let on_demand = order.burst == BurstChoice::OnDemand;
    let snapshots = usage.is_some_and(|usage| usage.snapshot_gib > 0.0);
    let needed = [
        ("IOPS", extra_iops && !has("iops")),
        ("throughput", extra_bytes && !has("mibps") && !has("mbps")),
        (
            "transactions",
            transactions && volume.billed_bytes.is_some() && !has("transactions"),
        ),
        ("burst on demand", on_demand && !has("burst_enable")),
        ("snapshots", snapshots && !has("snapshot")),
    ];
    match needed.into_iter().find(|(_, is_missing)| *is_missing) {
        None => Ok(()),
        Some((what, _)) => Err(BillError::NoMeter {
            name: volume.name.clone(),
            what,
            region: region.to_owned(),
        }),
    }
}
