//! Reading back between the writes: when a thread has made so many, it reads some of the oldest
//! before it goes on.

use std::collections::VecDeque;

/// How a thread reads back what it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadBackRule {
    /// Writes that are not read back yet when it begins to.
    pub writes: u32,
    /// Of these, how many it reads before it goes on.
    pub batch: u32,
}

/// A write that was acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) target: u16,
    pub(super) offset: u64,
    pub(super) len: u32,
}

/// What a thread has written and not read back.
#[derive(Debug)]
pub(super) struct ReadBack {
    rule: ReadBackRule,
    pieces: VecDeque<Piece>,
    /// Reads that are left of the batch.
    left: u32,
}

impl ReadBack {
    pub(super) fn new(rule: ReadBackRule, slots: u32) -> Self {
        // All that can wait, so that nothing is allocated while it is measured: a specification
        // says how many at most (`verify_backlog`), and those in flight may come on top.
        let room = (rule.writes as usize).saturating_add(slots as usize);
        Self {
            rule,
            pieces: VecDeque::with_capacity(room),
            left: 0,
        }
    }

    /// A write was acknowledged; whether reading is due from now on.
    pub(super) fn wrote(&mut self, piece: Piece) -> bool {
        self.pieces.push_back(piece);
        if self.left == 0 && self.pieces.len() >= self.rule.writes as usize {
            self.left = self.rule.batch;
        }
        self.left > 0
    }

    /// What is to be read next, if reading is due.
    pub(super) fn peek(&self) -> Option<Piece> {
        self.pieces.front().filter(|_| self.left > 0).copied()
    }

    /// What was looked at is being read.
    pub(super) fn advance(&mut self) {
        self.pieces.pop_front();
        self.left -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read after each of so many writes, by number.
    fn reads(writes: u32, batch: u32, all: u32) -> Vec<Vec<u64>> {
        let mut back = ReadBack::new(ReadBackRule { writes, batch }, 1);
        let read = |number| {
            let mut read = Vec::new();
            let piece = Piece {
                target: 0,
                offset: number,
                len: 512,
            };
            if back.wrote(piece) {
                while let Some(piece) = back.peek() {
                    read.push(piece.offset);
                    back.advance();
                }
            }
            read
        };
        (0..all.into()).map(read).collect()
    }

    #[test]
    fn the_oldest_are_read_when_there_are_enough() {
        assert_eq!(
            reads(3, 3, 7),
            [
                vec![],
                vec![],
                vec![0, 1, 2],
                vec![],
                vec![],
                vec![3, 4, 5],
                vec![]
            ]
        );
        // So many stay behind.
        assert_eq!(reads(3, 1, 5), [vec![], vec![], vec![0], vec![1], vec![2]]);
        // The rest of a batch follows the writes one by one.
        assert_eq!(
            reads(2, 3, 5),
            [vec![], vec![0, 1], vec![2], vec![], vec![3, 4]]
        );
    }

    #[test]
    fn there_is_room_for_all_that_can_wait() {
        let (writes, slots) = (2_000_000, 8);
        let mut back = ReadBack::new(ReadBackRule { writes, batch: 1 }, slots);
        let room = back.pieces.capacity();
        let piece = Piece {
            target: 0,
            offset: 0,
            len: 512,
        };
        for _ in 0..writes + slots {
            back.wrote(piece);
        }
        assert_eq!(back.pieces.capacity(), room);
    }
}
