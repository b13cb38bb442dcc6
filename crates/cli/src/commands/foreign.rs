//! One command for all other programs: from a call in their words to a run, and from its result to
//! what they would say. What differs between them is in their folders.

use super::fio_files;
use super::fio_host_logs::HostLogs;
use super::fio_logs::Both;
use super::fio_traces::Recordings;
use super::meanwhile::MeanwhileTold;
use super::surroundings::Live;
use super::{Origin, cluster, measure, print, server};
use super::{fio_after, fio_apart};
use crate::args::{
    ClusterArgs, CpuList, EngineArgs, ExplainArgs, ForeignArgs, ForeignOptions, OutputArgs,
    OutputSpec, OverrideArgs, Rule, RunOptions, SharedArg,
};
use crate::aside;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::terminal;
use crate::width;
use fathom_core::Nanos;
use fathom_core::result::RunResult;
use fathom_device::{Door, input};
use fathom_session::{Observer, Session};
use fathom_tools::iotest::{SasAnswer, sas_answer};
use fathom_tools::{
    Affinity, Call, Given, OnDrives, OwnWords, Program, Refusal, Reply, RunWishes, Together,
    Translation, told_notes,
};
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Runs what the words of another program ask for.
pub(crate) fn run(args: &dyn ForeignArgs, origin: &Origin) -> Result<Exit, Error> {
    let program = program(args.program())?;
    let mut beside = args.beside();
    if let Some(options) = args.options() {
        beside.targets.clone_from(&options.target);
    }
    let surroundings = OnDrives {
        world: &Live,
        drives: &beside.drives,
    };
    let reply = (program.call)(&Given {
        words: &args.words(),
        beside: &beside,
        surroundings: &surroundings,
        read: &read,
        version: env!("CARGO_PKG_VERSION"),
        process: std::process::id(),
    });
    let mut call = match reply {
        Ok(Reply::Text(text)) => return print(&text),
        Ok(Reply::Run(call)) => call,
        Ok(Reply::Serve(serving)) => return server::run(&serving),
        Ok(Reply::Apart(apart)) => return fio_apart::run(apart),
        Err(Refusal::NoWords(usage)) => return print(&usage).map(|_| Exit::Usage),
        Err(refusal) => return Err(refused(refusal)),
    };
    let hosts = cluster_of(args, call.own(), call.translation().wishes.together)?;
    if !hosts.servers.is_empty() {
        let places = hosts.servers.iter().map(|server| server.place.clone());
        call.served_by(places.collect());
    }
    if let Some(exit) = cluster::be_launched(&hosts)? {
        return Ok(exit);
    }
    if let Some(directory) = call.directory() {
        check_directory(directory)?;
    }
    let own = call.own().cloned().unwrap_or_default();
    if let Some(time) = &own.time {
        set_time(call.translation_mut(), time)?;
    }
    let quiet = args.is_quiet() || call.own().is_some_and(is_quiet);
    if !quiet {
        warn(call.as_ref());
    }
    tell(call.translation(), quiet || call.reports_notes());
    if own.parse_only {
        return Ok(Exit::Ok);
    }
    let workload = &mut call.translation_mut().workload;
    if workload.seed.is_none() {
        workload.seed = Some(super::measure::drawn_seed()?);
    }
    let mut options = options(args, call.as_ref(), &own, quiet)?;
    options.cluster = hosts;
    refuse_many(call.as_ref(), &options.cluster)?;
    measured(call.as_ref(), &own, args, &options, quiet, origin)
}

/// The hosts that a call names in its own words.
pub(super) fn hosts_of(call: &dyn Call) -> Result<ClusterArgs, Error> {
    as_named(call.own(), None, call.translation().wishes.together)
}

/// The options of many hosts, wherever they stand.
fn cluster_of(
    args: &dyn ForeignArgs,
    own: Option<&OwnWords>,
    wish: Together,
) -> Result<ClusterArgs, Error> {
    let run_options = args.run_options().map(|options| &options.cluster);
    let given = run_options.or(args.options().map(|options| &options.cluster));
    as_named(own, given, wish)
}

