//! Results out of bytes: a document or a bundle, packed or not.

use crate::bundle::{BUNDLE_VERSION, Parcel, parcels};
use crate::packing::{text_from, unpack_from};
use fathom_core::result::{ResultError, RunResult};
use std::io::{self, Read};

/// The first bytes of everything that gzip packs.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Why bytes hold no results.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// They cannot be read or unpacked, or are no text.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// There are none. A file of `--output` is made before the load and filled after it.
    #[error("the file is empty. A run that was killed leaves an empty file")]
    Empty,
    /// They end before the document does.
    #[error("the file is cut off in line {line}")]
    Cut {
        /// The last line, from 1.
        line: usize,
    },
    /// They are no result.
    #[error("{0}")]
    Result(ResultError),
    /// They are a bundle that a newer program has written.
    #[error(
        "the bundle has version {found}, and this program reads versions up to {BUNDLE_VERSION}"
    )]
    NewerBundle {
        /// Its version.
        found: u32,
    },
}

impl From<ResultError> for ReadError {
    fn from(error: ResultError) -> Self {
        match error {
            ResultError::Malformed(cause) if cause.is_eof() => Self::Cut { line: cause.line() },
            other => Self::Result(other),
        }
    }
}

/// What a file holds.
#[derive(Clone, Debug)]
pub enum Held {
    /// One result.
    Result(Box<RunResult>),
    /// The runs of a bundle.
    Bundle(Vec<Parcel>),
}

/// The results in a document or a bundle, packed or not.
pub fn read_results(from: impl Read) -> Result<Vec<RunResult>, ReadError> {
    match read(from)? {
        Held::Result(result) => Ok(vec![*result]),
        Held::Bundle(parcels) => {
            let results = parcels.iter().map(Parcel::result);
            Ok(results.collect::<Result<_, _>>()?)
        }
    }
}

/// A document or a bundle, packed or not.
pub fn read(from: impl Read) -> Result<Held, ReadError> {
    let text = read_text(from)?;
    if text.trim().is_empty() {
        return Err(ReadError::Empty);
    }
    match parcels(&text) {
        Some(parcels) => Ok(Held::Bundle(parcels?)),
        None => Ok(Held::Result(Box::new(RunResult::from_json(&text)?))),
    }
}

fn read_text(mut from: impl Read) -> io::Result<String> {
    let mut head = Vec::new();
    (&mut from).take(GZIP.len() as u64).read_to_end(&mut head)?;
    let is_packed = head == GZIP;
    let whole = io::Cursor::new(head).chain(from);
    if is_packed {
        unpack_from(whole)
    } else {
        text_from(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_leaves_is_named() {
        let cause = |text: &str| read(text.as_bytes()).expect_err("no result").to_string();
        let empty = "the file is empty. A run that was killed leaves an empty file";
        assert_eq!([cause(""), cause("\n")], [empty, empty]);
        let cut = "the file is cut off in line 2";
        assert_eq!(cause("{\n\"schema_version\": 1"), cut);
    }
}
