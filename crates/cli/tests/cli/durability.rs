//! `fathom durability`: a writer, its witness, and what is there afterwards.

use crate::command::Cli;
use crate::privileged::{LoopDevice, is_root};
use rustix::process::Signal;
use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Writes to a target in the folder, with a file in it as what the witness keeps.
fn written(folder: TempDir, target: &str, more: &str) -> TempDir {
    let own = "durability --ack-log 'exec:tee run.log' --no-direct --quiet --target";
    let (ended, folder) = Cli::line_in(folder, format!("{own} {target} {more}")).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    folder
}

/// The status, and the table and what follows it.
fn verified(folder: TempDir, target: &str, more: &str) -> (Option<i32>, String, TempDir) {
    let own = "durability --verify --ack-log run.log --target";
    let (ended, folder) = Cli::line_in(folder, format!("{own} {target} {more}")).end();
    assert_eq!(ended.stderr, "");
    let table = ended.stdout.find("VERDICT").expect("a table");
    (ended.status, ended.stdout[table..].to_owned(), folder)
}

const CUT: &str = "--power-was-cut";

fn folder() -> TempDir {
    // Not in memory, where nothing is written through.
    tempfile::tempdir_in("/var/tmp").expect("a folder")
}

/// The only folder of a run in this one.
fn folder_of_run(folder: &Path) -> PathBuf {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths = entries.map(|entry| entry.expect("an entry").path());
    let found = paths.find(|path| path.is_dir());
    found.expect("a folder of the run")
}

#[test]
fn what_was_acknowledged_is_there_until_somebody_takes_it_away() {
    let more = "--size 16KiB --flush-every 2 --steps 91";
    let folder = written(folder(), "disk", more);
    let kept = "\
VERDICT  PROMISE  ACKNOWLEDGED  CHECKED  LOST  TORN  STALE  REORDERED
KEPT     flush              30        4     0     0      0          0
";
    let (status, said, folder) = verified(folder, "disk", CUT);
    assert_eq!((status, said.as_str()), (Some(0), kept));
    let open = "\
VERDICT      PROMISE  ACKNOWLEDGED  CHECKED  LOST  TORN  STALE  REORDERED
CANNOT TELL  flush              30        4     0     0      0          0
flush: this machine is up since before the run; if the storage alone lost power, say \
--power-was-cut
";
    let (status, said, folder) = verified(folder, "disk", "");
    assert_eq!((status, said.as_str()), (Some(5), open));
    let file = OpenOptions::new()
        .write(true)
        .open(folder.path().join("disk"));
    file.expect("it stays")
        .write_all_at(&[0; 16384], 0)
        .expect("written");
    let (status, said, _folder) = verified(folder, "disk", "");
    let counts = "BROKEN   flush              30        4     4     0      0          0";
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!((status, lines[1]), (Some(3), counts));
}

#[test]
fn each_promise_is_judged_by_itself() {
    let more = "--promise write,flush,fua,dsync,rename,append --size 8KiB --steps 303";
    let folder = written(folder(), ".", more);
    let kept = "\
VERDICT  PROMISE  ACKNOWLEDGED  CHECKED  LOST  TORN  STALE  REORDERED
KEPT     write              51        2     0     0      0          0
KEPT     flush               5        2     0     0      0          0
KEPT     fua                51        2     0     0      0          0
KEPT     dsync              50        2     0     0      0          0
KEPT     rename             50        1     0     0      0          0
KEPT     append             50        4     0     0      0          0
";
    let (status, said, folder) = verified(folder, ".", CUT);
    assert_eq!((status, said.as_str()), (Some(0), kept));
    let run = folder_of_run(folder.path());
    std::fs::remove_file(run.join("named")).expect("it was there");
    let records = OpenOptions::new().write(true).open(run.join("records.0"));
    records
        .expect("it was there")
        .set_len(4096 + 512)
        .expect("cut off");
    let (status, said, folder) = verified(folder, ".", CUT);
    let broken = "\
VERDICT  PROMISE  ACKNOWLEDGED  CHECKED  LOST  TORN  STALE  REORDERED
KEPT     write              51        2     0     0      0          0
KEPT     flush               5        2     0     0      0          0
KEPT     fua                51        2     0     0      0          0
KEPT     dsync              50        2     0     0      0          0
BROKEN   rename             50        1     1     0      0          0
BROKEN   append             50        4     0     1      0          0
rename: the first is step 299 at offset 0: lost
append: the first is step 300 at offset 4096: torn
";
    assert_eq!((status, said.as_str()), (Some(3), broken));
    let words = "durability --verify --ack-log run.log --target . --power-was-cut --json";
    let (ended, _folder) = Cli::line_in(folder, words).end();
    assert_eq!(crate::schemas::check(&ended.stdout), ["durability"]);
}

