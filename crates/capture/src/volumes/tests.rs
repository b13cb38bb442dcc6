//! Events of volumes as Linux 6.1 records them, and what is made of them.

use crate::blame::{Blaming, Census, LeftOut, Names};
use crate::event::{Event, EventKind};
use crate::flags::Flags;
use crate::matching::{Followed, Matched, Matcher};
use crate::request::{Last, Request, Task};
use fathom_core::result::blame::{Blame, Cause, Part};
use std::fmt::Write as _;

/// Numbers of the disks, and of the volumes on them.
const DISKS: [(u32, u32); 3] = [(252, 0), (252, 1), (252, 2)];
const VOLUMES: [(u32, u32); 3] = [(254, 0), (254, 1), (9, 0)];

const fn number((major, minor): (u32, u32)) -> u32 {
    major << 20 | minor
}

/// `252,0`
fn device(text: &str) -> u32 {
    let (major, minor) = text.split_once(',').expect("two numbers");
    number((major.parse().expect("major"), minor.parse().expect("minor")))
}

/// Events as lines: microsecond, thread, event, device, letters, sector, sectors, and of a remapped
/// bio the device and the sector before.
fn events(text: &str) -> Vec<Event> {
    let event = |line: &str| {
        let words: Vec<_> = line.split_whitespace().collect();
        let number = |index: usize| words[index].parse::<u64>().expect("a number");
        let is = |(_, name): &(EventKind, &str)| name.strip_prefix("block_") == Some(words[2]);
        let kind = EventKind::NAMES.into_iter().find(is).expect("an event").0;
        let is_remapped = kind == EventKind::Remapped;
        let error = words.get(7).is_some_and(|word| *word == "failed");
        let failed = if error { Flags::FAILED } else { Flags(0) };
        Event {
            at_ns: number(0) * 1000,
            kind,
            device: device(words[3]),
            sector: number(5),
            from: is_remapped.then(|| (device(words[7]), number(8))),
            sectors: number(6) as u32,
            flags: Flags::of_letters(words[4].as_bytes()) | failed,
            task: number(1) as i32,
            comm: [0; 16],
        }
    };
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).map(event).collect()
}

fn matched(events: &[Event]) -> (Vec<Request>, Matched) {
    let mut matcher = Matcher::new(0, &DISKS.map(number)).with_volumes(&VOLUMES.map(number));
    let mut found = Vec::new();
    for event in events {
        matcher.add(event);
        matcher.take(&mut |request| found.push(request));
    }
    let counts = matcher.finish(&mut |request| found.push(request));
    (found, counts)
}

/// A request of a disk.
type Below = (u16, u64, u32, Option<(u16, Option<[u64; 3]>)>);

/// Of each request its disk and sector, its task, and the volume with times in microseconds:
/// before the issue, after the completion, alone.
fn above(text: &str) -> (Vec<Below>, (u64, u64)) {
    let (requests, counts) = matched(&events(text));
    let times = |last: Last| [last.queued_ns, last.after_ns, last.alone_ns].map(|ns| ns / 1000);
    let of = |one: Request| {
        let above = one
            .early
            .above
            .map(|above| (above.volume, above.last.map(times)));
        (one.device, one.offset / 512, one.task, above)
    };
    let requests = requests.into_iter().map(of).collect();
    (requests, (counts.followed, counts.not_followed))
}

#[test]
fn a_read_of_a_linear_volume_is_followed() {
    let found = above(
        "10 7 bio_queue    254,0 RS 100 8
         14 7 bio_remap    252,1 RS 36 8 254,0 100
         15 7 bio_queue    252,1 RS 36 8
         17 7 getrq        252,1 RS 36 8
         18 7 rq_issue     252,1 RS 36 8
         90 0 rq_complete  252,1 RS 36 8
         93 0 bio_complete 254,0 RS 100 8",
    );
    assert_eq!(
        found,
        (vec![(1, 36, 0, Some((0, Some([8, 3, 0]))))], (1, 0))
    );
}

#[test]
fn the_highest_of_several_layers_counts() {
    // The lower volume starts at sector 8 of the disk's partition, which starts at 2048.
    let found = above(
        "10 7 bio_queue    254,1 WS 0 8
         11 7 bio_remap    254,0 WS 8 8 254,1 0
         12 7 bio_queue    254,0 WS 8 8
         14 7 bio_remap    252,0 WS 8 8 254,0 8
         15 7 bio_remap    252,0 WS 2056 8 252,16 8
         16 7 bio_queue    252,0 WS 2056 8
         17 7 getrq        252,0 WS 2056 8
         20 9 rq_issue     252,0 WS 2056 8
         50 0 rq_complete  252,0 WS 2056 8
         51 0 bio_complete 254,0 WS 8 8
         54 0 bio_complete 254,1 WS 0 8",
    );
    assert_eq!(
        found,
        (vec![(0, 2056, 0, Some((1, Some([10, 4, 0]))))], (1, 0))
    );
}

