//! Twenty questions, each answered by trying everything: no layout and no machine of the catalogue
//! costs less than the one that the planner puts first.
//!
//! The enumeration shares the scales with the planner (what a layout gives), but none of its ways
//! to choose sizes, orders, numbers, options or machines.

use super::every_layout::{Choice, Shop, is_enough, texts};
use fathom_volume::Layout;
use fathom_volume::catalog::{Catalog, Cloud, Date, InstanceType, Law, VolumeType};
use fathom_volume::plan::{
    ANY_MACHINE, Market, Meets, Need, Offer, Scope, Wanted, Wish, plan, weigh,
};
use rand_core::SeedableRng as _;
use rand_distr::{Distribution as _, StandardUniform};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Prices may differ by rounding of sizes to whole units.
const ROUNDING: f64 = 0.001;

/// A need, where it is asked for, and what else is asked of the machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    cloud: Cloud,
    region: &'static str,
    pub(super) iops: f64,
    pub(super) kib: f64,
    pub(super) reads: f64,
    pub(super) gib: f64,
    pub(super) most: usize,
    scope: Scope,
    vcpus: Option<u32>,
    memory_gib: Option<u64>,
    /// Whether disks in the host will do.
    may_be_lost: bool,
    /// Whether all clouds are asked, each in its usual region.
    anywhere: bool,
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
        vcpus: None,
        memory_gib: None,
        may_be_lost: false,
        anywhere: false,
    }
}

const fn disks(question: Question) -> Question {
    Question {
        scope: Scope::Disks,
        ..question
    }
}

const QUESTIONS: [Question; 22] = [
    ask(Cloud::Aws, "us-east-1", 1_000.0, 16.0, 100.0),
    ask(Cloud::Aws, "us-east-1", 10_000.0, 16.0, 200.0),
    ask(Cloud::Aws, "us-east-1", 40_000.0, 8.0, 1_000.0),
    ask(Cloud::Aws, "us-east-1", 100_000.0, 8.0, 4_000.0),
    ask(Cloud::Aws, "eu-west-1", 2_000.0, 256.0, 500.0),
    ask(Cloud::Aws, "eu-west-3", 500.0, 1_024.0, 8_000.0),
    ask(Cloud::Aws, "ap-northeast-1", 300.0, 4.0, 20.0),
    disks(ask(Cloud::Aws, "us-east-1", 16_000.0, 64.0, 300.0)),
    disks(ask(Cloud::Aws, "eu-central-1", 80_000.0, 8.0, 1_000.0)),
    // Writes of 1 MiB over three volumes take more IOPS, and no more bytes.
    Question {
        reads: 0.0,
        most: 3,
        ..disks(ask(Cloud::Aws, "eu-central-1", 1_704.0, 1_024.0, 356.0))
    },
    ask(Cloud::Rds, "us-east-1", 2_861.0, 1_024.0, 47.0),
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

    fn wanted(&self) -> Wanted {
        Wanted {
            vcpus: self.vcpus,
            memory_mib: self.memory_gib.map(|gib| gib * 1_024),
            ..Wanted::default()
        }
    }

    fn market<'a>(&self, catalog: &'a Catalog, wanted: &'a Wanted) -> Market<'a> {
        Market {
            catalog,
            at: today(),
            region: (!self.anywhere).then_some(self.region),
            instance: None,
            cloud: (!self.anywhere).then_some(self.cloud),
            max_volumes: self.most,
            wanted,
            scope: self.scope,
            terms: &fathom_volume::catalog::LIST_PRICES,
        }
    }

    /// Whether a machine has what is asked for.
    pub(super) fn takes(&self, row: &InstanceType) -> bool {
        let vcpus = row.active_vcpus.or(row.vcpus);
        let memory = self.memory_gib.map(|gib| gib * 1_024);
        self.vcpus.is_none_or(|least| vcpus >= Some(least))
            && memory.is_none_or(|least| row.memory_mib >= Some(least))
    }

    /// What the machine adds to the bill.
    pub(super) fn machine_cost(&self, cheapest: impl FnOnce() -> f64) -> f64 {
        match self.scope {
            Scope::Disks => 0.0,
            _ => cheapest(),
        }
    }
}

