//! Loop and zram devices of the test's own on the running kernel: what the made-up machines of the
//! unit tests assume must hold here. Skipped, with the reason printed, without root or where the
//! kernel has no such devices.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
#![expect(clippy::unwrap_used, reason = "a test's helpers are tests too")]

use std::fs;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use fathom_device::guard::{Refusal, Use};
use fathom_device::openers::Opener;
use fathom_device::{
    BlockDevice, BlockKind, ClearedKind, DeviceError, FreeSpace, IoThreads, Permissions, Sampler,
    System, Topology, check_write, list_devices,
};
use tempfile::TempDir;

/// Runs a command and gives its output, or says why not.
fn run(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "{program} {}: {}",
            arguments.join(" "),
            stderr.trim()
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A reason to skip, if there is one.
fn lacking(needed: &str) -> Option<String> {
    if !rustix::process::geteuid().is_root() {
        return Some("not root".into());
    }
    (!Path::new(needed).exists()).then(|| format!("the kernel has no {needed}"))
}

/// A loop device over an image in a temporary directory; both gone in the end.
struct LoopDevice {
    node: PathBuf,
    image: PathBuf,
    dir: TempDir,
    mounted: Option<PathBuf>,
}

impl LoopDevice {
    /// One that begins with these bytes; none where the test is skipped.
    fn here(sector: &[u8]) -> Option<Self> {
        let made = match lacking("/dev/loop-control") {
            Some(reason) => Err(reason),
            None => Self::beginning_with(sector),
        };
        made.inspect_err(|reason| fathom_testing::skip(reason)).ok()
    }

    fn beginning_with(sector: &[u8]) -> Result<Self, String> {
        let dir = tempfile::tempdir().unwrap();
        let image = dir.path().join("image");
        let file = fs::File::create(&image).unwrap();
        file.set_len(32 << 20).unwrap();
        file.write_all_at(sector, 0).unwrap();
        let node = run("losetup", &["--find", "--show", image.to_str().unwrap()])?;
        Ok(Self {
            node: node.into(),
            image,
            dir,
            mounted: None,
        })
    }

    fn node(&self) -> &str {
        self.node.to_str().unwrap()
    }

    fn mount(&mut self, node: &str) -> Result<PathBuf, String> {
        let point = self.dir.path().join("mnt");
        fs::create_dir(&point).unwrap();
        run("mount", &[node, point.to_str().unwrap()])?;
        self.mounted = Some(point.clone());
        Ok(point)
    }

    fn unmount(&mut self) {
        if let Some(point) = self.mounted.take() {
            run("umount", &[point.to_str().unwrap()]).unwrap();
        }
    }
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        if let Some(point) = &self.mounted {
            let _ = run("umount", &[point.to_str().unwrap()]);
        }
        // Detaching alone would leave a partition that was added by hand.
        let _ = run("delpart", &[self.node(), "1"]);
        let _ = run("losetup", &["--detach", self.node()]);
    }
}

fn destroying(text: &str) -> Permissions {
    Permissions {
        destroy: vec![text.parse().unwrap()],
        ..Permissions::default()
    }
}

/// The answer about a target, as of now.
fn answer(target: &Path, permissions: &Permissions) -> Result<ClearedKind, Refusal> {
    let system = System::live().unwrap();
    match check_write(target, permissions, &system) {
        Ok(cleared) => Ok(cleared.kind),
        Err(error) => Err(error.refusal),
    }
}

