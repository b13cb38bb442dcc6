//! Streams that are there, waited for together.

use super::words::words;
use crate::link::End;
use crate::seal::{Seal, SealError};
use crate::token::SealKey;
use crate::transport::{Arrival, Key};
use fathom_core::Nanos;
use fathom_core::foreign::visible;
use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use rustix::fs::OFlags;
use std::collections::BTreeMap;
use std::io;
use std::net::TcpStream;
use std::os::fd::{AsFd, OwnedFd};

/// Events taken at once.
const EVENTS: usize = 1024;
/// Bytes read at once.
const CHUNK: usize = 64 << 10;
/// Bytes of what a launcher says on standard error that are kept.
const SAID: usize = 4096;
/// The key under which others wait for a descriptor of their own.
pub(super) const OTHER: u64 = u64::MAX;

/// Which end of a stream an event is of.
const READ: u64 = 0;
const WRITE: u64 = 1;
const ERRORS: u64 = 2;

#[derive(Debug)]
struct Stream {
    read: OwnedFd,
    /// Where to write, if not where it is read from.
    write: Option<OwnedFd>,
    errors: Option<OwnedFd>,
    outgoing: Vec<u8>,
    said: Vec<u8>,
    waits_to_write: bool,
    is_closing: bool,
    /// How many of the next frames the other end has already.
    muted: usize,
    sealing: Sealing,
}

/// Whether a stream is sealed.
#[derive(Debug)]
enum Sealing {
    Never,
    /// From the moment on in which both ends have shown that they know the token.
    Later,
    Now(Box<Seal>),
}

/// Streams, waited for together.
#[derive(Debug)]
pub struct Streams {
    epoll: OwnedFd,
    open: BTreeMap<Key, Stream>,
    chunk: Vec<u8>,
    /// What somebody else has read of streams.
    received: Vec<(Key, Vec<u8>)>,
    /// Streams that ended while something was sent.
    broken: Vec<(Key, String)>,
}

impl Stream {
    /// What is in the bytes that came.
    fn open(&mut self, bytes: &[u8]) -> Result<Vec<u8>, SealError> {
        let Sealing::Now(seal) = &mut self.sealing else {
            return Ok(bytes.to_vec());
        };
        let mut plain = Vec::new();
        seal.open(bytes, &mut plain, &mut self.outgoing)?;
        Ok(plain)
    }
}

fn never_block(fd: &OwnedFd) -> io::Result<()> {
    let flags = rustix::fs::fcntl_getfl(fd)?;
    Ok(rustix::fs::fcntl_setfl(fd, flags | OFlags::NONBLOCK)?)
}

const fn data(key: Key, end: u64) -> epoll::EventData {
    epoll::EventData::new_u64((key as u64) << 2 | end)
}

