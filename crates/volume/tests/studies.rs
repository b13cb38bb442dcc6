//! Published studies, computed again with the limits and prices of their days: what they found,
//! and what they left out.
#![expect(
    clippy::float_cmp,
    reason = "figures of the catalogue are exact, and compared whole"
)]

use fathom_volume::catalog::{Catalog, Date};
use fathom_volume::plan::{ANY_MACHINE, Market, Meets, Need, Offer, Scope, Wish, compare, plan};
use fathom_volume::{Cloud, Layout};

const MIB: f64 = 1_048_576.0;

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

fn wish(block_bytes: f64) -> Wish {
    Wish {
        block_bytes: Some(block_bytes),
        reads: Some(0.7),
        random: Some(1.0),
        capacity_gib: Some(1.0),
        ..Wish::default()
    }
}

fn need(block_bytes: f64) -> Need {
    wish(block_bytes).resolve().expect("a need")
}

fn iops(iops: f64, block_bytes: f64) -> Need {
    let wish = Wish {
        iops: Some(iops),
        ..wish(block_bytes)
    };
    wish.resolve().expect("a need")
}

/// Where and when a study was made.
#[derive(Clone, Copy, Default)]
struct WhereAndWhen<'a> {
    at: &'a str,
    region: Option<&'a str>,
    instance: Option<&'a str>,
}

fn weigh(layouts: &[&str], need: &Need, place: WhereAndWhen<'_>) -> Vec<Offer> {
    let catalog = Catalog::embedded();
    let at = day(place.at);
    let instance = place
        .instance
        .map(|name| catalog.instance(name, None, at).expect("an instance"));
    let market = Market {
        catalog: &catalog,
        at,
        region: place.region,
        instance,
        cloud: None,
        max_volumes: 8,
        wanted: &ANY_MACHINE,
        scope: Scope::Disks,
        terms: &fathom_volume::catalog::LIST_PRICES,
    };
    let layouts: Vec<Layout> = layouts
        .iter()
        .map(|text| text.parse().expect("a layout"))
        .collect();
    compare(&layouts, need, &market).expect("it can be").offers
}

const AUTUMN_2018: WhereAndWhen<'static> = WhereAndWhen {
    at: "2018-11-01",
    region: Some("eu-west-1"),
    instance: None,
};

#[test]
fn gp2_bursts_and_refills_as_its_table_says() {
    // GiB, sustained IOPS, minutes of burst at 3,000 IOPS, hours of refill. The smallest volume
    // has 15 h because no volume earns less than 100 credits a second; 30 would need 50 h.
    let cases = [
        ("gp2:1GiB", 100.0, 31.0, 15.0),
        ("gp2:10GiB", 100.0, 31.0, 15.0),
        ("gp2:33GiB", 100.0, 31.0, 15.0),
        ("gp2:50GiB", 150.0, 31.6, 10.0),
        ("gp2:100GiB", 300.0, 33.3, 5.0),
        ("gp2:200GiB", 600.0, 37.5, 2.5),
        ("gp2:250GiB", 750.0, 40.0, 2.0),
        ("gp2:500GiB", 1500.0, 60.0, 1.0),
        ("gp2:750GiB", 2250.0, 120.0, 0.7),
        ("gp2:900GiB", 2700.0, 300.0, 0.6),
    ];
    let layouts = cases.map(|(layout, ..)| layout);
    let offers = weigh(&layouts, &need(16_384.0), AUTUMN_2018);
    let tenth = |number: f64| (number * 10.0).round() / 10.0;
    let found: Vec<(&str, f64, f64, f64)> = offers
        .iter()
        .map(|offer| {
            let figures = &offer.figures;
            assert_eq!(figures.burst_iops, 3000.0);
            (
                offer.layout.as_str(),
                figures.sustained_iops,
                tenth(figures.burst_seconds.unwrap() / 60.0),
                tenth(figures.refill_seconds.unwrap() / 3600.0),
            )
        })
        .collect();
    assert_eq!(found, cases);
    // 40 minutes exactly, for the refill of 750 GiB and the burst of 250 GiB.
    assert!((offers[8].figures.refill_seconds.unwrap() - 2400.0).abs() < 1.0);
    assert!((offers[6].figures.burst_seconds.unwrap() - 2400.0).abs() < 1.0);
}

