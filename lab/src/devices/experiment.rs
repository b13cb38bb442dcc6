//! The experiments: how a device is made whose truth is known, what Fathom is asked, and how far
//! its answer may be from it.

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::Left;

/// One of them.
#[derive(Debug)]
pub(super) struct Experiment {
    pub(super) name: &'static str,
    /// What is so.
    pub(super) truth: &'static str,
    /// What may be seen of it.
    pub(super) tolerance: &'static str,
    /// Seconds after which it is ended.
    pub(super) limit_s: u32,
    /// Makes the device and asks; run by the shell of busybox, which ends it at the first status
    /// that is not 0. What it makes is taken down by the guest (`lab/guest/clear`).
    pub(super) script: &'static str,
    pub(super) judge: fn(&Left) -> Result<String>,
}

impl Experiment {
    /// What was seen, if that is within its tolerance.
    pub(super) fn seen(&self, left: &Left) -> Result<String> {
        let said = text(left, "said").unwrap_or_default();
        let last = said.lines().last().unwrap_or_default();
        ensure!(
            Self::has_ended(left),
            "it could not be ended, and brought its guest down"
        );
        if left.contains_key("over") {
            bail!("it was ended after {} s, at `{last}`", self.limit_s);
        }
        let lacks = Self::lacks(left).map(|what| Ok(format!("SKIPPED: the guest lacks {what}")));
        let seen = lacks
            .unwrap_or_else(|| (self.judge)(left))
            .with_context(|| format!("(it ended with `{last}`)"))?;
        let status = text(left, "status")?;
        ensure!(status == "0", "its script ended with {status}, at `{last}`");
        let standing = Self::standing(left);
        ensure!(
            standing.is_empty(),
            "it left what could not be taken down: {}",
            standing.join(", ")
        );
        Ok(seen)
    }

    /// What the guest lacks to make it, as its script says.
    pub(super) fn lacks(left: &Left) -> Option<String> {
        text(left, "skipped").ok()
    }

    /// Whether there is all that it left.
    pub(super) fn has_ended(left: &Left) -> bool {
        left.contains_key("status")
    }

