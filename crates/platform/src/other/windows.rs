//! What Windows is asked for: which file a handle is of, its sectors and cache, and Ctrl-C.

mod ask;
mod library;
mod openers;
mod pdh;
#[cfg(test)]
mod tests;
mod usage;

pub(crate) use ask::without_number;
pub use ask::{
    Extents, Volume, block_bytes, control, device, device_number, extents, has_integrity,
    machine_times, memory_bytes, seek, version, volume,
};
pub use openers::openers;
pub use pdh::Pdh;
pub use usage::{
    OwnUsage, current_processor, own_switches, own_usage, pin_thread, thread_cpu_ns,
    thread_switches,
};

use std::ffi::{CStr, c_char};
use std::fs::{File, OpenOptions};
use std::io::{Error, Result};
use std::os::windows::ffi::OsStrExt as _;
use std::os::windows::fs::{FileExt as _, OpenOptionsExt as _};
use std::os::windows::io::{AsHandle, AsRawHandle as _, BorrowedHandle};
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_NO_BUFFERING,
    FILE_FLAG_OPEN_REPARSE_POINT, FILE_FLAG_WRITE_THROUGH, FILE_STORAGE_INFO, FileStorageInfo,
    GetDiskFreeSpaceExW, GetFileInformationByHandle, GetFileInformationByHandleEx, MoveFileExW,
};
use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleA, GetProcAddress};
use windows_sys::core::BOOL;

use super::fd::{AsFd, OwnedFd};
use super::fs::{OFlags, StatVfs};
use super::io::Errno;
use super::unix::fs::FileExt;
use crate::whole_device;

/// Which file is open: serial number of its volume, and its index there, which are the same as long
/// as the file is open (on ReFS only the lower half of the index).
///
/// # Errors
///
/// What the system said.
pub fn identity(file: &File) -> Result<(u64, u64)> {
    let mut found = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is borrowed for the call, and `found` is what it fills.
    let answer = unsafe { GetFileInformationByHandle(file.as_raw_handle(), &raw mut found) };
    if answer == 0 {
        return Err(Error::last_os_error());
    }
    let index = u64::from(found.nFileIndexHigh) << 32 | u64::from(found.nFileIndexLow);
    Ok((found.dwVolumeSerialNumber.into(), index))
}

/// The same of a name, which is not followed if it is a link.
///
/// # Errors
///
/// What the system said.
pub fn identity_at(path: &Path) -> Result<(u64, u64)> {
    #[expect(clippy::disallowed_methods, reason = "opened as a place")]
    let mut options = OpenOptions::new();
    identity(&as_a_place(&mut options, false).open(path)?)
}

/// Opens a file or folder neither to read nor to write.
pub(crate) fn as_a_place(options: &mut OpenOptions, follow: bool) -> &mut OpenOptions {
    let not_followed = if follow {
        0
    } else {
        FILE_FLAG_OPEN_REPARSE_POINT
    };
    let flags = FILE_FLAG_BACKUP_SEMANTICS | not_followed;
    options.access_mode(0).custom_flags(flags)
}

/// Opens a disk or volume, which takes no flags of folders and links.
pub(crate) fn without_rights(options: &mut OpenOptions) -> &mut OpenOptions {
    options.access_mode(0)
}

/// The flags of `CreateFileW` for requests that bypass the cache or wait for the disk.
pub fn storage_flags(direct: bool, write_through: bool) -> u32 {
    let flag = |is_set: bool, flag| if is_set { flag } else { 0 };
    flag(direct, FILE_FLAG_NO_BUFFERING) | flag(write_through, FILE_FLAG_WRITE_THROUGH)
}

/// Opens a file so that its requests do.
pub(crate) fn as_storage(options: &mut OpenOptions, flags: OFlags) -> super::io::Result<()> {
    let [direct, write_through] = [OFlags::DIRECT, OFlags::DSYNC].map(|one| flags.contains(one));
    options.custom_flags(storage_flags(direct, write_through));
    Ok(())
}

/// Bytes of a logical sector of the disk below an open file.
///
/// # Errors
///
/// What the system said. Wine does not know.
pub fn ioctl_blksszget(file: impl AsFd) -> super::io::Result<u32> {
    let file = file.as_fd().0.ok_or(Errno::NOSYS)?;
    let mut found = FILE_STORAGE_INFO::default();
    let bytes = size_of_val(&found) as u32;
    // SAFETY: the handle is borrowed for the call, which fills no more than `found`.
    let answer = unsafe {
        let found = (&raw mut found).cast();
        GetFileInformationByHandleEx(file.as_raw_handle(), FileStorageInfo, found, bytes)
    };
    if answer == 0 {
        let error = Error::last_os_error();
        // A disk as a whole has no file system that would answer.
        return whole_device::sector(file).map_err(|_| Errno::of(&error));
    }
    Ok(found.LogicalBytesPerSector)
}

