//! Reading the members' clocks, few at once, and the signs of life.

use super::{Action, Coordinator, Stage};
use crate::clock_offset::{ClockOffset, Pace};
use crate::limits::{CLOCK_GROUP, CLOCK_READINGS};
use crate::message::ToMember;
use fathom_core::Nanos;
use std::collections::VecDeque;

/// After how long a reading that got no answer is made again.
const PATIENCE: Nanos = Nanos::from_millis(500);

/// Readings in a row that show another pace than ours. A clock that was set, or a process that
/// stood still, shows it once.
const OFF_PACE: u32 = 3;

/// Members whose clocks are to be read.
#[derive(Debug, Default)]
pub(super) struct ClockQueue {
    waiting: VecDeque<u32>,
    reading: Vec<u32>,
}

impl ClockQueue {
    pub(super) fn add(&mut self, rank: u32) {
        self.waiting.push_back(rank);
    }

    fn remove(&mut self, rank: u32) {
        self.reading.retain(|one| *one != rank);
    }
}

impl Coordinator {
    /// Begins readings while there is room, and makes lost ones again.
    pub(super) fn read_clocks(&mut self, now: Nanos) {
        let seats = &self.seats;
        let is_there = |rank: &u32| seats[*rank as usize].is_present();
        self.clocks.reading.retain(is_there);
        while self.clocks.reading.len() < CLOCK_GROUP
            && let Some(rank) = self.clocks.waiting.pop_front()
        {
            if self.seats[rank as usize].is_present() {
                self.clocks.reading.push(rank);
                self.ping(now, rank);
            }
        }
        let late = |rank: &&u32| {
            let asked = self.seats[**rank as usize].asked;
            asked.is_none_or(|(_, asked)| now.saturating_sub(asked) > PATIENCE)
        };
        let late: Vec<u32> = self.clocks.reading.iter().filter(late).copied().collect();
        for rank in late {
            self.ping(now, rank);
        }
    }

    fn ping(&mut self, now: Nanos, rank: u32) {
        self.pings += 1;
        let number = self.pings;
        let seat = &mut self.seats[rank as usize];
        seat.asked = Some((number, now));
        seat.beat = now.saturating_add(self.setup.rules.heartbeat);
        if let Some(id) = seat.link {
            let peer = &mut self.peers[id.0 as usize];
            let frame = peer.link.mention(&ToMember::Ping(number));
            self.actions.push_back(Action::Send(id, frame));
        }
    }

    /// A member reported its clock.
    pub(super) fn clock_told(&mut self, now: Nanos, rank: u32, number: u64, clock_ns: u64) {
        let seat = &mut self.seats[rank as usize];
        let Some((_, asked)) = seat.asked.take_if(|(asked, _)| *asked == number) else {
            return;
        };
        let reading = ClockOffset::read(asked, now, clock_ns);
        seat.clock.get_or_insert(reading).refine(reading);
        let (before, times) = *seat.paced.get_or_insert((reading, 0));
        match before.pace(&reading) {
            Pace::Unknown => {}
            Pace::Same => seat.paced = Some((reading, 0)),
            Pace::Off(pace) if times + 1 == OFF_PACE => {
                let bound = if pace > 1.0 { "least" } else { "most" };
                let why = format!(
                    "its clock runs at {bound} {pace:.2} times as fast as the coordinator's: its \
                     times and rates are wrong"
                );
                return self.lose(rank, &why);
            }
            Pace::Off(_) => seat.paced = Some((reading, times + 1)),
        }
        if !self.clocks.reading.contains(&rank) {
            return;
        }
        seat.readings += 1;
        if seat.readings < CLOCK_READINGS {
            self.ping(now, rank);
        } else {
            self.clocks.remove(rank);
            self.read_clocks(now);
        }
    }

    /// Gives the signs of life that are due.
    pub(super) fn beat(&mut self, now: Nanos) {
        let stays = self.setup.stays;
        if self.stage == Stage::Over && !stays {
            return;
        }
        let due = |(rank, seat): (usize, &super::Seat)| {
            let is_there = seat.is_present() || stays && self.is_here(seat);
            (is_there && now >= seat.beat).then_some(rank as u32)
        };
        let seats = self.seats.iter().enumerate();
        let due: Vec<u32> = seats.filter_map(due).collect();
        let reading = &self.clocks.reading;
        let due: Vec<u32> = due
            .into_iter()
            .filter(|rank| !reading.contains(rank))
            .collect();
        for rank in due {
            self.ping(now, rank);
        }
    }
}
