//! The guest: started once for each kind of disk, stopped before it writes, and taken up again from
//! there for each kill.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::qmp::Qmp;
use super::stack::{Backing, Disk, Stack};
use super::volatile::{Dropped, Manner, Volatile};
use crate::nbd;
use crate::siege::random::Random;
use xtask::dist::program;
use xtask::image::{self, Packages};
use xtask::metadata;
use xtask::sources;

const MEMORY_MIB: &str = "1024";

/// How long a guest may take to come up, or to write its first.
const PATIENCE: Duration = Duration::from_mins(4);
const PAUSE: Duration = Duration::from_millis(10);

/// Between these after the first acknowledgement, in ms, power is cut.
const CUT_MS: (u64, u64) = (20, 1500);

/// What it says when it has ended by itself, or could not begin.
const ENDED: &str = "lab: it ended";
const PANIC: &str = "Kernel panic";

/// What it says when only the word to write is missing.
const READY: &str = "lab: ready";

/// Kernel and first file system.
pub(super) struct Guest {
    kernel: PathBuf,
    initrd: PathBuf,
}

/// A guest that stopped before it wrote, and its disk as it was then.
pub(super) struct Frozen {
    state: PathBuf,
    disk: PathBuf,
}

/// What a kill left.
pub(super) struct Left {
    disk: PathBuf,
    pub(super) log: PathBuf,
    pub(super) owed: u64,
    pub(super) surely_owed: u64,
}

/// QEMU at work; it goes when this does.
struct Machine {
    child: Child,
    qmp: Qmp,
}

