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
