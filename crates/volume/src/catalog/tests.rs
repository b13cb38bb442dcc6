//! Known answers: published tables, prices, orders that cannot be meant.
#![expect(
    clippy::float_cmp,
    reason = "figures of the catalogue are exact, and compared whole"
)]

use super::*;
use fathom_core::CapUnit;
use jiff::civil::date;

const MIB: f64 = 1_048_576.0;

fn limits(text_name: &str, gib: f64, at: Date) -> VolumeLimits {
    order(&VolumeOrder::new(text_name, Some(gib)), at)
}

fn order(order: &VolumeOrder, at: Date) -> VolumeLimits {
    let catalog = Catalog::embedded();
    let volume = catalog.volume(&order.name, at).expect("the type is known");
    volume.limits(order, at).expect("the order can be meant")
}

/// IOPS sustained and at the peak, and MiB/s, rounded.
fn figures(limits: &VolumeLimits) -> (f64, Option<f64>, f64) {
    let iops = limits.cap(CapUnit::Iops).expect("requests are limited");
    let bytes = limits
        .cap(CapUnit::BytesPerSecond)
        .expect("bytes are limited");
    let peak = iops.burst.map(|burst| burst.value);
    (iops.value, peak, bytes.value / MIB)
}

#[test]
fn the_embedded_files_are_read() {
    let catalog = Catalog::embedded();
    let names = |rows: &mut dyn Iterator<Item = &str>| {
        let mut names: Vec<&str> = rows.collect();
        names.sort_unstable();
        names.dedup();
        names.len()
    };
    let of = |cloud: Cloud| {
        let rows = catalog
            .instances
            .iter()
            .filter(move |row| row.cloud == cloud);
        names(&mut rows.map(|row| row.name.as_str()))
    };
    let volumes = names(&mut catalog.volumes.iter().map(|row| row.name.as_str()));
    assert_eq!(
        (
            of(Cloud::Aws),
            of(Cloud::Azure),
            volumes,
            catalog.prices.prices().len()
        ),
        (1427, 838, 89, 1401)
    );
}

#[test]
fn gp2_of_2018_and_of_today_are_the_published_tables() {
    let then = date(2018, 11, 1);
    let now = date(2026, 11, 21);
    // GiB, baseline then, baseline now, peak, MiB/s then, MiB/s now.
    let cases = [
        (10.0, 100.0, 100.0, Some(3000.0), 128.0, 128.0),
        (50.0, 150.0, 150.0, Some(3000.0), 128.0, 128.0),
        (200.0, 600.0, 600.0, Some(3000.0), 160.0, 250.0),
        (250.0, 750.0, 750.0, Some(3000.0), 160.0, 250.0),
        (750.0, 2250.0, 2250.0, Some(3000.0), 160.0, 250.0),
        (1000.0, 3000.0, 3000.0, None, 160.0, 250.0),
        (3334.0, 10_000.0, 10_002.0, None, 160.0, 250.0),
        (5334.0, 10_000.0, 16_000.0, None, 160.0, 250.0),
    ];
    for (gib, base_then, base_now, peak, mib_then, mib_now) in cases {
        assert_eq!(
            figures(&limits("gp2", gib, then)),
            (base_then, peak, mib_then),
            "{gib}"
        );
        assert_eq!(
            figures(&limits("gp2", gib, now)),
            (base_now, peak, mib_now),
            "{gib}"
        );
    }
}

#[test]
fn limits_change_on_their_days() {
    let cases = [
        ("gp2", date(2018, 12, 2), 10_000.0),
        ("gp2", date(2018, 12, 3), 16_000.0),
    ];
    for (name, at, iops) in cases {
        assert_eq!(figures(&limits(name, 16_000.0, at)).0, iops, "{at}");
    }
    let gp3 = |at: Date| {
        let wish = VolumeOrder::new("gp3", Some(1000.0)).iops(80_000.0);
        let remarks = order(&wish.bytes_per_second(2000.0 * MIB), at).remarks;
        remarks
            .into_iter()
            .map(|remark| remark.text)
            .collect::<Vec<_>>()
    };
    assert_eq!(gp3(date(2025, 9, 26)), Vec::<String>::new());
    assert_eq!(
        gp3(date(2023, 6, 1)),
        [
            "80,000 IOPS are not on offer for gp3 as far as the catalogue knows (at most 16,000, \
             as of 2023-05-11); taken as given",
            "2,000 MiB/s are not on offer for gp3 as far as the catalogue knows (at most 1,000 \
             with 80,000 IOPS, as of 2023-05-11); taken as given",
        ]
    );
    assert_eq!(
        gp3(date(2018, 1, 1))[0],
        "no limits of gp3 are known for 2018-01-01; those used here held 2020-12-01 to 2025-09-25"
    );
}

