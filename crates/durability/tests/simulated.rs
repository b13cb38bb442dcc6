//! The judge before storage of known behaviour: what keeps its promises is never blamed, and what
//! breaks one is found whenever something acknowledged was lost.

use fathom_durability::judge::Cut;
use fathom_durability::{
    Deed, Harm, Header, Judgement, Log, Open, Plan, Promise, State, Storage, Unit, judge,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// What a storage does with what it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Writes go to the medium at once.
    WriteThrough,
    /// A volatile cache that is emptied when asked.
    Honest,
    /// A volatile cache; a flush is acknowledged and not made.
    LiesAboutFlush,
    /// A volatile cache; a write that asks for itself alone stays in it.
    LosesFua,
}

/// A seeded source of chance.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB) >> 11
    }

    fn one_in(&mut self, parts: u64) -> bool {
        self.next().is_multiple_of(parts)
    }
}

type Key = (Promise, u64, usize);

/// A disk with a cache that forgets, writes back in any order, and tears between sectors.
struct Disk {
    kind: Kind,
    units: usize,
    medium: BTreeMap<Key, u64>,
    cache: Vec<(Key, u64)>,
    /// What was acknowledged and promised, as the disk itself has seen it.
    promised: BTreeMap<(Promise, u64), u64>,
    unflushed: Vec<(Promise, u64, u64)>,
}

impl Disk {
    fn new(kind: Kind, units: usize) -> Self {
        Self {
            kind,
            units,
            medium: BTreeMap::new(),
            cache: Vec::new(),
            promised: BTreeMap::new(),
            unflushed: Vec::new(),
        }
    }

    fn write(&mut self, promise: Promise, place: u64, sequence: u64) {
        for unit in 0..self.units {
            self.cache.push(((promise, place, unit), sequence));
        }
        if self.kind == Kind::WriteThrough {
            self.drain();
        }
    }

    /// The newest of each sector reaches the medium.
    fn settle(&mut self, key: Key, sequence: u64) {
        let there = self.medium.entry(key).or_default();
        *there = sequence.max(*there);
    }

    fn drain(&mut self) {
        for (key, sequence) in std::mem::take(&mut self.cache) {
            self.settle(key, sequence);
        }
    }

    fn flush(&mut self) {
        if self.kind != Kind::LiesAboutFlush {
            self.drain();
        }
    }

    /// A write that is to be there by itself.
    fn write_through(&mut self, promise: Promise, place: u64, sequence: u64) {
        self.write(promise, place, sequence);
        if self.kind == Kind::Honest {
            let is_it = |(key, _): &(Key, u64)| (key.0, key.1) == (promise, place);
            let (now, later) = std::mem::take(&mut self.cache).into_iter().partition(is_it);
            self.cache = later;
            let now: Vec<(Key, u64)> = now;
            for (key, sequence) in now {
                self.settle(key, sequence);
            }
        }
    }

    /// Some of the cache goes to the medium whenever the disk likes.
    fn idle(&mut self, chance: &mut Chance) {
        for (key, sequence) in std::mem::take(&mut self.cache) {
            if chance.one_in(40) {
                self.settle(key, sequence);
            } else {
                self.cache.push((key, sequence));
            }
        }
    }

    fn forget_file(&mut self, plan: &Plan, promise: Promise, place: u64) {
        let file = place / plan.blocks;
        let is_in = |one: Promise, at: u64| one == promise && at / plan.blocks == file;
        self.medium.retain(|key, _| !is_in(key.0, key.1));
        self.cache.retain(|(key, _)| !is_in(key.0, key.1));
        self.promised.retain(|key, _| !is_in(key.0, key.1));
    }

    fn step(&mut self, plan: &Plan, sequence: u64, is_acknowledged: bool) {
        let step = plan.step(sequence);
        let promise = step.promise;
        match step.deed {
            Deed::Write { place } if matches!(promise, Promise::Fua | Promise::Dsync) => {
                self.write_through(promise, place, sequence);
            }
            Deed::Write { place } => self.write(promise, place, sequence),
            Deed::Flush => {
                if is_acknowledged {
                    self.flush();
                }
            }
            Deed::Append { place, begins } => {
                if begins {
                    self.forget_file(plan, promise, place);
                }
                self.write(promise, place, sequence);
                if is_acknowledged {
                    self.flush();
                }
            }
            // A journal makes it whole or not at all.
            Deed::Rename => {
                if is_acknowledged {
                    self.write(promise, 0, sequence);
                    self.flush();
                }
            }
        }
        if is_acknowledged {
            self.acknowledge(promise, step.deed, sequence);
        }
    }

