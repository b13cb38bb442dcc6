//! Measures random reads of 4 KiB from a file for ten seconds, and says what they are worth:
//! `cargo run --release -p fathom-session --example measure -- FILE`.
#![allow(clippy::print_stdout, reason = "it is what the program is for")]

use fathom_core::spec::{IoKind, Job, Phase, Workload};
use fathom_core::{Bytes, Nanos, Op, figure};
use fathom_session::{Plan, RunError, Silent, measure};

fn main() -> Result<(), RunError> {
    let path = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let reads = Job {
        name: "reads".to_owned(),
        queue_depth: 8,
        size: Some(Bytes(64 << 20)),
        kinds: vec![IoKind::plain(Op::Read, Bytes(4096))],
        ..Job::plain()
    };
    let phase = Phase {
        duration: Some(Nanos::from_secs(10)),
        jobs: vec![reads],
        ..Phase::plain()
    };
    let workload = Workload {
        name: "reads".to_owned(),
        phases: vec![phase],
        ..Workload::plain()
    };
    let judged = measure(Plan::new(workload).on(path), &mut Silent)?;
    let reads = judged.result().phases[0].jobs[0].ops.get(Op::Read);
    let iops = reads.map_or(0.0, |reads| reads.iops);
    let p99 = reads.and_then(|reads| reads.service_ns.percentile("99"));
    let p99 = p99.map_or_else(|| "of too few".to_owned(), figure::duration);
    println!("{}: {iops:.0} IOPS, p99 {p99}", judged.state().word());
    Ok(())
}
