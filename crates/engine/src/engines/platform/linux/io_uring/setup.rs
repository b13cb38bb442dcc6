//! Making a ring: the best set of features that this kernel has.

use super::enter::Gate;
use super::form::RingForm;
use crate::buffer::BufferPool;
use crate::config::EngineConfig;
use crate::engines::platform::linux::probe;
use crate::error::EngineError;
use crate::target::OpenTarget;
use fathom_core::Nanos;
use io_uring::{IoUring, cqueue, squeue};
use std::io;
use std::os::fd::AsRawFd as _;
use std::sync::Arc;

/// Who runs the kernel's part of a completion, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskRun {
    /// This thread, in its next call (Linux 6.1), and no other thread submits.
    Deferred,
    /// This thread, at its next entry into the kernel (Linux 5.19).
    Cooperative,
    /// This thread, interrupted for it.
    Interrupting,
}

/// A ring, and what it has.
pub(super) struct Made<F: RingForm> {
    pub(super) ring: IoUring<F::Entry, F::Answer>,
    pub(super) task_run: TaskRun,
    pub(super) no_sqarray: bool,
}

/// Time without requests after which the kernel's submission thread goes to sleep.
const IDLE_MS: u32 = 1000;

/// More entries than any kernel gives: a greater depth gets its refusal.
const BEYOND_ENTRIES: u32 = 1 << 16;

/// More fixed buffers than that are refused.
const FIXED_BUFFERS_LIMIT: u32 = 1 << 14;

/// Makes a ring for `config.slots` requests.
pub(super) fn ring<F: RingForm>(config: &EngineConfig) -> Result<Made<F>, EngineError> {
    let attempts = [
        (TaskRun::Deferred, true),
        (TaskRun::Deferred, false),
        (TaskRun::Cooperative, false),
        (TaskRun::Interrupting, false),
    ];
    let mut refusal = io::Error::from_raw_os_error(libc::EINVAL);
    for (task_run, no_sqarray) in attempts {
        match attempt::<F::Entry, F::Answer>(config, task_run, no_sqarray) {
            Ok(ring) if !ring.params().is_feature_ext_arg() => {
                return Err(unavailable::<F>(
                    "this kernel is too old: waiting with a time limit came with Linux 5.11",
                ));
            }
            Ok(ring) => {
                return Ok(Made {
                    ring: if config.hybrid_polling {
                        F::hybrid(&ring).map_err(|cause| no_hybrid::<F>(&cause))?
                    } else {
                        ring
                    },
                    task_run,
                    no_sqarray,
                });
            }
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => refusal = error,
            Err(error) => return Err(refused::<F>(&error)),
        }
    }
    Err(refused::<F>(&refusal))
}

/// The kernel cannot accept fewer completions.
pub(super) fn no_min_wait<F: RingForm>() -> EngineError {
    EngineError::Unavailable {
        engine: F::KIND.name(),
        cause: "this kernel does not end a wait with fewer completions after a time (it came with \
                Linux 6.12)"
            .into(),
        remedy: "without --min-wait".into(),
    }
}

fn no_hybrid<F: RingForm>(cause: &str) -> EngineError {
    EngineError::Unavailable {
        engine: F::KIND.name(),
        cause: cause.into(),
        remedy: "--iopoll without --hybrid-poll".into(),
    }
}

fn attempt<S: squeue::EntryMarker, C: cqueue::EntryMarker>(
    config: &EngineConfig,
    task_run: TaskRun,
    no_sqarray: bool,
) -> io::Result<IoUring<S, C>> {
    // The kernel's submission thread shows completions before it gives back the entries of the
    // batch, so that there can be as many again.
    let batches = if config.submission_polling { 2 } else { 1 };
    let entries = (config.slots.clamp(1, BEYOND_ENTRIES) * batches).next_power_of_two();
    let mut builder = IoUring::<S, C>::builder();
    builder.dontfork().setup_cqsize(entries * 2);
    if no_sqarray {
        builder.setup_no_sqarray();
    }
    if config.completion_polling {
        builder.setup_iopoll();
    }
    if config.submission_polling {
        // The kernel's own thread submits; there is no work to defer to this one.
        builder.setup_sqpoll(IDLE_MS);
        if let Some(processor) = config.submission_cpu {
            builder.setup_sqpoll_cpu(processor);
        }
    }
    match task_run {
        TaskRun::Deferred => {
            builder.setup_submit_all().setup_single_issuer();
            if !config.submission_polling {
                builder.setup_defer_taskrun().setup_taskrun_flag();
            }
        }
        TaskRun::Cooperative => {
            builder.setup_submit_all();
            if !config.submission_polling {
                builder.setup_coop_taskrun().setup_taskrun_flag();
            }
        }
        TaskRun::Interrupting => {}
    }
    builder.build(entries)
}

