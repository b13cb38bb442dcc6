//! Machines before the volumes: which let a load through without time limit, and the
//! cheapest of them.

use super::Need;
use super::cost::usual_region;
use super::offer::Ordered;
use super::search::Market;
use crate::catalog::{
    AsOf, Catalog, Cloud, Date, DiskLimit, InstanceStore, InstanceType, Law, MONTH_HOURS,
    MachinePrice, PathLimit, Remark, VolumeType, bare,
};
use crate::sizing::SasRule;
use fathom_core::SmallSort as _;
use fathom_core::{CapScope, CapUnit, Op, figure};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// IOPS above which io1 and io2 need an instance of Amazon's latest kind.
const NITRO_IOPS: f64 = 32_000.0;

const GIB: f64 = 1_073_741_824.0;

/// The part of a need that is all of it, but for rounding.
const ENOUGH: f64 = 1.0 - 1e-9;

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
    /// No machine that has graphics or machine-learning processors.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub without_gpu: bool,
}

impl Wanted {
    /// The same for a SAS server, which is made for one architecture only.
    #[must_use]
    pub fn of_sas(self, rule: SasRule) -> Self {
        Self {
            cores: self.cores.or(Some(rule.cores)),
            memory_mib: self.memory_mib.or(Some(rule.memory_mib())),
            arch: self.arch.or(Some("x86_64".to_owned())),
            without_gpu: true,
            ..self
        }
    }
}

/// Any machine will do.
pub static ANY_MACHINE: Wanted = Wanted {
    vcpus: None,
    cores: None,
    memory_mib: None,
    arch: None,
    interface: None,
    network_bits: None,
    without_gpu: false,
};

/// A machine that lets a load through.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Machine {
    /// As the vendor names it.
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
    /// Memory, MiB.
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
    /// Requests of the load a second that it lets through to its volumes, sustained; none where no
    /// source states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iops: Option<f64>,
    /// Bytes a second, sustained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<f64>,
    /// What it costs; none where no source says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<MachinePrice>,
    /// What it costs a month without licences and commitments, where it has no price with them.
    #[serde(skip)]
    pub listed_month: Option<f64>,
}

/// Why a machine is no answer for some volumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lack {
    /// It does not take them.
    Refused(&'static str),
    /// No source states what it lets through to them.
    Unknown,
    /// It takes them, and no source states how much it lets through.
    NoLimit,
    /// Its document states maxima only, not what lasts.
    MaximaOnly,
    /// No source states what its own disks give.
    Unstated,
}

/// What a machine lets through for good.
#[derive(Clone, Copy, Debug)]
struct Through {
    /// Requests of the need's shape a second.
    iops: f64,
    /// Bytes a second.
    bytes: f64,
    /// The part of the need: 1 for just all of it.
    part: f64,
}

impl Machine {
    /// Requests of this mean size a second that it lets through; infinite where it is not known.
    pub(super) fn lasting_iops(&self, mean_bytes: f64) -> f64 {
        let limit = |rate: Option<f64>| rate.unwrap_or(f64::INFINITY);
        limit(self.iops).min(limit(self.bytes_per_second) / mean_bytes)
    }

    /// Its name as one asks for it: `E32bds_v5/nvme`.
    pub fn in_words(&self) -> String {
        let name = bare(&self.name);
        match &self.interface {
            Some(interface) => format!("{name}/{interface}"),
            None => name.to_owned(),
        }
    }

    /// Whether its processors run at full speed only on credit, by the name of its family: T of
    /// Amazon, B of Azure, and Google's that share a core.
    pub fn has_cpu_credits(&self) -> bool {
        let name = bare(&self.name);
        let name = name.strip_prefix("db.").unwrap_or(name);
        let family = name.split(['.', '_']).next().unwrap_or_default();
        let is_shared = ["e2-micro", "e2-small", "e2-medium", "f1-micro", "g1-small"];
        is_shared.contains(&name)
            || ["t1", "t2", "t3", "t3a", "t4g"].contains(&family)
            || family
                .strip_prefix('B')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    }

