//! Recorded counters of systems, and what is said of them.

use super::*;
use crate::io_limits::Moved;
use crate::threshold::Threshold;
use fathom_core::{CapBurst, CapOwner, Nanos, Op};
use fathom_volume::Catalog;
use fathom_volume::layout::{Layout, Options};
use fathom_volume::model::{Demand, Flow, VolumeModel as _};

/// Looks of the four loads after their first ten minutes.
const COMPARED: usize = 4342;
const SECOND: u64 = 1_000_000_000;

/// A disk that served requests of 4 KiB for a second.
fn disk(reads: u64, writes: u64, in_flight: f64) -> DiskSeen {
    DiskSeen {
        name: "vda".into(),
        moved: Moved {
            reads,
            writes,
            read_bytes: reads * 4096,
            written_bytes: writes * 4096,
        },
        read_wait_ms: (in_flight * 1000.0) as u64,
        in_flight,
        in_driver: Some(in_flight.min(64.0)),
        tags: Some(128),
        slots: Some(256),
        flushes: Some((0, 0)),
        ..DiskSeen::default()
    }
}

fn seen(disk: DiskSeen) -> Seen {
    Seen {
        length_ns: SECOND,
        disks: vec![disk],
        memory: Some(MemorySeen {
            dirty_bytes: 100 << 20,
            limit_bytes: 4 << 30,
            dirtied_bytes: 1 << 20,
        }),
        stalled: Some(0.3),
        ..Seen::default()
    }
}

fn group(limit: &str, reads: u64, writes: u64) -> GroupSeen {
    GroupSeen {
        group: "db".into(),
        device: "vda".into(),
        limits: vec![limit.to_owned()],
        moved: disk(reads, writes, 0.0).moved,
        ..GroupSeen::default()
    }
}

fn exceeded(owner: CapOwner, what: &'static str, share: f64) -> Exceeded {
    Exceeded {
        owner,
        what,
        share,
        time_us: (share * 1e6) as u64,
    }
}

fn cap(text: &str) -> Cap {
    text.parse().expect("a limit")
}

/// A volume with credit: 300 requests a second, 3,000 in bursts, a bucket of 5.4 million requests.
fn gp2() -> Cap {
    Cap {
        name: "gp2".into(),
        burst: Some(CapBurst {
            value: 3000.0,
            capacity: 5.4e6,
        }),
        ..cap("volume=300iops")
    }
}

fn answer(seen: &Seen, caps: &[Cap]) -> Answer {
    Live::new(caps.to_vec(), 1.0).take(seen)
}

/// The cause, what is said of it, and until when it holds.
fn said(seen: &Seen, caps: &[Cap]) -> (Option<Cause>, String, String) {
    let answer = answer(seen, caps);
    (answer.cause, answer.finding, answer.until)
}

fn of(cause: Cause, finding: &str, until: &str) -> (Option<Cause>, String, String) {
    (Some(cause), finding.to_owned(), until.to_owned())
}

const RAISED: &str = "until the load falls or the limit is raised";

#[test]
fn limits_of_control_groups_are_named() {
    let mut unified = seen(disk(1000, 99, 0.2));
    unified.groups = vec![group("io.max vda rbps=8192000 wiops=100", 1000, 99)];
    let finding = "the control group: io.max of db allows 100.0 writes/s on vda, and 99.0 are \
                   served";
    let expected = of(Cause::ControlGroup, finding, RAISED);
    assert_eq!(said(&unified, &[]), expected);
    let mut first = seen(disk(50, 0, 0.1));
    let limit = "blkio.throttle.read_bps_device vda 204800";
    first.groups = vec![group(limit, 50, 0)];
    let finding = "the control group: blkio.throttle.read_bps_device of db allows 0.20 MB/s of \
                   reads on vda, and 0.20 MB/s are served";
    assert_eq!(said(&first, &[]), of(Cause::ControlGroup, finding, RAISED));
    first.groups[0].limits.clear();
    first.groups[0].cost_wait_ns = 4 * SECOND;
    let finding = "io.cost: 4.00 requests of the control group db wait for their share of vda on \
                   average";
    let until = "until the other groups need less, or its weight is raised";
    assert_eq!(said(&first, &[]), of(Cause::IoCost, finding, until));
}