/// Why there is no ring, and what to try.
fn refused<F: RingForm>(error: &io::Error) -> EngineError {
    match error.raw_os_error() {
        Some(libc::ENOMEM) => EngineError::Unavailable {
            engine: F::KIND.name(),
            cause: "the kernel has no memory for its queues within the limit on locked memory"
                .into(),
            remedy: format!(
                "ulimit -l with a greater number, a smaller queue depth, or --engine {}",
                F::KIND.row().substitute
            ),
        },
        Some(libc::EINVAL) => unavailable::<F>(
            "the kernel does not take this queue depth (32768 at most) or these polling options",
        ),
        Some(errno) => EngineError::missing(F::KIND, &probe::io_uring_refusal(errno)),
        None => unavailable::<F>(&error.to_string()),
    }
}

fn unavailable<F: RingForm>(cause: &str) -> EngineError {
    EngineError::Unavailable {
        engine: F::KIND.name(),
        cause: cause.into(),
        remedy: format!("--engine {}", F::KIND.row().substitute),
    }
}

/// Registers the buffers; if not, the reason in a few words.
pub(super) fn register_buffers<S: squeue::EntryMarker, C: cqueue::EntryMarker>(
    ring: &IoUring<S, C>,
    buffers: &BufferPool,
) -> Result<(), String> {
    if buffers.slots() > FIXED_BUFFERS_LIMIT {
        return Err(format!("more than {FIXED_BUFFERS_LIMIT}"));
    }
    let iovecs = iovecs(buffers);
    // SAFETY: the engine drops the ring before the buffers, after having waited for the kernel.
    let answer = unsafe { ring.submitter().register_buffers(&iovecs) };
    answer.map_err(|error| match error.raw_os_error() {
        Some(libc::ENOMEM) => "limit on locked memory, ulimit -l".into(),
        _ => error.to_string(),
    })
}

/// Registers the targets' files; whether that worked.
pub(super) fn register_files<S: squeue::EntryMarker, C: cqueue::EntryMarker>(
    ring: &IoUring<S, C>,
    targets: &[Arc<OpenTarget>],
) -> bool {
    let files: Vec<i32> = targets.iter().map(|target| target.fd.as_raw_fd()).collect();
    !files.is_empty() && ring.submitter().register_files(&files).is_ok()
}

/// Whether the kernel discards ranges of block devices by a command of the ring (Linux 6.12).
pub(super) fn has_discard() -> bool {
    let uname = rustix::system::uname();
    probe::kernel_at_least(&uname.release().to_string_lossy(), 6, 12)
}

/// The features in use, as they stand in the result.
pub(super) fn flags<F: RingForm>(
    config: &EngineConfig,
    made: &Made<F>,
    fixed_buffers: &Result<(), String>,
    fixed_files: bool,
    gate: Gate,
) -> Vec<String> {
    let single_issuer = made.task_run == TaskRun::Deferred;
    let here = !config.submission_polling;
    let switches = [
        (fixed_files, "registered_files"),
        (gate.is_registered(), "registered_ring"),
        (single_issuer, "single_issuer"),
        (single_issuer && here, "defer_taskrun"),
        (
            made.task_run == TaskRun::Cooperative && here,
            "coop_taskrun",
        ),
        (made.no_sqarray, "no_sqarray"),
        (config.submission_polling, "submission_polling"),
        (config.completion_polling, "completion_polling"),
        (config.hybrid_polling, "hybrid_polling"),
        (config.min_wait > Nanos::ZERO, "min_wait"),
    ];
    let buffers = match fixed_buffers {
        Ok(()) => "fixed_buffers".to_owned(),
        Err(reason) => format!("no_fixed_buffers ({reason})"),
    };
    let on = switches.iter().filter(|(on, _)| *on);
    std::iter::once(buffers)
        .chain(on.map(|(_, name)| (*name).to_owned()))
        .collect()
}

/// Each buffer as the kernel wants it for registration.
fn iovecs(pool: &BufferPool) -> Vec<libc::iovec> {
    let regions = pool.regions().map(|(start, bytes)| libc::iovec {
        iov_base: start.cast(),
        iov_len: bytes,
    });
    regions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::platform::linux::io_uring::sqe::Encoder;

    #[test]
    fn each_refusal_has_its_words_and_a_way_out() {
        let cases = [
            (
                libc::ENOMEM,
                "io_uring is not available: the kernel has no memory for its queues \
                 within the limit on locked memory",
                "ulimit -l with a greater number, a smaller queue depth, or --engine libaio",
            ),
            (
                libc::EINVAL,
                "io_uring is not available: the kernel does not take this queue depth \
                 (32768 at most) or these polling options",
                "--engine libaio",
            ),
            (
                libc::ENOSYS,
                "io_uring is not available: it is not in this kernel (it came with Linux 5.1)",
                "--engine libaio",
            ),
        ];
        for (errno, message, remedy) in cases {
            let error = refused::<Encoder>(&io::Error::from_raw_os_error(errno));
            assert_eq!(error.to_string(), message);
            assert_eq!(error.remedy(), Some(remedy));
        }
    }

    #[test]
    fn registration_covers_whole_pages() {
        let pool = BufferPool::new(2, 512, false).expect("memory");
        let lengths: Vec<usize> = iovecs(&pool).iter().map(|v| v.iov_len).collect();
        assert_eq!(lengths, [4096, 4096]);
    }
}
