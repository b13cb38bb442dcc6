//! The vendors' feeds: what is read, what is left out, what becomes of it in the catalogue.

use fathom_volume::catalog::{Catalog, CatalogFile, Cloud, Date};
use fathom_volume::feed::{Fresh, difference, overlay, read};
use std::fmt::Write as _;

const FEEDS: [(&str, &str); 5] = [
    ("aws-price-list", include_str!("feeds/aws-price-list.json")),
    (
        "azure-retail-prices",
        include_str!("feeds/azure-retail-prices.json"),
    ),
    ("google-skus", include_str!("feeds/google-skus.json")),
    (
        "ec2-instance-types",
        include_str!("feeds/ec2-instance-types.json"),
    ),
    (
        "azure-resource-skus",
        include_str!("feeds/azure-resource-skus.json"),
    ),
];

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

fn all() -> Fresh {
    let mut fresh = Fresh::default();
    for (name, text) in FEEDS {
        read(text.as_bytes(), day("2026-11-21"), &mut fresh).expect(name);
    }
    fresh.complete(&Catalog::embedded());
    fresh
}

#[test]
fn each_feed_becomes_rows_of_the_catalogue() {
    let mut fresh = all();
    let catalog = Catalog::embedded();
    let found = difference(&catalog, day("2026-11-22"), &mut fresh);
    let mut text = String::new();
    for (name, feed) in FEEDS {
        let fed = read(feed.as_bytes(), day("2026-11-21"), &mut Fresh::default()).expect(name);
        let _ = writeln!(
            text,
            "{name}: {:?} {} {:?}",
            fed.kinds, fed.items, fed.published
        );
    }
    let _ = writeln!(text, "left out: {:?}", fresh.left_out);
    for kind in [found.prices, found.machine_prices, found.instances] {
        let _ = writeln!(text, "{kind:?}");
    }
    for change in found
        .changes
        .iter()
        .filter(|change| !change.name.starts_with("n2-"))
    {
        let _ = writeln!(
            text,
            "{:?} {} {}: {:?} to {}{}",
            change.region,
            change.name,
            change.what,
            change.before,
            change.now,
            if change.is_jump { ", a jump" } else { "" }
        );
    }
    for file in overlay(&fresh, |_| None).expect("rows of a catalogue") {
        let _ = writeln!(text, "\n{} {} {}", file.path, file.rows, file.added);
        let lines = file.text.lines().filter(|line| !line.starts_with("n2-"));
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn rows_of_feeds_are_beside_those_that_are_known() {
    let files = overlay(&all(), |_| None).expect("rows of a catalogue");
    let mut catalog = Catalog::embedded();
    for file in &files {
        let file = CatalogFile {
            path: file.path,
            text: &file.text,
        };
        catalog.overlay(&file).expect("a file of a catalogue");
    }
    let iops = |at: &str| {
        let price =
            catalog
                .prices()
                .price(Cloud::Aws, "us-east-2", "gp3", "iops_month_above", day(at));
        price.map(|price| (price.price, price.evidence.source.clone()))
    };
    // The feed is of 2023-03-22; what was read later counts later.
    let feed = "AWS Price List, offer file of AmazonEC2, as downloaded by the user".to_owned();
    assert_eq!(iops("2023-06-01"), Some((0.006, feed)));
    assert_eq!(iops("2026-11-22").map(|(price, _)| price), Some(0.005));
    let hour = |at: &str, region: &str, name: &str, cloud| {
        let prices = catalog.machine_prices().of_region(cloud, region, day(at));
        prices.get(name).map(|price| price.hour)
    };
    assert_eq!(
        hour("2026-11-22", "westeurope", "D2s_v5", Cloud::Azure),
        Some(0.115)
    );
    assert_eq!(
        hour("2026-11-22", "europe-west9", "n2-standard-4", Cloud::Gcp),
        Some(0.224)
    );
    assert_eq!(
        hour("2026-11-22", "us-east-2", "c5.large", Cloud::Aws),
        Some(0.085)
    );
    let new = catalog
        .instance("m99g.4xlarge", None, day("2026-11-22"))
        .expect("it is new");
    assert_eq!(new.network.and_then(|path| path.iops), Some(40_000.0));
    // Read again, the same feeds add nothing.
    let again = overlay(&all(), |path| {
        let known = files.iter().find(|file| file.path == path);
        known.map(|file| file.text.clone())
    });
    let added: usize = again.expect("ours").iter().map(|file| file.added).sum();
    assert_eq!(added, 0);
    let foreign = overlay(&all(), |_| Some("region,name\n".to_owned()));
    let expected = "aws/prices.csv was not written by `fathom catalog refresh`";
    assert_eq!(foreign.unwrap_err().to_string(), expected);
}

#[test]
fn what_is_no_feed_is_refused_with_its_line() {
    let refused = |text: &str| {
        let outcome = read(text.as_bytes(), day("2026-11-21"), &mut Fresh::default());
        outcome.map(|fed| fed.items).unwrap_err().to_string()
    };
    assert_eq!(refused("{}"), "it is none of the feeds that are known");
    assert_eq!(refused(""), "it is none of the feeds that are known");
    assert_eq!(
        refused("{\"terms\":{\"OnDemand\":{}},\"products\":{}}"),
        "its terms stand before its products"
    );
    assert_eq!(
        refused("{\"Items\":[\n{\"armRegionName\":\"westeurope\"}\n]}"),
        "missing field `retailPrice` at line 2 column 30"
    );
}

#[test]
fn a_feed_cut_off_anywhere_is_refused_or_read_and_nothing_else() {
    for (name, text) in FEEDS {
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            let cut = &text[..end];
            let outcome = read(cut.as_bytes(), day("2026-11-21"), &mut Fresh::default());
            let is_whole = text[end..].trim().is_empty();
            assert_eq!(outcome.is_ok(), is_whole, "{name} cut off after {end}");
        }
    }
}

#[test]
fn pages_of_an_answer_may_follow_each_other_or_stand_in_a_list() {
    let (_, feed) = FEEDS[3];
    let items = |text: &str| {
        let mut fresh = Fresh::default();
        let fed = read(text.as_bytes(), day("2026-11-21"), &mut fresh).expect("feeds");
        (fed.items, fresh.instances.len())
    };
    assert_eq!(items(&format!("{feed}\n{feed}")), (6, 4));
    assert_eq!(items(&format!("[{feed},{feed}]")), (6, 4));
    let list = feed.trim().trim_start_matches('{').trim_end_matches('}');
    let list = list.trim().trim_start_matches("\"InstanceTypes\":");
    assert_eq!(items(list), (3, 2));
}
