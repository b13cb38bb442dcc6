//! `fathom plan`.

use super::format::{self, NamedFormat};
use super::{CatalogOptions, InstanceOptions, RecordingOptions, ReplaceArgs};
use clap::{Args, ValueEnum};
use fathom_core::{Bytes, Nanos, Percent, Rate};
use fathom_volume::Cloud;
use fathom_volume::plan::Wanted;
use std::path::PathBuf;
use std::str::FromStr;

/// Find volumes that give what a load needs, at what price
///
/// The need is given by numbers, by a workload (its shape, and its rate if it has one), by the
/// cores of a SAS server, or by a recording. Layouts of one volume and of stripes, each behind the
/// cheapest machine that lets the need through, are ranked: those that give the need all the time
/// by their price, then those that do so while credit lasts. The answer comes first, with a few
/// different kinds of layout; --top shows the ranks. --volume compares given layouts instead of
/// searching, --budget asks what a sum of money buys.
#[derive(Args, Debug)]
pub(crate) struct PlanArgs {
    /// A profile or a TOML file: its sizes, its mix, and its rate if the load is open
    #[arg(value_name = "NAME|FILE.toml")]
    pub(crate) workload: Option<String>,
    /// What a recording needed, as `fathom need` tells it; the recording is also played on each
    /// layout. - for standard input
    #[arg(
        long,
        value_name = "FILE|-",
        conflicts_with_all = [
            "workload", "iops", "throughput", "block_size", "read", "random", "sas_cores"
        ]
    )]
    pub(crate) from: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) recording: RecordingOptions,
    #[command(flatten)]
    pub(crate) need: NeedOptions,
    /// Compare these layouts, as 4x gp2:250GiB or io1:200GiB:10000iops; any number of times
    #[arg(long, value_name = "VOLUME")]
    pub(crate) volume: Vec<String>,
    /// The need of one role, as "log=iops:2000 block:64KiB read:0 random:0 capacity:100GiB", or
    /// what is to be said of a role of the workload; any number of times, all behind one machine
    #[arg(
        long,
        value_name = "ROLE=NEED",
        conflicts_with_all = [
            "from", "volume", "iops", "throughput", "block_size", "read", "random", "capacity",
            "latency", "sas_cores", "budget", "top", "disks_only", "machine_only"
        ]
    )]
    pub(crate) role: Vec<String>,
    /// Volumes of this cloud only: aws, azure or gcp
    #[arg(long, value_name = "CLOUD", value_parser = cloud, conflicts_with = "volume")]
    pub(crate) cloud: Option<Cloud>,
    #[command(flatten)]
    pub(crate) instance: InstanceOptions,
    /// Prices of this region, and volumes that are sold there
    #[arg(long, value_name = "REGION")]
    pub(crate) region: Option<String>,
    /// Most volumes in a stripe
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = clap::value_parser!(u16).range(1..=128))]
    pub(crate) max_volumes: u16,
    #[command(flatten)]
    pub(crate) machine: MachineOptions,
    #[command(flatten)]
    pub(crate) bill: BillOptions,
    /// Show the first so many ranks instead of a few different kinds of layout
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) top: Option<u16>,
    /// Show the arithmetic of each layout line by line
    #[arg(long)]
    pub(crate) explain: bool,
    /// Show the arithmetic of one row, by its number
    #[arg(long, value_name = "ROW", conflicts_with = "explain")]
    pub(crate) why: Option<usize>,
    /// As text, json, csv or html (with pictures), to standard output or to a file; any number of
    /// times
    #[arg(short = 'o', long, alias = "out", value_name = "FORMAT[:FILE]")]
    pub(crate) output: Vec<PlanOutput>,
    /// All figures for programs, as `--output json`
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    #[command(flatten)]
    pub(crate) catalog: CatalogOptions,
}

/// What is needed.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Need")]
pub(crate) struct NeedOptions {
    /// Requests a second
    #[arg(long, value_name = "N")]
    pub(crate) iops: Option<f64>,
    /// Bytes a second, as 500MB/s
    #[arg(long, value_name = "RATE", value_parser = throughput)]
    pub(crate) throughput: Option<f64>,
    /// Size of all requests, as 8KiB
    #[arg(long, value_name = "SIZE")]
    pub(crate) block_size: Option<Bytes>,
    /// Share of reads; the others write
    #[arg(long, value_name = "PERCENT")]
    pub(crate) read: Option<Percent>,
    /// Share of requests that go to a random place
    #[arg(long, value_name = "PERCENT")]
    pub(crate) random: Option<Percent>,
    /// Requests of a sequential stream that wait together: vendors count them as one up to 256 KiB,
    /// or 1 MiB on disks that turn [default: 1, so that none are]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sequential_depth: Option<u32>,
    /// Room, as 500GiB
    #[arg(long, value_name = "SIZE")]
    pub(crate) capacity: Option<Bytes>,
    /// Mean time that a request may take where it does not wait
    #[arg(long, value_name = "DURATION")]
    pub(crate) latency: Option<Nanos>,
    /// Physical cores of a SAS server: each needs 100 MB/s of large sequential requests
    #[arg(long, value_name = "N", conflicts_with_all = ["iops", "throughput"],
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sas_cores: Option<u32>,
}