fn today() -> Date {
    "2026-11-22".parse().expect("a day")
}

/// Regions that are opened once for all questions.
#[derive(Default)]
struct Shops<'a> {
    open: Vec<((Cloud, &'static str), Shop<'a>)>,
}

impl<'a> Shops<'a> {
    fn at(&mut self, catalog: &'a Catalog, place: (Cloud, &'static str)) -> &Shop<'a> {
        let known = self.open.iter().position(|(known, _)| *known == place);
        let index = known.unwrap_or_else(|| {
            let shop = Shop::open(catalog, place.0, place.1, today());
            self.open.push((place, shop));
            self.open.len() - 1
        });
        &self.open[index].1
    }
}

/// Anything in a shop that can be ordered, gives the need for good, and costs less than this; and
/// how many layouts were looked at.
fn cheaper(
    question: &Question,
    catalog: &Catalog,
    shop: &Shop<'_>,
    than: f64,
) -> (Option<(f64, String)>, usize) {
    let need = question.need();
    let market = Market {
        region: Some(shop.region),
        cloud: Some(shop.cloud),
        scope: Scope::Disks,
        ..question.market(catalog, &ANY_MACHINE)
    };
    let (candidates, tried) = shop.cheaper(question, than);
    for candidate in candidates {
        let layout: Layout = candidate.text.parse().expect(&candidate.text);
        let offer = weigh(&layout, &need, &market).expect(&candidate.text);
        let price = offer.price() + candidate.machine;
        if offer.meets == Meets::Sustained && price < than && is_offered(&offer) {
            return (Some((price, candidate.text)), tried);
        }
    }
    (None, tried)
}

/// Whether nothing was ordered beyond what the catalogue knows to be on offer.
fn is_offered(offer: &Offer) -> bool {
    let mut remarks = offer.remarks.iter();
    !remarks.any(|remark| remark.text.ends_with("taken as given"))
}

#[test]
fn nothing_that_is_enough_costs_less_than_the_first_row() {
    // For the curious: cargo test -p fathom-volume --test advice -- --nocapture
    for answer in check(&QUESTIONS) {
        println!("{answer}");
    }
}

/// Random needs of all clouds whose prices are known. `FATHOM_RANDOM_NEEDS=500` asks more of them,
/// `FATHOM_RANDOM_SEED` others; the result of 500 is in docs/plan.md.
#[test]
fn nothing_costs_less_whatever_is_needed() {
    let asked = std::env::var("FATHOM_RANDOM_NEEDS").ok();
    let count = asked.map_or(24, |text| text.parse().expect("a number"));
    let seed = std::env::var("FATHOM_RANDOM_SEED").ok();
    let seed = seed.map_or(39, |text| text.parse().expect("a number"));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut unit = || -> f64 { StandardUniform.sample(&mut random) };
    let questions = (0..count).map(|number| random_question(number, &mut unit));
    for answer in check(&questions.collect::<Vec<_>>()) {
        println!("{answer}");
    }
}

/// What the enumeration leaves out without asking the model, the model would refuse too.
#[test]
fn what_is_too_little_by_arithmetic_is_too_little_for_the_model() {
    let catalog = Catalog::embedded();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(40);
    let mut unit = || -> f64 { StandardUniform.sample(&mut random) };
    let types: Vec<&VolumeType> = catalog
        .volumes()
        .iter()
        .filter(|row| row.validity.holds(today()) && row.max_gib < 1e9)
        .collect();
    let mut enough = 0;
    for number in 0..600 {
        let question = random_question(number, &mut unit);
        let volume = types[(unit() * types.len() as f64) as usize];
        let (choice, count) = random_choice(&question, volume, &mut unit);
        let market = Market {
            region: None,
            cloud: Some(volume.cloud),
            scope: Scope::Disks,
            ..question.market(&catalog, &ANY_MACHINE)
        };
        for text in texts(volume, &choice, count) {
            let layout: Layout = text.parse().expect(&text);
            let Ok(offer) = weigh(&layout, &question.need(), &market) else {
                continue;
            };
            if offer.meets == Meets::Sustained {
                enough += 1;
                assert!(
                    is_enough(&question, volume, &choice, count),
                    "{question:?}: {text}"
                );
            }
        }
    }
    assert!(enough > 100, "{enough}");
}

