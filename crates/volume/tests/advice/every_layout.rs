//! Every layout and every machine that could be bought for a load, by arithmetic of its own.
//!
//! What a volume gives and what it costs is computed here from the rows of the catalogue, without
//! the planner, its models and its bills: a volume that gives too little by this arithmetic, which
//! is never less than what the model gives, needs no model. What is left is tried on the model,
//! cheapest first.

use super::brute_force::Question;
use fathom_volume::catalog::{
    Catalog, Cloud, CountRule, Date, InstanceType, Law, Provisioned, Sharing, VolumeType,
};
use std::cell::RefCell;
use std::collections::HashMap;

const HOURS: f64 = 730.0;
/// What a sum of floats may be short of.
const ENOUGH: f64 = 1.0 - 1e-9;

/// What is ordered of one volume.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choice {
    pub(super) gib: f64,
    pub(super) iops: Option<f64>,
    /// In the vendor's units.
    pub(super) rate: Option<f64>,
    /// A word that is added to the name of a tier.
    pub(super) option: &'static str,
}

/// Requests and bytes a second: of all, of reads, of writes.
#[derive(Clone, Copy, Debug)]
struct Rates {
    iops: [f64; 3],
    bytes: [f64; 3],
}

impl Rates {
    const fn shared(iops: f64, bytes: f64) -> Self {
        Self {
            iops: [iops; 3],
            bytes: [bytes; 3],
        }
    }

    fn covers(&self, other: &Self) -> bool {
        let pairs = self.iops.iter().zip(other.iops);
        let pairs = pairs.chain(self.bytes.iter().zip(other.bytes));
        pairs.into_iter().all(|(own, asked)| *own >= asked * ENOUGH)
    }
}

impl Question {
    /// The least that one of several equal volumes has to give: what splitting over chunks costs in
    /// addition is left out.
    fn share(&self, volume: &VolumeType, count: usize) -> Rates {
        let block = self.kib * 1_024.0;
        let (units, bytes) = match volume.count {
            None => (1.0, block),
            Some((CountRule::WholeMerge, unit)) => {
                let unit = unit as f64;
                ((block / unit).max(1.0), block.max(unit))
            }
            Some((_, unit)) => ((block / unit as f64).max(1.0), block),
        };
        let each = |share: f64| self.iops * share / count as f64;
        let shares = [1.0, self.reads, 1.0 - self.reads].map(each);
        Rates {
            iops: shares.map(|iops| iops * units),
            bytes: shares.map(|iops| iops * bytes),
        }
    }
}

/// What one volume gives for good, by the law of its row.
fn gives(volume: &VolumeType, choice: &Choice) -> Rates {
    let gib = choice.gib;
    match &volume.law {
        Law::Scaled(law) => {
            let iops = (law.iops_per_gib * gib).clamp(law.iops_min, law.iops_max);
            let small = law.small.filter(|(most, _)| gib <= *most);
            Rates::shared(iops, small.map_or(law.bytes_max, |(_, rate)| rate))
        }
        Law::Throughput(law) => Rates::shared(law.iops_max, (law.base.0 * gib).min(law.base.1)),
        Law::Fixed(law) => Rates::shared(law.iops, law.bytes),
        Law::Tier(law) => {
            let (iops, bytes) = match choice.option {
                ":plus" => law.plus,
                ":ondemand" => law.on_demand,
                _ => None,
            }
            .unwrap_or((law.iops, law.bytes));
            Rates::shared(iops, bytes)
        }
        Law::Pooled(law) => {
            let (included, bytes) = law.included;
            let reads = (included + law.per_gib.0 * gib).min(law.max.0);
            let writes = (included + law.per_gib.1 * gib).min(law.max.1);
            let rate = bytes + law.per_gib.2 * gib;
            let (read, written) = (rate.min(law.max.2), rate.min(law.max.3));
            let of_all = |is_shared: bool, most: f64| if is_shared { most } else { f64::INFINITY };
            let all = of_all(law.sharing != Sharing::Apart, reads.max(writes));
            let all_bytes = of_all(law.sharing == Sharing::All, read.max(written));
            Rates {
                iops: [all, reads, writes],
                bytes: [all_bytes, read, written],
            }
        }
        Law::Provisioned(law) => provisioned(volume, law, choice),
        Law::Follows(law) => {
            let bytes = choice.rate.unwrap_or(0.0) * volume.unit_bytes;
            Rates::shared((bytes * law.iops_per_byte).min(law.iops_max), bytes)
        }
        Law::Device(_) => Rates::shared(0.0, 0.0),
    }
}

