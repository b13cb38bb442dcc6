//! A server: a process that waits for coordinators, and is a member for each of them.
//!
//! Who calls must know the secret: without it nothing is run, whoever reaches the port.

use super::allow_list;
use super::cluster::{address, from_file, named_token_file, own_rank, random, token_file};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::platform;
use crate::terminal;
use fathom_cluster::drive::Admitted;
use fathom_cluster::token::{Nonce, Token};
use fathom_core::Nanos;
use fathom_device::Door;
use fathom_session::cluster::admit;
use fathom_tools::{ServerPlace, ServerTransport, Serving};
use std::fs::File;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The variable that passes a member the messages that the server has exchanged with its
/// coordinator.
const ADMITTED: &str = "FATHOM_ADMITTED";

/// Listens, and serves until it is killed; with a file for its number in the background.
pub(super) fn run(serving: &Serving) -> Result<Exit, Error> {
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
            "serves clients that know the secret in {}; use it there with --client and \
             --token-file",
            token.display()
        );
    }
    let Some(pid_file) = &serving.pid_file else {
        return serve(&listener, &token, serving.read_only);
    };
    let mut server = platform::own();
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
    let written = Door::default().renewed_where(pid_file, &is_number);
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

/// Serves in the background of the process that listens already.
pub(super) fn run_inherited(token: &Path, read_only: bool) -> Result<Exit, Error> {
    let listener = platform::inherited().map_err(|error| cannot(SERVING, &error))?;
    serve(&listener, token, read_only)
}

const SERVING: &str = "cannot serve";

fn serve(listener: &platform::Listening, token: &Path, read_only: bool) -> Result<Exit, Error> {
    let host = Server {
        token: token.to_owned(),
        read_only,
    };
    let served = platform::serve(listener, host);
    served.map_err(|error| cannot(SERVING, &error))?;
    Ok(Exit::Ok)
}

/// What every caller is asked for, and what serves it.
struct Server {
    token: PathBuf,
    read_only: bool,
}

impl platform::Host for Server {
    type Caller = Caller;

    fn admit(
        &self,
        stream: &File,
        patience: Duration,
        no_room: &dyn Fn() -> Option<String>,
    ) -> Option<Caller> {
        let (token, nonce) = (from_file(&self.token).ok()?, random().ok()?);
        let patience = Nanos(patience.as_nanos() as u64);
        let found = admit(stream, (token, nonce, own_rank()), patience, &no_room);
        let admitted = found.ok()??;
        Some(Caller { nonce, admitted })
    }

    fn member(&self, caller: &Caller) -> Command {
        let mut command = platform::own();
        command.args(["member", "--token-file"]).arg(&self.token);
        if self.read_only {
            command.arg("--read-only");
        }
        command.env(ADMITTED, caller.to_string());
        command
    }
}

fn listen(place: &ServerPlace) -> Result<platform::Listening, Error> {
    let listening = match &place.transport {
        ServerTransport::Socket(path) => platform::listen_at(path),
        _ => address(place, ("0.0.0.0", "::")).and_then(platform::listen),
    };
    listening.map_err(|error| {
        let thing = match &place.transport {
            ServerTransport::Socket(path) => format!("cannot listen at {}", path.display()),
            _ if place.host.is_empty() => format!("cannot listen at port {}", place.port),
            _ => format!("cannot listen at {}, port {}", place.host, place.port),
        };
        Problem::new(Exit::Environment, thing)
            .because(system_words(&error))
            .remedy("another --server=HOST,PORT, or an end of what listens there")
            .into()
    })
}

/// A coordinator that knows the secret, and what was exchanged with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Caller {
    pub(super) nonce: Nonce,
    admitted: Admitted,
}

/// As the environment of a member has it.
impl std::fmt::Display for Caller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ", self.admitted.sent)?;
        let mut bytes = self.nonce.iter().chain(&self.admitted.received);
        bytes.try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Caller {
    /// What the server has read, and how many bytes it has written.
    pub(super) fn done(&self) -> (Vec<u8>, usize) {
        (self.admitted.received.clone(), self.admitted.sent)
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

fn cannot(thing: &str, error: &io::Error) -> Error {
    Problem::new(Exit::Environment, thing)
        .because(system_words(error))
        .into()
}
