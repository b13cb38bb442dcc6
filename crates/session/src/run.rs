//! A run from its plan to its result.

mod runner;

pub(crate) use runner::{Begun, Runner};

use crate::account;
use crate::blame;
use crate::engines::Engines;
use crate::error::RunError;
use crate::idle::watch_idle;
use crate::listed::Listed;
use crate::local::Local;
use crate::plan::Plan;
use crate::prepare::{Prepared, PreparedTarget, doubts, look_again, prepare};
use crate::provenance::{self, Origin};
use fathom_core::result::{PhaseResult, RunResult, TargetInfo, Timings};
use fathom_core::spec::Phase;
use fathom_core::{Caveat, EngineKind, Nanos};
use fathom_device::{Awake, Sysfs};
use fathom_engine::sim::{World, WorldRef};
use fathom_engine::{Clock, Selection};
use fathom_load::course::{Leg, PhaseOrder};
use fathom_load::observer::{Event, Observer};

/// Runs the phases of a plan as they are written down. The result's state is INVALID until somebody
/// has judged it.
///
/// Files that were made are removed before this returns, whatever happens; a first request to
/// end (see [`Control`](fathom_load::Control)) still gives a result.
pub(crate) fn listed(
    plan: &Plan,
    local: &Local<'_>,
    observer: &mut dyn Observer,
) -> Result<RunResult, RunError> {
    run(plan, &mut Listed::new(&plan.workload), local, observer)
}

/// The same along phases that `course` decides; each uses the targets of its template. The workload
/// in the result's provenance holds the phases as they were run.
pub(crate) fn along(
    plan: &Plan,
    course: &mut dyn PhaseOrder,
    local: &Local<'_>,
    observer: &mut dyn Observer,
) -> Result<RunResult, RunError> {
    if let Some(party) = &local.party {
        return party.along(plan, course, local, observer);
    }
    let mut recorded = Recorded {
        course,
        phases: Vec::new(),
    };
    let mut result = run(plan, &mut recorded, local, observer)?;
    result.provenance.workload.phases = recorded.phases;
    Ok(result)
}

/// Keeps what a course decided.
struct Recorded<'a> {
    course: &'a mut dyn PhaseOrder,
    phases: Vec<Phase>,
}

impl PhaseOrder for Recorded<'_> {
    fn prepared(&mut self, align_bytes: u64, room_bytes: &[u64]) {
        self.course.prepared(align_bytes, room_bytes);
    }

    fn next_leg(&mut self, done: &[PhaseResult]) -> Option<Leg> {
        let leg = self.course.next_leg(done)?;
        self.phases.push(leg.phase.clone());
        Some(leg)
    }

    fn expected(&self) -> usize {
        self.course.expected()
    }
}

fn run(
    plan: &Plan,
    course: &mut dyn PhaseOrder,
    local: &Local<'_>,
    observer: &mut dyn Observer,
) -> Result<RunResult, RunError> {
    let control = &local.control;
    let mut clock = Clock::new();
    let started_utc_ns = fathom_engine::clock::utc_now_ns();
    let engines = Engines::of(plan)?;
    let selection = engines.selection.clone();
    let run_id =
        fathom_core::result::run_id(started_utc_ns, plan.run ^ u64::from(std::process::id()));
    begin(
        plan,
        local,
        &selection,
        &run_id,
        started_utc_ns,
        &mut clock,
        observer,
    );
    observer.event(&Event::Engine {
        name: &selection.names(),
        reason: selection.reason.as_str(),
    });
    let awake = plan.awake.then(Awake::hold).transpose();
    let _held = awake.map_err(|cause| RunError::Awake { cause })?;
    blame::check(plan)?;
    let mut prepared = prepare(
        plan,
        selection.kind,
        local.model.as_deref(),
        control,
        observer,
    )?;
    check_traces(plan, local, &prepared)?;
    course.prepared(alignment(&prepared.infos), &rooms(&prepared));
    watch_idle(plan, &mut prepared, &mut clock, control);
    observer.event(&Event::Prepared {
        targets: &prepared.infos,
        caveats: &prepared.caveats,
    });
    let (start, base_ns) = began(selection.kind, &mut clock);
    let is_virtual = selection.kind.is_virtual();
    let world = is_virtual.then(|| world(plan, local, prepared.targets.len()));
    let mut runner = Runner::new(plan, local, &engines, world, &prepared, (start, base_ns));
    let phases = runner.phases(course, &mut clock, control, observer);
    if control.hangs() {
        prepared.targets.iter().for_each(PreparedTarget::leave_open);
    }
    let phases = phases?;
    let (workload, accounts, now) = (&plan.workload, runner.accounts(), clock.now());
    account::tell(workload, &prepared, accounts, now, observer);
    let timings = timings(local, &prepared, runner.first_io, clock.now());
    let flags = runner.flags.into_iter();
    let flags = flags.chain(plan.awake.then(|| "awake".to_owned()));
    Ok(finish(
        plan,
        local,
        run_id,
        prepared,
        phases,
        selection,
        started_utc_ns,
        timings,
        flags.collect(),
        &mut clock,
    ))
}

/// When a run begins by its clock, and the time since 1970 at the clock's zero; both 0 where time
/// is virtual.
fn began(kind: EngineKind, clock: &mut Clock) -> (Nanos, u64) {
    if kind.is_virtual() {
        return (Nanos::ZERO, 0);
    }
    let start = clock.now();
    let base_ns = fathom_engine::clock::utc_now_ns().saturating_sub(start.0);
    (start, base_ns)
}

