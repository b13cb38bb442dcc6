//! A thread that serves on loopback until its client is done.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::thread::JoinHandle;

/// A server that gives what it has seen when it ends.
pub(crate) struct Served<T> {
    port: u16,
    thread: JoinHandle<T>,
}

impl<T> Served<T> {
    /// What it has seen. One that still waits for a client is told that there is none.
    pub(crate) fn end(self) -> T {
        if let Ok(mut stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)) {
            let _ = stream.write_all(b"the end\r\n");
            let _ = stream.shutdown(Shutdown::Write);
        }
        self.thread.join().expect("the server has not failed")
    }
}

/// Serves on a port of its own.
pub(crate) fn serve<T: Send + 'static>(
    work: impl FnOnce(&TcpListener) -> T + Send + 'static,
) -> (u16, Served<T>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let thread = std::thread::spawn(move || work(&listener));
    (port, Served { port, thread })
}

/// A conversation by lines.
pub(crate) struct LineStream {
    /// What comes in.
    pub(crate) reader: BufReader<TcpStream>,
}

impl LineStream {
    /// On this connection.
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self {
            reader: BufReader::new(stream),
        }
    }

    /// The next line without its end; none when the other side is done.
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let count = self.reader.read_line(&mut line).unwrap_or(0);
        (count > 0).then(|| line.trim_end().to_owned())
    }

    pub(crate) fn say(&mut self, line: &str) {
        // Where nobody listens any more, the next line is none.
        let _ = self
            .reader
            .get_mut()
            .write_all(format!("{line}\r\n").as_bytes());
    }
}
