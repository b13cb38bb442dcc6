//! What the passive checks cost: the same load with them and without, in turn, many times.
//!
//! Prints a table in Markdown. The load is reads of 4 KiB on a zram device that is made for it and
//! removed: the fastest block device there is, on which looking costs the largest share. The exit
//! status is 0 when everything ran, 1 when something did not, 130 after Ctrl-C.

#![allow(
    clippy::disallowed_methods,
    reason = "it writes its own files, and devices that it makes"
)]
#![forbid(unsafe_code)]

mod cost;
#[path = "../interrupt.rs"]
mod interrupt;
mod load;
#[path = "../stats.rs"]
mod stats;
#[path = "../zram.rs"]
mod zram;

use crate::cost::{Cost, Rounds};
use crate::interrupt::Interrupt;
use crate::load::{CASES, Case};
use crate::zram::Zram;
use anyhow::{Context as _, Result, bail};
use clap::{Parser, value_parser};
use std::io::Write as _;
use std::process::ExitCode;

const ZRAM_BYTES: u64 = 1 << 30;
const INTERRUPTED: u8 = 130;

/// Measure what the passive checks cost: the same load with them and without, in turn.
///
/// Makes and removes a zram device, for which it has to be root; touches no other device.
#[derive(Debug, Parser)]
#[command(name = "fathom-passive", version)]
struct Args {
    /// Only the cases whose name has this in it
    #[arg(long, value_name = "WORD", default_value = "")]
    only: String,

    /// Rounds of each case, each of three runs
    #[arg(long, value_name = "N", default_value_t = 60)]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    rounds: u32,

    /// Length of a run in milliseconds; short ones show more than the cost of long ones
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    #[arg(value_parser = value_parser!(u64).range(100..))]
    ms: u64,

    /// Seed of the order of the runs and of the intervals
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    match measure(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is::<interrupt::Interrupted>() => ExitCode::from(INTERRUPTED),
        Err(error) => {
            say(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn measure(args: &Args) -> Result<()> {
    let chosen = CASES.iter().filter(|case| case.name.contains(&args.only));
    let chosen: Vec<&Case> = chosen.collect();
    if chosen.is_empty() {
        let names: Vec<&str> = CASES.iter().map(|case| case.name).collect();
        bail!(
            "no case has `{}` in it; there are {}",
            args.only,
            names.join(", ")
        );
    }
    if let Some(why) = Zram::obstacle() {
        bail!("{why}");
    }
    let interrupt = Interrupt::listen().context("cannot receive signals")?;
    let zram = Zram::add(ZRAM_BYTES)?;
    let mut costs = Vec::new();
    for case in chosen {
        say(&format!(
            "{}: {} rounds of 3 runs ...",
            case.name, args.rounds
        ));
        let plan = load::plan(case, &zram.path(), args.ms)?;
        let rounds = Rounds::measure(&plan, args.rounds, args.seed, &interrupt)?;
        costs.push(Cost::of(case.name, &rounds, args.seed));
    }
    print(&cost::table(&costs, args.ms))
}

fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).context("cannot print")
}

fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
