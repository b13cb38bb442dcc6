//! `fathom need`, and the options of all commands that read what a load needed.

use super::format::{FormatFile, Formats};
use super::plan::count;
use super::{CatalogOptions, InstanceOptions, MachineOptions, ReplaceArgs};
use clap::Args;
use fathom_core::{Bytes, Nanos, Percent, Rate};
use fathom_tools::recordings::GivenColumns;
use fathom_volume::layout::RaidLevel;
use fathom_volume::plan::Wanted;
use fathom_volume::sizing::{Basis, SasRule};
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Args, Debug)]
pub(crate) struct NeedArgs {
    /// Recording; - for standard input. Not needed with --sas-cores or --disks
    #[arg(value_name = "FILE|-", required_unless_present_any = ["sas_cores", "disks"])]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) recording: RecordingOptions,
    /// Size of all requests, if the recording counts only bytes or only requests
    #[arg(long, value_name = "SIZE", help_heading = "Recording")]
    pub(crate) block_size: Option<Bytes>,
    /// Check whether the burst credit of this volume would have lasted, such as gp2:250GiB;
    /// repeatable
    #[arg(long, value_name = "VOLUME")]
    pub(crate) volume: Vec<String>,
    #[command(flatten)]
    pub(crate) instance: InstanceOptions,
    #[command(flatten)]
    pub(crate) disks: DiskOptions,
    #[command(flatten)]
    pub(crate) sas: SasOptions,
    /// Only machines of this cloud: aws or azure
    #[arg(long, value_name = "CLOUD", value_parser = ["aws", "azure"])]
    pub(crate) cloud: Option<String>,
    /// Machine prices of this region
    #[arg(long, value_name = "REGION", requires = "cloud")]
    pub(crate) region: Option<String>,
    #[command(flatten)]
    pub(crate) machine: MachineOptions,
    /// Write the load as a workload for `run`, `simulate` and `plan`
    #[arg(long, value_name = "FILE|-")]
    pub(crate) profile: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    /// Write text or json to standard output or a file
    #[arg(
        short = 'o',
        long,
        alias = "out",
        value_name = "FORMAT[:FILE]",
        default_value = "text",
        hide_default_value = true
    )]
    pub(crate) output: FormatFile<NeedFormat>,
    /// Print JSON; same as `--output json`
    #[arg(long, conflicts_with = "output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) catalog: CatalogOptions,
}

/// The rule of SAS.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SasOptions {
    /// Physical cores of a SAS server: each needs 100 MB/s from every file system
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sas_cores: Option<u32>,
    /// Heavy analytics: 150 MB/s per core
    // The parser waives `requires` for an option that conflicts with another given option. What
    // conflicts with sas_cores conflicts with this one too.
    #[arg(long, requires = "sas_cores")]
    pub(crate) sas_heavy: bool,
}

impl SasOptions {
    pub(crate) fn rule(&self) -> Option<SasRule> {
        Some(SasRule {
            cores: self.sas_cores?,
            is_heavy: self.sas_heavy,
        })
    }

    /// Requirements on a machine, with those of SAS if it is for SAS.
    pub(crate) fn on(&self, wanted: Wanted) -> Wanted {
        match self.rule() {
            Some(rule) => wanted.of_sas(rule),
            None => wanted,
        }
    }
}

/// Options for reading a recording.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Recording")]
pub(crate) struct RecordingOptions {
    /// Only this device of the recording; repeatable [default: all devices that are not part of
    /// another]
    #[arg(long, value_name = "NAME")]
    pub(crate) device: Vec<String>,
    /// Load level: peak, sustained (busiest half hour), or a percentile of the intervals [default:
    /// p99]
    #[arg(long, value_name = "WHAT")]
    pub(crate) by: Option<Basis>,
    /// Growth to add to the recorded load, in percent
    #[arg(long, value_name = "PERCENT")]
    pub(crate) growth: Option<Growth>,
    /// Interval length, if the recording does not contain it
    #[arg(long, value_name = "DURATION", value_parser = length)]
    pub(crate) interval: Option<Nanos>,
    /// Columns of a plain CSV, counted from 1, such as time=1,read_iops=2,read_mib=3
    #[arg(long, value_name = "NAME=N,...")]
    pub(crate) columns: Option<GivenColumns>,
}

impl RecordingOptions {
    /// What counts.
    pub(crate) fn basis(&self) -> Basis {
        self.by.unwrap_or_default()
    }

