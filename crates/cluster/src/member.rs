//! A member as a machine of states: frames and the time go in, what is to be done comes out.

use crate::greeting::Greeting;
use crate::limits;
use crate::link::{Delivery, End, Heard, Link};
use crate::message::{
    Assignment, Estate, Identity, IntervalReport, MemberResult, ToCoordinator, ToMember, short,
};
use crate::token::{Nonce, Role, SealKey, Token};
use fathom_core::Nanos;
use std::collections::VecDeque;

/// What is to be done for a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Send a frame.
    Send(Vec<u8>),
    /// Prepare to measure, then say [`Member::ready`] for the first phase.
    Prepare(Box<Assignment>),
    /// Start a phase at this instant of the own clock, then say [`Member::started`].
    Start {
        /// Number of the phase.
        phase: u32,
        /// The instant.
        at: Nanos,
    },
    /// Issue nothing more. If `report` is set there is somebody to say [`Member::finished`] to.
    Stop {
        /// Why the member is to stop.
        why: String,
        /// Whether anybody waits for the result.
        report: bool,
    },
    /// Remove what a member of this machine has made that is gone, then say [`Member::left`].
    Remove(Estate),
    /// All is over: remove what was made, and go.
    Over(Ending),
}

/// How it ended for a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The coordinator has the result.
    Reported,
    /// It was sent away, or the programs do not fit.
    Refused(String),
    /// The coordinator is gone.
    Deserted(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The coordinator has not shown that it knows the token.
    Stranger,
    /// It has; there is nothing to do yet.
    Joined,
    /// It has an assignment.
    Working,
    /// The result was sent.
    Reported,
    Over,
}

/// How a member is made.
#[derive(Clone, Debug)]
pub struct MemberSetup {
    /// Release of this program.
    pub release: String,
    /// What the coordinator must know too.
    pub token: Token,
    /// Random bytes that nobody else knows.
    pub nonce: Nonce,
    /// What the transport promises.
    pub delivery: Delivery,
    /// Who it is.
    pub identity: Identity,
    /// Time without a sign of the coordinator after which it is given up, until the assignment
    /// names another.
    pub silence: Nanos,
}

/// One that measures.
#[derive(Debug)]
pub struct Member {
    setup: MemberSetup,
    link: Link<ToCoordinator, ToMember>,
    state: State,
    challenge: Option<Nonce>,
    heard: Nanos,
    ticked: Nanos,
    silence: Nanos,
    /// Phase and number of the interval that comes next.
    next: (u32, u64),
    orders: VecDeque<Order>,
}

impl Member {
    /// A member that is connected as of `now`.
    pub fn new(setup: MemberSetup, now: Nanos) -> Self {
        let greeting = Greeting::of(&setup.release);
        let link = Link::new(End::Member, setup.delivery, greeting);
        let orders = VecDeque::from([Order::Send(link.greeting())]);
        Self {
            silence: setup.silence,
            setup,
            link,
            state: State::Stranger,
            challenge: None,
            heard: now,
            ticked: now,
            next: (0, 0),
            orders,
        }
    }

    /// What is to be done next.
    pub fn order(&mut self) -> Option<Order> {
        self.orders.pop_front()
    }

    /// Whether the coordinator has shown that it knows the token: its frames may be long then.
    pub const fn trusts(&self) -> bool {
        matches!(self.state, State::Joined | State::Working | State::Reported)
    }

    /// With what the connection is sealed from now on, once the coordinator has shown that it
    /// knows the token.
    pub fn seal_key(&self) -> Option<SealKey> {
        let asked = self.challenge.filter(|_| self.trusts())?;
        Some(self.setup.token.seal_key(&asked, &self.setup.nonce))
    }

    /// Whether nothing is to come.
    pub const fn is_over(&self) -> bool {
        matches!(self.state, State::Over)
    }

    /// A frame came.
    pub fn received(&mut self, now: Nanos, frame: &[u8]) {
        if self.is_over() {
            return;
        }
        self.heard = now;
        match self.link.hear(now, frame) {
            Ok(Heard::Message(message)) => self.understand(now, message),
            Ok(Heard::GreetingAgain) => self.orders.push_back(Order::Send(self.link.greeting())),
            Ok(Heard::Greeting | Heard::Nothing) => {}
            Err(error) => self.end(Ending::Refused(error.to_string())),
        }
    }

    fn understand(&mut self, now: Nanos, message: ToMember) {
        match (message, self.state) {
            (ToMember::Challenge(asked), State::Stranger) => {
                let own = self.setup.nonce;
                self.challenge = Some(asked);
                let proof = self.setup.token.prove(Role::Member, &asked, &own);
                let identity = self.setup.identity.clone();
                let hello = ToCoordinator::Hello {
                    proof,
                    nonce: own,
                    identity,
                };
                self.say(now, &hello);
            }
            (ToMember::Welcome { proof, .. }, State::Stranger) => {
                let asked = self.challenge.unwrap_or_default();
                let own = self.setup.nonce;
                let token = &self.setup.token;
                if token.accepts(Role::Coordinator, &own, &asked, &proof) {
                    self.state = State::Joined;
                } else {
                    let why = "the coordinator does not know the token".to_owned();
                    self.end(Ending::Refused(why));
                }
            }
            // Whoever has not shown that he knows the token can only send a member away.
            (ToMember::Refused(why), _) => {
                self.stop(&why, false);
                self.end(Ending::Refused(why));
            }
            (ToMember::Ping(number), State::Joined | State::Working | State::Reported) => {
                let frame = self.link.mention(&ToCoordinator::Pong(number, now.0));
                self.orders.push_back(Order::Send(frame));
            }
            (ToMember::Prepare(assignment), State::Joined | State::Reported) => {
                self.silence = Nanos(assignment.silence_ns);
                self.state = State::Working;
                self.orders.push_back(Order::Prepare(Box::new(assignment)));
            }
            (ToMember::Start { phase, at_ns }, State::Working) => {
                self.next = (phase, 0);
                let at = Nanos(at_ns);
                self.orders.push_back(Order::Start { phase, at });
            }
            (ToMember::Stop(why), State::Working) => self.stop(&why, true),
            (ToMember::Remove(estate), State::Joined | State::Working | State::Reported) => {
                self.orders.push_back(Order::Remove(estate));
            }
            (ToMember::End, _) => self.end(Ending::Reported),
            (ToMember::Stop(_), _) | (ToMember::Ping(_), State::Stranger) => {}
            (_, _) => self.end(Ending::Refused(
                "the coordinator spoke out of turn".to_owned(),
            )),
        }
    }

