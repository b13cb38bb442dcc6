//! Twenty questions, each answered by trying everything: no layout and no machine of the catalogue
//! costs less than the one that the planner puts first.
//!
//! The enumeration shares the scales with the planner (what a layout gives), but none of its ways
//! to choose sizes, orders, numbers, options or machines.

use fathom_volume::catalog::{Catalog, Cloud, InstanceType, Law, VolumeType};
use fathom_volume::plan::{
    ANY_MACHINE, Market, Meets, Need, Offer, Scope, Wanted, Wish, plan, weigh,
};
use fathom_volume::{Layout, VolumeOrder};
use rand_core::SeedableRng as _;
use rand_distr::{Distribution as _, StandardUniform};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;

/// Prices may differ by rounding of sizes to whole units.
const ROUNDING: f64 = 0.001;

#[derive(Clone, Copy)]
struct Question {
    cloud: Cloud,
    region: &'static str,
    iops: f64,
    kib: f64,
    reads: f64,
    gib: f64,
    most: usize,
    scope: Scope,
}

const fn ask(cloud: Cloud, region: &'static str, iops: f64, kib: f64, gib: f64) -> Question {
    Question {
        cloud,
        region,
        iops,
        kib,
        reads: 0.7,
        gib,
        most: 3,
        scope: Scope::Whole,
    }
}

const fn disks(question: Question) -> Question {
    Question {
        scope: Scope::Disks,
        ..question
    }
}

const QUESTIONS: [Question; 20] = [
    ask(Cloud::Aws, "us-east-1", 1_000.0, 16.0, 100.0),
    ask(Cloud::Aws, "us-east-1", 10_000.0, 16.0, 200.0),
    ask(Cloud::Aws, "us-east-1", 40_000.0, 8.0, 1_000.0),
    ask(Cloud::Aws, "us-east-1", 100_000.0, 8.0, 4_000.0),
    ask(Cloud::Aws, "eu-west-1", 2_000.0, 256.0, 500.0),
    ask(Cloud::Aws, "eu-west-3", 500.0, 1_024.0, 8_000.0),
    ask(Cloud::Aws, "ap-northeast-1", 300.0, 4.0, 20.0),
    disks(ask(Cloud::Aws, "us-east-1", 16_000.0, 64.0, 300.0)),
    disks(ask(Cloud::Aws, "eu-central-1", 80_000.0, 8.0, 1_000.0)),
    ask(Cloud::Azure, "eastus", 16_000.0, 16.0, 931.0),
    ask(Cloud::Azure, "eastus", 500.0, 8.0, 100.0),
    ask(Cloud::Azure, "westeurope", 5_000.0, 8.0, 500.0),
    ask(Cloud::Azure, "westeurope", 30_000.0, 8.0, 2_000.0),
    ask(Cloud::Azure, "northeurope", 400.0, 4.0, 4_000.0),
    disks(ask(Cloud::Azure, "westeurope", 2_000.0, 256.0, 1_000.0)),
    disks(ask(Cloud::Azure, "francecentral", 100.0, 8.0, 64.0)),
    ask(Cloud::Gcp, "us-central1", 6_000.0, 8.0, 500.0),
    ask(Cloud::Gcp, "europe-west1", 20_000.0, 16.0, 1_000.0),
    disks(ask(Cloud::Gcp, "us-central1", 3_000.0, 64.0, 200.0)),
    disks(ask(Cloud::Gcp, "asia-northeast1", 50_000.0, 8.0, 2_000.0)),
];

impl Question {
    fn need(&self) -> Need {
        let wish = Wish {
            iops: Some(self.iops),
            block_bytes: Some(self.kib * 1_024.0),
            reads: Some(self.reads),
            random: Some(1.0),
            capacity_gib: Some(self.gib),
            ..Wish::default()
        };
        wish.resolve().expect("a valid wish")
    }

