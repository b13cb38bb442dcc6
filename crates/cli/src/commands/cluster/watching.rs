//! What the user sees of a measurement from many hosts while it goes on: a screen with a row for
//! each host on a terminal, elsewhere a line for each interval of all, and for each thing that
//! matters.

use crate::aside;
use crate::live::{HastyStderr, Plain, Screen};
use fathom_session::{Event, Observer};

/// Lines on standard error. What changes the result is said also where no progress is wished for.
pub(in crate::commands) struct ProgressLines {
    /// How it goes, where somebody wants to know.
    progress: Option<Plain<HastyStderr>>,
}

impl ProgressLines {
    /// As real time passes.
    pub(in crate::commands) fn new(is_quiet: bool) -> Self {
        Self {
            progress: (!is_quiet).then(|| Plain::new(HastyStderr)),
        }
    }
}

impl Observer for ProgressLines {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Members { line, matters } = event
            && (*matters || self.progress.is_some())
        {
            aside::say(line);
        }
        if let Some(progress) = &mut self.progress {
            progress.event(event);
        }
    }
}

/// A screen; what changes the result stays when it is gone.
pub(in crate::commands) struct Watched {
    screen: Option<Screen>,
    said: Vec<String>,
}

impl Watched {
    pub(in crate::commands) const fn on(screen: Screen) -> Self {
        Self {
            screen: Some(screen),
            said: Vec::new(),
        }
    }
}

impl Observer for Watched {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Members {
            line,
            matters: true,
        } = event
        {
            self.said.push((*line).to_owned());
        }
        if let Some(screen) = &mut self.screen {
            screen.event(event);
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // The terminal is given back first: its screen takes with it what is written there.
        drop(self.screen.take());
        for line in &self.said {
            aside::say(line);
        }
    }
}
