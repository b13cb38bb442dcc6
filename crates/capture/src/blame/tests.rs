//! Made-up captures with and without a culprit.

use super::parts::parts_of;
use super::*;
use crate::file::Spool;
use crate::flags::Flags;
use crate::request::{Early, Request, Task};
use fathom_core::Op;
use fathom_core::result::blame::{Blame, Cause, Owner, OwnerKind};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

const MICROSECOND: u64 = 1000;
const MILLISECOND: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;

/// The tasks of all captures here.
const DB: u32 = 0;
const DD: u32 = 1;
const JOURNAL: u32 = 2;
const THROTTLE: u32 = 3;
const LOGGER: u32 = 4;

fn tasks() -> Vec<Task> {
    let task = |thread, name: &str, process_name: &str| Task {
        thread,
        name: name.into(),
        process: Some(thread),
        process_name: Some(process_name.into()),
    };
    vec![
        task(100, "db", "db"),
        task(4711, "dd", "dd"),
        task(77, "jbd2/vda-8", "jbd2/vda-8"),
        task(33, "kworker/0:1", "kworker/0:1-kthrotld"),
        task(55, "logger", "logger"),
    ]
}

/// Random numbers of one seed.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below another.
    fn below(&mut self, most: u64) -> u64 {
        self.next() % most.max(1)
    }
}

/// Who makes requests, and how.
#[derive(Clone, Copy)]
struct Source {
    task: u32,
    flags: Flags,
    bytes: u64,
    /// Requests that it has under way.
    depth: u64,
    /// Time from the end of a request to the next one, at most.
    think_ns: u64,
    /// Time in the device without a tail.
    service_ns: u64,
    /// It is active for the first part of each cycle: length of a part, and of a cycle.
    active_ns: (u64, u64),
}

const READER: Source = Source {
    task: DB,
    flags: Flags::READ,
    bytes: 4096,
    depth: 1,
    think_ns: 50 * MICROSECOND,
    service_ns: 80 * MICROSECOND,
    active_ns: (1, 1),
};

/// A device: requests take a tag, wait for a server, and are served in their order.
struct Device {
    tags: usize,
    servers: usize,
    /// It does nothing for the first part of each cycle.
    stalls_ns: (u64, u64),
}

const NO_STALLS: (u64, u64) = (0, 1);

/// With more tags than requests.
const fn device(servers: usize) -> Device {
    Device {
        tags: 256,
        servers,
        stalls_ns: NO_STALLS,
    }
}

/// The requests of sources that use a device for some time.
fn requests(device: &Device, sources: &[Source], length_ns: u64, seed: u64) -> Vec<Request> {
    let mut dice = Dice(seed * 2 + 1);
    let mut arrivals = BinaryHeap::new();
    for (index, source) in sources.iter().enumerate() {
        for _ in 0..source.depth {
            arrivals.push(Reverse((dice.below(source.think_ns), index)));
        }
    }
    let mut tags: BinaryHeap<_> = (0..device.tags).map(|_| Reverse(0)).collect();
    let mut servers: BinaryHeap<_> = (0..device.servers).map(|_| Reverse(0)).collect();
    let mut all = Vec::new();
    while let Some(Reverse((now, index))) = arrivals.pop() {
        let source = sources[index];
        if now > length_ns {
            break;
        }
        let (active, cycle) = source.active_ns;
        if now % cycle >= active {
            let next = (now / cycle + 1) * cycle + dice.below(MICROSECOND);
            arrivals.push(Reverse((next, index)));
            continue;
        }
        // One in fifty takes up to eight times as long.
        let tail = if dice.below(50) == 0 {
            1 + dice.below(8)
        } else {
            1
        };
        let service = source.service_ns * tail + dice.below(source.service_ns / 4);
        let asked = now.max(tags.pop().map_or(0, |Reverse(at)| at));
        let issued = asked.max(servers.pop().map_or(0, |Reverse(at)| at));
        // What a stall meets ends after it.
        let (stall, cycle) = device.stalls_ns;
        let next_stall = issued.div_ceil(cycle) * cycle;
        let service = match issued % cycle {
            into if into < stall => service + stall - into,
            _ if stall > 0 && issued + service > next_stall => service + stall,
            _ => service,
        };
        let done = issued + service;
        tags.push(Reverse(done));
        servers.push(Reverse(done));
        arrivals.push(Reverse((done + dice.below(source.think_ns), index)));
        all.push(Request {
            at_ns: issued,
            service_ns: Some(service),
            device: 0,
            offset: dice.below(1 << 20) * 4096,
            bytes: source.bytes,
            flags: source.flags,
            task: source.task,
            early: Early {
                queued_ns: Some(issued - now),
                asked_ns: (source.flags != Flags::FLUSH).then_some(issued - asked),
                inserted_ns: None,
                above: None,
            },
        });
    }
    all.sort_by_key(|request| request.at_ns);
    all
}

