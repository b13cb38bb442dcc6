//! Amazon: the price list, and `DescribeInstanceTypes`.

use super::FeedKind;
use super::fresh::{Fresh, FreshInstance, FreshMachinePrice, FreshPrice};
use crate::catalog::{Cloud, Date};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use std::collections::HashMap;
use std::fmt;

/// Volume types whose snapshots cost what `EBS:SnapshotUsage` does.
const WITH_SNAPSHOTS: [&str; 6] = ["gp2", "gp3", "io1", "io2", "st1", "sc1"];
/// One GiB/s is billed as this number of MiB/s.
const MIB_OF_GIB: f64 = 1_024.0;

/// A product of the price list.
#[derive(Deserialize)]
pub(super) struct Product {
    sku: String,
    #[serde(rename = "productFamily", default)]
    family: String,
    attributes: Attributes,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Attributes {
    region_code: Option<String>,
    location_type: Option<String>,
    usagetype: Option<String>,
    instance_type: Option<String>,
    operating_system: Option<String>,
    tenancy: Option<String>,
    pre_installed_sw: Option<String>,
    capacitystatus: Option<String>,
    operation: Option<String>,
    marketoption: Option<String>,
}

/// What of the products is wanted, and its prices as they come.
#[derive(Default)]
pub(super) struct Offers {
    wanted: HashMap<String, Wanted>,
    prices: Vec<(String, Rate)>,
    left_out: HashMap<&'static str, usize>,
}

enum Wanted {
    Volume {
        region: String,
        meter: (&'static [&'static str], &'static str, Option<f64>),
    },
    Machine {
        region: String,
        name: String,
    },
}

struct Rate {
    price: f64,
    currency: String,
    unit: String,
}

impl Offers {
    pub(super) fn product(&mut self, product: Product) {
        match wanted(&product) {
            Ok(Some(found)) => {
                self.wanted.insert(product.sku, found);
            }
            Ok(None) => {}
            Err(why) => *self.left_out.entry(why).or_default() += 1,
        }
    }

    /// The prices in the catalogue's terms.
    pub(super) fn into_fresh(self, as_of: Date, fresh: &mut Fresh) {
        let source = FeedKind::AwsPriceList.source();
        for (why, count) in self.left_out {
            *fresh.left_out.entry(why).or_default() += count;
        }
        for (sku, rate) in self.prices {
            match self.wanted.get(&sku) {
                Some(Wanted::Machine { region, name }) if rate.unit == "Hrs" => {
                    fresh.machine_prices.push(FreshMachinePrice {
                        cloud: Cloud::Aws,
                        region: region.clone(),
                        name: name.clone(),
                        hour: rate.price,
                        currency: rate.currency,
                        as_of,
                        source,
                    });
                }
                Some(Wanted::Volume { region, meter }) => {
                    let (names, meter, above) = *meter;
                    let price = match rate.unit.to_lowercase() {
                        unit if unit.starts_with("gibps") => rate.price / MIB_OF_GIB,
                        _ => rate.price,
                    };
                    fresh.prices.extend(names.iter().map(|name| FreshPrice {
                        cloud: Cloud::Aws,
                        region: region.clone(),
                        name: (*name).to_owned(),
                        meter,
                        above,
                        price,
                        currency: rate.currency.clone(),
                        as_of,
                        source,
                    }));
                }
                Some(Wanted::Machine { .. }) => fresh.leave("a machine not billed by the hour"),
                None => {}
            }
        }
    }
}

/// What a product is to us; the error is why one of our kinds cannot be used.
fn wanted(product: &Product) -> Result<Option<Wanted>, &'static str> {
    let of = &product.attributes;
    let is = |word: &Option<String>, wanted: &str| word.as_deref() == Some(wanted);
    if !is(&of.location_type, "AWS Region") {
        return Ok(None);
    }
    if product.family.starts_with("Compute Instance") {
        let is_plain = is(&of.operating_system, "Linux")
            && is(&of.tenancy, "Shared")
            && is(&of.pre_installed_sw, "NA")
            && is(&of.capacitystatus, "Used")
            && is(&of.operation, "RunInstances")
            && of
                .marketoption
                .as_deref()
                .is_none_or(|word| word == "OnDemand");
        let Some(name) = of.instance_type.clone().filter(|_| is_plain) else {
            return Ok(None);
        };
        let region = of.region_code.clone();
        let region = region.ok_or("a product of AWS without a region code")?;
        return Ok(Some(Wanted::Machine { region, name }));
    }
    let Some(meter) = of.usagetype.as_deref().and_then(meter) else {
        return Ok(None);
    };
    let region = of.region_code.clone();
    let region = region.ok_or("a product of AWS without a region code")?;
    Ok(Some(Wanted::Volume { region, meter }))
}