#[test]
fn a_split_write_waits_for_its_last_part() {
    let found = above(
        "10 7 bio_queue    254,0 WS 0 384
         11 7 bio_remap    252,0 WS 0 128 254,0 0
         12 7 bio_queue    252,0 WS 0 128
         13 7 getrq        252,0 WS 0 128
         14 7 bio_remap    252,1 WS 0 128 254,0 128
         15 7 bio_queue    252,1 WS 0 128
         16 7 getrq        252,1 WS 0 128
         17 7 bio_remap    252,0 WS 128 128 254,0 256
         18 7 bio_queue    252,0 WS 128 128
         19 7 getrq        252,0 WS 128 128
         20 9 rq_issue     252,0 WS 0 256
         21 9 rq_issue     252,1 WS 0 128
         40 0 rq_complete  252,0 WS 0 256
         70 0 rq_complete  252,1 WS 0 128
         75 0 bio_complete 254,0 WS 256 128",
    );
    // The two parts on the first disk became one request.
    let expected = vec![
        (0, 0, 0, Some((0, None))),
        (1, 0, 0, Some((0, Some([11, 5, 30])))),
    ];
    assert_eq!(found, (expected, (1, 0)));
}

#[test]
fn parts_of_md_that_end_earlier_do_not_end_the_whole() {
    let found = above(
        "10 7 bio_queue    9,0   WS 0 256
         11 7 bio_remap    252,0 WS 0 128 9,0 0
         12 7 bio_queue    252,0 WS 0 128
         14 7 bio_remap    252,1 WS 0 128 9,0 128
         15 7 bio_queue    252,1 WS 0 128
         20 9 rq_issue     252,0 WS 0 128
         21 9 rq_issue     252,1 WS 0 128
         40 0 rq_complete  252,0 WS 0 128
         41 0 bio_complete 9,0   WS 0 128
         60 0 rq_complete  252,1 WS 0 128
         62 0 bio_complete 9,0   WS 128 128",
    );
    let expected = vec![
        (0, 0, 0, Some((2, None))),
        (1, 0, 0, Some((2, Some([11, 2, 20])))),
    ];
    assert_eq!(found, (expected, (1, 0)));
}

#[test]
fn a_worker_works_for_who_asked() {
    // As dm-crypt does: another thread writes, and another one reports the end.
    let found = above(
        "10 7 bio_queue    254,0 WS 0 8
         40 5 bio_remap    252,0 WS 4096 8 254,0 0
         42 5 bio_queue    252,0 WS 4096 8
         43 5 getrq        252,0 WS 4096 8
         45 5 rq_issue     252,0 WS 4096 8
         60 0 rq_complete  252,0 WS 4096 8
         90 6 bio_complete 254,0 WS 0 8",
    );
    assert_eq!(
        found,
        (vec![(0, 4096, 0, Some((0, Some([35, 30, 0]))))], (1, 0))
    );
}

#[test]
fn equal_requests_belong_to_their_threads() {
    let found = above(
        "10 7 bio_queue    254,0 R 0 8
         20 8 bio_queue    254,0 R 0 8
         21 8 bio_remap    252,0 R 64 8 254,0 0
         22 8 bio_queue    252,0 R 64 8
         23 8 getrq        252,0 R 64 8
         24 8 rq_issue     252,0 R 64 8
         31 7 bio_remap    252,0 R 64 8 254,0 0
         32 7 bio_queue    252,0 R 64 8
         33 7 getrq        252,0 R 64 8
         34 7 rq_issue     252,0 R 64 8
         50 0 rq_complete  252,0 R 64 8
         51 0 bio_complete 254,0 R 0 8
         60 0 rq_complete  252,0 R 64 8
         61 0 bio_complete 254,0 R 0 8",
    );
    let expected = vec![
        (0, 64, 1, Some((0, Some([4, 1, 0])))),
        (0, 64, 0, Some((0, Some([24, 1, 0])))),
    ];
    assert_eq!(found, (expected, (2, 0)));
}

