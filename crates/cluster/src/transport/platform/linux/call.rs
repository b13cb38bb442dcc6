//! Calls to members that wait for a coordinator. None waits for an answer: a stream whose other end
//! is not there ends with the reason when it is read.

use rustix::io::Errno;
use rustix::net::{
    AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with, sockopt,
};
use std::io;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::path::Path;

const FLAGS: SocketFlags = SocketFlags::NONBLOCK.union(SocketFlags::CLOEXEC);

/// By TCP.
pub(super) fn address(address: &SocketAddr) -> io::Result<OwnedFd> {
    let family = match address {
        SocketAddr::V4(_) => AddressFamily::INET,
        SocketAddr::V6(_) => AddressFamily::INET6,
    };
    let fd = socket_with(family, SocketType::STREAM, FLAGS, None)?;
    sockopt::set_tcp_nodelay(&fd, true)?;
    match connect(&fd, address) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(fd),
        Err(errno) => Err(errno.into()),
    }
}

/// Through a socket of this machine.
pub(super) fn socket(path: &Path) -> io::Result<OwnedFd> {
    let fd = socket_with(AddressFamily::UNIX, SocketType::STREAM, FLAGS, None)?;
    connect(&fd, &SocketAddrUnix::new(path)?)?;
    Ok(fd)
}
