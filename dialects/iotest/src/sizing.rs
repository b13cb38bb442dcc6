//! How large the files of the SAS test have to be on a machine, and whether they fit.
//!
//! Rules: SAS Institute's `rhel_iotest`; a file for each physical core, as large as the memory,
//! so that what is read back cannot all be in the page cache.

/// Size of a request, KiB.
pub(super) const BLOCK_KIB: u64 = 64;
/// Memory that each core has to have, 4 GB less what a system reserves for itself, KiB.
const LEAST_KIB: u64 = 3_989_504;
/// Memory that SAS asks for, 8 GB likewise, KiB.
const WANTED_KIB: u64 = 8_183_808;
/// The most that XFS preallocates beyond the end of a growing file, KiB.
const XFS_MOST_KIB: u64 = 8_388_608;
/// Share of a file system that stays free: one part in this number.
const RESERVE_PARTS: u64 = 10;
/// Sockets beyond which the placement of memory may matter.
const MANY_SOCKETS: u32 = 2;

/// What the test has to know of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Host {
    /// Processor packages.
    pub sockets: u32,
    /// Cores, hyper-threads not counted.
    pub physical_cores: u32,
    /// `MemTotal`, KiB.
    pub memory_kib: u64,
}

/// What it has to know of a file system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSystem {
    /// Type, as in `xfs`.
    pub file_system: String,
    /// Options that it is mounted with.
    pub mount_options: String,
    /// Size, KiB.
    pub total_kib: u64,
    /// What this user may fill, KiB.
    pub available_kib: u64,
}

/// The files of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizing {
    /// Number of streams and files.
    pub streams: u32,
    /// Blocks of 64 KiB in each.
    pub blocks: u64,
    /// Whether this is the test that SAS asks for.
    pub full: bool,
    /// What is not as SAS asks for.
    pub warnings: Vec<String>,
}

impl Sizing {
    /// Size of each file, KiB.
    pub const fn file_kib(&self) -> u64 {
        self.blocks * BLOCK_KIB
    }
}

/// Why there can be no test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizingError {
    /// The machine has too little memory for its cores.
    #[error(
        "{cores} physical cores and {memory_kib} KiB of memory are less than the 4 GB for each \
         core that the test asks for; --file-size says how large the files are to be instead"
    )]
    LittleMemory {
        /// Physical cores.
        cores: u32,
        /// Memory of the machine, KiB.
        memory_kib: u64,
    },
    /// Not even one block fits for each stream.
    #[error(
        "{available_kib} KiB are free, of which {reserve_kib} KiB (10 % of the file system) have \
         to stay free: there is no room for a test"
    )]
    NoRoom {
        /// Free for this user, KiB.
        available_kib: u64,
        /// What has to stay free, KiB.
        reserve_kib: u64,
    },
    /// The size asked for does not fit.
    #[error(
        "files of {file_kib} KiB for {streams} streams need {needed_kib} KiB; {usable_kib} KiB \
         may be filled, so that 10 % of the file system stay free"
    )]
    TooLarge {
        /// Size asked for, KiB.
        file_kib: u64,
        /// Number of streams.
        streams: u32,
        /// What they need, preallocation included, KiB.
        needed_kib: u64,
        /// What may be filled, KiB.
        usable_kib: u64,
    },
}

/// Works out the files for a machine and a file system; `file_kib` is a size asked for instead of
/// that of the memory.
///
/// # Errors
///
/// [`SizingError`]
pub fn size_up(
    host: Host,
    place: &FileSystem,
    file_kib: Option<u64>,
) -> Result<Sizing, SizingError> {
    let streams = u64::from(host.physical_cores.max(1));
    let mut warnings = about_host(host);
    if file_kib.is_none() && host.memory_kib < LEAST_KIB * streams {
        return Err(SizingError::LittleMemory {
            cores: host.physical_cores,
            memory_kib: host.memory_kib,
        });
    }
    let reserve_kib = place.total_kib / RESERVE_PARTS;
    let usable_kib = place.available_kib.saturating_sub(reserve_kib);
    let wanted_kib = file_kib.unwrap_or(host.memory_kib);
    let needed_kib = streams * (wanted_kib.saturating_add(preallocation(place, wanted_kib)));
    let mut blocks = wanted_kib / BLOCK_KIB;
    if usable_kib < needed_kib {
        if file_kib.is_some() {
            return Err(SizingError::TooLarge {
                file_kib: wanted_kib,
                streams: streams as u32,
                needed_kib,
                usable_kib,
            });
        }
        blocks = shrunk(place, usable_kib / streams) / BLOCK_KIB;
        warnings
            .push("there is not enough room for the full test: smaller files are used".to_owned());
    }
    if blocks == 0 {
        return Err(SizingError::NoRoom {
            available_kib: place.available_kib,
            reserve_kib,
        });
    }
    let full = blocks >= host.memory_kib / BLOCK_KIB;
    if !full {
        warnings.push("the files are smaller than the memory: this is not a full test".to_owned());
        if blocks * BLOCK_KIB * streams <= host.memory_kib {
            warnings.push(
                "all files together fit into the memory: use only the figure of the writes"
                    .to_owned(),
            );
        }
    }
    Ok(Sizing {
        streams: streams as u32,
        blocks,
        full,
        warnings,
    })
}

