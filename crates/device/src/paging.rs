//! What the whole machine paged: `/proc/vmstat`.

use std::fs;
use std::path::Path;

use crate::error::DeviceError;

/// Counters since the machine began, in bytes where they are of memory or storage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MachinePaging {
    /// Bytes read from block devices (`pgpgin`, kept in KiB).
    pub read_bytes: u64,
    /// Bytes written to them (`pgpgout`).
    pub written_bytes: u64,
    /// Page faults that needed I/O.
    pub major_faults: u64,
    /// File pages that came back soon after they were evicted.
    pub refaults: u64,
    /// Bytes waiting to be written; a level, not a counter.
    pub dirty_bytes: u64,
    /// Bytes of pages of files that were written to in memory (`nr_dirtied`).
    pub dirtied_bytes: u64,
    /// From where on the kernel holds writers back (`nr_dirty_threshold`); 0 where it does not say.
    pub dirty_limit_bytes: u64,
}

impl MachinePaging {
    /// Reads them now.
    pub fn read() -> Result<Self, DeviceError> {
        let path = Path::new("/proc/vmstat");
        let text = fs::read_to_string(path).map_err(|error| DeviceError::read(path, error))?;
        Ok(Self::of(&text, rustix::param::page_size() as u64))
    }

    fn of(text: &str, page_bytes: u64) -> Self {
        let value = |key: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(' '));
            let (_, value) = lines.find(|(name, _)| *name == key)?;
            value.trim().parse::<u64>().ok()
        };
        Self {
            read_bytes: value("pgpgin").unwrap_or(0) * 1024,
            written_bytes: value("pgpgout").unwrap_or(0) * 1024,
            major_faults: value("pgmajfault").unwrap_or(0),
            refaults: value("workingset_refault_file").unwrap_or(0),
            dirty_bytes: value("nr_dirty").unwrap_or(0) * page_bytes,
            dirtied_bytes: value("nr_dirtied").unwrap_or(0) * page_bytes,
            dirty_limit_bytes: value("nr_dirty_threshold").unwrap_or(0) * page_bytes,
        }
    }

    /// What passed since `earlier`; the levels stay as they are.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            read_bytes: self.read_bytes.saturating_sub(earlier.read_bytes),
            written_bytes: self.written_bytes.saturating_sub(earlier.written_bytes),
            major_faults: self.major_faults.saturating_sub(earlier.major_faults),
            refaults: self.refaults.saturating_sub(earlier.refaults),
            dirty_bytes: self.dirty_bytes,
            dirtied_bytes: self.dirtied_bytes.saturating_sub(earlier.dirtied_bytes),
            dirty_limit_bytes: self.dirty_limit_bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_units_are_bytes() {
        let text = "nr_dirty 3\nnr_dirtied 5\nnr_dirty_threshold 5\npgpgin 10\npgpgout 4\n\
                    pgmajfault 7\n\
                    workingset_refault_file 2\n";
        let expected = MachinePaging {
            read_bytes: 10_240,
            written_bytes: 4096,
            major_faults: 7,
            refaults: 2,
            dirty_bytes: 12_288,
            dirtied_bytes: 20_480,
            dirty_limit_bytes: 20_480,
        };
        assert_eq!(MachinePaging::of(text, 4096), expected);
        let none = MachinePaging {
            dirty_bytes: 12_288,
            dirty_limit_bytes: 20_480,
            ..MachinePaging::default()
        };
        assert_eq!(expected.since(&expected), none);
    }
}
