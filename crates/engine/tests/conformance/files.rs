//! What an engine promises over files and devices of the operating system.

use crate::bench::{
    self, BLOCK_BYTES, BLOCKS, TARGET_BYTES, open, or_skip_direct, request, scratch,
    scratch_on_disk, skip, turn,
};
use crate::contract::ops;
use crate::storage::pattern;
use fathom_core::engine::Feature;
use fathom_core::{Nanos, Op};
use fathom_engine::{Completion, EngineConfig, OpenTarget, OsEngine, Submission, Wait, alloc};
use fathom_platform::io::Errno;
use std::sync::Arc;

type Targets = [Arc<OpenTarget>];

/// The factory: an engine over given targets.
pub(crate) fn open_with<E: OsEngine>(config: EngineConfig) -> impl Fn(&Targets) -> Option<E> {
    move |targets| bench::or_skip(E::open(&config, targets))
}

fn block_offset(block: u64) -> u64 {
    block * u64::from(BLOCK_BYTES)
}

/// Performs one request.
fn perform(engine: &mut impl OsEngine, io: Submission) -> i32 {
    engine.push(io);
    let done = turn(engine, 1, Nanos::MAX);
    assert_eq!(done.len(), 1);
    assert_eq!(done[0].slot, io.slot);
    done[0].result
}

pub(crate) fn what_is_written_is_in_the_file<E: OsEngine>(make: &impl Fn(&Targets) -> Option<E>) {
    let file = scratch();
    let Some(mut engine) = make(&[open(&file, true)]) else {
        return;
    };
    let slots = u64::from(engine.max_in_flight());
    for first in (0..BLOCKS).step_by(slots as usize) {
        let batch = first..BLOCKS.min(first + slots);
        for block in batch.clone() {
            let slot = (block - first) as u32;
            engine.buffer(slot).copy_from_slice(&pattern(block));
            engine.push(request(Op::Write, slot, block_offset(block)));
        }
        let count = (batch.end - batch.start) as u32;
        assert_eq!(turn(&mut engine, count, Nanos::MAX).len(), count as usize);
    }
    let contents = std::fs::read(file.path()).expect("the file");
    let expected: Vec<u8> = (0..BLOCKS)
        .flat_map(pattern)
        .chain(std::iter::repeat_n(1, 1000))
        .collect();
    assert!(contents == expected);
}

pub(crate) fn a_request_reaches_the_target_it_names<E: OsEngine>(
    make: &impl Fn(&Targets) -> Option<E>,
) {
    let files = [scratch(), scratch(), scratch()];
    for (number, file) in (10_u8..).zip(&files) {
        std::fs::write(file.path(), vec![number; BLOCK_BYTES as usize]).expect("written");
    }
    let targets = files.each_ref().map(|file| open(file, false));
    let Some(mut engine) = make(&targets) else {
        return;
    };
    for target in [2_u16, 0, 1] {
        let io = Submission {
            target,
            ..request(Op::Read, 0, 0)
        };
        assert_eq!(perform(&mut engine, io), BLOCK_BYTES as i32);
        let number = 10 + target as u8;
        assert!(engine.buffer(0).iter().all(|byte| *byte == number));
    }
}

pub(crate) fn a_read_only_target_refuses_writes<E: OsEngine>(
    make: &impl Fn(&Targets) -> Option<E>,
) {
    let file = scratch();
    let Some(mut engine) = make(&[open(&file, false)]) else {
        return;
    };
    let results = [Op::Write, Op::Trim, Op::Read].map(|op| {
        let io = request(op, 0, 0);
        perform(&mut engine, io)
    });
    // An engine without trims refuses them whatever the target.
    let trim = match E::KIND.lacks(Feature::Trims) {
        Some(_) => Errno::OPNOTSUPP,
        None => Errno::BADF,
    };
    let expected = [
        -Errno::BADF.raw_os_error(),
        -trim.raw_os_error(),
        BLOCK_BYTES as i32,
    ];
    assert_eq!(results, expected);
}

