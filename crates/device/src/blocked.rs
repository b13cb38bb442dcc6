//! Whether the first thread of this process, or one that it waits for, waits in the kernel for a
//! file that does not answer, as on a network file system whose server is gone.
//!
//! Such a wait ends by no signal that is handled, for the thread does not get to its handler: other
//! threads have to take it ([`leave_signals`]).
//!
//! Nothing has to be noted beforehand for it: the kernel shows in which call a thread waits, with
//! its arguments (`/proc/self/task/TID/syscall`, proc(5)), and the path lies in memory of our own.

use fathom_core::SmallSort as _;
use fathom_platform::unix::ffi::OsStrExt as _;
use fathom_platform::unix::fs::FileExt as _;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use crate::input;
use crate::platform::{self, names};
use crate::sysfs::names_in;

/// A call that asks for a file, and which of its arguments names that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// The address of a path.
    #[allow(dead_code, reason = "the numbers of calls are known of Linux alone")]
    Path(usize),
    /// The argument of this index is a descriptor.
    Descriptor(usize),
}

/// Longest path that is read, bytes (`PATH_MAX`).
const PATH_BYTES: usize = 4096;

/// The name of threads that the first one waits for without a limit. Those of a load have one.
pub const AWAITED: &str = "awaited";

/// A call that such a thread waits in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The call as the kernel shows it. Two looks that see the same see the same wait.
    pub call: String,
    /// The file that it asks for.
    pub path: PathBuf,
}

impl Blocked {
    /// The calls for a file that have not come back: that of the first thread, then those of the
    /// threads that it waits for. A thread that runs or waits for something else has none, nor has
    /// one that the kernel does not show.
    pub fn all() -> Vec<Self> {
        // The number that the process has where this `/proc` is of.
        let Ok(own) = std::fs::read_link("/proc/self") else {
            return Vec::new();
        };
        let own = own.display().to_string();
        let mut threads = names_in(Path::new("/proc/self/task")).unwrap_or_default();
        let of = |thread: &str, file: &str| {
            input::read_text(format!("/proc/self/task/{thread}/{file}")).unwrap_or_default()
        };
        threads.retain(|one| *one == own || of(one, "comm").trim_end() == AWAITED);
        threads.small_sort_by_key(|one| *one != own);
        let calls = threads.iter().map(|one| of(one, "syscall"));
        calls
            .filter_map(|call| Self::of(call.trim_end(), &memory, &descriptor))
            .collect()
    }

    fn of(
        call: &str,
        memory: &dyn Fn(u64) -> io::Result<Vec<u8>>,
        descriptor: &dyn Fn(u64) -> io::Result<PathBuf>,
    ) -> Option<Self> {
        let mut words = call.split(' ');
        let names = names(words.next()?.parse().ok()?)?;
        let arguments: Option<Vec<u64>> = words
            .map(|word| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok())
            .collect();
        let arguments = arguments?;
        let path = match names {
            Names::Path(index) => {
                let bytes = memory(*arguments.get(index)?).ok()?;
                let path = bytes.split(|byte| *byte == 0).next()?;
                PathBuf::from(OsStr::from_bytes(path))
            }
            Names::Descriptor(index) => descriptor(*arguments.get(index)?).ok()?,
        };
        // Pipes, sockets and the like have names that are no paths: who waits for them knows why.
        let is_file = names != Names::Descriptor(0) || path.is_absolute();
        is_file.then(|| Self {
            call: call.to_owned(),
            path,
        })
    }
}

/// Keeps these signals from the calling thread and from those that it starts, so that the kernel
/// gives them to a thread that was started before.
///
/// # Errors
///
/// What the system said.
pub fn leave_signals(signals: &[i32]) -> io::Result<()> {
    platform::leave_signals(signals)
}

/// What lies at an address of this process, up to the end of what can be read.
fn memory(address: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; PATH_BYTES];
    let length = input::open("/proc/self/mem")?.read_at(&mut bytes, address)?;
    bytes.truncate(length);
    Ok(bytes)
}

fn descriptor(number: u64) -> io::Result<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(call: &str) -> Option<PathBuf> {
        let memory = |address| match address {
            0x7f00 => Ok(b"/mnt/dead/data\0else".to_vec()),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        };
        let descriptor = |number| match number {
            3 => Ok("/mnt/dead/open".into()),
            4 => Ok("pipe:[77]".into()),
            _ => Err(io::ErrorKind::NotFound.into()),
        };
        let found = Blocked::of(call, &memory, &descriptor)?;
        assert_eq!(found.call, call);
        Some(found.path)
    }

    #[test]
    fn the_file_of_each_kind_of_call_is_named() {
        let call = |number: i64, first: u64, second: u64| {
            format!("{number} {first:#x} {second:#x} 0x0 0x0 0x0 0x0 0x7ffc0 0x7f11")
        };
        let cases = [
            (
                call(libc::SYS_openat, 0xffff_ff9c, 0x7f00),
                Some("/mnt/dead/data"),
            ),
            (
                call(libc::SYS_statx, 0xffff_ff9c, 0x7f00),
                Some("/mnt/dead/data"),
            ),
            (call(libc::SYS_statfs, 0x7f00, 0), Some("/mnt/dead/data")),
            (call(libc::SYS_pread64, 3, 0x7f00), Some("/mnt/dead/open")),
            (call(libc::SYS_pwrite64, 3, 0x7f00), Some("/mnt/dead/open")),
            (call(libc::SYS_fdatasync, 3, 0), Some("/mnt/dead/open")),
            (call(libc::SYS_read, 4, 0x7f00), None),
            (call(libc::SYS_read, 9, 0x7f00), None),
            (call(libc::SYS_openat, 0, 1), None),
            (call(libc::SYS_futex, 0x7f00, 0x7f00), None),
            ("running".to_owned(), None),
            ("-1 0x0 0x0".to_owned(), None),
            (String::new(), None),
        ];
        for (call, expected) in cases {
            assert_eq!(found(&call).as_deref(), expected.map(Path::new), "{call}");
        }
    }

    #[test]
    fn signals_are_left_to_other_threads() {
        let mask = std::thread::spawn(|| {
            leave_signals(&[libc::SIGHUP, libc::SIGTERM]).unwrap();
            let status = input::read_text("/proc/thread-self/status").unwrap();
            let line = status.lines().find_map(|line| line.strip_prefix("SigBlk:"));
            u64::from_str_radix(line.unwrap().trim(), 16).unwrap()
        });
        assert_eq!(
            mask.join().unwrap(),
            1 << (libc::SIGHUP - 1) | 1 << (libc::SIGTERM - 1)
        );
    }

    #[test]
    fn memory_of_our_own_is_read() {
        let path = c"/some/where";
        let bytes = memory(path.as_ptr() as u64).unwrap();
        assert_eq!(&bytes[..path.to_bytes().len()], path.to_bytes());
    }
}
