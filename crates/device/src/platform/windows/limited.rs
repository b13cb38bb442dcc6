//! A program that is waited for no longer than a time.

use std::io::{self, Read as _};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// What a program prints within a time, and how it ends. One that takes longer is killed.
///
/// # Errors
///
/// [`io::ErrorKind::TimedOut`], and what else the system said.
pub(super) fn output_within(
    mut command: Command,
    limit: Duration,
) -> io::Result<(Vec<u8>, ExitStatus)> {
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    let mut stdout = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
    let (sender, receiver) = mpsc::channel();
    // What the program starts may keep its output open after its end, so nobody waits for the
    // thread.
    thread::spawn(move || {
        let mut printed = Vec::new();
        let read = stdout.read_to_end(&mut printed).map(|_| printed);
        let _ = sender.send(read);
    });
    let printed = receiver.recv_timeout(limit);
    if printed.is_err() {
        // It may have ended meanwhile.
        let _ = child.kill();
    }
    let status = child.wait()?;
    let printed = printed.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?;
    Ok((printed, status))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command;

    #[test]
    fn a_program_that_does_not_end_is_killed() {
        let script = |text: &str| {
            let mut shell = command("sh");
            shell.args(["-c", text]);
            shell
        };
        for (text, printed, status) in [
            ("echo told", "told\n", 0),
            ("echo told; exit 3", "told\n", 3),
            ("exit 3", "", 3),
        ] {
            let ended = output_within(script(text), Duration::from_mins(10)).expect("it ends");
            let seen = (String::from_utf8_lossy(&ended.0), ended.1.code());
            assert_eq!(seen, (printed.into(), Some(status)), "{text}");
        }
        let endless = script("kill -STOP $$");
        let error = output_within(endless, Duration::ZERO).expect_err("it does not end");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let missing = output_within(command("no-such-program"), Duration::ZERO);
        assert_eq!(
            missing.expect_err("it is not there").kind(),
            io::ErrorKind::NotFound
        );
    }
}
