//! A capture as the requests that a job makes again.

use crate::file::{CaptureError, Source};
use crate::selection::Selection;
use crate::targets::Targets;
use fathom_core::trace::Trace;

/// Reads the selected requests of a trace, `most` at most. Its targets are the devices, by their
/// numbers.
///
/// # Errors
///
/// [`CaptureError`]; a file that was cut has the requests up to its last whole block.
pub fn trace(
    source: &mut dyn Source,
    most: u64,
    mut selection: Selection,
) -> Result<Trace, CaptureError> {
    let (mut requests, mut targets) = (Vec::new(), Targets::default());
    while let Some(chunk) = source.next_chunk()? {
        selection.add(&chunk, source.tasks(), &mut |request| {
            if requests.len() as u64 == most {
                return Err(CaptureError::TooLong { most });
            }
            targets.note(&request);
            requests.push(request);
            Ok(())
        })?;
    }
    targets.close(selection.has_region());
    let requests: Vec<_> = requests
        .into_iter()
        .filter_map(|request| targets.place(request))
        .collect();
    Ok(Trace {
        files: targets.files(source),
        left_out: selection.recorded() - requests.len() as u64,
        requests,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{Device, Head, Reader, Tail, Writer};
    use crate::flags::Flags;
    use crate::request::{Early, Request, Task};
    use fathom_core::spec::Replay;
    use fathom_core::trace::TraceRequest;
    use fathom_core::{Bytes, Op};

    /// Requests of two tasks to two of three devices.
    fn capture() -> Vec<u8> {
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
        bytes
    }

    /// Instant, target, operation, offset and bytes.
    type Row = (u64, u16, Op, u64, u32);

    /// The targets, the requests, and how many are left out.
    type TraceContent = (Vec<String>, Vec<Row>, u64);

    /// What is replayed, `most` requests at most.
    fn read(replay: &Replay, most: u64) -> Result<TraceContent, CaptureError> {
        let bytes = capture();
        let mut reader = Reader::open(bytes.as_slice())?;
        let found = trace(&mut reader, most, Selection::new(replay, None))?;
        let row = |one: &TraceRequest| (one.at.0, one.target, one.op, one.offset, one.len);
        let rows = found.requests.iter().map(row).collect();
        Ok((found.files, rows, found.left_out))
    }

    #[test]
    fn requests_of_a_capture_are_made_again() {
        let all = Replay::all("");
        let refused = read(&all, 6).expect_err("too many").to_string();
        let expected = "it has more than 6 requests, and a replay has them all in memory";
        assert_eq!(refused, expected);
        let rows = vec![
            (0, 0, Op::Read, 4096, 4096),
            (200, 1, Op::Write, 32_768, 8192),
            (200, 1, Op::Flush, 0, 0),
            (300, 0, Op::Trim, 0, 1 << 30),
            (300, 0, Op::Trim, 1 << 30, 1 << 30),
            (300, 0, Op::Trim, 2 << 30, 1 << 30),
            (450, 1, Op::Write, 4096, 4096),
        ];
        // A device without requests is no target.
        let expected = (vec!["8:0".into(), "8:16".into()], rows, 0);
        assert_eq!(read(&all, 7).expect("a capture"), expected);
    }

    #[test]
    fn a_process_or_a_region_is_a_part_of_the_trace() {
        let named = Replay {
            processes: vec!["log".to_owned()],
            ..Replay::all("")
        };
        let rows = vec![(0, 0, Op::Write, 4096, 4096)];
        let expected = (vec!["8:16".into()], rows, 6);
        assert_eq!(read(&named, 1).expect("a capture"), expected);
        let region = Replay {
            region_start: Some(Bytes(8192)),
            region_end: Some(Bytes(32_769)),
            ..Replay::all("")
        };
        let rows = vec![(0, 0, Op::Write, 32_768, 8192), (0, 0, Op::Flush, 0, 0)];
        let expected = (vec!["8:16".into()], rows, 5);
        assert_eq!(read(&region, 9).expect("a capture"), expected);
    }
}
