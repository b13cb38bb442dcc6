//! The one door to other programs.

use std::ffi::OsStr;
use std::process::Command;

use crate::platform::receive_all;

/// The variable that names the parent with which a process of this program is to end.
pub const PARENT: &str = "FATHOM_PARENT";

/// A command whose process receives every signal, and ends with nobody unless it is given
/// [`PARENT`].
///
/// A process inherits the signals that the thread which starts it keeps from itself, and this
/// program does so ([`crate::blocked::leave_signals`]). Without this door a program that it starts
/// would not end by Ctrl-C or SIGTERM.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    #[expect(clippy::disallowed_methods, reason = "this is the door")]
    let mut command = Command::new(program);
    receive_all(&mut command);
    command.env_remove(PARENT);
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocked::leave_signals;

    #[test]
    fn a_process_receives_what_the_thread_that_starts_it_does_not() {
        let masks = std::thread::spawn(|| {
            leave_signals(&[libc::SIGINT, libc::SIGTERM]).expect("they are signals");
            let mask = |mut command: Command| {
                let status = command.args(["SigBlk", "/proc/self/status"]).output();
                let text = String::from_utf8(status.expect("grep is there").stdout);
                let text = text.expect("a line of digits");
                let digits = text.trim_start_matches("SigBlk:").trim();
                u64::from_str_radix(digits, 16).expect("a mask")
            };
            (mask(Command::new("grep")), mask(command("grep")))
        });
        let (inherited, received) = masks.join().expect("no panic");
        let both = 1 << (libc::SIGINT - 1) | 1 << (libc::SIGTERM - 1);
        assert_eq!((inherited & both, received), (both, 0));
    }
}
