//! Runs workloads one after another, shows how it goes, and writes the results.

use super::keeping::Keeper;
use super::learn::is_same_file;
use super::sinks::Sinks;
use super::{Origin, cluster, overrides, print, sinks, verdict};
use crate::appearance;
use crate::args::{
    CpuList, EngineArgs, ExplainArgs, OutputArgs, OutputSpec, RunOptions, TargetArg,
};
use crate::aside;
use crate::config;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::live::{App, HastyStderr, Plain, Screen};
use crate::platform;
use crate::stop::Stop;
use crate::terminal;
use crate::width;
use fathom_core::EngineKind;
use fathom_core::result::RunResult;
use fathom_core::spec::Workload;
use fathom_device::{Door, Existing, Permissions};
use fathom_engine::sim::SimVolume;
use fathom_report::Stored;
use fathom_session::bindings::{BindError, bind, refuse_missing_mounts};
use fathom_session::cluster::Cluster;
use fathom_session::plan::{EnginePlan, Plan, TargetBinding};
use fathom_session::probing::NotProbed;
use fathom_session::{Explain, Judged, Observer, RunError, Session, Silent, TraceError};
use fathom_tools::native;
use fathom_volume::model::VolumeModel;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Runs all workloads, each with the same options and on the same targets.
pub(crate) fn all(
    workloads: &[Workload],
    targets: &[TargetArg],
    options: &RunOptions,
    origin: &Origin,
) -> Result<Exit, Error> {
    each(workloads, targets, options, origin, &mut |_| Ok(()))
}

/// Runs all workloads, and gives each result also to `told`.
pub(crate) fn each(
    workloads: &[Workload],
    targets: &[TargetArg],
    options: &RunOptions,
    origin: &Origin,
    told: &mut dyn FnMut(&RunResult) -> Result<(), Error>,
) -> Result<Exit, Error> {
    let mut way = |session: Session<'_>, observer: &mut dyn Observer| session.measure(observer);
    in_turn(workloads, targets, options, origin, &mut way, told)
}

/// Leaves the result where `fathom ab`, whose run this is, will look for it.
fn leave(result: &RunResult) -> Result<(), Problem> {
    let Some(file) = std::env::var_os(super::RESULT_FILE) else {
        return Ok(());
    };
    let file = PathBuf::from(file);
    let bytes = result.to_json();
    let written = Door::default().write(&file, bytes.as_bytes(), Existing::Kept);
    written.map_err(|error| {
        Problem::of_door(format!("cannot write {}", file.display()), &error, None)
            .otherwise("another file")
    })
}

