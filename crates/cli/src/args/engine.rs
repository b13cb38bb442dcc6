//! Options on how requests are made, not on what they are.

use super::catalog::date;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fathom_core::engine::EngineRow;
use fathom_core::{EngineKind, Nanos, UnknownEngine};
use fathom_volume::catalog::Date;
use std::fmt;
use std::str::FromStr;

const AUTO: &str = "auto";

/// Options of the I/O engine.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Engine")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
pub(crate) struct EngineArgs {
    /// I/O engine
    #[arg(long, value_name = "ENGINE", default_value = AUTO, value_parser = EngineChoice::parser())]
    pub(crate) engine: EngineChoice,
    /// CPUs to pin threads to in turn, such as 1 or 0-3,6
    #[arg(long, value_name = "LIST")]
    pub(crate) affinity: Option<CpuList>,
    /// Keep CPUs out of idle states during the run, to avoid wake-up latency (root)
    #[arg(long)]
    pub(crate) awake: bool,
    /// io_uring: submit through a kernel thread
    #[arg(long)]
    pub(crate) sqpoll: bool,
    /// CPU of the kernel thread; only inputs of other programs set it.
    #[arg(skip)]
    pub(crate) sqpoll_cpu: Option<u32>,
    /// io_uring: poll for completions; the device needs poll queues
    #[arg(long)]
    pub(crate) iopoll: bool,
    /// io_uring: sleep before polling for completions (Linux 6.13)
    #[arg(long, requires = "iopoll")]
    pub(crate) hybrid_poll: bool,
    /// io_uring: stop waiting for a full completion batch after DURATION (Linux 6.12); requires
    /// --complete-batch
    #[arg(long, value_name = "DURATION")]
    pub(crate) min_wait: Option<Nanos>,
    /// Allocate buffers on huge pages
    #[arg(long)]
    pub(crate) huge_pages: bool,
    /// sim: service time of each request
    #[arg(long, value_name = "DURATION")]
    pub(crate) sim_service_time: Option<Nanos>,
    /// sim: requests served in parallel; others queue
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sim_servers: Option<u32>,
    /// sim: volume as in `fathom simulate`, such as gp3:1TiB + wbcache:64MiB:200MB/s + counters
    #[arg(long, value_name = "VOLUME", conflicts_with_all = ["sim_service_time", "sim_servers"])]
    pub(crate) sim_volume: Option<String>,
    /// sim: instance that the volume is attached to, as in `fathom simulate`, such as
    /// r5d.xlarge:credit=0%
    #[arg(long, value_name = "NAME", requires = "sim_volume")]
    pub(crate) sim_instance: Option<String>,
    /// sim: date of the volume's limits, such as 2018-11-01 [default: today]
    #[arg(long, value_name = "DATE", value_parser = date, requires = "sim_volume")]
    pub(crate) sim_as_of: Option<Date>,
}

/// An engine, or the best that works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EngineChoice(pub(crate) Option<EngineKind>);

impl EngineChoice {
    /// Whether requests reach any storage.
    pub(crate) fn is_real(self) -> bool {
        self.0.is_none_or(EngineKind::is_real)
    }

    /// Whether time is that of a simulated volume.
    pub(crate) fn is_virtual(self) -> bool {
        self.0.is_some_and(EngineKind::is_virtual)
    }

    fn parser() -> impl TypedValueParser<Value = Self> {
        let auto = PossibleValue::new(AUTO).help("the fastest engine that works here");
        let engines =
            EngineRow::of_runs().map(|row| PossibleValue::new(row.name).help(row.description));
        PossibleValuesParser::new(std::iter::once(auto).chain(engines))
            .try_map(|word| word.parse::<Self>())
    }
}

impl FromStr for EngineChoice {
    type Err = UnknownEngine;

    fn from_str(word: &str) -> Result<Self, UnknownEngine> {
        Ok(Self(match word {
            AUTO => None,
            name => Some(name.parse()?),
        }))
    }
}

/// Processor numbers, in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CpuList(pub(crate) Vec<u32>);

const CPU_LIMIT: u32 = 8192;

impl FromStr for CpuList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let malformed = || "expected CPU numbers, such as 1 or 0-3,6".to_owned();
        let mut cpus = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |word: &str| word.parse::<u32>().map_err(|_| malformed());
            let (first, last) = (number(first)?, number(last)?);
            if first > last || last >= CPU_LIMIT {
                return Err(malformed());
            }
            cpus.extend(first..=last);
        }
        Ok(Self(cpus))
    }
}

impl fmt::Display for CpuList {
    /// Runs of numbers as `0-3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.0.chunk_by(|one, next| one + 1 == *next);
        let words: Vec<String> = runs
            .map(|run| match run {
                [only] => only.to_string(),
                [first, .., last] => format!("{first}-{last}"),
                [] => String::new(),
            })
            .collect();
        f.write_str(&words.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_listed_in_order() {
        let cases: [(&str, Option<&[u32]>); 7] = [
            ("1", Some(&[1])),
            ("0-3,6", Some(&[0, 1, 2, 3, 6])),
            ("4,2", Some(&[4, 2])),
            ("", None),
            ("3-1", None),
            ("0,", None),
            ("0-4000000000", None),
        ];
        for (text, cpus) in cases {
            let read = text.parse::<CpuList>().ok().map(|list| list.0);
            assert_eq!(read.as_deref(), cpus, "{text}");
        }
    }

    #[test]
    fn a_list_is_printed_as_short_as_it_can_be_typed() {
        for text in ["1", "0-3,6", "4,2", "0-1,3-4"] {
            let list: CpuList = text.parse().unwrap();
            assert_eq!(list.to_string(), text);
        }
    }
}
