//! `fathom capture`: the requests of devices into a file, and a file of them in short.

mod text;

use super::{listed, print, show_text};
use crate::args::{CaptureArgs, EventSet, OutputSpec, ShowArgs};
use crate::error::{Error, Problem, fragment};
use crate::exit::Exit;
use crate::stop::Stop;
use crate::{aside, terminal};
use fathom_capture::file::{Head, Tail};
use fathom_capture::{
    CaptureError as Unreadable, Recorded, Source, Summary, Summing, is_capture, is_trace,
};
use fathom_core::State;
use fathom_device::{Door, Existing, input};
use fathom_programs::trace_format;
use fathom_session::capture::{CaptureError, Capturing, Wanted, Who, stack};
use fathom_tools::program::TraceFormat;
use serde::Serialize;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::Path;

/// Bytes by which the format of a file is recognised.
const START_BYTES: u64 = 64 << 10;

/// What is shown of a capture, or of the trace of another tool.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Shown<'a> {
    file: &'a Path,
    /// Size of the file, bytes.
    file_bytes: u64,
    head: &'a Head,
    /// None of a file that was cut.
    tail: Option<&'a Tail>,
    summary: &'a Summary,
    /// What was left out or assumed.
    remarks: Vec<String>,
    /// Whether `fathom capture` made it.
    #[serde(skip)]
    is_own: bool,
}

/// What a capture has, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CaptureDocument<'a> {
    /// How far it can be trusted.
    state: State,
    #[serde(flatten)]
    shown: &'a Shown<'a>,
}

pub(crate) fn run(args: &CaptureArgs) -> Result<Exit, Error> {
    let stop = Stop::default();
    stop.listen()?;
    let capturing = Capturing::begin(wanted(args)?).map_err(|error| problem(&error))?;
    let file = &args.output;
    let door = Door::default();
    let opened = if args.replace.overwrite {
        door.renewed(file)
    } else {
        door.open(file, Existing::Kept).map(|opened| opened.file)
    };
    let out = opened.map_err(|error| {
        let thing = format!("cannot write {}", file.display());
        Problem::of_door(thing, &error, Some("--replace-results")).otherwise("another file")
    })?;
    if args.time.is_none() && terminal::raw_stderr().is_terminal() {
        aside::say("recording; Ctrl-C ends the capture");
    }
    let captured = capturing.run(stop.control(), out);
    let captured = captured.map_err(|error| problem(&error))?;
    let shown = Shown {
        file,
        file_bytes: captured.file_bytes,
        head: &captured.head,
        tail: Some(&captured.tail),
        summary: &captured.summary,
        remarks: Vec::new(),
        is_own: true,
    };
    tell(&shown, args.json)?;
    let is_early = args.time.is_some() && stop.is_interrupted();
    Ok(if is_early {
        Exit::Interrupted
    } else {
        Exit::Ok
    })
}

fn wanted(args: &CaptureArgs) -> Result<Wanted, Problem> {
    let paths: Vec<_> = args.device.iter().chain(&args.path).cloned().collect();
    let process = args.pid.map(Who::Process);
    let name = args.comm.clone().map(Who::Name);
    let group = args.cgroup.clone().map(Who::Group);
    let who = process.or(name).or(group);
    let is_for_blame = args.events == EventSet::Blame;
    if is_for_blame && who.is_some() {
        let thing = "--events blame cannot be combined with --pid, --comm or --cgroup";
        return Err(Problem::new(Exit::Usage, thing)
            .because("the requests of other processes show what a request waited for")
            .remedy("drop the filter; `fathom blame FILE --process NAME` selects a process"));
    }
    let stack = stack(&paths).map_err(|error| problem(&error))?;
    Ok(Wanted {
        disks: stack.disks,
        volumes: stack.volumes,
        who,
        is_for_blame,
        time: args.time,
        buffer_kib: args.buffer.map(|size| (size.0 >> 10).max(1)),
        is_anonymised: args.anonymise,
        made_by: format!("fathom {}", env!("CARGO_PKG_VERSION")),
    })
}

fn problem(error: &CaptureError) -> Problem {
    Problem::new(Exit::Environment, error.to_string())
        .because(fragment(&error.because()))
        .remedy(error.remedy())
}