    fn acknowledge(&mut self, promise: Promise, deed: Deed, sequence: u64) {
        let place = match deed {
            Deed::Write { place } | Deed::Append { place, .. } => place,
            Deed::Rename | Deed::Flush => 0,
        };
        match (promise, deed) {
            (Promise::Flush, Deed::Write { .. }) => {
                self.unflushed.push((promise, place, sequence));
            }
            (_, Deed::Flush) => {
                for (promise, place, sequence) in std::mem::take(&mut self.unflushed) {
                    self.promised.insert((promise, place), sequence);
                }
            }
            _ => {
                self.promised.insert((promise, place), sequence);
            }
        }
    }

    /// Power is cut: of the cache some sectors reach the medium, others do not. Names change whole.
    fn cut(&mut self, chance: &mut Chance) {
        let keeps_all = chance.one_in(10);
        let cache = std::mem::take(&mut self.cache);
        let mut names: BTreeMap<u64, bool> = BTreeMap::new();
        for (key, sequence) in cache {
            let some = keeps_all || chance.one_in(2);
            let is_kept = match key.0 {
                Promise::Rename => *names.entry(sequence).or_insert(some),
                _ => some,
            };
            if is_kept {
                self.settle(key, sequence);
            }
        }
    }

    /// The places of a promise at which something older lies than was promised.
    fn truly_lost(&self, promise: Promise) -> u64 {
        let of_it = self.promised.iter().filter(|((one, _), _)| *one == promise);
        let is_lost = |place: u64, sequence: u64| {
            (0..self.units).any(|unit| {
                let there = self.medium.get(&(promise, place, unit));
                there.copied().unwrap_or(0) < sequence
            })
        };
        of_it
            .filter(|((_, place), sequence)| is_lost(*place, **sequence))
            .count() as u64
    }
}

impl Storage for Disk {
    fn units(&mut self, promise: Promise, place: u64) -> Vec<Unit> {
        let units = 0..self.units;
        let found: Vec<Unit> = units
            .map(|unit| match self.medium.get(&(promise, place, unit)) {
                Some(sequence) => Unit::Of(*sequence),
                None => Unit::Before,
            })
            .collect();
        let is_absent = found.iter().all(|unit| *unit == Unit::Before);
        if promise == Promise::Rename && is_absent {
            return Vec::new();
        }
        found
    }
}

#[derive(Clone, Debug)]
struct Case {
    plan: Plan,
    acknowledged: u64,
    seed: u64,
}

fn cases(promises: &'static [Promise]) -> impl Strategy<Value = Case> {
    let promises = proptest::sample::subsequence(promises.to_owned(), 1..=promises.len());
    let numbers = (1_u64..5, 1_u64..20, 1_u64..6, 0_u64..200, any::<u64>());
    (promises, numbers).prop_map(
        |(promises, (units, blocks, flush_every, acknowledged, seed))| Case {
            plan: Plan {
                run: seed,
                promises,
                block_bytes: units * 512,
                blocks,
                flush_every,
                base_bytes: 0,
            },
            acknowledged,
            seed,
        },
    )
}

fn log(plan: &Plan, acknowledged: u64) -> Log {
    Log {
        header: Header {
            plan: plan.clone(),
            target: "simulated".to_owned(),
            folder: None,
            boot: None,
            began: String::new(),
            direct: true,
        },
        acknowledged,
        last_ms: 0,
        end: None,
    }
}

/// Writes, cuts, and asks the judge and the disk.
fn outcome(case: &Case, kind: Kind) -> Vec<(Judgement, u64)> {
    let mut chance = Chance(case.seed);
    let mut disk = Disk::new(kind, case.plan.units());
    for sequence in 1..=case.acknowledged {
        disk.step(&case.plan, sequence, true);
        disk.idle(&mut chance);
    }
    disk.step(&case.plan, case.acknowledged + 1, false);
    disk.cut(&mut chance);
    let log = log(&case.plan, case.acknowledged);
    let judged = judge(&log, Cut::default(), &mut disk);
    judged
        .into_iter()
        .map(|one| {
            let lost = disk.truly_lost(one.promise);
            (one, lost)
        })
        .collect()
}

