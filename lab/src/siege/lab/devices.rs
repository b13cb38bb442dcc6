//! Devices and mounts of our own, each taken down in `Drop`.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

/// Runs a program of the system; its standard output.
pub(crate) fn system<S: AsRef<OsStr>>(program: &str, words: &[S]) -> Result<String> {
    let output = Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {program}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{program}: {}", said.trim());
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// As `system`, with words parted by blanks before a path.
pub(crate) fn on(line: &str, path: &Path) -> Result<String> {
    let mut words: Vec<&OsStr> = line.split_whitespace().map(OsStr::new).collect();
    words.push(path.as_os_str());
    let program = words.remove(0).to_string_lossy().into_owned();
    system(&program, &words)
}

/// A loop device over a file.
pub(crate) struct LoopDevice {
    pub(crate) path: PathBuf,
    pub(crate) backing: PathBuf,
}

impl LoopDevice {
    pub(crate) fn over(backing: &Path, options: &str) -> Result<Self> {
        let line = format!("losetup --find --show {options}");
        Ok(Self {
            path: on(line.trim(), backing)?.into(),
            backing: backing.to_owned(),
        })
    }

    /// Over a new file in this folder, with these bytes.
    pub(crate) fn holding(folder: &Path, bytes: &[u8]) -> Result<Self> {
        let backing = folder.join("backing");
        std::fs::write(&backing, bytes)?;
        Self::over(&backing, "")
    }

    /// Over a new file in this folder, of zeros that take no room.
    pub(crate) fn empty(folder: &Path, size_bytes: u64) -> Result<Self> {
        let backing = folder.join("backing");
        File::create(&backing)?.set_len(size_bytes)?;
        Self::over(&backing, "")
    }

    pub(crate) fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Major and minor number, as `7:3`.
    pub(crate) fn number(&self) -> Result<String> {
        let text = std::fs::read_to_string(format!("/sys/block/{}/dev", self.name()))?;
        Ok(text.trim().to_owned())
    }
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        if let Err(error) = on("losetup --detach", &self.path) {
            eprintln!("warning: {} is left behind: {error:#}", self.path.display());
        }
    }
}

/// A file system mounted on a folder of ours.
pub(crate) struct Mount {
    pub(crate) place: PathBuf,
}

impl Mount {
    /// Mounts this on a new folder.
    pub(crate) fn new(source: &Path, options: &str, place: &Path) -> Result<Self> {
        std::fs::create_dir(place)?;
        Self::onto(source, options, place)
    }

    /// Mounts this on a folder or file that is there.
    pub(crate) fn onto(source: &Path, options: &str, place: &Path) -> Result<Self> {
        let mut words: Vec<&OsStr> = options.split_whitespace().map(OsStr::new).collect();
        words.extend([source.as_os_str(), place.as_os_str()]);
        system("mount", &words)?;
        let mount = Self {
            place: place.to_owned(),
        };
        // What mounting changes is on the device before anybody looks at it.
        on("sync --file-system", place)?;
        Ok(mount)
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        if on("umount", &self.place).is_err()
            && let Err(error) = on("umount --lazy", &self.place)
        {
            eprintln!("warning: {} stays mounted: {error:#}", self.place.display());
        }
    }
}

/// Swap space in use.
pub(crate) struct Swap {
    path: PathBuf,
}

impl Swap {
    pub(crate) fn on(path: &Path) -> Result<Self> {
        on("mkswap --quiet", path)?;
        // The lowest priority: nothing is to be put there.
        on("swapon --priority 0", path)?;
        Ok(Self {
            path: path.to_owned(),
        })
    }
}

impl Drop for Swap {
    fn drop(&mut self) {
        if let Err(error) = on("swapoff", &self.path) {
            eprintln!("warning: {} stays swap: {error:#}", self.path.display());
        }
    }
}

/// A control group of version 1 or 2 for one controller.
pub(crate) struct Group {
    folder: PathBuf,
    is_unified: bool,
}

impl Group {
    pub(crate) fn new(controller: &str) -> Result<Self> {
        let root = Path::new("/sys/fs/cgroup");
        let controllers = std::fs::read_to_string(root.join("cgroup.controllers"));
        let is_unified =
            controllers.is_ok_and(|all| all.split_whitespace().any(|one| one == controller));
        let parent = match (is_unified, controller) {
            (true, _) => root.to_owned(),
            (false, "io") => root.join("blkio"),
            (false, other) => root.join(other),
        };
        let folder = parent.join(format!("siege-{controller}-{}", std::process::id()));
        std::fs::create_dir(&folder)
            .with_context(|| format!("cannot make the group {}", folder.display()))?;
        Ok(Self { folder, is_unified })
    }

    /// Sets a limit: a file of version 2 and of version 1, with its value.
    pub(crate) fn limit(&self, unified: (&str, &str), legacy: (&str, &str)) -> Result<()> {
        let (file, value) = if self.is_unified { unified } else { legacy };
        std::fs::write(self.folder.join(file), value)
            .with_context(|| format!("cannot set {file} of a group"))
    }

    /// Words that put what follows into the group before it begins.
    pub(crate) fn entering(&self) -> Vec<String> {
        let members = self.folder.join("cgroup.procs");
        let script = format!("echo $$ >{} && exec \"$@\"", members.display());
        ["sh", "-c", &script, "sh"].map(str::to_owned).to_vec()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Who was in it has ended; one left over does no harm and is empty.
        let _ = std::fs::remove_dir(&self.folder);
    }
}
