//! Fathom compared with fio, request by request: the same job file given to both, and what each
//! then asked of its files, as the kernel's own record of system calls (strace) has it.
//!
//! Prints a page in Markdown, which `docs/dialects/peers.md` keeps. Every file is made for it, in a
//! folder of its own that is removed. The exit status is 0 when all counts and mixes are within
//! 3 %, or a difference is a known one; 1 when not.

#![allow(
    clippy::disallowed_methods,
    reason = "it writes its own files, and devices that it makes"
)]
#![forbid(unsafe_code)]

mod cases;
mod command;
mod folder;
mod page;
mod seen;

use crate::cases::{CASES, Case};
use crate::command::{Tool, measured, traced};
use crate::folder::Folder;
use crate::page::CasePair;
use anyhow::{Context, Result};
use clap::Parser;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare Fathom with fio: the same job files, and what each asked of its files.
#[derive(Debug, Parser)]
#[command(name = "fathom-peers", version)]
struct Args {
    /// Only the cases whose name has this in it
    #[arg(long, value_name = "WORD", default_value = "")]
    only: String,

    /// Runs of each tool for the IOPS, without a trace; their median is printed
    #[arg(long, value_name = "N", default_value_t = 3)]
    runs: usize,

    /// The fathom program [default: the one in the folder of this program]
    #[arg(long, value_name = "PATH")]
    fathom: Option<PathBuf>,

    /// Where to make the files; needs 300 MB
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(std::io::stderr().lock(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<bool> {
    let beside = std::env::current_exe()
        .context("cannot find this program")?
        .with_file_name("fathom");
    let fathom = args.fathom.clone().unwrap_or(beside);
    let fathom = fathom
        .canonicalize()
        .with_context(|| format!("there is no {}; give --fathom", fathom.display()))?;
    let tools = [Tool::fio(), Tool::fathom(&fathom)];
    let folder = Folder::new_in(&args.dir)?;
    let mut rows = Vec::new();
    for case in CASES.iter().filter(|case| case.name.contains(&args.only)) {
        let _ = writeln!(std::io::stderr().lock(), "{} …", case.name);
        rows.push(compare(case, &tools, &folder, args.runs)?);
    }
    let page = page::render(&rows, &tools, args.runs);
    let mut out = std::io::stdout().lock();
    out.write_all(page.as_bytes()).context("cannot print")?;
    Ok(rows.iter().all(CasePair::is_within))
}

/// Both tools at one case: a traced run of each, then measured ones in turn.
fn compare(
    case: &'static Case,
    tools: &[Tool; 2],
    folder: &Folder,
    runs: usize,
) -> Result<CasePair> {
    let job = case.job()?;
    folder.write("job.fio", job.as_bytes())?;
    for (name, bytes) in case.files {
        folder.fill(name, *bytes)?;
    }
    let span: u64 = case.files.iter().map(|(_, bytes)| bytes).sum();
    let mut seen = Vec::new();
    for tool in tools {
        let found = traced(tool, case, folder, span);
        seen.push(found.with_context(|| format!("{}, {}", case.name, tool.name))?);
    }
    let mut iops = [Vec::new(), Vec::new()];
    for _ in 0..runs {
        for (tool, iops) in tools.iter().zip(&mut iops) {
            iops.push(measured(tool, folder)?.iops);
        }
    }
    folder.empty()?;
    let fathom = seen.pop().unwrap_or_default();
    let fio = seen.pop().unwrap_or_default();
    Ok(CasePair {
        case,
        seen: [fio, fathom],
        iops: iops.map(median),
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
