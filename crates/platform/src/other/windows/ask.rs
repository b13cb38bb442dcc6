//! What Windows is asked about the machine, its volumes and its disks.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Result};
use std::os::windows::ffi::OsStringExt as _;
use std::os::windows::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::os::windows::io::AsRawHandle as _;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

use windows_sys::Wdk::System::SystemServices::RtlGetVersion;
use windows_sys::Win32::Foundation::{
    ERROR_INVALID_FUNCTION, ERROR_MORE_DATA, ERROR_NOT_SUPPORTED, FILETIME,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_ATTRIBUTE_COMPRESSED, FILE_ATTRIBUTE_ENCRYPTED, FILE_ATTRIBUTE_INTEGRITY_STREAM,
    GetVolumeInformationW, GetVolumeNameForVolumeMountPointW, GetVolumePathNameW,
};
use windows_sys::Win32::System::IO::DeviceIoControl;
use windows_sys::Win32::System::SystemInformation::{
    GlobalMemoryStatusEx, MEMORYSTATUSEX, OSVERSIONINFOW,
};
use windows_sys::Win32::System::Threading::GetSystemTimes;

use super::wide;
use crate::fd::AsFd;
use crate::fs::SeekFrom;
use crate::io::Errno;
use crate::ranges::{self, Control};
use crate::whole_device;

/// Characters of a path at most.
const LONGEST: usize = 32_768;

impl Control for File {
    fn control(&self, code: u32, input: &[u8], room: usize) -> Result<Vec<u8>> {
        control(self, code, input, room)
    }
}

/// Asks the driver or file system of an open file: a number of `winioctl.h`, what goes in, and the
/// room for the answer, which is cut to what fits.
///
/// # Errors
///
/// What the system said; [`ErrorKind::Unsupported`] of a question that nobody there knows.
pub fn control(file: &File, code: u32, input: &[u8], room: usize) -> Result<Vec<u8>> {
    // Some drivers want numbers where their type may lie.
    let mut aligned = vec![0u64; input.len().div_ceil(8)];
    for (place, bytes) in aligned.iter_mut().zip(input.chunks(8)) {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        *place = u64::from_ne_bytes(word);
    }
    let mut output = vec![0u64; room.div_ceil(8)];
    let mut told = 0;
    // SAFETY: the handle is borrowed for the call, which reads as many bytes as `input` has and
    // writes no more than `room`; both are ours, and it has ended when it returns.
    let answer = unsafe {
        DeviceIoControl(
            file.as_raw_handle(),
            code,
            aligned.as_ptr().cast(),
            input.len() as u32,
            output.as_mut_ptr().cast(),
            room as u32,
            &raw mut told,
            null_mut(),
        )
    };
    if answer == 0 {
        let error = Error::last_os_error();
        match error.raw_os_error().map(i32::cast_unsigned) {
            Some(ERROR_MORE_DATA) => {}
            Some(ERROR_INVALID_FUNCTION | ERROR_NOT_SUPPORTED) => {
                return Err(ErrorKind::Unsupported.into());
            }
            _ => return Err(error),
        }
    }
    let bytes = output.into_iter().flat_map(u64::to_ne_bytes);
    Ok(bytes.take(told as usize).collect())
}

/// Opens a disk or volume by its name, neither to read nor to write, to ask about it.
///
/// # Errors
///
/// What the system said.
pub fn device(name: &str) -> Result<File> {
    #[expect(clippy::disallowed_methods, reason = "opened without a right")]
    let mut options = OpenOptions::new();
    options.access_mode(0).open(name)
}

/// The number of an open disk, partition or volume, which has no attributes of a file.
pub fn device_number(file: &File) -> Option<u64> {
    whole_device::number(file).ok()
}

/// Why an open file has neither attributes nor a number.
pub(crate) fn without_number(file: &File, error: Error) -> Error {
    if whole_device::is_on_dynamic_disks(file) {
        Errno::NOTBLK.into()
    } else {
        error
    }
}

/// Bytes of an open disk, partition or volume. The handle has to be one that may read.
///
/// # Errors
///
/// What the system said.
pub fn block_bytes(file: impl AsFd) -> crate::io::Result<u64> {
    let file = file.as_fd().0.ok_or(Errno::NOSYS)?;
    whole_device::size(file).map_err(|error| Errno::of(&error))
}

/// The next part of a file that was written, or that was not, at or after an offset.
///
/// # Errors
///
/// `NXIO` past the last one, `NOSYS` where the file system does not tell.
pub fn seek(file: impl AsFd, from: SeekFrom) -> crate::io::Result<u64> {
    let file = file.as_fd().0.ok_or(Errno::NOSYS)?;
    let of = |error: Error| Errno::of(&error);
    let size = file.metadata().map_err(of)?.len();
    let (SeekFrom::Data(at) | SeekFrom::Hole(at)) = from;
    if at >= size {
        return Err(Errno::NXIO);
    }
    if !ranges::tells(file, size).map_err(of)? {
        return Err(Errno::NOSYS);
    }
    let next = |at| ranges::written(file, at, size).map_err(of);
    if matches!(from, SeekFrom::Data(_)) {
        return Ok(next(at)?.ok_or(Errno::NXIO)?.0);
    }
    let mut hole = at;
    while hole < size {
        match next(hole)? {
            Some((begin, end)) if begin <= hole => hole = end,
            _ => break,
        }
    }
    Ok(hole)
}

