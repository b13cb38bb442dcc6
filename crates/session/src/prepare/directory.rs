//! Targets that are directories, for jobs that deal with files: a directory of the run's own in
//! each, with a tree of directories for the files in it.

use super::hold::Identity;
use super::{Demand, Draft, Preparation, PrepareError, PreparedTarget};
use fathom_core::figure::count;
use fathom_core::spec::TreeShape;
use fathom_core::{Nanos, Op};
use fathom_device::{FreeSpace, OwnDirectory, Pin, Standing, check_write};
use fathom_engine::{Clock, FileTree, TargetKind};
use fathom_load::control::{Control, Wish};
use fathom_load::fill::Filler;
use fathom_load::observer::{Event, Observer};
use fathom_platform::process::{Resource, Rlimit};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Names that are tried in a directory where other runs are at work.
const MOST_NAMES: u32 = 1000;
/// Descriptors that a run needs in addition to those of its directories.
const OTHER_DESCRIPTORS: u64 = 256;
/// Room that a file of few bytes takes: a block of most file systems.
const BLOCK_BYTES: u64 = 4096;
/// Time in which the files of a shared directory are removed at most, and between two looks.
const MOST_WAIT: Nanos = Nanos(60_000_000_000);
const PAUSE: Nanos = Nanos(10_000_000);
/// Progress is reported after this number of files.
const TELL_FILES: u64 = 1 << 12;

/// Why there is no directory of files.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", self.thing(), self.because())]
pub enum FilesError {
    /// The target is a file or a device.
    NoDirectory {
        path: PathBuf,
        /// The job that deals with files.
        job: String,
    },
    /// What has the name of the run's own directory is not Fathom's.
    Foreign {
        /// Where it is.
        path: PathBuf,
        /// How that is known.
        why: String,
    },
    /// More directories than files can be open.
    TooManyOpen {
        path: PathBuf,
        /// Directories.
        needed: u64,
        /// What the system allows.
        limit: u64,
    },
    /// The file system has not enough inodes left.
    NoInodes {
        path: PathBuf,
        /// Files and directories.
        needed: u64,
        /// What is left.
        available: u64,
    },
    /// A file could not be made before the run.
    LayOut {
        /// The run's own directory.
        path: PathBuf,
        /// Files made before.
        done: u64,
        /// What the system said.
        source: io::Error,
    },
    /// The user ended it while files were made.
    Interrupted {
        /// The run's own directory.
        path: PathBuf,
    },
}

impl FilesError {
    /// What could not be done.
    pub fn thing(&self) -> String {
        match self {
            Self::NoDirectory { path, job } => {
                format!("cannot use {} for job `{job}`", path.display())
            }
            Self::Foreign { path, .. } => format!("cannot use {}", path.display()),
            Self::TooManyOpen { path, .. }
            | Self::NoInodes { path, .. }
            | Self::LayOut { path, .. }
            | Self::Interrupted { path } => format!("cannot create files in {}", path.display()),
        }
    }

    /// Why not.
    pub fn because(&self) -> String {
        match self {
            Self::NoDirectory { .. } => "it uses files, and that is not a directory".to_owned(),
            Self::Foreign { why, .. } => why.clone(),
            Self::TooManyOpen { needed, limit, .. } => format!(
                "its {} directories are held open, but only {} files can be open",
                count(*needed),
                count(*limit)
            ),
            Self::NoInodes {
                needed, available, ..
            } => format!(
                "{} files and directories are needed, but the file system has space for {}",
                count(*needed),
                count(*available)
            ),
            Self::LayOut { done, source, .. } => {
                format!("after {} of them: {source}", count(*done))
            }
            Self::Interrupted { .. } => "it was interrupted".to_owned(),
        }
    }

    /// What to do about it.
    pub fn remedy(&self) -> String {
        match self {
            Self::NoDirectory { .. } => "--target DIRECTORY".to_owned(),
            Self::Foreign { .. } => {
                "move it away, remove it if it is unused, or use another --target".to_owned()
            }
            Self::TooManyOpen { .. } => {
                "raise ulimit -n, or use a tree with fewer directories".to_owned()
            }
            Self::NoInodes { .. } => {
                "use fewer --files, or a target on another file system".to_owned()
            }
            Self::LayOut { .. } => {
                "free some space, or use a target on another file system".to_owned()
            }
            Self::Interrupted { .. } => String::new(),
        }
    }
}

