//! A scenario on real threads and a file of its own.

use crate::scenario::Scenario;
use fathom_core::result::PhaseResult;
use fathom_core::{EngineKind, Nanos};
use fathom_engine::{Clock, EngineConfig, OpenOptions, OpenTarget};
use fathom_load::control::Control;
use fathom_load::observer::Silent;
use fathom_load::phase::{ThreadRun, on_threads};
use fathom_load::request::Window;
use fathom_load::targets::JobTargets;
use fathom_load::verify::Written;
use fathom_load::watch::Unwatched;
use std::sync::Arc;

/// Its size.
pub(crate) const FILE_BYTES: u64 = 1 << 20;

/// Runs the only phase on an engine; `written` is what the file is taken to hold.
pub(crate) fn run(kind: EngineKind, scenario: &Scenario, written: Option<Written>) -> PhaseResult {
    let file = tempfile::NamedTempFile::new().expect("a scratch file");
    std::fs::write(file.path(), vec![7; FILE_BYTES as usize]).expect("the scratch file's content");
    let options = OpenOptions {
        read: true,
        write: true,
        direct: false,
        write_through: false,
    };
    let target = OpenTarget::open(file.path(), &options).expect("the scratch file opens");
    let targets = [JobTargets {
        open: vec![Arc::new(target)],
        paths: vec![file.path().display().to_string()],
        windows: vec![Window {
            start: 0,
            len: FILE_BYTES,
        }],
        numbers: vec![0],
        written: vec![written.map(Arc::new)],
        zones: Vec::new(),
    }];
    let plan = scenario.plan(&scenario.workload.phases[0], &targets);
    let thread_run = ThreadRun {
        kind: &|_| kind,
        config: EngineConfig::default(),
        affinity: &[],
        clock: &mut Clock::new(),
        ready: &mut |_| {},
        watch: Box::new(Unwatched),
    };
    let end = on_threads(&plan, thread_run, &Control::new(), &mut Silent).expect("the phase runs");
    end.into_result(&plan, 1, Nanos::ZERO)
}
