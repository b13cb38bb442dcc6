//! Which recorded requests a thread makes, and how much may be outstanding when it issues one.

use fathom_core::Nanos;
use fathom_core::trace::{Outline, TraceRequest};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// A thread of those that share the requests of a trace.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// Its number in the job.
    pub thread: u32,
    /// How many there are.
    pub threads: u32,
}

/// A recorded request, and what its issue waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) request: TraceRequest,
    /// Requests of the thread that may be outstanding when it is issued.
    pub(crate) outstanding: u32,
}

impl Step {
    /// Waits for no other request.
    pub(super) const fn free(request: TraceRequest) -> Self {
        Self {
            request,
            outstanding: u32::MAX,
        }
    }
}

/// Selects the requests of one thread, in the order of the trace.
#[derive(Debug)]
pub(super) struct Part {
    /// Whose requests it makes; those of all without it.
    tasks: Option<BTreeSet<u32>>,
    order: Option<Order>,
}

impl Part {
    pub(super) fn new(outline: &Outline, sharing: Sharing, keeps_order: bool) -> Self {
        Self {
            tasks: (sharing.threads > 1).then(|| tasks_of(outline, sharing)),
            order: keeps_order.then(Order::default),
        }
    }

    /// Whether it takes all requests, and none waits for another.
    pub(super) const fn is_whole(&self) -> bool {
        self.tasks.is_none() && self.order.is_none()
    }

    /// The next request of the trace, if it is one of the thread's.
    pub(super) fn take(&mut self, request: TraceRequest) -> Option<Step> {
        let tasks = self.tasks.as_ref();
        if tasks.is_some_and(|tasks| !tasks.contains(&request.task)) {
            return None;
        }
        let order = self.order.as_mut();
        Some(Step {
            request,
            outstanding: order.map_or(u32::MAX, |order| order.outstanding(&request)),
        })
    }
}

/// Who issued what a thread issues now. The one with most requests goes to the thread that has the
/// fewest so far, and so on.
fn tasks_of(outline: &Outline, sharing: Sharing) -> BTreeSet<u32> {
    let mut tasks: Vec<(u64, u32)> = outline
        .tasks()
        .iter()
        .map(|(task, requests)| (*requests, *task))
        .collect();
    tasks.sort_unstable_by_key(|(requests, task)| (Reverse(*requests), *task));
    let mut threads: BinaryHeap<_> = (0..sharing.threads).map(|one| Reverse((0, one))).collect();
    let mut own = BTreeSet::new();
    for (requests, task) in tasks {
        let Some(Reverse((sum, thread))) = threads.pop() else {
            break;
        };
        if thread == sharing.thread {
            own.insert(task);
        }
        threads.push(Reverse((sum + requests, thread)));
    }
    own
}

/// The requests that were outstanding in the trace.
#[derive(Debug, Default)]
struct Order {
    completions: BinaryHeap<Reverse<Nanos>>,
}

impl Order {
    /// How many others were outstanding when a request was issued. One whose completion was not
    /// recorded counts as completed: so a few of them at the edges do not end all waiting.
    fn outstanding(&mut self, request: &TraceRequest) -> u32 {
        let is_complete = |next: &Reverse<Nanos>| next.0 <= request.at;
        while self.completions.peek().is_some_and(is_complete) {
            self.completions.pop();
        }
        let others = u32::try_from(self.completions.len()).unwrap_or(u32::MAX);
        if let Some(service) = request.service {
            let end = request.at.saturating_add(service);
            self.completions.push(Reverse(end));
        }
        others
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::Op;

    fn request(at: u64, service: Option<u64>, task: u32) -> TraceRequest {
        TraceRequest {
            service: service.map(Nanos),
            task,
            ..TraceRequest::new(Nanos(at), Op::Read, 0, 512)
        }
    }

    /// What each thread makes: instants and how many may be outstanding.
    fn parts(requests: &[TraceRequest], threads: u32, keeps_order: bool) -> Vec<Vec<(u64, u32)>> {
        let outline = Outline::of(requests);
        let part = |thread| {
            let mut part = Part::new(&outline, Sharing { thread, threads }, keeps_order);
            let steps = requests.iter().filter_map(|request| part.take(*request));
            steps
                .map(|step| (step.request.at.0, step.outstanding))
                .collect()
        };
        (0..threads).map(part).collect()
    }

    #[test]
    fn a_request_waits_for_those_that_were_complete() {
        let requests = [
            request(0, Some(100), 0),
            request(10, Some(20), 0),
            // The second has completed, the first has not.
            request(30, None, 0),
            request(40, Some(60), 0),
            // All have.
            request(100, Some(1), 0),
        ];
        let steps = [(0, 0), (10, 1), (30, 1), (40, 1), (100, 0)];
        assert_eq!(parts(&requests, 1, true), [steps.to_vec()]);
        let free = steps.map(|(at, _)| (at, u32::MAX));
        assert_eq!(parts(&requests, 1, false), [free.to_vec()]);
    }

    #[test]
    fn threads_share_the_requests_by_who_issued_them() {
        let requests = [
            request(0, Some(50), 7),
            request(1, Some(50), 3),
            request(2, Some(50), 9),
            request(3, Some(50), 7),
            request(4, Some(50), 3),
            request(5, Some(50), 7),
        ];
        // Another thread's requests are not waited for.
        let expected = [vec![(0, 0), (3, 1), (5, 2)], vec![(1, 0), (2, 1), (4, 2)]];
        assert_eq!(parts(&requests, 2, true), expected);
        let all: usize = parts(&requests, 5, false).iter().map(Vec::len).sum();
        assert_eq!(all, requests.len());
    }
}
