//! How many requests go out with one call at most.
//!
//! Completions come in bunches. If all free slots are filled before one call submits them, the
//! storage has nothing to do while the batch is prepared and held in the kernel's plug; if each
//! goes out alone, every request costs a call. So a batch takes a small share of the time that a
//! request takes: share of the mean service time over the cost of preparing and submitting one.
//! Where most requests have completed when the call that submitted them comes back (page cache,
//! memory), nothing stands idle meanwhile, and a batch is as many as there are.

use super::Worker;
use fathom_core::Nanos;
use fathom_engine::Engine;

/// Share of the mean service time that a batch may take, in thousandths.
const SHARE_PERMILLE: u128 = 30;
/// Completions to learn from, and what a warm-up that ends earlier must have seen.
const ENOUGH: u64 = 2_000;

/// The limit, and the measurements that set it.
#[derive(Debug)]
pub(super) struct SubmitBatch {
    most: u32,
    is_reported: bool,
    learning: Option<Learning>,
}

/// What a thread has seen of its first requests.
#[derive(Clone, Copy, Debug, Default)]
struct Learning {
    slots: u32,
    submitted: u64,
    /// Time to prepare and submit those.
    cost_ns: u128,
    completed: u64,
    service_ns: u128,
    /// Completed within the call that submitted them.
    at_once: u64,
}

impl SubmitBatch {
    /// As many as `asked`; otherwise as many as there are `slots`, until it is learned.
    pub(super) fn new(asked: Option<u32>, slots: u32, learns: bool) -> Self {
        let learns = learns && asked.is_none();
        Self {
            most: asked.unwrap_or(slots).clamp(1, slots),
            is_reported: asked.is_some() || learns,
            learning: learns.then(|| Learning {
                slots,
                ..Learning::default()
            }),
        }
    }

    /// Requests that go out together at most.
    #[inline]
    pub(super) const fn most(&self) -> u32 {
        self.most
    }

    /// Whether it is still being learned.
    #[inline]
    pub(super) const fn learns(&self) -> bool {
        self.learning.is_some()
    }

    /// For the result, where there was anything to learn or to keep to.
    pub(super) fn reported(&self) -> Option<u32> {
        self.is_reported.then_some(self.most)
    }
}

impl Learning {
    /// The limit that follows.
    fn most(&self) -> u32 {
        let Self {
            slots,
            submitted,
            cost_ns,
            completed,
            service_ns,
            at_once,
        } = *self;
        if completed == 0 || cost_ns == 0 || at_once * 2 >= completed {
            return slots;
        }
        // share × (service / completed) / (cost / submitted)
        let most = SHARE_PERMILLE * service_ns * u128::from(submitted)
            / (1_000 * cost_ns * u128::from(completed));
        u32::try_from(most).unwrap_or(slots).clamp(1, slots)
    }
}

impl<E: Engine> Worker<E> {
    /// Looks at a turn that began at `begun`, submitted `sent` requests, waited for nothing if
    /// there were any, and has `count` completions.
    #[cold]
    pub(super) fn learn(&mut self, begun: Nanos, count: usize, sent: u32) {
        let now = self.engine.now();
        let Some(learning) = &mut self.submit_batch.learning else {
            return;
        };
        if sent > 0 {
            learning.submitted += u64::from(sent);
            learning.cost_ns += u128::from(now.saturating_sub(begun).0);
        }
        for completion in &self.done[..count] {
            let slot = self.slots.get(completion.slot);
            learning.completed += 1;
            learning.service_ns += u128::from(now.saturating_sub(slot.issued).0);
            learning.at_once += u64::from(sent > 0 && slot.issued >= begun);
        }
        let is_warm = self.limits.warm_up == Nanos::ZERO || now >= self.tally.measure();
        if learning.completed >= ENOUGH && is_warm {
            self.submit_batch.most = learning.most();
            self.submit_batch.learning = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_takes_its_share_of_the_service_time() {
        let seen = Learning {
            slots: 32,
            submitted: 1_000,
            cost_ns: 800_000,
            completed: 1_000,
            service_ns: 190_000_000,
            at_once: 0,
        };
        // 3 % of 190 us are 5.7 us, and each takes 0.8 us.
        assert_eq!(seen.most(), 7);
        let cases = [
            (
                Learning {
                    service_ns: 20_000_000,
                    ..seen
                },
                1,
            ),
            (
                Learning {
                    service_ns: 8_000_000_000,
                    ..seen
                },
                32,
            ),
            (
                Learning {
                    at_once: 500,
                    ..seen
                },
                32,
            ),
            (Learning { cost_ns: 0, ..seen }, 32),
            (
                Learning {
                    completed: 0,
                    ..seen
                },
                32,
            ),
        ];
        for (seen, most) in cases {
            assert_eq!(seen.most(), most, "{seen:?}");
        }
    }

    #[test]
    fn what_is_asked_for_is_not_learned() {
        let told = |asked, learns| {
            let batch = SubmitBatch::new(asked, 32, learns);
            (batch.most(), batch.learns(), batch.reported())
        };
        assert_eq!(told(Some(8), true), (8, false, Some(8)));
        assert_eq!(told(Some(64), false), (32, false, Some(32)));
        assert_eq!(told(None, true), (32, true, Some(32)));
        assert_eq!(told(None, false), (32, false, None));
    }
}
