//! Requests with priorities of their own: what the kernel is told of each, and which one has which.

use fathom_core::spec::Priority;

/// The priorities of a worker's requests.
#[derive(Debug)]
pub(super) struct Urgencies {
    /// The number of each in the kernel; 0 for that of the thread.
    numbers: Box<[u16]>,
    /// Which of them the request in each slot has.
    of_slot: Box<[u8]>,
}

impl Urgencies {
    /// Those of a worker with so many slots; none where all requests are alike.
    pub(super) fn of(priorities: &[Option<Priority>], slots: u32) -> Option<Self> {
        let number = |priority: &Option<Priority>| priority.map_or(0, Priority::number);
        (!priorities.is_empty()).then(|| Self {
            numbers: priorities.iter().map(number).collect(),
            of_slot: vec![0; slots as usize].into(),
        })
    }

    /// Notes which one the request in a slot has.
    pub(super) fn begin(&mut self, slot: u32, urgency: u8) {
        self.of_slot[slot as usize] = urgency;
    }

    /// Which one the request in a slot has.
    pub(super) fn get(&self, slot: u32) -> u8 {
        self.of_slot[slot as usize]
    }

    /// Its number in the kernel.
    pub(super) fn number(&self, slot: u32) -> u16 {
        self.numbers[usize::from(self.get(slot))]
    }
}
