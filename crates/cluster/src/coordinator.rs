//! The coordinator as a machine of states: frames and the time go in, actions come out. It opens
//! nothing and reads no clock, so ten thousand members fit into a test.

mod clocks;
mod hearing;
mod outcome;
mod peer;
mod seat;
mod stages;
mod tidying;

use crate::event::{Event, Name};
use crate::greeting::Greeting;
use crate::link::{End, Link};
use crate::merged::Merged;
use crate::message::ToMember;
use crate::setup::{Setup, Task};
use crate::token::{SealKey, Token};
use clocks::ClockQueue;
use fathom_core::Nanos;
use peer::Peer;
use seat::Fate;
use std::collections::{BTreeSet, VecDeque};

pub use outcome::{MeasurementOutcome, MemberOutcome};
pub(crate) use seat::Seat;
pub use seat::{Fate as MemberFate, Start};
pub use stages::seed_of;

/// Number of a connection, given by [`Coordinator::connected`] in rising order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub u32);

/// What is to be done for the coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Call the member of this rank once more, or say [`Coordinator::uncalled`].
    Call(u32),
    /// Send a frame.
    Send(LinkId, Vec<u8>),
    /// The other end knows the token. What follows is sealed with this key, where the transport
    /// seals.
    Trust(LinkId, SealKey),
    /// End a connection when all has been sent.
    Close(LinkId),
    /// Tell the user.
    Tell(Event),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Members come, and their clocks are read.
    Gathering { until: Nanos },
    /// They prepare for a phase, or for the first one lay files out.
    Preparing { phase: u32 },
    /// A phase was started at this instant.
    Running { phase: u32 },
    /// Members were asked to stop.
    Stopping,
    /// What lost members had made is being removed.
    Tidying { until: Nanos },
    /// Nothing is to come.
    Over,
}

/// Starts a measurement and gathers what comes of it.
#[derive(Debug)]
pub struct Coordinator {
    setup: Setup,
    stage: Stage,
    peers: Vec<Peer>,
    seats: Vec<Seat>,
    clocks: ClockQueue,
    merged: Merged,
    /// The instant at which each phase was to start.
    starts: Vec<Nanos>,
    actions: VecDeque<Action>,
    pings: u64,
    ticked: Nanos,
    /// Last interval of the running phase that all members have reported.
    told: Option<u64>,
    /// The last reported row of the time series: phase and interval.
    shown: Option<(u32, u64)>,
    abandoned: Option<String>,
    interrupted: bool,
    /// Strangers that were sent away.
    refusals: u64,
    /// Lost members whose things somebody was asked to remove.
    untidy: BTreeSet<u32>,
}

impl Coordinator {
    /// Waits for the members of `setup` from `now` on.
    pub fn new(setup: Setup, now: Nanos) -> Self {
        let seats = setup.hosts.iter().map(|host| Seat::of(host)).collect();
        let merged = Merged::new(&setup.series, &setup.slots, setup.hosts.len());
        let until = now.saturating_add(setup.rules.patience);
        Self {
            stage: Stage::Gathering { until },
            peers: Vec::new(),
            seats,
            clocks: ClockQueue::default(),
            merged,
            starts: Vec::new(),
            actions: VecDeque::new(),
            pings: 0,
            ticked: now,
            told: None,
            shown: None,
            abandoned: None,
            interrupted: false,
            refusals: 0,
            untidy: BTreeSet::new(),
            setup,
        }
    }

    /// Somebody connected; `rank` says who it must be, where the coordinator itself made the
    /// connection.
    pub fn connected(&mut self, now: Nanos, rank: Option<u32>) -> LinkId {
        let id = LinkId(u32::try_from(self.peers.len()).expect("fewer connections than 2^32"));
        let nonce = Token::nonce(&self.setup.entropy, u64::from(id.0));
        let greeting = Greeting::of(&self.setup.release);
        let link = Link::new(End::Coordinator, self.setup.delivery, greeting);
        self.actions.push_back(Action::Send(id, link.greeting()));
        self.peers.push(Peer::new(link, nonce, rank, now));
        self.say(now, id, &ToMember::Challenge(nonce));
        id
    }

    /// A connection that was to be made could not be, or its process is gone.
    pub fn unreachable(&mut self, rank: u32, why: &str) {
        if self.is_called(rank) {
            return self.uncalled(rank);
        }
        let seat = &self.seats[rank as usize];
        if seat.fate.is_none() && seat.link.is_none() {
            self.miss(rank, why.to_owned());
        }
    }

    /// A frame came.
    pub fn received(&mut self, now: Nanos, id: LinkId, frame: &[u8]) {
        self.hear(now, id, frame);
    }

    /// A connection ended, or its stream makes no sense.
    pub fn closed(&mut self, id: LinkId, why: &str) {
        if self.peers[id.0 as usize].is_open {
            self.part(id, why);
        }
    }

    /// Time passes, and what follows from all reports is done. Call it after each batch of frames,
    /// and several times in a heartbeat.
    pub fn tick(&mut self, now: Nanos) {
        let away = now.saturating_sub(self.ticked);
        self.ticked = now;
        let heartbeat = self.setup.rules.heartbeat;
        if away.0 > heartbeat.0 / 2 {
            // What kept this process from listening is not the silence of the others.
            for peer in &mut self.peers {
                peer.heard = now.min(peer.heard.saturating_add(away));
            }
        }
        self.repeat(now);
        self.listen_for_silence(now);
        self.send_strangers_away(now);
        self.read_clocks(now);
        self.beat(now);
        self.tell_intervals();
        self.advance(now);
    }

