//! Which part of the lag of an open load is the generator's.
//!
//! A request is issued late for one of two reasons: the thread was late although a slot was free,
//! or all slots were in use, which is the storage's doing. The first leaves a debt: everything that
//! is due until the thread has caught up is late by no more than this. So a batch whose lag is
//! within the debt is late by the generator alone, and one beyond it has waited for the storage.

use fathom_core::Nanos;

/// What a thread owes to the requests that are due.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lateness {
    /// Time over which a request was due, a slot was free and the thread was not there.
    owed: Nanos,
    /// When the turn began that looked last at what is due.
    looked: Nanos,
    /// Whether that turn found nothing more that was due, with a slot free.
    caught_up: bool,
    /// The same of the present turn.
    catches_up: bool,
}

impl Lateness {
    /// All that is due has been prepared, and a slot is free.
    #[inline]
    pub(super) const fn caught_up(&mut self) {
        self.catches_up = true;
    }

    /// The turn that began at `begun` submits nothing.
    #[inline]
    pub(super) const fn nothing(&mut self, begun: Nanos) {
        self.looked = begun;
        self.caught_up = self.catches_up;
        self.catches_up = false;
    }

    /// The turn that began at `begun` submits at `issued` a batch whose intended start is
    /// `intended`; whether the batch has waited for the storage, too.
    #[inline]
    pub(super) fn batch(&mut self, intended: Nanos, begun: Nanos, issued: Nanos) -> bool {
        let lag = issued.saturating_sub(intended);
        let prepared = issued.saturating_sub(begun);
        self.owed = if self.caught_up {
            lag
        } else if intended > self.looked {
            // It came due while all slots were in use.
            prepared
        } else {
            self.owed.saturating_add(prepared)
        };
        self.nothing(begun);
        lag > self.owed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the batch of each turn waited for the storage. A turn has the instant at which it
    /// begins, the intended start of its batch, and whether all that was due is in the batch.
    fn waited<const N: usize>(turns: [(u64, Option<u64>, bool); N]) -> Vec<Option<bool>> {
        let mut lateness = Lateness::default();
        let turn = |(begun, intended, catches_up): (u64, Option<u64>, bool)| {
            if catches_up {
                lateness.caught_up();
            }
            let Some(intended) = intended else {
                lateness.nothing(Nanos(begun));
                return None;
            };
            Some(lateness.batch(Nanos(intended), Nanos(begun), Nanos(begun + 1)))
        };
        turns.map(turn).into()
    }

    #[test]
    fn a_thread_that_wakes_late_owes_it_to_all_that_it_catches_up_with() {
        let turns = [
            (0, None, true),
            (500, Some(100), false),
            (510, Some(120), false),
            (520, Some(400), true),
            (600, Some(590), true),
        ];
        assert_eq!(
            waited(turns),
            [None, Some(false), Some(false), Some(false), Some(false)]
        );
    }

    #[test]
    fn what_comes_due_while_all_slots_are_in_use_waits_for_the_storage() {
        let turns = [
            (0, None, true),
            (10, Some(10), false),
            (50, Some(20), false),
            (90, Some(30), false),
            // Something completed, and nothing was due: what comes now is the thread's again.
            (95, None, true),
            (200, Some(100), true),
        ];
        let expected = [None, Some(false), Some(true), Some(true), None, Some(false)];
        assert_eq!(waited(turns), expected);
    }

    #[test]
    fn a_pause_is_owed_until_the_thread_has_caught_up_whatever_the_storage_does() {
        let turns = [
            (0, None, true),
            (1_000, Some(100), false),
            // 900 are owed; the storage adds 300.
            (1_300, Some(200), false),
            (1_310, Some(600), false),
        ];
        assert_eq!(waited(turns), [None, Some(false), Some(true), Some(false)]);
    }
}
