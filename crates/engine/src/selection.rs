//! Which engine is taken, and why: the reason is part of the result.

use crate::engines::platform;
use crate::error::EngineError;
use crate::visit;
use fathom_core::EngineKind;
use fathom_core::engine::{Choice, Feature, Limit};

/// What the load asks of an engine, beyond requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// A kernel thread that takes up requests.
    pub submission_polling: bool,
    /// Completions by polling the device.
    pub completion_polling: bool,
    /// Waits that accept fewer completions after a time.
    pub min_wait: bool,
    /// Resets of the zones of a zoned device.
    pub zone_resets: bool,
    /// Writes whose place in a zone the device finds.
    pub zone_appends: bool,
    /// Whether the load trims.
    pub trims: bool,
}

/// The engine that is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Which; the first of several.
    pub kind: EngineKind,
    /// The others, where jobs have engines of their own.
    pub beside: Vec<EngineKind>,
    /// A line for the report, as in `io_uring: available` or
    /// `libaio, because io_uring is disabled by kernel.io_uring_disabled=2`.
    pub reason: String,
}

impl Selection {
    /// One engine for all jobs.
    pub const fn one(kind: EngineKind, reason: String) -> Self {
        Self {
            kind,
            beside: Vec::new(),
            reason,
        }
    }

    /// The names of all of them.
    pub fn names(&self) -> String {
        let all = std::iter::once(&self.kind).chain(&self.beside);
        let names: Vec<&str> = all.map(|kind| kind.name()).collect();
        names.join(", ")
    }
}

/// Takes the engine that is asked for, or the first of those of this system that can be used here:
/// of `io_uring`, `libaio` and `psync`, or of `iocp` and `sync`.
///
/// # Errors
///
/// [`EngineError::Unavailable`] if the engine asked for, or one with the features asked for,
/// cannot be used here.
pub fn select(choice: Option<EngineKind>, needs: Needs) -> Result<Selection, EngineError> {
    select_by(choice, needs, visit::available)
}

fn select_by(
    choice: Option<EngineKind>,
    needs: Needs,
    available: impl Fn(EngineKind) -> Result<(), String>,
) -> Result<Selection, EngineError> {
    let lacks = |kind: EngineKind| {
        let mut features = needs.features();
        features.find_map(|feature| kind.lacks(feature))
    };
    if let Some(kind) = choice {
        if let Some(limit) = lacks(kind) {
            return Err(refused(kind, limit));
        }
        available(kind).map_err(|cause| EngineError::missing(kind, &cause))?;
        let reason = match kind.row().choice {
            Choice::Implied => kind.row().description,
            Choice::Run | Choice::RunOrJob => "asked for",
        };
        return Ok(Selection::one(kind, format!("{kind}: {reason}")));
    }
    let mut passed: Vec<String> = Vec::new();
    let mut error = None;
    for kind in platform::AUTOMATIC {
        if let Some(limit) = lacks(kind) {
            passed.push(format!("{kind} has no {}", limit.feature.name()));
            error.get_or_insert_with(|| refused(kind, limit));
            continue;
        }
        match available(kind) {
            Ok(()) if passed.is_empty() => {
                return Ok(Selection::one(kind, format!("{kind}: available")));
            }
            Ok(()) => {
                let reason = format!("{kind}, because {}", passed.join(" and "));
                return Ok(Selection::one(kind, reason));
            }
            Err(cause) => {
                error.get_or_insert_with(|| EngineError::missing(kind, &cause));
                passed.push(format!("{kind} is {cause}"));
            }
        }
    }
    Err(error.unwrap_or_else(|| EngineError::missing(EngineKind::Psync, "not in this build")))
}

fn refused(kind: EngineKind, limit: &Limit) -> EngineError {
    EngineError::Unavailable {
        engine: kind.name(),
        cause: limit.because.into(),
        remedy: limit.instead.into(),
    }
}

impl Needs {
    /// What an engine has to have for it, the first to be named first.
    fn features(self) -> impl Iterator<Item = Feature> {
        let polls = self.submission_polling || self.completion_polling;
        let all = [
            (polls, Feature::Polling),
            (self.min_wait, Feature::MinWait),
            (self.zone_appends, Feature::ZoneAppends),
            (
                self.zone_resets && self.completion_polling,
                Feature::PolledZoneResets,
            ),
            (self.trims && self.completion_polling, Feature::PolledTrims),
            (self.zone_resets, Feature::ZoneResets),
            (self.trims, Feature::Trims),
        ];
        all.into_iter()
            .filter_map(|(is_needed, feature)| is_needed.then_some(feature))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::engine::EngineRow;

    type Probe = fn(EngineKind) -> Result<(), String>;

    const DISABLED: &str = "disabled by kernel.io_uring_disabled=2";

    fn no_io_uring(kind: EngineKind) -> Result<(), String> {
        match kind {
            EngineKind::IoUring => Err(DISABLED.into()),
            _ => Ok(()),
        }
    }

    fn only_psync(kind: EngineKind) -> Result<(), String> {
        match kind {
            EngineKind::IoUring => Err(DISABLED.into()),
            EngineKind::Libaio => Err("not in this kernel".into()),
            _ => Ok(()),
        }
    }

    const POLLING: Needs = Needs {
        submission_polling: true,
        completion_polling: false,
        min_wait: false,
        zone_resets: false,
        zone_appends: false,
        trims: false,
    };

    /// The engines that runs can ask for with these needs.
    fn able(needs: Needs) -> Vec<&'static str> {
        EngineRow::of_runs()
            .filter(|row| select_by(Some(row.kind), needs, |_| Ok(())).is_ok())
            .map(|row| row.name)
            .collect()
    }