    /// Time passes in which nobody is listened to, because what was heard has not been taken yet:
    /// the silence is none of the members'.
    pub fn rest(&mut self, now: Nanos) {
        for peer in &mut self.peers {
            peer.heard = now;
        }
        self.tick(now);
    }

    /// The user wants an end: members stop and report. A second time nothing is waited for.
    pub fn interrupt(&mut self, now: Nanos) {
        self.interrupted = true;
        match self.stage {
            Stage::Gathering { .. } | Stage::Preparing { phase: 0 } => {
                self.abandon(now, "it was interrupted before the start");
            }
            Stage::Preparing { .. } | Stage::Running { .. } => {
                self.stage = Stage::Stopping;
                self.say_to_all(now, &ToMember::Stop("the user ended the run".to_owned()));
            }
            Stage::Stopping => {
                for rank in self.present() {
                    self.lose(rank, "it had not reported when the user left");
                }
                self.tidy(now, now);
            }
            Stage::Tidying { .. } => self.stage = Stage::Tidying { until: now },
            Stage::Over => {}
        }
        self.advance(now);
    }

    /// Measures something else with those who have stayed. Their clocks are read anew; who is gone
    /// stays gone.
    pub fn again(&mut self, task: Task, now: Nanos) {
        self.merged = Merged::new(&task.series, &task.slots, self.seats.len());
        self.setup.plan = task.plan;
        self.setup.seed = task.seed;
        self.setup.one_seed = task.one_seed;
        self.setup.series = task.series;
        self.setup.slots = task.slots;
        self.starts.clear();
        (self.told, self.shown) = (None, None);
        self.interrupted = false;
        for rank in 0..self.seats.len() {
            let is_here = self.is_here(&self.seats[rank]);
            self.seats[rank].renew(is_here);
            if is_here {
                self.clocks.add(rank as u32);
            }
        }
        let until = now.saturating_add(self.setup.rules.patience);
        self.stage = Stage::Gathering { until };
        self.read_clocks(now);
    }

    /// Sends those away who have stayed.
    pub fn dismiss(&mut self, now: Nanos) {
        for number in 0..self.peers.len() {
            let id = LinkId(number as u32);
            self.say(now, id, &ToMember::End);
            self.close(id);
        }
    }

    /// Whether a member is connected, whatever it has done.
    fn is_here(&self, seat: &Seat) -> bool {
        let link = seat.link.map(|id| &self.peers[id.0 as usize]);
        link.is_some_and(|peer| peer.is_open)
    }

    /// What is to be done next.
    pub fn action(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    /// Whether the other end has shown that it knows the token: its frames may be long then.
    pub fn trusts(&self, id: LinkId) -> bool {
        self.peers[id.0 as usize].is_known
    }

    /// Whether nothing is to come.
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// What came of it.
    pub fn outcome(&self) -> MeasurementOutcome {
        MeasurementOutcome::of(self)
    }

    pub(crate) const fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(crate) fn seats(&self) -> &[Seat] {
        &self.seats
    }

    pub(crate) const fn merged(&self) -> &Merged {
        &self.merged
    }

    pub(crate) fn abandoned(&self) -> Option<&str> {
        self.abandoned.as_deref()
    }

    pub(crate) const fn interrupted(&self) -> bool {
        self.interrupted
    }

    fn tell(&mut self, event: Event) {
        self.actions.push_back(Action::Tell(event));
    }

    fn say(&mut self, now: Nanos, id: LinkId, message: &ToMember) {
        let peer = &mut self.peers[id.0 as usize];
        if peer.is_open {
            let frame = peer.link.say(now, message);
            self.actions.push_back(Action::Send(id, frame));
        }
    }

    fn say_to(&mut self, now: Nanos, rank: u32, message: &ToMember) {
        if let Some(id) = self.seats[rank as usize].link {
            self.say(now, id, message);
        }
    }

    fn say_to_all(&mut self, now: Nanos, message: &ToMember) {
        for rank in self.present() {
            self.say_to(now, rank, message);
        }
    }

    /// The ranks of the members that joined and have not finished.
    fn present(&self) -> Vec<u32> {
        let seats = self.seats.iter().enumerate();
        let there = seats.filter(|(_, seat)| seat.is_present());
        there.map(|(rank, _)| rank as u32).collect()
    }

    fn name(&self, rank: u32) -> Name {
        self.seats[rank as usize].name(rank)
    }

    /// Who a connection belongs to, as far as that is known.
    fn name_of(&self, id: LinkId) -> Name {
        match self.peers[id.0 as usize].rank {
            Some(rank) => self.name(rank),
            None => Name {
                host: String::new(),
                rank: None,
            },
        }
    }

    fn close(&mut self, id: LinkId) {
        let peer = &mut self.peers[id.0 as usize];
        if peer.is_open {
            peer.is_open = false;
            self.actions.push_back(Action::Close(id));
        }
    }
}
