//! The words of runs that several tests begin with.

/// Random reads of a small file through the page cache, which end when they are told to.
pub(crate) const LONG: &str =
    "run random-read-4k --engine psync --no-direct --size 1MiB --time 1h --warm-up 0s";

/// The same with lines of progress, ten a second.
pub(crate) const LONG_IN_LINES: &str = "run random-read-4k --engine psync --no-direct --size 1MiB \
                                        --time 1h --warm-up 0s --interval 100ms --no-live";

/// Random reads of a simulated volume, for an instant.
pub(crate) const SIMULATED: &str = "run random-read-4k --engine sim --time 10ms --warm-up 0";

/// A run with more words behind its own.
pub(crate) fn with<'a>(load: &'static str, more: &[&'a str]) -> Vec<&'a str> {
    load.split_whitespace()
        .chain(more.iter().copied())
        .collect()
}