#[cfg(target_os = "linux")]
pub(crate) fn a_full_device_refuses_writes<E: OsEngine>(make: &impl Fn(&Targets) -> Option<E>) {
    let options = fathom_engine::OpenOptions {
        write: true,
        ..Default::default()
    };
    if E::KIND == fathom_core::EngineKind::Libaio {
        return skip("the full device takes no asynchronous requests");
    }
    let full =
        OpenTarget::open(std::path::Path::new("/dev/full"), &options).expect("the full device");
    let Some(mut engine) = make(&[Arc::new(full)]) else {
        return;
    };
    assert_eq!(
        perform(&mut engine, request(Op::Write, 0, 0)),
        -Errno::NOSPC.raw_os_error()
    );
}

pub(crate) fn a_misaligned_direct_request_is_refused<E: OsEngine>(
    make: &impl Fn(&Targets) -> Option<E>,
) {
    let file = scratch_on_disk();
    let Some(target) = or_skip_direct(&file) else {
        return;
    };
    if target.offset_align_bytes == 1 {
        return skip("direct requests need no alignment here");
    }
    if let Some(emulator) = fathom_platform::emulator() {
        return skip(format_args!("{emulator} ignores FILE_FLAG_NO_BUFFERING"));
    }
    let Some(mut engine) = make(&[target]) else {
        return;
    };
    let whole = request(Op::Read, 0, block_offset(1));
    let odd = Submission { offset: 7, ..whole };
    assert_eq!(perform(&mut engine, odd), -Errno::INVAL.raw_os_error());
    assert_eq!(perform(&mut engine, whole), BLOCK_BYTES as i32);
    assert!(engine.buffer(0).iter().all(|byte| *byte == 1));
}

pub(crate) fn an_error_is_of_its_request_alone<E: OsEngine>(make: &impl Fn(&Targets) -> Option<E>) {
    let (good, bad) = (scratch(), scratch());
    let targets = [open(&good, true), open(&bad, false)];
    let Some(mut engine) = make(&targets) else {
        return;
    };
    let count = engine.max_in_flight().min(6);
    for slot in 0..count {
        engine.push(Submission {
            target: (slot % 2) as u16,
            ..request(Op::Write, slot, block_offset(u64::from(slot)))
        });
    }
    let mut done = turn(&mut engine, count, Nanos::MAX);
    done.sort_unstable_by_key(|c| c.slot);
    let expected: Vec<Completion> = (0..count)
        .map(|slot| Completion {
            slot,
            result: if slot % 2 == 0 {
                BLOCK_BYTES as i32
            } else {
                -Errno::BADF.raw_os_error()
            },
        })
        .collect();
    assert_eq!(done, expected);
}

#[cfg(target_os = "linux")]
pub(crate) fn a_trim_frees_the_blocks_of_the_file<E: OsEngine>(
    make: &impl Fn(&Targets) -> Option<E>,
) {
    use fathom_platform::unix::fs::MetadataExt as _;
    let file = scratch();
    file.as_file().sync_all().expect("allocated");
    let before = file.as_file().metadata().expect("metadata").blocks();
    let Some(mut engine) = make(&[open(&file, true)]) else {
        return;
    };
    let io = Submission {
        len: 16 * BLOCK_BYTES,
        ..request(Op::Trim, 0, block_offset(8))
    };
    assert_eq!(perform(&mut engine, io), 0);
    let after = file.as_file().metadata().expect("metadata");
    assert_eq!(after.len(), TARGET_BYTES);
    assert_eq!(before - after.blocks(), 16 * u64::from(BLOCK_BYTES) / 512);
}

