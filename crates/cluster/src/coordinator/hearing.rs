//! What members say, and what becomes of those who say nothing.

use super::{Action, Coordinator, Fate, LinkId, Stage, Start};
use crate::event::{Counted, Event, Name};
use crate::glance::{Glance, Latest};
use crate::limits;
use crate::link::Heard;
use crate::merged::ReportError;
use crate::message::{
    Identity, IntervalReport, MemberResult, SeriesCounts, ToCoordinator, ToMember, short,
};
use crate::token::{Nonce, Proof, Role};
use fathom_core::Nanos;
use fathom_core::foreign::into_visible;
use std::cmp::Ordering;

impl Coordinator {
    pub(super) fn hear(&mut self, now: Nanos, id: LinkId, frame: &[u8]) {
        let peer = &mut self.peers[id.0 as usize];
        if !peer.is_open {
            return;
        }
        peer.heard = now;
        let was_silent = std::mem::take(&mut peer.is_silent);
        match peer.link.hear(now, frame) {
            Ok(Heard::Message(message)) => self.understand(now, id, message),
            Ok(Heard::GreetingAgain | Heard::Greeting | Heard::Nothing) => {}
            Err(error) => self.refuse(now, id, &error.to_string()),
        }
        if was_silent && self.peers[id.0 as usize].is_open {
            self.tell(Event::HeardAgain(self.name_of(id)));
        }
    }

    fn understand(&mut self, now: Nanos, id: LinkId, message: ToCoordinator) {
        let peer = &self.peers[id.0 as usize];
        let rank = peer.rank.filter(|_| peer.is_known);
        match (message, rank) {
            (
                ToCoordinator::Hello {
                    proof,
                    nonce,
                    identity,
                },
                None,
            ) => self.hello(now, id, &proof, &nonce, identity),
            (ToCoordinator::Pong(number, clock_ns), Some(rank)) => {
                self.clock_told(now, rank, number, clock_ns);
            }
            (ToCoordinator::Ready(phase), Some(rank)) => {
                self.seats[rank as usize].ready = Some(phase);
            }
            (ToCoordinator::Makes(estate), Some(rank)) => {
                self.seats[rank as usize].estate = Some(estate);
            }
            (ToCoordinator::Left { owner, places }, Some(rank)) => {
                self.removed(&owner, places);
                if self.seats[rank as usize].link != Some(id) {
                    // It came for that alone.
                    self.say(now, id, &ToMember::End);
                    self.close(id);
                }
            }
            (ToCoordinator::Failed(why), Some(rank)) => self.failed(now, rank, why),
            (ToCoordinator::Started { phase, at_ns }, Some(rank)) => {
                self.started(now, rank, phase, at_ns);
            }
            (ToCoordinator::Interval(report), Some(rank)) => self.count(rank, &report),
            (ToCoordinator::Told(words), Some(rank)) => self.tell(Event::Told(rank, words)),
            (ToCoordinator::Brief(piece), Some(rank)) => self.say_more(rank, piece),
            (ToCoordinator::Finished(result), Some(rank)) => self.finished(now, rank, result),
            _ => self.refuse(now, id, "it spoke out of turn"),
        }
    }

    fn hello(
        &mut self,
        now: Nanos,
        id: LinkId,
        proof: &Proof,
        nonce: &Nonce,
        mut identity: Identity,
    ) {
        identity.host = into_visible(identity.host);
        let asked = self.peers[id.0 as usize].nonce;
        let token = &self.setup.token;
        if !token.accepts(Role::Member, &asked, nonce, proof) {
            let why = format!("{} has another token", host_or(&identity.host));
            return self.refuse(now, id, &why);
        }
        let proof = token.prove(Role::Coordinator, nonce, &asked);
        let trust = Action::Trust(id, token.seal_key(&asked, nonce));
        let wished = self.peers[id.0 as usize].rank.or(identity.rank);
        if let Some(rank) = wished.filter(|rank| self.is_called(*rank)) {
            let peer = &mut self.peers[id.0 as usize];
            peer.is_known = true;
            peer.rank = Some(rank);
            self.say(now, id, &ToMember::Welcome { proof, rank });
            self.actions.push_back(trust);
            return self.ask_to_remove(now, rank, id);
        }
        let rank = match self.free_seat(wished, &identity) {
            Ok(rank) => rank,
            Err(why) => return self.refuse(now, id, &why),
        };
        let peer = &mut self.peers[id.0 as usize];
        peer.is_known = true;
        peer.rank = Some(rank);
        let seat = &mut self.seats[rank as usize];
        seat.link = Some(id);
        seat.identity = Some(identity);
        seat.beat = now.saturating_add(self.setup.rules.heartbeat);
        self.tell(Event::Joined(self.name(rank)));
        self.say(now, id, &ToMember::Welcome { proof, rank });
        self.actions.push_back(trust);
        self.clocks.add(rank);
        self.read_clocks(now);
    }

