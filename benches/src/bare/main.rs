//! The bare path: what the kernel gives to a loop that submits random reads and counts completions,
//! with no clock, no statistics and no checks around it. No program that measures can be faster.
//!
//! A page for each interface, which shares nothing with Fathom's engines. Prints one line of JSON:
//! `ios`, `bytes` and `seconds`.
#![allow(
    clippy::disallowed_methods,
    reason = "it shares nothing with the program that it is compared with: no clock, no files"
)]

mod io_uring;
mod libaio;
mod offsets;
mod preadv2;
mod slots;

use crate::offsets::Offsets;
use anyhow::{Context, Result, ensure};
use clap::{Parser, ValueEnum};
use rustix::fs::OFlags;
use rustix::thread::CpuSet;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Random reads of blocks by the shortest path to the kernel.
#[derive(Debug, Parser)]
#[command(name = "fathom-bare", version)]
struct Args {
    /// Interface to the kernel
    engine: Engine,

    /// File or device to read; it is never written
    target: PathBuf,

    /// Bytes of the target to read from, at random
    #[arg(long, value_name = "BYTES")]
    size: u64,

    /// Bytes of a request
    #[arg(long, value_name = "BYTES", default_value_t = 4096)]
    #[arg(value_parser = clap::value_parser!(u32).range(512..=1 << 20))]
    block_size: u32,

    /// Requests in flight; preadv2 has one
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    queue_depth: u32,

    /// Length in seconds
    #[arg(long, value_name = "S", default_value_t = 3)]
    time: u64,

    /// Bypass the page cache
    #[arg(long)]
    direct: bool,

    /// CPU to run on
    #[arg(long, value_name = "CPU")]
    cpu: Option<usize>,

    /// File for the result [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Engine {
    IoUring,
    Libaio,
    Preadv2,
}

/// What every page needs.
struct Setup {
    file: File,
    offsets: Offsets,
    block_bytes: usize,
    queue_depth: usize,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let block = u64::from(args.block_size);
    let blocks = args.size / block;
    ensure!(blocks > 0, "--size is smaller than one block");
    let flags = if args.direct {
        OFlags::DIRECT.bits()
    } else {
        0
    };
    let mut options = OpenOptions::new();
    let options = options.read(true).custom_flags(flags as i32);
    let file = options.open(&args.target);
    let setup = Setup {
        file: file.with_context(|| args.target.display().to_string())?,
        offsets: Offsets::new(blocks, block),
        block_bytes: args.block_size as usize,
        queue_depth: args.queue_depth as usize,
    };
    let stop = AtomicBool::new(false);
    let (ios, taken) = std::thread::scope(|scope| {
        let load = scope.spawn(|| {
            if let Some(cpu) = args.cpu {
                let mut cpus = CpuSet::new();
                cpus.set(cpu);
                rustix::thread::sched_setaffinity(None, &cpus).context("cannot stay on --cpu")?;
            }
            let begin = Instant::now();
            let ios = match args.engine {
                Engine::IoUring => io_uring::run(setup, &stop),
                Engine::Libaio => libaio::run(setup, &stop),
                Engine::Preadv2 => preadv2::run(setup, &stop),
            };
            anyhow::Ok((ios?, begin.elapsed()))
        });
        std::thread::park_timeout(Duration::from_secs(args.time));
        stop.store(true, Ordering::Relaxed);
        load.join()
            .unwrap_or_else(|cause| std::panic::resume_unwind(cause))
    })?;
    let result = serde_json::json!({
        "ios": ios,
        "bytes": ios * block,
        "seconds": taken.as_secs_f64(),
    });
    let line = format!("{result}\n");
    match &args.output {
        Some(path) => std::fs::write(path, line).with_context(|| path.display().to_string()),
        None => std::io::stdout()
            .write_all(line.as_bytes())
            .context("cannot print"),
    }
}
