//! Damage of known kind, planted between writing and reading: each is found by its name, and where
//! nothing was planted nothing is found.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

use fathom_core::result::{PhaseResult, RunResult, Verified, WrongBlocks};
use fathom_core::spec::{BlockForm, Durability, IoKind, Job, JobStop, Phase, Verify, Workload};
use fathom_core::{Bytes, EngineKind, Nanos, Op, Percent};
use fathom_load::verify::{Mark, Stamp, examine, stamp};
use fathom_session::{Event, MadeFiles, Observer, Plan, Session, Silent, Watching};
use std::fs;
use std::path::{Path, PathBuf};

const BLOCK: usize = 4096;
const SIZE: usize = 256 << 10;
const SEED: u64 = 5;

fn kind(op: Op, random: Percent) -> IoKind {
    IoKind {
        op,
        block_size: Bytes(BLOCK as u64),
        random,
        align: Bytes(BLOCK as u64),
        weight: 1.0,
    }
}

/// A job that goes through the whole target once, in order.
fn job(name: &str, op: Op) -> Job {
    Job {
        name: name.into(),
        queue_depth: 4,
        size: Some(Bytes(SIZE as u64)),
        durability: Durability {
            direct: false,
            ..Durability::PLAIN
        },
        verify: Verify::Check,
        stop: JobStop {
            bytes: Some(Bytes(SIZE as u64)),
            ..JobStop::default()
        },
        kinds: vec![kind(op, Percent::ZERO)],
        ..Job::plain()
    }
}

fn phase(name: &str, jobs: Vec<Job>) -> Phase {
    Phase {
        name: name.into(),
        warm_up: Nanos::ZERO,
        duration: None,
        jobs,
        ..Phase::plain()
    }
}

fn plan(phases: Vec<Phase>, engine: EngineKind, target: &Path) -> Plan {
    let workload = Workload {
        name: "planted".into(),
        seed: Some(SEED),
        phases,
        ..Workload::plain()
    };
    let mut plan = Plan::new(workload).on(target).by(engine);
    plan.permissions.overwrite = true;
    plan.made_files = MadeFiles::Kept;
    plan.watching = Watching::Nothing;
    plan
}

fn run(plan: &Plan, observer: &mut dyn Observer) -> RunResult {
    let result = Session::new(plan.clone()).run(observer);
    result.expect("the run ends by itself")
}

/// Damages the content of the file, of which the earlier versions are known.
type Damage = dyn Fn(&[Vec<u8>], &mut Vec<u8>);

/// What the file held at the end of each phase, and what is done to it after the last but one.
struct Saboteur<'a> {
    path: PathBuf,
    versions: Vec<Vec<u8>>,
    plant: &'a Damage,
    phases: usize,
}

impl Observer for Saboteur<'_> {
    fn event(&mut self, event: &Event<'_>) {
        let Event::PhaseEnd { .. } = event else {
            return;
        };
        let mut content = fs::read(&self.path).expect("the file is there");
        self.versions.push(content.clone());
        if self.versions.len() == self.phases {
            (self.plant)(&self.versions, &mut content);
            fs::write(&self.path, content).expect("it is ours");
        }
    }
}

/// Writes everything twice, plants, and reads everything.
fn found(plant: &Damage) -> Verified {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("target");
    let phases = vec![
        phase("first", vec![job("first", Op::Write)]),
        phase("second", vec![job("second", Op::Write)]),
        phase("read", vec![job("read", Op::Read)]),
    ];
    let plan = plan(phases, EngineKind::Psync, &path);
    let mut saboteur = Saboteur {
        path,
        versions: Vec::new(),
        plant,
        phases: 2,
    };
    let result = run(&plan, &mut saboteur);
    result.phases[2].jobs[0].verified.expect("it was checked")
}

fn block(number: usize) -> std::ops::Range<usize> {
    number * BLOCK..(number + 1) * BLOCK
}

