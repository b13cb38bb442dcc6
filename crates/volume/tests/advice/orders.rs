//! What vendors sell, by rules typed from their pages, against the rules of the catalogue.

use fathom_volume::catalog::{Catalog, Date, VolumeOrder, VolumeType};
use rand_core::SeedableRng as _;
use rand_distr::{Distribution as _, StandardUniform};
use rand_xoshiro::Xoshiro256PlusPlus;

type Range = (f64, f64);

/// What can be ordered of a type: GiB, IOPS for a size, and units of throughput for a size and
/// IOPS.
struct Rule {
    name: &'static str,
    gib: Range,
    iops: Option<fn(f64) -> Range>,
    rate: Option<fn(f64, f64) -> Range>,
}

const fn by_size(name: &'static str, gib: Range) -> Rule {
    Rule {
        name,
        gib,
        iops: None,
        rate: None,
    }
}

/// Of GiB x ratio, but no less than what comes with each.
fn up_to(gib: f64, ratio: f64, included: f64, most: f64) -> f64 {
    (gib * ratio).max(included).min(most)
}

const RULES: [Rule; 16] = [
    by_size("gp2", (1.0, 16_384.0)),
    by_size("st1", (125.0, 16_384.0)),
    by_size("pd-ssd", (10.0, 65_536.0)),
    by_size("rds-gp3-small", (20.0, 399.0)),
    Rule {
        name: "gp3",
        gib: (1.0, 65_536.0),
        iops: Some(|gib| (3e3, up_to(gib, 500.0, 3e3, 8e4))),
        rate: Some(|_, iops| (125.0, (iops / 4.0).min(2_000.0))),
    },
    Rule {
        name: "io1",
        gib: (4.0, 16_384.0),
        iops: Some(|gib| (100.0, up_to(gib, 50.0, 0.0, 64e3))),
        rate: None,
    },
    Rule {
        name: "io2",
        gib: (4.0, 65_536.0),
        iops: Some(|gib| (100.0, up_to(gib, 1_000.0, 0.0, 256e3))),
        rate: None,
    },
    Rule {
        name: "premium-ssd-v2",
        gib: (1.0, 65_536.0),
        iops: Some(|gib| (3e3, up_to(gib, 500.0, 3e3, 8e4))),
        rate: Some(|_, iops| (125.0, (iops / 4.0).min(2_000.0))),
    },
    Rule {
        name: "ultra",
        gib: (4.0, 65_536.0),
        iops: Some(|gib| (100.0, up_to(gib, 1_000.0, 0.0, 4e5))),
        rate: Some(|_, iops| (1.0, (iops / 4.0).min(1e4))),
    },
    Rule {
        name: "hyperdisk-balanced",
        gib: (4.0, 65_536.0),
        iops: Some(|gib| (3e3, up_to(gib, 500.0, 3e3, 16e4))),
        rate: Some(|_, iops| ((iops / 256.0).max(140.0), (iops / 4.0).min(2_400.0))),
    },
    Rule {
        name: "hyperdisk-extreme",
        gib: (64.0, 65_536.0),
        iops: Some(|gib| (128.0, up_to(gib, 1_200.0, 0.0, 35e4))),
        rate: None,
    },
    Rule {
        name: "hyperdisk-throughput",
        gib: (2_048.0, 32_768.0),
        iops: None,
        rate: Some(|gib, _| {
            let tib = gib / 1_024.0;
            ((5.0 * tib).max(20.0), (90.0 * tib).min(2_400.0))
        }),
    },
    Rule {
        name: "pd-extreme",
        gib: (500.0, 65_536.0),
        iops: Some(|_| (2_500.0, 12e4)),
        rate: None,
    },
    Rule {
        name: "rds-gp3",
        gib: (400.0, 65_536.0),
        iops: Some(|gib| (12e3, up_to(gib, 500.0, 12e3, 64e3))),
        rate: Some(|_, iops| (500.0, (iops / 4.0).min(4_000.0))),
    },
    Rule {
        name: "rds-io1",
        gib: (400.0, 65_536.0),
        iops: Some(|gib| ((gib / 2.0).max(1e3), up_to(gib, 50.0, 0.0, 256e3))),
        rate: None,
    },
    Rule {
        name: "rds-sqlserver-gp3",
        gib: (20.0, 16_384.0),
        iops: Some(|gib| ((gib / 2.0).max(3e3), up_to(gib, 500.0, 3e3, 16e3))),
        rate: Some(|_, iops| (125.0, (iops / 4.0).min(1_000.0))),
    },
];

fn today() -> Date {
    "2026-11-22".parse().expect("a day")
}

