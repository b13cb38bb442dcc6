//! `fathom plan`.

use super::format::{FormatFile, Formats};
use super::{CatalogOptions, InstanceOptions, RecordingOptions, ReplaceArgs, SasOptions, more};
use clap::{Args, ValueEnum};
use fathom_core::{Bytes, Nanos, Percent, Rate};
use fathom_volume::Cloud;
use fathom_volume::catalog::{BillTerm, Conversion, Terms};
use fathom_volume::plan::Wanted;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Args, Debug)]
pub(crate) struct PlanArgs {
    /// Profile or TOML file: defines sizes, operation mix and, for open loads, the rate
    #[arg(value_name = "NAME|FILE.toml")]
    pub(crate) workload: Option<String>,
    /// Recording whose load to plan for, as in `fathom need`; it is replayed on each layout. - for
    /// standard input
    #[arg(
        long,
        value_name = "FILE|-",
        conflicts_with_all = [
            "workload", "iops", "throughput", "read", "random", "sas_cores", "sas_heavy"
        ]
    )]
    pub(crate) from: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) recording: RecordingOptions,
    /// Reserve to buy in addition to the load and the capacity, in percent
    #[arg(long, value_name = "PERCENT", value_parser = more,
          conflicts_with_all = ["role", "budget"])]
    pub(crate) headroom: Option<f64>,
    /// Also plan after each of N years of --growth, such as 30/year
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=20),
          requires = "growth", conflicts_with_all = ["role", "budget", "volume"])]
    pub(crate) years: Option<u8>,
    #[command(flatten)]
    pub(crate) need: NeedOptions,
    /// Compare these layouts, such as 4x gp2:250GiB or io1:200GiB:10000iops; repeatable
    #[arg(long, value_name = "VOLUME")]
    pub(crate) volume: Vec<String>,
    /// Load of one role, such as "log=iops:2000 block:64KiB read:0 capacity:100GiB"; repeatable.
    /// All roles use one machine
    #[arg(
        long,
        value_name = "ROLE=NEED",
        conflicts_with_all = [
            "from", "volume", "iops", "throughput", "block_size", "read", "random", "capacity",
            "latency", "sas_cores", "sas_heavy", "ephemeral_ok", "budget", "top", "disks_only",
            "machine_only"
        ]
    )]
    pub(crate) role: Vec<String>,
    /// Only volumes of this cloud: aws, azure, gcp, rds, oci, alibaba or own
    #[arg(long, value_name = "CLOUD", value_parser = cloud)]
    pub(crate) cloud: Option<Cloud>,
    #[command(flatten)]
    pub(crate) instance: InstanceOptions,
    /// Only prices and volumes of this region
    #[arg(long, value_name = "REGION")]
    pub(crate) region: Option<String>,
    /// Maximum number of volumes in a stripe
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = clap::value_parser!(u16).range(1..=128))]
    pub(crate) max_volumes: u16,
    /// Chunk size of stripes, such as 64KiB [default: 256KiB; 1MiB for HDD volumes where it costs
    /// less]
    #[arg(long, value_name = "SIZE", value_parser = chunk, conflicts_with_all = ["volume", "role"])]
    pub(crate) chunk: Option<Bytes>,
    #[command(flatten)]
    pub(crate) machine: MachineOptions,
    #[command(flatten)]
    pub(crate) bill: BillOptions,
    /// Show the first N ranks instead of a few different layouts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) top: Option<u16>,
    /// Show the calculation of each layout line by line
    #[arg(long)]
    pub(crate) explain: bool,
    /// Show the calculation of one row, by its number
    #[arg(long, value_name = "ROW", conflicts_with = "explain")]
    pub(crate) why: Option<usize>,
    /// Write text, json, csv or html (with charts) to standard output or a file; repeatable
    #[arg(short = 'o', long, alias = "out", value_name = "FORMAT[:FILE]")]
    pub(crate) output: Vec<FormatFile<PlanFormat>>,
    /// Print JSON; same as `--output json`
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    #[command(flatten)]
    pub(crate) catalog: CatalogOptions,
}

