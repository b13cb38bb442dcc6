//! The coordinator's side.

use super::Clock;
use crate::coordinator::{Action, Coordinator, LinkId};
use crate::event::Event;
use crate::frame::{Frames, framed};
use crate::greeting::OPENING;
use crate::limits;
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
    /// Bytes that came before the other end had shown that it knows the token.
    strange_bytes: usize,
}

impl Wire {
    /// Takes the frames in what came.
    ///
    /// # Errors
    ///
    /// Why the stream has no more meaning.
    fn take(
        &mut self,
        coordinator: &mut Coordinator,
        is_sealed: bool,
        clock: Clock<'_>,
        bytes: &[u8],
    ) -> Result<(), String> {
        self.frames.push(bytes);
        let was_strange = !coordinator.trusts(self.link);
        while let Some(frame) = self.frames.take().map_err(|error| error.to_string())? {
            let is_strange = !coordinator.trusts(self.link);
            coordinator.received(clock(), self.link, &frame);
            // Whether the next may be long depends on what this one was.
            if coordinator.trusts(self.link) {
                self.frames.trust();
                // A member waits for its welcome, and seals what it says then.
                if is_sealed && is_strange && !self.frames.take_rest().is_empty() {
                    return Err("it sent something that is not sealed".to_owned());
                }
            }
        }
        if was_strange && !coordinator.trusts(self.link) {
            self.strange_bytes += bytes.len();
            let most = limits::STRANGER_TOTAL_BYTES;
            if self.strange_bytes > most {
                return Err(format!(
                    "it sent more than {most} bytes before it was known"
                ));
            }
        }
        Ok(())
    }
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
    /// If the transport fails as a whole; the coordinator handles the failure of one member.
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
            self.arrive(coordinator, transport, clock, arrival);
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
                Action::Trust(link, seal) => {
                    transport.trust(self.keys[link.0 as usize], &seal);
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

    fn arrive(
        &mut self,
        coordinator: &mut Coordinator,
        transport: &mut dyn Transport,
        clock: Clock<'_>,
        arrival: Arrival,
    ) {
        match arrival {
            Arrival::Connected(key, rank) => {
                let link = coordinator.connected(clock(), rank);
                self.keys.push(key);
                let wire = Wire {
                    link,
                    frames: Frames::new(OPENING),
                    strange_bytes: 0,
                };
                self.open.insert(key, wire);
            }
            Arrival::Bytes(key, bytes) => {
                let Some(wire) = self.open.get_mut(&key) else {
                    return;
                };
                let is_sealed = transport.seals(key);
                if let Err(why) = wire.take(coordinator, is_sealed, clock, &bytes) {
                    coordinator.closed(wire.link, &why);
                    // What it says from now on makes no sense either.
                    self.open.remove(&key);
                    transport.close(key);
                }
            }
            Arrival::Closed(key, why) => {
                if let Some(wire) = self.open.remove(&key) {
                    coordinator.closed(wire.link, &why);
                }
            }
            Arrival::Unreachable(rank, why) => coordinator.unreachable(rank, &why),
        }
    }
}

/// Lets a coordinator work until nothing is to come.
///
/// # Errors
///
/// If the transport fails as a whole; the failure of one member is reported.
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
