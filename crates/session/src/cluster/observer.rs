//! What a member tells its coordinator while it measures, and where it waits for it.

use super::{course, series};
use crate::start::Starter;
use fathom_cluster::drive::{News, Reporter};
use fathom_core::Nanos;
use fathom_engine::Clock;
use fathom_load::journal_event::JournalEvent;
use fathom_load::observer::{Event, Observer};
use std::cell::{Cell, RefCell};
use std::sync::mpsc::Receiver;

/// Before the common start a member looks at the clock without pause for this time: a sleep may end
/// late by as much.
const SPIN: Nanos = Nanos::from_millis(1);

/// What those who wait and those who tell have in common.
#[derive(Debug)]
pub(super) struct Talk<'a> {
    reporter: RefCell<&'a mut Reporter>,
    /// When the phase that runs began, on the clock that the coordinator knows.
    begin: Cell<Nanos>,
}

impl<'a> Talk<'a> {
    pub(super) const fn new(reporter: &'a mut Reporter) -> Self {
        Self {
            reporter: RefCell::new(reporter),
            begin: Cell::new(Nanos::ZERO),
        }
    }

    fn tell(&self, news: News) {
        self.reporter.borrow_mut().tell(news);
    }

    /// The load waits where the coordinator does not take the reports.
    fn tell_course(&self, event: &JournalEvent<'_>) {
        let mut reporter = self.reporter.borrow_mut();
        course::pieces(event, &mut |piece| reporter.tell_course(piece));
    }
}

/// Begins the phases of a member's session when the coordinator says.
pub(super) struct MemberStarter<'a> {
    pub(super) talk: &'a Talk<'a>,
    /// Phases to start, and when; it ends when nothing is to be started any more.
    pub(super) starts: &'a Receiver<(u32, Nanos)>,
    pub(super) clock: Clock,
}

impl Starter for MemberStarter<'_> {
    /// Waits here: the instant is one of the clock on which members and coordinator compare
    /// theirs, which a step of the time of day does not move.
    fn ready(&mut self, phase: usize) -> Option<u64> {
        self.talk.tell(News::Ready(phase as u32));
        if let Ok((phase, at)) = self.starts.recv() {
            let begin = self.clock.wait_until(at, SPIN);
            self.talk.begin.set(begin);
            self.talk.tell(News::Started(phase, begin));
        }
        None
    }
}

/// Tells the intervals of a member's session.
pub(super) struct MemberObserver<'a> {
    pub(super) talk: &'a Talk<'a>,
    /// Whether any job keeps a journal, which travels too.
    pub(super) has_journals: bool,
}

impl Observer for MemberObserver<'_> {
    fn event(&mut self, event: &Event<'_>) {
        if let Some(event) = JournalEvent::of(event).filter(|_| self.has_journals) {
            self.talk.tell_course(&event);
        }
        if let Event::Interval { interval } = event {
            match series::report(interval, self.talk.begin.get().0) {
                Ok(report) => self.talk.tell(News::Interval(report)),
                Err(error) => self.talk.tell(News::Failed(error.to_string())),
            }
        }
    }
}