    /// The seat for somebody who wishes for a rank, or the first free one.
    fn free_seat(&self, wished: Option<u32>, identity: &Identity) -> Result<u32, String> {
        if !matches!(self.stage, Stage::Gathering { .. }) {
            let host = host_or(&identity.host);
            return Err(format!("{host} came after the measurement had begun"));
        }
        let members = self.seats.len();
        let Some(rank) = wished else {
            let free = self.seats.iter().position(|seat| seat.link.is_none());
            let free = free.map(|rank| rank as u32);
            return free.ok_or_else(|| format!("all {members} members are there"));
        };
        let Some(seat) = self.seats.get(rank as usize) else {
            return Err(format!(
                "its rank is {rank}, of {members} members the last has {}",
                members - 1
            ));
        };
        match &seat.identity {
            None if seat.fate.is_none() => Ok(rank),
            None => Err(format!("rank {rank} came too late")),
            Some(other) => Err(format!("rank {rank} is taken by {}", host_or(&other.host))),
        }
    }

    fn started(&mut self, now: Nanos, rank: u32, phase: u32, at_ns: u64) {
        let Some(planned) = self.starts.get(phase as usize).copied() else {
            return self.lose(rank, "it started a phase that nobody ordered");
        };
        let seat = &mut self.seats[rank as usize];
        if let Some(clock) = &seat.clock {
            let at = clock.own(at_ns);
            let start = Start {
                late_ns: at.0.wrapping_sub(planned.0) as i64,
                error_ns: clock.error_ns(now),
            };
            seat.starts.resize(phase as usize + 1, None);
            seat.starts[phase as usize] = Some(start);
        }
    }

    fn count(&mut self, rank: u32, report: &IntervalReport) {
        if let Err(error) = self.add(rank, report) {
            self.lose(rank, &error.to_string());
        }
    }

    fn add(&mut self, rank: u32, report: &IntervalReport) -> Result<(), ReportError> {
        let phases = self.setup.series.len();
        let Some(planned) = self.starts.get(report.phase as usize).copied() else {
            let phase = report.phase;
            return Err(ReportError::Phase { phase, phases });
        };
        let seat = &self.seats[rank as usize];
        let same = seat.counted.filter(|one| one.phase == report.phase);
        let expected = same.map_or(0, |one| one.interval + 1);
        if report.index != expected {
            let came = report.index;
            return Err(ReportError::Order { came, expected });
        }
        let middle = report.start_ns / 2 + report.end_ns / 2;
        let middle = seat.clock.map_or(planned, |clock| clock.own(middle));
        let slot = self
            .merged
            .add(middle.saturating_sub(planned), rank, report)?;
        let measured = report.part == fathom_core::interval::Part::Measure;
        let ios: u64 = report.series.iter().map(|one| one.counts.ios).sum();
        let before = seat.counted.map_or(0, |one| one.ios);
        let seat = &mut self.seats[rank as usize];
        seat.counted = Some(Counted {
            phase: report.phase,
            interval: report.index,
            ios: before + if measured { ios } else { 0 },
        });
        let sum = |of: fn(&SeriesCounts) -> u64| {
            let counts = report.series.iter().map(|one| of(&one.counts));
            counts.sum()
        };
        let latest = Latest {
            ios,
            bytes: sum(|one| one.bytes),
            errors: sum(|one| one.errors),
            length_ns: report.end_ns.saturating_sub(report.start_ns),
        };
        seat.latest = Some((slot, latest));
        Ok(())
    }

