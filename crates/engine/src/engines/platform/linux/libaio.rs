//! Linux native asynchronous I/O (`io_submit`), as `libaio` gives it to others.
//!
//! A turn is one `io_submit` and, if the ring of events that is shared with the kernel does not
//! hold enough, one `io_getevents`. It is asynchronous for direct requests only: buffered ones
//! are performed inside `io_submit`. There is no request for trimming; a trim is performed within
//! the turn.

mod abi;
mod ring;

use crate::buffer::BufferPool;
use crate::clock::{self, Clock};
use crate::config::EngineConfig;
use crate::delivered::Delivered;
use crate::engine::{Engine, OsEngine};
use crate::engines::platform::linux::probe;
use crate::engines::platform::linux::trim;
use crate::error::EngineError;
use crate::io::{Completion, Progress, Submission, Wait};
use crate::spin::Spin;
use crate::target::OpenTarget;
use abi::{Context, Event, Iocb, opcode};
use fathom_core::{EngineKind, Nanos, Op};
use ring::Ring;
use std::io;
use std::os::fd::AsRawFd as _;
use std::sync::Arc;

const NAME: &str = EngineKind::Libaio.name();

/// How long to wait for completions while the kernel has no room for what was pushed.
const RETRY: Nanos = Nanos::from_millis(1);

/// The asynchronous engine of older Linux.
#[derive(Debug)]
pub struct LibaioEngine {
    // Before the context, which unmaps it.
    ring: Option<Ring>,
    // Before requests and buffers: dropping it waits for the kernel.
    context: Context,
    /// One control block per slot; the kernel receives their addresses.
    requests: Box<[Iocb]>,
    /// What the next turn submits.
    pushed: Vec<*mut Iocb>,
    /// What the next turn performs itself.
    apart: Vec<Submission>,
    /// What has ended without the kernel's queue: what was performed apart, and requests it did
    /// not take.
    ended: Vec<Completion>,
    events: Box<[Event]>,
    /// Pushed and not yet delivered.
    in_flight: u32,
    files: Box<[u32]>,
    /// Of reads and writes.
    targets: Box<[Arc<OpenTarget>]>,
    buffers: BufferPool,
    clock: Clock,
    spin: Spin,
}

impl OsEngine for LibaioEngine {
    const KIND: EngineKind = EngineKind::Libaio;

    fn available() -> Result<(), String> {
        probe::libaio()
    }

    fn open(config: &EngineConfig, targets: &[Arc<OpenTarget>]) -> Result<Self, EngineError> {
        let slots = config.slots.max(1);
        let buffers = BufferPool::new(slots, config.buffer_bytes, config.huge_pages)?;
        let context = Context::new(slots).map_err(|error| refused(&error))?;
        clock::sharpen_sleep();
        Ok(Self {
            ring: Ring::of(&context),
            context,
            requests: (0..slots).map(Iocb::new).collect(),
            pushed: Vec::with_capacity(slots as usize),
            apart: Vec::with_capacity(slots as usize),
            ended: Vec::with_capacity(slots as usize),
            events: vec![Event::default(); slots as usize].into(),
            in_flight: 0,
            files: targets.iter().map(|t| t.fd.as_raw_fd() as u32).collect(),
            targets: targets.into(),
            buffers,
            clock: Clock::new(),
            spin: config.spin,
        })
    }
}

/// Why there is no context, and what to try.
fn refused(error: &io::Error) -> EngineError {
    let (cause, remedy) = match error.raw_os_error() {
        Some(libc::EAGAIN) => (
            "the system's limit on asynchronous requests (fs.aio-max-nr) is reached".into(),
            "sysctl fs.aio-max-nr=1048576, or a smaller queue depth or number of threads",
        ),
        Some(libc::ENOSYS) => ("it is not in this kernel".into(), "--engine psync"),
        _ => (error.to_string(), "--engine psync"),
    };
    EngineError::Unavailable {
        engine: NAME,
        cause,
        remedy: remedy.into(),
    }
}

impl LibaioEngine {
    /// Hands what was pushed to the kernel, and performs what it has no request for.
    fn submit(&mut self) {
        let mut taken = 0;
        while taken < self.pushed.len() {
            // SAFETY: each pointer leads into `requests`, filled by `push`; the buffers live
            // until the kernel has completed all requests.
            match unsafe { self.context.submit(&self.pushed[taken..]) } {
                Ok(count) if count > 0 => taken += count,
                Ok(_) => break,
                Err(error) => match error.raw_os_error().unwrap_or(libc::EIO) {
                    // No room now; the next turn tries again.
                    libc::EAGAIN | libc::EINTR => break,
                    errno => {
                        // The first of those left was not to the kernel's liking.
                        self.end(taken, -errno);
                        taken += 1;
                    }
                },
            }
        }
        self.pushed.drain(..taken);
        self.perform_apart();
    }

    #[cold]
    fn end(&mut self, index: usize, result: i32) {
        let start = self.requests.as_ptr() as usize;
        let slot = (self.pushed[index] as usize - start) / size_of::<Iocb>();
        self.ended.push(Completion {
            slot: slot as u32,
            result,
        });
    }

