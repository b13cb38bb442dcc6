//! Devices and files that others use, whom no path leads to: loop devices attached by a name that
//! is gone or means something else, in this mount namespace or another, and processes that have
//! something open and do not claim it. All of it is given up by name, and nothing may be written.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, bail};
use rustix::event::{Timespec, poll};

use crate::siege::Siege;
use crate::siege::groups::targets::seen;
use crate::siege::lab::Damage;
use crate::siege::lab::contents::{DEVICE, EXT4, MIB, noise};
use crate::siege::lab::devices::{LoopDevice, Mount, on, system};
use crate::siege::line::GroupLines;

/// What is attacked.
struct Stack {
    target: PathBuf,
    /// What holds its bytes.
    watched: PathBuf,
    /// What `--destroy` says that it carries.
    carries: &'static str,
    /// Taken down in this order.
    guards: Vec<Box<dyn std::any::Any>>,
}

impl Drop for Stack {
    fn drop(&mut self) {
        while self.guards.pop().is_some() {}
    }
}

type Case = (&'static str, fn(&Path) -> Result<Stack>);

const CASES: &[Case] = &[
    (
        "device below a mounted loop device whose node is gone",
        node_gone,
    ),
    (
        "device below a loop device whose node means another",
        node_turned,
    ),
    (
        "device below two loop devices, the upper one mounted",
        two_above,
    ),
    ("file below a loop device whose name is gone", file_gone),
    (
        "file below a loop device of another mount namespace",
        file_elsewhere,
    ),
    (
        "device by a node in a folder, mounted by another",
        node_in_folder,
    ),
    ("device that a process has open to write", device_written),
    ("device that a process has open to read", device_read),
    (
        "disk of which a process has the partition open",
        partition_open,
    ),
    ("file that a process has open to write", file_written),
    ("device that a server of NBD exports", exported),
    ("loop device whose file a process has open", backing_open),
];

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for (name, make) in CASES {
        siege.go_on()?;
        let folder = tempfile::tempdir()?;
        let stack = match make(folder.path()) {
            Ok(stack) => stack,
            Err(error) => {
                lines.skip(format!("{name}: {error:#}"));
                continue;
            }
        };
        let before = std::fs::read(&stack.watched)?;
        let target = stack.target.display();
        let words = format!(
            "run random-write-4k --size 64KiB --ios 16 --warm-up 0s --engine psync --no-save \
             --quiet --overwrite --target {target} --destroy {target}={}",
            stack.carries
        );
        let ended = siege.fathom.line(&words).end()?;
        let mut damage = Damage::default();
        if std::fs::read(&stack.watched)? != before {
            damage.unnamed.push(stack.watched.display().to_string());
        }
        let is_met = ended.is_refusal() && damage == Damage::default();
        lines.add(
            *name,
            "refused, nothing changed",
            seen(&ended, &damage),
            is_met,
        );
    }
    Ok(())
}

fn device(folder: &Path) -> Result<LoopDevice> {
    LoopDevice::holding(folder, &noise(71, DEVICE))
}

/// A loop device over another by a node of its own, which is removed.
fn above(lower: &LoopDevice, node: &Path) -> Result<LoopDevice> {
    let number = lower.number()?;
    let (major, minor) = number.split_once(':').context("a number")?;
    let node_text = node.to_string_lossy();
    system("mknod", &[&*node_text, "b", major, minor])?;
    let upper = LoopDevice::over(node, "");
    std::fs::remove_file(node)?;
    upper
}

fn of_device(device: LoopDevice, carries: &'static str) -> Stack {
    Stack {
        target: device.path.clone(),
        watched: device.backing.clone(),
        carries,
        guards: vec![Box::new(device)],
    }
}

impl Stack {
    fn guard(mut self, guard: impl std::any::Any) -> Self {
        self.guards.push(Box::new(guard));
        self
    }
}

fn node_gone(folder: &Path) -> Result<Stack> {
    let lower = device(folder)?;
    let upper = above(&lower, &folder.join("node"))?;
    on(EXT4, &upper.path)?;
    let mount = Mount::new(&upper.path, "-t ext4 -o noatime", &folder.join("mounted"))?;
    Ok(of_device(lower, "ext4").guard(upper).guard(mount))
}

fn node_turned(folder: &Path) -> Result<Stack> {
    let lower = device(folder)?;
    let node = folder.join("node");
    let upper = above(&lower, &node)?;
    std::fs::write(&node, "something else")?;
    Ok(of_device(lower, "data").guard(upper))
}

