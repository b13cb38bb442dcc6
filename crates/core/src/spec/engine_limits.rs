//! What a job asks of its engine, and what an engine cannot do of it.

use super::Job;
use crate::engine::{Feature, Limit};
use crate::{EngineKind, Op};

impl Job {
    /// The first feature that the job asks for and `engine` does not have.
    ///
    /// ```
    /// use fathom_core::EngineKind;
    /// use fathom_core::spec::Job;
    ///
    /// let direct = Job::plain();
    /// let limit = direct.limit_of(EngineKind::Mmap).expect("direct requests");
    /// assert_eq!(limit.instead, "--no-direct, or --engine psync");
    /// assert_eq!(direct.limit_of(EngineKind::Psync), None);
    /// ```
    pub fn limit_of(&self, engine: EngineKind) -> Option<&'static Limit> {
        let limits = engine.row().cannot;
        limits.iter().find(|limit| self.uses(limit.feature))
    }

    /// Whether it asks for a feature by itself. False for what belongs to the run.
    fn uses(&self, feature: Feature) -> bool {
        match feature {
            Feature::Direct => self.durability.direct,
            Feature::FreshFiles => self.fresh,
            Feature::ZoneResets => self.access.walk.is_at_write_pointers(),
            Feature::ZoneAppends => self.access.walk.appends(),
            Feature::Trims => self.kinds.iter().any(|kind| kind.op == Op::Trim),
            Feature::Polling
            | Feature::MinWait
            | Feature::PolledZoneResets
            | Feature::PolledTrims => false,
        }
    }
}
