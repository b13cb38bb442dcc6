//! Which of several targets has its turn.

use crate::random::Random;
use fathom_core::spec::TargetOrder;

/// Targets that are drawn before all of them are looked at.
const DRAWS: u32 = 8;

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
    /// How often each is drawn; empty where all are alike.
    weights: Box<[u32]>,
    /// Which targets are gone to at a time, where not all of them are.
    window: Option<Window>,
}

/// The targets that are gone to at a time.
#[derive(Debug)]
struct Window {
    most: usize,
    open: Box<[bool]>,
    count: usize,
    /// The pass that they are of.
    pass: u64,
}

impl Window {
    /// With a pass all of them are shut.
    fn begin(&mut self, pass: u64) {
        if pass != self.pass {
            self.pass = pass;
            self.open.fill(false);
            self.count = 0;
        }
    }

    /// Whether a target of which so many requests are left may have its turn. One that was used to
    /// its end is shut when it would have it, as fio does.
    fn admits(&mut self, target: usize, left: u64) -> bool {
        if left == 0 {
            self.count -= usize::from(std::mem::take(&mut self.open[target]));
            return false;
        }
        self.open[target] || self.count < self.most
    }

    fn enter(&mut self, target: usize) {
        self.count += usize::from(!std::mem::replace(&mut self.open[target], true));
    }
}

impl Turns {
    /// Turns of so many requests.
    pub fn new(order: TargetOrder, requests: u32, targets: usize, seed: u64) -> Self {
        let requests = match order {
            TargetOrder::Sequential => u32::MAX,
            TargetOrder::InTurn | TargetOrder::Random => requests.max(1),
            TargetOrder::Drawn => 1,
        };
        Self {
            order,
            requests,
            left: 0,
            current: targets.saturating_sub(1),
            random: Random::new(seed),
            weights: Box::default(),
            window: None,
        }
    }

    /// The same with targets that are drawn so often, against the others.
    #[must_use]
    pub fn weighing(mut self, weights: &[u32]) -> Self {
        let alike = weights.iter().all(|weight| *weight == weights[0]);
        self.weights = weights.iter().copied().filter(|_| !alike).collect();
        self
    }

    /// The same over so many of its targets at a time.
    #[must_use]
    pub fn at_a_time(mut self, most: usize, targets: usize) -> Self {
        let most = most.max(1);
        self.window = (most < targets).then(|| Window {
            most,
            open: vec![false; targets].into(),
            count: 0,
            pass: 0,
        });
        self
    }

    /// The target of the next request, if it can go there. One may be closed for a while, and is
    /// waited for within its turn, which ends with its pass, which has a number: so many requests
    /// are `left` of that.
    pub(super) fn choose(
        &mut self,
        targets: usize,
        pass: u64,
        left: impl Fn(usize) -> u64,
        open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        if self.left > 0 {
            return Some(self.current).filter(|target| open(*target));
        }
        let next = self.next(targets, pass, &left, open)?;
        if let Some(window) = &mut self.window {
            window.enter(next);
        }
        let most = u32::try_from(left(next)).unwrap_or(u32::MAX);
        (self.current, self.left) = (next, self.requests.min(most));
        Some(next)
    }

    fn next(
        &mut self,
        targets: usize,
        pass: u64,
        left: impl Fn(usize) -> u64,
        open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        if self.order == TargetOrder::Drawn {
            return self.draw(targets, open);
        }
        let first = self.current;
        let in_turn = move |steps: usize| (1..=steps).map(move |step| (first + step) % targets);
        let is_limited = self.window.is_some();
        let window = &mut self.window;
        if let Some(window) = window {
            window.begin(pass);
        }
        let mut may = |target: &usize| {
            let is_admitted = match window {
                Some(window) => window.admits(*target, left(*target)),
                None => true,
            };
            is_admitted && open(*target)
        };
        if self.order != TargetOrder::Random {
            // The first round may shut targets, which makes room for those that it passed over.
            let rounds = if is_limited { 2 } else { 1 };
            return in_turn(rounds * targets).find(may);
        }
        if is_limited {
            in_turn(targets).for_each(|target| {
                may(&target);
            });
        }
        // Of many most are open: looking at all of them is left for where few are.
        for _ in 0..DRAWS {
            let target = self.random.below(targets as u64) as usize;
            if may(&target) {
                return Some(target);
            }
        }
        let count = in_turn(targets).filter(&mut may).count();
        let number = self.random.below(count as u64) as usize;
        in_turn(targets).filter(may).nth(number)
    }

