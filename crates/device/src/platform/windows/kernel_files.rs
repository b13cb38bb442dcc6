//! What Linux keeps in files, from what Windows says: readers need no second way.

use std::fmt::Write as _;
use std::io::Result;
use std::path::Path;

use super::{Calls, disk};

/// Disks that are asked for: numbers have gaps.
const DISKS: u32 = 64;

/// Units of 100 ns in a tick of a processor's time.
const TICK: u64 = 100_000;

/// The text of such a file; none of others.
pub(crate) fn text(calls: &impl Calls, file: &Path) -> Option<Result<String>> {
    let is = |name: &str| file == Path::new(name);
    Some(if is("/proc/diskstats") {
        Ok(diskstats(calls))
    } else if is("/proc/stat") {
        calls.times().map(|[idle, kernel, user]| {
            let [idle, kernel, user] = [idle, kernel, user].map(|time| time / TICK);
            format!("cpu  {user} 0 {kernel} {idle}\n")
        })
    } else if is("/proc/meminfo") {
        let memory = calls.machine();
        memory.map(|(_, bytes)| format!("MemTotal: {} kB\n", bytes >> 10))
    } else if is("/proc/sys/kernel/osrelease") {
        calls.machine().map(|(version, _)| version)
    } else if is("/proc/sys/kernel/hostname") {
        Ok(calls.variable("COMPUTERNAME").unwrap_or_default())
    } else if is("/proc/cpuinfo") {
        let model = calls.variable("PROCESSOR_IDENTIFIER").unwrap_or_default();
        Ok(format!("model name : {model}\n"))
    } else {
        return None;
    })
}

fn diskstats(calls: &impl Calls) -> String {
    let lines = (0..DISKS).filter_map(|number| disk::line(calls, number).ok());
    lines.fold(String::new(), |mut text, line| {
        let _ = text.write_str(&line);
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::HostInfo;
    use crate::platform::windows::disk::tests::machine;

    #[test]
    fn the_files_of_linux_say_what_windows_says() {
        let text = |name: &str| text(&machine(), Path::new(name)).map(Result::unwrap);
        let disks = "1 2 PhysicalDrive2 5 0 40 12 7 0 2048 5 3 100 17\n";
        assert_eq!(text("/proc/diskstats").as_deref(), Some(disks));
        assert_eq!(text("/proc/stat").as_deref(), Some("cpu  100 0 200 700\n"));
        assert_eq!(text("/proc/self/mountinfo"), None);
        let folder = tempfile::tempdir().unwrap();
        for name in ["meminfo", "sys/kernel/osrelease", "sys/kernel/hostname"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text(&format!("/proc/{name}")).unwrap()).unwrap();
        }
        let host = HostInfo::read_below(folder.path(), Path::new("/nowhere"));
        let seen = (host.hostname, host.kernel_release, host.memory_bytes);
        let expected = (
            Some("NODE1".to_owned()),
            Some("Windows 10.0.20348".to_owned()),
            Some(8 << 30),
        );
        assert_eq!(seen, expected);
    }
}
