//! Arrays of disks: of the kernel's RAID that have lost one, and a stripe whose disks add up.

use anyhow::{Context as _, Result, ensure};

use super::Left;
use super::experiment::{Experiment, json};

pub(super) const EXPERIMENTS: [Experiment; 2] = [
    Experiment {
        name: "md-degraded",
        truth: "RAID 1, 5 and 10 with a disk missing in each",
        tolerance: "all three, as `fathom check` says it",
        script: DEGRADED,
        judge: degraded,
    },
    Experiment {
        name: "lvm-arithmetic",
        truth: "5 disks, one request at a time of 20 ms each",
        tolerance: "50 IOPS of one at most, of the stripe 4 to 5",
        script: STRIPED,
        judge: striped,
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
    mdadm --stop /dev/md$n
done
modprobe -r null_blk
";

fn degraded(left: &Left) -> Result<String> {
    for level in ["1", "5", "10"] {
        let check = json(left, &format!("check{level}.json"))?;
        let findings = check["findings"].as_array().context("no findings")?;
        let of_work = findings.iter().find(|one| one["code"] == "background");
        let message = of_work.and_then(|one| one["message"].as_str());
        let message = message.with_context(|| format!("RAID {level}: {findings:?}"))?;
        ensure!(
            message.ends_with(": 1 of its disks missing"),
            "RAID {level}: {message}"
        );
    }
    Ok("all three, 1 of its disks missing in each".to_owned())
}

/// One disk by itself with five outstanding requests, and five in a stripe with fifty.
const STRIPED: &str = "\
modprobe null_blk nr_devices=5 gb=1 memory_backed=1 irqmode=2 completion_nsec=20000000 \
    submit_queues=1 hw_queue_depth=1
load() {
    fathom run random-read-4k --target $1 --queue-depth $2 --time 5s --warm-up 1s --quiet \
        -o json:$3
}
load /dev/nullb0 5 one.json
mkdir -p /etc/lvm /run/lock/lvm
set -- --config 'activation{udev_sync=0 udev_rules=0} devices{obtain_device_list_from_udev=0 \
use_devicesfile=0 types=[\"nullb\",16]}'
for n in 0 1 2 3 4; do lvm pvcreate \"$@\" /dev/nullb$n; done
lvm vgcreate \"$@\" lab /dev/nullb0 /dev/nullb1 /dev/nullb2 /dev/nullb3 /dev/nullb4
lvm lvcreate \"$@\" -y -W n -Z n -i 5 -I 64k -L 1000M -n striped lab
dmsetup mknodes
load /dev/mapper/lab-striped 50 five.json
dmsetup remove --noudevsync lab-striped
modprobe -r null_blk
";

fn striped(left: &Left) -> Result<String> {
    let iops = |name: &str| {
        let result = json(left, name)?;
        let read = &result["phases"][0]["jobs"][0]["read"];
        read["iops"].as_f64().context("no rate")
    };
    let (one, five) = (iops("one.json")?, iops("five.json")?);
    let seen = format!("{one:.1} IOPS and {five:.1}, {:.2} times", five / one);
    ensure!(one <= 50.0 && (4.0..=5.1).contains(&(five / one)), "{seen}");
    Ok(seen)
}
