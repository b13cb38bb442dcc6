//! Targets whose zones are written in order: who may write to them, and to which zones.

use super::{Demand, Draft, PrepareError, PreparedTarget};
use fathom_core::Bytes;
use fathom_core::figure::{count, size};
use fathom_core::spec::{Job, Walk};
use fathom_device::nodes::NodeKind;
use fathom_device::zone_report::zones;
use fathom_device::{DeviceError, Pin, System, Zoned};
use fathom_engine::OpenTarget;
use fathom_load::request::Window;
use fathom_load::zones::{NoShare, ZoneLimits, ZoneShare, shares};
use std::path::{Path, PathBuf};

/// Why a job cannot write to the zones of a target.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", self.thing(), self.because())]
pub struct ZonesError {
    path: PathBuf,
    job: String,
    why: Why,
}

#[derive(Debug)]
enum Why {
    /// It writes anywhere.
    Anywhere(Zoned),
    /// There are no zones.
    NotZoned,
    /// The zones are of another length than it expects.
    Length { found: Bytes, expected: Bytes },
    /// The zones cannot be shared out among its threads.
    Share(NoShare),
    /// A thread makes more requests at once than it may have zones open.
    TooDeep { depth: u32, zones: u32 },
    /// Another job of the phase writes to them too.
    Twice,
}

impl ZonesError {
    fn of(job: &Job, path: &Path, why: Why) -> PrepareError {
        PrepareError::Zones(Self {
            path: path.to_owned(),
            job: job.name.clone(),
            why,
        })
    }

    /// The error of a second job that writes to the zones of a target in one phase.
    pub(crate) fn twice(job: &Job, path: &Path) -> PrepareError {
        Self::of(job, path, Why::Twice)
    }

    /// What could not be done.
    pub fn thing(&self) -> String {
        format!("cannot use {} for job `{}`", self.path.display(), self.job)
    }

    /// Why not.
    pub fn because(&self) -> String {
        match &self.why {
            Why::Anywhere(zones) => format!(
                "it is a zoned device ({zones}), which accepts writes only at the write pointer of \
                 a zone"
            ),
            Why::NotZoned => {
                "it writes at the write pointers of zones, but this is not a zoned device"
                    .to_owned()
            }
            Why::Length { found, expected } => {
                format!("its zones have {found}, but the job expects {expected}")
            }
            Why::Share(NoShare::NoZones) => {
                "the part used by the job has no zone with a write pointer".to_owned()
            }
            Why::Share(NoShare::Rest { capacity_bytes }) => format!(
                "a zone holds {}, which is not a multiple of the block size",
                size(*capacity_bytes)
            ),
            Why::Share(NoShare::TooMany { threads }) => format!(
                "each thread needs its own open zone, but there can be only {}",
                count(*threads)
            ),
            Why::Share(NoShare::Begun { zones }) => format!(
                "{} zones outside the part used by the job are partly written, and the device \
                 allows no more open zones",
                count(*zones)
            ),
            Why::TooDeep { depth, zones } => format!(
                "a thread makes {depth} requests at once, but may have only {zones} open zones. \
                 One zone takes one write at a time, otherwise writes would overtake each other"
            ),
            Why::Twice => "another job of the phase also writes to its zones".to_owned(),
        }
    }

    /// What to do about it.
    pub fn remedy(&self) -> String {
        match &self.why {
            Why::Anywhere(_) => {
                "use a read-only load, `walk = \"write_pointers\"` in a write-only job, or a file \
                 on a file system for zoned devices (f2fs, btrfs, zonefs)"
                    .to_owned()
            }
            Why::NotZoned => "omit `walk`, or use a zoned device (`lsblk -z`)".to_owned(),
            Why::Length { found, .. } => format!("set {found}, or no zone length"),
            Why::Share(NoShare::NoZones) => {
                "omit `offset` and `window`, or use whole zones in them".to_owned()
            }
            Why::Share(NoShare::Rest { .. }) => "use a block size that divides it".to_owned(),
            Why::Share(NoShare::TooMany { threads }) => format!("--threads {threads}"),
            Why::Share(NoShare::Begun { .. }) => {
                "reset or finish these zones (`blkzone`), or use the whole device".to_owned()
            }
            Why::TooDeep { zones, .. } => format!("--queue-depth {zones}"),
            Why::Twice => "use one job with more threads, or one phase per job".to_owned(),
        }
    }
}

