//! What the user sees of a measurement from many hosts while it goes on: a line for each thing that
//! matters.

use crate::stop::Stop;
use fathom_cluster::Event;
use fathom_cluster::drive::Watcher;
use fathom_core::Nanos;
use fathom_session::Wish;
use std::io::{self, Write as _};

/// Lines on standard error.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    quiet: bool,
    stop: &'a Stop,
}

impl<'a> Lines<'a> {
    pub(super) const fn new(quiet: bool, stop: &'a Stop) -> Self {
        Self { quiet, stop }
    }
}

/// Whether it is said also where no progress is wished for: what changes the result.
const fn matters(event: &Event) -> bool {
    matches!(
        event,
        Event::Refused(..)
            | Event::Missing(..)
            | Event::Failed(..)
            | Event::Silent(..)
            | Event::Lost(..)
            | Event::Abandoned(_)
    )
}

impl Watcher for Lines<'_> {
    fn event(&mut self, _now: Nanos, event: &Event) {
        if matters(event) || !self.quiet && !matches!(event, Event::Joined(_) | Event::Finished(_))
        {
            // A line that cannot be written changes nothing of the measurement.
            let _ = writeln!(io::stderr(), "{event}");
        }
    }

    fn interruptions(&self) -> u32 {
        match self.stop.control().wish() {
            Wish::Run => 0,
            Wish::Finish => 1,
            Wish::Abort => 2,
        }
    }
}