fn blame(requests: &[Request], name: Option<&str>) -> Blame {
    let tasks = tasks();
    let mut census = Census::default();
    requests
        .chunks(1000)
        .for_each(|some| census.add(some, &tasks));
    let mut blaming =
        Blaming::new(census.finish(), name, Names::default()).expect("enough requests");
    requests
        .chunks(1000)
        .for_each(|some| blaming.add(some, &tasks));
    blaming.finish()
}

/// Large writes now and then.
const COPY: Source = Source {
    task: DD,
    flags: Flags::WRITE,
    bytes: 1 << 20,
    depth: 16,
    think_ns: MICROSECOND,
    service_ns: 500 * MICROSECOND,
    active_ns: (30 * MILLISECOND, SECOND),
};

fn owner(name: &str, pid: i32) -> Owner {
    Owner {
        name: name.into(),
        pid: Some(pid),
        kind: OwnerKind::Process,
    }
}

#[test]
fn large_writes_of_a_neighbour_are_named() {
    for (seed, servers) in [(1, 1), (2, 1), (3, 2)] {
        let device = device(servers);
        let reader = Source {
            think_ns: 5 * MILLISECOND,
            ..READER
        };
        let requests = requests(&device, &[reader, COPY], 20 * SECOND, seed);
        let found = blame(&requests, Some("db"));
        let Cause::Neighbour {
            owner: who,
            op,
            ahead,
            is_large,
            ..
        } = found.cause
        else {
            panic!("{found:?}");
        };
        assert_eq!(
            (who, op, is_large),
            (owner("dd", 4711), Some(Op::Write), true)
        );
        assert!((8.0..=16.0).contains(&ahead), "{ahead}");
        let p99 = &found.parts[1];
        assert!(p99.parts.held_ns * 10 > p99.parts.total_ns() * 8, "{p99:?}");
    }
}

#[test]
fn a_flush_is_named_with_who_asked_for_it() {
    let flushes = Source {
        task: JOURNAL,
        flags: Flags::FLUSH,
        bytes: 0,
        depth: 1,
        think_ns: 400 * MILLISECOND,
        service_ns: 12 * MILLISECOND,
        active_ns: (1, 1),
    };
    for seed in 1..4 {
        let device = device(1);
        let reader = Source {
            think_ns: MILLISECOND,
            ..READER
        };
        let all = requests(&device, &[reader, flushes], 10 * SECOND, seed);
        let found = blame(&all, None);
        let Cause::Flush {
            share,
            owner: who,
            is_own,
        } = found.cause
        else {
            panic!("{found:?}");
        };
        assert_eq!((who, is_own), (owner("jbd2/vda-8", 77), false));
        assert!(share > 0.8, "{share}");
    }
}

#[test]
fn few_tags_are_named() {
    let device = Device {
        tags: 4,
        servers: 4,
        stalls_ns: NO_STALLS,
    };
    let reader = Source {
        depth: 32,
        think_ns: MICROSECOND,
        ..READER
    };
    let found = blame(&requests(&device, &[reader], SECOND, 1), None);
    let Cause::Tags { share, tags } = found.cause else {
        panic!("{found:?}");
    };
    assert_eq!(tags.round() as u64, 4);
    assert!(share > 0.5, "{share}");
}

#[test]
fn a_throttle_is_named_if_its_requests_look_like_those_of_the_process() {
    let device = device(8);
    let mut all = requests(&device, &[Source { depth: 4, ..READER }], SECOND, 1);
    let number = all.len() as u64;
    for request in all.iter_mut().step_by(25) {
        request.task = THROTTLE;
    }
    let held = number.div_ceil(25);
    let found = blame(&all, None);
    let expected = Cause::Throttle {
        requests: held,
        of: number,
    };
    assert_eq!(found.cause, expected);
    // Somebody else's backup is throttled.
    for request in &mut all {
        if request.task == THROTTLE {
            request.bytes = 1 << 20;
        }
    }
    assert_eq!(blame(&all, None).cause, Cause::None);
}

