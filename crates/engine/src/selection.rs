//! Which engine is taken, and why: the reason is part of the result.

use crate::error::EngineError;
use crate::kind::{ENGINES, EngineKind};

/// What the load asks of an engine, beyond requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent wants, each with its name"
)]
pub struct Needs {
    /// A kernel thread that takes up requests.
    pub submission_polling: bool,
    /// Completions by polling the device.
    pub completion_polling: bool,
    /// Waits that are content with fewer completions after a time.
    pub min_wait: bool,
    /// Resets of the zones of a zoned device.
    pub zone_resets: bool,
    /// Writes whose place in a zone the device finds.
    pub zone_appends: bool,
    /// Trims.
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

/// The order in which engines are tried when none is asked for.
const AUTOMATIC: [EngineKind; 3] = [EngineKind::IoUring, EngineKind::Libaio, EngineKind::Psync];

/// Takes the engine that is asked for, or the first of `io_uring`, `libaio` and `psync` that can
/// be used here.
///
/// # Errors
///
/// [`EngineError::Unavailable`] if the engine asked for, or one with the features asked for,
/// cannot be used here.
pub fn select(choice: Option<EngineKind>, needs: Needs) -> Result<Selection, EngineError> {
    if choice == Some(EngineKind::Files) {
        let reason = "files: what the jobs deal with".to_owned();
        return Ok(Selection::one(EngineKind::Files, reason));
    }
    select_by(choice, needs, |kind| {
        ENGINES
            .iter()
            .find(|engine| engine.kind == kind)
            .map_or(Err("not in this build".into()), |e| (e.available)())
    })
}

fn select_by(
    choice: Option<EngineKind>,
    needs: Needs,
    available: impl Fn(EngineKind) -> Result<(), String>,
) -> Result<Selection, EngineError> {
    let polling = needs.submission_polling || needs.completion_polling;
    if polling && choice.is_some_and(|kind| !kind.capabilities().polls) {
        return Err(EngineError::Unavailable {
            engine: choice.map_or("", EngineKind::name),
            cause: "it cannot poll for submissions or completions".into(),
            remedy: "--engine io_uring, or no polling".into(),
        });
    }
    if needs.min_wait && choice.is_some_and(|kind| !kind.capabilities().polls) {
        return Err(EngineError::Unavailable {
            engine: choice.map_or("", EngineKind::name),
            cause: "its waits end with all completions or at their instant".into(),
            remedy: "--engine io_uring, or no --min-wait".into(),
        });
    }
    let appends = |kind: EngineKind| kind.capabilities().appends_to_zones;
    if needs.zone_appends && !choice.is_some_and(appends) {
        return Err(without_appends(choice.unwrap_or(EngineKind::IoUring)));
    }
    if let Some(cause) = unpolled(needs).filter(|_| choice.is_some_and(appends)) {
        return Err(EngineError::Unavailable {
            engine: choice.map_or("", EngineKind::name),
            cause: cause.into(),
            remedy: "no --iopoll".into(),
        });
    }
    let lacks_resets = |kind: EngineKind| needs.zone_resets && !kind.capabilities().resets_zones;
    if let Some(kind) = choice {
        if lacks_resets(kind) {
            return Err(without_resets(kind));
        }
        return match available(kind) {
            Ok(()) => Ok(Selection::one(kind, format!("{kind}: asked for"))),
            Err(cause) => Err(unavailable(kind, &cause)),
        };
    }
    let mut refused: Vec<String> = Vec::new();
    for kind in AUTOMATIC {
        if lacks_resets(kind) {
            if polling || needs.min_wait {
                return Err(without_resets(kind));
            }
            refused.push(format!("{kind} is without a request that resets a zone"));
            continue;
        }
        match available(kind) {
            Ok(()) if refused.is_empty() => {
                return Ok(Selection::one(kind, format!("{kind}: available")));
            }
            Ok(()) => {
                let reason = format!("{kind}, because {}", refused.join(" and "));
                return Ok(Selection::one(kind, reason));
            }
            Err(cause) if polling || needs.min_wait => return Err(unavailable(kind, &cause)),
            Err(cause) => refused.push(format!("{kind} is {cause}")),
        }
    }
    Err(unavailable(EngineKind::Psync, &refused.join(" and ")))
}

fn without_resets(kind: EngineKind) -> EngineError {
    EngineError::Unavailable {
        engine: kind.name(),
        cause: "it has no request that resets a zone, which writes to zones need".into(),
        remedy: "--engine libaio or psync, which do not poll; nvme on /dev/ngXnY".into(),
    }
}

/// What a ring that polls for completions is not to be given as a command.
fn unpolled(needs: Needs) -> Option<&'static str> {
    if !needs.completion_polling {
        None
    } else if needs.zone_resets {
        Some("a reset of a zone moves no data, and cannot be polled for")
    } else if needs.trims {
        // With Linux 6.1 some never came back, and the kernel failed when the program was ended.
        Some("a trim that is polled for may never come back")
    } else {
        None
    }
}

