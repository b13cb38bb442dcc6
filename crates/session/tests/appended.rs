//! What is appended to a file begins where it ends by then, and nothing of it goes.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

use fathom_core::spec::{Compat, Durability, Fill, IoKind, Job, JobStop, Phase, Workload};
use fathom_core::{Bytes, EngineKind, Nanos, Op, Percent};
use fathom_session::{Event, MadeFiles, Observer, Plan, Session, Watching};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;

const SIZE: u64 = 64 << 10;
const LINE: &[u8] = b"of somebody else";

fn appending(name: &str) -> Phase {
    let mut job = Job {
        name: name.into(),
        size: Some(Bytes(SIZE)),
        fresh: true,
        compat: Compat {
            append: true,
            ..Compat::default()
        }
        .boxed(),
        durability: Durability {
            direct: false,
            ..Durability::PLAIN
        },
        stop: JobStop {
            bytes: Some(Bytes(SIZE)),
            ..JobStop::default()
        },
        kinds: vec![IoKind {
            op: Op::Write,
            block_size: Bytes(4096),
            random: Percent::ZERO,
            align: Bytes(4096),
            weight: 1.0,
        }],
        ..Job::plain()
    };
    job.data.fill = Fill::Zero;
    Phase {
        name: name.into(),
        warm_up: Nanos::ZERO,
        duration: None,
        jobs: vec![job],
        ..Phase::plain()
    }
}

/// Adds a line to the file when a phase ends.
struct Somebody(PathBuf);

impl Observer for Somebody {
    fn event(&mut self, event: &Event<'_>) {
        if matches!(event, Event::PhaseEnd { .. }) {
            let mut file = OpenOptions::new()
                .append(true)
                .open(&self.0)
                .expect("it is there");
            file.write_all(LINE).expect("it is ours");
        }
    }
}

#[test]
fn a_file_that_grew_keeps_what_it_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    let workload = Workload {
        name: "appended".into(),
        phases: vec![appending("first"), appending("second")],
        ..Workload::plain()
    };
    let mut plan = Plan::new(workload).on(&path).by(EngineKind::Psync);
    plan.made_files = MadeFiles::Kept;
    plan.watching = Watching::Nothing;
    let ended = Session::new(plan).run(&mut Somebody(path.clone()));
    ended.expect("the run ends by itself");
    let part = vec![0; SIZE as usize];
    let expected = [&part[..], LINE, &part[..], LINE].concat();
    assert!(fs::read(&path).expect("it stays") == expected);
}
