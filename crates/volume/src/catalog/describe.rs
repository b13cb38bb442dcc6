//! Limits in words, for tables: what follows from size and order, in the vendor's units.

use super::law::{Law, Pooled, Provisioned, Tier};
use super::{InstanceType, PathLimit, VolumeType};
use fathom_core::figure;

impl VolumeType {
    /// Sizes in GiB: `1 to 16,384`; of a tier, `up to 1,024`. Empty where nothing is stated.
    pub fn sizes_in_words(&self) -> String {
        if self.max_gib >= f64::MAX {
            return String::new();
        }
        let most = figure::count(self.max_gib as u64);
        match &self.law {
            Law::Tier(_) => format!("up to {most}"),
            _ => format!("{} to {most}", figure::count(self.min_gib as u64)),
        }
    }

    /// Requests a second: `3/GiB, 100 to 16,000`.
    pub fn iops_in_words(&self) -> String {
        match &self.law {
            Law::Scaled(law) => format!(
                "{}/GiB, {} to {}",
                law.iops_per_gib,
                number(law.iops_min),
                number(law.iops_max)
            ),
            Law::Provisioned(law) => provisioned_iops(law),
            Law::Throughput(law) => number(law.iops_max),
            Law::Tier(law) => tier_word(law, law.iops, |pair| pair.0, number),
            Law::Pooled(law) => pooled_iops(law),
            Law::Follows(law) => format!("{} per MiB/s", decimals(law.iops_per_byte * 1_048_576.0)),
            Law::Fixed(law) => number(law.iops),
            Law::Device(law) => match law.random_iops() {
                Some(iops) => format!("{} random at depth 1", figure::iops(iops)),
                None => "as given".to_owned(),
            },
        }
    }

    /// Bytes a second in the vendor's unit: `250 MiB/s, 128 up to 170 GiB`.
    pub fn throughput_in_words(&self) -> String {
        let unit = self.unit();
        let rate = |bytes: f64| decimals(bytes / self.unit_bytes);
        match &self.law {
            Law::Scaled(law) => {
                let small = law
                    .small
                    .map(|(gib, bytes)| format!(", {} up to {} GiB", rate(bytes), number(gib)));
                format!(
                    "{} {unit}{}",
                    rate(law.bytes_max),
                    small.unwrap_or_default()
                )
            }
            Law::Provisioned(law) => {
                let per_iops = law
                    .bytes_per_iops
                    .map(|bytes| format!(", {} per IOPS", decimals(bytes / self.unit_bytes)));
                let included = law.bytes_included.map(|bytes| rate(bytes) + " to ");
                format!(
                    "{}{} {unit}{}",
                    included.unwrap_or_default(),
                    rate(law.bytes_max),
                    per_iops.unwrap_or_default()
                )
            }
            Law::Throughput(law) => format!(
                "{}/TiB up to {} {unit}",
                rate(law.base.0 * 1024.0),
                rate(law.base.1)
            ),
            Law::Tier(law) => tier_word(law, law.bytes, |pair| pair.1, rate) + " " + unit,
            Law::Pooled(law) => {
                let (_, _, read, write) = law.max;
                let most = if (read - write).abs() < 1.0 {
                    rate(read)
                } else {
                    format!("{} read, {} written", rate(read), rate(write))
                };
                format!("{}/GiB up to {most} {unit}", rate(law.per_gib.2))
            }
            Law::Follows(law) => {
                format!("{} to {} {unit}", rate(law.bytes_min), rate(law.bytes_max))
            }
            Law::Fixed(law) => format!("{} {unit}", rate(law.bytes)),
            Law::Device(_) => "as given".to_owned(),
        }
    }