fn two_above(folder: &Path) -> Result<Stack> {
    let lower = device(folder)?;
    let upper = above(&lower, &folder.join("node"))?;
    let highest = above(&upper, &folder.join("node"))?;
    on(EXT4, &highest.path)?;
    let mount = Mount::new(&highest.path, "-t ext4 -o noatime", &folder.join("mounted"))?;
    Ok(of_device(lower, "ext4")
        .guard(upper)
        .guard(highest)
        .guard(mount))
}

fn of_file(file: PathBuf, guard: impl std::any::Any) -> Stack {
    Stack {
        target: file.clone(),
        watched: file,
        carries: "data",
        guards: vec![Box::new(guard)],
    }
}

/// A file with a second name.
fn two_names(folder: &Path) -> Result<(PathBuf, PathBuf)> {
    let (file, other) = (folder.join("file"), folder.join("other"));
    std::fs::write(&file, noise(72, MIB))?;
    std::fs::hard_link(&file, &other)?;
    Ok((file, other))
}

fn file_gone(folder: &Path) -> Result<Stack> {
    let (file, other) = two_names(folder)?;
    let device = LoopDevice::over(&other, "")?;
    std::fs::remove_file(other)?;
    Ok(of_file(file, device))
}

fn file_elsewhere(folder: &Path) -> Result<Stack> {
    let (file, _) = two_names(folder)?;
    let place = folder.join("place");
    std::fs::create_dir(&place)?;
    let script = format!(
        "mount --bind {} {} && losetup --find --show {}/file",
        folder.display(),
        place.display(),
        place.display()
    );
    let path = system("unshare", &["--mount", "sh", "-c", &script])?;
    let device = LoopDevice {
        path: path.into(),
        backing: file.clone(),
    };
    Ok(of_file(file, device))
}

fn node_in_folder(folder: &Path) -> Result<Stack> {
    let lower = device(folder)?;
    on(EXT4, &lower.path)?;
    let mount = Mount::new(&lower.path, "-t ext4 -o noatime", &folder.join("mounted"))?;
    let number = lower.number()?;
    let (major, minor) = number.split_once(':').context("a number")?;
    let node = folder.join("node");
    system("mknod", &[&*node.to_string_lossy(), "b", major, minor])?;
    let mut stack = of_device(lower, "ext4").guard(mount);
    stack.target = node;
    Ok(stack)
}

/// A process that is ended with its place in the stack.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Something that has this open. It is no child of the program under attack, nor its parent.
fn holder(file: File) -> Result<Process> {
    let mut command = Command::new("sleep");
    command.arg("600").stdin(Stdio::null()).stdout(file);
    Ok(Process(command.spawn()?))
}

fn writing(path: &Path) -> Result<Process> {
    holder(File::options().append(true).open(path)?)
}

fn device_written(folder: &Path) -> Result<Stack> {
    let device = device(folder)?;
    let holder = writing(&device.path)?;
    Ok(of_device(device, "data").guard(holder))
}

fn device_read(folder: &Path) -> Result<Stack> {
    let device = device(folder)?;
    let holder = holder(File::open(&device.path)?)?;
    Ok(of_device(device, "data").guard(holder))
}

fn partition_open(folder: &Path) -> Result<Stack> {
    let backing = folder.join("backing");
    std::fs::write(
        &backing,
        crate::siege::lab::contents::partitioned(&noise(73, DEVICE)),
    )?;
    let disk = LoopDevice::over(&backing, "--partscan")?;
    let holder = writing(Path::new(&format!("{}p1", disk.path.display())))?;
    Ok(of_device(disk, "mbr+data").guard(holder))
}

fn file_written(folder: &Path) -> Result<Stack> {
    let (file, _) = two_names(folder)?;
    let holder = writing(&file)?;
    Ok(of_file(file, holder))
}

fn backing_open(folder: &Path) -> Result<Stack> {
    let device = device(folder)?;
    let holder = writing(&device.backing)?;
    Ok(of_device(device, "data").guard(holder))
}

fn exported(folder: &Path) -> Result<Stack> {
    let device = device(folder)?;
    let socket = folder.join("socket");
    let mut command = Command::new("qemu-nbd");
    command.args(["--persistent", "--format=raw", "--socket"]);
    command.arg(&socket).arg(&device.path).stdin(Stdio::null());
    let server = Process(command.spawn().context("qemu-nbd")?);
    let pause = Timespec {
        tv_sec: 0,
        tv_nsec: 10_000_000,
    };
    for _ in 0..500 {
        if socket.exists() {
            return Ok(of_device(device, "data").guard(server));
        }
        let _ = poll(&mut [], Some(&pause));
    }
    bail!("the server does not listen")
}