#[test]
fn throughput_of_io1_follows_from_its_iops() {
    let at = |iops: f64, day: Date| {
        let wish = VolumeOrder::new("io1", Some(1280.0)).iops(iops);
        figures(&order(&wish, day)).2
    };
    let now = date(2020, 1, 1);
    let cases = [(1000.0, 250.0), (2000.0, 500.0), (32_000.0, 500.0)];
    for (iops, mib) in cases {
        assert_eq!(at(iops, now), mib, "{iops}");
    }
    assert_eq!((at(48_000.0, now), at(64_000.0, now)), (750.0, 1000.0));
    // Before 2018-11-27 nothing passed 500 MiB/s.
    assert_eq!(at(32_000.0, date(2018, 11, 1)), 500.0);
}

#[test]
fn st1_and_sc1_grow_with_their_size() {
    let now = date(2023, 6, 1);
    // GiB, base, burst in MiB/s; credit is a full scan.
    let cases = [
        ("st1", 1024.0, 40.0, Some(250.0)),
        ("st1", 2048.0, 80.0, Some(500.0)),
        ("st1", 12_800.0, 500.0, None),
        ("sc1", 1024.0, 12.0, Some(80.0)),
    ];
    for (name, gib, base, burst) in cases {
        let limits = limits(name, gib, now);
        let cap = limits
            .cap(CapUnit::BytesPerSecond)
            .expect("bytes are limited");
        assert_eq!(cap.value / MIB, base, "{name} {gib}");
        assert_eq!(
            cap.burst.map(|burst| burst.value / MIB),
            burst,
            "{name} {gib}"
        );
        if let Some(burst) = cap.burst {
            assert_eq!(burst.capacity / MIB, gib * 1024.0);
        }
    }
    // 1 TiB of st1: 4,993 s at full burst.
    let st1 = limits("st1", 1024.0, now);
    let burst = st1.cap(CapUnit::BytesPerSecond).and_then(|cap| cap.burst);
    let seconds = burst.map(|b| (b.capacity / (b.value - 40.0 * MIB)).round());
    assert_eq!(seconds, Some(4993.0));
}

#[test]
fn azure_tiers_burst_for_thirty_minutes() {
    let now = date(2026, 11, 21);
    // Tier, IOPS, seconds to fill an empty bucket.
    let cases = [
        ("P4", 120.0, 50_700.0),
        ("P10", 500.0, 10_800.0),
        ("P20", 2300.0, 939.0),
    ];
    for (name, iops, refill) in cases {
        let cap = order(&VolumeOrder::new(name, None), now);
        let cap = cap
            .cap(CapUnit::Iops)
            .expect("requests are limited")
            .clone();
        let burst = cap.burst.expect("it bursts");
        assert_eq!(cap.value, iops, "{name}");
        assert_eq!((burst.capacity / iops).round(), refill, "{name}");
    }
    let catalog = Catalog::embedded();
    let tier = |gib: f64| {
        catalog
            .tier("premium-ssd", gib, now)
            .map(|tier| tier.name.clone())
    };
    assert_eq!(tier(1000.0).as_deref(), Some("P30"));
    assert_eq!(tier(1024.0).as_deref(), Some("P30"));
    assert_eq!(tier(1024.5).as_deref(), Some("P40"));
    assert_eq!(tier(40_000.0), None);
}

