//! A machine that does not exist, for tests: a sysfs tree in a temporary directory, laid out with
//! the kernel's symbolic links, and paths that are answered from a table.

use fathom_platform::unix::fs::symlink;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::backing::Backing;
use crate::devnum::DevNum;
use crate::mounts::Mounts;
use crate::nodes::{Node, NodeKind, Nodes};
use crate::openers::Opener;
use crate::signature::{Extent, Signature};
use crate::swap::Swaps;
use crate::sysfs::Sysfs;
use crate::system::System;

#[derive(Default)]
struct Paths {
    nodes: BTreeMap<PathBuf, Node>,
    links: BTreeMap<PathBuf, PathBuf>,
    dangling: Vec<PathBuf>,
    marked: Vec<PathBuf>,
    held: Vec<PathBuf>,
    read_only_dirs: Vec<PathBuf>,
    hides_users: bool,
    namespaces: BTreeMap<PathBuf, u32>,
    signatures: BTreeMap<PathBuf, Vec<Signature>>,
    /// By node of a loop device: what it shows, or none if nobody can find that out.
    loops: BTreeMap<PathBuf, Option<Backing>>,
    openers: Vec<(Node, Opener)>,
    open: Vec<PathBuf>,
    /// Keeps the sysfs tree for as long as the system lives.
    sysfs: Option<TempDir>,
}

