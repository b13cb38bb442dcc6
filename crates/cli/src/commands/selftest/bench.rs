//! Where the steps measure: one file of fathom's own, made and removed by each load.

use super::step::{Answer, StepRow};
use crate::error::Problem;
use crate::exit::Exit;
use crate::stop::Stop;
use fathom_core::EngineKind;
use fathom_core::result::{JobResult, OpResult, RunResult};
use fathom_core::{Op, PerOp};
use fathom_device::scratch;
use fathom_session::plan::{MadeFiles, Plan};
use fathom_session::{ErrorKind, Session, Silent};
use fathom_tools::native;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Name of the file in the directory of the user.
const FILE: &str = "fathom-selftest.dat";

/// Seconds of one load, short and otherwise.
const SECONDS: [u64; 2] = [1, 10];

/// Size of the file, MiB.
const SIZES_MIB: [u64; 2] = [32, 256];

pub(super) struct Bench<'a> {
    file: PathBuf,
    is_short: bool,
    stop: &'a Stop,
    /// The first result.
    origin: RefCell<Option<RunResult>>,
}

/// Why a load has no result.
pub(super) struct Refusal {
    answer: Answer,
    seen: String,
}

impl Refusal {
    pub(super) fn line(self, test: impl Into<String>) -> StepRow {
        StepRow::new(test, self.answer, self.seen)
    }
}

impl<'a> Bench<'a> {
    pub(super) fn new(folder: &Path, is_short: bool, stop: &'a Stop) -> Self {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        Self {
            file: folder.join(FILE),
            is_short,
            stop,
            origin: RefCell::default(),
        }
    }

    /// Refuses a directory with a file of that name, unless a killed self-test left it.
    pub(super) fn require_free(&self) -> Result<(), Problem> {
        // What cannot be removed is still there.
        let _ = scratch::remove(&self.file);
        if self.file.symlink_metadata().is_err() {
            return Ok(());
        }
        let thing = format!("{} exists already", self.file.display());
        Err(Problem::new(Exit::Environment, thing)
            .because("the self-test writes a file of that name, and removes it")
            .remedy("use another directory, or move the file away"))
    }

    /// Words without the directory, for a table that is sent on.
    fn without_folder(&self, words: &str) -> String {
        let folder = self
            .file
            .parent()
            .map(|folder| folder.join("").display().to_string());
        words.replace(&folder.unwrap_or_default(), "")
    }

    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Length of a load, seconds.
    pub(super) const fn seconds(&self) -> u64 {
        SECONDS[!self.is_short as usize]
    }

    pub(super) const fn size_mib(&self) -> u64 {
        SIZES_MIB[!self.is_short as usize]
    }

    /// A result of this machine, for the machine and the disk that it names.
    pub(super) fn origin(&self) -> Option<RunResult> {
        self.origin.borrow().clone()
    }

    /// Measures a job over the file; `job` has its keys without the size.
    pub(super) fn measure(
        &self,
        job: &str,
        engine: Option<EngineKind>,
    ) -> Result<RunResult, Refusal> {
        self.measure_file(job, engine, MadeFiles::Removed)
    }

    /// The same, and says whether the file stays.
    pub(super) fn measure_file(
        &self,
        job: &str,
        engine: Option<EngineKind>,
        made_files: MadeFiles,
    ) -> Result<RunResult, Refusal> {
        let text = format!(
            "name = \"selftest\"\ninterval = \"100ms\"\nsize = \"{}MiB\"\n{job}",
            self.size_mib()
        );
        let failed = |seen: String| Refusal {
            answer: Answer::Failed,
            seen,
        };
        let workload = native::parse(&text, FILE).map_err(|errors| {
            let messages = errors.iter().map(|error| error.message.clone());
            failed(messages.collect::<Vec<_>>().join("; "))
        })?;
        let mut plan = Plan::new(workload).on(&self.file);
        plan.engine.kind = engine;
        plan.made_files = made_files;
        let session = Session::new(plan).stopped_by(self.stop.control());
        let judged = session.measure(&mut Silent).map_err(|error| {
            let Problem { thing, because, .. } = super::super::run_problem(&error);
            let because = because.map(|because| format!(": {because}"));
            Refusal {
                answer: match error.kind() {
                    ErrorKind::Environment | ErrorKind::Aborted => Answer::Skipped,
                    ErrorKind::Specification | ErrorKind::Internal => Answer::Failed,
                },
                seen: self.without_folder(&(thing + &because.unwrap_or_default())),
            }
        })?;
        let result = judged.into_result();
        self.origin
            .borrow_mut()
            .get_or_insert_with(|| result.clone());
        Ok(result)
    }
}

/// The only job of a result.
pub(super) fn job(result: &RunResult) -> Option<&JobResult> {
    result.phases.first()?.jobs.first()
}

/// One operation of the only job.
pub(super) fn op(result: &RunResult, op: Op) -> Option<&OpResult> {
    let ops: &PerOp<_> = &job(result)?.ops;
    ops[op].as_ref()
}

/// A result without the operation that its load has, which is a defect.
pub(super) fn empty(test: &str) -> StepRow {
    StepRow::new(test, Answer::Failed, "the result has no such operation")
}
