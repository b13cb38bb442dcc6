//! Reads the traces that jobs replay.

use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_core::spec::{Replay, Workload};
use fathom_core::trace::Trace;
use fathom_tools::fio::iolog;
use std::sync::Arc;

/// Reads every trace of a workload once for each way in which it is replayed, and fills in what
/// it says of its jobs.
pub(super) fn load(workload: &mut Workload) -> Result<Vec<(Replay, Arc<Trace>)>, Error> {
    let mut traces: Vec<(Replay, Arc<Trace>)> = Vec::new();
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
            let thing = format!("nothing is left of the trace {}", replay.trace);
            return Err(Problem::new(Exit::Usage, thing)
                .because("all its operations are left out")
                .remedy("less in `without`")
                .into());
        }
    }
    Ok(traces)
}

fn read(replay: &Replay) -> Result<Trace, Error> {
    let text = std::fs::read_to_string(&replay.trace).map_err(|error| {
        Problem::new(
            Exit::Usage,
            format!("cannot read the trace {}", replay.trace),
        )
        .because(system_words(&error))
        .remedy("the path of an I/O log of fio")
    })?;
    let trace = iolog::parse(&text, &replay.trace).map_err(Error::Text)?;
    Ok(trace.prepared(replay))
}
