//! What SAS needs of a server: a rate for each physical core, and memory.

use fathom_core::figure;
use serde::Serialize;

/// MiB of memory for each physical core, below which the script of SAS warns.
pub const SAS_MEMORY_MIB_PER_CORE: u64 = 8 << 10;

/// The rule of SAS for a server: what each of its file systems has to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SasRule {
    /// Physical cores.
    pub cores: u32,
    /// Heavy analytics, which need half as much again.
    pub is_heavy: bool,
}

/// How a rate compares with the need of a SAS server.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SasVerdict {
    /// Bytes a second for each core.
    pub bytes_per_second_per_core: f64,
    /// The rate over the need.
    pub share: f64,
    /// Cores that could be fed.
    pub cores_fed: f64,
}

impl SasRule {
    /// Bytes a second of each file system for each core.
    pub const fn bytes_per_second_per_core(self) -> f64 {
        if self.is_heavy { 150e6 } else { 100e6 }
    }

    /// Bytes a second of each file system (data, work, utility).
    pub fn bytes_per_second(self) -> f64 {
        f64::from(self.cores) * self.bytes_per_second_per_core()
    }

    /// Memory of the server, MiB.
    pub fn memory_mib(self) -> u64 {
        u64::from(self.cores) * SAS_MEMORY_MIB_PER_CORE
    }

    /// Compares a rate with the need.
    pub fn verdict(self, bytes_per_second: f64) -> SasVerdict {
        SasVerdict {
            bytes_per_second_per_core: bytes_per_second / f64::from(self.cores),
            share: bytes_per_second / self.bytes_per_second(),
            cores_fed: bytes_per_second / self.bytes_per_second_per_core(),
        }
    }
}

impl SasVerdict {
    /// `48.0 MB/s for each core, 48.0 % of the need, enough for 7.7 cores`.
    pub fn in_words(&self) -> String {
        format!(
            "{} MB/s for each core, {} of the need, enough for {} cores",
            figure::significant(self.bytes_per_second_per_core / 1e6),
            figure::percent(self.share * 100.0),
            figure::decimal(self.cores_fed, 1)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_e32s_v3_feeds_half_of_its_cores() {
        let words = |is_heavy| {
            let rule = SasRule {
                cores: 16,
                is_heavy,
            };
            (rule.bytes_per_second(), rule.verdict(768e6).in_words())
        };
        let usual = "48.0 MB/s for each core, 48.0 % of the need, enough for 7.7 cores";
        let heavy = "48.0 MB/s for each core, 32.0 % of the need, enough for 5.1 cores";
        assert_eq!(words(false), (1.6e9, usual.to_owned()));
        assert_eq!(words(true), (2.4e9, heavy.to_owned()));
    }
}
