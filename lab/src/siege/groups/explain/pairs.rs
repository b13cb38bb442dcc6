//! Pairs of results that differ in one thing: it must be the first that is named.

use anyhow::{Context as _, Result};
use fathom_explain::explanation::explain_against;

use super::tools::Bench;
use crate::siege::Siege;
use crate::siege::line::GroupLines;

/// What both calls have.
const BASE: &str = "fio --name=x --filename=FILE --runtime=1 --time_based";

/// The thing, and the words of both sides.
type Pair = (&'static str, &'static str, &'static str);

const ALL: &[Pair] = &[
    (
        "direct",
        "--size=256m --rw=randread --bs=4k --direct=1",
        "--size=256m --rw=randread --bs=4k --direct=0",
    ),
    (
        "direct",
        "--size=256m --rw=write --bs=128k --direct=0",
        "--size=256m --rw=write --bs=128k --direct=1",
    ),
    (
        "direct",
        "--size=256m --rw=read --bs=1m --direct=1 --output-format=json",
        "--size=256m --rw=read --bs=1m --direct=0 --output-format=json",
    ),
    (
        "flush",
        "--size=256m --rw=write --bs=4k --direct=1",
        "--size=256m --rw=write --bs=4k --direct=1 --fsync=1",
    ),
    (
        "flush",
        "--size=256m --rw=write --bs=4k --direct=1 --fdatasync=1",
        "--size=256m --rw=write --bs=4k --direct=1",
    ),
    (
        "flush",
        "--size=256m --rw=randwrite --bs=4k --direct=1",
        "--size=256m --rw=randwrite --bs=4k --direct=1 --sync=1",
    ),
    (
        "depth",
        "--size=256m --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=1",
        "--size=256m --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=32",
    ),
    (
        "depth",
        "--size=256m --rw=randread --bs=4k --direct=1 --ioengine=io_uring --iodepth=16",
        "--size=256m --rw=randread --bs=4k --direct=1 --ioengine=io_uring --iodepth=2",
    ),
    (
        "depth",
        "--size=256m --rw=randread --bs=4k --direct=1 --numjobs=1 --group_reporting",
        "--size=256m --rw=randread --bs=4k --direct=1 --numjobs=8 --group_reporting",
    ),
    (
        "pattern",
        "--size=256m --rw=read --bs=16k --direct=1",
        "--size=256m --rw=randread --bs=16k --direct=1",
    ),
    (
        "pattern",
        "--size=256m --rw=randwrite --bs=16k --direct=1",
        "--size=256m --rw=write --bs=16k --direct=1",
    ),
    (
        "mix",
        "--size=256m --rw=randread --bs=4k --direct=1",
        "--size=256m --rw=randwrite --bs=4k --direct=1",
    ),
    (
        "mix",
        "--size=256m --rw=randrw --rwmixread=70 --bs=4k --direct=1",
        "--size=256m --rw=randrw --rwmixread=30 --bs=4k --direct=1",
    ),
    (
        "block_size",
        "--size=256m --rw=randread --bs=4k --direct=1",
        "--size=256m --rw=randread --bs=64k --direct=1",
    ),
    (
        "block_size",
        "--size=256m --rw=write --bs=1m --direct=1",
        "--size=256m --rw=write --bs=8k --direct=1",
    ),
    (
        "size",
        "--size=4m --rw=randread --bs=4k --direct=1",
        "--size=256m --rw=randread --bs=4k --direct=1",
    ),
    (
        "data",
        "--size=256m --rw=write --bs=128k --direct=1 --zero_buffers",
        "--size=256m --rw=write --bs=128k --direct=1 --refill_buffers",
    ),
    (
        "rate_limit",
        "--size=256m --rw=randread --bs=4k --direct=1 --rate_iops=50",
        "--size=256m --rw=randread --bs=4k --direct=1",
    ),
    (
        "engine",
        "--size=256m --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=4",
        "--size=256m --rw=randread --bs=4k --direct=1 --ioengine=io_uring --iodepth=4",
    ),
    (
        "target",
        "--size=64m --rw=randread --bs=4k --direct=1",
        "--size=64m --rw=randread --bs=4k --direct=1 --filename=LOOP",
    ),
];

pub(super) fn run(siege: &Siege, bench: &Bench, lines: &mut GroupLines<'_>) -> Result<()> {
    let wanted = siege.attempts(u32::MAX / 8, 3) as usize;
    let mut misses = Vec::new();
    let all = ALL.iter().take(wanted);
    let count = all.len();
    for (thing, first, second) in all {
        siege.go_on()?;
        let paste = |words: &str| {
            let paste = bench.paste(&format!("{BASE} {words}"))?;
            paste.context("fio was there")
        };
        let (a, b) = (paste(first)?, paste(second)?);
        let explanation = explain_against(
            a.as_bytes(),
            b.as_bytes(),
            ["a", "b"],
            [&|_| Vec::new(), &|_| Vec::new()],
        );
        let contrast = explanation.contrast.unwrap_or_default();
        let named = contrast
            .differences
            .first()
            .map_or("nothing", |one| one.code);
        if named != *thing {
            misses.push(format!("{thing}: {named} ({first} against {second})"));
        }
    }
    lines.add(
        format!("{count} pairs with one planted difference"),
        "the difference is named first in nine of ten",
        format!("{} missed: {}", misses.len(), misses.join("; ")),
        misses.len() * 10 <= count,
    );
    Ok(())
}