#[test]
fn bursts_of_its_own_are_named() {
    let device = device(1);
    let burst = Source {
        depth: 31,
        active_ns: (MILLISECOND, 200 * MILLISECOND),
        think_ns: 1000 * MILLISECOND,
        ..READER
    };
    let reader = Source {
        think_ns: 500 * MICROSECOND,
        ..READER
    };
    let found = blame(&requests(&device, &[reader, burst], 30 * SECOND, 5), None);
    let Cause::Own { ahead, wait_share } = found.cause else {
        panic!("{found:?}");
    };
    assert!(ahead > 4.0 && wait_share > 0.5, "{ahead} {wait_share}");
}

#[test]
fn where_nothing_stands_out_nobody_is_accused() {
    for seed in 0..20 {
        let mut dice = Dice(seed * 77 + 5);
        let depth = 1 + dice.below(16);
        let device = Device {
            tags: 256,
            servers: 2 * depth as usize + 8,
            stalls_ns: if seed % 2 == 0 {
                NO_STALLS
            } else {
                (20 * MILLISECOND, 100 * MILLISECOND)
            },
        };
        let think_ns = [50 * MICROSECOND, 4 * MILLISECOND][seed as usize % 2];
        let reader = Source {
            depth,
            think_ns,
            service_ns: (50 + dice.below(400)) * MICROSECOND,
            ..READER
        };
        let logger = Source {
            task: LOGGER,
            flags: Flags::WRITE,
            bytes: 4096 << dice.below(6),
            depth: 1 + dice.below(3),
            think_ns: (1 + dice.below(20)) * MILLISECOND,
            ..READER
        };
        let flushes = Source {
            task: JOURNAL,
            flags: Flags::FLUSH,
            bytes: 0,
            think_ns: 100 * MILLISECOND,
            service_ns: MILLISECOND,
            ..READER
        };
        let copy = Source {
            active_ns: (100 * MILLISECOND, SECOND),
            depth: 1 + dice.below(4),
            ..COPY
        };
        let all = requests(
            &device,
            &[reader, logger, flushes, copy],
            4 * SECOND,
            seed + 1,
        );
        let found = blame(&all, Some("db"));
        let named = found.company.iter().filter(|one| one.is_unusual).count();
        assert_eq!(
            (&found.cause, named),
            (&Cause::None, 0),
            "{seed}: {found:?}"
        );
    }
}

#[test]
fn equal_times_are_not_slow() {
    let request = |number: u64| Request {
        at_ns: number * MILLISECOND,
        service_ns: Some(83_001),
        device: 0,
        offset: 0,
        bytes: 4096,
        flags: Flags::READ,
        task: if number.is_multiple_of(2) { DB } else { LOGGER },
        early: Early {
            queued_ns: Some(10 + 2 * MILLISECOND),
            ..Early::default()
        },
    };
    let all: Vec<_> = (0..3000).map(request).collect();
    let found = blame(&all, Some("db"));
    let parts: Vec<_> = found.parts.iter().map(|part| part.requests).collect();
    assert_eq!((found.cause, parts), (Cause::None, vec![1500, 1500, 100]));
}

#[test]
fn too_few_requests_are_no_evidence() {
    let device = device(1);
    let all = requests(&device, &[READER], 10 * MILLISECOND, 1);
    let mut census = Census::default();
    census.add(&all, &tasks());
    let counted = census.finish();
    assert!(Blaming::new(counted.clone(), None, Names::default()).is_none());
    assert!(Blaming::new(counted, Some("nobody"), Names::default()).is_none());
}

/// A write each millisecond; of every fiftieth the tag comes 5 ms late.
fn late_tags(in_use: u64) -> Vec<Request> {
    let mut all = Vec::new();
    for number in 0..2000_u64 {
        let queued_at = number * 10 * MILLISECOND;
        let is_late = number % 50 == 49;
        let before = if is_late { 5 * MILLISECOND } else { 1000 };
        let request = |task, at_ns, before: u64, service: u64| Request {
            at_ns,
            service_ns: Some(service),
            device: 0,
            offset: 0,
            bytes: 4096,
            flags: Flags::WRITE,
            task,
            early: Early {
                queued_ns: Some(before + 1000),
                asked_ns: Some(1000),
                inserted_ns: None,
                above: None,
            },
        };
        if is_late {
            all.extend((0..in_use).map(|_| request(LOGGER, queued_at, 1, 6 * MILLISECOND)));
        }
        all.push(request(
            DB,
            queued_at + before + 1000,
            before,
            100_000 + number % 7,
        ));
    }
    all.sort_by_key(|request| request.at_ns);
    all
}

