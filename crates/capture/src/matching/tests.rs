use super::*;
use crate::request::Early;
use EventKind::{Asked, Completed, Inserted, Issued, Queued, Requeued};

const DEVICE: u32 = 254 << 20;

fn event(at_ns: u64, kind: EventKind, letters: &str, sector: u64, sectors: u32) -> Event {
    Event {
        at_ns: at_ns + 1000,
        kind,
        device: DEVICE,
        sector,
        from: None,
        sectors,
        flags: Flags::of_letters(letters.as_bytes()),
        task: 7,
        comm: *b"writer\0\0\0\0\0\0\0\0\0\0",
    }
}

fn request(at_ns: u64, service_ns: impl Into<Option<u64>>, letters: &str) -> Request {
    Request {
        at_ns,
        service_ns: service_ns.into(),
        device: 0,
        offset: 0,
        bytes: 0,
        flags: Flags::of_letters(letters.as_bytes()),
        task: 0,
        early: Early::default(),
    }
}

fn at(request: Request, sector: u64, sectors: u32) -> Request {
    Request {
        offset: sector * SECTOR_BYTES,
        bytes: u64::from(sectors) * SECTOR_BYTES,
        ..request
    }
}

fn matched(events: &[Event]) -> (Vec<Request>, Matched) {
    let mut matcher = Matcher::new(1000, &[DEVICE]);
    let mut found = Vec::new();
    for event in events {
        matcher.add(event);
        matcher.take(&mut |request| found.push(request));
    }
    let counts = matcher.finish(&mut |request| found.push(request));
    (found, counts)
}

fn counts(requests: u64, without_completion: u64, without_issue: u64) -> Matched {
    Matched {
        requests,
        without_completion,
        without_issue,
        ..Matched::default()
    }
}

#[test]
fn requests_come_in_the_order_of_issue() {
    let found = matched(&[
        event(0, Completed, "R", 9, 8),
        event(1, Issued, "R", 64, 8),
        event(2, Issued, "WS", 64, 16),
        event(3, Completed, "WS", 64, 16),
        event(5, Completed, "R", 64, 8),
        event(6, Issued, "R", 8, 8),
    ]);
    let expected = vec![
        at(request(1, 4, "R"), 64, 8),
        at(request(2, 1, "WS"), 64, 16),
        at(request(6, None, "R"), 8, 8),
    ];
    assert_eq!(found, (expected, counts(3, 1, 1)));
}

#[test]
fn a_request_without_completion_keeps_the_others_for_a_minute_only() {
    let mut matcher = Matcher::new(1000, &[DEVICE]);
    let mut found = Vec::new();
    let lost = [
        event(1, Issued, "R", 64, 8),
        event(2, Issued, "R", 8, 8),
        event(3, Completed, "R", 8, 8),
        event(1 + MOST_AGE_NS, Issued, "R", 16, 8),
    ];
    for event in &lost {
        matcher.add(event);
    }
    matcher.take(&mut |request| found.push(request));
    assert_eq!(found, []);
    matcher.add(&event(2 + MOST_AGE_NS, Completed, "R", 16, 8));
    matcher.take(&mut |request| found.push(request));
    let expected = [
        at(request(1, None, "R"), 64, 8),
        at(request(2, 1, "R"), 8, 8),
        at(request(1 + MOST_AGE_NS, 1, "R"), 16, 8),
    ];
    assert_eq!(found, expected);
}

#[test]
fn flushes_are_matched_by_their_order() {
    let found = matched(&[
        event(1, Issued, "F", 0, 0),
        event(2, Completed, "F", u64::MAX, 0),
        event(3, Completed, "WS", 0, 0),
        event(4, Issued, "FF", 77, 0),
        event(5, Issued, "F", 0, 0),
        event(7, Completed, "F", u64::MAX, 0),
        event(9, Completed, "F", u64::MAX, 0),
    ]);
    let expected = vec![request(1, 1, "F"), request(4, 3, "F"), request(5, 4, "F")];
    assert_eq!(found, (expected, counts(3, 0, 0)));
}

#[test]
fn equal_requests_complete_in_their_order() {
    let found = matched(&[
        event(1, Issued, "R", 8, 8),
        event(2, Issued, "R", 8, 8),
        event(3, Issued, "R", 8, 8),
        event(5, Completed, "R", 8, 8),
        event(6, Completed, "R", 8, 8),
        event(9, Completed, "R", 8, 8),
    ]);
    let expected = [(1, 4), (2, 4), (3, 6)];
    let expected = expected.map(|(from, service)| at(request(from, service, "R"), 8, 8));
    assert_eq!(found, (expected.to_vec(), counts(3, 0, 0)));
}

