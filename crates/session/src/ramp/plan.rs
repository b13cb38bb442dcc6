//! A ramp as it is asked for.

use super::SIZES;
use fathom_core::Nanos;
use fathom_core::result::RampAxis;
use fathom_core::spec::validate::validate;
use fathom_core::spec::{Phase, Workload};
use fathom_verdict::slo::Objective;
use serde::{Deserialize, Serialize};

/// Intervals of a step, within the lengths that follow.
const BATCHES: u64 = 20;
const SHORTEST: Nanos = Nanos::from_millis(100);
const LONGEST: Nanos = Nanos::from_secs(1);
/// Load before each step when the workload has less: rates and caches have to settle.
const SETTLE: Nanos = Nanos::from_secs(1);

/// How the load of a phase rises.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ramp {
    /// What rises.
    pub axis: RampAxis,
    /// First queue depth or number of threads.
    pub from: u32,
    /// Last queue depth or number of threads; none to end where more load brings nothing.
    pub to: Option<u32>,
    /// Objectives to keep; over a rate only.
    pub objectives: Vec<Objective>,
    /// Measured time of a step of a search.
    pub step: Nanos,
    /// How closely a rate is searched: ratio minus one.
    pub precision: f64,
    pub searches: u32,
}

/// Why a workload has no ramp.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRamped {
    /// It has several phases, and none is named.
    #[error("`{workload}` has several phases")]
    Several {
        /// Its name.
        workload: String,
        /// Theirs.
        phases: Vec<String>,
    },
    /// It has no phase of that name.
    #[error("`{workload}` has no phase `{phase}`")]
    NoPhase {
        /// Its name.
        workload: String,
        /// The name.
        phase: String,
        /// The names that there are.
        phases: Vec<String>,
    },
    /// Its load is set by bursts.
    #[error("the phase `{phase}` runs in bursts")]
    Bursts {
        /// Name of the phase.
        phase: String,
    },
    /// Requests of another size do not suit it, as one with strides of its own.
    #[error("the phase `{phase}` cannot have requests of {}", fathom_core::figure::size(*bytes))]
    Size {
        /// Name of the phase.
        phase: String,
        /// The size, bytes.
        bytes: u64,
        /// The rule that it breaks.
        cause: String,
    },
}

impl Ramp {
    /// A workload made fit for the ramp: of its phases the one of that name, or the only one, with
    /// steps of `step` in view.
    ///
    /// # Errors
    ///
    /// [`NotRamped`] where its load cannot rise so.
    pub fn prepared(
        &self,
        mut workload: Workload,
        phase: Option<&str>,
    ) -> Result<Workload, NotRamped> {
        let phase = self.choose(&workload, phase)?;
        workload.name = format!("ramp-{}", workload.name);
        workload.repeat = 1;
        // The confidence in a step comes from its intervals: enough of them, none too short.
        workload.interval = Nanos(self.step.0 / BATCHES).clamp(SHORTEST, LONGEST);
        workload.phases = vec![phase];
        Ok(workload)
    }

    fn choose(&self, workload: &Workload, name: Option<&str>) -> Result<Phase, NotRamped> {
        let all = &workload.phases;
        let phases = || all.iter().map(|phase| phase.name.clone()).collect();
        let found = match (name, &all[..]) {
            (None, [only]) => only,
            (None, _) => {
                return Err(NotRamped::Several {
                    workload: workload.name.clone(),
                    phases: phases(),
                });
            }
            (Some(name), phases_of) => {
                let found = phases_of.iter().find(|phase| phase.name == name);
                found.ok_or_else(|| NotRamped::NoPhase {
                    workload: workload.name.clone(),
                    phase: name.to_owned(),
                    phases: phases(),
                })?
            }
        };
        if found.jobs.iter().any(|job| job.pacing.is_bursty()) {
            return Err(NotRamped::Bursts {
                phase: found.name.clone(),
            });
        }
        if self.axis == RampAxis::BlockSize {
            check_sizes(workload, found)?;
        }
        Ok(Phase {
            steady: None,
            cool_down: Nanos::ZERO,
            warm_up: found.warm_up.max(SETTLE),
            ..found.clone()
        })
    }
}

/// Refuses a phase that requests of another size do not suit.
fn check_sizes(workload: &Workload, phase: &Phase) -> Result<(), NotRamped> {
    for bytes in SIZES {
        let mut tried = workload.clone();
        tried.phases = vec![phase.clone()];
        let jobs = tried.phases[0].jobs.iter_mut();
        for kind in jobs.flat_map(|job| &mut job.kinds) {
            kind.block_size.0 = bytes;
            kind.align.0 = bytes;
        }
        if let Some(found) = validate(&tried).first() {
            return Err(NotRamped::Size {
                phase: phase.name.clone(),
                bytes,
                cause: found.to_string(),
            });
        }
    }
    Ok(())
}
