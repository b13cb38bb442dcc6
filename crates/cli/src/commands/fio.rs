//! `fathom fio`: fio's inputs, run here and reported in fio's layouts.

use super::fio_files;
use super::fio_logs::{Both, Logs};
use super::fio_traces::Recordings;
use super::surroundings::Live;
use super::{Origin, foreign, measure, print};
use crate::args::{
    CpuList, EngineArgs, ExplainArgs, FioArgs, OutputArgs, OverrideArgs, RunOptions, SafetyArgs,
    SaveArgs, StoreArgs,
};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_core::Nanos;
use fathom_core::result::RunResult;
use fathom_device::Door;
use fathom_session::{Observer, Session};
use fathom_tools::fio::{self, CommandLine, FioLayout, FioRun, Tool, translate, write_fio};
use fathom_tools::{Affinity, RunWishes};
use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::PathBuf;

pub(crate) fn run(args: &FioArgs, origin: &Origin) -> Result<Exit, Error> {
    let line = CommandLine::parse(&args.words).map_err(Error::Text)?;
    let files = line.files.iter().map(|file| read(file));
    let files = files.collect::<Result<Vec<_>, _>>()?;
    let tool = &line.tool;
    if let Some(question) = &tool.question {
        let own = env!("CARGO_PKG_VERSION");
        let text = fio::answer(question, &line, &files, own, &Live).map_err(Error::Text)?;
        return print(&text);
    }
    let mut run = translate(&line, &files, &Live).map_err(Error::Text)?;
    let quiet = is_quiet(tool);
    if let Some(time) = &tool.time {
        set_time(&mut run, time)?;
    }
    if run.translation.wishes.fresh_seed {
        run.translation.workload.seed = fathom_engine::clock::utc_now_ns();
    }
    if !quiet {
        warn(&run);
    }
    foreign::tell(&run.translation, quiet);
    if tool.parse_only {
        return Ok(Exit::Ok);
    }
    let options = options(tool, &run.translation.wishes)?;
    let door = Door::beside(measure::named(&run.translation.workload));
    let output = tool.output.as_deref();
    let mut file = output
        .map(|path| create(&door, path, tool.overwrite))
        .transpose()?;
    let layout = FioLayout::asked(&run);
    let styles = tool.styles();
    let mut told = |result: &RunResult| {
        let texts = styles
            .iter()
            .map(|style| write_fio(result, &layout, *style));
        let text: String = texts.collect();
        foreign::judge(result, quiet);
        mismatches(result);
        match &mut file {
            Some((path, file)) => {
                let written = file.write_all(text.as_bytes());
                written.map_err(|error| cannot_write(path, &error).into())
            }
            None => print(&text).map(|_| ()),
        }
    };
    let mut logs = Logs::default();
    let mut recordings = Recordings::default();
    if !tool.print {
        logs = Logs::open(&door, &run.logs, tool)?;
        recordings = Recordings::open(&door, &run.recordings, tool.overwrite)?;
    }
    let mut journals = logs.journals();
    recordings.add_journals(&mut journals);
    let mut way = |mut session: Session<'_>, observer: &mut dyn Observer| {
        session.plan.journals.clone_from(&journals);
        let kept = &mut Both(&mut logs, &mut recordings);
        session.measure(&mut Both(observer, kept))
    };
    let workload = &run.translation.workload;
    let exit = measure::along(workload, &[], &options, origin, &mut way, &mut told)?;
    logs.finish()?;
    recordings.finish()?;
    Ok(exit)
}

/// Whether standard error is left to what failed: fio writes nothing else there, and programs that
/// call it take anything else for a failure. Who only looks at an input wants to read it.
fn is_quiet(tool: &Tool) -> bool {
    let looks = tool.parse_only || tool.print;
    tool.quiet || !(tool.notes || looks || io::stderr().is_terminal())
}

/// Says as fio does which blocks are not what was written there.
fn mismatches(result: &RunResult) {
    let jobs = result.phases.iter().flat_map(|phase| &phase.jobs);
    let errors = jobs.flat_map(|job| &job.errors);
    for error in errors.filter(|error| error.errno == 0) {
        for offset in &error.first_offsets {
            // What the report counts; where this cannot be written, it stands there.
            let _ = writeln!(
                io::stderr(),
                "verify: bad block at file {} offset {offset}: {}",
                error.target,
                error.message
            );
        }
    }
}

/// A job file by its name; `-` is standard input.
fn read(file: &str) -> Result<(String, String), Problem> {
    let text = if file == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(file)
    };
    let text = text.map_err(|error| {
        Problem::new(Exit::Usage, format!("cannot read the job file {file}"))
            .because(system_words(&error))
            .remedy("the path of a job file; options begin with --")
    })?;
    Ok((file.to_owned(), text))
}

fn set_time(run: &mut FioRun, time: &str) -> Result<(), Problem> {
    let time: Nanos = time.parse().map_err(|error| {
        Problem::new(Exit::Usage, "--time is not a time").because(format!("{error}"))
    })?;
    for phase in &mut run.translation.workload.phases {
        phase.duration = Some(time);
    }
    Ok(())
}

/// Tells what was hardly meant.
fn warn(run: &FioRun) {
    for warning in &run.warnings {
        // Only advice: where it cannot be written, the run can do without.
        let _ = writeln!(io::stderr(), "{warning}\n");
    }
}

fn options(tool: &Tool, wishes: &RunWishes) -> Result<RunOptions, Problem> {
    let destroy = tool.destroy.iter().map(|device| {
        device.parse().map_err(|error| {
            Problem::new(Exit::Usage, format!("--destroy={device} names no device"))
                .because(format!("{error}"))
        })
    });
    let affinity = match &wishes.affinity {
        Affinity::List(list) => Some(CpuList(list.clone())),
        Affinity::Free | Affinity::RoundRobin => None,
    };
    let mut engine = EngineArgs {
        affinity,
        huge_pages: wishes.huge_pages,
        sqpoll: wishes.submission_polling,
        iopoll: wishes.completion_polling,
        ..EngineArgs::default()
    };
    engine.engine.0 = wishes.engine.and_then(|name| name.parse().ok());
    if tool.no_save && tool.store.is_some() {
        return Err(
            Problem::new(Exit::Usage, "--no-save and --store contradict each other")
                .remedy("one of them"),
        );
    }
    Ok(RunOptions {
        overrides: OverrideArgs::default(),
        engine,
        explain: ExplainArgs::default(),
        safety: SafetyArgs {
            destroy: destroy.collect::<Result<_, _>>()?,
            overwrite: tool.overwrite,
            replace_results: false,
            read_only: tool.read_only,
            keep: wishes.keep_files,
            lends: false,
            stop_on_error: wishes.stop_on_error,
        },
        output: OutputArgs {
            output: Vec::new(),
            print: tool.print,
            quiet: is_quiet(tool),
            no_live: tool.no_live,
            as_listed: true,
            ..OutputArgs::default()
        },
        save: SaveArgs {
            no_save: tool.no_save,
            tag: Vec::new(),
            store: StoreArgs {
                store: tool.store.as_ref().map(PathBuf::from),
            },
        },
    })
}

/// The file for the result, emptied before anything is measured, as fio does.
fn create(door: &Door, path: &str, overwrite: bool) -> Result<(String, File), Problem> {
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
