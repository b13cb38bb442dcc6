//! A target file that is made: by the time that it has a name it carries its mark, so that a
//! process that is killed at any instant leaves nothing that nobody knows.
//!
//! Where the file system can, the file has no name at all until it is marked (`O_TMPFILE`); else it
//! has another one, by which an empty file is known as left over, and takes its own with the mark.

use fathom_platform::fd::AsRawFd as _;
use fathom_platform::unix::fs::OpenOptionsExt as _;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use fathom_platform::fs::{AtFlags, CWD, Mode, OFlags, linkat};

use crate::mark::{self, Purpose};
use crate::owner::ProcessMark;
use crate::platform;
use crate::removal;

/// Names of files that are not marked yet begin so; the process follows.
const PREFIX: &str = ".fathom-new.";

/// A file without its name.
#[derive(Debug)]
pub struct Newborn {
    path: PathBuf,
    file: File,
    is_marked: bool,
    /// The name that it has meanwhile.
    meanwhile: Option<PathBuf>,
}

impl Newborn {
    /// Makes and marks the file that is to be called so.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn new(path: &Path, purpose: Purpose, size_bytes: u64) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let owner = mark::own();
        let unnamed = nameless(folder, mode(purpose)).ok().filter(is_reachable);
        let (file, meanwhile) = if let Some(file) = unnamed {
            (file, None)
        } else {
            let place = if platform::MARKS_FILES {
                folder.join(meanwhile_name(owner))
            } else {
                path.to_owned()
            };
            (create_new(&place, mode(purpose))?, Some(place))
        };
        let mut newborn = Self {
            path: path.to_owned(),
            file,
            is_marked: false,
            meanwhile,
        };
        let name = path.file_name().unwrap_or_default();
        let marked = mark::mark_as(owner, &newborn.file, name, purpose, size_bytes);
        newborn.is_marked = marked.unwrap_or(false);
        Ok(newborn)
    }

    /// The file, to be locked before anybody else can find it.
    pub const fn file(&self) -> &File {
        &self.file
    }

    /// Gives it its name, if nothing has that: the file, and whether it is marked.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::AlreadyExists`], and what else the system said.
    pub fn name(mut self) -> io::Result<(File, bool)> {
        match self.meanwhile.take() {
            None => {
                let own = own_place(&self.file);
                linkat(CWD, own, CWD, &self.path, AtFlags::SYMLINK_FOLLOW)?;
                // What was opened without a name goes on without one: the kernel tells another
                // path of it, on which nothing lies.
                let opened = self.opened_by_name();
                self.file = opened.inspect_err(|_| self.take_name_back())?;
            }
            // Without marks another name tells nothing, and it has its own from the start.
            Some(place) if place == self.path => {}
            Some(place) => {
                if fathom_platform::rename_new(&place, &self.path).is_err() {
                    // Some file systems cannot rename so; nothing is there to be replaced then.
                    let made = create_new(&self.path, mode(Purpose::Scratch));
                    let moved = made.and_then(|_| fs::rename(&place, &self.path));
                    if let Err(error) = moved {
                        let _ = fs::remove_file(&place);
                        return Err(error);
                    }
                }
            }
        }
        Ok((self.file, self.is_marked))
    }
}

impl Newborn {
    /// A file that cannot be opened by its name is removed: nobody knows of it.
    fn take_name_back(&self) {
        if let Ok(made) = fathom_platform::identity(&self.file) {
            let _ = removal::remove(&self.path, made);
        }
    }

    /// The same file, opened by the name that it has now.
    fn opened_by_name(&self) -> io::Result<File> {
        #[expect(
            clippy::disallowed_methods,
            reason = "what was made here, which is compared"
        )]
        let mut options = OpenOptions::new();
        let flags = OFlags::NOFOLLOW.bits().cast_signed();
        let options = options.read(true).write(true).custom_flags(flags);
        let file = options.open(&self.path)?;
        if fathom_platform::identity(&file)? == fathom_platform::identity(&self.file)? {
            Ok(file)
        } else {
            Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "another file took its name",
            ))
        }
    }
}

/// Whether a path is a file that was never marked, of a process that is gone.
pub(crate) fn is_left(path: &Path, length: u64) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let owner = name.and_then(|name| name.strip_prefix(PREFIX));
    let owner = owner.and_then(|rest| rest.split_once('.'));
    length == 0
        && owner.is_some_and(|(owner, _)| {
            ProcessMark::parse(&owner.replace('_', " ")).is_some_and(|owner| owner.is_gone())
        })
}

