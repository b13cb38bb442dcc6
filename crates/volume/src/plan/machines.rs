//! Machines before the volumes: which let a load through without time limit, and the
//! cheapest of them.

use super::Need;
use super::cost::usual_region;
use super::search::Market;
use crate::catalog::{
    AsOf, Catalog, Cloud, Date, DiskLimit, InstanceType, MachinePrice, PathLimit, Remark,
    VolumeType,
};
use fathom_core::{Op, figure};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// IOPS above which io1 and io2 need an instance of Amazon's latest kind.
const NITRO_IOPS: f64 = 32_000.0;

/// The earliest day of the vendor's pages that are named by their revision only.
const UNDATED: Date = jiff::civil::date(2024, 7, 29);

/// What a machine must have.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Wanted {
    /// Virtual processors that work, at least.
    pub vcpus: Option<u32>,
    /// Physical cores that work, at least.
    pub cores: Option<u32>,
    /// MiB of memory, at least.
    pub memory_mib: Option<u64>,
    /// `x86_64` or `arm64`.
    pub arch: Option<String>,
    /// `nvme` or `scsi`.
    pub interface: Option<String>,
    /// Network, bits a second that last, at least.
    pub network_bits: Option<f64>,
}

/// Any machine will do.
pub static ANY_MACHINE: Wanted = Wanted {
    vcpus: None,
    cores: None,
    memory_mib: None,
    arch: None,
    interface: None,
    network_bits: None,
};

/// A machine that lets a load through.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// How volumes are attached, where limits differ by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interface: Option<String>,
    /// Virtual processors that work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vcpus: Option<u32>,
    /// Physical cores that work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// MiB of memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// Its architecture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arch: Option<String>,
    /// How volumes are attached, where the catalogue knows it: `nvme` or `scsi`.
    #[serde(skip)]
    pub attached: Option<String>,
    /// Network, bits a second that last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network_bits: Option<f64>,
    /// The document that has it, where no source says since when it is offered and the document is
    /// later than the day asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_seen: Option<AsOf>,
    /// Requests of the load a second that it lets through to its volumes, sustained.
    pub iops: f64,
    /// Bytes a second, sustained.
    pub bytes_per_second: f64,
    /// What it costs; none where no source says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<MachinePrice>,
}

impl Machine {
    /// Its name as one asks for it: `E32bds_v5/nvme`.
    pub fn in_words(&self) -> String {
        let name = bare(&self.name);
        match &self.interface {
            Some(interface) => format!("{name}/{interface}"),
            None => name.to_owned(),
        }
    }

    /// What it is: `8 vCPU (4 cores), 32 GiB, arm64, network 3.8 Gbit/s`.
    pub fn kind_in_words(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        let cores = self
            .cores
            .map(|cores| format!(" ({})", figure::plural(cores.into(), "core")));
        words.extend(
            self.vcpus
                .map(|vcpus| format!("{vcpus} vCPU{}", cores.unwrap_or_default())),
        );
        words.extend(
            self.memory_mib
                .map(|mib| format!("{} GiB", figure::significant(mib as f64 / 1_024.0))),
        );
        words.extend(self.arch.clone());
        words.extend(
            self.network_bits
                .map(|bits| format!("network {} Gbit/s", figure::significant(bits / 1e9))),
        );
        words.extend(self.first_seen.as_ref().map(|day| {
            format!("since when it is offered is unknown: first seen in a document of {day}")
        }));
        words.join(", ")
    }
}

/// Azure's names without their common begin.
pub(super) fn bare(name: &str) -> &str {
    name.strip_prefix("Standard_").unwrap_or(name)
}

/// The machines of a day and a region, cheapest first; those of unknown price last, by size.
pub(super) struct Machines<'a> {
    catalog: &'a Catalog,
    at: Date,
    by_cloud: BTreeMap<Cloud, Vec<Priced<'a>>>,
    /// Clouds whose first document is later than the day, with its day.
    later: BTreeMap<Cloud, Date>,
}

