//! One kind of request in a job's weighted list.

use crate::op::Op;
use crate::units::{Bytes, Percent};
use serde::{Deserialize, Serialize};

/// A request: what, how large, how random, how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IoKind {
    /// What is asked for; a flush is never drawn.
    pub op: Op,
    /// Bytes a request moves.
    pub block_size: Bytes,
    /// Share of these requests that go to a random place; the others continue from the last.
    pub random: Percent,
    /// Random offsets are a multiple of this.
    pub align: Bytes,
    /// Share of the job's requests, relative to the other kinds. Any positive number.
    pub weight: f64,
}

impl IoKind {
    /// Requests of one size, at random places that are multiples of it.
    pub const fn plain(op: Op, block_size: Bytes) -> Self {
        Self {
            op,
            block_size,
            random: Percent::ALL,
            align: block_size,
            weight: 1.0,
        }
    }

    /// What a kind is that says nothing.
    pub const PLAIN: Self = Self::plain(Op::Read, Bytes(0));
}

/// How urgent the kernel's scheduler takes the requests of a job to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum IoClass {
    /// Before all others.
    RealTime,
    /// As those of any process.
    BestEffort,
    /// When there are no others.
    Idle,
}

/// Level of a class that is given without one: that of a process of no niceness.
const PLAIN_LEVEL: u32 = 4;

impl IoClass {
    /// The level of requests for which none is given; what is idle has none.
    pub(super) const fn plain_level(self) -> u32 {
        match self {
            Self::RealTime | Self::BestEffort => PLAIN_LEVEL,
            Self::Idle => 0,
        }
    }
}

/// How urgent the kernel takes the requests of a job to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Priority {
    /// The I/O class of the kernel.
    pub class: IoClass,
    /// The level in it, 0 the most urgent.
    pub level: u32,
}

impl Priority {
    /// The number that the kernel has for it (`ioprio.h`): the class in the upper three bits, the
    /// level in the lower three.
    pub const fn number(self) -> u16 {
        let class = match self.class {
            IoClass::RealTime => 1,
            IoClass::BestEffort => 2,
            IoClass::Idle => 3,
        };
        class << 13 | (self.level & 7) as u16
    }
}
