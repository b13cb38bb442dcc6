//! Arrays of the kernel's RAID that have lost a disk.

use anyhow::{Context as _, Result, ensure};

use super::Left;
use super::experiment::{Experiment, json};

pub(super) const EXPERIMENTS: [Experiment; 1] = [Experiment {
    name: "md-degraded",
    truth: "RAID 1, 5 and 10 with a disk missing in each",
    tolerance: "all three, as `fathom check` says it",
    script: DEGRADED,
    judge: degraded,
}];

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
