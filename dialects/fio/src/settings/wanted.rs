//! What a report in the layout of fio is to hold.

use super::{PERCENTILE_DECIMALS, PERCENTILES};
use crate::units::FioUnits;

/// Which statistics of the directions are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unified {
    /// Each direction has its own.
    #[default]
    None,
    /// One set over all directions, called `mixed`.
    Mixed,
    /// Both of these sets.
    Both,
}

/// What a report and logs leave out. It is still measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Untold {
    /// The whole time.
    pub total: bool,
    /// The time from submission to completion, and that of flushes.
    pub completion: bool,
    /// The time of submission.
    pub submission: bool,
    /// Samples of the bandwidth.
    pub bandwidth: bool,
    /// Samples of the requests a second.
    pub iops: bool,
}

impl Untold {
    /// All of it, or nothing.
    pub(crate) const fn all(is_untold: bool) -> Self {
        Self {
            total: is_untold,
            completion: is_untold,
            submission: is_untold,
            bandwidth: is_untold,
            iops: is_untold,
        }
    }
}

/// What a report in fio's layout is to hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    pub(crate) completion_percentiles: bool,
    pub(crate) total_percentiles: bool,
    pub(crate) submission_percentiles: bool,
    pub(crate) percentiles: Vec<f64>,
    /// Most decimals of any of them.
    pub(crate) percentile_decimals: usize,
    pub(crate) unified: Unified,
    pub(crate) untold: Untold,
    pub(crate) disk_util: bool,
    pub(crate) units: FioUnits,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            completion_percentiles: true,
            total_percentiles: false,
            submission_percentiles: false,
            percentiles: PERCENTILES.to_vec(),
            percentile_decimals: PERCENTILE_DECIMALS,
            unified: Unified::None,
            untold: Untold::default(),
            disk_util: true,
            units: FioUnits::default(),
        }
    }
}