    /// Tells the intervals that all members who are still there have reported.
    pub(super) fn tell_intervals(&mut self) {
        let Stage::Running { phase } = self.stage else {
            return;
        };
        let last = |seat: &super::Seat| match seat.counted.filter(|one| one.phase == phase) {
            _ if seat.ready > Some(phase) => None,
            None => Some(0),
            Some(one) => Some(one.interval + 1),
        };
        let there = self.seats.iter().filter(|seat| seat.is_present());
        let Some(complete) = there.filter_map(last).min() else {
            return;
        };
        let next = self.told.map_or(0, |told| told + 1);
        for interval in next..complete {
            self.told = Some(interval);
            let glance = Box::new(self.glance(phase, interval + 1 == complete));
            self.tell(Event::Interval {
                phase,
                interval,
                glance,
            });
        }
    }

    /// How the members stand in a phase. Only the last of several intervals that are reported at
    /// once is worth a row.
    fn glance(&mut self, phase: u32, with_row: bool) -> Glance {
        let in_phase = |seat: &super::Seat| {
            let is_of = seat.counted.is_some_and(|one| one.phase == phase);
            seat.latest.filter(|_| is_of)
        };
        let members = self.seats.iter();
        let members = members.map(|seat| in_phase(seat).map(|(_, latest)| latest));
        let members = members.collect();
        let there = self.seats.iter().filter(|seat| seat.is_present());
        let slot = there.filter_map(|seat| Some(in_phase(seat)?.0)).min();
        let slot = slot.filter(|slot| with_row && self.shown < Some((phase, *slot)));
        if let Some(slot) = slot {
            self.shown = Some((phase, slot));
        }
        Glance {
            members,
            row: slot.and_then(|slot| self.merged.row_ending(phase, slot)),
        }
    }

    /// Keeps what a member says before its result.
    fn say_more(&mut self, rank: u32, mut piece: Vec<u8>) {
        let brief = &mut self.seats[rank as usize].brief;
        let length = brief.len() + piece.len();
        if length > limits::BRIEFS_BYTES {
            let limit = limits::BRIEFS_BYTES;
            let why = format!("bytes in brief: {length} came, {limit} are allowed");
            return self.lose(rank, &why);
        }
        brief.append(&mut piece);
    }

    fn finished(&mut self, now: Nanos, rank: u32, mut result: Box<MemberResult>) {
        let mut phases = result.phases.iter().enumerate();
        let balanced = phases.all(|(phase, said)| {
            let counted = self.merged.of_member(phase, rank);
            let missing =
                counted.is_empty() && said.iter().all(|one| *one == SeriesCounts::default());
            missing || counted == said.as_slice()
        });
        let seat = &mut self.seats[rank as usize];
        let mut brief = std::mem::take(&mut seat.brief);
        brief.append(&mut result.brief);
        result.brief = brief;
        seat.is_balanced = Some(balanced);
        seat.result = Some(result);
        seat.fate = Some(Fate::Finished);
        self.tell(Event::Finished(self.name(rank)));
        self.leave(now, rank);
    }

    fn failed(&mut self, now: Nanos, rank: u32, why: String) {
        let why = into_visible(why);
        self.tell(Event::Failed(self.name(rank), why.clone()));
        self.seats[rank as usize].fate = Some(Fate::Failed(why));
        self.leave(now, rank);
    }

    /// Lets a member go. Over datagrams the order to go may be lost: then it is repeated until
    /// all is over, and after that the member ends by itself.
    fn leave(&mut self, now: Nanos, rank: u32) {
        if self.setup.stays {
            return;
        }
        self.say_to(now, rank, &ToMember::End);
        let streams = self.setup.delivery == crate::link::Delivery::Stream;
        if let Some(id) = self.seats[rank as usize].link.filter(|_| streams) {
            self.close(id);
        }
    }

    /// Sends somebody away.
    fn refuse(&mut self, now: Nanos, id: LinkId, why: &str) {
        let peer = &self.peers[id.0 as usize];
        let name = self.name_of(id);
        if let Some(rank) = peer.rank.filter(|_| peer.is_known) {
            return self.lose(rank, why);
        }
        self.tell_refusal(name, why);
        self.say(now, id, &ToMember::Refused(short(why.to_owned())));
        self.part(id, why);
        self.actions.push_back(Action::Close(id));
    }