#[test]
fn parts_and_requeued_requests_are_one_request() {
    let found = matched(&[
        event(1, Issued, "W", 8, 24),
        event(2, Completed, "W", 8, 8),
        event(3, Requeued, "W", 16, 16),
        event(4, Issued, "W", 16, 16),
        event(6, Completed, "W", 16, 16),
    ]);
    let mut expected = at(request(1, 5, "W"), 8, 24);
    expected.flags |= Flags::REQUEUED;
    assert_eq!(found, (vec![expected], counts(1, 0, 0)));
}

#[test]
fn who_asked_counts_and_not_who_issued() {
    let mut issued = event(2, Issued, "W", 8, 8);
    issued.task = 33;
    issued.comm = *b"kworker/0:1\0\0\0\0\0";
    let mut matcher = Matcher::new(1000, &[DEVICE]);
    matcher.add(&event(1, Asked, "W", 8, 8));
    matcher.add(&issued);
    // A request that nobody was seen to ask for.
    issued.sector = 99;
    matcher.add(&issued);
    let tasks = matcher.new_tasks();
    let mut found = Vec::new();
    matcher.finish(&mut |request| found.push(request.task));
    let names = [b"writer\0\0\0\0\0\0\0\0\0\0", b"kworker/0:1\0\0\0\0\0"];
    assert_eq!(tasks, [(7, *names[0]), (33, *names[1])]);
    assert_eq!(found, [0, 1]);
}

/// Task and early instants of all requests of some events, of which two tasks are one each.
fn early(events: &[(i32, Event)]) -> Vec<(u32, [Option<u64>; 3])> {
    let mut matcher = Matcher::new(1000, &[DEVICE]);
    for (task, event) in events {
        matcher.add(&Event {
            task: *task,
            ..*event
        });
    }
    let mut found = Vec::new();
    matcher.finish(&mut |request| {
        let early = request.early;
        let instants = [early.queued_ns, early.asked_ns, early.inserted_ns];
        found.push((request.task, instants));
    });
    found
}

