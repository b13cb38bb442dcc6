//! The acknowledgement server on another host: it saves each line, and then sends it back.

use super::error::DurabilityError;
use fathom_device::{Door, Existing};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;

/// Longest line that is kept, bytes.
const LONGEST: u64 = 64 << 10;

/// Waits for a writer.
#[derive(Debug)]
pub struct Keeper {
    name: String,
    socket: TcpListener,
    log: File,
}

impl Keeper {
    /// Listens at an address, and keeps what it hears in a file.
    ///
    /// # Errors
    ///
    /// [`DurabilityError`]
    pub fn listen(address: &str, log: &Path) -> Result<Self, DurabilityError> {
        let is_log = |head: &[u8]| head.starts_with(b"fd1 ");
        let opened = Door::default().open_where(log, Existing::Extended, &is_log)?;
        let socket = TcpListener::bind(address).map_err(|error| DurabilityError::Witness {
            name: address.to_owned(),
            cause: error.to_string(),
        })?;
        Ok(Self {
            name: address.to_owned(),
            socket,
            log: opened.file,
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// If the system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Saves what one writer sends until it hangs up: the number of lines.
    ///
    /// # Errors
    ///
    /// [`DurabilityError::Witness`], also where the line to it breaks.
    pub fn keep_one(&mut self) -> Result<u64, DurabilityError> {
        let name = self.name.clone();
        self.kept().map_err(|error| DurabilityError::Witness {
            name,
            cause: error.to_string(),
        })
    }

    fn kept(&mut self) -> io::Result<u64> {
        let (stream, _) = self.socket.accept()?;
        stream.set_nodelay(true)?;
        keep(BufReader::new(stream.try_clone()?), stream, &mut self.log)
    }
}

/// Keeps each whole line, then says it again.
fn keep(mut from: impl BufRead, mut to: impl Write, log: &mut File) -> io::Result<u64> {
    let is_file = log.metadata()?.is_file();
    let mut lines = 0;
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut from).take(LONGEST).read_until(b'\n', &mut line) {
            // Its machine is gone, or back again and knows nothing of it.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return Ok(lines),
            read => read?,
        };
        if line.last() != Some(&b'\n') {
            return Ok(lines);
        }
        log.write_all(&line)?;
        if is_file {
            log.sync_data()?;
        }
        to.write_all(&line)?;
        lines += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_are_kept_before_they_are_said_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = File::create(&path).unwrap();
        let mut said = Vec::new();
        let lines = keep(&b"one\ntwo\nthr"[..], &mut said, &mut log).unwrap();
        assert_eq!((lines, said.as_slice()), (2, &b"one\ntwo\n"[..]));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n");
    }
}
