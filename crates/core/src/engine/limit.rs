//! What a load can ask of an engine.

/// Something that an engine does not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What it does not do.
    pub feature: Feature,
    /// Why, as a clause.
    pub because: &'static str,
    /// What to use instead.
    pub instead: &'static str,
}

/// A feature of an engine that a load can need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Requests that bypass the page cache.
    Direct,
    /// Files that are empty at the start.
    FreshFiles,
    /// Polling for submissions or completions.
    Polling,
    /// Waits that end with fewer completions after a time.
    MinWait,
    /// Resets of the zones of a zoned device.
    ZoneResets,
    /// Resets of zones while completions are polled for.
    PolledZoneResets,
    /// Requests that discard blocks.
    Trims,
    /// Trims while completions are polled for.
    PolledTrims,
    /// Writes for which the device chooses the offset within a zone.
    ZoneAppends,
}

impl Feature {
    /// Its name, for a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct requests",
            Self::FreshFiles => "files that are empty at the start",
            Self::Polling => "polling",
            Self::MinWait => "a minimum wait",
            Self::ZoneResets => "resets of zones",
            Self::PolledZoneResets => "resets of zones with polling",
            Self::Trims => "trims",
            Self::PolledTrims => "trims with polling",
            Self::ZoneAppends => "appends to zones",
        }
    }
}
