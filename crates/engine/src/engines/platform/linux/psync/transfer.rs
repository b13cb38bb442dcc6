//! `pread` and `pwrite` as bare system calls: the library's wrappers are points at which a thread
//! can be cancelled, and its general call moves every argument once more. Both cost a synchronous
//! request instructions that it has no use for.

use rustix::io::Errno;
use std::os::fd::{AsRawFd as _, OwnedFd};

/// Reads into `buffer` from `offset`; gives the bytes read, which may be fewer.
#[inline]
pub(super) fn read(fd: &OwnedFd, buffer: &mut [u8], offset: u64) -> Result<usize, Errno> {
    let (start, len) = (buffer.as_mut_ptr(), buffer.len());
    // SAFETY: the kernel writes at most the length of the buffer, which is borrowed for the call.
    checked(unsafe { call(libc::SYS_pread64, fd, start, len, offset) })
}

/// Writes `buffer` at `offset`; gives the bytes written, which may be fewer.
#[inline]
pub(super) fn write(fd: &OwnedFd, buffer: &[u8], offset: u64) -> Result<usize, Errno> {
    let (start, len) = (buffer.as_ptr().cast_mut(), buffer.len());
    // SAFETY: the kernel reads at most the length of the buffer, which is borrowed for the call.
    checked(unsafe { call(libc::SYS_pwrite64, fd, start, len, offset) })
}

/// The bytes moved, or minus the number of an error.
#[inline]
fn checked(answer: isize) -> Result<usize, Errno> {
    usize::try_from(answer).map_err(|_| Errno::from_raw_os_error(-answer as i32))
}

/// A system call that moves bytes; minus the number of the error where it fails.
///
/// # Safety
///
/// What the kernel does with that memory is sound.
#[cfg(target_arch = "x86_64")]
#[inline]
unsafe fn call(
    number: libc::c_long,
    fd: &OwnedFd,
    start: *mut u8,
    len: usize,
    offset: u64,
) -> isize {
    let answer: isize;
    // SAFETY: the registers are those of the kernel's convention, which keeps all but these; the
    // memory is the caller's promise.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => answer,
            in("rdi") fd.as_raw_fd(),
            in("rsi") start,
            in("rdx") len,
            in("r10") offset,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    answer
}

/// The same by way of the library.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
unsafe fn call(
    number: libc::c_long,
    fd: &OwnedFd,
    start: *mut u8,
    len: usize,
    offset: u64,
) -> isize {
    // SAFETY: the caller's promise.
    let answer = unsafe { libc::syscall(number, fd.as_raw_fd(), start, len, offset) };
    if answer < 0 {
        let code = std::io::Error::last_os_error().raw_os_error();
        return -(code.unwrap_or(libc::EIO) as isize);
    }
    answer as isize
}
