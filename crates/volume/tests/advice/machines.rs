//! What is known of machines: their own disks, their bursts, and what no source states.

use crate::defects::{Setting, need, place};
use fathom_volume::Cloud;
use fathom_volume::plan::{Machine, Meets, Need, Offer, RoleNeed, Wish, plan_roles};

/// A cache of 200 GiB, half of it written.
fn cache(iops: f64, gib: f64) -> Need {
    let wish = Wish {
        iops: Some(iops),
        block_bytes: Some(8_192.0),
        reads: Some(0.5),
        random: Some(1.0),
        capacity_gib: Some(gib),
        ephemeral_ok: true,
        ..Wish::default()
    };
    wish.resolve().expect("a valid wish")
}

#[test]
fn disks_in_the_host_are_planned_where_data_may_be_lost() {
    let first = |cloud, region, need: &Need| {
        let found = place(cloud, region).plan(need);
        let first = &found.offers[0];
        let machine = first.machine.as_ref().expect("a machine").in_words();
        let price = format!("{:.2}", first.price());
        let disks = first.cost.as_ref().map(|cost| cost.disks);
        (first.layout.clone(), machine, price, disks)
    };
    let row = |layout: &str, machine: &str, price: &str, disks| {
        (
            layout.to_owned(),
            machine.to_owned(),
            price.to_owned(),
            Some(disks),
        )
    };
    let own = cache(40_000.0, 200.0);
    assert_eq!(
        [
            first(Cloud::Aws, None, &own),
            first(Cloud::Azure, None, &own)
        ],
        [
            row(
                "instance-store:950GB:104524iops:428MB/s",
                "i3.xlarge",
                "227.76",
                0.0
            ),
            row(
                "azure-local:480GB:78571iops:500MB/s",
                "L2as_v4/nvme",
                "125.56",
                0.0
            ),
        ]
    );
    // Of Google's machines with local SSD the catalogue has no price.
    let google = place(Cloud::Gcp, None).plan(&own);
    let mut local = google.offers.iter().filter(|offer| offer.is_volatile());
    let local = local
        .next()
        .map(|offer| (offer.layout.as_str(), offer.cost.is_some()));
    assert_eq!(
        local,
        Some(("gcp-local-ssd:402GB:100000iops:452MB/s", false))
    );
    // Only where it is asked for.
    let kept = Need {
        ephemeral_ok: false,
        ..own
    };
    let offers = place(Cloud::Aws, None).plan(&kept).offers;
    assert!(!offers.iter().any(Offer::is_volatile));
}

#[test]
fn disks_in_the_host_of_a_machine_are_those_that_it_has() {
    let mut aws = place(Cloud::Aws, None);
    aws.instance = Some("m5d.xlarge");
    let found = place(Cloud::Aws, None).compare(
        &["instance-store:150GB:9000iops:100MB/s"],
        &cache(5_000.0, 100.0),
    );
    let machine = found[0].machine.as_ref().map(Machine::in_words);
    // Not m1.small, whose disk has no stated rate.
    assert_eq!(machine.as_deref(), Some("is4gen.medium"));
    let verdict = |text: &str, reads: f64| {
        let mut asked = cache(1_000.0, 100.0);
        asked.flow.kinds[0].weight = reads;
        asked.flow.kinds[1].weight = 1.0 - reads;
        aws.compare(&[text], &asked)[0].meets.clone()
    };
    let no = |why: &str| Meets::No(format!("m5d.xlarge: {why}"));
    // 150 GB, 59,000 reads or 29,000 writes a second.
    let all = "instance-store:150GB:58000iops:200MB/s";
    assert_eq!(verdict(all, 1.0), Meets::Sustained);
    assert_eq!(
        verdict(all, 0.5),
        no("its local disks are slower than that")
    );
    let large = "instance-store:200GB:9000iops:50MB/s";
    assert_eq!(
        verdict(large, 0.5),
        no("its local disks are smaller than that")
    );
    let two = "2x instance-store:150GB:9000iops:50MB/s";
    assert_eq!(verdict(two, 0.5), no("it has fewer local disks than that"));
}

#[test]
fn maxima_alone_are_never_enough() {
    let mut aws = place(Cloud::Aws, None);
    aws.instance = Some("m5dn.large");
    aws.at = "2019-12-03";
    let found = aws.compare(&["io1:200GiB:5000iops"], &need(5_000.0, 16.0, 200.0));
    let said = "the catalogue's document of m5dn.large states what it lets through at most, not \
                what lasts. Look up its baseline in the vendor's documentation, or use a later \
                --as-of";
    assert_eq!(found[0].meets, Meets::Unknown(said.to_owned()));
}