#[test]
fn one_volume_against_four_from_200_gib_to_14_tb() {
    // Total GiB; one: sustained, peak; four: sustained, peak; all at 4 KiB, so that only requests
    // count. 2018 and today.
    let cases = [
        (200, [600, 3_000, 600, 12_000], [600, 600]),
        (1_000, [3_000, 3_000, 3_000, 12_000], [3_000, 3_000]),
        (2_000, [6_000, 6_000, 6_000, 12_000], [6_000, 6_000]),
        (3_000, [9_000, 9_000, 9_000, 12_000], [9_000, 9_000]),
        (4_000, [10_000, 10_000, 12_000, 12_000], [12_000, 12_000]),
        (6_000, [10_000, 10_000, 18_000, 18_000], [16_000, 18_000]),
        (10_000, [10_000, 10_000, 30_000, 30_000], [16_000, 30_000]),
        (13_336, [10_000, 10_000, 40_000, 40_000], [16_000, 40_008]),
        (14_000, [10_000, 10_000, 40_000, 40_000], [16_000, 42_000]),
    ];
    let whole = |number: f64| number.round() as i64;
    for (total, then, now) in cases {
        let layouts = [
            format!("gp2:{total}GiB"),
            format!("4x gp2:{}GiB", total / 4),
        ];
        let layouts = [layouts[0].as_str(), layouts[1].as_str()];
        let found = weigh(&layouts, &need(4096.0), AUTUMN_2018);
        let [one, four] = [&found[0].figures, &found[1].figures];
        let rates = [
            one.sustained_iops,
            one.burst_iops,
            four.sustained_iops,
            four.burst_iops,
        ];
        assert_eq!(rates.map(whole), then, "{total} GiB in 2018");
        let today = WhereAndWhen {
            at: "2026-11-21",
            ..AUTUMN_2018
        };
        let found = weigh(&layouts, &need(4096.0), today);
        let rates = [
            found[0].figures.sustained_iops,
            found[1].figures.sustained_iops,
        ];
        assert_eq!(rates.map(whole), now, "{total} GiB today");
    }
}

#[test]
fn the_cheap_stripe_has_10_000_iops_for_38_minutes() {
    let layouts = ["io1:200GiB:10000iops", "4x gp2:50GiB"];
    let found = weigh(&layouts, &iops(10_000.0, 4096.0), AUTUMN_2018);
    let [io1, gp2] = [&found[0], &found[1]];
    let price = |offer: &Offer| (offer.cost.as_ref().unwrap().total * 100.0).round() / 100.0;
    assert_eq!((price(io1), price(gp2)), (747.60, 22.00));
    assert_eq!(io1.meets, Meets::Sustained);
    // At its 12,000 it ends after 31.6 minutes, at the 10,000 asked for a little later.
    let figures = &gp2.figures;
    let minutes = figures.burst_seconds.unwrap() / 60.0;
    let rounded = (minutes * 10.0).round() / 10.0;
    assert_eq!((figures.burst_iops, rounded), (12_000.0, 31.6));
    assert_eq!(figures.sustained_iops, 600.0);
    assert!((figures.refill_seconds.unwrap() / 3600.0 - 10.0).abs() < 0.01);
    let Meets::Burst(seconds) = gp2.meets else {
        panic!("a burst is all it has: {:?}", gp2.meets);
    };
    assert!((seconds - 5.4e6 / (2_500.0 - 150.0)).abs() < 1.0);
    // For 1,000 IOPS that last the two are two to one, not 34 to one.
    let each = [io1, gp2].map(|offer| offer.price_per_1000_iops().unwrap().round());
    assert_eq!(each, [75.0, 37.0]);
}

#[test]
fn what_the_747_dollars_buy_today() {
    let today = WhereAndWhen {
        at: "2026-11-21",
        ..AUTUMN_2018
    };
    let layout = ["gp3:200GiB:10000iops:320MiB/s"];
    let found = weigh(&layout, &iops(10_000.0, 4096.0), today);
    let cost = found[0].cost.as_ref().unwrap();
    assert_eq!((cost.total * 100.0).round() / 100.0, 64.68);
}

