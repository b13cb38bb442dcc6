//! The simulated engine: completes requests in virtual time, and parks instead of waiting.

use crate::engine::Engine;
use crate::error::EngineError;
use crate::io::{Completion, Progress, Submission, Wait};
use crate::sim::WorldRef;
use crate::spin::Spin;
use fathom_core::Nanos;
use std::collections::BTreeMap;

/// An engine over a [`World`](crate::sim::World) that it shares with other workers.
#[derive(Debug)]
pub struct SimEngine {
    world: WorldRef,
    /// The volume of each target.
    volumes: Vec<u16>,
    slots: u32,
    buffer_bytes: usize,
    buffers: Vec<u8>,
    /// In flight, by (instant of completion, number of the request).
    pending: BTreeMap<(Nanos, u64), Completion>,
    /// Where sleeps end late.
    spin: Option<Spin>,
    /// When the sleep was to end that the worker is in.
    wake: Option<Nanos>,
}

impl SimEngine {
    /// An engine whose targets are these volumes of the world, with `slots` requests in flight
    /// at most, of `buffer_bytes` each.
    pub fn new(world: WorldRef, volumes: Vec<u16>, slots: u32, buffer_bytes: u32) -> Self {
        let buffer_bytes = buffer_bytes as usize;
        let buffers = vec![0; slots as usize * buffer_bytes];
        let spin = world.borrow().wakes_late().then_some(Spin::LEARNED);
        Self {
            world,
            volumes,
            slots,
            buffer_bytes,
            buffers,
            pending: BTreeMap::new(),
            spin,
            wake: None,
        }
    }

    /// Until when a worker parks that waits for `until` at `now`: where sleeps end late, it sleeps
    /// first, and learns from that as on a machine.
    fn park(&mut self, until: Nanos, now: Nanos) -> Nanos {
        let Some(sleep) = self
            .spin
            .as_mut()
            .and_then(|spin| spin.sleep(until.saturating_sub(now)))
        else {
            return until;
        };
        let wake = now.saturating_add(sleep);
        self.wake = Some(wake);
        wake.saturating_add(self.world.borrow_mut().next_wake_up())
    }
}

impl Engine for SimEngine {
    fn now(&mut self) -> Nanos {
        self.world.borrow().now()
    }

    fn push(&mut self, io: Submission) {
        let at = io.slot as usize * self.buffer_bytes;
        let buffer = &mut self.buffers[at..at + self.buffer_bytes];
        let at_volume = Submission {
            target: self.volumes[usize::from(io.target)],
            ..io
        };
        let (done, sequence, result) = self.world.borrow_mut().admit(&at_volume, buffer);
        self.pending.insert(
            (done, sequence),
            Completion {
                slot: io.slot,
                result,
            },
        );
    }

    fn turn(
        &mut self,
        wait: Wait,
        done: &mut impl FnMut(Completion),
    ) -> Result<Progress, EngineError> {
        let now = self.now();
        let min = wait.min as usize;
        let completes = min.checked_sub(1).and_then(|before| {
            let mut instants = self.pending.keys();
            instants.nth(before).map(|(at, _)| *at)
        });
        if let (Some(wake), Some(spin)) = (self.wake.take(), &mut self.spin)
            && completes.is_none_or(|at| at > now)
        {
            spin.woke(wake, now);
        }
        let first = |until: Nanos| completes.map_or(until, |at| until.min(at));
        if now < first(wait.until) {
            return Ok(Progress::Parked(first(self.park(wait.until, now))));
        }
        while let Some(entry) = self.pending.first_entry() {
            if entry.key().0 > now {
                break;
            }
            done(entry.remove());
        }
        Ok(Progress::Ready)
    }

    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        let at = slot as usize * self.buffer_bytes;
        &mut self.buffers[at..at + self.buffer_bytes]
    }

    fn max_in_flight(&self) -> u32 {
        self.slots
    }

    fn keeps_content(&self) -> bool {
        self.world.borrow().keeps_content()
    }

    fn spin(&self) -> Option<Nanos> {
        self.spin.and_then(Spin::learned)
    }

    fn flags(&self) -> Vec<String> {
        vec!["virtual_time".to_owned()]
    }
}