    /// A description: `8 vCPU (4 cores), 32 GiB, arm64, network 3.8 Gbit/s`.
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
    /// For an hour without licences and commitments, where there is no price with them.
    listed: Option<f64>,
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
            let mut priced: Vec<Priced<'_>> =
                rows.map(|row| Priced::new(row, &prices, market)).collect();
            prices.clear();
            priced.small_sort_by(|one, other| {
                one.order().partial_cmp(&other.order()).expect("numbers")
            });
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

    /// Those of a cloud, cheapest first.
    pub(super) fn rows(&self, cloud: Cloud) -> impl Iterator<Item = &'a InstanceType> {
        let rows = self.by_cloud.get(&cloud).into_iter().flatten();
        rows.map(|priced| priced.row)
    }

    /// The cheapest that lets a need through to these volumes, all the time. Its own disks serve
    /// `in_host`.
    pub(super) fn find(
        &self,
        cloud: Cloud,
        volumes: &[&Ordered],
        need: &Need,
        in_host: &Need,
    ) -> Option<Machine> {
        self.find_where(cloud, volumes, need, in_host, &|_| true)
    }

    /// The cheapest that lets a need through, of those that are accepted.
    pub(super) fn find_where(
        &self,
        cloud: Cloud,
        volumes: &[&Ordered],
        need: &Need,
        in_host: &Need,
        accepts: &dyn Fn(&InstanceType) -> bool,
    ) -> Option<Machine> {
        let rows = self.by_cloud.get(&cloud)?;
        let (asked, in_host) = (MachineLoads::of(need), MachineLoads::of(in_host));
        let mut rows = rows.iter().filter(|priced| accepts(priced.row));
        rows.find_map(|priced| {
            let through = through(self.catalog, priced.row, volumes, &asked, &in_host).ok()?;
            (through.part >= ENOUGH).then(|| priced.machine(Some(through), self.at))
        })
    }

    /// One by its row, if it lets a need through to these volumes.
    pub(super) fn lets_through(
        market: &Market<'_>,
        row: &InstanceType,
        volumes: &[&Ordered],
        need: &Need,
        in_host: &Need,
    ) -> Option<Machine> {
        let (asked, in_host) = (MachineLoads::of(need), MachineLoads::of(in_host));
        let found = through(market.catalog, row, volumes, &asked, &in_host).ok()?;
        (found.part >= ENOUGH).then(|| Self::one(market, row, volumes, need).0)
    }

    /// One by its row, and why it is no answer for these volumes.
    pub(super) fn one(
        market: &Market<'_>,
        row: &InstanceType,
        volumes: &[&Ordered],
        need: &Need,
    ) -> (Machine, Option<Lack>) {
        let region = market.region.unwrap_or_else(|| usual_region(row.cloud));
        let prices = market.catalog.machine_prices();
        let prices = prices.of_region(row.cloud, region, market.at);
        let priced = Priced::new(row, &prices, market);
        let asked = MachineLoads::of(need);
        let found = through(market.catalog, row, volumes, &asked, &asked);
        // Of disks in the host the layout has the figures.
        let lack = found.err().filter(|lack| *lack != Lack::Unstated);
        (priced.machine(found.ok(), market.at), lack)
    }
}

