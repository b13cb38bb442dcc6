//! `fathom fio --server`: a process that waits for coordinators, and is a member for each of them.
//!
//! Who calls must know the secret: without it nothing is run, whoever reaches the port.

use super::allow_list;
use super::archive::data_folder;
use super::cluster::{from_file, own_rank, random};
use super::fio_files;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::terminal;
use fathom_cluster::drive::Admitted;
use fathom_cluster::token::{Nonce, Token};
use fathom_core::Nanos;
use fathom_device::Door;
use fathom_session::cluster::admit;
use fathom_tools::fio::{FioServer, FioServing, FioWay};
use rustix::event::Timespec;
use rustix::io::Errno;
use rustix::net::sockopt::{self, Timeout};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, IsTerminal as _, Write as _};
use std::net::{SocketAddr, TcpListener, ToSocketAddrs as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// Coordinators that are served at once; others are told that the server is full.
const AT_ONCE: usize = 64;
/// Connections at once that have not shown that they know the secret; the oldest goes for the next.
const STRANGERS: usize = 64;
/// How long each of them may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// For a thread that speaks with one of them.
const STACK_BYTES: usize = 256 << 10;
/// The variable by which a member is told what the server has exchanged with its coordinator.
const ADMITTED: &str = "FATHOM_ADMITTED";
/// The variable that names the file of the secret.
pub(super) const SERVER_TOKEN: &str = "FATHOM_SERVER_TOKEN";
/// After a caller who could not be taken.
const PAUSE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 20_000_000,
};
/// Where the secret of servers is kept that name no file, below the user's data.
const TOKEN: &str = "server.token";

/// Listens, and serves until it is killed; with a file for its number in the background.
pub(super) fn run(serving: &FioServing) -> Result<Exit, Error> {
    let token = token_file(named_token_file(serving.token_file.as_deref()))?;
    if !token.exists() {
        make_token(&token)?;
    }
    // What cannot be served is said now, and not to the first who calls.
    from_file(&token)?;
    allow_list()?;
    let listener = listen(&serving.place)?;
    if serving
        .says
        .unwrap_or_else(|| terminal::raw_stderr().is_terminal())
    {
        // Nobody may be there to read it.
        let _ = writeln!(
            terminal::stderr(),
            "serves who knows the secret in {}: --token-file beside --client there",
            token.display()
        );
    }
    let Some(pid_file) = &serving.pid_file else {
        return serve(&listener, &token, serving.read_only);
    };
    let mut server = own();
    server
        .args(["member", "--listening", "--token-file"])
        .arg(&token);
    if serving.read_only {
        server.arg("--read-only");
    }
    let server = server
        .stdin(listener)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| cannot("cannot start a server in the background", &error))?;
    let number = format!("{}\n", server.id());
    let written = fio_files::renewed(&Door::default(), pid_file, is_number, false);
    let thing = || {
        format!(
            "cannot write the number of the server to {}",
            pid_file.display()
        )
    };
    let file = written.map_err(|error| {
        Problem::of_door(thing(), &error, None)
            .otherwise("another --daemonize=FILE, or an end of the server of that number")
    });
    let noted = file.map_err(Error::from).and_then(|mut file| {
        let written = file.write_all(number.as_bytes());
        written.map_err(|error| cannot(&thing(), &error))
    });
    if noted.is_err() {
        end(server);
    }
    noted.map(|()| Exit::Ok)
}

/// Nobody would find a server whose number is not known.
fn end(mut server: Child) {
    let _ = server.kill();
    let _ = server.wait();
}

/// A file with the number of a process that is gone.
fn is_number(head: &[u8]) -> bool {
    let digits = head.trim_ascii();
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number && !is_alive(&String::from_utf8_lossy(digits))
}

/// Whether there is such a process, and it has not ended.
fn is_alive(number: &str) -> bool {
    let said = fathom_device::input::read_text(format!("/proc/{number}/stat"));
    // The name before the state may hold anything.
    let said = said.unwrap_or_default();
    let state = said
        .rsplit_once(") ")
        .map(|(_, rest)| rest.starts_with(['Z', 'X']));
    state.is_some_and(|has_ended| !has_ended)
}

/// The file of the secret that is named, if one is: by an option, or for all calls of a shell.
pub(super) fn named_token_file(option: Option<&Path>) -> Option<PathBuf> {
    let variable = std::env::var_os(SERVER_TOKEN).filter(|value| !value.is_empty());
    option
        .map(Path::to_owned)
        .or_else(|| variable.map(PathBuf::from))
}

/// The file of the secret: the one named, or the user's.
fn token_file(named: Option<PathBuf>) -> Result<PathBuf, Error> {
    if let Some(path) = named {
        return Ok(path);
    }
    let folder = data_folder().ok_or_else(|| {
        Problem::new(Exit::Environment, "there is no place for the secret")
            .because("none of XDG_DATA_HOME and HOME is set")
            .remedy("--token-file FILE")
    })?;
    Ok(folder.join(TOKEN))
}

/// The secret that servers know who are called from here.
pub(super) fn token_of_servers(option: Option<&Path>) -> Result<Token, Error> {
    let named = named_token_file(option);
    let is_named = named.is_some();
    let path = token_file(named)?;
    if !is_named && !path.exists() {
        let thing = "the secret of the servers is not known";
        let problem = Problem::new(Exit::Usage, thing)
            .because(format!("{} is not there", path.display()))
            .remedy("copy that file from a server's host, or name one: --token-file FILE");
        return Err(problem.into());
    }
    from_file(&path)
}