impl Drop for Machine {
    fn drop(&mut self) {
        // What has ended cannot be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How QEMU has the disk.
struct Drive {
    options: String,
    server: Option<std::thread::JoinHandle<std::io::Result<Volatile>>>,
}

impl Guest {
    pub(super) fn build(binary: &Path, place: &Path) -> Result<Self> {
        let target = metadata::members()?.target_directory.join("image");
        let packages = Packages::gather(&target, &[])?;
        let kernel = packages.kernel()?;
        let mut tree = image::tree(&packages, &kernel, fs::read(binary)?, &[])?;
        let init = fs::read(sources::root().join("lab/guest/cut"))?;
        tree.file("init", 0o755, init);
        let initrd = place.join("initrd");
        fs::write(&initrd, tree.pack(0))?;
        Ok(Self {
            kernel: kernel.image,
            initrd,
        })
    }

    /// Starts a guest with a disk of this kind, and stops it when it is ready to write.
    pub(super) fn freeze(&self, disk: Disk, place: &Path) -> Result<Frozen> {
        let place = place.join(disk.name());
        fs::create_dir(&place)?;
        let image = place.join("disk");
        File::create(&image)?.set_len(disk.size_bytes())?;
        match disk.file_system() {
            Some("ext4") => {
                program::output(Command::new("mkfs.ext4").args(["-q", "-F"]).arg(&image))?;
            }
            Some(kind) => {
                program::output(Command::new(format!("mkfs.{kind}")).arg("-q").arg(&image))?;
            }
            None => {}
        }
        let manner = Backing::Nbd(Manner::Honest);
        let drive = Drive::new(manner, &image, &place, Random::new(0))?;
        let console = place.join("console");
        let mut machine = self.start(disk, &drive, &place, None)?;
        wait_for_either(&console, READY, &console, PANIC)?;
        machine.qmp.ask("stop", &json!({}))?;
        let state = place.join("state");
        let uri = format!("exec:cat >{}", state.display());
        machine.qmp.ask("migrate", &json!({"uri": uri}))?;
        let ended = machine
            .qmp
            .wait("query-migrate", "status", &["completed", "failed"])?;
        ensure!(ended == "completed", "the guest cannot be stopped and kept");
        drop(machine);
        if let Some(mut left) = drive.left()? {
            left.write_back()?;
        }
        Ok(Frozen { state, disk: image })
    }

    /// Takes a guest up again, has it write, and kills it.
    pub(super) fn cut(
        &self,
        from: &Frozen,
        stack: &Stack,
        place: &Path,
        random: &mut Random,
    ) -> Result<Left> {
        let disk = place.join("disk");
        let log = place.join("witness");
        let copied = Command::new("cp")
            .arg("--sparse=always")
            .args([&from.disk, &disk])
            .status();
        ensure!(copied?.success(), "the disk cannot be copied");
        let drive = Drive::new(stack.backing, &disk, place, Random::new(random.next()))?;
        let after = Duration::from_millis(CUT_MS.0 + random.below(CUT_MS.1 - CUT_MS.0));
        let mut machine = self.start(stack.disk, &drive, place, Some(&from.state))?;
        // It comes as it was left: stopped.
        machine.qmp.wait("query-status", "status", &["paused"])?;
        machine.qmp.ask("cont", &json!({}))?;
        let words = format!("{} --promise {}\n", stack.disk.target(), stack.promise);
        let console = machine.child.stdin.as_mut().context("no console")?;
        console.write_all(words.as_bytes())?;
        console.flush()?;
        wait_for_either(&log, " ack ", &place.join("console"), ENDED)?;
        std::thread::sleep(after);
        drop(machine);
        let dropped = match drive.left()? {
            Some(left) => left.cut()?,
            None => Dropped::default(),
        };
        Ok(Left {
            disk: place.join("disk"),
            log,
            owed: dropped.owed,
            surely_owed: dropped.surely_owed,
        })
    }

    fn start(
        &self,
        disk: Disk,
        drive: &Drive,
        place: &Path,
        state: Option<&Path>,
    ) -> Result<Machine> {
        let socket = place.join("monitor");
        let cached = if disk.has_cache() { "on" } else { "off" };
        let witness = format!("file:{}", place.join("witness").display());
        let words = format!(
            "quiet panic=5 no_timer_check console=ttyS0 labfs={}",
            disk.file_system().unwrap_or("none")
        );
        let mut command = Command::new("qemu-system-x86_64");
        command
            .args([
                "-accel", "tcg", "-cpu", "max", "-smp", "1", "-m", MEMORY_MIB,
            ])
            .args([
                "-display",
                "none",
                "-no-reboot",
                "-nic",
                "none",
                "-monitor",
                "none",
            ])
            .args(["-serial", "stdio", "-serial", &witness])
            .arg("-qmp")
            .arg(format!("unix:{},server=on,wait=off", socket.display()))
            .args(["-drive", &drive.options])
            .arg("-device")
            .arg(format!("virtio-blk-pci,drive=disk,write-cache={cached}"))
            .arg("-kernel")
            .arg(&self.kernel)
            .arg("-initrd")
            .arg(&self.initrd)
            .args(["-append", &words])
            .stdin(Stdio::piped())
            .stdout(File::create(place.join("console"))?)
            .stderr(File::create(place.join("errors"))?);
        if let Some(state) = state {
            command
                .arg("-incoming")
                .arg(format!("exec:cat {}", state.display()));
        }
        let child = command.spawn().context("cannot run qemu-system-x86_64")?;
        let qmp = Qmp::connect(&socket)
            .with_context(|| fs::read_to_string(place.join("errors")).unwrap_or_default())?;
        Ok(Machine { child, qmp })
    }
}

impl Drive {
    fn new(backing: Backing, image: &Path, place: &Path, random: Random) -> Result<Self> {
        let of = |format: &str, cache: &str, file: &Path| {
            let file = file.display();
            format!("if=none,id=disk,format={format},cache={cache},file={file}")
        };
        Ok(match backing {
            Backing::Nbd(manner) => {
                let medium = File::options().read(true).write(true).open(image)?;
                let socket = place.join("nbd");
                let server = nbd::serve(&socket, Volatile::new(medium, manner, random))?;
                let file = PathBuf::from(format!("nbd:unix:{}", socket.display()));
                Self {
                    options: of("raw", "writeback", &file),
                    server: Some(server),
                }
            }
            Backing::Raw(cache) => Self {
                options: of("raw", cache, image),
                server: None,
            },
            Backing::Qcow2(cache) => {
                let own = place.join("qcow2");
                let mut convert = Command::new("qemu-img");
                convert.args(["convert", "-f", "raw", "-O", "qcow2"]);
                program::output(convert.args([image, &own]))?;
                Self {
                    options: of("qcow2", cache, &own),
                    server: None,
                }
            }
        })
    }

    /// The disk, when QEMU has gone.
    fn left(self) -> Result<Option<Volatile>> {
        let Some(server) = self.server else {
            return Ok(None);
        };
        let ended = server.join();
        let ended = ended.map_err(|_| anyhow::anyhow!("the server of the disk panicked"))?;
        Ok(Some(ended?))
    }
}

impl Left {
    /// Steps in the acknowledgement log.
    pub(super) fn acknowledged(&self) -> Result<u64> {
        let told = fs::read(&self.log)?;
        Ok(String::from_utf8_lossy(&told).matches(" ack ").count() as u64)
    }

    /// The disk as a raw image.
    pub(super) fn image(&self, backing: Backing, place: &Path) -> Result<PathBuf> {
        if !matches!(backing, Backing::Qcow2(_)) {
            return Ok(self.disk.clone());
        }
        let raw = place.join("raw");
        let mut convert = Command::new("qemu-img");
        convert
            .args(["convert", "-f", "qcow2", "-O", "raw"])
            .arg(place.join("qcow2"));
        program::output(convert.arg(&raw))?;
        Ok(raw)
    }
}

/// Waits until the log has a text in it, and not its other on the console.
fn wait_for_either(log: &Path, text: &str, console: &Path, end: &str) -> Result<()> {
    let began = Instant::now();
    while !holds(log, text) {
        let said = || fs::read_to_string(console).unwrap_or_default();
        ensure!(
            !holds(console, end) && began.elapsed() < PATIENCE,
            "the guest did not come to that; its console:\n{}",
            said()
        );
        std::thread::sleep(PAUSE);
    }
    Ok(())
}

fn holds(file: &Path, text: &str) -> bool {
    let found = fs::read(file).unwrap_or_default();
    String::from_utf8_lossy(&found).find(text).is_some()
}