struct Priced<'a> {
    row: &'a InstanceType,
    price: Option<MachinePrice>,
}

impl<'a> Machines<'a> {
    /// Those that were documented by the day of a market, each as it was then, and have what is
    /// wanted; of a cloud that was not documented yet, those of its first document.
    pub(super) fn new(market: &Market<'a>, clouds: &[Cloud]) -> Self {
        let (catalog, at) = (market.catalog, market.at);
        let mut first: BTreeMap<Cloud, Option<Date>> = BTreeMap::new();
        for row in catalog.instances() {
            let known = first.entry(row.cloud).or_insert(row.validity.from);
            *known = (*known).min(row.validity.from);
        }
        let later: BTreeMap<Cloud, Date> = first
            .into_iter()
            .filter_map(|(cloud, day)| Some((cloud, day.filter(|day| *day > at)?)))
            .collect();
        let mut latest: HashMap<(Cloud, &str, Option<&str>), &InstanceType> = HashMap::new();
        for row in catalog.instances() {
            let day = later.get(&row.cloud).map_or(at, |day| *day);
            let has_begun = row.validity.from.is_none_or(|from| from <= day);
            if !has_begun || !clouds.contains(&row.cloud) || !has(row, market.wanted) {
                continue;
            }
            let key = (row.cloud, row.name.as_str(), row.interface.as_deref());
            let known = latest.entry(key).or_insert(row);
            if row.validity.from > known.validity.from {
                *known = row;
            }
        }
        let mut by_cloud: BTreeMap<Cloud, Vec<Priced<'_>>> = BTreeMap::new();
        for cloud in clouds {
            let region = market.region.unwrap_or_else(|| usual_region(*cloud));
            let mut prices = catalog.machine_prices().of_region(*cloud, region, at);
            let rows = latest.values().filter(|row| row.cloud == *cloud);
            let mut priced: Vec<Priced<'_>> = rows
                .map(|row| Priced {
                    row,
                    price: prices.get(bare(&row.name)).cloned(),
                })
                .collect();
            prices.clear();
            priced.sort_by(|one, other| one.order().partial_cmp(&other.order()).expect("numbers"));
            by_cloud.insert(*cloud, priced);
        }
        Self {
            catalog,
            at,
            by_cloud,
            later,
        }
    }

    /// What is to be said where a cloud's machines are those of a later day.
    pub(super) fn remark(&self, cloud: Cloud) -> Option<Remark> {
        let day = self.later.get(&cloud)?;
        Some(Remark::assumed(format!(
            "instances of {cloud} as of {day}, the first day of which they are known"
        )))
    }

    /// The cheapest that lets a need through to so many volumes of these types, all the time.
    pub(super) fn find(
        &self,
        cloud: Cloud,
        volumes: &[(&VolumeType, usize)],
        need: &Need,
    ) -> Option<Machine> {
        let rows = self.by_cloud.get(&cloud)?;
        let asked = Asked::of(need);
        rows.iter().find_map(|priced| {
            let (iops, bytes) = through(self.catalog, priced.row, volumes, &asked)?;
            Some(priced.machine(iops, bytes, self.at))
        })
    }

    /// One by its row, if it lets a need through to these volumes.
    pub(super) fn lets_through(
        market: &Market<'_>,
        row: &InstanceType,
        volumes: &[(&VolumeType, usize)],
        need: &Need,
    ) -> Option<Machine> {
        through(market.catalog, row, volumes, &Asked::of(need))?;
        Some(Self::one(market, row, volumes))
    }