#[test]
fn a_writer_that_is_killed_leaves_what_it_told() {
    let words = "durability --promise dsync --no-direct --target disk --ack-log 'exec:tee run.log' \
                 --size 1MiB";
    let mut running = Cli::line_in(folder(), words).start();
    // After a second.
    running.wait_for_line("1");
    running.send(Signal::KILL);
    let (ended, folder) = running.end();
    assert_eq!(ended.signal, Some(9));
    let (status, said, _folder) = verified(folder, "disk", CUT);
    let verdict = said.lines().nth(1).and_then(|line| line.split("  ").next());
    assert_eq!((status, verdict), (Some(0), Some("KEPT")));
}

#[test]
fn a_witness_on_another_host_keeps_each_line_before_it_answers() {
    let words = "durability --ack-server 127.0.0.1:0 --ack-log run.log";
    let keeper = Cli::line_in(folder(), words).start();
    // It says where it listens.
    let (keeper, address) = keeper.line("listens at ");
    let mut stream = TcpStream::connect(address.trim()).expect("it listens");
    let mut answer = [0; 5];
    stream.write_all(b"one, two\nth").expect("told");
    stream.read_exact(&mut answer).expect("said again");
    let log = std::fs::read(keeper.path("run.log")).expect("kept");
    assert_eq!((&answer, log.as_slice()), (b"one, ", &b"one, two\n"[..]));
    drop(stream);
    let (ended, _folder) = keeper.end();
    assert_eq!(
        (ended.status, ended.stdout.as_str()),
        (Some(0), "kept 1 line in run.log\n")
    );
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let refused = |words: &[&str], status, message: &str| {
        let words = [&["durability"], words].concat();
        let folder = Cli::in_folder(folder(), words).file("some", "somebody's");
        let folder = folder.check(status, "", message);
        let mut names: Vec<_> = std::fs::read_dir(folder.path())
            .expect("a folder")
            .collect();
        assert_eq!(names.len(), 1, "{names:?}");
        let only = names.remove(0).expect("an entry").path();
        assert_eq!(std::fs::read_to_string(only).expect("a text"), "somebody's");
    };
    refused(
        &[
            "--target",
            "new",
            "--promise",
            "rename",
            "--ack-log",
            "exec:tee",
        ],
        2,
        "error: cannot test `rename` on new\n  because: it tests file names and file ends, which \
         need a directory\n  try:     use a directory as target, or another promise\n",
    );
    refused(
        &["--target", "new", "--ack-log", "log"],
        2,
        "error: log cannot be the acknowledgement log\n  because: it is on the same file system, \
         like the target, and would be lost with it\n  try:     use another host, another disk, a \
         pipe or a serial line\n",
    );
    refused(
        &["--target", "some", "--ack-log", "exec:tee"],
        4,
        "error: cannot open some for writing\n  because: the file exists (10 bytes) and was not \
         created by fathom, or was changed since\n  try:     --overwrite if you mean to destroy \
         its contents, or another name\n",
    );
    refused(
        &["--target", "some", "--overwrite", "--ack-log", "exec:tee"],
        2,
        "error: cannot use some\n  because: it has 10B, but 4KiB are required\n  try:     use a \
         smaller --size, or another target\n",
    );
    refused(
        &["--verify", "--target", "new", "--ack-log", "some"],
        2,
        "error: some does not contain a run\n  because: no run begins in it\n  try:     use the \
         acknowledgement log of `fathom durability`\n",
    );
}

#[test]
fn a_device_is_given_up_by_name_alone() {
    if !is_root("a loop device") {
        return;
    }
    let Some(device) = LoopDevice::new(1 << 20) else {
        return;
    };
    let target = device.path.to_string_lossy().into_owned();
    let words = format!(
        "durability --quiet --target {target} --ack-log 'exec:tee run.log' --steps 40 --promise \
         flush,fua"
    );
    let (ended, folder) = Cli::line_in(folder(), &words).end();
    assert_eq!(ended.status, Some(4), "{}", ended.stderr);
    let permitted = format!("{words} --destroy {target}");
    let (ended, folder) = Cli::line_in(folder, permitted).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let (status, said, folder) = verified(folder, &target, CUT);
    let lines: Vec<&str> = said.lines().map(|line| &line[..13]).collect();
    assert_eq!(
        (status, &lines[1..]),
        (Some(0), &["KEPT     flus", "KEPT     fua "][..])
    );
    // It may be verified in a copy.
    std::fs::copy(device.backing(), folder.path().join("copy")).expect("copied");
    let (again, same, _folder) = verified(folder, "copy", CUT);
    assert_eq!((again, same), (status, said));
}