#[test]
fn an_r5d_xlarge_never_gives_25_000_iops() {
    let behind = WhereAndWhen {
        instance: Some("r5d.xlarge"),
        ..AUTUMN_2018
    };
    let layouts = ["io1:500GiB:25000iops", "4x gp2:250GiB"];
    let found = weigh(&layouts, &iops(25_000.0, 4096.0), behind);
    let io1 = &found[0].figures;
    assert_eq!((io1.burst_iops, io1.sustained_iops), (18_750.0, 6_000.0));
    assert_eq!(io1.bound_by, ["r5d.xlarge IOPS"]);
    assert!((io1.burst_seconds.unwrap() - 1_800.0).abs() < 1.0);
    let refused = Meets::No("limited by r5d.xlarge IOPS".to_owned());
    assert_eq!(found[0].meets, refused);
    // The stripe's 12,000 are above the instance's 6,000 too; its own credit ends first.
    let gp2 = &found[1].figures;
    assert_eq!((gp2.burst_iops, gp2.sustained_iops), (12_000.0, 3_000.0));
    assert!((gp2.burst_seconds.unwrap() - 2_400.0).abs() < 1.0);
    // Requests of 256 KiB: 437.5 MB/s for half an hour, then 106.25.
    let large = weigh(&layouts[..1], &need(262_144.0), behind);
    let rates = [large[0].figures.burst_iops, large[0].figures.sustained_iops];
    assert_eq!(rates.map(f64::round), [1_669.0, 405.0]);
}

const SUMMER_2023: WhereAndWhen<'static> = WhereAndWhen {
    at: "2023-06-01",
    region: Some("us-east-1"),
    instance: None,
};

#[test]
fn both_limits_of_gp3_meet_at_8_kib() {
    let layout = ["gp3:1000GiB:16000iops"];
    // Bytes of a request, IOPS, what binds.
    let cases: [(f64, f64, &[&str]); 5] = [
        (4_096.0, 16_000.0, &["gp3 IOPS"]),
        (8_192.0, 16_000.0, &["gp3 IOPS", "gp3 throughput"]),
        (16_384.0, 8_000.0, &["gp3 throughput"]),
        (65_536.0, 2_000.0, &["gp3 throughput"]),
        (262_144.0, 500.0, &["gp3 throughput"]),
    ];
    for (bytes, iops, bound) in cases {
        let found = weigh(&layout, &need(bytes), SUMMER_2023);
        let figures = &found[0].figures;
        assert_eq!(figures.sustained_iops, iops, "{bytes} bytes");
        assert_eq!(figures.bound_by, bound, "{bytes} bytes");
        assert_eq!(figures.crossover_bytes, Some(8_192.0));
    }
}

#[test]
fn gp3_takes_four_iops_for_a_mib_a_second() {
    // 750 MiB/s are what the included 3,000 IOPS allow, 1,000 take 4,000.
    let catalog = Catalog::embedded();
    let market = Market {
        catalog: &catalog,
        at: day("2023-06-01"),
        region: None,
        instance: None,
        cloud: Some(Cloud::Aws),
        max_volumes: 1,
        wanted: &ANY_MACHINE,
        scope: Scope::Disks,
        terms: &fathom_volume::catalog::LIST_PRICES,
    };
    let layout = |rate: f64| {
        let wish = Wish {
            bytes_per_second: Some(rate * MIB),
            ..wish(262_144.0)
        };
        let offers = plan(&wish.resolve().unwrap(), &market).offers;
        let gp3 = offers.iter().find(|offer| offer.layout.starts_with("gp3"));
        gp3.map(|offer| offer.layout.clone())
    };
    assert_eq!(layout(750.0), Some("gp3:1GiB:750MiB/s".to_owned()));
    let thousand = "gp3:8GiB:4000iops:1000MiB/s".to_owned();
    assert_eq!(layout(1_000.0), Some(thousand));
    assert_eq!(layout(1_001.0), None);
}

