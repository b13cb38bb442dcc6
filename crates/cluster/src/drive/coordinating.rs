//! The coordinator's side.

use super::Clock;
use crate::coordinator::{Action, Coordinator, LinkId};
use crate::event::Event;
use crate::frame::{Frames, framed};
use crate::greeting::OPENING;
use crate::transport::{Arrival, Key, Transport};
use fathom_core::Nanos;
use std::collections::BTreeMap;
use std::io;

/// How long it waits at most before it looks at the time.
const TICK: Nanos = Nanos::from_millis(20);

/// While much arrives, the time is looked at so often: each look goes over all members.
const PACE: Nanos = Nanos::from_millis(5);

/// Somebody who watches a measurement.
pub trait Watcher {
    /// Something happened.
    fn event(&mut self, now: Nanos, event: &Event);

    /// How often the user has asked for an end.
    fn interruptions(&self) -> u32 {
        0
    }
}

#[derive(Debug)]
struct Wire {
    link: LinkId,
    frames: Frames,
}

/// What connects a coordinator with a transport: which stream is which link.
#[derive(Debug, Default)]
pub struct Wires {
    open: BTreeMap<Key, Wire>,
    /// The stream of each link.
    keys: Vec<Key>,
    arrivals: Vec<Arrival>,
    interruptions: u32,
    ticked: Nanos,
    /// Whether anything came since.
    is_behind: bool,
}

impl Wires {
    /// Waits for something to happen, not for long, and does what follows from it.
    ///
    /// # Errors
    ///
    /// If the transport fails as a whole; that of one member is told to the coordinator.
    pub fn turn(
        &mut self,
        coordinator: &mut Coordinator,
        transport: &mut dyn Transport,
        clock: Clock<'_>,
        watcher: &mut dyn Watcher,
    ) -> io::Result<()> {
        let mut arrivals = std::mem::take(&mut self.arrivals);
        arrivals.clear();
        let wait = if self.is_behind { PACE } else { TICK };
        transport.poll(wait, &mut arrivals)?;
        self.is_behind |= !arrivals.is_empty();
        for arrival in arrivals.drain(..) {
            arrive(coordinator, clock, &mut self.open, &mut self.keys, arrival);
        }
        self.arrivals = arrivals;
        self.interrupt(coordinator, clock, watcher);
        let now = clock();
        if !self.is_behind || now.saturating_sub(self.ticked) >= PACE {
            coordinator.tick(now);
            (self.ticked, self.is_behind) = (now, false);
        }
        self.obey(coordinator, transport, clock, watcher);
        Ok(())
    }

    /// The same without listening, for whoever has to take what was heard first: members wait with
    /// what they have to say, and are given signs of life.
    pub fn rest(
        &mut self,
        coordinator: &mut Coordinator,
        transport: &mut dyn Transport,
        clock: Clock<'_>,
        watcher: &mut dyn Watcher,
    ) {
        self.interrupt(coordinator, clock, watcher);
        let now = clock();
        coordinator.rest(now);
        (self.ticked, self.is_behind) = (now, false);
        self.obey(coordinator, transport, clock, watcher);
    }

    fn interrupt(
        &mut self,
        coordinator: &mut Coordinator,
        clock: Clock<'_>,
        watcher: &dyn Watcher,
    ) {
        while self.interruptions < watcher.interruptions() {
            self.interruptions += 1;
            coordinator.interrupt(clock());
        }
    }

    /// Does what the coordinator wants done.
    pub fn obey(
        &mut self,
        coordinator: &mut Coordinator,
        transport: &mut dyn Transport,
        clock: Clock<'_>,
        watcher: &mut dyn Watcher,
    ) {
        while let Some(action) = coordinator.action() {
            match action {
                Action::Call(rank) => {
                    if !transport.call(rank) {
                        coordinator.uncalled(rank);
                    }
                }
                Action::Send(link, frame) => {
                    transport.send(self.keys[link.0 as usize], &framed(&frame));
                }
                Action::Close(link) => {
                    let key = self.keys[link.0 as usize];
                    self.open.remove(&key);
                    transport.close(key);
                }
                Action::Tell(event) => watcher.event(clock(), &event),
            }
        }
    }
}

/// Lets a coordinator work until nothing is to come.
///
/// # Errors
///
/// If the transport fails as a whole; that of one member is told of it.
pub fn coordinate(
    coordinator: &mut Coordinator,
    transport: &mut dyn Transport,
    clock: Clock<'_>,
    watcher: &mut dyn Watcher,
) -> io::Result<()> {
    let mut wires = Wires::default();
    while !coordinator.is_over() {
        wires.turn(coordinator, transport, clock, watcher)?;
    }
    Ok(())
}

fn arrive(
    coordinator: &mut Coordinator,
    clock: Clock<'_>,
    wires: &mut BTreeMap<Key, Wire>,
    keys: &mut Vec<Key>,
    arrival: Arrival,
) {
    match arrival {
        Arrival::Connected(key, rank) => {
            let link = coordinator.connected(clock(), rank);
            keys.push(key);
            let frames = Frames::new(OPENING);
            wires.insert(key, Wire { link, frames });
        }
        Arrival::Bytes(key, bytes) => {
            let Some(wire) = wires.get_mut(&key) else {
                return;
            };
            wire.frames.push(&bytes);
            loop {
                match wire.frames.take() {
                    Ok(Some(frame)) => coordinator.received(clock(), wire.link, &frame),
                    Ok(None) => break,
                    Err(error) => {
                        coordinator.closed(wire.link, &error.to_string());
                        wires.remove(&key);
                        break;
                    }
                }
                // Whether the next may be long depends on what this one was.
                if coordinator.trusts(wire.link) {
                    wire.frames.trust();
                }
            }
        }
        Arrival::Closed(key, why) => {
            if let Some(wire) = wires.remove(&key) {
                coordinator.closed(wire.link, &why);
            }
        }
        Arrival::Unreachable(rank, why) => coordinator.unreachable(rank, &why),
    }
}
