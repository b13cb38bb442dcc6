//! The live view on a terminal of its own: it is drawn, hears keys, and gives the terminal back.

use crate::command::{Cli, OnTerminal};
use crate::document::{fields, read};
use crate::loads::{LONG, with};
use rustix::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{InputModes, LocalModes, OutputModes, Winsize, tcgetattr, tcsetwinsize};
use serde_json::{Value, json};
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{Read as _, Write as _};
use tempfile::TempDir;

/// A run that ends by a signal alone, and leaves a result then.
fn long() -> Vec<&'static str> {
    with(LONG, &["--target", ".", "--output", "json:result.json"])
}

const ENTER: &str = "\u{1b}[?1049h";
const LEAVE: &str = "\u{1b}[?1049l";

/// Words that say that requests are measured: the first picture, which names the workload, and
/// then a row of the table. Pictures are drawn by their differences, so that only a word in an
/// empty place appears whole.
const MEASURED: [(&str, &str); 2] = [("p99.9", ""), ("read", "")];

/// The program on a terminal of 80 x 24, and our side of it.
struct Stage {
    ours: File,
    /// Path of the other side.
    theirs: CString,
    before: (LocalModes, InputModes, OutputModes),
    running: OnTerminal,
}

impl Stage {
    fn new() -> Self {
        Self::prepared(&long(), |_| ())
    }

    fn prepared(words: &[&str], prepare: impl Fn(&File)) -> Self {
        Self::of(Cli::new(words), prepare)
    }

    fn of(program: Cli, prepare: impl Fn(&File)) -> Self {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let ours = openpt(flags).expect("a terminal");
        grantpt(&ours).expect("it is ours");
        unlockpt(&ours).expect("it is ours");
        let path = ptsname(&ours, Vec::new()).expect("it has a name");
        let theirs = other_side(&path);
        let size = Winsize {
            ws_row: 24,
            ws_col: 80,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&theirs, size).expect("a size");
        prepare(&theirs);
        Self {
            ours: File::from(ours),
            theirs: path,
            before: settings(&theirs),
            running: program.start_on_terminal(theirs),
        }
    }

    /// Reads what is drawn. At each step it waits for a word, then types a key; gives what was
    /// drawn until the last step was done, or the program had left.
    fn play(&mut self, steps: &[(&str, &str)]) -> String {
        let mut drawn = String::new();
        let mut seen = 0;
        let mut steps = steps.iter().peekable();
        let mut bytes = [0; 4096];
        while steps.peek().is_some() {
            // Reading fails when nobody holds the other side any more.
            let Ok(length) = self.ours.read(&mut bytes) else {
                break;
            };
            drawn.push_str(&String::from_utf8_lossy(&bytes[..length]));
            while let Some((word, key)) = steps.peek()
                && let Some(at) = drawn[seen..].find(word)
            {
                self.ours.write_all(key.as_bytes()).expect("it is open");
                seen += at + word.len();
                steps.next();
            }
        }
        drawn
    }

    /// Reads to the end.
    fn end(mut self) -> (Option<i32>, String, TempDir) {
        let drawn = self.play(&[("\u{0}", "")]);
        let after = settings(&other_side(&self.theirs));
        assert_eq!(after, self.before, "the terminal is as it was");
        let (status, folder) = self.running.status();
        (status, drawn, folder)
    }
}

fn other_side(path: &CStr) -> File {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    File::from(rustix::fs::open(path, flags, Mode::empty()).expect("it is there"))
}

/// The settings that a program changes to read single keys.
fn settings(terminal: &File) -> (LocalModes, InputModes, OutputModes) {
    let settings = tcgetattr(terminal).expect("settings");
    (
        settings.local_modes,
        settings.input_modes,
        settings.output_modes,
    )
}

/// Why the measurement of the result ended.
fn ended_by(folder: &TempDir) -> Value {
    let result = read(&folder.path().join("result.json"));
    fields(&result, &["phases.0.ended_by"])
}

