//! The way from the name of an engine of Windows to its type.

use fathom_core::EngineKind;

use super::iocp::IocpEngine;
use super::sync::SyncEngine;
use crate::engine::EngineVisitor;

/// The order in which engines are tried when none is asked for.
pub(crate) const AUTOMATIC: [EngineKind; 2] = [EngineKind::Iocp, EngineKind::Sync];

/// Calls `visitor` with the type of the engine; `None` for those of Linux.
pub(crate) fn visit<V: EngineVisitor>(kind: EngineKind, visitor: V) -> Option<V::Out> {
    match kind {
        EngineKind::Iocp => Some(visitor.visit::<IocpEngine>()),
        EngineKind::Sync => Some(visitor.visit::<SyncEngine>()),
        _ => None,
    }
}

/// What to try where an engine is missing.
pub(crate) fn instead_of(_: EngineKind) -> String {
    "--engine iocp or sync, or a Linux host".to_owned()
}