/// What the machine must have.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Machine")]
pub(crate) struct MachineOptions {
    /// Virtual processors, at least
    #[arg(long, value_name = "N", conflicts_with = "instance")]
    pub(crate) vcpus: Option<u32>,
    /// Physical cores, at least
    #[arg(long, value_name = "N", conflicts_with = "instance")]
    pub(crate) cores: Option<u32>,
    /// Memory, at least, as 32GiB
    #[arg(long, value_name = "SIZE", conflicts_with = "instance")]
    pub(crate) memory: Option<Bytes>,
    /// Its architecture
    #[arg(long, value_name = "ARCH", conflicts_with = "instance",
          value_parser = ["x86_64", "arm64"])]
    pub(crate) arch: Option<String>,
    /// How volumes are attached
    #[arg(long, value_name = "HOW", conflicts_with = "instance", value_parser = ["nvme", "scsi"])]
    pub(crate) interface: Option<String>,
    /// Network that lasts, at least, in Gbit/s
    #[arg(long, value_name = "GBIT/S", conflicts_with = "instance", value_parser = above_zero)]
    pub(crate) network: Option<f64>,
}

/// What of the bill counts.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Bill")]
pub(crate) struct BillOptions {
    /// Rank by the price of the disks alone
    #[arg(long, conflicts_with = "machine_only")]
    pub(crate) disks_only: bool,
    /// Rank by the price of the machine alone
    #[arg(long)]
    pub(crate) machine_only: bool,
    /// What so much a month buys: the most of the load, or with a rate what gives it longest
    #[arg(long, value_name = "AMOUNT", conflicts_with_all = ["volume", "from"],
          value_parser = above_zero)]
    pub(crate) budget: Option<f64>,
    /// Share of the month in which the load runs: transactions are billed for it [default: 100%]
    #[arg(long, value_name = "PERCENT")]
    pub(crate) busy: Option<Percent>,
    /// Snapshots that are kept, as 500GiB
    #[arg(long, value_name = "SIZE")]
    pub(crate) snapshots: Option<Bytes>,
}

/// One `--output` of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlanOutput {
    pub(crate) format: PlanFormat,
    /// Standard output unless there is one.
    pub(crate) file: Option<PathBuf>,
}

/// How a plan is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// A table
    Text,
    /// All figures, with parts of prices and sources
    Json,
    /// A row for each layout
    Csv,
    /// A page with pictures
    Html,
}

impl NeedOptions {
    /// Sets one by the word that a role has for it; the error says what was expected.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "iops" => self.iops = Some(above_zero(value)?),
            "throughput" => self.throughput = Some(throughput(value)?),
            "block" => self.block_size = Some(read(value)?),
            "read" => self.read = Some(read(value)?),
            "random" => self.random = Some(read(value)?),
            "capacity" => self.capacity = Some(read(value)?),
            "latency" => self.latency = Some(read(value)?),
            _ => return Err(format!("there is no word `{key}`")),
        }
        Ok(())
    }
}

fn read<T: FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

impl MachineOptions {
    /// What the machine must have.
    pub(crate) fn wanted(&self) -> Wanted {
        Wanted {
            vcpus: self.vcpus,
            cores: self.cores,
            memory_mib: self.memory.map(|size| size.0 >> 20),
            arch: self.arch.clone(),
            interface: self.interface.clone(),
            network_bits: self.network.map(|gbits| gbits * 1e9),
        }
    }
}

impl FromStr for PlanOutput {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let formats = PlanFormat::value_variants()
            .iter()
            .map(|format| NamedFormat {
                name: format.name(),
                extension: format.extension(),
                value: *format,
            });
        let (format, file) = format::read(text, &formats.collect::<Vec<_>>())?;
        Ok(Self { format, file })
    }
}

impl PlanFormat {
    const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Html => "html",
        }
    }

    const fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            format => format.name(),
        }
    }
}

impl PlanArgs {
    /// Where the plan goes in the end; the table always to standard output, unless something else
    /// does.
    pub(crate) fn places(&self) -> Vec<PlanOutput> {
        let on_stdout = |format| PlanOutput { format, file: None };
        let mut places = self.output.clone();
        if self.json {
            places.push(on_stdout(PlanFormat::Json));
        }
        if places.iter().all(|place| place.file.is_some()) {
            places.push(on_stdout(PlanFormat::Text));
        }
        places
    }
}

fn cloud(text: &str) -> Result<Cloud, String> {
    Cloud::of_folder(text)
        .filter(|cloud| *cloud != Cloud::Local)
        .ok_or_else(|| "the clouds are aws, azure and gcp".to_owned())
}

fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    number
        .filter(|number| number.is_finite() && *number > 0.0)
        .ok_or_else(|| "expected a number above zero".to_owned())
}

fn throughput(text: &str) -> Result<f64, String> {
    match text.parse::<Rate>() {
        Ok(Rate::BytesPerSecond(rate)) => Ok(rate),
        _ => Err("expected bytes a second, as in 500MB/s or 250MiB/s".to_owned()),
    }
}