/// Whether each of several equal volumes gives its share, by this arithmetic. Disks of a pool have
/// their limits together.
pub(super) fn is_enough(
    question: &Question,
    volume: &VolumeType,
    choice: &Choice,
    count: usize,
) -> bool {
    let is_pool = matches!(&volume.law, Law::Pooled(law) if law.shared);
    let pool = Choice {
        gib: choice.gib * count as f64,
        ..*choice
    };
    if is_pool {
        gives(volume, &pool).covers(&question.share(volume, 1))
    } else {
        gives(volume, choice).covers(&question.share(volume, count))
    }
}

fn provisioned(volume: &VolumeType, law: &Provisioned, choice: &Choice) -> Rates {
    let iops = choice.iops.or(law.iops_included).unwrap_or(0.0);
    let bytes = match (law.bytes_included, choice.rate) {
        (Some(_), Some(rate)) => rate * volume.unit_bytes,
        (Some(included), None) => included,
        (None, _) => most_bytes(law, iops),
    };
    let mut rates = Rates::shared(iops, bytes);
    rates.bytes[2] = bytes.min(law.bytes_write_max.unwrap_or(f64::INFINITY));
    rates
}

/// The most bytes a second that a number of IOPS allows.
fn most_bytes(law: &Provisioned, iops: f64) -> f64 {
    let line = law.bytes_per_iops.map_or(law.bytes_max, |each| each * iops);
    let bent = law
        .knee
        .map_or(line, |(knee, above)| line.min(knee).max(above * iops));
    bent.min(law.bytes_max)
}

/// Whether a vendor sells these IOPS and bytes a second in this size.
fn is_sold(volume: &VolumeType, law: &Provisioned, choice: &Choice) -> bool {
    let iops = choice.iops.or(law.iops_included).unwrap_or(0.0);
    let least = law.iops_min.or(law.iops_included).unwrap_or(0.0);
    let by_size = law.iops_per_gib_max.map_or(f64::INFINITY, |ratio| {
        (ratio * choice.gib).max(law.iops_included.unwrap_or(0.0))
    });
    let bytes = choice.rate.map_or(0.0, |rate| rate * volume.unit_bytes);
    let for_size = law.iops_per_gib_min.unwrap_or(0.0) * choice.gib;
    let for_iops = law.bytes_per_iops_min.unwrap_or(0.0) * iops;
    (least..=law.iops_max.min(by_size)).contains(&iops)
        && (choice.iops.is_none() || iops >= for_size)
        && (choice.rate.is_none() || bytes >= law.bytes_included.unwrap_or(0.0).max(for_iops))
        && bytes <= most_bytes(law, iops)
}

/// The smallest size in whole GiB from which on something holds.
fn smallest(volume: &VolumeType, least: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    first(least, volume.max_gib.floor(), holds)
}

/// The smallest whole number of a range from which on something holds.
fn first(least: f64, most: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    let (mut low, mut high) = (least, most);
    if low > high || !holds(high) {
        return None;
    }
    while low < high {
        let middle = f64::midpoint(low, high).floor();
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1.0;
        }
    }
    Some(low)
}

/// A number, the next ones, and steps of two in a hundred up to a most.
fn from(first: f64, most: f64) -> impl Iterator<Item = f64> {
    let near = (0..4).map(move |step| first + f64::from(step));
    let far = std::iter::successors(Some(first * 1.02), |last| Some(last * 1.02));
    let far = far.map(f64::ceil).take_while(move |next| *next <= most);
    near.filter(move |next| *next <= most).chain(far)
}

