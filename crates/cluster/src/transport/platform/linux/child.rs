//! Members that are children of the coordinator, or reached by one: ssh, or any program that
//! runs another and joins its streams to its own; and those of servers that wait for a coordinator.

use super::words::words;
use super::{Streams, call};
use crate::link::End;
use crate::token::{SealKey, Token};
use crate::transport::{Arrival, Key, Launch, Transport};
use fathom_core::Nanos;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Stdio};

/// Connections that are made at once: sshd refuses more (`MaxStartups`).
const AT_ONCE: usize = 16;

/// How a member came to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// It was started, and receives the token.
    Started,
    /// It waited, and knows the token.
    Listening,
}

/// One process a member, or one connection to a server that starts it there. The rank is the number
/// of its stream; one that is called once more has a number beyond them.
#[derive(Debug)]
pub struct Children {
    streams: Streams,
    launches: Vec<Launch>,
    /// Streams that are to be made, and the rank of each.
    waiting: VecDeque<(Key, u32)>,
    /// The number of the next stream beyond the ranks.
    next: Key,
    /// Those that have sent nothing yet.
    silent: Vec<Key>,
    processes: BTreeMap<Key, Child>,
    /// What goes before all else: the token, in a line.
    opening: Vec<u8>,
}

impl Children {
    /// Will start one process for each of `launches`, by rank. The first line on the standard
    /// input of each is the token, so that no list of processes shows it.
    ///
    /// # Errors
    ///
    /// If the system gives no set to wait on.
    pub fn new(launches: Vec<Launch>, token: &Token) -> io::Result<Self> {
        let count = launches.len() as Key;
        let mut opening = token.secret().to_vec();
        opening.push(b'\n');
        Ok(Self {
            streams: Streams::new()?,
            launches,
            waiting: (0..count).map(|rank| (rank, rank)).collect(),
            next: count,
            silent: Vec::new(),
            processes: BTreeMap::new(),
            opening,
        })
    }

    fn start(&mut self, arrivals: &mut Vec<Arrival>) {
        while self.silent.len() < AT_ONCE
            && let Some((key, rank)) = self.waiting.pop_front()
        {
            match self.start_one(key, rank) {
                Ok(origin) => {
                    if origin == Origin::Started {
                        self.silent.push(key);
                        self.streams.send(key, &self.opening);
                    }
                    arrivals.push(Arrival::Connected(key, Some(rank)));
                }
                Err(why) => arrivals.push(Arrival::Unreachable(rank, why)),
            }
        }
    }

    fn start_one(&mut self, key: Key, rank: u32) -> Result<Origin, String> {
        let launch = self.launches.get(rank as usize).cloned();
        let words = match launch.ok_or("nobody has this rank")? {
            Launch::Words(words) => words,
            Launch::Address(address) => return self.join(key, call::address(&address)),
            Launch::Socket(path) => return self.join(key, call::socket(&path)),
            Launch::Unreachable(why) => return Err(why),
        };
        let (program, arguments) = words.split_first().ok_or("no program is named")?;
        self.run(key, program, arguments)
            .map_err(|error| format!("cannot run {program}: {error}"))?;
        Ok(Origin::Started)
    }

    /// Takes a connection that is being made; how it comes out, reading from it says.
    fn join(&mut self, key: Key, called: io::Result<OwnedFd>) -> Result<Origin, String> {
        let joined = called.and_then(|fd| self.streams.add(key, fd, None, None));
        self.streams.seal_later(key);
        joined.map_err(|error| words(&error))?;
        Ok(Origin::Listening)
    }

    fn run(&mut self, key: Key, program: &str, arguments: &[String]) -> io::Result<()> {
        let mut child = fathom_device::command(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C is for the coordinator, which tells the members to end and report.
            .process_group(0)
            .spawn()?;
        let (input, output, errors) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        self.processes.insert(key, child);
        let output = output.ok_or_else(|| io::Error::other("no pipe"))?;
        let (input, errors) = (input.map(OwnedFd::from), errors.map(OwnedFd::from));
        self.streams.add(key, OwnedFd::from(output), input, errors)
    }
}

impl Transport for Children {
    fn poll(&mut self, wait: Nanos, arrivals: &mut Vec<Arrival>) -> io::Result<()> {
        self.start(arrivals);
        let wait = if arrivals.is_empty() {
            wait
        } else {
            Nanos::ZERO
        };
        self.streams.poll(wait, arrivals)?;
        for arrival in arrivals.iter() {
            if let Arrival::Bytes(key, _) | Arrival::Closed(key, _) = arrival {
                self.silent.retain(|silent| silent != key);
            }
        }
        Ok(())
    }

    fn send(&mut self, key: Key, bytes: &[u8]) {
        self.streams.send(key, bytes);
    }

    fn close(&mut self, key: Key) {
        self.streams.close(key);
    }

    fn seals(&self, key: Key) -> bool {
        self.streams.seals(key)
    }

    fn trust(&mut self, key: Key, seal: &SealKey) {
        self.streams.seal(key, End::Coordinator, seal, &[]);
    }

    fn call(&mut self, rank: u32) -> bool {
        self.waiting.push_back((self.next, rank));
        self.next += 1;
        true
    }
}

impl Drop for Children {
    /// Every stream is ended, which ends the members; then their processes are awaited.
    fn drop(&mut self) {
        self.waiting.clear();
        for key in self.processes.keys() {
            self.streams.close(*key);
        }
        for child in self.processes.values_mut() {
            if !is_gone_soon(child) {
                // Nothing can be done about a process that does not go.
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }
}

/// Whether a process ends within two seconds of the end of its streams.
fn is_gone_soon(child: &mut Child) -> bool {
    let Some(pid) = rustix::process::Pid::from_raw(child.id() as i32) else {
        return false;
    };
    let flags = rustix::process::PidfdFlags::empty();
    if let Ok(fd) = rustix::process::pidfd_open(pid, flags) {
        let mut wait = [rustix::event::PollFd::new(
            &fd,
            rustix::event::PollFlags::IN,
        )];
        let limit = rustix::event::Timespec {
            tv_sec: 2,
            tv_nsec: 0,
        };
        // Whatever comes of the wait, the process itself says whether it is gone.
        let _ = rustix::event::poll(&mut wait, Some(&limit));
    }
    matches!(child.try_wait(), Ok(Some(_)))
}
