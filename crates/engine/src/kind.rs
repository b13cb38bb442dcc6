//! The engines by name, and the way from a name to a type.

use crate::engine::OsEngine;
use crate::engines::files::FilesEngine;
use crate::engines::io_uring::IoUringEngine;
use crate::engines::libaio::LibaioEngine;
#[cfg(target_arch = "x86_64")]
use crate::engines::mmap::MmapEngine;
use crate::engines::nvme::NvmeEngine;
use crate::engines::psync::PsyncEngine;
use crate::engines::{mmap, null::NullEngine};
use crate::probe;
use fathom_core::spec::JobEngine;
use serde::{Deserialize, Serialize};

/// Names an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineKind {
    /// Linux `io_uring`.
    IoUring,
    /// Linux native asynchronous I/O.
    Libaio,
    /// `pread` and `pwrite`, one at a time.
    Psync,
    /// Files mapped into memory, one copy at a time.
    Mmap,
    /// NVMe commands through `io_uring`.
    Nvme,
    /// Many files, each opened, used and closed. Not chosen but by a job that has files.
    Files,
    /// No storage at all.
    Null,
    /// A simulated volume in virtual time.
    Sim,
}

/// What can be said of an engine without naming it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that have nothing to do with each other"
)]
pub struct Capabilities {
    /// Requests go to storage, and their times are those of the machine's clock.
    pub is_real: bool,
    /// It opens what it measures; otherwise a target is only a name.
    pub needs_target: bool,
    /// Time is that of a simulated world, which takes the place of threads.
    pub is_virtual: bool,
    /// Submissions or completions can be polled for.
    pub polls: bool,
    /// A thread can have several requests at the storage.
    pub batches: bool,
    /// A zone of a zoned device can be reset.
    pub resets_zones: bool,
    /// The device can be left to find the place of a write in a zone.
    pub appends_to_zones: bool,
}

/// Of one that asks the kernel for storage, request by request.
const STORAGE: Capabilities = Capabilities {
    is_real: true,
    needs_target: true,
    is_virtual: false,
    polls: false,
    batches: false,
    resets_zones: false,
    appends_to_zones: false,
};

/// Of one that asks nobody.
const NO_STORAGE: Capabilities = Capabilities {
    is_real: false,
    needs_target: false,
    batches: true,
    ..STORAGE
};

/// An engine as listed to the user.
#[derive(Clone, Copy, Debug)]
pub struct EngineInfo {
    /// Which one.
    pub kind: EngineKind,
    /// What it is, in one line.
    pub description: &'static str,
    /// Whether it can be used here; if not, why, in words that follow `because`.
    pub available: fn() -> Result<(), String>,
}

/// All engines, in the order of preference.
pub const ENGINES: &[EngineInfo] = &[
    EngineInfo {
        kind: EngineKind::IoUring,
        description: "io_uring: many requests by one system call",
        available: probe::io_uring,
    },
    EngineInfo {
        kind: EngineKind::Libaio,
        description: "Linux native asynchronous I/O; asynchronous for direct requests only",
        available: probe::libaio,
    },
    EngineInfo {
        kind: EngineKind::Psync,
        description: "pread and pwrite, one request at a time per thread",
        available: probe::always,
    },
    EngineInfo {
        kind: EngineKind::Mmap,
        description: "files mapped into memory: what it takes is what page faults wait for",
        available: mmap::available,
    },
    EngineInfo {
        kind: EngineKind::Nvme,
        description: "NVMe commands past the block layer, on /dev/ngXnY",
        available: probe::nvme,
    },
    EngineInfo {
        kind: EngineKind::Null,
        description: "no storage: shows what Fathom itself costs per request",
        available: probe::always,
    },
    EngineInfo {
        kind: EngineKind::Sim,
        description: "a simulated volume in virtual time, the same for the same seed",
        available: probe::always,
    },
];

