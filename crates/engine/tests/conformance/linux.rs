//! The engines of Linux.

use crate::bench::{direct, os};
use crate::{PLAIN, SLEEPING, SPINNING};
use crate::{files, nvme};
use fathom_core::Nanos;
use fathom_engine::EngineConfig;
use fathom_engine::engines::io_uring::IoUringEngine;
use fathom_engine::engines::libaio::LibaioEngine;
#[cfg(target_arch = "x86_64")]
use fathom_engine::engines::mmap::MmapEngine;
use fathom_engine::engines::psync::PsyncEngine;

/// What an engine promises over files and devices of the operating system.
macro_rules! files {
    ($module:ident, $engine:ty, $config:expr) => {
        tests!(
            $module,
            files,
            files::open_with::<$engine>($config),
            what_is_written_is_in_the_file,
            a_request_reaches_the_target_it_names,
            a_read_only_target_refuses_writes,
            a_full_device_refuses_writes,
            a_misaligned_direct_request_is_refused,
            an_error_is_of_its_request_alone,
            a_trim_frees_the_blocks_of_the_file,
            dropping_waits_for_the_kernel,
            a_panic_in_the_callback_loses_and_repeats_nothing,
            dropping_forgets_what_was_not_submitted,
            the_loop_allocates_nothing,
        );
    };
}

const UNREGISTERED: EngineConfig = EngineConfig {
    fixed_buffers: false,
    ..PLAIN
};

const SUBMISSION_POLLING: EngineConfig = EngineConfig {
    submission_polling: true,
    ..PLAIN
};

/// Completions that the device is asked for; it takes a driver with queues for that.
const COMPLETION_POLLING: EngineConfig = EngineConfig {
    completion_polling: true,
    ..PLAIN
};

/// Content with fewer completions at once, which the contract takes for nothing to wait for.
const MIN_WAIT: EngineConfig = EngineConfig {
    min_wait: Nanos::from_micros(1),
    ..PLAIN
};

contract!(psync, os::<PsyncEngine>(PLAIN));
contract!(io_uring, os::<IoUringEngine>(PLAIN));
contract!(io_uring_unregistered, os::<IoUringEngine>(UNREGISTERED));
contract!(io_uring_sleeping, os::<IoUringEngine>(SLEEPING));
contract!(io_uring_spinning, os::<IoUringEngine>(SPINNING));
contract!(io_uring_sqpoll, os::<IoUringEngine>(SUBMISSION_POLLING));
contract!(libaio, os::<LibaioEngine>(PLAIN));
contract!(libaio_sleeping, os::<LibaioEngine>(SLEEPING));
contract!(libaio_spinning, os::<LibaioEngine>(SPINNING));
contract!(io_uring_direct, direct::<IoUringEngine>(PLAIN));
contract!(libaio_direct, direct::<LibaioEngine>(PLAIN));
contract!(psync_direct, direct::<PsyncEngine>(PLAIN));
#[cfg(target_arch = "x86_64")]
contract!(mmap, os::<MmapEngine>(PLAIN));

storage!(psync_storage, os::<PsyncEngine>(PLAIN));
storage!(io_uring_storage, os::<IoUringEngine>(PLAIN));
storage!(
    io_uring_unregistered_storage,
    os::<IoUringEngine>(UNREGISTERED)
);
storage!(
    io_uring_sqpoll_storage,
    os::<IoUringEngine>(SUBMISSION_POLLING)
);
storage!(io_uring_min_wait_storage, os::<IoUringEngine>(MIN_WAIT));
storage!(libaio_storage, os::<LibaioEngine>(PLAIN));
#[cfg(target_arch = "x86_64")]
storage!(mmap_storage, os::<MmapEngine>(PLAIN));

files!(psync_files, PsyncEngine, PLAIN);
files!(io_uring_files, IoUringEngine, PLAIN);
files!(io_uring_unregistered_files, IoUringEngine, UNREGISTERED);
files!(io_uring_sqpoll_files, IoUringEngine, SUBMISSION_POLLING);
files!(libaio_files, LibaioEngine, PLAIN);

// A mapping knows neither direct requests nor a device that is always full.
#[cfg(target_arch = "x86_64")]
tests!(
    mmap_files,
    files,
    files::open_with::<MmapEngine>(PLAIN),
    what_is_written_is_in_the_file,
    a_request_reaches_the_target_it_names,
    a_read_only_target_refuses_writes,
    an_error_is_of_its_request_alone,
    a_trim_frees_the_blocks_of_the_file,
    dropping_forgets_what_was_not_submitted,
    the_loop_allocates_nothing,
);

contract!(nvme_contract, nvme::namespace(PLAIN));
contract!(nvme_unregistered, nvme::namespace(UNREGISTERED));
contract!(nvme_sqpoll, nvme::namespace(SUBMISSION_POLLING));

/// What a namespace keeps; its end is an error and no short read.
macro_rules! namespaces {
    ($storage:ident, $errors:ident, $config:expr) => {
        tests!(
            $storage,
            storage,
            nvme::namespace($config),
            what_is_written_is_read,
            trimmed_bytes_read_as_zero,
        );
        tests!(
            $errors,
            nvme,
            $config,
            a_namespace_opened_to_read_refuses_writes,
            what_does_not_fit_is_refused,
            beyond_the_end_is_an_error_of_the_controller,
            durable_writes_are_written,
        );
    };
}

namespaces!(nvme_storage, nvme_errors, PLAIN);
namespaces!(
    nvme_unregistered_storage,
    nvme_unregistered_errors,
    UNREGISTERED
);
tests!(
    nvme_flushes,
    storage,
    nvme::namespace(PLAIN),
    flushes_complete_with_zero
);
tests!(
    nvme_allocations,
    nvme,
    PLAIN,
    the_loop_allocates_nothing,
    rings_that_poll_send_no_flush
);
namespaces!(nvme_iopoll_storage, nvme_iopoll_errors, COMPLETION_POLLING);
