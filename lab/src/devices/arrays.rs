//! Arrays of disks: of the kernel's RAID, whole, at work and with a disk missing; stripes of
//! logical volumes whose disks add up; snapshots, which copy what is written for the first time.

use anyhow::{Context as _, Result, ensure};

use super::Left;
use super::experiment::{Experiment, caveat, iops, json};

pub(super) const EXPERIMENTS: [Experiment; 6] = [
    Experiment {
        name: "md-degraded",
        truth: "RAID 1, 5 and 10 with a disk missing in each",
        tolerance: "all three, as `fathom check` says it",
        limit_s: 60,
        script: DEGRADED,
        judge: degraded,
    },
    Experiment {
        name: "md-whole",
        truth: "RAID 1 over 2, 5 over 3 by 64 KiB, 10 over 4 by 128 KiB",
        tolerance: "members and chunks, as `fathom check` says them",
        limit_s: 60,
        script: WHOLE,
        judge: whole,
    },
    Experiment {
        name: "md-resync",
        truth: "RAID 1 that resyncs at 1 MB/s while it is read",
        tolerance: "the caveat `background`, and the same of `fathom check`",
        limit_s: 60,
        script: RESYNC,
        judge: resync,
    },
    Experiment {
        name: "lvm-iops",
        truth: "5 disks, each one request of 20 ms at a time",
        tolerance: "50 IOPS of one at most, of the stripe 3.5 to 5 times as many",
        limit_s: 90,
        script: STRIPED,
        judge: striped,
    },
    Experiment {
        name: "lvm-thin",
        truth: "a thin logical volume that was never written",
        tolerance: "the caveat `never_written`",
        limit_s: 90,
        script: THIN,
        judge: |left| Ok(caveat(left, "r.json", "never_written")?.1),
    },
    Experiment {
        name: "dm-snapshot",
        truth: "the first write to each 64 KiB of a snapshot copies them, a second does not",
        tolerance: "the disks move 20 times our bytes or more, then at most 1.1 times",
        limit_s: 60,
        script: SNAPSHOT,
        judge: snapshot,
    },
];

/// An array of each level that was made with one disk missing.
const DEGRADED: &str = "\
modprobe null_blk nr_devices=6 gb=1 memory_backed=1
modprobe raid1
modprobe raid456
modprobe raid10
set -- --run --assume-clean --metadata=1.0 --homehost=none
mdadm --create /dev/md1 --level=1 --raid-devices=2 \"$@\" /dev/nullb0 missing
mdadm --create /dev/md5 --level=5 --raid-devices=3 \"$@\" /dev/nullb1 /dev/nullb2 missing
mdadm --create /dev/md10 --level=10 --raid-devices=4 \"$@\" \\
    /dev/nullb3 missing /dev/nullb4 /dev/nullb5
cat /proc/mdstat
for n in 1 5 10; do
    fathom check --no-wait --json /dev/md$n >check$n.json || true
done
";

fn degraded(left: &Left) -> Result<String> {
    for level in ["1", "5", "10"] {
        let (_, message) = caveat(left, &format!("check{level}.json"), "background")?;
        ensure!(
            message.ends_with(": 1 of its disks missing"),
            "RAID {level}: {message}"
        );
    }
    Ok("all three, 1 of its disks missing in each".to_owned())
}

/// An array of each level with all its disks.
const WHOLE: &str = "\
modprobe null_blk nr_devices=9 gb=1 memory_backed=1
modprobe raid1
modprobe raid456
modprobe raid10
set -- --run --assume-clean --bitmap=none --metadata=1.0 --homehost=none
mdadm --create /dev/md1 --level=1 --raid-devices=2 \"$@\" /dev/nullb0 /dev/nullb1
mdadm --create /dev/md5 --level=5 --chunk=64 --raid-devices=3 \"$@\" \\
    /dev/nullb2 /dev/nullb3 /dev/nullb4
mdadm --create /dev/md10 --level=10 --chunk=128 --raid-devices=4 \"$@\" \\
    /dev/nullb5 /dev/nullb6 /dev/nullb7 /dev/nullb8
cat /proc/mdstat
for n in 1 5 10; do
    fathom check --no-wait --json /dev/md$n >check$n.json || true
done
fathom run random-write-4k --target /dev/md5 --destroy /dev/md5 --ios 500 --warm-up 0s \\
    --queue-depth 1 --quiet -o json:w.json
";

fn whole(left: &Left) -> Result<String> {
    for (level, members, chunk) in [
        ("raid1", 2, None),
        ("raid5", 3, Some(64 << 10)),
        ("raid10", 4, Some(128 << 10)),
    ] {
        let number = level.trim_start_matches("raid");
        let check = json(left, &format!("check{number}.json"))?;
        let layout = &check["arrays"][0]["layout"][0];
        let found = (
            layout["level"].as_str(),
            layout["members"].as_u64(),
            layout["chunk_bytes"].as_u64(),
        );
        ensure!(
            found == (Some(level), Some(members), chunk),
            "{level}: {layout}"
        );
        let findings = check["findings"].as_array().context("no findings")?;
        let is_at_work = findings.iter().any(|one| one["code"] == "background");
        ensure!(!is_at_work, "{level}: {findings:?}");
    }
    Ok("all three".to_owned())
}

