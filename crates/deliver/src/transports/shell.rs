//! `ssh:` and `sftp:`, by the programs of the system: keys, agent, known hosts and
//! `~/.ssh/config` are as the user has them.

use std::fs::Permissions;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use fathom_device::{Door, Existing};
use tempfile::TempDir;
use url::Url;

use super::{Form, PATIENCE, Transport};
use crate::{DestinationError, Failure, Message, Netrc};

/// How long one file, or one batch, may take.
const LONGEST: Duration = Duration::from_mins(10);

/// Bytes of what a program says that are kept.
const MOST_SAID_BYTES: u64 = 64 << 10;

pub(super) const SCP: Transport = Transport {
    schemes: &["ssh"],
    form: Form {
        example: "ssh://anna@lab.example/srv/results/",
        about: "by scp into a folder that is there, with the keys and the agent of OpenSSH; /~/ \
                begins at the home folder",
    },
    needs_host: true,
    takes_query: false,
    check,
    send: scp,
};

pub(super) const SFTP: Transport = Transport {
    schemes: &["sftp"],
    form: Form {
        example: "sftp://anna@lab.example/srv/results/",
        about: "the same by sftp, where nothing else is allowed; files get their names when they \
                are whole",
    },
    needs_host: true,
    takes_query: false,
    check,
    send: sftp,
};

/// What older versions of scp hand to a shell on the other side is kept out of it.
fn check(url: &Url, _: &str) -> Result<(), DestinationError> {
    let of_names = |one: &char| one.is_ascii_alphanumeric() || "._-[]:".contains(*one);
    for name in [url.username(), url.host_str().unwrap_or_default()] {
        let other = name.chars().find(|one| !of_names(one));
        if let Some(other) = other.or(name.starts_with('-').then_some('-')) {
            let cause = format!(
                "a host or user with `-` at its begin, or with `{other}`, is not passed on to ssh"
            );
            return Err(DestinationError::new(cause, SCP.form.example));
        }
    }
    let is_plain = |one: &char| one.is_ascii_alphanumeric() || "/._~+,=@:-".contains(*one);
    if let Some(other) = url.path().chars().find(|one| !is_plain(one)) {
        let cause = format!("`{other}` in a folder is not passed on to ssh");
        return Err(DestinationError::new(
            cause,
            "letters, digits and / . _ ~ + , = @ : -",
        ));
    }
    Ok(())
}

/// The folder of the other side, with a `/` at its end; none is the home folder.
fn folder(url: &Url) -> String {
    let path = url.path();
    let at_home = path == "/~" || path.starts_with("/~/");
    let path = if at_home {
        path[2..].trim_start_matches('/')
    } else {
        path
    };
    let path = match path.trim_end_matches('/') {
        "" if path.is_empty() => ".",
        shorter => shorter,
    };
    format!("{path}/")
}

/// `user@host`, as ssh takes it.
fn account(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.username() {
        "" => host.to_owned(),
        user => format!("{user}@{host}"),
    }
}

/// A program of OpenSSH that never asks anybody: nobody may be there.
fn program(name: &str, url: &Url) -> Command {
    let mut command = Command::new(name);
    command
        .args(["-o", "BatchMode=yes", "-o", "LogLevel=ERROR"])
        // A connection that is shared would be waited for by whoever waits for this one.
        .args([
            "-o",
            "ControlPath=none",
            "-o",
            "ServerAliveInterval=10",
            "-o",
        ])
        .arg(format!("ConnectTimeout={}", PATIENCE.as_secs()));
    if let Some(port) = url.port() {
        command.arg("-P").arg(port.to_string());
    }
    command
}

/// The files in a folder of their own, to be sent from there.
fn spread(message: &Message) -> Result<TempDir, Failure> {
    // A result is nobody else's business on the way either.
    let owner_alone = Permissions::from_mode(0o700);
    let folder = tempfile::Builder::new().permissions(owner_alone).tempdir();
    let folder = folder
        .map_err(|error| Failure::new(format!("cannot make a folder to send from: {error}")))?;
    let path = folder.path().display().to_string();
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "/._-".contains(one);
    if !path.chars().all(is_plain) {
        let cause = format!("sftp would read `{path}` otherwise than it is meant");
        return Err(Failure::new(cause).remedy("TMPDIR=/tmp"));
    }
    for attachment in &message.attachments {
        let path = folder.path().join(&attachment.name);
        let written = Door::default().write(&path, &attachment.bytes, Existing::Kept);
        written.map_err(|error| {
            Failure::new(format!(
                "cannot write {}: {}",
                path.display(),
                error.cause()
            ))
        })?;
    }
    Ok(folder)
}

