//! What the slowest requests waited for: of the last seconds, and at the end of all.

use crate::args::WatchArgs;
use crate::commands::run_problem;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::recording::Moment;
use fathom_core::result::blame::{Cause, PhaseBlame};
use fathom_core::{Nanos, figure};
use fathom_report::traced_sentence;
use fathom_session::blame::LiveBlame;

/// Time of which the requests are explained together: fewer of a slow device say nothing.
const SPAN: Nanos = Nanos::from_secs(10);

/// Explains requests where that is asked for.
pub(super) struct Blamed {
    live: Option<LiveBlame>,
    /// Time of the intervals since the last explanation.
    passed: Nanos,
}

impl Blamed {
    pub(super) fn of(args: &WatchArgs) -> Result<Self, Error> {
        let passed = Nanos::ZERO;
        if !args.blame {
            return Ok(Self { live: None, passed });
        }
        if args.reach.is_meant() {
            return Err(
                Problem::new(Exit::Usage, "--blame cannot be used with other hosts")
                    .because("it reads the kernel's events of this host")
                    .remedy("run `fathom watch --blame` on one of the hosts")
                    .into(),
            );
        }
        let live = LiveBlame::begin(&args.devices).map_err(|error| run_problem(&error))?;
        let live = Some(live);
        Ok(Self { live, passed })
    }

    /// Reads the events between two looks.
    pub(super) fn gather(&mut self) {
        if let Some(live) = &mut self.live {
            live.gather();
        }
    }

    /// Adds the explanation to the last of the moments that it is about; its sentence.
    pub(super) fn add(&mut self, moment: &mut Moment) -> Option<String> {
        let live = self.live.as_mut()?;
        self.passed = self.passed + Nanos(moment.length_ns);
        if self.passed < SPAN {
            return None;
        }
        self.passed = Nanos::ZERO;
        let (found, length) = live.of_last();
        let sentence = sentence("in the last", &found, length);
        moment.blame = Some(Box::new(found));
        Some(sentence)
    }

    /// The sentence of the whole time, and whether it names a cause.
    pub(super) fn end(&mut self) -> Option<(String, bool)> {
        let live = self.live.as_mut()?;
        live.gather();
        let (found, length) = live.of_all();
        let blame = found.blame.as_ref();
        let has_cause = blame.is_some_and(|blame| blame.cause != Cause::None);
        Some((sentence("in all", &found, length), has_cause))
    }
}

fn sentence(when: &str, found: &PhaseBlame, length: Nanos) -> String {
    format!(
        "{when} {}: {}",
        figure::duration(length.0),
        traced_sentence(found)
    )
}
