//! Writes that are far slower than reads: single ones, and streams.

use super::{Said, memory};
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{megabytes, significant, time};

/// The largest request whose time is latency and not transfer.
const LARGEST: f64 = 16_384.0;

/// A write found no cache from this time on, and from this multiple of a read.
const SLOW_NS: f64 = 2e6;
const FACTOR: f64 = 8.0;

/// The same of streams, with the fastest write that is slow, and the fastest read of no cache.
const STREAMS: f64 = 4.0;
const SLOW_RATE: f64 = 250e6;
const FAST_RATE: f64 = 8e9;

/// The smallest request of a stream.
const STREAM: f64 = 65_536.0;

/// Results of a paste that are compared.
const MOST: usize = 64;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let one = all.get(index).filter(|_| index < MOST)?;
    singles(all, one).or_else(|| streams(all, one))
}

fn streams(all: &[Evidence], one: &Evidence) -> Option<Said> {
    let write = stream(one, Direction::Write).filter(|rate| *rate < SLOW_RATE)?;
    let like = |other: &&Evidence| {
        let is_of_disk = other.load.direct == Some(true) && memory::look(other).is_none();
        let is_alike = other.tool == one.tool && other.load.depth == one.load.depth;
        is_of_disk && is_alike && other.load.is_on(&one.load)
    };
    let reads = all.iter().take(MOST).filter(like);
    let read = reads
        .filter_map(|other| stream(other, Direction::Read))
        .filter(|rate| *rate < FAST_RATE)
        .reduce(f64::max)
        .filter(|read| *read >= write * STREAMS)?;
    let headline = format!(
        "Writes in sequence are {} times slower than reads ({} and {} MB/s): no cache takes them.",
        significant(read / write),
        megabytes(write),
        megabytes(read)
    );
    Some(
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(
                "The fast write area of an SSD is full or the drive nearly is; a write cache is \
                 off; each write is made durable (sync mount, NFS export), or becomes several \
                 (parity, copies on other hosts).",
            )
            .remedy(
                "Look at the write cache, the free space and the mount, and repeat it after TRIM \
                 and an idle hour.",
            )
            .by(&["rate"]),
    )
}

/// Rate of a stream in one direction.
fn stream(one: &Evidence, direction: Direction) -> Option<f64> {
    let [side] = one.sides.as_slice() else {
        return None;
    };
    let is_large = one.load.block.is_none_or(|block| block >= STREAM);
    let is_stream = one.load.random == Some(false) && is_large && !one.load.is_limited;
    one.rate_of(side)
        .filter(|_| is_stream && side.direction == direction)
}

fn singles(all: &[Evidence], one: &Evidence) -> Option<Said> {
    let write = single(one, Direction::Write)?;
    let is_flushed = one.load.flush_every.is_some() || one.flush.is_some();
    let others = all.iter().take(MOST);
    let like = |other: &&Evidence| {
        let is_alike = other.tool == one.tool && other.load.block == one.load.block;
        is_alike && other.load.is_on(&one.load)
    };
    let mut reads = others
        .filter(like)
        .filter_map(|other| single(other, Direction::Read));
    let read = reads.next_back().filter(|read| write >= read * FACTOR)?;
    (!is_flushed && write >= SLOW_NS).then(|| {
        let headline = format!(
            "A single write takes {}, and a single read {}: no cache takes the writes.",
            time(write),
            time(read)
        );
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(
                "Each write waits until the storage has it. It may be flushed (write-through, or a \
                 write cache that is off), or go to other hosts first. An SSD may still be busy \
                 with earlier writes.",
            )
            .remedy(
                "Look at the write cache (hdparm -W, smartctl, the cache mode of the virtual \
                 disk), and repeat it after an idle hour.",
            )
            .by(&["latency", "rate"])
    })
}

/// Time of a request where one is outstanding and all go in this direction.
fn single(one: &Evidence, direction: Direction) -> Option<f64> {
    let [side] = one.sides.as_slice() else {
        return None;
    };
    let is_single = one.total_depth() == Some(1.0) && side.direction == direction;
    let is_small = one.load.block.is_some_and(|block| block <= LARGEST);
    if !is_single || !is_small || one.load.is_limited {
        return None;
    }
    let mean = side.latency.as_ref().and_then(|latency| latency.mean);
    mean.or_else(|| Some(1e9 / one.iops_of(side)?))
}