#[test]
fn a_key_ends_the_run_and_reports() {
    let mut stage = Stage::new();
    let begin = stage.play(&MEASURED);
    let quit = stage.play(&[("", "q")]);
    let (status, end, folder) = stage.end();
    let drawn = begin + &quit + &end;
    let screens = [ENTER, LEAVE].map(|sequence| drawn.matches(sequence).count());
    assert_eq!((status, screens), (Some(0), [1, 1]));
    assert_eq!(ended_by(&folder), json!(["interrupted"]));
}

#[test]
fn control_c_is_an_interruption() {
    let mut stage = Stage::new();
    stage.play(&MEASURED);
    stage.play(&[("", "\u{3}")]);
    let (status, _, folder) = stage.end();
    assert_eq!(status, Some(130));
    assert_eq!(ended_by(&folder), json!(["interrupted"]));
}

#[test]
fn help_and_pause_are_drawn() {
    let mut stage = Stage::new();
    stage.play(&MEASURED);
    stage.play(&[("", "?"), ("once", "p"), ("PAUSED", "q")]);
    let (status, ..) = stage.end();
    assert_eq!(status, Some(0));
}

#[test]
fn a_terminal_that_is_gone_ends_the_run_and_reports() {
    let mut stage = Stage::new();
    stage.play(&MEASURED);
    drop(stage.ours);
    let (status, folder) = stage.running.status();
    assert_eq!(status, Some(130));
    assert_eq!(ended_by(&folder), json!(["interrupted"]));
}

/// What is said on standard error has the lines of the terminal, whoever says it.
#[test]
fn problems_and_notes_keep_to_the_width_of_the_terminal() {
    let cases: [&[&str]; 4] = [
        &["run", "ms-oltp", "--rate", "100M"],
        &["quick", "/a-directory-that-is-not-there"],
        &[
            "run",
            "no-such-profile-of-all-that-there-are-here-or-elsewhere",
        ],
        &[
            "convert",
            "--from",
            "fio",
            "--to",
            "diskspd",
            "--",
            "--name=x",
            "--rw=randread",
            "--bs=4k",
            "--size=64m",
            "--iodepth=8",
            "--numjobs=2",
            "--time_based=1",
            "--runtime=10",
            "--zero_buffers=1",
            "--filename=x.dat",
            "--percentage_random=50",
        ],
    ];
    for words in cases {
        let (_, drawn, _) = Stage::prepared(words, |_| ()).end();
        let widths = drawn.lines().map(|line| line.trim_end().chars().count());
        let widest = widths.max().unwrap_or(0);
        assert!((1..=80).contains(&widest), "{widest} {words:?}\n{drawn}");
    }
}

/// It would show what moves its cursor as text.
#[test]
fn nothing_is_drawn_on_a_dumb_terminal() {
    let words = [&long()[..], &["--ios", "100"]].concat();
    let program = Cli::new(words).with("TERM", "dumb");
    let (status, lines, folder) = Stage::of(program, |_| ()).end();
    assert_eq!(status, Some(0));
    assert_eq!(ended_by(&folder), json!(["amount"]));
    assert_eq!(lines.matches('\u{1b}').count(), 0, "{lines}");
}

#[test]
fn a_terminal_that_nobody_reads_holds_nothing_up() {
    let full = |theirs: &File| {
        let flags = fcntl_getfl(theirs).expect("flags");
        fcntl_setfl(theirs, flags | OFlags::NONBLOCK).expect("flags");
        while { theirs }.write(&[b' '; 4096]).is_ok() {}
        fcntl_setfl(theirs, flags).expect("flags");
    };
    let words = [&long()[..], &["--ios", "100"]].concat();
    let stage = Stage::prepared(&words, full);
    let (status, folder) = stage.running.status();
    assert_eq!(status, Some(0));
    assert_eq!(ended_by(&folder), json!(["amount"]));
}
