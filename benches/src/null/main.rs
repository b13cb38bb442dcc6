//! The service time that is reported where there is no storage: every profile on the null engine.
//!
//! Each request completes within the call that submits it and nothing is moved, so the truth of a
//! service time is next to nothing. What is measured beyond that is the generator's own work in the
//! wrong place; what the generator does is a figure of its own, printed next to it. The exit status
//! is 0 when every profile is below its bar, 1 when one is not or did not run.

#![allow(
    clippy::disallowed_methods,
    reason = "it prints what it measured itself"
)]
#![forbid(unsafe_code)]

mod load;
mod table;

use crate::table::ProfileRow;
use anyhow::{Context as _, Result, bail};
use clap::{Parser, value_parser};
use fathom_tools::profiles::PROFILES;
use std::io::Write as _;
use std::process::ExitCode;

/// Show the service times of the null engine, for every profile at depth 1 and 32.
///
/// Needs no storage and touches none.
#[derive(Debug, Parser)]
#[command(name = "fathom-null", version)]
struct Args {
    /// Only the profiles whose name has this in it
    #[arg(long, value_name = "WORD", default_value = "")]
    only: String,

    /// Length of each phase in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100)]
    #[arg(value_parser = value_parser!(u64).range(10..))]
    ms: u64,
}

fn main() -> ExitCode {
    match measure(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(std::io::stderr().lock(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all are below their bars.
fn measure(args: &Args) -> Result<bool> {
    let chosen = PROFILES
        .iter()
        .filter(|profile| profile.name.contains(&args.only));
    let mut rows = Vec::new();
    for profile in chosen {
        rows.push(ProfileRow {
            profile: profile.name,
            depths: load::DEPTHS.map(|depth| load::worst(profile, depth.queue_depth, args.ms)),
        });
    }
    if rows.is_empty() {
        bail!("no profile has `{}` in its name", args.only);
    }
    let mut out = std::io::stdout().lock();
    out.write_all(table::render(&rows, args.ms).as_bytes())
        .context("cannot print")?;
    Ok(rows.iter().all(ProfileRow::is_below))
}
