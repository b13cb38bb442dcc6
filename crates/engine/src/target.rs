//! An open target: its type, its size, and the alignment of requests.

use crate::error::EngineError;
use crate::file_tree::FileTree;
use crate::namespace::Namespace;
use fathom_platform::fd::{AsFd, BorrowedFd, OwnedFd};
use fathom_platform::fs::{AtFlags, FileType, Mode, OFlags, StatxFlags};
use fathom_platform::io::Errno;
use fathom_platform::ioctl;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a target is to be opened. Without `read` and `write` it is opened for reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenOptions {
    /// Reads will be made.
    pub read: bool,
    /// Writes or trims will be made.
    pub write: bool,
    /// Pass by the page cache (`O_DIRECT`).
    pub direct: bool,
    /// Each write is durable when it completes (`O_DSYNC`).
    pub write_through: bool,
}

/// What kind of file a target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// A regular file.
    File,
    /// A block device or partition.
    BlockDevice,
    /// A directory, for jobs that deal with files in it.
    Directory,
    /// An NVMe namespace by its generic character device.
    NvmeNamespace,
    /// A character device such as the null device: no size, no alignment.
    CharDevice,
}

impl TargetKind {
    /// Whether it is as large as it is, and all of it there.
    pub const fn is_device(self) -> bool {
        matches!(self, Self::BlockDevice | Self::NvmeNamespace)
    }
}

/// A target, open for requests.
#[derive(Debug)]
pub struct OpenTarget {
    /// As it was given.
    pub path: PathBuf,
    /// The open file.
    pub fd: OwnedFd,
    /// Bytes that can be addressed, of a directory its files; half the range of `u64` for a
    /// character device.
    pub size_bytes: u64,
    /// File, device or namespace.
    pub kind: TargetKind,
    /// Whether the page cache is passed by.
    pub direct: bool,
    /// Offsets and lengths must be multiples of this.
    pub offset_align_bytes: u32,
    /// Buffers must start at multiples of this.
    pub memory_align_bytes: u32,
    /// Whether it was opened to be written to.
    pub writes: bool,
    /// Whether each write is to be durable when it completes.
    pub write_through: bool,
    /// Whether most requests go to places that nothing foretells. A mapping tells the kernel, which
    /// then reads no more than is asked for.
    pub random: bool,
    /// Of a zoned block device or namespace, from the start of a zone to that of the next.
    pub zone_bytes: Option<u64>,
    /// Whether a write names its zone alone, and the device finds the place.
    pub appends: bool,
    /// Of an NVMe namespace, what commands to it need to know.
    pub namespace: Option<Namespace>,
    /// The same bytes for `read`, where `fd` itself has none.
    pub contents: Option<OwnedFd>,
    /// Of a directory, the files in it.
    pub files: Option<FilesUse>,
}

/// Files as a job deals with them.
#[derive(Clone, Debug)]
pub struct FilesUse {
    /// Which there are.
    pub tree: Arc<FileTree>,
    /// What is written is durable before the file is closed.
    pub sync: bool,
}

/// Size of a target that has none.
const UNLIMITED_BYTES: u64 = u64::MAX >> 1;

/// What every NVMe controller takes the memory of a command at.
const MEMORY_ALIGN_BYTES: u32 = 4;

/// The alignment that every disk accepts that does not say otherwise.
const DEFAULT_ALIGN_BYTES: u32 = 512;

impl OpenTarget {
    /// Has the kernel drop what the page cache holds of a part, but for what is not written back
    /// yet. It is advice: only the device's counters tell whether reads came from it.
    pub fn drop_pages(&self, offset: u64, len: u64) {
        let len = std::num::NonZeroU64::new(len);
        let _ = fathom_platform::fs::fadvise(
            &self.fd,
            offset,
            len,
            fathom_platform::fs::Advice::DontNeed,
        );
    }

    /// Tells the kernel that no request says where the next one goes, so that it reads no more than
    /// is asked for: it finds an order where a third of a file is in memory by chance, and its
    /// read-ahead answers what is left. It is advice.
    pub fn expect_random(&self) {
        let _ =
            fathom_platform::fs::fadvise(&self.fd, 0, None, fathom_platform::fs::Advice::Random);
    }

    /// Tells the kernel that requests are in order, for which Linux reads twice as far ahead. It is
    /// advice.
    pub fn expect_sequential(&self) {
        let _ = fathom_platform::fs::fadvise(
            &self.fd,
            0,
            None,
            fathom_platform::fs::Advice::Sequential,
        );
    }

