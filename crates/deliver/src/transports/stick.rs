//! `usb:`: onto a stick that somebody has marked for it, wherever it is mounted.

use std::path::{Path, PathBuf};

use fathom_device::{Door, Mounts};
use url::Url;

use super::{AddressForm, Transport, folder};
use crate::{DestinationError, Failure, Message, Netrc};

/// The file that marks a stick; with a word, `fathom-WORD.stick`.
const MARK: &str = "fathom.stick";

/// The folder on it that results go to.
const FOLDER: &str = "fathom-results";

pub(super) const STICK: Transport = Transport {
    schemes: &["usb"],
    form: AddressForm {
        example: "usb: or usb:WORD",
        about: "to the folder fathom-results of a mounted USB stick that has a file fathom.stick, \
                or fathom-WORD.stick, in its top directory",
    },
    needs_host: false,
    takes_query: false,
    check,
    send,
};

fn check(url: &Url, _: &str) -> Result<(), DestinationError> {
    let word = url.path();
    let is_safe = |one: char| one.is_ascii_alphanumeric() || matches!(one, '_' | '-');
    if url.has_authority() || !word.chars().all(is_safe) {
        let cause = format!("`{word}` cannot mark a stick");
        return Err(DestinationError::new(cause, "usb: or usb:lab"));
    }
    Ok(())
}

fn send(url: &Url, message: &Message, _: &Netrc) -> Result<String, Failure> {
    let mounts = Mounts::live().map_err(Failure::new)?;
    // A look at a file system of the network, or of a server that is gone, may never end.
    let local = mounts
        .0
        .iter()
        .filter(|mount| mount.source.starts_with("/dev/"));
    let mut seen = Vec::new();
    let points = local.filter_map(|mount| {
        let is_new = !seen.contains(&mount.dev);
        seen.push(mount.dev);
        is_new.then_some(mount.mount_point.as_path())
    });
    onto(&find(points, &mark(url.path()))?, message)
}

/// Whether a file of this name at its top marks a stick, with whatever word.
pub fn is_mark(name: &str) -> bool {
    let word = name.strip_prefix("fathom-");
    let word = word.and_then(|rest| rest.strip_suffix(".stick"));
    name == MARK || word.is_some_and(|word| name == mark(word))
}

/// The name of the file that marks it.
fn mark(word: &str) -> String {
    if word.is_empty() {
        MARK.to_owned()
    } else {
        format!("fathom-{word}.stick")
    }
}

/// The one place that is marked.
fn find<'a>(points: impl Iterator<Item = &'a Path>, mark: &str) -> Result<PathBuf, Failure> {
    let mut marked: Vec<&Path> = points.filter(|point| point.join(mark).is_file()).collect();
    marked.sort_unstable();
    marked.dedup();
    match marked[..] {
        [] => Err(
            Failure::new(format!("no mounted stick has a file {mark}")).remedy(format!(
                "mount the stick, and create {mark} in its top directory"
            )),
        ),
        [one] => Ok(one.to_owned()),
        [one, other, ..] => Err(Failure::new(format!(
            "both {} and {} have a file {mark}",
            one.display(),
            other.display()
        ))
        .remedy("use one word per stick: fathom-WORD.stick and usb:WORD")),
    }
}

fn onto(stick: &Path, message: &Message) -> Result<String, Failure> {
    let folder = stick.join(FOLDER);
    let made = Door::default().make_folder(&folder);
    made.map_err(|error| {
        Failure::new(format!(
            "cannot make {}: {}",
            folder.display(),
            error.cause()
        ))
    })?;
    folder::put_all(&folder, &message.attachments)?;
    Ok(format!("in {}", folder.display()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
    use super::*;
    use crate::Attachment;
    use std::fs;

    fn sticks(marks: &[&[&str]]) -> Vec<tempfile::TempDir> {
        let stick = |marks: &&[&str]| {
            let folder = tempfile::tempdir().expect("a folder");
            for mark in *marks {
                fs::write(folder.path().join(mark), "").expect("marked");
            }
            folder
        };
        marks.iter().map(stick).collect()
    }

    fn found(sticks: &[tempfile::TempDir], word: &str) -> Result<usize, Failure> {
        let points = sticks.iter().map(tempfile::TempDir::path);
        let found = find(points, &mark(word))?;
        let index = sticks.iter().position(|stick| stick.path() == found);
        Ok(index.expect("one of them"))
    }

    #[test]
    fn the_marked_one_is_found() {
        let sticks = sticks(&[&[], &["fathom.stick"], &["fathom-lab.stick"]]);
        assert_eq!(found(&sticks, ""), Ok(1));
        assert_eq!(found(&sticks, "lab"), Ok(2));
        let failure = found(&sticks, "site").expect_err("none");
        assert_eq!(
            failure.cause,
            "no mounted stick has a file fathom-site.stick"
        );
    }

    #[test]
    fn of_two_none_is_taken() {
        let sticks = sticks(&[&["fathom.stick"], &["fathom.stick"]]);
        let failure = found(&sticks, "").expect_err("two");
        let remedy = "use one word per stick: fathom-WORD.stick and usb:WORD";
        assert_eq!(failure.remedy.as_deref(), Some(remedy));
    }

    #[test]
    fn results_go_to_a_folder_of_their_own() {
        let sticks = sticks(&[&["fathom.stick"]]);
        let stick = sticks[0].path();
        let message = Message {
            subject: String::new(),
            text: String::new(),
            html: None,
            attachments: vec![Attachment::new("run.json", "application/json", vec![1, 2])],
        };
        let told = onto(stick, &message).expect("delivered");
        let folder = stick.join("fathom-results");
        assert_eq!(told, format!("in {}", folder.display()));
        assert_eq!(fs::read(folder.join("run.json")).expect("there"), [1, 2]);
    }
}
