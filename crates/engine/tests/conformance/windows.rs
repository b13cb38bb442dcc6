//! The engines of Windows. They have no trims, and there is no device that is always full.

use crate::bench::{direct, os};
use crate::files;
use crate::{PLAIN, SLEEPING, SPINNING};
use fathom_engine::engines::iocp::IocpEngine;
use fathom_engine::engines::sync::SyncEngine;

contract!(sync, os::<SyncEngine>(PLAIN));
contract!(iocp, os::<IocpEngine>(PLAIN));
contract!(iocp_sleeping, os::<IocpEngine>(SLEEPING));
contract!(iocp_spinning, os::<IocpEngine>(SPINNING));
contract!(sync_direct, direct::<SyncEngine>(PLAIN));
contract!(iocp_direct, direct::<IocpEngine>(PLAIN));

/// What they keep, and what they promise over files.
macro_rules! keeps {
    ($storage:ident, $files:ident, $engine:ty) => {
        tests!(
            $storage,
            storage,
            os::<$engine>(PLAIN),
            what_is_written_is_read,
            the_end_of_the_target_makes_reads_short,
            flushes_complete_with_zero,
        );
        tests!(
            $files,
            files,
            files::open_with::<$engine>(PLAIN),
            what_is_written_is_in_the_file,
            a_request_reaches_the_target_it_names,
            a_read_only_target_refuses_writes,
            a_misaligned_direct_request_is_refused,
            an_error_is_of_its_request_alone,
            dropping_waits_for_the_kernel,
            a_panic_in_the_callback_loses_and_repeats_nothing,
            dropping_forgets_what_was_not_submitted,
            the_loop_allocates_nothing,
        );
    };
}

keeps!(sync_storage, sync_files, SyncEngine);
keeps!(iocp_storage, iocp_files, IocpEngine);
