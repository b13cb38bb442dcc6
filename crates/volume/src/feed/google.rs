//! Google: the Cloud Billing Catalog. What a SKU is of is said by its description alone.

use super::FeedKind;
use super::fresh::{Fresh, FreshMachinePrice, FreshPrice, PartPrice};
use crate::catalog::{Catalog, Cloud, Date};
use fathom_core::SmallSort as _;
use serde::Deserialize;
use std::collections::HashMap;

/// Disks by how their descriptions begin: name, meter, and where it begins to count.
const DISKS: [(&str, &str, &str, Option<f64>); 13] = [
    ("Storage PD Capacity", "pd-standard", "gib_month", None),
    ("Balanced PD Capacity", "pd-balanced", "gib_month", None),
    ("SSD backed PD Capacity", "pd-ssd", "gib_month", None),
    ("Extreme PD Capacity", "pd-extreme", "gib_month", None),
    ("Extreme PD IOPS", "pd-extreme", "iops_month", None),
    (
        "Hyperdisk Balanced Capacity",
        "hyperdisk-balanced",
        "gib_month",
        None,
    ),
    (
        "Hyperdisk Balanced IOPS",
        "hyperdisk-balanced",
        "iops_month_above",
        Some(3_000.0),
    ),
    (
        "Hyperdisk Balanced Throughput",
        "hyperdisk-balanced",
        "mibps_month_above",
        Some(140.0),
    ),
    (
        "Hyperdisk Extreme Capacity",
        "hyperdisk-extreme",
        "gib_month",
        None,
    ),
    (
        "Hyperdisk Extreme IOPS",
        "hyperdisk-extreme",
        "iops_month",
        None,
    ),
    (
        "Hyperdisk Throughput Capacity",
        "hyperdisk-throughput",
        "gib_month",
        None,
    ),
    (
        "Hyperdisk Throughput Throughput",
        "hyperdisk-throughput",
        "mibps_month",
        None,
    ),
    (
        "Hyperdisk Throughput MBPS",
        "hyperdisk-throughput",
        "mibps_month",
        None,
    ),
];

/// Series whose machines cost what their processors and their memory cost.
const LINEAR: [&str; 9] = ["n1", "n2", "n2d", "e2", "c2", "c2d", "t2d", "c3", "n4"];

