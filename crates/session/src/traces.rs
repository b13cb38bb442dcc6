//! Reads the traces that jobs replay.

mod long;

use fathom_capture::learn::{Census, RoleFilter, Roles, Survey, UnknownRole};
use fathom_capture::{CaptureError, Chunk, Recorded, Selection, Source, Tail, Task};
use fathom_core::spec::validate::{Violation, validate};
use fathom_core::spec::{Replay, Workload};
use fathom_core::trace::{Trace, TraceRequest};
use fathom_core::{Bytes, figure};
use fathom_device::nodes::{Node, NodeKind};
use fathom_device::{Cgroup, HostInfo, input};
use fathom_load::replay::ReplayInput;
use fathom_programs::read_trace;
use fathom_tools::Diagnostic;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The traces that jobs replay, prepared, by what the jobs say of them.
pub(crate) type Traces = Vec<(Replay, Arc<ReplayInput>)>;

/// Keys that say how what is written is checked.
const CHECKS: [&str; 5] = [
    ".fill",
    ".verify",
    ".verify_as",
    ".verify_interval",
    ".verify_offset",
];

/// Requests that are replayed from memory: 48 MiB of them. A file with more is read meanwhile.
const IN_MEMORY: u64 = 1 << 20;

/// Names of processes that an error lists at most.
const MOST_NAMES: usize = 8;

/// Why a trace cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be read.
    #[error("cannot read the trace {path}")]
    Read {
        path: String,
        /// What the system said.
        cause: io::Error,
    },
    /// A capture, or a trace of another tool, that cannot be read.
    #[error("cannot read the trace {path}")]
    Capture { path: String, cause: CaptureError },
    /// It is no trace.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Text(Vec<Diagnostic>),
    /// What it writes cannot be checked as its job asks for.
    #[error("{}", .0.message)]
    Unchecked(Violation),
    /// No request is of a process that is asked for.
    #[error("the trace {path} has no request of a process {name}")]
    NoProcess {
        path: String,
        name: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// No role has a name that is asked for.
    #[error("the trace {path} has no role {}", .unknown.name)]
    NoRole { path: String, unknown: UnknownRole },
    /// Nothing fits all that is asked for.
    #[error("the trace {path} has no request of the selected processes, roles and offsets")]
    Unselected {
        path: String,
        /// Requests that it has.
        recorded: u64,
    },
    /// Nobody is left for some of the threads that share its requests.
    #[error("{threads} threads cannot share the trace {path}")]
    TooManyThreads {
        path: String,
        threads: u32,
        /// Threads that issued its requests.
        recorded: u64,
    },
    /// All its operations are left out.
    #[error("the trace {path} contains no usable request")]
    Empty { path: String },
}

impl TraceError {
    /// What lies behind it, when the message does not say.
    pub fn because(&self) -> Option<String> {
        match self {
            Self::Read { cause, .. } => Some(cause.to_string()),
            Self::Capture { cause, .. } => Some(cause.to_string()),
            Self::Empty { .. } => Some("all its operations are excluded".to_owned()),
            Self::NoProcess { known, .. } if known.is_empty() => {
                Some("it does not tell processes apart".to_owned())
            }
            Self::NoProcess { known, .. } => {
                Some(format!("its processes are {}", known.join(", ")))
            }
            Self::NoRole { unknown, .. } => {
                Some(format!("its roles are {}", unknown.known.join(", ")))
            }
            Self::Unselected { recorded, .. } => {
                let requests = figure::plural(*recorded, "request");
                Some(format!(
                    "the trace has {requests}, and the selection excludes all"
                ))
            }
            Self::TooManyThreads { recorded, .. } => {
                let threads = figure::plural(*recorded, "thread");
                Some(format!("according to it, {threads} issued its requests"))
            }
            Self::Unchecked(found) => Some(format!("the trace does not fit `{}`", found.path)),
            Self::Text(_) => None,
        }
    }

