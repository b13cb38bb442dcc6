//! How many disks a need takes by level of RAID, and whether a bus carries it.

use super::{Needed, most};
use crate::args::DiskOptions;
use crate::commands::catalog::Known;
use crate::error::Problem;
use crate::exit::Exit;
use crate::table::Table;
use fathom_core::nearest::nearest;
use fathom_core::{Op, figure};
use fathom_volume::layout::RaidLevel;
use fathom_volume::sizing::{backend_iops, disks_needed, disks_of_bus, write_penalty};
use serde::Serialize;
use std::fmt::Write as _;

/// What of it was asked for.
#[derive(Debug, Default)]
pub(super) struct Disks {
    levels: Vec<RaidRow>,
    disk_iops: Option<f64>,
    disk_bytes: Option<f64>,
    bus: Option<Bus>,
    needed_bytes: f64,
}

#[derive(Debug)]
struct RaidRow {
    level: RaidLevel,
    backend_iops: f64,
    disks: u32,
}

/// Disks that a need takes, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct DisksRow<'a> {
    /// By level of RAID, with `--disk-iops`.
    levels: Vec<LevelRow>,
    /// The link of `--link`.
    bus: Option<BusRow<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LevelRow {
    raid: &'static str,
    disk_requests_per_write: f64,
    /// Requests per second of all disks.
    disk_iops: f64,
    disks: u32,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct BusRow<'a> {
    name: &'a str,
    /// In one direction.
    bytes_per_second: f64,
    source: &'a str,
    /// Disks at full rate that fill it, with `--disk-throughput`.
    disks: Option<u32>,
}

/// A link with its lanes, in one direction.
#[derive(Debug)]
pub(super) struct Bus {
    pub(super) name: String,
    pub(super) bytes_per_second: f64,
    /// Share of it that was seen in practice, the lowest and the highest.
    seen_share: Option<(f64, f64)>,
    pub(super) source: String,
}

impl Bus {
    /// Bytes a second in practice, the lowest and the highest that were seen.
    pub(super) fn seen(&self) -> Option<(f64, f64)> {
        let (low, high) = self.seen_share?;
        Some((low * self.bytes_per_second, high * self.bytes_per_second))
    }

    /// How many disks of a rate it takes to fill it.
    pub(super) fn neck(&self, each: f64, disks: u32) -> String {
        let carries = |rate: f64| u64::from(disks_of_bus(rate, each));
        let of_theory = carries(self.bytes_per_second);
        let each = figure::significant(each / 1e6);
        match self.seen() {
            Some((low, _)) if carries(low) < u64::from(disks) => format!(
                "{} is the limit: it carries {} of {each} MB/s in theory, {} in practice",
                self.name,
                figure::plural(of_theory, "disk"),
                carries(low)
            ),
            _ if of_theory < u64::from(disks) => format!(
                "{} is the limit: it carries {} of {each} MB/s",
                self.name,
                figure::plural(of_theory, "disk")
            ),
            _ => format!("{} is not the limit of these disks", self.name),
        }
    }
}

impl Disks {
    pub(super) fn of(
        options: &DiskOptions,
        known: &Known,
        needed: Option<&Needed<'_>>,
    ) -> Result<Self, Problem> {
        let bus = options.link.as_deref().map(|text| bus(known, text));
        let Some(needed) = needed else {
            return Ok(Self::default());
        };
        let mut found = Self {
            disk_iops: options.disk_iops,
            disk_bytes: options.disk_throughput,
            bus: bus.transpose()?,
            needed_bytes: most(needed).1,
            ..Self::default()
        };
        if let Some(each) = options.disk_iops {
            found.levels = levels(needed, each, options.disk_throughput);
        }
        Ok(found)
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        if let Some(each) = self.disk_iops {
            let mut table = Table::new(&["RAID", ">WRITE COSTS", ">DISK IOPS", ">DISKS"]);
            for one in &self.levels {
                table.row([
                    one.level.name().to_owned(),
                    figure::decimal(write_penalty(one.level), 0),
                    figure::iops(one.backend_iops),
                    figure::count(u64::from(one.disks)),
                ]);
            }
            let rate = self.disk_bytes.map_or_else(String::new, |rate| {
                format!(" and {} MB/s", figure::megabytes(rate))
            });
            let _ = write!(
                text,
                "disks of {} IOPS{rate} that this takes, if no cache gathers the writes\n{}\n",
                figure::iops(each),
                table.on_page()
            );
        }
        if let Some(bus) = &self.bus {
            let share = self.needed_bytes / bus.bytes_per_second;
            let _ = writeln!(
                text,
                "{} carries {} MB/s in one direction [{}]; the need takes {} of it",
                bus.name,
                figure::megabytes(bus.bytes_per_second),
                bus.source,
                figure::percent(share * 100.0)
            );
            if let Some(each) = self.disk_bytes {
                let disks = disks_of_bus(bus.bytes_per_second, each);
                let _ = writeln!(
                    text,
                    "above {} of {} MB/s, all at full rate, the bus is the neck",
                    figure::plural(u64::from(disks), "disk"),
                    figure::megabytes(each)
                );
            }
            text.push('\n');
        }
        text
    }