const NONE: WrongBlocks = WrongBlocks {
    zeros: 0,
    damaged: 0,
    torn: 0,
    stale: 0,
    lost: 0,
    misplaced: 0,
    foreign: 0,
    unstamped: 0,
};

/// Another run with the same seed.
const OTHER: Mark = Mark {
    run: 99,
    seed: SEED,
    salt: 0,
};

type Plant = fn(&[Vec<u8>], &mut Vec<u8>);

/// Each with what it is found to be, in blocks of 512 bytes.
const PLANTS: [(&str, Plant, WrongBlocks); 14] = [
    ("nothing", |_, _| {}, NONE),
    (
        "one block of the write before",
        |versions, content| content[block(9)].copy_from_slice(&versions[0][block(9)]),
        WrongBlocks { stale: 8, ..NONE },
    ),
    (
        "the whole volume rolled back",
        |versions, content| content.copy_from_slice(&versions[0]),
        WrongBlocks {
            stale: (SIZE / 512) as u64,
            ..NONE
        },
    ),
    (
        "a request torn between sectors",
        |versions, content| {
            let half = block(3).start..block(3).start + BLOCK / 2;
            content[half.clone()].copy_from_slice(&versions[0][half]);
        },
        WrongBlocks { torn: 4, ..NONE },
    ),
    (
        "a request torn inside of a sector",
        |versions, content| {
            // The first half with its description is the old one.
            let at = block(3).start;
            content[at..at + 256].copy_from_slice(&versions[0][at..at + 256]);
        },
        WrongBlocks { damaged: 1, ..NONE },
    ),
    (
        "as before the run",
        |_, content| stamp(&mut content[block(7)], 7 * BLOCK as u64, Stamp::laid(OTHER)),
        WrongBlocks { lost: 8, ..NONE },
    ),
    (
        "zeros",
        |_, content| content[block(63)].fill(0),
        WrongBlocks { zeros: 8, ..NONE },
    ),
    (
        "a block at another place",
        |_, content| content.copy_within(block(20), block(21).start),
        WrongBlocks {
            misplaced: 8,
            ..NONE
        },
    ),
    (
        "two blocks for each other",
        |versions, content| {
            content[block(30)].copy_from_slice(&versions[1][block(31)]);
            content[block(31)].copy_from_slice(&versions[1][block(30)]);
        },
        WrongBlocks {
            misplaced: 16,
            ..NONE
        },
    ),
    (
        "somebody else's bytes",
        |_, content| content[block(40)].fill(0xA5),
        WrongBlocks {
            unstamped: 8,
            ..NONE
        },
    ),
    (
        "a block of another run whose clock was a day ahead",
        |_, content| {
            let told = examine(&content[block(5)][..512], 5 * BLOCK as u64, None);
            let told = told.expect("it is good");
            let ahead = Stamp {
                sequence: told.sequence + (86_400_000_000_000 >> 9),
                run: OTHER.run,
                ..told
            };
            stamp(&mut content[block(5)], 5 * BLOCK as u64, ahead);
        },
        WrongBlocks { lost: 8, ..NONE },
    ),
    (
        "one bit of the payload",
        |_, content| content[block(11).start + 1000] ^= 4,
        WrongBlocks { damaged: 1, ..NONE },
    ),
    (
        "one bit of the description",
        |_, content| content[block(11).start + 512 + 9] ^= 4,
        WrongBlocks { damaged: 1, ..NONE },
    ),
    (
        "the end is missing",
        |_, content| content.truncate(SIZE - BLOCK),
        WrongBlocks { lost: 8, ..NONE },
    ),
];

#[test]
fn each_planted_kind_is_found_by_its_name_and_nothing_else() {
    for (case, plant, kinds) in PLANTS {
        let expected = Verified {
            blocks: (SIZE / 512) as u64,
            wrong: kinds.total(),
            unwritten: 0,
            kinds,
        };
        assert_eq!(found(&plant), expected, "{case}");
    }
}

