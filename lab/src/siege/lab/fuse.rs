//! A file system that misbehaves by a script: one file, served by this process over `/dev/fuse`,
//! whose requests take as long, fail, come short or give old content as a [`Script`] says.
//!
//! The kernel's protocol is the one of `<linux/fuse.h>`, version 7.31; of it only what one file
//! needs.

mod wire;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};

use wire::{Body, Request, reply};

/// What is asked of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileRequest {
    Read,
    Write,
    /// `fsync` or `fdatasync`.
    Sync,
}

/// What becomes of a request.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fate {
    /// It is answered this time after it came; never with [`NEVER`].
    pub(crate) after: Duration,
    /// It fails with this number of an error.
    pub(crate) errno: i32,
    /// A read or write moves half of its bytes.
    pub(crate) is_short: bool,
    /// A read gives what the file held at first; a write is acknowledged and forgotten.
    pub(crate) is_stale: bool,
}

/// An answer that does not come.
pub(crate) const NEVER: Duration = Duration::MAX;

/// It takes this number of milliseconds.
pub(crate) fn takes(milliseconds: u64) -> Fate {
    Fate {
        after: Duration::from_millis(milliseconds),
        ..Fate::default()
    }
}

/// What becomes of a request that comes `at_ms` milliseconds after the load began, as the
/// `number`th of all.
pub(crate) type Script = fn(asked: FileRequest, at_ms: u64, number: u64) -> Fate;

/// Requests before the load begins: a program looks at a file before it measures it.
const BEFORE_LOAD: u64 = 32;

/// The file system, mounted until it is dropped. Requests that were not answered fail then.
pub(crate) struct Fuse {
    folder: PathBuf,
    /// The served file.
    pub(crate) file: PathBuf,
    threads: Vec<JoinHandle<()>>,
}

impl Fuse {
    /// Mounts it on a new folder, with a file of these bytes.
    pub(crate) fn new(folder: &Path, bytes: Vec<u8>, script: Script) -> Result<Self> {
        std::fs::create_dir(folder)?;
        let options = File::options().read(true).write(true).open("/dev/fuse");
        let device = Arc::new(options.context("cannot open /dev/fuse")?);
        let data = format!(
            "fd={},rootmode=40000,user_id=0,group_id=0,allow_other",
            device.as_raw_fd()
        );
        let data = std::ffi::CString::new(data)?;
        let flags = MountFlags::NOSUID | MountFlags::NODEV;
        mount("siege", folder, "fuse", flags, data.as_c_str()).context("cannot mount fuse")?;
        let (answers, waiting) = mpsc::channel();
        let answering = Arc::clone(&device);
        let mut server = Server {
            first: bytes.clone(),
            bytes,
            script,
            began: None,
            number: 0,
            answers,
        };
        Ok(Self {
            folder: folder.to_owned(),
            file: folder.join(wire::NAME),
            threads: vec![
                std::thread::spawn(move || server.serve(&device)),
                std::thread::spawn(move || answer(&answering, &waiting)),
            ],
        })
    }
}

impl Drop for Fuse {
    fn drop(&mut self) {
        // By force: what was not answered fails, whoever waits for it.
        let flags = UnmountFlags::FORCE | UnmountFlags::DETACH;
        if let Err(error) = unmount(&self.folder, flags) {
            eprintln!("warning: {} stays mounted: {error}", self.folder.display());
            return;
        }
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// An answer, when it is due, and in which order they came.
type Due = Reverse<(Instant, u64, Vec<u8>)>;

struct Server {
    bytes: Vec<u8>,
    /// As it was at first.
    first: Vec<u8>,
    script: Script,
    began: Option<Instant>,
    number: u64,
    answers: Sender<(Instant, Vec<u8>)>,
}

impl Server {
    /// Takes requests until the file system is unmounted.
    fn serve(&mut self, mut device: &File) {
        let mut buffer = vec![0; wire::BUFFER_BYTES];
        loop {
            let count = match device.read(&mut buffer) {
                Ok(count) => count,
                // A request that was taken back before it was read, or a signal.
                Err(error) if matches!(error.raw_os_error(), Some(2 | 4 | 11)) => continue,
                Err(_) => return,
            };
            let Some(request) = Request::of(&buffer[..count]) else {
                return;
            };
            let (due, bytes) = self.perform(&request);
            if let (Some(due), false) = (due, bytes.is_empty()) {
                // The other thread lives as long as this one.
                let _ = self.answers.send((due, bytes));
            }
        }
    }

    /// Its answer and when that is due; `None` for never.
    fn perform(&mut self, request: &Request<'_>) -> (Option<Instant>, Vec<u8>) {
        let now = Instant::now();
        let (asked, offset, size) = match request.body {
            Body::Read { offset, size } => (FileRequest::Read, offset, size),
            Body::Write { offset, bytes } => (FileRequest::Write, offset, bytes.len()),
            Body::Sync => (FileRequest::Sync, 0, 0),
            _ => return (Some(now), request.answer(self.bytes.len() as u64)),
        };
        if self.number == BEFORE_LOAD {
            self.began = Some(now);
        }
        let began = self.began.unwrap_or(now);
        let at_ms = now.duration_since(began).as_millis() as u64;
        let fate = (self.script)(asked, at_ms, self.number);
        self.number += 1;
        let due = now.checked_add(fate.after);
        if fate.errno != 0 {
            return (due, reply(request.unique, -fate.errno, &[]));
        }
        let begin = (offset as usize).min(self.bytes.len());
        let size = if fate.is_short { size / 2 } else { size };
        let end = begin.saturating_add(size).min(self.bytes.len());
        let answer = match request.body {
            Body::Read { .. } => {
                let held = if fate.is_stale {
                    &self.first
                } else {
                    &self.bytes
                };
                reply(request.unique, 0, &held[begin..end])
            }
            Body::Write { bytes, .. } => {
                if !fate.is_stale {
                    self.bytes[begin..end].copy_from_slice(&bytes[..end - begin]);
                }
                reply(request.unique, 0, &wire::written(end - begin))
            }
            _ => reply(request.unique, 0, &[]),
        };
        (due, answer)
    }
}

/// Hands over answers when they are due.
fn answer(mut device: &File, waiting: &Receiver<(Instant, Vec<u8>)>) {
    let mut due: BinaryHeap<Due> = BinaryHeap::new();
    let mut number = 0;
    loop {
        let next = due.peek().map(|Reverse((at, ..))| *at);
        let left = next.map(|at| at.saturating_duration_since(Instant::now()));
        match waiting.recv_timeout(left.unwrap_or(Duration::from_hours(1))) {
            Ok((at, bytes)) => {
                number += 1;
                due.push(Reverse((at, number, bytes)));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let now = Instant::now();
        while due.peek().is_some_and(|Reverse((at, ..))| *at <= now)
            && let Some(Reverse((_, _, bytes))) = due.pop()
        {
            // The caller may have gone, or the file system with it.
            let _ = device.write(&bytes);
        }
    }
}