#[test]
fn five_volumes_fill_an_instance_of_80_000_iops() {
    let behind = WhereAndWhen {
        instance: Some("c5.18xlarge"),
        ..SUMMER_2023
    };
    let layouts = ["5x gp3:200GiB:16000iops", "6x gp3:200GiB:16000iops"];
    let found = weigh(&layouts, &need(8_192.0), behind);
    let [five, six] = [&found[0].figures, &found[1].figures];
    assert_eq!(
        (five.sustained_iops, six.sustained_iops),
        (80_000.0, 80_000.0)
    );
    // All three limits at once: no test of 8 KiB can tell which.
    let all = ["c5.18xlarge IOPS", "5x gp3 IOPS", "5x gp3 throughput"];
    assert_eq!(five.bound_by, all);
    assert_eq!(six.bound_by, ["c5.18xlarge IOPS"]);
    let price = |offer: &Offer| offer.cost.as_ref().unwrap().total.round();
    let today = WhereAndWhen {
        at: "2026-11-21",
        ..SUMMER_2023
    };
    let layouts = [
        "5x gp3:200GiB:16000iops",
        "gp3:1000GiB:80000iops:625MiB/s",
        "io2:1000GiB:80000iops",
    ];
    let found = weigh(&layouts, &need(8_192.0), today);
    let prices: Vec<f64> = found.iter().map(price).collect();
    assert_eq!(prices, [405.0, 485.0, 4_171.0]);
}

#[test]
fn a_b2ms_gives_a_tenth_of_its_disks() {
    let behind = WhereAndWhen {
        at: "2026-11-21",
        region: Some("eastus"),
        instance: Some("Standard_B2ms"),
    };
    let found = weigh(&["3x P30"], &need(4_096.0), behind);
    let figures = &found[0].figures;
    assert_eq!(figures.sustained_iops.round(), 1_920.0);
    assert_eq!(figures.bound_by, ["Standard_B2ms IOPS"]);
    let disks = figures.terms.iter().find(|term| term.name == "P30 IOPS");
    assert_eq!(disks.map(|term| term.iops.0), Some(15_000.0));
}

#[test]
fn an_e32s_v3_has_48_mb_for_a_core_that_needs_100() {
    let behind = |instance| WhereAndWhen {
        at: "2026-11-21",
        region: Some("eastus"),
        instance: Some(instance),
    };
    let wish = Wish {
        bytes_per_second: Some(16.0 * 100e6),
        random: Some(0.0),
        ..wish(65_536.0)
    };
    let need = wish.resolve().unwrap();
    let layouts = ["4x P30", "3x P50", "8x P30"];
    let found = weigh(&layouts, &need, behind("E32s_v3"));
    let rate = |offer: &Offer| {
        let figures = &offer.figures;
        [
            figures.sustained_bytes_per_second,
            figures.burst_bytes_per_second,
        ]
        .map(|rate| (rate / 1e6).round())
    };
    let rates: Vec<[f64; 2]> = found.iter().map(rate).collect();
    assert_eq!(rates, [[768.0, 800.0], [750.0, 750.0], [768.0, 1_600.0]]);
    assert_eq!(rates[0][0] / 16.0, 48.0);
    // Eight disks give all 1,600 for the first half hour: a shorter test is deceived.
    let Meets::Burst(seconds) = found[2].meets else {
        panic!("{:?}", found[2].meets);
    };
    assert!((seconds - 1_800.0).abs() < 1.0);
    // With fewer active processors the same machine has more for each: 96 and 192.
    for (name, cores, each) in [("E32-16s_v3", 8.0, 96.0), ("E32-8s_v3", 4.0, 192.0)] {
        let found = weigh(&layouts[..1], &need, behind(name));
        let rate = found[0].figures.sustained_bytes_per_second / 1e6;
        assert_eq!((rate / cores).round(), each, "{name}");
    }
}

#[test]
fn the_bus_of_a_proliant() {
    let catalog = Catalog::embedded();
    let lane = |name: &str| catalog.link(name).unwrap().bytes_per_second(1) / 1e6;
    assert_eq!((lane("sas-3g"), lane("sas-6g")), (300.0, 600.0));
    // "2 GB/s" is PCIe 1.0 x8; the controller of the study is PCIe 2.0 x8.
    let eight = |name: &str| catalog.link(name).unwrap().bytes_per_second(8) / 1e6;
    assert_eq!((eight("pcie1"), eight("pcie2")), (2_000.0, 4_000.0));
    let disks = |bus: f64, link: &str| (bus / lane(link)) as u32 + 1;
    // The first disk that is too many at the rate of its link.
    let of_study = [disks(2_000.0, "sas-3g"), disks(2_000.0, "sas-6g")];
    assert_eq!(of_study, [7, 4]);
    let of_controller = [disks(4_000.0, "sas-3g"), disks(4_000.0, "sas-6g")];
    assert_eq!(of_controller, [14, 7]);
}