#[test]
fn a_free_tag_is_not_what_a_request_waits_for() {
    let Cause::Admission {
        tags, most_tags, ..
    } = blame(&late_tags(0), Some("db")).cause
    else {
        panic!("accused");
    };
    assert_eq!((tags, most_tags), (0.0, 0));
    let found = blame(&late_tags(3), Some("db")).cause;
    assert!(matches!(found, Cause::Tags { tags: 3.0, .. }), "{found:?}");
}

#[test]
fn a_stall_with_a_full_queue_accuses_nobody_who_is_always_there() {
    for seed in 1..20 {
        let device = Device {
            tags: 256,
            servers: 32,
            stalls_ns: (50 * MILLISECOND, 1000 * MILLISECOND),
        };
        let reader = Source {
            think_ns: 2 * MILLISECOND,
            ..READER
        };
        let logger = Source {
            task: LOGGER,
            flags: Flags::WRITE,
            bytes: 1 << 20,
            depth: 31,
            think_ns: MICROSECOND,
            service_ns: 2 * MILLISECOND,
            active_ns: (1, 1),
        };
        let all = requests(&device, &[reader, logger], 20 * SECOND, seed);
        let found = blame(&all, Some("db"));
        assert_eq!(found.cause, Cause::None, "{seed}: {found:?}");
    }
}

#[test]
fn a_worker_without_a_name_is_no_throttle() {
    let device = device(8);
    let mut all = requests(&device, &[Source { depth: 4, ..READER }], SECOND, 1);
    for request in all.iter_mut().step_by(25) {
        request.task = THROTTLE;
    }
    let mut nameless = tasks();
    nameless[THROTTLE as usize].process_name = Some("kworker/0:1-events".into());
    let mut census = Census::default();
    census.add(&all, &nameless);
    let mut blaming =
        Blaming::new(census.finish(), None, Names::default()).expect("enough requests");
    blaming.add(&all, &nameless);
    assert_eq!(blaming.finish().cause, Cause::None);
}

#[test]
fn processes_of_one_name_are_apart_by_their_numbers() {
    let mut twins = tasks();
    twins[DD as usize].name = "db".into();
    twins[DD as usize].process_name = Some("db".into());
    let all = late_tags(0);
    let two: Vec<_> = all
        .iter()
        .flat_map(|one| [*one, Request { task: DD, ..*one }])
        .collect();
    let owner_of = |name: &str| {
        let mut census = Census::looked_for(Some(name), &LeftOut::default());
        census.add(&two, &twins);
        let counted = census.finish();
        let blaming = Blaming::new(counted, Some(name), Names::default()).expect("enough requests");
        let blame = blaming.finish();
        (blame.owner.pid, blame.time_ns.count)
    };
    assert_eq!(owner_of("4711"), (Some(4711), 2000));
    assert_eq!(owner_of("db"), (None, 4000));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_parts_of_a_request_add_up_to_the_nanosecond(
        queued in 0..1_u64 << 60,
        asked in proptest::option::of(0..1_u64 << 60),
        inserted in proptest::option::of(0..1_u64 << 60),
        service in 0..1_u64 << 60,
    ) {
        let request = Request {
            at_ns: 1 << 61,
            service_ns: Some(service),
            device: 0,
            offset: 0,
            bytes: 4096,
            flags: Flags::READ,
            task: 0,
            early: Early {
                queued_ns: Some(queued),
                asked_ns: asked,
                inserted_ns: inserted,
                above: None,
            },
        };
        let parts = parts_of(&request).expect("all times");
        prop_assert_eq!(parts.submit_ns + parts.held_ns + parts.device_ns, queued + service);
        prop_assert_eq!(parts.total_ns(), queued + service);
    }

    #[test]
    fn sums_are_those_of_the_requests(seed in 1_u64..1000) {
        let device = Device { tags: 8, servers: 2, stalls_ns: NO_STALLS };
        let reader = Source { depth: 12, ..READER };
        let all = requests(&device, &[reader, COPY], 200 * MILLISECOND, seed);
        let found = blame(&all, Some("db"));
        let mut times: Vec<u64> = all.iter().filter(|one| one.task == DB)
            .filter_map(parts_of).map(|parts| parts.total_ns()).collect();
        times.sort_unstable();
        let slowest: u64 = times.iter().rev().take(100).sum();
        let part = found.parts.last().map(|part| (part.requests, part.parts.total_ns()));
        prop_assert_eq!(part, Some((100, slowest)));
    }

    #[test]
    fn requests_of_any_file_are_looked_at(
        numbers in proptest::collection::vec(any::<(u64, u64, u64, u64, u32)>(), 300..900),
    ) {
        let request = |(at_ns, service, queued, bytes, task): (u64, u64, u64, u64, u32)| Request {
            at_ns,
            service_ns: Some(service),
            device: 0,
            offset: 0,
            bytes,
            flags: if task % 7 == 0 { Flags::FLUSH } else { Flags::READ },
            task: if task % 11 == 0 { task % 3 } else { 0 },
            early: Early { queued_ns: Some(queued), ..Early::default() },
        };
        let requests: Vec<_> = numbers.into_iter().map(request).collect();
        let mut census = Census::default();
        census.add(&requests, &tasks());
        if let Some(mut blaming) = Blaming::new(census.finish(), None, Names::default()) {
            blaming.add(&requests, &tasks());
            blaming.finish();
        }
    }
}

