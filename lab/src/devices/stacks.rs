//! Stacks of the kinds that many kernels lack: what is below a mounted file system stays as it is,
//! whoever names it.

use anyhow::{Context as _, Result, ensure};

use super::Left;
use super::experiment::{Experiment, text};

macro_rules! stack {
    ($name:literal, $truth:literal, $script:expr) => {
        Experiment {
            name: $name,
            truth: $truth,
            tolerance: "every attack refused with a reason, every file as it was",
            limit_s: 150,
            script: $script,
            judge: untouched,
        }
    };
}

pub(super) const EXPERIMENTS: [Experiment; 8] = [
    Experiment {
        name: "stack-none",
        truth: "ext4 on a disk that nobody uses, given up by name",
        tolerance: "the same attacks succeed, and damage its files",
        limit_s: 150,
        script: NONE,
        judge: damaged,
    },
    stack!("stack-dm", "ext4 on a linear volume of device mapper", DM),
    stack!("stack-md", "ext4 on RAID 1 of two disks", MD),
    stack!(
        "stack-loop-dm",
        "ext4 on a loop device, by a node that is gone, on device mapper on RAID 1",
        DEEP
    ),
    stack!(
        "stack-bcache",
        "ext4 on bcache, of a disk and a cache",
        BCACHE
    ),
    stack!(
        "stack-nbd",
        "ext4 on nbd, which a server makes of a disk",
        NBD
    ),
    stack!(
        "stack-nbd-file",
        "ext4 on nbd, which a server makes of a file",
        NBD_FILE
    ),
    stack!(
        "stack-zram",
        "a compressed disk that writes back to a disk",
        ZRAM
    ),
];

/// What shows that the attacks of the others are attacks.
const NONE: &str = "\
. /stack
modprobe null_blk nr_devices=1 gb=1 memory_backed=1
files /dev/nullb0
umount /mnt
attack nullb0=ext4
mount -t ext4 -o ro,errors=continue /dev/nullb0 /mnt || true
compare
";

const DM: &str = "\
. /stack
modprobe null_blk nr_devices=1 gb=1 memory_backed=1
dmsetup create upper --noudevsync --table '0 131072 linear /dev/nullb0 0'
dmsetup mknodes
files /dev/mapper/upper
attack nullb0=ext4 dm-0=ext4
compare
";

const MD: &str = "\
. /stack
modprobe null_blk nr_devices=2 gb=1 memory_backed=1
modprobe raid1
mdadm --create /dev/md1 --level=1 --raid-devices=2 --run --assume-clean --metadata=1.0 \\
    --homehost=none --size=64M /dev/nullb0 /dev/nullb1
files /dev/md1
attack nullb0=ext4+linux_raid_member nullb1=ext4+linux_raid_member md1=ext4
compare
";

const DEEP: &str = "\
. /stack
modprobe null_blk nr_devices=2 gb=1 memory_backed=1
modprobe -a raid1 loop
mdadm --create /dev/md1 --level=1 --raid-devices=2 --run --assume-clean --metadata=1.0 \\
    --homehost=none --size=64M /dev/nullb0 /dev/nullb1
dmsetup create upper --noudevsync --table '0 130000 linear /dev/md1 0'
dmsetup mknodes
mknod node b $(tr : ' ' </sys/block/dm-0/dev)
losetup /dev/loop0 node
rm node
files /dev/loop0
attack nullb1=ext4+linux_raid_member md1=ext4 dm-0=ext4 loop0=ext4
compare
";

const BCACHE: &str = "\
. /stack
modprobe null_blk nr_devices=2 gb=1 memory_backed=1
need bcache
make-bcache -B /dev/nullb0 -C /dev/nullb1
for disk in nullb0 nullb1; do echo /dev/$disk >/sys/fs/bcache/register; done
sleep 2
files /dev/bcache0
attack nullb0=bcache nullb1=bcache bcache0=ext4
compare
";

const NBD: &str = "\
. /stack
modprobe null_blk nr_devices=1 gb=1 memory_backed=1
need nbd
nbd-server 127.0.0.1:10809 /dev/nullb0 -C ''
/bin/nbd-client 127.0.0.1 10809 /dev/nbd0
files /dev/nbd0
attack nullb0=ext4 nbd0=ext4
compare
";

const NBD_FILE: &str = "\
. /stack
modprobe null_blk nr_devices=1 gb=1 memory_backed=1
need nbd
modprobe loop
dd if=/dev/zero of=/run/image bs=1M count=64
nbd-server 127.0.0.1:10809 /run/image -C ''
/bin/nbd-client 127.0.0.1 10809 /dev/nbd0
files /dev/nbd0
losetup /dev/loop0 /run/image
attack loop0=ext4
compare
rm /run/image
";

const ZRAM: &str = "\
. /stack
modprobe null_blk nr_devices=1 gb=1 memory_backed=1
need zram
[ -e /sys/block/zram0/backing_dev ] || lacks 'CONFIG_ZRAM_WRITEBACK'
echo /dev/nullb0 >/sys/block/zram0/backing_dev
echo 64M >/sys/block/zram0/disksize
files /dev/zram0
echo all >/sys/block/zram0/idle
echo idle >/sys/block/zram0/writeback
attack nullb0=data zram0=ext4
compare
";

/// The first attack leaves nothing that the second could name.
fn damaged(left: &Left) -> Result<String> {
    let attacks = text(left, "attacks")?;
    let first = attacks.lines().next().context("nothing was attacked")?;
    let status = first
        .strip_prefix("nullb0: ")
        .and_then(|line| line.split(' ').next());
    let files = text(left, "files")?;
    let seen = format!("status {}, the files {files}", status.unwrap_or_default());
    ensure!(status == Some("0") && files == "differ", "{seen}");
    Ok(seen)
}

/// The attacks, all refused, and the files, all unchanged.
fn untouched(left: &Left) -> Result<String> {
    let attacks = text(left, "attacks")?;
    let lines: Vec<&str> = attacks.lines().collect();
    ensure!(!lines.is_empty(), "nothing was attacked");
    for line in &lines {
        let (_, ended) = line.split_once(": ").context("a line without a status")?;
        ensure!(ended.starts_with("4 "), "not refused: {line}");
    }
    let files = text(left, "files")?;
    ensure!(files == "same", "the files {files}");
    Ok(format!(
        "{} attacks refused, 20 files as they were",
        lines.len()
    ))
}