/// Renames a file without replacing one.
///
/// # Errors
///
/// What the system said.
pub fn rename_new(from: &Path, to: &Path) -> super::io::Result<()> {
    let [from, to] = [from, to].map(wide);
    // SAFETY: the call reads both names, which end with a zero.
    if unsafe { MoveFileExW(from.as_ptr(), to.as_ptr(), 0) } == 0 {
        return Err(Errno::of(&Error::last_os_error()));
    }
    Ok(())
}

/// A name as calls take it.
fn wide(path: &Path) -> Vec<u16> {
    path.as_os_str().encode_wide().chain([0]).collect()
}

/// Free space of the volume that an existing file or folder lies on.
///
/// # Errors
///
/// What the system said.
pub fn statvfs(path: impl AsRef<Path>) -> super::io::Result<StatVfs> {
    let path = path.as_ref();
    // The call wants a folder.
    let folder = match path.parent().filter(|_| !path.is_dir()) {
        Some(parent) if parent != Path::new("") => parent,
        Some(_) => Path::new("."),
        None => path,
    };
    let (mut available, mut all, mut free) = (0, 0, 0);
    // SAFETY: the call reads the name, which ends with a zero, and fills three numbers.
    let answer = unsafe {
        GetDiskFreeSpaceExW(
            wide(folder).as_ptr(),
            &raw mut available,
            &raw mut all,
            &raw mut free,
        )
    };
    if answer == 0 {
        return Err(Errno::of(&Error::last_os_error()));
    }
    Ok(StatVfs {
        f_frsize: 1,
        f_blocks: all,
        f_bfree: free,
        f_bavail: available,
        // Files are not counted.
        f_files: 0,
        f_favail: 0,
    })
}

impl AsHandle for OwnedFd {
    fn as_handle(&self) -> BorrowedHandle<'_> {
        self.0.as_handle()
    }
}

/// Without the position of the file, so that several threads can do so.
impl FileExt for File {
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> Result<usize> {
        self.seek_read(bytes, offset)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> Result<usize> {
        self.seek_write(bytes, offset)
    }
}

/// What imitates the system under us, as in `Wine 8.0`: nothing that is measured there is a
/// property of storage.
pub fn emulator() -> Option<String> {
    type Function = unsafe extern "system" fn() -> isize;
    type Version = unsafe extern "C" fn() -> *const c_char;
    // SAFETY: the call reads the name, which ends with a zero.
    let library = unsafe { GetModuleHandleA(c"ntdll.dll".as_ptr().cast()) };
    // SAFETY: the same; the library is in every process.
    let found = unsafe { GetProcAddress(library, c"wine_get_version".as_ptr().cast()) }?;
    // SAFETY: Wine alone has a function of this name, and this is its type.
    let ask = unsafe { std::mem::transmute::<Function, Version>(found) };
    // SAFETY: it takes nothing and has no effect.
    let version = unsafe { ask() };
    // SAFETY: the answer is a text that stays and ends with a zero.
    let version = unsafe { CStr::from_ptr(version) };
    Some(format!("Wine {}", version.to_string_lossy()))
}

/// Requests to end that the console sends, by the numbers of the signals that do so on Linux.
#[derive(Debug)]
pub struct Requests(Receiver<i32>);

const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;

/// Where they go.
static RECEIVER: Mutex<Option<Sender<i32>>> = Mutex::new(None);

impl Requests {
    /// Ctrl-C, Ctrl-Break, and the end of the console or of the session.
    pub const ALL: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];

    /// From now on they come here instead of ending the process.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn receive() -> Result<Self> {
        let (sender, receiver) = channel();
        if let Ok(mut place) = RECEIVER.lock() {
            *place = Some(sender);
        }
        // SAFETY: the handler is a function of this program, which is there as long as it runs.
        if unsafe { SetConsoleCtrlHandler(Some(handle), 1) } == 0 {
            return Err(Error::last_os_error());
        }
        Ok(Self(receiver))
    }
}

impl Iterator for Requests {
    type Item = i32;

    fn next(&mut self) -> Option<i32> {
        self.0.recv().ok()
    }
}

/// Runs in a thread that the system makes.
unsafe extern "system" fn handle(event: u32) -> BOOL {
    let signal = match event {
        CTRL_C_EVENT => SIGINT,
        CTRL_BREAK_EVENT => SIGTERM,
        _ => SIGHUP,
    };
    let sent = RECEIVER.lock().is_ok_and(|place| {
        place
            .as_ref()
            .is_some_and(|sender| sender.send(signal).is_ok())
    });
    if sent && signal == SIGHUP {
        // The process ends when this returns, or after the seconds that the system gives it.
        loop {
            std::thread::park();
        }
    }
    sent.into()
}
