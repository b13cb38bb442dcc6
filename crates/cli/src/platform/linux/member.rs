//! The stream between a member and its coordinator.

use std::io;
use std::net::TcpStream;
use std::os::fd::AsFd as _;

use fathom_cluster::transport::Streams;

use crate::terminal;

/// Standard input and output, of which a server may have read these bytes and written this number
/// of them.
///
/// # Errors
///
/// What the system said.
pub(crate) fn over_stdio(done: Option<(Vec<u8>, usize)>) -> io::Result<Streams> {
    let (input, output) = (io::stdin(), terminal::raw_stdout());
    let read = input.as_fd().try_clone_to_owned()?;
    let write = output.as_fd().try_clone_to_owned()?;
    let mut streams = Streams::new()?;
    streams.add(0, read, Some(write), None)?;
    if let Some((received, sent)) = done {
        streams.go_on(0, received, sent);
    }
    Ok(streams)
}

/// A connection.
///
/// # Errors
///
/// What the system said.
pub(crate) fn over_tcp(stream: TcpStream) -> io::Result<Streams> {
    let mut streams = Streams::new()?;
    streams.add_connection(0, stream)?;
    Ok(streams)
}
