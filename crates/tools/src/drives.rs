//! Where drives of Windows are here, for inputs that were written there.

use crate::dialects::Surroundings;
use std::io;
use std::path::{Path, PathBuf};

/// How the name of a disk or volume as a whole begins on Windows.
pub const RAW: &str = r"\\.\";

/// A drive by its letter in lower case, and the folder or device that it is here.
pub type Drive = (char, PathBuf);

/// A drive as it is said on the command line: `r=/mnt/r`, or `r:=/mnt/r`.
///
/// # Errors
///
/// What was expected.
pub fn drive(text: &str) -> Result<Drive, String> {
    let wrong = || "expected a letter and a folder, as in r=/mnt/r".to_owned();
    let (letter, folder) = text.split_once('=').ok_or_else(wrong)?;
    let mut letters = letter.trim_end_matches(':').chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() && !folder.is_empty() => {
            Ok((letter.to_ascii_lowercase(), folder.into()))
        }
        _ => Err(wrong()),
    }
}

/// The letter of the drive that a path begins with, in lower case, and what comes after its colon.
pub fn on_drive(path: &str) -> Option<(char, &str)> {
    let mut letters = path.chars();
    let letter = letters.next().filter(char::is_ascii_alphabetic)?;
    let rest = letters.as_str().strip_prefix(':')?;
    Some((letter.to_ascii_lowercase(), rest))
}

/// Whether a path begins as only those of Windows do: with a drive, or a backslash.
pub fn is_of_windows(path: &str) -> bool {
    on_drive(path).is_some() || path.starts_with('\\')
}

/// The drives of a Windows, each of which is where it says.
pub fn own() -> Vec<Drive> {
    let drive = |letter| (letter, PathBuf::from(format!("{letter}:\\")));
    ('a'..='z').map(drive).collect()
}

/// Whether this is a Windows, so that all its paths lead somewhere.
pub fn are_own(drives: &[Drive]) -> bool {
    drives.iter().any(is_own)
}

fn is_own((letter, folder): &Drive) -> bool {
    let folder = folder.to_str().and_then(on_drive);
    folder == Some((*letter, "\\"))
}

/// Where a path is here that is on one of these drives, with slashes.
pub fn found(path: &str, drives: &[Drive]) -> Option<String> {
    let (letter, rest) = on_drive(path)?;
    let drive = drives.iter().find(|(known, _)| *known == letter)?;
    if is_own(drive) && !rest.is_empty() {
        return Some(path.to_owned());
    }
    let (_, folder) = drive;
    let rest = rest.replace('\\', "/");
    let rest = rest.trim_start_matches('/');
    // The volume itself, which may be a device here.
    let here = if rest.is_empty() {
        folder.clone()
    } else {
        folder.join(rest)
    };
    Some(here.display().to_string())
}

/// The same; other words as they are.
pub fn mapped(word: &str, drives: &[Drive]) -> String {
    found(word, drives).unwrap_or_else(|| word.to_owned())
}

/// The disk or volume that DISKSPD names `#1` or `C:`, by the name that Windows has for it; none
/// where this is no Windows.
pub fn raw_device(word: &str, drives: &[Drive]) -> Option<String> {
    let name = match (word.strip_prefix('#'), on_drive(word)) {
        (Some(number), _) => {
            let number: u32 = number.parse().ok()?;
            format!("PhysicalDrive{number}")
        }
        (None, Some((letter, ""))) => format!("{}:", letter.to_ascii_uppercase()),
        _ => return None,
    };
    are_own(drives).then(|| format!("{RAW}{name}"))
}

/// Surroundings in which drives of Windows are somewhere.
pub struct OnDrives<'a> {
    /// All else.
    pub world: &'a dyn Surroundings,
    /// Drives of Windows, by letter.
    pub drives: &'a [Drive],
}

impl Surroundings for OnDrives<'_> {
    fn size_bytes(&self, path: &Path) -> Option<u64> {
        self.world.size_bytes(path)
    }

    fn free_bytes(&self, path: &Path) -> Option<u64> {
        self.world.free_bytes(path)
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        self.world.read(path)
    }

    fn read_bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.world.read_bytes(path)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.world.variable(name)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.world.is_folder(path)
    }

    fn is_elsewhere(&self) -> bool {
        self.world.is_elsewhere()
    }

    fn has_targets_elsewhere(&self) -> bool {
        self.world.has_targets_elsewhere()
    }

    fn drives(&self) -> &[Drive] {
        self.drives
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_drive_are_found_here() {
        let drives = [drive("R:=/mnt/r").expect("a drive")];
        let cases = [
            (r"r:\temp\io.dat", "/mnt/r/temp/io.dat"),
            (r"R:io.dat", "/mnt/r/io.dat"),
            (r"r:\\io.dat", "/mnt/r/io.dat"),
            ("r:", "/mnt/r"),
            (r"c:\io.dat", r"c:\io.dat"),
            ("-b8K", "-b8K"),
            ("/tmp/r:x", "/tmp/r:x"),
        ];
        for (word, expected) in cases {
            assert_eq!(mapped(word, &drives), expected);
        }
    }

    #[test]
    fn a_windows_has_its_own_drives_and_those_that_are_said() {
        let said = drive("R:=/mnt/r").expect("a drive");
        let drives = [vec![said.clone()], own()].concat();
        assert!(are_own(&drives) && !are_own(&[said]));
        let cases = [
            (r"r:\temp\io.dat", "/mnt/r/temp/io.dat"),
            (r"E:\temp\io.dat", r"E:\temp\io.dat"),
            ("e:io.dat", "e:io.dat"),
            ("e:", r"e:\"),
            (r"\\server\share\io.dat", r"\\server\share\io.dat"),
        ];
        for (word, expected) in cases {
            assert_eq!(mapped(word, &drives), expected);
        }
    }

    #[test]
    fn disks_and_volumes_have_names_on_a_windows_alone() {
        let cases = [
            ("#1", Some(r"\\.\PhysicalDrive1")),
            ("e:", Some(r"\\.\E:")),
            ("#", None),
            ("#a", None),
            (r"e:\io.dat", None),
            ("-b8K", None),
        ];
        for (word, expected) in cases {
            assert_eq!(raw_device(word, &own()).as_deref(), expected, "{word}");
            assert_eq!(raw_device(word, &[]), None, "{word}");
        }
    }

    #[test]
    fn a_drive_is_a_letter_and_a_folder() {
        for right in ["r=/mnt/r", "R=/mnt/r", "r:=/mnt/r"] {
            assert_eq!(drive(right), Ok(('r', PathBuf::from("/mnt/r"))), "{right}");
        }
        let expected = "expected a letter and a folder, as in r=/mnt/r".to_owned();
        for wrong in ["r", "=/mnt", "rr=/mnt", "r=", "1=/mnt"] {
            assert_eq!(drive(wrong), Err(expected.clone()), "{wrong}");
        }
    }
}
