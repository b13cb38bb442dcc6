//! The engines by name: what each can do, and what it cannot, with the reason and the alternative.
//!
//! Everything that is known of an engine without running it is its row in [`ENGINES`]. Validation,
//! the help, the documentation and the checks read that table.

mod limit;
mod table;

pub use limit::{Feature, Limit};
pub use table::{ENGINES, EngineKind};

/// What is known of an engine.
#[derive(Debug)]
pub struct EngineRow {
    /// Which engine.
    pub kind: EngineKind,
    /// The name on the command line, in specifications and in results.
    pub name: &'static str,
    /// One line for help and documentation.
    pub description: &'static str,
    /// Who may ask for it.
    pub choice: Choice,
    /// Properties.
    pub capabilities: Capabilities,
    /// What it cannot do. The first that a load asks for is reported.
    pub cannot: &'static [Limit],
    /// What to use where this machine does not have it.
    pub substitute: &'static str,
}

/// Who may ask for an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A run, or a job for itself.
    RunOrJob,
    /// A run only, for all of its jobs.
    Run,
    /// Nobody: jobs with `files` need it.
    Implied,
}

/// Properties of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Requests go to storage, and times come from the clock of the machine.
    pub is_real: bool,
    /// It opens its targets; for other engines a target is only a name.
    pub needs_target: bool,
    /// Time is that of a simulated world, which takes the place of threads.
    pub is_virtual: bool,
    /// A thread can have several requests in flight.
    pub batches: bool,
    /// Buffered requests complete while they are submitted, one by one.
    pub buffers_synchronously: bool,
    /// It maps its targets: it needs the right to read them, and page faults are its requests.
    pub maps_targets: bool,
    /// It works on the character device of an NVMe namespace.
    pub takes_namespace: bool,
}

impl EngineKind {
    /// The engine called `name`, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        let row = ENGINES.iter().find(|row| row.name == name);
        row.map(|row| row.kind)
    }

    /// Its row in [`ENGINES`].
    pub const fn row(self) -> &'static EngineRow {
        // The table has the order of the variants; a test holds it to that.
        &ENGINES[self as usize]
    }

    /// The name on the command line, in specifications and in results.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Its properties.
    pub const fn capabilities(self) -> Capabilities {
        self.row().capabilities
    }

    /// Whether requests go to storage, and times come from the clock of the machine.
    pub const fn is_real(self) -> bool {
        self.capabilities().is_real
    }

    /// Whether time is that of a simulated world.
    pub const fn is_virtual(self) -> bool {
        self.capabilities().is_virtual
    }

    /// Whether requests complete at once, without storage and without a model of it.
    pub const fn is_nowhere(self) -> bool {
        !self.is_real() && !self.is_virtual()
    }

    /// The engine that measures the generator alone: requests complete at once.
    pub const fn nowhere() -> Self {
        Self::Null
    }

    /// The engine that serves from a model.
    pub const fn simulator() -> Self {
        Self::Sim
    }

    /// Why it cannot provide `feature`, and what to use instead; `None` if it can.
    pub fn lacks(self, feature: Feature) -> Option<&'static Limit> {
        let limits = self.row().cannot;
        limits.iter().find(|limit| limit.feature == feature)
    }
}

impl EngineRow {
    /// The engines that a run can ask for, in the order of preference.
    pub fn of_runs() -> impl Iterator<Item = &'static Self> {
        ENGINES.iter().filter(|row| row.choice != Choice::Implied)
    }
}

/// A name that no engine has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine `{name}`; there are {}", names())]
pub struct UnknownEngine {
    /// As `--engine` names it.
    pub name: String,
}

fn names() -> String {
    let names: Vec<&str> = EngineRow::of_runs().map(|row| row.name).collect();
    names.join(", ")
}

impl std::str::FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, UnknownEngine> {
        Self::named(text)
            .filter(|kind| kind.row().choice != Choice::Implied)
            .ok_or_else(|| UnknownEngine { name: text.into() })
    }
}

impl std::fmt::Display for EngineKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize as _;
    use serde::de::IntoDeserializer as _;
    use serde::de::value::{Error, StrDeserializer};

    #[test]
    fn each_row_is_found_by_its_kind_and_by_its_name() {
        for (index, row) in ENGINES.iter().enumerate() {
            assert_eq!(row.kind as usize, index, "{}", row.name);
            assert_eq!(EngineKind::named(row.name), Some(row.kind));
            let text: StrDeserializer<'_, Error> = row.name.into_deserializer();
            assert_eq!(EngineKind::deserialize(text), Ok(row.kind));
            let parsed = row.name.parse().ok();
            let expected = (row.choice != Choice::Implied).then_some(row.kind);
            assert_eq!(parsed, expected);
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_list() {
        let error = "aio".parse::<EngineKind>().expect_err("no such engine");
        assert_eq!(
            error.to_string(),
            "there is no engine `aio`; there are io_uring, libaio, psync, mmap, nvme, iocp, \
             sync, null, sim"
        );
    }
}
