//! `rhel_iotest.sh -t DIR`, here with several directories, each perhaps with its role in SAS.

use super::arguments::Wishes;
use super::options::{self, Word as Asks};
use super::sizing::{BLOCK_KIB, Sizing};
use super::streams::Streams;
use fathom_core::EngineKind;
use fathom_core::nearest::nearest;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::Surroundings;
use fathom_tools::faults::Faults;
use fathom_tools::plain_job::workload;
use fathom_tools::rebinding::{Kind, rebind};
use fathom_tools::translation::{Note, RunWishes, Translation};
use fathom_tools::words::{CommandWords, Word};

/// The file systems of a SAS installation, in the order in which directories without a role
/// are taken.
const ROLES: [&str; 3] = ["SASDATA", "WORK", "UTILLOC"];

/// A directory to test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    /// SASDATA, WORK or UTILLOC; none for the only one.
    pub role: Option<String>,
    /// Absolute path, without a slash at its end.
    pub path: String,
}

impl Directory {
    /// The directories with other paths, given as `PATH` or `NAME=PATH`.
    ///
    /// # Errors
    ///
    /// Paths of which nobody knows what they are for.
    pub fn rebound(
        all: Vec<Self>,
        given: &[String],
        surroundings: &dyn Surroundings,
    ) -> Result<Vec<Self>, Vec<Diagnostic>> {
        let names: Vec<&str> = all.iter().map(|one| one.path.as_str()).collect();
        let bound = rebind(given, &names, Kind::Folders, surroundings)?;
        let put = |one: Self| Self {
            path: bound.get(&one.path).cloned().unwrap_or(one.path),
            role: one.role,
        };
        Ok(all.into_iter().map(put).collect())
    }
}

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// To test these.
    Test(Vec<Directory>),
    /// How it is used.
    Help,
    /// Which version it is.
    Version,
}

/// Reads the words after the program's name.
///
/// # Errors
///
/// Everything that is wrong with them.
pub fn parse_rhel(argv: &[String]) -> Result<Request, Vec<Diagnostic>> {
    let words = CommandWords::of("rhel-iotest", argv);
    let mut found: Vec<Directory> = Vec::new();
    let mut errors = Faults::default();
    let mut list = words.list.iter();
    while let Some(word) = list.next() {
        match options::word(&word.text) {
            Some(Asks::Help) => return Ok(Request::Help),
            Some(Asks::Version) => return Ok(Request::Version),
            Some(Asks::Directory) => match list.next() {
                Some(value) => match directory(&words, value) {
                    Ok(directory) => add(&words, value, directory, &mut found, &mut errors),
                    Err(error) => errors.push(*error),
                },
                None => errors.push(words.error(
                    word.span.clone(),
                    "`-t` is the last word and has no directory",
                    None,
                    "as in -t /saswork",
                )),
            },
            None => errors.push(unknown(&words, word)),
        }
        if errors.is_hopeless() {
            break;
        }
    }
    if found.is_empty() && errors.is_empty() {
        let message = "`-t` is missing";
        errors.push(words.error(words.end(), message, None, "as in -t /saswork"));
    }
    if !errors.is_empty() {
        return Err(errors.into_vec());
    }
    name_all(&mut found);
    Ok(Request::Test(found))
}

fn unknown(words: &CommandWords, word: &Word) -> Diagnostic {
    let text = word.text.as_str();
    let place = words.part(word, 0..text.len());
    let meant = nearest(text, options::words()).map(|meant| format!("did you mean `{meant}`?"));
    let remedy = "the option is -t DIR, once for each file system";
    words.error(place, format!("there is no option `{text}`"), meant, remedy)
}