pub(crate) fn dropping_waits_for_the_kernel<E: OsEngine>(make: &impl Fn(&Targets) -> Option<E>) {
    let file = scratch_on_disk();
    for round in 0..20_u8 {
        let target = if round % 2 == 0 {
            or_skip_direct(&file)
        } else {
            Some(open(&file, true))
        };
        let Some(target) = target else { continue };
        let Some(mut engine) = make(&[target]) else {
            return;
        };
        for slot in 0..engine.max_in_flight() {
            engine.buffer(slot).fill(round);
            let offset = block_offset(u64::from(slot));
            engine.push(request(Op::Write, slot, offset));
        }
        let delivered = turn(&mut engine, 0, Nanos::ZERO).len();
        let submitted = engine.max_in_flight() as usize;
        drop(engine);
        // Whatever was under way at the drop has been completed by it.
        let contents = std::fs::read(file.path()).expect("the file");
        let new = &contents[..submitted * BLOCK_BYTES as usize];
        assert!(new.iter().all(|b| *b == round), "after {delivered}");
    }
}

/// A callback that panics has had its completion: the others are delivered afterwards, each once,
/// and dropping the engine does not wait for one that will never come.
pub(crate) fn a_panic_in_the_callback_loses_and_repeats_nothing<E: OsEngine>(
    make: &(impl Fn(&Targets) -> Option<E> + Sync),
) {
    let file = scratch();
    let target = open(&file, true);
    let (ended, end) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let Some(mut engine) = make(&[target]) else {
                return ended.send(None);
            };
            let slots = engine.max_in_flight();
            for slot in 0..slots {
                engine.push(request(Op::Read, slot, block_offset(u64::from(slot))));
            }
            let mut delivered = Vec::new();
            let mut turns = 0;
            while delivered.len() < slots as usize && turns < 1000 {
                turns += 1;
                let wait = Wait {
                    min: 1,
                    until: engine.now() + Nanos::from_millis(100),
                };
                // Every third one.
                let turn = std::panic::AssertUnwindSafe(|| {
                    engine.turn(wait, &mut |completion| {
                        delivered.push(completion.slot);
                        assert!(completion.slot % 3 != 1, "as planned");
                    })
                });
                let _ = std::panic::catch_unwind(turn);
            }
            drop(engine);
            delivered.sort_unstable();
            ended.send(Some((delivered, slots)))
        });
        let limit = std::time::Duration::from_mins(1);
        let ended = end.recv_timeout(limit).expect("dropping has an end");
        if let Some((delivered, slots)) = ended {
            assert_eq!(delivered, (0..slots).collect::<Vec<_>>());
        }
    });
}

pub(crate) fn dropping_forgets_what_was_not_submitted<E: OsEngine>(
    make: &impl Fn(&Targets) -> Option<E>,
) {
    let file = scratch();
    let Some(mut engine) = make(&[open(&file, true)]) else {
        return;
    };
    engine.push(request(Op::Read, 0, 0));
    drop(engine);
    assert_eq!(
        file.as_file().metadata().expect("metadata").len(),
        TARGET_BYTES
    );
}

pub(crate) fn the_loop_allocates_nothing<E: OsEngine>(make: &impl Fn(&Targets) -> Option<E>) {
    let file = scratch();
    let Some(mut engine) = make(&[open(&file, true)]) else {
        return;
    };
    let ops = ops(E::KIND.lacks(Feature::Trims).is_none());
    let slots = engine.max_in_flight();
    let seal = alloc::seal();
    let mut delivered = 0;
    for round in 0..50_u64 {
        for slot in 0..slots {
            let op = ops[(round as usize + slot as usize) % ops.len()];
            engine.buffer(slot).fill(1);
            engine.push(request(op, slot, block_offset(u64::from(slot) % BLOCKS)));
        }
        for (min, until) in [
            (0, Nanos::ZERO),
            (1, engine.now() + Nanos::from_micros(100)),
        ] {
            let turn = engine.turn(Wait { min, until }, &mut |_| delivered += 1);
            assert!(turn.is_ok());
        }
        while delivered < (round + 1) * u64::from(slots) {
            let wait = Wait {
                min: 1,
                until: Nanos::MAX,
            };
            assert!(engine.turn(wait, &mut |_| delivered += 1).is_ok());
        }
    }
    assert_eq!(seal.allocations(), 0);
}
