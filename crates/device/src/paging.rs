//! What the whole machine paged: `/proc/vmstat`.

use std::path::Path;

use crate::counter::Position::After;
use crate::counter::{Family as _, counters};
use crate::error::DeviceError;

counters! {
    /// Counters since the machine began, in bytes where they are of memory or storage; 0 where the
    /// kernel does not say.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct MachinePaging in "/proc/vmstat" {
        /// Bytes read from block devices.
        read_bytes: u64 = After("pgpgin"), Kibibytes;
        /// Bytes written to them.
        written_bytes: u64 = After("pgpgout"), Kibibytes;
        /// Page faults that needed I/O.
        major_faults: u64 = After("pgmajfault"), Number;
        /// File pages that came back soon after they were evicted.
        refaults: u64 = After("workingset_refault_file"), Number;
        /// Bytes waiting to be written; a level.
        dirty_bytes: u64 = After("nr_dirty"), Pages;
        /// Bytes that are being written; a level.
        writeback_bytes: u64 = After("nr_writeback"), Pages;
        /// Bytes of pages of files that were written to in memory.
        dirtied_bytes: u64 = After("nr_dirtied"), Pages;
        /// From where on the kernel holds writers back; a level.
        dirty_limit_bytes: u64 = After("nr_dirty_threshold"), Pages;
    }
}

impl MachinePaging {
    /// Reads them now.
    pub fn read() -> Result<Self, DeviceError> {
        let path = Path::new("/proc/vmstat");
        let text = crate::input::read_text(path).map_err(|error| DeviceError::read(path, error))?;
        Ok(Self::of(&text))
    }

    fn of(text: &str) -> Self {
        Self::reading(|counter| Some(counter.in_lines(text).unwrap_or(0))).unwrap_or_default()
    }

    /// What passed since `earlier`; the levels stay as they are.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            dirty_bytes: self.dirty_bytes,
            writeback_bytes: self.writeback_bytes,
            dirty_limit_bytes: self.dirty_limit_bytes,
            ..self.passed_since(earlier)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_units_are_bytes() {
        let text = "nr_dirty 3\nnr_writeback 2\nnr_dirtied 5\nnr_dirty_threshold 5\n\
                    pgpgin 10\npgpgout 4\n\
                    pgmajfault 7\n\
                    workingset_refault_file 2\n";
        let page_bytes = fathom_platform::param::page_size() as u64;
        let expected = MachinePaging {
            read_bytes: 10_240,
            written_bytes: 4096,
            major_faults: 7,
            refaults: 2,
            dirty_bytes: 3 * page_bytes,
            writeback_bytes: 2 * page_bytes,
            dirtied_bytes: 5 * page_bytes,
            dirty_limit_bytes: 5 * page_bytes,
        };
        assert_eq!(MachinePaging::of(text), expected);
        let none = MachinePaging {
            dirty_bytes: 3 * page_bytes,
            writeback_bytes: 2 * page_bytes,
            dirty_limit_bytes: 5 * page_bytes,
            ..MachinePaging::default()
        };
        assert_eq!(expected.since(&expected), none);
    }
}
