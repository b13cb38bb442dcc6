//! The engines over a block device: a compressed memory disk that the test makes and removes.
//! It needs root and a kernel with zram; a skip says which is missing.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

use fathom_core::{Nanos, Op};
use fathom_engine::engines::io_uring::IoUringEngine;
use fathom_engine::engines::libaio::LibaioEngine;
use fathom_engine::engines::psync::PsyncEngine;
use fathom_engine::{
    Engine as _, EngineConfig, EngineError, OpenOptions, OpenTarget, OsEngine, Submission,
    TargetKind, Wait,
};
use fathom_testing::skip;
use std::path::PathBuf;
use std::sync::Arc;

const CONTROL: &str = "/sys/class/zram-control";
const DEVICE_BYTES: u64 = 16 << 20;
const BLOCK_BYTES: u32 = 4096;

/// A memory disk, removed when this is dropped.
struct Zram {
    number: String,
}

impl Zram {
    fn make() -> std::io::Result<Self> {
        let number = std::fs::read_to_string(format!("{CONTROL}/hot_add"))?;
        let zram = Self {
            number: number.trim().to_owned(),
        };
        std::fs::write(zram.attribute("disksize"), DEVICE_BYTES.to_string())?;
        Ok(zram)
    }

    fn attribute(&self, name: &str) -> String {
        format!("/sys/block/zram{}/{name}", self.number)
    }

    fn path(&self) -> PathBuf {
        format!("/dev/zram{}", self.number).into()
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        // A failure here leaves an empty device behind, and there is nothing to be done then.
        let _ = std::fs::write(self.attribute("reset"), "1");
        let _ = std::fs::write(format!("{CONTROL}/hot_remove"), &self.number);
    }
}

fn perform(engine: &mut impl OsEngine, op: Op, block: u64, len: u32) -> i32 {
    engine.push(Submission {
        offset: block * u64::from(BLOCK_BYTES),
        slot: 0,
        len,
        target: 0,
        op,
        data_only: false,
    });
    let wait = Wait {
        min: 1,
        until: Nanos::MAX,
    };
    let mut results = Vec::new();
    let turn = engine.turn(wait, &mut |c| results.push(c.result));
    assert!(turn.is_ok());
    assert_eq!(results.len(), 1);
    results[0]
}

fn discards_reach_the_device<E: OsEngine>() {
    let zram = match Zram::make() {
        Ok(zram) => zram,
        Err(error) => return skip(format_args!("no zram device can be made: {error}")),
    };
    let options = OpenOptions {
        read: true,
        write: true,
        direct: true,
        write_through: false,
    };
    let target = OpenTarget::open(&zram.path(), &options).expect("the device opens");
    assert_eq!(target.kind, TargetKind::BlockDevice);
    assert_eq!(target.size_bytes, DEVICE_BYTES);
    assert_eq!(target.offset_align_bytes, BLOCK_BYTES);

    let mut engine = match E::open(&EngineConfig::default(), &[Arc::new(target)]) {
        Ok(engine) => engine,
        Err(error @ EngineError::Unavailable { .. }) => return skip(&error),
        Err(error) => panic!("{error}"),
    };
    for block in 0..4 {
        engine.buffer(0).fill(block as u8 + 1);
        let written = perform(&mut engine, Op::Write, block, BLOCK_BYTES);
        assert_eq!(written, BLOCK_BYTES as i32);
    }
    assert_eq!(perform(&mut engine, Op::Trim, 1, 2 * BLOCK_BYTES), 0);
    assert_eq!(perform(&mut engine, Op::Flush, 0, 0), 0);
    let contents = [0, 1, 2, 3].map(|block| {
        let read = perform(&mut engine, Op::Read, block, BLOCK_BYTES);
        assert_eq!(read, BLOCK_BYTES as i32);
        let first = engine.buffer(0)[0];
        assert!(engine.buffer(0).iter().all(|byte| *byte == first));
        first
    });
    assert_eq!(contents, [1, 0, 0, 4]);
    let end = DEVICE_BYTES / u64::from(BLOCK_BYTES);
    assert_eq!(perform(&mut engine, Op::Read, end, BLOCK_BYTES), 0);
    let beyond = perform(&mut engine, Op::Write, end, BLOCK_BYTES);
    assert_eq!(beyond, -libc::ENOSPC);
}

#[test]
fn psync() {
    discards_reach_the_device::<PsyncEngine>();
}

#[test]
fn libaio() {
    discards_reach_the_device::<LibaioEngine>();
}

#[test]
fn io_uring() {
    discards_reach_the_device::<IoUringEngine>();
}

/// A wait for more than there will be ends with what there is, long before its instant.
#[test]
fn a_wait_is_content_with_fewer_after_its_time() {
    let file = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a file");
    std::fs::write(file.path(), vec![1; 1 << 20]).expect("written");
    let options = OpenOptions {
        read: true,
        ..OpenOptions::default()
    };
    let target = Arc::new(OpenTarget::open(file.path(), &options).expect("opened"));
    let config = EngineConfig {
        slots: 8,
        min_wait: Nanos::from_micros(200),
        ..EngineConfig::default()
    };
    let mut engine = match <IoUringEngine>::open(&config, &[target]) {
        Ok(engine) => engine,
        Err(error @ EngineError::Unavailable { .. }) => return skip(&error),
        Err(error) => panic!("{error}"),
    };
    for slot in 0..2 {
        engine.push(Submission {
            offset: 0,
            slot,
            len: BLOCK_BYTES,
            target: 0,
            op: Op::Read,
            data_only: false,
        });
    }
    // Were it to wait for three, it would wait for an hour.
    let hour = Nanos(3_600_000_000_000);
    let wait = Wait {
        min: 3,
        until: engine.now() + hour,
    };
    let mut delivered = 0;
    let began = engine.now();
    assert!(engine.turn(wait, &mut |_| delivered += 1).is_ok());
    assert_eq!(delivered, 2);
    assert!(engine.now() < began + hour);
}

/// Either there is a ring, or the refusal says which kernel has one.
#[test]
fn hybrid_polling_is_there_or_refused() {
    let config = EngineConfig {
        completion_polling: true,
        hybrid_polling: true,
        ..EngineConfig::default()
    };
    match <IoUringEngine>::open(&config, &[]) {
        Ok(engine) => {
            let flags: Vec<String> = engine.flags();
            assert!(
                flags.iter().any(|flag| flag == "hybrid_polling"),
                "{flags:?}"
            );
        }
        Err(error) => skip(&error),
    }
}