    /// Its options, and whether each is given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 5] {
        [
            ("--device", !self.device.is_empty()),
            ("--by", self.by.is_some()),
            ("--interval", self.interval.is_some()),
            ("--growth", self.growth.is_some()),
            ("--columns", self.columns.is_some()),
        ]
    }

    /// Required rate / observed rate.
    pub(crate) const fn factor(&self) -> f64 {
        match self.growth {
            Some(Growth::Once(factor)) => factor,
            _ => 1.0,
        }
    }

    /// Rate after a year / rate now.
    pub(crate) const fn yearly(&self) -> Option<f64> {
        match self.growth {
            Some(Growth::Yearly(factor)) => Some(factor),
            _ => None,
        }
    }
}

/// Options for self-built arrays.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Disks")]
pub(crate) struct DiskOptions {
    /// Without a recording: what these disks deliver together, such as "4x hdd-10k" or 4
    #[arg(long, value_name = "N[x NAME]", conflicts_with_all = ["file", "sas_cores", "sas_heavy"])]
    pub(crate) disks: Option<ArrayDisks>,
    /// RAID level of --disks [default: list all possible levels]
    #[arg(long, value_name = "LEVEL", requires = "disks", value_parser = raid_level)]
    pub(crate) raid: Option<RaidLevel>,
    /// Random IOPS that an array must deliver: with --disks, add the disks needed per RAID level
    #[arg(long, value_name = "N", requires = "disks", value_parser = count)]
    pub(crate) iops: Option<f64>,
    /// Percentage of reads of --iops [default: 70]
    #[arg(long, value_name = "PERCENT", requires = "iops")]
    pub(crate) read: Option<Percent>,
    /// Random IOPS of one disk: compute the number of disks per RAID level
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) disk_iops: Option<f64>,
    /// Throughput of one disk, such as 180MB/s
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub(crate) disk_throughput: Option<f64>,
    /// Shared link or bus of the disks with its lanes, such as pcie3:8 or sas-12g:4
    #[arg(long, value_name = "LINK[:LANES]")]
    pub(crate) link: Option<String>,
}

/// How many disks, and of which kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArrayDisks {
    pub(crate) count: u32,
    /// As the catalogue calls them.
    pub(crate) name: Option<String>,
}

impl FromStr for ArrayDisks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (count, name) = match text.split_once(['x', 'X', '×']) {
            Some((count, name)) => (count, Some(name.trim().to_owned())),
            None => (text, None),
        };
        match count.trim().parse() {
            Ok(count @ 1..=10_000) => Ok(Self { count, name }),
            _ => Err("expected a number of disks, such as 4 or \"4x hdd-10k\"".to_owned()),
        }
    }
}

fn raid_level(text: &str) -> Result<RaidLevel, String> {
    let word = text.to_ascii_lowercase();
    let number = word
        .trim_start_matches("raid")
        .trim_start_matches(['-', ' ']);
    let found = RaidLevel::ALL
        .into_iter()
        .find(|level| level.name().strip_prefix("raid") == Some(number));
    found.ok_or_else(|| "expected 0, 1, 5, 6, or 10".to_owned())
}

impl NeedArgs {
    /// The format that is asked for.
    pub(crate) const fn format(&self) -> NeedFormat {
        if self.json {
            NeedFormat::Json
        } else {
            self.output.format
        }
    }
}

/// How a need is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NeedFormat {
    /// Tables
    Text,
    /// All figures
    Json,
}

impl Formats for NeedFormat {
    const ALL: &'static [(&'static str, Self)] = &[("text", Self::Text), ("json", Self::Json)];
}

/// How much more is needed: the factor, at once or after each year.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Growth {
    Once(f64),
    Yearly(f64),
}

impl FromStr for Growth {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_suffix("/year") {
            Some(text) => Ok(Self::Yearly(more(text)?)),
            None => Ok(Self::Once(more(text)?)),
        }
    }
}

/// The factor of a percentage to add.
pub(crate) fn more(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').parse::<f64>().ok();
    number
        .filter(|number| number.is_finite() && (0.0..=10_000.0).contains(number))
        .map(|percent| 1.0 + percent / 100.0)
        .ok_or_else(|| format!("expected a percentage to add, such as {}", Percent(25.0)))
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<Rate>() {
        Ok(Rate::BytesPerSecond(rate)) if rate > 0.0 => Ok(rate),
        _ => Err("expected a throughput, such as 180MB/s".to_owned()),
    }
}

fn length(text: &str) -> Result<Nanos, String> {
    let length: Nanos = text.parse().map_err(|error| format!("{error}"))?;
    if length > Nanos::ZERO {
        Ok(length)
    } else {
        Err("expected a time above zero".to_owned())
    }
}