    fn market<'a>(&self, catalog: &'a Catalog, wanted: &'a Wanted) -> Market<'a> {
        Market {
            catalog,
            at: "2026-11-22".parse().expect("a day"),
            region: Some(self.region),
            instance: None,
            cloud: Some(self.cloud),
            max_volumes: self.most,
            wanted,
            scope: self.scope,
            terms: &fathom_volume::catalog::LIST_PRICES,
        }
    }

    /// Requests and bytes a second of one of so many volumes.
    fn each(&self, count: usize) -> (f64, f64) {
        let iops = self.iops / count as f64;
        (iops, iops * self.kib * 1_024.0)
    }
}

/// Every size of which the price or a limit may change for this need, and some beside.
fn sizes(question: &Question, volume: &VolumeType, count: usize) -> Vec<f64> {
    let least = (question.gib / count as f64).ceil().max(volume.min_gib);
    let mut sizes: Vec<f64> = (0..60).map(|step| least + f64::from(step)).collect();
    let mut large = least;
    while large < volume.max_gib {
        large = (large * 1.02).ceil();
        sizes.push(large);
    }
    let (iops, bytes) = question.each(count);
    let steps = [
        iops / 500.0,
        iops / 300.0,
        iops / 50.0,
        iops / 1_000.0,
        iops / 3.0,
        iops / 6.0,
        iops / 30.0,
        iops / 1_200.0,
        bytes / 41_943_040.0 * 1_024.0,
    ];
    sizes.extend(
        steps
            .into_iter()
            .flat_map(|size| [size.ceil(), size.ceil() + 1.0]),
    );
    sizes.retain(|size| *size >= least && *size <= volume.max_gib);
    sizes
}

/// Orders of throughput and IOPS at which something may begin to be enough.
fn orders(question: &Question, count: usize, unit: f64) -> Vec<(Option<f64>, Option<f64>)> {
    let (iops, bytes) = question.each(count);
    let units = (iops * (question.kib / 256.0).ceil()).ceil();
    let rates = [
        None,
        Some((bytes / unit).ceil()),
        Some((bytes / unit).ceil() + 1.0),
    ];
    let needs = [
        None,
        Some(units),
        Some(3_000.0),
        Some((bytes / unit / 0.25).ceil()),
    ];
    let needs = needs
        .into_iter()
        .chain([(bytes / unit / 0.256).ceil(), 2_500.0, 100.0].map(Some));
    needs
        .flat_map(|iops| rates.map(|rate| (iops.map(|iops| iops.max(units)), rate)))
        .collect()
}

/// Every layout that is tried, by type and number.
fn texts(question: &Question, volume: &VolumeType, count: usize) -> Vec<String> {
    let name = &volume.name;
    let word = volume.unit();
    match &volume.law {
        Law::Tier(_) if question.gib / count as f64 > volume.max_gib => Vec::new(),
        Law::Tier(law) => {
            let mut found = vec![name.clone()];
            found.extend(law.plus.map(|_| format!("{name}:plus")));
            found.extend(law.on_demand.map(|_| format!("{name}:ondemand")));
            found
        }
        Law::Scaled(_) | Law::Throughput(_) | Law::Pooled(_) | Law::Fixed(_) => {
            let sizes = sizes(question, volume, count).into_iter();
            sizes.map(|gib| format!("{name}:{gib}GiB")).collect()
        }
        Law::Provisioned(_) | Law::Follows(_) => {
            let orders = orders(question, count, volume.unit_bytes);
            let mut sizes = sizes(question, volume, count);
            sizes.truncate(60);
            let (iops, _) = question.each(count);
            sizes.extend([500.0, 50.0, 1_000.0, 1_200.0].map(|ratio| (iops / ratio).ceil()));
            let least = (question.gib / count as f64).ceil().max(volume.min_gib);
            sizes.retain(|size| *size >= least && *size <= volume.max_gib);
            let text = |gib: &f64, (iops, rate): &(Option<f64>, Option<f64>)| {
                let iops = iops.map_or_else(String::new, |iops| format!(":{iops}iops"));
                let rate = rate.map_or_else(String::new, |rate| format!(":{rate}{word}"));
                format!("{name}:{gib}GiB{iops}{rate}")
            };
            sizes
                .iter()
                .flat_map(|gib| orders.iter().map(move |order| text(gib, order)))
                .collect()
        }
        Law::Device(_) => Vec::new(),
    }
}