/// Two disks that are made alike for a minute.
const RESYNC: &str = "\
modprobe null_blk nr_devices=2 gb=1 memory_backed=1
modprobe raid1
echo 500 >/proc/sys/dev/raid/speed_limit_min
echo 1000 >/proc/sys/dev/raid/speed_limit_max
mdadm --create /dev/md1 --level=1 --raid-devices=2 --size=65536 --run --bitmap=none \\
    --metadata=1.0 --homehost=none /dev/nullb0 /dev/nullb1
fathom run random-read-4k --target /dev/md1 --time 2s --warm-up 0s --queue-depth 1 --quiet \\
    -o json:r.json
fathom check --no-wait --json /dev/md1 >check.json || true
cat /proc/mdstat
";

fn resync(left: &Left) -> Result<String> {
    let (level, message) = caveat(left, "r.json", "background")?;
    caveat(left, "check.json", "background")?;
    Ok(format!("{level}: {message}"))
}

/// One disk by itself with five outstanding requests, and five in a stripe with fifty.
const STRIPED: &str = "\
modprobe null_blk nr_devices=5 gb=1 memory_backed=1 irqmode=2 completion_nsec=20000000 \\
    submit_queues=1 hw_queue_depth=1
load() {
    fathom run random-read-4k --target $1 --queue-depth $2 --time 5s --warm-up 1s --quiet \\
        -o json:$3 || echo ended with $?
}
load /dev/nullb0 5 one.json
mkdir -p /run/lock/lvm
for n in 0 1 2 3 4; do lvm pvcreate /dev/nullb$n; done
lvm vgcreate study /dev/nullb0 /dev/nullb1 /dev/nullb2 /dev/nullb3 /dev/nullb4
lvm lvcreate -y -W n -Z n -i 5 -I 64k -L 1000M -n striped study
dmsetup mknodes
load /dev/mapper/study-striped 50 five.json
";

fn striped(left: &Left) -> Result<String> {
    let (one, five) = (
        iops(left, "one.json", "read")?,
        iops(left, "five.json", "read")?,
    );
    let seen = format!("{one:.1} IOPS and {five:.1}, {:.2} times", five / one);
    ensure!(one <= 50.0 && (3.5..=5.1).contains(&(five / one)), "{seen}");
    Ok(seen)
}

/// A thin volume of LVM.
const THIN: &str = "\
modprobe null_blk nr_devices=1 gb=1 memory_backed=1
modprobe dm_thin_pool
mkdir -p /run/lock/lvm
lvm pvcreate /dev/nullb0
lvm vgcreate study /dev/nullb0
lvm lvcreate -y -W n -Z n -T -L 200M -V 2G -n thin study/pool
dmsetup mknodes
fathom run random-read-4k --target /dev/mapper/study-thin --ios 500 --warm-up 0s \\
    --queue-depth 1 --quiet -o json:r.json
";

/// Writes at 500 of 16,384 places, which lie in some 400 of 1,024 pieces, and the same again.
const SNAPSHOT: &str = "\
modprobe null_blk nr_devices=2 gb=1 memory_backed=1
modprobe dm_snapshot
dmsetup create snap --noudevsync --table \"0 131072 snapshot /dev/nullb0 /dev/nullb1 N 128\"
dmsetup mknodes
write() {
    fathom run random-write-4k --target /dev/mapper/snap --destroy /dev/mapper/snap --seed 1 \\
        --ios 500 --warm-up 0s --queue-depth 1 --quiet -o json:$1
}
write first.json
write second.json
";

fn snapshot(left: &Left) -> Result<String> {
    let moved = |name: &str| -> Result<f64> {
        let result = json(left, name)?;
        let phase = &result["phases"][0];
        let ours = phase["jobs"][0]["write"]["bytes"]
            .as_f64()
            .context("no bytes")?;
        let devices = phase["devices"].as_array().context("no devices")?;
        let disks = devices.iter().filter(|one| {
            one["device"]
                .as_str()
                .is_some_and(|name| name.starts_with("nullb"))
        });
        let bytes = |one: &serde_json::Value| {
            one["read_bytes"].as_f64().unwrap_or(0.0) + one["write_bytes"].as_f64().unwrap_or(0.0)
        };
        Ok(disks.map(bytes).sum::<f64>() / ours)
    };
    let (first, second) = (moved("first.json")?, moved("second.json")?);
    let seen = format!("{first:.1} times, then {second:.2}");
    ensure!(first >= 20.0 && second <= 1.1, "{seen}");
    Ok(seen)
}
