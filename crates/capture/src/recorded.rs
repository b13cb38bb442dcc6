//! A trace that was read as a whole, as a source.

use crate::file::{CaptureError, Chunk, Device, Head, MOST_REQUESTS, Source, Tail};
use crate::flags::Flags;
use crate::request::{Early, Request, Task};
use fathom_core::Op;
use fathom_core::trace::{Trace, TraceRequest};
use std::vec::IntoIter;

/// The requests of a trace that is in memory. It has no service times and no processes.
#[derive(Debug)]
pub struct Recorded {
    head: Head,
    tasks: [Task; 1],
    requests: IntoIter<TraceRequest>,
    tail: Tail,
}

impl Recorded {
    /// `title` is what a trace of its format is called.
    pub fn new(trace: Trace, title: &str) -> Self {
        let device = |name: String| Device {
            number: name.clone(),
            name,
            size_bytes: 0,
        };
        let tail = Tail {
            length_ns: trace.requests.last().map_or(0, |last| last.at.0),
            requests: trace.requests.len() as u64,
            ..Tail::default()
        };
        Self {
            head: Head {
                made_by: title.to_owned(),
                devices: trace.files.into_iter().map(device).collect(),
                ..Head::default()
            },
            tasks: [Task::default()],
            requests: trace.requests.into_iter(),
            tail,
        }
    }
}

impl Source for Recorded {
    fn head(&self) -> &Head {
        &self.head
    }

    fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    fn tail(&self) -> Option<&Tail> {
        Some(&self.tail)
    }

    fn next_chunk(&mut self) -> Result<Option<Chunk>, CaptureError> {
        let chunk: Chunk = self
            .requests
            .by_ref()
            .take(MOST_REQUESTS)
            .map(request)
            .collect();
        Ok((!chunk.is_empty()).then_some(chunk))
    }
}

fn request(one: TraceRequest) -> Request {
    let op = match one.op {
        Op::Flush if one.data_only => Flags::FLUSH | Flags::DATA_ONLY,
        op => Flags::of_op(op),
    };
    Request {
        at_ns: one.at.0,
        service_ns: None,
        device: one.target,
        offset: one.offset,
        bytes: one.len.into(),
        flags: op,
        task: 0,
        early: Early::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Selection;
    use fathom_core::Nanos;
    use fathom_core::spec::Replay;

    #[test]
    fn a_trace_stays_the_same() {
        let request = |at, offset, len, op, data_only| TraceRequest {
            target: u16::from(op == Op::Trim),
            data_only,
            ..TraceRequest::new(Nanos(at), op, offset, len)
        };
        let trace = Trace {
            files: vec!["a".into(), "b".into()],
            requests: vec![
                request(0, 1, 100, Op::Read, false),
                request(5, 4096, 513, Op::Write, false),
                request(9, 0, 0, Op::Flush, true),
                request(9, 0, 0, Op::Flush, false),
                request(12, 7, 1 << 30, Op::Trim, false),
            ],
            left_out: 0,
        };
        let all = Replay::all("");
        let mut source = Recorded::new(trace.clone(), "log");
        let again =
            crate::trace(&mut source, u64::MAX, Selection::new(&all, None)).expect("memory");
        let tail = source.tail().map(|tail| (tail.length_ns, tail.requests));
        assert_eq!((again, tail), (trace, Some((12, 5))));
    }
}