/// Whether the judge says what the disk knows.
fn agrees(case: &Case, kind: Kind) -> Result<(), TestCaseError> {
    for (judged, lost) in outcome(case, kind) {
        let harmed: u64 = judged.harmed.values().sum();
        prop_assert_eq!(harmed, lost);
        let expected = match (lost, judged.acknowledged) {
            (0, 0) => State::CannotTell(Open::NothingAcknowledged),
            (0, _) => State::Kept,
            _ => State::Broken,
        };
        prop_assert_eq!(judged.state, expected);
        prop_assert!(judged.reordered <= lost);
        prop_assert_eq!(judged.beyond_log, 0);
    }
    Ok(())
}

const PROMISED: [Promise; 5] = [
    Promise::Flush,
    Promise::Fua,
    Promise::Dsync,
    Promise::Append,
    Promise::Rename,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_keeps_its_promises_is_never_blamed(case in cases(&PROMISED)) {
        for (judged, lost) in outcome(&case, Kind::Honest) {
            prop_assert_eq!(lost, 0);
            prop_assert_ne!(judged.state, State::Broken);
        }
        agrees(&case, Kind::Honest)?;
    }

    #[test]
    fn a_write_alone_is_kept_by_what_has_no_cache(case in cases(&Promise::ALL)) {
        for (judged, lost) in outcome(&case, Kind::WriteThrough) {
            prop_assert_eq!(lost, 0);
            prop_assert_ne!(judged.state, State::Broken);
        }
    }

    #[test]
    fn what_lies_is_found_whenever_something_was_lost(case in cases(&Promise::ALL)) {
        for kind in [Kind::Honest, Kind::LiesAboutFlush, Kind::LosesFua] {
            agrees(&case, kind)?;
        }
    }
}

/// A storage that holds one list of units for each place.
struct Held(Vec<Vec<Unit>>);

impl Storage for Held {
    fn units(&mut self, _: Promise, place: u64) -> Vec<Unit> {
        self.0[place as usize].clone()
    }
}

fn judged(promise: Promise, acknowledged: u64, held: &[Vec<Unit>]) -> Judgement {
    let plan = Plan {
        run: 7,
        promises: vec![promise],
        block_bytes: 1024,
        blocks: held.len() as u64,
        flush_every: 1,
        base_bytes: 0,
    };
    let log = log(&plan, acknowledged);
    let mut judged = judge(&log, Cut::default(), &mut Held(held.to_vec()));
    judged.remove(0)
}

/// The first write that is not there, and what became of it.
type FirstHarm = Option<(u64, Harm)>;

fn first(judged: &Judgement) -> FirstHarm {
    judged.first.map(|first| (first.sequence, first.harm))
}

#[test]
fn what_became_of_a_write_is_told_apart() {
    use Unit::{Before, Damaged, Misplaced, Of, Unreadable};
    // Steps 1 and 3 write, 2 and 4 flush; step 5 is under way. All to one place.
    let cases: [([Unit; 2], FirstHarm, u64); 11] = [
        ([Of(3), Of(3)], None, 0),
        ([Of(5), Of(5)], None, 0),
        ([Of(5), Of(3)], None, 1),
        ([Damaged, Of(3)], None, 1),
        ([Before, Before], Some((3, Harm::Lost)), 0),
        ([Of(1), Of(1)], Some((3, Harm::Stale)), 0),
        ([Of(3), Of(1)], Some((3, Harm::Torn)), 0),
        ([Of(1), Before], Some((3, Harm::Torn)), 0),
        ([Of(5), Before], Some((3, Harm::Torn)), 0),
        ([Misplaced, Misplaced], Some((3, Harm::Misplaced)), 0),
        ([Unreadable, Of(3)], Some((3, Harm::Unreadable)), 0),
    ];
    for (units, harm, torn_under_way) in cases {
        let judged = judged(Promise::Flush, 4, &[units.to_vec()]);
        assert_eq!(
            (first(&judged), judged.torn_under_way),
            (harm, torn_under_way),
            "{units:?}"
        );
    }
    // Nothing was under way there.
    let judged = judged(Promise::Flush, 3, &[vec![Damaged, Of(3)]]);
    assert_eq!((judged.checked, first(&judged)), (1, None));
    let judged = self::judged(
        Promise::Append,
        1,
        &[vec![Damaged, Of(1)], vec![], vec![], vec![]],
    );
    assert_eq!(first(&judged), Some((1, Harm::Damaged)));
}

