//! What comes first, and what is said beside it.

use super::defects::{need, place};
use fathom_core::Op;
use fathom_volume::catalog::{Catalog, Cloud};
use fathom_volume::model::{Flow, FlowKind};
use fathom_volume::plan::{Meets, Need, Offer, Reason, nearest_on_sale, with_larger_chunks};
use fathom_volume::sizing::Peak;

/// 70 MB/s of 1 MiB in order.
fn in_order(rate: f64) -> Need {
    let mut own = need(rate / 1_048_576.0, 1_024.0, 100.0);
    for kind in &mut own.flow.kinds {
        kind.sequential = 1.0;
    }
    own
}

#[test]
fn a_given_stripe_of_hard_disks_takes_chunks_of_their_unit() {
    let aws = place(Cloud::Aws, None);
    let own = in_order(70e6);
    let layouts = [
        "4x st1:500GiB",
        "raid0(4x st1:500GiB, chunk=256KiB)",
        "raid10(4x st1:1000GiB)",
    ];
    let found = aws.compare(&layouts, &own);
    let rates = found.iter().map(|one| {
        let rate = one.figures.sustained_bytes_per_second / 1e6;
        (one.layout.as_str(), (rate * 10.0).round() / 10.0)
    });
    // 500 GiB have 19.53 MiB/s; each of four chunks of a request counts 1 MiB. Of mirrors a write
    // takes two: 4 x 39.06 / (0.7 + 2 x 0.3).
    assert_eq!(
        rates.collect::<Vec<_>>(),
        [
            ("raid0(4x st1:500GiB, chunk=1MiB)", 81.9),
            ("raid0(4x st1:500GiB, chunk=256KiB)", 20.5),
            ("raid10(4x st1:1000GiB, chunk=1MiB)", 126.0),
        ]
    );
    let larger = aws.ask(|market| {
        let all = found
            .iter()
            .map(|one| with_larger_chunks(one, &own, market));
        all.map(|one| one.map(|(chunk, one)| (chunk.to_string(), one.layout)))
            .collect::<Vec<_>>()
    });
    let stated = (
        "1MiB".to_owned(),
        "raid0(4x st1:500GiB, chunk=1MiB)".to_owned(),
    );
    assert_eq!(larger, [None, Some(stated), None]);
}

#[test]
fn what_is_not_on_sale_is_no_answer_and_the_nearest_order_is() {
    let rds = place(Cloud::Rds, None);
    let own = need(2_000.0, 16.0, 100.0);
    let found = rds.compare(&["rds-gp3:400GiB:3000iops"], &own);
    let why = "3,000 IOPS are not on offer for rds-gp3: at least 12,000, as of 2026-04-13";
    assert_eq!(found[0].meets, Meets::NotSold(why.to_owned()));
    let nearest = rds.ask(|market| nearest_on_sale(&found[0], &own, market));
    let nearest = nearest.map(|one| (one.layout, one.meets));
    assert_eq!(
        nearest,
        Some(("rds-gp3:400GiB".to_owned(), Meets::Sustained))
    );
    let aws = place(Cloud::Aws, None);
    let layouts = ["2x gp3:10GiB:8000iops", "gp3:100GiB:3000iops:1000MiB/s"];
    let found = aws.compare(&layouts, &own);
    let nearest = aws.ask(|market| {
        let all = found.iter().map(|one| nearest_on_sale(one, &own, market));
        all.map(|one| one.map(|one| one.layout)).collect::<Vec<_>>()
    });
    let expected = ["2x gp3:16GiB:8000iops", "gp3:100GiB:4000iops:1000MiB/s"];
    assert_eq!(nearest, expected.map(|one| Some(one.to_owned())));
}

/// A stripe that saves less than 5 % comes second, and is named.
#[test]
fn a_stripe_is_first_only_where_it_saves_a_twentieth() {
    let aws = place(Cloud::Aws, Some("us-east-1"));
    let first = |iops: f64| {
        let found = aws.plan(&need(iops, 16.0, 100.0));
        let picks = found.picks.iter().map(|pick| {
            let offer: &Offer = &found.offers[pick.index];
            (pick.reason, offer.volumes, offer.price())
        });
        picks.take(2).collect::<Vec<_>>()
    };
    let all: Vec<_> = (25..75)
        .map(|step| first(f64::from(step) * 100.0))
        .collect();
    let is_safer = |picks: &&Vec<(Reason, usize, f64)>| picks[0].0 == Reason::Safer;
    let wrong = all.iter().filter(|picks| {
        let (own, other) = (picks[0], picks[1]);
        match own.0 {
            Reason::Safer => {
                other.0 != Reason::Cheapest || own.1 * 2 > other.1 || other.2 <= own.2 * 0.95
            }
            _ => own.0 != Reason::Cheapest,
        }
    });
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<&Vec<_>>::new());
    assert!(all.iter().filter(is_safer).count() > 0, "{all:?}");
}