impl Streams {
    /// None.
    ///
    /// # Errors
    ///
    /// If the system gives no set to wait on.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            epoll: epoll::create(epoll::CreateFlags::CLOEXEC)?,
            open: BTreeMap::new(),
            chunk: vec![0; CHUNK],
            received: Vec::new(),
            broken: Vec::new(),
        })
    }

    /// Adds a stream; `write` where it is written to another file than it is read from, `errors`
    /// where its error output can be read.
    ///
    /// # Errors
    ///
    /// If the system does not let it be waited for.
    pub fn add(
        &mut self,
        key: Key,
        read: OwnedFd,
        write: Option<OwnedFd>,
        errors: Option<OwnedFd>,
    ) -> io::Result<()> {
        for fd in [Some(&read), write.as_ref(), errors.as_ref()]
            .into_iter()
            .flatten()
        {
            never_block(fd)?;
        }
        epoll::add(&self.epoll, &read, data(key, READ), epoll::EventFlags::IN)?;
        if let Some(errors) = &errors {
            let flags = epoll::EventFlags::IN;
            epoll::add(&self.epoll, errors, data(key, ERRORS), flags)?;
        }
        let stream = Stream {
            read,
            write,
            errors,
            outgoing: Vec::new(),
            said: Vec::new(),
            waits_to_write: false,
            is_closing: false,
            muted: 0,
            sealing: Sealing::Never,
        };
        self.open.insert(key, stream);
        Ok(())
    }

    /// Adds a connection. Between machines it is one that [seals](Self::seals); within one nobody
    /// can read it who could not read the memory of both ends, and `fathom-mpi` sums reports there.
    ///
    /// # Errors
    ///
    /// If the connection has ended, or the system does not let it be waited for.
    pub fn add_connection(&mut self, key: Key, stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let is_within = stream.peer_addr()?.ip().to_canonical().is_loopback();
        self.add(key, OwnedFd::from(stream), None, None)?;
        if !is_within {
            self.seal_later(key);
        }
        Ok(())
    }

    /// Goes on with a stream of a server, of which somebody else has read these bytes and sent so
    /// many frames. It is one that [seals](Self::seals).
    pub fn go_on(&mut self, key: Key, received: Vec<u8>, sent: usize) {
        if let Some(stream) = self.open.get_mut(&key) {
            stream.muted = sent;
            self.received.push((key, received));
        }
        self.seal_later(key);
    }

    /// What follows the handshake on this stream is to be sealed.
    pub fn seal_later(&mut self, key: Key) {
        if let Some(stream) = self.open.get_mut(&key) {
            stream.sealing = Sealing::Later;
        }
    }

    /// Whether what follows the handshake is sealed on this stream.
    pub fn seals(&self, key: Key) -> bool {
        let sealing = self.open.get(&key).map(|stream| &stream.sealing);
        sealing.is_some_and(|sealing| !matches!(sealing, Sealing::Never))
    }

    /// The handshake is over: what follows is sealed, on a stream that [seals](Self::seals). Of
    /// that `came` has been read already.
    pub fn seal(&mut self, key: Key, end: End, with: &SealKey, came: &[u8]) {
        let Some(stream) = self.open.get_mut(&key) else {
            return;
        };
        if !matches!(stream.sealing, Sealing::Later) {
            return;
        }
        let begun = Seal::new(end, with, &mut stream.outgoing).and_then(|mut seal| {
            let mut plain = Vec::new();
            seal.open(came, &mut plain, &mut stream.outgoing)?;
            stream.sealing = Sealing::Now(Box::new(seal));
            Ok(plain)
        });
        match begun {
            Ok(plain) if plain.is_empty() => {}
            Ok(plain) => self.received.push((key, plain)),
            Err(error) => {
                self.send_on(key);
                self.open.remove(&key);
                self.broken.push((key, error.to_string()));
            }
        }
        self.send_on(key);
    }

    /// Waits for a descriptor that is no stream too; [`Self::poll`] says whether it is ready.
    ///
    /// # Errors
    ///
    /// If the system does not let it be waited for.
    pub fn watch(&mut self, fd: impl AsFd) -> io::Result<()> {
        let data = epoll::EventData::new_u64(OTHER);
        Ok(epoll::add(&self.epoll, fd, data, epoll::EventFlags::IN)?)
    }

    /// Does not wait for that descriptor any more.
    ///
    /// # Errors
    ///
    /// If it was not waited for.
    pub fn forget(&mut self, fd: impl AsFd) -> io::Result<()> {
        Ok(epoll::delete(&self.epoll, fd)?)
    }

    /// How many streams there are.
    pub fn count(&self) -> usize {
        self.open.len()
    }

    /// Waits until something happens, for `wait` at most; whether the other descriptor is ready.
    ///
    /// # Errors
    ///
    /// If the system does not let it wait.
    pub fn poll(&mut self, wait: Nanos, arrivals: &mut Vec<Arrival>) -> io::Result<bool> {
        if !self.received.is_empty() {
            let received = self.received.drain(..);
            arrivals.extend(received.map(|(key, bytes)| Arrival::Bytes(key, bytes)));
            // What follows may be sealed: these bytes say so.
            return Ok(false);
        }
        let broken = std::mem::take(&mut self.broken).into_iter();
        arrivals.extend(broken.map(|(key, why)| Arrival::Closed(key, why)));
        let wait = if arrivals.is_empty() {
            wait
        } else {
            Nanos::ZERO
        };
        let limit = Timespec {
            tv_sec: (wait.0 / 1_000_000_000) as i64,
            tv_nsec: (wait.0 % 1_000_000_000) as i64,
        };
        let mut events = Vec::with_capacity(EVENTS);
        match epoll::wait(&self.epoll, spare_capacity(&mut events), Some(&limit)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(false),
            Err(errno) => return Err(errno.into()),
        }
        let mut other = false;
        let writable = epoll::EventFlags::OUT | epoll::EventFlags::ERR | epoll::EventFlags::HUP;
        for event in events {
            let (event, flags) = (event.data.u64(), event.flags);
            if event == OTHER {
                other = true;
                continue;
            }
            let (key, end) = ((event >> 2) as Key, event & 3);
            match end {
                ERRORS => self.read_errors(key),
                WRITE => self.write_on(key),
                _ => {
                    if flags.intersects(writable) {
                        self.write_on(key);
                    }
                    self.read(key, arrivals);
                }
            }
        }
        Ok(other)
    }

    fn read(&mut self, key: Key, arrivals: &mut Vec<Arrival>) {
        let Some(stream) = self.open.get_mut(&key) else {
            return;
        };
        if stream.is_closing && stream.write.is_none() {
            return;
        }
        let why = match rustix::io::read(&stream.read, &mut self.chunk) {
            Ok(0) => String::new(),
            Ok(count) => match stream.open(&self.chunk[..count]) {
                Ok(bytes) => {
                    if !bytes.is_empty() {
                        arrivals.push(Arrival::Bytes(key, bytes));
                    }
                    return self.send_on(key);
                }
                Err(error) => {
                    self.send_on(key);
                    error.to_string()
                }
            },
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => return,
            Err(errno) => words(&errno.into()),
        };
        self.read_errors(key);
        let said = self.open.remove(&key).map(|stream| stream.said);
        let said = last_line(&said.unwrap_or_default());
        let why = [said, why].into_iter().find(|why| !why.is_empty());
        let why = why.unwrap_or_else(|| "its connection ended".to_owned());
        arrivals.push(Arrival::Closed(key, why));
    }

    fn read_errors(&mut self, key: Key) {
        let Some(stream) = self.open.get_mut(&key) else {
            return;
        };
        let Some(errors) = &stream.errors else { return };
        match rustix::io::read(errors, &mut self.chunk) {
            Ok(0) => stream.errors = None,
            Ok(count) => {
                stream.said.extend(&self.chunk[..count]);
                let more = stream.said.len().saturating_sub(SAID);
                stream.said.drain(..more);
            }
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
            Err(_) => stream.errors = None,
        }
    }

    /// Sends bytes; what the system does not take now it takes later.
    pub fn send(&mut self, key: Key, bytes: &[u8]) {
        if let Some(stream) = self.open.get_mut(&key) {
            if stream.muted > 0 {
                stream.muted -= 1;
                return;
            }
            match &mut stream.sealing {
                Sealing::Now(seal) => seal.seal(bytes, &mut stream.outgoing),
                Sealing::Never | Sealing::Later => stream.outgoing.extend(bytes),
            }
            self.send_on(key);
        }
    }

    /// Hands what is to be sent to the system, unless it has said that it takes nothing now.
    fn send_on(&mut self, key: Key) {
        let stream = self.open.get(&key);
        if stream.is_some_and(|stream| !stream.waits_to_write && !stream.outgoing.is_empty()) {
            self.write_on(key);
        }
    }

    /// Bytes that were sent and that the system has not taken yet.
    pub fn backlog(&self, key: Key) -> usize {
        self.open
            .get(&key)
            .map_or(0, |stream| stream.outgoing.len())
    }

    /// Ends a stream when all has been sent.
    pub fn close(&mut self, key: Key) {
        if let Some(stream) = self.open.get_mut(&key) {
            stream.is_closing = true;
            let is_one = stream.write.is_none();
            // What comes is read no more: the other end may send more than anybody can read.
            if stream.outgoing.is_empty() || is_one && self.wait_to_write(key, true).is_err() {
                self.open.remove(&key);
            }
        }
    }

    /// Whether a stream is there.
    pub fn contains(&self, key: Key) -> bool {
        self.open.contains_key(&key)
    }

    fn write_on(&mut self, key: Key) {
        let Some(stream) = self.open.get_mut(&key) else {
            return;
        };
        let fd = stream.write.as_ref().unwrap_or(&stream.read);
        let mut sent = 0;
        let failed = loop {
            if sent == stream.outgoing.len() {
                break None;
            }
            match rustix::io::write(fd, &stream.outgoing[sent..]) {
                Ok(count) => sent += count,
                Err(rustix::io::Errno::AGAIN) => break None,
                Err(rustix::io::Errno::INTR) => {}
                Err(errno) => break Some(io::Error::from(errno).to_string()),
            }
        };
        stream.outgoing.drain(..sent);
        if let Some(why) = failed {
            // What the other end said before it left tells more; reading finds that, or the end.
            stream.outgoing.clear();
            if stream.write.is_none() {
                self.open.remove(&key);
                self.broken.push((key, why));
                return;
            }
        }
        let stays = !stream.outgoing.is_empty();
        if !stays && stream.is_closing {
            self.open.remove(&key);
            return;
        }
        if stays != stream.waits_to_write && self.wait_to_write(key, stays).is_err() {
            self.open.remove(&key);
            let why = "its connection cannot be waited for".to_owned();
            self.broken.push((key, why));
        }
    }

    fn wait_to_write(&mut self, key: Key, wait: bool) -> io::Result<()> {
        let Some(stream) = self.open.get_mut(&key) else {
            return Ok(());
        };
        stream.waits_to_write = wait;
        match &stream.write {
            Some(write) if wait => {
                let flags = epoll::EventFlags::OUT;
                epoll::add(&self.epoll, write, data(key, WRITE), flags)?;
            }
            Some(write) => epoll::delete(&self.epoll, write)?,
            None => {
                let mut flags = epoll::EventFlags::empty();
                flags.set(epoll::EventFlags::IN, !stream.is_closing);
                flags.set(epoll::EventFlags::OUT, wait);
                epoll::modify(&self.epoll, &stream.read, data(key, READ), flags)?;
            }
        }
        Ok(())
    }
}

/// The last line that says anything, as a reason.
fn last_line(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let lines = text.lines().map(str::trim);
    let last = lines.rev().find(|line| !line.is_empty());
    visible(last.unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_reason() {
        let said = b"Warning: added\r\nssh: connect to host db9 port 22: refused\r\n\r\n";
        assert_eq!(last_line(said), "ssh: connect to host db9 port 22: refused");
        assert_eq!(last_line(b""), "");
        assert_eq!(last_line(b"\x1b[2Jrefused\n"), "\\u001b[2Jrefused");
    }
}
