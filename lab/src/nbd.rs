//! A server of one disk over a socket, in the words of NBD (fixed newstyle, simple replies).

use std::io::{self, Read, Write};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::thread::JoinHandle;

/// What a disk is counted in.
pub(crate) const SECTOR: u64 = 512;

/// What is served; offsets and lengths are whole sectors within it.
pub(crate) trait Storage: Send + 'static {
    fn size_bytes(&self) -> io::Result<u64>;

    fn read(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    fn write(&mut self, offset: u64, data: &[u8], fua: bool) -> io::Result<()>;

    fn flush(&mut self) -> io::Result<()>;
}

const GREETING: u64 = u64::from_be_bytes(*b"NBDMAGIC");
const OPTION: u64 = u64::from_be_bytes(*b"IHAVEOPT");
const REPLY_TO_OPTION: u64 = 0x0003_e889_0455_65a9;
const REQUEST: u32 = 0x2560_9513;
const REPLY: u32 = 0x6744_6698;

/// Fixed newstyle, and no zeros after the name of an export.
const HANDSHAKE_FLAGS: u16 = 1 | 2;
/// Flags are valid; flushes; FUA.
const EXPORT_FLAGS: u16 = 1 | 4 | 8;

const OPTION_EXPORT_NAME: u32 = 1;
const OPTION_ABORT: u32 = 2;
const OPTION_INFO: u32 = 6;
const OPTION_GO: u32 = 7;
const ANSWER_ACK: u32 = 1;
const ANSWER_INFO: u32 = 3;
const ANSWER_UNKNOWN: u32 = (1 << 31) | 1;

const COMMAND_READ: u16 = 0;
const COMMAND_WRITE: u16 = 1;
const COMMAND_LEAVE: u16 = 2;
const COMMAND_FLUSH: u16 = 3;
const FLAG_FUA: u16 = 1;

/// Largest option or request, bytes.
const MOST: u32 = 64 << 20;

const ERROR_IO: u32 = 5;
const ERROR_INVALID: u32 = 22;

/// Serves whoever comes first, until it has gone: then what is left of the disk is given back.
pub(crate) fn serve<D: Storage>(socket: &Path, disk: D) -> io::Result<JoinHandle<io::Result<D>>> {
    let listener = UnixListener::bind(socket)?;
    Ok(std::thread::spawn(move || {
        let (stream, _) = listener.accept()?;
        let mut server = Server { stream, disk };
        match server.talk() {
            // It was killed, which is what this is about.
            Err(error) if is_gone(&error) => {}
            told => told?,
        }
        Ok(server.disk)
    }))
}

fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof)
}

struct Server<S, D> {
    stream: S,
    disk: D,
}

impl<S: Read + Write, D: Storage> Server<S, D> {
    fn talk(&mut self) -> io::Result<()> {
        if self.agree()? {
            while self.request()? {}
        }
        Ok(())
    }

    fn number<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn u16(&mut self) -> io::Result<u16> {
        Ok(u16::from_be_bytes(self.number()?))
    }

    fn u32(&mut self) -> io::Result<u32> {
        Ok(u32::from_be_bytes(self.number()?))
    }

    fn u64(&mut self) -> io::Result<u64> {
        Ok(u64::from_be_bytes(self.number()?))
    }

