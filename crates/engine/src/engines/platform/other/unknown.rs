//! A system that no engine is written for yet.

use fathom_core::EngineKind;

use crate::engine::EngineVisitor;

/// The engine that is reported as missing when none is asked for.
pub(crate) const AUTOMATIC: [EngineKind; 1] = [EngineKind::IoUring];

/// What to try where an engine is missing.
pub(crate) fn instead_of(_: EngineKind) -> String {
    "measure from a Linux host; --engine null and sim need no storage".to_owned()
}

/// None of them is here.
pub(crate) fn visit<V: EngineVisitor>(_: EngineKind, _: V) -> Option<V::Out> {
    None
}