/// The price of one volume, if it is ordered as the catalogue knows it to be on offer: without what
/// is billed by the request, so that it is the least that it can cost.
fn least_price(
    question: &Question,
    catalog: &Catalog,
    volume: &VolumeType,
    text: &str,
) -> Option<f64> {
    let at = "2026-11-22".parse().expect("a day");
    let Ok(Layout::Volume(one)) = text.parse::<Layout>() else {
        return None;
    };
    let mut order = VolumeOrder::new(&volume.name, one.size.as_ref().map(|size| size.number));
    order.iops = one.iops;
    order.bytes_per_second = one.rate.as_ref().map(fathom_volume::layout::Amount::bytes);
    order.plus = one.plus;
    if one.on_demand {
        order.burst = fathom_volume::catalog::BurstChoice::OnDemand;
    }
    let prices = catalog.prices();
    let bill = prices
        .bill(volume, &order, question.region, at, None)
        .ok()?;
    let limits = volume.limits(&order, at).ok()?;
    let beyond = |remark: &fathom_volume::catalog::Remark| {
        remark.text.contains("not on offer") || remark.text.contains("outside the sizes")
    };
    (!limits.remarks.iter().any(beyond)).then_some(bill.total)
}

/// The machines of a question with their prices an hour: each name as it is documented last.
fn machines<'a>(question: &Question, catalog: &'a Catalog) -> Vec<(&'a InstanceType, f64)> {
    let at = "2026-11-22".parse().expect("a day");
    let prices = catalog.machine_prices();
    let prices = prices.of_region(question.cloud, question.region, at);
    let mut latest: HashMap<(&str, Option<&str>), &InstanceType> = HashMap::new();
    for row in catalog.instances() {
        let known = latest
            .entry((&row.name, row.interface.as_deref()))
            .or_insert(row);
        if row.validity.from > known.validity.from {
            *known = row;
        }
    }
    let rows = latest.into_values();
    rows.filter(|row| row.cloud == question.cloud)
        .filter_map(|row| {
            let bare = row.name.strip_prefix("Standard_").unwrap_or(&row.name);
            Some((row, prices.get(bare)?.hour))
        })
        .collect()
}

/// The least that any machine asks for that lets the need through, by trying all of them.
fn machine(
    question: &Question,
    catalog: &Catalog,
    machines: &[(&InstanceType, f64)],
    volume: &VolumeType,
    count: usize,
) -> f64 {
    let bytes = question.iops * question.kib * 1_024.0;
    let lets_through = |row: &InstanceType| {
        if row.max_volumes.is_some_and(|most| count > most as usize)
            || catalog.takes(row, volume) == Some(false)
        {
            return false;
        }
        if question.cloud == Cloud::Gcp {
            let Some(limit) = catalog.disk_limit(row, &volume.name) else {
                return false;
            };
            // Reads and writes of disks that turn share their bytes too.
            let shares_bytes = volume.name == "pd-standard";
            let most_bytes = limit.bytes_per_second.0.max(limit.bytes_per_second.1);
            if shares_bytes && most_bytes < bytes {
                return false;
            }
            return limit.iops.0 >= question.iops * question.reads
                && limit.iops.1 >= question.iops * (1.0 - question.reads)
                && limit.iops.0.max(limit.iops.1) >= question.iops
                && limit.bytes_per_second.0 >= bytes * question.reads
                && limit.bytes_per_second.1 >= bytes * (1.0 - question.reads);
        }
        let each = question.iops / count as f64;
        let is_nitro = row.is_nitro() || row.arch.as_deref() == Some("arm64");
        if volume.name.starts_with("io") && each > 32_000.0 && !is_nitro {
            return false;
        }
        let fast = ["premium-ssd-v2", "ultra"].contains(&volume.name.as_str());
        let path = if fast {
            row.fast.or(row.network)
        } else {
            row.network
        };
        let path = path.and_then(|path| path.iops.zip(path.bytes_per_second));
        path.is_some_and(|(iops, most)| iops >= question.iops && most >= bytes)
    };
    let hours = machines.iter().filter(|(row, _)| lets_through(row));
    hours.map(|(_, hour)| *hour).fold(f64::INFINITY, f64::min) * 730.0
}