/// The options of many hosts that are given, or that stand among the words of the other program.
fn as_named(
    own: Option<&OwnWords>,
    given: Option<&ClusterArgs>,
    wish: Together,
) -> Result<ClusterArgs, Error> {
    let (mut words, clients) = match own {
        Some(own) => (own.cluster.clone(), own.clients.as_slice()),
        None => (Vec::new(), &[][..]),
    };
    if clients.is_empty() && words.is_empty() {
        return Ok(as_wished(given.cloned().unwrap_or_default(), wish));
    }
    let is_token = |word: &String| word.starts_with("--token-file");
    let has_token = words.iter().any(is_token) || server::named_token_file(None).is_some();
    let (hosts, servers) = cluster::clients(clients, has_token)?;
    words.extend(hosts);
    let mut args = ClusterArgs::of_words(words).map_err(|error| {
        let cause = error.to_string();
        let cause = cause.lines().next().unwrap_or_default();
        let cause = cause.strip_prefix("error: ").unwrap_or(cause).to_owned();
        Problem::new(Exit::Usage, "the options of many hosts do not fit").because(cause)
    })?;
    args.servers = servers;
    if let Some(option) = args.beside_servers() {
        let thing = format!("{option} has nothing to change");
        return Err(Problem::new(Exit::Usage, thing)
            .because("each client is a server, which is one member")
            .remedy(format!(
                "without {option}; --client more than once for more members"
            ))
            .into());
    }
    // fio's clients use the names that jobs give as they are.
    if !clients.is_empty() && !args.spread && args.shared.is_none() {
        args.shared = Some(SharedArg::Common);
    }
    Ok(args)
}

/// The input's own way to share one target, where nothing else is said.
fn as_wished(mut args: ClusterArgs, wish: Together) -> ClusterArgs {
    if !args.is_meant() || args.spread || args.shared.is_some() {
        return args;
    }
    if wish.interleaved {
        args.shared = Some(SharedArg::Interleaved);
    }
    if wish.shift_reads > 0 && args.shift_reads.is_none() {
        args.shift_reads = Some(wish.shift_reads);
    }
    args
}

/// Refuses what is written while a run goes on, where many hosts make it.
pub(super) fn refuse_many(call: &dyn Call, hosts: &ClusterArgs) -> Result<(), Problem> {
    if !hosts.is_meant() {
        return Ok(());
    }
    let files = call.files();
    let every = call.tells_meanwhile().and_then(|told| told.every);
    let (thing, remedy) = if !call.afterwards().is_empty() {
        (
            "logs of the bandwidth are not written for many hosts",
            "without --bandwidth-log",
        )
    } else if !files.recordings.is_empty() {
        (
            "traces of requests are not to be had of many hosts",
            "without write_iolog; write_lat_log and the like are",
        )
    } else if !files.logs.is_empty() && !has_named_hosts(hosts) {
        (
            "logs of requests are not to be had of hosts that a launcher chooses",
            "--hosts or --client, which name them",
        )
    } else if !call.splits().is_empty() && !is_apart(call) {
        (
            "the parts of a latency are not to be had of many hosts",
            "--client in the place of --hosts, which tells each host apart",
        )
    } else if every.is_some() {
        ("many hosts report at the end", "without --status-interval")
    } else {
        return Ok(());
    };
    Err(Problem::new(Exit::Usage, thing)
        .because("they do not travel to where the results of all are")
        .remedy(remedy))
}

/// Whether the hosts have names before they come.
fn has_named_hosts(hosts: &ClusterArgs) -> bool {
    cluster::host_names(hosts).is_ok_and(|names| names.is_some())
}

/// Whether each host is told apart from the others.
fn is_apart(call: &dyn Call) -> bool {
    call.own().is_some_and(|own| !own.clients.is_empty())
}

fn program(name: &str) -> Result<&'static Program, Problem> {
    let found = fathom_tools::PROGRAMS.iter().copied();
    let mut found = found.filter(|program| program.dialect.name == name);
    found
        .next()
        .ok_or_else(|| Problem::new(Exit::Defect, format!("the program {name} is missing")))
}

