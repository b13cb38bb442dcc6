//! Where the processes of an MPICH job meet: its launcher keeps a table for them, which is reached
//! by a descriptor that each inherits (PMI-1: lines of `key=value`, each answered by one).

use super::meeting;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_cluster::token::Token;
use std::fs::File;
use std::io;
use std::net::SocketAddr;

/// The variable that names the descriptor.
const DESCRIPTOR: &str = "PMI_FD";
/// The key under which rank 0 says where it is.
const KEY: &str = "fathom";
/// Bytes of a value that every launcher takes.
const VALUE_BYTES: usize = 1000;
/// Bytes of a line of an answer.
const LINE_BYTES: usize = 16 << 10;

/// The table of a job.
#[derive(Debug)]
pub(super) struct Table<S> {
    stream: S,
    name: String,
}

/// That of the job that started this process, if it is such a job.
pub(super) fn of_job() -> Option<Result<Table<File>, Error>> {
    let number = std::env::var(DESCRIPTOR).ok()?.parse().ok()?;
    let opened = fathom_device::inherited::inherited(number).map(File::from);
    Some(opened.and_then(Table::open).map_err(|error| cannot(&error)))
}

fn cannot(error: &io::Error) -> Error {
    let thing = "cannot get the meeting address from the launcher";
    Problem::new(Exit::Environment, thing)
        .because(system_words(error))
        .remedy("use --rendezvous file:PATH in a shared folder")
        .into()
}

impl<S: io::Read + io::Write> Table<S> {
    fn open(stream: S) -> io::Result<Self> {
        let name = String::new();
        let mut table = Self { stream, name };
        table.ask(
            "cmd=init pmi_version=1 pmi_subversion=1",
            "response_to_init",
        )?;
        let answer = table.ask("cmd=get_my_kvsname", "my_kvsname")?;
        value(&answer, "kvsname")?.clone_into(&mut table.name);
        Ok(table)
    }

    /// Says where the coordinator is, which the others hear in [`Self::find`], with the secret
    /// where they do not have it, and leaves the launcher's table.
    pub(super) fn leave(mut self, bound: SocketAddr, token: Option<&Token>) -> Result<(), Error> {
        let secret = token.map_or(&b""[..], Token::secret);
        let mut text = String::from_utf8_lossy(secret).into_owned();
        for address in meeting::addresses_of(bound) {
            let next = address.to_string();
            if text.len() + 1 + next.len() <= VALUE_BYTES {
                text = [text, next].join(",");
            }
        }
        let put = format!("cmd=put kvsname={} key={KEY} value={text}", self.name);
        let left = self.ask(&put, "put_result").and_then(|_| self.meet());
        left.and_then(|()| self.end())
            .map_err(|error| cannot(&error))
    }

    /// Where the coordinator is, and the secret if it was said.
    pub(super) fn find(mut self) -> Result<(Vec<String>, Option<Token>), Error> {
        let get = format!("cmd=get kvsname={} key={KEY}", self.name);
        let met = self.meet().and_then(|()| self.ask(&get, "get_result"));
        let answer = met.map_err(|error| cannot(&error))?;
        let text = value(&answer, "value").map_err(|error| cannot(&error))?;
        let mut words = text.split(',').map(str::to_owned);
        let secret = words.next().unwrap_or_default();
        let addresses = words.collect();
        let token = (!secret.is_empty()).then(|| Token::new(secret.as_bytes()));
        let token = token.transpose().map_err(|error| {
            Problem::new(Exit::Usage, "the launcher's table holds no secret")
                .because(error.to_string())
        })?;
        self.end().map_err(|error| cannot(&error))?;
        Ok((addresses, token))
    }

    /// Waits until all processes of the job do so.
    fn meet(&mut self) -> io::Result<()> {
        self.ask("cmd=barrier_in", "barrier_out").map(drop)
    }

    /// A process that has asked and does not say that it has ended counts as one that died.
    fn end(&mut self) -> io::Result<()> {
        self.ask("cmd=finalize", "finalize_ack").map(drop)
    }

    /// The answer to a line, which must be this one.
    fn ask(&mut self, line: &str, expected: &str) -> io::Result<String> {
        self.stream.write_all(format!("{line}\n").as_bytes())?;
        let mut answer = Vec::new();
        let mut byte = [0];
        while answer.len() < LINE_BYTES {
            self.stream.read_exact(&mut byte)?;
            if byte[0] == b'\n' {
                let text = String::from_utf8_lossy(&answer).into_owned();
                let is_good = value(&text, "rc").map_or(true, |code| code == "0");
                if value(&text, "cmd")? == expected && is_good {
                    return Ok(text);
                }
                return Err(io::Error::other(format!("it answered `{text}`")));
            }
            answer.extend(byte);
        }
        Err(io::Error::other("it answered a line without an end"))
    }
}

/// What stands behind a key in a line.
fn value<'a>(line: &'a str, key: &str) -> io::Result<&'a str> {
    let mut words = line.split(' ');
    let found = words.find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
    found.ok_or_else(|| io::Error::other(format!("`{line}` says no {key}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A launcher that gives these answers, and keeps what it is asked.
    struct Launcher {
        answers: io::Cursor<Vec<u8>>,
        asked: Vec<u8>,
    }

    impl io::Read for Launcher {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.answers.read(bytes)
        }
    }

    impl io::Write for Launcher {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.asked.extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    const BEGIN: &str = "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n\
                         cmd=my_kvsname kvsname=kvs_7_0\n";

    fn table(answers: &str) -> io::Result<Table<Launcher>> {
        Table::open(Launcher {
            answers: io::Cursor::new([BEGIN, answers].concat().into_bytes()),
            asked: Vec::new(),
        })
    }

    #[test]
    fn a_member_finds_what_rank_0_left() {
        let answers = "cmd=barrier_out rc=0\n\
                       cmd=get_result rc=0 msg=success \
                       value=0123456789abcdef0123,10.0.0.1:7000,[::1]:7000\n\
                       cmd=finalize_ack rc=0\n";
        let (addresses, token) = table(answers).expect("a table").find().expect("a place");
        assert_eq!(addresses, ["10.0.0.1:7000", "[::1]:7000"]);
        let token = token.expect("it was said");
        assert_eq!(token.secret(), b"0123456789abcdef0123");
    }

    #[test]
    fn what_the_launcher_refuses_is_said() {
        let mut table = table("cmd=put_result rc=-1 msg=duplicate_keyfathom\n").expect("a table");
        let error = table.ask("cmd=put", "put_result").expect_err("refused");
        assert_eq!(
            error.to_string(),
            "it answered `cmd=put_result rc=-1 msg=duplicate_keyfathom`"
        );
        let asked = "cmd=init pmi_version=1 pmi_subversion=1\ncmd=get_my_kvsname\ncmd=put\n";
        assert_eq!(String::from_utf8_lossy(&table.stream.asked), asked);
        let error = table.meet().expect_err("nobody answers");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
