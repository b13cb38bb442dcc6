//! Who asked for requests: processes by their names, and workers of the kernel by their work.

use crate::request::Task;
use fathom_core::result::blame::{Owner, OwnerKind};

/// Owners that are distinguished; the requests of others are added up.
const MOST_OWNERS: usize = 200;
/// What the requests of the other owners are listed under.
const OTHERS: &str = "(others)";

/// Name of the work queue of the throttle of control groups.
const THROTTLE: &str = "kthrotld";

/// Starts of the names of work queues that many parts of the kernel share.
const ANYBODYS: [&str; 2] = ["events", "mm_percpu_wq"];

/// Who a task is of.
fn owner_of(task: &Task) -> Owner {
    let full = task.process_name.as_ref().unwrap_or(&task.name);
    let kind = match full.strip_prefix("kworker/") {
        None => OwnerKind::Process,
        Some(worker) if is_of_throttle(worker) => OwnerKind::Throttle,
        Some(worker) if worker.contains("flush-") => OwnerKind::Writeback,
        Some(_) => OwnerKind::Worker,
    };
    let (name, pid) = match kind {
        OwnerKind::Process => (full.as_str(), task.process.unwrap_or(task.thread)),
        _ => ("kworker", task.thread),
    };
    Owner {
        name: name.to_owned(),
        pid: Some(pid),
        kind,
    }
}

/// Whether a worker may queue what a throttle delayed: `0:1-kthrotld`. The name has the latest
/// work, which may be another one by the time it is read.
fn is_of_throttle(worker: &str) -> bool {
    let (number, work) = worker.split_once(['-', '+']).unwrap_or((worker, ""));
    let mut digits = number.chars().filter(|sign| *sign != ':');
    let is_bound = digits.all(|sign| sign.is_ascii_digit());
    let is_anybodys = work.is_empty() || ANYBODYS.iter().any(|name| work.starts_with(name));
    work == THROTTLE || (is_bound && is_anybodys)
}

/// All who asked for requests, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(super) struct Owners {
    all: Vec<Owner>,
    of_task: Vec<usize>,
    /// The process that is not one with others of its name.
    apart: Option<i32>,
    /// A worker has the name of the throttle's work.
    has_throttle: bool,
}

impl Owners {
    /// Whoever is looked for by number is not one with others of its name.
    pub(super) fn looked_for(name: Option<&str>) -> Self {
        Self {
            apart: name.and_then(|name| name.parse().ok()),
            ..Self::default()
        }
    }

    /// Takes in the tasks that are new.
    pub(super) fn enter(&mut self, tasks: &[Task]) {
        for task in tasks.iter().skip(self.of_task.len()) {
            let full = task.process_name.as_ref().unwrap_or(&task.name);
            self.has_throttle |= full.starts_with("kworker/") && full.ends_with(THROTTLE);
            let position = self.position(owner_of(task));
            self.of_task.push(position);
        }
    }

    /// The position of a task's owner.
    pub(super) fn of_task(&self, task: u32) -> usize {
        self.of_task.get(task as usize).copied().unwrap_or(0)
    }

    pub(super) fn all(&self) -> &[Owner] {
        &self.all
    }

    /// What one of them turned out to be. Workers without a name are the throttle's only where one
    /// with its name was seen: others queue flushes.
    pub(super) fn final_of(&self, position: usize) -> Owner {
        let mut owner = self.all[position].clone();
        if owner.kind == OwnerKind::Throttle && !self.has_throttle {
            owner.kind = OwnerKind::Worker;
        }
        owner
    }

    fn position(&mut self, owner: Owner) -> usize {
        let is_apart = |one: &Owner| one.pid.is_some() && one.pid == self.apart;
        let is = |one: &Owner| {
            one.kind == owner.kind && one.name == owner.name && is_apart(one) == is_apart(&owner)
        };
        if let Some(position) = self.all.iter().position(is) {
            let known = &mut self.all[position];
            known.pid = known.pid.filter(|pid| Some(*pid) == owner.pid);
            return position;
        }
        if self.all.len() < MOST_OWNERS {
            self.all.push(owner);
        } else if self.all.len() == MOST_OWNERS {
            self.all.push(Owner {
                name: OTHERS.to_owned(),
                pid: None,
                kind: OwnerKind::Process,
            });
        }
        self.all.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_are_known_by_their_work() {
        let cases = [
            ("kworker/0:1-kthrotld", OwnerKind::Throttle),
            ("kworker/0:1+kthrotld", OwnerKind::Throttle),
            ("kworker/0:1", OwnerKind::Throttle),
            ("kworker/3:12-events", OwnerKind::Throttle),
            ("kworker/0:1H-kblockd", OwnerKind::Worker),
            ("kworker/0:2-kcryptd_io", OwnerKind::Worker),
            ("kworker/u8:1-loop0", OwnerKind::Worker),
            ("kworker/u8:1+flush-254:0", OwnerKind::Writeback),
            ("kworker/u8:1-events_unbound", OwnerKind::Worker),
            ("postgres", OwnerKind::Process),
        ];
        for (name, expected) in cases {
            let task = Task {
                name: name.into(),
                ..Task::default()
            };
            assert_eq!(owner_of(&task).kind, expected, "{name}");
        }
    }

    #[test]
    fn processes_of_a_name_are_one_owner() {
        let task = |thread, name: &str| Task {
            thread,
            name: name.into(),
            ..Task::default()
        };
        let many = (0..300).map(|number| task(number, &format!("p{number}")));
        let tasks: Vec<_> = [task(1, "a"), task(2, "b"), task(3, "a")]
            .into_iter()
            .chain(many)
            .collect();
        let mut owners = Owners::default();
        owners.enter(&tasks[..1]);
        owners.enter(&tasks);
        let first = owners.all()[..2].iter();
        let first: Vec<_> = first.map(|one| (one.name.as_str(), one.pid)).collect();
        assert_eq!(first, [("a", None), ("b", Some(2))]);
        assert_eq!(
            (owners.all().len(), owners.of_task(2)),
            (MOST_OWNERS + 1, 0)
        );
        assert_eq!(
            owners.all().last().map(|one| one.name.as_str()),
            Some(OTHERS)
        );
    }
}
