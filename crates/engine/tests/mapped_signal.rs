//! A handler of SIGBUS that was there before files were mapped keeps what is not about a mapping.
//! A program of its own, because handlers are the whole program's.
#![cfg(target_arch = "x86_64")]
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

use fathom_core::{Nanos, Op};
use fathom_engine::engines::mmap::MmapEngine;
use fathom_engine::{
    Engine as _, EngineConfig, OpenOptions, OpenTarget, OsEngine as _, Submission, Wait,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

static HEARD: AtomicU32 = AtomicU32::new(0);

extern "C" fn hear(_: libc::c_int) {
    HEARD.fetch_add(1, Ordering::Relaxed);
}

#[test]
fn a_signal_that_is_about_no_mapping_goes_to_whoever_had_it() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    file.as_file().set_len(8192).expect("its bytes");
    // SAFETY: the handler touches one atomic number.
    unsafe { libc::signal(libc::SIGBUS, hear as *const () as usize) };
    let target = OpenTarget::open(file.path(), &OpenOptions::default()).expect("it opens");
    let mut engine =
        MmapEngine::open(&EngineConfig::default(), &[Arc::new(target)]).expect("mapped");
    // SAFETY: a signal to this thread, which has a handler.
    unsafe { libc::raise(libc::SIGBUS) };
    assert_eq!(HEARD.load(Ordering::Relaxed), 1);
    file.as_file().set_len(0).expect("shorter");
    engine.push(Submission {
        offset: 4096,
        slot: 0,
        len: 4096,
        target: 0,
        op: Op::Read,
        data_only: false,
    });
    let mut results = Vec::new();
    let wait = Wait {
        min: 1,
        until: Nanos::MAX,
    };
    let turn = engine.turn(wait, &mut |done| results.push(done.result));
    turn.expect("the turn");
    assert_eq!(
        (results, HEARD.load(Ordering::Relaxed)),
        (vec![-libc::EIO], 1)
    );
}
