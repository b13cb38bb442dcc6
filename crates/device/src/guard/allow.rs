//! The list of devices and folders that may be written on this host without an option for each run:
//! for servers, members of a cluster and scripts. The administrator of the host maintains it.
//!
//! The list is also a limit: with a list, nothing else is written, whatever options or a remote
//! client ask for. Targets in use are refused as without a list.

use fathom_platform::fd::{AsFd, OwnedFd};
use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use fathom_platform::fs::{CWD, FileType, Mode, OFlags, Stat, fstat, openat};

use super::permission::Destroy;
use super::refusal::fragment;
use crate::block::BlockDevice;
use crate::serial;
use crate::system::System;

/// The environment variable that names the list.
pub const VARIABLE: &str = "FATHOM_ALLOW";
/// The content of a device on which there is nothing known.
pub(super) const EMPTY: &str = "empty";
/// Bytes of a list at most.
const MOST_BYTES: u64 = 1 << 20;
/// Permission bits by which somebody else than the owner may write.
const OTHERS_WRITE: u32 = 0o022;

/// Devices and folders that an operator permits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowList {
    path: PathBuf,
    devices: Vec<Destroy>,
    folders: Vec<Folder>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Folder {
    path: PathBuf,
    /// Whether files that Fathom did not make may be overwritten in it.
    overwrite: bool,
}

/// A list that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}; try {remedy}", self.thing())]
pub struct AllowError {
    path: PathBuf,
    /// Why.
    pub cause: String,
    /// What to do about it.
    pub remedy: String,
}

impl AllowError {
    /// What could not be done.
    pub fn thing(&self) -> String {
        format!("cannot use the allow-list {}", self.path.display())
    }
}

/// Cause and remedy.
pub(super) type Wrong = (String, String);

impl AllowList {
    /// The list that `FATHOM_ALLOW` names; none if it is not set or empty.
    ///
    /// # Errors
    ///
    /// [`AllowError`]
    pub fn of_environment() -> Result<Option<Arc<Self>>, AllowError> {
        let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
        path.map(|path| Self::load(Path::new(&path)).map(Arc::new))
            .transpose()
    }

    /// Reads a list that only root can have written.
    ///
    /// # Errors
    ///
    /// [`AllowError`]
    pub fn load(path: &Path) -> Result<Self, AllowError> {
        let found = text(path).and_then(|text| Self::read(path, &text));
        found.map_err(|(cause, remedy)| AllowError {
            path: path.to_owned(),
            cause,
            remedy,
        })
    }

    pub(super) fn read(path: &Path, text: &str) -> Result<Self, Wrong> {
        let mut list = Self {
            path: path.to_owned(),
            devices: Vec::new(),
            folders: Vec::new(),
        };
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            list.add(line)
                .map_err(|(cause, remedy)| (format!("line {}: {cause}", index + 1), remedy))?;
        }
        Ok(list)
    }

    fn add(&mut self, line: &str) -> Result<(), Wrong> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        match word {
            "device" => self.devices.push(device(rest)?),
            "folder" | "overwrite" => self.folders.push(Folder {
                path: folder(rest)?,
                overwrite: word == "overwrite",
            }),
            _ => {
                let remedy = "device SERIAL CONTENT, folder PATH or overwrite PATH";
                return Err((format!("`{word}` is not known"), remedy.to_owned()));
            }
        }
        Ok(())
    }

    /// Where the list is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The lines that name this device.
    pub(super) fn naming(&self, device: &BlockDevice, system: &System) -> Vec<&Destroy> {
        let names_it = |line: &&Destroy| {
            let serial = serial::of_path(&line.path).unwrap_or_default();
            // Of two disks with one number neither is named.
            serial::find(system, serial).is_ok_and(|path| path == device.path)
        };
        self.devices.iter().filter(names_it).collect()
    }

    /// Whether files may be made and Fathom's own overwritten at this path, which has no symbolic
    /// links, and if so whether all others may be.
    pub(super) fn of_path(&self, path: &Path) -> Option<bool> {
        let above = self.folders.iter();
        let above = above.filter(|folder| path.starts_with(&folder.path));
        above.map(|folder| folder.overwrite).max()
    }
}

