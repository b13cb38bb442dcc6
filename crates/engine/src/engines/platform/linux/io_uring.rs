//! Linux `io_uring`: many requests by one system call.
//!
//! A push writes an entry into the submission queue. A turn is one `io_uring_enter` that
//! submits and waits; its time limit travels as extended argument. What the kernel has is used:
//! registered buffers, files and ring, a single issuer with deferred work. [`Engine::flags`] says
//! what is in use, and why buffers are not, if they are not.
//!
//! A wait sleeps until [`EngineConfig::spin`] before its instant and then looks at the
//! completion queue, so that an instant is met without the delay of waking up. With completion
//! polling there is nobody to wake us, and a turn asks the device all the time.

mod enter;
pub(super) mod form;
mod hybrid;
mod ring;
mod setup;
mod sqe;

use crate::buffer::BufferPool;
use crate::clock::{self, Clock};
use crate::config::EngineConfig;
use crate::delivered::Delivered;
use crate::engine::{Engine, OsEngine};
use crate::error::EngineError;
use crate::io::{Completion, Progress, Submission, Wait};
use crate::spin::Spin;
use crate::target::OpenTarget;
use enter::{Entered, Gate};
use fathom_core::{EngineKind, Nanos};
use form::RingForm;
use ring::Ring;
use sqe::Encoder;
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

/// The asynchronous engine of today's Linux. `F` says what its requests are.
pub struct IoUringEngine<F: RingForm = Encoder> {
    ring: Ring<F::Entry, F::Answer>,
    gate: Gate,
    form: F,
    clock: Clock,
    spin: Spin,
    /// How long a thread looks at the completion queue before it asks the kernel to wait, where a
    /// kernel thread submits.
    look: Nanos,
    /// Pushed since the last turn: the kernel cannot see it yet.
    fresh: u32,
    /// Submitted to the kernel and not yet taken up. Always zero with a submission thread.
    pushed: u32,
    /// Submitted to the kernel and not yet delivered.
    in_flight: u32,
    /// Either of the two.
    polls: bool,
    polls_submissions: bool,
    polls_completions: bool,
    /// A wait for several completions accepts one after this time.
    takes_fewer: bool,
    // After the ring, so that they are dropped after it.
    buffers: BufferPool,
    _targets: Box<[Arc<OpenTarget>]>,
    flags: Vec<String>,
    // A ring with a single issuer belongs to the thread that made it.
    _thread: PhantomData<*const ()>,
}

impl<F: RingForm> std::fmt::Debug for IoUringEngine<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IoUringEngine")
            .field("in_flight", &self.in_flight)
            .field("flags", &self.flags)
            .finish_non_exhaustive()
    }
}

impl<F: RingForm> OsEngine for IoUringEngine<F> {
    const KIND: EngineKind = F::KIND;

    fn available() -> Result<(), String> {
        F::available()
    }

    fn open(config: &EngineConfig, targets: &[Arc<OpenTarget>]) -> Result<Self, EngineError> {
        let buffers = BufferPool::new(config.slots, config.buffer_bytes, config.huge_pages)?;
        let made = setup::ring::<F>(config)?;
        let ring = &made.ring;
        let fixed_buffers = if config.fixed_buffers {
            setup::register_buffers(ring, &buffers)
        } else {
            Err("not asked for".into())
        };
        let fixed_files = setup::register_files(ring, targets);
        let mut gate = Gate::open(ring);
        if config.min_wait > Nanos::ZERO && !gate.set_min_wait(config.min_wait) {
            gate.close(ring);
            return Err(setup::no_min_wait::<F>());
        }
        let form = F::over(config, targets, fixed_buffers.is_ok(), fixed_files)?;
        clock::sharpen_sleep();
        Ok(Self {
            flags: setup::flags(config, &made, &fixed_buffers, fixed_files, gate),
            ring: Ring::new(made.ring),
            gate,
            form,
            clock: Clock::new(),
            spin: config.spin,
            look: config.spin.length(),
            fresh: 0,
            pushed: 0,
            in_flight: 0,
            polls: config.submission_polling || config.completion_polling,
            polls_submissions: config.submission_polling,
            polls_completions: config.completion_polling,
            takes_fewer: config.min_wait > Nanos::ZERO,
            buffers,
            _targets: targets.into(),
            _thread: PhantomData,
        })
    }
}

