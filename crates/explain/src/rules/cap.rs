//! A rate at a published limit of a cloud volume.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{iops, megabytes};

/// Limits by which volumes are known: IOPS or MiB/s, and the volume. The catalogue has them all
/// with their dates; these are the ones that a number is recognised by.
const IOPS: [(f64, &str); 11] = [
    (100.0, "an AWS gp2 volume of up to 33 GiB at its base rate"),
    (120.0, "an Azure P4 disk"),
    (240.0, "an Azure P6 disk"),
    (500.0, "an Azure P10 disk, or a Standard HDD or SSD"),
    (1100.0, "an Azure P15 disk"),
    (2300.0, "an Azure P20 disk"),
    (
        3000.0,
        "an AWS gp3 volume at its base rate, or a gp2 volume in its burst",
    ),
    (5000.0, "an Azure P30 disk"),
    (7500.0, "an Azure P40 or P50 disk"),
    (16000.0, "an AWS gp2 or gp3 volume at its maximum"),
    (20000.0, "an Azure P80 disk"),
];
const MIB: [(f64, &str); 6] = [
    (125.0, "an AWS gp3 volume at its base rate"),
    (128.0, "a small AWS gp2 volume"),
    (250.0, "an AWS gp2 volume"),
    (593.75, "an EC2 instance with 4,750 Mbit/s of EBS bandwidth"),
    (1000.0, "an AWS gp3 volume at its maximum"),
    (1187.5, "an EC2 instance with 9,500 Mbit/s of EBS bandwidth"),
];

/// How far below and above a limit its number lies, as limiters give it.
const NEAR: (f64, f64) = (0.985, 1.025);

/// Deviation over the mean of rates in intervals that is flat.
const FLAT: f64 = 0.05;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
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
    let near = |value: f64, limit: f64| (NEAR.0..=NEAR.1).contains(&(value / limit));
    let rate = evidence.iops()?;
    let bytes = evidence.rate()? / 1_048_576.0;
    let found = IOPS
        .iter()
        .find(|(limit, _)| near(rate, *limit))
        .map(|(limit, name)| (format!("{} IOPS", iops(*limit)), *name))
        .or_else(|| {
            let (limit, name) = MIB.iter().find(|(limit, _)| near(bytes, *limit))?;
            Some((format!("{limit} MiB/s"), *name))
        })?;
    Some(
        Said::new(
            Certainty::Suspected,
            Effect::Limit,
            format!(
                "A limit of {} holds the rate: that of {}.",
                found.0, found.1
            ),
        )
        .because(format!(
            "The rate is {} IOPS ({} MB/s), flat over time, with requests waiting.",
            iops(rate),
            megabytes(bytes * 1_048_576.0)
        ))
        .remedy(
            "Look up the volume and the instance: `fathom catalog`. Another block size shows \
            whether requests or bytes are limited.",
        )
        .by(&["rate"]),
    )
}
