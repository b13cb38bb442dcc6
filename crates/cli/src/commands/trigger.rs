//! What ends a run before its time: a file that is there, or a time; and the command after it.

use crate::aside;
use crate::error::system_words;
use crate::stop::Stop;
use fathom_core::Nanos;
use fathom_engine::Clock;
use fathom_session::{Event, Observer};
use fathom_tools::Trigger;
use std::path::Path;

/// Looks for it while a run goes on.
pub(super) struct Triggered {
    trigger: Trigger,
    stop: Stop,
    clock: Clock,
    /// When the first phase began.
    begun: Option<Nanos>,
    has_fired: bool,
}

impl Triggered {
    /// `stop` ends the run.
    pub(super) fn new(trigger: Trigger, stop: Stop) -> Self {
        Self {
            trigger,
            stop,
            clock: Clock::monotonic(),
            begun: None,
            has_fired: false,
        }
    }

    fn look(&mut self) {
        if self.has_fired {
            return;
        }
        let passed = self
            .begun
            .map(|begun| self.clock.now().saturating_sub(begun));
        let is_late = self
            .trigger
            .after
            .zip(passed)
            .is_some_and(|(after, passed)| passed >= after);
        let is_there = self.trigger.file.as_deref().is_some_and(Path::exists);
        if is_late || is_there {
            self.has_fired = true;
            self.stop.finish();
            if let Some(file) = self.trigger.file.as_deref().filter(|_| is_there) {
                take(file);
            }
        }
    }

    /// Runs its command, if it has ended the run.
    pub(super) fn follow(&self, quiet: bool) {
        let Some(command) = self.trigger.command.as_ref().filter(|_| self.has_fired) else {
            return;
        };
        let ended = fathom_device::command("/bin/sh")
            .arg("-c")
            .arg(command)
            .status();
        let why = match ended {
            Ok(status) if status.success() => return,
            Ok(status) => status.to_string(),
            Err(error) => system_words(&error),
        };
        if !quiet {
            aside::say(&format!("note: the command of the trigger failed: {why}"));
        }
    }
}

/// Takes away a file that only says that it is there: the next run would end by it at once. One
/// that holds anything was hardly made to be lost.
fn take(file: &Path) {
    let meta = std::fs::symlink_metadata(file);
    if meta.is_ok_and(|meta| meta.is_file() && meta.len() == 0) {
        // Where it cannot be taken away, the next run says so by its end.
        let _ = std::fs::remove_file(file);
    }
}

impl Observer for Triggered {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::PhaseStart { .. } => {
                self.begun.get_or_insert_with(|| self.clock.now());
            }
            Event::Tick { .. } => self.look(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_taken_only_where_it_is_empty() {
        let folder = tempfile::tempdir().expect("a folder");
        let empty = folder.path().join("empty");
        let full = folder.path().join("full");
        std::fs::write(&empty, "").expect("a file");
        std::fs::write(&full, "x").expect("a file");
        for file in [&empty, &full] {
            let trigger = Trigger {
                file: Some(file.clone()),
                ..Trigger::default()
            };
            let mut triggered = Triggered::new(trigger, Stop::default());
            triggered.look();
            assert!(triggered.stop.is_asked() && triggered.has_fired);
        }
        assert_eq!((empty.exists(), full.exists()), (false, true));
    }

    #[test]
    fn nothing_ends_a_run_before_it_is_due() {
        let trigger = Trigger {
            file: Some("/nonexistent/file".into()),
            after: Some(Nanos::from_secs(3600)),
            command: None,
        };
        let mut triggered = Triggered::new(trigger, Stop::default());
        triggered.begun = Some(triggered.clock.now());
        triggered.look();
        assert!(!triggered.stop.is_asked());
        triggered.trigger.after = Some(Nanos::ZERO);
        triggered.look();
        assert!(triggered.stop.is_asked());
    }
}
