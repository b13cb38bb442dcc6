//! `fathom dd` beside GNU dd: the same operands, and the same bytes, lines and statuses.

use crate::command::Cli;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

/// What both find in their folders: a file to read, and one that is written over.
const FILES: [(&str, usize); 2] = [("in", 10_000), ("there", 5_000)];

/// Lines that both do.
const DONE: &str = "\
if=/dev/zero of=out bs=4k count=3
if=/dev/zero of=out count=7
if=/dev/zero of=out bs=1000 count=3
if=/dev/zero of=out bs=2x512 count=3
if=/dev/zero of=out bs=1kB count=3
if=/dev/zero of=out bs=1KiB count=3
if=/dev/zero of=out bs=4b count=2w
if=/dev/zero of=out bs=4k count=5000B
if=/dev/zero of=out bs=4k count=4096B
if=/dev/zero of=out bs=4k count=3kB
if=/dev/zero of=out bs=4k count=100B
if=/dev/zero of=out bs=4k count=5000 iflag=count_bytes
if=/dev/zero of=out bs=1k count=4 seek=2
if=/dev/zero of=out bs=1k count=4 oseek=2
if=/dev/zero of=out bs=1k count=4 seek=1000B
if=/dev/zero of=out bs=1k count=4 seek=1000 oflag=seek_bytes
if=/dev/zero of=out bs=1k count=1500B seek=1000B
if=/dev/zero of=out ibs=512 obs=1k count=4
if=/dev/zero of=out ibs=512 obs=1k count=5
if=/dev/zero of=out ibs=512 obs=1k count=700B
if=/dev/zero of=out bs=8k ibs=1 obs=2 count=2
if=/dev/zero of=out bs=4k count=3 conv=fsync
if=/dev/zero of=out bs=4k count=3 conv=fdatasync
if=/dev/zero of=out bs=4k count=5000B conv=fsync
if=/dev/zero of=out bs=4k count=3 oflag=dsync
if=/dev/zero of=out bs=4k count=3 oflag=sync
if=/dev/zero of=out bs=4k count=3 conv=excl
if=/dev/zero of=out bs=4k count=3 conv=notrunc
if=/dev/zero of=out bs=4k count=3 iflag=fullblock
if=/dev/zero of=out bs=4k count=3 conv=sync
if=/dev/zero of=out bs=4k count=100B conv=sync
if=/dev/zero of=out ibs=1000 obs=512 count=1500B conv=sync
if=/dev/zero of=out bs=4k count=3 oflag=nocache,nonblock iflag=noctty,dsync
if=/dev/zero of=out bs=4k count=3 seek=2 oflag=skip_bytes,count_bytes
if=/dev/zero of=out bs=1k count=2 seek=2 oflag=append conv=notrunc
if=/dev/zero of=out bs=1k count=2 seek=3 conv=notrunc
if=/dev/zero of=out bs=4k count=3 --
if=/dev/zero of=out bs=4k count=3 status=none
if=/dev/zero of=out bs=4k count=3 status=noxfer
if=/dev/zero of=out bs=1 count=3
if=/dev/zero of=out bs=999 count=1
if=/dev/zero of=out bs=1000 count=1
if=/dev/zero of=out bs=1024 count=1
if=/dev/zero of=out bs=1M count=1
if=/dev/zero of=out bs=4k count=2 bs=1k
if=/dev/zero of=there bs=1k count=2
if=/dev/zero of=there bs=1k count=2 seek=1
if=/dev/zero of=there bs=1k count=2 seek=9
if=/dev/zero of=there bs=1k count=2 conv=notrunc
if=/dev/zero of=there bs=1k count=2 seek=1 conv=notrunc
if=/dev/zero of=there bs=1k count=1500B seek=1 conv=notrunc
if=/dev/zero of=there bs=1k count=9 conv=notrunc
if=/dev/zero of=there bs=1k count=3 seek=4 conv=notrunc
if=/dev/zero of=there bs=1k count=2 seek=9 conv=notrunc
if=/dev/zero of=there bs=10 count=5 seek=10 conv=notrunc
if=/dev/zero of=there bs=1k count=2 conv=nocreat
if=/dev/zero of=there bs=1k count=2 conv=nocreat,notrunc
if=/dev/zero of=there bs=1k count=2 oflag=append
if=/dev/zero of=there bs=1k count=2 oflag=append conv=notrunc
if=in of=/dev/null
if=in of=/dev/null bs=4k
if=in of=/dev/null bs=1000
if=in of=/dev/null bs=1M
if=in of=/dev/null bs=4k count=1
if=in of=/dev/null bs=4k count=2
if=in of=/dev/null bs=4k count=3
if=in of=/dev/null bs=4k count=9
if=in of=/dev/null bs=4k skip=1
if=in of=/dev/null bs=4k skip=2
if=in of=/dev/null bs=4k iseek=1 count=1
if=in of=/dev/null bs=4k skip=1000B
if=in of=/dev/null bs=4k skip=1000 iflag=skip_bytes
if=in of=/dev/null bs=4k skip=1000 count=5000 iflag=skip_bytes,count_bytes
if=in of=/dev/null bs=4k count=5000B
if=in of=/dev/null bs=4k count=5000 iflag=count_bytes
if=in of=/dev/null bs=4k iflag=fullblock
if=in of=/dev/null bs=4k iflag=noatime,nofollow
if=in of=/dev/null bs=4k conv=noerror
if=in of=/dev/null bs=4k conv=noerror,sync
if=in of=/dev/null ibs=3000 obs=1000 conv=sync
if=in of=/dev/null bs=4k iflag=append,seek_bytes,nocache,dsync
if=in of=/dev/null ibs=1000
if=in of=/dev/null bs=4k status=none
if=in of=/dev/null bs=4k status=noxfer";

