//! Kernel events that DISKSPD can trace: the words of `-e` and the elements of a profile.

/// A class of events, or how they are stamped.
#[derive(Debug, PartialEq, Eq)]
pub struct EventClass {
    /// After `-e`.
    pub(super) word: &'static str,
    /// In `<ETW>`.
    pub(super) element: &'static str,
}

impl EventClass {
    /// Whether a value of `-e` means it: of the small letters only the first is read.
    pub(super) fn is_said_by(&self, value: &str) -> bool {
        if self.word.len() == 1 {
            value.starts_with(self.word)
        } else {
            value == self.word
        }
    }
}

/// All of them, in the order in which a profile names them.
pub(super) static EVENT_CLASSES: [EventClass; 12] = [
    class("PROCESS", "Process"),
    class("THREAD", "Thread"),
    class("IMAGE_LOAD", "ImageLoad"),
    class("DISK_IO", "DiskIO"),
    class("MEMORY_PAGE_FAULTS", "MemoryPageFaults"),
    class("MEMORY_HARD_FAULTS", "MemoryHardFaults"),
    class("NETWORK", "Network"),
    class("REGISTRY", "Registry"),
    class("p", "UsePagedMemory"),
    class("q", "UsePerfTimer"),
    class("s", "UseSystemTimer"),
    class("c", "UseCyclesCounter"),
];

const fn class(word: &'static str, element: &'static str) -> EventClass {
    EventClass { word, element }
}
