//! Running a program under callgrind, and reading what it counted.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

/// What a run under callgrind came to.
pub(super) enum Counted {
    /// Instructions executed in user space, by the number of the thread in the order of their
    /// start; and what it printed.
    Instructions(BTreeMap<u32, u64>, String),
    /// The program, or valgrind under it, did not end well; the last words.
    Failed(String),
}

/// Says how to get valgrind where it is missing.
pub(super) fn require() -> Result<()> {
    let version = Command::new("valgrind")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    ensure!(
        version.is_ok_and(|status| status.success()),
        "valgrind is needed to count instructions; on Debian or Ubuntu: apt-get install valgrind"
    );
    Ok(())
}

/// Runs a program, with the counts written below `scratch`.
pub(super) fn count(program: &Path, args: &[String], scratch: &Path) -> Result<Counted> {
    let folder = tempfile::tempdir_in(scratch).context("cannot make a folder")?;
    let mut counted = std::ffi::OsString::from("--callgrind-out-file=");
    counted.push(folder.path().join("callgrind.out"));
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg("--separate-threads=yes")
        .arg(counted)
        .arg(program)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .context("cannot run valgrind")?;
    if !output.status.success() {
        let words = last_words(&String::from_utf8_lossy(&output.stderr));
        return Ok(Counted::Failed(format!("{} ({words})", output.status)));
    }
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Counted::Instructions(by_thread(folder.path())?, printed))
}

/// The totals of all files of a run. In addition to those of the threads, callgrind leaves an empty
/// one.
fn by_thread(folder: &Path) -> Result<BTreeMap<u32, u64>> {
    let mut threads = BTreeMap::new();
    for entry in std::fs::read_dir(folder).context("cannot list what callgrind left")? {
        let path = entry.context("cannot list what callgrind left")?.path();
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        if !text.is_empty() {
            let (thread, instructions) =
                total(&text).with_context(|| format!("in {}", path.display()))?;
            threads.insert(thread, instructions);
        }
    }
    ensure!(!threads.is_empty(), "callgrind left no counts");
    Ok(threads)
}

/// The thread of a callgrind out-file, and the instructions in all of it. Its header names the
/// events counted, of which the first must be `Ir`; `totals:` ends the file, and `summary:` stands
/// in for it in a dump that was cut short.
fn total(out_file: &str) -> Result<(u32, u64)> {
    let field = |name: &str| out_file.lines().find_map(|line| line.strip_prefix(name));
    let events = field("events:").context("callgrind's file does not name its events")?;
    if events.split_whitespace().next() != Some("Ir") {
        bail!("callgrind counted `{}`, not instructions", events.trim());
    }
    let thread = field("thread:")
        .and_then(|number| number.trim().parse().ok())
        .context("callgrind's file does not number its thread")?;
    let instructions = field("totals:")
        .or_else(|| field("summary:"))
        .and_then(|numbers| numbers.split_whitespace().next())
        .and_then(|number| number.parse().ok())
        .context("callgrind's file has no total")?;
    Ok((thread, instructions))
}

/// What the program said last, valgrind's own lines left out.
fn last_words(stderr: &str) -> String {
    let own = stderr
        .lines()
        .filter(|line| !line.starts_with("==") && !line.trim().is_empty());
    let lines: Vec<&str> = own.map(str::trim).collect();
    let last = &lines[lines.len().saturating_sub(3)..];
    if last.is_empty() {
        "it said nothing".to_owned()
    } else {
        last.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 4711
cmd:  fathom run random-read-4k
part: 1
thread: 3

desc: I1 cache:
desc: Trigger: Program termination

positions: line
events: Ir
summary: 210000123


fn=(1) main
16 5

totals: 210000124
";

    #[test]
    fn the_total_is_the_last_line_and_the_summary_stands_in() {
        let cut = FILE.strip_suffix("totals: 210000124\n").unwrap();
        assert_eq!(total(FILE).unwrap(), (3, 210_000_124));
        assert_eq!(total(cut).unwrap(), (3, 210_000_123));
    }

    #[test]
    fn a_file_without_instructions_is_refused() {
        let error = |text: &str| total(text).unwrap_err().to_string();
        assert_eq!(error(""), "callgrind's file does not name its events");
        assert_eq!(
            error("events: Ir\n"),
            "callgrind's file does not number its thread"
        );
        assert_eq!(
            error("thread: 1\nevents: Ir\n"),
            "callgrind's file has no total"
        );
        assert_eq!(
            error("events: Dr Ir\ntotals: 1 2\n"),
            "callgrind counted `Dr Ir`, not instructions"
        );
    }

    #[test]
    fn the_last_words_are_the_programs_own() {
        let stderr = "==1== Callgrind\nerror: a\n  because: b\n==1== \n\n  try: c\n==1== Events\n";
        assert_eq!(last_words(stderr), "error: a; because: b; try: c");
        assert_eq!(last_words("==1== Callgrind\n"), "it said nothing");
    }
}
