//! Calls that ask for a file, by their numbers.

use crate::blocked::Names;

/// Which argument of a call names a file; none of one that asks for none.
pub(crate) fn names(number: i64) -> Option<Names> {
    const PATH_SECOND: &[i64] = &[
        libc::SYS_openat,
        libc::SYS_openat2,
        libc::SYS_newfstatat,
        libc::SYS_statx,
        libc::SYS_readlinkat,
        libc::SYS_faccessat,
        libc::SYS_faccessat2,
        libc::SYS_mkdirat,
        libc::SYS_unlinkat,
    ];
    #[cfg(target_arch = "x86_64")]
    const OLD_CALLS: &[i64] = &[
        libc::SYS_open,
        libc::SYS_stat,
        libc::SYS_lstat,
        libc::SYS_access,
        libc::SYS_readlink,
        libc::SYS_mkdir,
        libc::SYS_rename,
        libc::SYS_rmdir,
        libc::SYS_unlink,
    ];
    #[cfg(not(target_arch = "x86_64"))]
    const OLD_CALLS: &[i64] = &[];
    const PATH_FIRST: &[i64] = &[libc::SYS_statfs, libc::SYS_getxattr, libc::SYS_lgetxattr];
    const DESCRIPTOR: &[i64] = &[
        libc::SYS_close,
        libc::SYS_fallocate,
        libc::SYS_fcntl,
        libc::SYS_fdatasync,
        libc::SYS_flock,
        libc::SYS_fsync,
        libc::SYS_ftruncate,
        libc::SYS_ioctl,
        libc::SYS_preadv,
        libc::SYS_preadv2,
        libc::SYS_pwrite64,
        libc::SYS_pwritev,
        libc::SYS_pwritev2,
        libc::SYS_sync_file_range,
        libc::SYS_syncfs,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_read,
        libc::SYS_pread64,
        libc::SYS_fstat,
        libc::SYS_fstatfs,
        libc::SYS_getdents64,
        libc::SYS_fgetxattr,
        libc::SYS_lseek,
    ];
    if PATH_SECOND.contains(&number) {
        Some(Names::Path(1))
    } else if PATH_FIRST.contains(&number) || OLD_CALLS.contains(&number) {
        Some(Names::Path(0))
    } else if DESCRIPTOR.contains(&number) {
        Some(Names::Descriptor(0))
    } else {
        None
    }
}
