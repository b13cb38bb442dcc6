//! The secret that all members share: where it comes from, and who may have seen it.

use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_cluster::token::{BYTES, Token};
use fathom_device::input;
use fathom_platform::unix::fs::MetadataExt as _;
use std::io::{self, Read as _};
use std::path::Path;

/// Longest line or file that is read for a token.
const MOST: u64 = 4096;

/// Random bytes of the kernel.
pub(crate) fn random() -> Result<[u8; BYTES], Error> {
    let mut bytes = [0; BYTES];
    let read = input::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|error| {
        Problem::new(Exit::Environment, "cannot make a secret for the members")
            .because(system_words(&error))
    })?;
    Ok(bytes)
}

/// From a file that only its owner, who runs this, may read.
pub(crate) fn from_file(path: &Path) -> Result<Token, Error> {
    let thing = || format!("cannot take the secret from {}", path.display());
    let cannot =
        |error: &io::Error| Problem::new(Exit::Environment, thing()).because(system_words(error));
    let file = input::open(path).map_err(|error| cannot(&error))?;
    let found = file.metadata().map_err(|error| cannot(&error))?;
    if found.mode() & 0o077 != 0 {
        let problem = Problem::new(Exit::Usage, thing());
        return Err(problem
            .because(format!(
                "others may read it: its mode is {:04o}",
                found.mode() & 0o7777
            ))
            .remedy(format!("chmod 600 {}", path.display()))
            .into());
    }
    let mut bytes = Vec::new();
    file.take(MOST)
        .read_to_end(&mut bytes)
        .map_err(|error| cannot(&error))?;
    Token::new(&bytes).map_err(|error| {
        let problem = Problem::new(Exit::Usage, thing()).because(error.to_string());
        problem.remedy("head -c 32 /dev/urandom | base64").into()
    })
}

/// From the first line of standard input; what follows it stays there.
pub(crate) fn from_line() -> Result<Token, Error> {
    let thing = "no secret came on standard input";
    let stdin = io::stdin();
    let (mut line, mut byte) = (Vec::new(), [0]);
    while (line.len() as u64) < MOST {
        match fathom_platform::io::read(&stdin, &mut byte) {
            Ok(1) if byte[0] != b'\n' => line.push(byte[0]),
            Ok(_) => break,
            Err(fathom_platform::io::Errno::INTR) => {}
            Err(errno) => {
                let problem = Problem::new(Exit::Environment, thing);
                return Err(problem.because(system_words(&errno.into())).into());
            }
        }
    }
    Token::new(&line).map_err(|error| {
        let problem = Problem::new(Exit::Usage, thing).because(error.to_string());
        problem
            .remedy("members are started by the coordinator: fathom run --hosts")
            .into()
    })
}
