//! What whoever writes journals down has to hear of a run: few events, which can travel to another
//! host.

use crate::journal::Entry;
use crate::observer::Event;
use fathom_core::Nanos;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Where a run is, as far as its journals are concerned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JournalEvent<'a> {
    /// The run begins.
    Begin {
        /// Nanoseconds since 1970 at the zero of the clock that requests are stamped with.
        base_ns: u64,
    },
    /// A phase begins.
    PhaseStart {
        /// The name of the phase.
        name: Cow<'a, str>,
        /// Names of its jobs.
        jobs: Vec<Cow<'a, str>>,
    },
    /// Requests, oldest completion first.
    Requests {
        /// Position of their job in the phase.
        job: usize,
        /// Number of their thread in the job.
        thread: u32,
        /// Begin of the phase on the clock of the requests, nanoseconds.
        start_ns: u64,
        /// The requests.
        entries: Cow<'a, [Entry]>,
    },
    /// This number of requests is missing.
    Lost(u64),
    /// So often the load waited until its journals were taken.
    Waited(u64),
    /// A phase has ended.
    PhaseEnd {
        /// The name of the phase.
        name: Cow<'a, str>,
        /// Its warm-up and its measured time, nanoseconds.
        length_ns: u64,
    },
}

impl<'a> JournalEvent<'a> {
    /// What an event says of journals, if it says anything.
    pub fn of(event: &Event<'a>) -> Option<Self> {
        Some(match event {
            Event::Begin { base_ns, .. } => Self::Begin { base_ns: *base_ns },
            Event::PhaseStart { name, jobs, .. } => Self::PhaseStart {
                name: Cow::Borrowed(name),
                jobs: jobs.iter().map(|name| Cow::Borrowed(*name)).collect(),
            },
            Event::Requests {
                job,
                thread,
                start,
                entries,
            } => Self::Requests {
                job: *job,
                thread: *thread,
                start_ns: start.0,
                entries: Cow::Borrowed(entries),
            },
            Event::RequestsLost { count } => Self::Lost(*count),
            Event::RequestsWaited { count } => Self::Waited(*count),
            Event::PhaseEnd { result } => Self::PhaseEnd {
                name: Cow::Borrowed(&result.name),
                length_ns: result.warm_up_ns + result.measured_ns,
            },
            _ => return None,
        })
    }
}

/// Instants as plain numbers: as text each would be twice as long.
pub(crate) mod as_number {
    use super::{Deserialize, Nanos};
    use serde::{Deserializer, Serializer};

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde hands fields on so"
    )]
    pub(crate) fn serialize<S: Serializer>(time: &Nanos, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(time.0)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Nanos, D::Error> {
        u64::deserialize(from).map(Nanos)
    }
}