/// Several servers may begin at once: one of them makes it, whole before it has its name.
fn make_token(path: &Path) -> Result<(), Error> {
    let thing = || format!("cannot make the secret in {}", path.display());
    let door = Door::default();
    let problem = |error| Problem::of_door(thing(), &error, None).otherwise("another --token-file");
    if let Some(folder) = path.parent().filter(|one| !one.as_os_str().is_empty()) {
        door.make_folder(folder).map_err(problem)?;
    }
    let mut text = Token::random(&random()?).secret().to_vec();
    text.push(b'\n');
    door.make_private_once(path, &text).map_err(problem)?;
    Ok(())
}

/// The address of a server; where none is named, that of this machine.
pub(super) fn address(server: &FioServer, usual: (&str, &str)) -> io::Result<SocketAddr> {
    let is_v6 = server.way == FioWay::Ip6;
    let host = match server.host.as_str() {
        "" if is_v6 => usual.1,
        "" => usual.0,
        host => host,
    };
    let mut found = (host, server.port).to_socket_addrs()?;
    found.find(|one| one.is_ipv6() == is_v6).ok_or_else(|| {
        let version = if is_v6 { 6 } else { 4 };
        io::Error::other(format!("it has no address of IP version {version}"))
    })
}

fn listen(place: &FioServer) -> Result<OwnedFd, Error> {
    let listening = match &place.way {
        FioWay::Socket(path) => listen_at(path).map(OwnedFd::from),
        _ => address(place, ("0.0.0.0", "::"))
            .and_then(TcpListener::bind)
            .map(OwnedFd::from),
    };
    listening.map_err(|error| {
        let thing = match &place.way {
            FioWay::Socket(path) => format!("cannot listen at {}", path.display()),
            _ if place.host.is_empty() => format!("cannot listen at port {}", place.port),
            _ => format!("cannot listen at {}, port {}", place.host, place.port),
        };
        Problem::new(Exit::Environment, thing)
            .because(system_words(&error))
            .remedy("another --server=HOST,PORT, or an end of what listens there")
            .into()
    })
}

/// A socket that nobody answers at any more is what a server left that was killed.
fn listen_at(path: &Path) -> io::Result<UnixListener> {
    let is_socket = path
        .symlink_metadata()
        .is_ok_and(|found| found.file_type().is_socket());
    let answer = UnixStream::connect(path).map_err(|error| error.kind());
    if is_socket && answer.is_err_and(|kind| kind == io::ErrorKind::ConnectionRefused) {
        std::fs::remove_file(path)?;
    }
    UnixListener::bind(path)
}

/// Standard input listens: serves in the background of whoever started it.
pub(super) fn serve_inherited(token: &Path, read_only: bool) -> Result<Exit, Error> {
    // The terminal of whoever started it is none of its own; where it leads a group it has none.
    let _ = rustix::process::setsid();
    let input = io::stdin();
    let listener = input.as_fd().try_clone_to_owned();
    let listener = listener.map_err(|error| cannot(SERVING, &error))?;
    serve(&listener, token, read_only)
}

const SERVING: &str = "cannot serve";

fn serve(listener: &OwnedFd, token: &Path, read_only: bool) -> Result<Exit, Error> {
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
                format!("its server is full: it serves {AT_ONCE} clients; try again later")
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
            .env(ADMITTED, found.to_text())
            .stdin(caller)
            .stdout(other)
            .stderr(Stdio::null())
            .spawn()
    }
}

/// A coordinator that knows the secret, and what was exchanged with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Caller {
    pub(super) nonce: Nonce,
    pub(super) admitted: Admitted,
}

impl Caller {
    fn to_text(&self) -> String {
        let mut text = format!("{} ", self.admitted.sent);
        for byte in self.nonce.iter().chain(&self.admitted.received) {
            let _ = std::fmt::Write::write_fmt(&mut text, format_args!("{byte:02x}"));
        }
        text
    }

    fn of_text(text: &str) -> Option<Self> {
        let (sent, digits) = text.split_once(' ')?;
        let pairs = digits.as_bytes().chunks(2);
        let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Vec<u8> = pairs.map(byte).collect::<Option<_>>()?;
        let (nonce, received) = bytes.split_first_chunk()?;
        Some(Self {
            nonce: *nonce,
            admitted: Admitted {
                received: received.to_vec(),
                sent: sent.parse().ok()?,
            },
        })
    }
}

/// The coordinator that the server has let in which started this process, if one did.
pub(super) fn admitted() -> Option<Caller> {
    Caller::of_text(&std::env::var(ADMITTED).ok()?)
}

/// Whether nobody will ever call at what is listened to.
const fn is_of_socket(errno: Errno) -> bool {
    matches!(
        errno,
        Errno::BADF | Errno::INVAL | Errno::NOTSOCK | Errno::OPNOTSUPP | Errno::FAULT
    )
}

/// This program once more.
fn own() -> Command {
    fathom_device::command("/proc/self/exe")
}

fn cannot(thing: &str, error: &io::Error) -> Error {
    Problem::new(Exit::Environment, thing)
        .because(system_words(error))
        .into()
}
