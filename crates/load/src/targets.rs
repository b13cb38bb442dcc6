//! Where the requests of a job go.

use crate::request::Window;
use crate::verify::Written;
use crate::zones::ZoneShare;
use fathom_engine::OpenTarget;
use std::sync::Arc;

/// Where the requests of one job go.
#[derive(Clone, Debug, Default)]
pub struct JobTargets {
    /// The targets, open as the job needs them; none for engines without storage.
    pub open: Vec<Arc<OpenTarget>>,
    /// Paths, for the report.
    pub paths: Vec<String>,
    /// The part of each target that is used.
    pub windows: Vec<Window>,
    /// Number of each target among all of the run; which volume of a simulated world it is.
    pub numbers: Vec<u16>,
    /// What is known to have been written to each target; empty where nothing is stamped.
    pub written: Vec<Option<Arc<Written>>>,
    /// The zones of each target that each thread writes to; empty without write pointers.
    pub zones: Vec<Vec<ZoneShare>>,
}

impl JobTargets {
    /// The zones of a target that a thread writes to, where there are write pointers.
    pub(crate) fn zones_of(&self, target: usize, thread: u32) -> Option<ZoneShare> {
        let shares = self.zones.get(target)?;
        shares.get(thread as usize).cloned()
    }
}