/// How a session is made a judged result: [`Session::measure`], or what a command adds to it.
pub(super) type MeasureFn<'a> =
    dyn FnMut(Session<'_>, &mut dyn Observer) -> Result<Judged, RunError> + 'a;

/// Runs one workload in a way of its own.
pub(super) fn along(
    workload: &Workload,
    targets: &[TargetArg],
    options: &RunOptions,
    origin: &Origin,
    way: &mut MeasureFn<'_>,
    told: &mut dyn FnMut(&RunResult) -> Result<(), Error>,
) -> Result<Exit, Error> {
    in_turn(
        std::slice::from_ref(workload),
        targets,
        options,
        origin,
        way,
        told,
    )
}

/// Shows how to repeat the requests of a run, if its seed was drawn. The result and the whole
/// report contain the seed too: a terminal that is not read loses nothing else, and delays nothing.
fn tell_seed(result: &RunResult, is_drawn: bool) {
    let seed = result.provenance.seed;
    if is_drawn {
        let text =
            format!("seed {seed}: --seed {seed} repeats the order and sizes of the requests");
        let _ = HastyStderr.write_all(aside::fitted(&text, width::of_asides()).as_bytes());
    }
}

/// Writes a result. Layouts of other programs and tables have no place for what the slowest
/// requests waited for: it is printed as a remark then.
fn write(
    sinks: Sinks,
    result: &RunResult,
    stored: Stored,
) -> Result<Vec<(PathBuf, &'static str)>, Error> {
    let has_blame = sinks.have_blame();
    let written = sinks.write(result, stored)?;
    let sentences = fathom_report::blame_of_phases(result).into_iter();
    for sentence in sentences.filter(|_| !has_blame) {
        aside::say(&format!("blame: {sentence}"));
    }
    Ok(written)
}

/// Destinations of a result, with the format of the defaults file where none is asked for.
fn places(options: &RunOptions) -> Vec<OutputSpec> {
    options.output.places(config::defaults().format)
}

fn in_turn(
    workloads: &[Workload],
    targets: &[TargetArg],
    options: &RunOptions,
    origin: &Origin,
    way: &mut MeasureFn<'_>,
    told: &mut dyn FnMut(&RunResult) -> Result<(), Error>,
) -> Result<Exit, Error> {
    let changed = workloads
        .iter()
        .map(|workload| overrides::apply(&options.overrides, workload))
        .collect::<Result<Vec<_>, _>>()?;
    verdict::check_phases(&options.explain.require, &changed)?;
    if options.output.print {
        return print_spec(&changed);
    }
    let is_clustered = options.cluster.is_meant();
    if is_clustered {
        cluster::check(options, targets, &changed)?;
    }
    let engine = engine_plan(&options.engine)?;
    let model = model(&options.engine, options.overrides.get("seed").unwrap_or(1))?;
    let stop = options.stop.clone().unwrap_or_default();
    let mut sessions = Vec::new();
    let mut seeds_are_drawn = false;
    for mut workload in changed {
        if workload.seed.is_none() && !options.engine.engine.is_virtual() {
            workload.seed = Some(drawn_seed()?);
            seeds_are_drawn = options.engine.engine.is_real();
        }
        let session = session(workload, targets, options, &engine, origin)?;
        let session = session.stopped_by(stop.control());
        sessions.push(match &model {
            Some(model) => session.modelled(model.clone()),
            None => session,
        });
    }
    let names = sessions.iter().map(|one| one.plan.workload.name.as_str());
    let names: Vec<&str> = names.collect();
    let door = Door::beside(sessions.iter().flat_map(|one| measured(&one.plan)));
    let existing =
        Existing::replaced_if(options.safety.overwrite || options.safety.replace_results);
    let sinks = sinks::open(&places(options), &names, &door, existing)?;
    if options.stop.is_none() {
        stop.listen()?;
    }
    let mut keeper = Keeper::open(&options.save, &door)?;
    let members = match &options.members {
        Some(members) => Some(members.clone()),
        None if is_clustered => Some(cluster::gather(&options.cluster)?),
        None => None,
    };
    let mut worst = Exit::Ok;
    for (session, sinks) in sessions.into_iter().zip(sinks) {
        let result = one(session, options, members.as_ref(), &stop, &keeper, way)?;
        // Whoever has lent the handle goes on, and has files to remove.
        let reporting = options.stop.is_none().then(|| stop.reporting());
        let (stored, saved) = keeper.keep(&result);
        let written = write(sinks, &result, stored)?;
        if !options.output.quiet {
            tell_seed(&result, seeds_are_drawn);
            sinks::tell(&written);
        }
        told(&result)?;
        leave(&result)?;
        drop(reporting);
        let of_result = verdict::exit_of(&result, &options.explain.require);
        worst = worst.max(of_result).max(saved);
        if stop.is_asked() {
            break;
        }
    }
    if options.stop.is_none() {
        // What is left is to send the results. A signal ends that at once: they are in the history.
        stop.reports_to_the_end();
    }
    if stop.is_interrupted() {
        return Ok(Exit::Interrupted);
    }
    Ok(worst)
}

/// The paths that a plan measures, of which no file of results may be one.
fn measured(plan: &Plan) -> Vec<PathBuf> {
    let bound = plan.targets.iter().map(|target| target.path.clone());
    bound.chain(plan.workload.named_paths()).collect()
}

fn one(
    session: Session<'_>,
    options: &RunOptions,
    members: Option<&Cluster>,
    stop: &Stop,
    keeper: &Keeper,
    way: &mut MeasureFn<'_>,
) -> Result<RunResult, Error> {
    let (session, observer): (_, Box<dyn Observer>) = if let Some(members) = members {
        let observer = observer_of_hosts(&session.plan, &options.output, stop);
        (session.together(members), observer)
    } else if let Some(members) = &options.simulated {
        let lines = cluster::ProgressLines::new(options.output.quiet);
        (session.among(members.clone()), Box::new(lines))
    } else {
        let observer = observer(&session.plan, &options.output, stop);
        (session, observer)
    };
    let mut listener = keeper.listen(observer);
    // Each way gives the terminal back before anything is printed.
    match way(session, &mut listener) {
        Ok(judged) => {
            drop(listener);
            Ok(held_against(judged.into_result(), options))
        }
        Err(error) => {
            listener.give_up();
            Err(super::run_problem(&error).into())
        }
    }
}

/// A result with what is required of it.
fn held_against(mut result: RunResult, options: &RunOptions) -> RunResult {
    let required = options.explain.require.iter();
    result.requirements = required.map(|one| one.of(&result)).collect();
    result
}

/// The probes that the options ask for in addition to the phases.
fn explain(args: &ExplainArgs) -> Explain {
    Explain {
        load: args.find_limit,
        probe: args.probe,
        cliff: args.cliff,
        caps: args.cap.clone(),
    }
}

fn not_probed(args: &ExplainArgs, workload: &Workload, cause: NotProbed) -> Problem {
    let option = if args.probe { "--probe" } else { "--cliff" };
    let thing = format!("{option} cannot ask the storage of {}", workload.name);
    let remedy = match cause {
        NotProbed::Verified => format!("another run without verification, or without {option}"),
        NotProbed::Buffered => format!("--direct, or without {option}"),
    };
    Problem::new(Exit::Usage, thing)
        .because(cause.to_string())
        .remedy(remedy)
}

fn print_spec(workloads: &[Workload]) -> Result<Exit, Error> {
    match workloads {
        [workload] => print(&native::print(workload)),
        _ => Err(Problem::new(Exit::Usage, "--print shows one workload")
            .because(format!("{} are named", workloads.len()))
            .remedy("one after another")
            .into()),
    }
}

/// A session of a workload, with all that can be refused beforehand refused.
fn session<'a>(
    workload: Workload,
    targets: &[TargetArg],
    options: &RunOptions,
    engine: &EnginePlan,
    origin: &Origin,
) -> Result<Session<'a>, Error> {
    let explain = explain(&options.explain);
    explain
        .check(&workload)
        .map_err(|cause| not_probed(&options.explain, &workload, cause))?;
    let mut session = Session::new(Plan::new(workload)).since(origin.process_start);
    session.read_traces().map_err(no_trace)?;
    for remark in session.trace_remarks() {
        aside::say(remark);
    }
    if !options.output.quiet {
        for selection in session.trace_selections() {
            aside::say(&selection);
        }
    }
    let plan = &mut session.plan;
    let given: Vec<TargetBinding> = targets.iter().map(TargetBinding::from).collect();
    let bindings = bind(&plan.workload, &given, engine.kind).map_err(|error| unbound(&error))?;
    if bindings.is_default && options.engine.engine.is_real() && !options.output.quiet {
        note_default_target(options.safety.keep);
    }
    plan.targets = bindings.targets;
    if let Some((trace, devices)) = session.overlapping() {
        let thing = format!("the trace {trace} has requests to {devices} devices");
        return Err(Problem::new(Exit::Usage, thing)
            .because("on one target, those to different devices would overlap")
            .remedy(format!(
                "--replay-pack, which places the devices one after another, or {devices} targets"
            ))
            .into());
    }
    let plan = &mut session.plan;
    plan.engine = engine.clone();
    plan.permissions = Permissions {
        destroy: options.safety.destroy.clone(),
        overwrite: options.safety.overwrite,
        read_only: options.safety.read_only,
        allow: super::allow_list()?,
    };
    // What paths of other hosts mean, they know.
    if options.engine.engine.is_real() && !options.cluster.is_meant() {
        plan.find_disks()
            .map_err(|error| super::run_problem(&error.into()))?;
        // In a stored result `.` would mean nothing.
        for target in &mut plan.targets {
            target.path = std::path::absolute(&target.path).unwrap_or(target.path.clone());
        }
        refuse_missing_mounts(&plan.targets).map_err(|error| unbound(&error))?;
        refuse_traces(plan)?;
    }
    plan.made_files = options.safety.made_files();
    plan.stop_on_error = options.safety.stop_on_error;
    plan.tolerated.clone_from(&options.safety.tolerated);
    plan.affinity = affinity(&options.engine)?;
    plan.awake = awake(&options.engine)?;
    plan.explain = explain;
    plan.command_line.clone_from(&origin.command_line);
    plan.declared.clone_from(&options.save.declare);
    plan.declared.sort();
    plan.blame = options.explain.tracing.blame;
    fathom_session::blame::check(plan).map_err(|error| super::run_problem(&error))?;
    Ok(session)
}

