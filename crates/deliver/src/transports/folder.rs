//! `file:`: into a folder of this machine.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use fathom_device::Door;
use fathom_platform::io::Errno;
use url::Url;

use super::{AddressForm, Transport};
use crate::{Attachment, DestinationError, Failure, Message, Netrc};

pub(super) const FOLDER: Transport = Transport {
    schemes: &["file"],
    form: AddressForm {
        example: "file:///srv/results/",
        about: "to this existing folder",
    },
    needs_host: false,
    takes_query: false,
    check,
    send,
};

fn check(url: &Url, typed: &str) -> Result<(), DestinationError> {
    // Read as a URL, `file:results` is /results.
    if !typed[url.scheme().len()..].starts_with(":/") {
        return Err(DestinationError::new(
            "the path must be absolute",
            FOLDER.form.example,
        ));
    }
    if let Some(host) = url.host_str() {
        let cause = format!("`{host}` is another machine");
        return Err(DestinationError::new(
            cause,
            "ssh://host/folder/ or file:///srv/results/",
        ));
    }
    Ok(())
}

fn send(url: &Url, message: &Message, _: &Netrc) -> Result<String, Failure> {
    let folder = url
        .to_file_path()
        .map_err(|()| Failure::new(format!("`{}` is not a folder", url.path())))?;
    if !folder.is_dir() {
        let cause = format!("{} is not a folder", folder.display());
        let remedy = format!("mkdir -p {}", folder.display());
        return Err(Failure::new(cause).remedy(remedy));
    }
    put_all(&folder, &message.attachments)?;
    Ok(format!("in {}", folder.display()))
}

/// Puts files into a folder and onto the storage below, each whole or not at all. One that is there
/// already, with the same bytes, has arrived before.
pub(super) fn put_all(folder: &Path, attachments: &[Attachment]) -> Result<(), Failure> {
    for attachment in attachments {
        let path = folder.join(&attachment.name);
        match fathom_device::input::read(&path) {
            Ok(bytes) if bytes == attachment.bytes => {}
            Ok(_) => {
                let cause = format!("{} exists with other content", path.display());
                return Err(Failure::new(cause).remedy("use another folder, or move the file away"));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                put(&path, &attachment.bytes)?;
            }
            Err(error) => {
                let cause = format!("cannot read {}: {error}", path.display());
                return Err(Failure::new(cause));
            }
        }
    }
    Ok(())
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let draft = path.with_file_name(super::draft_of(&name));
    let mut file = Door::default().create_new(&draft).map_err(|error| {
        Failure::new(format!(
            "cannot write {}: {}",
            draft.display(),
            error.cause()
        ))
    })?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let written = written.and_then(|()| take_name(&draft, path));
    if written.is_err() {
        // Made just now, by this process alone.
        let _ = fs::remove_file(&draft);
    }
    let folder = path.parent().unwrap_or(path);
    let written = written.and_then(|()| fathom_device::input::open(folder)?.sync_all());
    written.map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))
}

/// Gives a draft its name, which never takes the place of a file that has come meanwhile.
fn take_name(draft: &Path, path: &Path) -> io::Result<()> {
    match fathom_platform::rename_new(draft, path) {
        // Some file systems of sticks cannot promise that; the file was not there a moment ago.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => fs::rename(draft, path),
        other => Ok(other?),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
    use super::*;
    use crate::Destination;

    fn message() -> Message {
        Message {
            subject: "VALID".to_owned(),
            text: "all is well\n".to_owned(),
            html: None,
            attachments: vec![
                Attachment::new("run.json", "application/json", b"{}".to_vec()),
                Attachment::new("run.html", "text/html", vec![7; 100_000]),
            ],
        }
    }

    fn deliver(folder: &Path) -> Result<String, Failure> {
        let url = format!("file://{}", folder.display());
        let place: Destination = url.parse().expect("a place");
        place.send(&message(), &Netrc::default())
    }

    fn content(folder: &Path) -> Vec<(String, usize)> {
        let entries = fs::read_dir(folder).expect("a folder");
        let entries = entries.map(|entry| entry.expect("an entry"));
        let mut found: Vec<_> = entries
            .map(|entry| {
                let size = fs::read(entry.path()).expect("readable").len();
                (entry.file_name().to_string_lossy().into_owned(), size)
            })
            .collect();
        found.sort();
        found
    }

    #[test]
    fn files_arrive_whole_and_twice_is_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let expected = vec![("run.html".to_owned(), 100_000), ("run.json".to_owned(), 2)];
        for _ in 0..2 {
            let told = deliver(folder.path()).expect("delivered");
            assert_eq!(told, format!("in {}", folder.path().display()));
            assert_eq!(content(folder.path()), expected);
        }
    }

    #[test]
    fn what_is_there_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.json");
        fs::write(&path, "mine").expect("written");
        let failure = deliver(folder.path()).expect_err("refused");
        let cause = format!("{} exists with other content", path.display());
        assert_eq!(failure.cause, cause);
        assert_eq!(content(folder.path()), [("run.json".to_owned(), 4)]);
    }

    #[test]
    fn a_folder_that_is_not_there_is_not_made() {
        let folder = tempfile::tempdir().expect("a folder");
        let absent = folder.path().join("absent");
        let failure = deliver(&absent).expect_err("refused");
        assert_eq!(
            failure.cause,
            format!("{} is not a folder", absent.display())
        );
        assert!(!absent.exists());
    }
}