impl Preparation<'_> {
    /// A directory for files in one that the user named.
    pub(super) fn files_in(
        &mut self,
        directory: &Path,
        role: &str,
        shape: TreeShape,
        demand: &Demand<'_>,
    ) -> Result<Draft, PrepareError> {
        if !directory.is_dir() {
            return Err(FilesError::NoDirectory {
                path: directory.to_owned(),
                job: demand.first().name.clone(),
            }
            .into());
        }
        allow_open(directory, shape.all_directories())?;
        check_inodes(directory, demand.new_files(&shape))?;
        let own = match self.member {
            Some(member) => self.shared_directory(directory, role, member)?,
            None => self.own_directory(directory, role)?,
        };
        let first_thread = self.member.map(|member| member * shape.threads);
        let path = own.path().to_owned();
        let failed = |action| PrepareError::system(&path, action);
        let made = own
            .fd()
            .try_clone_to_owned()
            .and_then(|root| FileTree::make(root, shape, first_thread).map_err(Into::into));
        let tree = match made {
            Ok(tree) => Arc::new(tree),
            Err(error) => {
                own.remove();
                return Err(failed("make directories in")(error));
            }
        };
        let held = own.fd().try_clone_to_owned().map_err(failed("hold"))?;
        let held = File::from(held);
        self.cleanup.made_files(own, Arc::clone(&tree));
        let identity = Identity::of(&held).map_err(|errno| failed("examine")(errno.into()))?;
        let pin = Pin::of_open(&held, &path).map_err(failed("examine"))?;
        let file_bytes = demand.file_bytes().next_multiple_of(BLOCK_BYTES);
        Ok(Draft {
            grows_bytes: demand.new_files(&shape).saturating_mul(file_bytes),
            target: PreparedTarget {
                path,
                kind: Some(TargetKind::Directory),
                size_bytes: shape.files(),
                made_by_fathom: true,
                reads: demand.reads(),
                writes: demand.writes(),
                identity: Some(identity),
                pin: Some(Arc::new(pin)),
                files: Some(tree),
                ..PreparedTarget::default()
            },
            layout: None,
        })
    }

    /// The directory that all members of a measurement have in one that they all see.
    fn shared_directory(
        &mut self,
        above: &Path,
        role: &str,
        member: u32,
    ) -> Result<OwnDirectory, PrepareError> {
        let number = self.shared_directories;
        self.shared_directories += 1;
        let (role, run, step) = (role.replace('/', "-"), self.mark.run, self.step);
        let name = format!("fathom-{role}.{run:x}.{step}-{number}.files");
        let path = above.join(&name);
        // Another member may have made the directory itself.
        let nobody_has = path.with_extension("new");
        check_write(&nobody_has, self.permissions, self.system)?;
        let mut clock = Clock::new();
        let end = clock.now() + MOST_WAIT;
        let mut waits = || {
            let next = clock.now() + PAUSE;
            clock.wait_until(next, Nanos(0));
            next < end && self.control.wish() == Wish::Run
        };
        let made = OwnDirectory::share(above, &name, member, &mut waits);
        match made.map_err(PrepareError::system(&path, "create"))? {
            Standing::Made(own) => Ok(own),
            Standing::Busy if self.control.wish() != Wish::Run => {
                Err(FilesError::Interrupted { path }.into())
            }
            Standing::Busy => Err(PrepareError::Busy { path }),
            Standing::Foreign(why) => Err(FilesError::Foreign { path, why }.into()),
        }
    }

    fn own_directory(&self, above: &Path, role: &str) -> Result<OwnDirectory, PrepareError> {
        let role = role.replace('/', "-");
        let process = std::process::id();
        let numbers = (process..process.saturating_add(MOST_NAMES)).map(Some);
        let mut path = PathBuf::new();
        for number in std::iter::once(None).chain(numbers) {
            let name = match number {
                None => format!("fathom-{role}.files"),
                Some(number) => format!("fathom-{role}.{number}.files"),
            };
            path = above.join(&name);
            if std::fs::symlink_metadata(&path).is_err() {
                check_write(&path, self.permissions, self.system)?;
            } else if self.permissions.read_only || self.permissions.allow.is_some() {
                check_write(&above.join("fathom"), self.permissions, self.system)?;
            }
            let made = OwnDirectory::make(above, &name);
            match made.map_err(PrepareError::system(&path, "create"))? {
                Standing::Made(own) => return Ok(own),
                Standing::Busy => {}
                // An earlier step has kept it.
                Standing::Foreign(_) if self.step > 0 && self.cleanup.keeps() => {}
                Standing::Foreign(why) => return Err(FilesError::Foreign { path, why }.into()),
            }
        }
        Err(PrepareError::Busy { path })
    }

    /// Makes the files that are to be there when the load begins.
    pub(super) fn lay_out_files(
        &self,
        (target, target_number): (&PreparedTarget, u32),
        demand: &Demand<'_>,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<(), PrepareError> {
        let Some(tree) = &target.files else {
            return Ok(());
        };
        let path = &target.path;
        let files = tree.shape().files();
        let threshold = demand.present().threshold();
        if threshold == 0 {
            return Ok(());
        }
        let filler = Filler::new(&demand.data(), self.mark.salt, LAYOUT_FILLER);
        let mut filler = filler.numbered(target_number);
        let mut bytes = vec![0; demand.file_bytes() as usize];
        filler.prepare(&mut bytes);
        for number in 0..files {
            if number % TELL_FILES == 0 {
                if control.wish() != Wish::Run {
                    return Err(FilesError::Interrupted { path: path.clone() }.into());
                }
                observer.event(&Event::Layout {
                    path: &path.to_string_lossy(),
                    done_bytes: number * bytes.len() as u64,
                    total_bytes: files * bytes.len() as u64,
                });
            }
            if !is_among(number, threshold) {
                continue;
            }
            let length = bytes.len();
            filler.refresh(&mut bytes, length);
            tree.put(number, &bytes)
                .map_err(|errno| FilesError::LayOut {
                    path: path.clone(),
                    done: number,
                    source: errno.into(),
                })?;
        }
        // What is still to be written of them is no part of the load.
        fathom_platform::fs::syncfs(tree.root())
            .map_err(|errno| PrepareError::system(path, "sync")(errno.into()))
    }
}