impl EngineKind {
    /// The name used on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IoUring => "io_uring",
            Self::Libaio => "libaio",
            Self::Psync => "psync",
            Self::Mmap => "mmap",
            Self::Nvme => "nvme",
            Self::Files => "files",
            Self::Null => "null",
            Self::Sim => "sim",
        }
    }

    /// What it can do, and what it needs.
    pub const fn capabilities(self) -> Capabilities {
        match self {
            Self::IoUring => Capabilities {
                polls: true,
                batches: true,
                ..STORAGE
            },
            Self::Nvme => Capabilities {
                polls: true,
                batches: true,
                resets_zones: true,
                appends_to_zones: true,
                ..STORAGE
            },
            Self::Libaio => Capabilities {
                batches: true,
                resets_zones: true,
                ..STORAGE
            },
            Self::Psync => Capabilities {
                resets_zones: true,
                ..STORAGE
            },
            Self::Mmap | Self::Files => STORAGE,
            Self::Null => NO_STORAGE,
            Self::Sim => Capabilities {
                is_virtual: true,
                ..NO_STORAGE
            },
        }
    }

    /// Whether requests go to storage, and times are those of the machine's clock.
    pub const fn is_real(self) -> bool {
        self.capabilities().is_real
    }

    /// Whether time is that of a simulated world.
    pub const fn is_virtual(self) -> bool {
        self.capabilities().is_virtual
    }

    /// The one by which the generator is measured alone: requests complete at once.
    pub const fn nowhere() -> Self {
        Self::Null
    }

    /// The one that serves from a model.
    pub const fn simulator() -> Self {
        Self::Sim
    }

    /// Calls `visitor` with the engine's type. None for the simulator, which is not opened on
    /// targets but made over a simulated world, and for one that was not made for this processor.
    pub fn visit<V: EngineVisitor>(self, visitor: V) -> Option<V::Out> {
        match self {
            Self::IoUring => Some(visitor.visit::<IoUringEngine>()),
            Self::Libaio => Some(visitor.visit::<LibaioEngine>()),
            Self::Psync => Some(visitor.visit::<PsyncEngine>()),
            #[cfg(target_arch = "x86_64")]
            Self::Mmap => Some(visitor.visit::<MmapEngine>()),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Mmap => None,
            Self::Nvme => Some(visitor.visit::<NvmeEngine>()),
            Self::Files => Some(visitor.visit::<FilesEngine>()),
            Self::Null => Some(visitor.visit::<NullEngine>()),
            Self::Sim => None,
        }
    }
}

impl From<JobEngine> for EngineKind {
    fn from(engine: JobEngine) -> Self {
        match engine {
            JobEngine::IoUring => Self::IoUring,
            JobEngine::Libaio => Self::Libaio,
            JobEngine::Psync => Self::Psync,
            JobEngine::Mmap => Self::Mmap,
            JobEngine::Nvme => Self::Nvme,
            JobEngine::Null => Self::Null,
        }
    }
}

/// What is to be done with an engine once its type is known: static dispatch in the loop, one
/// choice before it.
pub trait EngineVisitor {
    /// The answer.
    type Out;

    /// Does it.
    fn visit<E: OsEngine>(self) -> Self::Out;
}

/// A name that no engine has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine `{name}`; there are {}", names())]
pub struct UnknownEngine {
    /// What was asked for.
    pub name: String,
}

fn names() -> String {
    let names: Vec<&str> = ENGINES.iter().map(|engine| engine.kind.name()).collect();
    names.join(", ")
}

impl std::str::FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, UnknownEngine> {
        ENGINES
            .iter()
            .map(|engine| engine.kind)
            .find(|kind| kind.name() == text)
            .ok_or_else(|| UnknownEngine { name: text.into() })
    }
}

impl std::fmt::Display for EngineKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::IntoDeserializer as _;
    use serde::de::value::{Error, StrDeserializer};

    struct Kind;

    impl EngineVisitor for Kind {
        type Out = EngineKind;

        fn visit<E: OsEngine>(self) -> EngineKind {
            E::KIND
        }
    }

    #[test]
    fn each_engine_is_found_by_its_name_and_leads_to_its_type() {
        for engine in ENGINES {
            let kind = engine.kind;
            assert_eq!(kind.name().parse(), Ok(kind));
            let expected = match kind {
                EngineKind::Sim => None,
                own => Some(own),
            };
            assert_eq!(kind.visit(Kind), expected);
        }
    }

    #[test]
    fn a_job_names_every_engine_but_the_simulator_as_it_is_called() {
        let word = fathom_core::spec::fields::JOB.field("engine");
        let fathom_core::spec::fields::Kind::Word(words) = word.kind else {
            panic!("one of a few words");
        };
        let names: Vec<_> = words.iter().map(|word| word.word).collect();
        let real = ENGINES.iter().map(|engine| engine.kind);
        let real = real.filter(|kind| *kind != EngineKind::Sim);
        assert_eq!(names, real.map(EngineKind::name).collect::<Vec<_>>());
        for name in names {
            let text: StrDeserializer<'_, Error> = name.into_deserializer();
            let engine = JobEngine::deserialize(text).expect("a word of the table");
            assert_eq!(
                (EngineKind::from(engine).name(), engine.name()),
                (name, name)
            );
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_list() {
        let error = "aio".parse::<EngineKind>().expect_err("no such engine");
        assert_eq!(
            error.to_string(),
            "there is no engine `aio`; there are io_uring, libaio, psync, mmap, nvme, null, \
             sim"
        );
    }
}