/// Lines that both refuse.
const REFUSED: &str = "\
if=/dev/zero of=out bs=0 count=1
if=/dev/zero of=out bs=-1 count=1
if=/dev/zero of=out bs=1.5k count=1
if=/dev/zero of=out bs=1m count=1
if=/dev/zero of=out bs=4k count=x
if=/dev/zero of=out bs=4k count=99999999999999999999
if=/dev/zero of=out bs=4k count=1 sek=1
if=/dev/zero of=out bs=4k count=1 stray
if=/dev/zero of=out bs=4k count=1 --quick
if=/dev/zero of=out bs=4k count=1 conv=fdatasnyc
if=/dev/zero of=out bs=4k count=1 oflag=direkt
if=/dev/zero of=out bs=4k count=1 iflag=directs
if=/dev/zero of=out bs=4k count=1 status=quiet
if=/dev/zero of=out bs=4k count=1 conv=excl,nocreat
if=/dev/zero of=there bs=4k count=1 conv=excl
if=/dev/zero of=absent bs=4k count=1 conv=nocreat
if=/dev/zero of=no-folder/out bs=4k count=1
if=/dev/zero of=out bs=4k count=1 oflag=text
if=/dev/zero of=out bs=4k count=1 oflag=fullblock
if=/dev/zero of=there bs=4k count=1 iflag=direct
if=in of=/dev/null bs=4k conv=excl
if=in of=/dev/null bs=4k oflag=direct
if=absent of=/dev/null bs=4k
if=absent of=/dev/null bs=4k count=1";

fn prepare(folder: &Path) {
    for (name, length) in FILES {
        let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8 + 1).collect();
        std::fs::write(folder.join(name), bytes).expect("a file");
    }
}

/// What came of a line: the status, what was said last, and the files.
type DdRun = (Option<i32>, Vec<String>, Vec<Option<Vec<u8>>>);

/// The last line without its times, which differ.
fn without_times(line: &str) -> String {
    let words = line.split_once("copied, ").map(|(words, _)| words);
    words.unwrap_or(line).to_owned()
}