/// What could be ordered of a type that gives one of several volumes its share, but for what is too
/// dear. More of anything never costs less.
fn choices(
    question: &Question,
    volume: &VolumeType,
    count: usize,
    is_too_dear: &dyn Fn(&Choice) -> bool,
) -> Vec<Choice> {
    let share = question.share(volume, count);
    let least = (question.gib / count as f64)
        .ceil()
        .max(volume.min_gib)
        .max(1.0);
    let of = |gib: f64| Choice {
        gib,
        ..Choice::default()
    };
    match &volume.law {
        Law::Tier(_) => {
            let is_large = question.gib / count as f64 <= volume.max_gib;
            ["", ":plus", ":ondemand"]
                .into_iter()
                .map(|option| Choice {
                    option,
                    gib: volume.max_gib,
                    ..Choice::default()
                })
                .filter(|choice| is_large && has_option(volume, choice.option))
                .filter(|choice| gives(volume, choice).covers(&share))
                .collect()
        }
        Law::Scaled(_) | Law::Throughput(_) | Law::Pooled(_) | Law::Fixed(_) => {
            let first = smallest(volume, least, |gib| gives(volume, &of(gib)).covers(&share));
            let all = first.map(|first| from(first, (first * 1.5).min(volume.max_gib)));
            let all = all.into_iter().flatten().map(of);
            all.take_while(|choice| !is_too_dear(choice)).collect()
        }
        Law::Provisioned(law) => {
            // Where each request takes whole units of every volume.
            let units = volume
                .count
                .map_or(1.0, |(_, unit)| question.kib * 1_024.0 / unit as f64);
            let whole = (question.iops * (units / count as f64).ceil()).ceil();
            orders(volume, law, &share, (least, whole), is_too_dear)
        }
        Law::Follows(law) => {
            // The smallest size that may have the rate, or the rate that the size must have.
            let (fewest_per_gib, most_per_gib) = law.per_gib.unwrap_or((0.0, f64::INFINITY));
            let of_rate = |rate: f64| {
                let gib = (rate * volume.unit_bytes / most_per_gib).ceil().max(least);
                let for_size = (fewest_per_gib * gib / volume.unit_bytes).ceil();
                Choice {
                    rate: Some(rate.max(for_size)),
                    ..of(gib)
                }
            };
            let fewest = (law.bytes_min / volume.unit_bytes).ceil();
            let most = law.bytes_max / volume.unit_bytes;
            let is_enough = |rate: f64| gives(volume, &of_rate(rate)).covers(&share);
            let rates = first(fewest, most.floor(), is_enough).filter(|_| least <= volume.max_gib);
            let all = rates
                .into_iter()
                .flat_map(|rate| from(rate, most))
                .map(of_rate);
            all.take_while(|choice| !is_too_dear(choice)).collect()
        }
        Law::Device(_) => Vec::new(),
    }
}

fn has_option(volume: &VolumeType, option: &str) -> bool {
    let Law::Tier(law) = &volume.law else {
        return false;
    };
    match option {
        ":plus" => law.plus.is_some(),
        ":ondemand" => law.on_demand.is_some(),
        _ => true,
    }
}

/// IOPS and throughput in steps, each pair in the smallest size in which it is sold.
fn orders(
    volume: &VolumeType,
    law: &Provisioned,
    share: &Rates,
    (least, whole): (f64, f64),
    is_too_dear: &dyn Fn(&Choice) -> bool,
) -> Vec<Choice> {
    let fewest = share.iops[0].max(law.iops_min.or(law.iops_included).unwrap_or(1.0));
    let mut iops: Vec<Option<f64>> = from(fewest.ceil(), law.iops_max).map(Some).collect();
    // Just enough of them for the throughput, and the next ones.
    let by_bytes = first(1.0, law.iops_max, |iops| {
        most_bytes(law, iops) >= share.bytes[0]
    });
    if let Some(first) = by_bytes {
        iops.extend(from(first.max(fewest.ceil()), law.iops_max).map(Some));
    }
    // As many as the size must have, and as whole units take.
    let for_size = (law.iops_per_gib_min.unwrap_or(0.0) * least).ceil();
    for first in [for_size, whole] {
        iops.extend(from(first.max(fewest.ceil()), law.iops_max).map(Some));
    }
    iops.push(None);
    let mut rates = vec![None];
    if let Some(included) = law.bytes_included {
        let first = share.bytes[0].max(included) / volume.unit_bytes;
        let most = law.bytes_max / volume.unit_bytes;
        rates.extend(from((first - 1e-9).ceil(), most).map(Some));
    }
    let mut found = Vec::new();
    for iops in iops {
        for rate in &rates {
            let of = |gib: f64| Choice {
                gib,
                iops,
                rate: *rate,
                option: "",
            };
            if is_too_dear(&of(least)) {
                // Whatever follows has more of it.
                break;
            }
            if !gives(volume, &of(least)).covers(share) {
                continue;
            }
            // Too large a size for so few IOPS is not sold either.
            let fewest_per_gib = law.iops_per_gib_min.unwrap_or(0.0);
            let most = iops.map_or(f64::INFINITY, |iops| (iops / fewest_per_gib).floor());
            let most = volume.max_gib.floor().min(most);
            let gib = first(least, most, |gib| is_sold(volume, law, &of(gib)));
            found.extend(gib.map(of));
        }
    }
    found
}

