//! One call for each request.

use crate::Setup;
use crate::slots::Slots;
use anyhow::{Context, Result, ensure};
use rustix::io::{ReadWriteFlags, preadv2};
use std::io::IoSliceMut;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) fn run(mut setup: Setup, stop: &AtomicBool) -> Result<u64> {
    let mut slots = Slots::new(1, setup.block_bytes);
    let buffer = slots.buffer(0);
    let mut ios = 0;
    while !stop.load(Ordering::Relaxed) {
        let mut parts = [IoSliceMut::new(buffer)];
        let offset = setup.offsets.next();
        let read = preadv2(&setup.file, &mut parts, offset, ReadWriteFlags::empty());
        let bytes = read.context("preadv2")?;
        ensure!(
            bytes == setup.block_bytes,
            "{bytes} bytes were read at {offset}"
        );
        ios += 1;
    }
    Ok(ios)
}