/// How a part of a file lies on its volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extents {
    /// What has a place there.
    pub allocated_bytes: u64,
    /// Of that, what was written.
    pub written_bytes: u64,
    /// Whether the file is compressed or encrypted by its file system.
    pub is_encoded: bool,
}

/// How the part between two offsets of a file lies on its volume.
///
/// # Errors
///
/// `NOSYS` where the file system does not tell.
pub fn extents(file: impl AsFd, start: u64, end: u64) -> crate::io::Result<Extents> {
    let file = file.as_fd().0.ok_or(Errno::NOSYS)?;
    let of = |error: Error| Errno::of(&error);
    let attributes = file.metadata().map_err(of)?.file_attributes();
    if start < end && !ranges::tells(file, end).map_err(of)? {
        return Err(Errno::NOSYS);
    }
    let (allocated_bytes, written_bytes) = ranges::bytes(file, (start, end)).map_err(of)?;
    Ok(Extents {
        allocated_bytes,
        written_bytes,
        is_encoded: attributes & (FILE_ATTRIBUTE_COMPRESSED | FILE_ATTRIBUTE_ENCRYPTED) != 0,
    })
}

/// Whether a file keeps checksums of its content (integrity streams of ReFS).
///
/// # Errors
///
/// What the system said.
pub fn has_integrity(path: &Path) -> Result<bool> {
    let attributes = std::fs::metadata(path)?.file_attributes();
    Ok(attributes & FILE_ATTRIBUTE_INTEGRITY_STREAM != 0)
}

/// Where files are on this machine.
#[derive(Clone, Debug)]
pub struct Volume {
    /// Where it is mounted, as `E:\`.
    pub root: PathBuf,
    /// Its name for [`device`].
    pub device: String,
    /// As `NTFS` or `ReFS`.
    pub file_system: String,
}

/// The volume that an existing file or folder lies on.
///
/// # Errors
///
/// What the system said. A share of another machine has no name of a volume.
pub fn volume(path: &Path) -> Result<Volume> {
    let path = wide(path);
    // SAFETY: the call reads the path, which ends with a zero, and writes no more than the room.
    let root = text(|room, length| unsafe { GetVolumePathNameW(path.as_ptr(), room, length) })?;
    let root_path = wide(Path::new(&root));
    let file_system = text(|room, length| {
        let none = null_mut();
        // SAFETY: the same; what is not wanted is null.
        unsafe {
            GetVolumeInformationW(
                root_path.as_ptr(),
                null_mut(),
                0,
                none,
                none,
                none,
                room,
                length,
            )
        }
    })?;
    let name = text(|room, length| {
        // SAFETY: the same.
        unsafe { GetVolumeNameForVolumeMountPointW(root_path.as_ptr(), room, length) }
    });
    // With a separator at its end it would be the folder at the top of the volume.
    let device = name.map(|name| name.to_string_lossy().trim_end_matches('\\').to_owned());
    Ok(Volume {
        root: root.into(),
        device: device.unwrap_or_default(),
        file_system: file_system.to_string_lossy().into_owned(),
    })
}

/// A text that a call writes into the room that it gets, with a zero at its end.
fn text(ask: impl FnOnce(*mut u16, u32) -> i32) -> Result<OsString> {
    let mut room = vec![0; LONGEST];
    if ask(room.as_mut_ptr(), room.len() as u32) == 0 {
        return Err(Error::last_os_error());
    }
    let length = room.iter().position(|unit| *unit == 0);
    Ok(OsString::from_wide(&room[..length.unwrap_or(room.len())]))
}

/// Time of all processors since the start, in units of 100 ns: without work, in the kernel with
/// work, and in user mode.
///
/// # Errors
///
/// What the system said.
pub fn machine_times() -> Result<[u64; 3]> {
    let mut times = [FILETIME::default(); 3];
    let [idle, kernel, user] = &mut times;
    // SAFETY: the call fills three times.
    if unsafe { GetSystemTimes(idle, kernel, user) } == 0 {
        return Err(Error::last_os_error());
    }
    let number =
        |time: FILETIME| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    let [idle, kernel, user] = times.map(number);
    Ok([idle, kernel.saturating_sub(idle), user])
}

/// Main memory.
///
/// # Errors
///
/// What the system said.
pub fn memory_bytes() -> Result<u64> {
    let mut status = MEMORYSTATUSEX {
        dwLength: size_of::<MEMORYSTATUSEX>() as u32,
        ..MEMORYSTATUSEX::default()
    };
    // SAFETY: the call fills what it was given the length of.
    if unsafe { GlobalMemoryStatusEx(&raw mut status) } == 0 {
        return Err(Error::last_os_error());
    }
    Ok(status.ullTotalPhys)
}

/// The version, as `Windows 10.0.20348`.
pub fn version() -> String {
    let mut found = OSVERSIONINFOW {
        dwOSVersionInfoSize: size_of::<OSVERSIONINFOW>() as u32,
        ..OSVERSIONINFOW::default()
    };
    // SAFETY: the call fills what it was given the length of.
    unsafe { RtlGetVersion(&raw mut found) };
    let OSVERSIONINFOW {
        dwMajorVersion,
        dwMinorVersion,
        dwBuildNumber,
        ..
    } = found;
    format!("Windows {dwMajorVersion}.{dwMinorVersion}.{dwBuildNumber}")
}
