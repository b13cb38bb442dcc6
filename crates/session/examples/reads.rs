//! So many random reads of 4 KiB, and no more: what `cargo xtask instr` counts the instructions of.
//! It is small, and built in a third of the time that the whole program takes.
//!
//! `reads ENGINE TARGET QUEUE_DEPTH COUNT direct|buffered` prints how many were made. The status
//! is 4 where this machine has no such engine or target.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it is what the program is for"
)]

use fathom_core::spec::{IoKind, Job, Phase, Workload};
use fathom_core::{Bytes, EngineKind, Nanos, Op};
use fathom_session::{Plan, RunError, Silent, measure};
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [engine, target, queue_depth, count, way] = &words[..] else {
        return Err("reads ENGINE TARGET QUEUE_DEPTH COUNT direct|buffered".into());
    };
    let mut job = Job {
        name: "reads".to_owned(),
        queue_depth: queue_depth.parse()?,
        size: Some(Bytes(64 << 20)),
        kinds: vec![IoKind::plain(Op::Read, Bytes(4096))],
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
        name: "reads".to_owned(),
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
    let reads = judged.result().phases[0].jobs[0].ops.get(Op::Read);
    println!("{}", reads.map_or(0, |reads| reads.ios));
    Ok(ExitCode::SUCCESS)
}