#[test]
fn limits_of_volumes_and_instances_are_named() {
    let busy = seen(disk(3000, 0, 8.0));
    let owned = |name: &str, owner| Cap {
        owner,
        ..cap(&format!("{name}=3000iops"))
    };
    let cases = [
        (owned("gp3", CapOwner::Volume), Cause::VolumeCap),
        (owned("r5.large", CapOwner::Instance), Cause::InstanceCap),
        (owned("mine", CapOwner::Unknown), Cause::Cap),
    ];
    for (cap, cause) in cases {
        let finding = format!("{}: 3,000 of 3,000 IOPS", cap.name);
        assert_eq!(said(&busy, &[cap]), of(cause, &finding, RAISED));
    }
    let bytes = cap("volume.writes=4.096MB/s");
    let written = seen(disk(0, 1000, 2.0));
    let finding = "volume: 4.10 MB/s of 4.10 MB/s of writes";
    assert_eq!(
        said(&written, &[bytes]),
        of(Cause::VolumeCap, finding, RAISED)
    );
}

#[test]
fn credit_that_lasts_and_credit_that_is_used_up() {
    let burst = seen(disk(3000, 0, 8.0));
    let until = "until the credit is empty in 33 min 19 s at this rate; then less is allowed";
    let finding = "the burst limit of gp2: 3,000 of 3,000 IOPS";
    let expected = of(Cause::VolumeCap, finding, until);
    assert_eq!(said(&burst, &[gp2()]), expected);
    let spent = seen(disk(300, 0, 8.0));
    let until = "until the load stays below 300.0 IOPS; without load the credit is full again in \
                 5 h 00 min";
    let finding = "gp2, whose burst credit is used up: 300.0 of 300.0 IOPS";
    assert_eq!(said(&spent, &[gp2()]), of(Cause::Credit, finding, until));
    let level = answer(&spent, &[gp2()]).evidence;
    let level = level.iter().find(|one| one.what == "burst credit");
    assert_eq!(level.map(|one| one.value), Some(0.0));
    let between = answer(&seen(disk(2000, 0, 8.0)), &[gp2()]);
    let finding = "the storage serves 2,000 IOPS with 8.00 requests in flight, and no known limit \
                   is reached; the credit of gp2 is empty in 52 min 55 s at this rate";
    assert_eq!((between.cause, between.finding.as_str()), (None, finding));
}

#[test]
fn what_ebs_counts_is_believed() {
    let mut disk = disk(3000, 0, 8.0);
    disk.exceeded = vec![
        exceeded(CapOwner::Volume, "the volume's IOPS", 0.01),
        exceeded(CapOwner::Instance, "the instance's throughput", 0.95),
    ];
    let finding = "the instance's throughput: the NVMe log page of vda counts more requests than \
                   allowed in 95.0 % of the time";
    let expected = of(Cause::InstanceCap, finding, RAISED);
    assert_eq!(said(&seen(disk.clone()), &[]), expected);
    disk.exceeded.pop();
    assert_eq!(said(&seen(disk), &[]).0, None);
}

/// The disk counts what was refused: rates near a limit, and a group at its own, only resemble it.
#[test]
fn what_ebs_counts_decides() {
    let counted = |reads, share| {
        let mut disk = disk(reads, 0, 8.0);
        disk.exceeded = vec![
            exceeded(CapOwner::Volume, "the volume's IOPS", share),
            exceeded(CapOwner::Instance, "the instance's IOPS", 0.0),
        ];
        let mut all = seen(disk);
        all.groups = vec![group("io.max vda riops=300", 300, 0)];
        all
    };
    let page = "the volume's IOPS: the NVMe log page of vda counts more requests than allowed in \
                80.0 % of the time";
    let both = counted(3000, 0.8);
    assert_eq!(said(&both, &[]), of(Cause::VolumeCap, page, RAISED));
    let mut near = counted(3000, 0.0);
    near.groups.clear();
    let volume = Cap {
        owner: CapOwner::Volume,
        ..cap("gp3=3000iops")
    };
    assert_eq!(said(&near, std::slice::from_ref(&volume)).0, None);
    let of_user = cap("mine=3000iops");
    assert_eq!(said(&near, &[volume, of_user]).0, Some(Cause::Cap));
    let gp2 = Cap {
        owner: CapOwner::Volume,
        ..gp2()
    };
    let spent = format!("{page}; gp2, whose burst credit is used up: 300.0 of 300.0 IOPS");
    let until = "until the load stays below 300.0 IOPS; without load the credit is full again in \
                 5 h 00 min";
    let expected = of(Cause::Credit, &spent, until);
    assert_eq!(said(&counted(300, 0.8), &[gp2]), expected);
}

