//! The secret that all members share: where it comes from, and who may have seen it.

use crate::commands::archive::{data_folder, no_data_folder};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_cluster::token::{BYTES, Token};
use fathom_device::input;
use fathom_platform::unix::fs::MetadataExt as _;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Longest line or file that is read for a token.
const MOST: u64 = 4096;
/// The variable that names the file of the servers' secret.
pub(crate) const SERVER_TOKEN: &str = "FATHOM_SERVER_TOKEN";
/// Where the secret of servers is kept that name no file, below the user's data.
const USERS_TOKEN: &str = "server.token";

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
    let user = fathom_platform::process::geteuid().as_raw();
    if is_readable_by_others(found.mode(), found.uid(), user) {
        let problem = Problem::new(Exit::Usage, thing());
        return Err(problem
            .because(format!(
                "other users can read it: its mode is {:04o}",
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

/// Whether anybody but its owner may use a file of that mode and owner. `user` may read the files
/// of root by their group, because Kubernetes gives a secret to a pod in that way.
const fn is_readable_by_others(mode: u32, owner: u32, user: u32) -> bool {
    let others = if owner == 0 && user != 0 {
        0o037
    } else {
        0o077
    };
    mode & others != 0
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

/// The file of the secret that is named, if one is: by an option, or for all calls of a shell.
pub(crate) fn named_token_file(option: Option<&Path>) -> Option<PathBuf> {
    let variable = std::env::var_os(SERVER_TOKEN).filter(|value| !value.is_empty());
    option
        .map(Path::to_owned)
        .or_else(|| variable.map(PathBuf::from))
}

/// The file of the secret: the one named, or the user's.
pub(crate) fn token_file(named: Option<PathBuf>) -> Result<PathBuf, Error> {
    if let Some(path) = named {
        return Ok(path);
    }
    let folder = data_folder().ok_or_else(|| {
        Problem::new(Exit::Environment, "the secret has no file")
            .because(no_data_folder(&[]))
            .remedy("--token-file FILE")
    })?;
    Ok(folder.join(USERS_TOKEN))
}

/// The secret that servers know who are called from here.
pub(crate) fn token_of_servers(option: Option<&Path>) -> Result<Token, Error> {
    let named = named_token_file(option);
    let is_named = named.is_some();
    let path = token_file(named)?;
    if !is_named && !path.exists() {
        let thing = "the secret of the servers is unknown";
        let problem = Problem::new(Exit::Usage, thing)
            .because(format!(
                "{} is not there. A server is a `fathom` too: the protocol is not that of other \
                 programs",
                path.display()
            ))
            .remedy("copy that file from a server's host, or set --token-file FILE");
        return Err(problem.into());
    }
    from_file(&path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_roots_files_may_be_read_by_a_group() {
        let cases = [
            ((0o600, 1000, 1000), false),
            ((0o400, 0, 0), false),
            ((0o640, 1000, 1000), true),
            ((0o440, 0, 0), true),
            ((0o100_440, 0, 65_532), false),
            ((0o460, 0, 65_532), true),
            ((0o444, 0, 65_532), true),
        ];
        for ((mode, owner, user), expected) in cases {
            let found = is_readable_by_others(mode, owner, user);
            assert_eq!(found, expected, "{mode:o} {owner} {user}");
        }
    }
}
