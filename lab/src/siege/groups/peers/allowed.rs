//! The list of what a host lets be written: what it does not name, what others have written, and
//! what leads elsewhere. Each is asked for with all that options can give up.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::servers::Server;
use crate::siege::Siege;
use crate::siege::fathom::Ended;
use crate::siege::lab::devices::LoopDevice;
use crate::siege::line::GroupLines;

const MIB: u64 = 1 << 20;
/// Bytes of each file that is attacked.
const FILE_BYTES: usize = 256 << 10;

/// Folders that only root may write to, and what is in them.
struct Host {
    folder: tempfile::TempDir,
}

impl Host {
    fn new() -> Result<Self> {
        let folder = tempfile::tempdir_in("/run").context("no folder of root alone")?;
        for name in ["own", "scratch", "beside"] {
            fs::create_dir(folder.path().join(name))?;
            fs::write(folder.path().join(name).join("data"), vec![1; FILE_BYTES])?;
        }
        let out = folder.path().join("scratch/out");
        symlink(folder.path().join("beside/data"), out)?;
        let host = Self { folder };
        host.list("allow", 0o644)?;
        Ok(host)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn list(&self, name: &str, mode: u32) -> Result<PathBuf> {
        let path = self.path(name);
        let (own, scratch) = (self.path("own"), self.path("scratch"));
        let text = format!(
            "device NOBODY gpt\nfolder {}\noverwrite {}\n",
            own.display(),
            scratch.display()
        );
        fs::write(&path, text)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
        Ok(path)
    }
}

/// Whether a file is as it was.
fn is_intact(path: &Path) -> Result<bool> {
    Ok(fs::read(path)? == vec![1; FILE_BYTES])
}

/// Has a target written under a list.
fn write(siege: &Siege, target: &Path, list: &Path, more: &str) -> Result<Ended> {
    let words = format!(
        "fio --name=w --rw=write --bs=4k --size=256k --no-save {more} --filename={}",
        target.display()
    );
    let call = siege.fathom.line(&words);
    call.within(&format!("env FATHOM_ALLOW={}", list.display()))
        .end()
}

pub(super) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let host = Host::new()?;
    let good = host.path("allow");
    files(siege, lines, &host, &good)?;
    devices(siege, lines, &host, &good)?;
    server(siege, lines, &host, &good)
}

fn files(siege: &Siege, lines: &mut GroupLines<'_>, host: &Host, good: &PathBuf) -> Result<()> {
    let loose = host.list("loose", 0o666)?;
    let common = tempfile::tempdir()?;
    let in_common = common.path().join("allow");
    fs::copy(good, &in_common)?;
    for (done, name, list, more, may) in [
        ("a file nearby", "beside/data", good, "--overwrite", false),
        (
            "a link to a file nearby",
            "scratch/out",
            good,
            "--overwrite",
            false,
        ),
        (
            "a file of somebody in a listed folder",
            "own/data",
            good,
            "",
            false,
        ),
        ("a new file nearby", "beside/new", good, "", false),
        (
            "a file that may be overwritten",
            "scratch/data",
            good,
            "",
            true,
        ),
        (
            "by a list of mode 0666",
            "scratch/data",
            &loose,
            "--overwrite",
            false,
        ),
        (
            "by a list in /tmp",
            "scratch/data",
            &in_common,
            "--overwrite",
            false,
        ),
    ] {
        siege.go_on()?;
        let target = host.path(name);
        let was_there = target.exists();
        let ended = write(siege, &target, list, more)?;
        let is_untouched = if was_there {
            is_intact(&target)?
        } else {
            !target.exists()
        };
        lines.add(
            format!("with a list: {done}"),
            if may { "it is written" } else { "refused" },
            format!("{}; written: {}", ended.told(), !is_untouched),
            if may {
                ended.status == Some(0) && !is_untouched
            } else {
                ended.is_refusal() && is_untouched
            },
        );
        if was_there {
            fs::write(&target, vec![1; FILE_BYTES])?;
        }
    }
    Ok(())
}

fn devices(siege: &Siege, lines: &mut GroupLines<'_>, host: &Host, good: &Path) -> Result<()> {
    let device = LoopDevice::empty(host.folder.path(), MIB)?;
    let name = PathBuf::from(device.name());
    let ended = write(siege, &name, good, &format!("--destroy={}", name.display()))?;
    lines.add(
        "with a list: a device that it does not name, with --destroy",
        "refused",
        ended.told(),
        ended.is_refusal(),
    );
    drop(device);
    let image = host.path("scratch/image");
    fs::write(&image, vec![0; MIB as usize])?;
    let shown = LoopDevice::over(&image, "")?;
    let ended = write(siege, &image, good, "--overwrite")?;
    lines.add(
        "with a list: a listed file that a loop device shows",
        "refused",
        ended.told(),
        ended.is_refusal(),
    );
    drop(shown);
    Ok(())
}

fn server(siege: &Siege, lines: &mut GroupLines<'_>, host: &Host, good: &Path) -> Result<()> {
    let folder = host.path("server");
    fs::create_dir(&folder)?;
    let server = Server::start(siege, &folder, Some(good))?;
    for (name, may) in [("beside/data", false), ("scratch/data", true)] {
        let target = host.path(name);
        let ended = server.client(siege, "server", &target)?;
        let is_untouched = is_intact(&target)?;
        lines.add(
            format!("{name} of a server with a list of `own` and `scratch`"),
            if may { "it is written" } else { "refused" },
            format!("{}; written: {}", ended.told(), !is_untouched),
            (ended.status == Some(0)) == may && is_untouched != may && ended.is_orderly(),
        );
    }
    Ok(())
}
