//! What is refused before anything is lost.

use crate::command::Cli;
use crate::privileged::{LoopDevice, Mounted, is_root};
use std::path::Path;

const WRITE: &str = "run random-write-4k --engine psync --size 1MiB --ios 10 --warm-up 0s --quiet \
                     --no-live";

fn write<'a>(more: &[&'a str]) -> Vec<&'a str> {
    WRITE.split(' ').chain(more.iter().copied()).collect()
}

#[test]
fn a_file_of_somebody_else_is_not_overwritten() {
    let stderr = "error: cannot open DIR/precious for writing
  because: the file exists (1048576 \
                  bytes) and was not created by fathom, or was changed since
  try:     \
                  --overwrite if you mean to destroy its contents, or another name
";
    let folder = Cli::new(write(&["--target", "precious"]))
        .file("precious", vec![7; 1 << 20])
        .check(4, "", stderr);
    let content = std::fs::read(folder.path().join("precious")).expect("it is still there");
    assert_eq!(content, vec![7; 1 << 20]);
}

#[test]
fn no_file_is_made_in_a_directory_that_another_program_names() {
    let stderr = "error: cannot open data for writing
  because: it is a directory
  try:     a file in it, \
                  as data/fathom.dat
";
    for (line, status) in [
        (
            "fio --name=a --filename=data --rw=write --size=1m --bs=4k",
            4,
        ),
        ("dd if=/dev/zero of=data bs=4k count=10", 1),
        ("diskspd -c1M -d1 -w100 -b4k data", 1),
    ] {
        let call = Cli::line(line);
        std::fs::create_dir(call.path("data")).expect("a directory");
        let (ended, folder) = call.file("data/theirs", "kept").end();
        let told = ended.stderr;
        // Notes on the engine and the dialect come before.
        assert_eq!(ended.status, Some(status), "{line}: {told}");
        assert!(told.ends_with(stderr), "{line}: {told}");
        let names = std::fs::read_dir(folder.path().join("data")).expect("it is there");
        assert_eq!(names.count(), 1, "{line}");
    }
}

#[test]
fn quick_does_not_make_a_file_for_a_misspelt_directory() {
    let stderr = "error: there is no mnt/dta
  because: quick measures an existing directory, file \
                  or device
  try:     use another path, or `fathom run quick --target mnt/dta` to \
                  create a file
";
    Cli::new(["quick", "mnt/dta"]).check(4, "", stderr);
}

#[test]
fn a_device_that_is_not_named_is_not_written() {
    if !is_root("a loop device") {
        return;
    }
    let Some(device) = LoopDevice::new(4 << 20) else {
        return;
    };
    let path = device.path.to_string_lossy();
    let (ended, _) = Cli::new(write(&["--target", &path])).end();
    let expected = "\
error: cannot open DEVICE for writing
  because: it is a block device, and no --destroy names it
  try:     --destroy DEVICE if you mean to destroy what is on it, or another target
";
    let told = ended.stderr.replace(&*path, "DEVICE");
    assert_eq!((ended.status, told.as_str()), (Some(4), expected));
    let named = write(&[
        "--target",
        &path,
        "--destroy",
        &path,
        "--output",
        "json:r.json",
    ]);
    Cli::new(named).check(0, "", "");
}

#[test]
fn a_file_system_without_direct_io_says_so() {
    if !is_root("a mount of ramfs") {
        return;
    }
    let Some(mounted) = Mounted::new("ramfs", "mode=0700") else {
        return;
    };
    let place = mounted.path().to_string_lossy();
    let (ended, _) = Cli::new(write(&["--target", &place])).end();
    let expected = "error: cannot open PLACE/fathom-data.dat for direct writes
  because: the file \
                    system does not support direct I/O (O_DIRECT)
  try:     use --no-direct to \
                    measure through the page cache, or another target
";
    let told = ended.stderr.replace(&*place, "PLACE");
    assert_eq!((ended.status, told.as_str()), (Some(4), expected));
}

#[test]
fn a_file_without_permission_says_so() {
    let cli = Cli::line("run random-read-4k --target secret --engine psync --quiet")
        .file("secret", vec![7; 1 << 20]);
    let secret = cli.path("secret");
    std::fs::set_permissions(&secret, std::os::unix::fs::PermissionsExt::from_mode(0o000))
        .expect("it is ours");
    let stderr = "error: cannot open DIR/secret
  because: permission denied
  try:     use sudo, \
                  or a target in your own directory
";
    cli.without_rights().check(4, "", stderr);
}

