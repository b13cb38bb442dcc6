//! Handles of an engine's own.

use std::io::Error;
use std::os::windows::io::{AsHandle as _, AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::sync::Arc;

use fathom_platform::io::Errno;
use fathom_platform::storage_flags;
use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, GENERIC_READ, GENERIC_WRITE, HANDLE, INVALID_HANDLE_VALUE,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, ReOpenFile,
};

use crate::error::EngineError;
use crate::target::OpenTarget;

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
