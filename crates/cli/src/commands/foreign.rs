//! One command for all other programs: from a call in their words to a run, and from its result to
//! what they would say. What differs between them is in their folders.

mod apart;
mod files;
mod host_names;
mod hosts;
mod meanwhile;
pub(super) mod misplaced;
mod request_logs;
mod telling;

pub(super) use telling::tell;

use super::surroundings::Live;
use super::{Origin, measure, member, print, server, standard_input};
use crate::args::{
    CpuList, EngineArgs, ExplainArgs, ForeignArgs, ForeignOptions, OutputArgs, OutputSpec,
    OverrideArgs, RunOptions,
};
use crate::aside;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_core::Nanos;
use fathom_core::result::RunResult;
use fathom_device::input;
use fathom_session::{Observer, Session};
use fathom_tools::{
    Affinity, Call, Given, OnDrives, OwnWords, Program, Refusal, Reply, RunWishes, Translation,
};
use files::{Files, Report};
use hosts::{host_names, hosts_of};
use meanwhile::MeanwhileTold;
use request_logs::{Both, RequestLogs};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use telling::{is_quiet, judge, warn};

/// Runs what the words of another program ask for.
pub(crate) fn run(args: &dyn ForeignArgs, origin: &Origin) -> Result<Exit, Error> {
    let program = program(args.program())?;
    let mut beside = args.beside();
    if let Some(options) = args.options() {
        beside.targets.clone_from(&options.target);
    }
    beside.drives.extend(crate::platform::own_drives());
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
        Ok(Reply::Apart(apart)) => return apart::run(apart, program.dialect.name),
        Err(Refusal::Absent(said)) => return print(&said).map(|_| Exit::LimitMissed),
        Err(Refusal::NoWords(usage)) => return print(&usage).map(|_| Exit::Usage),
        Err(refusal) => {
            misplaced::tell(args.program(), &args.words());
            return Err(refused(refusal));
        }
    };
    let given = args.run_options().map(|options| &options.cluster);
    let given = given.or(args.options().map(|options| &options.cluster));
    let hosts = hosts_of(call.as_mut(), given)?;
    if let Some(exit) = member::be_launched(&hosts)? {
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
    measured(call.as_ref(), &own, args, &options, quiet, origin)
}

fn program(name: &str) -> Result<&'static Program, Problem> {
    let found = fathom_programs::PROGRAMS.iter().copied();
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
    let input = standard_input::once();
    let mut input = input.map_err(|problem| io::Error::other(problem.thing))?;
    input.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn refused(refusal: Refusal) -> Error {
    match refusal {
        Refusal::Text(wrong) => Error::Text(wrong),
        Refusal::Said { said, wrong } => Error::Said(said, wrong),
        Refusal::Absent(said) | Refusal::NoWords(said) => Problem::new(Exit::Usage, said).into(),
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

fn set_time(translation: &mut Translation, time: &str) -> Result<(), Problem> {
    let time: Nanos = time.parse().map_err(|error| {
        Problem::new(Exit::Usage, "--time is not a time").because(format!("{error}"))
    })?;
    for phase in &mut translation.workload.phases {
        phase.duration = Some(time);
    }
    Ok(())
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
    given.safety.replace_results |= own.replace_results;
    given.safety.read_only |= own.read_only;
    given.print |= own.print;
    given.quiet |= quiet;
    given.no_live |= own.no_live;
    given.tracing.blame |= own.blame;
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
    let hosts = host_names(call, &options.cluster)?;
    let workload = &call.translation().workload;
    let replaces = options.safety.overwrite || options.safety.replace_results;
    let files = Files::new(workload.named_paths(), call.logs_directory(), replaces);
    let is_own = |head: &[u8]| call.is_own_result(head);
    let report = Report::open(own.output.as_deref(), &files, &is_own)?;
    let asked = args.asks_for_form();
    let mut kept = Exit::Ok;
    let mut fails: Option<bool> = None;
    let mut told = |result: &RunResult| {
        fails = call.fails(result).max(fails);
        kept = kept.max(args.kept(result));
        files.write_later(call, result)?;
        let said = call.said(result, asked, quiet);
        if said.judged {
            judge(result, quiet);
        }
        // Where it cannot be written, the result has it.
        aside::print(&said.err);
        report.put(&said.out)
    };
    let mut logs = RequestLogs::default();
    if !options.output.print {
        files.check_later(call)?;
        logs = RequestLogs::open(&files, call, hosts.as_deref())?;
    }
    let journals = logs.journals();
    let mut meanwhile = MeanwhileTold::of(call, &report)?;
    let mut way = |mut session: Session<'_>, observer: &mut dyn Observer| {
        session.plan.journals.clone_from(&journals);
        session.plan.splits = call.splits();
        session.plan.apart = call.apart();
        session.plan.hosts_apart = !own.clients.is_empty();
        let kept = &mut Both(&mut logs, &mut meanwhile);
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
    // A missed limit is in the report, and so are errors that end nothing.
    let exit = match (exit, fails) {
        (Exit::LimitMissed | Exit::IoErrors, Some(false)) => Exit::Ok,
        _ => exit,
    };
    Ok(exit.max(kept))
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
        explain: ExplainArgs {
            tracing: own.tracing,
            ..ExplainArgs::default()
        },
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
