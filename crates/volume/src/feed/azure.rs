//! Azure: Retail Prices, and Resource SKUs.

use super::FeedKind;
use super::fresh::{Fresh, FreshInstance, FreshMachinePrice, FreshPrice};
use crate::catalog::{Cloud, Date, MONTH_HOURS};
use serde::Deserialize;

/// An item of Retail Prices.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AzurePrice {
    currency_code: Option<String>,
    retail_price: f64,
    unit_of_measure: String,
    #[serde(default)]
    tier_minimum_units: f64,
    arm_region_name: String,
    #[serde(default)]
    product_name: String,
    #[serde(default)]
    sku_name: String,
    #[serde(default)]
    meter_name: String,
    #[serde(default)]
    service_name: String,
    #[serde(default)]
    arm_sku_name: String,
    r#type: Option<String>,
}

/// A price in the catalogue's terms, if it is one that is wanted.
pub(super) fn price(item: &AzurePrice, as_of: Date, fresh: &mut Fresh) {
    let is_usual = item
        .r#type
        .as_deref()
        .is_none_or(|kind| kind == "Consumption");
    if !is_usual || item.tier_minimum_units > 0.0 || item.arm_region_name.is_empty() {
        return;
    }
    let is_machine = item.service_name == "Virtual Machines" || !item.arm_sku_name.is_empty();
    if is_machine && item.product_name.contains("Virtual Machines") {
        machine(item, as_of, fresh);
        return;
    }
    let Some((name, meter, above, hourly)) = meter(item) else {
        return;
    };
    if !(item.retail_price.is_finite() && item.retail_price > 0.0) {
        fresh.leave("a price of nothing");
        return;
    }
    let month = if hourly && item.unit_of_measure.ends_with("Hour") {
        MONTH_HOURS
    } else {
        1.0
    };
    fresh.prices.push(FreshPrice {
        cloud: Cloud::Azure,
        region: item.arm_region_name.clone(),
        name,
        meter,
        above,
        price: item.retail_price * month,
        currency: currency(item),
        as_of,
        source: FeedKind::AzureRetailPrices.source(),
    });
}

/// Retail prices are in US dollars unless another currency is asked for.
fn currency(item: &AzurePrice) -> String {
    item.currency_code
        .clone()
        .unwrap_or_else(|| "USD".to_owned())
}

fn machine(item: &AzurePrice, as_of: Date, fresh: &mut Fresh) {
    let not_usual = [" Spot", " Low Priority"]
        .iter()
        .any(|word| item.sku_name.ends_with(word));
    // Their price contains Windows, whatever their name says.
    let product = &item.product_name;
    let not_linux = [
        "Windows",
        "Cloud Services",
        "CloudServices",
        "Dedicated Host",
    ]
    .iter()
    .any(|word| product.contains(word));
    let name = item.arm_sku_name.strip_prefix("Standard_");
    let Some(name) = name.filter(|_| !not_usual && !not_linux) else {
        return;
    };
    if item.unit_of_measure != "1 Hour" {
        fresh.leave("a machine not billed by the hour");
    } else if !(item.retail_price.is_finite() && item.retail_price > 0.0) {
        fresh.leave("a price of nothing");
    } else {
        fresh.machine_prices.push(FreshMachinePrice {
            cloud: Cloud::Azure,
            region: item.arm_region_name.clone(),
            name: name.to_owned(),
            hour: item.retail_price,
            currency: currency(item),
            as_of,
            source: FeedKind::AzureRetailPrices.source(),
        });
    }
}