/// The filler of files that are laid out: none of a run's threads has its number.
const LAYOUT_FILLER: u32 = (1 << 24) - 1;

/// Whether a file is of a share of all, which lie everywhere alike.
fn is_among(number: u64, threshold: u64) -> bool {
    // Steps of the golden ratio (Knuth): every run of numbers has its share.
    let place = number.wrapping_mul(2_654_435_769) % (1 << 32);
    place < threshold
}

/// Makes sure that `directories` directories can be open at once.
fn allow_open(path: &Path, directories: u64) -> Result<(), PrepareError> {
    let needed = directories + OTHER_DESCRIPTORS;
    let limit = fathom_platform::process::getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    let raised = Rlimit {
        current: Some(needed),
        maximum: limit.maximum,
    };
    let fits = limit.maximum.is_none_or(|most| most >= needed);
    if fits && fathom_platform::process::setrlimit(Resource::Nofile, raised).is_ok() {
        return Ok(());
    }
    Err(FilesError::TooManyOpen {
        path: path.to_owned(),
        needed: directories,
        limit: limit.maximum.or(limit.current).unwrap_or(0),
    }
    .into())
}

/// Whether the file system has free inodes for `needed` files. Some file systems do not count them.
fn check_inodes(path: &Path, needed: u64) -> Result<(), PrepareError> {
    match FreeSpace::inodes(path)? {
        Some(available) if available < needed => Err(FilesError::NoInodes {
            path: path.to_owned(),
            needed,
            available,
        }
        .into()),
        _ => Ok(()),
    }
}

impl Demand<'_> {
    /// Bytes of the largest file.
    fn file_bytes(&self) -> u64 {
        let kinds = self.jobs().flat_map(|job| &job.kinds);
        kinds.map(|kind| kind.block_size.0).max().unwrap_or(0)
    }

    /// Share of the files that is there when the load begins.
    fn present(&self) -> fathom_core::Percent {
        let first = self.first();
        let creates = |kind: &&fathom_core::spec::IoKind| kind.op == Op::Create;
        let made = first.kinds.iter().filter(creates).count();
        let usual = match made {
            0 => 100.0,
            all if all == first.kinds.len() => 0.0,
            _ => 50.0,
        };
        let given = first.files.and_then(|files| files.present);
        given.unwrap_or(fathom_core::Percent(usual))
    }

    /// Files and directories that there will certainly be at once.
    fn new_files(&self, shape: &TreeShape) -> u64 {
        let threshold = self.present().threshold();
        let laid_out = (u128::from(shape.files()) * u128::from(threshold)) >> 32;
        // A job that may run out of time before may make fewer.
        let makes_all = |job: &&fathom_core::spec::Job| {
            job.deals_once() && job.kinds.iter().all(|kind| kind.op == Op::Create)
        };
        let made = match self.jobs().find(makes_all) {
            Some(_) if !self.is_timed() => shape.files(),
            _ => 0,
        };
        shape.all_directories() + made.max(laid_out as u64)
    }
}
