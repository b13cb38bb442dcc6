//! A system that nothing is written for yet: a thread stays where it is put, and what it used is
//! not known.

use fathom_core::Nanos;

pub(crate) fn pin(_: u32) {}

pub(crate) fn thread_cpu() -> Nanos {
    Nanos::ZERO
}

pub(crate) fn processor() -> u32 {
    0
}
