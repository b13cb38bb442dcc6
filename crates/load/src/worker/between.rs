//! Reading back between the writes: after a number of writes, a thread reads them before it goes
//! on.

use std::collections::VecDeque;

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
    /// Writes that are not read back yet when it begins to.
    writes: u32,
    pieces: VecDeque<Piece>,
    /// Reads that are left.
    left: u32,
}

impl ReadBack {
    pub(super) fn new(writes: u32, slots: u32) -> Self {
        // All that can wait, so that nothing is allocated while it is measured: a specification
        // says how many at most (`verify_backlog`), and those in flight may come on top.
        let room = (writes as usize).saturating_add(slots as usize);
        Self {
            writes,
            pieces: VecDeque::with_capacity(room),
            left: 0,
        }
    }

    /// A write was acknowledged; whether reading is due from now on.
    pub(super) fn wrote(&mut self, piece: Piece) -> bool {
        self.pieces.push_back(piece);
        if self.left == 0 && self.pieces.len() >= self.writes as usize {
            self.left = self.writes;
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

    #[test]
    fn all_are_read_when_there_are_enough() {
        let mut back = ReadBack::new(3, 1);
        let mut read = |number| {
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
        let found: Vec<Vec<u64>> = (0..7).map(&mut read).collect();
        let none = Vec::new;
        let all = |first: u64| (first..first + 3).collect();
        assert_eq!(
            found,
            [none(), none(), all(0), none(), none(), all(3), none()]
        );
    }

    #[test]
    fn there_is_room_for_all_that_can_wait() {
        let (writes, slots) = (2_000_000, 8);
        let mut back = ReadBack::new(writes, slots);
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
