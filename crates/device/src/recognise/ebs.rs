//! What EBS itself counted of a volume: its statistics page of NVMe (log page 0xD0).
//!
//! All counters but the queue are since the volume was attached. Read before and after a load, the
//! differences of the four times say who held it back: the volume or the instance, by requests or
//! by bytes. Reading takes `CAP_SYS_ADMIN`; it changes nothing.

use fathom_platform::fd::AsFd as _;
use serde::Serialize;
use std::io;
use std::path::Path;

pub const PAGE_BYTES: usize = 4_096;
/// First word of the page of an EBS volume.
const EBS_MAGIC: u32 = 0x3C23_B510;
/// First word of the page of a disk in the host.
const LOCAL_MAGIC: u32 = 0xEC2C_0D7E;
const LOG_PAGE: u8 = 0xD0;
const HISTOGRAM_BINS: usize = 64;

/// Whose page it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PageOf {
    /// A volume of EBS.
    Ebs,
    /// A disk in the host: the times of the instance are those of its local storage.
    InstanceStore,
}

/// The counters of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EbsStatistics {
    /// Whose they are.
    pub of: PageOf,
    /// Version of the page; from 1 on it also has histograms by size.
    pub version: u32,
    /// Reads and writes completed.
    pub reads: u64,
    /// Writes completed.
    pub writes: u64,
    pub read_bytes: u64,
    pub written_bytes: u64,
    /// Time spent in reads, microseconds.
    pub read_us: u64,
    /// Time spent in writes, microseconds.
    pub write_us: u64,
    /// Time in which more requests were asked of the volume than it has, microseconds.
    pub volume_iops_exceeded_us: u64,
    /// The same of bytes.
    pub volume_throughput_exceeded_us: u64,
    /// Time in which more requests were asked of the instance than it has, microseconds.
    pub instance_iops_exceeded_us: u64,
    /// The same of bytes.
    pub instance_throughput_exceeded_us: u64,
    /// Requests in the queue at that instant.
    pub queue_length: u64,
    /// Times of reads.
    pub read_histogram: Vec<Bin>,
    /// Times of writes.
    pub write_histogram: Vec<Bin>,
    /// Sizes, in bytes, for which version 1 counts apart; empty in version 0.
    pub size_classes: Vec<u32>,
}

/// One bin of a histogram of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// From, microseconds.
    pub low_us: u64,
    /// To, microseconds.
    pub high_us: u64,
    /// Requests.
    pub count: u32,
}

/// A page that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// It is shorter than a page.
    #[error("the page has {0} bytes instead of 4,096")]
    Short(usize),
    /// It does not begin as pages of EBS do.
    #[error("the page begins with {0:#010x}, which is neither EBS nor an instance store")]
    Foreign(u32),
    /// It says more bins than there is room for.
    #[error("the page says {0} bins where 64 have room")]
    Bins(u64),
}

/// Reads the counters of a page, of either version.
///
/// # Errors
///
/// [`PageError`] where it is not such a page.
pub fn parse(page: &[u8]) -> Result<EbsStatistics, PageError> {
    if page.len() < PAGE_BYTES {
        return Err(PageError::Short(page.len()));
    }
    let of = match u32_at(page, 0) {
        EBS_MAGIC => PageOf::Ebs,
        LOCAL_MAGIC => PageOf::InstanceStore,
        other => return Err(PageError::Foreign(other)),
    };
    let version = u32_at(page, 4);
    Ok(EbsStatistics {
        of,
        version,
        reads: u64_at(page, 8),
        writes: u64_at(page, 16),
        read_bytes: u64_at(page, 24),
        written_bytes: u64_at(page, 32),
        read_us: u64_at(page, 40),
        write_us: u64_at(page, 48),
        volume_iops_exceeded_us: u64_at(page, 56),
        volume_throughput_exceeded_us: u64_at(page, 64),
        instance_iops_exceeded_us: u64_at(page, 72),
        instance_throughput_exceeded_us: u64_at(page, 80),
        queue_length: u64_at(page, 88),
        read_histogram: histogram(page, 512)?,
        write_histogram: histogram(page, 2_056)?,
        size_classes: if version >= 1 {
            classes(page)
        } else {
            Vec::new()
        },
    })
}

fn histogram(page: &[u8], at: usize) -> Result<Vec<Bin>, PageError> {
    let count = u64_at(page, at);
    if count > HISTOGRAM_BINS as u64 {
        return Err(PageError::Bins(count));
    }
    let bin = |index: usize| {
        let at = at + 8 + index * 24;
        Bin {
            low_us: u64_at(page, at),
            high_us: u64_at(page, at + 8),
            count: u32_at(page, at + 16),
        }
    };
    Ok((0..count as usize).map(bin).collect())
}

