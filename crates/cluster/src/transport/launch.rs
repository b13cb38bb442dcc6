//! How members come to be there.

use std::net::SocketAddr;
use std::path::PathBuf;

/// How a member is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Launch {
    /// By a program with these arguments.
    Words(Vec<String>),
    /// It listens at this address, and knows the token.
    Address(SocketAddr),
    /// The same through a socket of this machine.
    Socket(PathBuf),
    /// Not at all, and why.
    Unreachable(String),
}