/// Threads that read and write a few blocks all at once.
fn crowd(seed: u64, verify: Verify) -> Job {
    let mut job = job("crowd", Op::Write);
    job.verify = verify;
    job.threads = 1 + (seed % 4) as u32;
    job.queue_depth = 1 << (seed % 6);
    job.kinds = vec![kind(Op::Read, Percent::ALL), kind(Op::Write, Percent::ALL)];
    job.kinds[1].block_size = Bytes(BLOCK as u64 * (1 + seed % 3));
    if seed.is_multiple_of(3) {
        job.kinds.push(kind(Op::Trim, Percent::ALL));
        job.kinds[2].weight = 0.1;
    }
    if verify == Verify::ReadWritten && seed.is_multiple_of(2) {
        job.set_compat(|compat| compat.verify_backlog = Some(1 + (seed % 20) as u32));
    }
    job.stop = JobStop {
        ios: Some(250),
        ..JobStop::default()
    };
    job
}

fn verified(result: &RunResult) -> Verified {
    let mut sum = Verified::default();
    let jobs = result
        .phases
        .iter()
        .flat_map(|phase: &PhaseResult| &phase.jobs);
    for found in jobs.filter_map(|job| job.verified) {
        sum += found;
    }
    sum
}

#[test]
fn a_healthy_volume_is_found_good_a_hundred_times() {
    for seed in 0..100 {
        let all = [Verify::Check, Verify::ReadBack, Verify::ReadWritten];
        let verify = all[(seed % 3) as usize];
        let again = phase("again", vec![crowd(seed, verify)]);
        let jobs = vec![
            crowd(seed, verify),
            Job {
                name: "other".into(),
                ..crowd(seed + 1, verify)
            },
        ];
        let mut plan = plan(
            vec![phase("crowd", jobs), again],
            EngineKind::Sim,
            Path::new("sim"),
        );
        plan.workload.seed = Some(seed);
        plan.engine.volume.size_bytes = SIZE as u64;
        plan.engine.volume.servers = 1 + (seed % 8) as u32;
        let found = verified(&run(&plan, &mut Silent));
        assert!(found.blocks > 300, "seed {seed}: {found:?}");
        assert_eq!((found.wrong, found.kinds), (0, NONE), "seed {seed}");
    }
}

#[test]
fn real_files_are_found_good_by_every_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    for engine in [EngineKind::Psync, EngineKind::IoUring, EngineKind::Libaio] {
        for seed in 0..6 {
            let path = folder.path().join(format!("{}-{seed}", engine.name()));
            let verify = [Verify::ReadBack, Verify::ReadWritten][(seed % 2) as usize];
            let jobs = vec![crowd(seed, verify)];
            let mut plan = plan(vec![phase("crowd", jobs)], engine, &path);
            plan.workload.seed = Some(seed);
            let found = verified(&run(&plan, &mut Silent));
            let case = format!("{} seed {seed}: {found:?}", engine.name());
            assert!(found.blocks > 1_000, "{case}");
            assert_eq!((found.wrong, found.kinds), (0, NONE), "{case}");
        }
    }
}

/// Blocks of 512 KiB with a header each, and then reads and writes of 128 KiB on the same file.
#[test]
fn blocks_of_another_job_and_another_form_are_no_damage_to_a_mix() {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |name: &str, blocks: u64, kinds: Vec<IoKind>| {
        let bytes = Bytes(blocks * BLOCK as u64);
        let sized = |kind| IoKind {
            block_size: bytes,
            align: bytes,
            ..kind
        };
        let mut job = job(name, Op::Write);
        job.verify = Verify::ReadWritten;
        job.set_compat(|compat| compat.verify_as = BlockForm::FioMd5);
        job.access.without_repetition = true;
        job.kinds = kinds.into_iter().map(sized).collect();
        job
    };
    let both = vec![kind(Op::Read, Percent::ALL), kind(Op::Write, Percent::ALL)];
    let phases = vec![
        phase(
            "large",
            vec![of("large", 16, vec![kind(Op::Write, Percent::ALL)])],
        ),
        phase("small", vec![of("small", 4, both)]),
    ];
    let path = folder.path().join("file");
    let result = run(&plan(phases, EngineKind::Psync, &path), &mut Silent);
    let wrong = |phase: &PhaseResult| phase.jobs[0].verified.map(|found| found.wrong);
    let found: Vec<_> = result.phases.iter().map(wrong).collect();
    assert_eq!(found, [Some(0), Some(0)]);
    let small = &result.phases[1].jobs[0];
    let ios = |op| small.ops[op].as_ref().map_or(0, |done| done.ios);
    // Each place is read or written once, and what was written is read back, and nothing else.
    let back = small.read_back.as_ref().map_or(0, |back| back.read.ios);
    assert_eq!((ios(Op::Read) + ios(Op::Write), back), (16, ios(Op::Write)));
    assert!(ios(Op::Read) > 0);
}

