//! Rank 0: the coordinator, and a connection to it for each member of another rank.

use crate::member::{UNREAD, cannot_start};
use crate::post::{Letter, Post};
use crate::wire::{self, Quiet, Wire};
use fathom_cluster::relay::{Down, Junction, Step, Up};
use fathom_core::Nanos;
use fathom_core::histogram::Numbers;
use rustix::event::{Timespec, poll};
use rustix::time::{ClockId, clock_gettime};
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
        let (added_up, whole) = carry(&mut wires?, count, post)?;
        eprintln!("MPI_Reduce added up {added_up} intervals; {whole} reports went by themselves");
    }
    Ok(status(child.wait()?))
}

/// Carries what the coordinator says and hears of the members of other ranks, until all of that has
/// ended. Intervals that MPI_Reduce added up, and reports that could have been and were not.
fn carry(wires: &mut [Wire], count: i32, post: &Post<'_>) -> io::Result<(u64, u64)> {
    let mut junction = Junction::new(1..count as u32);
    let mut quiet = Quiet::default();
    let mut letters: Vec<Letter> = Vec::new();
    while wires.iter().any(|wire| !wire.is_over()) {
        for (rank, bytes) in wire::read(wires, &quiet)? {
            let down = if bytes.is_empty() {
                junction.left(rank as u32);
                Down::Ended
            } else {
                Down::Bytes(bytes)
            };
            letters.push((rank, down.to_bytes()));
        }
        let come = post.exchange(&letters);
        quiet.was(!(letters.is_empty() && come.is_empty()));
        letters.clear();
        hear(&mut junction, come)?;
        for step in junction.steps(now()) {
            match step {
                Step::Forward(rank, bytes) => write(wires, rank, &bytes),
                Step::End(rank) => write(wires, rank, &[]),
                Step::Give(rank, interval) => {
                    letters.push((rank as i32, Down::Give(interval).to_bytes()));
                }
                Step::Reduce(interval, columns) => {
                    let none = Numbers {
                        sums: vec![0; columns.len() * Numbers::SUMS],
                        largest: vec![0; columns.len() * Numbers::LARGEST],
                    };
                    let order = Down::Reduce(interval, columns).to_bytes();
                    letters.extend((1..count).map(|rank| (rank, order.clone())));
                    let mut come = post.exchange(&letters);
                    letters.clear();
                    // The member of this rank speaks with the coordinator without a message.
                    let (all, more) = post.add_up(&none);
                    come.extend(more);
                    junction.reduced(&all);
                    hear(&mut junction, come)?;
                }
            }
        }
    }
    Ok(junction.told())
}

/// Takes in what the other ranks have sent.
fn hear(junction: &mut Junction, come: Vec<Letter>) -> io::Result<()> {
    for (rank, bytes) in come {
        match Up::read(&bytes).ok_or_else(|| io::Error::other(UNREAD))? {
            Up::Piece(piece) => junction.come(rank as u32, piece),
            Up::Whole(frame) => junction.whole(rank as u32, frame),
        }
    }
    Ok(())
}

fn write(wires: &mut [Wire], rank: u32, bytes: &[u8]) {
    if let Some(wire) = wires.iter_mut().find(|wire| wire.rank() == rank as i32) {
        wire.write(bytes);
    }
}

fn now() -> Nanos {
    let time = clock_gettime(ClockId::Monotonic);
    Nanos(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
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
