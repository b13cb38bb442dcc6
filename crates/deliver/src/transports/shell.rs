//! `ssh:` and `sftp:`, by the programs of the system: keys, agent, known hosts and
//! `~/.ssh/config` are as the user has them.

use std::io::Write as _;
use std::process::{Command, Stdio};

use fathom_device::{Door, Existing};
use tempfile::TempDir;
use url::Url;

use super::{Form, PATIENCE, Transport};
use crate::{DestinationError, Failure, Message, Netrc};

pub(super) const SCP: Transport = Transport {
    schemes: &["ssh"],
    form: Form {
        example: "ssh://anna@lab.example/srv/results/",
        about: "by scp into a folder that is there, with the keys and the agent of OpenSSH; /~/ \
                begins at the home folder",
    },
    needs_host: true,
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
    check,
    send: sftp,
};

/// What older versions of scp hand to a shell on the other side is kept out of it.
fn check(url: &Url, _: &str) -> Result<(), DestinationError> {
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
    let path = path
        .strip_prefix("/~/")
        .or_else(|| path.strip_prefix("/~"))
        .unwrap_or(path);
    let path = match path.trim_end_matches('/') {
        "" if path.is_empty() || url.path().starts_with("/~") => ".",
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
        .args(["-o", "BatchMode=yes", "-o", "LogLevel=ERROR", "-o"])
        .arg(format!("ConnectTimeout={}", PATIENCE.as_secs()));
    if let Some(port) = url.port() {
        command.arg("-P").arg(port.to_string());
    }
    command
}

/// The files in a folder of their own, to be sent from there.
fn spread(message: &Message) -> Result<TempDir, Failure> {
    let folder = tempfile::tempdir()
        .map_err(|error| Failure::new(format!("cannot make a folder to send from: {error}")))?;
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
        ended("scp", command.stdin(Stdio::null()).output())?;
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
        // `-rm`: what is there is of the same run, and older servers do not rename onto a file.
        let steps = [
            format!("put \"{}\" \"{to}{name}.part\"", local.display()),
            format!("-rm \"{to}{name}\""),
            format!("rename \"{to}{name}.part\" \"{to}{name}\""),
        ];
        for step in steps {
            batch.push_str(&step);
            batch.push('\n');
        }
    }
    let mut command = program("sftp", url);
    command.args(["-b", "-", "--"]).arg(account(url));
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let done = command.spawn().and_then(|mut child| {
        if let Some(mut input) = child.stdin.take() {
            // Where it has ended already, it says why.
            let _ = input.write_all(batch.as_bytes());
        }
        child.wait_with_output()
    });
    ended("sftp", done)?;
    Ok(format!("in {to} of {}", account(url)))
}

/// What a program that has ended says.
fn ended(name: &str, done: std::io::Result<std::process::Output>) -> Result<(), Failure> {
    let output = done.map_err(|error| {
        Failure::new(format!("cannot start {name}: {error}")).remedy("the package openssh-client")
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
        ];
        for (url, expected) in cases {
            let url = Url::parse(url).expect("a URL");
            assert_eq!(folder(&url), expected, "{url}");
        }
    }
}