/// A recording is not overwritten by the load that is in it.
fn refuse_traces(plan: &Plan) -> Result<(), Problem> {
    let jobs = plan.workload.phases.iter().flat_map(|phase| &phase.jobs);
    let traces = jobs.filter_map(|job| job.replay.as_ref());
    for trace in traces {
        let mut targets = plan.targets.iter();
        let is_it = |target: &&TargetBinding| is_same_file(Path::new(&trace.trace), &target.path);
        if let Some(target) = targets.find(is_it) {
            let thing = format!("{} is no target", target.path.display());
            return Err(Problem::new(Exit::Usage, thing)
                .because("it is the recording that is replayed, and would be lost")
                .remedy("another target"));
        }
    }
    Ok(())
}

/// Paths that do not suit, in our form of a message.
fn unbound(error: &BindError) -> Problem {
    Problem {
        exit: super::exit_of_kind(error.kind()),
        thing: error.to_string(),
        because: error.because().map(str::to_owned),
        remedy: Some(error.remedy()),
    }
}

/// The message for a trace that cannot be read.
fn no_trace(error: TraceError) -> Error {
    match error {
        TraceError::Text(found) => Error::Text(found),
        error => super::run_problem(&error.into()).into(),
    }
}

/// A seed for a workload that names none: that of the pair whose side this is, or a new one.
pub(super) fn drawn_seed() -> Result<u64, Problem> {
    let of_pair = std::env::var(super::PAIR_SEED).ok();
    if let Some(seed) = of_pair.and_then(|seed| seed.parse().ok()) {
        return Ok(seed);
    }
    fathom_session::draw_seed().map_err(|cause| {
        let thing = "the kernel gives no random numbers for the seed";
        Problem::new(Exit::Environment, thing)
            .because(system_words(&cause))
            .remedy("--seed N")
    })
}

