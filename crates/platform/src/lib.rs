//! The calls of the operating system that more than one crate makes, under one name on every
//! system. It is chosen here; what one crate alone asks of the system is in its own `platform`
//! folder, and no other file says for which system it is.
//!
//! On Linux these are the calls themselves. Elsewhere files are opened, read and written as `std`
//! does, which is enough for results, plans and pages; every other call has one answer,
//! [`io::Errno::NOSYS`]. Whoever asked says then what it says on a Linux that does not tell: a
//! check that it cannot tell, an engine that it is not available, a guard that it refuses.
//!
//! The numbers of errors are those of Linux everywhere, since results keep them.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub use linux::*;

#[cfg(any(windows, test))]
mod ranges;
#[cfg(any(windows, test))]
mod switches;
#[cfg(any(windows, test))]
mod whole_device;

#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(not(target_os = "linux"))]
pub use other::*;