    /// The connection ended, or its stream makes no sense.
    pub fn closed(&mut self, why: &str) {
        match self.state {
            State::Over => {}
            State::Reported => self.end(Ending::Reported),
            State::Stranger => self.end(Ending::Refused(why.to_owned())),
            State::Joined | State::Working => {
                self.desert(&format!("the coordinator is gone: {why}"));
            }
        }
    }

    /// Time passes. Call it after all that arrived was handled, several times per heartbeat.
    pub fn tick(&mut self, now: Nanos) {
        if self.is_over() {
            return;
        }
        let away = now.saturating_sub(self.ticked);
        self.ticked = now;
        // What kept this process from listening is not the silence of the other.
        if away.0 > self.silence.0 / 4 {
            self.heard = now.min(self.heard.saturating_add(away));
        }
        if self.link.due_at() <= now {
            let frames = self.link.due(now).into_iter();
            self.orders.extend(frames.map(Order::Send));
        }
        let quiet = now.saturating_sub(self.heard);
        if quiet >= self.silence {
            let seconds = quiet.as_secs_f64();
            match self.state {
                State::Reported => self.end(Ending::Reported),
                _ => self.desert(&format!(
                    "nothing was heard of the coordinator for {seconds:.1} s"
                )),
            }
        }
    }

    /// What it will make, before it makes anything.
    pub fn makes(&mut self, now: Nanos, estate: Estate) {
        self.work(now, &ToCoordinator::Makes(estate));
    }

    /// Of what somebody else had made these are left.
    pub fn left(&mut self, now: Nanos, owner: String, places: Vec<String>) {
        if self.trusts() {
            self.say(now, &ToCoordinator::Left { owner, places });
        }
    }

    /// Everything is prepared for a phase.
    pub fn ready(&mut self, now: Nanos, phase: u32) {
        self.work(now, &ToCoordinator::Ready(phase));
    }

    /// A phase began.
    pub fn started(&mut self, now: Nanos, phase: u32, at: Nanos) {
        let at_ns = at.0;
        self.work(now, &ToCoordinator::Started { phase, at_ns });
    }

    /// What happened in an interval of the phase that was started last. Its numbers are set here.
    pub fn interval(&mut self, now: Nanos, mut report: IntervalReport) {
        (report.phase, report.index) = self.next;
        self.next.1 += 1;
        self.work(now, &ToCoordinator::Interval(report));
    }

    /// A piece of its course, in the words of whoever drives both ends.
    pub fn told(&mut self, now: Nanos, words: &[u8]) {
        self.work(now, &ToCoordinator::Told(words.to_vec()));
    }

    /// It cannot be done.
    pub fn failed(&mut self, now: Nanos, why: String) {
        self.work(now, &ToCoordinator::Failed(short(why)));
        if self.state == State::Working {
            self.state = State::Reported;
        }
    }

    /// It cannot take part.
    pub fn decline(&mut self, now: Nanos, why: String) {
        self.say(now, &ToCoordinator::Failed(short(why)));
    }

    /// All is done.
    pub fn finished(&mut self, now: Nanos, mut result: MemberResult) {
        let mut brief = std::mem::take(&mut result.brief);
        if brief.len() > limits::BRIEFS_BYTES {
            let (length, limit) = (brief.len(), limits::BRIEFS_BYTES);
            let why = format!(
                "what it has to report takes {length} bytes, and {limit} are taken; \
                 fewer jobs or repeats"
            );
            return self.failed(now, why);
        }
        while brief.len() > limits::BRIEF_BYTES {
            let rest = brief.split_off(limits::BRIEF_BYTES);
            self.work(now, &ToCoordinator::Brief(brief));
            brief = rest;
        }
        result.brief = brief;
        self.work(now, &ToCoordinator::Finished(Box::new(result)));
        if self.state == State::Working {
            self.state = State::Reported;
        }
    }

    /// Says something that only a member with an assignment has to say.
    fn work(&mut self, now: Nanos, message: &ToCoordinator) {
        if self.state == State::Working {
            self.say(now, message);
        }
    }

    fn say(&mut self, now: Nanos, message: &ToCoordinator) {
        let frame = self.link.say(now, message);
        self.orders.push_back(Order::Send(frame));
    }

    fn stop(&mut self, why: &str, report: bool) {
        if self.state == State::Working {
            let why = why.to_owned();
            self.orders.push_back(Order::Stop { why, report });
        }
    }

    /// Nobody is there to report to: storage is not loaded for nobody.
    fn desert(&mut self, why: &str) {
        self.stop(why, false);
        self.end(Ending::Deserted(why.to_owned()));
    }

    fn end(&mut self, ending: Ending) {
        if !self.is_over() {
            self.state = State::Over;
            self.orders.push_back(Order::Over(ending));
        }
    }
}