/// The required load.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Need")]
pub(crate) struct NeedOptions {
    /// Requests a second
    #[arg(long, value_name = "N", value_parser = count,
          conflicts_with_all = ["sas_cores", "sas_heavy"])]
    pub(crate) iops: Option<f64>,
    /// Throughput, such as 500MB/s
    #[arg(long, value_name = "RATE", value_parser = throughput,
          conflicts_with_all = ["sas_cores", "sas_heavy"])]
    pub(crate) throughput: Option<f64>,
    /// Request size, such as 8KiB
    #[arg(long, value_name = "SIZE", value_parser = with_unit)]
    pub(crate) block_size: Option<Bytes>,
    /// Percentage of reads; the rest are writes
    #[arg(long, value_name = "PERCENT")]
    pub(crate) read: Option<Percent>,
    /// Percentage of requests at random offsets
    #[arg(long, value_name = "PERCENT")]
    pub(crate) random: Option<Percent>,
    /// Sequential requests outstanding at once, which vendors merge up to 256 KiB (1 MiB on HDD
    /// volumes) [default: 1, no merging]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sequential_depth: Option<u32>,
    /// Capacity, such as 500GiB
    #[arg(long, value_name = "SIZE", value_parser = with_unit)]
    pub(crate) capacity: Option<Bytes>,
    /// Also plan disks in the host, for data that may be lost: tempdb, WORK, caches
    #[arg(long, conflicts_with_all = ["disks_only", "budget", "volume"])]
    pub(crate) ephemeral_ok: bool,
    /// Mean service time of a request that does not queue
    #[arg(long, value_name = "DURATION")]
    pub(crate) latency: Option<Nanos>,
    #[command(flatten)]
    pub(crate) sas: SasOptions,
}

/// Requirements on the machine.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Machine")]
pub(crate) struct MachineOptions {
    /// Minimum number of virtual CPUs
    #[arg(long, value_name = "N", conflicts_with = "instance")]
    pub(crate) vcpus: Option<u32>,
    /// Minimum number of physical cores
    #[arg(long, value_name = "N", conflicts_with = "instance")]
    pub(crate) cores: Option<u32>,
    /// Minimum memory, such as 32GiB
    #[arg(long, value_name = "SIZE", conflicts_with = "instance", value_parser = with_unit)]
    pub(crate) memory: Option<Bytes>,
    /// CPU architecture
    #[arg(long, value_name = "ARCH", conflicts_with = "instance",
          value_parser = ["x86_64", "arm64"])]
    pub(crate) arch: Option<String>,
    /// Volume attachment
    #[arg(long, value_name = "HOW", conflicts_with = "instance", value_parser = ["nvme", "scsi"])]
    pub(crate) interface: Option<String>,
    /// Minimum sustained network bandwidth, in Gbit/s
    #[arg(long, value_name = "GBIT/S", conflicts_with = "instance", value_parser = above_zero)]
    pub(crate) network: Option<f64>,
}

/// Options of the bill.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Bill")]
pub(crate) struct BillOptions {
    /// Rank by disk price only
    #[arg(long, conflicts_with = "machine_only")]
    pub(crate) disks_only: bool,
    /// Rank by machine price only
    #[arg(long)]
    pub(crate) machine_only: bool,
    /// Monthly budget: find the layout with the highest load, or with a rate, the longest sustained
    /// time
    #[arg(long, value_name = "AMOUNT", conflicts_with_all = ["volume", "from"],
          value_parser = above_zero)]
    pub(crate) budget: Option<f64>,
    /// Operating system of the machine, in its price [default: linux]
    #[arg(long, value_name = "OS", conflicts_with = "disks_only")]
    pub(crate) os: Option<OsChoice>,
    /// SQL Server licence in the price of the machine
    #[arg(
        long,
        value_name = "LICENCE",
        visible_alias = "license",
        conflicts_with = "disks_only"
    )]
    pub(crate) licence: Option<LicenceChoice>,
    /// Pay for the machine for a term: 1y or 3y, without upfront payment [default: on demand]
    #[arg(long, value_name = "TERM", conflicts_with = "disks_only")]
    pub(crate) commit: Option<CommitChoice>,
    /// Show prices in another currency, at this rate for 1 USD: EUR=0.92
    #[arg(long, value_name = "CODE=RATE", value_parser = conversion)]
    pub(crate) currency: Option<Conversion>,
    /// Percentage of the month in which the load runs; transactions are billed for it [default:
    /// 100%]
    #[arg(long, value_name = "PERCENT")]
    pub(crate) busy: Option<Percent>,
    /// Stored snapshots, such as 500GiB
    #[arg(long, value_name = "SIZE", value_parser = with_unit)]
    pub(crate) snapshots: Option<Bytes>,
}

/// Operating systems that a price includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OsChoice {
    /// No licence
    Linux,
    /// Windows Server
    Windows,
    /// Red Hat Enterprise Linux
    Rhel,
}

/// Database licences that a price includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LicenceChoice {
    /// SQL Server, Web edition
    #[value(name = "sql-web")]
    Web,
    /// SQL Server, Standard edition
    #[value(name = "sql-standard")]
    Standard,
    /// SQL Server, Enterprise edition
    #[value(name = "sql-enterprise")]
    Enterprise,
}

/// How long a machine is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CommitChoice {
    /// For a term of one year
    #[value(name = "1y")]
    OneYear,
    /// For a term of three years
    #[value(name = "3y")]
    ThreeYears,
}