fn classes(page: &[u8]) -> Vec<u32> {
    let count = (u32_at(page, 3_600) as usize).min(8);
    (0..count)
        .map(|index| u32_at(page, 3_604 + index * 4))
        .collect()
}

/// Little endian; the callers stay within a page.
fn u32_at(page: &[u8], at: usize) -> u32 {
    let bytes = page.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    bytes.map_or(0, u32::from_le_bytes)
}

fn u64_at(page: &[u8], at: usize) -> u64 {
    let bytes = page.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
    bytes.map_or(0, u64::from_le_bytes)
}

impl EbsStatistics {
    /// What was counted between an earlier look and this one; the queue is that of now. None where
    /// counters went back: another volume, or attached anew.
    pub fn since(&self, earlier: &Self) -> Option<Self> {
        let less = |now: u64, then: u64| now.checked_sub(then);
        // Bins have 32 bits, and wrap while the sums go on.
        let bins = |now: &[Bin], then: &[Bin]| {
            let then = |bin: &Bin| then.iter().find(|old| old.high_us == bin.high_us);
            let passed = |bin: &Bin| Bin {
                count: bin.count.wrapping_sub(then(bin).map_or(0, |old| old.count)),
                ..*bin
            };
            now.iter().map(passed).collect()
        };
        Some(Self {
            reads: less(self.reads, earlier.reads)?,
            writes: less(self.writes, earlier.writes)?,
            read_bytes: less(self.read_bytes, earlier.read_bytes)?,
            written_bytes: less(self.written_bytes, earlier.written_bytes)?,
            read_us: less(self.read_us, earlier.read_us)?,
            write_us: less(self.write_us, earlier.write_us)?,
            volume_iops_exceeded_us: less(
                self.volume_iops_exceeded_us,
                earlier.volume_iops_exceeded_us,
            )?,
            volume_throughput_exceeded_us: less(
                self.volume_throughput_exceeded_us,
                earlier.volume_throughput_exceeded_us,
            )?,
            instance_iops_exceeded_us: less(
                self.instance_iops_exceeded_us,
                earlier.instance_iops_exceeded_us,
            )?,
            instance_throughput_exceeded_us: less(
                self.instance_throughput_exceeded_us,
                earlier.instance_throughput_exceeded_us,
            )?,
            read_histogram: bins(&self.read_histogram, &earlier.read_histogram),
            write_histogram: bins(&self.write_histogram, &earlier.write_histogram),
            of: self.of,
            version: self.version,
            queue_length: self.queue_length,
            size_classes: self.size_classes.clone(),
        })
    }
}

/// A limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// The limit in words.
    pub what: &'static str,
    /// Whether it is one of the instance, for all its volumes.
    pub is_of_instance: bool,
    /// For how long, microseconds.
    pub time_us: u64,
}

impl EbsStatistics {
    /// The limits that the page has, and for how long each was exceeded: those of the volume and
    /// of the instance, or the two of an instance store.
    pub fn exceeded(&self) -> Vec<Exceeded> {
        const fn of(what: &'static str, is_of_instance: bool, time_us: u64) -> Exceeded {
            Exceeded {
                what,
                is_of_instance,
                time_us,
            }
        }
        let (iops, throughput) = (
            self.volume_iops_exceeded_us,
            self.volume_throughput_exceeded_us,
        );
        if self.of == PageOf::InstanceStore {
            return vec![
                of("the instance store's IOPS", false, iops),
                of("the instance store's throughput", false, throughput),
            ];
        }
        vec![
            of("the volume's IOPS", false, iops),
            of("the volume's throughput", false, throughput),
            of("the instance's IOPS", true, self.instance_iops_exceeded_us),
            of(
                "the instance's throughput",
                true,
                self.instance_throughput_exceeded_us,
            ),
        ]
    }
}