impl<'a> Priced<'a> {
    /// A machine at its price under the terms of a market.
    fn new(
        row: &'a InstanceType,
        prices: &HashMap<&str, MachinePrice>,
        market: &Market<'_>,
    ) -> Self {
        // Google's list prices processors and memory; GPUs are billed in addition.
        let is_part = row.cloud == Cloud::Gcp && row.has_gpu();
        let listed = prices.get(bare(&row.name)).filter(|_| !is_part).cloned();
        let asked = market.terms;
        let under_terms = |price| {
            let terms = market.catalog.terms();
            let mut price = terms.apply(row, price, &asked.of_machine)?;
            if let Some(conversion) = &asked.conversion {
                let mut amounts = vec![&mut price.hour];
                for term in &mut price.terms {
                    amounts.push(&mut term.hour);
                    if term.vcpus.is_some() {
                        amounts.push(&mut term.amount);
                    }
                }
                conversion.convert(&mut amounts, &mut price.currency);
            }
            Some(price)
        };
        let hour = listed.as_ref().map(|price| price.hour);
        let rate = asked
            .conversion
            .as_ref()
            .map_or(1.0, |conversion| conversion.rate);
        let price = listed.and_then(under_terms);
        Self {
            row,
            listed: hour.map(|hour| hour * rate).filter(|_| price.is_none()),
            price,
        }
    }

    /// Price, then that of a part of the bill, then size, then name.
    fn order(&self) -> (bool, f64, u32, u64, &str, Option<&str>) {
        let hour = self.price.as_ref().map(|price| price.hour);
        (
            hour.is_none(),
            hour.or(self.listed).unwrap_or(f64::INFINITY),
            self.row.vcpus.unwrap_or(u32::MAX),
            self.row.memory_mib.unwrap_or(u64::MAX),
            &self.row.name,
            self.row.interface.as_deref(),
        )
    }

    fn machine(&self, through: Option<Through>, at: Date) -> Machine {
        let row = self.row;
        let document = &row.evidence.as_of;
        let is_later = document.date().unwrap_or(UNDATED) > at;
        // Disks in the host have no limit of the machine.
        let is_known = |rate: &f64| rate.is_finite();
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
            iops: through.map(|through| through.iops).filter(is_known),
            bytes_per_second: through.map(|through| through.bytes).filter(is_known),
            price: self.price.clone(),
            listed_month: self.listed.map(|hour| hour * MONTH_HOURS),
        }
    }
}

/// How volumes are attached to a machine, where it is known.
fn attached(row: &InstanceType) -> Option<&str> {
    row.interface.as_deref().or(row.is_nvme.then_some("nvme"))
}