    /// Opens an existing file or device.
    ///
    /// # Errors
    ///
    /// [`EngineError::Open`], with the cause and what to try.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Self, EngineError> {
        Self::open_at(path, path, options)
    }

    /// The same for what is held open elsewhere: opened by the name `at`, called `path`.
    ///
    /// # Errors
    ///
    /// [`EngineError::Open`]
    pub fn open_at(at: &Path, path: &Path, options: &OpenOptions) -> Result<Self, EngineError> {
        let refuse = |cause: Refusal| cause.into_error(path, *options);
        let system = |errno| refuse(Refusal::System(errno));
        // Looked at before it is opened: opening a pipe would wait for its other end.
        let kind =
            kind_of(fathom_platform::fs::stat(at).map_err(system)?.st_mode).map_err(refuse)?;
        let (fd, namespace) = open_kind(at, kind, *options).map_err(refuse)?;
        let kind = namespace.map_or(kind, |_| TargetKind::NvmeNamespace);
        let (offset_align_bytes, memory_align_bytes) = match namespace {
            Some(namespace) => (namespace.block_bytes(), MEMORY_ALIGN_BYTES),
            None if options.direct || is_always_aligned(kind) => {
                alignment(fd.as_fd(), kind).map_err(refuse)?
            }
            None => (1, 1),
        };
        let size_bytes = match namespace {
            Some(namespace) => namespace.blocks << namespace.block_shift,
            None => size(fd.as_fd(), kind).map_err(system)?,
        };
        Ok(Self {
            size_bytes,
            zone_bytes: zone_bytes(fd.as_fd(), kind),
            path: path.to_owned(),
            fd,
            kind,
            direct: options.direct,
            offset_align_bytes,
            memory_align_bytes,
            writes: options.write,
            write_through: options.write_through,
            random: false,
            appends: false,
            namespace,
            contents: None,
            files: None,
        })
    }

    /// A directory with files, which is held open already as `fd`.
    pub fn of_files(path: &Path, fd: OwnedFd, files: FilesUse) -> Self {
        Self {
            path: path.to_owned(),
            fd,
            size_bytes: files.tree.shape().files(),
            kind: TargetKind::Directory,
            direct: false,
            offset_align_bytes: 1,
            memory_align_bytes: 1,
            writes: true,
            write_through: false,
            random: false,
            zone_bytes: None,
            appends: false,
            namespace: None,
            contents: None,
            files: Some(files),
        }
    }
}

/// Opens a target; of an NVMe generic device also says what is behind it.
fn open_kind(
    at: &Path,
    kind: TargetKind,
    options: OpenOptions,
) -> Result<(OwnedFd, Option<Namespace>), Refusal> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a target, which whoever opens it has cleared"
    )]
    let open = |options| {
        let opened = fathom_platform::fs::open(at, flags(options), Mode::empty());
        opened.map_err(Refusal::System)
    };
    if kind != TargetKind::CharDevice {
        return Ok((open(options)?, None));
    }
    let opened = match open(options) {
        // The kernel has no such thing as a direct request to it, since there are no others.
        Err(Refusal::System(Errno::INVAL)) if options.direct => {
            let plain = OpenOptions {
                direct: false,
                ..options
            };
            let fd = open(plain)?;
            if namespace(fd.as_fd(), options)?.is_none() {
                return Err(Refusal::System(Errno::INVAL));
            }
            fd
        }
        opened => opened?,
    };
    let namespace = namespace(opened.as_fd(), options)?;
    Ok((opened, namespace))
}

/// The NVMe namespace behind a character device, if it is one that can be used so.
fn namespace(fd: BorrowedFd<'_>, options: OpenOptions) -> Result<Option<Namespace>, Refusal> {
    let found = Namespace::of(fd).map_err(|error| Refusal::NoIdentity(error.raw_os_error()))?;
    match found {
        Some(Namespace {
            metadata_bytes: bytes @ 1..,
            ..
        }) => Err(Refusal::Metadata(bytes)),
        Some(_) if !options.direct => Err(Refusal::OnlyDirect),
        found => Ok(found),
    }
}

fn flags(options: OpenOptions) -> OFlags {
    let mut flags = OFlags::CLOEXEC
        | match (options.read, options.write) {
            (true, true) => OFlags::RDWR,
            (false, true) => OFlags::WRONLY,
            (_, false) => OFlags::RDONLY,
        };
    flags.set(OFlags::DIRECT, options.direct);
    flags.set(OFlags::DSYNC, options.write_through);
    flags
}

fn kind_of(mode: fathom_platform::fs::RawMode) -> Result<TargetKind, Refusal> {
    match FileType::from_raw_mode(mode) {
        FileType::RegularFile => Ok(TargetKind::File),
        FileType::BlockDevice => Ok(TargetKind::BlockDevice),
        FileType::CharacterDevice => Ok(TargetKind::CharDevice),
        FileType::Directory => Err(Refusal::System(Errno::ISDIR)),
        _ => Err(Refusal::NotStorage),
    }
}

