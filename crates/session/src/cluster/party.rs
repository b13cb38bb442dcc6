//! Those who measure a session together.

use super::{Cluster, SimulatedMembers};
use crate::cluster_error::{ClusterError, NotClustered};
use crate::error::RunError;
use crate::local::{Local, Party};
use crate::plan::Plan;
use crate::{Observer, PhaseOrder, Session};
use fathom_core::result::RunResult;

impl Session<'_> {
    /// The members of a cluster measure it, and not this process: each its part, begun together,
    /// and their sum is the result.
    #[must_use]
    pub fn together(self, cluster: &Cluster) -> Self {
        self.by(cluster.clone())
    }

    /// Members that are simulated here run it together, in one virtual time, and their sum is the
    /// result.
    #[must_use]
    pub fn among(self, members: SimulatedMembers) -> Self {
        self.by(members)
    }
}

impl Party for Cluster {
    fn is_elsewhere(&self) -> bool {
        true
    }

    fn measure(
        &self,
        plan: &Plan,
        local: &Local<'_>,
        observer: &mut dyn Observer,
    ) -> Result<RunResult, RunError> {
        Ok(Self::measure(self, plan, &local.control, observer)?)
    }

    fn along(
        &self,
        plan: &Plan,
        course: &mut dyn PhaseOrder,
        local: &Local<'_>,
        observer: &mut dyn Observer,
    ) -> Result<RunResult, RunError> {
        Ok(Self::along(self, plan, course, &local.control, observer)?)
    }
}

impl Party for SimulatedMembers {
    fn is_elsewhere(&self) -> bool {
        false
    }

    fn measure(
        &self,
        plan: &Plan,
        local: &Local<'_>,
        observer: &mut dyn Observer,
    ) -> Result<RunResult, RunError> {
        Self::measure(self, plan, local, observer)
    }

    fn along(
        &self,
        _: &Plan,
        _: &mut dyn PhaseOrder,
        _: &Local<'_>,
        _: &mut dyn Observer,
    ) -> Result<RunResult, RunError> {
        let what = "simulated members follow the phases of a workload, and no course";
        Err(ClusterError::from(NotClustered::new(what)).into())
    }
}