fn without_appends(kind: EngineKind) -> EngineError {
    EngineError::Unavailable {
        engine: kind.name(),
        cause: "the kernel has no append to a zone for block devices and files".into(),
        remedy: "--engine nvme on /dev/ngXnY, or `write_pointers` without `append`".into(),
    }
}

fn unavailable(kind: EngineKind, cause: &str) -> EngineError {
    let other = match kind {
        EngineKind::IoUring => "libaio",
        EngineKind::Nvme => "io_uring on the block device of the namespace",
        _ => "psync",
    };
    EngineError::Unavailable {
        engine: kind.name(),
        cause: format!("it is {cause}"),
        remedy: format!("--engine {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn only_engines_that_poll_are_taken_for_polling() {
        for engine in ENGINES {
            let taken = select_by(Some(engine.kind), POLLING, |_| Ok(()));
            assert_eq!(
                taken.is_ok(),
                engine.kind.capabilities().polls,
                "{}",
                engine.kind
            );
        }
    }

    #[test]
    fn writes_to_zones_get_an_engine_that_resets_them() {
        let needs = Needs {
            zone_resets: true,
            ..Needs::default()
        };
        let taken = select_by(None, needs, |_| Ok(())).expect("there is one");
        let reason = "libaio, because io_uring is without a request that resets a zone";
        assert_eq!(taken.reason, reason);
        let able = ENGINES.iter().filter(|engine| {
            let taken = select_by(Some(engine.kind), needs, |_| Ok(()));
            taken.is_ok()
        });
        let able: Vec<&str> = able.map(|engine| engine.kind.name()).collect();
        assert_eq!(able, ["libaio", "psync", "nvme"]);
        let polled = Needs {
            completion_polling: true,
            ..needs
        };
        let refused = select_by(Some(EngineKind::Nvme), polled, |_| Ok(()));
        assert_eq!(
            refused.expect_err("no data").to_string(),
            "nvme is not available: a reset of a zone moves no data, and cannot be polled for"
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
            "nvme is not available: a trim that is polled for may never come back"
        );
    }

    #[test]
    fn appends_to_zones_are_commands_alone() {
        let needs = Needs {
            zone_resets: true,
            zone_appends: true,
            ..Needs::default()
        };
        let kinds = ENGINES.iter().map(|engine| Some(engine.kind));
        let able = kinds.chain([None]).filter(|choice| {
            let taken = select_by(*choice, needs, |_| Ok(()));
            taken.is_ok()
        });
        assert_eq!(able.collect::<Vec<_>>(), [Some(EngineKind::Nvme)]);
        let refused = select_by(None, needs, |_| Ok(())).expect_err("no such request");
        assert_eq!(
            refused.to_string(),
            "io_uring is not available: the kernel has no append to a zone for block devices and \
             files"
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
                "psync is not available: it cannot poll for submissions or completions",
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
        let taken = ENGINES.iter().find(|e| e.kind == selection.kind);
        assert_eq!(taken.map(|engine| (engine.available)()), Some(Ok(())));
    }
}
