//! What an observer sees of a measurement from many hosts: the course of the phases as of one host,
//! how each host stands, and in a sentence what else happened.

use super::standings::Standings;
use super::{course, phases};
use crate::plan::Plan;
use crate::{Event as Told, Observer};
use fathom_cluster::Event;
use fathom_core::Nanos;
use fathom_core::interval::Part;
use fathom_core::spec::Phase;
use fathom_engine::Clock;
use fathom_load::journal_event::JournalEvent;

/// Tells an observer what a coordinator says.
pub(super) struct Telling<'a> {
    plan: &'a Plan,
    /// How many phases were measured before those of the plan.
    before: u32,
    standings: &'a mut Standings,
    observer: &'a mut dyn Observer,
    clock: Clock,
    /// The phase that runs, and when it began or will.
    phase: Option<(u32, Nanos)>,
    part: Part,
}

impl<'a> Telling<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        before: u32,
        standings: &'a mut Standings,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Self {
            plan,
            before,
            standings,
            observer,
            clock: Clock::monotonic(),
            phase: None,
            part: Part::WarmUp,
        }
    }

    fn spec(&self, phase: u32) -> &'a Phase {
        let phases = &self.plan.workload.phases;
        &phases[phase as usize % phases.len()]
    }

    /// Something happened, or for a while nothing has.
    pub(super) fn hear(&mut self, event: Option<&Event>) {
        let Some(event) = event else {
            return self.tick();
        };
        match event {
            Event::Starting { phase, lead } => self.start(*phase, *lead),
            Event::Interval { phase, glance, .. } => {
                if let Some(row) = &glance.row {
                    let interval = phases::interval_of(self.spec(*phase), &row.sum, row.span);
                    self.part = interval.part;
                    let interval = &interval;
                    self.observer.event(&Told::Interval { interval });
                }
            }
            Event::Told(rank, piece) => {
                return self.course(*rank, piece);
            }
            _ => {}
        }
        if self.standings.take(event) {
            let hosts = &self.standings.hosts();
            self.observer.event(&Told::Hosts { hosts });
        }
        self.say(event);
    }

    /// A member tells of requests that are logged, where any are.
    fn course(&mut self, rank: u32, piece: &[u8]) {
        if self.plan.journals.is_empty() {
            return;
        }
        let event = &course::read(piece).unwrap_or_else(|| {
            let line = &format!("rank {rank} reports inconsistent requests");
            let matters = true;
            self.observer.event(&Told::Members { line, matters });
            JournalEvent::Lost(1)
        });
        self.observer.event(&Told::Member { rank, event });
    }

    fn start(&mut self, phase: u32, lead: Nanos) {
        let spec = self.spec(phase);
        self.phase = Some((phase, self.clock.now().saturating_add(lead)));
        self.part = if spec.warm_up > Nanos::ZERO {
            Part::WarmUp
        } else {
            Part::Measure
        };
        let own = self.plan.workload.phases.len() * self.plan.workload.repeat as usize;
        self.observer.event(&Told::PhaseStart {
            name: &spec.name,
            index: (self.before + phase) as usize,
            count: self.before as usize + own,
            jobs: spec.jobs.iter().map(|job| job.name.as_str()).collect(),
            warm_up_ns: spec.warm_up.0,
            duration_ns: spec.duration.map(|duration| duration.0),
            cool_down_ns: spec.cool_down.0,
        });
    }

    fn tick(&mut self) {
        if let Some((_, begin)) = self.phase {
            let elapsed_ns = self.clock.now().saturating_sub(begin).0;
            let part = self.part;
            self.observer.event(&Told::Tick { part, elapsed_ns });
        }
    }

    /// Reports it. Later events report who came, who is done and how the intervals go.
    fn say(&mut self, event: &Event) {
        if matches!(
            event,
            Event::Joined(_) | Event::Finished(_) | Event::Interval { .. }
        ) {
            return;
        }
        let event = event.clone().after(self.before);
        self.observer.event(&Told::Members {
            line: &event.to_string(),
            matters: event.matters(),
        });
    }
}