fn size(fd: BorrowedFd<'_>, kind: TargetKind) -> fathom_platform::io::Result<u64> {
    match kind {
        TargetKind::File => Ok(fathom_platform::fs::fstat(fd)?.st_size as u64),
        TargetKind::BlockDevice => fathom_platform::block_bytes(fd),
        // Never opened by its name alone.
        TargetKind::Directory => Ok(0),
        TargetKind::CharDevice | TargetKind::NvmeNamespace => Ok(UNLIMITED_BYTES),
    }
}

/// The length of the zones of a block device that has some.
fn zone_bytes(fd: BorrowedFd<'_>, kind: TargetKind) -> Option<u64> {
    /// `BLKGETZONESZ` of `linux/blkzoned.h`: sectors of 512 bytes, 0 without zones.
    const BLKGETZONESZ: u32 = 0x8004_1284;
    if kind != TargetKind::BlockDevice {
        return None;
    }
    let mut sectors = 0_u32;
    // SAFETY: the operation writes one `u32`, reads nothing and has no effect but its answer.
    let asked = unsafe { ioctl(fd, BLKGETZONESZ, &raw mut sectors) };
    // A kernel that does not know the question has no zoned devices.
    (asked.is_ok() && sectors > 0).then(|| u64::from(sectors) * 512)
}

/// Whether requests have to be aligned that are not direct, too.
fn is_always_aligned(kind: TargetKind) -> bool {
    kind == TargetKind::BlockDevice && fathom_platform::ALIGNED_DEVICES
}

/// The alignment of offsets and of memory for direct requests.
fn alignment(fd: BorrowedFd<'_>, kind: TargetKind) -> Result<(u32, u32), Refusal> {
    if kind == TargetKind::CharDevice {
        return Ok((1, 1));
    }
    if let Ok(status) =
        fathom_platform::fs::statx(fd, "", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN)
        && status.stx_mask & StatxFlags::DIOALIGN.bits() != 0
    {
        if status.stx_dio_offset_align == 0 {
            return Err(Refusal::NoDirect);
        }
        return Ok((status.stx_dio_offset_align, status.stx_dio_mem_align));
    }
    let block = fathom_platform::fs::ioctl_blksszget(fd).unwrap_or(DEFAULT_ALIGN_BYTES);
    Ok((block, block))
}

/// Why a target is not opened.
#[derive(Clone, Copy, Debug)]
enum Refusal {
    /// The system says no.
    System(Errno),
    /// A pipe, a socket.
    NotStorage,
    /// The file system opens for direct requests and then does not do them.
    NoDirect,
    /// There are no other requests to it.
    OnlyDirect,
    /// The blocks of the NVMe namespace have this many bytes of metadata.
    Metadata(u16),
    /// The NVMe controller does not say what the namespace is; what the system said.
    NoIdentity(Option<i32>),
}

impl Refusal {
    fn into_error(self, path: &Path, options: OpenOptions) -> EngineError {
        let (cause, remedy) = match self {
            Self::System(errno) => explain(errno, path, options),
            Self::NotStorage => (
                "it is a pipe or a socket".into(),
                "name a file or a block device".into(),
            ),
            Self::NoDirect => no_direct(),
            Self::OnlyDirect => (
                "NVMe commands always pass by the page cache".into(),
                "without --no-direct (direct = true), or the block device of the namespace".into(),
            ),
            Self::Metadata(bytes) => (
                format!("each block of the namespace carries {bytes} bytes of metadata"),
                "the block device of the namespace".into(),
            ),
            Self::NoIdentity(errno) => {
                let said = errno.map(|errno| Errno::from_raw_os_error(errno).to_string());
                let said = said.unwrap_or_else(|| "it refuses to".into());
                (
                    format!("the NVMe controller does not say what the namespace is: {said}"),
                    "as root, or the block device of the namespace".into(),
                )
            }
        };
        EngineError::Open {
            path: path.display().to_string(),
            purpose: purpose(options),
            cause,
            remedy,
        }
    }
}

fn purpose(options: OpenOptions) -> String {
    let direct = if options.direct { "direct " } else { "" };
    let what = match (options.read, options.write) {
        (true, true) => "reads and writes",
        (false, true) => "writes",
        (_, false) => "reads",
    };
    format!(" for {direct}{what}")
}

fn no_direct() -> (String, String) {
    (
        "the file system does not support direct I/O (O_DIRECT)".into(),
        "use --no-direct to measure through the page cache, or another target".into(),
    )
}

