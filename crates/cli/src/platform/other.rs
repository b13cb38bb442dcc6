//! Another system than Linux: no terminal is taken over, and what needs devices or process groups
//! is refused with an alternative.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fathom_cluster::transport::Streams;
use fathom_platform::Requests;
use fathom_tools::Drive;

use super::Host;

/// The one answer.
fn not_here<T>() -> io::Result<T> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Environment variables with the folder for the user's data, and the folder below it.
pub(crate) const DATA_FOLDERS: [(&str, &str); 3] = [
    ("XDG_DATA_HOME", ""),
    ("LOCALAPPDATA", ""),
    ("HOME", ".local/share"),
];

/// The same for the user's configuration.
pub(crate) const CONFIG_FOLDERS: [(&str, &str); 3] = [
    ("XDG_CONFIG_HOME", ""),
    ("APPDATA", ""),
    ("HOME", ".config"),
];

/// Paths with drives are those of Windows itself.
pub(crate) fn own_drives() -> Vec<Drive> {
    if cfg!(windows) {
        fathom_tools::drives::own()
    } else {
        Vec::new()
    }
}

/// Whether every command is available.
pub(crate) const HAS_ALL: bool = false;

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

/// Ctrl-C, Ctrl-Break and the end of the console, where the system sends them.
pub(crate) const ASK_FOR_AN_END: [i32; Requests::ALL.len()] = Requests::ALL;

pub(crate) struct Signals(Requests);

impl Signals {
    pub(crate) fn new(_: &[i32]) -> io::Result<Self> {
        Requests::receive().map(Self)
    }

    pub(crate) fn forever(&mut self) -> impl Iterator<Item = i32> {
        &mut self.0
    }
}

/// The status of a program that Ctrl-C ended (`STATUS_CONTROL_C_EXIT`).
const ENDED_BY_CONTROL_C: i32 = 0xC000_013A_u32.cast_signed();

/// Ends the process as the system would.
pub(crate) fn emulate_default_handler(_: i32) -> io::Result<()> {
    std::process::exit(ENDED_BY_CONTROL_C)
}

pub(crate) fn outlive_file_limits() {}

/// Nobody can ask.
pub(crate) fn raise_when_asked(_: &Arc<AtomicBool>) -> io::Result<()> {
    Ok(())
}

/// The parent cannot be followed.
pub(crate) const DEATH_OF_PARENT: Option<i32> = None;

pub(crate) fn end_with_parent(_: i32) {}

pub(crate) fn apart(command: &mut Command) -> &mut Command {
    command
}

pub(crate) fn interrupt(_: &Child) {}

pub(crate) fn was_asked_to_end(status: ExitStatus) -> bool {
    status.code() == Some(ENDED_BY_CONTROL_C)
}

pub(crate) fn processors() -> io::Result<Vec<u32>> {
    not_here()
}

pub(crate) fn over_stdio(_: Option<(Vec<u8>, usize)>) -> io::Result<Streams> {
    not_here()
}

pub(crate) fn over_tcp(_: TcpStream) -> io::Result<Streams> {
    not_here()
}

pub(crate) fn answer_all<A>(_: TcpListener, _: A) -> io::Result<()> {
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

pub(crate) fn serve<H: Host>(listener: &Listening, _: H) -> io::Result<()> {
    // Nobody is let in where nobody listens.
    let _ = (H::admit, H::member);
    match *listener {}
}

pub(crate) fn inherited() -> io::Result<Listening> {
    not_here()
}

pub(crate) fn own() -> Command {
    let own = std::env::current_exe();
    fathom_device::command(own.unwrap_or_else(|_| "fathom".into()))
}