fn about_host(host: Host) -> Vec<String> {
    let mut warnings = Vec::new();
    if host.sockets > MANY_SOCKETS {
        warnings.push(format!(
            "{} sockets: where memory lies (NUMA) may matter",
            host.sockets
        ));
    }
    let wanted_kib = WANTED_KIB * u64::from(host.physical_cores);
    if host.memory_kib < wanted_kib {
        warnings.push(format!(
            "{} physical cores and {} KiB of memory are less than the 8 GB for each core that SAS \
             asks for",
            host.physical_cores, host.memory_kib
        ));
    }
    warnings
}

/// What the file system may take beyond the end of a growing file of this size.
fn preallocation(place: &FileSystem, file_kib: u64) -> u64 {
    if place.file_system != "xfs" {
        return 0;
    }
    mounted(&place.mount_options).unwrap_or_else(|| file_kib.min(XFS_MOST_KIB))
}

/// The size of a file for which `room_kib` is left, its preallocation included.
fn shrunk(place: &FileSystem, room_kib: u64) -> u64 {
    if place.file_system != "xfs" {
        return room_kib;
    }
    match mounted(&place.mount_options) {
        Some(fixed) => room_kib.saturating_sub(fixed),
        None if room_kib <= 2 * XFS_MOST_KIB => room_kib / 2,
        None => room_kib - XFS_MOST_KIB,
    }
}

/// The preallocation that XFS is mounted with, KiB.
fn mounted(options: &str) -> Option<u64> {
    let value = options
        .split(',')
        .find_map(|option| option.strip_prefix("allocsize="))?;
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.parse().ok()?;
    match value[digits.len()..].chars().next()?.to_ascii_lowercase() {
        'g' => number.checked_mul(1 << 20),
        'm' => number.checked_mul(1 << 10),
        'k' => Some(number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 20;

    fn host(cores: u32, gib: u64) -> Host {
        Host {
            sockets: 1,
            physical_cores: cores,
            memory_kib: gib * GIB,
        }
    }

    fn place(file_system: &str, options: &str, total_gib: u64, available_gib: u64) -> FileSystem {
        FileSystem {
            file_system: file_system.into(),
            mount_options: options.into(),
            total_kib: total_gib * GIB,
            available_kib: available_gib * GIB,
        }
    }

    #[test]
    fn a_file_of_the_memory_for_each_core() {
        let found = size_up(host(8, 64), &place("ext4", "rw", 1000, 1000), None).unwrap();
        assert_eq!(
            found,
            Sizing {
                streams: 8,
                blocks: 64 * GIB / 64,
                full: true,
                warnings: vec![],
            }
        );
        assert_eq!(found.file_kib(), 64 * GIB);
    }

    #[test]
    fn xfs_takes_more_than_the_files() {
        // 4 x (32 + 8) GiB = 160 GiB and a tenth of 200 GiB.
        let files = |available| {
            let place = place("xfs", "rw,noatime", 200, available);
            size_up(host(4, 32), &place, None).map(|sizing| (sizing.file_kib() / GIB, sizing.full))
        };
        assert_eq!(files(180), Ok((32, true)));
        // (179 - 20) / 4 = 39.75, less 8.
        assert_eq!(files(179), Ok((31, false)));
        // (52 - 20) / 4 = 8 GiB, of which XFS may take the half.
        assert_eq!(files(52), Ok((4, false)));
        let mounted = place("xfs", "rw,allocsize=1g", 200, 179);
        let found = size_up(host(4, 32), &mounted, None).unwrap();
        assert_eq!((found.file_kib() / GIB, found.full), (32, true));
    }

    #[test]
    fn what_is_missing_is_said() {
        let mut many = host(16, 96);
        many.sockets = 4;
        let found = size_up(many, &place("ext4", "rw", 100, 50), None).unwrap();
        let expected = [
            "4 sockets: where memory lies (NUMA) may matter",
            "16 physical cores and 100663296 KiB of memory are less than the 8 GB for each core \
             that SAS asks for",
            "there is not enough room for the full test: smaller files are used",
            "the files are smaller than the memory: this is not a full test",
            "all files together fit into the memory: use only the figure of the writes",
        ];
        assert_eq!(found.warnings, expected);
        assert_eq!((found.file_kib(), found.full), (40 * GIB / 16, false));
    }

    #[test]
    fn some_tests_cannot_be() {
        let roomy = place("ext4", "rw", 100, 100);
        let refusal =
            |host, place: &FileSystem, kib| size_up(host, place, kib).unwrap_err().to_string();
        assert_eq!(
            refusal(host(8, 16), &roomy, None),
            "8 physical cores and 16777216 KiB of memory are less than the 4 GB for each core \
             that the test asks for; --file-size says how large the files are to be instead"
        );
        assert_eq!(
            refusal(host(1, 16), &place("ext4", "rw", 100, 10), None),
            "10485760 KiB are free, of which 10485760 KiB (10 % of the file system) have to stay \
             free: there is no room for a test"
        );
        assert_eq!(
            refusal(host(8, 16), &roomy, Some(50 * GIB)),
            "files of 52428800 KiB for 8 streams need 419430400 KiB; 94371840 KiB may be filled, \
             so that 10 % of the file system stay free"
        );
        let small = size_up(host(8, 16), &roomy, Some(GIB)).unwrap();
        assert_eq!((small.file_kib(), small.full), (GIB, false));
    }
}