    fn bytes(&mut self, length: u32) -> io::Result<Vec<u8>> {
        if length > MOST {
            return Err(io::Error::other("more than a request may have"));
        }
        let mut bytes = vec![0; length as usize];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// What is served; false if nothing is wanted.
    fn agree(&mut self) -> io::Result<bool> {
        let size = self.disk.size_bytes()?;
        let mut hello = Vec::new();
        hello.extend(GREETING.to_be_bytes());
        hello.extend(OPTION.to_be_bytes());
        hello.extend(HANDSHAKE_FLAGS.to_be_bytes());
        self.stream.write_all(&hello)?;
        self.u32()?;
        loop {
            if self.u64()? != OPTION {
                return Err(io::Error::other("no option of NBD"));
            }
            let option = self.u32()?;
            let length = self.u32()?;
            self.bytes(length)?;
            let mut export = Vec::new();
            export.extend(size.to_be_bytes());
            export.extend(EXPORT_FLAGS.to_be_bytes());
            match option {
                OPTION_EXPORT_NAME => {
                    self.stream.write_all(&export)?;
                    return Ok(true);
                }
                OPTION_GO | OPTION_INFO => {
                    // The kind of reply: an export.
                    export.splice(0..0, 0_u16.to_be_bytes());
                    self.answer(option, ANSWER_INFO, &export)?;
                    self.answer(option, ANSWER_ACK, &[])?;
                    if option == OPTION_GO {
                        return Ok(true);
                    }
                }
                OPTION_ABORT => {
                    self.answer(option, ANSWER_ACK, &[])?;
                    return Ok(false);
                }
                _ => self.answer(option, ANSWER_UNKNOWN, &[])?,
            }
        }
    }

    fn answer(&mut self, option: u32, kind: u32, data: &[u8]) -> io::Result<()> {
        let mut bytes = Vec::new();
        bytes.extend(REPLY_TO_OPTION.to_be_bytes());
        bytes.extend(option.to_be_bytes());
        bytes.extend(kind.to_be_bytes());
        bytes.extend((data.len() as u32).to_be_bytes());
        bytes.extend(data);
        self.stream.write_all(&bytes)
    }

    /// One request; false after the last.
    fn request(&mut self) -> io::Result<bool> {
        if self.u32()? != REQUEST {
            return Err(io::Error::other("no request of NBD"));
        }
        let (flags, command, handle) = (self.u16()?, self.u16()?, self.u64()?);
        let (offset, length) = (self.u64()?, self.u32()?);
        let end = offset.saturating_add(u64::from(length));
        let fits = offset.is_multiple_of(SECTOR) && end.is_multiple_of(SECTOR);
        let fits = fits && end <= self.disk.size_bytes()? && length <= MOST;
        let mut data = Vec::new();
        let done = match command {
            COMMAND_READ if fits => {
                data.resize(length as usize, 0);
                self.disk.read(offset, &mut data)
            }
            COMMAND_WRITE => {
                let written = self.bytes(length)?;
                if fits {
                    self.disk.write(offset, &written, flags & FLAG_FUA != 0)
                } else {
                    Err(io::ErrorKind::InvalidInput.into())
                }
            }
            COMMAND_FLUSH => self.disk.flush(),
            COMMAND_LEAVE => return Ok(false),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        };
        let error = match done {
            Ok(()) => 0,
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => ERROR_INVALID,
            Err(_) => ERROR_IO,
        };
        let mut reply = Vec::with_capacity(16 + data.len());
        reply.extend(REPLY.to_be_bytes());
        reply.extend(error.to_be_bytes());
        reply.extend(handle.to_be_bytes());
        if error == 0 {
            reply.extend(&data);
        }
        self.stream.write_all(&reply)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::durability::volatile::{Manner, Volatile};
    use crate::siege::random::Random;
    use std::os::unix::net::UnixStream;

    fn request(stream: &mut UnixStream, flags: u16, command: u16, offset: u64, data: &[u8]) -> u32 {
        let length = if command == COMMAND_READ {
            512
        } else {
            data.len() as u32
        };
        let mut bytes = Vec::new();
        bytes.extend(REQUEST.to_be_bytes());
        bytes.extend(flags.to_be_bytes());
        bytes.extend(command.to_be_bytes());
        bytes.extend(7_u64.to_be_bytes());
        bytes.extend(offset.to_be_bytes());
        bytes.extend(length.to_be_bytes());
        bytes.extend(data);
        stream.write_all(&bytes).unwrap();
        let mut reply = [0; 16];
        stream.read_exact(&mut reply).unwrap();
        assert_eq!(reply[..4], REPLY.to_be_bytes());
        assert_eq!(reply[8..], 7_u64.to_be_bytes());
        u32::from_be_bytes([reply[4], reply[5], reply[6], reply[7]])
    }

    #[test]
    fn a_disk_is_agreed_upon_written_and_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let medium = tempfile::tempfile().unwrap();
        medium.set_len(8192).unwrap();
        let disk = Volatile::new(medium, Manner::Honest, Random::new(1));
        let server = serve(&path, disk).unwrap();
        let mut stream = UnixStream::connect(&path).unwrap();
        let mut hello = [0; 18];
        stream.read_exact(&mut hello).unwrap();
        assert_eq!(&hello[..], b"NBDMAGICIHAVEOPT\0\x03");
        let mut go = Vec::new();
        go.extend(1_u32.to_be_bytes());
        go.extend(OPTION.to_be_bytes());
        go.extend(OPTION_GO.to_be_bytes());
        go.extend(6_u32.to_be_bytes());
        go.extend([0; 6]);
        stream.write_all(&go).unwrap();
        let mut told = [0; 20 + 12 + 20];
        stream.read_exact(&mut told).unwrap();
        assert_eq!(told[20..32], *b"\0\0\0\0\0\0\0\0\x20\0\0\x0d");
        assert_eq!(
            request(&mut stream, FLAG_FUA, COMMAND_WRITE, 512, &[9; 512]),
            0
        );
        assert_eq!(
            request(&mut stream, 0, COMMAND_WRITE, 8192, &[9; 512]),
            ERROR_INVALID
        );
        assert_eq!(request(&mut stream, 0, COMMAND_FLUSH, 0, &[]), 0);
        assert_eq!(request(&mut stream, 0, COMMAND_READ, 512, &[]), 0);
        let mut data = [0; 512];
        stream.read_exact(&mut data).unwrap();
        assert_eq!(data, [9; 512]);
        drop(stream);
        let disk = server.join().unwrap().unwrap();
        disk.read(512, &mut data).unwrap();
        assert_eq!(data, [9; 512]);
    }
}
