//! Linux.

mod calls;
mod inherited;
mod kernel_files;
mod lease;
mod page_cache;
mod signals;
mod usage;

pub(crate) use calls::names;
pub(crate) use inherited::inherited;
pub(crate) use kernel_files::{refuse_kernel_file, refuse_kernel_folder};
pub(crate) use lease::{await_end, is_leased_out, may_write};
pub(crate) use page_cache::{cachestat, mincore};
pub(crate) use signals::{leave_signals, receive_all};
pub(crate) use usage::{of_process, of_thread};
