//! The way from the name of an engine of Linux to its type.

use fathom_core::EngineKind;

use super::files::FilesEngine;
use super::io_uring::IoUringEngine;
use super::libaio::LibaioEngine;
#[cfg(target_arch = "x86_64")]
use super::mmap::MmapEngine;
use super::nvme::NvmeEngine;
use super::psync::PsyncEngine;
use crate::engine::EngineVisitor;

/// The order in which engines are tried when none is asked for.
pub(crate) const AUTOMATIC: [EngineKind; 3] =
    [EngineKind::IoUring, EngineKind::Libaio, EngineKind::Psync];

/// Why an engine has no type here, in words that follow "it is".
pub(crate) const fn missing(kind: EngineKind) -> &'static str {
    match kind {
        EngineKind::Iocp | EngineKind::Sync => "made for Windows, and this is another system",
        _ => {
            "made for x86-64 alone: on other processors a page that cannot be read would end the \
             program"
        }
    }
}

/// Calls `visitor` with the type of the engine; `None` where this processor does not have it.
pub(crate) fn visit<V: EngineVisitor>(kind: EngineKind, visitor: V) -> Option<V::Out> {
    match kind {
        EngineKind::IoUring => Some(visitor.visit::<IoUringEngine>()),
        EngineKind::Libaio => Some(visitor.visit::<LibaioEngine>()),
        EngineKind::Psync => Some(visitor.visit::<PsyncEngine>()),
        #[cfg(target_arch = "x86_64")]
        EngineKind::Mmap => Some(visitor.visit::<MmapEngine>()),
        EngineKind::Nvme => Some(visitor.visit::<NvmeEngine>()),
        EngineKind::Files => Some(visitor.visit::<FilesEngine>()),
        _ => None,
    }
}

/// What to try where an engine is missing.
pub(crate) fn instead_of(kind: EngineKind) -> String {
    format!("--engine {}", kind.row().substitute)
}