    /// Any of those that are open, by weight.
    fn draw(&mut self, targets: usize, open: impl Fn(usize) -> bool) -> Option<usize> {
        let weights = &self.weights;
        let weight = |target: usize| match weights.get(target) {
            _ if !open(target) => 0,
            Some(weight) => u64::from(*weight),
            None => 1,
        };
        let all = (0..targets).map(weight).sum::<u64>();
        if all == 0 {
            return None;
        }
        let mut drawn = self.random.below(all);
        (0..targets).find(|target| {
            let its = weight(*target);
            let is_it = drawn < its;
            drawn = drawn.saturating_sub(its);
            is_it
        })
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
            let target = turns.choose(3, 0, of_pass, open).expect("one is open");
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

    /// The targets of one pass and a half over so many requests of each, so many at a time.
    fn at_a_time(most: usize, order: TargetOrder, requests: u32, each: &[u64]) -> Vec<usize> {
        let mut turns = Turns::new(order, requests, each.len(), 7).at_a_time(most, each.len());
        let (mut left, mut pass) = (each.to_vec(), 1);
        let mut course = Vec::new();
        let all = each.iter().sum::<u64>();
        for _ in 0..all + all / 2 {
            if left.iter().all(|left| *left == 0) {
                (left, pass) = (each.to_vec(), pass + 1);
            }
            let open = |target: usize| left[target] > 0;
            let of_pass = |target: usize| left[target];
            let target = turns.choose(each.len(), pass, of_pass, open);
            let target = target.expect("one is open");
            turns.took();
            left[target] -= 1;
            course.push(target);
        }
        course
    }

    /// As fio 3.33 goes through files of 2, 5, 3 and 4 blocks with `openfiles`.
    #[test]
    fn some_targets_are_gone_to_at_a_time() {
        let in_turn = |most: usize, requests: u32| {
            let course = at_a_time(most, TargetOrder::InTurn, requests, &[2, 5, 3, 4]);
            let (pass, more) = course.split_at(14);
            assert_eq!(more, &pass[..7]);
            pass.to_vec()
        };
        assert_eq!(in_turn(1, 1), [0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]);
        assert_eq!(in_turn(2, 1), [0, 1, 0, 1, 1, 2, 1, 2, 1, 2, 3, 3, 3, 3]);
        assert_eq!(in_turn(2, 2), [0, 0, 1, 1, 1, 1, 2, 2, 1, 2, 3, 3, 3, 3]);
        assert_eq!(in_turn(3, 1), [0, 1, 2, 0, 1, 2, 1, 2, 3, 1, 3, 1, 3, 3]);
        let each = [2, 5, 3, 4];
        assert_eq!(
            at_a_time(4, TargetOrder::InTurn, 1, &each),
            at_a_time(9, TargetOrder::InTurn, 1, &each)
        );
    }

    #[test]
    fn of_targets_at_random_no_more_are_under_way() {
        let course = at_a_time(2, TargetOrder::Random, 1, &[4; 5]);
        let mut left = [4_u64; 5];
        let mut most = 0;
        for target in &course[..20] {
            left[*target] -= 1;
            most = most.max(left.iter().filter(|left| (1..4).contains(*left)).count());
        }
        assert_eq!((left, most), ([0; 5], 2));
    }

    #[test]
    fn targets_are_drawn_by_weight_whatever_went_before() {
        let drawn = |weights: &[u32], shut: usize| {
            let turns = Turns::new(TargetOrder::Drawn, 1, 3, 7);
            let mut turns = turns.weighing(weights);
            let mut counts = [0_u32; 3];
            for _ in 0..60_000 {
                let target = turns.choose(3, 0, |_| u64::MAX, |target| target != shut);
                turns.took();
                counts[target.expect("one is open")] += 1;
            }
            counts
        };
        // Five standard deviations of binomials of 60,000.
        let near = |counts: [u32; 3], expected: [u32; 3]| {
            let are = |(count, of): (&u32, &u32)| count.abs_diff(*of) < 600;
            assert!(counts.iter().zip(&expected).all(are), "{counts:?}");
        };
        near(drawn(&[], 9), [20_000; 3]);
        near(drawn(&[4, 4, 4], 9), [20_000; 3]);
        near(drawn(&[1, 2, 3], 9), [10_000, 20_000, 30_000]);
        near(drawn(&[1, 2, 3], 1), [15_000, 0, 45_000]);
        assert_eq!(drawn(&[0, 1, 0], 9), [0, 60_000, 0]);
        let mut turns = Turns::new(TargetOrder::Drawn, 1, 3, 7).weighing(&[1, 0, 1]);
        let only = turns.choose(3, 0, |_| u64::MAX, |target| target == 1);
        assert_eq!(only, None);
    }

    #[test]
    fn a_turn_waits_for_its_target() {
        let mut turns = Turns::new(TargetOrder::Sequential, 1, 2, 7);
        let two = |_| 2;
        assert_eq!(turns.choose(2, 0, two, |_| true), Some(0));
        turns.took();
        // While a flush of the first is under way.
        assert_eq!(turns.choose(2, 0, two, |target| target != 0), None);
        assert_eq!(turns.choose(2, 0, two, |_| true), Some(0));
        turns.took();
        assert_eq!(turns.choose(2, 0, two, |_| true), Some(1));
    }
}
