//! Measurements that were spoilt in a known way, with real fio and dd.

use anyhow::Result;

use super::tools::{Bench, codes, explained};
use crate::siege::Siege;
use crate::siege::line::GroupLines;

/// What was done, with which call, and the codes that name it.
type Sabotage = (&'static str, &'static str, &'static [&'static str]);

const CACHED: &[&str] = &["memory", "page_cache", "device_idle", "not_flushed"];

const ALL: &[Sabotage] = &[
    (
        "reads from a warm page cache",
        "fio --name=x --filename=FILE --size=64m --rw=randread --bs=4k --invalidate=0 \
         --pre_read=1 --runtime=2 --time_based",
        CACHED,
    ),
    (
        "reads from a warm page cache, in JSON",
        "fio --name=x --filename=FILE --size=64m --rw=randread --bs=4k --invalidate=0 \
         --pre_read=1 --runtime=2 --time_based --output-format=json",
        CACHED,
    ),
    (
        "reads of mapped memory",
        "fio --name=x --filename=FILE --size=64m --rw=randread --bs=4k --ioengine=mmap \
         --invalidate=0 --pre_read=1 --runtime=2 --time_based",
        CACHED,
    ),
    (
        "buffered writes without a flush",
        "fio --name=x --filename=NEW --size=64m --rw=write --bs=1m",
        CACHED,
    ),
    (
        "dd into the page cache",
        "dd if=FILE of=NEW bs=1M count=64",
        CACHED,
    ),
    (
        "dd from the page cache",
        "dd if=FILE of=/dev/null bs=1M count=64",
        CACHED,
    ),
    (
        "reads of a sparse file",
        "fio --name=x --filename=SPARSE --size=256m --rw=randread --bs=4k --direct=1 \
         --ioengine=libaio --iodepth=8 --runtime=2 --time_based",
        &["device_idle", "memory"],
    ),
    (
        "reads of extents that were never written",
        "fio --name=x --filename=ALLOCATED --size=256m --rw=randread --bs=4k --direct=1 \
         --ioengine=libaio --iodepth=8 --runtime=2 --time_based",
        &["device_idle", "memory"],
    ),
    (
        "reads of an empty device in memory",
        "fio --name=x --filename=ZRAM --size=64m --rw=randread --bs=4k --direct=1 --runtime=2 \
         --time_based",
        &["memory", "device_idle"],
    ),
    (
        "zeros from dd",
        "dd if=/dev/zero of=NEW bs=1M count=64 conv=fdatasync",
        &["compressible"],
    ),
    (
        "zeros from fio",
        "fio --name=x --filename=FILE --size=64m --rw=write --bs=128k --direct=1 \
         --zero_buffers --runtime=2 --time_based",
        &["compressible"],
    ),
    (
        "data that compresses to a tenth",
        "fio --name=x --filename=FILE --size=64m --rw=write --bs=128k --direct=1 \
         --refill_buffers --buffer_compress_percentage=90 --runtime=2 --time_based",
        &["compressible"],
    ),
    (
        "data that is nine tenths copies",
        "fio --name=x --filename=FILE --size=64m --rw=write --bs=128k --direct=1 \
         --dedupe_percentage=90 --runtime=2 --time_based",
        &["compressible"],
    ),
    (
        "a depth with a synchronous engine",
        "fio --name=x --filename=FILE --size=256m --rw=randread --bs=4k --direct=1 \
         --ioengine=psync --iodepth=32 --runtime=2 --time_based",
        &["depth"],
    ),
    (
        "a depth with a synchronous engine, in JSON",
        "fio --name=x --filename=FILE --size=256m --rw=randread --bs=4k --direct=1 \
         --ioengine=sync --iodepth=32 --runtime=2 --time_based --output-format=json",
        &["depth"],
    ),
    (
        "a depth with libaio through the page cache",
        "fio --name=x --filename=FILE --size=256m --rw=randread --bs=4k --direct=0 \
         --ioengine=libaio --iodepth=32 --runtime=2 --time_based",
        &["depth", "submission"],
    ),
    (
        "eight jobs in step on the same blocks",
        "fio --name=x --filename=FILE --size=256m --rw=read --bs=128k --direct=1 --numjobs=8 \
         --group_reporting --runtime=2 --time_based",
        &["same_blocks"],
    ),
    (
        "a flush after each write",
        "fio --name=x --filename=FILE --size=64m --rw=write --bs=4k --fsync=1 --runtime=2 \
         --time_based",
        &["flush"],
    ),
    (
        "a flush after each write, in JSON",
        "fio --name=x --filename=FILE --size=64m --rw=write --bs=4k --fdatasync=1 --runtime=2 \
         --time_based --output-format=json",
        &["flush"],
    ),
    (
        "dd that makes each block durable",
        "dd if=FILE of=NEW bs=4k count=200 oflag=dsync",
        &["flush"],
    ),
    (
        "dd with its default block size",
        "dd if=FILE of=NEW count=20000 conv=fdatasync",
        &["default_block"],
    ),
    (
        "a window of 4 MiB",
        "fio --name=x --filename=FILE --size=4m --rw=randread --bs=4k --direct=1 \
         --ioengine=libaio --iodepth=4 --runtime=2 --time_based",
        &["small_area"],
    ),
    (
        "a rate that fio limits",
        "fio --name=x --filename=FILE --size=256m --rw=randread --bs=4k --direct=1 \
         --rate_iops=100 --runtime=2 --time_based",
        &["rate_limit"],
    ),
    (
        "a bandwidth that fio limits",
        "fio --name=x --filename=FILE --size=256m --rw=read --bs=128k --direct=1 --rate=5m \
         --runtime=2 --time_based",
        &["rate_limit"],
    ),
    (
        "a pause after each request",
        "fio --name=x --filename=FILE --size=256m --rw=randread --bs=4k --direct=1 \
         --thinktime=10000 --runtime=2 --time_based",
        &["rate_limit"],
    ),
    (
        "no latencies recorded",
        "fio --name=x --filename=FILE --size=256m --rw=randread --bs=4k --direct=1 \
         --ioengine=libaio --iodepth=4 --gtod_reduce=1 --runtime=2 --time_based",
        &["no_latency"],
    ),
    (
        "a latency taken at saturation",
        "fio --name=x --filename=FILE --size=256m --rw=randread --bs=4k --direct=1 \
         --ioengine=libaio --iodepth=256 --numjobs=2 --group_reporting --runtime=2 \
         --time_based",
        &["queueing"],
    ),
    (
        "a tenth of a second",
        "fio --name=x --filename=FILE --size=256m --rw=randread --bs=4k --direct=1 \
         --ioengine=libaio --iodepth=4 --runtime=100ms --time_based",
        &["short"],
    ),
    (
        "a percentile of twenty requests",
        "fio --name=x --filename=FILE --size=256m --rw=randread --bs=4k --direct=1 \
         --number_ios=20",
        &["few_samples", "short"],
    ),
    (
        "latency of the cache from ioping",
        "ioping -c 8 -i 0.1 -C FILE",
        &["fact", "memory"],
    ),
    (
        "the cache that hdparm -T measures",
        "hdparm -T LOOP",
        &["fact", "memory"],
    ),
];

pub(super) fn run(siege: &Siege, bench: &Bench, lines: &mut GroupLines<'_>) -> Result<()> {
    let wanted = siege.attempts(u32::MAX / 8, 6) as usize;
    for (done, call, expected) in ALL.iter().take(wanted) {
        siege.go_on()?;
        let Some(paste) = bench.paste(call)? else {
            lines.skip(format!("{done}: a tool or device is missing"));
            continue;
        };
        let found = codes(&explained(&paste));
        let is_named = expected.iter().any(|code| found.contains(code));
        lines.add(
            *done,
            format!("one of {}", expected.join(", ")),
            found.join(", "),
            is_named,
        );
    }
    Ok(())
}
