//! What is called how in a tree of files that Fathom makes: a letter and a number, so that nothing
//! else is taken for its own.

use std::ffi::CStr;

/// Bytes of the longest name: a letter, 20 digits and the end.
const MOST: usize = 22;

/// What a name is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A regular file.
    File,
    /// A file that was renamed.
    RenamedFile,
    /// A directory that stands for a file.
    Directory,
    /// Such a directory that was renamed.
    RenamedDirectory,
    /// A directory that holds files.
    Branch,
    /// The topmost directory of a thread.
    Tree,
}

impl Named {
    const ALL: [Self; 6] = [
        Self::File,
        Self::RenamedFile,
        Self::Directory,
        Self::RenamedDirectory,
        Self::Branch,
        Self::Tree,
    ];

    const fn letter(self) -> u8 {
        match self {
            Self::File => b'f',
            Self::RenamedFile => b'r',
            Self::Directory => b'd',
            Self::RenamedDirectory => b'e',
            Self::Branch => b'b',
            Self::Tree => b't',
        }
    }

    /// Whether it is a directory.
    pub const fn is_directory(self) -> bool {
        !matches!(self, Self::File | Self::RenamedFile)
    }

    /// What a name is of, if it is one of a tree.
    pub fn of(name: &[u8]) -> Option<Self> {
        let (letter, digits) = name.split_first()?;
        let is_number = !digits.is_empty()
            && digits.len() + 2 <= MOST
            && digits.iter().all(u8::is_ascii_digit)
            && (digits[0] != b'0' || digits.len() == 1);
        let found = Self::ALL.into_iter().find(|one| one.letter() == *letter);
        found.filter(|_| is_number)
    }
}

/// A name, made without an allocation.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    bytes: [u8; MOST],
    len: usize,
}

impl Name {
    /// That of something with a number.
    pub fn new(named: Named, number: u64) -> Self {
        let mut digits = [0; 20];
        let mut first = digits.len();
        let mut rest = number;
        loop {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        let mut bytes = [0; MOST];
        let len = 1 + digits.len() - first;
        bytes[0] = named.letter();
        bytes[1..len].copy_from_slice(&digits[first..]);
        Self { bytes, len }
    }

    /// As a system call takes it.
    pub fn as_c_str(&self) -> &CStr {
        // The bytes behind it are zero, and those before are not.
        CStr::from_bytes_with_nul(&self.bytes[..=self.len]).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_again_and_nothing_else_is() {
        for named in Named::ALL {
            for number in [0, 7, 10, 999_999, u64::MAX] {
                let name = Name::new(named, number);
                let text = name.as_c_str().to_str().expect("letters and digits");
                assert_eq!(text[1..].parse(), Ok(number));
                assert_eq!(Named::of(text.as_bytes()), Some(named), "{text}");
            }
        }
        for other in [
            "",
            "f",
            "f01",
            "f1a",
            "x1",
            "F1",
            "f-1",
            "f1.txt",
            "f123456789012345678901",
        ] {
            assert_eq!(Named::of(other.as_bytes()), None, "{other}");
        }
    }
}
