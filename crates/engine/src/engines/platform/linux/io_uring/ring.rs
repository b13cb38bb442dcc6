//! A ring whose submission queue stays open from one batch to the next: an entry is written
//! without a look at what the kernel has taken up, and a batch is published as one.

use io_uring::cqueue::CompletionQueue;
use io_uring::squeue::SubmissionQueue;
use io_uring::{IoUring, Submitter, cqueue, squeue};
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, RawFd};
use std::ptr::NonNull;

/// The ring and its queues, for the thread that made it.
pub(super) struct Ring<S: squeue::EntryMarker + 'static, C: cqueue::EntryMarker + 'static> {
    /// Points into the ring. Never dropped by itself: that would publish what it holds.
    submissions: ManuallyDrop<SubmissionQueue<'static, S>>,
    /// Of a box, and its only owner; by a pointer, since it is pointed into.
    ring: NonNull<IoUring<S, C>>,
}

impl<S: squeue::EntryMarker, C: cqueue::EntryMarker> Ring<S, C> {
    pub(super) fn new(ring: IoUring<S, C>) -> Self {
        let ring = NonNull::from(Box::leak(Box::new(ring)));
        // SAFETY: the box is taken back when this value is dropped, and not before.
        let shared: &'static IoUring<S, C> = unsafe { ring.as_ref() };
        // SAFETY: this is the only submission queue of the ring: nobody else gets at it.
        let submissions = unsafe { shared.submission_shared() };
        Self {
            submissions: ManuallyDrop::new(submissions),
            ring,
        }
    }

    fn ring(&self) -> &IoUring<S, C> {
        // SAFETY: the box lives as long as this value, and is never borrowed to be changed.
        unsafe { self.ring.as_ref() }
    }

    /// Writes an entry, of which the kernel hears with the next [`publish`](Self::publish).
    ///
    /// # Safety
    ///
    /// What the entry points to stays valid until its request has completed.
    ///
    /// # Panics
    ///
    /// If the queue is full.
    #[inline]
    pub(super) unsafe fn push(&mut self, entry: &S) {
        // SAFETY: the caller's promise.
        let pushed = unsafe { self.submissions.push(entry) };
        assert!(pushed.is_ok(), "more requests in flight than slots");
    }

    /// Tells the kernel of what was pushed, and looks at what it has taken up.
    #[inline]
    pub(super) fn publish(&mut self) {
        self.submissions.sync();
    }

    /// What has completed.
    #[inline]
    pub(super) fn completions(&mut self) -> CompletionQueue<'_, C> {
        // SAFETY: the exclusive borrow keeps other completion queues of the ring away.
        unsafe { self.ring().completion_shared() }
    }

    /// Whether the kernel has put off work for this thread.
    #[inline]
    pub(super) fn has_work(&self) -> bool {
        self.submissions.taskrun()
    }

    /// Whether the submission thread sleeps.
    #[inline]
    pub(super) fn needs_wakeup(&self) -> bool {
        self.submissions.need_wakeup()
    }

    pub(super) fn submitter(&self) -> Submitter<'_> {
        self.ring().submitter()
    }
}

impl<S: squeue::EntryMarker, C: cqueue::EntryMarker> AsRawFd for Ring<S, C> {
    fn as_raw_fd(&self) -> RawFd {
        self.ring().as_raw_fd()
    }
}

impl<S: squeue::EntryMarker, C: cqueue::EntryMarker> Drop for Ring<S, C> {
    fn drop(&mut self) {
        // SAFETY: it came from a box in `new`, and the queue that points to it is not used again.
        drop(unsafe { Box::from_raw(self.ring.as_ptr()) });
    }
}