    /// What to try.
    pub fn remedy(&self) -> Option<&str> {
        match self {
            Self::Unchecked(found) => Some(&found.remedy),
            Self::Capture {
                cause: CaptureError::TooLong { .. },
                ..
            } => Some("a shorter trace, or a machine with more memory"),
            Self::Read { .. } | Self::Capture { .. } => {
                Some("the path of a trace in one of the formats that docs/capture.md lists")
            }
            Self::NoProcess { .. } => Some("a name that `fathom show` prints for the trace"),
            Self::NoRole { .. } => Some("a name that `fathom learn` prints for the trace"),
            Self::Unselected { .. } => Some("a larger region, or fewer conditions"),
            Self::TooManyThreads { .. } => Some("fewer threads"),
            Self::Empty { .. } => Some("exclude less in `without`"),
            Self::Text(_) => None,
        }
    }
}

/// Reads every trace of a workload once for each way in which it is replayed, and fills in what
/// it says of its jobs.
///
/// With them come sentences on what was left out of them or assumed.
pub(crate) fn load(workload: &mut Workload) -> Result<(Traces, Vec<String>), TraceError> {
    let mut traces: Traces = Vec::new();
    let mut remarks = Vec::new();
    for job in workload.phases.iter_mut().flat_map(|phase| &mut phase.jobs) {
        let Some(replay) = &job.replay else { continue };
        let known = traces.iter().find(|(other, _)| other == replay);
        let trace = if let Some((_, trace)) = known {
            Arc::clone(trace)
        } else {
            let (trace, found) = read(replay)?;
            let trace = Arc::new(trace);
            remarks.extend(found);
            traces.push((replay.clone(), Arc::clone(&trace)));
            trace
        };
        let recorded = trace.outline.tasks().len() as u64;
        if u64::from(job.threads) > recorded.max(1) {
            return Err(TraceError::TooManyThreads {
                path: replay.trace.clone(),
                threads: job.threads,
                recorded,
            });
        }
        // A new file is as long as the requests reach.
        let reach = Some(Bytes(trace.outline.end_bytes())).filter(|end| end.0 > 0);
        job.size = job.size.or(reach);
        job.kinds = trace.outline.kinds();
        if job.kinds.is_empty() {
            return Err(TraceError::Empty {
                path: replay.trace.clone(),
            });
        }
    }
    // What a specification says of the requests was checked before; this is what they are.
    let of_checks = |found: &Violation| CHECKS.iter().any(|key| found.path.ends_with(key));
    match validate(workload).into_iter().find(of_checks) {
        Some(found) if !traces.is_empty() => Err(TraceError::Unchecked(found)),
        _ => Ok((traces, remarks)),
    }
}

/// Requests that fit into a quarter of the memory, with a second copy for the thread that makes
/// them.
fn most_requests() -> u64 {
    const BYTES: u64 = 2 * size_of::<TraceRequest>() as u64 + 8;
    let memory = HostInfo::live().memory_bytes.unwrap_or(u64::MAX);
    let limit = Cgroup::own().ok().and_then(|group| group.memory_limit());
    memory.min(limit.unwrap_or(u64::MAX)) / 4 / BYTES
}

/// A trace, opened.
enum Opened {
    /// It is read piece by piece.
    Pieces(Box<dyn Source>),
    /// It was read as a whole.
    Whole(Trace),
}

impl Opened {
    fn of(path: &str) -> Result<Self, TraceError> {
        let unreadable = |cause| TraceError::Read {
            path: path.to_owned(),
            cause,
        };
        match fathom_capture::open(input::open(path).map_err(unreadable)?) {
            Ok(source) => Ok(Self::Pieces(source)),
            Err(CaptureError::Unknown) => {
                let bytes = input::read(path).map_err(unreadable)?;
                let trace = read_trace(&bytes, path).map_err(TraceError::Text)?;
                Ok(Self::Whole(trace))
            }
            Err(cause) => Err(unusable(path, cause)),
        }
    }

    fn source(self) -> Box<dyn Source> {
        match self {
            Self::Pieces(source) => source,
            Self::Whole(trace) => Box::new(Recorded::new(trace, "")),
        }
    }
}

fn unusable(path: &str, cause: CaptureError) -> TraceError {
    TraceError::Capture {
        path: path.to_owned(),
        cause,
    }
}

