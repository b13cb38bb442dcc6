//! From a plan to a judged result.

use crate::ebs_counts::EbsCounts;
use crate::error::RunError;
use crate::judged::Judged;
use crate::local::{Local, Party};
use crate::plan::Plan;
use crate::run::along;
use crate::start::Starter;
use crate::traces::TraceError;
use crate::{Control, Observer, PhaseOrder, contents, explaining, ramping, traces};
use fathom_core::result::RunResult;
use fathom_core::{Nanos, State, figure};
use fathom_volume::forecast::Forecast;
use fathom_volume::model::VolumeModel;
use std::cell::RefCell;

/// Measures what a plan says, and judges it.
///
/// Files that were made are removed before this returns, unless the plan keeps them. Whoever wants
/// to end it early, or to begin together with others, makes a [`Session`].
pub fn measure(plan: Plan, observer: &mut dyn Observer) -> Result<Judged, RunError> {
    Session::new(plan).measure(observer)
}

/// A measurement that is about to be made here: a plan, and what belongs to this process.
#[derive(Debug)]
pub struct Session<'a> {
    /// What is measured.
    pub plan: Plan,
    local: Local<'a>,
}

impl<'a> Session<'a> {
    /// A session that begins at once and that nobody ends early.
    pub fn new(plan: Plan) -> Self {
        Self {
            plan,
            local: Local::new(),
        }
    }

    /// With a handle on its end: whoever holds a clone of `control` can end it.
    #[must_use]
    pub fn stopped_by(mut self, control: &Control) -> Self {
        self.local.control = control.clone();
        self
    }

    /// Each phase begins when `starter` says, once all is ready for it. In virtual time nobody is
    /// asked.
    #[must_use]
    pub fn started_by(mut self, starter: &'a mut dyn Starter) -> Self {
        self.local.starter = RefCell::new(Some(starter));
        self
    }

    /// The `sim` engine asks this model in place of the plan's volume.
    #[must_use]
    pub fn modelled(mut self, model: Box<dyn VolumeModel>) -> Self {
        self.local.model = Some(model);
        self
    }

    /// Several measure it together, and their sum is the result.
    #[must_use]
    pub(crate) fn by(mut self, party: impl Party + 'static) -> Self {
        self.local.party = Some(Box::new(party));
        self
    }

    /// Times of the result count from this instant on the monotonic clock, the start of the
    /// process, and not from when the session was made.
    #[must_use]
    pub const fn since(mut self, process_start: Nanos) -> Self {
        self.local.process_start = process_start;
        self
    }

    /// Reads the traces that jobs replay, and fills in what they say of the jobs. What is measured
    /// does it by itself; if it is called before, an unreadable trace is reported earlier.
    ///
    /// # Errors
    ///
    /// [`TraceError`] of the first that cannot be read.
    pub fn read_traces(&mut self) -> Result<(), TraceError> {
        if self.local.traces.is_none() {
            let (traces, remarks) = traces::load(&mut self.plan.workload)?;
            self.local.traces = Some(traces);
            self.local.trace_remarks = remarks;
        }
        Ok(())
    }

    /// What was left out of the traces or assumed, in sentences.
    pub fn trace_remarks(&self) -> &[String] {
        &self.local.trace_remarks
    }

    /// How much of the traces is replayed of which requests are selected, in sentences.
    pub fn trace_selections(&self) -> impl Iterator<Item = String> {
        let traces = self.local.traces().iter();
        let selecting = traces.filter(|(replay, _)| replay.selects());
        selecting.map(|(replay, trace)| {
            format!(
                "{}: replaying {} of {}",
                replay.trace,
                figure::count(trace.outline.requests()),
                figure::plural(trace.recorded, "recorded request")
            )
        })
    }

    /// The first trace with requests to several devices that all go to the one target, where they
    /// overlap without packing; and the number of its devices.
    pub fn overlapping(&self) -> Option<(&str, usize)> {
        let traces = self.local.traces().iter();
        let mut several = traces.filter(|(replay, trace)| !replay.packed && trace.files.len() > 1);
        let (replay, trace) = several.find(|_| self.plan.targets.len() == 1)?;
        Some((replay.trace.as_str(), trace.files.len()))
    }

    /// What files hold, each host reads for itself.
    fn read_contents(&mut self) -> Result<(), RunError> {
        if self.local.contents.is_none() && !self.local.is_elsewhere() {
            self.local.contents = Some(contents::load(&self.plan.workload)?);
        }
        Ok(())
    }

    /// Measures, and judges what came out.
    pub fn measure(mut self, observer: &mut dyn Observer) -> Result<Judged, RunError> {
        if self.local.party.is_some() {
            let result = self.run(observer)?;
            return Ok(self.judge(result));
        }
        let ebs_counts = EbsCounts::before(&self.plan, self.local.model.is_some());
        let result = self.run(observer)?;
        let mut judged = self.judge(result);
        ebs_counts.after(&mut judged);
        Ok(judged)
    }

    /// What a serial number leads to, each host knows of itself.
    fn find_disks(&mut self) -> Result<(), RunError> {
        if !self.local.is_elsewhere() {
            self.plan.find_disks()?;
        }
        Ok(())
    }

    /// Measures only. The state of the result is INVALID until [`Self::judge`] has judged it.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<RunResult, RunError> {
        self.find_disks()?;
        self.read_traces()?;
        self.read_contents()?;
        let plan = self.drawn()?;
        match &plan.ramp {
            Some(ramp) => ramping::run(ramp, &plan, &self.local, observer),
            None => explaining::run(&plan, &self.local, observer),
        }
    }

    /// The same along phases that `course` decides; each uses the targets of its template.
    pub fn run_along(
        &mut self,
        course: &mut dyn PhaseOrder,
        observer: &mut dyn Observer,
    ) -> Result<RunResult, RunError> {
        self.find_disks()?;
        self.read_traces()?;
        self.read_contents()?;
        along(&self.drawn()?, course, &self.local, observer)
    }

    /// The plan of the next run.
    fn drawn(&self) -> Result<Plan, RunError> {
        self.plan
            .drawn()
            .map_err(|cause| RunError::Random { cause })
    }

    /// What a forecast by the model says, as if it had been measured; `why` it was not.
    pub fn foretold(&self, forecast: &Forecast, why: &str) -> RunResult {
        crate::foretold::result(&self.plan, &self.local, forecast, why)
    }

    /// Says how far a result of this plan can be trusted, and what held the load back.
    ///
    /// One of many hosts was judged as it was put together, by what all of them said.
    pub fn judge(&self, mut result: RunResult) -> Judged {
        if result.cluster.is_some() {
            // What was said of it since counts too.
            result.state = State::of(&result.caveats);
            return Judged::new(result);
        }
        if self.plan.blame {
            result.caveats.push(fathom_verdict::traced());
        }
        fathom_verdict::judge(&mut result);
        explaining::attribute(&mut result, &self.plan, self.local.model.is_some());
        Judged::new(result)
    }
}
