//! What each process of the machine moves, from `/proc/PID/io`.

use crate::process::ProcessIo;
use crate::sysfs::{names_in, text};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const PROC: &str = "/proc";

/// Bytes that every process has moved so far, by its number. Those of other users are left out
/// where the kernel does not let this one see them, and so are all where there is no `/proc`.
pub fn io_of_processes() -> BTreeMap<i32, ProcessIo> {
    let proc = Path::new(PROC);
    let names = names_in(proc).unwrap_or_default();
    // One that ends meanwhile has nothing more to say.
    let known = names.iter().filter_map(|name| {
        let number = name.parse().ok()?;
        Some((number, ProcessIo::of_process(&proc.join(name)).ok()?))
    });
    known.collect()
}

/// The name of a process; none when it has ended.
pub fn name_of_process(pid: i32) -> Option<String> {
    text(&Path::new(PROC).join(pid.to_string()), "comm")
}

/// The process that a task belongs to, of a thread not itself; none when it has ended.
pub fn process_of_task(task: i32) -> Option<i32> {
    let status = text(&Path::new(PROC).join(task.to_string()), "status")?;
    let mut lines = status.lines();
    let number = lines.find_map(|line| line.strip_prefix("Tgid:"))?;
    number.trim().parse().ok()
}

/// Paths of the control groups of a task, each below the root of its tree; none when it has ended.
pub fn cgroups_of_task(task: i32) -> Vec<String> {
    let groups = text(&Path::new(PROC).join(task.to_string()), "cgroup").unwrap_or_default();
    let paths = groups.lines().filter_map(|line| line.splitn(3, ':').nth(2));
    paths.map(str::to_owned).collect()
}

/// Files that a process has open: the path below `/proc` that leads to each in whatever name space,
/// and the path by which the process knows it. None of another user's.
pub fn open_files(pid: i32) -> Vec<(PathBuf, PathBuf)> {
    let folder = Path::new(PROC).join(pid.to_string()).join("fd");
    let names = names_in(&folder).unwrap_or_default();
    let files = names.iter().filter_map(|name| {
        let file = folder.join(name);
        let path = std::fs::read_link(&file).ok()?;
        // Pipes, sockets and the like have names that are no paths.
        let is_file = path.is_absolute() && !path.starts_with(PROC);
        is_file.then_some((file, path))
    });
    files.collect()
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
        let thread = fathom_platform::thread::gettid().as_raw_nonzero().get();
        assert_eq!(
            (process_of_task(thread), process_of_task(-1)),
            (Some(own), None)
        );
    }
}