/// Reads at one time and writes at another need the more of both, not the sum.
#[test]
fn loads_at_different_times_are_scaled_apart() {
    let kind = |op, kib: f64| Flow {
        kinds: vec![FlowKind {
            op,
            bytes: kib * 1_024.0,
            sequential: 0.0,
            together: 1.0,
            weight: 1.0,
        }],
    };
    // Requests of 300 KiB fall into two chunks and count twice; those of 8 KiB do not.
    let own = Need {
        flow: kind(Op::Read, 300.0),
        also: vec![Peak {
            flow: kind(Op::Write, 8.0),
            iops: 9_000.0,
        }],
        ..need(500.0, 300.0, 1_000.0)
    };
    let aws = place(Cloud::Aws, Some("us-east-1"));
    let found = aws.plan(&own);
    let striped = found.offers.iter().filter(|one| {
        one.meets == Meets::Sustained && one.volumes == 2 && one.orders[0].volume.name == "gp3"
    });
    let ordered = striped.map(|one| one.orders[0].order.iops);
    // 9,000 on two volumes are 4,500 each, whatever the large reads take more.
    assert_eq!(ordered.collect::<Vec<_>>(), [Some(4_500.0)]);
    // Of Persistent Disk the reads count where they are most, and the writes where they are.
    let reads = Need {
        flow: kind(Op::Read, 4.0),
        also: vec![Peak {
            flow: kind(Op::Write, 4.0),
            iops: 30_000.0,
        }],
        ..need(1_000.0, 4.0, 10.0)
    };
    let mut gcp = place(Cloud::Gcp, Some("us-central1"));
    gcp.instance = Some("n2-standard-64");
    let found = gcp.plan(&reads);
    let ssd = found
        .offers
        .iter()
        .filter(|one| one.orders[0].volume.name == "pd-ssd");
    let sizes = ssd.map(|one| (one.orders[0].order.size_gib, one.meets.clone()));
    // 6,000 + 30 x 800 GiB = 30,000.
    assert_eq!(sizes.collect::<Vec<_>>(), [(Some(800.0), Meets::Sustained)]);
}

#[test]
fn what_takes_too_long_is_said_to_take_too_long() {
    let said = |iops: f64, latency_ns: f64| {
        let own = Need {
            latency_ns: Some(latency_ns),
            ..need(iops, 8.0, 100.0)
        };
        place(Cloud::Aws, None).plan(&own).beyond
    };
    let slow = "no layout is known to take 100 µs or less for a request: the fastest takes 500 µs \
                where nothing waits. The models assume these times (500 µs for network SSD, 5 ms \
                for hard disks), as no vendor states them; measure with `fathom quick`";
    // Whether the rate is there or not, no request is as fast.
    assert_eq!(said(1_000.0, 100e3).as_deref(), Some(slow));
    assert_eq!(said(100_000_000.0, 100e3).as_deref(), Some(slow));
    assert_eq!(said(1_000.0, 1e6), None);
    let rate = said(100_000_000.0, 1e6).expect("nothing gives it");
    assert_eq!(
        rate.split(" IOPS").next(),
        said(100_000_000.0, 1e9)
            .as_deref()
            .map(|text| { text.split(" IOPS").next().unwrap_or_default() })
    );
}

#[test]
fn an_older_machine_is_named_with_the_nearest_current_one() {
    let mut aws = place(Cloud::Aws, Some("us-east-1"));
    aws.instance = Some("m4.large");
    let own = need(1_000.0, 16.0, 100.0);
    let said = aws.plan(&own).older;
    let words = "m4.large is a previous generation instance (the term of AWS)";
    assert_eq!(said.as_deref(), Some(words));
    aws.instance = Some("m5.large");
    assert_eq!(aws.plan(&own).older, None);
    // No plan ends with an older machine without saying so.
    let catalog = Catalog::embedded();
    let azure = place(Cloud::Azure, Some("westeurope"));
    let unsaid = [100.0, 500.0, 2_000.0, 5_000.0].map(|iops| {
        let found = azure.plan(&need(iops, 8.0, 100.0));
        let machine = found.offers[0].machine.as_ref().map(|one| one.name.clone());
        let row = machine.and_then(|name| catalog.instance(&name, None, catalog_day()).ok());
        let is_first = row.is_some_and(|row| {
            row.name.starts_with("Standard_F")
                && !row.name.ends_with("v6")
                && !row.name.ends_with("v7")
        });
        is_first && found.older.is_none()
    });
    assert_eq!(unsaid, [false; 4]);
}

fn catalog_day() -> fathom_volume::catalog::Date {
    "2026-11-22".parse().expect("a day")
}
