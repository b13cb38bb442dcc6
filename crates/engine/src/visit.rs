//! The way from the name of an engine to its type.

use crate::engine::OsEngine;
use crate::engines::null::NullEngine;
use crate::platform;
use fathom_core::EngineKind;

/// What is done with an engine once its type is known: static dispatch in the loop, one choice
/// before it.
pub trait EngineVisitor {
    /// The answer.
    type Out;

    /// Does it.
    fn visit<E: OsEngine>(self) -> Self::Out;
}

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

    let missing = || Err(platform::MISSING.to_owned());
    visit(kind, Probe).unwrap_or_else(|| if kind.is_virtual() { Ok(()) } else { missing() })
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
        for row in &ENGINES {
            let expected = (!row.kind.is_virtual()).then_some(row.kind);
            assert_eq!(visit(row.kind, Kind), expected);
        }
    }
}