#[test]
fn a_loop_device_with_a_file_system_is_guarded() {
    let Some(mut device) = LoopDevice::here(&[]) else {
        return;
    };
    let node = device.node.clone();
    let bare = destroying(device.node());
    assert_eq!(
        answer(&node, &bare).unwrap(),
        ClearedKind::BlockDevice(vec![])
    );

    if let Err(reason) = run("mkfs.ext4", &["-q", device.node()]) {
        eprintln!("skipped the rest: {reason}");
        return;
    }
    let named = destroying(&format!("{}=ext4", device.node()));
    assert!(matches!(
        answer(&node, &Permissions::default()),
        Err(Refusal::NotNamed { carries, .. }) if carries == "ext4"
    ));
    assert!(matches!(
        answer(&node, &bare),
        Err(Refusal::Carries { carries, .. }) if carries == "ext4"
    ));
    let Ok(ClearedKind::BlockDevice(carried)) = answer(&node, &named) else {
        panic!("refused although named");
    };
    assert_eq!(carried.iter().map(|s| s.name).collect::<Vec<_>>(), ["ext4"]);

    // The image behind it is in use.
    let overwrite = Permissions {
        overwrite: true,
        ..Permissions::default()
    };
    let by = node.file_name().unwrap().to_str().unwrap().to_owned();
    let Err(Refusal::InUse(uses)) = answer(&device.image, &overwrite) else {
        panic!("the image of an attached loop device was cleared");
    };
    assert_eq!(uses, [Use::Loop { device: None, by }]);

    match device.mount(node.to_str().unwrap()) {
        Ok(point) => {
            let Err(Refusal::InUse(uses)) = answer(&node, &named) else {
                panic!("a mounted device was cleared");
            };
            assert_eq!(
                uses,
                [Use::Mounted {
                    device: None,
                    on: point,
                    fs_type: "ext4".into()
                }]
            );
            device.unmount();
        }
        Err(reason) => eprintln!("skipped the mounted part: {reason}"),
    }
    assert!(answer(&node, &named).is_ok());
}

#[test]
fn a_loop_device_is_guarded_for_one_that_shows_it_by_a_node_that_is_gone() {
    let Some(device) = LoopDevice::here(&[]) else {
        return;
    };
    let minor = device.node().trim_start_matches("/dev/loop");
    let node = device.dir.path().join("node");
    let upper = run("mknod", &[node.to_str().unwrap(), "b", "7", minor])
        .and_then(|_| run("losetup", &["--find", "--show", node.to_str().unwrap()]));
    fs::remove_file(&node).unwrap();
    let upper = LoopDevice {
        node: match upper {
            Ok(node) => node.into(),
            Err(reason) => {
                fathom_testing::skip(reason);
                return;
            }
        },
        image: node,
        dir: tempfile::tempdir().unwrap(),
        mounted: None,
    };
    let by = upper.node().trim_start_matches("/dev/").to_owned();
    let Err(Refusal::InUse(uses)) = answer(&device.node, &destroying(device.node())) else {
        panic!("a device that another one shows was cleared");
    };
    assert_eq!(uses, [Use::Loop { device: None, by }]);
    assert!(answer(&upper.node, &destroying(upper.node())).is_ok());
    drop(upper);
    assert!(answer(&device.node, &destroying(device.node())).is_ok());
}

#[test]
fn a_device_that_a_process_has_open_is_guarded() {
    let Some(device) = LoopDevice::here(&[]) else {
        return;
    };
    let opened = fs::OpenOptions::new()
        .append(true)
        .open(&device.node)
        .unwrap();
    let mut holder = Command::new("cat")
        .stdin(std::process::Stdio::piped())
        .stdout(opened)
        .spawn()
        .unwrap();
    let answered = answer(&device.node, &destroying(device.node()));
    drop(holder.stdin.take());
    holder.wait().unwrap();
    let Err(Refusal::InUse(uses)) = answered else {
        panic!("a device that a process has open was cleared");
    };
    let by = Opener {
        pid: holder.id() as i32,
        name: "cat".to_owned(),
        writes: true,
    };
    assert_eq!(uses, [Use::Open { device: None, by }]);
    assert!(answer(&device.node, &destroying(device.node())).is_ok());
}

/// A master boot record with one Linux partition from 1 MiB, of 16 MiB.
fn one_partition() -> [u8; 512] {
    let mut sector = [0; 512];
    sector[446 + 4] = 0x83;
    sector[446 + 8..446 + 12].copy_from_slice(&2048_u32.to_le_bytes());
    sector[446 + 12..446 + 16].copy_from_slice(&32768_u32.to_le_bytes());
    sector[510..].copy_from_slice(&[0x55, 0xaa]);
    sector
}

