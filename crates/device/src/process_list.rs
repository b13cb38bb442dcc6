//! What each process of the machine moves, from `/proc/PID/io`.

use crate::process::ProcessIo;
use procfs::process::{Process, all_processes};
use std::collections::BTreeMap;

/// Bytes that every process has moved so far, by its number. Those of other users are left out
/// where the kernel does not let this one see them, and so are all where there is no `/proc`.
pub fn io_of_processes() -> BTreeMap<i32, ProcessIo> {
    let Ok(all) = all_processes() else {
        return BTreeMap::new();
    };
    let processes = all.filter_map(Result::ok);
    // One that ends meanwhile has nothing more to say.
    let known = processes.filter_map(|process| {
        let io = process.io().ok()?;
        Some((process.pid(), ProcessIo::from(io)))
    });
    known.collect()
}

/// The name of a process; none when it has ended.
pub fn name_of_process(pid: i32) -> Option<String> {
    let stat = Process::new(pid).and_then(|process| process.stat());
    stat.ok().map(|stat| stat.comm)
}

/// The process that a task belongs to, of a thread not itself; none when it has ended.
pub fn process_of_task(task: i32) -> Option<i32> {
    let status = Process::new(task).and_then(|task| task.status());
    status.ok().map(|status| status.tgid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_among_them() {
        let own = i32::try_from(std::process::id()).expect("a process number");
        let all = io_of_processes();
        let is_known = all.contains_key(&own) || ProcessIo::read().is_err();
        assert!(is_known, "{own} of {} processes", all.len());
        let name = name_of_process(own).expect("it runs");
        assert_ne!(name, "");
        assert_eq!(name_of_process(-1), None);
    }

    #[test]
    fn a_thread_belongs_to_its_process() {
        let own = i32::try_from(std::process::id()).expect("a process number");
        let thread = rustix::thread::gettid().as_raw_nonzero().get();
        assert_eq!(
            (process_of_task(thread), process_of_task(-1)),
            (Some(own), None)
        );
    }
}