    /// One by its row, whatever it lets through.
    pub(super) fn one(
        market: &Market<'_>,
        row: &InstanceType,
        volumes: &[(&VolumeType, usize)],
    ) -> Machine {
        let region = market.region.unwrap_or_else(|| usual_region(row.cloud));
        let prices = market.catalog.machine_prices();
        let prices = prices.of_region(row.cloud, region, market.at);
        let priced = Priced {
            row,
            price: prices.get(bare(&row.name)).cloned(),
        };
        let found = through(market.catalog, row, volumes, &Asked::default());
        let (iops, bytes) = found.unwrap_or((f64::INFINITY, f64::INFINITY));
        priced.machine(iops, bytes, market.at)
    }
}

impl Priced<'_> {
    /// Price, then size, then name.
    fn order(&self) -> (f64, u32, u64, &str, Option<&str>) {
        let price = self.price.as_ref();
        (
            price.map_or(f64::INFINITY, |price| price.hour),
            self.row.vcpus.unwrap_or(u32::MAX),
            self.row.memory_mib.unwrap_or(u64::MAX),
            &self.row.name,
            self.row.interface.as_deref(),
        )
    }

    fn machine(&self, iops: f64, bytes_per_second: f64, at: Date) -> Machine {
        let row = self.row;
        let document = &row.evidence.as_of;
        let is_later = document.date().unwrap_or(UNDATED) > at;
        Machine {
            first_seen: (is_later && row.validity.from.is_none()).then(|| document.clone()),
            name: row.name.clone(),
            interface: row.interface.clone(),
            vcpus: row.active_vcpus.or(row.vcpus),
            cores: row.cores,
            memory_mib: row.memory_mib,
            arch: row.arch.clone(),
            attached: attached(row).map(str::to_owned),
            network_bits: row.network_bits,
            iops,
            bytes_per_second,
            price: self.price.clone(),
        }
    }
}

/// How volumes are attached to a machine, where it is known.
fn attached(row: &InstanceType) -> Option<&str> {
    row.interface.as_deref().or(row.is_nvme.then_some("nvme"))
}

/// Of each cloud that states what a machine lets through to any disks, the cheapest machines that
/// have what is wanted and let a need through for good; no more than `most` of each.
pub fn machines(need: &Need, market: &Market<'_>, most: usize) -> Vec<(Cloud, Vec<Machine>)> {
    let cloud = market.cloud.or(market.instance.map(|one| one.cloud));
    let clouds = [Cloud::Aws, Cloud::Azure].into_iter();
    let clouds: Vec<Cloud> = clouds
        .filter(|own| cloud.is_none_or(|cloud| cloud == *own))
        .collect();
    let known = Machines::new(market, &clouds);
    let asked = Asked::of(need);
    let of_cloud = |cloud: &Cloud| {
        let rows = known.by_cloud.get(cloud).map_or(&[][..], Vec::as_slice);
        let fit = rows.iter().filter_map(|priced| {
            let (iops, bytes) = through(known.catalog, priced.row, &[], &asked)?;
            Some(priced.machine(iops, bytes, market.at))
        });
        (*cloud, fit.take(most).collect())
    };
    clouds.iter().map(of_cloud).collect()
}

/// Whether a machine has what is wanted. What is not known of it, it does not have.
fn has(row: &InstanceType, wanted: &Wanted) -> bool {
    let at_least =
        |own: Option<u64>, least: Option<u64>| least.is_none_or(|least| own >= Some(least));
    let word = |own: Option<&str>, asked: Option<&str>| {
        asked.is_none_or(|asked| own.is_some_and(|own| own.eq_ignore_ascii_case(asked)))
    };
    let network = wanted.network_bits;
    at_least(
        row.active_vcpus.or(row.vcpus).map(u64::from),
        wanted.vcpus.map(u64::from),
    ) && at_least(row.cores.map(u64::from), wanted.cores.map(u64::from))
        && at_least(row.memory_mib, wanted.memory_mib)
        && word(row.arch.as_deref(), wanted.arch.as_deref())
        && word(attached(row), wanted.interface.as_deref())
        && network.is_none_or(|least| row.network_bits.is_some_and(|own| own >= least))
}

