//! Block devices: what they are, how they are stacked, what the kernel counted for them, and
//! whether they may be written to.
//!
//! Everything is read from files that the kernel keeps (`/proc`, `/sys`), below roots that a test
//! can choose, and nothing here writes to a device or reads a clock. Only the scheduler of a queue
//! is switched, where a load asks for it.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

pub mod addresses;
pub mod array;
pub mod awake;
pub mod background;
pub mod backing;
pub mod birthmark;
pub mod block;
pub mod block_trace;
pub mod blocked;
pub mod cgroup;
mod command;
pub mod container;
pub mod counter;
pub mod devnum;
pub mod diskstats;
pub mod door;
pub mod error;
pub mod exports;
pub mod extent_map;
#[cfg(test)]
mod fixture;
pub mod freespace;
pub mod frequency;
pub mod guard;
pub mod host;
pub mod idle_state;
pub mod inherited;
pub mod input;
mod kept_file;
pub mod limits;
pub mod link;
pub mod mark;
pub mod mounts;
pub mod namespace;
pub mod network;
pub mod newborn;
pub mod nfs;
pub mod nodes;
pub mod nvme_health;
pub mod nvme_transport;
pub mod openers;
pub mod own_directory;
pub mod owner;
pub mod page_cache;
pub mod paging;
pub mod perfmon;
pub mod pin;
mod platform;
pub mod premises;
pub mod process;
pub mod process_list;
pub mod processor;
pub mod queue;
pub mod recognise;
pub mod removal;
pub mod request_trace;
mod reserve;
pub mod run_queue;
pub mod sampler;
pub mod scratch;
pub mod serial;
pub mod signature;
pub mod swap;
pub mod sysfs;
pub mod system;
pub mod topology;
mod tracing;
pub mod tree;
pub mod zone_report;
pub mod zoned;

pub use array::Layout;
pub use awake::Awake;
pub use background::{Activity, Background};
pub use birthmark::birthmark;
pub use block::{BlockDevice, BlockKind, MountPoint};
pub use block_trace::{BlockEvents, BlockTrace, Handed};
pub use blocked::{AWAITED, Blocked};
pub use cgroup::{
    Cgroup, GroupActivity, GroupCounters, GroupIo, IoLimit, LimitingGroup, Throttled,
    machine_stalled_ns,
};
pub use command::{PARENT, command};
pub use container::Container;
pub use counter::Counter;
pub use devnum::DevNum;
pub use diskstats::{DiskCounters, DiskLine};
pub use door::{Door, DoorError, Existing, Opened, Shut};
pub use error::DeviceError;
pub use extent_map::{ExtentMap, allocated_bytes, direct_align_bytes};
pub use freespace::FreeSpace;
pub use frequency::Frequencies;
pub use guard::{
    AllowError, AllowList, Cleared, ClearedKind, Destroy, GuardError, Permissions, check_pinned,
    check_write,
};
pub use host::HostInfo;
pub use idle_state::{IdleState, IdleStates};
pub use limits::{Limits, PcieLink};
pub use link::DeviceLink;
pub use mounts::{Mount, Mounts};
pub use network::{LinkCounters, NetworkLink};
pub use newborn::Newborn;
pub use nfs::NfsMount;
pub use nvme_transport::nvme_transport;
pub use own_directory::{OwnDirectory, Standing};
pub use owner::ProcessMark;
pub use page_cache::PageCache;
pub use paging::MachinePaging;
pub use pin::Pin;
pub use platform::{perfmon as live_perfmon, premises as premises_of};
pub use premises::{Premises, Scanned, StorageSpace};
pub use process::{IoThreads, MachineTicks, ProcessIo, ProcessUsage, ThreadUsage};
pub use process_list::{
    cgroups_of_task, io_of_processes, name_of_process, open_files, process_of_task,
};
pub use queue::Queue;
pub use request_trace::{RequestTrace, Setting};
pub use reserve::Reserve;
pub use run_queue::{RunQueue, Waited};
pub use sampler::{DiskActivity, DiskSample, Sampler};
pub use swap::{SwapArea, Swaps};
pub use sysfs::Sysfs;
pub use system::System;
pub use topology::{Topology, list_devices};
pub use tracing::remove_tracing_left;
pub use tree::{Tree, TreeRow};
pub use zoned::Zoned;
