//! Exactly what was asked for is issued: amounts of requests and bytes over any number of threads,
//! with and without warm-up, on every engine.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

#[path = "../scenarios/on_file.rs"]
mod on_file;
#[path = "../scenarios/scenario.rs"]
#[expect(dead_code, reason = "the scenarios use more of it")]
mod scenario;

use fathom_core::engine::EngineRow;
use fathom_core::result::{EndReason, JobResult, PhaseResult};
use fathom_core::{Bytes, EngineKind, Nanos, Op};
use on_file::FILE_BYTES;
use proptest::prelude::*;
use scenario::{Scenario, job, kind};

/// What is asked for, and of how many.
#[derive(Clone, Debug)]
struct Ask {
    ios: Option<u64>,
    bytes: Option<u64>,
    threads: u32,
    queue_depth: u32,
    warm_up: Nanos,
    block_size: u64,
}

impl Ask {
    /// Requests that it comes to.
    fn requests(&self) -> u64 {
        let by_bytes = self.bytes.map(|bytes| bytes.div_ceil(self.block_size));
        let asked = self.ios.into_iter().chain(by_bytes).min();
        asked.expect("something is asked for")
    }

    fn scenario(&self) -> Scenario {
        let mut writes = job("writes");
        writes.threads = self.threads;
        writes.queue_depth = self.queue_depth;
        writes.kinds = vec![kind(Op::Write, self.block_size)];
        writes.stop.ios = self.ios;
        writes.stop.bytes = self.bytes.map(Bytes);
        writes.durability.direct = false;
        let mut scenario = Scenario::new(writes, Nanos::from_micros(10));
        scenario.phase().warm_up = self.warm_up;
        scenario.phase().duration = None;
        scenario.volume.size_bytes = FILE_BYTES;
        scenario
    }

    /// What came of it beside what should have.
    fn compare(&self, result: &PhaseResult) -> [(EndReason, u64); 2] {
        let issued = |job: &JobResult| job.submitted;
        let asked = (EndReason::Amount, self.requests());
        [asked, (result.ended_by, issued(&result.jobs[0]))]
    }
}

prop_compose! {
    fn asks(longest_warm_up: u64)(
        ios in prop::option::of(1_u64..40),
        bytes in prop::option::of(1_u64..300_000),
        fallback in 1_u64..40,
        threads in 1_u32..7,
        queue_depth in 1_u32..9,
        warm_up in prop::sample::select(vec![0, longest_warm_up]),
        pages in 1_u64..4,
    ) -> Ask {
        let ios = if bytes.is_none() { ios.or(Some(fallback)) } else { ios };
        let (warm_up, block_size) = (Nanos(warm_up), 4096 * pages);
        Ask { ios, bytes, threads, queue_depth, warm_up, block_size }
    }
}

proptest! {
    #[test]
    fn the_simulator_issues_what_was_asked_for(ask in asks(1_000_000)) {
        let [asked, found] = ask.compare(&ask.scenario().run());
        prop_assert_eq!(asked, found);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_engine_issues_what_was_asked_for(ask in asks(300_000)) {
        // A file has no NVMe commands; the laboratory has a device for them.
        let none = [EngineKind::Sim, EngineKind::Nvme];
        let real = EngineRow::of_runs().filter(|engine| !none.contains(&engine.kind));
        for engine in real.filter(|engine| fathom_engine::available(engine.kind).is_ok()) {
            let [asked, found] = ask.compare(&on_file::run(engine.kind, &ask.scenario(), None));
            prop_assert_eq!(asked, found, "{}", engine.kind);
        }
    }
}
