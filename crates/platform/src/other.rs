//! A system that nothing is written for yet: files by `std`, and one answer to all other calls.

/// Calls that this system is not asked for: a name, its arguments and what it would answer.
macro_rules! absent {
    ($($(#[$doc:meta])* $name:ident($($argument:ident),*) -> $answer:ty;)*) => {$(
        $(#[$doc])*
        pub fn $name<$($argument),*>($(_: $argument),*) -> crate::io::Result<$answer> {
            Err(crate::io::Errno::NOSYS)
        }
    )*};
}

/// Sets of named bits.
macro_rules! bits {
    ($($name:ident { $($bit:ident = $value:expr,)* })*) => {$(
        bitflags::bitflags! {
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $name: u32 {
                $(const $bit = $value;)*
            }
        }
    )*};
}

pub mod fd;
pub mod fs;
pub mod io;
pub mod unix;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::{
    Extents, OwnUsage, Pdh, Requests, Volume, block_bytes, control, current_processor, device,
    device_number, emulator, extents, has_integrity, identity, identity_at, ioctl_blksszget,
    machine_times, memory_bytes, openers, own_switches, own_usage, pin_thread, rename_new, seek,
    statvfs, storage_flags, thread_cpu_ns, thread_switches, version, volume,
};
#[cfg(windows)]
use windows::{as_a_place, as_storage, without_number, without_rights};

#[cfg(not(windows))]
mod unknown;
#[cfg(not(windows))]
pub use unknown::{
    Requests, block_bytes, device_number, emulator, identity, identity_at, ioctl_blksszget,
    rename_new, seek, statvfs,
};
#[cfg(not(windows))]
use unknown::{as_a_place, as_storage, without_number, without_rights};

pub use fs::is_device_name;

/// Whether the system shows who uses a disk or volume.
pub const SHOWS_USERS: bool = false;

/// Whether all requests to a disk or volume as a whole have to be aligned, cached ones too.
pub const ALIGNED_DEVICES: bool = true;

pub mod param {
    pub fn page_size() -> usize {
        4096
    }

    pub fn clock_ticks_per_second() -> u64 {
        100
    }
}

pub mod rand {
    bits! { GetRandomFlags {} }

    /// Fills the bytes with what std gives its hash tables of the system's chance.
    ///
    /// # Errors
    ///
    /// None.
    pub fn getrandom(bytes: &mut [u8], _: GetRandomFlags) -> crate::io::Result<usize> {
        use std::hash::{BuildHasher as _, RandomState};
        for chunk in bytes.chunks_mut(8) {
            let drawn = RandomState::new().hash_one(0).to_le_bytes();
            chunk.copy_from_slice(&drawn[..chunk.len()]);
        }
        Ok(bytes.len())
    }
}

pub mod process {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Uid(());

    impl Uid {
        /// A number that no owner has.
        pub fn as_raw(self) -> u32 {
            u32::MAX
        }

        pub fn is_root(self) -> bool {
            false
        }
    }

    pub fn geteuid() -> Uid {
        Uid(())
    }

    #[derive(Clone, Copy, Debug)]
    pub enum Resource {
        Nofile,
    }

    #[derive(Clone, Debug)]
    pub struct Rlimit {
        pub current: Option<u64>,
        pub maximum: Option<u64>,
    }

    pub fn getrlimit(_: Resource) -> Rlimit {
        Rlimit {
            current: None,
            maximum: None,
        }
    }

    absent! { setrlimit(A, B) -> (); }
}

pub mod system {
    #[derive(Debug)]
    pub struct Sysinfo {
        pub totalswap: u64,
    }

    pub fn sysinfo() -> Sysinfo {
        // Not `None`: whether there is swap is unknown.
        Sysinfo {
            totalswap: u64::MAX,
        }
    }
}

pub mod termios {
    absent! { tcdrain(A) -> (); }
}

pub mod thread {
    absent! { set_current_timer_slack(A) -> (); }
}

/// Asks the driver of an open file.
///
/// # Safety
///
/// None is needed: nothing is asked.
///
/// # Errors
///
/// Always.
pub unsafe fn ioctl<T>(_: impl fd::AsFd, _: u32, _: *mut T) -> io::Result<u32> {
    Err(io::Errno::NOSYS)
}
