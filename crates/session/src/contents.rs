//! Reads the files whose content writes carry.

use fathom_core::spec::{DataFile, Workload};
use fathom_device::input;
use std::io::{self, Read as _};
use std::sync::Arc;

/// What the files hold, each once, by what the jobs say of them.
pub(crate) type Contents = Vec<(DataFile, Arc<[u8]>)>;

/// Why the content of a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    /// The file cannot be read.
    #[error("cannot read the content of writes from {path}")]
    Read {
        path: String,
        /// What the system said.
        cause: io::Error,
    },
    /// There is nothing in it.
    #[error("{path} contains no data for writes")]
    Empty { path: String },
    /// There is no memory for it.
    #[error("not enough memory for {bytes} bytes of {path}")]
    Memory { path: String, bytes: u64 },
}

impl ContentError {
    /// What lies behind it, when the message does not say.
    pub fn because(&self) -> Option<String> {
        match self {
            Self::Read { cause, .. } => Some(cause.to_string()),
            Self::Empty { .. } => Some("the file is empty".to_owned()),
            Self::Memory { .. } => None,
        }
    }

    /// What to try.
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::Read { .. } => "set `data_file` to a readable file (DISKSPD: -Z<size>,FILE)",
            Self::Empty { .. } => "use a file with typical data",
            Self::Memory { .. } => "reduce `size` of `data_file`",
        }
    }
}

/// Reads every file whose content writes of a workload carry, once for each length.
pub(crate) fn load(workload: &Workload) -> Result<Contents, ContentError> {
    let mut contents = Contents::new();
    let jobs = workload.phases.iter().flat_map(|phase| &phase.jobs);
    for file in jobs.filter_map(|job| job.compat().data_file.as_ref()) {
        if !contents.iter().any(|(known, _)| known == file) {
            contents.push((file.clone(), read(file)?.into()));
        }
    }
    Ok(contents)
}

/// The first bytes of a file; a shorter one again and again.
fn read(file: &DataFile) -> Result<Vec<u8>, ContentError> {
    let path = || file.path.clone();
    let bytes = file.size.0;
    let memory = || ContentError::Memory {
        path: path(),
        bytes,
    };
    let size = usize::try_from(bytes).map_err(|_| memory())?;
    let mut content = Vec::new();
    content.try_reserve_exact(size).map_err(|_| memory())?;
    let opened = input::open(&file.path);
    opened
        .and_then(|opened| opened.take(bytes).read_to_end(&mut content))
        .map_err(|cause| ContentError::Read {
            path: path(),
            cause,
        })?;
    if content.is_empty() {
        return Err(ContentError::Empty { path: path() });
    }
    while content.len() < size {
        let more = content.len().min(size - content.len());
        content.extend_from_within(..more);
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::units::Bytes;

    fn content(text: &[u8], size: u64) -> Result<Vec<u8>, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data");
        std::fs::write(&path, text).expect("a file");
        let file = DataFile {
            path: path.display().to_string(),
            size: Bytes(size),
        };
        read(&file).map_err(|error| error.to_string().replace(&file.path, "FILE"))
    }

    #[test]
    fn a_file_is_read_as_far_as_asked_and_repeated_to_there() {
        for (size, expected) in [(2, "ab"), (3, "abc"), (8, "abcabcab")] {
            assert_eq!(content(b"abc", size), Ok(expected.into()));
        }
        let nothing = "FILE contains no data for writes".to_owned();
        assert_eq!(content(b"", 4), Err(nothing));
        let file = DataFile {
            path: "/nowhere/at/all".to_owned(),
            size: Bytes(1),
        };
        let error = read(&file).expect_err("it is not there");
        assert_eq!(
            error.to_string(),
            "cannot read the content of writes from /nowhere/at/all"
        );
    }
}
