//! What people asked in public threads, and was answered wrongly once.

use super::defects::{need, place};
use fathom_volume::Cloud;
use fathom_volume::catalog::{BillTerm, Catalog, Terms};
use fathom_volume::plan::{Market, Meets, Need, Offer, Plan, plan, risks};

/// The risks of the first of some layouts of one's own disks.
fn of_disks(text: &str) -> Vec<String> {
    let local = place(Cloud::Local, None);
    risks(&local.compare(&[text], &need(100.0, 8.0, 100.0))[0])
}

#[test]
fn a_stripe_of_arrays_loses_data_as_its_arrays_do() {
    let slow = "hard disks: a random request takes 5 to 15 ms".to_owned();
    let fifty = of_disks("raid0(2x raid5(4x hdd-15k:600GB))");
    let loss = "data is lost if 2 volumes of one group of 4 fail within a rebuild of 1 h 40 min \
                (100 MB/s, assumed), at a failure rate that the catalogue does not have. 6 of 8 \
                volumes hold data, and a small write costs 4 requests";
    assert_eq!(fifty, [loss.to_owned(), slow]);
    // Four mirrors are RAID 10, however they are written.
    assert_eq!(
        of_disks("raid0(4x raid1(2x hdd-15k:600GB))"),
        of_disks("raid10(8x hdd-15k:600GB)")
    );
}

fn planned(cloud: Cloud, own: &Need) -> Plan {
    place(cloud, None).plan(own)
}

#[test]
fn what_may_give_the_load_is_not_said_to_give_less() {
    let said = |cloud, iops, kib| planned(cloud, &need(iops, kib, 256.0)).beyond;
    let begin = "no layout is known to give this load. It is not known whether ";
    assert_eq!(
        said(Cloud::Oci, 2_000.0, 8.0).map(|text| text.starts_with(begin)),
        Some(true)
    );
    assert_eq!(
        said(Cloud::Alibaba, 20_000.0, 4.0).map(|text| text.starts_with(begin)),
        Some(true)
    );
}

#[test]
fn of_a_given_layout_nothing_is_said_of_others() {
    let aws = place(Cloud::Aws, None);
    let said = |layouts: &[&str]| {
        aws.ask(|market| {
            let layouts: Vec<_> = layouts
                .iter()
                .map(|text| text.parse().expect(text))
                .collect();
            let own = need(10_000.0, 16.0, 100.0);
            let found = fathom_volume::plan::compare(&layouts, &own, market).expect("they can be");
            found.beyond
        })
    };
    assert_eq!(
        said(&["gp2:196GiB"]).as_deref(),
        Some(
            "this layout does not give more than 3,000 IOPS of 16 KiB (49.2 MB/s) while credit \
             lasts, and 588.0 without end; 10,000 are asked for"
        )
    );
    assert_eq!(
        said(&["gp2:196GiB", "gp3:196GiB"]).as_deref(),
        Some(
            "none of these layouts gives more than 3,000 IOPS of 16 KiB (49.2 MB/s); 10,000 are \
             asked for"
        )
    );
}

/// A licence without a price must not hide what the disks cost.
#[test]
fn what_is_known_of_a_price_ranks() {
    let catalog = Catalog::embedded();
    let terms = Terms {
        of_machine: vec![BillTerm::SqlStandard],
        conversion: None,
    };
    let azure = place(Cloud::Azure, Some("westeurope"));
    let found = azure.ask(|market| {
        let market = Market {
            catalog: &catalog,
            terms: &terms,
            ..*market
        };
        plan(&need(10_000.0, 16.0, 1_024.0), &market)
    });
    let enough = |offer: &&Offer| offer.meets == Meets::Sustained;
    let first = found
        .offers
        .iter()
        .find(enough)
        .expect("something gives it");
    let parts: Vec<f64> = found
        .offers
        .iter()
        .filter(enough)
        .filter_map(|offer| offer.known_part)
        .collect();
    assert!(parts.len() > 1 && parts.is_sorted(), "{parts:?}");
    assert_eq!(
        (first.orders[0].volume.name.as_str(), first.cost.is_none()),
        ("premium-ssd-v2", true)
    );
}

/// RDS sells less than 400 GiB as one volume, and more as a stripe.
#[test]
fn a_stripe_of_rds_is_not_sold_below_its_threshold() {
    let rds = place(Cloud::Rds, None);
    let refused = rds.ask(|market| {
        let layouts = ["rds-gp3:100GiB".parse().expect("a layout")];
        let found = fathom_volume::plan::compare(&layouts, &need(10_000.0, 16.0, 100.0), market);
        found.map(|_| ()).map_err(|error| error.to_string())
    });
    assert_eq!(
        refused,
        Err(
            "rds-gp3 cannot have 100 GiB: RDS stripes it from 400 GiB on; below that it is \
             rds-gp3-small"
                .to_owned()
        )
    );
}

/// The MB/s of a class of RDS burst as those of the machine below it.
#[test]
fn classes_of_rds_burst_in_bytes_too() {
    let catalog = Catalog::embedded();
    let at = "2026-11-22".parse().expect("a day");
    let most = ["db.t3.medium", "db.m5.large", "db.r8g.large"].map(|name| {
        let row = catalog.instance(name, None, at).expect(name);
        row.network.and_then(|path| path.max_bytes_per_second)
    });
    assert_eq!(most, [Some(260.625e6), Some(593.75e6), Some(1_250e6)]);
}