fn note_default_target(keep: bool) {
    let end = if keep { "kept" } else { "removed" };
    aside::say(&format!(
        "note: no --target is given: a scratch file is made in the current directory, and {end} \
         at the end"
    ));
}

fn engine_plan(args: &EngineArgs) -> Result<EnginePlan, Problem> {
    let kind = args.engine.0;
    let mut volume = SimVolume::default();
    let for_sim = [
        ("--sim-service-time", args.sim_service_time.is_some()),
        ("--sim-servers", args.sim_servers.is_some()),
        ("--sim-volume", args.sim_volume.is_some()),
        ("--sim-instance", args.sim_instance.is_some()),
        ("--sim-as-of", args.sim_as_of.is_some()),
    ];
    if let Some((option, _)) = for_sim.iter().find(|(_, given)| *given)
        && !args.engine.is_virtual()
    {
        return Err(
            Problem::new(Exit::Usage, format!("{option} has nothing to change"))
                .because("no volume is simulated")
                .remedy("--engine sim"),
        );
    }
    volume.service = args.sim_service_time.unwrap_or(volume.service);
    volume.servers = args.sim_servers.unwrap_or(volume.servers);
    Ok(EnginePlan {
        kind,
        submission_polling: args.sqpoll,
        submission_cpu: args.sqpoll_cpu,
        completion_polling: args.iopoll,
        hybrid_polling: args.hybrid_poll,
        min_wait: args.min_wait.unwrap_or_default(),
        huge_pages: args.huge_pages,
        volume,
    })
}

