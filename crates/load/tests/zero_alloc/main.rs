//! The measured loop allocates nothing: whole phases on real threads under a sealed allocator.
//!
//! The allocator of this binary ends the process when a sealed thread allocates, so a test that
//! gets through has proved its point for every request and every interval it made.

#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

#[path = "../scenarios/on_file.rs"]
mod on_file;
#[path = "../scenarios/scenario.rs"]
#[expect(dead_code, reason = "the scenarios use more of it")]
mod scenario;

use fathom_core::engine::EngineRow;
use fathom_core::spec::{Arrivals, Job, SyncEvery, Verify};
use fathom_core::{EngineKind, Nanos, Op};
use fathom_engine::alloc::{self, CountingAllocator};
use fathom_engine::sim::SimVolume;
use fathom_load::verify::Written;
use on_file::FILE_BYTES;
use scenario::{Scenario, job, kind, open};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const IOS: u64 = 20_000;

/// Runs `job` until it has made its requests; gives the number that completed.
fn run(kind: EngineKind, mut job: Job) -> u64 {
    alloc::set_strict(true);
    job.stop.ios = Some(IOS);
    job.durability.direct = false;
    let stamps = job.verify.stamps();
    let mut scenario = Scenario::new(job, SimVolume::default().service);
    scenario.workload.interval = Nanos::from_millis(100);
    scenario.phase().duration = None;
    let written = Written::new((0, FILE_BYTES), 4096, 0, false);
    on_file::run(kind, &scenario, stamps.then_some(written)).jobs[0].completed
}

/// Runs `job` on every engine that this machine has.
fn on_every_engine(make: impl Fn() -> Job) {
    // A file has no NVMe commands; the laboratory has a device for them.
    let none = [EngineKind::Sim, EngineKind::Nvme];
    for engine in EngineRow::of_runs().filter(|engine| !none.contains(&engine.kind)) {
        if let Err(cause) = fathom_engine::available(engine.kind) {
            fathom_testing::skip(format_args!("{} is {cause}", engine.kind));
            continue;
        }
        assert_eq!(run(engine.kind, make()), IOS, "{}", engine.kind);
    }
    assert_eq!(alloc::sealed_allocations(), 0);
}

#[test]
fn a_closed_loop_of_reads_allocates_nothing() {
    on_every_engine(|| {
        let mut reads = job("reads");
        reads.queue_depth = 32;
        reads
    });
}

#[test]
fn a_mix_with_verified_writes_and_flushes_allocates_nothing() {
    on_every_engine(|| {
        let mut mix = job("mix");
        mix.queue_depth = 8;
        mix.threads = 2;
        mix.kinds = vec![kind(Op::Read, 4096), kind(Op::Write, 4096)];
        mix.verify = Verify::Stamp;
        // A flush is one of the requests that `IOS` does not count; none is due within them.
        mix.durability.sync = Some(SyncEvery {
            writes: 1_000_000,
            data_only: true,
        });
        mix
    });
}

#[test]
fn checked_reads_among_writes_allocate_nothing() {
    on_every_engine(|| {
        let mut mix = job("mix");
        mix.queue_depth = 8;
        mix.threads = 2;
        mix.kinds = vec![kind(Op::Read, 4096), kind(Op::Write, 4096)];
        mix.verify = Verify::Check;
        mix
    });
}

#[test]
fn an_open_load_with_skewed_places_allocates_nothing() {
    on_every_engine(|| {
        let mut paced = job("paced");
        paced.queue_depth = 16;
        paced.pacing = open(200_000.0, Arrivals::Poisson);
        paced.access.distribution = fathom_core::spec::Distribution::Zipf { theta: 0.9 };
        paced
    });
}