/// The types, meter and begin of a usage type such as `EUW1-EBS:VolumeP-IOPS.io2.tier2`.
fn meter(usage: &str) -> Option<(&'static [&'static str], &'static str, Option<f64>)> {
    let (_, what) = usage
        .split_once("EBS:")
        .filter(|(before, _)| before.is_empty() || before.ends_with('-'))?;
    Some(match what {
        "VolumeUsage.gp2" => (&["gp2"], "gib_month", None),
        "VolumeUsage.gp3" => (&["gp3"], "gib_month", None),
        "VolumeUsage.piops" => (&["io1"], "gib_month", None),
        "VolumeUsage.io2" => (&["io2"], "gib_month", None),
        "VolumeUsage.st1" => (&["st1"], "gib_month", None),
        "VolumeUsage.sc1" => (&["sc1"], "gib_month", None),
        "VolumeP-IOPS.gp3" => (&["gp3"], "iops_month_above", Some(3_000.0)),
        "VolumeP-IOPS.piops" => (&["io1"], "iops_month", None),
        "VolumeP-IOPS.io2" => (&["io2"], "iops_month_above", Some(0.0)),
        "VolumeP-IOPS.io2.tier2" => (&["io2"], "iops_month_above", Some(32_000.0)),
        "VolumeP-IOPS.io2.tier3" => (&["io2"], "iops_month_above", Some(64_000.0)),
        "VolumeP-Throughput.gp3" => (&["gp3"], "mibps_month_above", Some(125.0)),
        "SnapshotUsage" => (&WITH_SNAPSHOTS, "snapshot_gib_month", None),
        _ => return None,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Term {
    #[serde(default)]
    price_dimensions: HashMap<String, Dimension>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Dimension {
    #[serde(default)]
    unit: String,
    #[serde(default)]
    price_per_unit: HashMap<String, String>,
}

/// `terms`: of `OnDemand` a map of terms for each product; the others are passed over.
pub(super) struct Terms<'a>(pub(super) &'a mut Offers);

impl<'de> DeserializeSeed<'de> for Terms<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Terms<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the terms of a price list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "OnDemand" {
                map.next_value_seed(OnDemand(self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

struct OnDemand<'a>(&'a mut Offers);

impl<'de> DeserializeSeed<'de> for OnDemand<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for OnDemand<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("terms by product")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(sku) = map.next_key::<String>()? {
            if !self.0.wanted.contains_key(&sku) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let terms: HashMap<String, Term> = map.next_value()?;
            let dimensions = terms.into_values().flat_map(|term| term.price_dimensions);
            // What is included costs nothing, and is listed as a price of its own.
            let rates = dimensions.flat_map(|(_, dimension)| {
                let unit = dimension.unit;
                let prices = dimension.price_per_unit.into_iter();
                prices.filter_map(move |(currency, price)| {
                    let price = price.parse::<f64>().ok();
                    let price = price.filter(|price| price.is_finite() && *price > 0.0)?;
                    Some(Rate {
                        price,
                        currency,
                        unit: unit.clone(),
                    })
                })
            });
            let found = rates.min_by(|one, other| one.price.total_cmp(&other.price));
            self.0.prices.extend(found.map(|rate| (sku, rate)));
        }
        Ok(())
    }
}

/// An item of `DescribeInstanceTypes`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Ec2Type {
    instance_type: String,
    #[serde(default, rename = "VCpuInfo")]
    processors: Processors,
    #[serde(default)]
    memory_info: Memory,
    #[serde(default)]
    processor_info: ProcessorInfo,
    #[serde(default)]
    ebs_info: EbsInfo,
    #[serde(default)]
    instance_storage_info: StorageInfo,
    #[serde(default)]
    network_info: NetworkInfo,
    hypervisor: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct Processors {
    #[serde(rename = "DefaultVCpus")]
    all: Option<u32>,
    default_cores: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct Memory {
    #[serde(rename = "SizeInMiB")]
    mib: Option<u64>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct ProcessorInfo {
    supported_architectures: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct EbsInfo {
    ebs_optimized_info: Option<Limits>,
    nvme_support: Option<String>,
    maximum_ebs_attachments: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct Limits {
    #[serde(rename = "BaselineThroughputInMBps")]
    base_mbps: Option<f64>,
    baseline_iops: Option<f64>,
    #[serde(rename = "MaximumThroughputInMBps")]
    max_mbps: Option<f64>,
    maximum_iops: Option<f64>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct StorageInfo {
    disks: Vec<Disk>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct Disk {
    #[serde(rename = "SizeInGB")]
    gb: Option<f64>,
    count: Option<u32>,
    r#type: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct NetworkInfo {
    network_cards: Vec<Card>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct Card {
    baseline_bandwidth_in_gbps: Option<f64>,
    peak_bandwidth_in_gbps: Option<f64>,
}

/// An instance in the catalogue's terms.
pub(super) fn instance(item: Ec2Type, as_of: Date, fresh: &mut Fresh) {
    let Some(limits) = item.ebs_info.ebs_optimized_info else {
        fresh.leave("an instance without limits to its volumes");
        return;
    };
    let arches = &item.processor_info.supported_architectures;
    let arch = ["x86_64", "arm64"]
        .into_iter()
        .find(|arch| arches.iter().any(|known| known == arch));
    let cards = &item.network_info.network_cards;
    let sum = |of: fn(&Card) -> Option<f64>| -> Option<f64> { cards.iter().map(of).sum() };
    let store = item.instance_storage_info.disks.into_iter().next();
    let store = store.unwrap_or_default();
    let above = |base: Option<f64>, most: Option<f64>| most.filter(|most| Some(*most) != base);
    fresh.instances.push(FreshInstance {
        cloud: Some(Cloud::Aws),
        name: item.instance_type,
        vcpus: item.processors.all,
        active_vcpus: None,
        cores: item.processors.default_cores,
        memory_mib: item.memory_info.mib,
        arch: arch.map(str::to_owned),
        net_gbps: if cards.is_empty() {
            (None, None)
        } else {
            (
                sum(|card| card.baseline_bandwidth_in_gbps),
                sum(|card| card.peak_bandwidth_in_gbps),
            )
        },
        is_nvme: item.ebs_info.nvme_support.as_deref() == Some("required"),
        hypervisor: item.hypervisor,
        max_volumes: item.ebs_info.maximum_ebs_attachments,
        iops: (
            limits.baseline_iops,
            above(limits.baseline_iops, limits.maximum_iops),
        ),
        mbps: (limits.base_mbps, above(limits.base_mbps, limits.max_mbps)),
        cached: (None, None),
        store: (store.count, store.gb, store.r#type),
        as_of: Some(as_of),
    });
}
