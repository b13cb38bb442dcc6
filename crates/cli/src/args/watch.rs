//! `fathom watch`.

use super::seconds::seconds;
use super::{LimitArgs, ReachArgs, StoreArgs};
use clap::Args;
use fathom_core::Nanos;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

#[derive(Args, Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches of a command line, each on its own"
)]
pub(crate) struct WatchArgs {
    /// Devices by kernel name or path, or files on them [default: all disks that were ever used]
    ///
    /// Numbers at the end are the interval in seconds and the count, as in iostat: `fathom watch
    /// vda 1 10`.
    #[arg(value_name = "DEV")]
    pub(crate) devices: Vec<PathBuf>,
    /// Sampling interval; without a unit, in seconds
    #[arg(long, value_name = "DURATION", default_value = "1s", value_parser = interval)]
    pub(crate) interval: Nanos,
    /// Number of intervals to show [default: until interrupted]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: Option<u64>,
    /// Also show the I/O of a control group (version 2), given by its path below /sys/fs/cgroup
    #[arg(long, value_name = "GROUP")]
    pub(crate) cgroup: Vec<PathBuf>,
    /// Hide idle devices, as in iostat; the live view folds them until z is pressed
    #[arg(short = 'z', long, conflicts_with_all = ["read", "recordings", "forget"])]
    pub(crate) no_idle: bool,
    /// Name what the slowest requests waited for (as root), every 10 s and at the end
    ///
    /// Explains the requests of the process that makes the most, as `fathom blame` does for a
    /// capture. A terminal gets tables instead of the live view. With --json, the explanation is in
    /// `blame`. Tracing costs the load CPU time. With --read it shows what was recorded.
    #[arg(long, conflicts_with_all = ["recordings", "forget", "csv"])]
    pub(crate) blame: bool,
    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Print CSV with the counters of Performance Monitor, as typeperf does
    #[arg(
        long,
        conflicts_with_all = ["csv", "json", "plain", "read", "recordings", "forget", "blame"]
    )]
    pub(crate) perfmon: bool,
    /// Print JSON lines, in the format of --record
    #[arg(long)]
    pub(crate) json: bool,
    /// Print one table per interval, even in a terminal
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    pub(crate) plain: bool,
    /// Save the samples in a new file, for --read
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Save the samples in the history under a new name, for --read recording:NAME
    #[arg(long, value_name = "NAME", conflicts_with = "record")]
    pub(crate) keep: Option<String>,
    /// Serve metrics for Prometheus at http://ADDRESS:PORT/metrics; a PORT alone is on 127.0.0.1
    ///
    /// Without a terminal, tables are printed only with --plain, --csv, --json or --count.
    #[arg(
        long,
        value_name = "ADDRESS:PORT",
        value_parser = listen_address,
        conflicts_with_all = ["read", "recordings", "forget", "hosts", "hosts_file"]
    )]
    pub(crate) listen: Option<SocketAddr>,
    /// Show a recording: a file of --record, recording:NAME, or the output of iostat -x or sar -d
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["interval", "count", "record", "keep", "cgroup", "plain"]
    )]
    pub(crate) read: Option<PathBuf>,
    /// List the recordings in the history
    #[arg(
        long,
        conflicts_with_all = ["devices", "interval", "count", "record", "keep", "cgroup", "plain",
                              "csv", "read"]
    )]
    pub(crate) recordings: bool,
    /// Delete a recording from the history permanently
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = ["devices", "interval", "count", "record", "keep", "cgroup", "plain",
                              "csv", "json", "read", "recordings"]
    )]
    pub(crate) forget: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) reach: ReachArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

impl WatchArgs {
    /// Moves the interval and count after the devices, as in iostat, into the options. Write `./1`
    /// for a file of that name.
    pub(crate) fn with_operands(&self) -> Result<Self, String> {
        let mut args = self.clone();
        let is_number = |path: &PathBuf| path.to_str().is_some_and(is_plain_number);
        let from = args.devices.iter().position(is_number);
        let operands = from.map_or_else(Vec::new, |from| args.devices.split_off(from));
        let words: Vec<_> = operands.iter().map(|path| path.to_string_lossy()).collect();
        match &words[..] {
            [] => {}
            [time] => args.interval = interval(time)?,
            [time, count] => {
                args.interval = interval(time)?;
                let count = count.parse().ok().filter(|count| *count > 0);
                args.count = Some(count.ok_or("the count is not a whole number above 0")?);
            }
            _ => return Err("no argument may follow the interval and the count".to_owned()),
        }
        Ok(args)
    }
}

fn is_plain_number(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_digit()) && word.parse::<f64>().is_ok()
}

/// Nobody else reaches a port unless an address is named.
fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let on_loopback = |port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    let here = port.parse().ok().map(on_loopback);
    here.or_else(|| text.parse().ok()).ok_or_else(|| {
        "expected a port, localhost and a port, or an IP address and a port, such as \
         0.0.0.0:9753 or [::1]:9753"
            .to_owned()
    })
}

/// The kernel counts waits in milliseconds, so shorter intervals have little meaning.
fn interval(text: &str) -> Result<Nanos, String> {
    let interval = seconds(text)?;
    if interval.0 >= 100_000_000 {
        Ok(interval)
    } else {
        Err("expected at least 100ms: the kernel counts in milliseconds".to_owned())
    }
}