/// Anything that can be ordered, gives the need for good, and costs less than so much; and how many
/// layouts were looked at.
fn cheaper(question: &Question, catalog: &Catalog, than: f64) -> (Option<(f64, String)>, usize) {
    let need = question.need();
    let market = Market {
        scope: Scope::Disks,
        terms: &fathom_volume::catalog::LIST_PRICES,
        ..question.market(catalog, &ANY_MACHINE)
    };
    let mut names: Vec<&str> = catalog
        .volumes()
        .iter()
        .map(|row| row.name.as_str())
        .collect();
    names.dedup();
    let machines = machines(question, catalog);
    let mut tried = 0;
    for name in names {
        let Ok(volume) = catalog.volume(name, market.at) else {
            continue;
        };
        let is_other = volume.cloud != question.cloud || !volume.validity.holds(market.at);
        if is_other || name == "hyperdisk-ml" {
            continue;
        }
        for count in 1..=question.most {
            let beside = match question.scope {
                Scope::Disks => 0.0,
                _ => machine(question, catalog, &machines, volume, count),
            };
            for text in texts(question, volume, count) {
                tried += 1;
                let Some(each) = least_price(question, catalog, volume, &text) else {
                    continue;
                };
                if each * count as f64 + beside >= than {
                    continue;
                }
                let whole = if count == 1 {
                    text
                } else {
                    format!("{count}x {text}")
                };
                let layout: Layout = whole.parse().expect(&whole);
                let offer = weigh(&layout, &need, &market).expect(&whole);
                let price = offer.price() + beside;
                if matches!(offer.meets, Meets::Sustained) && price < than {
                    return (Some((price, whole)), tried);
                }
            }
        }
    }
    (None, tried)
}

#[test]
fn nothing_that_is_enough_costs_less_than_the_first_row() {
    // For the curious: cargo test -p fathom-volume --test advice -- --nocapture
    for answer in check(&QUESTIONS) {
        println!("{answer}");
    }
}

/// Random needs of all clouds whose prices are known. `FATHOM_RANDOM_NEEDS=500` asks more of them.
#[test]
fn nothing_costs_less_whatever_is_needed() {
    const PLACES: [(Cloud, &str, usize); 8] = [
        (Cloud::Aws, "us-east-1", 3),
        (Cloud::Aws, "eu-central-1", 3),
        (Cloud::Azure, "eastus", 3),
        (Cloud::Azure, "westeurope", 3),
        (Cloud::Azure, "northeurope", 3),
        (Cloud::Gcp, "us-central1", 3),
        (Cloud::Gcp, "europe-west1", 3),
        (Cloud::Rds, "us-east-1", 1),
    ];
    let asked = std::env::var("FATHOM_RANDOM_NEEDS").ok();
    let count = asked.map_or(16, |text| text.parse().expect("a number"));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(39);
    let mut unit = || -> f64 { StandardUniform.sample(&mut random) };
    let questions = (0..count).map(|number| {
        let (cloud, region, most) = PLACES[number % PLACES.len()];
        let kib = [4.0, 8.0, 16.0, 64.0, 256.0][(unit() * 5.0) as usize];
        // Up to 60,000 requests and 1.5 GB a second, up to 8 TiB.
        let iops = (100.0 * 600_f64.powf(unit()))
            .min(1.5e9 / (kib * 1_024.0))
            .round();
        Question {
            reads: (unit() * 10.0).round() / 10.0,
            most,
            scope: if unit() < 0.3 && cloud != Cloud::Rds {
                Scope::Disks
            } else {
                Scope::Whole
            },
            ..ask(
                cloud,
                region,
                iops,
                kib,
                (20.0 * 400_f64.powf(unit())).round(),
            )
        }
    });
    for answer in check(&questions.collect::<Vec<_>>()) {
        println!("{answer}");
    }
}

