//! A number of random requests of 4 KiB, and no more: what `cargo xtask instr` counts the
//! instructions of. It is small, and built in a third of the time that the whole program takes.
//!
//! `requests ENGINE TARGET QUEUE_DEPTH COUNT direct|buffered read|write|poisson` prints how many
//! were made. The status is 4 where this machine has no such engine or target.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it is what the program is for"
)]

use fathom_core::spec::{Arrivals, IoKind, Job, Pacing, Phase, Workload};
use fathom_core::{Bytes, EngineKind, Nanos, Op, Rate};
use fathom_session::{Plan, RunError, Silent, measure};
use std::process::ExitCode;

/// An open load that no machine keeps up with, so that no instruction is spent on waiting.
const ALWAYS_LATE: Pacing = Pacing::Open {
    rate: Rate::Iops(1e8),
    arrivals: Arrivals::Poisson,
};

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [engine, target, queue_depth, count, way, load] = &words[..] else {
        return Err("requests ENGINE TARGET QUEUE_DEPTH COUNT direct|buffered LOAD".into());
    };
    let (op, pacing) = match load.as_str() {
        "read" => (Op::Read, Pacing::CLOSED),
        "write" => (Op::Write, Pacing::CLOSED),
        "poisson" => (Op::Read, ALWAYS_LATE),
        _ => return Err("LOAD is read, write or poisson".into()),
    };
    let mut job = Job {
        name: "requests".to_owned(),
        queue_depth: queue_depth.parse()?,
        size: Some(Bytes(64 << 20)),
        kinds: vec![IoKind::plain(op, Bytes(4096))],
        pacing,
        ..Job::plain()
    };
    job.stop.ios = Some(count.parse()?);
    job.durability.direct = way == "direct";
    let phase = Phase {
        // The count ends the run; the time only guards against one that hangs.
        duration: Some(Nanos::from_secs(600)),
        jobs: vec![job],
        ..Phase::plain()
    };
    let workload = Workload {
        name: "requests".to_owned(),
        // Where instructions are counted, an interval of a second holds fifty times fewer requests
        // than in earnest.
        interval: Nanos::from_secs(60),
        phases: vec![phase],
        ..Workload::plain()
    };
    let plan = Plan::new(workload)
        .on(target)
        .by(engine.parse::<EngineKind>()?);
    let judged = match measure(plan, &mut Silent) {
        Err(error @ (RunError::Prepare(_) | RunError::Engine(_))) => {
            eprintln!("{error}");
            return Ok(ExitCode::from(4));
        }
        judged => judged?,
    };
    let made = judged.result().phases[0].jobs[0].ops.get(op);
    println!("{}", made.map_or(0, |made| made.ios));
    Ok(ExitCode::SUCCESS)
}
