//! What the user sees of a measurement from many hosts while it goes on: a line for each thing that
//! matters.

use crate::aside;
use fathom_session::{Event, Observer};

/// Lines on standard error. What changes the result is said also where no progress is wished for.
#[derive(Debug)]
pub(in crate::commands) struct Lines {
    is_quiet: bool,
}

impl Lines {
    pub(in crate::commands) const fn new(is_quiet: bool) -> Self {
        Self { is_quiet }
    }
}

impl Observer for Lines {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Members { line, matters } = event
            && (*matters || !self.is_quiet)
        {
            aside::say(line);
        }
    }
}
