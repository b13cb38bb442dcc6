//! Mounts and devices of a test's own, undone when dropped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// A process that is being started has all our files open for a moment, exclusive ones as well.
/// Who closes such a file and wants it free at once reads this; who starts processes writes it.
static STARTING: RwLock<()> = RwLock::new(());

/// As long as this is kept, no process is being started.
pub(crate) fn no_children() -> RwLockReadGuard<'static, ()> {
    STARTING.read().unwrap_or_else(PoisonError::into_inner)
}

fn run(command: &mut Command) -> Option<Output> {
    let _alone = STARTING.write().unwrap_or_else(PoisonError::into_inner);
    command
        .output()
        .ok()
        .filter(|output| output.status.success())
}

/// A mounted file system of its own.
pub(crate) struct Mounted(tempfile::TempDir);

impl Mounted {
    /// A file system of this type; none without the right to mount.
    pub(crate) fn new(fs_type: &str, options: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("mount");
        command.args(["-t", fs_type, "-o", options, fs_type]);
        run(command.arg(folder.path())).map(|_| Self(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        run(Command::new("umount").arg(self.0.path()));
    }
}

/// A loop device over a file of zeros.
pub(crate) struct Loop {
    pub(crate) path: PathBuf,
    _folder: tempfile::TempDir,
}

impl Loop {
    /// None without the right to attach one.
    pub(crate) fn new(size_bytes: u64, sector_bytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let backing = folder.path().join("backing");
        fs::write(&backing, vec![0; size_bytes as usize]).unwrap();
        let mut command = Command::new("losetup");
        command.args(["--find", "--show", "--sector-size"]);
        let output = run(command.arg(sector_bytes.to_string()).arg(&backing))?;
        let path = String::from_utf8(output.stdout).unwrap();
        Some(Self {
            path: path.trim().into(),
            _folder: folder,
        })
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        run(Command::new("losetup").arg("--detach").arg(&self.path));
    }
}

/// A zram device without a size.
pub(crate) struct EmptyZram(String);

impl EmptyZram {
    /// None without the right to add one.
    pub(crate) fn new() -> Option<Self> {
        let number = fs::read_to_string("/sys/class/zram-control/hot_add").ok()?;
        Some(Self(number.trim().to_owned()))
    }

    pub(crate) fn path(&self) -> PathBuf {
        format!("/dev/zram{}", self.0).into()
    }
}

impl Drop for EmptyZram {
    fn drop(&mut self) {
        let _ = fs::write("/sys/class/zram-control/hot_remove", &self.0);
    }
}
