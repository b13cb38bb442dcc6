//! Recorded requests, made again.

use crate::scenario::{Scenario, job};
use fathom_core::result::{EndReason, LoadModel, PhaseResult};
use fathom_core::spec::Replay;
use fathom_core::trace::{Outline, Trace, TraceRequest};
use fathom_core::{Nanos, Op, Percent};
use fathom_load::replay::{Reading, Reopen, ReplayInput};
use std::sync::Arc;

/// Ten reads, one each 10 ms, of 512 bytes more each; then a write and a flush.
fn trace() -> Trace {
    let request = |index: u64| {
        let (at, len) = (Nanos::from_millis(index * 10), 512 * (index as u32 + 1));
        TraceRequest::new(at, Op::Read, index << 20, len)
    };
    let write = TraceRequest {
        op: Op::Write,
        ..request(10)
    };
    let flush = TraceRequest {
        op: Op::Flush,
        len: 0,
        ..request(10)
    };
    Trace {
        files: vec!["sim".to_owned()],
        requests: (0..10).map(request).chain([write, flush]).collect(),
        left_out: 3,
    }
}

fn scenario(speed: Option<f64>, service: Nanos) -> Scenario {
    let replay = Replay {
        speed: speed.map(Percent),
        ..Replay::all("trace")
    };
    let input = ReplayInput::whole(trace().prepared(&replay));
    let mut job = job("again");
    job.kinds = input.outline.kinds();
    job.replay = Some(replay.clone());
    let mut scenario = Scenario::new(job, service);
    scenario.phase().duration = None;
    scenario.traces = vec![(replay, Arc::new(input))];
    scenario
}

/// Requests of two threads: a reader that waits for each of its requests, and a writer with two
/// outstanding. The writer's take 4 ms of recorded time, the reader's 1 ms.
fn of_two_threads() -> Trace {
    let request = |at_ms: u64, op, service_ms, task| TraceRequest {
        service: Some(Nanos::from_millis(service_ms)),
        task,
        ..TraceRequest::new(Nanos::from_millis(at_ms), op, at_ms << 20, 4096)
    };
    let read = |at_ms| request(at_ms, Op::Read, 1, 0);
    let write = |at_ms| request(at_ms, Op::Write, 4, 1);
    Trace {
        files: vec!["sim".to_owned()],
        requests: vec![
            write(0),
            write(0),
            read(1),
            read(2),
            write(4),
            write(4),
            read(5),
            read(7),
        ],
        left_out: 0,
    }
}

/// A replay of two threads' requests with 8 outstanding at most, in memory or read ahead.
fn of_two(unordered: bool, threads: u32, service: Nanos, is_ahead: bool) -> PhaseResult {
    let replay = Replay {
        unordered,
        ..Replay::all("trace")
    };
    let trace = of_two_threads().prepared(&replay);
    let input = if is_ahead {
        let (outline, recorded) = (Outline::of(&trace.requests), trace.recorded());
        let again = Box::new(Again(trace.requests, 8));
        ReplayInput::read_ahead(trace.files, outline, recorded, again)
    } else {
        ReplayInput::whole(trace)
    };
    let mut job = job("again");
    (job.threads, job.queue_depth) = (threads, 8);
    job.kinds = input.outline.kinds();
    job.replay = Some(replay.clone());
    let mut scenario = Scenario::new(job, service);
    scenario.volume.servers = 8;
    scenario.phase().duration = None;
    scenario.traces = vec![(replay, Arc::new(input))];
    scenario.run()
}

/// How long it takes, in microseconds, and whether it kept its order.
fn micros_of_two(unordered: bool, threads: u32, service: Nanos) -> (u64, Option<bool>) {
    let result = of_two(unordered, threads, service, false);
    assert_eq!(result, of_two(unordered, threads, service, true));
    let reads = figures(&result);
    assert_eq!((reads.0, reads.2), (4, 4));
    let order = result.jobs[0].replay.as_ref().and_then(|one| one.order);
    (reads.4, order)
}

#[test]
fn without_instants_a_request_waits_for_those_that_had_completed() {
    let service = Nanos::from_millis(1);
    // Both writes and the first read; the second read; two writes and a read; and the last read.
    assert_eq!(micros_of_two(false, 1, service), (4_000, Some(true)));
    assert_eq!(micros_of_two(true, 1, service), (1_000, None));
    // Each thread waits for its own: four reads, one after another.
    assert_eq!(micros_of_two(false, 2, service), (4_000, Some(true)));
    assert_eq!(micros_of_two(true, 2, service), (1_000, None));
}

/// Reads, their bytes, writes, flushes, and the time taken in microseconds.
fn figures(result: &PhaseResult) -> (u64, u64, u64, u64, u64) {
    let job = &result.jobs[0];
    let ios = |op| job.ops.get(op).map_or(0, |op| op.ios);
    let bytes = job.ops.get(Op::Read).map_or(0, |read| read.bytes);
    let micros = result.measured_ns / 1_000;
    (ios(Op::Read), bytes, ios(Op::Write), ios(Op::Flush), micros)
}

