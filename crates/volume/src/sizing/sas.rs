//! What a SAS server needs of its file systems: a rate for each physical core.

use serde::Serialize;

/// Bytes a second for each physical core.
pub const SAS_BYTES_PER_CORE: f64 = 100e6;
/// The same for heavy analytics.
pub const SAS_HEAVY_BYTES_PER_CORE: f64 = 150e6;

/// MiB of memory for each physical core, below which the script of SAS warns.
pub const SAS_MEMORY_MIB_PER_CORE: u64 = 8 << 10;

/// How a file system stands to the need of a SAS server.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SasVerdict {
    /// Bytes a second that are needed.
    pub needed_bytes_per_second: f64,
    /// Bytes a second for each core that there are.
    pub bytes_per_second_per_core: f64,
    /// What there is over what is needed.
    pub share: f64,
    /// Cores that could be fed.
    pub cores_fed: f64,
}

/// Judges a rate against the need of so many physical cores. Of several file systems (data, work,
/// utility) the least share counts.
pub fn sas(cores: u32, bytes_per_second: f64) -> SasVerdict {
    let cores = f64::from(cores);
    let needed = cores * SAS_BYTES_PER_CORE;
    SasVerdict {
        needed_bytes_per_second: needed,
        bytes_per_second_per_core: bytes_per_second / cores,
        share: bytes_per_second / needed,
        cores_fed: bytes_per_second / SAS_BYTES_PER_CORE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_e32s_v3_feeds_half_of_its_cores() {
        let expected = SasVerdict {
            needed_bytes_per_second: 1.6e9,
            bytes_per_second_per_core: 48e6,
            share: 0.48,
            cores_fed: 7.68,
        };
        assert_eq!(sas(16, 768e6), expected);
    }
}