    /// What it made and the guest could not take down.
    pub(super) fn standing(left: &Left) -> Vec<String> {
        let text = text(left, "left").unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The beginning of its row in a table.
    pub(super) fn row(&self) -> String {
        format!("| `{}` | {} | {} |", self.name, self.truth, self.tolerance)
    }
}

const MS_NS: f64 = 1e6;

pub(super) const EXPERIMENTS: [Experiment; 9] = [
    Experiment {
        name: "null-blk",
        truth: "each request takes 1 ms",
        tolerance: "least 1.0 to 1.5 ms, median from 1.0",
        limit_s: 60,
        script: "modprobe null_blk nr_devices=1 gb=1 irqmode=2 completion_nsec=1000000\n\
                 fathom run random-read-4k --target /dev/nullb0 --time 2s --warm-up 0s \
                 --queue-depth 1 --quiet -o json:r.json\n",
        judge: |left| delay(left, "r.json", "read", (1.0, 1.5)),
    },
    Experiment {
        name: "scsi-debug",
        truth: "each request takes 2 ms",
        tolerance: "least 2.0 to 3.0 ms, median from 2.0",
        limit_s: 60,
        script: "modprobe scsi_debug dev_size_mb=64 ndelay=2000000\n\
                 sleep 1\n\
                 disk=$(ls /sys/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*/block)\n\
                 fathom run random-read-4k --target /dev/$disk --time 2s --warm-up 0s \
                 --queue-depth 1 --quiet -o json:r.json\n",
        judge: |left| delay(left, "r.json", "read", (2.0, 3.0)),
    },
    Experiment {
        name: "scsi-errors",
        truth: "sectors 0x1234 to 0x123d cannot be read",
        tolerance: "status 3, 2 blocks of 4 KiB in error",
        limit_s: 60,
        script: "modprobe scsi_debug dev_size_mb=8 delay=0 opts=2\n\
                 sleep 1\n\
                 disk=$(ls /sys/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*/block)\n\
                 fathom run sequential-read-1m --block-size 4KiB --queue-depth 1 \
                 --target /dev/$disk --ios 2048 --warm-up 0s --quiet -o json:r.json \
                 && echo 0 >ended || echo $? >ended\n",
        judge: errors,
    },
    Experiment {
        name: "dm-delay",
        truth: "reads wait 40 ms, writes do not",
        tolerance: "least read 40 to 60 ms, median write below 20",
        limit_s: 60,
        script: "modprobe null_blk nr_devices=1 gb=1 memory_backed=1\n\
                 modprobe dm_delay\n\
                 sectors=$(cat /sys/block/nullb0/size)\n\
                 dmsetup create slow --noudevsync --table \
                 \"0 $sectors delay /dev/nullb0 0 40 /dev/nullb0 0 0\"\n\
                 dmsetup mknodes\n\
                 fathom run random-read-4k --target /dev/mapper/slow --time 2s --warm-up 0s \
                 --queue-depth 1 --quiet -o json:r.json\n\
                 fathom run random-write-4k --target /dev/mapper/slow \
                 --destroy /dev/mapper/slow --time 1s --warm-up 0s \
                 --queue-depth 1 --quiet -o json:w.json\n",
        judge: |left| {
            let reads = delay(left, "r.json", "read", (40.0, 60.0))?;
            let (_, median_ms) = service(left, "w.json", "write")?;
            ensure!(median_ms < 20.0, "median write {median_ms:.2} ms");
            Ok(format!("{reads}; median write {median_ms:.2} ms"))
        },
    },
    Experiment {
        name: "dm-flakey-kept",
        truth: "all acknowledged writes are there",
        tolerance: "status 0 of `fathom verify`",
        limit_s: 60,
        script: FLAKEY_KEPT,
        judge: |left| verified(left, "0"),
    },
    Experiment {
        name: "dm-flakey-lost",
        truth: "acknowledged writes of a second run are dropped",
        tolerance: "status 3 of `fathom verify`",
        limit_s: 60,
        script: FLAKEY_LOST,
        judge: |left| verified(left, "3"),
    },
    Experiment {
        name: "lvm-stripe",
        truth: "LVM over 5 disks, chunk of 64 KiB",
        tolerance: "both, as `fathom check` says it",
        limit_s: 60,
        script: "modprobe null_blk nr_devices=5 gb=1 memory_backed=1\n\
                 mkdir -p /run/lock/lvm\n\
                 for n in 0 1 2 3 4; do lvm pvcreate /dev/nullb$n; done\n\
                 lvm vgcreate study /dev/nullb0 /dev/nullb1 /dev/nullb2 /dev/nullb3 \
                 /dev/nullb4\n\
                 lvm lvcreate -y -W n -Z n -i 5 -I 64k -L 1000M -n striped study\n\
                 dmsetup mknodes\n\
                 fathom check --no-wait --json /dev/mapper/study-striped >check.json || true\n\
                 fathom check --no-wait /dev/mapper/study-striped >check.txt || true\n\
                 cat check.txt\n",
        judge: stripe,
    },
    Experiment {
        name: "thin-unwritten",
        truth: "nothing of a thin volume was ever written",
        tolerance: "the caveat never_written",
        limit_s: 60,
        script: "modprobe null_blk nr_devices=2 gb=1 memory_backed=1\n\
                 modprobe dm_thin_pool\n\
                 dmsetup create pool --noudevsync --table \
                 \"0 1048576 thin-pool /dev/nullb0 /dev/nullb1 128 0\"\n\
                 dmsetup mknodes\n\
                 dmsetup message /dev/mapper/pool 0 \"create_thin 0\"\n\
                 dmsetup create thin --noudevsync --table \"0 524288 thin /dev/mapper/pool 0\"\n\
                 dmsetup mknodes\n\
                 fathom run random-read-4k --target /dev/mapper/thin --ios 500 --warm-up 0s \
                 --queue-depth 1 --quiet -o json:r.json\n",
        judge: unwritten,
    },
    Experiment {
        name: "cgroup-io-max",
        truth: "the group may read 100 times a second",
        tolerance: "80 to 120 IOPS",
        limit_s: 60,
        script: "modprobe null_blk nr_devices=1 gb=1 memory_backed=1\n\
                 mkdir /sys/fs/cgroup/lab\n\
                 echo \"$(cat /sys/block/nullb0/dev) riops=100\" >/sys/fs/cgroup/lab/io.max\n\
                 sh -c 'echo $$ >/sys/fs/cgroup/lab/cgroup.procs; exec fathom run random-read-4k \
                 --target /dev/nullb0 --time 3s --warm-up 1s --queue-depth 4 --quiet \
                 -o json:r.json'\n",
        judge: limited,
    },
];

/// A device that keeps what is written to it.
const FLAKEY_KEPT: &str = "\
modprobe null_blk nr_devices=1 gb=1 memory_backed=1
modprobe dm_flakey
dmsetup create flaky --noudevsync --table \"0 131072 flakey /dev/nullb0 0 3600 0\"
dmsetup mknodes
fathom run random-write-4k --target /dev/mapper/flaky --destroy /dev/mapper/flaky \
    --ios 2000 --warm-up 0s --queue-depth 1 --verify stamp --quiet -o json:r.json
fathom verify --quiet /dev/mapper/flaky && echo 0 >ended || echo $? >ended
";

/// The same, which says of all writes of a second run that they are done, and does none of them.
const FLAKEY_LOST: &str = "\
modprobe null_blk nr_devices=1 gb=1 memory_backed=1
modprobe dm_flakey
dmsetup create flaky --noudevsync --table \"0 131072 flakey /dev/nullb0 0 3600 0\"
dmsetup mknodes
fathom run random-write-4k --target /dev/mapper/flaky --destroy /dev/mapper/flaky \
    --ios 2000 --warm-up 0s --queue-depth 1 --verify stamp --quiet -o json:r.json
dmsetup suspend --noudevsync flaky
dmsetup load flaky --table \"0 131072 flakey /dev/nullb0 0 0 3600 1 drop_writes\"
dmsetup resume --noudevsync flaky
fathom run random-write-4k --target /dev/mapper/flaky --destroy /dev/mapper/flaky --seed 2 \
    --ios 2000 --warm-up 0s --queue-depth 1 --verify stamp --quiet -o json:w.json
fathom verify --quiet /dev/mapper/flaky && echo 0 >ended || echo $? >ended
";

pub(super) fn text(left: &Left, name: &str) -> Result<String> {
    let bytes = left
        .get(name)
        .with_context(|| format!("it left no {name}"))?;
    Ok(String::from_utf8_lossy(bytes).trim().to_owned())
}

pub(super) fn json(left: &Left, name: &str) -> Result<Value> {
    let text = text(left, name)?;
    serde_json::from_str(&text).with_context(|| format!("{name} is no JSON"))
}

/// The least service time and the median, in ms.
fn service(left: &Left, name: &str, op: &str) -> Result<(f64, f64)> {
    let result = json(left, name)?;
    let service = &result["phases"][0]["jobs"][0][op]["service_ns"];
    let least = service["min"].as_f64().context("no least service time")?;
    let median = service["percentiles"]["50"].as_f64().context("no median")?;
    Ok((least / MS_NS, median / MS_NS))
}

/// A time that is never less than it is, and at its best little more.
pub(super) fn delay(left: &Left, name: &str, op: &str, bounds_ms: (f64, f64)) -> Result<String> {
    let (least_ms, median_ms) = service(left, name, op)?;
    let seen = format!("least {least_ms:.2} ms, median {median_ms:.2} ms");
    let is_within = least_ms >= bounds_ms.0 && least_ms <= bounds_ms.1 && median_ms >= bounds_ms.0;
    ensure!(is_within, "{seen}");
    Ok(seen)
}

/// What a result says under a code, with its level.
pub(super) fn caveat(left: &Left, name: &str, code: &str) -> Result<(String, String)> {
    let result = json(left, name)?;
    // `fathom check` has findings, a result has caveats.
    let told = result["caveats"]
        .as_array()
        .or(result["findings"].as_array());
    let told = told.with_context(|| format!("{name} says nothing"))?;
    let is_it = |one: &&Value| one["code"] == code;
    let one = told.iter().find(is_it).with_context(|| {
        let codes: Vec<&str> = told.iter().filter_map(|one| one["code"].as_str()).collect();
        format!("no {code} in {name}, but {codes:?}")
    })?;
    let word = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
    Ok((word("level"), word("message")))
}

/// Operations a second of the first job.
pub(super) fn iops(left: &Left, name: &str, op: &str) -> Result<f64> {
    let result = json(left, name)?;
    let rate = &result["phases"][0]["jobs"][0][op]["iops"];
    rate.as_f64().with_context(|| format!("no rate in {name}"))
}

fn errors(left: &Left) -> Result<String> {
    let ended = text(left, "ended")?;
    let result = json(left, "r.json")?;
    let errors = result["phases"][0]["jobs"][0]["read"]["errors"].as_u64();
    let errors = errors.context("no count of errors")?;
    let seen = format!("status {ended}, {errors} errors");
    // Ten sectors of 512 bytes from 0x1234 lie in the blocks 582 and 583 of 4 KiB.
    ensure!(ended == "3" && errors == 2, "{seen}");
    Ok(seen)
}

fn verified(left: &Left, expected: &str) -> Result<String> {
    let ended = text(left, "ended")?;
    let said = text(left, "said")?;
    let lines = said.lines().filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    let seen = format!("status {ended}: {}", lines.first().unwrap_or(&"nothing"));
    ensure!(ended == expected, "{seen}");
    Ok(seen)
}

fn stripe(left: &Left) -> Result<String> {
    let found = json(left, "check.json")?;
    let layout = &found["arrays"][0]["layout"][0];
    let chunk = layout["chunk_bytes"].as_u64();
    let members = layout["members"].as_u64();
    ensure!(
        chunk == Some(64 << 10) && members == Some(5),
        "layout: {layout}"
    );
    Ok("5 members, chunk of 65536 bytes".to_owned())
}

fn unwritten(left: &Left) -> Result<String> {
    caveat(left, "r.json", "never_written")?;
    Ok("never_written".to_owned())
}

fn limited(left: &Left) -> Result<String> {
    let iops = iops(left, "r.json", "read")?;
    let seen = format!("{iops:.0} IOPS");
    ensure!((80.0..=120.0).contains(&iops), "{seen}");
    Ok(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(least_ns: u64, median_ns: u64) -> Left {
        let text = format!(
            "{{\"phases\":[{{\"jobs\":[{{\"read\":{{\"service_ns\":{{\"min\":{least_ns},\
             \"percentiles\":{{\"50\":{median_ns}}}}}}}}}]}}]}}"
        );
        Left::from([
            ("r.json".to_owned(), text.into_bytes()),
            ("status".to_owned(), b"0\n".to_vec()),
        ])
    }

    #[test]
    fn a_time_may_be_longer_and_never_shorter() {
        let null_blk = &EXPERIMENTS[0];
        let seen = null_blk.seen(&left(1_010_000, 1_200_000)).unwrap();
        assert_eq!(seen, "least 1.01 ms, median 1.20 ms");
        assert!(null_blk.seen(&left(990_000, 1_200_000)).is_err());
        assert!(null_blk.seen(&left(1_600_000, 1_700_000)).is_err());
        assert!(null_blk.seen(&Left::new()).is_err());
    }
}
