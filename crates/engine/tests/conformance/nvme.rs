//! The engine for NVMe commands, on a namespace whose contents are given up:
//! `FATHOM_TEST_NAMESPACE` names its generic device. The laboratory has one.

use crate::bench::{BLOCK_BYTES, Bench, or_skip, request, skip, turn};
use crate::contract::ops;
use fathom_core::{Nanos, Op};
use fathom_engine::engines::nvme::NvmeEngine;
use fathom_engine::{
    Completion, Engine as _, EngineConfig, Failure, OpenOptions, OpenTarget, OsEngine as _,
    Submission, TargetKind, Wait, alloc,
};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const VARIABLE: &str = "FATHOM_TEST_NAMESPACE";

/// There is one namespace for all tests.
static ALONE: Mutex<()> = Mutex::new(());

const READ: OpenOptions = OpenOptions {
    read: true,
    write: false,
    direct: true,
    write_through: false,
};
const WRITE: OpenOptions = OpenOptions {
    write: true,
    ..READ
};
const DURABLE: OpenOptions = OpenOptions {
    write_through: true,
    ..WRITE
};

pub(crate) struct NvmeBench {
    engine: NvmeEngine,
    size_bytes: u64,
    _alone: MutexGuard<'static, ()>,
}

impl Bench for NvmeBench {
    type Engine = NvmeEngine;

    fn engine(&mut self) -> &mut NvmeEngine {
        &mut self.engine
    }

    fn turn(&mut self, min: u32, until: Nanos) -> Vec<Completion> {
        turn(&mut self.engine, min, until)
    }
}

/// The factory over the namespace, or a line that says why the test is skipped.
pub(crate) fn namespace(config: EngineConfig) -> impl Fn() -> Option<NvmeBench> {
    move || open(config, WRITE)
}

fn open(config: EngineConfig, options: OpenOptions) -> Option<NvmeBench> {
    let Some(path) = std::env::var_os(VARIABLE).map(PathBuf::from) else {
        skip(format_args!("no {VARIABLE} names an NVMe generic device"));
        return None;
    };
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let target = OpenTarget::open(&path, &options).expect("the namespace opens");
    assert_eq!(target.kind, TargetKind::NvmeNamespace);
    assert!(BLOCK_BYTES.is_multiple_of(target.offset_align_bytes));
    let size_bytes = target.size_bytes;
    let engine = or_skip(NvmeEngine::open(&config, &[Arc::new(target)]))?;
    Some(NvmeBench {
        engine,
        size_bytes,
        _alone: alone,
    })
}

pub(crate) fn a_namespace_opened_to_read_refuses_writes(config: &EngineConfig) {
    let Some(mut bench) = open(*config, READ) else {
        return;
    };
    let results = [Op::Write, Op::Trim, Op::Read].map(|op| bench.perform(op, 0));
    let moved = BLOCK_BYTES as i32;
    assert_eq!(results, [-libc::EBADF, -libc::EBADF, moved]);
}

pub(crate) fn what_does_not_fit_is_refused(config: &EngineConfig) {
    let Some(mut bench) = open(*config, WRITE) else {
        return;
    };
    for op in [Op::Read, Op::Write, Op::Trim] {
        assert_eq!(bench.perform(op, 7), -libc::EINVAL, "{op:?}");
    }
}

/// Nothing is written beyond it: the controller says so itself.
pub(crate) fn beyond_the_end_is_an_error_of_the_controller(config: &EngineConfig) {
    let Some(mut bench) = open(*config, WRITE) else {
        return;
    };
    let end = bench.size_bytes;
    for op in [Op::Read, Op::Write] {
        let failure = Failure::of_number(-bench.perform(op, end));
        let said = (failure.errno(), failure.status());
        let words = "NVMe status 0x80, LBA out of range".to_owned();
        assert_eq!(said, (libc::EREMOTEIO, Some(words)), "{op:?}");
    }
    assert_eq!(bench.perform(Op::Read, 0), BLOCK_BYTES as i32);
}

pub(crate) fn durable_writes_are_written(config: &EngineConfig) {
    let Some(mut bench) = open(*config, DURABLE) else {
        return;
    };
    bench.engine().buffer(0).fill(0x5A);
    assert_eq!(bench.perform(Op::Write, 0), BLOCK_BYTES as i32);
    bench.engine().buffer(0).fill(0);
    assert_eq!(bench.perform(Op::Read, 0), BLOCK_BYTES as i32);
    assert!(bench.engine().buffer(0).iter().all(|byte| *byte == 0x5A));
}

pub(crate) fn rings_that_poll_send_no_flush(config: &EngineConfig) {
    let polling = EngineConfig {
        completion_polling: true,
        ..*config
    };
    let Some(mut bench) = open(polling, WRITE) else {
        return;
    };
    assert_eq!(bench.perform(Op::Flush, 0), -libc::EINVAL);
    assert_eq!(bench.perform(Op::Read, 0), BLOCK_BYTES as i32);
}

pub(crate) fn the_loop_allocates_nothing(config: &EngineConfig) {
    let Some(mut bench) = open(*config, WRITE) else {
        return;
    };
    let engine = &mut bench.engine;
    let ops = ops(true);
    let slots = engine.max_in_flight();
    let seal = alloc::seal();
    let mut delivered = 0;
    for round in 1..=50_u64 {
        for slot in 0..slots {
            let op = ops[(round as usize + slot as usize) % ops.len()];
            let io = request(op, slot, u64::from(slot) * u64::from(BLOCK_BYTES));
            engine.push(Submission { ..io });
        }
        while delivered < round * u64::from(slots) {
            let wait = Wait {
                min: 1,
                until: Nanos::MAX,
            };
            assert!(engine.turn(wait, &mut |_| delivered += 1).is_ok());
        }
    }
    assert_eq!(seal.allocations(), 0);
}