    /// The burst: `3,000 IOPS for 5,400,000 credits`. Empty where there is none.
    pub fn burst_in_words(&self) -> String {
        let rate = |bytes: f64| decimals(bytes / self.unit_bytes);
        match &self.law {
            Law::Scaled(law) => law.burst.map_or_else(String::new, |(iops, capacity)| {
                format!("{} IOPS, {} credits", number(iops), number(capacity))
            }),
            Law::Throughput(law) => format!(
                "{}/TiB up to {} {}, one scan",
                rate(law.burst.0 * 1024.0),
                rate(law.burst.1),
                self.unit()
            ),
            Law::Tier(law) => law
                .burst
                .map_or_else(String::new, |(iops, bytes, seconds)| {
                    format!(
                        "{} IOPS, {} {}, {} min",
                        number(iops),
                        rate(bytes),
                        self.unit(),
                        number(seconds / 60.0)
                    )
                }),
            _ => String::new(),
        }
    }
}

impl PathLimit {
    /// Requests a second: `6,000`, or `6,000, 18,750 for 30 min`.
    pub fn iops_in_words(&self) -> String {
        in_words(self.iops, self.max_iops, number)
    }

    /// Bytes a second in MB/s: `106.25, 437.5 for 30 min`.
    pub fn throughput_in_words(&self) -> String {
        in_words(self.bytes_per_second, self.max_bytes_per_second, |bytes| {
            decimals(bytes / 1e6)
        })
    }
}

impl InstanceType {
    /// Disks in the host: `1 x 150 GB ssd`. Empty where there are none.
    pub fn local_in_words(&self) -> String {
        let Some(local) = &self.local else {
            return String::new();
        };
        let mut words: Vec<String> = Vec::new();
        if let (Some(disks), Some(gb)) = (local.disks, local.disk_gb) {
            words.push(format!("{disks} x {} GB", decimals(gb)));
        }
        words.extend(local.iops.map(|iops| number(iops) + " IOPS"));
        words.extend(
            local
                .bytes_per_second
                .map(|bytes| decimals(bytes / 1e6) + " MB/s"),
        );
        words.join(", ")
    }
}

fn in_words(base: Option<f64>, max: Option<f64>, word: impl Fn(f64) -> String) -> String {
    match (base, max) {
        (Some(base), Some(max)) => format!("{}, {} for 30 min", word(base), word(max)),
        (Some(base), None) => word(base),
        (None, Some(max)) => format!("not stated, {} for 30 min", word(max)),
        (None, None) => String::new(),
    }
}

fn provisioned_iops(law: &Provisioned) -> String {
    let least = law.iops_included.or(law.iops_min);
    let ratio = law
        .iops_per_gib_max
        .map(|ratio| format!(", {}/GiB", number(ratio)));
    let range = least.map(|least| number(least) + " to ");
    format!(
        "{}{}{}",
        range.unwrap_or_else(|| "up to ".to_owned()),
        number(law.iops_max),
        ratio.unwrap_or_default()
    )
}

fn pooled_iops(law: &Pooled) -> String {
    let (reads, writes, _) = law.per_gib;
    let (reads_max, writes_max, _, _) = law.max;
    let included = if law.included.0 > 0.0 {
        number(law.included.0) + " + "
    } else {
        String::new()
    };
    if (reads - writes).abs() < f64::EPSILON {
        return format!(
            "{included}{}/GiB up to {}",
            decimals(reads),
            number(reads_max)
        );
    }
    format!(
        "{included}{}/GiB up to {} read, {}/GiB up to {} written",
        decimals(reads),
        number(reads_max),
        decimals(writes),
        number(writes_max)
    )
}

/// The figure of a tier, with what its options make of it.
fn tier_word(
    law: &Tier,
    base: f64,
    of: impl Fn((f64, f64)) -> f64,
    word: impl Fn(f64) -> String,
) -> String {
    let options = [("on demand", law.on_demand), ("plus", law.plus)];
    let options = options
        .into_iter()
        .filter_map(|(name, pair)| Some(format!(", {} {name}", word(of(pair?)))));
    word(base) + &options.collect::<String>()
}

fn number(value: f64) -> String {
    figure::count(value.round() as u64)
}

/// A number with the decimals that it has, three at most.
fn decimals(value: f64) -> String {
    let text = figure::decimal(value, 3);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
