//! Which other processes have a file or device open. Many do not claim it: virtual machines,
//! databases on raw devices, servers that export it.
//!
//! Root sees the descriptors of all processes of its PID namespace, everybody else those of their
//! own. Openers inside the kernel have no descriptors.

use fathom_platform::fd::AsRawFd as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fathom_platform::fs::{AtFlags, FileType, StatxFlags};

use crate::devnum::DevNum;
use crate::nodes::{Node, NodeKind};
use crate::platform;
use crate::process_list::name_of_process;
use crate::sysfs::names_in;

const PROC: &str = "/proc";
/// Services that look at every disk and only read. Some keep it open for a moment after each
/// change, some for as long as they run.
const LOOKERS: &[&str] = &[
    "(udev-worker)",
    "systemd-udevd",
    "udevd",
    "multipathd",
    "smartd",
    "udisksd",
];

/// A process that has something open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opener {
    /// Its number.
    pub pid: i32,
    /// Its name, as the kernel has it.
    pub name: String,
    /// Whether it may write.
    pub writes: bool,
}

/// Descriptors that a look at processes takes at most: a folder, a file, a process that is waited
/// for.
const DESCRIPTORS: usize = 4;

/// Processes that are waited for: of many, none is a tool that looks and ends.
const MOST_AWAITED: usize = 4;

/// How often is looked at most.
const LOOKS: usize = 4;

/// Other processes that have any of these open, with the place of it in the list. Those that
/// started this one are left out, and those of the same program: of these, each claims or locks
/// what it uses. A tool that is about to end, as `blkid`, is waited for.
///
/// # Errors
///
/// What the system said where processes cannot be looked at, as with too few descriptors. Where
/// there is no `/proc`, nobody is found.
pub fn of(wanted: &[Node]) -> io::Result<Vec<(usize, Opener)>> {
    // As many as are open at once: without them each process would look as if it had nothing open.
    let mut held = Vec::new();
    for _ in 0..DESCRIPTORS {
        match crate::input::open(PROC) {
            Ok(one) => held.push(one),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        }
    }
    drop(held);
    Ok(settled(|| now(wanted), platform::await_end))
}

/// Those who are found twice in a row. A process that is about to start another program has all
/// that its parent has open until then, and each look may find a different one.
fn settled(
    mut look: impl FnMut() -> Vec<(usize, Opener)>,
    await_end: impl Fn(i32),
) -> Vec<(usize, Opener)> {
    let mut found = look();
    for _ in 1..LOOKS {
        if found.is_empty() {
            break;
        }
        for (_, opener) in found.iter().take(MOST_AWAITED) {
            await_end(opener.pid);
        }
        let pids: Vec<i32> = found.iter().map(|(_, opener)| opener.pid).collect();
        found = look();
        if found.iter().any(|(_, opener)| pids.contains(&opener.pid)) {
            break;
        }
    }
    found
}

fn now(wanted: &[Node]) -> Vec<(usize, Opener)> {
    let proc = Path::new(PROC);
    let own = own_file();
    let related = ancestors();
    let pids = names_in(proc).unwrap_or_default();
    let pids = pids.iter().filter_map(|name| name.parse::<i32>().ok());
    let mut found = Vec::new();
    for pid in pids.filter(|pid| !related.contains(pid)) {
        let folder = proc.join(pid.to_string());
        let is_of_same_program = || own.is_some() && identity(&folder.join("exe")) == own;
        let opened = opened_by(&folder, wanted);
        if opened.is_empty() || is_of_same_program() {
            continue;
        }
        // One that ends meanwhile has nothing open.
        let Some(name) = name_of_process(pid) else {
            continue;
        };
        let counts = |(_, writes): &(usize, bool)| *writes || !LOOKERS.contains(&name.as_str());
        let openers = opened.into_iter().filter(counts).map(|(place, writes)| {
            let name = name.clone();
            (place, Opener { pid, name, writes })
        });
        found.extend(openers);
    }
    found
}

/// This process and those that started it: whoever starts a run knows what it has open itself.
fn ancestors() -> Vec<i32> {
    let mut pids = Vec::new();
    let mut next = i32::try_from(std::process::id()).ok();
    while let Some(pid) = next.filter(|pid| *pid > 0 && !pids.contains(pid)) {
        pids.push(pid);
        let status = crate::input::read_text(Path::new(PROC).join(format!("{pid}/status")));
        let status = status.unwrap_or_default();
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
        next = parent.and_then(|number| number.trim().parse().ok());
    }
    pids
}

fn own_file() -> Option<(u64, u64)> {
    identity(&Path::new(PROC).join("self/exe"))
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    use fathom_platform::unix::fs::MetadataExt as _;
    let meta = fs::metadata(path).ok()?;
    Some((meta.dev(), meta.ino()))
}

/// What of these a process has open, each once, and whether to write.
fn opened_by(folder: &Path, wanted: &[Node]) -> Vec<(usize, bool)> {
    let mut opened: Vec<(usize, bool)> = Vec::new();
    for number in names_in(&folder.join("fd")).unwrap_or_default() {
        let Some(node) = node_of(&folder.join("fd").join(&number)) else {
            continue;
        };
        let Some(place) = wanted.iter().position(|one| one.is_same_storage(&node)) else {
            continue;
        };
        let Some(writes) = may_write(&folder.join("fdinfo").join(&number)) else {
            continue;
        };
        match opened.iter_mut().find(|one| one.0 == place) {
            Some(one) => one.1 |= writes,
            None => opened.push((place, writes)),
        }
    }
    opened
}

/// `AT_STATX_DONT_SYNC` of statx(2).
const DONT_SYNC: u32 = 0x4000;

