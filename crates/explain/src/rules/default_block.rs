//! A block size that does not fit the question.

use super::Said;
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{iops, megabytes, size};

/// The largest request that is too small for a stream.
const SMALL: f64 = 16_384.0;

/// Small requests in sequence, unless they are a log that is flushed.
fn small_stream(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let block = load.block.filter(|block| *block <= SMALL)?;
    let is_asked = ["fio", "diskspd"].contains(&evidence.tool) && load.random == Some(false);
    (is_asked && load.flush_every.is_none() && evidence.flush.is_none()).then(|| {
        Said::new(
            Certainty::Suspected,
            Effect::Reading,
            format!(
                "Sequential requests of {} measure neither throughput nor random IOPS.",
                size(block as u64)
            ),
        )
        .because(
            "Drives and, without direct I/O, kernels read ahead and merge such requests. A disk \
            gives many times its random IOPS. Each request costs CPU time, so the MB/s are low.",
        )
        .remedy("Use 1 MiB for throughput, and random requests for IOPS.")
        .by(&["command"])
        .decide(evidence, &[Change::Block(1_048_576.0)])
    })
}

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    match evidence.tool {
        "dd" => {}
        "ceph" | "rados" => return large(evidence),
        _ => return small_stream(evidence),
    }
    let is_known = !load.command.is_empty() || load.block == Some(512.0);
    let chosen = ["bs", "obs", "ibs"]
        .iter()
        .any(|name| load.options.contains_key(*name));
    let is_latency = load.flush_every.is_some();
    if let Some(block) = load
        .block
        .filter(|block| *block <= SMALL && chosen && !is_latency)
    {
        return Some(tiny(evidence, block));
    }
    if !is_known || chosen {
        // One request of dd may also be all of the data.
        let block = load.block.filter(|block| is_known && *block >= 256e6)?;
        return Some(
            Said::new(
                Certainty::Shown,
                Effect::Reading,
                format!(
                    "Each request was {}: this is one long stream, not a load of \
                    requests.",
                    size(block as u64)
                ),
            )
            .because(
                "dd reads a whole block into memory before it writes it, so reading and \
                writing take turns.",
            )
            .remedy("Use blocks of 1 MiB.")
            .by(&["command"])
            .decide(evidence, &[Change::Block(1_048_576.0)]),
        );
    }
    Some(
        Said::new(
            Certainty::Shown,
            Effect::OtherLoad,
            "dd used blocks of 512 B: this measured system calls more than the disk.",
        )
        .because("Without bs=, dd reads and writes 512 B at a time.")
        .remedy("Use bs=1M for throughput.")
        .by(&["command"])
        .decide(evidence, &[Change::Block(1_048_576.0)]),
    )
}

/// Blocks of dd that were chosen and are small.
fn tiny(evidence: &Evidence, block: f64) -> Said {
    let headline = format!(
        "dd moved {} at a time: the size of the block sets the rate.",
        size(block as u64)
    );
    Said::new(Certainty::Suspected, Effect::OtherLoad, headline)
        .because("Each block is a read and a write of its own, one after the other.")
        .remedy("Use bs=1M for throughput.")
        .by(&["command"])
        .decide(evidence, &[Change::Block(1_048_576.0)])
}

/// Large requests, whose number a second says little.
fn large(evidence: &Evidence) -> Option<Said> {
    let block = evidence.load.block.filter(|block| *block >= 1_048_576.0)?;
    let rate = evidence.iops()?;
    let headline = format!(
        "Each request has {}: {} a second are {} MB/s, and no measure of IOPS.",
        size(block as u64),
        iops(rate),
        megabytes(rate * block)
    );
    Some(
        Said::new(Certainty::Shown, Effect::Reading, headline)
            .because("Throughput is the rate times the size. Small requests have another limit.")
            .remedy("Give a size of 4096 for IOPS, and read MB/s here.")
            .by(&["rate"]),
    )
}
