//! Handles of an engine's own.

use std::io::Error;
use std::os::windows::fs::OpenOptionsExt as _;
use std::os::windows::io::{AsHandle as _, AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::ptr::null_mut;
use std::sync::Arc;

use fathom_platform::io::Errno;
use fathom_platform::{is_device_name, storage_flags};
use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_IO_PENDING, GENERIC_READ, GENERIC_WRITE, HANDLE,
    INVALID_HANDLE_VALUE,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, ReOpenFile,
};
use windows_sys::Win32::System::IO::{DeviceIoControl, GetOverlappedResult, OVERLAPPED};

use crate::error::EngineError;
use crate::target::{OpenTarget, TargetKind};

/// Opens each target once more, with more flags. A handle belongs to one completion port, and
/// requests of several threads on one that is not overlapped wait for each other.
pub(super) fn reopen<H: From<OwnedHandle>>(
    targets: &[Arc<OpenTarget>],
    flags: u32,
) -> Result<Box<[H]>, EngineError> {
    let again = targets.iter().map(|target| {
        let opened = reopen_one(
            target,
            flags | storage_flags(target.direct, target.write_through),
        );
        opened.map(H::from).map_err(|error| EngineError::Open {
            path: target.path.display().to_string(),
            purpose: " once more".to_owned(),
            cause: error.to_string(),
            remedy: "close the programs that use it, or choose another target".to_owned(),
        })
    });
    again.collect()
}

fn reopen_one(target: &OpenTarget, flags: u32) -> std::io::Result<OwnedHandle> {
    if target.kind == TargetKind::BlockDevice || is_device_name(&target.path) {
        return reopen_device(target, flags);
    }
    let access = if target.writes {
        GENERIC_READ | GENERIC_WRITE
    } else {
        GENERIC_READ
    };
    let share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    let open = target.fd.as_handle().as_raw_handle();
    // SAFETY: the handle is borrowed for the call.
    owned(unsafe { ReOpenFile(open, access, share, flags) })
}

/// Opens a disk or volume to read, by its name: no documentation says that `ReOpenFile` takes the
/// handle of one.
fn reopen_device(target: &OpenTarget, flags: u32) -> std::io::Result<OwnedHandle> {
    #[expect(clippy::disallowed_methods, reason = "opened to read")]
    let mut options = std::fs::OpenOptions::new();
    let opened = options.read(true).custom_flags(flags).open(&target.path)?;
    let handle = OwnedHandle::from(opened);
    allow_all_sectors(&handle);
    Ok(handle)
}

/// Has a file system allow reads behind its last cluster, where a volume has some sectors more. A
/// disk does not know the question and needs no permission.
fn allow_all_sectors(volume: &OwnedHandle) {
    /// A number of `winioctl.h`.
    const FSCTL_ALLOW_EXTENDED_DASD_IO: u32 = 0x0009_0083;
    let handle = volume.as_raw_handle();
    let mut overlapped = OVERLAPPED::default();
    let mut bytes = 0;
    // SAFETY: nothing goes in or out, and `overlapped` is there until the call has ended, which the
    // next one waits for.
    unsafe {
        let (none, overlapped) = (null_mut(), &raw mut overlapped);
        let code = FSCTL_ALLOW_EXTENDED_DASD_IO;
        let answer = DeviceIoControl(handle, code, none, 0, none, 0, null_mut(), overlapped);
        let is_pending =
            answer == 0 && Error::last_os_error().raw_os_error() == Some(ERROR_IO_PENDING as i32);
        if is_pending {
            GetOverlappedResult(handle, overlapped, &raw mut bytes, 1);
        }
    }
}

/// A handle that a call has made.
pub(super) fn owned(handle: HANDLE) -> std::io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(Error::last_os_error());
    }
    // SAFETY: the call has just made it, and nobody else knows it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// The number of what the system said of a request.
pub(super) fn errno(error: &Error) -> Errno {
    // The handle is open, but not for this.
    if error.raw_os_error() == Some(ERROR_ACCESS_DENIED as i32) {
        return Errno::BADF;
    }
    Errno::of(error)
}