/// One by its row, with what it lets through to any disks for good, enough for a need or not.
pub fn machine(row: &InstanceType, need: &Need, market: &Market<'_>) -> Machine {
    Machines::one(market, row, &[], need).0
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
    let asked = MachineLoads::of(need);
    let of_cloud = |cloud: &Cloud| {
        let rows = known.by_cloud.get(cloud).map_or(&[][..], Vec::as_slice);
        let fit = rows.iter().filter_map(|priced| {
            let through = through(known.catalog, priced.row, &[], &asked, &asked).ok()?;
            (through.part >= ENOUGH).then(|| priced.machine(Some(through), market.at))
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
    if wanted.without_gpu && row.has_gpu() {
        return false;
    }
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
pub(super) struct MachineLoads {
    loads: Vec<Load>,
    /// The most requests a second of all loads.
    pub(super) most_iops: f64,
}

/// One of the loads that have to be served: requests and bytes a second, read and written.
struct Load {
    reads: (f64, f64),
    writes: (f64, f64),
}

impl Load {
    fn of(&self, unit: CapUnit, scope: CapScope) -> f64 {
        let (reads, writes) = match unit {
            CapUnit::Iops => (self.reads.0, self.writes.0),
            CapUnit::BytesPerSecond => (self.reads.1, self.writes.1),
        };
        match scope {
            CapScope::All => reads + writes,
            CapScope::Reads => reads,
            CapScope::Writes => writes,
        }
    }
}

impl MachineLoads {
    /// What one disk in a host gives to each of the loads, in requests and bytes a second; none
    /// where no source states it.
    pub(super) fn each(&self, store: &InstanceStore) -> Option<(f64, f64)> {
        let all = (f64::INFINITY, f64::INFINITY);
        self.loads.iter().try_fold(all, |least, load| {
            let (iops, bytes) = store.each(load.reads, load.writes)?;
            Some((least.0.min(iops), least.1.min(bytes)))
        })
    }

    pub(super) fn of(need: &Need) -> Self {
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
                    reads: share(Op::Read),
                    writes: share(Op::Write),
                }
            })
            .collect();
        let all = |load: &Load| load.of(CapUnit::Iops, CapScope::All);
        Self {
            most_iops: loads.iter().map(all).fold(0.0, f64::max),
            loads,
        }
    }
}

/// Whether the disks in the host of a machine are those that are asked for.
fn fits_host(
    catalog: &Catalog,
    row: &InstanceType,
    disks: &[&Ordered],
    asked: &MachineLoads,
) -> Result<(), Lack> {
    let store = catalog.instance_store(row);
    let local = row.local.unwrap_or_default();
    let has = store.map_or(local.disks.unwrap_or(0), |store| store.disks) as usize;
    let count: usize = disks.iter().map(|own| own.count).sum();
    if count > has {
        return Err(Lack::Refused(match has {
            0 => "it has no local disks",
            _ => "it has fewer local disks than that",
        }));
    }
    let mut own = disks.iter().filter(|own| own.volume.is_in_host());
    let gb = store.map(|store| store.disk_gb).or(local.disk_gb);
    let most_gib = gb.map_or(f64::INFINITY, |gb| gb * 1e9 / GIB) / ENOUGH;
    if own.any(|own| own.order.size_gib > Some(most_gib)) {
        return Err(Lack::Refused("its local disks are smaller than that"));
    }
    let Some((iops, bytes)) = store.and_then(|store| asked.each(store)) else {
        let is_named = disks.iter().any(|own| own.volume.is_in_host());
        return if is_named {
            Err(Lack::Unstated)
        } else {
            Ok(())
        };
    };
    let (iops, bytes) = (Some(iops / ENOUGH), Some(bytes / ENOUGH));
    let is_faster = |own: &&&Ordered| own.order.iops > iops || own.order.bytes_per_second > bytes;
    let mut own = disks.iter().filter(|own| own.volume.is_in_host());
    match own.find(is_faster) {
        Some(_) => Err(Lack::Refused("its local disks are slower than that")),
        None => Ok(()),
    }
}

/// What a machine of Google lets through to all its disks of a type.
fn limit_of_google<'c>(
    catalog: &'c Catalog,
    row: &InstanceType,
    volume: &VolumeType,
) -> Result<&'c DiskLimit, Lack> {
    let limit = catalog.disk_limit(row, &volume.name);
    match catalog.takes(row, volume) {
        Some(false) => Err(Lack::Refused(NOT_TAKEN)),
        Some(true) => limit.ok_or(Lack::NoLimit),
        None => limit.ok_or(Lack::Unknown),
    }
}

/// The part of a need that a machine lets through to volumes of a type at most, its burst included;
/// infinite where that is not known.
pub(super) fn at_most(
    catalog: &Catalog,
    row: &InstanceType,
    volume: &VolumeType,
    need: &Need,
) -> f64 {
    let asked = MachineLoads::of(need);
    let part = |(unit, scope, most): (CapUnit, CapScope, f64)| {
        let parts = asked.loads.iter().map(|load| most / load.of(unit, scope));
        parts.fold(f64::INFINITY, f64::min)
    };
    let limits: Vec<(CapUnit, CapScope, f64)> = if row.cloud == Cloud::Gcp {
        let limit = catalog.disk_limit(row, &volume.name);
        limit.map_or_else(Vec::new, |limit| limit.caps(volume).to_vec())
    } else {
        let fast = row.fast.filter(|_| volume.is_fast());
        let path = fast.or(row.network);
        let iops = path.and_then(|path| path.max_iops.or(path.iops));
        let bytes = path.and_then(|path| path.max_bytes_per_second.or(path.bytes_per_second));
        let iops = iops.map(|most| (CapUnit::Iops, CapScope::All, most));
        let bytes = bytes.map(|most| (CapUnit::BytesPerSecond, CapScope::All, most));
        iops.into_iter().chain(bytes).collect()
    };
    limits.into_iter().map(part).fold(f64::INFINITY, f64::min)
}