#[test]
fn a_disk_is_guarded_for_its_partition() {
    let Some(mut device) = LoopDevice::here(&one_partition()) else {
        return;
    };
    let disk = device.node.clone();
    let partition = format!("{}p1", device.node());
    // Told to the kernel by hand, since it need not know the format of the table.
    let made = run("addpart", &[device.node(), "1", "2048", "32768"])
        .and_then(|_| run("mkfs.ext4", &["-q", &partition]));
    if let Err(reason) = made {
        fathom_testing::skip(reason);
        return;
    }
    let table_only = destroying(&format!("{}=mbr", device.node()));
    assert!(matches!(
        answer(&disk, &table_only),
        Err(Refusal::CarriesOther { carries, .. }) if carries == "mbr+ext4"
    ));
    let all = destroying(&format!("{}=mbr+ext4", device.node()));
    assert!(matches!(
        answer(&disk, &all),
        Ok(ClearedKind::BlockDevice(_))
    ));

    let system = System::live().unwrap();
    let below = Topology::of_path(&system, Path::new(&partition)).unwrap();
    let names: Vec<_> = below.devices[0]
        .rows()
        .iter()
        .map(|row| row.device.name.clone())
        .collect();
    let disk_name = disk.file_name().unwrap().to_str().unwrap();
    assert_eq!(names[..2], [format!("{disk_name}p1"), disk_name.to_owned()]);
    let described = &below.devices[0].device;
    assert_eq!(
        (described.start_bytes, described.size_bytes),
        (Some(1 << 20), 16 << 20)
    );

    let point = match device.mount(&partition) {
        Ok(point) => point,
        Err(reason) => {
            eprintln!("skipped the mounted part: {reason}");
            return;
        }
    };
    let Err(Refusal::InUse(uses)) = answer(&disk, &all) else {
        panic!("a disk with a mounted partition was cleared");
    };
    let used = Some(format!("{disk_name}p1"));
    assert_eq!(
        uses,
        [Use::Mounted {
            device: used,
            on: point,
            fs_type: "ext4".into()
        }]
    );
    device.unmount();
}

#[test]
fn a_claim_keeps_others_out_and_is_noticed_by_them() {
    let Some(device) = LoopDevice::here(&[]) else {
        return;
    };
    let permissions = destroying(device.node());
    let system = System::live().unwrap();
    let cleared = check_write(&device.node, &permissions, &system).unwrap();
    let claim = cleared.claim().unwrap().expect("a block device is claimed");
    let Err(Refusal::InUse(uses)) = answer(&device.node, &permissions) else {
        panic!("a device that somebody holds was cleared");
    };
    assert_eq!(uses, [Use::Held]);
    // Others may still open it without claiming it.
    let opened = fs::OpenOptions::new()
        .write(true)
        .open(&device.node)
        .unwrap();
    cleared.confirm(&opened).unwrap();
    drop(claim);
    assert!(answer(&device.node, &permissions).is_ok());
}

#[test]
fn a_loop_device_is_described_and_leads_to_the_disk_below() {
    let Some(device) = LoopDevice::here(&[]) else {
        return;
    };
    let system = System::live().unwrap();
    let of_device = Topology::of_path(&system, &device.node).unwrap();
    let of_image = Topology::of_path(&system, &device.image).unwrap();
    let described = &of_device.devices[0].device;
    let image = fs::canonicalize(&device.image).unwrap();
    assert_eq!(
        (
            described.kind,
            described.size_bytes,
            described.backing_file.as_ref()
        ),
        (BlockKind::Loop, 32 << 20, Some(&image))
    );
    assert_eq!(of_device.devices[0].children, of_image.devices);

    let listed = list_devices(&system, false).unwrap();
    let same = |tree: &&fathom_device::Tree| tree.device.dev == described.dev;
    assert_eq!(
        listed.iter().find(same).map(|tree| &tree.device),
        Some(described)
    );
    assert!(listed.iter().all(|tree| tree.device.size_bytes > 0));
}

