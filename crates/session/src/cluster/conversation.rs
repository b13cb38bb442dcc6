//! The thread that speaks with the members: while they measure, and between two measurements, when
//! they wait for the next and want to hear that somebody is there.

use fathom_cluster::drive::{Parcel, Room, Watcher, Wires};
use fathom_cluster::transport::Transport;
use fathom_cluster::{Coordinator, Event, MeasurementOutcome, Setup, Task};
use fathom_core::Nanos;
use fathom_engine::Clock;
use std::cell::RefCell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Bytes of the courses of members that wait until those before are written down. While they do,
/// members are not heard, and wait with their load.
const ROOM_BYTES: usize = 32 << 20;
/// The longest wait for free space before members get another keep-alive.
const REST: Duration = Duration::from_millis(20);
/// The longest time for which nobody looks at whether the user wants an end.
const LOOK: Duration = Duration::from_millis(50);

/// What is heard of a conversation.
enum Said {
    Event(Event),
    /// A piece of the course of the member of this rank.
    Course(u32, Parcel),
    Over(io::Result<MeasurementOutcome>),
}

/// A conversation with members; dropped, it sends them away.
#[derive(Debug)]
pub(super) struct Conversation {
    orders: Option<Sender<Setup>>,
    /// None when it is over: then nobody waits for room any more.
    said: Option<Receiver<Said>>,
    interruptions: Arc<AtomicU32>,
    thread: Option<JoinHandle<()>>,
}

impl Conversation {
    pub(super) fn begin(transport: Box<dyn Transport>) -> io::Result<Self> {
        let (orders, ordered) = channel();
        let (teller, said) = channel();
        let interruptions = Arc::new(AtomicU32::new(0));
        let mut listener = Listener {
            said: teller,
            room: Room::new(ROOM_BYTES),
            interruptions: Arc::clone(&interruptions),
        };
        let thread = Builder::new().name("members".to_owned());
        let thread = thread.spawn(move || listener.speak(&ordered, transport))?;
        Ok(Self {
            orders: Some(orders),
            said: Some(said),
            interruptions,
            thread: Some(thread),
        })
    }

    /// Measures once. `interruptions` says how often the user has asked for an end; `told` receives
    /// each event, and at times that there is none.
    pub(super) fn measure(
        &self,
        setup: Setup,
        interruptions: &dyn Fn() -> u32,
        told: &mut dyn FnMut(Option<&Event>),
    ) -> io::Result<MeasurementOutcome> {
        let ended = || io::Error::other("the connection to the members was lost");
        let orders = self.orders.as_ref().ok_or_else(ended)?;
        let said = self.said.as_ref().ok_or_else(ended)?;
        orders.send(setup).map_err(|_| ended())?;
        loop {
            self.interruptions.store(interruptions(), Ordering::Relaxed);
            match said.recv_timeout(LOOK) {
                Ok(Said::Event(event)) => told(Some(&event)),
                Ok(Said::Course(rank, parcel)) => {
                    told(Some(&Event::Told(rank, parcel.bytes().to_vec())));
                }
                Ok(Said::Over(outcome)) => return outcome,
                Err(RecvTimeoutError::Timeout) => told(None),
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
            }
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.orders = None;
        self.said = None;
        if let Some(thread) = self.thread.take() {
            // Its panic was reported when the next measurement found it gone.
            let _ = thread.join();
        }
    }
}

/// The end of a conversation that the thread holds.
struct Listener {
    said: Sender<Said>,
    room: Room,
    interruptions: Arc<AtomicU32>,
}

impl Watcher for Listener {
    fn event(&mut self, _now: Nanos, event: &Event) {
        let said = match event {
            Event::Told(rank, piece) => {
                Said::Course(*rank, self.room.parcel_at_once(piece.clone()))
            }
            event => Said::Event(event.clone()),
        };
        // Between two measurements nobody may listen.
        let _ = self.said.send(said);
    }

    fn interruptions(&self) -> u32 {
        self.interruptions.load(Ordering::Relaxed)
    }
}

impl Listener {
    fn speak(&mut self, orders: &Receiver<Setup>, mut transport: Box<dyn Transport>) {
        let clock = RefCell::new(Clock::monotonic());
        let now = || clock.borrow_mut().now();
        let Ok(setup) = orders.recv() else { return };
        let mut coordinator = Coordinator::new(setup, now());
        let mut wires = Wires::default();
        let mut is_measuring = true;
        loop {
            if self.room.is_full(REST) {
                wires.rest(&mut coordinator, transport.as_mut(), &now, self);
                continue;
            }
            if let Err(error) = wires.turn(&mut coordinator, transport.as_mut(), &now, self) {
                let _ = self.said.send(Said::Over(Err(error)));
                return;
            }
            if is_measuring && coordinator.is_over() {
                is_measuring = false;
                let _ = self.said.send(Said::Over(Ok(coordinator.outcome())));
            }
            if is_measuring {
                continue;
            }
            match orders.try_recv() {
                Ok(setup) => {
                    coordinator.again(task(setup), now());
                    is_measuring = true;
                }
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => break,
            }
        }
        coordinator.dismiss(now());
        wires.obey(&mut coordinator, transport.as_mut(), &now, self);
    }
}

fn task(setup: Setup) -> Task {
    Task {
        plan: setup.plan,
        seed: setup.seed,
        one_seed: setup.one_seed,
        series: setup.series,
        slots: setup.slots,
    }
}