fn scp(url: &Url, message: &Message, _: &Netrc) -> Result<String, Failure> {
    let from = spread(message)?;
    // One by one: given several files, scp makes a folder that is not there.
    for attachment in &message.attachments {
        let mut command = program("scp", url);
        command.arg("--").arg(from.path().join(&attachment.name));
        // A host of six bytes has its brackets already.
        command.arg(format!(
            "{}:{}{}",
            account(url),
            folder(url),
            attachment.name
        ));
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        ended("scp", within_deadline(&mut command, &[]))?;
    }
    Ok(format!("in {} of {}", folder(url), account(url)))
}

fn sftp(url: &Url, message: &Message, _: &Netrc) -> Result<String, Failure> {
    let from = spread(message)?;
    let to = folder(url);
    let mut batch = String::new();
    for attachment in &message.attachments {
        let name = &attachment.name;
        let local = from.path().join(name);
        let draft = super::draft_of(name);
        // What is there already is of the same run, and is replaced at once or not at all.
        let steps = [
            format!("put \"{}\" \"{to}{draft}\"", local.display()),
            format!("rename \"{to}{draft}\" \"{to}{name}\""),
        ];
        for step in steps {
            batch.push_str(&step);
            batch.push('\n');
        }
    }
    let mut command = program("sftp", url);
    command.args(["-b", "-", "--"]).arg(account(url));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let done = within_deadline(&mut command, batch.as_bytes());
    ended("sftp", done)?;
    Ok(format!("in {to} of {}", account(url)))
}

/// Runs a program to its end, or ends it when it takes longer than any result would.
fn within_deadline(command: &mut Command, input: &[u8]) -> io::Result<Output> {
    let mut child = command.stdin(Stdio::piped()).spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // Where it has ended already, it says why.
        let _ = pipe.write_all(input);
    }
    let pipe = child.stderr.take();
    let (sender, told) = channel();
    // Read aside, so that a talkative one never waits for a reader. Its end closes the pipe.
    std::thread::spawn(move || {
        let mut said = Vec::new();
        if let Some(mut pipe) = pipe {
            // What cannot be read cannot be shown; the status still tells.
            let _ = pipe.by_ref().take(MOST_SAID_BYTES).read_to_end(&mut said);
            let _ = io::copy(&mut pipe, &mut io::sink());
        }
        // Where nobody waits any more, it has taken too long.
        let _ = sender.send(said);
    });
    let Ok(stderr) = told.recv_timeout(LONGEST) else {
        child.kill()?;
        child.wait()?;
        let limit = LONGEST.as_secs();
        return Err(io::Error::other(format!("no end within {limit} s")));
    };
    Ok(Output {
        status: child.wait()?,
        stdout: Vec::new(),
        stderr,
    })
}

/// What a program that has ended says.
fn ended(name: &str, done: io::Result<Output>) -> Result<(), Failure> {
    let output = done.map_err(|error| {
        let failure = Failure::new(format!("{name}: {error}"));
        if error.kind() == io::ErrorKind::NotFound {
            return failure.remedy("the package openssh-client");
        }
        failure
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.trim();
    let cause = if said.is_empty() {
        format!(
            "{name} ended with {}: no connection, or not let in",
            output.status
        )
    } else {
        format!("{name}: {said}")
    };
    Err(Failure::new(cause).remedy("ssh to that host by hand, without a password"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_as_they_are_named() {
        let cases = [
            ("ssh://lab/srv/results", "/srv/results/"),
            ("ssh://lab/srv/results/", "/srv/results/"),
            ("ssh://lab/~/results", "results/"),
            ("ssh://lab/~/", "./"),
            ("ssh://lab", "./"),
            ("ssh://lab/", "/"),
            ("ssh://lab/~anna/in", "/~anna/in/"),
        ];
        for (url, expected) in cases {
            let url = Url::parse(url).expect("a URL");
            assert_eq!(folder(&url), expected, "{url}");
        }
    }
}