fn directory(words: &CommandWords, word: &Word) -> Result<Directory, Box<Diagnostic>> {
    let text = word.text.as_str();
    let (role, path, at) = match text.split_once('=') {
        Some((role, path)) if !role.contains('/') => (Some(role), path, role.len() + 1),
        _ => (None, text, 0),
    };
    if let Some(role) = role
        && !ROLES.contains(&role)
    {
        let meant = nearest(role, ROLES).map(|meant| format!("did you mean `{meant}`?"));
        return Err(Box::new(words.error(
            words.part(word, 0..role.len()),
            format!("`{role}` is not one of the file systems of SAS"),
            meant,
            "they are SASDATA, WORK and UTILLOC",
        )));
    }
    if !path.starts_with('/') {
        return Err(Box::new(words.error(
            words.part(word, at..text.len()),
            format!("`{path}` is not an absolute path"),
            None,
            "begin it with a slash",
        )));
    }
    let path = match path.trim_end_matches('/') {
        "" => "/",
        path => path,
    };
    Ok(Directory {
        role: role.map(str::to_owned),
        path: path.to_owned(),
    })
}

fn add(
    words: &CommandWords,
    word: &Word,
    directory: Directory,
    found: &mut Vec<Directory>,
    errors: &mut Faults,
) {
    let is_known = |other: &Directory| directory.role.is_some() && other.role == directory.role;
    let message = if found.iter().any(is_known) {
        "this file system has been named before"
    } else if found.len() == ROLES.len() {
        "SAS has three file systems to test"
    } else {
        found.push(directory);
        return;
    };
    let place = words.part(word, 0..word.text.len());
    errors.push(words.error(place, message, None, "one directory for each"));
}

/// Gives those without a role the roles that are left, when there are several.
fn name_all(found: &mut [Directory]) {
    if found.len() < 2 {
        return;
    }
    let taken: Vec<String> = found.iter().filter_map(|dir| dir.role.clone()).collect();
    let mut free = ROLES
        .iter()
        .filter(|role| !taken.iter().any(|taken| taken == *role));
    for directory in found.iter_mut().filter(|dir| dir.role.is_none()) {
        directory.role = free.next().map(|role| (*role).to_owned());
    }
}

/// The test of one directory.
pub fn rhel_translation(directory: &Directory, sizing: &Sizing, wishes: Wishes) -> Translation {
    let streams = Streams {
        directory: &directory.path,
        program: "rhel-iotest",
        count: sizing.streams,
        blocks: sizing.blocks,
        block_kib: BLOCK_KIB,
        flush: true,
        incompressible: wishes.incompressible,
        cold: wishes.cold,
    };
    let name = match &directory.role {
        Some(role) => format!("rhel-iotest {role}"),
        None => "rhel-iotest".to_owned(),
    };
    let source = format!("rhel_iotest.sh -t {}", directory.path);
    let row = options::SYNC;
    Translation {
        workload: workload(&name, source, streams.phases()),
        notes: vec![Note::new(row.standing, row.form, row.remark)],
        wishes: RunWishes {
            engine: Some(EngineKind::Psync),
            ..RunWishes::default()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Request, Vec<Diagnostic>> {
        let argv: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        parse_rhel(&argv)
    }

    #[expect(clippy::unnecessary_wraps, reason = "compared with what may fail")]
    fn test(list: &[(Option<&str>, &str)]) -> Result<Request, Vec<Diagnostic>> {
        let directories = list.iter().map(|(role, path)| Directory {
            role: role.map(str::to_owned),
            path: (*path).to_owned(),
        });
        Ok(Request::Test(directories.collect()))
    }

    #[test]
    fn directories_have_roles_when_there_are_several() {
        assert_eq!(parsed(&["-t", "/opt/nvme/"]), test(&[(None, "/opt/nvme")]));
        assert_eq!(parsed(&["-t", "/"]), test(&[(None, "/")]));
        assert_eq!(
            parsed(&["-t", "/a", "-t", "SASDATA=/b", "-t", "/c"]),
            test(&[
                (Some("WORK"), "/a"),
                (Some("SASDATA"), "/b"),
                (Some("UTILLOC"), "/c")
            ])
        );
        assert_eq!(parsed(&["-help", "x"]), Ok(Request::Help));
        assert_eq!(parsed(&["--v"]), Ok(Request::Version));
    }
}