    fn perform_apart(&mut self) {
        for io in self.apart.drain(..) {
            let target = &self.targets[usize::from(io.target)];
            let done = match io.op {
                Op::Flush => rustix::fs::fdatasync(&target.fd),
                _ => trim::trim(target, io.offset, u64::from(io.len)),
            };
            let result = match done {
                Ok(()) => 0,
                Err(errno) => -errno.raw_os_error(),
            };
            self.ended.push(Completion {
                slot: io.slot,
                result,
            });
        }
    }

    /// Delivers the completions in the ring without a system call; returns their number.
    #[inline]
    fn deliver(&mut self, done: &mut impl FnMut(Completion)) -> u32 {
        let buffers = &mut self.buffers;
        let mut delivered = Delivered::of(&mut self.in_flight);
        let mut take = |completion: Completion| {
            delivered.add(1);
            buffers.take_back(completion.slot);
            done(completion);
        };
        if let Some(ring) = &mut self.ring {
            ring.reap(|event| take(completion(event)));
        }
        while let Some(completion) = self.ended.pop() {
            take(completion);
        }
        delivered.count()
    }

    /// Asks the kernel; answers how many of `events` it has filled, none after a signal.
    fn ask(&mut self, min: u32, timeout: Nanos) -> Result<Option<usize>, EngineError> {
        match self.context.events(min as usize, &mut self.events, timeout) {
            Ok(count) => Ok(Some(count)),
            Err(error) if error.raw_os_error() == Some(libc::EINTR) => Ok(None),
            Err(error) => Err(EngineError::Call {
                call: "io_getevents",
                cause: error.to_string(),
            }),
        }
    }

    /// Waits for `want` more completions or until `until`: asleep, or looking again at once when
    /// that is near. None after a signal.
    #[inline(never)]
    fn wait(&mut self, want: u32, until: Nanos) -> Result<Option<usize>, EngineError> {
        let now = self.clock.now();
        if let Some(sleep) = self.spin.sleep(until.saturating_sub(now)) {
            let limit = if self.pushed.is_empty() { sleep } else { RETRY };
            let count = self.ask(want, sleep.min(limit))?;
            if count == Some(0) {
                self.spin.woke(now.saturating_add(sleep), self.clock.now());
            }
            return Ok(count);
        }
        if self.ring.is_none() {
            return self.ask(0, Nanos::ZERO);
        }
        std::hint::spin_loop();
        Ok(Some(0))
    }
}

#[inline]
fn completion(event: &Event) -> Completion {
    Completion {
        slot: event.data as u32,
        result: event.result as i32,
    }
}

impl Engine for LibaioEngine {
    #[inline]
    fn now(&mut self) -> Nanos {
        self.clock.now()
    }

    #[inline]
    fn push(&mut self, io: Submission) {
        self.in_flight += 1;
        let buffer = self.buffers.lend(io.slot, io.buffer_bytes()) as u64;
        let request = &mut self.requests[io.slot as usize];
        request.opcode = match io.op {
            Op::Read => opcode::PREAD,
            Op::Write => opcode::PWRITE,
            Op::Flush if io.data_only => opcode::FDSYNC,
            Op::Flush => opcode::FSYNC,
            // The kernel refuses what is of files.
            Op::Create | Op::Stat | Op::Rename | Op::Unlink => opcode::NOOP,
            Op::Trim => return self.apart.push(io),
        };
        request.fd = self.files[usize::from(io.target)];
        // The kernel refuses a flush that names a range.
        (request.offset, request.len, request.buffer) = if io.op == Op::Flush {
            (0, 0, 0)
        } else {
            (io.offset as i64, u64::from(io.len), buffer)
        };
        self.pushed.push(request);
    }

    #[inline]
    fn turn(
        &mut self,
        wait: Wait,
        done: &mut impl FnMut(Completion),
    ) -> Result<Progress, EngineError> {
        if self.in_flight == 0 {
            self.clock.wait_and_learn(wait.until, &mut self.spin);
            return Ok(Progress::Ready);
        }
        let want = if wait.min == 0 { u32::MAX } else { wait.min };
        let mut delivered = 0;
        loop {
            self.submit();
            delivered += self.deliver(done);
            if delivered >= want || wait.until == Nanos::ZERO && self.ring.is_some() {
                break;
            }
            let Some(count) = self.wait(want - delivered, wait.until)? else {
                break;
            };
            // They are out of the kernel's hands, whatever the callback does.
            self.in_flight -= count as u32;
            for event in &self.events[..count] {
                self.buffers.take_back(event.data as u32);
                done(completion(event));
            }
            delivered += count as u32 + self.deliver(done);
            if delivered >= want || self.clock.now() >= wait.until {
                break;
            }
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
        true
    }

    fn spin(&self) -> Option<Nanos> {
        self.spin.learned()
    }

    fn flags(&self) -> Vec<String> {
        let shared = self.ring.as_ref().map(|_| "user_space_events".to_owned());
        shared.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_has_its_words_and_a_way_out() {
        let cases = [
            (
                libc::EAGAIN,
                "libaio is not available: the system's limit on asynchronous requests \
                 (fs.aio-max-nr) is reached",
                "sysctl fs.aio-max-nr=1048576, or a smaller queue depth or number of threads",
            ),
            (
                libc::ENOSYS,
                "libaio is not available: it is not in this kernel",
                "--engine psync",
            ),
        ];
        for (errno, message, remedy) in cases {
            let error = refused(&io::Error::from_raw_os_error(errno));
            assert_eq!(error.to_string(), message);
            assert_eq!(error.remedy(), Some(remedy));
        }
    }
}
