//! The order and offsets of writes, derived from a few numbers, so that a verifier can derive them
//! again for any step.

use crate::promise::Promise;
use serde::{Deserialize, Serialize};

/// Bytes of the smallest part that describes itself.
pub const UNIT_BYTES: u64 = 512;

/// Files between which appended records alternate: one is full when the other is begun anew.
pub const APPEND_FILES: u64 = 2;

/// All that is needed to tell each step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The number of the run, which every block carries.
    pub run: u64,
    /// What is tried, in turn.
    pub promises: Vec<Promise>,
    /// Bytes of a write.
    pub block_bytes: u64,
    /// Blocks of the area that each promise has to itself.
    pub blocks: u64,
    /// Writes before each flush of [`Promise::Flush`].
    pub flush_every: u64,
    /// Where the first area begins, bytes.
    pub base_bytes: u64,
}

/// Why a plan cannot be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A block is not of whole units.
    #[error("a block of {0} bytes is not of whole 512 bytes")]
    Block(u64),
    /// There is no room for a single block.
    #[error("there is no room for one block for each promise")]
    NoRoom,
    /// Nothing is tried.
    #[error("no promise is named")]
    NoPromise,
    /// One is named twice.
    #[error("the promise {0} is named twice")]
    Twice(Promise),
    /// A flush would come before any write.
    #[error("a flush after every 0 writes is none")]
    NoFlush,
}

/// One thing that the writer does and is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its number in the run, from 1.
    pub sequence: u64,
    /// Its purpose.
    pub promise: Promise,
    /// What is done.
    pub deed: Deed,
}

/// What is done in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// A block is written.
    Write {
        /// The block of the promise's area.
        place: u64,
    },
    /// All written before is flushed.
    Flush,
    /// A record is added at the end of one of two files, and flushed.
    Append {
        /// The place of the record: those of the second file follow those of the first.
        place: u64,
        /// Whether the file is emptied first.
        begins: bool,
    },
    /// A new file takes the name.
    Rename,
}

impl Plan {
    /// Whether it can be carried out.
    ///
    /// # Errors
    ///
    /// [`PlanError`]
    pub fn check(&self) -> Result<(), PlanError> {
        if self.block_bytes == 0 || !self.block_bytes.is_multiple_of(UNIT_BYTES) {
            return Err(PlanError::Block(self.block_bytes));
        }
        if self.blocks == 0 {
            return Err(PlanError::NoRoom);
        }
        if self.promises.is_empty() {
            return Err(PlanError::NoPromise);
        }
        if self.flush_every == 0 {
            return Err(PlanError::NoFlush);
        }
        for (at, promise) in self.promises.iter().enumerate() {
            if self.promises[..at].contains(promise) {
                return Err(PlanError::Twice(*promise));
            }
        }
        Ok(())
    }

    /// The step of this number, from 1.
    pub fn step(&self, sequence: u64) -> Step {
        let number = sequence.saturating_sub(1);
        let turns = self.promises.len().max(1) as u64;
        let promise = self.promises[(number % turns) as usize];
        let turn = number / turns;
        let deed = match promise {
            Promise::Write | Promise::Fua | Promise::Dsync => self.write(promise, turn),
            Promise::Flush => {
                let (round, within) =
                    (turn / (self.flush_every + 1), turn % (self.flush_every + 1));
                if within == self.flush_every {
                    Deed::Flush
                } else {
                    self.write(promise, round * self.flush_every + within)
                }
            }
            Promise::Append => {
                let (file, record) = (turn / self.blocks % APPEND_FILES, turn % self.blocks);
                Deed::Append {
                    place: file * self.blocks + record,
                    begins: record == 0,
                }
            }
            Promise::Rename => Deed::Rename,
        };
        Step {
            sequence,
            promise,
            deed,
        }
    }

    fn write(&self, promise: Promise, number: u64) -> Deed {
        let salt = (promise as u64 + 1).rotate_left(56);
        Deed::Write {
            place: mixed(self.run ^ salt, number) % self.blocks,
        }
    }

