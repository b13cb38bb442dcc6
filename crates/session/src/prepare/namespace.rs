//! NVMe namespaces by their generic character devices: one engine sends commands to them, no other
//! engine can do anything with them, and that one with nothing else.

use super::resolve::TargetPlace;
use super::{Demand, Preparation, PrepareError};
use crate::plan::Plan;
use fathom_core::Op;
use fathom_core::spec::Job;
use fathom_device::namespace::{
    Namespace, most_append_bytes, most_command_bytes, of_generic, pin_block,
};
use fathom_device::nodes::NodeKind;
use fathom_device::{Cleared, ClearedKind, Pin};
use fathom_engine::OpenTarget;
use std::path::Path;
use std::sync::Arc;

/// Which jobs of a target send NVMe commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Commands {
    /// The first that does.
    some: Option<String>,
    /// The first that does not.
    others: Option<String>,
}

impl Commands {
    pub(super) fn of(plan: &Plan, demand: &Demand<'_>) -> Self {
        let sends = |job: &&Job| {
            let engine = plan.engine.kind.or(job.engine);
            engine.is_some_and(|kind| kind.capabilities().takes_namespace)
        };
        let first = |wanted| {
            let found = demand.jobs().find(|job| sends(job) == wanted);
            found.map(|job| job.name.clone())
        };
        Self {
            some: first(true),
            others: first(false),
        }
    }

    /// Refuses a target that is no NVMe generic device, if a job sends commands to it.
    pub(super) fn refuse(&self, path: &Path) -> Result<(), PrepareError> {
        self.some.as_ref().map_or(Ok(()), |job| {
            Err(PrepareError::NoNamespace {
                path: path.to_owned(),
                job: job.clone(),
            })
        })
    }

    /// Refuses files that would be made.
    pub(super) fn refuse_files(&self, place: &TargetPlace) -> Result<(), PrepareError> {
        match place {
            TargetPlace::InDirectory { directory, .. } | TargetPlace::Files { directory, .. } => {
                self.refuse(directory)
            }
            TargetPlace::Named(_) | TargetPlace::Nowhere(_) => Ok(()),
        }
    }
}

/// The block device with the same bytes as a namespace.
#[derive(Debug)]
pub(super) struct Behind {
    pin: Arc<Pin>,
    size_bytes: u64,
}

impl Behind {
    pub(super) const fn contents(&self) -> &Arc<Pin> {
        &self.pin
    }

    pub(super) fn into_contents(self) -> Arc<Pin> {
        self.pin
    }

    /// Makes sure that the namespace that was opened is the one whose block device was examined.
    pub(super) fn confirm(
        &self,
        path: &Path,
        open: &OpenTarget,
        cleared: Option<&Cleared>,
    ) -> Result<(), PrepareError> {
        let is_examined = |cleared: &Cleared| {
            let block = cleared.block().map(|pin| pin.node().device);
            matches!(cleared.kind, ClearedKind::Namespace(_))
                && block == Some(self.pin.node().device)
        };
        let is_same = open.namespace.is_some()
            && open.size_bytes == self.size_bytes
            && cleared.is_none_or(is_examined);
        is_same.then_some(()).ok_or_else(|| PrepareError::Changed {
            path: path.to_owned(),
        })
    }
}

impl Preparation<'_> {
    /// What is behind a device, if that is a namespace; refused where its jobs have not the engine
    /// for it, or another device has.
    pub(super) fn namespace(
        &self,
        path: &Path,
        pin: &Pin,
        demand: &Demand<'_>,
    ) -> Result<Option<Behind>, PrepareError> {
        let node = pin.node();
        if node.kind != NodeKind::Char {
            return Ok(None);
        }
        let device = match of_generic(self.system, node.device, pin.at())? {
            Namespace::None => return self.commands.refuse(path).map(|()| None),
            Namespace::Block(device) => device,
            Namespace::Unknown { id } => {
                return Err(PrepareError::NoBlockDevice {
                    path: path.to_owned(),
                    id,
                });
            }
        };
        if let Some(job) = &self.commands.others {
            return Err(PrepareError::OnlyCommands {
                path: path.to_owned(),
                job: job.clone(),
                block: device.path.clone(),
            });
        }
        let most_bytes = most_command_bytes(self.system, &device).unwrap_or(u64::MAX);
        let most_append = most_append_bytes(self.system, &device).unwrap_or(u64::MAX);
        check_length(path, demand, most_bytes, most_append)?;
        let block = pin_block(self.system, &device);
        let block = block.map_err(PrepareError::system(&device.path, "examine"))?;
        Ok(Some(Behind {
            pin: Arc::new(block),
            size_bytes: device.size_bytes,
        }))
    }
}

/// Refuses requests that one command cannot move.
fn check_length(
    path: &Path,
    demand: &Demand<'_>,
    most_bytes: u64,
    most_append: u64,
) -> Result<(), PrepareError> {
    for job in demand.jobs() {
        let most_bytes = if job.access.walk.appends() {
            most_bytes.min(most_append)
        } else {
            most_bytes
        };
        let moving = job.kinds.iter();
        let moving = moving.filter(|kind| matches!(kind.op, Op::Read | Op::Write));
        let longest = moving.map(|kind| kind.block_size).max_by_key(|size| size.0);
        if let Some(value) = longest.filter(|size| size.0 > most_bytes) {
            return Err(PrepareError::TooLong {
                path: path.to_owned(),
                job: job.name.clone(),
                value,
                most_bytes,
            });
        }
    }
    Ok(())
}