/// How long a run took, from the start of the process.
fn timings(local: &Local<'_>, prepared: &Prepared, first_io: Option<Nanos>, now: Nanos) -> Timings {
    let since = |at: Nanos| at.saturating_sub(local.process_start).0;
    Timings {
        first_io_ns: first_io.map_or(0, since),
        layout_ns: prepared.layout_ns,
        total_ns: since(now),
    }
}

/// Tells that a run begins, with what is known of it.
fn begin(
    plan: &Plan,
    local: &Local<'_>,
    selection: &Selection,
    run_id: &str,
    started_utc_ns: u64,
    clock: &mut Clock,
    observer: &mut dyn Observer,
) {
    let origin = Origin {
        plan,
        model: local.model.as_deref(),
        selection: selection.clone(),
        flags: Vec::new(),
        started_utc_ns,
        timings: Timings::default(),
        // The targets are not known yet.
        io_limits: Ok(Vec::new()),
    };
    let provenance = &provenance::of(origin, Vec::new(), clock);
    let base_ns = fathom_engine::clock::utc_now_ns().saturating_sub(clock.now().0);
    observer.event(&Event::Begin {
        run_id,
        provenance,
        base_ns,
    });
}

/// Refuses traces that do not fit their targets.
fn check_traces(plan: &Plan, local: &Local<'_>, prepared: &Prepared) -> Result<(), RunError> {
    let phases = plan.workload.phases.iter().zip(&prepared.jobs);
    let jobs = phases.flat_map(|(phase, prepared)| phase.jobs.iter().zip(prepared));
    for (job, prepared_job) in jobs {
        let found = local
            .traces()
            .iter()
            .find(|(replay, _)| job.replay.as_ref() == Some(replay));
        let Some((replay, trace)) = found else {
            continue;
        };
        let targets = &prepared_job.targets;
        if !replay.packed && targets.len() < trace.files.len() {
            return Err(RunError::TraceFiles {
                trace: replay.trace.clone(),
                files: trace.files.len(),
                targets: targets.len(),
            });
        }
        let end_bytes = trace.outline.end_bytes();
        let short = targets.iter().find(|(_, window)| window.len < end_bytes);
        if let Some((target, window)) = short {
            return Err(RunError::Trace {
                trace: replay.trace.clone(),
                target: prepared.targets[*target].path.display().to_string(),
                end_bytes,
                room_bytes: window.len,
            });
        }
    }
    Ok(())
}

#[expect(
    clippy::too_many_arguments,
    reason = "the parts of one document, each used once"
)]
fn finish(
    plan: &Plan,
    local: &Local<'_>,
    run_id: String,
    prepared: Prepared,
    phases: Vec<PhaseResult>,
    selection: Selection,
    started_utc_ns: u64,
    timings: Timings,
    flags: Vec<String>,
    clock: &mut Clock,
) -> RunResult {
    let mut infos = prepared.infos;
    for info in &mut infos {
        look_again(&mut info.devices, &Sysfs::default());
    }
    let left: Vec<Caveat> = prepared.cleanup.left().map(doubts::left).collect();
    let origin = Origin {
        plan,
        model: local.model.as_deref(),
        selection,
        flags,
        started_utc_ns,
        timings,
        io_limits: prepared.io_limits,
    };
    let of_traces = local
        .trace_remarks
        .iter()
        .map(|remark| doubts::replay_differs(remark));
    let failures = local.traces().iter().filter_map(|(replay, input)| {
        let cause = input.failure()?;
        let remark = format!("{}: the replay ended early: {cause}", replay.trace);
        Some(doubts::replay_differs(&remark))
    });
    let caveats = prepared
        .caveats
        .into_iter()
        .chain(left)
        .chain(of_traces)
        .chain(failures);
    RunResult {
        caveats: caveats.collect(),
        ..RunResult::unjudged(run_id, provenance::of(origin, infos, clock), phases)
    }
}

/// The simulated storage of all targets.
fn world(plan: &Plan, local: &Local<'_>, targets: usize) -> WorldRef {
    match &local.model {
        Some(model) => World::modelled(model.clone(), targets, contents(plan)),
        None => World::new(&plan.engine.volume, targets, contents(plan)),
    }
}

/// Whether a simulated volume has to keep what is written to it.
pub(crate) fn contents(plan: &Plan) -> bool {
    let mut jobs = plan.workload.phases.iter().flat_map(|phase| &phase.jobs);
    jobs.any(|job| job.verify.stamps())
}

/// Bytes that the first job of each phase can reach.
fn rooms(prepared: &Prepared) -> Vec<u64> {
    let jobs = prepared.jobs.iter().map(|phase| phase.first());
    jobs.map(|job| {
        let windows = job.iter().flat_map(|job| &job.targets);
        windows.map(|(_, window)| window.len).sum()
    })
    .collect()
}

/// To what direct requests must be aligned on all targets; 0 where nothing is known.
fn alignment(targets: &[TargetInfo]) -> u64 {
    let layouts = targets.iter().filter_map(|target| target.layout.as_ref());
    let files = layouts.filter_map(|layout| layout.direct_align_bytes.map(u64::from));
    let devices = targets.iter().flat_map(|target| &target.devices);
    files
        .chain(devices.map(|device| device.logical_block_bytes))
        .max()
        .unwrap_or(0)
}
