//! A server of short answers: one thread for all who ask, and limits that none of them gets around.

use fathom_core::Nanos;
use fathom_engine::Clock;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread::Builder;

/// Connections at once; the oldest goes for the next.
const AT_ONCE: usize = 32;
/// Time of each connection, from its start to its end.
const PATIENCE: Nanos = Nanos::from_secs(5);
/// After one that could not be taken.
const PAUSE: Nanos = Nanos::from_millis(100);
/// Bytes that are read at once.
const CHUNK: usize = 4 << 10;
/// Reads and writes of one connection before the others have their turn.
const STEPS: usize = 64;

/// Answers all who connect, in a thread that ends with the process. `answer` gets what has arrived
/// of a request, and gives nothing while it needs more; it has to give something in the end.
///
/// # Errors
///
/// What the system said of the socket or the thread.
pub(crate) fn answer_all<A>(listener: TcpListener, answer: A) -> io::Result<()>
where
    A: Fn(&[u8]) -> Option<Vec<u8>> + Send + 'static,
{
    listener.set_nonblocking(true)?;
    let serve = move || {
        let mut server = Server {
            listener,
            answer,
            open: VecDeque::new(),
            clock: Clock::monotonic(),
        };
        loop {
            server.turn();
        }
    };
    Builder::new().name("metrics".to_owned()).spawn(serve)?;
    Ok(())
}

struct Server<A> {
    listener: TcpListener,
    answer: A,
    /// The oldest first.
    open: VecDeque<Connection>,
    clock: Clock,
}

struct Connection {
    stream: TcpStream,
    until: Nanos,
    state: State,
}

enum State {
    /// What has arrived.
    Asking(Vec<u8>),
    /// The answer, and how much of it was sent.
    Answering(Vec<u8>, usize),
    /// What still arrives is read: else the system would reset the connection before the answer is
    /// read.
    Leaving,
}

impl<A: Fn(&[u8]) -> Option<Vec<u8>>> Server<A> {
    /// Waits until something happens, and does what can be done.
    fn turn(&mut self) {
        let now = self.clock.now();
        let timeout = self.open.iter().map(|one| one.until - now).min();
        let ready = self.wait(timeout);
        let now = self.clock.now();
        let answer = &self.answer;
        let mut is_ready = ready.iter().skip(1);
        self.open.retain_mut(|one| {
            let is_ready = is_ready.next() == Some(&true);
            now < one.until && (!is_ready || one.advance(answer))
        });
        if ready.first() == Some(&true) {
            self.accept(now);
        }
    }

    /// Whether the listener and each connection have something to do.
    fn wait(&self, timeout: Option<Nanos>) -> Vec<bool> {
        let mut all = vec![PollFd::new(&self.listener, PollFlags::IN)];
        all.extend(self.open.iter().map(Connection::waits_for));
        // Where nothing can be waited for, nothing is ready.
        let _ = poll(&mut all, timeout.map(timespec).as_ref());
        all.iter().map(|one| !one.revents().is_empty()).collect()
    }

    /// Takes those who connect. Most have sent their request by then, and are answered at once,
    /// whoever else is silent.
    fn accept(&mut self, now: Nanos) {
        for _ in 0..AT_ONCE {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // No file is left for it, or it has gone.
                Err(_) => {
                    if self.open.pop_front().is_none() {
                        let _ = poll(&mut [], Some(&timespec(PAUSE)));
                    }
                    return;
                }
            };
            if stream.set_nonblocking(true).is_err() {
                continue;
            }
            let mut connection = Connection {
                stream,
                until: now + PATIENCE,
                state: State::Asking(Vec::new()),
            };
            if connection.advance(&self.answer) {
                if self.open.len() == AT_ONCE {
                    self.open.pop_front();
                }
                self.open.push_back(connection);
            }
        }
    }
}

impl Connection {
    fn waits_for(&self) -> PollFd<'_> {
        let flags = match self.state {
            State::Answering(..) => PollFlags::OUT,
            State::Asking(_) | State::Leaving => PollFlags::IN,
        };
        PollFd::new(&self.stream, flags)
    }

    /// Reads and writes what it can; false at its end.
    fn advance(&mut self, answer: impl Fn(&[u8]) -> Option<Vec<u8>>) -> bool {
        for _ in 0..STEPS {
            match self.step(&answer) {
                Ok(true) => {}
                Ok(false) => return false,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return error.kind() == ErrorKind::WouldBlock,
            }
        }
        true
    }

    fn step(&mut self, answer: impl Fn(&[u8]) -> Option<Vec<u8>>) -> io::Result<bool> {
        let mut chunk = [0; CHUNK];
        match &mut self.state {
            State::Asking(request) => {
                let count = self.stream.read(&mut chunk)?;
                request.extend_from_slice(&chunk[..count]);
                if let Some(bytes) = answer(request) {
                    self.state = State::Answering(bytes, 0);
                }
                Ok(count > 0)
            }
            State::Answering(bytes, sent) => {
                let count = self.stream.write(&bytes[*sent..])?;
                *sent += count;
                if *sent == bytes.len() {
                    self.stream.shutdown(Shutdown::Write)?;
                    self.state = State::Leaving;
                }
                Ok(count > 0)
            }
            State::Leaving => Ok(self.stream.read(&mut chunk)? > 0),
        }
    }
}

fn timespec(time: Nanos) -> Timespec {
    Timespec {
        tv_sec: (time.0 / 1_000_000_000) as i64,
        tv_nsec: (time.0 % 1_000_000_000) as _,
    }
}
