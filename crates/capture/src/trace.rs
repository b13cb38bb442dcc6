//! A capture as the requests that a job makes again.

use crate::file::{CaptureError, Source};
use crate::selection::Selection;
use fathom_core::Op;
use fathom_core::trace::Trace;
use std::collections::BTreeSet;

/// Reads the selected requests of a trace, `most` at most. Its targets are the devices, by their
/// numbers.
///
/// # Errors
///
/// [`CaptureError`]; a file that was cut has the requests up to its last whole block.
pub fn trace(
    source: &mut dyn Source,
    most: u64,
    mut selection: Selection<'_>,
) -> Result<Trace, CaptureError> {
    let mut trace = Trace::default();
    while let Some(chunk) = source.next_chunk()? {
        selection.add(&chunk, source.tasks(), &mut |request| {
            if trace.requests.len() as u64 == most {
                return Err(CaptureError::TooLong { most });
            }
            trace.requests.push(request);
            Ok(())
        })?;
    }
    if selection.has_region() {
        leave_lone_flushes(&mut trace);
    }
    trace.left_out = selection.recorded() - trace.requests.len() as u64;
    name_files(&mut trace, source);
    Ok(trace)
}

/// Leaves out the flushes of devices that have no other request in the region.
fn leave_lone_flushes(trace: &mut Trace) {
    let others = trace.requests.iter().filter(|one| one.op != Op::Flush);
    let used: BTreeSet<u16> = others.map(|one| one.target).collect();
    trace.requests.retain(|one| used.contains(&one.target));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{Device, Head, Reader, Tail, Writer};
    use crate::flags::Flags;
    use crate::request::{Early, Request, Task};
    use fathom_core::Bytes;
    use fathom_core::spec::Replay;
    use fathom_core::trace::TraceRequest;

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
        let all = Replay::all("");
        let found = trace(&mut reader, 7, Selection::new(&all, None)).expect("a capture");
        let mut reader = Reader::open(bytes.as_slice()).expect("a capture");
        let refused = trace(&mut reader, 6, Selection::new(&all, None));
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
        let named = Replay {
            processes: vec!["log".to_owned()],
            ..Replay::all("")
        };
        let found = trace(&mut reader, 1, Selection::new(&named, None)).expect("a capture");
        let rows: Vec<_> = found.requests.iter().map(row).collect();
        let expected = vec![(0, 0, Op::Write, 4096, 4096)];
        let left_out = found.left_out;
        assert_eq!(
            (found.files, rows, left_out),
            (vec!["8:16".into()], expected, 6)
        );
        let region = Replay {
            region_start: Some(Bytes(8192)),
            region_end: Some(Bytes(32_769)),
            ..Replay::all("")
        };
        let mut reader = Reader::open(bytes.as_slice()).expect("a capture");
        let found = trace(&mut reader, 9, Selection::new(&region, None)).expect("a capture");
        let rows: Vec<_> = found.requests.iter().map(row).collect();
        let expected = vec![(0, 0, Op::Write, 32_768, 8192), (0, 0, Op::Flush, 0, 0)];
        let left_out = found.left_out;
        assert_eq!(
            (found.files, rows, left_out),
            (vec!["8:16".into()], expected, 5)
        );
    }
}