/// Checks the first row of each; what was answered, in words.
fn check(questions: &[Question]) -> Vec<String> {
    let catalog = Catalog::embedded();
    let mut answers = Vec::new();
    for question in questions {
        let found = plan(&question.need(), &question.market(&catalog, &ANY_MACHINE));
        let enough = |offer: &&Offer| matches!(offer.meets, Meets::Sustained);
        let first = found
            .offers
            .iter()
            .find(enough)
            .map_or(f64::INFINITY, Offer::price);
        let layout = found
            .offers
            .first()
            .map_or("nothing", |offer| &offer.layout);
        let place = format!(
            "{} {}: {} IOPS of {} KiB, {} GiB",
            question.cloud, question.region, question.iops, question.kib, question.gib
        );
        let (better, tried) = cheaper(question, &catalog, first * (1.0 - ROUNDING));
        assert_eq!(better, None, "{place}: {layout} at {first}");
        answers.push(format!(
            "{place}: {layout} at {first:.2}, cheapest of {tried}"
        ));
    }
    answers
}

/// The least that a machine costs whose own disks give a load, by trying all machines and counts.
fn cheapest_host(question: &Question, catalog: &Catalog) -> f64 {
    let (reads, writes) = (
        question.iops * question.reads,
        question.iops * (1.0 - question.reads),
    );
    let block = question.kib * 1_024.0;
    let gives = |row: &InstanceType| {
        let Some(store) = catalog.instance_store(row) else {
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
            by_requests * 1.001 <= part && by_bytes * 1.02 <= part && room * 0.999 >= question.gib
        })
    };
    let machines = machines(question, catalog);
    let hours = machines.iter().filter(|(row, _)| gives(row));
    hours.map(|(_, hour)| *hour).fold(f64::INFINITY, f64::min) * 730.0
}

#[test]
fn no_machine_whose_own_disks_are_enough_costs_less() {
    const QUESTIONS: [Question; 10] = [
        ask(Cloud::Aws, "us-east-1", 5_000.0, 8.0, 50.0),
        ask(Cloud::Aws, "us-east-1", 40_000.0, 8.0, 200.0),
        ask(Cloud::Aws, "us-east-1", 20_000.0, 64.0, 1_000.0),
        ask(Cloud::Aws, "eu-west-1", 300_000.0, 4.0, 500.0),
        ask(Cloud::Aws, "eu-west-1", 1_000.0, 16.0, 5_000.0),
        ask(Cloud::Azure, "eastus", 5_000.0, 8.0, 50.0),
        ask(Cloud::Azure, "eastus", 40_000.0, 8.0, 200.0),
        ask(Cloud::Azure, "westeurope", 200_000.0, 8.0, 2_000.0),
        ask(Cloud::Azure, "westeurope", 10_000.0, 64.0, 900.0),
        ask(Cloud::Azure, "northeurope", 500_000.0, 4.0, 100.0),
    ];
    let catalog = Catalog::embedded();
    for question in &QUESTIONS {
        let need = Need {
            ephemeral_ok: true,
            ..question.need()
        };
        let found = plan(&need, &question.market(&catalog, &ANY_MACHINE));
        let own = found.offers.iter().filter(|offer| offer.is_volatile());
        let least = own.map(Offer::price).fold(f64::INFINITY, f64::min);
        let expected = cheapest_host(question, &catalog);
        let place = format!("{} {} IOPS", question.cloud, question.iops);
        assert!(expected.is_finite(), "{place}");
        assert!(
            least <= expected * (1.0 + ROUNDING),
            "{place}: {least} {expected}"
        );
        let all = question.need();
        let market = question.market(&catalog, &ANY_MACHINE);
        let without = plan(&all, &market)
            .offers
            .first()
            .map_or(f64::INFINITY, Offer::price);
        let first = found.offers.first().map_or(f64::INFINITY, Offer::price);
        assert!(
            first <= without.min(least),
            "{place}: {first} {without} {least}"
        );
    }
}