/// Something that might be ordered of a type, near what a question needs.
fn random_choice(
    question: &Question,
    volume: &VolumeType,
    unit: &mut impl FnMut() -> f64,
) -> (Choice, usize) {
    let count = 1 + (unit() * 4.0) as usize;
    let each = question.iops / count as f64;
    let mut near = |wanted: f64| (wanted * 0.7 * 3_f64.powf(unit())).ceil();
    let gib = near(question.gib / count as f64).max(volume.min_gib.max(1.0));
    let iops = near(each);
    let rate = near(each * question.kib * 1_024.0 / volume.unit_bytes);
    let can_order = matches!(volume.law, Law::Provisioned(_));
    let has_rate = match &volume.law {
        Law::Provisioned(law) => law.bytes_included.is_some(),
        Law::Follows(_) => true,
        _ => false,
    };
    let choice = Choice {
        gib,
        iops: can_order.then_some(iops),
        rate: has_rate.then_some(rate),
        option: "",
    };
    (choice, count)
}

const PLACES: [(Cloud, &str); 12] = [
    (Cloud::Aws, "us-east-1"),
    (Cloud::Aws, "eu-central-1"),
    (Cloud::Aws, "ap-northeast-1"),
    (Cloud::Azure, "eastus"),
    (Cloud::Azure, "westeurope"),
    (Cloud::Azure, "northeurope"),
    (Cloud::Azure, "francecentral"),
    (Cloud::Gcp, "us-central1"),
    (Cloud::Gcp, "europe-west1"),
    (Cloud::Rds, "us-east-1"),
    (Cloud::Rds, "us-east-1"),
    // Of all clouds at once, each in its usual region.
    (Cloud::Aws, "us-east-1"),
];

/// Up to 200,000 requests and 3 GB a second, up to 20 TiB; every fourth with a machine that has
/// processors and memory, every fifth for data that may be lost.
fn random_question(number: usize, unit: &mut impl FnMut() -> f64) -> Question {
    let (cloud, region) = PLACES[number % PLACES.len()];
    let kib = [4.0, 8.0, 16.0, 64.0, 128.0, 256.0, 1_024.0][(unit() * 7.0) as usize];
    let iops = (100.0 * 2_000_f64.powf(unit()))
        .min(3e9 / (kib * 1_024.0))
        .round();
    let gib = (20.0 * 1_000_f64.powf(unit())).round();
    let is_rds = cloud == Cloud::Rds;
    let most = if is_rds {
        1
    } else {
        1 + (unit() * 8.0) as usize
    };
    let scope = if unit() < 0.3 && !is_rds {
        Scope::Disks
    } else {
        Scope::Whole
    };
    let is_machine_asked = unit() < 0.25;
    let may_be_lost = unit() < 0.2 && scope == Scope::Whole;
    Question {
        reads: (unit() * 10.0).round() / 10.0,
        most,
        scope,
        vcpus: is_machine_asked.then(|| 1 << (unit() * 6.0) as u32),
        memory_gib: is_machine_asked.then(|| 1 << (unit() * 9.0) as u32),
        may_be_lost: may_be_lost && matches!(cloud, Cloud::Aws | Cloud::Azure) && number % 12 != 11,
        anywhere: number % 12 == 11,
        ..ask(cloud, region, iops, kib, gib)
    }
}

