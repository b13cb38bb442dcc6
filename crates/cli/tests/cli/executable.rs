//! Files that tests execute.
//!
//! A file that is open for writing cannot be executed ("text file busy"). While one test writes a
//! file, another may start a process, which holds the descriptor until it executes its program.
//! So another process writes the file: its descriptors are never ours to hand on.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Copies a program to where it can be executed at once.
pub(crate) fn copy_program(from: &Path, to: &Path) {
    let mut install = Command::new("install");
    install.args(["-m", "755", "--"]).arg(from).arg(to);
    assert!(install.status().expect("install is there").success());
}

/// Writes a script that can be executed at once.
pub(crate) fn write_script(path: &Path, text: &str) {
    let mut install = Command::new("install");
    install.args(["-m", "755", "--", "/dev/stdin"]).arg(path);
    let mut install = install
        .stdin(Stdio::piped())
        .spawn()
        .expect("install is there");
    let mut stdin = install.stdin.take().expect("a pipe");
    stdin.write_all(text.as_bytes()).expect("it reads");
    drop(stdin);
    assert!(install.wait().expect("it ends").success());
}