/// The cause in words, and what to try.
fn explain(errno: Errno, path: &Path, options: OpenOptions) -> (String, String) {
    let (cause, remedy) = match errno {
        Errno::INVAL if options.direct => return no_direct(),
        Errno::NOENT => ("there is no such file or device", missing(path)),
        Errno::NOTDIR => (
            "a part of the path is not a directory",
            "check the spelling of the path".into(),
        ),
        Errno::ACCESS | Errno::PERM => {
            ("permission is missing", crate::platform::MORE_RIGHTS.into())
        }
        Errno::ISDIR => (
            "it is a directory",
            format!("name a file in it, as in {}", path.join("FILE").display()),
        ),
        Errno::BUSY => (
            "another program or the kernel holds it exclusively",
            "lsblk and fuser show who: unmount it or stop the array, or choose another target"
                .into(),
        ),
        Errno::ROFS => (
            "the file system or device is read-only",
            "only reads, or a target that can be written".into(),
        ),
        Errno::TXTBSY => (
            "it is a program that is running, or a swap file",
            "another target".into(),
        ),
        Errno::NXIO | Errno::NODEV => (
            "the device behind it is gone or has no medium",
            "lsblk shows the devices that are there".into(),
        ),
        Errno::MFILE | Errno::NFILE => (
            "too many files are open",
            "ulimit -n with a greater number, or fewer targets".into(),
        ),
        _ => return (errno.to_string(), "another target".into()),
    };
    (cause.into(), remedy)
}

fn missing(path: &Path) -> String {
    if path.starts_with("/dev") {
        "lsblk shows the devices that are there".into()
    } else {
        "check the spelling of the path".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    const READ: OpenOptions = OpenOptions {
        read: true,
        write: false,
        direct: false,
        write_through: false,
    };
    const DIRECT_WRITE: OpenOptions = OpenOptions {
        read: false,
        write: true,
        direct: true,
        write_through: true,
    };

    fn refusal(path: &Path, options: OpenOptions) -> (String, String) {
        let error = OpenTarget::open(path, &options).expect_err("this is refused");
        let remedy = error.remedy().expect("there is a remedy").to_owned();
        (error.to_string(), remedy)
    }

    #[test]
    fn a_file_has_its_size_and_no_alignment_when_buffered() {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(&[1; 5000]).expect("written");
        let target = OpenTarget::open(file.path(), &READ).expect("opened");
        assert_eq!(target.kind, TargetKind::File);
        assert_eq!(target.size_bytes, 5000);
        assert_eq!(
            (target.offset_align_bytes, target.memory_align_bytes),
            (1, 1)
        );
    }

    #[test]
    fn character_devices_have_no_end() {
        for path in ["/dev/null", "/dev/zero"] {
            let options = OpenOptions {
                write: true,
                ..READ
            };
            let target = OpenTarget::open(Path::new(path), &options).expect(path);
            assert_eq!(target.kind, TargetKind::CharDevice);
            assert_eq!(target.size_bytes, u64::MAX >> 1);
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("absent");
        assert_eq!(
            refusal(&path, DIRECT_WRITE),
            (
                format!(
                    "cannot open {} for direct writes: there is no such file or device",
                    path.display()
                ),
                "check the spelling of the path".into()
            )
        );
    }

    #[test]
    fn a_missing_device_points_to_the_list() {
        assert_eq!(
            refusal(Path::new("/dev/absent"), READ),
            (
                "cannot open /dev/absent for reads: there is no such file or device".into(),
                "lsblk shows the devices that are there".into()
            )
        );
    }

    #[test]
    fn a_folder_is_no_target() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        assert_eq!(
            refusal(path, READ),
            (
                format!(
                    "cannot open {} for reads: it is a directory",
                    path.display()
                ),
                format!("name a file in it, as in {}/FILE", path.display())
            )
        );
    }

    #[test]
    fn a_socket_is_no_target() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("socket");
        let _socket = fathom_platform::unix::net::UnixListener::bind(&path).expect("a socket");
        assert_eq!(
            refusal(&path, READ),
            (
                format!(
                    "cannot open {} for reads: it is a pipe or a socket",
                    path.display()
                ),
                "name a file or a block device".into()
            )
        );
    }

    #[test]
    fn each_answer_of_the_system_has_its_own_words() {
        let path = Path::new("/data/file");
        let mut seen = std::collections::BTreeSet::new();
        let answers = [
            Errno::INVAL,
            Errno::NOENT,
            Errno::NOTDIR,
            Errno::ACCESS,
            Errno::ISDIR,
            Errno::BUSY,
            Errno::ROFS,
            Errno::TXTBSY,
            Errno::NODEV,
            Errno::MFILE,
            Errno::IO,
        ];
        for errno in answers {
            let (cause, remedy) = explain(errno, path, DIRECT_WRITE);
            assert!(!remedy.is_empty());
            assert!(seen.insert(cause.clone()), "{cause} is said twice");
        }
        assert_eq!(explain(Errno::INVAL, path, DIRECT_WRITE), no_direct());
        assert_eq!(
            explain(Errno::INVAL, path, READ).0,
            "Invalid argument (os error 22)"
        );
    }
}