    /// Anybody who reaches the port can be refused as often as he likes.
    fn tell_refusal(&mut self, name: Name, why: &str) {
        self.refusals += 1;
        match self.refusals.cmp(&limits::REFUSALS) {
            Ordering::Less => self.tell(Event::Refused(name, why.to_owned())),
            Ordering::Equal => {
                let why = format!("{why}; further refusals are not reported");
                self.tell(Event::Refused(name, why));
            }
            Ordering::Greater => {}
        }
    }

    /// Ends connections that do not show in time that they know the token. Who was called by the
    /// coordinator itself has as long as members may take to come.
    pub(super) fn send_strangers_away(&mut self, now: Nanos) {
        let limit = limits::STRANGER_TIME;
        for number in 0..self.peers.len() {
            let peer = &self.peers[number];
            let is_strange = peer.is_open && !peer.is_known && peer.rank.is_none();
            if is_strange && now.saturating_sub(peer.came) >= limit {
                let seconds = limit.0 / 1_000_000_000;
                let why = format!("it has not shown within {seconds} s that it knows the secret");
                self.refuse(now, LinkId(number as u32), &why);
            }
        }
    }

    /// A connection is no more.
    pub(super) fn part(&mut self, id: LinkId, why: &str) {
        let peer = &mut self.peers[id.0 as usize];
        peer.is_open = false;
        match (peer.rank, peer.is_known) {
            // One that was called once more is of no use any longer.
            (Some(rank), _) if self.is_called(rank) => self.uncalled(rank),
            (Some(rank), true) => self.lose(rank, why),
            (Some(rank), false) => self.miss(rank, why.to_owned()),
            (None, _) => {}
        }
    }

    /// A member that was expected does not come.
    pub(super) fn miss(&mut self, rank: u32, why: String) {
        if self.seats[rank as usize].fate.is_none() {
            self.tell(Event::Missing(self.name(rank), why.clone()));
            self.seats[rank as usize].fate = Some(Fate::Missing(why));
        }
    }

    /// A member that had come is gone.
    pub(super) fn lose(&mut self, rank: u32, why: &str) {
        let seat = &mut self.seats[rank as usize];
        if seat.fate.is_some() {
            return;
        }
        seat.fate = Some(Fate::Lost(why.to_owned()));
        let counted = seat.counted;
        let link = seat.link;
        self.tell(Event::Lost(self.name(rank), why.to_owned(), counted));
        if let Some(id) = link {
            self.close(id);
        }
    }

    /// Says again what may have been lost.
    pub(super) fn repeat(&mut self, now: Nanos) {
        for (number, peer) in self.peers.iter_mut().enumerate() {
            if peer.is_open && peer.link.due_at() <= now {
                let id = LinkId(number as u32);
                let frames = peer.link.due(now).into_iter();
                self.actions
                    .extend(frames.map(|frame| Action::Send(id, frame)));
            }
        }
    }

    /// Gives up members whose keep-alives are overdue.
    pub(super) fn listen_for_silence(&mut self, now: Nanos) {
        let limit = self.setup.rules.silence;
        for number in 0..self.peers.len() {
            let peer = &mut self.peers[number];
            let quiet = now.saturating_sub(peer.heard);
            if !peer.is_open || !peer.is_known || quiet.0 < limit.0 / 2 {
                continue;
            }
            let rank = peer.rank.expect("who is known has a rank");
            if self.seats[rank as usize].fate.is_some() {
                if quiet >= limit {
                    self.close(LinkId(number as u32));
                }
                continue;
            }
            if quiet >= limit {
                let why = format!("nothing was heard of it for {:.1} s", quiet.as_secs_f64());
                self.lose(rank, &why);
            } else if !std::mem::replace(&mut peer.is_silent, true) {
                self.tell(Event::Silent(self.name(rank), quiet));
            }
        }
    }
}

fn host_or(host: &str) -> &str {
    if host.is_empty() { "somebody" } else { host }
}
