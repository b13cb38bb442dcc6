//! Things that only root can make. Each is removed again when it goes out of scope, also when its
//! test fails.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Says why a test does not run, past the capture of test output.
pub(crate) fn skip(why: &str) {
    // A test that cannot say so is skipped all the same.
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

/// Whether the test may go on; says why not.
pub(crate) fn is_root(what: &str) -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        skip(&format!("{what} needs root"));
    }
    is_root
}

fn run(program: &str, words: &[&str]) -> Result<String, String> {
    let output = Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }
}

/// A loop device over a file of zeros.
pub(crate) struct LoopDevice {
    pub(crate) path: PathBuf,
    folder: TempDir,
}

impl LoopDevice {
    /// None where the kernel or a sandbox has no loop devices; says so.
    pub(crate) fn new(size_bytes: u64) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("backing");
        let backing = std::fs::File::create(&file).expect("a file");
        backing.set_len(size_bytes).expect("a size");
        match run("losetup", &["--find", "--show", &file.to_string_lossy()]) {
            Ok(path) => Some(Self {
                path: path.into(),
                folder,
            }),
            Err(error) => {
                skip(&format!("no loop device can be made: {error}"));
                None
            }
        }
    }
}

impl LoopDevice {
    /// The file that it shows.
    pub(crate) fn backing(&self) -> PathBuf {
        self.folder.path().join("backing")
    }
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        // A device left over is found by the check after all tests.
        let _ = run("losetup", &["--detach", &self.path.to_string_lossy()]);
    }
}

/// A file system mounted on a folder of its own.
pub(crate) struct Mounted {
    folder: TempDir,
}

impl Mounted {
    /// None where nothing can be mounted; says so.
    pub(crate) fn new(kind: &str, options: &str) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().to_string_lossy().into_owned();
        match run("mount", &["-t", kind, "-o", options, kind, &place]) {
            Ok(_) => Some(Self { folder }),
            Err(error) => {
                skip(&format!("no {kind} can be mounted: {error}"));
                None
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        // What cannot be unmounted now is unmounted when its last user goes.
        let _ = run("umount", &["--lazy", &self.folder.path().to_string_lossy()]);
    }
}
