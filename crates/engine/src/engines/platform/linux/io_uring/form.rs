//! What the requests of a ring are, and what it answers.

use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::io::{Completion, Submission};
use crate::target::OpenTarget;
use fathom_core::{EngineKind, Op};
use io_uring::{IoUring, cqueue, squeue};
use std::sync::Arc;

/// The part in which engines over a ring differ.
pub trait RingForm: Sized {
    /// The engine that has it.
    const KIND: EngineKind;
    /// Whether the kernel has such a ring.
    ///
    /// # Errors
    ///
    /// Why it has none, in words that follow "it is".
    fn available() -> Result<(), String>;

    /// An entry of the submission queue.
    type Entry: squeue::EntryMarker + 'static;
    /// An entry of the completion queue.
    type Answer: cqueue::EntryMarker + 'static;

    /// For a ring that was made by `config`, whose buffers and files may be registered: files in
    /// the order of the targets, buffers in that of the slots.
    ///
    /// # Errors
    ///
    /// A target that it cannot be used with.
    fn over(
        config: &EngineConfig,
        targets: &[Arc<OpenTarget>],
        fixed_buffers: bool,
        fixed_files: bool,
    ) -> Result<Self, EngineError>;

    /// The like of a ring that polls, which sleeps before it does.
    ///
    /// # Errors
    ///
    /// Why there is none, in words.
    fn hybrid(
        _ring: &IoUring<Self::Entry, Self::Answer>,
    ) -> Result<IoUring<Self::Entry, Self::Answer>, String> {
        Err("only the engine io_uring has hybrid polling".to_owned())
    }

    /// Whether requests of this kind are made by [`seldom`](Self::seldom), and not by
    /// [`entry`](Self::entry): that of reads and writes is then free of their paths.
    #[inline]
    fn is_seldom(_op: Op) -> bool {
        false
    }

    /// The entry for `io`, whose buffer is at `address`. All that it points to stays as it is until
    /// the request has completed.
    fn entry(&mut self, io: &Submission, address: *mut u8) -> Self::Entry;

    /// The same where [`is_seldom`](Self::is_seldom) says so.
    fn seldom(&mut self, io: &Submission, address: *mut u8) -> Self::Entry {
        self.entry(io, address)
    }

    /// What an answer says.
    fn completion(answer: &Self::Answer) -> Completion;

    /// Leaves what entries point to for the life of the process, because the kernel may still use
    /// it.
    fn keep(&mut self) {}
}
