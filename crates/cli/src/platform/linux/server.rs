//! A server of members: a socket that it listens at, and what becomes of those who call.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use rustix::event::Timespec;
use rustix::io::Errno;
use rustix::net::sockopt::{self, Timeout};

use super::super::Host;

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

/// Standard input listens: in the background of whoever started it.
///
/// # Errors
///
/// What the system said.
pub(crate) fn inherited() -> io::Result<Listening> {
    // The terminal of whoever started it is none of its own; where it leads a group it has none.
    let _ = rustix::process::setsid();
    io::stdin().as_fd().try_clone_to_owned()
}

/// Takes those who call, for as long as the process lives.
///
/// # Errors
///
/// What the system said of the socket itself.
pub(crate) fn serve(listener: &Listening, host: impl Host) -> io::Result<()> {
    let house = Arc::new(House {
        host,
        served: AtomicUsize::new(0),
        strangers: Mutex::default(),
    });
    for number in 0_u64.. {
        match rustix::net::accept_with(listener, rustix::net::SocketFlags::CLOEXEC) {
            Ok(caller) => house.receive(number, caller),
            Err(errno) if is_of_socket(errno) => return Err(errno.into()),
            // Who left before it was taken, a network or a table of files that is full for now: no
            // reason to end.
            Err(_) => {
                house.send_oldest_away();
                // Nothing is waited for but the time.
                let _ = rustix::event::poll(&mut [], Some(&PAUSE));
            }
        }
    }
    Ok(())
}

/// What the threads that receive callers share.
struct House<H> {
    host: H,
    /// Coordinators that are served.
    served: AtomicUsize,
    /// Connections that have not shown that they know the secret, the oldest first.
    strangers: Mutex<VecDeque<(u64, OwnedFd)>>,
}

impl<H: Host> House<H> {
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

    fn admit(&self, caller: &OwnedFd) -> Option<H::Caller> {
        // Sockets of this machine have no such option, and need none.
        let _ = sockopt::set_tcp_nodelay(caller, true);
        for end in [Timeout::Recv, Timeout::Send] {
            sockopt::set_socket_timeout(caller, end, Some(PATIENCE)).ok()?;
        }
        let no_room = || {
            let served = self.served.fetch_add(1, Ordering::Relaxed);
            (served >= AT_ONCE).then(|| {
                self.served.fetch_sub(1, Ordering::Relaxed);
                format!("its server is full: it serves {AT_ONCE} clients. Try again later")
            })
        };
        let stream = File::from(caller.try_clone().ok()?);
        self.host.admit(&stream, PATIENCE, &no_room)
    }

    /// A member whose standard input and output are the connection.
    fn member(&self, caller: OwnedFd, found: &H::Caller) -> io::Result<Child> {
        for end in [Timeout::Recv, Timeout::Send] {
            sockopt::set_socket_timeout(&caller, end, None)?;
        }
        let other = caller.try_clone()?;
        let mut command = self.host.member(found);
        command.stdin(caller).stdout(other).stderr(Stdio::null());
        command.spawn()
    }
}

/// Whether nobody will ever call at what is listened to.
const fn is_of_socket(errno: Errno) -> bool {
    matches!(
        errno,
        Errno::BADF | Errno::INVAL | Errno::NOTSOCK | Errno::OPNOTSUPP | Errno::FAULT
    )
}
