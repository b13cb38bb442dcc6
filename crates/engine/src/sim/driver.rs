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
    /// It looks at the first of these instants, and then at even distances, whether another actor
    /// has given a signal; whatever happens, it goes on at the last.
    Polls {
        /// The first.
        next: Nanos,
        /// From one to the next.
        every: Nanos,
        /// The last.
        until: Nanos,
    },
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

    /// The signals that it has given so far, for which others poll.
    fn signals(&self) -> u64 {
        0
    }
}

/// Those that poll. Only a signal makes a difference to them, so that what they would look at
/// before is left out; they see it at the same instant as if they had looked.
#[derive(Debug)]
struct Polls {
    /// The next instant, the distance and the last instant of those that poll; none for the others.
    grids: Vec<Option<(Nanos, Nanos, Nanos)>>,
    signals: Vec<u64>,
}

impl Polls {
    fn new(actors: usize) -> Self {
        Self {
            grids: vec![None; actors],
            signals: vec![0; actors],
        }
    }

    /// Whether an actor has given a signal in its last step.
    fn has_signalled(&mut self, index: usize, signals: u64) -> bool {
        std::mem::replace(&mut self.signals[index], signals) != signals
    }

    /// The actors that see a signal of actor `index` at an instant, and when.
    fn woken(&mut self, index: usize, now: Nanos) -> impl Iterator<Item = (Nanos, usize)> + '_ {
        let grids = self.grids.iter_mut().enumerate();
        grids.filter_map(move |(other, grid)| {
            let (next, every, until) = grid.take()?;
            let past = now.saturating_sub(next).0.div_ceil(every.0.max(1));
            let mut at = Nanos(next.0 + past * every.0);
            // At the same instant those before it have looked already.
            if at == now && other <= index {
                at = at + every;
            }
            Some((at.min(until), other))
        })
    }
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
    let mut queue: BinaryHeap<Reverse<(Nanos, usize, u64)>> = (0..actors.len())
        .map(|index| Reverse((start, index, 0)))
        .collect();
    let mut polls = Polls::new(actors.len());
    // The number of the entry of each in the queue; those before it are of no account any more.
    let mut entries = vec![0_u64; actors.len()];
    let mut steps = 0_u64;
    while let Some(Reverse((at, index, number))) = queue.pop() {
        if entries[index] != number {
            continue;
        }
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
        polls.grids[index] = None;
        let step = actors[index].step()?;
        let next = match step {
            Step::Again => Some(now),
            Step::Parked(Nanos::MAX) => {
                return Err(EngineError::Call {
                    call: "the simulation",
                    cause: format!("worker {index} waits for nothing at {now}"),
                });
            }
            Step::Parked(until) => Some(until.max(now)),
            Step::Polls { next, every, until } => {
                polls.grids[index] = Some((next, every, until));
                Some(until.max(now))
            }
            Step::Done => None,
        };
        let mut enqueue = |at: Nanos, index: usize| {
            entries[index] += 1;
            queue.push(Reverse((at, index, entries[index])));
        };
        if let Some(next) = next {
            enqueue(next, index);
        }
        if polls.has_signalled(index, actors[index].signals()) {
            for (at, other) in polls.woken(index, now) {
                enqueue(at, other);
            }
        }
        watch(now);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{SimVolume, World};

    /// One that signals at an instant, and one that polls for it.
    enum Either {
        Signals(WorldRef, Nanos, u64),
        Polls(WorldRef, Vec<Nanos>),
    }

    const EVERY: Nanos = Nanos::from_micros(200);
    const LAST: Nanos = Nanos::from_millis(3);

    impl Actor for Either {
        fn step(&mut self) -> Result<Step, EngineError> {
            Ok(match self {
                Self::Signals(world, at, given) => {
                    let now = world.borrow().now();
                    *given = u64::from(now >= *at);
                    match now {
                        now if now >= LAST => Step::Done,
                        now if now < *at => Step::Parked(*at),
                        _ => Step::Parked(LAST),
                    }
                }
                Self::Polls(world, looks) => {
                    let now = world.borrow().now();
                    looks.push(now);
                    if now >= LAST {
                        Step::Done
                    } else {
                        Step::Polls {
                            next: now + EVERY,
                            every: EVERY,
                            until: LAST,
                        }
                    }
                }
            })
        }

        fn signals(&self) -> u64 {
            match self {
                Self::Signals(.., given) => *given,
                Self::Polls(..) => 0,
            }
        }
    }

    /// The instants, in microseconds, at which the polling one looks.
    fn looks(signal_us: u64, polls_first: bool) -> Vec<u64> {
        let world = World::new(&SimVolume::default(), 1, false);
        let signal = Nanos::from_micros(signal_us);
        let mut actors = vec![
            Either::Polls(world.clone(), Vec::new()),
            Either::Signals(world.clone(), signal, 0),
        ];
        if !polls_first {
            actors.reverse();
        }
        drive(&world, &mut actors, |_| ()).expect("it ends");
        let looks = actors.into_iter().find_map(|actor| match actor {
            Either::Polls(_, looks) => Some(looks),
            Either::Signals(..) => None,
        });
        let looks = looks.expect("one polls").into_iter();
        looks.map(|at| at.0 / 1_000).collect()
    }

    #[test]
    fn who_polls_sees_a_signal_when_it_would_have_looked() {
        assert_eq!(looks(1_050, true), [0, 1_200, 3_000]);
        // At the same instant the first of them has its turn first.
        assert_eq!(looks(1_000, false), [0, 1_000, 3_000]);
        assert_eq!(looks(1_000, true), [0, 1_200, 3_000]);
        assert_eq!(looks(2_950, true), [0, 3_000]);
    }
}
