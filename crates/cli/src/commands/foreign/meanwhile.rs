//! The figures of a run so far, printed at intervals and on SIGUSR1.

use super::files::Report;
use crate::error::{Problem, system_words};
use crate::exit::Exit;
use crate::platform;
use fathom_core::Nanos;
use fathom_engine::Clock;
use fathom_session::{Event, Observer};
use fathom_tools::Call;
use fathom_tools::SoFar;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells it as a program would.
pub(super) struct MeanwhileTold<'a> {
    call: &'a dyn Call,
    report: &'a Report,
    so_far: SoFar,
    has_begun: bool,
    clock: Clock,
    every: Option<Nanos>,
    /// When the next is due; none before the first phase.
    next: Option<Nanos>,
    asked: Arc<AtomicBool>,
}

impl<'a> MeanwhileTold<'a> {
    /// Of a call; where it tells nothing meanwhile, neither does this.
    pub(super) fn of(call: &'a dyn Call, report: &'a Report) -> Result<Self, Problem> {
        let asked = Arc::new(AtomicBool::new(false));
        let wanted = call.tells_meanwhile();
        if wanted.is_some() {
            platform::raise_when_asked(&asked).map_err(|error| {
                Problem::new(Exit::Environment, "cannot receive signals")
                    .because(system_words(&error))
            })?;
        }
        Ok(Self {
            call,
            report,
            so_far: SoFar::default(),
            has_begun: false,
            clock: Clock::monotonic(),
            every: wanted.and_then(|wanted| wanted.every),
            next: None,
            asked,
        })
    }

    fn look(&mut self) {
        let now = self.clock.now();
        let is_due = self.next.is_some_and(|next| now >= next);
        let is_asked = self.asked.swap(false, Ordering::Relaxed);
        if let (true, Some(every), Some(next)) = (is_due, self.every, self.next) {
            // One that was missed is not made up for.
            let missed = now.saturating_sub(next).0 / every.0.max(1);
            self.next = Some(next.saturating_add(Nanos(every.0 * (missed + 1))));
        }
        if !(is_due || is_asked) {
            return;
        }
        if let Some(result) = self.so_far.result() {
            // Where this cannot be written, the report at the end says so.
            let _ = self.report.put(&self.call.said_meanwhile(&result));
        }
    }
}

impl Observer for MeanwhileTold<'_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Begin {
                run_id, provenance, ..
            } => self.so_far.begin(run_id, provenance),
            Event::PhaseStart {
                name,
                jobs,
                warm_up_ns,
                ..
            } => {
                self.so_far.phase(name, jobs, *warm_up_ns);
                // Only now is it sure that nothing is refused.
                if !std::mem::replace(&mut self.has_begun, true) {
                    let _ = self.report.put(&self.call.said_before());
                }
                if self.next.is_none() {
                    let now = self.clock.now();
                    self.next = self.every.map(|every| now.saturating_add(every));
                }
            }
            Event::Interval { interval } => self.so_far.interval(interval),
            Event::PhaseEnd { result } => {
                self.so_far.end(result);
                // One that comes due as the phase ends is of all of it.
                self.look();
            }
            Event::Tick { .. } => self.look(),
            _ => {}
        }
    }
}
