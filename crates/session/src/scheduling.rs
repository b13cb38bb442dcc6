//! The I/O scheduler that a job asks for, of the devices that are its targets.

use crate::prepare::PrepareError;
use fathom_device::{DevNum, Sysfs, switch_scheduler};
use fathom_engine::{OpenTarget, TargetKind};
use std::io;

/// Has the queue of a target scheduled by the one that is asked for. Whose disk a file is on is
/// nobody's to change.
pub(crate) fn schedule(target: &OpenTarget, wanted: &str) -> Result<(), PrepareError> {
    let failed = |because: String, remedy| PrepareError::Scheduler {
        path: target.path.clone(),
        because,
        remedy,
    };
    if target.kind != TargetKind::BlockDevice {
        let because = "only a block device that is itself a target has its scheduler switched";
        let remedy =
            "a device as target, or the name in /sys/block/DEVICE/queue/scheduler beforehand";
        return Err(failed(because.to_owned(), remedy));
    }
    let stat = rustix::fs::fstat(&target.fd)
        .map_err(|errno| PrepareError::system(&target.path, "examine")(errno.into()))?;
    let switched = switch_scheduler(&Sysfs::default(), DevNum::from_raw(stat.st_rdev), wanted);
    switched.map_err(|error| {
        let remedy = match error.kind() {
            io::ErrorKind::PermissionDenied => "sudo",
            _ => "one of them",
        };
        failed(error.to_string(), remedy)
    })
}
