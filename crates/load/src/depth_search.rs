//! The deepest queue whose requests stay within a time, looked for window by window.
//!
//! A thread begins at depth 1. A good window doubles the depth until one is bad; from then on the
//! depth is the middle between the deepest good and the least deep bad one. Before a smaller depth
//! is judged, what the greater one has left in flight completes. When a good window leaves the
//! depth as it is, the depth is found.

use fathom_core::Nanos;
use fathom_core::spec::Steering;

/// Good windows in a row at a found depth after which a search that follows the storage tries the
/// depth that was bad before.
const TRY_AGAIN: u32 = 3;

/// What a judgement changed for the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The depth is found, or there is none: what follows can be measured.
    Settled,
    /// It is not kept: the search goes on.
    Unsettled,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// Until the end of the window.
    Window { end: Nanos },
    /// Requests of a greater depth are still on their way.
    Draining,
}

/// One thread's search.
#[derive(Clone, Debug)]
pub struct DepthSearch {
    rule: Steering,
    /// The job's depth.
    most: u32,
    depth: u32,
    /// The deepest that was good.
    good: u32,
    /// The least deep that was bad, if any was.
    bad: Option<u32>,
    state: State,
    begin: Nanos,
    ios: u64,
    late: u64,
    settled: bool,
    /// Whether even one outstanding request was too many.
    hopeless: bool,
    /// Good windows in a row that left the depth as it is.
    unchanged: u32,
    windows: u64,
    /// Requests of the last window, and those within the time.
    last: (u64, u64),
}

impl DepthSearch {
    /// A search up to `most` outstanding requests.
    pub const fn new(rule: Steering, most: u32) -> Self {
        Self {
            rule,
            most,
            depth: 1,
            good: 1,
            bad: None,
            state: State::Draining,
            begin: Nanos::MAX,
            ios: 0,
            late: 0,
            settled: false,
            hopeless: false,
            unchanged: 0,
            windows: 0,
            last: (0, 0),
        }
    }

    /// The first window begins at `at`.
    pub fn begin(&mut self, at: Nanos) {
        self.ios = 0;
        self.late = 0;
        self.begin = at;
        let end = at.saturating_add(self.rule.window);
        self.state = State::Window { end };
    }

    /// Whether another request may go out beside `in_flight`.
    #[inline]
    pub const fn has_room(&self, in_flight: u32) -> bool {
        in_flight < self.depth && matches!(self.state, State::Window { .. })
    }

    /// When the window is over; the end of time while requests are waited for.
    #[inline]
    pub const fn until(&self) -> Nanos {
        match self.state {
            State::Window { end } => end,
            State::Draining => Nanos::MAX,
        }
    }

    /// A request completed.
    pub fn completed(&mut self, issued: Nanos, now: Nanos) {
        if now < self.begin || matches!(self.state, State::Draining) {
            return;
        }
        self.ios += 1;
        if now.saturating_sub(issued) > self.rule.within {
            self.late += 1;
            if self.rule.share.0 >= 100.0 {
                // There is nothing more to see in this window.
                self.state = State::Window { end: now };
            }
        }
    }

    /// Looks where the search stands, between two requests.
    pub fn look(&mut self, now: Nanos, in_flight: u32) -> Option<Finding> {
        match self.state {
            State::Draining if in_flight == 0 => {
                self.begin(now);
                None
            }
            State::Window { end } if now >= end && self.ios > 0 => self.judge(now, in_flight),
            // A window without a request shows nothing; it lasts until there is one.
            State::Window { .. } | State::Draining => None,
        }
    }

    fn judge(&mut self, now: Nanos, in_flight: u32) -> Option<Finding> {
        let within = self.ios - self.late;
        self.windows += 1;
        self.last = (self.ios, within);
        let is_good = within as f64 * 100.0 >= self.rule.share.0 * self.ios as f64;
        let before = (self.depth, self.settled);
        if is_good {
            self.rise();
        } else {
            self.fall();
        }
        if self.depth < before.0 && in_flight > 0 {
            self.state = State::Draining;
        } else {
            self.begin(now);
        }
        if self.rule.follow || before.1 == self.settled {
            None
        } else if self.settled {
            Some(Finding::Settled)
        } else {
            Some(Finding::Unsettled)
        }
    }

    fn rise(&mut self) {
        let depth = self.depth;
        self.hopeless = false;
        self.good = depth;
        if self.rule.follow
            && self.unchanged + 1 >= TRY_AGAIN
            && let Some(bad) = self.bad.filter(|bad| *bad == depth + 1)
        {
            self.bad = (bad < self.most).then_some(bad + 1);
            self.unchanged = 0;
        }
        let next = self
            .bad
            .map_or(depth.saturating_mul(2), |bad| depth.midpoint(bad));
        self.depth = next.clamp(1, self.most);
        if self.depth == depth {
            self.unchanged += 1;
            self.settled = true;
        } else {
            self.unchanged = 0;
        }
    }

