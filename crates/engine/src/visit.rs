//! The way from the name of an engine to its type.

use crate::engine::{EngineVisitor, OsEngine};
use crate::engines::null::NullEngine;
use crate::engines::platform;
use crate::error::EngineError;
use fathom_core::EngineKind;

/// Calls `visitor` with the type of the engine. `None` for the simulator, which is made over a
/// simulated world and has no targets, and for an engine that this system or processor does not
/// have.
pub fn visit<V: EngineVisitor>(kind: EngineKind, visitor: V) -> Option<V::Out> {
    match kind {
        EngineKind::Null => Some(visitor.visit::<NullEngine>()),
        EngineKind::Sim => None,
        other => platform::visit(other, visitor),
    }
}

/// Whether the engine works on this machine.
///
/// # Errors
///
/// Why it does not, in words that follow "it is".
pub fn available(kind: EngineKind) -> Result<(), String> {
    struct Probe;

    impl EngineVisitor for Probe {
        type Out = Result<(), String>;

        fn visit<E: OsEngine>(self) -> Self::Out {
            E::available()
        }
    }

    let missing = || Err(platform::missing(kind).to_owned());
    visit(kind, Probe).unwrap_or_else(|| if kind.is_virtual() { Ok(()) } else { missing() })
}

/// Whether this system has the engine at all, whatever the machine permits.
pub fn is_of_this_system(kind: EngineKind) -> bool {
    struct Any;

    impl EngineVisitor for Any {
        type Out = ();

        fn visit<E: OsEngine>(self) {}
    }

    kind.is_virtual() || visit(kind, Any).is_some()
}

impl EngineError {
    /// An engine that this machine does not have; `cause` follows "it is".
    pub(crate) fn missing(kind: EngineKind, cause: &str) -> Self {
        Self::Unavailable {
            engine: kind.name(),
            cause: format!("it is {cause}"),
            remedy: platform::instead_of(kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::engine::ENGINES;

    struct Kind;

    impl EngineVisitor for Kind {
        type Out = EngineKind;

        fn visit<E: OsEngine>(self) -> EngineKind {
            E::KIND
        }
    }

    #[test]
    fn each_engine_leads_to_its_type() {
        let elsewhere = [EngineKind::Iocp, EngineKind::Sync];
        for row in &ENGINES {
            let is_here = !row.kind.is_virtual() && !elsewhere.contains(&row.kind);
            assert_eq!(visit(row.kind, Kind), is_here.then_some(row.kind));
            let is_elsewhere = elsewhere.contains(&row.kind);
            assert_eq!(is_of_this_system(row.kind), !is_elsewhere);
        }
    }

    #[test]
    fn engines_of_another_system_say_so() {
        for (kind, instead) in [(EngineKind::Iocp, "io_uring"), (EngineKind::Sync, "psync")] {
            let cause = available(kind).expect_err("made for Windows");
            assert_eq!(cause, "made for Windows, and this is another system");
            let remedy = EngineError::missing(kind, &cause)
                .remedy()
                .map(str::to_owned);
            assert_eq!(remedy, Some(format!("--engine {instead}")));
        }
    }
}
