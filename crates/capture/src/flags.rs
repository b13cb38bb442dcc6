//! What a request does, from the letters that the kernel's events have for it (`rwbs`).

use fathom_core::Op;
use std::ops::{BitOr, BitOrAssign};

/// Operation and properties of a request; the bits are those of the file format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u16);

impl Flags {
    /// Reads.
    pub const READ: Self = Self(1);
    /// Writes.
    pub const WRITE: Self = Self(1 << 1);
    /// Discards, erases or writes zeros.
    pub const DISCARD: Self = Self(1 << 2);
    /// Flushes the cache of the device, without data.
    pub const FLUSH: Self = Self(1 << 3);
    /// The cache is flushed before the data is written.
    pub const PREFLUSH: Self = Self(1 << 4);
    /// Forced unit access: the data bypasses the cache of the device.
    pub const FUA: Self = Self(1 << 5);
    /// Read ahead. The page cache marks wanted reads this way too.
    pub const AHEAD: Self = Self(1 << 6);
    /// Somebody waits for it.
    pub const SYNC: Self = Self(1 << 7);
    /// Metadata of a file system.
    pub const METADATA: Self = Self(1 << 8);
    /// The device failed the request.
    pub const FAILED: Self = Self(1 << 9);
    /// The driver put it back into the queue and it was issued again.
    pub const REQUEUED: Self = Self(1 << 10);
    /// A flush that may leave out metadata.
    pub const DATA_ONLY: Self = Self(1 << 11);

    /// The bits that are an operation.
    pub(crate) const OPERATION: u16 =
        Self::READ.0 | Self::WRITE.0 | Self::DISCARD.0 | Self::FLUSH.0;

    /// Reads the letters of an event, which end at the first zero byte.
    pub fn of_letters(letters: &[u8]) -> Self {
        let end = letters.iter().position(|letter| *letter == 0);
        let letters = &letters[..end.unwrap_or(letters.len())];
        // An F before the letter of the operation is a flush that precedes it, one after it FUA.
        let at = letters.iter().position(|letter| b"RWDE".contains(letter));
        let mut flags = Self(0);
        for (index, letter) in letters.iter().enumerate() {
            flags |= match letter {
                b'R' => Self::READ,
                b'W' => Self::WRITE,
                b'D' | b'E' => Self::DISCARD,
                b'F' => match at {
                    None => Self::FLUSH,
                    Some(at) if index < at => Self::PREFLUSH,
                    Some(_) => Self::FUA,
                },
                b'A' => Self::AHEAD,
                b'S' => Self::SYNC,
                b'M' => Self::METADATA,
                _ => Self(0),
            };
        }
        // A secure erase has two letters of the operation.
        if flags.has(Self::DISCARD) {
            flags.0 &= !(Self::READ.0 | Self::WRITE.0);
        }
        flags
    }

    /// The bits of an operation; none of those of files, which no trace has.
    pub const fn of_op(op: Op) -> Self {
        match op {
            Op::Read => Self::READ,
            Op::Write => Self::WRITE,
            Op::Trim => Self::DISCARD,
            Op::Flush => Self::FLUSH,
            Op::Create | Op::Stat | Op::Rename | Op::Unlink => Self(0),
        }
    }

    /// Whether all of these bits are set.
    pub const fn has(self, bits: Self) -> bool {
        self.0 & bits.0 == bits.0
    }

    /// The operation; none of a command that the kernel's events do not explain.
    pub const fn op(self) -> Option<Op> {
        match Self(self.0 & Self::OPERATION) {
            Self::READ => Some(Op::Read),
            Self::WRITE => Some(Op::Write),
            Self::DISCARD => Some(Op::Trim),
            Self::FLUSH => Some(Op::Flush),
            _ => None,
        }
    }
}

impl BitOr for Flags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_operation_and_properties() {
        let cases = [
            ("R", Flags::READ, Some(Op::Read)),
            (
                "RAM",
                Flags::READ | Flags::AHEAD | Flags::METADATA,
                Some(Op::Read),
            ),
            ("WS", Flags::WRITE | Flags::SYNC, Some(Op::Write)),
            (
                "FWFSM",
                Flags::WRITE | Flags::PREFLUSH | Flags::FUA | Flags::SYNC | Flags::METADATA,
                Some(Op::Write),
            ),
            ("FF", Flags::FLUSH, Some(Op::Flush)),
            ("F", Flags::FLUSH, Some(Op::Flush)),
            ("DS\0W", Flags::DISCARD | Flags::SYNC, Some(Op::Trim)),
            ("DE", Flags::DISCARD, Some(Op::Trim)),
            ("N", Flags(0), None),
            ("", Flags(0), None),
        ];
        for (letters, flags, op) in cases {
            let found = Flags::of_letters(letters.as_bytes());
            assert_eq!((found, found.op()), (flags, op), "{letters}");
        }
    }
}
