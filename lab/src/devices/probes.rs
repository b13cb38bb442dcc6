//! What the short runs of `--probe` ask the storage, of devices that answer as it is known of them,
//! and what is noticed of others and of a processor that sleeps.

use anyhow::{Result, ensure};

use super::experiment::{Experiment, caveat};
use super::{Left, served};

pub(super) const EXPERIMENTS: [Experiment; 7] = [
    Experiment {
        name: "probe-cache",
        truth: "ext4 on a disk with a cache: a read 10 ms, a flush 20 ms, writes and FUA nothing",
        tolerance: "`writeback_ack`, `flush_real` and `dsync_cheaper`",
        limit_s: 150,
        script: CACHE,
        judge: |left| told(left, &["writeback_ack", "flush_real", "dsync_cheaper"]),
    },
    Experiment {
        name: "probe-rotating",
        truth: "a disk that says it rotates: a read 4 ms, a write nothing, and 100 reads of others",
        tolerance: "`writeback_ack`, `cache_persists` and `busy_before`",
        limit_s: 150,
        script: ROTATING,
        judge: |left| told(left, &["writeback_ack", "cache_persists", "busy_before"]),
    },
    Experiment {
        name: "probe-zeros",
        truth: "a memory disk that compresses",
        tolerance: "`compresses`, not `dedupes`",
        limit_s: 150,
        script: ZEROS,
        judge: |left| {
            ensure!(
                caveat(left, "r.json", "dedupes").is_err(),
                "dedupes is reported too"
            );
            told(left, &["compresses"])
        },
    },
    Experiment {
        name: "probe-shifted",
        truth: "a loop device that keeps pages of a disk whose reads take 10 ms",
        tolerance: "`rmw`",
        limit_s: 300,
        script: SHIFTED,
        judge: |left| told(left, &["rmw"]),
    },
    Experiment {
        name: "probe-flush",
        truth: "a disk that says it has a cache, and does nothing at a flush",
        tolerance: "`flush_free`",
        limit_s: 150,
        script: FLUSH,
        judge: |left| told(left, &["flush_free"]),
    },
    Experiment {
        name: served::REPEATS,
        truth: "a disk that takes 0.5 ms for each 4 KiB that it has not seen",
        tolerance: "`compresses` and `dedupes`",
        limit_s: 150,
        script: REPEATS,
        judge: |left| told(left, &["compresses", "dedupes"]),
    },
    Experiment {
        name: served::RESTS,
        truth: "a disk that rests after 10 ms and wakes in 5 ms, read 20 and 400 times a second",
        tolerance: "`wakeup_latency`",
        limit_s: 60,
        script: RESTS,
        judge: |left| told(left, &["wakeup_latency"]),
    },
];

/// With a journal: without one, ext4 makes no flush of an `fdatasync` after writes in place.
const CACHE: &str = "\
modprobe null_blk nr_devices=1 gb=1 memory_backed=1 cache_size=64
modprobe -a dm_delay ext4
set -- /dev/nullb0 0
dmsetup create slow --noudevsync --table \"0 262144 delay $* 10 $* 0 $* 20\"
dmsetup mknodes
/bin/mke2fs -q -F -t ext4 /dev/mapper/slow
mkdir -p /mnt/lab
mount -t ext4 /dev/mapper/slow /mnt/lab
fathom run random-write-4k --target /mnt/lab/file --size 32MiB --time 1s --warm-up 0s --probe \\
    --queue-depth 1 --quiet -o json:r.json
";

/// The others read for long enough to be seen before the run, and are done before the probes.
const ROTATING: &str = "\
modprobe null_blk nr_devices=1 gb=1 memory_backed=1
modprobe dm_delay
echo 1 >/sys/block/nullb0/queue/rotational
set -- /dev/nullb0 0
dmsetup create slow --noudevsync --table \"0 262144 delay $* 4 $* 0\"
dmsetup mknodes
fathom run random-read-4k --target /dev/nullb0 --rate 100iops --time 8s --warm-up 0s --no-save \\
    --queue-depth 1 --quiet -o json:others.json &
sleep 2
fathom run random-write-4k --target /dev/mapper/slow --destroy /dev/mapper/slow --size 32MiB \\
    --time 1s --warm-up 0s --probe --queue-depth 1 --quiet -o json:r.json
";

const ZEROS: &str = "\
modprobe zram
cat /sys/block/zram0/comp_algorithm
echo 64M >/sys/block/zram0/disksize
fathom run random-write-4k --target /dev/zram0 --destroy /dev/zram0 --time 1s --warm-up 0s \\
    --probe --queue-depth 1 --quiet -o json:r.json
";

/// The memory disk keeps nothing, so that the pages of the loop device are all that is held. It is
/// large, so that a write seldom meets a page that is held already, for which nothing is read.
const SHIFTED: &str = "\
modprobe null_blk nr_devices=1 gb=64
modprobe -a dm_delay loop
set -- /dev/nullb0 0
dmsetup create slow --noudevsync --table \"0 134217728 delay $* 10 $* 0\"
dmsetup mknodes
losetup /dev/loop0 /dev/mapper/slow
fathom run random-write-4k --target /dev/loop0 --destroy /dev/loop0 --time 1s --warm-up 0s \\
    --probe --queue-depth 1 --quiet -o json:r.json
";

/// The disk is of the guest's memory, which has less room than it says: a part of it is used.
const FLUSH: &str = "\
modprobe null_blk nr_devices=1 gb=1 memory_backed=1 queue_mode=0 cache_size=64
modprobe dm_mod
set -- /dev/nullb0 0
dmsetup create part --noudevsync --table \"0 262144 linear $*\"
dmsetup mknodes
cat /sys/block/dm-0/queue/write_cache
fathom run random-write-4k --engine psync --target /dev/mapper/part --destroy /dev/mapper/part \\
    --time 1s --warm-up 0s --probe --queue-depth 1 --quiet -o json:r.json
";

/// The disk is served by the machine that the guest runs on.
const REPEATS: &str = "\
disk=$(grep -l probe-repeats /sys/block/vd*/serial)
disk=/dev/$(basename ${disk%/serial})
fathom run random-write-4k --target $disk --destroy $disk --time 1s --warm-up 0s --probe \\
    --queue-depth 1 --quiet -o json:r.json
";

const RESTS: &str = "\
disk=$(grep -l wakeup /sys/block/vd*/serial)
cat >rates.toml <<END
name = \"rates\"
[[phase]]
name = \"seldom\"
duration = \"8s\"
[[phase.job]]
name = \"read\"
block_size = \"4KiB\"
read = 100
rate = \"20 IOPS\"
[[phase]]
name = \"often\"
duration = \"4s\"
[[phase.job]]
name = \"read\"
block_size = \"4KiB\"
read = 100
rate = \"400 IOPS\"
END
fathom run rates.toml --target /dev/$(basename ${disk%/serial}) --quiet -o json:r.json
";

/// That a result says all of these.
fn told(left: &Left, codes: &[&str]) -> Result<String> {
    let mut seen = Vec::new();
    for code in codes {
        let (level, message) = caveat(left, "r.json", code)?;
        seen.push(format!("`{code}` ({level}): {message}"));
    }
    Ok(seen.join("; "))
}