fn outcome(status: Option<i32>, stderr: &str, folder: &Path) -> DdRun {
    let files = ["in", "there", "out", "absent"];
    let files = files.map(|name| std::fs::read(folder.join(name)).ok());
    let lines = stderr.lines().map(without_times).collect();
    (status, lines, files.to_vec())
}

fn gnu(line: &str) -> DdRun {
    let folder = tempfile::tempdir().expect("a folder");
    prepare(folder.path());
    let ended = Command::new("dd")
        .args(line.split(' '))
        .current_dir(folder.path())
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    outcome(ended.status.code(), &stderr, folder.path())
}

fn ours(line: &str) -> DdRun {
    let folder = tempfile::tempdir().expect("a folder");
    prepare(folder.path());
    let own = ["dd", "--no-save", "--overwrite"];
    let words = own.into_iter().chain(line.split(' '));
    let (ended, folder) = Cli::in_folder(folder, words).end();
    outcome(ended.status, &ended.stderr, folder.path())
}

/// Whether there is a dd of GNU whose words are those of 9.1 and later.
fn has_gnu() -> bool {
    let asked = Command::new("dd")
        .args(["if=/dev/null", "count=1B"])
        .output();
    let is_there = asked.is_ok_and(|ended| ended.status.success());
    if !is_there {
        fathom_testing::skip("there is no dd of GNU coreutils 9.1 or later");
    }
    is_there
}

#[test]
fn what_dd_does_is_done_to_the_byte_and_told_to_the_letter() {
    if !has_gnu() {
        return;
    }
    let differing: Vec<(&str, DdRun, DdRun)> = DONE
        .lines()
        .map(|line| (line, gnu(line), ours(line)))
        .filter(|(_, theirs, ours)| theirs != ours)
        .collect();
    let told: Vec<String> = differing
        .iter()
        .map(|(line, theirs, ours)| {
            let files = theirs.2.iter().zip(&ours.2).map(|(a, b)| a == b);
            let files: Vec<bool> = files.collect();
            format!(
                "{line}\n {:?} {:?}\n {:?} {:?} {files:?}",
                theirs.0, theirs.1, ours.0, ours.1
            )
        })
        .collect();
    assert_eq!(told.join("\n"), "");
}

#[test]
fn what_dd_refuses_ends_as_with_dd_and_leaves_everything_as_it_was() {
    if !has_gnu() {
        return;
    }
    for line in REFUSED.lines() {
        let (theirs, ours) = (gnu(line), ours(line));
        assert_eq!((theirs.0, ours.0), (Some(1), Some(1)), "{line}");
        // That there is no such folder is found when the run begins.
        if !line.contains("no-folder") {
            assert_eq!(ours.1, theirs.1, "{line}");
        }
        assert_eq!(ours.2[..2], theirs.2[..2], "{line}");
        assert_eq!(ours.2[2..], [None, None], "{line}");
    }
}

/// dd itself opens its input as standard input first, so it cannot be compared here.
#[test]
fn what_is_open_is_written_as_the_file_that_it_is() {
    let cases = [
        ("of=/dev/stdin", 0, 2048),
        ("of=/dev/stdin conv=notrunc", 0, 5000),
        ("of=/dev/fd/0 seek=1 conv=notrunc", 1024, 5000),
        ("of=/dev/stdin oflag=append conv=notrunc", 5000, 7048),
    ];
    for (output, at, length) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("there");
        std::fs::write(&path, vec![1; 5000]).expect("it is written");
        let mut options = File::options();
        let file = options
            .read(true)
            .write(true)
            .open(&path)
            .expect("it is there");
        let words = format!("dd --no-save --overwrite if=/dev/zero bs=1k count=2 {output}");
        let (ended, _folder) = Cli::line_in(folder, words).fed(file).end();
        assert_eq!(ended.status, Some(0), "{output}: {}", ended.stderr);
        let mut expected = vec![1; 5000];
        expected.resize(length, 0);
        expected[at..at + 2048].fill(0);
        assert_eq!(
            std::fs::read(&path).expect("it is there"),
            expected,
            "{output}"
        );
    }
}