/// The prices of a type in a region, as the vendor's meters have them.
struct Tariff {
    disk: f64,
    gib: f64,
    /// From where each band begins, and its price.
    iops: Vec<(f64, f64)>,
    rate: Vec<(f64, f64)>,
    on_demand: f64,
}

impl Tariff {
    fn of(shop: &Shop<'_>, volume: &VolumeType) -> Option<Self> {
        let prices = shop.catalog.prices();
        let of = |name: &str| prices.meters(volume.cloud, shop.region, name, shop.at);
        let meters = of(&volume.name);
        let first = |meter: &str| {
            let mut found = meters.iter().filter(|price| price.meter == meter);
            found.next().map_or(0.0, |price| price.price)
        };
        let bands = |begin: &str| {
            let own = meters.iter().filter(|price| price.meter.starts_with(begin));
            own.map(|price| (price.above, price.price)).collect()
        };
        (!meters.is_empty()).then(|| Self {
            disk: first("tier_month_lrs"),
            gib: first("gib_month"),
            iops: bands("iops_month"),
            rate: bands("m"),
            on_demand: first("burst_enable_month_lrs"),
        })
    }

    /// What one volume costs a month, but for what is billed by the request.
    fn price(&self, choice: &Choice) -> f64 {
        let bands = |bands: &[(f64, f64)], ordered: f64| -> f64 {
            let ends = bands.iter().skip(1).map(|(begin, _)| *begin);
            let ends = ends.chain([f64::INFINITY]);
            let parts = bands.iter().zip(ends);
            parts
                .map(|((begin, price), end)| (ordered.min(end) - begin).max(0.0) * price)
                .sum()
        };
        let option = match choice.option {
            ":ondemand" => self.on_demand,
            _ => 0.0,
        };
        self.disk
            + self.gib * choice.gib
            + bands(&self.iops, choice.iops.unwrap_or(0.0))
            + bands(&self.rate, choice.rate.unwrap_or(0.0))
            + option
    }
}

/// A machine, its price an hour, and what it lets through to each type of disk.
struct Host<'a> {
    row: &'a InstanceType,
    hour: f64,
    paths: RefCell<HashMap<&'a str, Option<Rates>>>,
}

/// What is sold in one region.
pub(super) struct Shop<'a> {
    catalog: &'a Catalog,
    pub(super) cloud: Cloud,
    pub(super) region: &'a str,
    at: Date,
    hosts: Vec<Host<'a>>,
    /// The types of the day, with their prices where these are known.
    types: Vec<(&'a VolumeType, Option<Tariff>)>,
}

/// A layout as it would be written, with the least that it can cost.
pub(super) struct Candidate {
    pub(super) text: String,
    pub(super) price: f64,
    /// The part of the machine.
    pub(super) machine: f64,
}

