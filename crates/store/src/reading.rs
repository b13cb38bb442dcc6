//! Results out of bytes: a document or several, packed or not.

use fathom_core::result::{ResultError, RunResult};
use flate2::read::MultiGzDecoder;
use std::io::{self, Read};

/// The first bytes of everything that gzip packs.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Why bytes hold no results.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// They cannot be read or unpacked, or are no text.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// They are no result.
    #[error("{0}")]
    Result(#[from] ResultError),
}

/// The results in a document, packed or not.
pub fn read_results(mut from: impl Read) -> Result<Vec<RunResult>, ReadError> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes)?;
    let mut text = String::new();
    if bytes.starts_with(&GZIP) {
        MultiGzDecoder::new(&*bytes).read_to_string(&mut text)?;
    } else {
        (&*bytes).read_to_string(&mut text)?;
    }
    Ok(vec![RunResult::from_json(&text)?])
}
