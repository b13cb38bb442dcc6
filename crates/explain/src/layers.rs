//! What may lie between a load and the disk, as far as a paste names it.

/// What a layer does to each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Network,
    Fuse,
    Share,
    Cipher,
    Parity,
    Bridge,
    Guest,
    Cache,
}

impl Kind {
    /// The effect on a request, in a sentence.
    pub(crate) const fn effect(self) -> &'static str {
        match self {
            Self::Network => {
                "Each request crosses the network, and each write once for each copy. A flush \
                 waits for the slowest of them."
            }
            Self::Fuse => {
                "Each request goes through a process and back, one small piece at a time."
            }
            Self::Share => "Each request of the guest is an operation on a file of the host.",
            Self::Cipher => "A CPU encrypts or decrypts every byte.",
            Self::Parity => "A write that fills no stripe reads and writes data and parity first.",
            Self::Bridge => "Its link and controller are slower than most drives.",
            Self::Cache => {
                "It answers from a fast device, and moves data between that and a slow one \
                 meanwhile."
            }
            Self::Guest => {
                "The host, its cache mode and the limits that it sets decide as much as the drive."
            }
        }
    }
}

/// Words, the name, and the kind; those that cost most come first.
const LAYERS: &[(&str, &str, Kind)] = &[
    ("nfs nfs3 nfs4 nfsv3 nfsv4", "NFS", Kind::Network),
    ("cifs smb smb3 samba", "SMB", Kind::Network),
    ("gluster glusterfs gfapi", "GlusterFS", Kind::Network),
    ("ceph cephfs rbd rook", "Ceph", Kind::Network),
    ("longhorn", "Longhorn", Kind::Network),
    ("drbd linstor piraeus", "DRBD", Kind::Network),
    (
        "openebs mayastor jiva portworx",
        "a replicated volume",
        Kind::Network,
    ),
    (
        "lustre beegfs moosefs lizardfs seaweedfs",
        "a distributed file system",
        Kind::Network,
    ),
    ("iscsi nvmeof vsan", "network storage", Kind::Network),
    (
        "virtiofs 9p drvfs vboxsf osxfs hgfs vmhgfs wsl wsl2",
        "a folder of the host",
        Kind::Share,
    ),
    (
        "sshfs s3fs rclone juicefs gcsfuse blobfuse goofys",
        "a remote FUSE mount",
        Kind::Fuse,
    ),
    (
        "fscrypt gocryptfs encfs cryfs ecryptfs",
        "an encrypting file system",
        Kind::Cipher,
    ),
    ("fuse fuseblk mergerfs", "FUSE", Kind::Fuse),
    (
        "luks luks1 luks2 cryptsetup geli",
        "disk encryption",
        Kind::Cipher,
    ),
    (
        "bitlocker veracrypt truecrypt filevault",
        "disk encryption",
        Kind::Cipher,
    ),
    ("bcache", "bcache", Kind::Cache),
    (
        "flashcache enhanceio writecache lvmcache",
        "a cache on flash",
        Kind::Cache,
    ),
    (
        "raid5 raid6 raid50 raid60 raidz raidz1 raidz2 raidz3",
        "parity RAID",
        Kind::Parity,
    ),
    (
        "usb usb2 usb3 uas mmcblk0 mmcblk1 mmcblk2 microsd",
        "a USB or SD device",
        Kind::Bridge,
    ),
    (
        "vda vdb vdc xvda xvdb xvdf vmware esxi",
        "a virtual disk",
        Kind::Guest,
    ),
    (
        "qemu virtio qcow2 vmdk hyperv virtualbox",
        "a virtual disk",
        Kind::Guest,
    ),
];

/// Lines, and bytes of each, that are looked at.
const MOST_LINES: usize = 2000;
const WITHIN: usize = 400;

/// What is mounted there holds no data.
const NO_STORAGE: [&str; 2] = ["/sys/", "/proc/"];

/// The layers that lines name, in the order of the table.
pub(crate) fn named<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let mut found = [false; LAYERS.len()];
    let lines = lines.take(MOST_LINES);
    for line in lines.filter(|line| !NO_STORAGE.iter().any(|path| line.contains(path))) {
        let near = line.len().min(WITHIN);
        let mut before: &[u8] = b"";
        for word in line.as_bytes()[..near].split(|sign| !sign.is_ascii_alphanumeric()) {
            // RAID-6 and RAID 6 are raid6.
            let is_level =
                before.eq_ignore_ascii_case(b"raid") && matches!(word, b"5" | b"6" | b"50" | b"60");
            let word = if is_level { b"raid6" } else { word };
            before = word;
            if !(2..=10).contains(&word.len()) {
                continue;
            }
            for (index, (words, ..)) in LAYERS.iter().enumerate() {
                let mut words = words.split(' ');
                found[index] |= words.any(|own| own.as_bytes().eq_ignore_ascii_case(word));
            }
        }
    }
    let all = found.iter().enumerate();
    all.filter_map(|(index, is_found)| is_found.then_some(index))
        .collect()
}

/// Name and kind of a layer.
pub(crate) fn layer(index: usize) -> Option<(&'static str, Kind)> {
    LAYERS.get(index).map(|(_, name, kind)| (*name, *kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_found_by_whole_words() {
        let text = [
            "/dev/mapper/a on /b type ext4 (LUKS)",
            "10.0.0.1:/x nfs4",
            "confuse busbar",
            "fusectl on /sys/fs/fuse/connections type fusectl (rw)",
            "smb on /proc/fs/smb type smb (rw)",
            "an array of RAID-6, and another one of RAID 10",
        ];
        let names: Vec<&str> = named(text.into_iter())
            .into_iter()
            .filter_map(|index| Some(layer(index)?.0))
            .collect();
        assert_eq!(names, ["NFS", "disk encryption", "parity RAID"]);
    }
}