impl<'a> Shop<'a> {
    pub(super) fn open(catalog: &'a Catalog, cloud: Cloud, region: &'a str, at: Date) -> Self {
        let mut shop = Self {
            catalog,
            cloud,
            region,
            at,
            hosts: hosts(catalog, cloud, region, at),
            types: Vec::new(),
        };
        let mut names: Vec<&str> = Vec::new();
        for row in catalog.volumes().iter().filter(|row| row.cloud == cloud) {
            if names.contains(&row.name.as_str()) || row.name == "hyperdisk-ml" {
                continue;
            }
            names.push(&row.name);
            let now = catalog.volume(&row.name, at).expect("a known name");
            if now.validity.holds(at) {
                let tariff = Tariff::of(&shop, now);
                shop.types.push((now, tariff));
            }
        }
        shop
    }

    /// All that by this arithmetic is enough and costs less, cheapest first; and how many layouts
    /// were looked at.
    pub(super) fn cheaper(&self, question: &Question, than: f64) -> (Vec<Candidate>, usize) {
        let (mut found, mut tried) = (Vec::new(), 0);
        for (volume, tariff) in &self.types {
            let Some(tariff) = tariff else { continue };
            for count in 1..=question.most {
                let is_pool = matches!(&volume.law, Law::Pooled(law) if law.shared);
                if is_pool && count > 1 {
                    // More disks of a pool give no more.
                    continue;
                }
                let machine = question.machine_cost(|| self.machine(question, volume, count));
                if machine >= than {
                    continue;
                }
                let price = |choice: &Choice| tariff.price(choice) * count as f64 + machine;
                let all = choices(question, volume, count, &|choice| price(choice) >= than);
                tried += all.len();
                for choice in all {
                    let price = price(&choice);
                    if price < than {
                        found.extend(texts(volume, &choice, count).map(|text| Candidate {
                            text,
                            price,
                            machine,
                        }));
                    }
                }
            }
        }
        found.sort_by(|one, other| one.price.total_cmp(&other.price));
        (found, tried)
    }

    /// The least that a machine costs a month that lets the need through to a number of volumes.
    fn machine(&self, question: &Question, volume: &'a VolumeType, count: usize) -> f64 {
        let bytes = question.iops * question.kib * 1_024.0;
        let asked = Rates {
            iops: [1.0, question.reads, 1.0 - question.reads].map(|part| part * question.iops),
            bytes: [1.0, question.reads, 1.0 - question.reads].map(|part| part * bytes),
        };
        let each = question.iops / count as f64;
        let fits = |host: &&Host<'a>| {
            let row = host.row;
            let needs_nitro = volume.name.starts_with("io") && each > 32_000.0;
            let is_nitro = row.is_nitro() || row.arch.as_deref() == Some("arm64");
            question.takes(row)
                && row.max_volumes.is_none_or(|most| count <= most as usize)
                && (!needs_nitro || is_nitro)
                && self
                    .path(host, volume)
                    .is_some_and(|path| path.covers(&asked))
        };
        // They are sorted by price.
        let cheapest = self.hosts.iter().find(fits);
        cheapest.map_or(f64::INFINITY, |host| host.hour * HOURS)
    }

    /// What a machine lets through to volumes of a type for good; none where it does not take
    /// them, or no source states it.
    fn path(&self, host: &Host<'a>, volume: &'a VolumeType) -> Option<Rates> {
        let mut known = host.paths.borrow_mut();
        *known.entry(&volume.name).or_insert_with(|| {
            if self.catalog.takes(host.row, volume) == Some(false) {
                return None;
            }
            if self.cloud == Cloud::Gcp {
                let limit = self.catalog.disk_limit(host.row, &volume.name)?;
                let ((reads, writes), (read, written)) = (limit.iops, limit.bytes_per_second);
                // Bytes of solid state disks are limited apart.
                let is_shared = !["pd-balanced", "pd-ssd"].contains(&volume.name.as_str());
                let bytes = if is_shared {
                    read.max(written)
                } else {
                    f64::INFINITY
                };
                return Some(Rates {
                    iops: [reads.max(writes), reads, writes],
                    bytes: [bytes, read, written],
                });
            }
            let is_fast = ["premium-ssd-v2", "ultra"].contains(&volume.name.as_str());
            let fast = host.row.fast.filter(|_| is_fast);
            let path = fast.or(host.row.network)?;
            Some(Rates::shared(path.iops?, path.bytes_per_second?))
        })
    }

    /// The least that a machine costs a month whose own disks give a load, by trying all machines
    /// and counts.
    pub(super) fn cheapest_host(&self, question: &Question) -> f64 {
        let (reads, writes) = (
            question.iops * question.reads,
            question.iops * (1.0 - question.reads),
        );
        let block = question.kib * 1_024.0;
        let gives = |host: &&Host<'a>| {
            let Some(store) = self.catalog.instance_store(host.row) else {
                return false;
            };
            let (Some(most_reads), Some(most_writes)) = store.iops else {
                return false;
            };
            let bytes = |stated: Option<f64>, iops: f64| stated.unwrap_or(iops * 4_096.0);
            let read_bytes = bytes(store.bytes_per_second.0, most_reads);
            let written_bytes = bytes(store.bytes_per_second.1, most_writes);
            // The share of their time that all disks are busy.
            let by_requests = reads / most_reads + writes / most_writes;
            let by_bytes = reads * block / read_bytes + writes * block / written_bytes;
            (1..=store.disks.min(question.most as u32)).any(|count| {
                let part = f64::from(count) / f64::from(store.disks);
                let room = f64::from(count) * store.disk_gb * 1e9 / 1_073_741_824.0;
                // Whole IOPS and MB/s are ordered, and large requests are split over chunks.
                let is_fast = by_requests * 1.001 <= part && by_bytes * 1.02 <= part;
                is_fast && room * 0.999 >= question.gib
            })
        };
        let mut hosts = self.hosts.iter().filter(|host| question.takes(host.row));
        let cheapest = hosts.find(gives);
        cheapest.map_or(f64::INFINITY, |host| host.hour * HOURS)
    }
}

