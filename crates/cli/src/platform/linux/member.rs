//! The stream between a member and its coordinator.

use std::io;
use std::net::TcpStream;
use std::os::fd::AsFd as _;

use fathom_cluster::transport::Streams;

use crate::commands::server::Caller;
use crate::terminal;

/// Standard input and output, of which a server may have read and written something already.
///
/// # Errors
///
/// What the system said.
pub(crate) fn over_stdio(caller: Option<&Caller>) -> io::Result<Streams> {
    let (input, output) = (io::stdin(), terminal::raw_stdout());
    let read = input.as_fd().try_clone_to_owned()?;
    let write = output.as_fd().try_clone_to_owned()?;
    let mut streams = Streams::new()?;
    streams.add(0, read, Some(write), None)?;
    if let Some(Caller { admitted, .. }) = caller {
        streams.go_on(0, admitted.received.clone(), admitted.sent);
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
