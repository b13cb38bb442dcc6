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
    let mut wires: BTreeMap<Key, Wire> = BTreeMap::new();
    let mut keys: Vec<Key> = Vec::new();
    let mut arrivals = Vec::new();
    let mut interruptions = 0;
    while !coordinator.is_over() {
        arrivals.clear();
        transport.poll(TICK, &mut arrivals)?;
        for arrival in arrivals.drain(..) {
            arrive(coordinator, clock, &mut wires, &mut keys, arrival);
        }
        while interruptions < watcher.interruptions() {
            interruptions += 1;
            coordinator.interrupt(clock());
        }
        coordinator.tick(clock());
        obey(coordinator, transport, clock, &mut wires, &keys, watcher);
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

fn obey(
    coordinator: &mut Coordinator,
    transport: &mut dyn Transport,
    clock: Clock<'_>,
    wires: &mut BTreeMap<Key, Wire>,
    keys: &[Key],
    watcher: &mut dyn Watcher,
) {
    while let Some(action) = coordinator.action() {
        match action {
            Action::Send(link, frame) => transport.send(keys[link.0 as usize], &framed(&frame)),
            Action::Close(link) => {
                let key = keys[link.0 as usize];
                wires.remove(&key);
                transport.close(key);
            }
            Action::Tell(event) => watcher.event(clock(), &event),
        }
    }
}
