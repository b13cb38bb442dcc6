//! Members that come to the coordinator over TCP.

use super::{Arrival, Key, Streams, Transport};
use fathom_core::Nanos;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::os::fd::OwnedFd;

/// Takes all who connect.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    streams: Streams,
    next: Key,
}

impl Listener {
    /// At an address of this machine; port 0 for any that is free.
    ///
    /// # Errors
    ///
    /// If the address cannot be had.
    pub fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        let socket = TcpListener::bind(address)?;
        socket.set_nonblocking(true)?;
        // All members come at once; the queue of the library holds 128.
        rustix::net::listen(&socket, 4096)?;
        let mut streams = Streams::new()?;
        streams.watch(&socket)?;
        Ok(Self {
            socket,
            streams,
            next: 0,
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
        loop {
            let stream = match self.socket.accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                // One that left before it was taken is no reason to end.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
                Err(error) => return Err(error),
            };
            stream.set_nodelay(true)?;
            let key = self.next;
            self.next += 1;
            self.streams.add(key, OwnedFd::from(stream), None, None)?;
            arrivals.push(Arrival::Connected(key, None));
        }
    }
}

impl Transport for Listener {
    fn poll(&mut self, wait: Nanos, arrivals: &mut Vec<Arrival>) -> io::Result<()> {
        if self.streams.poll(wait, arrivals)? {
            self.accept(arrivals)?;
        }
        Ok(())
    }

    fn send(&mut self, key: Key, bytes: &[u8]) {
        self.streams.send(key, bytes);
    }

    fn close(&mut self, key: Key) {
        self.streams.close(key);
    }
}