#[test]
fn the_counters_of_a_loop_device_are_exact() {
    let Some(device) = LoopDevice::here(&[]) else {
        return;
    };
    let system = System::live().unwrap();
    let dev = system.block_number(&device.node).unwrap();
    let sampler = Sampler::new(vec![dev]);
    let direct = rustix::fs::OFlags::DIRECT.bits().cast_signed();
    let file = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(direct)
        .open(&device.node)
        .unwrap();
    // Direct I/O wants an aligned buffer: the aligned part of one twice as long.
    let buffer = vec![7_u8; 8192];
    let skip = buffer.as_ptr().align_offset(4096);
    let block = &buffer[skip..skip + 4096];
    let before = sampler.sample(1_000).unwrap();
    for index in 0..16 {
        file.write_all_at(block, index * 8192).unwrap();
    }
    let written = sampler.sample(3_000).unwrap();
    file.sync_all().unwrap();
    let flushed = sampler.sample(4_000).unwrap();

    let [first] = &written.since(&before).unwrap()[..] else {
        panic!("not one device");
    };
    let counted = &first.counters;
    assert_eq!(
        (
            first.span_ns,
            counted.writes,
            counted.writes_merged,
            counted.written_bytes
        ),
        (2_000, 16, 0, 65536)
    );
    assert_eq!((counted.flushes, counted.discards), (Some(0), Some(0)));
    // Kernels differ in whether the empty write that carries a flush is also counted as a write.
    let [second] = &flushed.since(&written).unwrap()[..] else {
        panic!("not one device");
    };
    assert_eq!(
        (second.counters.written_bytes, second.counters.flushes),
        (0, Some(1))
    );
}

/// A zram device; reset and removed in the end.
struct Zram {
    number: String,
}

impl Zram {
    /// Reading `hot_add` makes a device and gives its number.
    fn new(size: &str) -> Result<Self, String> {
        let number = fs::read_to_string("/sys/class/zram-control/hot_add")
            .map_err(|error| format!("zram hot_add: {error}"))?
            .trim()
            .to_owned();
        let zram = Self { number };
        fs::write(zram.attribute("disksize"), size)
            .map_err(|error| format!("zram disksize: {error}"))?;
        Ok(zram)
    }

    fn name(&self) -> String {
        format!("zram{}", self.number)
    }

    fn attribute(&self, name: &str) -> PathBuf {
        Path::new("/sys/block").join(self.name()).join(name)
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        let _ = fs::write(self.attribute("reset"), "1");
        let _ = fs::write("/sys/class/zram-control/hot_remove", &self.number);
    }
}

#[test]
fn a_zram_device_is_described_and_guarded() {
    if let Some(reason) = lacking("/sys/class/zram-control/hot_add") {
        fathom_testing::skip(reason);
        return;
    }
    let zram = match Zram::new("16M") {
        Ok(zram) => zram,
        Err(reason) => {
            fathom_testing::skip(reason);
            return;
        }
    };
    let system = System::live().unwrap();
    let described = BlockDevice::read(&system, &zram.name()).unwrap();
    assert_eq!(
        (described.kind, described.size_bytes),
        (BlockKind::Zram, 16 << 20)
    );
    assert_eq!(described.rotational, Some(false));
    let node = described.path.clone();
    let bare = destroying(node.to_str().unwrap());
    assert_eq!(
        answer(&node, &bare).unwrap(),
        ClearedKind::BlockDevice(vec![])
    );

    if let Err(reason) = run("mkswap", &[node.to_str().unwrap()]) {
        eprintln!("skipped the rest: {reason}");
        return;
    }
    assert!(matches!(
        answer(&node, &bare),
        Err(Refusal::Carries { carries, .. }) if carries == "swap"
    ));
    let named = destroying(&format!("{}=swap", node.display()));
    assert!(matches!(
        answer(&node, &named),
        Ok(ClearedKind::BlockDevice(_))
    ));
}

#[test]
fn this_machine_is_understood() {
    let system = System::live().unwrap();
    for tree in list_devices(&system, true).unwrap() {
        // Reading again gives the same, so listing has read all of it.
        let again = match BlockDevice::by_number(&system, tree.device.dev) {
            Ok(again) => again,
            // A device of another test, removed meanwhile.
            Err(DeviceError::NoDevice { .. }) => continue,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(
            (again.name, again.path),
            (tree.device.name, tree.device.path)
        );
    }
    let here = Topology::of_path(&system, Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert!(here.mount.is_some());
    assert!(FreeSpace::of_path(&here.path).unwrap().total_bytes > 0);
    assert_eq!(IoThreads::read().unwrap(), IoThreads::default());
}
