//! Which of several targets has its turn.

use crate::random::Random;
use fathom_core::spec::TargetOrder;

/// The turns of a thread's targets, which share its slots.
#[derive(Debug)]
pub struct Turns {
    order: TargetOrder,
    /// Requests of a turn.
    requests: u32,
    /// Those that are left of this one.
    left: u32,
    current: usize,
    random: Random,
}

impl Turns {
    /// Turns of so many requests.
    pub fn new(order: TargetOrder, requests: u32, targets: usize, seed: u64) -> Self {
        let requests = match order {
            TargetOrder::Sequential => u32::MAX,
            TargetOrder::InTurn | TargetOrder::Random => requests.max(1),
        };
        Self {
            order,
            requests,
            left: 0,
            current: targets.saturating_sub(1),
            random: Random::new(seed),
        }
    }

    /// The target of the next request, if it can go there. One may be closed for a while, and is
    /// waited for within its turn, which ends with its pass: so many requests are `left` of that.
    pub(super) fn choose(
        &mut self,
        targets: usize,
        left: impl Fn(usize) -> u64,
        open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        if self.left > 0 {
            return Some(self.current).filter(|target| open(*target));
        }
        let others = || (1..=targets).map(|step| (self.current + step) % targets);
        let next = match self.order {
            TargetOrder::InTurn | TargetOrder::Sequential => others().find(|one| open(*one))?,
            TargetOrder::Random => {
                let count = others().filter(|one| open(*one)).count();
                let number = self.random.below(count as u64) as usize;
                let others = (1..=targets).map(|step| (self.current + step) % targets);
                others.filter(|one| open(*one)).nth(number)?
            }
        };
        let most = u32::try_from(left(next)).unwrap_or(u32::MAX);
        (self.current, self.left) = (next, self.requests.min(most));
        Some(next)
    }

    /// A request went to the target that was chosen; a flush is none.
    pub(super) fn took(&mut self) {
        self.left = self.left.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The targets of two passes over three, of which each holds four requests.
    fn course(order: TargetOrder, requests: u32) -> Vec<usize> {
        let mut turns = Turns::new(order, requests, 3, 7);
        let mut left = [4; 3];
        let mut course = Vec::new();
        while course.len() < 24 {
            if left == [0; 3] {
                left = [4; 3];
            }
            let open = |target: usize| left[target] > 0;
            let of_pass = |target: usize| left[target];
            let target = turns.choose(3, of_pass, open).expect("one is open");
            turns.took();
            left[target] -= 1;
            course.push(target);
        }
        course
    }

    /// As fio 3.33 goes through three files.
    #[test]
    fn targets_have_turns_in_order() {
        let pass = [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2];
        assert_eq!(course(TargetOrder::InTurn, 2), [pass, pass].concat());
        let pass = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2];
        assert_eq!(course(TargetOrder::InTurn, 8), [pass, pass].concat());
        assert_eq!(course(TargetOrder::Sequential, 1), [pass, pass].concat());
        let pass = [0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 1, 2];
        assert_eq!(course(TargetOrder::InTurn, 3)[..12], pass);
    }

    #[test]
    fn turns_at_random_are_whole_and_leave_nothing_out() {
        let course = course(TargetOrder::Random, 2);
        let is_whole = |turn: &[usize]| turn[0] == turn[1];
        assert!(course.chunks(2).all(is_whole), "{course:?}");
        for pass in course.chunks(12) {
            let mut sorted = pass.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
        }
        assert_ne!(course[..12], course[12..]);
    }

    #[test]
    fn a_turn_waits_for_its_target() {
        let mut turns = Turns::new(TargetOrder::Sequential, 1, 2, 7);
        let two = |_| 2;
        assert_eq!(turns.choose(2, two, |_| true), Some(0));
        turns.took();
        // While a flush of the first is under way.
        assert_eq!(turns.choose(2, two, |target| target != 0), None);
        assert_eq!(turns.choose(2, two, |_| true), Some(0));
        turns.took();
        assert_eq!(turns.choose(2, two, |_| true), Some(1));
    }
}
