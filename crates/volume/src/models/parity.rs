//! RAID 5 and 6: a write smaller than a stripe reads what it replaces, data and parity, and
//! writes both again; a whole stripe is written without reading.
//!
//! No cache is assumed that would gather small writes, so the penalty is an upper bound.

use super::node::{Costs, Done};
use super::{HostCache, Limiter, Node};
use crate::model::{FlowKind, IoShape};
use fathom_core::{Nanos, Op};

/// Places that are looked at for a size that no chunk divides.
const MAX_PLACES: u64 = 256;

/// Members with parity that rotates over all of them.
#[derive(Clone, Debug)]
pub struct Parity {
    members: Vec<Node>,
    chunk_bytes: u64,
    /// Chunks of parity in each stripe: 1 or 2.
    redundancy: usize,
}

/// The part of a request that lies in one stripe, or in several that are treated alike.
struct InStripe {
    /// Member, offset on it, bytes.
    pieces: Vec<(usize, u64, u32)>,
    /// Whether what is replaced has to be read before.
    reads_first: bool,
}

impl InStripe {
    /// Adds the pieces of another stripe; those that touch each other on a member become one.
    fn join(&mut self, other: Self) {
        for (member, offset, bytes) in other.pieces {
            let before = self.pieces.iter_mut().find(|(own, begin, length)| {
                *own == member && *begin + u64::from(*length) == offset
            });
            match before {
                Some((_, _, length)) => *length += bytes,
                None => self.pieces.push((member, offset, bytes)),
            }
        }
    }
}

impl Parity {
    /// An array with `redundancy` chunks of parity in each stripe.
    pub const fn new(members: Vec<Node>, chunk_bytes: u64, redundancy: usize) -> Self {
        Self {
            members,
            chunk_bytes,
            redundancy,
        }
    }

    fn data_members(&self) -> usize {
        self.members.len() - self.redundancy
    }

    fn stripe_bytes(&self) -> u64 {
        self.chunk_bytes * self.data_members() as u64
    }

    /// Usable bytes: all but the parity, by the smallest member.
    pub fn size_bytes(&self) -> u64 {
        let sizes = self.members.iter().map(Node::size_bytes);
        let smallest = sizes.min().unwrap_or(0) / self.chunk_bytes * self.chunk_bytes;
        smallest * self.data_members() as u64
    }

    /// The member of a chunk of a stripe; after the data come the chunks of parity.
    fn member(&self, stripe: u64, chunk: usize) -> usize {
        let count = self.members.len();
        let turn = (stripe % count as u64) as usize;
        (turn + self.redundancy + chunk) % count
    }

    /// A request by what is done to the stripes that it touches.
    fn split(&self, io: IoShape) -> Vec<InStripe> {
        let mut parts = Vec::new();
        let (mut from, end) = (io.offset, io.offset + u64::from(io.bytes));
        while from < end {
            let stripe = from / self.stripe_bytes();
            let to = end.min((stripe + 1) * self.stripe_bytes());
            let part = self.in_stripe(io.op, stripe, from, to);
            let alike = parts
                .iter_mut()
                .find(|known: &&mut InStripe| known.reads_first == part.reads_first);
            match alike {
                Some(known) => known.join(part),
                None => parts.push(part),
            }
            from = to;
        }
        parts
    }

    fn in_stripe(&self, op: Op, stripe: u64, from: u64, to: u64) -> InStripe {
        let begin = stripe * self.stripe_bytes();
        let (from, to) = (from - begin, to - begin);
        let first = from / self.chunk_bytes;
        let last = (to - 1) / self.chunk_bytes;
        let mut chunks: Vec<(usize, u64, u32)> = (first..=last)
            .map(|chunk| {
                let start = chunk * self.chunk_bytes;
                let inside = from.max(start) - start;
                let bytes = to.min(start + self.chunk_bytes) - from.max(start);
                (chunk as usize, inside, bytes as u32)
            })
            .collect();
        let is_write = op == Op::Write;
        if is_write {
            let inside = chunks.iter().map(|chunk| chunk.1).min().unwrap_or(0);
            let bytes = chunks.iter().map(|chunk| chunk.2).max().unwrap_or(0);
            let data = self.data_members();
            let parity = data..data + self.redundancy;
            chunks.extend(parity.map(|chunk| (chunk, inside, bytes)));
        }
        let place = |(chunk, inside, bytes): (usize, u64, u32)| {
            let offset = stripe * self.chunk_bytes + inside;
            (self.member(stripe, chunk), offset, bytes)
        };
        InStripe {
            pieces: chunks.into_iter().map(place).collect(),
            reads_first: is_write && to - from < self.stripe_bytes(),
        }
    }