    #[test]
    fn only_engines_that_poll_are_taken_for_polling() {
        assert_eq!(able(POLLING), ["io_uring", "nvme"]);
    }

    #[test]
    fn writes_to_zones_get_an_engine_that_resets_them() {
        let needs = Needs {
            zone_resets: true,
            ..Needs::default()
        };
        let taken = select_by(None, needs, |_| Ok(())).expect("there is one");
        let reason = "libaio, because io_uring has no resets of zones";
        assert_eq!(taken.reason, reason);
        assert_eq!(able(needs), ["libaio", "psync", "nvme"]);
        let polled = Needs {
            completion_polling: true,
            ..needs
        };
        let refused = select_by(Some(EngineKind::Nvme), polled, |_| Ok(()));
        assert_eq!(
            refused.expect_err("no data").to_string(),
            "nvme is not available: a zone reset moves no data and cannot be polled"
        );
    }

    #[test]
    fn trims_by_commands_are_not_polled_for() {
        let needs = Needs {
            trims: true,
            ..Needs::default()
        };
        assert!(select_by(Some(EngineKind::Nvme), needs, |_| Ok(())).is_ok());
        let polled = Needs {
            completion_polling: true,
            ..needs
        };
        assert!(select_by(Some(EngineKind::IoUring), polled, |_| Ok(())).is_ok());
        let refused = select_by(Some(EngineKind::Nvme), polled, |_| Ok(()));
        assert_eq!(
            refused.expect_err("it may hang").to_string(),
            "nvme is not available: a polled trim may never complete"
        );
    }

    #[test]
    fn appends_to_zones_are_commands_alone() {
        let needs = Needs {
            zone_resets: true,
            zone_appends: true,
            ..Needs::default()
        };
        assert_eq!(able(needs), ["nvme"]);
        let refused = select_by(None, needs, |_| Ok(())).expect_err("no such request");
        assert_eq!(
            refused.to_string(),
            "io_uring is not available: the kernel has no zone append for block devices and files"
        );
    }

    #[test]
    fn the_first_that_is_available_is_taken_and_says_why() {
        let none = Needs::default();
        let cases: [(Option<EngineKind>, Probe, &str); 5] = [
            (None, |_| Ok(()), "io_uring: available"),
            (
                None,
                no_io_uring,
                "libaio, because io_uring is disabled by kernel.io_uring_disabled=2",
            ),
            (
                None,
                only_psync,
                "psync, because io_uring is disabled by kernel.io_uring_disabled=2 \
                 and libaio is not in this kernel",
            ),
            (Some(EngineKind::Null), |_| Ok(()), "null: asked for"),
            (Some(EngineKind::Libaio), no_io_uring, "libaio: asked for"),
        ];
        for (choice, available, reason) in cases {
            let selection = select_by(choice, none, available).expect(reason);
            assert_eq!(selection.reason, reason);
            assert!(reason.starts_with(selection.kind.name()));
        }
    }

    #[test]
    fn what_is_asked_for_and_missing_is_an_error_with_a_way_out() {
        let cases = [
            (
                Some(EngineKind::IoUring),
                Needs::default(),
                "io_uring is not available: it is disabled by kernel.io_uring_disabled=2",
                "--engine libaio",
            ),
            (
                None,
                POLLING,
                "io_uring is not available: it is disabled by kernel.io_uring_disabled=2",
                "--engine libaio",
            ),
            (
                Some(EngineKind::Libaio),
                Needs::default(),
                "libaio is not available: it is not in this kernel",
                "--engine psync",
            ),
            (
                Some(EngineKind::Psync),
                POLLING,
                "psync is not available: it does not support polling for submissions or \
                 completions",
                "--engine io_uring, or no polling",
            ),
        ];
        for (choice, needs, message, remedy) in cases {
            let error = select_by(choice, needs, only_psync).expect_err(message);
            assert_eq!(error.to_string(), message);
            assert_eq!(error.remedy(), Some(remedy));
        }
    }

    #[test]
    fn what_is_taken_here_can_be_used_here() {
        let selection = select(None, Needs::default()).expect("psync is always there");
        assert_eq!(visit::available(selection.kind), Ok(()));
    }
}
