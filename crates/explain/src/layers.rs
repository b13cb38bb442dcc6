//! What may lie between a load and the disk, as far as a paste names it.

use crate::sentences::{is_affirmed, sentences};

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

/// The layers that lines name, in the order of the table. Parity counts only where no other level
/// of RAID is named, and nothing denies it.
pub(crate) fn named<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let mut found = [false; LAYERS.len()];
    let mut is_other = false;
    let lines = lines.take(MOST_LINES);
    let lines = lines.filter(|line| !NO_STORAGE.iter().any(|path| line.contains(path)));
    for sentence in lines.flat_map(sentences) {
        let is_affirmed = is_affirmed(sentence);
        // What the kernel could do.
        let is_offer = sentence.starts_with("Personalities");
        let near = sentence.len().min(WITHIN);
        let words = sentence.as_bytes()[..near].split(|sign| !sign.is_ascii_alphanumeric());
        let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
        for (at, word) in words.iter().enumerate() {
            let level = level(&words, at);
            is_other |= level == Some(false) && !is_offer;
            let word: &[u8] = if level == Some(true) { b"raid6" } else { word };
            if !(2..=10).contains(&word.len()) {
                continue;
            }
            for (index, (words, _, kind)) in LAYERS.iter().enumerate() {
                let mut words = words.split(' ');
                let is_said = *kind != Kind::Parity || is_affirmed && !is_offer;
                found[index] |=
                    is_said && words.any(|own| own.as_bytes().eq_ignore_ascii_case(word));
            }
        }
    }
    let all = found.iter().enumerate().filter(|(_, is_found)| **is_found);
    all.map(|(index, _)| index)
        .filter(|index| !is_other || LAYERS[*index].2 != Kind::Parity)
        .collect()
}

/// Whether a level of RAID has parity: `RAID-6`, `RAID 6`, but not `RAID 60 GB`.
fn level(words: &[&[u8]], at: usize) -> Option<bool> {
    let word = words[at];
    if word.len() > 4 && word[..4].eq_ignore_ascii_case(b"raid") {
        return matches!(&word[4..], b"0" | b"1" | b"10").then_some(false);
    }
    let before = at.checked_sub(1).map(|before| words[before])?;
    before.eq_ignore_ascii_case(b"raid").then_some(())?;
    let next = words.get(at + 1).copied().unwrap_or_default();
    let units: [&[u8]; 7] = [b"gb", b"gib", b"tb", b"tib", b"mb", b"mib", b"gbps"];
    let is_size = units.iter().any(|unit| next.eq_ignore_ascii_case(unit));
    match word {
        _ if is_size => None,
        b"0" | b"1" | b"10" => Some(false),
        b"5" | b"6" | b"50" | b"60" => Some(true),
        _ => None,
    }
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
            "Personalities : [raid1] [raid10] [raid6] [raid5]",
            "an array of RAID-6 on six disks",
        ];
        assert_eq!(names(&text), ["NFS", "disk encryption", "parity RAID"]);
    }

    fn names(lines: &[&str]) -> Vec<&'static str> {
        let found = named(lines.iter().copied()).into_iter();
        found.filter_map(|index| Some(layer(index)?.0)).collect()
    }

    #[test]
    fn parity_is_that_of_the_array_at_hand() {
        let cases: [(&str, &[&str]); 7] = [
            (
                "md0 : active raid5 sdb1[0] sdc1[1] sdd1[2]",
                &["parity RAID"],
            ),
            ("Why is my RAID 5 slow?", &["parity RAID"]),
            ("We chose RAID 10 because RAID 5 is slow.", &[]),
            ("A controller with a RAID 60 GB boot volume", &[]),
            ("Three disks of their own. We had RAID 5 before.", &[]),
            ("There is no RAID 6 here", &[]),
            ("Personalities : [raid6] [raid5] [raid4]", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(names(&[text]), expected, "{text}");
        }
    }
}
