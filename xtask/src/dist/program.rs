//! Programs of the system that make what no crate of ours makes.

use std::ffi::OsStr;
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};

/// Whether a program can be started.
pub fn is_there(name: &str) -> bool {
    Command::new(name).arg("--version").output().is_ok()
}

/// Runs it to a good end, and gives what it printed.
pub fn output(command: &mut Command) -> Result<Vec<u8>> {
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .output()
        .with_context(|| format!("cannot run {}", name(command)))?;
    ensure!(
        status.success(),
        "{command:?} ended with {status}: {}{}",
        String::from_utf8_lossy(&stdout),
        String::from_utf8_lossy(&stderr).trim()
    );
    Ok(stdout)
}

/// The same as text.
pub fn text(command: &mut Command) -> Result<String> {
    let told = output(command)?;
    String::from_utf8(told).with_context(|| format!("{} printed no UTF-8", name(command)))
}

fn name(command: &Command) -> String {
    let program: &OsStr = command.get_program();
    program.to_string_lossy().into_owned()
}
