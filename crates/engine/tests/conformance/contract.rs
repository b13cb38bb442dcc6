//! What every engine promises: completions, waiting, time.

use crate::bench::{BLOCK_BYTES, BLOCKS, Bench};
use fathom_core::{Nanos, Op};
use fathom_engine::{Completion, Engine as _};
use proptest::prelude::*;

/// What an engine of bytes can be asked for, with trims if it has them.
pub(crate) const fn ops(trims: bool) -> &'static [Op] {
    if trims {
        &[Op::Read, Op::Write, Op::Trim, Op::Flush]
    } else {
        &[Op::Read, Op::Write, Op::Flush]
    }
}

/// What a test does between two turns, and in the turn.
#[derive(Clone, Debug)]
struct Step {
    pushes: Vec<(Op, u64)>,
    /// Share of what is in flight to wait for, in 256ths; none: wait for the instant alone.
    share: Option<u8>,
    micros: u64,
}

fn steps(trims: bool) -> impl Strategy<Value = Vec<Step>> {
    let op = prop::sample::select(ops(trims));
    let pushes = prop::collection::vec((op, 0..BLOCKS), 0..40);
    let step =
        (pushes, prop::option::of(any::<u8>()), 0..300_u64).prop_map(|(pushes, share, micros)| {
            Step {
                pushes,
                share,
                micros,
            }
        });
    prop::collection::vec(step, 1..12)
}

/// The slots of a test, and what is expected of those in flight.
struct Ledger {
    expected: Vec<Option<i32>>,
}

impl Ledger {
    fn free(&self) -> Option<usize> {
        self.expected.iter().position(Option::is_none)
    }

    fn in_flight(&self) -> u32 {
        self.expected.iter().flatten().count() as u32
    }

    fn settle(&mut self, done: &[Completion]) {
        for completion in done {
            let expected = self.expected[completion.slot as usize].take();
            assert_eq!(
                expected,
                Some(completion.result),
                "slot {}",
                completion.slot
            );
        }
    }
}

fn run<B: Bench>(bench: &mut B, steps: &[Step]) {
    let slots = bench.engine().max_in_flight() as usize;
    let mut ledger = Ledger {
        expected: vec![None; slots],
    };
    let mut last = bench.now();
    for step in steps {
        for (op, block) in &step.pushes {
            let Some(slot) = ledger.free() else { break };
            let moves = matches!(op, Op::Read | Op::Write);
            ledger.expected[slot] = Some(if moves { BLOCK_BYTES as i32 } else { 0 });
            bench.push(*op, slot as u32, block * u64::from(BLOCK_BYTES));
        }
        let in_flight = ledger.in_flight();
        let until = bench.now() + Nanos::from_micros(step.micros);
        let min = step
            .share
            .map_or(0, |share| 1 + u32::from(share) * in_flight / 256);
        let done = bench.turn(min, until);
        let now = bench.now();
        assert!(now >= last, "time went back from {last} to {now}");
        assert!(
            now >= until || (min > 0 && done.len() >= min as usize),
            "the turn ended at {now} with {} of {min}, before {until}",
            done.len()
        );
        last = now;
        ledger.settle(&done);
    }
    let rest = ledger.in_flight();
    if rest > 0 {
        ledger.settle(&bench.turn(rest, Nanos::MAX));
    }
    assert_eq!(ledger.in_flight(), 0);
    assert_eq!(bench.turn(1, last), []);
}

pub(crate) fn each_pushed_slot_completes_once<B: Bench>(make: &impl Fn() -> Option<B>) {
    let config = ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(steps in steps(B::trims()))| {
        let Some(mut bench) = make() else { return Ok(()) };
        run(&mut bench, &steps);
    });
}

pub(crate) fn enough_ends_the_turn<B: Bench>(make: &impl Fn() -> Option<B>) {
    let Some(mut bench) = make() else { return };
    let slots = bench.engine().max_in_flight();
    for slot in 0..slots {
        bench.push(Op::Read, slot, 0);
    }
    let mut slots_done: Vec<u32> = Vec::new();
    while slots_done.len() < slots as usize {
        let done = bench.turn(1, Nanos::MAX);
        assert!(!done.is_empty());
        slots_done.extend(done.iter().map(|c| c.slot));
    }
    slots_done.sort_unstable();
    assert_eq!(slots_done, (0..slots).collect::<Vec<_>>());
}

pub(crate) fn a_turn_with_nothing_in_flight_waits_for_its_instant<B: Bench>(
    make: &impl Fn() -> Option<B>,
) {
    let Some(mut bench) = make() else { return };
    for (min, micros) in [(0, 10), (1, 30), (0, 300), (5, 2000)] {
        let until = bench.now() + Nanos::from_micros(micros);
        assert_eq!(bench.turn(min, until), []);
        assert!(bench.now() >= until);
    }
}

pub(crate) fn an_instant_in_the_past_does_not_wait<B: Bench>(make: &impl Fn() -> Option<B>) {
    let Some(mut bench) = make() else { return };
    for min in [0, 1, 3] {
        assert_eq!(bench.turn(min, Nanos::ZERO), []);
    }
}

pub(crate) fn a_turn_that_cannot_get_enough_waits_for_its_instant<B: Bench>(
    make: &impl Fn() -> Option<B>,
) {
    let Some(mut bench) = make() else { return };
    for (min, micros) in [(0, 2000), (2, 2000), (40, 2000)] {
        bench.push(Op::Read, 0, 0);
        let until = bench.now() + Nanos::from_micros(micros);
        let done = bench.turn(min, until);
        assert!(bench.now() >= until);
        let rest = if done.is_empty() {
            bench.turn(1, Nanos::MAX)
        } else {
            Vec::new()
        };
        let all: Vec<_> = done.into_iter().chain(rest).collect();
        let whole = Completion {
            slot: 0,
            result: BLOCK_BYTES as i32,
        };
        assert_eq!(all, [whole]);
    }
}

pub(crate) fn looking_again_and_again_delivers_in_the_end<B: Bench>(make: &impl Fn() -> Option<B>) {
    let Some(mut bench) = make() else { return };
    let slots = bench.engine().max_in_flight();
    for slot in 0..slots {
        bench.push(Op::Write, slot, 0);
    }
    let mut delivered = 0;
    while delivered < slots {
        // An instant that is almost here: no turn may sleep, and virtual time goes on.
        let until = bench.now() + Nanos(100);
        delivered += bench.turn(0, until).len() as u32;
    }
    assert_eq!(delivered, slots);
}