/// Whether a path is called as a file of this process that is not marked yet.
pub(crate) fn is_of(path: &Path, owner: &ProcessMark) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let rest = name.and_then(|name| name.strip_prefix(PREFIX));
    let of = rest.and_then(|rest| rest.split_once('.'));
    of.is_some_and(|(of, _)| ProcessMark::parse(&of.replace('_', " ")).as_ref() == Some(owner))
}

/// `.fathom-new.BOOT_SPACE_PID_BEGAN.NUMBER`.
fn meanwhile_name(owner: &ProcessMark) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let owner = owner.to_string().replace(' ', "_");
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{owner}.{number}")
}

fn own_place(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Without `/proc` a file that has no name cannot get one.
fn is_reachable(file: &File) -> bool {
    own_place(file).exists()
}

/// Who may read it, as far as the user's mask lets them: what stays is a file like any other.
const fn mode(purpose: Purpose) -> u32 {
    match purpose {
        Purpose::Kept => 0o644,
        Purpose::Scratch => 0o600,
    }
}

fn nameless(folder: &Path, mode: u32) -> io::Result<File> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    #[expect(
        clippy::disallowed_methods,
        reason = "a target, which the guard has cleared"
    )]
    let fd = fathom_platform::fs::open(folder, flags, Mode::from_raw_mode(mode))?;
    Ok(File::from(fd))
}

fn create_new(path: &Path, mode: u32) -> io::Result<File> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a target, which the guard has cleared"
    )]
    let mut options = OpenOptions::new();
    options
        .read(true)
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::unix::fs::MetadataExt as _;

    #[test]
    fn a_file_is_marked_before_it_has_a_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fathom-data.dat");
        let newborn = Newborn::new(&path, Purpose::Scratch, 4096).unwrap();
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let has_no_name = newborn.meanwhile.is_none();
        assert_eq!(names(), usize::from(!has_no_name));
        let (file, is_marked) = newborn.name().unwrap();
        assert_eq!((names(), path.exists()), (1, true));
        let known = fs::read_link(own_place(&file)).unwrap();
        assert_eq!(known, fs::canonicalize(&path).unwrap());
        assert_eq!(mark::is_marked(&file, &path).unwrap(), is_marked);
        let again = Newborn::new(&path, Purpose::Scratch, 4096).unwrap();
        let error = again.name().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(names(), 1);
    }

    #[test]
    fn what_stays_can_be_read_as_far_as_the_mask_of_the_user_goes() {
        let folder = tempfile::tempdir().unwrap();
        let mode_of = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
        let other = folder.path().join("other");
        fs::write(&other, "").unwrap();
        let made = [Purpose::Kept, Purpose::Scratch].map(|purpose| {
            let path = folder.path().join(format!("{purpose:?}"));
            let newborn = Newborn::new(&path, purpose, 4096).unwrap();
            newborn.name().unwrap();
            mode_of(&path)
        });
        assert_eq!(made, [mode_of(&other) & 0o644, 0o600]);
    }

    #[test]
    fn where_every_file_has_a_name_it_is_taken_over_with_the_mark() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let place = folder.path().join("meanwhile");
        let newborn = |file| Newborn {
            path: path.clone(),
            file,
            is_marked: false,
            meanwhile: Some(place.clone()),
        };
        let file = create_new(&place, mode(Purpose::Scratch)).unwrap();
        newborn(file).name().unwrap();
        assert_eq!((place.exists(), path.exists()), (false, true));
        fs::write(&path, "somebody's").unwrap();
        let file = create_new(&place, mode(Purpose::Scratch)).unwrap();
        let error = newborn(file).name().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "somebody's");
        assert!(!place.exists());
    }

    #[test]
    fn a_name_that_cannot_be_used_is_taken_back_and_nobody_elses() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let newborn = Newborn {
            path: path.clone(),
            file: create_new(&path, mode(Purpose::Scratch)).unwrap(),
            is_marked: false,
            meanwhile: None,
        };
        newborn.take_name_back();
        assert!(!path.exists());
        fs::write(&path, "somebody's").unwrap();
        newborn.take_name_back();
        assert_eq!(fs::read_to_string(&path).unwrap(), "somebody's");
    }

    #[test]
    fn what_was_never_marked_is_left_over_when_its_maker_is_gone() {
        let folder = Path::new("/data");
        let of = |owner: &ProcessMark| folder.join(meanwhile_name(owner));
        let gone = ProcessMark::parse("another boot 1 1").unwrap();
        assert!(is_left(&of(&gone), 0));
        assert!(!is_left(&of(&gone), 1));
        assert!(!is_left(&of(mark::own()), 0));
        assert!(!is_left(Path::new("/data/.fathom-new.mine"), 0));
    }
}
