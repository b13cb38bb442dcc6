//! From the workers' intervals to the phase's result, and to live snapshots.

use crate::book::JobBook;
use crate::journal::Entry;
use crate::observer::{Event, Observer};
use crate::pace::PaceBook;
use crate::series::Series;
use crate::share::ShareBook;
use crate::steady::{Steadiness, SteadyWatch};
use crate::tally::TallyLink;
use fathom_core::Nanos;
use fathom_core::interval::Part;
use fathom_core::result::IntervalResult;
use rtrb::Consumer;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The part, and the number in it.
type Key = (Part, u64);

/// One worker as the aggregator sees it.
#[derive(Debug)]
struct Link {
    job: usize,
    thread: u32,
    tally: TallyLink,
    entries: Option<Consumer<Entry>>,
    last: Option<Key>,
    /// End of the last interval that it handed over.
    heard: Nanos,
    share: ShareBook,
    counts: bool,
    ended: Arc<AtomicBool>,
}

impl Link {
    /// Tells what is new in the journal.
    fn tell_requests(&mut self, start: Nanos, observer: &mut dyn Observer) {
        let Some(ring) = &mut self.entries else {
            return;
        };
        let there = ring.slots();
        let Ok(chunk) = ring.read_chunk(there) else {
            return;
        };
        let (first, second) = chunk.as_slices();
        for entries in [first, second] {
            if !entries.is_empty() {
                observer.event(&Event::Requests {
                    job: self.job,
                    thread: self.thread,
                    start,
                    entries,
                });
            }
        }
        chunk.commit_all();
    }
}

/// A worker as the aggregator knows it.
#[derive(Debug)]
pub struct WorkerLink {
    /// Position of its job in the phase.
    pub job: usize,
    /// Number of the thread in its job.
    pub thread: u32,
    /// The requests of its journal, if it keeps one.
    pub entries: Option<Consumer<Entry>>,
    /// The observer's ends of its rings.
    pub tally: TallyLink,
    /// Targets that are counted separately.
    pub apart: usize,
    /// Whether what it does is part of the load.
    pub counts: bool,
    /// Set by it when its last interval has been handed over.
    pub ended: Arc<AtomicBool>,
}

/// A worker that has not ended when the wait for it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unheard {
    /// Its number in the phase.
    pub worker: usize,
    /// Position of its job in the phase.
    pub job: usize,
    /// Number of the thread in its job.
    pub thread: u32,
    /// It has been in one call of its engine since this instant at the latest.
    pub since: Nanos,
}

/// An interval that not all workers have delivered yet.
#[derive(Debug)]
struct Pending {
    start: Nanos,
    end: Nanos,
    jobs: Vec<JobBook>,
}

/// Adds up a phase.
#[derive(Debug)]
pub struct Aggregator {
    links: Vec<Link>,
    jobs: usize,
    start: Nanos,
    interval: Nanos,
    pending: BTreeMap<Key, Pending>,
    totals: Vec<JobBook>,
    series: Series,
    pace: PaceBook,
    steady: Option<SteadyWatch>,
    verdict: Steadiness,
}

/// What a phase adds up to.
#[derive(Debug)]
pub struct Totals {
    /// One book a job, over the measured time.
    pub jobs: Vec<JobBook>,
    /// What each worker did, in the order in which they were given; none with a steady-state
    /// rule, whose window is only known afterwards.
    pub shares: Vec<ShareBook>,
    /// Begin and length of the steady window, if one was looked for.
    pub window: Option<(Nanos, Nanos)>,
    /// The watch for it.
    pub steady: Option<fathom_core::result::SteadyReport>,
    /// The time series.
    pub intervals: Vec<IntervalResult>,
    /// How many neighbours share histograms.
    pub histogram_intervals: u32,
    /// Completions in slices of the measured time.
    pub pace: PaceBook,
}

impl Aggregator {
    /// An aggregator of `jobs` jobs; `links` are its workers.
    pub fn new(
        jobs: usize,
        links: Vec<WorkerLink>,
        interval: Nanos,
        steady: Option<SteadyWatch>,
    ) -> Self {
        let link = |link: WorkerLink| Link {
            job: link.job,
            thread: link.thread,
            entries: link.entries,
            tally: link.tally,
            last: None,
            heard: Nanos::ZERO,
            share: ShareBook::new(link.apart),
            counts: link.counts,
            ended: link.ended,
        };
        Self {
            links: links.into_iter().map(link).collect(),
            jobs,
            start: Nanos::ZERO,
            interval,
            pending: BTreeMap::new(),
            totals: vec![JobBook::default(); jobs],
            series: Series::default(),
            pace: PaceBook::new(interval),
            steady,
            verdict: Steadiness::Open,
        }
    }

    /// Sets the start of the phase.
    pub const fn begin(&mut self, start: Nanos) {
        self.start = start;
    }

    /// Where the steady-state rule stands.
    pub const fn verdict(&self) -> Steadiness {
        self.verdict
    }

    /// Whether all workers have ended.
    pub fn all_ended(&self) -> bool {
        self.links
            .iter()
            .all(|link| link.ended.load(Ordering::Acquire))
    }

