//! The connections of a client that stores files by FTP: RFC 959, with TLS (RFC 4217), and over
//! IPv6 (RFC 2428).

use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};

use crate::Failure;
use crate::failure::PATIENCE;

/// Bytes of a reply at most, in all its lines.
const LONGEST_REPLY: u64 = 16 << 10;

/// How connections are encrypted: what a server has to show, and its name.
pub(super) type Tls = (Arc<ClientConfig>, ServerName<'static>);

enum Stream {
    Plain(TcpStream),
    Sealed(Box<StreamOwned<ClientConnection, TcpStream>>),
}

impl Stream {
    fn new(stream: TcpStream, tls: Option<&Tls>) -> Result<Self, Failure> {
        let Some((config, name)) = tls else {
            return Ok(Self::Plain(stream));
        };
        let connection = ClientConnection::new(Arc::clone(config), name.clone());
        let connection = connection.map_err(Failure::new)?;
        let sealed = StreamOwned::new(connection, stream);
        Ok(Self::Sealed(Box::new(sealed)))
    }

    fn socket(&self) -> &TcpStream {
        match self {
            Self::Plain(stream) => stream,
            Self::Sealed(stream) => stream.get_ref(),
        }
    }

    /// Reports the end of the data, and waits until the server has closed the connection: what the
    /// system has not sent yet is lost where a socket is closed with bytes that nobody has read,
    /// such as tickets of TLS.
    fn close(mut self) -> io::Result<()> {
        if let Self::Sealed(stream) = &mut self {
            stream.conn.send_close_notify();
        }
        self.flush()?;
        self.socket().shutdown(Shutdown::Write)?;
        // Many servers end without a word, and the reply tells whether all has arrived.
        let _ = io::copy(
            &mut Read::by_ref(&mut self).take(LONGEST_REPLY),
            &mut io::sink(),
        );
        Ok(())
    }
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.read(into),
            Self::Sealed(stream) => stream.read(into),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.write(bytes),
            Self::Sealed(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(stream) => stream.flush(),
            Self::Sealed(stream) => stream.flush(),
        }
    }
}

/// The connection for commands.
pub(super) struct Connection {
    lines: BufReader<Stream>,
    /// Of the server; data go there too, because a server behind a translator of addresses names
    /// one that cannot be reached.
    address: IpAddr,
    tls: Option<Tls>,
}

impl Connection {
    /// Connects to a server. With TLS, no command but the one for TLS is sent in plain text.
    pub(super) fn open(address: SocketAddr, tls: Option<Tls>) -> Result<Self, Failure> {
        let stream = patient(address).map_err(|error| of_system(&error))?;
        let mut connection = Self {
            lines: BufReader::new(Stream::Plain(stream)),
            address: address.ip(),
            tls: None,
        };
        let (code, text) = connection.reply()?;
        if code != 220 {
            return Err(Failure::new(text));
        }
        let Some(tls) = tls else {
            return Ok(connection);
        };
        connection.ask("AUTH TLS", &[234])?;
        // What came ahead of TLS could be anybody's.
        if !connection.lines.buffer().is_empty() {
            return Err(Failure::new("the server sent data before TLS began"));
        }
        let socket = connection.lines.get_ref().socket().try_clone();
        let socket = socket.map_err(|error| of_system(&error))?;
        connection.lines = BufReader::new(Stream::new(socket, Some(&tls))?);
        connection.ask("PBSZ 0", &[200])?;
        connection.ask("PROT P", &[200])?;
        connection.tls = Some(tls);
        Ok(connection)
    }

    /// Sends a command; the code and the text of the reply, whatever it is.
    pub(super) fn answer(&mut self, command: &str) -> Result<(u16, String), Failure> {
        if command.contains(['\r', '\n', '\0']) {
            return Err(Failure::new("a line break in a name is not allowed"));
        }
        let line = format!("{command}\r\n");
        let stream = self.lines.get_mut();
        let sent = stream.write_all(line.as_bytes());
        let sent = sent.and_then(|()| stream.flush());
        sent.map_err(|error| of_system(&error))?;
        self.reply()
    }