/// The model of `--sim-volume`, with the limits of its day.
fn model(args: &EngineArgs, seed: u64) -> Result<Option<Box<dyn VolumeModel>>, Problem> {
    let model = args.sim_volume.as_deref();
    let model = model.map(|text| super::volume_model::of_engine(args, text, seed));
    model.transpose()
}

/// All processors that this process may use; none where the system does not say.
pub(super) fn processors() -> Option<CpuList> {
    platform::processors().ok().map(CpuList)
}

/// The processors to pin to. One that does not exist would leave its thread unpinned.
fn affinity(args: &EngineArgs) -> Result<Vec<u32>, Problem> {
    let Some(list) = &args.affinity else {
        return Ok(Vec::new());
    };
    if args.engine.is_virtual() {
        return Err(
            Problem::new(Exit::Usage, "--affinity has nothing to change")
                .because("virtual time needs no processor of its own")
                .remedy("without it"),
        );
    }
    let cannot = |cpu: u32| {
        let thing = format!("cannot pin threads to processor {cpu}");
        Problem::new(Exit::Environment, thing)
    };
    let allowed = platform::processors().map_err(|error| {
        let first = list.0.first().copied().unwrap_or_default();
        cannot(first).because(system_words(&error))
    })?;
    match list.0.iter().find(|cpu| !allowed.contains(cpu)) {
        None => Ok(list.0.clone()),
        Some(cpu) => {
            let there = CpuList(allowed);
            Err(cannot(*cpu)
                .because(format!("this process may use {there}"))
                .remedy(format!("--affinity {there}, or fewer of these")))
        }
    }
}

/// Whether processors are kept awake; in virtual time there is none to keep so.
fn awake(args: &EngineArgs) -> Result<bool, Problem> {
    if args.awake && args.engine.is_virtual() {
        return Err(Problem::new(Exit::Usage, "--awake has nothing to change")
            .because("virtual time needs no processor of its own")
            .remedy("without it"));
    }
    Ok(args.awake)
}

/// The way of showing progress that fits where standard error goes.
fn observer(plan: &Plan, output: &OutputArgs, stop: &Stop) -> Box<dyn Observer> {
    if output.quiet {
        return Box::new(Silent);
    }
    if let Some(screen) = screen(plan, output, stop) {
        return Box::new(screen);
    }
    if plan.engine.kind.is_some_and(EngineKind::is_virtual) {
        return Box::new(Plain::of_virtual_time(HastyStderr));
    }
    Box::new(Plain::new(HastyStderr))
}

/// The same where many hosts measure.
fn observer_of_hosts(plan: &Plan, output: &OutputArgs, stop: &Stop) -> Box<dyn Observer> {
    match screen(plan, output, stop) {
        Some(screen) => Box::new(cluster::Watched::on(screen)),
        None => Box::new(cluster::ProgressLines::new(output.quiet)),
    }
}

/// A screen, where one is wanted and possible.
fn screen(plan: &Plan, output: &OutputArgs, stop: &Stop) -> Option<Screen> {
    if output.quiet
        || output.no_live
        || !appearance::draws()
        || !platform::is_ours(terminal::raw_stderr())
    {
        return None;
    }
    let mut app = App::new(&plan.workload, paths(&plan.targets));
    if !output.live_title.is_empty() {
        app.workload.clone_from(&output.live_title);
    }
    // A terminal that cannot be used (no raw mode, say) still shows lines.
    Screen::take(app, stop.clone()).ok()
}

fn paths(targets: &[TargetBinding]) -> String {
    let paths = targets.iter().map(|target| match &target.role {
        Some(role) => format!("{role}={}", target.path.display()),
        None => target.path.display().to_string(),
    });
    paths.collect::<Vec<_>>().join(",")
}