#[test]
fn the_kernel_s_own_limits_are_named() {
    let mut writers = seen(disk(0, 25_000, 40.0));
    writers.memory = Some(MemorySeen {
        dirty_bytes: 900_000_000,
        limit_bytes: 1_000_000_000,
        dirtied_bytes: 100_000_000,
    });
    let finding = "writeback: 900 MB of dirty pages are 90.0 % of the kernel's limit, where it \
                   holds writers back";
    let until = "until 3.9 s after the writers pause, at the present 102.4 MB/s";
    assert_eq!(said(&writers, &[]), of(Cause::Writeback, finding, until));
    let mut flushed = disk(0, 400, 1.0);
    flushed.flushes = Some((200, 800));
    let finding = "flushes: 200 of them on vda took 4.00 ms each, 80.0 % of the time";
    let until = "as long as the load waits for each of them";
    assert_eq!(said(&seen(flushed), &[]), of(Cause::Flush, finding, until));
    let mut full = disk(9000, 0, 31.0);
    full.tags = Some(32);
    let finding = "the queue depth: 31.0 of 32 requests that vda takes at once are in flight";
    let until = "until the load has fewer requests in flight, or the queue is longer";
    assert_eq!(
        said(&seen(full), &[]),
        of(Cause::QueueDepth, finding, until)
    );
    let mut sorted = disk(200, 0, 20.0);
    sorted.scheduler = Some("bfq".into());
    sorted.in_driver = Some(1.0);
    let finding = "the scheduler bfq: it holds 19.0 requests, while vda gets 1.00";
    let until = "as long as this scheduler is set for this load";
    assert_eq!(
        said(&seen(sorted), &[]),
        of(Cause::Scheduler, finding, until)
    );
}

#[test]
fn slots_of_nfs_are_a_queue_too() {
    let mount = MountSeen {
        path: "/mnt/data".into(),
        requests: 2000,
        queue_ms: 3000,
        round_trip_ms: 4000,
        sent: 2000,
        backlog: 5000,
        retransmitted: 0,
    };
    let all = Seen {
        length_ns: SECOND,
        mounts: vec![mount],
        ..Seen::default()
    };
    let finding = "the queue depth of NFS: 2.50 requests to /mnt/data wait for a slot of the \
                   client on average";
    let until = "until the load has fewer requests in flight, or the queue is longer";
    assert_eq!(said(&all, &[]), of(Cause::QueueDepth, finding, until));
}

