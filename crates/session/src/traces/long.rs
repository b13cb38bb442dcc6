//! Traces that are too long for the memory: they are read while they are replayed.

use super::{Opened, TraceError, each_chunk, most_requests, unusable};
use fathom_capture::{CaptureError, Chunk, Selection, Source, Targets, Task};
use fathom_core::spec::Replay;
use fathom_core::trace::{Outline, Preparation, TraceRequest};
use fathom_load::replay::{Reading, Reopen, ReplayInput};
use std::io;

/// How the requests of a trace become those of a replay.
#[derive(Clone, Debug)]
struct LongTrace {
    path: String,
    /// At the first request.
    selection: Selection,
    preparation: Preparation,
    targets: Targets,
    is_packed: bool,
    /// Requests of a chunk at most.
    most: u64,
}

/// Reads a trace twice, in constant memory: what decides on offsets and targets, and then what all
/// prepared requests have in common. With it comes the trace at its end.
pub(super) fn input(
    replay: &Replay,
    selection: Selection,
) -> Result<(ReplayInput, Box<dyn Source>), TraceError> {
    let (path, most) = (&replay.trace, most_requests());
    let mut trace = LongTrace {
        path: path.clone(),
        selection,
        preparation: Preparation::of(replay),
        targets: Targets::default(),
        is_packed: replay.packed,
        most,
    };
    let mut selection = trace.selection.clone();
    let source = each_chunk(path, |chunk, tasks| {
        add(&mut selection, most, chunk, tasks, &mut |request| {
            trace.targets.note(&request);
            trace.preparation.note(request);
        })
    })?;
    trace.targets.close(selection.has_region());
    trace.preparation.close();
    let mut outline = Outline::default();
    let mut reading = trace.open().map_err(|cause| unreadable(path, cause))?;
    let mut requests = Vec::new();
    while reading(&mut requests).map_err(|cause| unreadable(path, cause))? {
        for request in requests.drain(..) {
            outline.add(&request);
        }
    }
    let mut files = trace.targets.files(source.as_ref());
    if replay.packed {
        files.truncate(1);
    }
    let recorded = selection.recorded();
    let input = ReplayInput::read_ahead(files, outline, recorded, Box::new(trace));
    Ok((input, source))
}

fn unreadable(path: &str, cause: String) -> TraceError {
    unusable(path, io::Error::other(cause).into())
}

/// Hands on the selected requests of a chunk, `most` at most.
fn add(
    selection: &mut Selection,
    most: u64,
    chunk: &Chunk,
    tasks: &[Task],
    each: &mut dyn FnMut(TraceRequest),
) -> Result<(), CaptureError> {
    let mut left = most;
    selection.add(chunk, tasks, &mut |request| {
        // A discard of absurd length becomes too many.
        left = left.checked_sub(1).ok_or(CaptureError::TooLong { most })?;
        each(request);
        Ok(())
    })
}

impl LongTrace {
    /// The request of the replay; none on a device that is no target.
    fn prepared(&self, request: TraceRequest) -> Option<TraceRequest> {
        let placed = self.targets.place(request)?;
        let prepared = self.preparation.apply(request);
        Some(TraceRequest {
            target: if self.is_packed { 0 } else { placed.target },
            ..prepared
        })
    }
}

impl Reopen for LongTrace {
    fn open(&self) -> Result<Reading, String> {
        let words = |error: TraceError| error.because().unwrap_or_else(|| error.to_string());
        let mut source = Opened::of(&self.path).map_err(words)?.source();
        let (trace, mut selection) = (self.clone(), self.selection.clone());
        Ok(Box::new(move |requests| {
            while requests.is_empty() {
                let chunk = source.next_chunk().map_err(|error| error.to_string())?;
                let Some(chunk) = chunk else {
                    return Ok(false);
                };
                let added = add(
                    &mut selection,
                    trace.most,
                    &chunk,
                    source.tasks(),
                    &mut |request| {
                        requests.extend(trace.prepared(request));
                    },
                );
                added.map_err(|error| error.to_string())?;
            }
            Ok(true)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_capture::file::{Device, Head, Tail};
    use fathom_capture::{Early, Flags, Request, Writer};
    use fathom_core::{Bytes, Percent};

    /// Requests to three of four devices, the last of which is only flushed.
    fn capture() -> Vec<u8> {
        let device = |number: u16| Device {
            number: format!("8:{number}"),
            ..Device::default()
        };
        let head = Head {
            devices: (0..4).map(device).collect(),
            ..Head::default()
        };
        let mut bytes = Vec::new();
        let mut writer = Writer::begin(&mut bytes, &head).expect("memory");
        writer.add_task(Task::default());
        for number in 0..2_000_u64 {
            let (device, flags, length) = match number % 7 {
                0 => (3, Flags::FLUSH, 0),
                1 | 2 => (2, Flags::WRITE, 3 << 20),
                3 => (0, Flags::DISCARD, 5 << 29),
                _ => (0, Flags::READ, 8192),
            };
            let offset = number * 7919 % 4096 * 16_384;
            let request = Request {
                at_ns: number * 1_000 + number % 3 * 1_500,
                service_ns: None,
                device,
                offset: if length == 0 { 0 } else { offset },
                bytes: length,
                flags,
                task: 0,
                early: Early::default(),
            };
            writer.add(request).expect("memory");
            if number % 500 == 499 {
                writer.flush().expect("memory");
            }
        }
        writer.end(&Tail::default()).expect("memory");
        bytes
    }

    #[test]
    fn a_long_trace_has_the_requests_that_it_would_have_in_memory() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t").display().to_string();
        std::fs::write(&path, capture()).expect("a file");
        let plain = Replay {
            speed: Some(Percent(50.0)),
            ..Replay::all(&path)
        };
        let packed = Replay {
            packed: true,
            shrink: 3,
            ..plain.clone()
        };
        let region = Replay {
            region_end: Some(Bytes(20 << 20)),
            ..packed.clone()
        };
        let of_region = Replay {
            packed: false,
            ..region.clone()
        };
        for replay in [plain, packed, region, of_region] {
            let selection = || Selection::new(&replay, None);
            let mut source = Opened::of(&path).expect("a trace").source();
            let trace = fathom_capture::trace(source.as_mut(), u64::MAX, selection());
            let trace = trace.expect("a capture").prepared(&replay);
            let (long, _) = input(&replay, selection()).expect("a capture");
            let known = |input: &ReplayInput| {
                let outline = &input.outline;
                let numbers = (outline.requests(), outline.end_bytes(), input.recorded);
                (input.files.clone(), numbers, outline.kinds())
            };
            assert_eq!(known(&long), known(&ReplayInput::whole(trace.clone())));
            let mut reading = long.reopen().expect("a trace").expect("it is read again");
            let (mut all, mut list) = (Vec::new(), Vec::new());
            while reading(&mut list).expect("a capture") {
                all.append(&mut list);
            }
            assert_eq!(all, trace.requests);
        }
    }
}
