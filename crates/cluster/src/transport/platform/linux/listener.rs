//! Members that come to the coordinator over TCP.

use super::Streams;
use crate::limits;
use crate::link::End;
use crate::token::SealKey;
use crate::transport::{Arrival, Key, Transport};
use fathom_core::Nanos;
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit, setrlimit};
use std::collections::BTreeSet;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};

/// Takes all who connect, of those who have not shown that they know the token at most
/// [`limits::STRANGERS`] at once. The others wait in the queue of the system, as they do where this
/// process may open no more files.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    streams: Streams,
    next: Key,
    strangers: BTreeSet<Key>,
    /// The number of open streams at which nobody could be taken.
    full_at: Option<usize>,
}

impl Listener {
    /// At an address of this machine; port 0 for any that is free.
    ///
    /// # Errors
    ///
    /// If the address is not available.
    pub fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        let socket = TcpListener::bind(address)?;
        socket.set_nonblocking(true)?;
        allow_most_files();
        // All members come at once; the queue of the library holds 128.
        rustix::net::listen(&socket, 4096)?;
        let mut streams = Streams::new()?;
        streams.watch(&socket)?;
        Ok(Self {
            socket,
            streams,
            next: 0,
            strangers: BTreeSet::new(),
            full_at: None,
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// If the system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    fn accept(&mut self, arrivals: &mut Vec<Arrival>) -> io::Result<()> {
        while self.strangers.len() < limits::STRANGERS {
            let stream = match self.socket.accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if ends_listening(&error) => return Err(error),
                Err(error) if is_full(&error) => break,
                // One that left before it was taken is no reason to end.
                Err(_) => return Ok(()),
            };
            let key = self.next;
            // One that cannot be waited for is dropped: the others go on.
            if self.streams.add_connection(key, stream).is_ok() {
                self.next += 1;
                self.strangers.insert(key);
                arrivals.push(Arrival::Connected(key, None));
            }
        }
        self.full_at = Some(self.streams.count());
        self.streams.forget(&self.socket)
    }

    /// Listens again when a stream has ended, or a stranger is one no more.
    fn listen_again(&mut self) -> io::Result<()> {
        let has_room =
            |full_at| self.strangers.len() < limits::STRANGERS && self.streams.count() < full_at;
        if self.full_at.is_some_and(has_room) {
            self.full_at = None;
            self.streams.watch(&self.socket)?;
        }
        Ok(())
    }
}

/// Whether nobody will ever connect to this socket.
fn ends_listening(error: &io::Error) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(
        errno,
        Some(Errno::BADF | Errno::INVAL | Errno::NOTSOCK | Errno::OPNOTSUPP | Errno::FAULT)
    )
}

/// Whether this process or the system can open no more files for now.
fn is_full(error: &io::Error) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(
        errno,
        Some(Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM)
    )
}

/// A stream for each member needs more files than a shell allows at first.
fn allow_most_files() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // Where it cannot be raised, fewer are taken at once.
    let _ = setrlimit(Resource::Nofile, limit);
}

impl Transport for Listener {
    fn poll(&mut self, wait: Nanos, arrivals: &mut Vec<Arrival>) -> io::Result<()> {
        self.listen_again()?;
        if self.streams.poll(wait, arrivals)? {
            self.accept(arrivals)?;
        }
        for arrival in arrivals.iter() {
            if let Arrival::Closed(key, _) = arrival {
                self.strangers.remove(key);
            }
        }
        Ok(())
    }

    fn seals(&self, key: Key) -> bool {
        self.streams.seals(key)
    }

    fn trust(&mut self, key: Key, seal: &SealKey) {
        self.strangers.remove(&key);
        self.streams.seal(key, End::Coordinator, seal, &[]);
    }

    fn send(&mut self, key: Key, bytes: &[u8]) {
        self.streams.send(key, bytes);
    }

    fn close(&mut self, key: Key) {
        self.strangers.remove(&key);
        self.streams.close(key);
    }
}