/// Systems that nothing limits, some near to it, each with the limits that are known.
#[expect(clippy::too_many_lines, reason = "a table, one system after the other")]
fn healthy() -> Vec<(&'static str, Seen, Vec<Cap>)> {
    let with = |reads, writes, in_flight, change: fn(&mut Seen)| {
        let mut all = seen(disk(reads, writes, in_flight));
        change(&mut all);
        all
    };
    let plain = |reads, writes, in_flight| with(reads, writes, in_flight, |_| {});
    let volume = || vec![cap("volume=3000iops")];
    vec![
        ("idle", plain(0, 0, 0.0), vec![]),
        ("one read at a time", plain(9000, 0, 0.98), vec![]),
        ("deep reads on a fast disk", plain(400_000, 0, 60.0), vec![]),
        (
            "below the limit of its volume",
            plain(2500, 0, 6.0),
            volume(),
        ),
        (
            "at the rate of a limit without a queue",
            plain(3000, 0, 0.4),
            volume(),
        ),
        (
            "above a limit that does not hold",
            plain(4000, 0, 6.0),
            volume(),
        ),
        (
            "a bucket that is not touched",
            plain(200, 0, 2.0),
            vec![gp2()],
        ),
        (
            "a bucket that is being used",
            plain(1500, 0, 3.0),
            vec![gp2()],
        ),
        (
            "writes below a limit of reads",
            plain(0, 3000, 4.0),
            vec![cap("volume.reads=3000iops")],
        ),
        (
            "a group below its limit",
            with(90, 0, 0.2, |all| {
                all.groups = vec![group("io.max vda riops=100", 90, 0)];
            }),
            vec![],
        ),
        (
            "a group with another kind of limit",
            with(5000, 0, 3.0, |all| {
                all.groups = vec![group("io.max vda wbps=1000000", 5000, 0)];
            }),
            vec![],
        ),
        (
            "a target of latency",
            with(5000, 0, 3.0, |all| {
                all.groups = vec![group("io.latency vda target=10000", 5000, 0)];
            }),
            vec![],
        ),
        (
            "a share that hardly waits",
            with(5000, 0, 3.0, |all| {
                all.groups = vec![GroupSeen {
                    cost_wait_ns: SECOND / 100,
                    ..group("", 5000, 0)
                }];
            }),
            vec![],
        ),
        (
            "a burst of writes below the dirty limit",
            with(0, 20_000, 30.0, |all| {
                all.memory = Some(MemorySeen {
                    dirty_bytes: 600 << 20,
                    limit_bytes: 1000 << 20,
                    dirtied_bytes: 80 << 20,
                });
            }),
            vec![],
        ),
        (
            "dirty pages that nobody waits for",
            with(100, 2000, 3.0, |all| {
                all.stalled = Some(0.01);
                all.memory = Some(MemorySeen {
                    dirty_bytes: 900 << 20,
                    limit_bytes: 1000 << 20,
                    dirtied_bytes: 1 << 20,
                });
            }),
            vec![],
        ),
        (
            "readers beside old dirty pages",
            with(9000, 0, 8.0, |all| {
                all.memory = Some(MemorySeen {
                    dirty_bytes: 900 << 20,
                    limit_bytes: 1000 << 20,
                    dirtied_bytes: 0,
                });
            }),
            vec![],
        ),
        (
            "a database with group commit",
            with(4000, 2000, 3.0, |all| {
                all.disks[0].flushes = Some((900, 300));
            }),
            vec![],
        ),
        (
            "a disk of one slot",
            with(120, 0, 0.99, |all| {
                all.disks[0].tags = Some(1);
                all.disks[0].slots = Some(2);
            }),
            vec![],
        ),
        (
            "a queue that is half full",
            with(9000, 0, 16.0, |all| {
                all.disks[0].tags = Some(32);
            }),
            vec![],
        ),
        (
            "a scheduler that passes on",
            with(150, 50, 6.0, |all| {
                all.disks[0].scheduler = Some("mq-deadline".into());
                all.disks[0].in_driver = Some(5.0);
            }),
            vec![],
        ),
        (
            "a short wait in the scheduler",
            with(150, 50, 2.0, |all| {
                all.disks[0].scheduler = Some("bfq".into());
                all.disks[0].in_driver = Some(0.5);
            }),
            vec![],
        ),
        (
            "EBS with microbursts",
            with(2000, 0, 3.0, |all| {
                all.disks[0].exceeded = vec![exceeded(CapOwner::Volume, "the volume's IOPS", 0.04)];
            }),
            vec![],
        ),
        (
            "NFS with free slots",
            Seen {
                length_ns: SECOND,
                mounts: vec![MountSeen {
                    path: "/mnt".into(),
                    requests: 3000,
                    queue_ms: 30,
                    round_trip_ms: 2400,
                    sent: 3100,
                    ..MountSeen::default()
                }],
                ..Seen::default()
            },
            vec![],
        ),
        (
            "two disks whose sum is below the limit",
            with(1000, 0, 2.0, |all| {
                let other = DiskSeen {
                    name: "vdb".into(),
                    ..all.disks[0].clone()
                };
                all.disks.push(other);
            }),
            volume(),
        ),
    ]
}

#[test]
fn nobody_accuses_a_healthy_system() {
    let all = healthy();
    let accused = all.iter().filter_map(|(name, seen, caps)| {
        let answer = answer(seen, caps);
        answer.cause.map(|cause| (*name, cause, answer.finding))
    });
    assert_eq!(accused.collect::<Vec<_>>(), []);
    assert_eq!(all.len(), 24);
    let idle = answer(&all[0].1, &[]);
    let fact = "not limited: the storage idles (0.00 requests in flight on average)";
    let sentence = format!("{fact}; look elsewhere");
    assert_eq!(
        (idle.standing, idle.fact(0), idle.sentence(0)),
        (Standing::Idle, fact.to_owned(), sentence)
    );
}