/// Checks the first row of each; what was answered, in words.
fn check(questions: &[Question]) -> Vec<String> {
    let catalog = Catalog::embedded();
    let mut shops = Shops::default();
    let (mut answers, mut differences) = (Vec::new(), Vec::new());
    for question in questions {
        let wanted = question.wanted();
        let market = question.market(&catalog, &wanted);
        let need = Need {
            ephemeral_ok: question.may_be_lost,
            ..question.need()
        };
        let found = plan(&need, &market);
        let enough = |offer: &&Offer| offer.meets == Meets::Sustained;
        let by_price = |one: &&Offer, other: &&Offer| one.price().total_cmp(&other.price());
        let best = found.offers.iter().filter(enough).min_by(by_price);
        let first = best.map_or(f64::INFINITY, Offer::price);
        differences.extend(riskier_than_needed(question, &found.offers));
        let layout = best.map_or("nothing", |offer| &offer.layout);
        let places = if question.anywhere {
            vec![
                (Cloud::Aws, "us-east-1"),
                (Cloud::Azure, "eastus"),
                (Cloud::Gcp, "us-central1"),
            ]
        } else {
            vec![(question.cloud, question.region)]
        };
        let than = first * (1.0 - ROUNDING);
        let mut tried = 0;
        let mut better: Option<(f64, String)> = None;
        // What finds nothing cheaper has to find the same, or it looked in the wrong places.
        let mut is_found_again = !first.is_finite() || best.is_none_or(Offer::is_volatile);
        for place in places {
            let shop = shops.at(&catalog, place);
            let (own, looked_at) = cheaper(question, &catalog, shop, than);
            tried += looked_at;
            better = better.or(own);
            is_found_again = is_found_again || {
                let (same, looked_at) = cheaper(question, &catalog, shop, first * (1.0 + ROUNDING));
                tried += looked_at;
                same.is_some()
            };
            let host = shop.cheapest_host(question);
            if question.may_be_lost && host < than {
                better = better.or(Some((host, "disks in the host".to_owned())));
            }
        }
        let text = format!("{question:?}: {layout} at {first:.2}");
        if !is_found_again {
            differences.push(format!("{text}, which the enumeration does not find"));
        }
        differences.extend(better.map(|better| format!("{text}, but {better:?}")));
        answers.push(format!("{text}, cheapest of {tried}"));
    }
    assert_eq!(differences, Vec::<String>::new());
    answers
}

/// What is wrong with the first of the offers: that the cheapest costs less by more than a
/// twentieth, or no less, or that it is not the safest of those that cost hardly more.
fn riskier_than_needed(question: &Question, offers: &[Offer]) -> Option<String> {
    let enough = || {
        let all = offers.iter().filter(|one| one.meets == Meets::Sustained);
        all.filter(|one| one.cost.is_some())
    };
    let first = enough().next()?;
    let by_price = |one: &&Offer, other: &&Offer| one.price().total_cmp(&other.price());
    let least = enough().min_by(by_price)?;
    let risk = |one: &Offer| (one.is_volatile(), one.volumes);
    let is_safer = |one: &&Offer| {
        let is_half = one.volumes * 2 <= least.volumes && one.is_volatile() == least.is_volatile();
        let is_less = is_half || least.is_volatile() && !one.is_volatile();
        is_less && one.price() * 0.95 < least.price()
    };
    let best = enough().filter(is_safer).min_by_key(|one| risk(one));
    let is_right = match best {
        Some(best) => risk(best) == risk(first) && is_safer(&first),
        None => first.price() <= least.price(),
    };
    (!is_right).then(|| format!("{question:?}: {} before {:?}", first.layout, best))
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
    let mut shops = Shops::default();
    for question in &QUESTIONS {
        let need = Need {
            ephemeral_ok: true,
            ..question.need()
        };
        let found = plan(&need, &question.market(&catalog, &ANY_MACHINE));
        let own = found.offers.iter().filter(|offer| offer.is_volatile());
        let least = own.map(Offer::price).fold(f64::INFINITY, f64::min);
        let expected = shops
            .at(&catalog, (question.cloud, question.region))
            .cheapest_host(question);
        let place = format!("{} {} IOPS", question.cloud, question.iops);
        assert!(expected.is_finite(), "{place}");
        assert!(
            least <= expected * (1.0 + ROUNDING),
            "{place}: {least} {expected}"
        );
        let all = question.need();
        let market = question.market(&catalog, &ANY_MACHINE);
        let without = cheapest(&plan(&all, &market).offers);
        let first = cheapest(&found.offers);
        assert!(
            first <= without.min(least),
            "{place}: {first} {without} {least}"
        );
    }
}

fn cheapest(offers: &[Offer]) -> f64 {
    let enough = offers.iter().filter(|one| one.meets == Meets::Sustained);
    enough.map(Offer::price).fold(f64::INFINITY, f64::min)
}
