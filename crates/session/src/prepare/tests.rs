//! Preparation of real files and devices, and what the tests of both need.

mod devices;
mod files;
mod layouts;

use super::*;
use fathom_core::spec::{Durability, IoKind, Job, Phase, Verify, Workload};
use fathom_core::{Bytes, EngineKind, Op, Percent};
use fathom_load::observer::Event;

const MIB: u64 = 1 << 20;

/// A job of 4 KiB requests, buffered so that every scratch file system will do.
fn job(op: Op, size: Option<u64>) -> Job {
    Job {
        name: "main".into(),
        size: size.map(Bytes),
        durability: Durability {
            direct: false,
            ..Durability::PLAIN
        },
        kinds: vec![IoKind {
            op,
            block_size: Bytes(4096),
            random: Percent(100.0),
            align: Bytes(4096),
            weight: 1.0,
        }],
        ..Job::plain()
    }
}

fn verified(job: Job) -> Job {
    Job {
        verify: Verify::Check,
        ..job
    }
}

/// A run of these jobs, all in one phase, on these paths.
fn plan(jobs: Vec<Job>, paths: &[&Path]) -> Plan {
    let phase = Phase {
        name: "only".into(),
        jobs,
        ..Phase::plain()
    };
    let workload = Workload {
        name: "test".into(),
        seed: Some(11),
        phases: vec![phase],
        ..Workload::plain()
    };
    paths.iter().fold(Plan::new(workload), Plan::on)
}

/// Adds up what is laid out.
#[derive(Default)]
struct Laid(u64);

impl Observer for Laid {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Layout {
            done_bytes: 0,
            total_bytes,
            ..
        } = event
        {
            self.0 += total_bytes;
        }
    }
}

/// What is prepared, and how many bytes were laid out for it.
fn prepare_psync(plan: &Plan) -> Result<(Prepared, u64), PrepareError> {
    let mut laid = Laid::default();
    let prepared = prepare(plan, EngineKind::Psync, None, &Control::new(), &mut laid)?;
    Ok((prepared, laid.0))
}

/// The three lines that the user sees.
fn refusal(plan: &Plan) -> [String; 3] {
    let error = prepare_psync(plan).expect_err("this is refused");
    assert_eq!(
        error.to_string(),
        format!("{}: {}", error.thing(), error.because())
    );
    [error.thing(), error.because(), error.remedy()]
}

/// The window from `start` to `end` of the only target of the only job.
fn only_window(prepared: &Prepared) -> (u64, u64) {
    assert_eq!(prepared.jobs.len(), 1);
    assert_eq!(prepared.jobs[0].len(), 1);
    let targets = &prepared.jobs[0][0].targets;
    assert_eq!(targets.len(), 1);
    assert_eq!(targets[0].0, 0);
    (targets[0].1.start, targets[0].1.start + targets[0].1.len)
}
