//! An engine on the test bench: over one target of a known size, in real or virtual time.

use fathom_core::engine::Feature;
use fathom_core::{Nanos, Op};
use fathom_engine::engines::sim::SimEngine;
use fathom_engine::sim::{Actor, SimVolume, Step, World, WorldRef, drive};
use fathom_engine::{
    Completion, Engine, EngineConfig, EngineError, OpenOptions, OpenTarget, OsEngine, Progress,
    Submission, Wait,
};
use std::io::Write as _;
use std::sync::Arc;
use tempfile::NamedTempFile;

/// Bytes of one request of the suite.
pub(crate) const BLOCK_BYTES: u32 = 4096;

/// Bytes of the target: whole blocks and a rest, so that the last read is short.
pub(crate) const TARGET_BYTES: u64 = BLOCKS * BLOCK_BYTES as u64 + REST_BYTES;

/// Whole blocks of the target.
pub(crate) const BLOCKS: u64 = 64;

/// Bytes after the last whole block.
pub(crate) const REST_BYTES: u64 = 1000;

/// An engine, and how a turn is taken with it.
pub(crate) trait Bench {
    type Engine: Engine;

    fn engine(&mut self) -> &mut Self::Engine;

    /// Takes a turn to its end, letting virtual time pass if need be.
    fn turn(&mut self, min: u32, until: Nanos) -> Vec<Completion>;

    /// Whether the engine has trims.
    fn trims() -> bool {
        true
    }

    fn now(&mut self) -> Nanos {
        self.engine().now()
    }

    fn push(&mut self, op: Op, slot: u32, offset: u64) {
        let io = request(op, slot, offset);
        self.engine().push(io);
    }

    /// Pushes one request, waits for it, and gives its result.
    fn perform(&mut self, op: Op, offset: u64) -> i32 {
        self.push(op, 0, offset);
        let done = self.turn(1, Nanos::MAX);
        assert_eq!(done.iter().map(|c| c.slot).collect::<Vec<_>>(), [0]);
        done[0].result
    }
}

/// A request of one block of the first target; none of its bytes for a flush.
pub(crate) fn request(op: Op, slot: u32, offset: u64) -> Submission {
    Submission {
        offset,
        slot,
        len: if op == Op::Flush { 0 } else { BLOCK_BYTES },
        target: 0,
        op,
        data_only: false,
    }
}

/// An engine of the operating system over a file that is gone afterwards.
pub(crate) struct OsBench<E> {
    engine: E,
    _file: NamedTempFile,
}

/// The factory for an engine of the operating system.
pub(crate) fn os<E: OsEngine>(config: EngineConfig) -> impl Fn() -> Option<OsBench<E>> {
    move || {
        let file = scratch();
        let target = open(&file, true);
        let engine = or_skip(E::open(&config, &[target]))?;
        Some(OsBench {
            engine,
            _file: file,
        })
    }
}

/// The same with requests that pass by the page cache, so that they are really in flight.
pub(crate) fn direct<E: OsEngine>(config: EngineConfig) -> impl Fn() -> Option<OsBench<E>> {
    move || {
        let file = scratch_on_disk();
        let target = or_skip_direct(&file)?;
        let engine = or_skip(E::open(&config, &[target]))?;
        Some(OsBench {
            engine,
            _file: file,
        })
    }
}

/// A file opened for direct requests, or a line that says why the test is skipped.
pub(crate) fn or_skip_direct(file: &NamedTempFile) -> Option<Arc<OpenTarget>> {
    let options = OpenOptions {
        read: true,
        write: true,
        direct: true,
        write_through: false,
    };
    match OpenTarget::open(file.path(), &options) {
        Ok(target) if BLOCK_BYTES.is_multiple_of(target.offset_align_bytes) => {
            Some(Arc::new(target))
        }
        Ok(target) => {
            let align = target.offset_align_bytes;
            skip(format_args!(
                "direct requests must be multiples of {align} here"
            ));
            None
        }
        Err(error) => {
            skip(&error);
            None
        }
    }
}

/// A file of [`TARGET_BYTES`] bytes of ones.
pub(crate) fn scratch() -> NamedTempFile {
    filled(NamedTempFile::new())
}

/// The same in the folder of the build, because the one for temporary files may lie in memory.
pub(crate) fn scratch_on_disk() -> NamedTempFile {
    filled(NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")))
}

fn filled(file: std::io::Result<NamedTempFile>) -> NamedTempFile {
    let mut file = file.expect("a scratch file");
    file.write_all(&vec![1; TARGET_BYTES as usize])
        .expect("its contents");
    file
}

pub(crate) fn open(file: &NamedTempFile, write: bool) -> Arc<OpenTarget> {
    let options = OpenOptions {
        read: true,
        write,
        ..OpenOptions::default()
    };
    Arc::new(OpenTarget::open(file.path(), &options).expect("the scratch file opens"))
}

pub(crate) use fathom_testing::skip;

/// The engine, or a line that says why the test is skipped.
pub(crate) fn or_skip<E>(engine: Result<E, EngineError>) -> Option<E> {
    match engine {
        Ok(engine) => Some(engine),
        Err(error @ EngineError::Unavailable { .. }) => {
            skip(&error);
            None
        }
        Err(error) => panic!("{error}"),
    }
}

impl<E: OsEngine> Bench for OsBench<E> {
    type Engine = E;

    fn trims() -> bool {
        E::KIND.lacks(Feature::Trims).is_none()
    }

    fn engine(&mut self) -> &mut E {
        &mut self.engine
    }

    fn turn(&mut self, min: u32, until: Nanos) -> Vec<Completion> {
        turn(&mut self.engine, min, until)
    }
}

/// A turn of an engine that never parks.
pub(crate) fn turn(engine: &mut impl Engine, min: u32, until: Nanos) -> Vec<Completion> {
    let mut done = Vec::new();
    let progress = engine.turn(Wait { min, until }, &mut |c| done.push(c));
    assert_eq!(progress.expect("the turn"), Progress::Ready);
    done
}

/// The simulated engine in its world.
pub(crate) struct SimBench {
    engine: SimEngine,
    world: WorldRef,
}

/// The factory for the simulated engine.
pub(crate) fn sim() -> impl Fn() -> Option<SimBench> {
    || {
        let volume = SimVolume {
            servers: 4,
            size_bytes: TARGET_BYTES,
            ..SimVolume::default()
        };
        let world = World::new(&volume, 1, true);
        Some(SimBench {
            engine: SimEngine::new(world.clone(), vec![0], 32, BLOCK_BYTES),
            world,
        })
    }
}

/// Takes one turn in virtual time.
struct OneTurn<'a> {
    engine: &'a mut SimEngine,
    wait: Wait,
    done: Vec<Completion>,
}

impl Actor for OneTurn<'_> {
    fn step(&mut self) -> Result<Step, EngineError> {
        let done = &mut self.done;
        match self.engine.turn(self.wait, &mut |c| done.push(c))? {
            Progress::Ready => Ok(Step::Done),
            Progress::Parked(until) => Ok(Step::Parked(until)),
        }
    }
}

impl Bench for SimBench {
    type Engine = SimEngine;

    fn engine(&mut self) -> &mut SimEngine {
        &mut self.engine
    }

    fn turn(&mut self, min: u32, until: Nanos) -> Vec<Completion> {
        let mut turns = [OneTurn {
            engine: &mut self.engine,
            wait: Wait { min, until },
            done: Vec::new(),
        }];
        drive(&self.world, &mut turns, |_| ()).expect("the turn");
        let [turn] = turns;
        turn.done
    }
}
