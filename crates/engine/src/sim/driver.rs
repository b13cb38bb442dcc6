//! Interleaves workers in virtual time. The workers' code is the one that runs on hardware;
//! only this outer loop differs from a thread that repeats its turn.

use super::world::WorldRef;
use crate::error::EngineError;
use crate::io::Progress;
use fathom_core::Nanos;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What an actor did in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Something; it wants to go on at once.
    Again,
    /// Nothing can happen to it before this instant.
    Parked(Nanos),
    /// It has finished.
    Done,
}

impl From<Progress> for Step {
    fn from(progress: Progress) -> Self {
        match progress {
            Progress::Ready => Self::Again,
            Progress::Parked(until) => Self::Parked(until),
        }
    }
}

/// Something that lives in virtual time.
pub trait Actor {
    /// Does what is possible at the world's present instant.
    fn step(&mut self) -> Result<Step, EngineError>;
}

/// Steps that one instant may take before the simulation is said to be stuck.
const STEPS_AT_ONE_INSTANT: u64 = 10_000_000;

/// Runs `actors` until all are done. `watch` is called after each step with the instant.
///
/// Ties break by position, so the order of steps depends on nothing but the actors themselves.
pub fn drive(
    world: &WorldRef,
    actors: &mut [impl Actor],
    mut watch: impl FnMut(Nanos),
) -> Result<(), EngineError> {
    let start = world.borrow().now();
    let mut queue: BinaryHeap<Reverse<(Nanos, usize)>> = (0..actors.len())
        .map(|index| Reverse((start, index)))
        .collect();
    let mut steps = 0_u64;
    while let Some(Reverse((at, index))) = queue.pop() {
        let before = world.borrow().now();
        world.borrow_mut().advance(at);
        let now = world.borrow().now();
        steps = if now > before { 0 } else { steps + 1 };
        if steps > STEPS_AT_ONE_INSTANT {
            return Err(EngineError::Call {
                call: "the simulation",
                cause: format!("time stands still at {now}"),
            });
        }
        match actors[index].step()? {
            Step::Again => queue.push(Reverse((now, index))),
            Step::Parked(Nanos::MAX) => {
                return Err(EngineError::Call {
                    call: "the simulation",
                    cause: format!("worker {index} waits for nothing at {now}"),
                });
            }
            Step::Parked(until) => queue.push(Reverse((until.max(now), index))),
            Step::Done => {}
        }
        watch(now);
    }
    Ok(())
}
