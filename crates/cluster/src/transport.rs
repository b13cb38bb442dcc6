//! How frames travel for real. Every transport is a set of streams of bytes; what differs is how
//! they come about.

mod launch;
mod platform;

pub use launch::Launch;
pub use platform::{Children, Listener, Streams};

use crate::token::SealKey;
use fathom_core::Nanos;
use std::io;

/// Number of a stream, of its transport's choice.
pub type Key = u32;

/// What happened on a transport.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// A stream is there; its rank, where the transport made it for one.
    Connected(Key, Option<u32>),
    /// Bytes came.
    Bytes(Key, Vec<u8>),
    /// A stream ended, and why.
    Closed(Key, String),
    /// No stream to this rank can be made, and why.
    Unreachable(u32, String),
}

/// A set of streams.
pub trait Transport: Send {
    /// Waits until something happens, for `wait` at most.
    ///
    /// # Errors
    ///
    /// If the system does not let it wait.
    fn poll(&mut self, wait: Nanos, arrivals: &mut Vec<Arrival>) -> io::Result<()>;

    /// Sends bytes; never waits for the other end.
    fn send(&mut self, key: Key, bytes: &[u8]);

    /// Ends a stream when all has been sent.
    fn close(&mut self, key: Key);

    /// Whether what follows the handshake is sealed on this stream. Both ends know it before they
    /// connect and do not negotiate it, so that nobody between them can talk them out of it.
    fn seals(&self, _key: Key) -> bool {
        false
    }

    /// The other end of this stream has shown that it knows the token. If the stream is one that
    /// [seals](Self::seals), what follows is sealed with `seal`.
    fn trust(&mut self, _key: Key, _seal: &SealKey) {}

    /// Makes another stream to a rank whose own has ended; whether it can.
    fn call(&mut self, _rank: u32) -> bool {
        false
    }
}