#[test]
fn sizes_that_cannot_be() {
    let cases: [(&[&str], i32, &str); 3] = [
        (
            &["--target", "empty"],
            2,
            "error: cannot use DIR/empty\n  because: it has 0 bytes, and the workload does not \
             define a size\n  try:     set --size to the number of bytes to use, such as --size \
             1GiB\n",
        ),
        (
            &["--target", "small"],
            2,
            "error: cannot use DIR/small for job `random-read-4k`\n  because: it has 1,000 B, the \
             job needs 4 GiB\n  try:     use a new target instead of DIR/small\n",
        ),
        (
            &["--block-size", "1000", "--no-direct", "--size", "900B"],
            2,
            "error: --size does not suit the workload `random-read-4k`\n  because: \
             phase[0].job[0].size: 900B does not hold one request of 1000B\n  try:     make it at \
             least 1000B\n",
        ),
    ];
    for (more, status, stderr) in cases {
        let words = [
            &["run", "random-read-4k", "--engine", "psync", "--quiet"],
            more,
        ]
        .concat();
        Cli::new(words)
            .file("empty", "")
            .file("small", [0; 1000])
            .check(status, "", stderr);
    }
}

#[test]
fn a_file_that_does_not_fit_is_not_begun() {
    if !is_root("a mount of tmpfs") {
        return;
    }
    let Some(mounted) = Mounted::new("tmpfs", "size=16M") else {
        return;
    };
    let place = mounted.path().to_string_lossy();
    let words = format!("run random-write-4k --target {place} --size 32MiB --no-direct");
    let (ended, _) = Cli::line(&words).end();
    let told = ended.stderr.replace(&*place, "PLACE");
    let expected = "error: cannot lay out PLACE/fathom-data.dat
  because: 32 MiB are needed, 16 \
                    MiB are free, and 819 KiB must stay free for others
  try:     \
                    use --size 15MiB or less, a target on another file system, or free some space
";
    // Which engine it would have been is the machine's business.
    let lines: String = told.split_inclusive('\n').skip(1).collect();
    assert_eq!((ended.status, lines.as_str()), (Some(4), expected));
}

#[test]
fn a_processor_that_is_not_there() {
    let words = "run random-read-4k --engine null --affinity 8000";
    let (ended, _) = Cli::line(words).end();
    let lines: Vec<&str> = ended.stderr.lines().collect();
    let allowed = rustix::thread::sched_getaffinity(None).expect("ours");
    let may_use = lines[1].trim_start_matches("  because: this process may use ");
    let count: usize = may_use
        .split(',')
        .map(|run| match run.split_once('-') {
            Some((first, last)) => {
                let number = |word: &str| word.parse::<usize>().expect("a number");
                number(last) - number(first) + 1
            }
            None => 1,
        })
        .sum();
    assert_eq!(count, allowed.count() as usize);
    let remedy = format!("  try:     --affinity {may_use}, or fewer of these");
    assert_eq!(lines[0], "error: cannot pin threads to processor 8000");
    assert_eq!((ended.status, lines[2]), (Some(4), remedy.as_str()));
}

/// Runs a short load on a file to be made with this limit of the shell; the status, and what it
/// said.
fn limited(folder: &Path, limit: &str, engine: &str) -> (Option<i32>, String) {
    let line = format!(
        "ulimit {limit} && exec \"$0\" run random-read-4k --engine {engine} --size 1MiB --ios 10 \
         --warm-up 0s --queue-depth 1 --no-save --quiet --no-live --target new"
    );
    let ended = std::process::Command::new("sh")
        .args(["-c", &line, env!("CARGO_BIN_EXE_fathom")])
        .current_dir(folder)
        .output()
        .expect("there is a shell");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    (ended.status.code(), said)
}

/// With fewer, the guard sees no process that uses the target and the result lacks its doubts.
#[test]
fn too_few_descriptors_are_refused_before_anything_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    for limit in [12, 16, 24] {
        let (status, said) = limited(folder.path(), &format!("-n {limit}"), "psync");
        let first =
            format!("error: the limit of {limit} open files (ulimit -n) is too low for this run");
        let because = "  because: the checks of the targets and the device counters could not be \
                       read";
        let lines: Vec<&str> = said.lines().take(2).collect();
        assert_eq!((status, lines), (Some(4), vec![first.as_str(), because]));
        assert!(!folder.path().join("new").exists());
    }
    let enough = limited(folder.path(), "-n 64", "psync");
    assert_eq!(enough, (Some(0), String::new()));
}

/// Later, an allocation that fails would end the process, and its file would stay.
#[test]
fn too_little_memory_is_refused_before_anything_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = "error: this run needs 18 MiB of memory\n  because: the system has no more, or this \
                process is not allowed more\n  try:     use fewer threads, or higher limits \
                (ulimit -d, ulimit -v)\n";
    for engine in ["psync", "libaio", "io_uring"] {
        let ended = limited(folder.path(), "-d 20000", engine);
        assert_eq!(ended, (Some(4), said.to_owned()), "{engine}");
        assert!(!folder.path().join("new").exists());
    }
}
