//! What an NVMe controller is asked by a device node of it, and how.
//!
//! The kernel passes commands of administration on as they are (`linux/nvme_ioctl.h`). Those here
//! only ask: nothing that they can say changes a device.
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod admin;
mod ask;

pub use ask::{IDENTIFY_BYTES, identify_namespace, log_page, namespace_id};