    /// Where a block of an area lies in the target, bytes. Records that are appended, and what is
    /// given a name, lie in files of their own, and are counted from the start of their file.
    pub fn offset_bytes(&self, promise: Promise, place: u64) -> u64 {
        match promise {
            Promise::Append => return place % self.blocks * self.block_bytes,
            Promise::Rename => return 0,
            _ => {}
        }
        let areas = self.promises.iter().filter(|one| !one.needs_directory());
        let area = areas.take_while(|one| **one != promise).count() as u64;
        self.base_bytes + (area * self.blocks + place) * self.block_bytes
    }

    /// Bytes from the start of the target to the end of the last area.
    pub fn end_bytes(&self) -> u64 {
        let areas = self.promises.iter().filter(|one| !one.needs_directory());
        self.base_bytes + areas.count() as u64 * self.blocks * self.block_bytes
    }

    /// Parts of a block that describe themselves.
    pub const fn units(&self) -> usize {
        (self.block_bytes / UNIT_BYTES) as usize
    }
}

/// The finaliser of splitmix64 over the n-th of its states.
const fn mixed(seed: u64, number: u64) -> u64 {
    let mut mixed = seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(promises: &[Promise]) -> Plan {
        Plan {
            run: 7,
            promises: promises.to_vec(),
            block_bytes: 4096,
            blocks: 3,
            flush_every: 2,
            base_bytes: 8192,
        }
    }

    fn deeds(plan: &Plan, steps: u64) -> Vec<String> {
        let deed = |sequence| {
            let step = plan.step(sequence);
            assert_eq!(step.sequence, sequence);
            let what = match step.deed {
                Deed::Write { place } => {
                    assert!(place < plan.blocks);
                    "write".to_owned()
                }
                Deed::Flush => "flush".to_owned(),
                Deed::Append { place, begins } => format!("record {place} {begins}"),
                Deed::Rename => "name".to_owned(),
            };
            format!("{}: {what}", step.promise)
        };
        (1..=steps).map(deed).collect()
    }

    #[test]
    fn a_flush_comes_after_its_writes() {
        let [write, flush] = ["flush: write", "flush: flush"];
        let expected = [write, write, flush, write, write, flush];
        assert_eq!(deeds(&plan(&[Promise::Flush]), 6), expected);
    }

    #[test]
    fn promises_take_turns_and_files_alternate() {
        let plan = plan(&[Promise::Fua, Promise::Append, Promise::Rename]);
        let records = [
            "0 true", "1 false", "2 false", "3 true", "4 false", "5 false", "0 true",
        ];
        let expected: Vec<String> = records
            .into_iter()
            .flat_map(|record| {
                let record = format!("append: record {record}");
                ["fua: write".to_owned(), record, "rename: name".to_owned()]
            })
            .collect();
        assert_eq!(deeds(&plan, 21), expected);
        assert_eq!(plan.end_bytes(), 8192 + 3 * 4096);
        assert_eq!(plan.offset_bytes(Promise::Append, 4), 4096);
        assert_eq!(plan.offset_bytes(Promise::Rename, 0), 0);
    }

    #[test]
    fn writes_reach_every_place_of_their_own_area() {
        let plan = plan(&[Promise::Write, Promise::Dsync]);
        let mut seen = std::collections::BTreeSet::new();
        for sequence in 1..200 {
            let step = plan.step(sequence);
            if let Deed::Write { place } = step.deed {
                seen.insert(plan.offset_bytes(step.promise, place));
            }
        }
        let expected: Vec<u64> = (0..6).map(|block| 8192 + block * 4096).collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_cannot_be_done_is_refused() {
        let good = plan(&[Promise::Flush]);
        assert_eq!(good.check(), Ok(()));
        let change = |edit: fn(&mut Plan)| {
            let mut plan = good.clone();
            edit(&mut plan);
            plan.check()
        };
        assert_eq!(
            change(|plan| plan.block_bytes = 700),
            Err(PlanError::Block(700))
        );
        assert_eq!(change(|plan| plan.blocks = 0), Err(PlanError::NoRoom));
        assert_eq!(change(|plan| plan.flush_every = 0), Err(PlanError::NoFlush));
        assert_eq!(
            change(|plan| plan.promises.clear()),
            Err(PlanError::NoPromise)
        );
        let twice = change(|plan| plan.promises.push(Promise::Flush));
        assert_eq!(twice, Err(PlanError::Twice(Promise::Flush)));
    }
}
