//! What lost members had made: somebody on the same machine removes it, before all is over. Marks
//! on it say whose it is, so that nothing else goes.

use super::{Action, Coordinator, Fate, LinkId, Stage};
use crate::event::Event;
use crate::message::ToMember;
use fathom_core::Nanos;

/// How long that may take: a host that is down is not called for longer.
const PATIENCE: Nanos = Nanos::from_secs(5);

impl Coordinator {
    /// Has what lost members had made removed; then all is over.
    pub(super) fn tidy_up(&mut self, now: Nanos) {
        self.tidy(now, now.saturating_add(PATIENCE));
    }

    /// The same until an instant.
    pub(super) fn tidy(&mut self, now: Nanos, until: Nanos) {
        self.stage = Stage::Tidying { until };
        for rank in 0..self.seats.len() as u32 {
            let seat = &self.seats[rank as usize];
            let is_lost = matches!(seat.fate, Some(Fate::Lost(_)));
            if !is_lost || seat.estate.is_none() {
                continue;
            }
            self.untidy.insert(rank);
            if until <= now {
                continue;
            }
            match self.neighbour(rank) {
                Some(id) => self.ask_to_remove(now, rank, id),
                None => self.actions.push_back(Action::Call(rank)),
            }
        }
        self.await_tidiness(now, until);
    }

    /// Somebody who is connected, on the machine of a member that is not.
    fn neighbour(&self, rank: u32) -> Option<LinkId> {
        let boot = |seat: &super::Seat| seat.identity.as_ref().map(|one| one.boot_id.clone());
        let wanted = boot(&self.seats[rank as usize]).filter(|boot| !boot.is_empty())?;
        let mut others = self
            .seats
            .iter()
            .filter(|seat| self.is_here(seat) && boot(seat).as_ref() == Some(&wanted));
        others.find_map(|seat| seat.link)
    }

    pub(super) fn ask_to_remove(&mut self, now: Nanos, rank: u32, id: LinkId) {
        if let Some(estate) = self.seats[rank as usize].estate.clone() {
            self.say(now, id, &ToMember::Remove(estate));
        }
    }

    /// Whether a member of this rank is called once more.
    pub(super) fn is_called(&self, rank: u32) -> bool {
        matches!(self.stage, Stage::Tidying { .. }) && self.untidy.contains(&rank)
    }

    /// A member cannot be called once more.
    pub fn uncalled(&mut self, rank: u32) {
        if self.untidy.remove(&rank)
            && let Some(estate) = self.seats[rank as usize].estate.take()
        {
            self.leave_behind(rank, estate.places);
        }
    }

    /// Somebody has removed what could be.
    pub(super) fn removed(&mut self, owner: &str, places: Vec<String>) {
        let is_owner = |rank: &u32| {
            let estate = self.seats[*rank as usize].estate.as_ref();
            estate.is_some_and(|estate| estate.owner == owner)
        };
        let Some(rank) = self.untidy.iter().copied().find(is_owner) else {
            return;
        };
        self.untidy.remove(&rank);
        self.seats[rank as usize].estate = None;
        self.leave_behind(rank, places);
    }

    fn leave_behind(&mut self, rank: u32, places: Vec<String>) {
        if !places.is_empty() {
            self.tell(Event::Left(self.name(rank), places.clone()));
            self.seats[rank as usize].left = places;
        }
    }

    pub(super) fn await_tidiness(&mut self, now: Nanos, until: Nanos) {
        if now >= until {
            while let Some(rank) = self.untidy.first().copied() {
                self.uncalled(rank);
            }
        }
        if self.untidy.is_empty() {
            self.stage = Stage::Over;
        }
    }
}
