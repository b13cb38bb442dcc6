//! Targets under every name that a path can have. The permission names them plainly, as a person
//! would; what is asked of is who they are, not how they are spelt.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::siege::Siege;
use crate::siege::groups::targets::fronts::FRONTS;
use crate::siege::groups::targets::permission::PERMISSIONS;
use crate::siege::groups::targets::{Attack, Named};
use crate::siege::lab::Lab;
use crate::siege::lab::devices::Mount;
use crate::siege::line::GroupLines;

/// Kinds that are named in all ways: what may be written, and what never may.
const KINDS: [&str; 8] = [
    "blank loop device",
    "blank zram",
    "ext4 device",
    "mounted ext4 device",
    "disk with mounted partition",
    "backing file of a mounted loop",
    "foreign file",
    "own file",
];

const CALLS: [&str; 5] = [
    "run",
    "fio",
    "dd of=",
    "run of a file",
    "fio rw=read verify",
];

/// Another name of a thing: a function of its path and of a folder in which links can be made.
struct Alias {
    name: &'static str,
    make: fn(&Path, &Path) -> Result<Spelt>,
}

struct Spelt {
    path: PathBuf,
    is_stdin: bool,
    _mount: Option<Mount>,
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "it ends functions that make links"
)]
fn spelt(path: impl Into<PathBuf>) -> Result<Spelt> {
    Ok(Spelt {
        path: path.into(),
        is_stdin: false,
        _mount: None,
    })
}

const fn way(name: &'static str, make: fn(&Path, &Path) -> Result<Spelt>) -> Alias {
    Alias { name, make }
}

const WAYS: &[Alias] = &[
    way("relative path", |path, _| {
        // The calls are made in folders two levels below the root.
        spelt(format!("../..{}", path.display()))
    }),
    way("path with ..", |path, _| {
        let parent = path.parent().context("no parent")?;
        let name = parent.file_name().unwrap_or_default();
        spelt(
            parent
                .join("..")
                .join(name)
                .join(path.file_name().context("no name")?),
        )
    }),
    way("path with // and /./", |path, _| {
        spelt(path.to_string_lossy().replace('/', "//./"))
    }),
    way("link", |path, folder| {
        let link = folder.join("way-link");
        symlink(path, &link)?;
        spelt(link)
    }),
    way("link to a link", |path, folder| {
        symlink(path, folder.join("way-first"))?;
        symlink("way-first", folder.join("way-second"))?;
        spelt(folder.join("way-second"))
    }),
    way("link through a linked folder", |path, folder| {
        symlink(
            path.parent().context("no parent")?,
            folder.join("way-folder"),
        )?;
        spelt(
            folder
                .join("way-folder")
                .join(path.file_name().context("no name")?),
        )
    }),
    way("link as in /dev/disk/by-id", |path, folder| {
        let place = folder.join("by-id");
        fs::create_dir_all(&place)?;
        symlink(path, place.join("ata-Siege_1=2:3"))?;
        spelt(place.join("ata-Siege_1=2:3"))
    }),
    way("link as in /dev/block/MAJ:MIN", |path, folder| {
        let place = folder.join("block");
        fs::create_dir_all(&place)?;
        symlink(path, place.join("7:99"))?;
        spelt(place.join("7:99"))
    }),
    way("own node of the same number", |path, folder| {
        let meta = fs::metadata(path)?;
        let node = folder.join("way-node");
        if meta.rdev() == 0 {
            fs::hard_link(path, &node)?;
        } else {
            let mode = Mode::RUSR | Mode::WUSR;
            mknodat(CWD, &node, FileType::BlockDevice, mode, meta.rdev())?;
        }
        spelt(node)
    }),
    way("bind mount", |path, folder| {
        let place = folder.join("way-bound");
        fs::write(&place, "")?;
        let mount = Mount::onto(path, "--bind", &place)?;
        Ok(Spelt {
            path: place,
            is_stdin: false,
            _mount: Some(mount),
        })
    }),
    way("/proc/PID/root", |path, _| {
        spelt(format!(
            "/proc/{}/root{}",
            std::process::id(),
            path.display()
        ))
    }),
    way("/proc/self/fd/0", |_, _| {
        Ok(Spelt {
            path: "/proc/self/fd/0".into(),
            is_stdin: true,
            _mount: None,
        })
    }),
    way("/dev/stdin", |_, _| {
        Ok(Spelt {
            path: "/dev/stdin".into(),
            is_stdin: true,
            _mount: None,
        })
    }),
];

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let make = || Lab::new(&siege.fathom, |kind| KINDS.contains(&kind.name));
    let mut lab = make()?;
    for way in WAYS {
        for call in CALLS {
            let front = FRONTS.iter().find(|front| front.name == call);
            let front = front.context("a front end of that name")?;
            for index in 0..lab.exhibits.len() {
                for permission in PERMISSIONS {
                    siege.go_on()?;
                    let exhibit = &lab.exhibits[index];
                    if !permission.fits(front, exhibit) {
                        continue;
                    }
                    let folder = tempfile::tempdir()?;
                    let spelt = (way.make)(&exhibit.target, folder.path())?;
                    let attack = Attack {
                        front,
                        exhibit,
                        permission,
                    };
                    let target = spelt.path.to_string_lossy();
                    let named = Named {
                        target: &target,
                        stdin: spelt.is_stdin.then_some(exhibit.target.as_path()),
                        how: format!(" by {}", way.name),
                        is_strange: true,
                    };
                    if !attack.make_named(siege, &lab, lines, &named)? {
                        drop(lab);
                        lab = make()?;
                    }
                }
            }
        }
    }
    Ok(())
}