impl Rule {
    fn sells(&self, volume: &VolumeType, order: &VolumeOrder) -> bool {
        let holds = |range: Range, asked: f64| {
            let is_within = asked > range.0 * (1.0 - 1e-9) && asked < range.1 * (1.0 + 1e-9);
            is_within && (asked - asked.round()).abs() < 1e-6
        };
        let gib = order.size_gib.expect("a size");
        let iops = order.iops.unwrap_or(match self.name {
            "rds-gp3" => 12e3,
            _ => 3e3,
        });
        let rate = order
            .bytes_per_second
            .map(|bytes| bytes / volume.unit_bytes);
        holds(self.gib, gib)
            && order
                .iops
                .is_none_or(|own| self.iops.is_some_and(|rule| holds(rule(gib), own)))
            && rate.is_none_or(|own| self.rate.is_some_and(|rule| holds(rule(gib, iops), own)))
    }
}

/// Both ends of a range, what is next to them, and what is not whole.
fn around((least, most): Range) -> Vec<f64> {
    let middle = (least * most).sqrt().round();
    let ends = [least, most, middle, least.ceil(), most.floor()];
    let near = ends
        .into_iter()
        .flat_map(|end| [end - 1.0, end, end + 1.0, end + 0.5]);
    near.filter(|number| *number > 0.0).collect()
}

/// The orders around the rules of a type.
fn orders(rule: &Rule, volume: &VolumeType) -> Vec<VolumeOrder> {
    let mut all = Vec::new();
    for gib in around(rule.gib) {
        let plain = VolumeOrder::new(rule.name, Some(gib));
        let iops = rule.iops.map_or_else(Vec::new, |of| around(of(gib)));
        let sized = iops.iter().map(|iops| plain.clone().iops(*iops));
        // Of Ultra Disk IOPS have to be ordered.
        let without = (rule.name != "ultra").then(|| plain.clone());
        for order in sized.chain(without) {
            let known = order.iops.unwrap_or(3e3);
            let rates = rule.rate.map_or_else(Vec::new, |of| around(of(gib, known)));
            let rated = rates.into_iter().map(|rate| {
                let bytes = rate * volume.unit_bytes;
                order.clone().bytes_per_second(bytes)
            });
            all.extend(rated.chain([order.clone()]));
        }
    }
    all
}

#[test]
fn what_no_vendor_sells_is_refused_and_nothing_else() {
    let catalog = Catalog::embedded();
    let (mut wrong, mut seen) = (Vec::new(), [0, 0]);
    for rule in &RULES {
        let volume = catalog.volume(rule.name, today()).expect(rule.name);
        for order in orders(rule, volume) {
            let is_sold = rule.sells(volume, &order);
            seen[usize::from(is_sold)] += 1;
            if is_sold != volume.refusals(&order).is_empty() {
                wrong.push(format!(
                    "{order:?}: {is_sold}, {:?}",
                    volume.refusals(&order)
                ));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(seen.iter().all(|count| *count > 1_000), "{seen:?}");
}

/// What the search orders is sold, is enough, and is the smallest that is.
#[test]
fn what_is_ordered_for_a_need_is_the_smallest_on_sale() {
    let catalog = Catalog::embedded();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut unit = || -> f64 { StandardUniform.sample(&mut random) };
    let (mut wrong, mut found) = (Vec::new(), 0);
    for rule in RULES
        .iter()
        .filter(|rule| rule.iops.is_some() || rule.rate.is_some())
    {
        let volume = catalog.volume(rule.name, today()).expect(rule.name);
        for _ in 0..2_000 {
            let gib = 65_536_f64.powf(unit());
            let iops = rule.iops.map_or(0.0, |_| 3e5_f64.powf(unit()));
            let rate = rule.rate.map_or(0.0, |_| 3e3_f64.powf(unit()));
            let Some(order) = volume.order_for(gib, iops, rate * volume.unit_bytes) else {
                continue;
            };
            found += 1;
            let mut own = vec![rule.sells(volume, &order)];
            own.push(order.size_gib >= Some(gib));
            own.extend(order.iops.map(|own| own >= iops));
            own.extend(
                order
                    .bytes_per_second
                    .map(|own| own / volume.unit_bytes >= rate - 1e-6),
            );
            // A GiB less is too small, or no longer sold with what is needed.
            let smaller = order.size_gib.map(|gib| gib - 1.0);
            let less = VolumeOrder {
                size_gib: smaller,
                ..order.clone()
            };
            own.push(smaller < Some(gib) || !rule.sells(volume, &less));
            if own.contains(&false) {
                wrong.push(format!("{gib} {iops} {rate}: {order:?} {own:?}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(found > 5_000, "{found}");
}