impl BillOptions {
    /// What the bill is asked for, licences before commitments.
    pub(crate) fn terms(&self) -> Terms {
        let os = self.os.and_then(|os| match os {
            OsChoice::Linux => None,
            OsChoice::Windows => Some(BillTerm::Windows),
            OsChoice::Rhel => Some(BillTerm::Rhel),
        });
        let licence = self.licence.map(|licence| match licence {
            LicenceChoice::Web => BillTerm::SqlWeb,
            LicenceChoice::Standard => BillTerm::SqlStandard,
            LicenceChoice::Enterprise => BillTerm::SqlEnterprise,
        });
        let commit = self.commit.map(|commit| match commit {
            CommitChoice::OneYear => BillTerm::OneYear,
            CommitChoice::ThreeYears => BillTerm::ThreeYears,
        });
        Terms {
            of_machine: [os, licence, commit].into_iter().flatten().collect(),
            conversion: self.currency.clone(),
        }
    }
}

/// How a plan is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlanFormat {
    /// A table
    Text,
    /// JSON with all values, price components and sources
    Json,
    /// One row per layout
    Csv,
    /// HTML page with charts
    Html,
}

impl NeedOptions {
    /// Sets one by the word that a role has for it; the error says what was expected.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "iops" => self.iops = Some(count(value)?),
            "throughput" => self.throughput = Some(throughput(value)?),
            "block" => self.block_size = Some(with_unit(value)?),
            "read" => self.read = Some(read(value)?),
            "random" => self.random = Some(read(value)?),
            "capacity" => self.capacity = Some(with_unit(value)?),
            "latency" => self.latency = Some(read(value)?),
            "ephemeral" if value == "ok" => self.ephemeral_ok = true,
            "ephemeral" => return Err("expected ephemeral:ok".to_owned()),
            _ => return Err(format!("there is no key `{key}`")),
        }
        Ok(())
    }
}

fn read<T: FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

impl MachineOptions {
    /// Requirements on the machine.
    pub(crate) fn wanted(&self) -> Wanted {
        Wanted {
            vcpus: self.vcpus,
            cores: self.cores,
            memory_mib: self.memory.map(|size| size.0 >> 20),
            arch: self.arch.clone(),
            interface: self.interface.clone(),
            network_bits: self.network.map(|gbits| gbits * 1e9),
            without_gpu: false,
        }
    }
}

impl Formats for PlanFormat {
    const ALL: &'static [(&'static str, Self)] = &[
        ("text", Self::Text),
        ("json", Self::Json),
        ("csv", Self::Csv),
        ("html", Self::Html),
    ];
}

impl PlanArgs {
    /// Where the plan goes in the end; the table always to standard output, unless something else
    /// does.
    pub(crate) fn places(&self) -> Vec<FormatFile<PlanFormat>> {
        let on_stdout = |format| FormatFile { format, file: None };
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

/// The words for them.
fn clouds() -> String {
    let names: Vec<&str> = Cloud::sellers().map(Cloud::name).collect();
    names.join(", ")
}

fn cloud(text: &str) -> Result<Cloud, String> {
    if let Some(cause) = Cloud::unsourced(text) {
        return Err(cause.to_owned());
    }
    Cloud::of_folder(text)
        .filter(|cloud| *cloud != Cloud::Local)
        .ok_or_else(|| format!("the clouds are {}", clouds()))
}

fn chunk(text: &str) -> Result<Bytes, String> {
    let size: Bytes = read(text)?;
    let is_usual = size.0 >= 4_096 && size.0.is_multiple_of(512);
    is_usual.then_some(size).ok_or_else(|| {
        "expected at least 4KiB and a multiple of 512 bytes, such as 64KiB".to_owned()
    })
}

/// A size of storage or memory, in which a number alone would be bytes and is a mistake.
fn with_unit(text: &str) -> Result<Bytes, String> {
    if text
        .trim()
        .ends_with(|last: char| last.is_ascii_digit() || last == '.')
    {
        return Err("expected a size with its unit, such as 8KiB or 500GiB".to_owned());
    }
    read(text)
}

/// Requests a second: a number, or thousands as 10k.
pub(super) fn count(text: &str) -> Result<f64, String> {
    match text.parse::<Rate>() {
        Ok(Rate::Iops(rate)) if rate > 0.0 => Ok(rate),
        _ => Err("expected a number of requests a second, such as 8000 or 10k".to_owned()),
    }
}

fn conversion(text: &str) -> Result<Conversion, String> {
    let expected = "expected a currency and its rate for 1 USD, such as EUR=0.92";
    let (currency, rate) = text.split_once('=').ok_or(expected)?;
    let is_code = currency.len() == 3 && currency.chars().all(|c| c.is_ascii_uppercase());
    if !is_code {
        return Err(expected.to_owned());
    }
    Ok(Conversion {
        currency: currency.to_owned(),
        rate: above_zero(rate).map_err(|_| expected)?,
    })
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
        _ => Err("expected a throughput, such as 500MB/s or 250MiB/s".to_owned()),
    }
}
