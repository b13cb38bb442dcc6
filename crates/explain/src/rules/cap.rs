//! A rate at a limit: one that the paste states, or a published one of a cloud volume.

use super::{Said, link};
use crate::evidence::{Evidence, Side};
use crate::finding::{Certainty, Effect};
use crate::stated::{Limit, device};
use fathom_core::figure::{iops, megabytes};
use fathom_volume::Catalog;
use fathom_volume::catalog::Law;
use std::sync::LazyLock;

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::embedded);

/// How far below and above a limit its number lies, as limiters give it.
const NEAR: (f64, f64) = (0.99, 1.012);

/// Deviation over the mean of rates in intervals that is flat.
const FLAT: f64 = 0.03;

/// Volume types that are named; more of them share a limit.
const NAMED: usize = 3;

/// Limits that volumes of a type have without an order: IOPS, bytes per second, and when.
fn limits(law: &Law) -> Vec<(f64, f64, &'static str)> {
    match law {
        Law::Scaled(law) => vec![
            (law.burst.map_or(0.0, |burst| burst.0), 0.0, " in its burst"),
            (law.iops_max, law.bytes_max, " at its maximum"),
            (law.iops_min, 0.0, " at its minimum"),
        ],
        Law::Provisioned(law) => vec![
            (
                law.iops_included.unwrap_or(0.0),
                law.bytes_included.unwrap_or(0.0),
                " at its base rate",
            ),
            (law.iops_max, law.bytes_max, " at its maximum"),
        ],
        Law::Tier(law) => {
            let (rate, bytes, _) = law.burst.unwrap_or_default();
            vec![(law.iops, law.bytes, ""), (rate, bytes, " in its burst")]
        }
        Law::Fixed(law) => vec![(law.iops, law.bytes, "")],
        Law::Pooled(law) => vec![(law.max.0, law.max.2, " at its maximum")],
        _ => Vec::new(),
    }
}

/// The same for a limit that the paste states, and for the speed of a link, of which headers take a
/// part.
const STATED: std::ops::RangeInclusive<f64> = 0.95..=1.05;
const LINK: std::ops::RangeInclusive<f64> = 0.9..=1.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    stated(evidence).or_else(|| published(evidence))
}

/// A limit in the text around the output.
fn stated(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    if load.is_limited || !evidence.is_measured() {
        // The tool keeps its own limit.
        return None;
    }
    // Requests a second of the devices, where the application made fewer or others.
    let disks = evidence.disks.iter().filter(|disk| !disk.is_stacked);
    let served = disks
        .map(|disk| disk.requests.0 + disk.requests.1)
        .sum::<f64>();
    let served = evidence.seconds().map(|seconds| served / seconds);
    load.limits.iter().find_map(|limit| {
        // The text names a link of a machine, whose load may not cross it.
        let is_apart = link::has_other_link(evidence, "Ethernet") || !link::is_elsewhere(evidence);
        let is_same = is_same(limit, evidence);
        if is_same == Some(false) || limit.is_link && is_apart {
            return None;
        }
        let rate = |one: &Side| {
            if limit.is_bytes {
                evidence.rate_of(one)
            } else {
                evidence.iops_of(one)
            }
        };
        let near = if limit.is_link { LINK } else { STATED };
        let is_near = |rate: &f64| near.contains(&(rate / limit.value));
        let sides = evidence.sides.iter();
        let is_own = |side: &&Side| limit.direction.is_none_or(|own| own == side.direction);
        let all = sides.clone().filter_map(rate).reduce(|a, b| a + b);
        let all = all.filter(|_| limit.direction.is_none());
        let of_load = sides
            .filter(is_own)
            .filter_map(rate)
            .chain(all)
            .find(is_near);
        let of_disk = served.filter(|_| !limit.is_bytes && limit.direction.is_none());
        let of_disk = of_disk.filter(is_near);
        let words = |rate: f64| {
            if limit.is_bytes {
                format!("{} MB/s", megabytes(rate))
            } else {
                format!("{} IOPS", iops(rate))
            }
        };
        let who = if of_load.is_some() {
            "The rate"
        } else {
            "The rate of the device"
        };
        let (rate, most) = (words(of_load.or(of_disk)?), words(limit.value));
        let is_own = limit.is_setting && is_same == Some(true);
        Some(said(limit, is_own, &format!("{who}, {rate},"), &most))
    })
}