    pub(super) fn admit(
        &mut self,
        io: IoShape,
        at: Nanos,
        limiters: &mut [Limiter],
        caches: &mut [HostCache],
    ) -> Done {
        if io.bytes == 0 {
            let each = self.members.iter_mut();
            return each.fold(Done::at(at), |done, node| {
                done.later(node.admit(io, at, limiters, caches))
            });
        }
        let parts = self.split(io);
        let mut done = Done::at(at);
        for part in parts {
            let mut pass = |op: Op| {
                let pieces = part.pieces.iter();
                pieces.fold(Done::at(at), |done, (member, offset, bytes)| {
                    let piece = IoShape {
                        op,
                        offset: *offset,
                        bytes: *bytes,
                    };
                    done.later(self.members[*member].admit(piece, at, limiters, caches))
                })
            };
            if !part.reads_first {
                done = done.later(pass(io.op));
                continue;
            }
            // All pieces take their turn now; that writes follow reads shows in the time only.
            let reads = pass(Op::Read);
            let writes = pass(Op::Write);
            done = done.later(Done {
                at: reads.at + (writes.at - at),
                ..reads.later(writes)
            });
        }
        done
    }

    /// A request of a kind at each place where it may begin (a multiple of its size): the parts at
    /// each. Sizes and stripes that divide each other leave few places, and then members are used
    /// unevenly.
    fn places(&self, kind: &FlowKind) -> Vec<Vec<InStripe>> {
        let bytes = (kind.bytes as u64).max(1);
        let turn = self.stripe_bytes() * self.members.len() as u64;
        // Within a chunk all places are alike.
        let step = if self.chunk_bytes.is_multiple_of(bytes) {
            self.chunk_bytes
        } else {
            bytes
        };
        let count = turn / gcd(step, turn);
        let looked_at = count.min(MAX_PLACES);
        (0..looked_at)
            .map(|place| {
                self.split(IoShape {
                    op: kind.op,
                    offset: place * count / looked_at * step % turn,
                    bytes: bytes as u32,
                })
            })
            .collect()
    }

    pub(super) fn charge(
        &self,
        kinds: &[FlowKind],
        limiters: &[Limiter],
        caches: &[HostCache],
        costs: &mut Costs,
    ) {
        let mut of_members: Vec<Vec<FlowKind>> = vec![Vec::new(); self.members.len()];
        for kind in kinds {
            if kind.bytes <= 0.0 {
                for own in &mut of_members {
                    own.push(*kind);
                }
                continue;
            }
            let places = self.places(kind);
            let weight = kind.weight / places.len() as f64;
            for parts in &places {
                for (op, member, bytes) in requests(kind.op, parts) {
                    of_members[member].push(FlowKind {
                        op,
                        bytes,
                        weight,
                        ..*kind
                    });
                }
            }
        }
        for (member, kinds) in self.members.iter().zip(&of_members) {
            member.charge(kinds, limiters, caches, costs);
        }
    }

    pub(super) fn latency(&self, kind: &FlowKind, caches: &[HostCache]) -> f64 {
        let of = |op: Op, bytes: f64| {
            let kind = FlowKind { op, bytes, ..*kind };
            let of_members = self.members.iter().map(|node| node.latency(&kind, caches));
            of_members.fold(0.0, f64::max)
        };
        let piece = kind.bytes.min(self.chunk_bytes as f64);
        if kind.op != Op::Write || kind.bytes <= 0.0 {
            return of(kind.op, piece);
        }
        let places = self.places(kind);
        let reads_first = |parts: &&Vec<InStripe>| parts.iter().any(|part| part.reads_first);
        let share = places.iter().filter(reads_first).count() as f64 / places.len() as f64;
        of(Op::Write, piece) + share * of(Op::Read, piece)
    }
}

/// What the members see of a request: operation, member, bytes. Pieces that touch each other on a
/// member are one, as the limits that merge count them.
fn requests(op: Op, parts: &[InStripe]) -> Vec<(Op, usize, f64)> {
    let mut pieces: Vec<(Op, usize, u64, u32)> = Vec::new();
    for part in parts {
        for (member, offset, bytes) in &part.pieces {
            pieces.push((op, *member, *offset, *bytes));
            if part.reads_first {
                pieces.push((Op::Read, *member, *offset, *bytes));
            }
        }
    }
    pieces.sort_unstable_by_key(|(op, member, offset, _)| (*op, *member, *offset));
    let joined = pieces.chunk_by(|(op, member, offset, bytes), next| {
        (*op, *member, *offset + u64::from(*bytes)) == (next.0, next.1, next.2)
    });
    joined
        .map(|run| {
            let bytes: f64 = run.iter().map(|piece| f64::from(piece.3)).sum();
            (run[0].0, run[0].1, bytes)
        })
        .collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