/// Asks an NVMe disk for its page. Read-only.
///
/// # Errors
///
/// What the kernel says: no permission, no NVMe disk, no such page. A page that cannot be used is
/// an error of invalid data.
pub fn read(node: &Path) -> io::Result<EbsStatistics> {
    let file = crate::input::open(node)?;
    let mut page = vec![0_u8; PAGE_BYTES];
    fathom_nvme::log_page(file.as_fd(), LOG_PAGE, Some(1), &mut page)?;
    parse(&page).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(magic: u32, version: u32) -> Vec<u8> {
        let mut page = vec![0_u8; PAGE_BYTES];
        let mut put = |at: usize, bytes: &[u8]| page[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &magic.to_le_bytes());
        put(4, &version.to_le_bytes());
        for (index, at) in (8..=88).step_by(8).enumerate() {
            put(at, &(100 * (index as u64 + 1)).to_le_bytes());
        }
        for at in [512_usize, 2_056] {
            put(at, &2_u64.to_le_bytes());
            for bin in 0..2_usize {
                let low = 512 * bin as u64;
                put(at + 8 + bin * 24, &low.to_le_bytes());
                put(at + 16 + bin * 24, &(low + 512).to_le_bytes());
                put(at + 24 + bin * 24, &(7 + bin as u32).to_le_bytes());
            }
        }
        put(3_600, &2_u32.to_le_bytes());
        put(3_604, &4_096_u32.to_le_bytes());
        put(3_608, &16_384_u32.to_le_bytes());
        page
    }

    fn expected(of: PageOf, version: u32, size_classes: Vec<u32>) -> EbsStatistics {
        let bins = vec![
            Bin {
                low_us: 0,
                high_us: 512,
                count: 7,
            },
            Bin {
                low_us: 512,
                high_us: 1_024,
                count: 8,
            },
        ];
        EbsStatistics {
            of,
            version,
            reads: 100,
            writes: 200,
            read_bytes: 300,
            written_bytes: 400,
            read_us: 500,
            write_us: 600,
            volume_iops_exceeded_us: 700,
            volume_throughput_exceeded_us: 800,
            instance_iops_exceeded_us: 900,
            instance_throughput_exceeded_us: 1_000,
            queue_length: 1_100,
            read_histogram: bins.clone(),
            write_histogram: bins,
            size_classes,
        }
    }

    #[test]
    fn pages_of_both_versions_are_read() {
        let old = parse(&page(EBS_MAGIC, 0));
        assert_eq!(old, Ok(expected(PageOf::Ebs, 0, Vec::new())));
        let new = parse(&page(EBS_MAGIC, 1));
        assert_eq!(new, Ok(expected(PageOf::Ebs, 1, vec![4_096, 16_384])));
        let local = parse(&page(LOCAL_MAGIC, 1));
        assert_eq!(
            local,
            Ok(expected(PageOf::InstanceStore, 1, vec![4_096, 16_384]))
        );
    }

    #[test]
    fn other_pages_are_refused() {
        assert_eq!(parse(&[0; 512]), Err(PageError::Short(512)));
        assert_eq!(parse(&[0; PAGE_BYTES]), Err(PageError::Foreign(0)));
        let mut many = page(EBS_MAGIC, 1);
        many[512..520].copy_from_slice(&65_u64.to_le_bytes());
        assert_eq!(parse(&many), Err(PageError::Bins(65)));
    }

    #[test]
    fn differences_do_not_go_back() {
        let earlier = parse(&page(EBS_MAGIC, 1)).unwrap();
        let mut later = earlier.clone();
        later.reads += 50;
        later.volume_iops_exceeded_us += 1_000_000;
        let between = later.since(&earlier).unwrap();
        assert_eq!((between.reads, between.writes), (50, 0));
        assert_eq!(between.volume_iops_exceeded_us, 1_000_000);
        assert_eq!(earlier.since(&later), None);
    }

    #[test]
    fn bins_that_wrap_go_on() {
        let mut earlier = parse(&page(EBS_MAGIC, 1)).unwrap();
        let mut later = earlier.clone();
        earlier.read_histogram[0].count = u32::MAX - 1;
        later.read_histogram[0].count = 3;
        later.write_histogram[1].count += 4;
        let between = later.since(&earlier).unwrap();
        let counts = |bins: &[Bin]| bins.iter().map(|bin| bin.count).collect::<Vec<_>>();
        assert_eq!(counts(&between.read_histogram), [5, 0]);
        assert_eq!(counts(&between.write_histogram), [0, 4]);
    }

    #[test]
    fn an_instance_store_has_no_limits_of_the_instance() {
        let of = |magic| {
            let all = parse(&page(magic, 1)).unwrap().exceeded();
            let all = all.into_iter();
            all.map(|one| (one.what, one.time_us)).collect::<Vec<_>>()
        };
        let local = [
            ("the instance store's IOPS", 700),
            ("the instance store's throughput", 800),
        ];
        assert_eq!(of(LOCAL_MAGIC), local);
        let volume = [
            ("the volume's IOPS", 700),
            ("the volume's throughput", 800),
            ("the instance's IOPS", 900),
            ("the instance's throughput", 1_000),
        ];
        assert_eq!(of(EBS_MAGIC), volume);
    }

    #[test]
    fn a_file_is_no_nvme_disk() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = read(file.path()).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::ENOTTY));
    }
}
