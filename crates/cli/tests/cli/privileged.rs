//! Things that only root can make. Each is removed again when it goes out of scope, also when its
//! test fails.

use fathom_testing::skip;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Whether the test may go on; says why not.
pub(crate) fn is_root(what: &str) -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        skip(format_args!("{what} needs root"));
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
        // Not in the folder for temporary files, which may be in memory.
        let folder = tempfile::tempdir_in("/var/tmp").expect("a folder");
        Self::within(folder, size_bytes)
    }

    /// Its file lies in this folder, which goes with it.
    pub(crate) fn within(folder: TempDir, size_bytes: u64) -> Option<Self> {
        let file = folder.path().join("backing");
        let backing = std::fs::File::create(&file).expect("a file");
        backing.set_len(size_bytes).expect("a size");
        match run("losetup", &["--find", "--show", &file.to_string_lossy()]) {
            Ok(path) => Some(Self {
                path: path.into(),
                folder,
            }),
            Err(error) => {
                skip(format_args!("no loop device can be made: {error}"));
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
                skip(format_args!("no {kind} can be mounted: {error}"));
                None
            }
        }
    }

    /// A device that has a file system.
    fn of(device: &str, kind: &str, options: &str) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().to_string_lossy().into_owned();
        match run("mount", &["-t", kind, "-o", options, device, &place]) {
            Ok(_) => Some(Self { folder }),
            Err(error) => {
                skip(format_args!("no {kind} can be mounted: {error}"));
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

/// A file system on a loop device of its own.
pub(crate) struct FileSystem {
    // Unmounted before the device goes.
    mounted: Mounted,
    _device: LoopDevice,
}

impl FileSystem {
    /// ext4, where nothing is left to do in the background, without a journal, so that all traffic
    /// is that of files. None where it cannot be made or mounted; says so.
    pub(crate) fn ext4(size_bytes: u64) -> Option<Self> {
        let options = "lazy_itable_init=0,nodiscard";
        let words = ["-q", "-F", "-O", "^has_journal", "-E", options];
        Self::made("ext4", "e2fsprogs", size_bytes, &words, "rw")
    }

    /// btrfs with these mount options.
    pub(crate) fn btrfs(size_bytes: u64, mounted: &str) -> Option<Self> {
        let words = ["--quiet", "--nodiscard"];
        Self::made("btrfs", "btrfs-progs", size_bytes, &words, mounted)
    }

    /// XFS, which can share extents between files; 300 MiB at least.
    pub(crate) fn xfs(size_bytes: u64) -> Option<Self> {
        let words = ["-q", "-K", "-m", "reflink=1"];
        Self::made("xfs", "xfsprogs", size_bytes, &words, "rw")
    }

    fn made(
        kind: &str,
        package: &str,
        size_bytes: u64,
        words: &[&str],
        mounted: &str,
    ) -> Option<Self> {
        let device = LoopDevice::new(size_bytes)?;
        let path = device.path.to_string_lossy().into_owned();
        let words = [words, &[&path]].concat();
        if let Err(error) = run(&format!("mkfs.{kind}"), &words) {
            skip(format_args!(
                "no {kind} can be made (is {package} installed?): {error}"
            ));
            return None;
        }
        Some(Self {
            mounted: Mounted::of(&path, kind, mounted)?,
            _device: device,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        self.mounted.path()
    }
}

/// A control group, of version 2 where it has the controller, of version 1 otherwise.
pub(crate) struct Group {
    folder: PathBuf,
    is_unified: bool,
}

impl Group {
    /// A group for `cpu` or `io`. None where none can be made; says so.
    pub(crate) fn new(controller: &str) -> Option<Self> {
        let root = Path::new("/sys/fs/cgroup");
        let controllers = std::fs::read_to_string(root.join("cgroup.controllers"));
        let is_unified =
            controllers.is_ok_and(|all| all.split_whitespace().any(|one| one == controller));
        let folder = match (is_unified, controller) {
            (true, _) => root.to_owned(),
            (false, "io") => root.join("blkio"),
            (false, other) => root.join(other),
        };
        let folder = folder.join(format!("fathom-{controller}-{}", std::process::id()));
        if is_unified {
            // Fails where it is there already, or where it cannot be; the limit tells.
            let _ = std::fs::write(
                root.join("cgroup.subtree_control"),
                format!("+{controller}"),
            );
        }
        match std::fs::create_dir(&folder) {
            Ok(()) => Some(Self { folder, is_unified }),
            Err(error) => {
                skip(format_args!(
                    "no group with `{controller}` can be made: {error}"
                ));
                None
            }
        }
    }

    /// The file that names who is in it.
    pub(crate) fn members(&self) -> PathBuf {
        self.folder.join("cgroup.procs")
    }

    /// Limits its processor time, percent of one; false, and says so, where that cannot be.
    pub(crate) fn limit_processor(&self, percent: u32) -> bool {
        let quota_us = percent * 1000;
        if self.is_unified {
            self.set("cpu.max", &format!("{quota_us} 100000"))
        } else {
            self.set("cpu.cfs_quota_us", &quota_us.to_string())
        }
    }

    /// Limits its reads from a device; false, and says so, where that cannot be.
    pub(crate) fn limit_reads(&self, device: &LoopDevice, iops: u32) -> bool {
        let name = device.path.file_name().expect("a device").to_string_lossy();
        let number = std::fs::read_to_string(format!("/sys/block/{name}/dev"));
        let number = number.expect("its number");
        let number = number.trim();
        if self.is_unified {
            self.set("io.max", &format!("{number} riops={iops}"))
        } else {
            self.set(
                "blkio.throttle.read_iops_device",
                &format!("{number} {iops}"),
            )
        }
    }

    fn set(&self, file: &str, value: &str) -> bool {
        let written = std::fs::write(self.folder.join(file), value);
        if let Err(error) = &written {
            skip(format_args!("{file} of a group cannot be set: {error}"));
        }
        written.is_ok()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Who was in it has ended; one left over does no harm and is empty.
        let _ = std::fs::remove_dir(&self.folder);
    }
}

/// A memory disk that compresses.
pub(crate) struct Zram {
    number: String,
}

impl Zram {
    /// None where the kernel or a sandbox has none; says so.
    pub(crate) fn new(size_bytes: u64) -> Option<Self> {
        let made = std::fs::read_to_string("/sys/class/zram-control/hot_add").and_then(|number| {
            let zram = Self {
                number: number.trim().to_owned(),
            };
            std::fs::write(zram.attribute("disksize"), size_bytes.to_string())?;
            Ok(zram)
        });
        if let Err(error) = &made {
            skip(format_args!("no zram device can be made: {error}"));
        }
        made.ok()
    }

    fn attribute(&self, name: &str) -> String {
        format!("/sys/block/zram{}/{name}", self.number)
    }

    /// From here on it takes no more than so many bytes of memory, and fails writes beyond.
    pub(crate) fn limit(&self, bytes: u64) {
        std::fs::write(self.attribute("mem_limit"), bytes.to_string()).expect("its own disk");
    }

    pub(crate) fn path(&self) -> PathBuf {
        format!("/dev/zram{}", self.number).into()
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        // A device left over is found by the check after all tests.
        let _ = std::fs::write(self.attribute("reset"), "1");
        let _ = std::fs::write("/sys/class/zram-control/hot_remove", &self.number);
    }
}