    /// For programs.
    pub(super) fn row(&self) -> DisksRow<'_> {
        let level = |one: &RaidRow| LevelRow {
            raid: one.level.name(),
            disk_requests_per_write: write_penalty(one.level),
            disk_iops: one.backend_iops,
            disks: one.disks,
        };
        let bus = self.bus.as_ref().map(|bus| BusRow {
            name: &bus.name,
            bytes_per_second: bus.bytes_per_second,
            source: &bus.source,
            disks: self
                .disk_bytes
                .map(|each| disks_of_bus(bus.bytes_per_second, each)),
        });
        DisksRow {
            levels: self.levels.iter().map(level).collect(),
            bus,
        }
    }
}

/// Disks by level: for the requests of each moment that counts, and for its bytes where the rate
/// of a disk is known. Of the bytes, parity and mirrors take their share.
fn levels(needed: &Needed<'_>, disk_iops: f64, disk_bytes: Option<f64>) -> Vec<RaidRow> {
    let one = |level: RaidLevel| {
        let mut found = RaidRow {
            level,
            backend_iops: 0.0,
            disks: 0,
        };
        for peak in &needed.peaks {
            let own = peak.flow.kinds.iter().filter(|kind| kind.op == Op::Read);
            let reads: f64 = own.map(|kind| kind.weight).sum();
            let backend = backend_iops(level, peak.iops, reads);
            found.backend_iops = found.backend_iops.max(backend);
            let by_iops = disks_needed(level, peak.iops, disk_iops, reads);
            found.disks = found.disks.max(by_iops);
            if let Some(rate) = disk_bytes {
                let read_bytes: f64 = {
                    let own = peak.flow.kinds.iter().filter(|kind| kind.op == Op::Read);
                    own.map(|kind| kind.weight * kind.bytes).sum()
                };
                let share = read_bytes / peak.flow.mean_bytes();
                let by_bytes = disks_needed(level, peak.bytes_per_second(), rate, share);
                found.disks = found.disks.max(by_bytes);
            }
        }
        found
    };
    let levels = [
        RaidLevel::Raid0,
        RaidLevel::Raid10,
        RaidLevel::Raid5,
        RaidLevel::Raid6,
    ];
    levels.map(one).into()
}

pub(super) fn bus(known: &Known, text: &str) -> Result<Bus, Problem> {
    let (name, lanes) = text.split_once(':').unwrap_or((text, "1"));
    let names = || known.catalog.links().iter().map(|link| link.name.as_str());
    let Some(link) = known.catalog.link(name) else {
        let problem = Problem::new(Exit::Usage, format!("there is no link `{name}`"));
        return Err(match nearest(name, names()) {
            Some(nearest) => problem.remedy(nearest),
            None => problem.remedy(format!("one of {}", names().collect::<Vec<_>>().join(", "))),
        });
    };
    let lanes: u32 = lanes
        .trim_start_matches('x')
        .parse()
        .ok()
        .filter(|lanes| (1..=1024).contains(lanes))
        .ok_or_else(|| {
            Problem::new(Exit::Usage, format!("`{text}` has no number of lanes"))
                .remedy(format!("{name}:4"))
        })?;
    Ok(Bus {
        name: if lanes == 1 {
            name.to_owned()
        } else {
            format!("{name} x{lanes}")
        },
        bytes_per_second: link.bytes_per_second(lanes),
        seen_share: link.seen,
        source: link.evidence.to_string(),
    })
}