/// The name, the meter, where it begins, and whether it may be billed by the hour.
fn meter(item: &AzurePrice) -> Option<(String, &'static str, Option<f64>, bool)> {
    let (sku, meter) = (item.sku_name.as_str(), item.meter_name.as_str());
    let family = match item.product_name.as_str() {
        "Premium SSD Managed Disks" => "premium-ssd",
        "Standard SSD Managed Disks" => "standard-ssd",
        "Standard HDD Managed Disks" => "standard-hdd",
        "Azure Premium SSD v2" => {
            return provisioned(meter, "premium-ssd-v2", sku == "Premium LRS");
        }
        "Ultra Disks" => return provisioned(meter, "ultra", sku == "Ultra LRS"),
        _ => return None,
    };
    let of_family = |meter| Some((family.to_owned(), meter, None, false));
    match sku {
        "Burst Enablement LRS" => return of_family("burst_enable_month_lrs"),
        "Burst Transactions LRS" => return of_family("burst_transactions_10k_lrs"),
        "Disk Transactions LRS" => return of_family("transactions_10k_lrs"),
        _ => {}
    }
    let tier = sku.strip_suffix(" LRS")?;
    let (letter, number) = tier.split_at_checked(1)?;
    let is_tier = "PES".contains(letter) && number.parse::<u8>().is_ok();
    if !is_tier {
        return None;
    }
    let what = meter.strip_prefix(tier)?.trim_start_matches(" LRS");
    let meter = match what {
        " Disk" | " Disks" => "tier_month_lrs",
        " Disk Operations" => "transactions_10k_lrs",
        _ => return None,
    };
    Some((tier.to_owned(), meter, None, false))
}

fn provisioned(
    meter: &str,
    name: &str,
    is_lrs: bool,
) -> Option<(String, &'static str, Option<f64>, bool)> {
    let is_v2 = name == "premium-ssd-v2";
    let (meter, above) = match meter {
        _ if !is_lrs => return None,
        meter if meter.contains("Provisioned Capacity") => ("gib_month", None),
        meter if meter.contains("Provisioned IOPS") && is_v2 => ("iops_month_above", Some(3_000.0)),
        meter if meter.contains("Provisioned Throughput") && is_v2 => {
            ("mbps_month_above", Some(125.0))
        }
        meter if meter.contains("Provisioned IOPS") => ("iops_month", None),
        meter if meter.contains("Provisioned Throughput") => ("mbps_month", None),
        meter if meter.contains("Reservation per vCPU") => ("vcpu_reservation_month", None),
        _ => return None,
    };
    Some((name.to_owned(), meter, above, true))
}

/// An item of Resource SKUs.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AzureSku {
    #[serde(default)]
    resource_type: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    capabilities: Vec<Capability>,
}

#[derive(Deserialize)]
struct Capability {
    name: String,
    value: String,
}

/// A size in the catalogue's terms.
pub(super) fn sku(item: &AzureSku, as_of: Date, fresh: &mut Fresh) {
    if item.resource_type != "virtualMachines" {
        return;
    }
    let word = |name: &str| {
        let mut found = item.capabilities.iter();
        found
            .find(|one| one.name == name)
            .map(|one| one.value.as_str())
    };
    let number = |name: &str| {
        word(name)?
            .parse::<f64>()
            .ok()
            .filter(|number| *number > 0.0)
    };
    let whole = |name: &str| number(name).map(|number| number as u32);
    let megabytes = |name: &str| number(name).map(|rate| rate / 1e6);
    let (iops, mbps) = (
        number("UncachedDiskIOPS"),
        megabytes("UncachedDiskBytesPerSecond"),
    );
    if iops.is_none() || mbps.is_none() {
        fresh.leave("an instance without limits to its volumes");
        return;
    }
    if fresh.instances.iter().any(|known| known.name == item.name) {
        // One and the same for each region.
        return;
    }
    let vcpus = whole("vCPUs");
    fresh.instances.push(FreshInstance {
        cloud: Some(Cloud::Azure),
        vcpus,
        active_vcpus: whole("vCPUsAvailable").filter(|active| Some(*active) != vcpus),
        memory_mib: number("MemoryGB").map(|gib| (gib * 1_024.0) as u64),
        arch: word("CpuArchitectureType").map(|arch| match arch {
            "Arm64" => "arm64".to_owned(),
            _ => "x86_64".to_owned(),
        }),
        max_volumes: whole("MaxDataDiskCount"),
        iops: (iops, None),
        mbps: (mbps, None),
        cached: (
            number("CombinedTempDiskAndCachedIOPS"),
            megabytes("CombinedTempDiskAndCachedReadBytesPerSecond"),
        ),
        as_of: Some(as_of),
        name: item.name.clone(),
        ..FreshInstance::default()
    });
}
