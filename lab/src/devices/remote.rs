//! Storage that a server gives: the guest is server and client in one.

use anyhow::{Context as _, Result, ensure};

use super::Left;
use super::experiment::{Experiment, delay, json};

pub(super) const EXPERIMENTS: [Experiment; 2] = [
    Experiment {
        name: "nfs",
        truth: "a file on NFS 4.2 over TCP, from 127.0.0.1",
        tolerance: "`nfs4`, its source and `proto=tcp` in the result",
        limit_s: 90,
        script: NFS,
        judge: nfs,
    },
    Experiment {
        name: "nvme-tcp",
        truth: "a disk of 1 ms behind NVMe over TCP",
        tolerance: "the transport `tcp`, least 1.0 to 4.0 ms, median from 1.0",
        limit_s: 90,
        script: NVME_TCP,
        judge: nvme_tcp,
    },
];

/// What `exportfs` and `rpc.mountd` would tell the server: who may have which folder. The numbers
/// are the end of time, the flags of the export (any port, no look at the tree above, a root), and
/// nobody's user and group.
const NFS: &str = r"mkdir -p /srv/lab /mnt/lab
mount -t tmpfs none /srv/lab
modprobe -a nfsd nfsv4
mount -t nfsd nfsd /proc/fs/nfsd
for version in -2 -3 +4 +4.1 +4.2; do
    echo $version >/proc/fs/nfsd/versions || echo no $version
done
echo 10 >/proc/fs/nfsd/nfsv4leasetime
echo 10 >/proc/fs/nfsd/nfsv4gracetime
echo 'nfsd 127.0.0.1 2147483647 lab' >/proc/net/rpc/auth.unix.ip/channel
echo 'lab /srv/lab 2147483647 9218 0 0 0' >/proc/net/rpc/nfsd.export/channel
echo 'lab 1 \x00000000 2147483647 /srv/lab' >/proc/net/rpc/nfsd.fh/channel
echo tcp 2049 >/proc/fs/nfsd/portlist
echo 2 >/proc/fs/nfsd/threads
echo Y >/proc/fs/nfsd/v4_end_grace || echo no end of grace
mount -t nfs4 -o vers=4.2,sec=sys,addr=127.0.0.1,clientaddr=127.0.0.1 127.0.0.1:/ /mnt/lab
grep nfs /proc/mounts
fathom run random-write-4k --target /mnt/lab/file --size 16MiB --time 2s --warm-up 0s \
    --queue-depth 1 --quiet -o json:w.json
fathom check --no-wait --json /mnt/lab >check.json || true
";

/// The server is made in configfs, as `nvmetcli` does.
const NVME_TCP: &str = r"modprobe null_blk nr_devices=1 gb=1 memory_backed=1 irqmode=2 \
    completion_nsec=1000000
modprobe -a nvmet nvmet-tcp nvme-tcp
cd /sys/kernel/config/nvmet
mkdir subsystems/lab subsystems/lab/namespaces/1
echo 1 >subsystems/lab/attr_allow_any_host
echo -n /dev/nullb0 >subsystems/lab/namespaces/1/device_path
echo 1 >subsystems/lab/namespaces/1/enable
mkdir ports/1
echo ipv4 >ports/1/addr_adrfam
echo tcp >ports/1/addr_trtype
echo 4420 >ports/1/addr_trsvcid
echo 127.0.0.1 >ports/1/addr_traddr
ln -s /sys/kernel/config/nvmet/subsystems/lab ports/1/subsystems/lab
cd -
host=11111111-2222-3333-4444-555555555555
nvme connect --hostnqn=nqn.2014-08.org.nvmexpress:uuid:$host --hostid=$host -t tcp \
    -a 127.0.0.1 -s 4420 -n lab
sleep 1
ls /sys/class/nvme /sys/block
fathom run random-read-4k --target /dev/nvme0n1 --time 2s --warm-up 0s --queue-depth 1 --quiet \
    -o json:r.json
";

fn nfs(left: &Left) -> Result<String> {
    let result = json(left, "w.json")?;
    let target = &result["provenance"]["targets"][0];
    let word = |key: &str| target[key].as_str().unwrap_or_default();
    let options = word("mount_options").split(',');
    let transport = options.clone().find(|one| one.starts_with("proto="));
    let transport = transport.with_context(|| format!("options {}", word("mount_options")))?;
    let (kind, source) = (word("file_system"), word("mount_source"));
    let seen = format!("{kind} of {source}, {transport}");
    ensure!(seen == "nfs4 of 127.0.0.1:/, proto=tcp", "{seen}");
    Ok(seen)
}

fn nvme_tcp(left: &Left) -> Result<String> {
    let times = delay(left, "r.json", "read", (1.0, 4.0))?;
    let result = json(left, "r.json")?;
    let devices = &result["provenance"]["targets"][0]["devices"];
    let transport = &devices[0]["transport"];
    ensure!(transport == "tcp", "devices {devices}");
    Ok(format!("tcp, {times}"))
}