fn device(rest: &str) -> Result<Destroy, Wrong> {
    let remedy = "device SERIAL CONTENT, as in `device S3EVNX0K500123 gpt+ext4`; `empty` for a \
                  device without known content";
    let words = rest.rsplit_once(char::is_whitespace);
    let (serial, content) =
        words.ok_or_else(|| ("the content is missing".to_owned(), remedy.to_owned()))?;
    let name = format!("{}{}", serial::PREFIX, serial.trim_end());
    let text = if content == EMPTY {
        name
    } else {
        format!("{name}={content}")
    };
    text.parse()
        .map_err(|error| (format!("{error}"), remedy.to_owned()))
}

fn folder(rest: &str) -> Result<PathBuf, Wrong> {
    let path = Path::new(rest);
    let is_plain = |part| matches!(part, Component::RootDir | Component::Normal(_));
    if !path.is_absolute() || !path.components().all(is_plain) {
        let cause = format!("`{rest}` is not an absolute path");
        return Err((cause, "a path from / on, without ..".to_owned()));
    }
    match fs::canonicalize(path) {
        Ok(real) if real != path => Err((
            format!("{} leads to {}", path.display(), real.display()),
            format!("{} in its place", real.display()),
        )),
        // A folder that is not there yet allows nothing yet.
        Ok(_) | Err(_) => Ok(path.to_owned()),
    }
}

/// The text of a list. Every folder above it is opened and checked, so that only root can have
/// written what is read.
fn text(path: &Path) -> Result<String, Wrong> {
    let unread = |error: &io::Error| {
        let remedy = format!("{VARIABLE}=FILE with a file that can be read");
        (fragment(error), remedy)
    };
    let real = fs::canonicalize(path).map_err(|error| unread(&error))?;
    let way = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let last = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut at: Option<OwnedFd> = None;
    let mut reached = PathBuf::new();
    for part in real.components() {
        reached.push(part);
        let flags = if reached == real { last } else { way };
        let above = at.as_ref().map_or(CWD, AsFd::as_fd);
        #[expect(
            clippy::disallowed_methods,
            reason = "folder by folder; its type is checked before it is read"
        )]
        let opened = openat(above, part.as_os_str(), flags, Mode::empty());
        let opened = opened.map_err(|errno| unread(&errno.into()))?;
        let stat = fstat(&opened).map_err(|errno| unread(&errno.into()))?;
        of_root_alone(&reached, &stat)?;
        if reached == real && FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            let remedy = format!("{VARIABLE}=FILE with a regular file");
            return Err((format!("{} is not a regular file", real.display()), remedy));
        }
        at = Some(opened);
    }
    let mut text = String::new();
    let file = fs::File::from(at.ok_or_else(|| unread(&io::ErrorKind::NotFound.into()))?);
    let read = file.take(MOST_BYTES + 1).read_to_string(&mut text);
    read.map_err(|error| unread(&error))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(unread(&io::Error::other("it is longer than 1 MiB")));
    }
    Ok(text)
}