impl<F: RingForm> IoUringEngine<F> {
    /// Completions that can be taken now.
    #[inline]
    fn ready(&mut self) -> u32 {
        self.ring.completions().len() as u32
    }

    /// Submits, and waits until `want` completions are ready, or until `until`.
    #[inline(never)]
    fn submit_and_wait(&mut self, want: u32, until: Nanos) -> io::Result<()> {
        if self.polls {
            return self.submit_and_poll(want, until);
        }
        // The load has just looked at the clock. If it has not, the sleep ends that much later,
        // and what is left for looking at the queue is that much less.
        let mut now = self.clock.latest();
        loop {
            let Some(sleep) = self.spin.sleep(until.saturating_sub(now)) else {
                return self.poll(want, until);
            };
            let wake = now.saturating_add(sleep);
            let sleep = if until == Nanos::MAX {
                Nanos::MAX
            } else {
                sleep
            };
            let entered = self.enter(want, sleep, false)?;
            let ready = self.ready();
            let enough = match entered {
                Entered::Submitted(_) | Entered::TimeIsUp => {
                    self.pushed == 0 && (ready >= want || self.takes_fewer && ready > 0)
                }
                Entered::Interrupted => true,
                // What is ready must be taken away first.
                Entered::Busy => ready > 0,
            };
            if enough {
                return Ok(());
            }
            now = self.clock.now();
            self.learn(wake, now);
        }
    }

    /// A sleep that was to end at `wake` has ended at `now`: by itself, where nothing completed.
    fn learn(&mut self, wake: Nanos, now: Nanos) {
        if self.ready() == 0 {
            self.spin.woke(wake, now);
        }
    }

    /// Looks at the completion queue until enough is ready or the time has come; enters the
    /// kernel only where there is something to submit or to run.
    fn poll(&mut self, want: u32, until: Nanos) -> io::Result<()> {
        loop {
            if self.pushed > 0 || self.polls_completions || self.ring.has_work() {
                self.enter(0, Nanos::ZERO, false)?;
            }
            if self.ready() >= want || until == Nanos::ZERO || self.clock.now() >= until {
                return Ok(());
            }
            std::hint::spin_loop();
        }
    }

    /// The same with a kernel thread that submits, or a device that is asked for completions.
    fn submit_and_poll(&mut self, want: u32, until: Nanos) -> io::Result<()> {
        if self.polls_submissions {
            self.pushed = 0;
            if self.ring.needs_wakeup() {
                self.enter(0, Nanos::ZERO, true)?;
            }
        }
        if self.polls_completions {
            return self.poll(want, until);
        }
        // Whoever has a kernel thread submit wants no system calls: look for a while first.
        let soon = self.clock.now().saturating_add(self.look);
        self.poll(want, until.min(soon))?;
        while self.ready() < want {
            let now = self.clock.now();
            let Some(sleep) = self.spin.sleep(until.saturating_sub(now)) else {
                return self.poll(want, until);
            };
            let needs_wakeup = self.ring.needs_wakeup();
            if self.enter(want, sleep, needs_wakeup)? == Entered::Interrupted {
                return Ok(());
            }
            let woke = self.clock.now();
            self.learn(now.saturating_add(sleep), woke);
        }
        Ok(())
    }

    /// Tells the kernel of what was pushed.
    #[inline]
    fn tell(&mut self) {
        self.ring.publish();
        self.pushed += self.fresh;
        self.in_flight += self.fresh;
        self.fresh = 0;
    }

    /// A request with a path of its own. What leads here and comes back would have to stand in
    /// memory, for all other requests too.
    #[cold]
    fn push_seldom(&mut self, io: Submission) {
        let address = self.buffers.lend(io.slot, io.buffer_bytes());
        let entry = self.form.seldom(&io, address);
        // SAFETY: as in `push`: the buffer is as long as the request, lives until the engine has
        // waited for the kernel, and is lent to it until the completion.
        unsafe { self.ring.push(&entry) };
        self.fresh += 1;
    }