#[test]
fn what_was_written_is_read_back_beside_the_measured_requests() {
    let folder = tempfile::tempdir().expect("a folder");
    for (engine, path) in [
        (EngineKind::Sim, Path::new("sim")),
        (EngineKind::Psync, &folder.path().join("psync")),
        (EngineKind::Libaio, &folder.path().join("libaio")),
    ] {
        let mut job = job("pass", Op::Write);
        job.verify = Verify::ReadWritten;
        job.threads = 2;
        job.queue_depth = 4;
        job.access.without_repetition = true;
        job.kinds = vec![kind(Op::Write, Percent::ALL)];
        job.stop = JobStop {
            ios: Some(10),
            ..JobStop::default()
        };
        let plan = plan(vec![phase("pass", vec![job])], engine, path);
        let result = run(&plan, &mut Silent);
        let job = &result.phases[0].jobs[0];
        let back = job.read_back.as_ref().expect("it was read back");
        let bytes = (back.read.ios, back.read.bytes);
        assert_eq!(bytes, (10, 10 * BLOCK as u64), "{engine:?}");
        assert_eq!((job.completed, job.ops[Op::Read].is_none()), (10, true));
        let checked = job.verified.expect("it was checked");
        let expected = Verified {
            blocks: 10 * (BLOCK / 512) as u64,
            ..Verified::default()
        };
        assert_eq!(checked, expected, "{engine:?}");
    }
}

#[test]
fn what_is_read_back_between_the_writes_is_measured_and_not_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    for (engine, path) in [
        (EngineKind::Sim, Path::new("sim")),
        (EngineKind::Psync, &folder.path().join("psync")),
        (EngineKind::Libaio, &folder.path().join("libaio")),
    ] {
        // Writes of all, those after which they are read back; reads in between, and reads at the
        // end, which begins with the last write.
        for (ios, backlog, between, after) in [(32, 8, 24, 8), (20, 8, 16, 4), (20, 64, 0, 20)] {
            let mut job = job("pass", Op::Write);
            job.verify = Verify::ReadWritten;
            job.set_compat(|compat| compat.verify_backlog = Some(backlog));
            job.queue_depth = 1;
            job.access.without_repetition = true;
            job.kinds = vec![kind(Op::Write, Percent::ALL)];
            job.stop = JobStop {
                ios: Some(ios),
                ..JobStop::default()
            };
            let plan = plan(vec![phase("pass", vec![job])], engine, path);
            let result = run(&plan, &mut Silent);
            let job = &result.phases[0].jobs[0];
            let reads = job.ops[Op::Read].as_ref().map_or(0, |reads| reads.ios);
            let back = job.read_back.as_ref().map_or(0, |back| back.read.ios);
            let writes = job.ops[Op::Write].as_ref().map_or(0, |writes| writes.ios);
            let case = format!("{engine:?}, {ios} by {backlog}");
            assert_eq!((writes, reads, back), (ios, between, after), "{case}");
            let expected = Verified {
                blocks: ios * (BLOCK / 512) as u64,
                ..Verified::default()
            };
            assert_eq!(job.verified, Some(expected), "{case}");
        }
    }
}
