//! Probes in addition to the phases of a plan: short runs with more load, or that ask the storage
//! something.

use crate::probing::{MicroProbes, NotProbed};
use fathom_core::spec::Workload;
use fathom_core::{Bytes, Cap, EngineKind, Nanos};
use serde::{Deserialize, Serialize};

/// How long the devices are watched before a run that is probed.
const IDLE: Nanos = Nanos::from_secs(3);

/// Probes in addition to the phases of a plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explain {
    /// After each phase more load, to find what held it back.
    pub load: bool,
    /// Writes at the end to find out what the storage does with flushes, zeros and repeats.
    pub probe: bool,
    /// Writes at the end, at most this number of bytes, until the storage shows how fast it really
    /// is.
    pub cliff: Option<Bytes>,
    /// Limits that are known.
    pub caps: Vec<Cap>,
}

impl Explain {
    /// Whether the storage is asked by writes of our own.
    pub(crate) const fn asks(&self) -> bool {
        self.probe || self.cliff.is_some()
    }

    /// Refuses probes of what cannot be probed.
    pub fn check(&self, workload: &Workload) -> Result<(), NotProbed> {
        if self.asks() {
            MicroProbes::of(workload)?;
        }
        Ok(())
    }

    /// How long the devices are to be watched before the run.
    pub const fn idle(&self, engine: Option<EngineKind>) -> Nanos {
        match engine {
            Some(engine) if !engine.is_real() => Nanos::ZERO,
            _ if self.probe => IDLE,
            _ => Nanos::ZERO,
        }
    }
}
