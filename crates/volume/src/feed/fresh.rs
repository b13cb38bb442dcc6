//! What feeds say, in the catalogue's own terms.

use crate::catalog::{Catalog, Cloud, Date};
use std::collections::{BTreeMap, HashSet};

/// All that was read from feeds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fresh {
    /// Prices of volumes.
    pub prices: Vec<FreshPrice>,
    /// Prices of machines.
    pub machine_prices: Vec<FreshMachinePrice>,
    /// Limits of machines.
    pub instances: Vec<FreshInstance>,
    /// Google's prices of a core and of a GiB of memory, by series and region.
    pub(super) parts: Vec<PartPrice>,
    /// Items that were left out, by why.
    pub left_out: BTreeMap<&'static str, usize>,
}

/// The price of a meter of a volume type in a region.
#[derive(Clone, Debug, PartialEq)]
pub struct FreshPrice {
    /// Whose.
    pub cloud: Cloud,
    /// As in `eu-west-1`.
    pub region: String,
    /// The volume type, tier or family.
    pub name: String,
    /// One of the catalogue's meters.
    pub meter: &'static str,
    /// Where the meter begins to count.
    pub above: Option<f64>,
    /// For one of what is counted.
    pub price: f64,
    /// As in `USD`.
    pub currency: String,
    /// The day of the feed.
    pub as_of: Date,
    /// The feed, by its short name in the list of sources.
    pub source: &'static str,
}

/// The price of a machine an hour in a region.
#[derive(Clone, Debug, PartialEq)]
pub struct FreshMachinePrice {
    /// Whose.
    pub cloud: Cloud,
    /// As in `eu-west-1`.
    pub region: String,
    /// The machine, Azure's without `Standard_`.
    pub name: String,
    /// For an hour, Linux, on demand.
    pub hour: f64,
    /// As in `USD`.
    pub currency: String,
    /// The day of the feed.
    pub as_of: Date,
    /// The feed, by its short name in the list of sources.
    pub source: &'static str,
}

/// Limits of a machine. Rates in 10^6 bytes a second.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FreshInstance {
    /// Whose; none only before it is known.
    pub cloud: Option<Cloud>,
    /// Its name, as the vendor writes it.
    pub name: String,
    /// Virtual processors.
    pub vcpus: Option<u32>,
    /// Virtual processors that work, where they are fewer.
    pub active_vcpus: Option<u32>,
    /// Physical cores.
    pub cores: Option<u32>,
    /// Memory, MiB.
    pub memory_mib: Option<u64>,
    /// `x86_64` or `arm64`.
    pub arch: Option<String>,
    /// Network that lasts, and at most, in Gbit/s.
    pub net_gbps: (Option<f64>, Option<f64>),
    /// Whether volumes are attached by NVMe only.
    pub is_nvme: bool,
    /// `nitro` or `xen`.
    pub hypervisor: Option<String>,
    /// Volumes that can be attached.
    pub max_volumes: Option<u32>,
    /// Requests a second to volumes, sustained and at most.
    pub iops: (Option<f64>, Option<f64>),
    /// The same in MB/s.
    pub mbps: (Option<f64>, Option<f64>),
    /// Requests and MB/s through the host's cache.
    pub cached: (Option<f64>, Option<f64>),
    /// Disks in the host: how many, GB of each, what they are.
    pub store: (Option<u32>, Option<f64>, Option<String>),
    /// The day of the feed; none only before it is known.
    pub as_of: Option<Date>,
}

/// Google's price of a part of machines of a series.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PartPrice {
    pub(super) series: String,
    pub(super) region: String,
    pub(super) is_core: bool,
    pub(super) hour: f64,
    pub(super) currency: String,
    pub(super) as_of: Date,
}

impl Fresh {
    /// One more item that was left out.
    pub(super) fn leave(&mut self, why: &'static str) {
        *self.left_out.entry(why).or_default() += 1;
    }

    /// Once all feeds were read: machines whose parts have prices, of the sizes that the catalogue
    /// knows; and each price once.
    pub fn complete(&mut self, catalog: &Catalog) {
        super::google::machines(catalog, self);
        let mut seen = HashSet::new();
        self.prices.retain(|one| {
            let above = one.above.map(f64::to_bits);
            seen.insert((
                one.cloud,
                one.region.clone(),
                one.name.clone(),
                one.meter,
                above,
                one.as_of,
            ))
        });
        let mut seen = HashSet::new();
        self.machine_prices.retain(|one| {
            seen.insert((one.cloud, one.region.clone(), one.name.clone(), one.as_of))
        });
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.prices.is_empty() && self.machine_prices.is_empty() && self.instances.is_empty()
    }
}
