//! `io_uring`: one call submits all free slots and waits for a completion. Buffers and file are
//! registered, and the ring belongs to one thread.

use crate::Setup;
use crate::slots::Slots;
use anyhow::{Context, Result, ensure};
use io_uring::opcode::ReadFixed;
use io_uring::types::Fixed;
use std::os::fd::AsRawFd as _;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) fn run(mut setup: Setup, stop: &AtomicBool) -> Result<u64> {
    let depth = setup.queue_depth;
    let block = setup.block_bytes;
    let mut slots = Slots::new(depth, block);
    let mut ring: io_uring::IoUring = io_uring::IoUring::builder()
        .setup_single_issuer()
        .setup_defer_taskrun()
        .build(depth as u32)
        .context("io_uring_setup")?;
    let vectors: Vec<libc::iovec> = (0..depth)
        .map(|slot| libc::iovec {
            iov_base: slots.buffer(slot).as_mut_ptr().cast(),
            iov_len: block,
        })
        .collect();
    // SAFETY: the buffers are not moved, and live until the last completion has been taken.
    unsafe { ring.submitter().register_buffers(&vectors) }.context("cannot register buffers")?;
    let files = [setup.file.as_raw_fd()];
    ring.submitter()
        .register_files(&files)
        .context("cannot register the file")?;
    let mut free: Vec<usize> = (0..depth).collect();
    let mut ios = 0;
    loop {
        let is_over = stop.load(Ordering::Relaxed);
        if !is_over {
            let mut queue = ring.submission();
            for slot in free.drain(..) {
                let start = vectors[slot].iov_base.cast();
                let read = ReadFixed::new(Fixed(0), start, block as u32, slot as u16)
                    .offset(setup.offsets.next())
                    .build()
                    .user_data(slot as u64);
                // SAFETY: the buffer of a free slot is in no other request, and lives as above.
                unsafe { queue.push(&read) }.context("the queue is full")?;
            }
        }
        if is_over && free.len() == depth {
            return Ok(ios);
        }
        ring.submit_and_wait(1).context("io_uring_enter")?;
        for done in ring.completion() {
            let bytes = done.result();
            ensure!(bytes == block as i32, "a read ended with {bytes}");
            ios += 1;
            free.push(done.user_data() as usize);
        }
    }
}