#[test]
fn instants_before_the_issue_are_those_of_its_bio() {
    let found = early(&[
        (1, event(1, Queued, "R", 8, 8)),
        (1, event(3, Asked, "R", 8, 8)),
        (1, event(4, Inserted, "R", 8, 8)),
        // Another one for the same sector.
        (2, event(5, Queued, "R", 8, 8)),
        (9, event(7, Issued, "R", 8, 8)),
        (2, event(8, Asked, "R", 8, 8)),
        (9, event(10, Issued, "R", 8, 8)),
        (9, event(11, Issued, "R", 64, 8)),
    ]);
    let expected = [
        (0, [Some(6), Some(4), Some(3)]),
        (1, [Some(5), Some(2), None]),
        (2, [None; 3]),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_bio_that_was_refused_counts_from_its_last_try() {
    let found = early(&[
        // Without a free tag io_uring gets it back, and a worker tries again.
        (1, event(1, Queued, "R", 8, 8)),
        (2, event(4, Queued, "R", 8, 8)),
        (2, event(6, Asked, "R", 8, 8)),
        (9, event(7, Issued, "R", 8, 8)),
        (9, event(8, Completed, "R", 8, 8)),
        (1, event(50, Queued, "R", 8, 8)),
        (1, event(51, Asked, "R", 8, 8)),
        (9, event(52, Issued, "R", 8, 8)),
    ]);
    let expected = [(1, [Some(3), Some(1), None]), (0, [Some(2), Some(1), None])];
    assert_eq!(found, expected);
}

#[test]
fn parts_of_a_long_bio_were_queued_with_it() {
    let found = early(&[
        (1, event(1, Queued, "W", 0, 48)),
        (1, event(2, Asked, "W", 0, 16)),
        (1, event(3, Asked, "W", 16, 16)),
        // The scheduler turns them round; the last part got no tag of its own.
        (9, event(6, Issued, "W", 16, 32)),
        (9, event(7, Issued, "W", 0, 16)),
    ]);
    let expected = [(0, [Some(5), Some(3), None]), (0, [Some(6), Some(5), None])];
    assert_eq!(found, expected);
}

#[test]
fn merged_bios_count_from_the_first() {
    let found = early(&[
        (1, event(1, Queued, "W", 8, 8)),
        (1, event(2, Asked, "W", 8, 8)),
        (2, event(3, Queued, "W", 16, 8)),
        (2, event(4, Queued, "W", 0, 8)),
        (9, event(6, Issued, "W", 0, 24)),
    ]);
    assert_eq!(found, [(0, [Some(5), Some(4), None])]);
}

#[test]
fn a_flush_serves_all_who_asked_for_one() {
    let found = early(&[
        (1, event(1, Queued, "FWS", 0, 0)),
        (2, event(2, Queued, "FWFS", 8, 8)),
        (9, event(4, Issued, "F", 0, 0)),
        (9, event(6, Completed, "F", u64::MAX, 0)),
        (9, event(7, Issued, "WFS", 8, 8)),
    ]);
    let expected = [(0, [Some(3), None, None]), (1, [Some(5), None, None])];
    assert_eq!(found, expected);
}

#[test]
fn lost_completions_do_not_take_all_memory() {
    let mut matcher = Matcher::new(1000, &[DEVICE]);
    let mut found = 0;
    let most = MOST_PENDING as u64;
    for sector in 0..most + 100 {
        // Each of two sectors has many that are equal.
        matcher.add(&event(1, Issued, "R", sector % 2, 1));
        matcher.take(&mut |_| found += 1);
    }
    assert_eq!((found, matcher.pending.len() as u64), (100, most));
    matcher.add(&event(2, Completed, "R", 0, 1));
    let mut first = None;
    let counts = matcher.finish(&mut |request| {
        first.get_or_insert(request.service_ns);
    });
    let expected = (most + 100, most + 99, 0, Some(Some(1)));
    let found = (counts.requests, counts.without_completion);
    assert_eq!((found.0, found.1, counts.without_issue, first), expected);
}

#[test]
fn other_devices_and_commands_are_counted() {
    let mut other = event(1, Issued, "R", 0, 8);
    other.device = 8 << 20;
    let found = matched(&[other, event(2, Issued, "N", 0, 0)]);
    let expected = Matched {
        other_events: 2,
        ..Matched::default()
    };
    assert_eq!(found, (Vec::new(), expected));
}

#[test]
fn a_completion_belongs_to_the_request_of_its_length() {
    // That of the first one is missing.
    let events = [
        event(0, Issued, "WS", 640, 96),
        event(3_000_000, Issued, "WS", 640, 32),
        event(3_200_000, Completed, "WS", 640, 32),
        event(8_000_000, Issued, "WS", 640, 48),
        event(8_300_000, Completed, "WS", 640, 48),
    ];
    let (found, counted) = matched(&events);
    let expected = [
        at(request(0, None, "WS"), 640, 96),
        at(request(3_000_000, 200_000, "WS"), 640, 32),
        at(request(8_000_000, 300_000, "WS"), 640, 48),
    ];
    assert_eq!(
        (found.as_slice(), counted),
        (&expected[..], counts(3, 1, 0))
    );
}

#[test]
fn a_missing_completion_of_a_flush_does_not_shift_the_others_for_good() {
    let mut events = vec![event(0, Issued, "F", 0, 0)];
    for number in 1..200 {
        events.push(event(number * 1000, Issued, "F", 0, 0));
        events.push(event(number * 1000 + 300, Completed, "F", u64::MAX, 0));
    }
    let (found, counted) = matched(&events);
    let right = found
        .iter()
        .filter(|one| one.service_ns == Some(300))
        .count();
    assert_eq!((right, counted), (135, counts(200, 1, 0)));
}

#[test]
fn two_queues_that_flush_all_the_time_stay_apart() {
    let issued = |number: u64| Event {
        task: if number.is_multiple_of(2) { 7 } else { 8 },
        ..event(number * 1000, Issued, "F", 0, 0)
    };
    let mut events = vec![issued(0)];
    for number in 1..200 {
        events.push(issued(number));
        events.push(event(number * 1000 + 300, Completed, "F", u64::MAX, 0));
    }
    let (found, counted) = matched(&events);
    let right = found
        .iter()
        .filter(|one| one.service_ns == Some(1300))
        .count();
    assert_eq!((right, counted), (199, counts(200, 1, 0)));
}

#[test]
fn a_missing_completion_is_found_where_threads_of_the_kernel_take_turns() {
    let issued = |number: u64| Event {
        task: if number.is_multiple_of(3) { 7 } else { 8 },
        ..event(number * 1000, Issued, "F", 0, 0)
    };
    let mut events = vec![issued(0)];
    for number in 1..400 {
        events.push(issued(number));
        events.push(event(number * 1000 + 300, Completed, "F", u64::MAX, 0));
    }
    let (found, counted) = matched(&events);
    let right = found
        .iter()
        .filter(|one| one.service_ns == Some(300))
        .count();
    // One of three pairs is of one task, so the 65th is at the 194th completion.
    assert_eq!((right, counted), (206, counts(400, 1, 0)));
}
