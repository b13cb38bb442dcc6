//! Which data have to be where: the plan, up to the end of the acknowledgement log.

use crate::log::Log;
use crate::plan::{APPEND_FILES, Deed, Plan, Step};
use crate::promise::Promise;
use std::collections::BTreeMap;

/// What may lie at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceHistory {
    /// The last write that was promised to be there.
    pub promised: Option<u64>,
    /// Writes after it, which may be there or not.
    pub pending: Vec<u64>,
}

impl PlaceHistory {
    /// Whether a write may be the one that was found.
    pub fn allows(&self, sequence: u64) -> bool {
        self.promised == Some(sequence) || self.pending.contains(&sequence)
    }

    fn promise(&mut self, sequence: u64) {
        self.promised = Some(sequence);
        self.pending.retain(|one| *one > sequence);
    }
}

/// The places that a run wrote to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// By promise and place.
    pub places: BTreeMap<(Promise, u64), PlaceHistory>,
    /// Acknowledgements that promise something, by what they promise.
    pub acknowledged: BTreeMap<Promise, u64>,
    /// The last step that was handed to the storage.
    pub issued: u64,
}

impl History {
    /// Walks the plan of a log.
    pub fn of(log: &Log) -> Self {
        let plan = &log.header.plan;
        let mut history = Self {
            places: BTreeMap::new(),
            acknowledged: plan.promises.iter().map(|promise| (*promise, 0)).collect(),
            issued: log.issued(),
        };
        let mut unflushed = Vec::new();
        for sequence in 1..=log.issued() {
            let step = plan.step(sequence);
            history.issue(plan, step);
            if sequence <= log.acknowledged {
                history.acknowledge(step, &mut unflushed);
            }
        }
        history
    }

    fn at(&mut self, promise: Promise, place: u64) -> &mut PlaceHistory {
        self.places.entry((promise, place)).or_default()
    }

    fn issue(&mut self, plan: &Plan, step: Step) {
        match step.deed {
            Deed::Write { place } => self.at(step.promise, place).pending.push(step.sequence),
            Deed::Flush => {}
            Deed::Append { place, begins } => {
                if begins {
                    // The file is emptied: of what was in it nothing is promised any more.
                    let file = place / plan.blocks;
                    debug_assert!(file < APPEND_FILES);
                    let emptied = file * plan.blocks..(file + 1) * plan.blocks;
                    self.places.retain(|(promise, place), _| {
                        *promise != step.promise || !emptied.contains(place)
                    });
                }
                self.at(step.promise, place).pending.push(step.sequence);
            }
            Deed::Rename => self.at(step.promise, 0).pending.push(step.sequence),
        }
    }

    fn acknowledge(&mut self, step: Step, unflushed: &mut Vec<(u64, u64)>) {
        match (step.promise, step.deed) {
            (Promise::Flush, Deed::Write { place }) => {
                unflushed.push((place, step.sequence));
                return;
            }
            (promise, Deed::Flush) => {
                for (place, sequence) in unflushed.drain(..) {
                    self.at(promise, place).promise(sequence);
                }
            }
            (promise, Deed::Write { place } | Deed::Append { place, .. }) => {
                self.at(promise, place).promise(step.sequence);
            }
            (promise, Deed::Rename) => self.at(promise, 0).promise(step.sequence),
        }
        *self.acknowledged.entry(step.promise).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Header;

    fn history(promise: Promise, acknowledged: u64, blocks: u64) -> History {
        History::of(&Log {
            header: Header {
                plan: Plan {
                    run: 7,
                    promises: vec![promise],
                    block_bytes: 512,
                    blocks,
                    flush_every: 2,
                    base_bytes: 0,
                },
                target: "x".to_owned(),
                folder: None,
                boot: None,
                began: String::new(),
                direct: true,
            },
            acknowledged,
            last_ms: 0,
            end: None,
        })
    }

    fn only(history: &History) -> (Option<u64>, Vec<u64>) {
        assert_eq!(history.places.len(), 1);
        let place = history.places.values().next().unwrap();
        (place.promised, place.pending.clone())
    }

    #[test]
    fn a_write_is_promised_when_its_flush_is_acknowledged() {
        // Steps 1 and 2 write, 3 flushes, all to the one place there is.
        let cases = [
            (0, (None, vec![1])),
            (2, (None, vec![1, 2])),
            (3, (Some(2), vec![4])),
            (5, (Some(2), vec![4, 5])),
            (6, (Some(5), vec![7])),
        ];
        for (acknowledged, expected) in cases {
            let found = history(Promise::Flush, acknowledged, 1);
            assert_eq!(only(&found), expected, "{acknowledged}");
            assert_eq!(found.acknowledged[&Promise::Flush], acknowledged / 3);
            assert_eq!(found.issued, acknowledged + 1);
        }
    }

    #[test]
    fn each_other_write_is_promised_by_its_own_acknowledgement() {
        for promise in [
            Promise::Write,
            Promise::Fua,
            Promise::Dsync,
            Promise::Rename,
        ] {
            let found = history(promise, 4, 1);
            assert_eq!(only(&found), (Some(4), vec![5]));
            assert_eq!(found.acknowledged[&promise], 4);
        }
    }

    #[test]
    fn a_file_that_is_begun_anew_promises_nothing_of_before() {
        let at = |acknowledged| {
            let found = history(Promise::Append, acknowledged, 2);
            let state = |place: &PlaceHistory| (place.promised, place.pending.clone());
            let list = found.places.iter();
            let list = list.map(|((_, number), place)| (*number, state(place)));
            list.collect::<Vec<_>>()
        };
        let promised = |sequence| (Some(sequence), vec![]);
        let pending = |sequence| (None, vec![sequence]);
        assert_eq!(at(1), [(0, promised(1)), (1, pending(2))]);
        assert_eq!(
            at(3),
            [
                (0, promised(1)),
                (1, promised(2)),
                (2, promised(3)),
                (3, pending(4))
            ]
        );
        // The fifth record begins the first file anew.
        assert_eq!(at(4), [(0, pending(5)), (2, promised(3)), (3, promised(4))]);
    }
}
