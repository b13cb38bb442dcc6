//! What holds a load back, or takes its disk away.

use anyhow::{Result, ensure};

use super::Left;
use super::experiment::{Experiment, caveat, iops, json, text};

/// A limit that is there for a part of a run of 6 s, and not at its end.
macro_rules! for_a_while {
    ($name:literal, $truth:literal, $group:literal, $tolerance:literal, $times:literal) => {
        Experiment {
            name: $name,
            truth: $truth,
            tolerance: $tolerance,
            limit_s: 150,
            script: concat!(
                "modprobe null_blk nr_devices=1 gb=1 memory_backed=1\n\
                 mkdir -p /sys/fs/cgroup/lab/inner\n\
                 echo +io >/sys/fs/cgroup/lab/cgroup.subtree_control\n\
                 limit() { echo \"$(cat /sys/block/nullb0/dev) riops=$1\" \
                 >/sys/fs/cgroup/",
                $group,
                "/io.max; }\n\
                 reads() { until grep -q \"rios=$1\" /sys/fs/cgroup/lab/inner/io.stat; \
                 do sleep 0.1; done; }\n",
                $times,
                "sh -c 'echo $$ >/sys/fs/cgroup/lab/inner/cgroup.procs; \
                 exec fathom run random-read-4k --target /dev/nullb0 --time 6s --warm-up 0s \
                 --queue-depth 4 --quiet -o json:r.json'\n"
            ),
            judge: |left| {
                let (level, message) = caveat(left, "r.json", "io_limited")?;
                ensure!(level == "suspect", "{level}: {message}");
                Ok(message)
            },
        }
    };
}

pub(super) const EXPERIMENTS: [Experiment; 7] = [
    for_a_while!(
        "cgroup-io-middle",
        "the group may read 500 times a second for 1 s of 6, and has no limit at the end",
        "lab/inner",
        "the limit and its time in `io_limited`, the state SUSPECT",
        "(reads [0-9][0-9][0-9]; sleep 1; limit 500; sleep 1; limit max) &\n"
    ),
    for_a_while!(
        "cgroup-io-lifted",
        "the group may read 500 times a second, but in the end of a run of 6 s",
        "lab/inner",
        "the limit and its end in `io_limited`, the state SUSPECT",
        "limit 500\n(reads [1-9][0-9][0-9][0-9]; sleep 1; limit max) &\n"
    ),
    for_a_while!(
        "cgroup-io-above",
        "the group above may read 500 times a second for 1 s of 6",
        "lab",
        "the limit and its time in `io_limited`, the state SUSPECT",
        "(reads [0-9][0-9][0-9]; sleep 1; limit 500; sleep 1; limit max) &\n"
    ),
    Experiment {
        name: "nr-requests",
        truth: "a queue of 4 before a disk of 10 ms: 400 IOPS of 64 outstanding",
        tolerance: "the queue of 4 in the result, 200 to 400 IOPS",
        limit_s: 60,
        script: "modprobe null_blk nr_devices=1 gb=1 irqmode=2 completion_nsec=10000000\n\
                 echo none >/sys/block/nullb0/queue/scheduler\n\
                 echo 4 >/sys/block/nullb0/queue/nr_requests\n\
                 fathom run random-read-4k --target /dev/nullb0 --time 3s --warm-up 1s \
                 --queue-depth 64 --quiet -o json:r.json\n",
        judge: queue,
    },
    Experiment {
        name: "unplug-scsi",
        truth: "the disk goes in the middle of a run of 12 s",
        tolerance: "errors, or the state INVALID by `device_gone` and `short_transfers`",
        limit_s: 60,
        script: "modprobe scsi_debug dev_size_mb=64 ndelay=2000000\n\
                 sleep 1\n\
                 disk=$(ls /sys/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*/block)\n\
                 (sleep 5; echo 1 >/sys/block/$disk/device/delete) &\n\
                 fathom run random-read-4k --target /dev/$disk --time 12s --warm-up 0s \
                 --queue-depth 4 --quiet -o json:r.json && echo 0 >ended || echo $? >ended\n\
                 ls /sys/block\n",
        judge: |left| gone(left, "r.json"),
    },
    Experiment {
        name: "unplug-nvme",
        truth: "the controller goes in the middle of a run of 12 s",
        tolerance: "errors, or the state INVALID by `device_gone` and `short_transfers`",
        limit_s: 60,
        script: "modprobe nvme_core io_timeout=2\nmodprobe nvme\nsleep 1\n\
                 (sleep 5; echo 1 >/sys/class/nvme/nvme0/device/remove) &\n\
                 fathom run random-read-4k --target /dev/nvme0n1 --time 12s --warm-up 0s \
                 --queue-depth 4 --quiet -o json:r.json && echo 0 >ended || echo $? >ended\n\
                 ls /sys/block\n",
        judge: |left| gone(left, "r.json"),
    },
    Experiment {
        name: "unplug-commands",
        truth: "the same with NVMe commands past the block layer",
        tolerance: "the run ends with status 3 and says why",
        limit_s: 60,
        script: "modprobe nvme_core io_timeout=2\nmodprobe nvme\nsleep 1\n\
                 (sleep 5; echo 1 >/sys/class/nvme/nvme0/device/remove) &\n\
                 fathom run random-read-4k --engine nvme --target /dev/ng0n1 --time 12s \
                 --warm-up 0s --queue-depth 4 --quiet -o json:r.json \
                 && echo 0 >ended || echo $? >ended\n\
                 ls /sys/block\n",
        judge: |left| gone(left, "r.json"),
    },
];

fn queue(left: &Left) -> Result<String> {
    let result = json(left, "r.json")?;
    let held = &result["provenance"]["targets"][0]["devices"][0]["queue_requests"];
    let rate = iops(left, "r.json", "read")?;
    let seen = format!("a queue of {held}, {rate:.0} IOPS");
    ensure!(*held == 4 && (200.0..=400.5).contains(&rate), "{seen}");
    Ok(seen)
}

/// Reads that were made, and errors after them. A disk that is no more has an end at once, so that
/// reads may be short instead.
fn gone(left: &Left, name: &str) -> Result<String> {
    let ended = text(left, "ended")?;
    let result = json(left, name)?;
    let job = &result["phases"][0]["jobs"][0];
    let reads = job["read"]["ios"].as_u64().unwrap_or(0);
    ensure!(reads > 0, "nothing was read before: {job}");
    if let Some(errors) = job["errors"].as_array().filter(|errors| !errors.is_empty()) {
        let message = errors.iter().map(|one| one["message"].to_string());
        let seen = format!("status {ended}: {}", message.collect::<Vec<_>>().join("; "));
        ensure!(ended == "3", "{seen}");
        return Ok(seen);
    }
    let mut said = Vec::new();
    for code in ["device_gone", "short_transfers"] {
        let (level, message) = caveat(left, name, code)?;
        ensure!(level == "invalid", "{code}: {level}: {message}");
        said.push(message);
    }
    Ok(format!("invalid: {}", said.join("; ")))
}