#[test]
fn requests_keep_their_instants() {
    let result = scenario(Some(100.0), Nanos::from_millis(1)).run();
    // The last two are due at 100 ms, at depth 1.
    assert_eq!(figures(&result), (10, 512 * 55, 1, 1, 102_000));
    let ends = (result.ended_by, result.jobs[0].load_model);
    assert_eq!(ends, (EndReason::Amount, LoadModel::Open));
    let twice = scenario(Some(200.0), Nanos::from_millis(1)).run();
    assert_eq!(figures(&twice), (10, 512 * 55, 1, 1, 52_000));
}

#[test]
fn without_instants_they_follow_each_other() {
    let result = scenario(None, Nanos::from_millis(1)).run();
    assert_eq!(figures(&result), (10, 512 * 55, 1, 1, 12_000));
    assert_eq!(result.jobs[0].load_model, LoadModel::Closed);
}

#[test]
fn a_device_that_is_too_slow_shows_in_the_response_time() {
    let result = scenario(Some(100.0), Nanos::from_millis(15)).run();
    let read = result.jobs[0].ops.get(Op::Read).expect("the job reads");
    // The tenth read is due at 90 ms, and issued when nine have taken 15 ms each.
    assert_eq!(
        (read.service_ns.max, read.response_ns.max),
        (15_000_000, 60_000_000)
    );
    assert_eq!(result.jobs[0].max_lag_ns, Some(65_000_000));
    // All but the first waited until the one before had completed.
    assert_eq!(lag(&result), Some((12, 65_000_000, 11, 11)));
}

/// Requests, the longest lag, late requests, and those of them that waited for the storage.
fn lag(result: &PhaseResult) -> Option<(u64, u64, u64, u64)> {
    let lag = result.jobs[0].replay_lag()?;
    Some((
        lag.time_ns.count,
        lag.time_ns.max,
        lag.late,
        lag.late_queued,
    ))
}

#[test]
fn a_thread_that_wakes_late_is_no_delay_of_the_storage() {
    let mut scenario = scenario(Some(100.0), Nanos::from_millis(1));
    scenario.wake_ups = vec![Nanos::from_millis(4)];
    let result = scenario.run();
    // Each but the first is 3.9 ms late, with what a thread spins; the flush waits for the write.
    assert_eq!(lag(&result), Some((12, 4_900_000, 11, 1)));
    assert_eq!(scenario.run(), result);
}

#[test]
fn a_replay_states_what_it_was_of_and_its_lag_if_it_is_timed() {
    let of = |speed| {
        let result = scenario(speed, Nanos::from_millis(1)).run();
        let replay = result.jobs[0].replay.as_deref().cloned();
        replay.map(|one| (one.recorded, one.selected, one.lag.is_some()))
    };
    assert_eq!(of(Some(100.0)), Some((15, 12, true)));
    assert_eq!(of(None), Some((15, 12, false)));
}

/// Requests that are read ahead, three at a time; with an end of this number of them.
#[derive(Debug)]
struct Again(Vec<TraceRequest>, usize);

impl Reopen for Again {
    fn open(&self) -> Result<Reading, String> {
        let mut rest = self.0[..self.1].to_vec();
        Ok(Box::new(move |list| {
            list.extend(rest.drain(..rest.len().min(3)));
            Ok(!list.is_empty())
        }))
    }
}

/// The scenario with its requests read ahead, as many as are given, and what they were read from.
fn ahead(speed: Option<f64>, requests: usize) -> (PhaseResult, Arc<ReplayInput>) {
    let mut scenario = scenario(speed, Nanos::from_millis(15));
    let replay = scenario.traces[0].0.clone();
    let trace = trace().prepared(&replay);
    let (outline, recorded) = (Outline::of(&trace.requests), trace.recorded());
    let again = Box::new(Again(trace.requests, requests));
    let input = Arc::new(ReplayInput::read_ahead(
        trace.files,
        outline,
        recorded,
        again,
    ));
    scenario.traces = vec![(replay, Arc::clone(&input))];
    (scenario.run(), input)
}

#[test]
fn requests_that_are_read_ahead_are_those_in_memory() {
    for speed in [Some(100.0), Some(300.0), None] {
        let (result, input) = ahead(speed, 12);
        assert_eq!(result, scenario(speed, Nanos::from_millis(15)).run());
        assert_eq!(input.failure(), None);
    }
}

#[test]
fn lists_that_are_handed_on_come_back_to_be_filled() {
    let mut trace = trace();
    trace.requests = trace.requests.repeat(2_000);
    let replay = Replay::all("trace");
    let run = |is_ahead: bool| {
        let trace = trace.clone().prepared(&replay);
        let input = if is_ahead {
            let (outline, recorded) = (Outline::of(&trace.requests), trace.recorded());
            let count = trace.requests.len();
            let again = Box::new(Again(trace.requests, count));
            ReplayInput::read_ahead(trace.files, outline, recorded, again)
        } else {
            ReplayInput::whole(trace)
        };
        let mut scenario = scenario(None, Nanos::from_micros(10));
        scenario.traces = vec![(replay.clone(), Arc::new(input))];
        scenario.run()
    };
    let result = run(true);
    assert_eq!(figures(&result).0, 20_000);
    assert_eq!(result, run(false));
}

#[test]
fn a_trace_that_became_shorter_is_a_failure() {
    let (result, input) = ahead(None, 7);
    let read = result.jobs[0].ops.get(Op::Read).map(|read| read.ios);
    let expected = "it has changed since it was read first";
    assert_eq!((read, input.failure()), (Some(7), Some(expected)));
}
