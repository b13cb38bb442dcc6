//! A terminal taken over: keys come in one by one, pictures go out, and nothing here waits for
//! either. Somebody who stops reading, or a connection that hangs, must not hold up a measurement.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// To the alternate screen, without a cursor.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l";
/// Plain colours, with a cursor, back to the screen of before.
const LEAVE: &[u8] = b"\x1b[0m\x1b[?25h\x1b[?1049l";
const CLEAR: &[u8] = b"\x1b[2J";
const ESCAPE: u8 = 0x1b;
/// How long a terminal may keep us from leaving it in order.
const PATIENCE: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};

/// The controlling terminal, until this is dropped.
pub(crate) struct Tty {
    taken: Arc<Taken>,
    /// What the terminal has not accepted yet.
    pending: Vec<u8>,
}

/// What is needed to give the terminal back.
struct Taken {
    /// Open for our own use only, so that nobody else's reads and writes stop waiting.
    file: File,
    before: Termios,
    is_raw: AtomicBool,
}

impl Tty {
    /// Takes the terminal.
    pub(crate) fn take() -> io::Result<Self> {
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        #[expect(
            clippy::disallowed_methods,
            reason = "the terminal, which keeps nothing"
        )]
        let file = File::from(rustix::fs::open("/dev/tty", flags, Mode::empty())?);
        let before = tcgetattr(&file)?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(&file, OptionalActions::Now, &raw)?;
        let taken = Arc::new(Taken {
            file,
            before,
            is_raw: AtomicBool::new(true),
        });
        give_back_before_panics(Arc::clone(&taken));
        let mut tty = Self {
            taken,
            pending: Vec::new(),
        };
        tty.show(ENTER);
        Ok(tty)
    }

    /// Columns and rows.
    pub(crate) fn size(&self) -> (u16, u16) {
        let size = tcgetwinsize(&self.taken.file);
        size.map_or((0, 0), |size| (size.ws_col, size.ws_row))
    }

    /// The keys typed since the last call, as bytes. Function keys and the like, which come as
    /// sequences, are left out; Esc alone is a key.
    pub(crate) fn keys(&mut self) -> Vec<u8> {
        let mut bytes = [0; 64];
        // Nothing typed and a terminal that is gone look alike: there is no key.
        let length = (&self.taken.file).read(&mut bytes).unwrap_or(0);
        plain_keys(&bytes[..length]).to_vec()
    }

    /// Whether it has accepted all that was shown so far.
    pub(crate) fn is_ready(&mut self) -> bool {
        self.push();
        self.pending.is_empty()
    }

    /// Shows bytes now or a little later.
    pub(crate) fn show(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        self.push();
    }

    /// Empties the screen.
    pub(crate) fn clear(&mut self) {
        self.show(CLEAR);
    }

    fn push(&mut self) {
        while !self.pending.is_empty() {
            match (&self.taken.file).write(&self.pending) {
                Ok(length) => drop(self.pending.drain(..length)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // It is gone: there is nobody to show anything to.
                Err(_) => self.pending.clear(),
            }
        }
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        self.taken.give_back();
    }
}

impl Taken {
    /// Leaves the terminal as it was found; only once, whoever comes first.
    fn give_back(&self) {
        if !self.is_raw.swap(false, Ordering::AcqRel) {
            return;
        }
        // What was pending is left out: the next escape ends any sequence that was cut.
        let mut rest = LEAVE;
        while !rest.is_empty() {
            match (&self.file).write(rest) {
                Ok(length) => rest = &rest[length..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let mut fds = [PollFd::new(&self.file, PollFlags::OUT)];
                    if !matches!(poll(&mut fds, Some(&PATIENCE)), Ok(1..)) {
                        break;
                    }
                }
                Err(_) => break,
            }
        }
        // A terminal that is gone needs no settings.
        let _ = tcsetattr(&self.file, OptionalActions::Now, &self.before);
    }
}

/// The message of a panic would go to a screen that is about to vanish.
fn give_back_before_panics(taken: Arc<Taken>) {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        taken.give_back();
        print(info);
    }));
}

/// The keys before the first sequence.
fn plain_keys(typed: &[u8]) -> &[u8] {
    let sequence = typed.iter().position(|byte| *byte == ESCAPE);
    let sequence = sequence.filter(|begin| begin + 1 < typed.len());
    &typed[..sequence.unwrap_or(typed.len())]
}

#[cfg(test)]
mod tests {
    use super::plain_keys;

    #[test]
    fn only_escape_alone_is_a_key() {
        let cases: [(&[u8], &[u8]); 5] = [
            (b"q?", b"q?"),
            (b"\x1b", b"\x1b"),
            (b"p\x1b", b"p\x1b"),
            (b"p\x1b[A", b"p"),
            (b"", b""),
        ];
        for (typed, expected) in cases {
            assert_eq!(plain_keys(typed), expected);
        }
    }
}