fn of_root_alone(path: &Path, stat: &Stat) -> Result<(), Wrong> {
    let path = path.display();
    if stat.st_uid != 0 {
        let cause = format!("{path} belongs to user {} and not to root", stat.st_uid);
        return Err((cause, format!("chown root {path}")));
    }
    if stat.st_mode & OTHERS_WRITE != 0 {
        let mode = stat.st_mode & 0o7777;
        let cause = format!("others may write to {path}: its mode is {mode:04o}");
        let remedy = format!("chmod go-w {path}, or a file in a folder such as /etc");
        return Err((cause, remedy));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::unix::fs::PermissionsExt as _;

    fn read(text: &str) -> Result<AllowList, Wrong> {
        AllowList::read(Path::new("/etc/fathom/allow"), text)
    }

    #[test]
    fn lines_name_devices_and_folders() {
        let text = "# what the lab may write\n\ndevice S3EV 0012  gpt+ext4\n device S4 empty\n\
                    folder /no/such folder\noverwrite /no/scratch\n";
        let named = |serial: &str, signature: Option<&str>| Destroy {
            path: format!("serial:{serial}").into(),
            signature: signature.map(str::to_owned),
        };
        let folder = |path: &str, overwrite| Folder {
            path: path.into(),
            overwrite,
        };
        let list = read(text).expect("a list");
        assert_eq!(
            list,
            AllowList {
                path: "/etc/fathom/allow".into(),
                devices: vec![named("S3EV 0012", Some("gpt+ext4")), named("S4", None)],
                folders: vec![
                    folder("/no/such folder", false),
                    folder("/no/scratch", true)
                ],
            }
        );
        for (path, expected) in [
            ("/no/such folder/a/b", Some(false)),
            ("/no/scratch/a", Some(true)),
            ("/no/scratches/a", None),
            ("/no", None),
        ] {
            assert_eq!(list.of_path(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn what_is_no_line_is_refused_with_its_number() {
        let device = "device SERIAL CONTENT, as in `device S3EVNX0K500123 gpt+ext4`; `empty` for a \
                      device without known content";
        for (text, cause, remedy) in [
            (
                "\nallow /srv\n",
                "line 2: `allow` is not known",
                "device SERIAL CONTENT, folder PATH or overwrite PATH",
            ),
            ("device S4", "line 1: the content is missing", device),
            (
                "device S4 ext5",
                "line 1: \"ext5\" is no signature known; write DEVICE=SIGNATURE, as \
                 /dev/sdb=ext4 or /dev/sdb=gpt+vfat+ext4",
                device,
            ),
            (
                "folder srv",
                "line 1: `srv` is not an absolute path",
                "a path from / on, without ..",
            ),
            (
                "folder /srv/../etc",
                "line 1: `/srv/../etc` is not an absolute path",
                "a path from / on, without ..",
            ),
            (
                "folder /proc/self",
                &format!("line 1: /proc/self leads to /proc/{}", std::process::id()),
                &format!("/proc/{} in its place", std::process::id()),
            ),
        ] {
            let expected = Err((cause.to_owned(), remedy.to_owned()));
            assert_eq!(read(text), expected, "{text}");
        }
    }

    /// The folder for temporary files is one to which everybody may write.
    #[test]
    fn a_list_that_others_could_have_written_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("allow");
        let refused = |cause: &str| {
            let error = AllowList::load(&list).expect_err("refused");
            assert_eq!(error.cause, cause);
            assert_eq!(error.path, list);
        };
        refused("no such file or directory");
        std::fs::write(&list, "folder /srv\n").expect("a file");
        std::fs::set_permissions(&list, fs::Permissions::from_mode(0o644)).expect("a mode");
        let above = folder.path().parent().expect("a folder above");
        let mode = fs::metadata(above).expect("it is there").permissions();
        if above == Path::new("/tmp") && mode.mode() & 0o022 != 0 {
            let mode = mode.mode() & 0o7777;
            refused(&format!("others may write to /tmp: its mode is {mode:04o}"));
        }
    }

    #[test]
    fn only_root_has_a_hand_in_a_list() {
        let own = fstat(fs::File::open("/proc/version").expect("Linux")).expect("a file");
        assert_eq!(of_root_alone(Path::new("/a"), &own), Ok(()));
        let with = |uid, mode| {
            let mut stat = own;
            stat.st_uid = uid;
            stat.st_mode = mode;
            of_root_alone(Path::new("/a"), &stat)
        };
        let user = "/a belongs to user 7 and not to root".to_owned();
        assert_eq!(with(7, 0o100_644), Err((user, "chown root /a".to_owned())));
        let remedy = "chmod go-w /a, or a file in a folder such as /etc".to_owned();
        for mode in [0o020, 0o002] {
            let cause = format!("others may write to /a: its mode is {mode:04o}");
            assert_eq!(with(0, 0o100_000 | mode), Err((cause, remedy.clone())));
        }
    }
}
