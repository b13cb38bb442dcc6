//! The load in a capture of a run of Fathom, apart from how the run looked at its target before.

use fathom_capture::{Request, Task};
use fathom_device::AWAITED;

/// From the first to the last request of load threads, nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span(Option<(u64, u64)>);

impl Span {
    pub(super) fn add(&mut self, requests: &[Request], tasks: &[Task]) {
        let of_load = |one: &&Request| tasks.get(one.task as usize).is_some_and(is_load);
        for request in requests.iter().filter(of_load) {
            let at = request.at_ns;
            let (first, last) = self.0.unwrap_or((at, at));
            self.0 = Some((first.min(at), last.max(at)));
        }
    }

    /// The same, or all of a capture without a run.
    pub(super) fn or_all(self, length_ns: u64) -> (u64, u64) {
        self.0.unwrap_or((0, length_ns))
    }

    /// Whether a request belongs to the load: what threads of other programs do meanwhile, such as
    /// a flush that the kernel hands over, may be its own.
    pub(super) fn has(self, request: &Request, tasks: &[Task]) -> bool {
        self.0.is_none_or(|(first, last)| {
            let task = tasks.get(request.task as usize);
            let is_other = task.is_some_and(|task| is_own(task) && !is_load(task));
            (first..=last).contains(&request.at_ns) && !is_other
        })
    }
}

fn is_own(task: &Task) -> bool {
    let name = task.process_name.as_deref();
    name.is_some_and(|name| name.starts_with("fathom"))
}

/// The first thread of a run prepares it, and others wait for files.
fn is_load(task: &Task) -> bool {
    is_own(task) && task.process != Some(task.thread) && task.name != AWAITED
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_capture::{Early, Flags};

    fn task(name: &str, thread: i32, process: i32, process_name: &str) -> Task {
        Task {
            name: name.to_owned(),
            thread,
            process: Some(process),
            process_name: Some(process_name.to_owned()),
        }
    }

    fn request(at_ns: u64, task: u32) -> Request {
        Request {
            at_ns,
            service_ns: None,
            device: 0,
            offset: 0,
            bytes: 4096,
            flags: Flags::default(),
            task,
            early: Early::default(),
        }
    }

    #[test]
    fn what_a_run_reads_before_its_load_does_not_count() {
        let tasks = [
            task("fathom", 7, 7, "fathom"),
            task("data/0", 8, 7, "fathom"),
            task("kworker/0:1H", 90, 90, "kworker/0:1H"),
        ];
        let requests = [(1, 0), (5, 2), (10, 1), (12, 2), (13, 0), (20, 1), (25, 2)];
        let requests = requests.map(|(at, task)| request(at, task));
        let mut span = Span::default();
        span.add(&requests, &tasks);
        let left = requests.iter().filter(|one| span.has(one, &tasks));
        let left: Vec<u64> = left.map(|one| one.at_ns).collect();
        assert_eq!((span.or_all(30), left), ((10, 20), vec![10, 12, 20]));
        let mut none = Span::default();
        none.add(&requests[1..2], &tasks);
        assert_eq!(none.or_all(30), (0, 30));
        assert!(none.has(&requests[0], &tasks));
    }
}
