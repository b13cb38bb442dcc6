//! A capture as the requests that a job makes again.

use crate::file::{CaptureError, Source};
use crate::flags::Flags;
use crate::request::{Request, Task};
use fathom_core::trace::{Trace, TraceRequest};
use fathom_core::{Nanos, Op};
use std::collections::BTreeSet;

/// The longest request that a job makes; a longer discard becomes several.
const MOST_BYTES: u64 = 1 << 30;

/// Reads the requests of a trace, `most` at most, all or those of named processes. Its targets are
/// the devices, by their numbers.
///
/// # Errors
///
/// [`CaptureError`]; a file that was cut has the requests up to its last whole block.
pub fn trace(
    source: &mut dyn Source,
    most: u64,
    processes: &[String],
) -> Result<Trace, CaptureError> {
    let mut trace = Trace::default();
    let (mut first_ns, mut now) = (None, Nanos::ZERO);
    while let Some(chunk) = source.next_chunk()? {
        let is_wanted = |request: &&Request| {
            let task = || source.tasks().get(request.task as usize);
            let is_named = |task: &Task| processes.iter().any(|name| name == task.program());
            processes.is_empty() || task().is_some_and(is_named)
        };
        for request in chunk.iter().filter(is_wanted) {
            let Some(op) = request.flags.op() else {
                continue;
            };
            let from = *first_ns.get_or_insert(request.at_ns);
            // Those of several processors may be a little out of order.
            now = now.max(Nanos(request.at_ns.saturating_sub(from)));
            let pieces = request.bytes.div_ceil(MOST_BYTES).max(1);
            if trace.requests.len() as u64 + pieces > most {
                return Err(CaptureError::TooLong { most });
            }
            add(&mut trace.requests, request, op, now);
        }
    }
    name_files(&mut trace, source);
    Ok(trace)
}

/// Those devices that have requests, in their order.
fn name_files(trace: &mut Trace, source: &dyn Source) {
    let devices = &source.head().devices;
    let used: BTreeSet<u16> = trace.requests.iter().map(|one| one.target).collect();
    let number = |device: u16| used.range(..device).count() as u16;
    let numbers: Vec<u16> = (0..devices.len() as u16).map(number).collect();
    for request in &mut trace.requests {
        request.target = numbers
            .get(usize::from(request.target))
            .copied()
            .unwrap_or(0);
    }
    let used = used
        .iter()
        .filter_map(|device| devices.get(usize::from(*device)));
    trace.files = used.map(|device| device.number.clone()).collect();
}

fn add(requests: &mut Vec<TraceRequest>, request: &Request, op: Op, at: Nanos) {
    let mut offset = if op == Op::Flush { 0 } else { request.offset };
    let mut left = request.bytes;
    loop {
        let len = left.min(MOST_BYTES);
        requests.push(TraceRequest {
            at,
            offset,
            len: len as u32,
            target: request.device,
            op,
            data_only: request.flags.has(Flags::DATA_ONLY),
        });
        left -= len;
        offset = offset.saturating_add(len);
        if left == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{Device, Head, Reader, Tail, Writer};
    use crate::request::Early;

    #[test]
    fn requests_of_a_capture_are_made_again() {
        let device = |number: &str| Device {
            number: number.into(),
            ..Device::default()
        };
        let head = Head {
            devices: vec![device("8:0"), device("8:8"), device("8:16")],
            ..Head::default()
        };
        let mut bytes = Vec::new();
        let mut writer = Writer::begin(&mut bytes, &head).expect("memory");
        writer.add_task(Task::default());
        writer.add_task(Task {
            name: "log".into(),
            ..Task::default()
        });
        let request = |at_ns, device, sector: u64, sectors: u64, flags| Request {
            at_ns,
            service_ns: None,
            device,
            offset: sector * 512,
            bytes: sectors * 512,
            flags,
            task: 0,
            early: Early::default(),
        };
        let requests = [
            request(500, 0, 8, 8, Flags::READ | Flags::AHEAD),
            request(700, 2, 64, 16, Flags::WRITE),
            request(600, 2, 77, 0, Flags::FLUSH),
            request(800, 0, 0, 3 << 21, Flags::DISCARD),
            request(900, 0, 0, 8, Flags(0)),
            Request {
                task: 1,
                ..request(950, 2, 8, 8, Flags::WRITE)
            },
        ];
        for request in requests {
            writer.add(request).expect("memory");
        }
        writer.end(&Tail::default()).expect("memory");
        let mut reader = Reader::open(bytes.as_slice()).expect("a capture");
        let found = trace(&mut reader, 7, &[]).expect("a capture");
        let mut reader = Reader::open(bytes.as_slice()).expect("a capture");
        let refused = trace(&mut reader, 6, &[]);
        let refused = refused.expect_err("too many").to_string();
        let expected = "it has more than 6 requests, and a replay has them all in memory";
        assert_eq!(refused, expected);
        let row = |one: &TraceRequest| (one.at.0, one.target, one.op, one.offset, one.len);
        let rows: Vec<_> = found.requests.iter().map(row).collect();
        let expected = [
            (0, 0, Op::Read, 4096, 4096),
            (200, 1, Op::Write, 32_768, 8192),
            (200, 1, Op::Flush, 0, 0),
            (300, 0, Op::Trim, 0, 1 << 30),
            (300, 0, Op::Trim, 1 << 30, 1 << 30),
            (300, 0, Op::Trim, 2 << 30, 1 << 30),
            (450, 1, Op::Write, 4096, 4096),
        ];
        // A device without requests is no target.
        assert_eq!(
            (found.files, rows),
            (vec!["8:0".into(), "8:16".into()], expected.to_vec())
        );
        let mut reader = Reader::open(bytes.as_slice()).expect("a capture");
        let found = trace(&mut reader, 1, &["log".to_owned()]).expect("a capture");
        let rows: Vec<_> = found.requests.iter().map(row).collect();
        let expected = vec![(0, 0, Op::Write, 4096, 4096)];
        assert_eq!((found.files, rows), (vec!["8:16".into()], expected));
    }
}
