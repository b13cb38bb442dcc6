//! Requests that a thread reads from a trace before they are due, so that a trace of any length is
//! replayed in constant memory.

use super::input::ReplayInput;
use super::part::{Part, Step};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Lists of requests that are read ahead.
const AHEAD: usize = 4;
/// Requests of a list at least, but for the last.
const LEAST: usize = 4096;

/// The worker's end: a list of requests at a time. Only where the reader has fallen behind does it
/// wait, and it never allocates: a list that was used goes back to be filled again.
#[derive(Debug)]
pub(super) struct Ahead {
    full: Receiver<Vec<Step>>,
    empty: SyncSender<Vec<Step>>,
    list: Vec<Step>,
    next: usize,
}

impl Ahead {
    /// Starts the reader, and waits for the first requests.
    pub(super) fn start(input: Arc<ReplayInput>, mut part: Part) -> Self {
        let (full_end, full) = sync_channel(AHEAD);
        let (empty, empty_end) = sync_channel(AHEAD + 2);
        let reader = thread::Builder::new().name("replay reader".to_owned());
        let kept = Arc::clone(&input);
        let started = reader.spawn(move || {
            if let Err(cause) = read(&input, &mut part, &full_end, &empty_end) {
                input.fail(cause);
            }
        });
        if let Err(error) = started {
            kept.fail(format!("no thread can be started to read it: {error}"));
        }
        Self {
            list: full.recv().unwrap_or_default(),
            full,
            empty,
            next: 0,
        }
    }

    /// The next request; none behind the last.
    pub(super) fn peek(&self) -> Option<Step> {
        self.list.get(self.next).copied()
    }

    pub(super) fn advance(&mut self) {
        self.next += 1;
        if self.next >= self.list.len() {
            self.turn_over();
        }
    }

    #[cold]
    fn turn_over(&mut self) {
        let used = std::mem::take(&mut self.list);
        // There is space for all lists; where the reader has ended, nobody needs it.
        let _ = self.empty.try_send(used);
        self.list = self.full.recv().unwrap_or_default();
        self.next = 0;
    }
}

/// Reads all requests and hands on those of the worker, until it has gone.
fn read(
    input: &ReplayInput,
    part: &mut Part,
    full: &SyncSender<Vec<Step>>,
    empty: &Receiver<Vec<Step>>,
) -> Result<(), String> {
    let Some(reading) = input.reopen() else {
        return Ok(());
    };
    let mut reading = reading?;
    let (mut count, mut requests, mut list) = (0, Vec::new(), Vec::new());
    while reading(&mut requests)? {
        count += requests.len() as u64;
        list.extend(requests.drain(..).filter_map(|request| part.take(request)));
        // A thread that has few of the requests is not handed one at a time.
        if list.len() < LEAST {
            continue;
        }
        if full.send(list).is_err() {
            // The job has ended before its trace.
            return Ok(());
        }
        list = empty.try_recv().unwrap_or_default();
        list.clear();
    }
    if !list.is_empty() && full.send(list).is_err() {
        return Ok(());
    }
    if count == input.outline.requests() {
        return Ok(());
    }
    Err("it has changed since it was read first".to_owned())
}