#[test]
fn a_series_that_does_not_take_a_disk_is_refused() {
    let verdict = |instance: &str, text: &str| {
        let mut gcp = place(Cloud::Gcp, None);
        gcp.instance = Some(instance);
        gcp.compare(&[text], &need(1_000.0, 16.0, 100.0))[0]
            .meets
            .clone()
    };
    let no = |instance: &str| {
        let why = "it does not take disks of this type";
        Meets::No(format!("{instance}: {why}"))
    };
    assert_eq!(
        verdict("n4-standard-8", "pd-ssd:500GiB"),
        no("n4-standard-8")
    );
    let extreme = "hyperdisk-extreme:500GiB:5000iops";
    assert_eq!(verdict("c3-standard-8", extreme), no("c3-standard-8"));
    let mut gcp = place(Cloud::Gcp, None);
    gcp.instance = Some("n4-standard-8");
    let found = gcp.plan(&need(1_000.0, 16.0, 100.0));
    let mut names: Vec<&str> = found
        .offers
        .iter()
        .flat_map(|offer| &offer.orders)
        .map(|own| own.volume.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    let hyperdisks = [
        "hyperdisk-balanced",
        "hyperdisk-balanced-ha",
        "hyperdisk-extreme",
        "hyperdisk-throughput",
    ];
    assert_eq!(names, hyperdisks);
    let Meets::Unknown(said) = verdict("n4-standard-8", "hyperdisk-balanced:500GiB") else {
        panic!("its limit is in no source");
    };
    assert!(
        said.starts_with("n4-standard-8 takes hyperdisk-balanced, and no source of the catalogue"),
        "{said}"
    );
}

#[test]
fn the_burst_of_an_instance_is_marked_as_inferred() {
    let mut aws = place(Cloud::Aws, None);
    let said = |aws: &Setting<'_>| {
        let offers = aws.compare(&["gp3:500GiB:9000iops"], &need(9_000.0, 16.0, 500.0));
        let remarks = offers[0].remarks.iter();
        let words: Vec<String> = remarks.map(|remark| remark.text.clone()).collect();
        words
            .into_iter()
            .find(|words| words.starts_with("the burst"))
    };
    assert_eq!(said(&aws), None);
    aws.instance = Some("r5d.xlarge");
    let words = "the burst of r5d.xlarge is inferred: (maximum - baseline) x 30 minutes, which the \
                 unused baseline refills. AWS states 30 minutes at least once every 24 hours. \
                 Since 2026-06 it names two balances, EBSIOBalance% and EBSByteBalance%, without \
                 their sizes";
    assert_eq!(said(&aws).as_deref(), Some(words));
    // Its limits last.
    aws.instance = Some("r5d.24xlarge");
    assert_eq!(said(&aws), None);
}

#[test]
fn a_role_whose_data_may_be_lost_is_served_by_the_host() {
    let role = |role: &str, need| RoleNeed {
        role: role.to_owned(),
        need,
    };
    let mut data = need(8_000.0, 16.0, 1_024.0);
    data.ephemeral_ok = false;
    let roles = [role("data", data), role("tempdb", cache(60_000.0, 300.0))];
    let found = place(Cloud::Aws, None).ask(|market| plan_roles(&roles, market).remove(0));
    let layouts = found.roles.iter().map(|role| role.offer.layout.as_str());
    let machine = found.machine.as_ref().map(Machine::in_words);
    assert_eq!(
        (
            layouts.collect::<Vec<_>>(),
            machine.as_deref(),
            found.total.map(f64::round)
        ),
        (
            vec!["4x gp3:256GiB", "instance-store:323GB:120167iops:492MB/s"],
            Some("c6gd.4xlarge"),
            Some(530.0)
        )
    );
}

/// More than the machine lets through is money for nothing.
#[test]
fn no_more_is_ordered_than_a_named_machine_lets_through() {
    let first = |cloud, machine, own: &Need| {
        let mut setting = place(cloud, None);
        setting.instance = Some(machine);
        let found = setting.plan(own);
        let layouts: Vec<String> = found.offers.iter().map(|one| one.layout.clone()).collect();
        layouts
    };
    let aws = first(Cloud::Aws, "m5.large", &need(10_000.0, 16.0, 500.0));
    assert_eq!(
        aws.iter()
            .find(|layout| layout.starts_with("gp3"))
            .map(String::as_str),
        Some("gp3:500GiB:10000iops:157MiB/s")
    );
    let gcp = first(Cloud::Gcp, "n2-standard-4", &need(20_000.0, 16.0, 200.0));
    assert_eq!(
        gcp.iter()
            .find(|layout| layout.starts_with("pd-ssd"))
            .map(String::as_str),
        Some("pd-ssd:300GiB")
    );
    let rds = first(Cloud::Rds, "db.m5.large", &need(10_000.0, 16.0, 500.0));
    assert_eq!(
        rds.iter()
            .find(|layout| layout.starts_with("rds-gp3"))
            .map(String::as_str),
        Some("rds-gp3:500GiB")
    );
}