/// An input by its name; `-` is standard input.
fn read(name: &str) -> io::Result<Vec<u8>> {
    if name != "-" {
        return input::read(name);
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn refused(refusal: Refusal) -> Error {
    match refusal {
        Refusal::Text(wrong) => Error::Text(wrong),
        Refusal::Said { said, wrong } => Error::Said(said, wrong),
        Refusal::NoWords(usage) => Problem::new(Exit::Usage, usage).into(),
        Refusal::File {
            thing,
            error,
            remedy,
        } => Problem::new(Exit::Usage, thing)
            .because(system_words(&error))
            .remedy(remedy)
            .into(),
    }
}

/// Whether standard error is left to what failed: who calls by the words of another program alone
/// may take anything there for a failure. Who asks in Fathom's words what an input becomes wants to
/// read it.
pub(super) fn is_quiet(own: &OwnWords) -> bool {
    own.quiet || !(own.notes || own.print || terminal::raw_stderr().is_terminal())
}

fn set_time(translation: &mut Translation, time: &str) -> Result<(), Problem> {
    let time: Nanos = time.parse().map_err(|error| {
        Problem::new(Exit::Usage, "--time is not a time").because(format!("{error}"))
    })?;
    for phase in &mut translation.workload.phases {
        phase.duration = Some(time);
    }
    Ok(())
}

/// Tells what was hardly meant.
pub(super) fn warn(call: &dyn Call) {
    for warning in call.warnings() {
        let most = width::of_asides();
        let text = most.map_or_else(|| warning.to_string(), |most| warning.within(most));
        // Only advice: where it cannot be written, the run can do without.
        aside::print(&(text + "\n\n"));
    }
}

/// The options of the run.
fn options(
    args: &dyn ForeignArgs,
    call: &dyn Call,
    own: &OwnWords,
    quiet: bool,
) -> Result<RunOptions, Problem> {
    let mut options = if let Some(options) = args.run_options() {
        options.clone()
    } else {
        let mut given = args.options().cloned().unwrap_or_default();
        add(&mut given, own, quiet)?;
        run_options(&given, &call.translation().wishes, call.format())?
    };
    if let Some((format, file)) = call.table() {
        options.output.output.push(OutputSpec {
            file: Some(file.to_owned()),
            ..output(format)?
        });
    }
    options.output.quiet |= !call.has_progress();
    Ok(options)
}

/// Adds those that stand among the words of the other program.
fn add(given: &mut ForeignOptions, own: &OwnWords, quiet: bool) -> Result<(), Problem> {
    for device in &own.destroy {
        let device = device.parse().map_err(|error| {
            Problem::new(Exit::Usage, format!("--destroy={device} names no device"))
                .because(format!("{error}"))
        })?;
        given.safety.destroy.push(device);
    }
    if own.no_save && own.store.is_some() {
        let problem = Problem::new(Exit::Usage, "--no-save and --store contradict each other");
        return Err(problem.remedy("one of them"));
    }
    given.safety.overwrite |= own.overwrite;
    given.safety.read_only |= own.read_only;
    given.print |= own.print;
    given.quiet |= quiet;
    given.no_live |= own.no_live;
    given.save.no_save |= own.no_save;
    if let Some(store) = &own.store {
        given.save.store.store = Some(PathBuf::from(store));
    }
    Ok(())
}

/// The run itself, with the files that are written meanwhile.
fn measured(
    call: &dyn Call,
    own: &OwnWords,
    args: &dyn ForeignArgs,
    options: &RunOptions,
    quiet: bool,
    origin: &Origin,
) -> Result<Exit, Error> {
    let workload = &call.translation().workload;
    let door = Door::beside(measure::named(workload));
    let output = own.output.as_deref();
    let file = output
        .map(|path| create(&door, path, own.overwrite))
        .transpose()?;
    let asked = args.asks_for_form();
    let file = RefCell::new(file);
    let mut kept = Exit::Ok;
    let mut fails: Option<bool> = None;
    let mut told = |result: &RunResult| {
        fails = call.fails(result).max(fails);
        kept = kept.max(rule_kept(args.rule(), result));
        fio_after::save(&door, call, result, own.overwrite)?;
        told(call, result, asked, quiet, &file)
    };
    let files = call.files();
    let mut logs = HostLogs::default();
    let mut recordings = Recordings::default();
    if !options.output.print {
        fio_after::check(&door, call, own.overwrite)?;
        let (specs, directory) = (files.logs, files.directory);
        let hosts = cluster::host_names(&options.cluster)?;
        logs = HostLogs::open(&door, specs, hosts.as_deref(), directory, own.overwrite)?;
        recordings = Recordings::open(&door, files.recordings, own.overwrite)?;
    }
    let mut journals = logs.journals();
    recordings.add_journals(&mut journals);
    let mut meanwhile = MeanwhileTold::of(call, &file)?;
    let mut way = |mut session: Session<'_>, observer: &mut dyn Observer| {
        session.plan.journals.clone_from(&journals);
        session.plan.splits = call.splits();
        session.plan.apart = call.apart();
        session.plan.hosts_apart = is_apart(call);
        let kept = &mut Both(&mut logs, &mut recordings);
        let kept = &mut Both(kept, &mut meanwhile);
        session.measure(&mut Both(observer, kept))
    };
    let exit = measure::along(
        workload,
        args.targets(),
        options,
        origin,
        &mut way,
        &mut told,
    )?;
    logs.finish()?;
    recordings.finish()?;
    // A limit that was missed is told in the report, and so are errors that end nothing.
    let exit = match (exit, fails) {
        (Exit::LimitMissed | Exit::IoErrors, Some(false)) => Exit::Ok,
        _ => exit,
    };
    Ok(exit.max(kept))
}

/// The status by the rule that a result was to keep.
pub(super) fn rule_kept(rule: Option<Rule>, result: &RunResult) -> Exit {
    let Some(Rule::Sas) = rule else {
        return Exit::Ok;
    };
    match sas_answer(result) {
        SasAnswer::Kept => Exit::Ok,
        SasAnswer::Untold => Exit::Undecided,
        SasAnswer::Missed => Exit::LimitMissed,
        SasAnswer::Invalid => Exit::Unfit,
    }
}

/// Says of a result what the program would say.
fn told(
    call: &dyn Call,
    result: &RunResult,
    asked: bool,
    quiet: bool,
    file: &RefCell<Option<(String, File)>>,
) -> Result<(), Error> {
    let said = call.said(result, asked, quiet);
    if said.judged {
        judge(result, quiet);
    }
    // Where it cannot be written, it stands in the result.
    aside::print(&said.err);
    put(&said.out, file)
}

/// Writes what the program says to its file, or prints it.
pub(super) fn put(text: &str, file: &RefCell<Option<(String, File)>>) -> Result<(), Error> {
    match file.borrow_mut().as_mut() {
        Some((path, file)) => {
            let written = file.write_all(text.as_bytes());
            written.map_err(|error| cannot_write(path, &error).into())
        }
        None if text.is_empty() => Ok(()),
        None => print(text).map(|_| ()),
    }
}

/// The file for the result, emptied before anything is measured, as fio does.
pub(super) fn create(door: &Door, path: &str, overwrite: bool) -> Result<(String, File), Problem> {
    let file = fio_files::renewed(door, path.as_ref(), fio_files::is_result, overwrite);
    let file = file.map_err(|error| {
        fio_files::refused(format!("cannot write the result to {path}"), &error)
    })?;
    Ok((path.to_owned(), file))
}

fn cannot_write(path: &str, error: &io::Error) -> Problem {
    Problem::new(
        Exit::Environment,
        format!("cannot write the result to {path}"),
    )
    .because(system_words(error))
}

/// Programs ask for it before anything else.
pub(super) fn check_directory(path: &Path) -> Result<(), Problem> {
    if path.is_dir() {
        return Ok(());
    }
    let thing = format!("cannot test {}", path.display());
    Err(Problem::new(Exit::Environment, thing)
        .because("it is not a directory")
        .remedy("a directory that is there, as in -t /saswork"))
}
/// The options of a run for a translation; without `--output` the result has `format`, or none.
pub(super) fn run_options(
    own: &ForeignOptions,
    wishes: &RunWishes,
    format: Option<&str>,
) -> Result<RunOptions, Problem> {
    let mut options = RunOptions {
        overrides: OverrideArgs::default(),
        engine: engine(&own.engine, wishes),
        safety: own.safety.clone(),
        explain: ExplainArgs::default(),
        output: OutputArgs {
            output: own.output.clone(),
            print: own.print,
            quiet: own.quiet,
            no_live: own.no_live,
            as_listed: true,
            ..OutputArgs::default()
        },
        save: own.save.clone(),
        cluster: own.cluster.clone(),
        members: None,
        simulated: None,
        stop: None,
    };
    let to_files = options.output.output.iter().all(|one| one.file.is_some());
    let is_silent = own.quiet && !options.output.output.is_empty();
    if to_files
        && !is_silent
        && let Some(name) = format
    {
        options.output.output.push(output(name)?);
    }
    options.engine.engine.0 = options.engine.engine.0.or(wishes.engine);
    options.safety.keep |= wishes.keep_files;
    options.safety.stop_on_error |= wishes.stop_on_error;
    options.safety.tolerated.clone_from(&wishes.tolerated);
    Ok(options)
}

/// How requests are made: as the command line says, else as the input wishes.
fn engine(own: &EngineArgs, wishes: &RunWishes) -> EngineArgs {
    let mut engine = own.clone();
    engine.huge_pages |= wishes.huge_pages;
    let simulated = engine.engine.is_virtual();
    if !simulated {
        engine.sqpoll |= wishes.submission_polling;
        engine.iopoll |= wishes.completion_polling;
        engine.sqpoll_cpu = wishes.submission_cpu;
    }
    if engine.affinity.is_none() && !simulated {
        engine.affinity = match &wishes.affinity {
            Affinity::Free => None,
            Affinity::RoundRobin => measure::processors(),
            Affinity::List(list) => Some(CpuList(list.clone())),
        };
    }
    engine
}

/// A format of ours by its name.
pub(super) fn output(name: &str) -> Result<OutputSpec, Problem> {
    name.parse().map_err(|cause: String| {
        Problem::new(Exit::Defect, format!("the format {name} is missing")).because(cause)
    })
}

/// Tells beside a layout without a place for it what the result is worth.
pub(super) fn judge(result: &RunResult, quiet: bool) {
    if quiet {
        return;
    }
    aside::say(&fathom_report::verdict(result));
}

/// Tells what is not as the other program would do it.
pub(super) fn tell(translation: &Translation, quiet: bool) {
    for note in told_notes(&translation.notes).iter().filter(|_| !quiet) {
        aside::say(&format!("note: {note}"));
    }
}
