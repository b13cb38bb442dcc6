//! The four things a workload can ask of storage, and a value for each of them.

use serde::{Deserialize, Serialize};

/// One kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Op {
    /// Read bytes.
    Read,
    /// Write bytes.
    Write,
    /// Tell the device that bytes are no longer needed (discard).
    Trim,
    /// Make earlier writes durable (fsync, fdatasync).
    Flush,
}

impl Op {
    /// All operations, in the order in which reports list them.
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Trim, Self::Flush];

    /// The name used in specifications and results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Trim => "trim",
            Self::Flush => "flush",
        }
    }

    /// Whether the request changes what the target holds.
    pub const fn destroys(self) -> bool {
        matches!(self, Self::Write | Self::Trim)
    }
}

/// A value for each operation, indexed by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerOp<T> {
    values: [T; 4],
}

impl<T> PerOp<T> {
    /// Builds each value from its operation.
    pub fn from_fn(mut make: impl FnMut(Op) -> T) -> Self {
        Self {
            values: Op::ALL.map(&mut make),
        }
    }

    /// The pairs, in report order.
    pub fn iter(&self) -> impl Iterator<Item = (Op, &T)> {
        Op::ALL.into_iter().zip(self.values.iter())
    }

    /// The pairs, in report order, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Op, &mut T)> {
        Op::ALL.into_iter().zip(self.values.iter_mut())
    }
}

impl<T> std::ops::Index<Op> for PerOp<T> {
    type Output = T;

    #[inline]
    fn index(&self, op: Op) -> &T {
        &self.values[op as usize]
    }
}

impl<T> std::ops::IndexMut<Op> for PerOp<T> {
    #[inline]
    fn index_mut(&mut self, op: Op) -> &mut T {
        &mut self.values[op as usize]
    }
}