/// An item of the catalogue.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GoogleSku {
    #[serde(default)]
    description: String,
    #[serde(default)]
    category: Category,
    #[serde(default)]
    service_regions: Vec<String>,
    #[serde(default)]
    pricing_info: Vec<Pricing>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Category {
    usage_type: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Pricing {
    effective_time: Option<String>,
    pricing_expression: Expression,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Expression {
    #[serde(default)]
    usage_unit: String,
    #[serde(default)]
    tiered_rates: Vec<TierRate>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TierRate {
    unit_price: UnitPrice,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UnitPrice {
    #[serde(default)]
    currency_code: String,
    #[serde(default)]
    units: Units,
    #[serde(default)]
    nanos: f64,
}

/// A whole number, which Google writes as a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Units {
    Text(String),
    Number(f64),
}

impl Default for Units {
    fn default() -> Self {
        Self::Number(0.0)
    }
}

impl UnitPrice {
    fn price(&self) -> Option<f64> {
        let whole = match &self.units {
            Units::Text(text) if text.is_empty() => 0.0,
            Units::Text(text) => text.parse().ok()?,
            Units::Number(number) => *number,
        };
        Some(whole + self.nanos / 1e9)
    }
}

/// A price in the catalogue's terms, if it is one that is wanted.
pub(super) fn price(item: &GoogleSku, read_on: Date, fresh: &mut Fresh) {
    if item.category.usage_type != "OnDemand" {
        return;
    }
    let disk = DISKS.iter().find(|(begin, ..)| {
        let rest = item.description.strip_prefix(begin);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" in "))
    });
    let part = part(&item.description);
    if disk.is_none() && part.is_none() {
        return;
    }
    let Some(pricing) = item.pricing_info.first() else {
        fresh.leave("a SKU of Google without a price");
        return;
    };
    // What is free comes first.
    let rates = pricing.pricing_expression.tiered_rates.iter().rev();
    let mut priced = rates.filter_map(|rate| Some((&rate.unit_price, rate.unit_price.price()?)));
    let Some((unit, price)) = priced.find(|(_, price)| *price > 0.0) else {
        fresh.leave("a SKU of Google without a price");
        return;
    };
    let day = pricing
        .effective_time
        .as_deref()
        .and_then(|time| time.get(..10));
    let as_of: Date = day.and_then(|day| day.parse().ok()).unwrap_or(read_on);
    let is_hourly = pricing.pricing_expression.usage_unit.ends_with('h');
    for region in &item.service_regions {
        if let Some((_, name, meter, above)) = disk {
            fresh.prices.push(FreshPrice {
                cloud: Cloud::Gcp,
                region: region.clone(),
                name: (*name).to_owned(),
                meter,
                above: *above,
                price: price
                    * if is_hourly {
                        crate::catalog::MONTH_HOURS
                    } else {
                        1.0
                    },
                currency: unit.currency_code.clone(),
                as_of,
                source: FeedKind::GoogleSkus.source(),
            });
        } else if let Some((series, is_core)) = &part {
            fresh.parts.push(PartPrice {
                series: series.clone(),
                region: region.clone(),
                is_core: *is_core,
                hour: price,
                currency: unit.currency_code.clone(),
                as_of,
            });
        }
    }
}

/// The series and the part of `N2D AMD Instance Core running in Paris`.
fn part(description: &str) -> Option<(String, bool)> {
    let (what, _) = description.split_once(" running in ")?;
    let (begin, is_core) = match what.strip_suffix(" Core") {
        Some(begin) => (begin, true),
        None => (what.strip_suffix(" Ram")?, false),
    };
    let series = match begin {
        "Compute optimized" => "c2".to_owned(),
        begin => {
            let begin = begin.strip_suffix(" Instance")?;
            let begin = begin.strip_suffix(" AMD").unwrap_or(begin);
            let begin = begin.strip_suffix(" Predefined").unwrap_or(begin);
            begin.to_lowercase()
        }
    };
    LINEAR
        .contains(&series.as_str())
        .then_some((series, is_core))
}

/// Machines by their parts, of the sizes that the catalogue knows.
pub(super) fn machines(catalog: &Catalog, fresh: &mut Fresh) {
    let parts = std::mem::take(&mut fresh.parts);
    let mut by_place: HashMap<(&str, &str), [Option<&PartPrice>; 2]> = HashMap::new();
    for part in &parts {
        let both = by_place.entry((&part.series, &part.region)).or_default();
        both[usize::from(part.is_core)] = Some(part);
    }
    let mut found = Vec::new();
    for row in catalog
        .instances()
        .iter()
        .filter(|row| row.cloud == Cloud::Gcp)
    {
        let (Some(series), Some(vcpus), Some(mib)) = (&row.series, row.vcpus, row.memory_mib)
        else {
            continue;
        };
        // Parts of a core and disks in the host are billed in other ways.
        if row.name.ends_with("-lssd")
            || series == "e2" && !row.name.contains("-high") && !row.name.contains("-standard")
        {
            continue;
        }
        for ((of, region), both) in &by_place {
            let [Some(ram), Some(core)] = both else {
                continue;
            };
            if of != series {
                continue;
            }
            found.push(FreshMachinePrice {
                cloud: Cloud::Gcp,
                region: (*region).to_owned(),
                name: row.name.clone(),
                hour: f64::from(vcpus) * core.hour + mib as f64 / 1_024.0 * ram.hour,
                currency: core.currency.clone(),
                as_of: core.as_of.min(ram.as_of),
                source: FeedKind::GoogleSkus.source(),
            });
        }
    }
    found.small_sort_by(|one, other| (&one.region, &one.name).cmp(&(&other.region, &other.name)));
    fresh.machine_prices.extend(found);
}
