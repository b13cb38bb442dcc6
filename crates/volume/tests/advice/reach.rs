//! Clouds and sizes of which less is known: what is known of them counts.

use super::defects::{need, place};
use fathom_volume::catalog::Cloud;
use fathom_volume::plan::{Meets, Offer};

/// Requests of 4 KiB that a layout gives for good, and whether its price is known.
fn gives(cloud: Cloud, text: &str) -> (u64, bool) {
    let setting = place(cloud, None);
    let offer = &setting.compare(&[text], &need(1_000.0, 4.0, 100.0))[0];
    let figures = &offer.figures;
    (figures.sustained_iops.round() as u64, offer.cost.is_some())
}

#[test]
fn volumes_of_oracle_follow_their_performance_level() {
    // 75 IOPS and 0.6 MB/s for each GB; 25,000 and 480 at most.
    assert_eq!(gives(Cloud::Oci, "vpu20:400GiB").0, 30_000);
    assert_eq!(gives(Cloud::Oci, "vpu10:1000GiB").0, 25_000);
    assert_eq!(gives(Cloud::Oci, "vpu0:500GiB").0, 1_000);
    assert!(!gives(Cloud::Oci, "vpu0:500GiB").1);
}

#[test]
fn disks_of_alibaba_follow_their_size() {
    // min(1,800 + 50 x GiB, 50,000) and min(1,800 + 12 x GiB, 10,000).
    assert_eq!(gives(Cloud::Alibaba, "essd-pl1:500GiB").0, 26_800);
    assert_eq!(gives(Cloud::Alibaba, "essd-pl1:1000GiB").0, 50_000);
    assert_eq!(gives(Cloud::Alibaba, "essd-pl0:100GiB").0, 3_000);
    assert_eq!(gives(Cloud::Alibaba, "2x essd-pl0:100GiB").0, 6_000);
}

#[test]
fn a_database_has_one_storage_that_rds_stripes() {
    let rds = place(Cloud::Rds, Some("us-east-1"));
    let found = rds.plan(&need(10_000.0, 16.0, 400.0));
    let first = &found.offers[0];
    let disks = first.cost.as_ref().map(|cost| format!("{:.2}", cost.disks));
    // 12,000 IOPS are included from 400 GiB on; 400 x 0.115.
    assert_eq!(
        (first.layout.as_str(), disks.as_deref()),
        ("rds-gp3:400GiB", Some("46.00"))
    );
    let machine = first.machine.as_ref().map(|machine| machine.name.clone());
    assert!(
        machine.is_some_and(|name| name.starts_with("db.")),
        "{first:?}"
    );
    // Below the threshold 3,000 IOPS are all there is.
    let small = rds.plan(&need(4_000.0, 8.0, 100.0));
    assert_eq!(small.offers[0].layout, "rds-gp3:400GiB");
}

#[test]
fn a_size_without_premium_storage_takes_no_premium_disk() {
    let mut azure = place(Cloud::Azure, Some("eastus"));
    azure.instance = Some("D8_v5");
    let found = azure.plan(&need(1_000.0, 8.0, 500.0));
    let is_premium = |offer: &&Offer| {
        let family = offer.orders[0].volume.family.as_deref();
        family == Some("premium-ssd") && matches!(offer.meets, Meets::Sustained)
    };
    assert_eq!(found.offers.iter().find(is_premium), None);
    azure.instance = Some("M64s");
    let found = azure.plan(&need(30_000.0, 8.0, 4_000.0));
    assert_eq!(found.offers[0].meets, Meets::Sustained);
}

/// The size page of a series, or that of a series with the same IOPS, states these MB/s.
#[test]
fn the_throughput_of_sizes_from_the_api_is_that_of_their_pages() {
    let catalog = fathom_volume::catalog::Catalog::embedded();
    let at = "2026-11-22".parse().expect("a day");
    let expected = [
        ("M64s", 1_000.0),
        ("M64ms", 1_000.0),
        ("M128dms_v2", 2_000.0),
        ("E8_v3", 192.0),
        ("DC4s_v3", 192.0),
        ("D8ps_v5", 290.0),
        ("E16pds_v5", 600.0),
        ("A8_v2", 192.0),
        ("F16", 768.0),
        ("G5", 2_000.0),
        ("HB120rs_v3", 2_000.0),
        ("NC48ads_A100_v4", 1_152.0),
        ("NC24rs_v3", 1_200.0),
        ("D16_v4", 384.0),
        ("D8_v5", 290.0),
        ("E96ads_v5", 1_600.0),
    ];
    let found = expected.map(|(name, _)| {
        let row = catalog.instance(name, None, at).expect(name);
        let path = row.network.expect(name);
        (name, path.bytes_per_second.map_or(0.0, |rate| rate / 1e6))
    });
    assert_eq!(found, expected);
}

/// Premium SSD v2 goes with sizes that take premium storage; PremiumIO of these is 0.
#[test]
fn a_size_without_premium_storage_takes_no_premium_ssd_v2() {
    let layout = "premium-ssd-v2:500GiB";
    let verdict = |machine| {
        let mut azure = place(Cloud::Azure, Some("eastus"));
        azure.instance = Some(machine);
        let given = azure.compare(&[layout], &need(1_000.0, 8.0, 500.0));
        let found = azure.plan(&need(1_000.0, 8.0, 500.0));
        let mut names = found
            .offers
            .iter()
            .map(|offer| &offer.orders[0].volume.name);
        (
            given[0].meets.clone(),
            names.any(|name| name == "premium-ssd-v2"),
        )
    };
    for machine in ["D8_v5", "D8d_v5", "E8_v5", "E8d_v5"] {
        let refused = format!("Standard_{machine}: it does not take disks of this type");
        assert_eq!(verdict(machine), (Meets::No(refused), false));
    }
    for machine in ["D8s_v5", "D8ds_v5", "E8s_v5", "E8ds_v5"] {
        assert_eq!(verdict(machine), (Meets::Sustained, true), "{machine}");
    }
}

#[test]
fn aurora_is_refused_by_name() {
    let catalog = fathom_volume::catalog::Catalog::embedded();
    let at = "2026-11-22".parse().expect("a day");
    let refused = catalog.volume("aurora", at).unwrap_err();
    assert_eq!(
        (refused.to_string().as_str(), refused.nearest),
        (
            "there is no volume type `aurora`: no source of the catalogue states how many IOPS \
             and MB/s the storage of Aurora gives a class, and they cannot be ordered. Its prices \
             are in the AWS Price List (AmazonRDS)",
            None
        )
    );
}

#[test]
fn gp2_of_rds_is_striped_from_400_gib_on() {
    let rds = place(Cloud::Rds, Some("us-east-1"));
    let of = |text: &str| {
        let offer = &rds.compare(&[text], &need(100.0, 16.0, 20.0))[0];
        let figures = &offer.figures;
        let minutes = figures
            .burst_seconds
            .map(|seconds| (seconds / 60.0).round());
        (figures.sustained_iops, figures.burst_iops, minutes)
    };
    assert_eq!(of("rds-gp2-small:30GiB"), (100.0, 3_000.0, Some(31.0)));
    assert_eq!(of("rds-gp2:1000GiB"), (3_000.0, 12_000.0, Some(40.0)));
    assert_eq!(of("rds-gp2:4000GiB"), (12_000.0, 12_000.0, None));
}