/// The machines of a region by price: each name as it is documented last.
fn hosts<'a>(catalog: &'a Catalog, cloud: Cloud, region: &str, at: Date) -> Vec<Host<'a>> {
    let prices = catalog.machine_prices().of_region(cloud, region, at);
    let mut latest: HashMap<(&str, Option<&str>), &InstanceType> = HashMap::new();
    for row in catalog.instances().iter().filter(|row| row.cloud == cloud) {
        let key = (row.name.as_str(), row.interface.as_deref());
        let known = latest.entry(key).or_insert(row);
        if row.validity.from > known.validity.from {
            *known = row;
        }
    }
    let rows = latest.into_values();
    // Google's list prices processors and memory; GPUs are billed in addition.
    let rows = rows.filter(|row| row.cloud != Cloud::Gcp || !row.has_gpu());
    let mut hosts: Vec<Host<'_>> = rows
        .filter_map(|row| {
            let bare = row.name.strip_prefix("Standard_").unwrap_or(&row.name);
            Some(Host {
                row,
                hour: prices.get(bare)?.hour,
                paths: RefCell::default(),
            })
        })
        .collect();
    hosts.sort_by(|one, other| one.hour.total_cmp(&other.hour));
    hosts
}

/// Equal volumes as one writes them, with each chunk that may change something.
pub(super) fn texts(
    volume: &VolumeType,
    choice: &Choice,
    count: usize,
) -> impl Iterator<Item = String> {
    let name = &volume.name;
    let one = if matches!(volume.law, Law::Tier(_)) {
        format!("{name}{}", choice.option)
    } else {
        let unit = volume.unit();
        let iops = choice
            .iops
            .map_or_else(String::new, |iops| format!(":{iops}iops"));
        let rate = choice
            .rate
            .map_or_else(String::new, |rate| format!(":{rate}{unit}"));
        format!("{name}:{}GiB{iops}{rate}", choice.gib)
    };
    let with_chunk = |chunk| format!("raid0({count}x {one}, chunk={chunk})");
    let whole = match count {
        1 => one.clone(),
        _ => format!("{count}x {one}"),
    };
    let counts_whole_units = matches!(volume.count, Some((CountRule::WholeMerge, _)));
    let others = if count > 1 && counts_whole_units {
        vec![with_chunk("256KiB"), with_chunk("1MiB"), with_chunk("2MiB")]
    } else {
        Vec::new()
    };
    std::iter::once(whole).chain(others)
}
