//! One kind of request in a job's weighted list.

use crate::op::Op;
use crate::units::{Bytes, Percent};
use serde::{Deserialize, Serialize};

/// A request: what, how large, how random, how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
}