fn read(replay: &Replay) -> Result<(ReplayInput, Vec<String>), TraceError> {
    let path = &replay.trace;
    let roles = roles(replay)?;
    let opened = Opened::of(path)?;
    let mut most = most_requests();
    let can_be_read_again = matches!(opened, Opened::Pieces(_)) && is_file(path);
    if can_be_read_again {
        most = most.min(IN_MEMORY);
    }
    let mut source = match opened {
        Opened::Whole(trace) if !replay.selects() => {
            return Ok((ReplayInput::whole(trace.prepared(replay)), Vec::new()));
        }
        opened => opened.source(),
    };
    let selection = Selection::new(replay, roles);
    let input = match fathom_capture::trace(source.as_mut(), most, selection.clone()) {
        Ok(trace) => ReplayInput::whole(trace.prepared(replay)),
        Err(CaptureError::TooLong { .. }) if can_be_read_again => {
            let input;
            (input, source) = long::input(replay, selection)?;
            input
        }
        Err(cause) => return Err(unusable(path, cause)),
    };
    has_processes(replay, source.tasks())?;
    if input.outline.requests() == 0 && replay.selects() {
        return Err(TraceError::Unselected {
            path: path.clone(),
            recorded: input.recorded,
        });
    }
    let remarks = source.remarks().into_iter();
    let remarks = remarks.map(|remark| format!("{path}: {remark}")).collect();
    Ok((input, remarks))
}

/// Whether a trace can be read again.
fn is_file(path: &str) -> bool {
    let found = Path::new(path).metadata();
    found.is_ok_and(|found| Node::of(&found).kind == NodeKind::File)
}

/// The filter of a replay of roles, which are learned from the trace.
fn roles(replay: &Replay) -> Result<Option<RoleFilter>, TraceError> {
    let path = &replay.trace;
    if replay.roles.is_empty() {
        return Ok(None);
    }
    if !is_file(path) {
        let cause = "its roles are learned before it is replayed, so that it has to be a file";
        return Err(TraceError::Read {
            path: path.clone(),
            cause: io::Error::new(io::ErrorKind::InvalidInput, cause),
        });
    }
    let mut census = Census::default();
    let source = each_chunk(path, |chunk, tasks| {
        census.add(chunk, tasks);
        Ok(())
    })?;
    let length_ns = source.tail().map_or(0, |tail: &Tail| tail.length_ns);
    let length_ns = length_ns.max(census.last_ns());
    let roles = Roles::of(census, length_ns, None);
    let mut survey = Survey::new(&roles);
    each_chunk(path, |chunk, _| {
        survey.add(&roles, chunk);
        Ok(())
    })?;
    let filter = RoleFilter::new(roles, survey, &replay.roles);
    filter.map(Some).map_err(|unknown| TraceError::NoRole {
        path: path.clone(),
        unknown,
    })
}

/// Reads a trace to its end.
fn each_chunk(
    path: &str,
    mut take: impl FnMut(&Chunk, &[Task]) -> Result<(), CaptureError>,
) -> Result<Box<dyn Source>, TraceError> {
    let mut source = Opened::of(path)?.source();
    let unusable = |cause| unusable(path, cause);
    while let Some(chunk) = source.next_chunk().map_err(unusable)? {
        take(&chunk, source.tasks()).map_err(unusable)?;
    }
    Ok(source)
}

/// Whether a trace has tasks of all names that are asked for.
fn has_processes(replay: &Replay, tasks: &[Task]) -> Result<(), TraceError> {
    let is_unknown = |name: &&String| tasks.iter().all(|task| task.program() != **name);
    let Some(name) = replay.processes.iter().find(is_unknown) else {
        return Ok(());
    };
    let mut known: Vec<String> = tasks.iter().map(|task| task.program().to_owned()).collect();
    known.sort_unstable();
    known.dedup();
    known.retain(|name| !name.is_empty());
    known.truncate(MOST_NAMES);
    Err(TraceError::NoProcess {
        path: replay.trace.clone(),
        name: name.clone(),
        known,
    })
}
