//! `ssh:` and `sftp:`, by the programs of the system: keys, agent, known hosts and
//! `~/.ssh/config` are as the user has them.

use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use fathom_device::{Door, Existing};
use tempfile::TempDir;
use url::Url;

use super::{AddressForm, Transport};
use crate::failure::PATIENCE;
use crate::{Attachment, DestinationError, Failure, Message, Netrc, platform};

/// How long one file, or one batch, may take.
const LONGEST: Duration = Duration::from_mins(10);

/// Bytes of what a program says that are kept.
const MOST_SAID_BYTES: u64 = 64 << 10;

pub(super) const SCP: Transport = Transport {
    schemes: &["ssh"],
    form: AddressForm {
        example: "ssh://anna@lab.example/srv/results/",
        about: "by scp to an existing folder, with the keys and agent of OpenSSH; /~/ is the home \
                folder. Files are renamed (mv) when complete",
    },
    needs_host: true,
    takes_query: false,
    check,
    send: scp,
};

pub(super) const SFTP: Transport = Transport {
    schemes: &["sftp"],
    form: AddressForm {
        example: "sftp://anna@lab.example/srv/results/",
        about: "by sftp only, for servers that allow nothing else",
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
                "a host or user that starts with `-` or contains `{other}` is not passed to ssh"
            );
            return Err(DestinationError::new(cause, SCP.form.example));
        }
    }
    let is_plain = |one: &char| one.is_ascii_alphanumeric() || "/._~+,=@:-".contains(*one);
    if let Some(other) = url.path().chars().find(|one| !is_plain(one)) {
        let cause = format!("a folder that contains `{other}` is not passed to ssh");
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
    let mut command = fathom_device::command(name);
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
        let option = if name == "ssh" { "-p" } else { "-P" };
        command.arg(option).arg(port.to_string());
    }
    command
}

/// The files in a folder of their own, to be sent from there.
fn spread(message: &Message) -> Result<TempDir, Failure> {
    // A result is nobody else's business on the way either.
    let folder = platform::private_folder().map_err(|error| {
        Failure::new(format!(
            "cannot create a temporary folder for sending: \
                                         {error}"
        ))
    })?;
    let path = folder.path().display().to_string();
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "/._-".contains(one);
    if !path.chars().all(is_plain) {
        let cause = format!("sftp would misread `{path}`");
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

/// A file on its way: its name there until it is whole, and its name from then on.
struct Passage {
    /// Where it is here.
    local: PathBuf,
    /// Where it is there, as a part.
    draft: String,
    /// And as a whole.
    place: String,
}

fn passages(from: &TempDir, url: &Url, message: &Message) -> Vec<Passage> {
    let to = folder(url);
    let passage = |attachment: &Attachment| {
        let name = &attachment.name;
        Passage {
            local: from.path().join(name),
            draft: format!("{to}{}", super::draft_of(name)),
            place: format!("{to}{name}"),
        }
    };
    message.attachments.iter().map(passage).collect()
}

fn scp(url: &Url, message: &Message, _: &Netrc) -> Result<String, Failure> {
    let from = spread(message)?;
    let passages = passages(&from, url, message);
    let done = copy(url, &passages).and_then(|()| {
        // An existing file is of the same run, and is replaced atomically or not at all.
        let renamed = passages.iter().map(|one| {
            let (draft, place) = (shell_word(&one.draft), shell_word(&one.place));
            format!("mv -f -- {draft} {place}")
        });
        let renamed: Vec<String> = renamed.collect();
        over_there(url, &renamed.join(" && "))
    });
    done.inspect_err(|_| {
        let drafts = passages.iter().map(|one| shell_word(&one.draft));
        let drafts: Vec<String> = drafts.collect();
        // A part of a result is nobody's; the host may be gone as well.
        let _ = over_there(url, &format!("rm -f -- {}", drafts.join(" ")));
    })?;
    Ok(format!("in {} of {}", folder(url), account(url)))
}

/// Copies all files to their drafts: one by one, since scp, given several, makes a folder that is
/// not there.
fn copy(url: &Url, passages: &[Passage]) -> Result<(), Failure> {
    for one in passages {
        let mut command = program("scp", url);
        command.arg("--").arg(&one.local);
        // A host of six bytes has its brackets already.
        command.arg(format!("{}:{}", account(url), one.draft));
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        ended("scp", within_deadline(&mut command, &[]))?;
    }
    Ok(())
}

/// Has the shell of the other side do something, in the folder that scp begins in.
fn over_there(url: &Url, words: &str) -> Result<(), Failure> {
    let mut command = program("ssh", url);
    // Of an address of six bytes ssh takes no brackets.
    let account = account(url).replace(['[', ']'], "");
    command.args(["-T", "--"]).arg(account).arg(words);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    ended("ssh", within_deadline(&mut command, &[]))
}

/// A word that a shell takes as it is.
fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn sftp(url: &Url, message: &Message, _: &Netrc) -> Result<String, Failure> {
    let from = spread(message)?;
    let passages = passages(&from, url, message);
    // An existing file is of the same run, and is replaced atomically or not at all.
    let steps = passages.iter().map(|one| {
        let (local, draft, place) = (one.local.display(), &one.draft, &one.place);
        format!("put \"{local}\" \"{draft}\"\nrename \"{draft}\" \"{place}\"\n")
    });
    let steps: String = steps.collect();
    batch(url, &steps).inspect_err(|_| {
        // A `-` before a word: what has its name by now, or was never there, stops nothing.
        let drafts = passages
            .iter()
            .map(|one| format!("-rm \"{}\"\n", one.draft));
        let drafts: String = drafts.collect();
        // A part of a result is nobody's; the host may be gone as well.
        let _ = batch(url, &drafts);
    })?;
    Ok(format!("in {} of {}", folder(url), account(url)))
}

/// Has sftp do these steps, up to the first that fails.
fn batch(url: &Url, steps: &str) -> Result<(), Failure> {
    let mut command = program("sftp", url);
    command.args(["-b", "-", "--"]).arg(account(url));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    ended("sftp", within_deadline(&mut command, steps.as_bytes()))
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
        return Err(io::Error::other(format!("not finished within {limit} s")));
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
            return failure.remedy("install the package openssh-client");
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
            "{name} ended with {}: no connection or no login",
            output.status
        )
    } else {
        format!("{name}: {said}")
    };
    Err(Failure::new(cause).remedy("test ssh to that host by hand, without a password"))
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

    #[test]
    fn a_word_is_one_word_of_a_shell() {
        let cases = [
            ("in/a b.json", "'in/a b.json'"),
            ("it's $(it)", "'it'\\''s $(it)'"),
        ];
        for (text, expected) in cases {
            assert_eq!(shell_word(text), expected);
        }
    }
}
