//! Targets that are no files: block and character devices, and nothing at all.

use super::demand::Extent;
use super::hold::{Hold, Identity};
use super::namespace::Behind;
use super::{Demand, Draft, Preparation, PrepareError, PreparedTarget, zones};
use fathom_device::{Cleared, Pin, check_pinned};
use fathom_engine::{OpenOptions, OpenTarget, TargetKind};
use fathom_platform::fs::OFlags;
use std::path::Path;
use std::sync::Arc;

/// A target of an engine without storage; the simulated volume has a size.
pub(super) fn nowhere(
    name: &str,
    demand: &Demand<'_>,
    volume_bytes: Option<u64>,
) -> Result<Draft, PrepareError> {
    let path = Path::new(name);
    let size_bytes = demand
        .size_bytes()
        .or(volume_bytes)
        .ok_or_else(|| PrepareError::Endless {
            path: path.to_owned(),
        })?;
    demand.check_fits(path, Extent::file(volume_bytes.unwrap_or(size_bytes)))?;
    Ok(Draft {
        target: PreparedTarget {
            path: path.to_owned(),
            size_bytes,
            reads: demand.reads(),
            writes: demand.writes(),
            ..PreparedTarget::default()
        },
        layout: None,
        grows_bytes: 0,
    })
}

/// Opens a target in every way that the jobs will, to know now what is refused.
pub(super) fn open_as_jobs_do(
    path: &Path,
    pin: &Pin,
    demand: &Demand<'_>,
) -> Result<OpenTarget, PrepareError> {
    let mut last = None;
    for direct in demand.directs() {
        let options = OpenOptions {
            read: demand.reads(),
            write: demand.writes(),
            direct,
            write_through: false,
        };
        let target = OpenTarget::open_at(pin.at(), path, &options)?;
        if !Identity::of(&target.fd).is_ok_and(|identity| identity.is(pin)) {
            return Err(PrepareError::Changed {
                path: path.to_owned(),
            });
        }
        demand.check_alignment(path, target.offset_align_bytes, direct)?;
        last = Some(target);
    }
    Ok(last.expect("every demand has a job"))
}

/// Makes sure that a namespace was examined as one, by the block device that it has.
fn confirm(
    path: &Path,
    open: &OpenTarget,
    behind: Option<&Behind>,
    cleared: Option<&Cleared>,
) -> Result<(), PrepareError> {
    match behind {
        Some(behind) => behind.confirm(path, open, cleared),
        None if open.kind == TargetKind::NvmeNamespace => Err(PrepareError::Changed {
            path: path.to_owned(),
        }),
        None => Ok(()),
    }
}

impl Preparation<'_> {
    /// A device, or something that is no target at all, which opening it says.
    pub(super) fn raw(
        &self,
        path: &Path,
        pin: &Arc<Pin>,
        demand: &Demand<'_>,
    ) -> Result<Draft, PrepareError> {
        let check = || check_pinned(path, pin, self.permissions, self.system);
        let behind = self.namespace(path, pin, demand)?;
        let mut cleared = None;
        if demand.writes() {
            cleared = Some(check()?);
        }
        let device = behind.as_ref().map_or(pin, Behind::contents);
        let zoned = zones::found(self.system, device, demand)?;
        zones::check(path, zoned.as_ref(), demand)?;
        let mut held = cleared.as_ref().map(Cleared::claim).transpose()?.flatten();
        let open = open_as_jobs_do(path, pin, demand)?;
        let is_block = open.kind.is_device();
        confirm(path, &open, behind.as_ref(), cleared.as_ref())?;
        let size_bytes = if is_block {
            open.size_bytes
        } else {
            // The null device has no end, but requests must go somewhere.
            demand.size_bytes().unwrap_or(0)
        };
        let path_buf = path.to_owned();
        match (size_bytes, is_block) {
            (0, true) => return Err(PrepareError::EmptyDevice { path: path_buf }),
            (0, false) => return Err(PrepareError::Endless { path: path_buf }),
            _ => {}
        }
        let has = Extent {
            size_bytes,
            device: is_block,
        };
        demand.check_fits(path, has)?;
        let identity = Identity::of(&open.fd)
            .map_err(|errno| PrepareError::system(path, "examine")(std::io::Error::from(errno)))?;
        let mut layout = None;
        if is_block && demand.must_be_stamped() {
            let (start, end) = demand.writable(has);
            let file = device.read(OFlags::empty());
            let file = file.map_err(PrepareError::system(path, "open"))?;
            if !self.carries_proof(&file, start, end, demand) {
                let cleared = match cleared {
                    Some(cleared) => cleared,
                    None => check()?,
                };
                if held.is_none() {
                    held = cleared.claim()?;
                }
                let file = cleared.open().map_err(PrepareError::system(path, "open"))?;
                cleared.confirm(&file)?;
                layout = Some((file, vec![(start, end)]));
            }
        }
        Ok(Draft {
            target: PreparedTarget {
                path: path.to_owned(),
                kind: Some(open.kind),
                size_bytes,
                reads: demand.reads(),
                writes: demand.writes(),
                stamped: is_block && demand.must_be_stamped(),
                zoned,
                identity: Some(identity),
                pin: Some(Arc::clone(pin)),
                contents: behind.map(Behind::into_contents),
                held: held.map(Hold::claim),
                ..PreparedTarget::default()
            },
            layout,
            grows_bytes: 0,
        })
    }
}