/// Why a machine is refused whose series does not take a type of disk.
const NOT_TAKEN: &str = "it does not take disks of this type";

/// What a machine lets through to volumes for good.
fn through(
    catalog: &Catalog,
    row: &InstanceType,
    volumes: &[&Ordered],
    asked: &MachineLoads,
    in_host: &MachineLoads,
) -> Result<Through, Lack> {
    let is_local = |own: &&Ordered| matches!(own.volume.law, Law::Device(_));
    let (disks, attached): (Vec<&Ordered>, Vec<&Ordered>) =
        volumes.iter().copied().partition(is_local);
    let count: usize = attached.iter().map(|own| own.count).sum();
    if row.max_volumes.is_some_and(|most| count > most as usize) {
        return Err(Lack::Refused("it takes fewer volumes"));
    }
    let needs_nitro =
        |volume: &VolumeType| matches!(volume.name.as_str(), "io1" | "io2" | "io2-block-express");
    let is_old = row.cloud == Cloud::Aws && !row.is_nitro() && row.arch.as_deref() != Some("arm64");
    let is_above = |own: &&Ordered| {
        needs_nitro(&own.volume) && asked.most_iops / own.count as f64 > NITRO_IOPS
    };
    if is_old && attached.iter().any(is_above) {
        return Err(Lack::Refused(
            "more than 32,000 IOPS a volume need a Nitro instance",
        ));
    }
    let mut found = Through {
        iops: f64::INFINITY,
        bytes: f64::INFINITY,
        part: f64::INFINITY,
    };
    let mut limit = |(unit, scope, most): (CapUnit, CapScope, f64)| {
        let parts = asked.loads.iter().map(|load| most / load.of(unit, scope));
        found.part = parts.fold(found.part, f64::min);
        // Of the shape of the first load.
        let shape = asked.loads.first();
        let rate = match shape {
            Some(load) if scope != CapScope::All => {
                most / load.of(unit, scope) * load.of(unit, CapScope::All)
            }
            _ => most,
        };
        match unit {
            CapUnit::Iops => found.iops = found.iops.min(rate),
            CapUnit::BytesPerSecond => found.bytes = found.bytes.min(rate),
        }
    };
    if !disks.is_empty() {
        fits_host(catalog, row, &disks, in_host)?;
        if attached.is_empty() {
            return Ok(found);
        }
    }
    if row.cloud == Cloud::Gcp {
        if attached.is_empty() {
            return Err(Lack::Unknown);
        }
        for own in attached {
            let limits = limit_of_google(catalog, row, &own.volume)?;
            limits.caps(&own.volume).into_iter().for_each(&mut limit);
        }
        return Ok(found);
    }
    if attached
        .iter()
        .any(|own| catalog.takes(row, &own.volume) == Some(false))
    {
        return Err(Lack::Refused(NOT_TAKEN));
    }
    let is_fast = !attached.is_empty() && attached.iter().all(|own| own.volume.is_fast());
    let path: PathLimit = match row.fast {
        Some(fast) if is_fast => fast,
        _ => row.network.ok_or(Lack::Unknown)?,
    };
    // Where a document gives maxima only, what lasts is not known.
    let (iops, bytes) = path.lasting().ok_or(Lack::MaximaOnly)?;
    limit((CapUnit::Iops, CapScope::All, iops));
    limit((CapUnit::BytesPerSecond, CapScope::All, bytes));
    Ok(found)
}
