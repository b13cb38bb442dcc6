//! Writes a capture while it is made.

use super::{BlockKind, Head, MAGIC, MOST_REQUESTS, Tail, VERSION, checksum, columns};
use crate::request::{Request, Task};
use std::io::{self, Write};

/// A block with its length and checksum. `kind` is the letter of the format.
pub fn block(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(payload.len() + 9);
    block.push(kind);
    block.extend((payload.len() as u32).to_le_bytes());
    block.extend(checksum(kind, payload).to_le_bytes());
    block.extend(payload);
    block
}

/// A capture that is being written: each block as a whole.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    requests: Vec<Request>,
    tasks: Vec<Task>,
    written: u64,
    bytes: u64,
}

impl<W: Write> Writer<W> {
    /// Starts a file.
    ///
    /// # Errors
    ///
    /// What the destination says, as for all that writes.
    pub fn begin(out: W, head: &Head) -> io::Result<Self> {
        let mut writer = Self {
            out,
            requests: Vec::with_capacity(MOST_REQUESTS),
            tasks: Vec::new(),
            written: 0,
            bytes: 0,
        };
        let start = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
        writer.put(&start)?;
        writer.block(BlockKind::Head, &serde_json::to_vec(head)?)?;
        Ok(writer)
    }

    /// Adds a task, whose position is the number of those before.
    pub fn add_task(&mut self, task: Task) {
        self.tasks.push(task);
    }

    /// Adds a request, and writes a block when it is full.
    pub fn add(&mut self, request: Request) -> io::Result<()> {
        self.requests.push(request);
        if self.requests.len() >= MOST_REQUESTS {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes what was added, so that it is in the file whatever happens to this process.
    pub fn flush(&mut self) -> io::Result<()> {
        if !self.tasks.is_empty() {
            let tasks = serde_json::to_vec(&self.tasks)?;
            self.block(BlockKind::Tasks, &tasks)?;
            self.tasks.clear();
        }
        if !self.requests.is_empty() {
            if let Some(early) = columns::pack_early(&self.requests) {
                self.block(BlockKind::Early, &early)?;
            }
            if let Some(above) = columns::pack_above(&self.requests) {
                self.block(BlockKind::Above, &above)?;
            }
            let payload = columns::pack(&self.requests);
            self.block(BlockKind::Requests, &payload)?;
            self.written += self.requests.len() as u64;
            self.requests.clear();
        }
        Ok(())
    }

    /// Number of requests so far.
    pub fn requests(&self) -> u64 {
        self.written + self.requests.len() as u64
    }

    /// Ends the file; returns its length in bytes.
    pub fn end(mut self, tail: &Tail) -> io::Result<u64> {
        self.flush()?;
        self.block(BlockKind::Tail, &serde_json::to_vec(tail)?)?;
        self.out.flush()?;
        Ok(self.bytes)
    }

    fn block(&mut self, kind: BlockKind, payload: &[u8]) -> io::Result<()> {
        self.put(&block(kind as u8, payload))
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }
}