/// How a target is divided into zones. Who only reads has no need of what cannot be found out.
pub(super) fn found(
    system: &System,
    device: &Pin,
    demand: &Demand<'_>,
) -> Result<Option<Zoned>, DeviceError> {
    let node = device.node();
    if node.kind != NodeKind::Block {
        return Ok(None);
    }
    let sysfs = &system.sysfs;
    match sysfs.block_name(node.device) {
        Ok(name) => Ok(Zoned::of(sysfs, &name)),
        Err(_) if !demand.writes() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Refuses writes to zones other than at their pointers.
pub(super) fn check(
    path: &Path,
    found: Option<&Zoned>,
    demand: &Demand<'_>,
) -> Result<(), PrepareError> {
    let anywhere = |job: &&Job| job.destroys() && !job.access.walk.is_at_write_pointers();
    match (found, demand.jobs().find(anywhere)) {
        (Some(zones), Some(job)) => Err(ZonesError::of(job, path, Why::Anywhere(zones.clone()))),
        _ => Ok(()),
    }
}

/// Refuses write pointers where there are none, before anything is laid out.
pub(super) fn check_draft(draft: &Draft, demand: &Demand<'_>) -> Result<(), PrepareError> {
    let at_pointers = |job: &&Job| job.access.walk.is_at_write_pointers();
    match demand.jobs().find(at_pointers) {
        Some(job) if draft.target.zoned.is_none() => {
            Err(ZonesError::of(job, &draft.target.path, Why::NotZoned))
        }
        _ => Ok(()),
    }
}

impl PreparedTarget {
    /// The zones that each thread of a job writes to, as they are now; none of a job without write
    /// pointers.
    pub(crate) fn zone_shares(
        &self,
        job: &Job,
        open: &OpenTarget,
        window: Window,
    ) -> Result<Vec<ZoneShare>, PrepareError> {
        let Walk::WritePointers {
            open: most,
            of_thread,
            zone,
            append,
        } = job.access.walk
        else {
            return Ok(Vec::new());
        };
        let refused = |why| ZonesError::of(job, &self.path, why);
        let zoned = self.zoned.as_ref().ok_or_else(|| refused(Why::NotZoned))?;
        let found = Bytes(zoned.zone_bytes);
        if let Some(expected) = zone.filter(|expected| *expected != found) {
            return Err(refused(Why::Length { found, expected }));
        }
        // A namespace is asked by its block device.
        let device = open.contents.as_ref().unwrap_or(&open.fd);
        let all = zones(device, open.size_bytes);
        let all = all.map_err(PrepareError::system(&self.path, "read the zones of"))?;
        let limits = ZoneLimits {
            device_open: zoned.most_open,
            device_active: zoned.most_active,
            job: most,
            of_thread,
            appends: append,
        };
        let len = job.largest_io().0 as u32;
        let made = shares(&all, window, len, job.threads, limits);
        let made = made.map_err(|why| refused(Why::Share(why)))?;
        let least = made.iter().map(ZoneShare::most_in_flight).min();
        match least.filter(|zones| *zones < job.queue_depth) {
            Some(zones) => Err(refused(Why::TooDeep {
                depth: job.queue_depth,
                zones,
            })),
            None => Ok(made),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_says_what_to_do() {
        let zoned = Zoned {
            zone_bytes: 4 << 20,
            zones: 16,
            most_open: Some(4),
            most_active: None,
        };
        let all = [
            Why::Anywhere(zoned),
            Why::NotZoned,
            Why::Length {
                found: Bytes(4 << 20),
                expected: Bytes(1 << 20),
            },
            Why::Share(NoShare::NoZones),
            Why::Share(NoShare::Rest {
                capacity_bytes: 3 << 20,
            }),
            Why::Share(NoShare::TooMany { threads: 4 }),
            Why::Share(NoShare::Begun { zones: 6 }),
            Why::TooDeep { depth: 8, zones: 4 },
            Why::Twice,
        ];
        let said = all.map(|why| {
            let error = ZonesError::of(&Job::plain(), Path::new("/dev/zoned"), why);
            format!("{} / {}", error.because(), error.remedy())
        });
        let expected = [
            "it is a zoned device (16 zones of 4 MiB, at most 4 open), which accepts writes only \
             at the write pointer of a zone / use a read-only load, `walk = \"write_pointers\"` in \
             a write-only job, or a file on a file system for zoned devices (f2fs, btrfs, zonefs)",
            "it writes at the write pointers of zones, but this is not a zoned device / omit \
             `walk`, or use a zoned device (`lsblk -z`)",
            "its zones have 4MiB, but the job expects 1MiB / set 4MiB, or no zone length",
            "the part used by the job has no zone with a write pointer / omit `offset` and \
             `window`, or use whole zones in them",
            "a zone holds 3 MiB, which is not a multiple of the block size / use a block size that \
             divides it",
            "each thread needs its own open zone, but there can be only 4 / --threads 4",
            "6 zones outside the part used by the job are partly written, and the device allows no \
             more open zones / reset or finish these zones (`blkzone`), or use the whole device",
            "a thread makes 8 requests at once, but may have only 4 open zones. One zone takes one \
             write at a time, otherwise writes would overtake each other / --queue-depth 4",
            "another job of the phase also writes to its zones / use one job with more threads, or \
             one phase per job",
        ];
        assert_eq!(said, expected);
    }
}
