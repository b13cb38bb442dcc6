//! Errors with which a run goes on that else ends at the first one.

use crate::op::Op;
use serde::{Deserialize, Serialize};

/// Errors that do not end a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerated {
    /// Numbers that reads tolerate.
    pub reads: ErrorNumbers,
    /// Of all other requests.
    pub writes: ErrorNumbers,
    /// Of checks of what was read: a block that is not what was written there.
    pub checks: ErrorNumbers,
}

/// Some errors of the system, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorNumbers {
    /// Only these numbers.
    These(Vec<i32>),
    /// All of them.
    All,
}

impl Default for ErrorNumbers {
    fn default() -> Self {
        Self::These(Vec::new())
    }
}

impl ErrorNumbers {
    /// The number of an error that a check found, which no system call has returned: of an illegal
    /// sequence of bytes.
    pub const CHECK: i32 = 84;

    fn has(&self, number: i32) -> bool {
        match self {
            Self::These(numbers) => numbers.contains(&number),
            Self::All => true,
        }
    }

    /// These and others.
    #[must_use]
    pub fn and(self, others: Self) -> Self {
        match (self, others) {
            (Self::All, _) | (_, Self::All) => Self::All,
            (Self::These(mut numbers), Self::These(others)) => {
                numbers.extend(others);
                numbers.sort_unstable();
                numbers.dedup();
                Self::These(numbers)
            }
        }
    }
}

impl Tolerated {
    /// Whether a run goes on with an error of a request; the number of one that a check found is 0.
    pub fn has(&self, op: Op, number: i32) -> bool {
        match (op, number) {
            (_, 0) => self.checks.has(ErrorNumbers::CHECK),
            (Op::Read, number) => self.reads.has(number),
            (_, number) => self.writes.has(number),
        }
    }

    /// These and others.
    #[must_use]
    pub fn and(self, others: Self) -> Self {
        Self {
            reads: self.reads.and(others.reads),
            writes: self.writes.and(others.writes),
            checks: self.checks.and(others.checks),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_known_by_request_and_number() {
        let one = Tolerated {
            reads: ErrorNumbers::These(vec![11]),
            checks: ErrorNumbers::These(vec![84]),
            ..Tolerated::default()
        };
        let other = Tolerated {
            reads: ErrorNumbers::These(vec![5, 11]),
            writes: ErrorNumbers::All,
            ..Tolerated::default()
        };
        let both = one.clone().and(other);
        assert_eq!(both.reads, ErrorNumbers::These(vec![5, 11]));
        let cases = [
            (Op::Read, 11, [true, true]),
            (Op::Read, 5, [false, true]),
            (Op::Read, 0, [true, true]),
            (Op::Write, 28, [false, true]),
            (Op::Flush, 5, [false, true]),
        ];
        for (op, number, expected) in cases {
            let found = [one.has(op, number), both.has(op, number)];
            assert_eq!(found, expected, "{op:?} {number}");
        }
    }
}
