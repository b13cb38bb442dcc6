//! A system that nothing is written for yet: no terminal is taken over, signals do what they do
//! without a handler, and what takes processes of a group is refused.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fathom_cluster::transport::Streams;

use crate::commands::Caller;
use crate::error::{Error, Problem};
use crate::exit::Exit;

/// The one answer.
fn not_here<T>() -> io::Result<T> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn columns<T>(_: &T) -> Option<u16> {
    None
}

pub(crate) fn is_ours<T>(_: T) -> bool {
    false
}

pub(crate) fn would_wait<T>(_: &T) -> bool {
    false
}

/// A terminal that nobody can take.
pub(crate) enum Tty {}

impl Tty {
    pub(crate) fn take() -> io::Result<Self> {
        not_here()
    }

    pub(crate) fn size(&self) -> (u16, u16) {
        match *self {}
    }

    pub(crate) fn keys(&mut self) -> Vec<u8> {
        match *self {}
    }

    pub(crate) fn is_ready(&mut self) -> bool {
        match *self {}
    }

    pub(crate) fn show(&mut self, _: &[u8]) {
        match *self {}
    }

    pub(crate) fn clear(&mut self) {
        match *self {}
    }
}

/// None is handled.
pub(crate) const ASK_FOR_AN_END: [i32; 0] = [];

pub(crate) struct Signals(());

impl Signals {
    pub(crate) fn new(_: &[i32]) -> io::Result<Self> {
        Ok(Self(()))
    }

    pub(crate) fn forever(&mut self) -> impl Iterator<Item = i32> {
        std::iter::empty()
    }
}

pub(crate) fn emulate_default_handler(_: i32) -> io::Result<()> {
    not_here()
}

pub(crate) fn outlive_file_limits() {}

pub(crate) fn raise_when_asked(_: &Arc<AtomicBool>) -> io::Result<()> {
    not_here()
}

pub(crate) fn end_with_parent(_: i32) {}

pub(crate) fn apart(command: &mut Command) -> &mut Command {
    command
}

pub(crate) fn interrupt(_: &Child) {}

pub(crate) fn was_asked_to_end(_: ExitStatus) -> bool {
    false
}

pub(crate) fn processors() -> io::Result<Vec<u32>> {
    not_here()
}

pub(crate) fn over_stdio(_: Option<&Caller>) -> io::Result<Streams> {
    not_here()
}

pub(crate) fn over_tcp(_: TcpStream) -> io::Result<Streams> {
    not_here()
}

/// Nobody listens.
pub(crate) enum Listening {}

impl From<Listening> for Stdio {
    fn from(none: Listening) -> Self {
        match none {}
    }
}

pub(crate) fn listen(_: SocketAddr) -> io::Result<Listening> {
    not_here()
}

pub(crate) fn listen_at(_: &Path) -> io::Result<Listening> {
    not_here()
}

pub(crate) fn serve(listener: &Listening, _: &Path, _: bool) -> Result<Exit, Error> {
    match *listener {}
}

pub(crate) fn serve_inherited(_: &Path, _: bool) -> Result<Exit, Error> {
    let problem = Problem::new(Exit::Environment, "cannot serve");
    let problem = problem.because("the server needs Linux");
    Err(problem
        .remedy("run fathom fio --server on a Linux host")
        .into())
}

pub(crate) fn own() -> Command {
    let own = std::env::current_exe();
    fathom_device::command(own.unwrap_or_else(|_| "fathom".into()))
}
