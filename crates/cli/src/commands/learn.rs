//! `fathom learn`: from a trace to a workload like it, and how near both are.

mod own_run;
mod text;
mod toml;

use super::capture::{any_trace, unreadable};
use super::sinks::TextPlace;
use super::{listed, print, show_text};
use crate::args::LearnArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::on_terminal;
use fathom_capture::learn::{
    Axes, Census, Fidelity, LoadKind, Role, Roles, Services, Survey, Windows, fidelity, workload,
};
use fathom_capture::{Chunk, Source, Tail};
use fathom_core::spec::Workload;
use fathom_core::{Nanos, State};
use fathom_device::Existing;
use fathom_device::nodes::{Node, NodeKind};
use fathom_session::twin::{Played, play};
use fathom_tools::native;
use own_run::Span;
use serde::Serialize;
use std::iter;
use std::path::Path;

/// Requests of the twin that are compared at most: 100 MB of memory.
const MOST_PLAYED: f64 = 1e6;
/// Why a pipe is no trace, and why a device is none.
const ONCE: (&str, &str) = (
    "a trace is read twice, and a pipe can be read once",
    "save it in a file",
);
const NO_TRACE: (&str, &str) = (
    "it is a device, and a trace is a file",
    "record the requests of a device with `fathom capture`",
);
/// The shortest phase.
const LEAST_DURATION_NS: u64 = 1_000_000_000;

/// What a trace taught.
pub(super) struct Learned {
    pub(super) length_ns: u64,
    pub(super) roles: Vec<Role>,
    services: Services,
    pub(super) windows: Windows,
    footprint_bytes: u64,
    /// About how often its pages are read or written.
    accesses: u64,
    /// What was left out or assumed.
    pub(super) remarks: Vec<String>,
    is_complete: bool,
}

/// All that is printed.
struct Shown<'a> {
    trace: &'a Path,
    output: Option<&'a Path>,
    against: Option<&'a Path>,
    learned: &'a Learned,
    fidelity: &'a Fidelity,
    toml: &'a str,
}

/// What a trace taught, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LearnDocument<'a> {
    file: String,
    /// How far it can be trusted.
    state: State,
    /// The answer.
    sentence: String,
    /// Length of the trace, nanoseconds.
    length_ns: u64,
    roles: &'a [Role],
    fidelity: &'a Fidelity,
    /// Axes on which the twin is near.
    axes_near: usize,
    /// Axes that could be compared.
    axes_compared: usize,
    /// What was left out or assumed.
    remarks: &'a [String],
    /// The workload as TOML.
    workload: &'a str,
}

pub(crate) fn run(args: &LearnArgs) -> Result<Exit, Error> {
    let trace = args.trace.as_path();
    for file in iter::once(trace).chain(args.against.as_deref()) {
        refuse(file, args.output.as_deref())?;
    }
    let existing = Existing::replaced_if(args.replace.overwrite);
    let place = args.output.as_deref();
    let place = place
        .map(|path| TextPlace::open(path, existing))
        .transpose()?;
    let learned = learn(trace, None)?;
    let toml = toml::text(trace, &learned, &twin(trace, &learned));
    let is_shown = args.output.as_deref() != Some(Path::new("-"));
    if let Some(place) = place {
        place.write(&toml)?;
    }
    if !is_shown {
        return Ok(Exit::Ok);
    }
    let twin = if let Some(file) = &args.against {
        measured(file, learned.footprint_bytes)?
    } else {
        let twin = native::parse(&toml, "twin.toml").map_err(Error::Text)?;
        generated(twin, &learned)?
    };
    let fidelity = fidelity(&learned.windows, &twin, args.against.is_some());
    let shown = Shown {
        trace,
        output: args.output.as_deref(),
        against: args.against.as_deref(),
        learned: &learned,
        fidelity: &fidelity,
        toml: &toml,
    };
    if args.json {
        print(&shown.json()?)
    } else {
        show_text(&on_terminal(text::report(&shown)))
    }
}

/// Refuses a trace that cannot be read twice, and one that the output would replace.
pub(super) fn refuse(trace: &Path, output: Option<&Path>) -> Result<(), Error> {
    let kind = trace.metadata().map(|found| Node::of(&found).kind);
    let wrong = match kind {
        _ if trace == Path::new("-") => Some(ONCE),
        Ok(NodeKind::Fifo | NodeKind::Socket) => Some(ONCE),
        Ok(NodeKind::Block | NodeKind::Char) => Some(NO_TRACE),
        _ => None,
    };
    if let Some((cause, remedy)) = wrong {
        let thing = format!("cannot read {} as a trace", trace.display());
        let problem = Problem::new(Exit::Usage, thing);
        return Err(problem.because(cause).remedy(remedy).into());
    }
    if output.is_some_and(|output| is_same_file(trace, output)) {
        let thing = format!("cannot write to {}", trace.display());
        return Err(Problem::new(Exit::Usage, thing)
            .because("it is a trace that is read, and would be lost")
            .remedy("name another file with --output")
            .into());
    }
    Ok(())
}

/// Whether two paths lead to one file that exists.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    let path = one.canonicalize().ok();
    path.is_some() && path == other.canonicalize().ok()
}

/// Hands every chunk of a trace on.
pub(super) fn read(
    trace: &Path,
    mut take: impl FnMut(&Chunk, &dyn Source),
) -> Result<Box<dyn Source>, Error> {
    let (mut source, _) = any_trace(trace)?;
    loop {
        let chunk = source.next_chunk();
        let chunk = chunk.map_err(|error| unreadable(trace, &error))?;
        let Some(chunk) = chunk else {
            return Ok(source);
        };
        take(&chunk, source.as_ref());
    }
}