#[test]
fn a_refused_bio_counts_from_its_last_try() {
    let found = above(
        "10 7 bio_queue    254,0 R 0 8
         11 7 bio_remap    252,0 R 64 8 254,0 0
         12 7 bio_queue    252,0 R 64 8
         13 7 bio_complete 254,0 R 0 8 failed
         20 8 bio_queue    254,0 R 0 8
         21 8 bio_remap    252,0 R 64 8 254,0 0
         22 8 bio_queue    252,0 R 64 8
         23 8 getrq        252,0 R 64 8
         25 8 rq_issue     252,0 R 64 8
         50 0 rq_complete  252,0 R 64 8
         51 0 bio_complete 254,0 R 0 8",
    );
    assert_eq!(
        found,
        (vec![(0, 64, 1, Some((0, Some([5, 1, 0]))))], (1, 0))
    );
}

#[test]
fn requests_that_a_volume_makes_itself_are_not_followed() {
    // As dm-mirror writes, without an event that names the bio.
    let text = "10 7 bio_queue    254,0 WS 0 8
         20 5 bio_queue    252,0 W 0 8
         21 5 bio_queue    252,1 W 0 8
         22 5 rq_issue     252,0 W 0 8
         23 5 rq_issue     252,1 W 0 8
         30 0 rq_complete  252,0 W 0 8
         31 0 rq_complete  252,1 W 0 8
         33 0 bio_complete 254,0 WS 0 8";
    let expected = vec![(0, 0, 1, None), (1, 0, 1, None)];
    assert_eq!(above(text), (expected, (0, 1)));
    // Only half of a bio is seen on a disk.
    let half = "10 7 bio_queue    254,0 WS 0 16
         11 7 bio_remap    252,0 WS 0 8 254,0 0
         12 7 bio_queue    252,0 WS 0 8
         20 9 rq_issue     252,0 WS 0 8
         40 0 rq_complete  252,0 WS 0 8
         62 0 bio_complete 254,0 WS 0 16";
    assert_eq!(above(half), (vec![(0, 0, 0, Some((0, None)))], (0, 1)));
    let followed = |counts: &[(u64, u64)]| Matched {
        of_volumes: counts
            .iter()
            .map(|(followed, not_followed)| Followed {
                followed: *followed,
                not_followed: *not_followed,
            })
            .collect(),
        ..Matched::default()
    };
    let older = Matched {
        followed: 90,
        not_followed: 10,
        ..Matched::default()
    };
    let missing = ["block_bio_remap".to_owned()];
    let volumes = ["dm-0", "dm-1"].map(str::to_owned);
    let reasons = [
        LeftOut::of(&volumes, &[], &followed(&[(99, 1), (10, 0)])),
        LeftOut::of(&volumes, &[], &followed(&[(99, 1), (90, 10)])),
        LeftOut::of(&volumes[..1], &[], &older),
        LeftOut::of(&volumes[..1], &missing, &followed(&[(100, 0)])),
        LeftOut::of(&[], &missing, &followed(&[])),
    ];
    let left_out = |volume, name: &str, requests| LeftOut {
        volumes: [volume].into(),
        reasons: vec![format!(
            "the kernel does not record which disks served 10 of 100 requests of {name}"
        )],
        requests,
    };
    let expected = [
        Ok(LeftOut {
            requests: 1,
            ..LeftOut::default()
        }),
        Ok(left_out(1, "dm-1", 1)),
        Ok(left_out(0, "dm-0", 0)),
        Err(
            "this kernel has no event block_bio_remap, which follows requests of dm-0 to its disks"
                .to_owned(),
        ),
        Ok(LeftOut::default()),
    ];
    assert_eq!(reasons, expected);
}

/// One request of a volume each millisecond, on the given disks, whose requests take this number of
/// microseconds; of a mirror on all of them. The volume passes them on later from disk to disk.
fn volume(is_mirror: bool, late_us: u64, service_us: impl Fn(u64, usize) -> u64) -> Vec<Event> {
    let mut text = String::new();
    for number in 0..2000_u64 {
        let (at, sector) = (number * 1000, number * 8);
        let disks = if is_mirror {
            vec![0, 1]
        } else {
            vec![(number * 7 % 3) as usize]
        };
        let mut lines = vec![(at, format!("7 bio_queue 254,0 W {sector} 8"))];
        let mut end = 0;
        for disk in disks {
            let below = format!("252,{disk} W {sector} 8");
            let start = at + 2 + disk as u64 * late_us;
            let done = start + 10 + service_us(number, disk);
            end = end.max(done);
            lines.push((start, format!("7 bio_remap {below} 254,0 {sector}")));
            lines.push((start + 1, format!("7 bio_queue {below}")));
            lines.push((start + 3, format!("7 getrq {below}")));
            lines.push((start + 10, format!("7 rq_issue {below}")));
            lines.push((done, format!("0 rq_complete {below}")));
        }
        lines.push((end + 5, format!("0 bio_complete 254,0 W {sector} 8")));
        lines.sort_by_key(|(at, _)| *at);
        for (at, line) in lines {
            writeln!(text, "{at} {line}").expect("a String");
        }
    }
    events(&text)
}

