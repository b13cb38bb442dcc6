//! Who asked for a request: looked up while the process lives, and left out where only the requests
//! of others are wanted.

use fathom_capture::Task;
use fathom_device::{cgroups_of_task, name_of_process, process_of_task};
use std::collections::HashMap;
use std::fmt;

/// Whose requests are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// A process with its threads, or one thread, by number.
    Process(i32),
    /// Threads and processes of this name.
    Name(String),
    /// Processes in this control group and below it, by its path below the root of its tree.
    Group(String),
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Process(number) => write!(f, "of process {number}"),
            Self::Name(name) => write!(f, "of processes called {name}"),
            Self::Group(path) => write!(f, "of processes in the control group {path}"),
        }
    }
}

impl Who {
    fn is(&self, task: &Task) -> bool {
        match self {
            Self::Process(number) => task.thread == *number || task.process == Some(*number),
            Self::Name(name) => task.name == *name || task.process_name.as_ref() == Some(name),
            Self::Group(path) => is_below(path, &cgroups_of_task(task.thread)),
        }
    }
}

/// Whether one of the groups is this one or below it.
fn is_below(path: &str, groups: &[String]) -> bool {
    let path = path.trim_matches('/');
    let below = |group: &String| {
        let rest = group.trim_matches('/').strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || path.is_empty())
    };
    groups.iter().any(below)
}

/// The tasks of a capture.
#[derive(Debug)]
pub(crate) struct Book {
    who: Option<Who>,
    is_anonymised: bool,
    /// By the number that the matcher has for a task: none of one that is not wanted.
    known: Vec<Option<Task>>,
    /// The same: the position in the file, once there is one.
    numbers: Vec<Option<u32>>,
    /// Those of the file.
    tasks: Vec<Task>,
    /// Ordinal numbers of processes, where names are replaced.
    ordinals: HashMap<i32, i32>,
}

impl Book {
    pub(crate) fn new(who: Option<Who>, is_anonymised: bool) -> Self {
        Self {
            who,
            is_anonymised,
            known: Vec::new(),
            numbers: Vec::new(),
            tasks: Vec::new(),
            ordinals: HashMap::new(),
        }
    }

    /// Looks up threads that asked for the first time.
    pub(crate) fn enter(&mut self, threads: Vec<(i32, [u8; 16])>) {
        for (thread, name) in threads {
            let end = name.iter().position(|byte| *byte == 0);
            let name = String::from_utf8_lossy(&name[..end.unwrap_or(name.len())]);
            let process = process_of_task(thread);
            let task = Task {
                thread,
                name: name.into_owned(),
                process,
                process_name: process.and_then(name_of_process),
            };
            let is_wanted = self.who.as_ref().is_none_or(|who| who.is(&task));
            self.known.push(is_wanted.then_some(task));
            self.numbers.push(None);
        }
    }

    /// The position in the file of a task by the matcher's number, and whether it is new; none
    /// of a task whose requests are left out.
    pub(crate) fn number(&mut self, of_matcher: u32) -> Option<(u32, bool)> {
        let index = of_matcher as usize;
        let task = self.known.get(index)?.as_ref()?;
        if let Some(number) = self.numbers[index] {
            return Some((number, false));
        }
        let number = self.tasks.len() as u32;
        let task = if self.is_anonymised {
            anonymous(task, number, &mut self.ordinals)
        } else {
            task.clone()
        };
        self.numbers[index] = Some(number);
        self.tasks.push(task);
        Some((number, true))
    }

    /// The tasks of the file.
    pub(crate) fn tasks(&self) -> &[Task] {
        &self.tasks
    }
}

fn anonymous(task: &Task, number: u32, ordinals: &mut HashMap<i32, i32>) -> Task {
    let next = ordinals.len() as i32 + 1;
    let process = task.process.unwrap_or(task.thread);
    let process = *ordinals.entry(process).or_insert(next);
    let thread = number as i32 + 1;
    Task {
        thread,
        name: format!("thread-{thread}"),
        process: Some(process),
        process_name: Some(format!("process-{process}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comm(name: &str) -> [u8; 16] {
        let mut comm = [0; 16];
        comm[..name.len()].copy_from_slice(name.as_bytes());
        comm
    }

    #[test]
    fn groups_contain_those_below_them() {
        let groups = ["/system.slice/db.service".to_owned()];
        let cases = [
            ("system.slice", true),
            ("/system.slice/db.service/", true),
            ("/", true),
            ("system", false),
            ("system.slice/db", false),
        ];
        for (path, expected) in cases {
            assert_eq!(is_below(path, &groups), expected, "{path}");
        }
        assert!(!is_below("system.slice", &[]));
    }

    #[test]
    fn tasks_that_are_not_wanted_have_no_place_in_the_file() {
        let own = i32::try_from(std::process::id()).expect("a process number");
        let mut book = Book::new(Some(Who::Process(own)), true);
        book.enter(vec![(-1, comm("gone")), (own, comm("here"))]);
        let numbers = [0, 1, 1, 2].map(|number| book.number(number));
        assert_eq!(numbers, [None, Some((0, true)), Some((0, false)), None]);
        let task = Task {
            thread: 1,
            name: "thread-1".into(),
            process: Some(1),
            process_name: Some("process-1".into()),
        };
        assert_eq!(book.tasks(), [task]);
        // A thread whose process has ended has the name that the kernel's event had.
        let mut book = Book::new(Some(Who::Name("gone".into())), false);
        book.enter(vec![(-1, comm("gone"))]);
        book.number(0);
        let task = Task {
            thread: -1,
            name: "gone".into(),
            ..Task::default()
        };
        assert_eq!(book.tasks(), [task]);
    }
}
