//! Servers that wait for a coordinator, as the words of a call name them.

use std::path::PathBuf;

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerPlace {
    /// Its host as it was given; empty where none was.
    pub host: String,
    /// Its port; 0 for a socket.
    pub port: u16,
    /// How it is reached.
    pub transport: ServerTransport,
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerTransport {
    /// By TCP over IP of version 4.
    Ip4,
    /// By TCP over IP of version 6.
    Ip6,
    /// Through a socket of this machine.
    Socket(PathBuf),
}

/// A host on which the jobs of a call are to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Client {
    /// One of this name, or those whose names are in a file of this name; and where a server would
    /// be on it.
    Host(ServerPlace),
    /// One on which a server listens.
    Server(ServerPlace),
}

/// A server to be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Serving {
    /// Where it listens.
    pub place: ServerPlace,
    /// File for its process number, where it is to run in the background.
    pub pid_file: Option<PathBuf>,
    /// File with the secret that its clients must know; the user's own without it.
    pub token_file: Option<PathBuf>,
    /// Whether it writes nothing, whatever its clients ask for.
    pub read_only: bool,
    /// Whether it prints where the secret is; none for only on a terminal.
    pub says: Option<bool>,
}
