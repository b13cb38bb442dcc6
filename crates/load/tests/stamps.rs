//! The order of a turn: requests are prepared, then stamped, then submitted. An engine whose clock
//! goes on with each of these tells what each was counted as.

#[path = "scenarios/scenario.rs"]
#[expect(dead_code, reason = "the scenarios use more of it")]
mod scenario;

use fathom_core::interval::OpInterval;
use fathom_core::{Nanos, Op};
use fathom_engine::sim::Step;
use fathom_engine::{Completion, Engine, EngineConfig, EngineError, Progress, Submission, Wait};
use fathom_load::request::Window;
use fathom_load::targets::JobTargets;
use fathom_load::worker::Worker;
use scenario::{Scenario, job, kind, open};
use std::cell::RefCell;
use std::rc::Rc;

/// What it costs to fill a buffer, to push a request, and to serve all that were pushed.
const FILL: u64 = 1_000;
const PUSH: u64 = 10;
const SERVICE: u64 = 500;

/// Serves everything at once, and takes its time for each step.
struct Slow {
    now: u64,
    slots: u32,
    bytes: Vec<u8>,
    pushed: Vec<Completion>,
    /// How many requests each turn submitted, and how many completions it waited for.
    turns: Rc<RefCell<Vec<(usize, u32)>>>,
}

impl Engine for Slow {
    fn now(&mut self) -> Nanos {
        Nanos(self.now)
    }

    fn push(&mut self, io: Submission) {
        self.now += PUSH;
        let (slot, result) = (io.slot, io.len as i32);
        self.pushed.push(Completion { slot, result });
    }

    fn turn(
        &mut self,
        wait: Wait,
        done: &mut impl FnMut(Completion),
    ) -> Result<Progress, EngineError> {
        let turn = (self.pushed.len(), wait.min);
        self.turns.borrow_mut().push(turn);
        if self.pushed.is_empty() {
            self.now = self.now.max(wait.until.0);
        } else {
            self.now += SERVICE;
        }
        self.pushed.drain(..).for_each(done);
        Ok(Progress::Ready)
    }

    fn buffer(&mut self, _slot: u32) -> &mut [u8] {
        self.now += FILL;
        &mut self.bytes
    }

    fn max_in_flight(&self) -> u32 {
        self.slots
    }

    fn flags(&self) -> Vec<String> {
        Vec::new()
    }
}

/// What the writes of a job came to.
struct Seen {
    writes: OpInterval,
    max_lag: Nanos,
    /// As in [`Slow`].
    turns: Vec<(usize, u32)>,
}

/// What the writes of a job that makes 40 came to.
fn writes(depth: u32, bend: impl FnOnce(&mut Scenario)) -> Seen {
    let mut writer = job("writes");
    writer.queue_depth = depth;
    writer.kinds = vec![kind(Op::Write, 4096)];
    writer.stop.ios = Some(40);
    let mut scenario = Scenario::new(writer, Nanos::ZERO);
    bend(&mut scenario);
    let targets = [JobTargets {
        open: Vec::new(),
        paths: vec!["none".to_owned()],
        windows: vec![Window {
            start: 0,
            len: 1 << 20,
        }],
        numbers: vec![0],
        ..JobTargets::default()
    }];
    let plan = scenario.plan(&scenario.workload.phases[0], &targets);
    let mut assembly = plan.assemble(EngineConfig::default());
    let (start, end) = (Nanos::from_secs(1), Nanos::from_secs(9));
    assembly.shared.begin(start, start, end);
    let seed = assembly.workers.remove(0);
    let engine = Slow {
        now: start.0,
        slots: seed.config.slots,
        bytes: vec![0; 4096],
        pushed: Vec::new(),
        turns: Rc::default(),
    };
    let turns = engine.turns.clone();
    let mut worker = Worker::new(engine, seed.parts);
    // What it cost to prepare the buffers is before the begin.
    let begin = worker.now();
    assembly.shared.begin(begin, begin, end);
    worker.begin();
    while worker.turn().expect("the engine does not fail") != Step::Done {}
    let max_lag = worker.into_outcome().max_lag;
    let interval = assembly.links[0].tally.full.pop().expect("an interval");
    let writes = interval.ops[Op::Write].as_deref().cloned();
    let turns = turns.borrow().clone();
    Seen {
        writes: writes.expect("writes"),
        max_lag,
        turns,
    }
}

#[test]
fn service_time_holds_nothing_of_the_generator() {
    for depth in [1, 8] {
        let seen = writes(depth, |_| {}).writes;
        let service = seen.service.spread();
        assert_eq!(
            (service.count, service.min, service.max),
            (40, 500.0, 500.0)
        );
        let generation = seen.generation.spread().expect("all were generated");
        // A batch is as many as there are slots.
        let batch = f64::from(depth) * (FILL + PUSH) as f64;
        assert_eq!(
            (generation.count, generation.min, generation.max),
            (40, batch, batch)
        );
    }
}

#[test]
fn response_time_counts_from_the_intended_instant() {
    // Every 100 us one is due, and each takes 1.51 us: all are punctual but for their generation.
    let seen = writes(8, |scenario| {
        let pacing = open(10_000.0, fathom_core::spec::Arrivals::Constant);
        scenario.phase().jobs[0].pacing = pacing;
    });
    // Each is alone in its batch, and late by what it took to prepare it.
    assert_eq!(seen.max_lag, Nanos(FILL + PUSH));
    let seen = seen.writes;
    let response = seen
        .response
        .expect("an open load has response times")
        .spread();
    let service = seen.service.spread();
    assert_eq!((service.min, service.max), (500.0, 500.0));
    assert_eq!(
        (response.count, response.min, response.max),
        (40, 1_510.0, 1_510.0)
    );
}

#[test]
fn batches_are_as_asked() {
    let turns = |submit, complete| {
        let seen = writes(8, |scenario| {
            scenario.phase().jobs[0].submit_batch = submit;
            scenario.phase().jobs[0].complete_batch = complete;
        });
        seen.turns
    };
    // While more is to be submitted, nothing is waited for.
    let mut threes = vec![(3, 0); 13];
    threes.push((1, 1));
    assert_eq!(turns(Some(3), None), threes);
    assert_eq!(turns(None, Some(5)), vec![(8, 5); 5]);
    // Never for more than are in flight.
    assert_eq!(turns(None, Some(20)), vec![(8, 8); 5]);
}
