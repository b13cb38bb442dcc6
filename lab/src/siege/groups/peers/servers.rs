//! Somebody on the network between a client and a server, who changes, cuts, repeats and makes up
//! what a client sends. It asks for a write, so that anything that gets through is seen.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use anyhow::{Context as _, Result};

use super::pause;
use crate::siege::Siege;
use crate::siege::fathom::{Ended, Running};
use crate::siege::line::GroupLines;

/// Where what a client sends is sealed for certain: behind its handshake, in the plan.
const SEALED: usize = 500;
/// Bytes of the file that a client has written.
const FILE_BYTES: usize = 256 << 10;

/// A server at a socket in a folder with a file of ones.
pub(super) struct Server {
    folder: PathBuf,
    _running: Running,
}

impl Server {
    /// Starts one, for which this list holds.
    pub(super) fn start(siege: &Siege, folder: &Path, allow: Option<&Path>) -> Result<Self> {
        fs::write(folder.join("data"), vec![1; FILE_BYTES])?;
        let words = [
            "fio".to_owned(),
            format!("--server=sock:{}", folder.join("server").display()),
            format!("--token-file={}", folder.join("secret").display()),
        ];
        let call = siege.fathom.call(words).inside(folder);
        let call = match allow {
            Some(list) => call.within(&format!("env FATHOM_ALLOW={}", list.display())),
            None => call,
        };
        let running = call.start()?;
        let socket = folder.join("server");
        for _ in 0..600 {
            if UnixStream::connect(&socket).is_ok() {
                return Ok(Self {
                    folder: folder.to_owned(),
                    _running: running,
                });
            }
            pause();
        }
        anyhow::bail!("the server did not listen: {}", running.end()?.told())
    }

    /// A client that has `file` written, through a socket of this name.
    pub(super) fn client(&self, siege: &Siege, socket: &str, file: &Path) -> Result<Ended> {
        self.client_with(siege, socket, file, "secret")
    }

    fn client_with(&self, siege: &Siege, socket: &str, file: &Path, key: &str) -> Result<Ended> {
        let words = [
            "fio".to_owned(),
            format!("--client=sock:{}", self.folder.join(socket).display()),
            format!("--token-file={}", self.folder.join(key).display()),
            format!("--filename={}", file.display()),
        ];
        let job = "--name=w --rw=write --bs=4k --size=256k --overwrite --no-save";
        let words = words.into_iter().chain(job.split(' ').map(str::to_owned));
        siege.fathom.call(words).inside(&self.folder).end()
    }

    fn is_intact(&self) -> Result<bool> {
        Ok(fs::read(self.folder.join("data"))? == vec![1; FILE_BYTES])
    }
}

/// What is done to a piece of what a client sends, which begins at this byte; false to end it.
type Change = fn(&mut Vec<u8>, usize) -> bool;

const CHANGES: [(&str, Change); 4] = [
    ("nothing", |_, _| true),
    ("one bit turned", |bytes, start| {
        if let Some(byte) = SEALED.checked_sub(start).and_then(|at| bytes.get_mut(at)) {
            *byte ^= 1;
        }
        true
    }),
    ("a record cut short", |bytes, start| {
        let is_there = start + bytes.len() > SEALED;
        if is_there {
            bytes.truncate(SEALED.saturating_sub(start));
        }
        !is_there
    }),
    ("a record of 65,535 bytes before", |bytes, start| {
        if start < SEALED && start + bytes.len() > SEALED {
            bytes.splice(0..0, [0xff; 3]);
        }
        true
    }),
];

/// Hands on what client and server send, changed so; gives what the client has sent.
fn between(folder: &Path, change: Change) -> Result<JoinHandle<Vec<u8>>> {
    let place = folder.join("between");
    // That of the attack before.
    let _ = fs::remove_file(&place);
    let listener = UnixListener::bind(&place)?;
    let mut from = UnixStream::connect(folder.join("server"))?;
    let mut up = from.try_clone()?;
    Ok(std::thread::spawn(move || {
        let mut all = Vec::new();
        let Ok((mut down, _)) = listener.accept() else {
            return all;
        };
        let Ok(mut to) = down.try_clone() else {
            return all;
        };
        let back = std::thread::spawn(move || {
            // It ends when either end is gone.
            let _ = std::io::copy(&mut from, &mut to);
            let _ = to.shutdown(Shutdown::Both);
        });
        let mut buffer = [0; 4 << 10];
        while let Ok(count @ 1..) = down.read(&mut buffer) {
            let mut piece = buffer[..count].to_vec();
            let goes_on = change(&mut piece, all.len());
            all.extend(&buffer[..count]);
            if up.write_all(&piece).is_err() || !goes_on {
                break;
            }
        }
        let _ = up.shutdown(Shutdown::Both);
        let _ = back.join();
        all
    }))
}

pub(super) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let server = Server::start(siege, folder, None)?;
    let data = folder.join("data");
    let mut recorded = Vec::new();
    for (name, change) in CHANGES {
        siege.go_on()?;
        let attack = between(folder, change)?;
        let ended = server.client(siege, "between", &data)?;
        let sent = attack.join().ok().context("an attack panicked")?;
        let is_intact = server.is_intact()?;
        let is_sound = recorded.is_empty();
        if is_sound {
            recorded = sent;
            fs::write(&data, vec![1; FILE_BYTES])?;
        }
        let expected = if is_sound {
            "the file is written"
        } else {
            "the client ends with a reason, nothing is written"
        };
        lines.add(
            format!("{name} between a client and a server"),
            expected,
            format!("{}; {}", ended.told(), written(is_intact)),
            ended.is_orderly() && is_intact != is_sound && (ended.status == Some(0)) == is_sound,
        );
    }
    let mut again = UnixStream::connect(folder.join("server"))?;
    // The server may end the connection before it has read all of it.
    let _ = again.write_all(&recorded);
    let mut said = Vec::new();
    let _ = again.read_to_end(&mut said);
    let is_intact = server.is_intact()?;
    lines.add(
        "the recording of a client that was served, sent once more",
        "nothing is written",
        written(is_intact),
        is_intact,
    );
    let key = folder.join("other");
    fs::write(&key, "another secret, long enough")?;
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600))?;
    let ended = server.client_with(siege, "server", &data, "other")?;
    let is_intact = server.is_intact()?;
    lines.add(
        "a client with another secret",
        "it is refused, nothing is written",
        format!("{}; {}", ended.told(), written(is_intact)),
        ended.is_refusal() && is_intact,
    );
    let ended = server.client(siege, "server", &data)?;
    lines.add(
        "a client of the server after all of that",
        "it is served",
        ended.told(),
        ended.status == Some(0),
    );
    Ok(())
}

fn written(is_intact: bool) -> &'static str {
    if is_intact {
        "nothing written"
    } else {
        "written"
    }
}
