//! What a configuration file holds.

use std::ops::Range;

/// A value and its place in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct At<T> {
    pub(super) value: T,
    pub(super) place: Range<usize>,
}

/// The test setup.
#[derive(Clone, Debug, Default)]
pub(super) struct Setup {
    pub(super) description: String,
    pub(super) run_seconds: Option<At<u64>>,
    pub(super) ramp_seconds: u64,
    /// Workers of a manager that the file does not list; none for one on each processor.
    pub(super) default_workers: Option<u64>,
    pub(super) test_type: Option<At<String>>,
}

/// A line of an access specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) size: u64,
    pub(super) of_size: u64,
    pub(super) reads: u64,
    pub(super) random: u64,
    pub(super) delay_ms: u64,
    pub(super) burst: u64,
    pub(super) align: u64,
    pub(super) reply: u64,
    pub(super) place: Range<usize>,
}

/// An access specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spec {
    pub(super) name: At<String>,
    /// Whether new disk workers get it.
    pub(super) by_default: bool,
    pub(super) lines: Vec<Access>,
}

/// A thread of a manager.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Worker {
    pub(super) name: At<String>,
    /// Not a disk worker.
    pub(super) network: bool,
    pub(super) outstanding: Option<At<u64>>,
    pub(super) connection_rate: bool,
    pub(super) seed: Option<u64>,
    pub(super) sectors: u64,
    pub(super) first_sector: u64,
    pub(super) pattern: u64,
    pub(super) specs: Vec<At<String>>,
    pub(super) targets: Vec<At<String>>,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub(super) struct Icf {
    pub(super) setup: Setup,
    pub(super) specs: Vec<Spec>,
    /// Names of the managers.
    pub(super) managers: Vec<At<String>>,
    /// The workers of all of them, in order.
    pub(super) workers: Vec<Worker>,
    /// Keys that nobody knows.
    pub(super) unknown: Vec<String>,
}