    /// Waits for no more of the workers that have not ended, nor for their intervals.
    pub fn give_up(&mut self) -> Vec<Unheard> {
        let silent = self.links.iter_mut().enumerate();
        let silent = silent.filter(|(_, link)| !link.ended.swap(true, Ordering::AcqRel));
        let unheard = silent.map(|(worker, link)| Unheard {
            worker,
            job: link.job,
            thread: link.thread,
            // In an interval after that it would have handed over another.
            since: link.heard.max(self.start).saturating_add(self.interval),
        });
        unheard.collect()
    }

    /// Rounds of the steady-state rule so far.
    pub fn rounds(&self) -> usize {
        self.steady.as_ref().map_or(0, SteadyWatch::count)
    }

    /// Takes in what the workers have handed over, and tells complete intervals.
    pub fn poll(&mut self, observer: &mut dyn Observer) {
        // A worker that had ended before its ring was emptied has nothing more to say.
        let mut waiting: Option<Option<Key>> = None;
        for link in &mut self.links {
            let ended = link.ended.load(Ordering::Acquire);
            link.tell_requests(self.start, observer);
            while let Ok(mut interval) = link.tally.full.pop() {
                let key = (interval.part, interval.index);
                link.last = Some(key);
                link.heard = interval.end;
                let pending = self.pending.entry(key).or_insert_with(|| Pending {
                    start: interval.start,
                    end: interval.end,
                    jobs: vec![JobBook::default(); self.jobs],
                });
                pending.start = pending.start.min(interval.start);
                pending.end = pending.end.max(interval.end);
                if link.counts {
                    pending.jobs[link.job].add_interval(&interval);
                }
                if link.counts && interval.part == Part::Measure {
                    self.pace.add(&interval);
                    let length = interval.end.saturating_sub(interval.start);
                    let complete = (length == self.interval).then_some(length);
                    link.share.add(&interval, self.start, complete);
                }
                interval.clear();
                // A full ring means that the worker has ended; then nobody needs it.
                let _ = link.tally.empty.push(interval);
            }
            if !ended {
                waiting = Some(waiting.map_or(link.last, |least| least.min(link.last)));
            }
        }
        while let Some((&key, _)) = self.pending.first_key_value() {
            if waiting.is_some_and(|last| last < Some(key)) {
                break;
            }
            let (key, pending) = self.pending.pop_first().expect("it was there a line ago");
            self.close(key.0, pending, observer);
        }
    }

    fn close(&mut self, part: Part, mut pending: Pending, observer: &mut dyn Observer) {
        let length = pending.end.saturating_sub(pending.start);
        let idle = pending.jobs.iter().all(|job| job.issued == 0);
        let empty = pending.jobs.iter().all(|job| job.sum(|op| op.ios) == 0);
        // What completes after the end of the load has only been waited for.
        if idle && (part == Part::CoolDown || length == Nanos::ZERO && empty) {
            return;
        }
        let jobs = pending.jobs.iter().enumerate();
        let interval = IntervalResult {
            part,
            start_ns: pending.start.saturating_sub(self.start).0,
            length_ns: length.0,
            jobs: jobs
                .map(|(index, job)| job.interval(index as u32, length))
                .collect(),
        };
        observer.event(&Event::Interval {
            interval: &interval,
        });
        self.series.push(interval);
        if part != Part::Measure {
            return;
        }
        if length == self.interval {
            for job in &mut pending.jobs {
                job.note_rates(length);
            }
        }
        match &mut self.steady {
            Some(watch) if self.verdict == Steadiness::Open => {
                self.verdict = watch.add(&pending.jobs, pending.start, length);
            }
            Some(_) => {}
            None => {
                for (total, job) in self.totals.iter_mut().zip(&pending.jobs) {
                    total.merge(job);
                }
            }
        }
    }

    /// The sums of the phase. All workers have ended and were polled.
    pub fn into_totals(mut self) -> Totals {
        let mut totals = Totals {
            jobs: self.totals,
            shares: self.links.into_iter().map(|link| link.share).collect(),
            window: None,
            steady: None,
            intervals: Vec::new(),
            histogram_intervals: 1,
            pace: self.pace,
        };
        if let Some(watch) = self.steady {
            totals.shares.clear();
            totals.steady = Some(watch.report());
            let (jobs, start, length) = watch.into_measured();
            totals.jobs = jobs;
            totals.jobs.resize_with(self.jobs, JobBook::default);
            let start = start.unwrap_or(self.start);
            totals.window = Some((start, length));
            relabel(
                self.series.intervals_mut(),
                start.saturating_sub(self.start),
                length,
            );
        }
        (totals.intervals, totals.histogram_intervals) = self.series.into_parts();
        totals
    }
}

/// With a steady-state rule, only the last window is the measured time.
fn relabel(intervals: &mut [IntervalResult], start: Nanos, length: Nanos) {
    for interval in intervals {
        if interval.part == Part::Measure && interval.start_ns < start.0 {
            interval.part = Part::WarmUp;
        } else if interval.part == Part::Measure && interval.start_ns >= start.0 + length.0 {
            interval.part = Part::CoolDown;
        }
    }
}
