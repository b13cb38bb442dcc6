//! A server of members: a socket that it listens at, and what becomes of those who call.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use fathom_core::Nanos;
use fathom_session::cluster::admit;
use rustix::event::Timespec;
use rustix::io::Errno;
use rustix::net::sockopt::{self, Timeout};

use crate::commands::cluster::{from_file, own_rank, random};
use crate::commands::server::{ADMITTED, Caller};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;

/// What is listened at.
pub(crate) type Listening = OwnedFd;

/// Coordinators that are served at once; others get the answer that the server is full.
const AT_ONCE: usize = 64;
/// Connections at once that have not shown that they know the secret; the oldest goes for the next.
const STRANGERS: usize = 64;
/// How long each of them may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// For a thread that speaks with one of them.
const STACK_BYTES: usize = 256 << 10;
/// After a caller who could not be taken.
const PAUSE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 20_000_000,
};
/// Listens at an address of this machine.
///
/// # Errors
///
/// What the system said.
pub(crate) fn listen(address: SocketAddr) -> io::Result<Listening> {
    TcpListener::bind(address).map(OwnedFd::from)
}

/// Listens at a path. A socket that nobody answers at any more is what a server left that was
/// killed.
///
/// # Errors
///
/// What the system said.
pub(crate) fn listen_at(path: &Path) -> io::Result<Listening> {
    let is_socket = path
        .symlink_metadata()
        .is_ok_and(|found| found.file_type().is_socket());
    let answer = UnixStream::connect(path).map_err(|error| error.kind());
    if is_socket && answer.is_err_and(|kind| kind == io::ErrorKind::ConnectionRefused) {
        std::fs::remove_file(path)?;
    }
    UnixListener::bind(path).map(OwnedFd::from)
}

/// Standard input listens: serves in the background of whoever started it.
pub(crate) fn serve_inherited(token: &Path, read_only: bool) -> Result<Exit, Error> {
    // The terminal of whoever started it is none of its own; where it leads a group it has none.
    let _ = rustix::process::setsid();
    let input = io::stdin();
    let listener = input.as_fd().try_clone_to_owned();
    let listener = listener.map_err(|error| cannot(SERVING, &error))?;
    serve(&listener, token, read_only)
}

const SERVING: &str = "cannot serve";

/// Takes those who call, for as long as the process lives.
pub(crate) fn serve(listener: &Listening, token: &Path, read_only: bool) -> Result<Exit, Error> {
    let house = Arc::new(House {
        token: token.to_owned(),
        read_only,
        served: AtomicUsize::new(0),
        strangers: Mutex::default(),
    });
    for number in 0_u64.. {
        match rustix::net::accept_with(listener, rustix::net::SocketFlags::CLOEXEC) {
            Ok(caller) => house.receive(number, caller),
            Err(errno) if is_of_socket(errno) => return Err(cannot(SERVING, &errno.into())),
            // Who left before it was taken, a network or a table of files that is full for now: no
            // reason to end.
            Err(_) => {
                house.send_oldest_away();
                // Nothing is waited for but the time.
                let _ = rustix::event::poll(&mut [], Some(&PAUSE));
            }
        }
    }
    Ok(Exit::Ok)
}

/// What the threads that receive callers share.
struct House {
    token: PathBuf,
    read_only: bool,
    /// Coordinators that are served.
    served: AtomicUsize,
    /// Connections that have not shown that they know the secret, the oldest first.
    strangers: Mutex<VecDeque<(u64, OwnedFd)>>,
}

impl House {
    /// Speaks with a caller in a thread of its own. Who is silent makes room for others: the oldest
    /// goes, so that nobody who knows the secret waits for those who do not.
    fn receive(self: &Arc<Self>, number: u64, caller: OwnedFd) {
        let Ok(other) = caller.try_clone() else {
            return self.send_oldest_away();
        };
        let count = self.among_strangers(|all| {
            all.push_back((number, other));
            all.len()
        });
        if count > STRANGERS {
            self.send_oldest_away();
        }
        let house = Arc::clone(self);
        let thread = Builder::new().stack_size(STACK_BYTES);
        // Who cannot be given a thread now may call again.
        if thread.spawn(move || house.speak(number, caller)).is_err() {
            self.among_strangers(|all| all.retain(|(one, _)| *one != number));
        }
    }

    fn among_strangers<T>(&self, work: impl FnOnce(&mut VecDeque<(u64, OwnedFd)>) -> T) -> T {
        work(
            &mut self
                .strangers
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    fn send_oldest_away(&self) {
        if let Some((_, oldest)) = self.among_strangers(VecDeque::pop_front) {
            // It may have gone by itself.
            let _ = rustix::net::shutdown(&oldest, rustix::net::Shutdown::Both);
        }
    }

    /// Starts a member for a caller who knows the secret, and waits for its end.
    fn speak(&self, number: u64, caller: OwnedFd) {
        let found = self.admit(&caller);
        self.among_strangers(|all| all.retain(|(one, _)| *one != number));
        let Some(found) = found else { return };
        if let Ok(mut child) = self.member(caller, &found) {
            // It is over, whatever came of it.
            let _ = child.wait();
        }
        self.served.fetch_sub(1, Ordering::Relaxed);
    }

    fn admit(&self, caller: &OwnedFd) -> Option<Caller> {
        // Sockets of this machine have no such option, and need none.
        let _ = sockopt::set_tcp_nodelay(caller, true);
        for end in [Timeout::Recv, Timeout::Send] {
            sockopt::set_socket_timeout(caller, end, Some(PATIENCE)).ok()?;
        }
        let (token, nonce) = (from_file(&self.token).ok()?, random().ok()?);
        let no_room = || {
            let served = self.served.fetch_add(1, Ordering::Relaxed);
            (served >= AT_ONCE).then(|| {
                self.served.fetch_sub(1, Ordering::Relaxed);
                format!("its server is full: it serves {AT_ONCE} clients. Try again later")
            })
        };
        let stream = File::from(caller.try_clone().ok()?);
        let patience = Nanos(PATIENCE.as_nanos() as u64);
        let found = admit(&stream, (token, nonce, own_rank()), patience, &no_room);
        let admitted = found.ok()??;
        Some(Caller { nonce, admitted })
    }

    /// A member whose standard input and output are the connection.
    fn member(&self, caller: OwnedFd, found: &Caller) -> io::Result<Child> {
        for end in [Timeout::Recv, Timeout::Send] {
            sockopt::set_socket_timeout(&caller, end, None)?;
        }
        let other = caller.try_clone()?;
        let mut command = own();
        command.args(["member", "--token-file"]).arg(&self.token);
        if self.read_only {
            command.arg("--read-only");
        }
        command
            .env(ADMITTED, found.to_string())
            .stdin(caller)
            .stdout(other)
            .stderr(Stdio::null())
            .spawn()
    }
}

/// Whether nobody will ever call at what is listened to.
const fn is_of_socket(errno: Errno) -> bool {
    matches!(
        errno,
        Errno::BADF | Errno::INVAL | Errno::NOTSOCK | Errno::OPNOTSUPP | Errno::FAULT
    )
}

/// This program once more.
pub(crate) fn own() -> Command {
    fathom_device::command("/proc/self/exe")
}

fn cannot(thing: &str, error: &io::Error) -> Error {
    Problem::new(Exit::Environment, thing)
        .because(system_words(error))
        .into()
}
