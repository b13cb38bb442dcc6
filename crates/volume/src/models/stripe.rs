//! RAID 0: chunks in turn over the members, also over members of different sizes.

use super::node::{Costs, Done};
use super::{HostCache, Limiter, Node};
use crate::model::{FlowKind, IoShape};
use fathom_core::Nanos;

/// Members with chunks in turn. Where members differ in size, the larger ones go on alone when
/// the smaller ones are full.
#[derive(Clone, Debug)]
pub struct Stripe {
    members: Vec<Node>,
    chunk_bytes: u64,
    zones: Vec<Zone>,
}

/// A part of the address space in which the same members take turns.
#[derive(Clone, Debug)]
struct Zone {
    /// First byte of the array.
    start: u64,
    /// First byte on each member.
    member_start: u64,
    /// The members that have room left.
    members: Vec<usize>,
}

/// A part of a request that goes to one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    member: usize,
    offset: u64,
    bytes: u32,
}

impl Stripe {
    /// A stripe over members with chunks of `chunk_bytes` bytes.
    pub fn new(members: Vec<Node>, chunk_bytes: u64) -> Self {
        let whole = |node: &Node| node.size_bytes() / chunk_bytes * chunk_bytes;
        let sizes: Vec<u64> = members.iter().map(whole).collect();
        let mut ends = sizes.clone();
        ends.sort_unstable();
        ends.dedup();
        let mut zones = Vec::new();
        let (mut start, mut member_start) = (0, 0);
        for end in ends.into_iter().filter(|end| *end > 0) {
            let with_room: Vec<usize> = (0..sizes.len()).filter(|i| sizes[*i] >= end).collect();
            let length = (end - member_start) * with_room.len() as u64;
            zones.push(Zone {
                start,
                member_start,
                members: with_room,
            });
            start += length;
            member_start = end;
        }
        Self {
            members,
            chunk_bytes,
            zones,
        }
    }

    /// Usable bytes.
    pub fn size_bytes(&self) -> u64 {
        let whole = |node: &Node| node.size_bytes() / self.chunk_bytes * self.chunk_bytes;
        self.members.iter().map(whole).sum()
    }

    /// The parts of a request, those that touch each other on a member joined.
    fn pieces(&self, io: IoShape) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let (mut at, end) = (io.offset, io.offset + u64::from(io.bytes));
        while at < end {
            let Some(zone) = self.zones.iter().rev().find(|zone| zone.start <= at) else {
                break;
            };
            let within = at - zone.start;
            let (chunk, inside) = (within / self.chunk_bytes, within % self.chunk_bytes);
            let count = zone.members.len() as u64;
            let member = zone.members[(chunk % count) as usize];
            let offset = zone.member_start + chunk / count * self.chunk_bytes + inside;
            let bytes = (self.chunk_bytes - inside).min(end - at) as u32;
            let joins = pieces.iter_mut().find(|piece| {
                piece.member == member && piece.offset + u64::from(piece.bytes) == offset
            });
            match joins {
                Some(piece) => piece.bytes += bytes,
                None => pieces.push(Piece {
                    member,
                    offset,
                    bytes,
                }),
            }
            at += u64::from(bytes);
        }
        pieces
    }

    pub(super) fn admit(
        &mut self,
        io: IoShape,
        at: Nanos,
        limiters: &mut [Limiter],
        caches: &mut [HostCache],
    ) -> Done {
        if io.bytes == 0 {
            // A flush goes to all members.
            let each = self.members.iter_mut();
            return each.fold(Done::at(at), |done, node| {
                done.later(node.admit(io, at, limiters, caches))
            });
        }
        let pieces = self.pieces(io);
        pieces.iter().fold(Done::at(at), |done, piece| {
            let part = IoShape {
                op: io.op,
                offset: piece.offset,
                bytes: piece.bytes,
            };
            done.later(self.members[piece.member].admit(part, at, limiters, caches))
        })
    }

    pub(super) fn charge(
        &self,
        kinds: &[FlowKind],
        limiters: &[Limiter],
        caches: &[HostCache],
        costs: &mut Costs,
    ) {
        let total = self.size_bytes() as f64;
        for member in &self.members {
            let share = member.size_bytes() as f64 / total;
            let parts: Vec<FlowKind> = kinds
                .iter()
                .map(|kind| spread(kind, self.chunk_bytes, self.members.len(), share))
                .collect();
            member.charge(&parts, limiters, caches, costs);
        }
    }

    pub(super) fn latency(&self, kind: &FlowKind, caches: &[HostCache]) -> f64 {
        let part = spread(kind, self.chunk_bytes, self.members.len(), 1.0);
        let of_members = self.members.iter().map(|node| node.latency(&part, caches));
        of_members.fold(0.0, f64::max)
    }
}

/// What one member sees of a kind: as many requests as it has chunks of them, of its part of the
/// bytes. A request touches ⌈bytes / chunk⌉ members, all of them at most.
fn spread(kind: &FlowKind, chunk_bytes: u64, members: usize, share: f64) -> FlowKind {
    if kind.bytes <= 0.0 {
        return *kind;
    }
    let touched = (kind.bytes / chunk_bytes as f64)
        .ceil()
        .clamp(1.0, members as f64);
    let bytes = kind.bytes / touched;
    FlowKind {
        bytes,
        weight: kind.weight * touched * share,
        // A stream leaves a member after a chunk.
        together: kind
            .together
            .clamp(1.0, (chunk_bytes as f64 / bytes).max(1.0)),
        ..*kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{Device, ServiceLaw};
    use fathom_core::Op;

    fn stripe(sizes: &[u64]) -> Stripe {
        let member =
            |size: &u64| Node::Device(Box::new(Device::new(*size, ServiceLaw::Constant(1.0), 1)));
        Stripe::new(sizes.iter().map(member).collect(), 100)
    }

    fn pieces(stripe: &Stripe, offset: u64, bytes: u32) -> Vec<(usize, u64, u32)> {
        let read = IoShape {
            op: Op::Read,
            offset,
            bytes,
        };
        let pieces = stripe.pieces(read).into_iter();
        pieces
            .map(|piece| (piece.member, piece.offset, piece.bytes))
            .collect()
    }

    #[test]
    fn chunks_go_to_the_members_in_turn() {
        let stripe = stripe(&[1000, 1000, 1000]);
        assert_eq!(stripe.size_bytes(), 3000);
        assert_eq!(pieces(&stripe, 0, 100), [(0, 0, 100)]);
        assert_eq!(pieces(&stripe, 350, 100), [(0, 150, 50), (1, 100, 50)]);
        let whole = [(0, 0, 200), (1, 0, 200), (2, 0, 200)];
        assert_eq!(pieces(&stripe, 0, 600), whole);
    }

    #[test]
    fn larger_members_go_on_alone() {
        let stripe = stripe(&[200, 400]);
        assert_eq!(stripe.size_bytes(), 600);
        assert_eq!(pieces(&stripe, 300, 200), [(1, 100, 200)]);
        assert_eq!(pieces(&stripe, 500, 100), [(1, 300, 100)]);
    }
}
