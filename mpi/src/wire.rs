//! Streams of bytes, each of which belongs to another rank.

use crate::post::{Letter, MOST};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::os::fd::{AsFd as _, OwnedFd};
use std::process::{ChildStdin, ChildStdout};

/// So often nothing may have come before it is waited for: whoever reads a clock is answered at
/// once, and whoever measures has the processors for itself.
const SPINS: u32 = 2000;
/// The longest wait for a stream, in which no message is looked for.
const PAUSE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 1_000_000,
};
const NOW: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

/// What is written to.
enum Sink {
    Pipe(File),
    Socket(TcpStream),
}

/// One stream.
pub(crate) struct Wire {
    rank: i32,
    /// None when it has ended.
    read: Option<File>,
    /// None when the other rank has said that nothing more comes.
    write: Option<Sink>,
}

impl Wire {
    /// To a process, by its standard streams.
    pub(crate) fn to_process(rank: i32, input: ChildStdin, output: ChildStdout) -> Self {
        Self {
            rank,
            read: Some(File::from(OwnedFd::from(output))),
            write: Some(Sink::Pipe(File::from(OwnedFd::from(input)))),
        }
    }

    pub(crate) fn over_socket(rank: i32, socket: TcpStream) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        let read = File::from(OwnedFd::from(socket.try_clone()?));
        Ok(Self {
            rank,
            read: Some(read),
            write: Some(Sink::Socket(socket)),
        })
    }

    pub(crate) const fn is_over(&self) -> bool {
        self.read.is_none() && self.write.is_none()
    }

    /// What can be read now; an empty message when there is no more.
    fn read(&mut self) -> Option<Letter> {
        let mut bytes = vec![0; MOST];
        // A stream that breaks has ended.
        let length = self.read.as_mut()?.read(&mut bytes).unwrap_or(0);
        bytes.truncate(length);
        if length == 0 {
            self.read = None;
        }
        Some((self.rank, bytes))
    }

    pub(crate) const fn rank(&self) -> i32 {
        self.rank
    }

    /// Writes a message; an empty one is the end.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let written = match &mut self.write {
            Some(Sink::Pipe(file)) => file.write_all(bytes),
            Some(Sink::Socket(socket)) => socket.write_all(bytes),
            None => return,
        };
        // Whoever does not read any more is found to have ended when it is read.
        if bytes.is_empty() || written.is_err() && self.read.is_none() {
            if let Some(Sink::Socket(socket)) = &self.write {
                // It may have ended by itself.
                let _ = socket.shutdown(Shutdown::Write);
            }
            self.write = None;
        }
    }
}

/// How long nothing has come.
#[derive(Default)]
pub(crate) struct Quiet(u32);

impl Quiet {
    /// Whether anything came in this turn.
    pub(crate) fn was(&mut self, anything: bool) {
        self.0 = if anything { 0 } else { self.0 + 1 };
    }

    fn wait(&self) -> &'static Timespec {
        if self.0 < SPINS { &NOW } else { &PAUSE }
    }
}

/// What can be read of the streams; an empty message where one has ended.
pub(crate) fn read(wires: &mut [Wire], quiet: &Quiet) -> io::Result<Vec<Letter>> {
    let mut letters = Vec::new();
    for number in readable(wires, quiet.wait())? {
        letters.extend(wires[number].read());
    }
    Ok(letters)
}

/// The streams of which something can be read.
fn readable(wires: &[Wire], wait: &Timespec) -> io::Result<Vec<usize>> {
    let open = wires.iter().enumerate();
    let open = open.filter_map(|(number, wire)| Some((number, wire.read.as_ref()?)));
    let (numbers, files): (Vec<usize>, Vec<&File>) = open.unzip();
    let fds = files
        .iter()
        .map(|file| PollFd::from_borrowed_fd(file.as_fd(), PollFlags::IN));
    let mut fds: Vec<PollFd<'_>> = fds.collect();
    match poll(&mut fds, Some(wait)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(errno) => return Err(errno.into()),
    }
    let ready = numbers.into_iter().zip(&fds);
    let ready = ready.filter(|(_, fd)| !fd.revents().is_empty());
    Ok(ready.map(|(number, _)| number).collect())
}