    /// One system call. Nothing is asked of the kernel's time limit with `min` zero.
    #[inline]
    fn enter(&mut self, min: u32, timeout: Nanos, wake: bool) -> io::Result<Entered> {
        let entered = self.gate.enter(self.pushed, min, timeout, wake)?;
        // Looks at what was taken up: those places are free again.
        self.ring.publish();
        if let Entered::Submitted(count) = entered {
            self.pushed = self.pushed.saturating_sub(count);
        }
        Ok(entered)
    }

    /// Waits until the kernel has let go of all buffers; whether it has.
    fn settle(&mut self) -> bool {
        if self.polls_submissions {
            // Its thread takes up all that is submitted.
            self.tell();
            self.pushed = 0;
        }
        // What was never submitted, the kernel does not know.
        while self.in_flight > self.pushed {
            let unsubmitted = std::mem::take(&mut self.pushed);
            let min = u32::from(!self.polls_completions);
            let wake = self.polls_submissions;
            let entered = self.enter(min, Nanos::MAX, wake);
            self.pushed = unsubmitted;
            if entered.is_err() {
                return false;
            }
            self.in_flight -= self.ring.completions().count() as u32;
        }
        true
    }
}

#[cold]
fn broken(error: &io::Error) -> EngineError {
    EngineError::Call {
        call: "io_uring_enter",
        cause: error.to_string(),
    }
}

impl<F: RingForm> Engine for IoUringEngine<F> {
    #[inline]
    fn now(&mut self) -> Nanos {
        self.clock.now()
    }

    #[expect(
        clippy::inline_always,
        reason = "per request; a call costs a tenth of the work"
    )]
    #[inline(always)]
    fn push(&mut self, io: Submission) {
        if F::is_seldom(io.op) {
            return self.push_seldom(io);
        }
        let address = self.buffers.lend(io.slot, io.buffer_bytes());
        let entry = self.form.entry(&io, address);
        // SAFETY: the buffer is as long as the request, lives until the engine has waited for the
        // kernel, and is lent to it until the completion; files are open as long.
        unsafe { self.ring.push(&entry) };
        self.fresh += 1;
    }

    #[inline]
    fn turn(
        &mut self,
        wait: Wait,
        done: &mut impl FnMut(Completion),
    ) -> Result<Progress, EngineError> {
        if self.fresh > 0 {
            self.tell();
        }
        if self.in_flight == 0 {
            self.clock.wait_and_learn(wait.until, &mut self.spin);
            return Ok(Progress::Ready);
        }
        let want = if wait.min == 0 { u32::MAX } else { wait.min };
        if self.pushed > 0 || self.ready() < want {
            self.submit_and_wait(want, wait.until)
                .map_err(|error| broken(&error))?;
        }
        let mut delivered = Delivered::of(&mut self.in_flight);
        for entry in self.ring.completions() {
            delivered.add(1);
            let completion = F::completion(&entry);
            self.buffers.take_back(completion.slot);
            done(completion);
        }
        Ok(Progress::Ready)
    }

    #[inline]
    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.buffers.get(slot)
    }

    fn max_in_flight(&self) -> u32 {
        self.buffers.slots()
    }

    fn submits_batches(&self) -> bool {
        // A kernel thread takes up submissions while the next requests are prepared.
        !self.polls_submissions
    }

    fn spin(&self) -> Option<Nanos> {
        self.spin.learned()
    }

    fn flags(&self) -> Vec<String> {
        self.flags.clone()
    }
}

impl<F: RingForm> Drop for IoUringEngine<F> {
    fn drop(&mut self) {
        if self.settle() {
            // The kernel takes a ring apart some time after it is closed; until then its files
            // would stay open, and their devices busy. If none are registered, none are kept.
            let _ = self.ring.submitter().unregister_files();
        } else {
            // Better lost than overwritten under a new owner.
            self.buffers.keep_mapped();
            self.form.keep();
        }
        self.gate.close(&self.ring);
    }
}