    fn fall(&mut self) {
        self.unchanged = 0;
        self.hopeless = self.depth == 1;
        self.bad = Some(self.depth);
        if self.depth <= self.good {
            self.good = self.depth - 1;
        }
        self.depth = self.depth.midpoint(self.good).max(1);
        self.settled = self.hopeless;
    }

    /// Whether the phase ends when it has settled.
    pub const fn ends_phase(&self) -> bool {
        !self.rule.follow
    }

    /// Whether the depth is found, or it is known that there is none.
    pub const fn has_settled(&self) -> bool {
        self.settled
    }

    /// What it came to.
    pub fn outcome(&self) -> SearchOutcome {
        let found = if self.rule.follow {
            !self.hopeless && self.windows > 0
        } else {
            self.settled && !self.hopeless
        };
        SearchOutcome {
            found,
            depth: self.depth,
            windows: self.windows,
            ios: self.last.0,
            within: self.last.1,
        }
    }
}

/// What a thread's search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOutcome {
    /// Whether a depth was found, and kept.
    pub found: bool,
    /// The depth at the end.
    pub depth: u32,
    /// Windows that were judged.
    pub windows: u64,
    /// Requests of the last of them.
    pub ios: u64,
    /// Those within the time.
    pub within: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::Percent;
    use proptest::prelude::*;

    const WINDOW: u64 = 1_000;

    fn rule(share: f64, follow: bool) -> Steering {
        Steering {
            within: Nanos(100),
            share: Percent(share),
            window: Nanos(WINDOW),
            follow,
        }
    }

    /// The depths that are judged, with what is found, on a storage that is good up to `limit`.
    fn depths(most: u32, limit: u32, windows: usize, follow: bool) -> (Vec<u32>, Vec<usize>) {
        let mut search = DepthSearch::new(rule(90.0, follow), most);
        search.begin(Nanos(0));
        let mut seen = Vec::new();
        let mut settled = Vec::new();
        let mut now = 0;
        for window in 0..windows {
            seen.push(search.depth);
            now += WINDOW;
            let took = if search.depth > limit { 200 } else { 50 };
            search.completed(Nanos(now - took), Nanos(now));
            if search.look(Nanos(now), 0) == Some(Finding::Settled) {
                settled.push(window);
            }
            assert_eq!(search.look(Nanos(now), 0), None);
        }
        (seen, settled)
    }

    /// What fio 3.33 did when about 13 outstanding requests stayed below its target.
    #[test]
    fn depths_double_and_are_halved_as_those_of_fio() {
        let (seen, settled) = depths(64, 13, 9, false);
        assert_eq!(seen, [1, 2, 4, 8, 16, 12, 14, 13, 13]);
        assert_eq!(settled, [7]);
        let (seen, settled) = depths(64, 64, 9, false);
        assert_eq!(seen, [1, 2, 4, 8, 16, 32, 64, 64, 64]);
        assert_eq!(settled, [6]);
        let (seen, settled) = depths(64, 0, 3, false);
        assert_eq!((seen, settled), (vec![1, 1, 1], vec![0]));
        let (seen, settled) = depths(1, 9, 2, false);
        assert_eq!((seen, settled), (vec![1, 1], vec![0]));
    }

    #[test]
    fn a_search_that_follows_tries_again() {
        let (seen, settled) = depths(64, 13, 15, true);
        let expected = [1, 2, 4, 8, 16, 12, 14, 13, 13, 13, 14, 13, 13, 13, 14];
        assert_eq!(seen, expected);
        assert_eq!(settled, [0_usize; 0]);
    }

    #[test]
    fn requests_of_a_greater_depth_are_not_counted() {
        let mut search = DepthSearch::new(rule(100.0, false), 8);
        search.begin(Nanos(0));
        search.completed(Nanos(0), Nanos(50));
        assert_eq!(search.look(Nanos(500), 1), None);
        assert_eq!(search.look(Nanos(1_000), 1), None);
        assert_eq!((search.depth, search.has_room(1)), (2, true));
        // The first that is late ends the window.
        search.completed(Nanos(1_000), Nanos(1_200));
        assert_eq!(search.until(), Nanos(1_200));
        assert_eq!(search.look(Nanos(1_200), 1), None);
        assert_eq!((search.depth, search.has_room(0)), (1, false));
        search.completed(Nanos(1_100), Nanos(1_300));
        assert_eq!(search.look(Nanos(1_300), 0), None);
        assert_eq!((search.until(), search.has_room(0)), (Nanos(2_300), true));
        search.completed(Nanos(2_200), Nanos(2_250));
        assert_eq!(search.look(Nanos(2_300), 0), Some(Finding::Settled));
        let expected = SearchOutcome {
            found: true,
            depth: 1,
            windows: 3,
            ios: 1,
            within: 1,
        };
        assert_eq!(search.outcome(), expected);
    }

    proptest! {
        #[test]
        fn the_deepest_good_queue_is_found(most in 1_u32..2_000, limit in 1_u32..2_500) {
            let (seen, settled) = depths(most, limit, 40, false);
            prop_assert_eq!(seen.last(), Some(&limit.min(most)));
            prop_assert_eq!(settled.len(), 1);
        }
    }
}
