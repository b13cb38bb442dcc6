//! Reads the traces that jobs replay.

use fathom_core::spec::{Replay, Workload};
use fathom_core::trace::Trace;
use fathom_tools::Diagnostic;
use fathom_tools::fio::iolog;
use std::io;
use std::sync::Arc;

/// The traces that jobs replay, prepared, by what the jobs say of them.
pub(crate) type Traces = Vec<(Replay, Arc<Trace>)>;

/// Why a trace cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be read.
    #[error("cannot read the trace {path}")]
    Read {
        path: String,
        /// What the system said.
        cause: io::Error,
    },
    /// It is no trace.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Text(Vec<Diagnostic>),
    /// All its operations are left out.
    #[error("nothing is left of the trace {path}")]
    Empty { path: String },
}

impl TraceError {
    /// What lies behind it, when the message does not say.
    pub fn because(&self) -> Option<String> {
        match self {
            Self::Read { cause, .. } => Some(cause.to_string()),
            Self::Empty { .. } => Some("all its operations are left out".to_owned()),
            Self::Text(_) => None,
        }
    }

    /// What to try.
    pub const fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::Read { .. } => Some("the path of an I/O log of fio, or of a trace of blktrace"),
            Self::Empty { .. } => Some("less in `without`"),
            Self::Text(_) => None,
        }
    }
}

/// Reads every trace of a workload once for each way in which it is replayed, and fills in what
/// it says of its jobs.
pub(crate) fn load(workload: &mut Workload) -> Result<Traces, TraceError> {
    let mut traces: Traces = Vec::new();
    for job in workload.phases.iter_mut().flat_map(|phase| &mut phase.jobs) {
        let Some(replay) = &job.replay else { continue };
        let known = traces.iter().find(|(other, _)| other == replay);
        let trace = if let Some((_, trace)) = known {
            Arc::clone(trace)
        } else {
            let trace = Arc::new(read(replay)?);
            traces.push((replay.clone(), Arc::clone(&trace)));
            trace
        };
        job.kinds = trace.kinds();
        if job.kinds.is_empty() {
            return Err(TraceError::Empty {
                path: replay.trace.clone(),
            });
        }
    }
    Ok(traces)
}

fn read(replay: &Replay) -> Result<Trace, TraceError> {
    let path = &replay.trace;
    let bytes = std::fs::read(path).map_err(|cause| TraceError::Read {
        path: path.clone(),
        cause,
    })?;
    let trace = iolog::read(&bytes, path).map_err(TraceError::Text)?;
    Ok(trace.prepared(replay))
}
