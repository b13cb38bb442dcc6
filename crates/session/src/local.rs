//! What a session knows of its own process, apart from the plan.

use crate::contents::Contents;
use crate::error::RunError;
use crate::plan::Plan;
use crate::start::Starter;
use crate::traces::Traces;
use crate::{Control, Observer, PhaseOrder};
use fathom_core::Nanos;
use fathom_core::result::RunResult;
use fathom_core::spec::{DataFile, Replay};
use fathom_engine::Clock;
use fathom_load::replay::ReplayInput;
use fathom_volume::model::VolumeModel;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

/// Several who measure a plan together.
pub(crate) trait Party: fmt::Debug {
    /// Whether they are on hosts of their own, where paths mean something else.
    fn is_elsewhere(&self) -> bool;

    /// Measures a plan.
    fn measure(
        &self,
        plan: &Plan,
        local: &Local<'_>,
        observer: &mut dyn Observer,
    ) -> Result<RunResult, RunError>;

    /// The same along phases that `course` decides.
    fn along(
        &self,
        plan: &Plan,
        course: &mut dyn PhaseOrder,
        local: &Local<'_>,
        observer: &mut dyn Observer,
    ) -> Result<RunResult, RunError>;
}

/// What cannot be sent with a plan.
pub(crate) struct Local<'a> {
    /// What tells it to end.
    pub(crate) control: Control,
    /// Who says when phases begin; at once if nobody does.
    pub(crate) starter: RefCell<Option<&'a mut dyn Starter>>,
    /// What serves in the simulator, if it is not the plan's volume.
    pub(crate) model: Option<Box<dyn VolumeModel>>,
    /// Who measures it; this process by itself if nobody is named.
    pub(crate) party: Option<Box<dyn Party>>,
    /// The traces that jobs replay, once they are read.
    pub(crate) traces: Option<Traces>,
    /// What was left out of them or assumed.
    pub(crate) trace_remarks: Vec<String>,
    /// What the files hold that writes are parts of, once they are read.
    pub(crate) contents: Option<Contents>,
    /// Begin of the process on the monotonic clock.
    pub(crate) process_start: Nanos,
}

impl Local<'_> {
    pub(crate) fn new() -> Self {
        Self {
            control: Control::new(),
            starter: RefCell::new(None),
            model: None,
            party: None,
            traces: None,
            trace_remarks: Vec::new(),
            contents: None,
            process_start: Clock::monotonic().now(),
        }
    }

    /// Whether others measure it, on hosts of their own.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.party
            .as_ref()
            .is_some_and(|party| party.is_elsewhere())
    }

    /// The traces, none where they are not read yet.
    pub(crate) fn traces(&self) -> &[(Replay, Arc<ReplayInput>)] {
        self.traces.as_deref().unwrap_or_default()
    }

    /// What the files of writes hold, none where they are not read yet.
    pub(crate) fn contents(&self) -> &[(DataFile, Arc<[u8]>)] {
        self.contents.as_deref().unwrap_or_default()
    }
}

impl fmt::Debug for Local<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = f.debug_struct("Local");
        parts.field("control", &self.control);
        parts.field("is_started", &self.starter.borrow().is_some());
        parts.field("model", &self.model.as_ref().map(|model| model.title()));
        parts.finish_non_exhaustive()
    }
}
