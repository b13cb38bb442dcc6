//! Every rank but 0: a member, whose standard streams go to rank 0.

use crate::post::Post;
use crate::wire::{Wire, carry};
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::process::{Command, ExitCode, Stdio};

pub(crate) fn run(fathom: &OsStr, rank: i32, post: &Post<'_>) -> io::Result<ExitCode> {
    let mut secret = Vec::new();
    post.broadcast(&mut secret);
    if secret.is_empty() {
        // The coordinator said why there is nothing to do.
        return Ok(ExitCode::SUCCESS);
    }
    let mut child = Command::new(fathom)
        .arg("member")
        .env("FATHOM_RANK", rank.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_start(fathom, &error))?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (mut input, output) = input
        .zip(output)
        .ok_or_else(|| io::Error::other("no pipe"))?;
    secret.push(b'\n');
    // A member that has gone already is told of by the end of its stream.
    let _ = input.write_all(&secret);
    carry(&mut [Wire::to_process(0, input, output)], post)?;
    child.wait()?;
    // What became of it, the coordinator knows and says.
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn cannot_start(fathom: &OsStr, error: &io::Error) -> io::Error {
    let name = fathom.display();
    io::Error::other(format!(
        "cannot start {name}: {error}; FATHOM=PATH says where it is"
    ))
}