/// Builds the machine.
pub(crate) struct Machine {
    dir: TempDir,
    paths: Paths,
    mountinfo: Vec<String>,
    swaps: Vec<String>,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for sub in ["class/block", "dev/block", "devices"] {
            fs::create_dir_all(dir.path().join(sub)).unwrap();
        }
        let mut machine = Self {
            dir,
            paths: Paths::default(),
            mountinfo: Vec::new(),
            swaps: vec!["Filename Type Size Used Priority\n".into()],
        };
        machine.mount("1:99", "/", "ext4", "/dev/root");
        machine.mount("0:6", "/dev", "devtmpfs", "devtmpfs");
        machine
    }

    fn class_link(&self, name: &str) -> PathBuf {
        self.dir.path().join("class/block").join(name)
    }

    fn device(&mut self, relative: &str, name: &str, dev: DevNum, size_mib: u64) {
        let dir = self.dir.path().join("devices").join(relative);
        fs::create_dir_all(dir.join("holders")).unwrap();
        fs::create_dir_all(dir.join("slaves")).unwrap();
        fs::write(dir.join("dev"), format!("{dev}\n")).unwrap();
        fs::write(dir.join("size"), format!("{}\n", size_mib * 2048)).unwrap();
        symlink(format!("../../devices/{relative}"), self.class_link(name)).unwrap();
        let by_number = self.dir.path().join("dev/block").join(dev.to_string());
        symlink(format!("../../devices/{relative}"), by_number).unwrap();
        self.node(&format!("/dev/{name}"), NodeKind::Block, dev);
    }

    pub(crate) fn disk(&mut self, name: &str, dev: DevNum, size_mib: u64) {
        self.device(&format!("virtual/block/{name}"), name, dev, size_mib);
    }

    /// A partition that begins at 1 MiB.
    pub(crate) fn partition(&mut self, disk: &str, name: &str, dev: DevNum, size_mib: u64) {
        self.device(&format!("virtual/block/{disk}/{name}"), name, dev, size_mib);
        self.attribute(name, "partition", "1\n");
        self.attribute(name, "start", "2048\n");
    }

    /// The block device of an NVMe namespace.
    pub(crate) fn namespace(&mut self, controller: &str, name: &str, dev: DevNum, id: u32) {
        self.device(&format!("nvme/{controller}/{name}"), name, dev, 1000);
        self.attribute(name, "nsid", &format!("{id}\n"));
    }

    /// The generic character device of an NVMe namespace.
    pub(crate) fn generic(&mut self, controller: &str, name: &str, dev: DevNum, id: u32) {
        let relative = format!("devices/nvme/{controller}/{name}");
        let root = self.dir.path();
        for dir in [relative.as_str(), "class/nvme-generic", "dev/char"] {
            fs::create_dir_all(root.join(dir)).unwrap();
        }
        let class = root.join(&relative).join("subsystem");
        symlink("../../../../class/nvme-generic", class).unwrap();
        let by_number = root.join("dev/char").join(dev.to_string());
        symlink(format!("../../{relative}"), by_number).unwrap();
        let node = format!("/dev/{name}");
        self.node(&node, NodeKind::Char, dev);
        self.paths.namespaces.insert(node.into(), id);
    }

    pub(crate) fn attribute(&mut self, name: &str, attribute: &str, text: &str) {
        let file = self.class_link(name).join(attribute);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Builds `upper` on `lower`.
    pub(crate) fn stack(&mut self, upper: &str, lower: &[&str]) {
        for name in lower {
            let holder = self.class_link(name).join("holders").join(upper);
            symlink(fs::canonicalize(self.class_link(upper)).unwrap(), holder).unwrap();
            let slave = self.class_link(upper).join("slaves").join(name);
            symlink(fs::canonicalize(self.class_link(name)).unwrap(), slave).unwrap();
        }
    }

    pub(crate) fn btrfs(&mut self, uuid: &str, members: &[&str]) {
        let dir = self.dir.path().join("fs/btrfs").join(uuid).join("devices");
        fs::create_dir_all(&dir).unwrap();
        for name in members {
            symlink(
                fs::canonicalize(self.class_link(name)).unwrap(),
                dir.join(name),
            )
            .unwrap();
        }
    }

    pub(crate) fn mount(&mut self, dev: &str, point: &str, fs_type: &str, source: &str) {
        self.mount_with(dev, point, fs_type, source, "rw");
    }

    pub(crate) fn mount_with(
        &mut self,
        dev: &str,
        point: &str,
        fs_type: &str,
        source: &str,
        options: &str,
    ) {
        let line = format!("1 1 {dev} / {point} rw,relatime - {fs_type} {source} {options}\n");
        self.mountinfo.push(line);
        self.insert(point, NodeKind::Directory, DevNum::default(), dev, 2);
    }

    pub(crate) fn swap(&mut self, path: &str) {
        self.swaps.push(format!("{path} x 1024 0 -1\n"));
    }

    fn insert(&mut self, path: &str, kind: NodeKind, device: DevNum, on: &str, inode: u64) {
        let mut node = Node {
            kind,
            on: on.parse().unwrap(),
            inode,
            device,
            size_bytes: 4096,
            links: 1,
        };
        let others = self.paths.nodes.values();
        node.links += others.filter(|other| node.is_same_storage(other)).count() as u64;
        self.paths.nodes.insert(path.into(), node);
    }

    pub(crate) fn node(&mut self, path: &str, kind: NodeKind, device: DevNum) {
        let inode = 100 + self.paths.nodes.len() as u64;
        self.insert(path, kind, device, "0:6", inode);
    }

    pub(crate) fn file(&mut self, path: &str, on: &str, inode: u64) {
        self.insert(path, NodeKind::File, DevNum::default(), on, inode);
    }

    pub(crate) fn directory(&mut self, path: &str, on: &str, inode: u64) {
        self.insert(path, NodeKind::Directory, DevNum::default(), on, inode);
    }

    pub(crate) fn link(&mut self, path: &str, to: &str) {
        self.paths.links.insert(path.into(), to.into());
    }

    pub(crate) fn dangling(&mut self, path: &str) {
        self.paths.dangling.push(path.into());
    }

    pub(crate) fn marked(&mut self, path: &str) {
        self.paths.marked.push(path.into());
    }

    pub(crate) fn held(&mut self, path: &str) {
        self.paths.held.push(path.into());
    }

    /// Attaches a loop device to what a path leads to now. The kernel gives `shown` as its path.
    pub(crate) fn attach(&mut self, name: &str, path: &str, shown: &str) {
        let backing = self.paths.stat(Path::new(path)).unwrap();
        self.attribute(name, "loop/backing_file", &format!("{shown}\n"));
        let node = format!("/dev/{name}").into();
        self.paths
            .loops
            .insert(node, Some(Backing::of_node(&backing)));
    }

    /// Attaches a loop device that cannot be asked what it shows.
    pub(crate) fn attach_hidden(&mut self, name: &str, shown: &str) {
        self.attribute(name, "loop/backing_file", &format!("{shown}\n"));
        let node = format!("/dev/{name}").into();
        self.paths.loops.insert(node, None);
    }

    /// A value in the kernel's configuration of servers.
    pub(crate) fn configured(&mut self, path: &str, text: &str) {
        let file = self.dir.path().join("kernel/config").join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Somebody has it open.
    pub(crate) fn opened(&mut self, path: &str, pid: i32, name: &str, writes: bool) {
        let node = self.paths.stat(Path::new(path)).unwrap();
        let name = name.to_owned();
        self.paths
            .openers
            .push((node, Opener { pid, name, writes }));
        self.paths.open.push(path.into());
    }

    /// Nothing shows who uses a disk, as on Windows.
    pub(crate) const fn hides_users(&mut self) {
        self.paths.hides_users = true;
    }

    pub(crate) fn read_only_dir(&mut self, path: &str) {
        self.paths.read_only_dirs.push(path.into());
    }

    pub(crate) fn carries(&mut self, path: &str, signatures: &[Signature]) {
        self.paths
            .signatures
            .insert(path.into(), signatures.to_vec());
    }

    pub(crate) fn system(mut self) -> System {
        let sysfs = Sysfs::at(self.dir.path());
        self.paths.sysfs = Some(self.dir);
        System {
            sysfs,
            mounts: Mounts::parse(self.mountinfo.concat().as_bytes()).unwrap(),
            swaps: Swaps::parse(self.swaps.concat().as_bytes()).unwrap(),
            nodes: Box::new(self.paths),
        }
    }
}

impl Paths {
    fn target<'a>(&'a self, path: &'a Path) -> &'a Path {
        self.links.get(path).map_or(path, PathBuf::as_path)
    }
}

impl Nodes for Paths {
    fn stat(&self, path: &Path) -> io::Result<Node> {
        let found = self.nodes.get(self.target(path));
        found.copied().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn is_unguarded(&self, path: &Path, kind: Option<NodeKind>) -> bool {
        let is_device = kind == Some(NodeKind::Block);
        self.hides_users && (is_device || path.to_string_lossy().starts_with(r"\\.\"))
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.stat(path).map(|_| self.target(path).to_owned())
    }

    fn has_entry(&self, path: &Path) -> bool {
        self.dangling.iter().any(|link| link == path) || self.stat(path).is_ok()
    }

    fn may_create_in(&self, dir: &Path) -> io::Result<()> {
        if self.read_only_dirs.iter().any(|read_only| read_only == dir) {
            return Err(io::ErrorKind::ReadOnlyFilesystem.into());
        }
        Ok(())
    }

    fn is_marked(&self, path: &Path) -> io::Result<bool> {
        Ok(self.marked.iter().any(|marked| marked == self.target(path)))
    }

    fn is_held(&self, path: &Path) -> io::Result<bool> {
        Ok(self.held.iter().any(|held| held == self.target(path)))
    }

    fn namespace_id(&self, path: &Path) -> io::Result<u32> {
        let found = self.namespaces.get(self.target(path));
        found.copied().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn loop_backing(&self, node: &Path, _number: DevNum) -> io::Result<Option<Backing>> {
        match self.loops.get(self.target(node)) {
            Some(Some(backing)) => Ok(Some(*backing)),
            Some(None) => Err(io::ErrorKind::NotFound.into()),
            None => Err(io::ErrorKind::PermissionDenied.into()),
        }
    }

    fn is_open(&self, file: &Path) -> io::Result<bool> {
        Ok(self.open.iter().any(|open| open == self.target(file)))
    }

    fn openers(&self, wanted: &[Node]) -> io::Result<Vec<(usize, Opener)>> {
        let place = |node: &Node| wanted.iter().position(|one| one.is_same_storage(node));
        let openers = self.openers.iter();
        let found = openers.filter_map(|(node, by)| Some((place(node)?, by.clone())));
        Ok(found.collect())
    }

    fn signatures(&self, path: &Path, _extent: Extent) -> io::Result<Vec<Signature>> {
        Ok(self
            .signatures
            .get(self.target(path))
            .cloned()
            .unwrap_or_default())
    }

    fn first_bytes(&self, _path: &Path, _offset: u64) -> io::Result<Vec<u8>> {
        Ok(b"what somebody keeps".to_vec())
    }
}
