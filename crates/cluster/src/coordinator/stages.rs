//! From one stage to the next.

use super::{Action, Coordinator, Fate, Stage};
use crate::event::Event;
use crate::limits::CLOCK_READINGS;
use crate::message::{Assignment, MemberPlace, ToMember, short};
use fathom_core::Nanos;
use std::collections::BTreeMap;

/// Seed of the member of `rank`: the run's own for the first, so that a run of one member is the
/// run without members; for others mixed with the rank (SplitMix64, Steele et al. 2014).
pub fn seed_of(seed: u64, rank: u32) -> u64 {
    if rank == 0 {
        return seed;
    }
    let mut mixed = seed.wrapping_add(u64::from(rank).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Coordinator {
    /// Goes on if all is there for it.
    pub(super) fn advance(&mut self, now: Nanos) {
        match self.stage {
            Stage::Gathering { until } => self.gather(now, until),
            Stage::Preparing { phase } => self.prepare(now, phase),
            Stage::Running { phase } => self.run(now, phase),
            Stage::Stopping => {
                self.end_if_all_done(now);
            }
            Stage::Tidying { until } => self.await_tidiness(now, until),
            Stage::Over => {}
        }
    }

    fn gather(&mut self, now: Nanos, until: Nanos) {
        let is_open = |seat: &super::Seat| seat.fate.is_none() && seat.link.is_none();
        if now >= until {
            let seconds = self.setup.rules.patience.as_secs_f64();
            for rank in 0..self.seats.len() {
                if is_open(&self.seats[rank]) {
                    self.miss(rank as u32, format!("it did not come within {seconds} s"));
                }
            }
        } else if self.seats.iter().any(is_open) {
            return;
        }
        let absent = self.seats.iter().filter(|seat| seat.fate.is_some()).count();
        let all = self.seats.len();
        if absent == all {
            return self.abandon(now, "no member came");
        }
        if absent > 0 && !self.setup.rules.allow_missing {
            let why = format!("{absent} of {all} members are missing");
            return self.abandon(now, &why);
        }
        let read = |seat: &super::Seat| !seat.is_present() || seat.readings >= CLOCK_READINGS;
        if self.seats.iter().all(read) {
            self.assign(now);
        }
    }

    fn assign(&mut self, now: Nanos) {
        let members = self.seats.len() as u32;
        let mut indices: BTreeMap<String, u32> = BTreeMap::new();
        for rank in self.present() {
            let name = self.name(rank);
            let index = indices.entry(name.host.clone()).or_default();
            let place = MemberPlace {
                rank,
                index: *index,
                members,
                host: name.host,
            };
            *index += 1;
            let seed = if self.setup.one_seed {
                self.setup.seed
            } else {
                seed_of(self.setup.seed, rank)
            };
            let seat = &mut self.seats[rank as usize];
            seat.place = Some(place.clone());
            seat.seed = seed;
            let assignment = Assignment {
                place,
                seed,
                silence_ns: self.setup.rules.silence.0,
                plan: self.setup.plan.clone(),
            };
            self.say_to(now, rank, &ToMember::Prepare(assignment));
        }
        let members = self.present().len() as u32;
        self.tell(Event::Preparing { members });
        self.stage = Stage::Preparing { phase: 0 };
    }

    fn prepare(&mut self, now: Nanos, phase: u32) {
        let gone = |seat: &super::Seat| matches!(seat.fate, Some(Fate::Failed(_) | Fate::Lost(_)));
        let gone = self.seats.iter().filter(|seat| gone(seat)).count();
        if phase == 0 && gone > 0 && !self.setup.rules.allow_missing {
            let why = format!("{gone} of {} members could not prepare", self.seats.len());
            return self.abandon(now, &why);
        }
        if self.end_if_all_done(now) {
            return;
        }
        let mut there = self.seats.iter().filter(|seat| seat.is_present());
        if there.all(|seat| seat.ready >= Some(phase)) {
            self.start(now, phase);
        }
    }

    fn start(&mut self, now: Nanos, phase: u32) {
        let ranks = self.present();
        let lead = self.setup.rules.lead_of(ranks.len());
        let at = now + lead;
        self.starts.push(at);
        for rank in ranks {
            let seat = &mut self.seats[rank as usize];
            let Some(clock) = seat.clock else { continue };
            seat.offset = Some((clock.offset_ns(), clock.error_ns(now)));
            let at_ns = clock.theirs(at);
            self.say_to(now, rank, &ToMember::Start { phase, at_ns });
        }
        if let Some(before) = phase.checked_sub(1) {
            self.merged.seal(before);
        }
        self.told = None;
        self.stage = Stage::Running { phase };
        self.tell(Event::Starting { phase, lead });
    }

    fn run(&mut self, now: Nanos, phase: u32) {
        if self.end_if_all_done(now) {
            return;
        }
        let next = phase + 1;
        let mut there = self.seats.iter().filter(|seat| seat.is_present());
        if (next as usize) < self.setup.series.len() && there.all(|seat| seat.ready >= Some(next)) {
            self.start(now, next);
        }
    }

    fn end_if_all_done(&mut self, now: Nanos) -> bool {
        let done = self.seats.iter().all(|seat| seat.fate.is_some());
        if done {
            self.tidy_up(now);
        }
        done
    }

    /// Sends all away before anything was measured.
    pub(super) fn abandon(&mut self, now: Nanos, why: &str) {
        self.tell(Event::Abandoned(why.to_owned()));
        self.abandoned = Some(why.to_owned());
        let refusal = ToMember::Refused(short(format!("nothing is measured: {why}")));
        for number in 0..self.peers.len() {
            let id = super::LinkId(number as u32);
            self.say(now, id, &refusal);
            if self.peers[number].is_open {
                self.actions.push_back(Action::Close(id));
            }
            self.peers[number].is_open = false;
        }
        for seat in &mut self.seats {
            // Those who are sent away remove what they made.
            if seat.fate.is_none() {
                seat.estate = None;
            }
            seat.fate.get_or_insert_with(|| Fate::Lost(why.to_owned()));
        }
        self.tidy_up(now);
    }
}
