//! Every engine, the same contract. An engine is added by one line of [`contract!`], and of
//! [`storage!`] and [`files!`] as far as it keeps what is written, and keeps it in files.
//!
//! Where the kernel refuses an interface, the tests of that engine print why they are skipped.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

#[path = "conformance/bench.rs"]
mod bench;
#[path = "conformance/contract.rs"]
mod contract;
#[path = "conformance/files.rs"]
mod files;
#[cfg(target_os = "linux")]
#[path = "conformance/nvme.rs"]
mod nvme;
#[path = "conformance/storage.rs"]
mod storage;

use bench::{os, sim};
use fathom_core::Nanos;
use fathom_engine::alloc::CountingAllocator;
use fathom_engine::engines::null::NullEngine;
use fathom_engine::{EngineConfig, Spin};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Makes one test of each function named, called with the engine's factory.
macro_rules! tests {
    ($module:ident, $suite:ident, $make:expr, $($test:ident),+ $(,)?) => {
        mod $module {
            #[allow(unused_imports, reason = "each engine takes what it needs")]
            use super::*;
            $(
                #[test]
                fn $test() {
                    crate::$suite::$test(&$make);
                }
            )+
        }
    };
}

/// What every engine promises.
macro_rules! contract {
    ($module:ident, $make:expr) => {
        tests!(
            $module,
            contract,
            $make,
            each_pushed_slot_completes_once,
            enough_ends_the_turn,
            a_turn_with_nothing_in_flight_waits_for_its_instant,
            an_instant_in_the_past_does_not_wait,
            a_turn_that_cannot_get_enough_waits_for_its_instant,
            looking_again_and_again_delivers_in_the_end,
        );
    };
}

/// What an engine promises that keeps what is written.
macro_rules! storage {
    ($module:ident, $make:expr) => {
        tests!(
            $module,
            storage,
            $make,
            what_is_written_is_read,
            the_end_of_the_target_makes_reads_short,
            trimmed_bytes_read_as_zero,
            flushes_complete_with_zero,
        );
    };
}

const PLAIN: EngineConfig = EngineConfig {
    slots: 32,
    buffer_bytes: 4096,
    submission_polling: false,
    submission_cpu: None,
    completion_polling: false,
    hybrid_polling: false,
    min_wait: Nanos::ZERO,
    huge_pages: false,
    fixed_buffers: true,
    spin: Spin::LEARNED,
};
const SLEEPING: EngineConfig = EngineConfig {
    spin: Spin::fixed(Nanos::ZERO),
    ..PLAIN
};
const SPINNING: EngineConfig = EngineConfig {
    spin: Spin::fixed(Nanos::MAX),
    ..PLAIN
};

contract!(null, os::<NullEngine>(PLAIN));
contract!(sim, sim());
storage!(sim_storage, sim());

// They use the macros above.
#[cfg(target_os = "linux")]
#[path = "conformance/linux.rs"]
mod linux;
#[cfg(windows)]
#[path = "conformance/windows.rs"]
mod windows;
