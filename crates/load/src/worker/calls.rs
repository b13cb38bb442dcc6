//! What the calls of the engine came to, counted number by number while the clock runs, which is an
//! addition each, and put together when it has stopped.

use fathom_core::result::CallCounts;

/// Of each number of requests, from none to as many as can be in flight.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Calls that submitted this number.
    submitted: u64,
    /// Calls that returned this number of completions.
    completed: u64,
    /// Requests after which this number was in flight.
    in_flight: u64,
}

/// The calls of one thread in the measured time.
#[derive(Debug)]
pub(super) struct CallBook(Box<[Counts]>);

impl CallBook {
    pub(super) fn new(slots: u32) -> Self {
        Self(vec![Counts::default(); slots as usize + 1].into())
    }

    /// Counts a call that handed over `sent` requests, after which `in_flight` were, and brought
    /// `count` completions; none of them is more than can be in flight.
    #[inline]
    pub(super) fn count(&mut self, sent: u32, in_flight: u32, count: usize) {
        self.0[sent as usize].submitted += 1;
        self.0[in_flight as usize].in_flight += u64::from(sent);
        self.0[count].completed += 1;
    }

    /// All of them; a call that handed over or brought nothing does not count as one that did.
    pub(super) fn counts(&self) -> CallCounts {
        let mut all = CallCounts::default();
        for (number, counts) in (0..).zip(&self.0) {
            all.at_depth(number, counts.in_flight);
            if number > 0 {
                all.sent(number, counts.submitted);
                all.took(number, counts.completed);
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_counts_once_for_each_of_its_numbers() {
        let mut book = CallBook::new(32);
        for (sent, in_flight, count) in [(32, 32, 0), (0, 32, 7), (7, 32, 2), (0, 30, 30)] {
            book.count(sent, in_flight, count);
        }
        let expected = CallCounts {
            in_flight: [0, 0, 0, 0, 0, 39, 0],
            submitted: [0, 0, 1, 0, 1, 0, 0],
            completed: [0, 1, 1, 0, 1, 0, 0],
        };
        assert_eq!(book.counts(), expected);
    }
}