fn spooled(all: &[Request]) -> Spool {
    let mut spool = Spool::new(usize::MAX);
    for request in all {
        spool.add(*request);
    }
    spool
}

/// What the requests of the first process waited for in a window.
fn explained(all: &[Request], tasks: &[Task], window: &Range<u64>) -> Result<Blame, Vec<Counted>> {
    of_spool(&spooled(all), tasks, window, Some("100"), &Names::default())
}

/// A reader, and copies now and then, each by a process of its own of the same name.
fn with_copies() -> (Vec<Request>, Vec<Task>) {
    let device = device(1);
    let reader = Source {
        think_ns: 5 * MILLISECOND,
        ..READER
    };
    let mut all = requests(&device, &[reader, COPY], 20 * SECOND, 1);
    let mut tasks = tasks();
    let first = tasks.len() as u32;
    let dd = tasks[DD as usize].clone();
    tasks.extend((0..21).map(|number| Task {
        thread: 9000 + number,
        process: Some(9000 + number),
        ..dd.clone()
    }));
    for copy in all.iter_mut().filter(|one| one.task == DD) {
        copy.task = first + (copy.at_ns / SECOND) as u32;
    }
    (all, tasks)
}

#[test]
fn a_neighbour_of_many_processes_is_one_for_a_process_by_its_number() {
    let (all, tasks) = with_copies();
    let found = explained(&all, &tasks, &(0..u64::MAX));
    let found = found.expect("enough requests");
    let Cause::Neighbour {
        owner, is_large, ..
    } = &found.cause
    else {
        panic!("{found:?}");
    };
    let by = (owner.name.as_str(), owner.pid, *is_large);
    assert_eq!((found.owner.pid, by), (Some(100), ("dd", None, true)));
}

#[test]
fn requests_in_memory_are_explained_as_those_of_a_file() {
    let (all, tasks) = with_copies();
    let mut census = Census::looked_for(Some("100"), &LeftOut::default());
    census.add(&all, &tasks);
    let mut blaming =
        Blaming::new(census.finish(), Some("100"), Names::default()).expect("enough requests");
    blaming.add(&all, &tasks);
    let found = explained(&all, &tasks, &(0..u64::MAX));
    assert_eq!(found.expect("enough requests"), blaming.finish());
}

#[test]
fn only_requests_of_the_window_count() {
    let (all, tasks) = with_copies();
    let window = 2 * SECOND..5 * SECOND;
    let is_in = |one: &&Request| {
        let done_ns = one.at_ns + one.service_ns.unwrap_or(0);
        one.task == DB && one.at_ns < window.end && done_ns >= window.start
    };
    let expected = all.iter().filter(is_in).count() as u64;
    let found = explained(&all, &tasks, &window);
    assert_eq!(found.expect("enough requests").time_ns.count, expected);
    let nothing = explained(&all, &tasks, &(SECOND..SECOND));
    let counted = nothing.expect_err("no request");
    assert!(counted.iter().all(|one| one.requests <= 1), "{counted:?}");
}
