//! Sections as fio tells of them before they begin.

use super::job::Built;
use super::settings::{Directions, Pattern, Settings};

/// A section, as it is told before it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FioStart {
    /// Its name.
    pub name: String,
    /// Number of its group.
    pub group: u32,
    /// Its clones.
    pub clones: u64,
    /// Whether they are told to be threads, and not processes.
    pub threads: bool,
    /// The value of `rw` without what follows a colon.
    pub access: &'static str,
    /// The smallest and the largest request of reads, writes and trims, bytes.
    pub sizes_bytes: [(u64, u64); 3],
    /// Whether the first sizes are those of sequential requests, and the second of random ones.
    pub by_order: bool,
    /// The engine, as given.
    pub engine: String,
    /// Outstanding requests of a clone, as given.
    pub depth: u64,
    /// Digits of amounts.
    pub digits: u32,
}

impl FioStart {
    pub(super) fn of(built: &Built, group: u32) -> Self {
        let settings = &built.settings;
        let word = |name| settings.word(name).map(|word| word.text().to_owned());
        Self {
            name: built.name.clone(),
            group,
            clones: settings.clones,
            threads: settings.threads,
            access: access(settings.pattern),
            sizes_bytes: std::array::from_fn(|direction| sizes(settings, direction)),
            by_order: settings.block_by_order,
            engine: word("ioengine").unwrap_or_else(|| "psync".to_owned()),
            depth: settings.depth,
            digits: settings.wanted.digits,
        }
    }
}

/// fio's name of a pattern; it knows several of some.
const fn access(pattern: Pattern) -> &'static str {
    match (pattern.directions, pattern.random) {
        (Directions::Reads, false) => "read",
        (Directions::Reads, true) => "randread",
        (Directions::Writes, false) => "write",
        (Directions::Writes, true) => "randwrite",
        (Directions::Trims, false) => "trim",
        (Directions::Trims, true) => "randtrim",
        (Directions::Both, false) => "rw",
        (Directions::Both, true) => "randrw",
        (Directions::TrimsAndWrites, false) => "trimwrite",
        (Directions::TrimsAndWrites, true) => "randtrimwrite",
    }
}

fn sizes(settings: &Settings, direction: usize) -> (u64, u64) {
    let split = settings.block_split[direction]
        .iter()
        .map(|(size, _)| *size);
    if let (Some(least), Some(most)) = (split.clone().min(), split.max()) {
        return (least, most);
    }
    match settings.block_range[direction] {
        Some(range) => (range.low, range.high),
        None => (settings.block[direction], settings.block[direction]),
    }
}
