//! `fathom durability`: what was acknowledged, compared with what is left after a power cut.

mod json;
mod text;

use super::{exit_of_kind, place, print, show_text};
use crate::args::DurabilityArgs;
use crate::error::{Error, Problem, fragment, system_words};
use crate::exit::Exit;
use crate::stop::Stop;
use crate::terminal;
use fathom_core::{Nanos, figure};
use fathom_device::{Permissions, input, owner, serial};
use fathom_durability::judge::Cut;
use fathom_durability::{End, Judgement, Log, State, judge};
use fathom_session::durability::writer::Until;
use fathom_session::durability::{
    Area, DurabilityError, Keeper, LogAddress, LogState, ReadBack, Wanted, Witness, write,
};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

#[cfg(test)]
pub(super) use json::DurabilityDocument;

/// Most that is read of a log, bytes.
const LONGEST_LOG: u64 = 4 << 30;

/// What a verification found.
struct Verification<'a> {
    log: &'a Log,
    target: &'a Path,
    judged: Vec<Judgement>,
    /// What to know about the reading.
    note: Option<String>,
}

pub(crate) fn run(args: &DurabilityArgs) -> Result<Exit, Error> {
    if let Some(address) = &args.keep {
        return keep(args, address);
    }
    let named = args.target.clone().unwrap_or_default();
    let target = place(&named)?;
    if args.verify {
        verify(args, &target)
    } else {
        record(args, target)
    }
}

/// Writes until power is cut, or something else ends it.
fn record(args: &DurabilityArgs, target: PathBuf) -> Result<Exit, Error> {
    let stop = Stop::default();
    stop.listen()?;
    let mut destroy = args.destroy.clone();
    serial::resolve(destroy.iter_mut().map(|one| &mut one.path))
        .map_err(|error| super::run_problem(&error.into()))?;
    let wanted = Wanted {
        target,
        promises: args.promise.clone(),
        block_bytes: args.block_size.0,
        size_bytes: args.size.map(|size| size.0),
        flush_every: args.flush_every,
        direct: !args.no_direct,
        permissions: Permissions {
            destroy,
            overwrite: args.overwrite,
            read_only: false,
            allow: super::allow_list()?,
        },
    };
    // The acknowledgement log or server comes first: without it nothing is written.
    let witness = Witness::find(&args.witness, &wanted.target);
    let mut witness = witness.map_err(|error| problem(&error))?;
    let mut area = match Area::prepare(&wanted) {
        Ok(area) => area,
        Err(error) => {
            witness.take_back();
            return Err(problem(&error).into());
        }
    };
    let until = Until {
        time: args.time,
        steps: args.steps,
    };
    let mut progress = |acknowledged: u64, since: Nanos| {
        if !args.quiet {
            let since = figure::duration(since.0);
            let count = figure::count(acknowledged);
            // Whoever closed standard error wants to hear nothing.
            let _ = writeln!(
                terminal::stderr(),
                "{since}: {count} acknowledged and logged"
            );
        }
    };
    let told = write(
        &mut area,
        &mut witness,
        until,
        stop.control(),
        &mut progress,
    );
    let told = told.map_err(|error| problem(&error))?;
    show_text(&ended(&area, &told, &args.witness))?;
    Ok(if told.end == End::Interrupted {
        Exit::Interrupted
    } else {
        Exit::Ok
    })
}

/// What to do now that the writer has ended without a cut.
fn ended(area: &Area, told: &LogState, witness: &LogAddress) -> String {
    let header = &area.header;
    format!(
        "{} acknowledged and logged in {}; the power was not cut\nafter a power cut: fathom \
         durability --verify --power-was-cut --target {} --ack-log {}\n",
        figure::count(told.acknowledged),
        figure::duration(told.time_ms * 1_000_000),
        header.target,
        match witness {
            LogAddress::File(path) => path.display().to_string(),
            LogAddress::Host(_) | LogAddress::Command(_) => "LOG".to_owned(),
        }
    )
}

fn verify(args: &DurabilityArgs, target: &Path) -> Result<Exit, Error> {
    let LogAddress::File(path) = &args.witness else {
        let thing = format!("cannot verify with {}", args.witness);
        let problem = Problem::new(Exit::Usage, thing).because("it is not a file");
        return Err(problem
            .remedy("use --ack-log with the log of the writer")
            .into());
    };
    let log = read_log(path)?;
    let boot = owner::boot();
    let cut = Cut {
        is_same_boot: log.header.boot.as_ref().is_some_and(|own| *own == boot),
        is_vouched_for: args.power_was_cut,
    };
    let back = ReadBack::open(&log.header, target);
    let mut back = back.map_err(|error| problem(&error))?;
    let found = Verification {
        judged: judge(&log, cut, &mut back),
        log: &log,
        target,
        note: back.note().map(str::to_owned),
    };
    print(&if args.json {
        json::json(&found)
    } else {
        text::text(&found)
    })?;
    Ok(found.exit())
}

impl Verification<'_> {
    fn exit(&self) -> Exit {
        let states = self.judged.iter().map(|one| match one.state {
            State::Kept => Exit::Ok,
            State::CannotTell(_) => Exit::Undecided,
            State::Broken => Exit::IoErrors,
        });
        states.max().unwrap_or(Exit::Ok)
    }
}

fn read_log(path: &Path) -> Result<Log, Problem> {
    let cannot = |error: &io::Error| {
        Problem::new(Exit::Environment, format!("cannot read {}", path.display()))
            .because(system_words(error))
    };
    let mut bytes = Vec::new();
    let file = input::open(path).map_err(|error| cannot(&error))?;
    if file.metadata().is_ok_and(|meta| !meta.is_file()) {
        let thing = format!("cannot verify with {}", path.display());
        let problem = Problem::new(Exit::Usage, thing).because("it is not a file");
        return Err(problem.remedy("use --ack-log with the log of the writer"));
    }
    let read = file.take(LONGEST_LOG).read_to_end(&mut bytes);
    read.map_err(|error| cannot(&error))?;
    Log::read(&String::from_utf8_lossy(&bytes)).map_err(|error| {
        let thing = format!("{} does not contain a run", path.display());
        Problem::new(Exit::Usage, thing)
            .because(error.to_string())
            .remedy("use the acknowledgement log of `fathom durability`")
    })
}

/// Keeps what a writer on another host says.
fn keep(args: &DurabilityArgs, address: &str) -> Result<Exit, Error> {
    let LogAddress::File(log) = &args.witness else {
        let thing = format!("cannot write the log {}", args.witness);
        let problem = Problem::new(Exit::Usage, thing).because("it is not a file");
        return Err(problem.into());
    };
    let mut keeper = Keeper::listen(address, log).map_err(|error| problem(&error))?;
    if let (false, Ok(address)) = (args.quiet, keeper.address()) {
        let _ = writeln!(terminal::stderr(), "listens at {address}");
    }
    let lines = keeper.keep_one().map_err(|error| problem(&error))?;
    print(&format!(
        "kept {} in {}\n",
        figure::plural(lines, "line"),
        log.display()
    ))
}

fn problem(error: &DurabilityError) -> Problem {
    Problem {
        exit: exit_of_kind(error.kind()),
        thing: error.thing(),
        because: Some(fragment(&error.because())),
        remedy: error.remedy(),
    }
}