#[test]
fn a_name_leads_to_the_old_or_the_new_and_never_to_parts() {
    use Unit::{Before, Missing, Of};
    let cases: [(u64, &[Unit], FirstHarm); 9] = [
        (0, &[], None),
        (0, &[Of(1), Of(1)], None),
        (0, &[Missing, Missing], Some((1, Harm::Torn))),
        (0, &[Of(1), Before], Some((1, Harm::Torn))),
        (2, &[Of(2), Of(2)], None),
        (2, &[Of(3), Of(3)], None),
        (2, &[Of(3), Of(2)], Some((2, Harm::Torn))),
        (2, &[Of(1), Of(1)], Some((2, Harm::Stale))),
        (2, &[], Some((2, Harm::Lost))),
    ];
    for (acknowledged, units, harm) in cases {
        let judged = judged(Promise::Rename, acknowledged, &[units.to_vec()]);
        assert_eq!(first(&judged), harm, "{acknowledged} {units:?}");
    }
}

#[test]
fn a_later_write_before_an_earlier_is_out_of_order() {
    // Four places; with the run's number 7 the steps go to different ones.
    let plan = Plan {
        run: 7,
        promises: vec![Promise::Flush],
        block_bytes: 512,
        blocks: 64,
        flush_every: 2,
        base_bytes: 4096,
    };
    let at = |sequence| match plan.step(sequence).deed {
        Deed::Write { place } => place as usize,
        _ => unreachable!("step {sequence} writes"),
    };
    let mut held = vec![vec![Unit::Before]; 64];
    // Steps 1 and 2 were flushed by step 3; step 4 was acknowledged and not flushed.
    held[at(1)] = vec![Unit::Of(1)];
    held[at(4)] = vec![Unit::Of(4)];
    let log = log(&plan, 4);
    let judged = judge(&log, Cut::default(), &mut Held(held.clone())).remove(0);
    assert_eq!((judged.state, judged.reordered), (State::Broken, 1));
    let first = judged
        .first
        .map(|first| (first.sequence, first.offset_bytes));
    assert_eq!(first, Some((2, 4096 + at(2) as u64 * 512)));
    held[at(4)] = vec![Unit::Before];
    let judged = judge(&log, Cut::default(), &mut Held(held.clone())).remove(0);
    assert_eq!((judged.state, judged.reordered), (State::Broken, 0));
    // A step that the witness has never heard of.
    held[at(2)] = vec![Unit::Of(2)];
    held[at(1)] = vec![Unit::Of(7)];
    let judged = judge(&log, Cut::default(), &mut Held(held)).remove(0);
    assert_eq!((judged.state, judged.beyond_log), (State::Kept, 1));
}

#[test]
fn nobody_can_tell_without_a_cut() {
    let plan = Plan {
        run: 7,
        promises: vec![Promise::Write],
        block_bytes: 512,
        blocks: 1,
        flush_every: 1,
        base_bytes: 0,
    };
    let mut log = log(&plan, 1);
    let state = |log: &Log, is_same_boot, is_vouched_for| {
        let cut = Cut {
            is_same_boot,
            is_vouched_for,
        };
        judge(log, cut, &mut Held(vec![vec![Unit::Of(1)]]))[0].state
    };
    assert_eq!(state(&log, false, false), State::Kept);
    assert_eq!(state(&log, true, false), State::CannotTell(Open::SameBoot));
    assert_eq!(state(&log, true, true), State::Kept);
    log.end = Some(fathom_durability::End::Time);
    assert_eq!(
        state(&log, false, false),
        State::CannotTell(Open::EndedByItself)
    );
    assert_eq!(state(&log, false, true), State::Kept);
    log.acknowledged = 0;
    assert_eq!(
        state(&log, false, true),
        State::CannotTell(Open::NothingAcknowledged)
    );
}