fn blame(events: &[Event]) -> Blame {
    let (requests, counts) = matched(events);
    assert_eq!((counts.followed, counts.not_followed), (2000, 0));
    let tasks = [Task {
        thread: 7,
        name: "db".into(),
        process: Some(7),
        process_name: None,
    }];
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let names = Names {
        devices: names(&["sda", "sdb", "sdc"]),
        volumes: names(&["dm-0", "dm-1", "md0"]),
        ..Names::default()
    };
    let mut census = Census::default();
    census.add(&requests, &tasks);
    let mut blaming = Blaming::new(census.finish(), None, names).expect("enough requests");
    blaming.add(&requests, &tasks);
    blaming.finish()
}

/// Names of the disks that slow requests waited for.
fn slow(found: &Blame) -> Vec<&str> {
    let slow = found.disks.iter().filter(|disk| disk.is_slow);
    slow.map(|disk| disk.name.as_str()).collect()
}

/// Time of the slowest requests, and the sum of its parts.
fn sums(found: &Blame) -> (u64, u64) {
    let Some(Part { parts, .. }) = found.parts.last() else {
        return (0, 0);
    };
    let sum = parts.submit_ns + parts.held_ns + parts.device_ns + parts.layers_ns;
    (parts.total_ns(), sum)
}

#[test]
fn a_slow_disk_of_a_stripe_is_named_and_the_parts_add_up() {
    // Each eleventh request of the third disk takes 700 µs longer.
    let found = blame(&volume(false, 1, |number, disk| {
        let is_late = disk == 2 && number.is_multiple_of(11);
        80 + number % 5 + if is_late { 700 } else { 0 }
    }));
    assert_eq!((slow(&found), &found.cause), (vec!["sdc"], &Cause::None));
    assert_eq!(
        (found.volumes.as_slice(), found.devices),
        (&["dm-0".to_owned()][..], 3)
    );
    let (total, sum) = sums(&found);
    // Queued at 0, given to the driver after 14 µs, done, and reported after another 5 µs.
    let each = |service_us: u64| (14 + service_us + 5) * 1000;
    let late = (0..2000_u64)
        .filter(|one| one * 7 % 3 == 2 && one % 11 == 0)
        .count() as u64;
    assert_eq!(total, sum);
    assert!(late < 100 && total > late * each(780), "{total}");
}

#[test]
fn the_slow_disk_of_a_mirror_is_named() {
    let found = blame(&volume(true, 1, |number, disk| {
        [80, 600][disk] + number % 5 + number % 97
    }));
    let share: Vec<_> = found.disks.iter().map(|disk| disk.of_all).collect();
    assert_eq!((slow(&found), share), (vec!["sdb"], vec![0.0, 1.0]));
    let alone = found.disks[1].alone;
    assert!((0.7..0.9).contains(&alone), "{alone}");
}

#[test]
fn the_disk_that_a_mirror_asks_late_is_named() {
    // As through a dm-delay on the second one.
    let found = blame(&volume(true, 700, |number, _| {
        80 + number % 5 + number % 97
    }));
    let alone = found.disks[1].alone;
    assert_eq!(slow(&found), ["sdb"], "{found:?}");
    assert!((0.7..0.9).contains(&alone), "{alone}");
    assert!(matches!(found.cause, Cause::Layers { .. }), "{found:?}");
}

#[test]
fn no_disk_is_named_where_all_are_alike() {
    for is_mirror in [false, true] {
        for seed in 1..40_u64 {
            let found = blame(&volume(is_mirror, 1, |number, disk| {
                let dice = (number * 3 + disk as u64 + seed * 7919).wrapping_mul(0x9e37_79b9_7f4a);
                50 + (dice >> 20) % 40
                    + if (dice >> 33).is_multiple_of(40) {
                        500
                    } else {
                        0
                    }
            }));
            assert_eq!(
                slow(&found),
                Vec::<&str>::new(),
                "{seed}: {:?}",
                found.disks
            );
        }
    }
}

#[test]
fn time_in_the_volume_itself_is_named() {
    let mut all = volume(false, 1, |number, _| 80 + number % 5);
    let mut number = 0;
    for event in &mut all {
        if event.kind == EventKind::Returned {
            number += 1;
            event.at_ns += if number % 50 == 0 { 600_000 } else { 0 };
        }
    }
    let found = blame(&all);
    let Cause::Layers { share } = found.cause else {
        panic!("{found:?}");
    };
    assert!(share > 0.8, "{share}");
    let (total, sum) = sums(&found);
    assert_eq!(total, sum);
}