/// Shows a capture or another trace, if that is what `fathom show` was given; none if it was not.
pub(super) fn show(args: &ShowArgs) -> Option<Result<Exit, Error>> {
    let [name] = args.runs.as_slice() else {
        return None;
    };
    let path = Path::new(name);
    is_any_trace(path).then(|| {
        let plain = |output: &OutputSpec| output.is_plain_text();
        if !args.output.iter().all(plain) {
            let problem = Problem::new(Exit::Usage, format!("{name} is a trace"))
                .because("a trace is shown as text or as JSON on standard output")
                .remedy("drop --output, or use --json");
            return Err(problem.into());
        }
        let (source, file_bytes) = any_trace(path)?;
        show_source(path, source, file_bytes, args.json)
    })
}

fn start(path: &Path) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    let file = input::open(path)?;
    file.take(START_BYTES).read_to_end(&mut start)?;
    Ok(start)
}

pub(super) fn opened(path: &Path) -> Result<(Box<dyn Source>, u64), Problem> {
    let file = input::open(path).map_err(|error| unreadable(path, &error.into()))?;
    let file_bytes = file.metadata().map_or(0, |meta| meta.len());
    let source = fathom_capture::open(file).map_err(|error| unreadable(path, &error))?;
    Ok((source, file_bytes))
}

/// Whether a file is a capture, or a trace of any format that can be replayed.
pub(super) fn is_any_trace(path: &Path) -> bool {
    start(path).is_ok_and(|start| is_trace(&start) || trace_format(&start).is_some())
}

/// Opens a capture, or a trace of any format that can be replayed.
pub(super) fn any_trace(path: &Path) -> Result<(Box<dyn Source>, u64), Error> {
    let start = start(path).map_err(|error| unreadable(path, &error.into()))?;
    match trace_format(&start) {
        Some(format) if !is_trace(&start) => read_whole(path, format),
        _ => Ok(opened(path)?),
    }
}

/// A trace of a program that Fathom runs in the words of, which is read as a whole.
fn read_whole(path: &Path, format: TraceFormat) -> Result<(Box<dyn Source>, u64), Error> {
    let bytes = input::read(path).map_err(|error| unreadable(path, &error.into()))?;
    let trace = (format.read)(&bytes, &path.to_string_lossy()).map_err(Error::Text)?;
    let source = Recorded::new(trace, format.title);
    Ok((Box::new(source), bytes.len() as u64))
}

fn show_source(
    path: &Path,
    mut source: Box<dyn Source>,
    file_bytes: u64,
    as_json: bool,
) -> Result<Exit, Error> {
    let is_own = start(path).is_ok_and(|start| is_capture(&start));
    let summary = summary(source.as_mut()).map_err(|error| unreadable(path, &error))?;
    let shown = Shown {
        file: path,
        file_bytes,
        head: source.head(),
        tail: source.tail(),
        summary: &summary,
        remarks: source.remarks(),
        is_own,
    };
    tell(&shown, as_json)
}

fn summary(source: &mut dyn Source) -> Result<Summary, Unreadable> {
    let mut summing = Summing::default();
    while let Some(chunk) = source.next_chunk()? {
        summing.add(&chunk, source.tasks());
    }
    Ok(summing.finish())
}

pub(super) fn unreadable(path: &Path, error: &Unreadable) -> Problem {
    Problem::new(Exit::Environment, format!("cannot read {}", path.display()))
        .because(fragment(&error.to_string()))
        .remedy("a file in one of the formats that docs/capture.md lists")
}

fn tell(shown: &Shown<'_>, as_json: bool) -> Result<Exit, Error> {
    if !as_json {
        return show_text(&text::of(shown));
    }
    let document = CaptureDocument {
        state: shown.state(),
        shown,
    };
    print(&listed::stamped("capture", &document)?)
}

impl Shown<'_> {
    /// How far it can be trusted.
    fn state(&self) -> State {
        if self.tail.is_some_and(Tail::is_complete) && self.remarks.is_empty() {
            State::Valid
        } else {
            State::Qualified
        }
    }

    /// Length of the capture, nanoseconds.
    fn length_ns(&self) -> u64 {
        self.tail
            .map_or(self.summary.last_ns, |tail| tail.length_ns)
    }
}