    /// Sends a command, and gives the text of the reply if its code is one of these.
    pub(super) fn ask(&mut self, command: &str, expected: &[u16]) -> Result<String, Failure> {
        let (code, text) = self.answer(command)?;
        if expected.contains(&code) {
            Ok(text)
        } else {
            Err(Failure::new(text))
        }
    }

    /// Stores a file on a connection of its own.
    pub(super) fn store(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let port = self.passive_port()?;
        let data = patient(SocketAddr::new(self.address, port));
        let data = data.map_err(|error| of_system(&error))?;
        self.ask(&format!("STOR {name}"), &[125, 150])?;
        let mut data = Stream::new(data, self.tls.as_ref())?;
        let sent = data.write_all(bytes);
        let sent = sent.and_then(|()| data.close());
        // The server knows better why it has closed the connection for data.
        let (code, text) = self.reply()?;
        if !matches!(code, 226 | 250) {
            return Err(Failure::new(text));
        }
        sent.map_err(|error| of_system(&error))
    }

    /// The port where the server waits for data.
    fn passive_port(&mut self) -> Result<u16, Failure> {
        let (command, code) = if self.address.is_ipv6() {
            ("EPSV", 229)
        } else {
            ("PASV", 227)
        };
        let text = self.ask(command, &[code])?;
        let port = if self.address.is_ipv6() {
            text.split('|').nth(3).and_then(|port| port.parse().ok())
        } else {
            port_of_six(&text)
        };
        port.ok_or_else(|| Failure::new(format!("no port in the reply to {command}: {text}")))
    }

    /// The next reply. One of several lines begins with the code and `-`, and ends with a line that
    /// begins with the code and a blank.
    fn reply(&mut self) -> Result<(u16, String), Failure> {
        let mut lines = (&mut self.lines).take(LONGEST_REPLY);
        let mut bytes = Vec::new();
        let mut start = 0;
        let mut code: Option<String> = None;
        loop {
            let count = lines.read_until(b'\n', &mut bytes);
            let count = count.map_err(|error| of_system(&error))?;
            let line = String::from_utf8_lossy(&bytes[start..]).into_owned();
            if bytes.len() as u64 == LONGEST_REPLY {
                return Err(Failure::new("the reply of the server has no end"));
            }
            if count == 0 {
                return Err(Failure::new("the server closed the connection"));
            }
            start = bytes.len();
            let head = line.get(..3).unwrap_or_default();
            let is_last = line.as_bytes().get(3) != Some(&b'-');
            let first = code.get_or_insert_with(|| head.to_owned());
            if is_last && head == *first {
                let text = String::from_utf8_lossy(&bytes).trim().to_owned();
                let number = head.parse();
                let number = number.map_err(|_| Failure::new(format!("not FTP: {text}")))?;
                return Ok((number, text));
            }
        }
    }
}

/// The port of `(h1,h2,h3,h4,p1,p2)`, with or without brackets.
fn port_of_six(text: &str) -> Option<u16> {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == ',';
    text.split(|letter| !is_part(letter)).find_map(|word| {
        let parts: Option<Vec<u8>> = word.split(',').map(|part| part.parse().ok()).collect();
        let [_, _, _, _, high, low] = parts?.try_into().ok()?;
        Some(u16::from_be_bytes([high, low]))
    })
}

/// A connection on which no answer is waited for without end.
fn patient(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}

fn of_system(error: &io::Error) -> Failure {
    Failure::of_library(&error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_found_in_whatever_is_around_it() {
        for (text, expected) in [
            ("227 Entering Passive Mode (192,168,1,2,4,1).", Some(1025)),
            ("227 =10,0,0,1,255,255", Some(65535)),
            ("227 Entering (10,0,0,1,256,1)", None),
            ("227 Entering (10,0,0,1,2)", None),
            ("227 8,0,0,1,2,3,4", None),
        ] {
            assert_eq!(port_of_six(text), expected, "{text}");
        }
    }
}
