//! A system that nothing is written for yet: there are no streams, so nobody has one.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};

use fathom_core::Nanos;

use crate::link::End;
use crate::token::{SealKey, Token};
use crate::transport::{Arrival, Key, Launch, Transport};

/// The one answer.
fn not_here<T>() -> io::Result<T> {
    let cause = "runs with several hosts need Linux";
    Err(io::Error::new(io::ErrorKind::Unsupported, cause))
}

macro_rules! nobody_has {
    ($($name:ident)*) => {$(
        #[doc = "Nobody has one."]
        #[derive(Debug)]
        pub enum $name {}

        impl Transport for $name {
            fn poll(&mut self, _: Nanos, _: &mut Vec<Arrival>) -> io::Result<()> {
                match *self {}
            }

            fn send(&mut self, _: Key, _: &[u8]) {}

            fn close(&mut self, _: Key) {}
        }
    )*};
}

nobody_has! { Children Listener }

impl Children {
    /// # Errors
    ///
    /// Always.
    pub fn new(_: Vec<Launch>, _: &Token) -> io::Result<Self> {
        not_here()
    }
}

impl Listener {
    /// # Errors
    ///
    /// Always.
    pub fn bind(_: impl ToSocketAddrs) -> io::Result<Self> {
        not_here()
    }

    /// # Errors
    ///
    /// None: there is none.
    pub fn address(&self) -> io::Result<SocketAddr> {
        match *self {}
    }
}

/// Nobody has them.
#[derive(Debug)]
pub enum Streams {}

macro_rules! of_none {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        impl Streams {$(
            #[doc = "Of none."]
            pub fn $name(&mut self, $($argument: $kind),*) -> $answer {
                $(let _ = $argument;)*
                match *self {}
            }
        )*}
    };
}

of_none! {
    watch(other: impl Sized) -> io::Result<()>;
    poll(wait: Nanos, arrivals: &mut Vec<Arrival>) -> io::Result<bool>;
    send(key: Key, bytes: &[u8]) -> ();
    backlog(key: Key) -> usize;
    seals(key: Key) -> bool;
    seal(key: Key, end: End, with: &SealKey, came: &[u8]) -> ();
}
