//! Rank 0: the coordinator, and a connection to it for each member of another rank.

use crate::member::cannot_start;
use crate::post::Post;
use crate::wire::{Wire, carry};
use rustix::event::{Timespec, poll};
use std::ffi::{OsStr, OsString};
use std::fs::DirBuilder;
use std::io;
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus};

/// Between two looks whether the coordinator listens.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 5_000_000,
};

/// A folder that only its owner can look into, in which the coordinator says where it is.
struct Place(PathBuf);

impl Place {
    fn new() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("fathom-mpi-{}", std::process::id()));
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }

    fn file(&self) -> PathBuf {
        self.0.join("coordinator")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // The coordinator has removed its file; what is left is of no use to anybody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn run(
    fathom: &OsStr,
    words: Vec<OsString>,
    count: i32,
    post: &Post<'_>,
) -> io::Result<ExitCode> {
    let place = Place::new()?;
    let mut child = Command::new(fathom)
        .args(with_members(words, count, &place.file()))
        .env("FATHOM_RANK", "0")
        .spawn()
        .map_err(|error| cannot_start(fathom, &error))?;
    let listens = listens(&mut child, &place.file())?;
    let mut secret = listens.as_ref().map(|(secret, _)| secret.clone());
    post.broadcast(secret.get_or_insert_default());
    if let Some((_, port)) = listens {
        let wire = |rank| {
            let socket = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
            Wire::over_socket(rank, socket)
        };
        let wires: io::Result<Vec<Wire>> = (1..count).map(wire).collect();
        carry(&mut wires?, post)?;
    }
    Ok(status(child.wait()?))
}

/// The words of the user, and how the coordinator finds its members. What follows `--` is not its.
fn with_members(mut words: Vec<OsString>, count: i32, place: &Path) -> Vec<OsString> {
    let mut meeting = OsString::from("--rendezvous=file:");
    meeting.push(place);
    let own = [
        "--launched".into(),
        format!("--members={count}").into(),
        meeting,
    ];
    let end = words.iter().position(|word| word == "--");
    let end = end.unwrap_or(words.len());
    words.splice(end..end, own);
    words
}

/// The secret of the members and the port of the coordinator; none if it ended before.
fn listens(child: &mut Child, file: &Path) -> io::Result<Option<(Vec<u8>, u16)>> {
    while !file.exists() {
        if child.try_wait()?.is_some() {
            return Ok(None);
        }
        poll(&mut [], Some(&LOOK))?;
    }
    let text = std::fs::read_to_string(file)?;
    let port = text.lines().last().and_then(|line| line.rsplit(':').next());
    let port = port.and_then(|port| port.parse().ok());
    let secret = text.lines().next().unwrap_or_default().as_bytes().to_vec();
    let unread = || io::Error::other("the coordinator did not say where it listens");
    port.map(|port| Some((secret, port))).ok_or_else(unread)
}

/// That of the coordinator is that of all; a signal is none.
fn status(status: ExitStatus) -> ExitCode {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_members_stand_before_the_words_of_others() {
        let all = |words: &[&str]| {
            let words = words.iter().map(OsString::from).collect();
            let all = with_members(words, 3, Path::new("/tmp/p"));
            all.iter()
                .map(|word| word.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        let own = ["--launched", "--members=3", "--rendezvous=file:/tmp/p"];
        assert_eq!(all(&["run", "x"]), [&["run", "x"][..], &own].concat());
        let expected = [&["dd"][..], &own, &["--", "if=x"]].concat();
        assert_eq!(all(&["dd", "--", "if=x"]), expected);
    }
}
