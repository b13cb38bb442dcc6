//! The table of engines.

use super::{Capabilities, Choice, EngineRow, Feature, Limit};
use serde::{Deserialize, Serialize};

/// Names an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EngineKind {
    /// Linux `io_uring`.
    IoUring,
    /// Linux native asynchronous I/O.
    Libaio,
    /// `pread` and `pwrite`, one request at a time.
    Psync,
    /// Files mapped into memory, one copy at a time.
    Mmap,
    /// NVMe commands through `io_uring`.
    Nvme,
    /// Many files, each opened, used and closed.
    Files,
    /// Overlapped requests of Windows, and a completion port.
    Iocp,
    /// `ReadFile` and `WriteFile`, one request at a time.
    Sync,
    /// No storage at all.
    Null,
    /// A simulated volume in virtual time.
    Sim,
}

/// All engines, in the order of preference, which is that of [`EngineKind`].
pub static ENGINES: [EngineRow; 10] = [
    EngineRow {
        kind: EngineKind::IoUring,
        name: "io_uring",
        description: "io_uring: many requests per system call",
        choice: Choice::RunOrJob,
        capabilities: Capabilities {
            batches: true,
            ..STORAGE
        },
        cannot: &[NO_APPENDS, NO_RESETS],
        substitute: "libaio",
    },
    EngineRow {
        kind: EngineKind::Libaio,
        name: "libaio",
        description: "Linux native asynchronous I/O; asynchronous for direct requests only",
        choice: Choice::RunOrJob,
        capabilities: Capabilities {
            batches: true,
            buffers_synchronously: true,
            ..STORAGE
        },
        cannot: &[NO_POLLING, NO_MIN_WAIT, NO_APPENDS],
        substitute: "psync",
    },
    EngineRow {
        kind: EngineKind::Psync,
        name: "psync",
        description: "pread and pwrite, one request at a time per thread",
        choice: Choice::RunOrJob,
        capabilities: STORAGE,
        cannot: &[NO_POLLING, NO_MIN_WAIT, NO_APPENDS],
        substitute: "io_uring",
    },
    EngineRow {
        kind: EngineKind::Mmap,
        name: "mmap",
        description: "memory-mapped files: each page fault is a request",
        choice: Choice::RunOrJob,
        capabilities: Capabilities {
            maps_targets: true,
            ..STORAGE
        },
        cannot: &[
            NO_POLLING,
            NO_MIN_WAIT,
            NO_APPENDS,
            NO_RESETS,
            limit(
                Feature::Direct,
                "a mapping uses the page cache, and this job requests direct I/O",
                "--no-direct, or --engine psync",
            ),
            limit(
                Feature::FreshFiles,
                "a mapping cannot extend a file, and the files of this job start empty",
                "`fresh = false`, or --engine psync",
            ),
        ],
        substitute: "psync",
    },
    EngineRow {
        kind: EngineKind::Nvme,
        name: "nvme",
        description: "NVMe commands that bypass the block layer, on /dev/ngXnY",
        choice: Choice::RunOrJob,
        capabilities: Capabilities {
            batches: true,
            takes_namespace: true,
            ..STORAGE
        },
        cannot: &[
            limit(
                Feature::PolledZoneResets,
                "a zone reset moves no data and cannot be polled",
                "no --iopoll",
            ),
            // With Linux 6.1 some never came back, and the kernel failed when the program ended.
            limit(
                Feature::PolledTrims,
                "a polled trim may never complete",
                "no --iopoll",
            ),
        ],
        substitute: "io_uring on the block device of the namespace",
    },
    EngineRow {
        kind: EngineKind::Files,
        name: "files",
        description: "many files, each opened, used and closed",
        choice: Choice::Implied,
        capabilities: STORAGE,
        cannot: &[],
        substitute: "psync",
    },
    EngineRow {
        kind: EngineKind::Iocp,
        name: "iocp",
        description: "Windows: overlapped requests and a completion port",
        choice: Choice::RunOrJob,
        capabilities: Capabilities {
            batches: true,
            ..STORAGE
        },
        cannot: &[NO_POLLING, NO_MIN_WAIT, NO_APPENDS, NO_RESETS, NO_TRIMS],
        substitute: "io_uring",
    },
    EngineRow {
        kind: EngineKind::Sync,
        name: "sync",
        description: "Windows: ReadFile and WriteFile, one request at a time per thread",
        choice: Choice::RunOrJob,
        capabilities: STORAGE,
        cannot: &[NO_POLLING, NO_MIN_WAIT, NO_APPENDS, NO_RESETS, NO_TRIMS],
        substitute: "psync",
    },
    EngineRow {
        kind: EngineKind::Null,
        name: "null",
        description: "no storage: measures the cost of Fathom itself per request",
        choice: Choice::RunOrJob,
        capabilities: NO_STORAGE,
        cannot: &[NO_POLLING, NO_MIN_WAIT, NO_APPENDS, NO_RESETS],
        substitute: "psync",
    },
    EngineRow {
        kind: EngineKind::Sim,
        name: "sim",
        description: "a simulated volume in virtual time; the same seed gives the same result",
        choice: Choice::Run,
        capabilities: Capabilities {
            is_virtual: true,
            ..NO_STORAGE
        },
        cannot: &[NO_POLLING, NO_MIN_WAIT, NO_APPENDS, NO_RESETS],
        substitute: "psync",
    },
];

/// An engine that asks the kernel for storage, one request at a time.
const STORAGE: Capabilities = Capabilities {
    is_real: true,
    needs_target: true,
    is_virtual: false,
    batches: false,
    buffers_synchronously: false,
    maps_targets: false,
    takes_namespace: false,
};

/// An engine without storage.
const NO_STORAGE: Capabilities = Capabilities {
    is_real: false,
    needs_target: false,
    batches: true,
    ..STORAGE
};

const NO_POLLING: Limit = limit(
    Feature::Polling,
    "it does not support polling for submissions or completions",
    "--engine io_uring, or no polling",
);
const NO_MIN_WAIT: Limit = limit(
    Feature::MinWait,
    "it always waits for all completions or the full time",
    "--engine io_uring, or no --min-wait",
);
const NO_APPENDS: Limit = limit(
    Feature::ZoneAppends,
    "the kernel has no zone append for block devices and files",
    "--engine nvme on /dev/ngXnY, or `write_pointers` without `append`",
);
const NO_RESETS: Limit = limit(
    Feature::ZoneResets,
    "it has no zone reset, which writes to zones need",
    "--engine libaio or psync, which do not poll; nvme on /dev/ngXnY",
);
const NO_TRIMS: Limit = limit(
    Feature::Trims,
    "it has no trims: Windows has none that is defined to reach the device",
    "a workload without trims, or a Linux host",
);

const fn limit(feature: Feature, because: &'static str, instead: &'static str) -> Limit {
    Limit {
        feature,
        because,
        instead,
    }
}
