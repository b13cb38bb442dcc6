//! What all readers of requests have in common.

use super::{CaptureError, Chunk, Head, Tail};
use crate::request::Task;

/// Requests of a file, whatever wrote it. The memory does not grow with the file.
pub trait Source: Send {
    /// What is known at the start. The devices of other tools' traces become known while the
    /// requests are read.
    fn head(&self) -> &Head;

    /// The tasks of all requests that were read so far.
    fn tasks(&self) -> &[Task];

    /// What is known at the end; none before all was read, and none of a file that was cut.
    fn tail(&self) -> Option<&Tail>;

    /// The next requests; none at the end.
    ///
    /// # Errors
    ///
    /// [`CaptureError`]
    fn next_chunk(&mut self) -> Result<Option<Chunk>, CaptureError>;

    /// What was left out or assumed so far, in sentences.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}