/// Learns from a trace; a user may state whether its requests wait for earlier ones.
pub(super) fn learn(trace: &Path, stated: Option<LoadKind>) -> Result<Learned, Error> {
    let mut census = Census::default();
    let source = read(trace, |chunk, source| census.add(chunk, source.tasks()))?;
    let length_ns = length_ns(source.as_ref(), census.last_ns());
    let accesses = census.page_accesses();
    let roles = Roles::of(census, length_ns, stated);
    if roles.count() == 0 || length_ns == 0 {
        let thing = format!("nothing can be learned from {}", trace.display());
        let because = match roles.count() {
            0 => "it has no read, write or discard",
            _ => "all its requests are of one instant",
        };
        return Err(Problem::new(Exit::Environment, thing)
            .because(because)
            .remedy("a capture of some seconds, while the application works")
            .into());
    }
    let footprint_bytes = roles.footprint_bytes();
    let mut survey = Survey::new(&roles);
    let mut windows = Windows::new(length_ns, footprint_bytes, accesses);
    let source = read(trace, |chunk, _| {
        survey.add(&roles, chunk);
        windows.add(chunk);
    })?;
    Ok(Learned {
        length_ns,
        services: survey.services().clone(),
        roles: survey.finish(&roles),
        windows,
        footprint_bytes,
        accesses,
        remarks: source.remarks(),
        is_complete: source.tail().is_some_and(Tail::is_complete),
    })
}

fn length_ns(source: &dyn Source, last_ns: u64) -> u64 {
    let tail = source.tail().map_or(0, |tail| tail.length_ns);
    tail.max(last_ns)
}

/// The workload, which is named after the trace.
pub(super) fn twin(trace: &Path, learned: &Learned) -> Workload {
    let stem = trace.file_stem().unwrap_or_default().to_string_lossy();
    let is_safe = |letter: &char| letter.is_ascii_alphanumeric() || "-_.".contains(*letter);
    let stem: String = stem.chars().filter(is_safe).take(64).collect();
    let name = if stem.is_empty() {
        "twin".to_owned()
    } else {
        format!("{stem}-twin")
    };
    let milliseconds = learned.length_ns.max(LEAST_DURATION_NS).div_ceil(1_000_000);
    workload(&learned.roles, &name, Nanos::from_millis(milliseconds))
}

/// Makes a twin as long as its trace, or shorter if that has too many requests. The length is in
/// nanoseconds.
pub(super) fn shorten(workload: &mut Workload, learned: &Learned) -> u64 {
    let iops: f64 = learned.roles.iter().map(|role| role.iops).sum();
    let most_ns = (MOST_PLAYED / iops.max(1e-9) * 1e9) as u64;
    let length_ns = learned.length_ns.min(most_ns.max(1));
    if let Some(phase) = workload.phases.first_mut() {
        phase.duration = Some(Nanos(length_ns));
        // What a run does before and after is not compared.
        phase.warm_up = Nanos::ZERO;
        phase.cool_down = Nanos::ZERO;
    }
    length_ns
}

/// How near a twin is, in words.
pub(super) fn nearness(twin: Workload, learned: &Learned) -> Result<String, Error> {
    let axes = generated(twin, learned)?;
    Ok(text::nearness(&fidelity(&learned.windows, &axes, false)))
}

/// What a workload asks for, generated without I/O.
fn generated(mut workload: Workload, learned: &Learned) -> Result<Axes, Error> {
    let length_ns = shorten(&mut workload, learned);
    let Played { requests, .. } = play(&workload, &learned.services).map_err(|error| {
        Problem::new(Exit::Defect, "cannot generate the requests of the twin")
            .because(error.to_string())
    })?;
    let mut axes = Axes::new(0, length_ns, learned.footprint_bytes, learned.accesses);
    for request in &requests {
        axes.add(request);
    }
    Ok(axes)
}

/// What a capture of the twin has.
fn measured(trace: &Path, footprint_bytes: u64) -> Result<Axes, Error> {
    let mut census = Census::default();
    let mut span = Span::default();
    let source = read(trace, |chunk, source| {
        census.add(chunk, source.tasks());
        span.add(chunk, source.tasks());
    })?;
    let (first, last) = span.or_all(length_ns(source.as_ref(), census.last_ns()));
    let mut axes = Axes::new(first, last, footprint_bytes, census.page_accesses());
    read(trace, |chunk, source| {
        let of_load = chunk.iter().filter(|one| span.has(one, source.tasks()));
        of_load.for_each(|request| axes.add(request));
    })?;
    Ok(axes)
}

impl Shown<'_> {
    fn json(&self) -> Result<String, Problem> {
        let (axes_near, axes_compared) = self.fidelity.near();
        let document = LearnDocument {
            file: self.trace.display().to_string(),
            state: self.state(),
            sentence: text::sentence(self),
            length_ns: self.learned.length_ns,
            roles: &self.learned.roles,
            fidelity: self.fidelity,
            axes_near,
            axes_compared,
            remarks: &self.learned.remarks,
            workload: self.toml,
        };
        listed::stamped("learn", &document)
    }

    /// How far it can be trusted.
    const fn state(&self) -> State {
        if self.learned.is_complete && self.learned.remarks.is_empty() {
            State::Valid
        } else {
            State::Qualified
        }
    }
}