#[test]
fn instances_are_known_by_day_and_by_short_name() {
    let catalog = Catalog::embedded();
    let network = |name: &str, at: Date| {
        let row = catalog.instance(name, None, at).expect("it is known");
        let path = row.network.expect("it has limits");
        (
            path.iops,
            path.max_iops,
            path.bytes_per_second,
            path.max_bytes_per_second,
        )
    };
    let then = date(2018, 11, 29);
    let now = date(2026, 11, 21);
    assert_eq!(
        network("r5d.xlarge", then),
        (Some(6000.0), Some(18_750.0), Some(106.25e6), Some(437.5e6))
    );
    assert_eq!(
        network("r5d.xlarge", now),
        (Some(6000.0), Some(18_750.0), Some(143.75e6), Some(593.75e6))
    );
    assert_eq!(network("b2ms", now), network("Standard_B2ms", now));
    assert_eq!(network("B2ms", now).0, Some(1920.0));
    // Fewer processors, the same way to the disks; also of sizes that have no row of their own.
    assert_eq!(network("E32-16s_v3", now), network("E32s_v3", now));
    assert_eq!(network("D8-2s_v3", now), network("D8s_v3", now));
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    let catalog = Catalog::embedded();
    let now = date(2026, 11, 21);
    let unknown = catalog.volume("pg3", now).expect_err("no such type");
    assert_eq!(
        (unknown.to_string().as_str(), unknown.nearest.as_deref()),
        ("there is no volume type `pg3`", Some("gp3"))
    );
    let unknown = catalog
        .instance("r5d.xlrage", None, now)
        .expect_err("no such type");
    assert_eq!(unknown.nearest.as_deref(), Some("r5d.xlarge"));
    let unknown = catalog
        .instance("Standard_E32sv3", None, now)
        .expect_err("no such type");
    assert_eq!(unknown.nearest.as_deref(), Some("Standard_E32s_v3"));
}

#[test]
fn an_order_that_cannot_be_meant_is_refused() {
    let catalog = Catalog::embedded();
    let now = date(2026, 11, 21);
    let refuse = |order: VolumeOrder| {
        let volume = catalog.volume(&order.name, now).expect("the type is known");
        volume
            .limits(&order, now)
            .expect_err("it cannot be meant")
            .to_string()
    };
    let of = |name: &str, gib: f64| VolumeOrder::new(name, Some(gib));
    assert_eq!(
        refuse(of("gp2", 100.0).iops(5000.0)),
        "gp2 has no IOPS to choose"
    );
    assert_eq!(
        refuse(of("io1", 200.0)),
        "io1 needs its IOPS, as in `io1:200GiB:10000iops`"
    );
    assert_eq!(
        refuse(VolumeOrder::new("gp2", None)),
        "gp2 needs its size, as in `gp2:250GiB`"
    );
    assert_eq!(
        refuse(of("gp2", 0.0)),
        "gp2 cannot have 0 GiB: a size is more than nothing"
    );
    assert_eq!(
        refuse(of("P30", 2000.0)),
        "P30 cannot have 2,000 GiB: it ends at 1,024 GiB"
    );
}

#[test]
fn prices_add_up_to_the_published_ones() {
    let catalog = Catalog::embedded();
    let bill = |order: VolumeOrder, at: Date| {
        let volume = catalog.volume(&order.name, at).expect("the type is known");
        let bill = catalog.prices().bill(volume, &order, "eu-west-1", at, None);
        (bill.expect("it has prices").total * 100.0).round() / 100.0
    };
    let then = date(2018, 11, 1);
    let now = date(2026, 11, 21);
    let io1 = VolumeOrder::new("io1", Some(200.0)).iops(10_000.0);
    assert_eq!(bill(io1, then), 747.60);
    assert_eq!(4.0 * bill(VolumeOrder::new("gp2", Some(50.0)), then), 22.0);
    let gp3 = VolumeOrder::new("gp3", Some(200.0)).iops(10_000.0);
    assert_eq!(bill(gp3.bytes_per_second(320.0 * MIB), now), 64.68);
}