#[test]
fn the_start_of_a_limit_is_found() {
    let limited = || {
        let mut all = seen(disk(100, 0, 0.1));
        all.groups = vec![group("io.max vda riops=100", 100, 0)];
        all
    };
    let free = || seen(disk(50, 0, 0.1));
    let since = |spans: &[bool]| {
        let mut live = Live::new(Vec::new(), 1.0);
        let mut last = None;
        for is_limited in spans {
            let next = if *is_limited { limited() } else { free() };
            last = live.take(&next).since;
        }
        last.map(|since| (since.from_ns / SECOND, since.is_earlier))
    };
    assert_eq!(since(&[true, true]), Some((0, true)));
    assert_eq!(since(&[false, true, true]), Some((1, false)));
    assert_eq!(since(&[true, false, true]), Some((0, true)));
    assert_eq!(since(&[true, false, false, true]), Some((3, false)));
    assert_eq!(since(&[true, false]), None);
    let mut live = Live::new(Vec::new(), 1.0);
    let answer = live.take(&limited());
    let expected = "limited by the control group: io.max of db allows 100.0 reads/s on vda, and \
                    100.0 are served; since 2026-11-27T14:00:00.000Z or earlier, until the load \
                    falls or the limit is raised";
    assert_eq!(answer.sentence(1_795_788_000 * SECOND), expected);
    let expected = "not limited: the storage idles (0.10 requests in flight on average); look \
                    elsewhere";
    let mut live = Live::new(Vec::new(), 1.0);
    assert_eq!(live.take(&free()).sentence(0), expected);
}

/// A volume of the catalogue with loads that change, followed by its counters alone: at each look
/// the end of the credit is foretold, and compared with when the model's rate falls.
#[test]
fn the_end_of_the_credit_is_foretold_within_five_percent() {
    let catalog = Catalog::embedded();
    let layout: Layout = "gp2:250GiB".parse().expect("a volume");
    let at = "2026-11-01".parse().expect("a day");
    let built = layout.build(&catalog, at, &Options::default());
    let built = built.expect("a volume");
    let mut compared = 0;
    for iops in [1200.0, 1800.0, 2400.0, 2900.0] {
        let mut model = built.system.boxed();
        let mut live = Live::new(built.caps.clone(), 1.0);
        let mut foretold: Vec<(f64, f64)> = Vec::new();
        let mut now_s = 0_u64;
        let ended_s = loop {
            // For ten minutes the load goes up and down; then it stays, and the answer can be true.
            let factor = match now_s {
                0..300 => 0.5,
                300..600 => 0.9,
                _ => 1.0,
            };
            let demand = Demand {
                open: Flow::of(Op::Read, 4096.0),
                open_iops: iops * factor,
                ..Demand::default()
            };
            let served = model.serve(&demand, Nanos::from_secs(now_s), Nanos::from_secs(5));
            let steps = served.steps.iter();
            let reads: f64 = steps
                .map(|step| step.iops() * step.span.0 as f64 / 1e9)
                .sum();
            now_s += 5;
            if reads < iops * factor * 5.0 * 0.97 {
                break now_s as f64;
            }
            let all = Seen {
                length_ns: 5 * SECOND,
                ..seen(disk(reads as u64, 0, 8.0))
            };
            let answer = live.take(&all);
            if now_s > 600 {
                let left_s = answer.credit_empty_in_s.expect("it is being used");
                foretold.push((now_s as f64, now_s as f64 + left_s));
            }
        };
        for (at_s, end_s) in foretold {
            // The look at the end is up to 5 s late.
            let error = (end_s - ended_s).abs() - 5.0;
            assert!(
                error <= 0.05 * (ended_s - at_s),
                "{iops}: {end_s} for {ended_s} at {at_s}"
            );
            compared += 1;
        }
    }
    assert_eq!(compared, COMPARED);
}

const PAGE: &str = "../../docs/throttled.md";
const BEGIN: &str = "<!-- thresholds:begin -->\n";
const END: &str = "<!-- thresholds:end -->";

/// With `FATHOM_WRITE_DOCS=1` it writes the table.
#[test]
fn the_page_has_every_threshold() {
    let row = |one: &Threshold| format!("| {} | {} |\n", one.what.trim(), one.printed());
    let rows: String = LIVE.iter().map(row).collect();
    let page = std::fs::read_to_string(PAGE).expect(PAGE);
    let (before, rest) = page.split_once(BEGIN).expect("the begin of the table");
    let (_, after) = rest.split_once(END).expect("the end of the table");
    let table = format!("| threshold | value |\n| --- | ---: |\n{rows}");
    let renewed = format!("{before}{BEGIN}{table}{END}{after}");
    if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
        std::fs::write(PAGE, &renewed).expect(PAGE);
        return;
    }
    assert!(
        page == renewed,
        "write {PAGE} anew with FATHOM_WRITE_DOCS=1"
    );
}