/// The loads of a need as a machine sees them: put together once for thousands of machines.
#[derive(Default)]
struct Asked {
    loads: Vec<Load>,
    /// The most requests a second of all loads.
    most_iops: f64,
}

/// One of the loads that have to be served: requests and bytes a second, in all, read and written.
struct Load {
    iops: f64,
    bytes: f64,
    reads: (f64, f64),
    writes: (f64, f64),
}

impl Asked {
    fn of(need: &Need) -> Self {
        let loads: Vec<Load> = need
            .peaks()
            .iter()
            .map(|peak| {
                let share = |op: Op| {
                    let kinds = peak.flow.kinds.iter().filter(|kind| kind.op == op);
                    kinds.fold((0.0, 0.0), |(iops, bytes), kind| {
                        let each = peak.iops * kind.weight;
                        (iops + each, bytes + each * kind.bytes)
                    })
                };
                Load {
                    iops: peak.iops,
                    bytes: peak.bytes_per_second(),
                    reads: share(Op::Read),
                    writes: share(Op::Write),
                }
            })
            .collect();
        Self {
            most_iops: loads.iter().map(|load| load.iops).fold(0.0, f64::max),
            loads,
        }
    }
}

/// Requests of the need's shape and bytes a second that a machine lets through for good; none
/// where that is less than is needed, or not known.
fn through(
    catalog: &Catalog,
    row: &InstanceType,
    volumes: &[(&VolumeType, usize)],
    asked: &Asked,
) -> Option<(f64, f64)> {
    let count: usize = volumes.iter().map(|(_, count)| count).sum();
    if row.max_volumes.is_some_and(|most| count > most as usize) {
        return None;
    }
    let needs_nitro =
        |volume: &VolumeType| matches!(volume.name.as_str(), "io1" | "io2" | "io2-block-express");
    let is_old = row.cloud == Cloud::Aws && !row.is_nitro() && row.arch.as_deref() != Some("arm64");
    if is_old
        && volumes.iter().any(|(volume, count)| {
            needs_nitro(volume) && asked.most_iops / *count as f64 > NITRO_IOPS
        })
    {
        return None;
    }
    if row.cloud == Cloud::Gcp {
        return through_pools(catalog, row, volumes, asked);
    }
    let is_fast = !volumes.is_empty() && volumes.iter().all(|(volume, _)| volume.is_fast());
    let path: PathLimit = match row.fast {
        Some(fast) if is_fast => fast,
        _ => row.network?,
    };
    // Where a document gives maxima only, what lasts is not known.
    let (iops, bytes) = path.iops.zip(path.bytes_per_second)?;
    let mut loads = asked.loads.iter();
    let is_enough = loads.all(|load| iops >= load.iops && bytes >= load.bytes);
    is_enough.then_some((iops, bytes))
}

/// The same where limits are stated for all disks of a type together, reads and writes apart.
fn through_pools(
    catalog: &Catalog,
    row: &InstanceType,
    volumes: &[(&VolumeType, usize)],
    asked: &Asked,
) -> Option<(f64, f64)> {
    let mut least = (f64::INFINITY, f64::INFINITY);
    for (volume, _) in volumes {
        let limit: &DiskLimit = catalog.disk_limit(row, &volume.name)?;
        for load in &asked.loads {
            let rates = [
                (load.reads.0, limit.iops.0),
                (load.writes.0, limit.iops.1),
                (load.iops, limit.iops.0.max(limit.iops.1)),
                (load.reads.1, limit.bytes_per_second.0),
                (load.writes.1, limit.bytes_per_second.1),
            ];
            if rates.iter().any(|(each, most)| each > most) {
                return None;
            }
        }
        least.0 = least.0.min(limit.iops.0.max(limit.iops.1));
        least.1 = least
            .1
            .min(limit.bytes_per_second.0.max(limit.bytes_per_second.1));
    }
    (!volumes.is_empty()).then_some(least)
}