/// What a descriptor leads to. A file system over a network is not asked: it may not answer.
fn node_of(descriptor: &Path) -> Option<Node> {
    let flags = AtFlags::from_bits_retain(DONT_SYNC);
    let asked = StatxFlags::TYPE | StatxFlags::INO;
    let found =
        fathom_platform::fs::statx(fathom_platform::fs::CWD, descriptor, flags, asked).ok()?;
    let kind = match FileType::from_raw_mode(found.stx_mode.into()) {
        FileType::BlockDevice => NodeKind::Block,
        FileType::CharacterDevice => NodeKind::Char,
        FileType::RegularFile => NodeKind::File,
        _ => return None,
    };
    Some(Node {
        kind,
        on: DevNum::new(found.stx_dev_major, found.stx_dev_minor),
        inode: found.stx_ino,
        device: DevNum::new(found.stx_rdev_major, found.stx_rdev_minor),
        size_bytes: 0,
        links: 1,
    })
}

/// Whether a descriptor may be written to, by its `fdinfo`; none if it can be neither read nor
/// written, or is closed by now.
fn may_write(info: &Path) -> Option<bool> {
    let text = crate::input::read_text(info).ok()?;
    let mut lines = text.lines();
    let flags = lines.find_map(|line| line.strip_prefix("flags:"))?;
    let flags = i32::from_str_radix(flags.trim(), 8).ok()?;
    platform::may_write(flags)
}

/// Whether somebody else has a regular file open, the kernel included: nobody else gets a lease of
/// it then (fcntl(2), `F_SETLEASE`).
///
/// # Errors
///
/// What the system said, as where the file system has no leases or the file is another user's.
pub fn is_open(path: &Path) -> io::Result<bool> {
    let file = crate::input::open(path)?;
    if !platform::is_leased_out(&file, true)? {
        return Ok(false);
    }
    let node = Node::of(&file.metadata()?);
    let own = PathBuf::from(PROC).join("self");
    let is_own = |number: &String| {
        *number != file.as_raw_fd().to_string()
            && may_write(&own.join("fdinfo").join(number)) == Some(false)
            && node_of(&own.join("fd").join(number)).is_some_and(|one| one.is_same_storage(&node))
    };
    // Where this process reads it too, only those that write are seen.
    if names_in(&own.join("fd")).is_ok_and(|numbers| numbers.iter().any(is_own)) {
        return platform::is_leased_out(&file, false);
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::process::{Child, Command, Stdio};

    /// A process that has a file open until it is dropped.
    struct Holder(Child);

    impl Holder {
        fn of(file: &File) -> Self {
            let mut command = Command::new("cat");
            command
                .stdin(Stdio::piped())
                .stdout(file.try_clone().unwrap());
            Self(command.spawn().unwrap())
        }
    }

    impl Drop for Holder {
        fn drop(&mut self) {
            drop(self.0.stdin.take());
            let _ = self.0.wait();
        }
    }

    #[test]
    fn who_is_seen_in_one_look_alone_is_about_to_start_something_else() {
        let seen = |looks: &[&[i32]]| {
            let mut looks = looks.iter();
            let look = || {
                let pids = looks.next().expect("no more looks").iter();
                let opener = |pid: &i32| Opener {
                    pid: *pid,
                    name: "a".to_owned(),
                    writes: true,
                };
                pids.map(|pid| (0, opener(pid))).collect()
            };
            let found = settled(look, |_| ()).into_iter();
            found.map(|(_, opener)| opener.pid).collect::<Vec<i32>>()
        };
        let cases: [(&[&[i32]], &[i32]); 6] = [
            (&[&[]], &[]),
            (&[&[7], &[]], &[]),
            (&[&[7], &[7, 8]], &[7, 8]),
            (&[&[7], &[8], &[]], &[]),
            (&[&[7], &[8], &[8]], &[8]),
            (&[&[7], &[8], &[9], &[10]], &[10]),
        ];
        for (looks, expected) in cases {
            assert_eq!(seen(looks), expected, "{looks:?}");
        }
    }

    #[test]
    fn another_process_that_has_a_file_open_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let [read, written, free] =
            ["read", "written", "free"].map(|name| folder.path().join(name));
        let nodes = [&read, &written, &free].map(|path| {
            fs::write(path, "x").unwrap();
            Node::of(&fs::metadata(path).unwrap())
        });
        // What this process has open itself does not count.
        let own = File::open(&free).unwrap();
        let reader = Holder::of(&File::open(&read).unwrap());
        let writer = Holder::of(&fs::OpenOptions::new().append(true).open(&written).unwrap());
        let opener = |holder: &Holder, writes| Opener {
            pid: holder.0.id() as i32,
            name: "cat".into(),
            writes,
        };
        let mut found = of(&nodes).unwrap();
        found.sort_by_key(|(place, _)| *place);
        assert_eq!(
            found,
            [(0, opener(&reader, false)), (1, opener(&writer, true))]
        );
        drop((own, reader, writer));
        assert_eq!(of(&nodes).unwrap(), []);
    }

    #[test]
    fn a_lease_tells_that_a_file_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "x").unwrap();
        let is_open = || match is_open(&path) {
            Ok(is_open) => Some(is_open),
            Err(error) => {
                fathom_testing::skip(format_args!("no leases here: {error}"));
                None
            }
        };
        let Some(free) = is_open() else {
            return;
        };
        assert!(!free);
        let holder = Holder::of(&File::open(&path).unwrap());
        assert_eq!(is_open(), Some(true));
        drop(holder);
        let own = File::open(&path).unwrap();
        assert_eq!(is_open(), Some(false));
        let holder = Holder::of(&fs::OpenOptions::new().append(true).open(&path).unwrap());
        assert_eq!(is_open(), Some(true));
        drop((own, holder));
    }
}
