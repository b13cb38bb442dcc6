//! What the threads wait for a processor, over a phase: a load that its own generator holds up
//! changes its pace, and the storage has no part in it.

use fathom_core::Nanos;
use fathom_core::result::Wait;
use fathom_device::{RunQueue, Waited};

/// Time between two looks at least.
const LOOK: Nanos = Nanos::from_millis(100);
/// And for each thread: a look reads a file of each, which takes some microseconds.
const LOOK_AT_THREAD: Nanos = Nanos::from_millis(5);
/// Looks that are kept at most. From there on two neighbours become one.
const MOST: usize = 1200;

/// Looks at the threads over and over.
#[derive(Debug, Default)]
pub(super) struct WaitWatch {
    origin: Nanos,
    looked: Option<Nanos>,
    /// The last look.
    last: RunQueue,
    /// What was seen of all threads since the measured time began, of those that ended too.
    seen: RunQueue,
    spans: Vec<Span>,
}

/// From one look to the next.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: Nanos,
    end: Nanos,
    waited: Waited,
}

impl WaitWatch {
    /// The phase begins.
    pub(super) fn begin(&mut self, start: Nanos) {
        self.origin = start;
        self.looked = Some(start);
        self.last = RunQueue::read().unwrap_or_default();
        self.seen.update(self.last.clone());
    }

    /// The measured time begins, when the threads were these.
    pub(super) fn measure(&mut self, now: &RunQueue) {
        self.seen.forget_ended(now);
    }

    /// Looks at the threads if it is time.
    pub(super) fn look(&mut self, now: Nanos) {
        let pause = LOOK.max(Nanos(LOOK_AT_THREAD.0 * self.last.threads() as u64));
        let is_due = |looked: Nanos| now.saturating_sub(looked) >= pause;
        if self.looked.is_some_and(is_due)
            && let Ok(threads) = RunQueue::read()
        {
            self.saw(now, threads);
        }
    }

    fn saw(&mut self, now: Nanos, threads: RunQueue) {
        let start = self.looked.replace(now).unwrap_or(self.origin);
        self.spans.push(Span {
            start,
            end: now,
            waited: threads.longest(&self.last),
        });
        self.seen.update(threads.clone());
        self.last = threads;
        if self.spans.len() > MOST {
            let pairs = self.spans.chunks(2);
            self.spans = pairs.map(joined).collect();
        }
    }

    /// The measured time ends, when the threads were these.
    pub(super) fn end(&mut self, now: Nanos, threads: &RunQueue) {
        self.saw(now, threads.clone());
    }

    /// What was seen of all threads since the measured time began.
    pub(super) const fn seen(&self) -> &RunQueue {
        &self.seen
    }

    /// The times over which one waited, when waking up onto an idle processor takes `wake_ns`.
    pub(super) fn finish(self, wake_ns: u64) -> Vec<Wait> {
        let waits = self.spans.iter().map(|span| Wait {
            start_ns: span.start.saturating_sub(self.origin).0,
            length_ns: span.end.saturating_sub(span.start).0,
            waited_ns: span.waited.without_waking(wake_ns),
        });
        waits
            .filter(|one| one.length_ns > 0 && one.share() >= Wait::LEAST_SHARE)
            .collect()
    }
}

/// Two spans, or one that is left, as one.
fn joined(pair: &[Span]) -> Span {
    let (first, last) = (pair[0], pair[pair.len() - 1]);
    let others = pair[1..].iter().map(|one| one.waited);
    Span {
        start: first.start,
        end: last.end,
        waited: others.fold(first.waited, |sum, one| Waited {
            ns: sum.ns + one.ns,
            runs: sum.runs + one.runs,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_kept_with_their_times_and_in_bounded_memory() {
        let at = |ms: u64| Nanos::from_secs(5).saturating_add(Nanos::from_millis(ms));
        let threads = |waited_ms: u64, runs: u64| {
            RunQueue::of([(1, Waited { ns: 0, runs: 0 }), (2, waited(waited_ms, runs))])
        };
        let begun = || WaitWatch {
            origin: at(0),
            looked: Some(at(0)),
            last: threads(7, 3),
            seen: threads(7, 3),
            ..WaitWatch::default()
        };
        let mut watch = begun();
        watch.saw(at(100), threads(8, 4));
        watch.saw(at(250), threads(68, 104));
        watch.end(at(300), &threads(68, 104));
        assert_eq!(watch.seen().longest_since(&threads(7, 3), 0), 61_000_000);
        // 100 wake-ups of 0.1 ms are none of the 60 ms.
        let found = watch.finish(100_000);
        let expected = Wait {
            start_ns: 100_000_000,
            length_ns: 150_000_000,
            waited_ns: 50_000_000,
        };
        assert_eq!(found, [expected]);
        let mut watch = begun();
        for look in 1..=MOST as u64 + 1 {
            watch.saw(at(look * 100), threads(7 + look * 10, 3));
        }
        assert_eq!(watch.spans.len(), MOST / 2 + 1);
        let found = watch.finish(0);
        assert_eq!(
            found.iter().map(|one| one.waited_ns).sum::<u64>(),
            12_010_000_000
        );
        assert_eq!(
            (found[1].start_ns, found[1].length_ns),
            (200_000_000, 200_000_000)
        );
    }

    const fn waited(ms: u64, runs: u64) -> Waited {
        Waited {
            ns: ms * 1_000_000,
            runs,
        }
    }
}