#[test]
fn a_price_that_is_not_known_is_not_nought() {
    let catalog = Catalog::embedded();
    let now = date(2026, 11, 21);
    let refuse = |name: &str, iops: f64, region: &str| {
        let order = VolumeOrder::new(name, Some(500.0)).iops(iops);
        let volume = catalog.volume(name, now).expect("the type is known");
        let bill = catalog.prices().bill(volume, &order, region, now, None);
        bill.expect_err("it has no price").to_string()
    };
    assert_eq!(
        refuse("gp3", 4000.0, "mars-1"),
        "no price of gp3 is known in mars-1"
    );
    assert_eq!(
        refuse("hyperdisk-extreme", 4000.0, "europe-west1"),
        "the price of the IOPS of hyperdisk-extreme is not known in europe-west1"
    );
}

#[test]
fn a_folder_of_the_user_adds_and_beats() {
    let mut catalog = Catalog::embedded();
    let volumes = "name,law,iops_max,unit,tput_max,source,as_of\n\
                   gp3,fixed,99,MiB,1,my notes,2026-11-20\n\
                   own,fixed,7,MiB,1,my notes,2026-11-20\n";
    let file = CatalogFile {
        path: "aws/volumes.csv",
        text: volumes,
    };
    catalog.add(&file).expect("it is of the form");
    let now = date(2026, 11, 21);
    let iops = |name: &str| {
        let volume = catalog.volume(name, now).expect("the type is known");
        let limits = volume.limits(&VolumeOrder::new(name, None), now);
        limits
            .expect("it is valid")
            .cap(CapUnit::Iops)
            .map(|cap| cap.value)
    };
    assert_eq!((iops("gp3"), iops("own")), (Some(99.0), Some(7.0)));
}

#[test]
fn a_damaged_file_is_told_with_its_line() {
    let refuse = |path: &str, text: &str| {
        let file = CatalogFile { path, text };
        Catalog::default()
            .add(&file)
            .expect_err("it is damaged")
            .to_string()
    };
    let head = "name,law,iops_max,unit,tput_max,source,as_of\n";
    let row = |row: &str| refuse("aws/volumes.csv", &format!("# mine\n{head}{row}\n"));
    assert_eq!(
        row("x,odd,1,MiB,1,me,2026"),
        "aws/volumes.csv:3: `odd` is not a law"
    );
    assert_eq!(
        row("x,fixed,many,MiB,1,me,2026"),
        "aws/volumes.csv:3: field 2: expected a number"
    );
    assert_eq!(
        row("x,fixed,,MiB,1,me,2026"),
        "aws/volumes.csv:3: the law of this row needs a number in `iops_max`"
    );
    assert_eq!(
        row("x,fixed,1,MiB,1,,2026"),
        "aws/volumes.csv:3: no source is named"
    );
    assert_eq!(
        row("x,fixed"),
        "aws/volumes.csv:3: 2 fields under 7 headings"
    );
    assert_eq!(
        refuse("aws/other.csv", ""),
        "aws/other.csv: not a file of a catalogue"
    );
}

#[test]
fn links_carry_what_their_code_leaves() {
    let catalog = Catalog::embedded();
    let rate = |name: &str, lanes: u32| {
        let link = catalog.link(name).expect("the link is known");
        (link.bytes_per_second(lanes) / 1e5).round() / 10.0
    };
    let cases = [
        ("sata-3g", 1, 300.0),
        ("sas-6g", 1, 600.0),
        ("sas-12g", 1, 1200.0),
        ("pcie1", 8, 2000.0),
        ("pcie2", 8, 4000.0),
        ("pcie3", 4, 3938.5),
        ("pcie4", 4, 7876.9),
        ("pcie5", 4, 15_753.8),
    ];
    for (name, lanes, megabytes) in cases {
        assert_eq!(rate(name, lanes), megabytes, "{name} x{lanes}");
    }
}

#[test]
fn rotation_and_seek_give_the_rate_of_a_disk() {
    let catalog = Catalog::embedded();
    let iops = |name: &str| {
        let volume = catalog
            .volume(name, date(2026, 11, 21))
            .expect("it is known");
        match &volume.law {
            Law::Device(device) => device
                .random_iops()
                .map(|iops| (iops * 10.0).round() / 10.0),
            _ => None,
        }
    };
    assert_eq!(
        ["hdd-7200", "hdd-10k", "hdd-15k"].map(iops),
        [Some(78.9), Some(142.9), Some(185.2)]
    );
}