/// What a limit of the text explains; `is_own` if it is a setting of the device of the load.
fn said(limit: &Limit, is_own: bool, rate: &str, most: &str) -> Said {
    let line = format!("Line {} of the text states it.", limit.line);
    let (certainty, headline, because, remedy) = if limit.is_link {
        (
            Certainty::Suspected,
            format!(
                "{rate} is what the link gives that the text names ({most}), if it is crossed."
            ),
            line,
            "Look up the speed that the link has (ethtool), and its other users.",
        )
    } else if is_own {
        (
            Certainty::Shown,
            format!("{rate} is the limit that the text states: {most}."),
            line,
            "Raise the limit to see what the storage gives; below it the number is right.",
        )
    } else {
        (
            Certainty::Suspected,
            format!("{rate} is near a limit that the text states: {most}."),
            format!("{line} Whether it holds for this load, the text does not show."),
            "If it holds for this load, raise it to see what the storage gives.",
        )
    };
    Said::new(certainty, Effect::Limit, headline)
        .because(because)
        .remedy(remedy)
        .by(&["rate"])
}

/// Whether a limit is of the device of the load, as far as the text names both.
fn is_same(limit: &Limit, evidence: &Evidence) -> Option<bool> {
    let disks = evidence.disks.iter().map(|disk| disk.name.as_str());
    let names = std::iter::once(evidence.load.target.as_str()).chain(disks);
    let mut own = names.filter_map(device).peekable();
    own.peek().filter(|_| !limit.device.is_empty())?;
    Some(own.any(|name| name == limit.device))
}

/// A limit of the catalogue.
fn published(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    if load.direct == Some(false) || load.is_limited || evidence.tool == "crystaldiskmark" {
        return None;
    }
    // A limit shows only when enough is outstanding and the rate is flat.
    let flat = evidence.sides.iter().all(|side| {
        side.samples
            .is_some_and(|[_, _, mean, deviation]| mean > 0.0 && deviation / mean < FLAT)
    });
    let is_deep = evidence.total_depth().is_some_and(|depth| depth >= 4.0);
    if !flat || !is_deep {
        return None;
    }
    let near = |value: f64, limit: f64| limit > 0.0 && (NEAR.0..=NEAR.1).contains(&(value / limit));
    let (rate, bytes) = (evidence.iops()?, evidence.rate()?);
    let mut limit = String::new();
    let mut names: Vec<String> = Vec::new();
    for volume in CATALOG.volumes() {
        // A large request counts as several.
        let unit = volume.count.map_or(f64::INFINITY, |(_, unit)| unit as f64);
        let counted = rate * (load.block.unwrap_or(1.0) / unit).ceil();
        for (most, most_bytes, when) in limits(&volume.law) {
            let reached = if near(counted, most) {
                format!("{} IOPS", iops(most))
            } else if near(bytes, most_bytes) {
                format!("{} MB/s", megabytes(most_bytes))
            } else {
                continue;
            };
            let name = format!("{} {}{when}", volume.cloud, volume.name);
            if limit.is_empty() {
                limit.clone_from(&reached);
            }
            if limit == reached && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let mut named = names.join(", ");
    if more > 0 {
        named += &format!(", and {more} more");
    }
    (!names.is_empty()).then(|| {
        Said::new(
            Certainty::Suspected,
            Effect::Limit,
            format!("The rate is near a limit of {limit}: {named}."),
        )
        .because(format!(
            "The rate is {} IOPS ({} MB/s), flat over time, with requests waiting. \
            A local disk can reach the same rate by chance.",
            iops(rate),
            megabytes(bytes)
        ))
        .remedy(
            "Look up the volume and the instance: `fathom catalog`. Another block size shows \
            whether requests or bytes are limited.",
        )
        .by(&["rate"])
    })
}
