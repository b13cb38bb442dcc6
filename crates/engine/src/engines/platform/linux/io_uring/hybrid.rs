//! A ring whose polling begins with a sleep (`IORING_SETUP_HYBRID_IOPOLL`), which the library has
//! no name for.

use io_uring::{IoUring, Parameters};
use std::io;
use std::os::fd::RawFd;

const HYBRID_IOPOLL: u32 = 1 << 17;

/// `struct io_uring_params`, as far as the caller says something in it.
#[derive(Clone, Copy)]
#[repr(C)]
struct SetupParams {
    sq_entries: u32,
    cq_entries: u32,
    flags: u32,
    sq_thread_cpu: u32,
    sq_thread_idle: u32,
    features: u32,
    wq_fd: u32,
    resv: [u32; 3],
    /// Where the kernel says that the queues lie.
    offsets: [u64; 10],
}

const _: () = assert!(size_of::<SetupParams>() == size_of::<Parameters>());

/// A ring with all that `ring` has, and hybrid polling; why there is none, in words.
pub(super) fn like(ring: &IoUring) -> Result<IoUring, String> {
    // SAFETY: the library documents its parameters as the kernel's structure and nothing else, and
    // `Asked` is that structure, in which every pattern of bits is a value.
    let had = unsafe { std::mem::transmute::<Parameters, SetupParams>(ring.params().clone()) };
    let mut asked = SetupParams {
        flags: had.flags | HYBRID_IOPOLL,
        features: 0,
        offsets: [0; 10],
        ..had
    };
    // SAFETY: the kernel reads and writes one such structure, which outlives the call.
    let made = unsafe { libc::syscall(libc::SYS_io_uring_setup, had.sq_entries, &raw mut asked) };
    let Ok(fd @ 0..) = RawFd::try_from(made) else {
        let error = io::Error::last_os_error();
        return Err(match error.raw_os_error() {
            Some(libc::EINVAL) => {
                "this kernel has no hybrid polling (it came with Linux 6.13)".to_owned()
            }
            _ => error.to_string(),
        });
    };
    // SAFETY: as above, the other way round.
    let parameters = unsafe { std::mem::transmute::<SetupParams, Parameters>(asked) };
    // SAFETY: the file is a ring, of nobody else, and the kernel has just filled in its parameters.
    unsafe { IoUring::from_fd(fd, parameters) }.map_err(|error| error.to_string())
}
