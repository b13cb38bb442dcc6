//! Reads a capture block by block, so that its length does not matter.

use super::{
    BlockKind, Chunk, Head, MAGIC, MOST_BLOCK_BYTES, Source, Tail, VERSION, checksum, columns,
};
use crate::matching::MOST_TASKS;
use crate::request::Task;
use serde::de::DeserializeOwned;
use std::io::{self, Read};

/// Why a file is not readable as a capture.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// It starts with something else.
    #[error("it is not a capture of fathom")]
    Foreign,
    /// No format fits.
    #[error("its format is unknown")]
    Unknown,
    /// Its numbers have another unit than those of its format.
    #[error("{piece} of this {format} is implausible: {found}")]
    Implausible {
        /// What a trace of its format is called.
        format: &'static str,
        /// The line or the record.
        piece: String,
        /// What was found and what was expected.
        found: String,
    },
    /// It has a format, and no request.
    #[error("this {format} has no request: {cause}")]
    NoRequest {
        /// What a trace of its format is called.
        format: &'static str,
        /// The first that is wrong.
        cause: String,
    },
    /// A replay would need more memory than there is.
    #[error("it has more than {most} requests, and a replay has them all in memory")]
    TooLong {
        /// Requests that fit.
        most: u64,
    },
    /// A later version wrote it.
    #[error("it has version {0} of the format, and this fathom reads version {VERSION}")]
    Version(u32),
    /// Nothing of it is readable.
    #[error("it ends before its first block")]
    Empty,
    /// A block is not as any version writes it, though its checksum is right.
    #[error("the block at byte {at} is invalid")]
    Invalid {
        /// Offset of the block.
        at: u64,
    },
    /// The system.
    #[error(transparent)]
    Read(#[from] io::Error),
}

/// Whether a file that starts with these bytes is a capture.
pub fn is_capture(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// A capture that is being read.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    at: u64,
    head: Head,
    tasks: Vec<Task>,
    tail: Option<Tail>,
    is_over: bool,
}

impl<R: Read> Reader<R> {
    /// Reads the head.
    ///
    /// # Errors
    ///
    /// [`CaptureError`]
    pub fn open(input: R) -> Result<Self, CaptureError> {
        let mut reader = Self {
            input,
            at: 0,
            head: Head::default(),
            tasks: Vec::new(),
            tail: None,
            is_over: false,
        };
        let mut start = [0; 12];
        let count = reader.fill(&mut start)?;
        let (magic, version) = start.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err(CaptureError::Foreign);
        }
        if count < start.len() {
            return Err(CaptureError::Empty);
        }
        let version = version.first_chunk().map_or(0, |v| u32::from_le_bytes(*v));
        if version != VERSION {
            return Err(CaptureError::Version(version));
        }
        match reader.block()? {
            Some((kind, payload)) if kind == BlockKind::Head as u8 => {
                reader.head = reader.json(&payload)?;
                Ok(reader)
            }
            Some(_) => Err(reader.invalid()),
            None => Err(CaptureError::Empty),
        }
    }

    /// The byte after the last whole block.
    pub const fn position(&self) -> u64 {
        self.at
    }

    /// The next requests; none at the end, or where the file was cut or damaged.
    fn requests(&mut self) -> Result<Option<Chunk>, CaptureError> {
        let (mut early, mut above): (Option<Vec<u8>>, Option<Vec<u8>>) = (None, None);
        while !self.is_over {
            let Some((kind, payload)) = self.block()? else {
                self.is_over = true;
                break;
            };
            if kind == BlockKind::Requests as u8 {
                let mut chunk = columns::unpack(&payload).ok_or_else(|| self.invalid())?;
                if let Some(early) = early {
                    columns::unpack_early(&early, &mut chunk).ok_or_else(|| self.invalid())?;
                }
                if let Some(above) = above {
                    let volumes = self.head.volumes.len();
                    let read = columns::unpack_above(&above, &mut chunk, volumes);
                    read.ok_or_else(|| self.invalid())?;
                }
                let devices = self.head.devices.len();
                let fits = |device: u16, task: u32| {
                    usize::from(device) < devices && (task as usize) < self.tasks.len()
                };
                if chunk.iter().all(|one| fits(one.device, one.task)) {
                    return Ok(Some(chunk));
                }
                return Err(self.invalid());
            } else if kind == BlockKind::Early as u8 {
                early = Some(payload);
            } else if kind == BlockKind::Above as u8 {
                above = Some(payload);
            } else if kind == BlockKind::Tasks as u8 {
                let tasks: Vec<Task> = self.json(&payload)?;
                if self.tasks.len() + tasks.len() > MOST_TASKS {
                    return Err(self.invalid());
                }
                self.tasks.extend(tasks);
            } else if kind == BlockKind::Tail as u8 {
                self.tail = Some(self.json(&payload)?);
                self.is_over = true;
            }
            // What later versions add, and older ones do not need.
        }
        Ok(None)
    }

    /// The next block; none where there is no whole one.
    fn block(&mut self) -> Result<Option<(u8, Vec<u8>)>, CaptureError> {
        let mut start = [0; 9];
        if self.fill(&mut start)? < start.len() {
            return Ok(None);
        }
        let [kind, length @ .., s0, s1, s2, s3] = start;
        let length = u32::from_le_bytes(length);
        if length > MOST_BLOCK_BYTES {
            return Ok(None);
        }
        let mut payload = Vec::new();
        let whole = (&mut self.input)
            .take(length.into())
            .read_to_end(&mut payload)?;
        let sum = u32::from_le_bytes([s0, s1, s2, s3]);
        if whole < length as usize || checksum(kind, &payload) != sum {
            return Ok(None);
        }
        self.at += start.len() as u64 + u64::from(length);
        Ok(Some((kind, payload)))
    }

    /// Reads as much as there is.
    fn fill(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let mut count = 0;
        while count < bytes.len() {
            match self.input.read(&mut bytes[count..]) {
                Ok(0) => break,
                Ok(more) => count += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    }

    fn json<T: DeserializeOwned>(&self, payload: &[u8]) -> Result<T, CaptureError> {
        serde_json::from_slice(payload).map_err(|_| self.invalid())
    }

    const fn invalid(&self) -> CaptureError {
        CaptureError::Invalid { at: self.at }
    }
}

impl<R: Read + Send> Source for Reader<R> {
    fn head(&self) -> &Head {
        &self.head
    }

    fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    fn tail(&self) -> Option<&Tail> {
        self.tail.as_ref()
    }

    fn next_chunk(&mut self) -> Result<Option<Chunk>, CaptureError> {
        self.requests()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{Device, Writer};
    use crate::flags::Flags;
    use crate::request::Early;
    use crate::request::Request;
    use proptest::prelude::*;

    fn request(number: u64) -> Request {
        Request {
            at_ns: number * 1000,
            service_ns: Some(50_000 + number),
            device: 0,
            offset: number * 4096,
            bytes: 4096,
            flags: Flags::WRITE,
            task: u32::from(number >= 3),
            early: Early::default(),
        }
    }

    fn head() -> Head {
        Head {
            made_by: "fathom".into(),
            devices: vec![Device::default()],
            ..Head::default()
        }
    }

    fn tail() -> Tail {
        Tail {
            requests: 5,
            lost_events: 2,
            ..Tail::default()
        }
    }

    fn task(thread: i32) -> Task {
        Task {
            thread,
            ..Task::default()
        }
    }

    /// Two blocks of requests, of 3 and 2, with a task before each.
    fn file() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::begin(&mut bytes, &head()).expect("memory");
        writer.add_task(task(7));
        for number in 0..5 {
            if number == 3 {
                writer.flush().expect("memory");
                writer.add_task(task(8));
            }
            writer.add(request(number)).expect("memory");
        }
        assert_eq!(writer.requests(), 5);
        let length = writer.end(&tail()).expect("memory");
        assert_eq!(length, bytes.len() as u64);
        bytes
    }

    type All = (Vec<u64>, Vec<i32>, Option<Tail>, u64);

    fn all(bytes: &[u8]) -> Result<All, CaptureError> {
        let mut reader = Reader::open(bytes)?;
        let mut sectors = Vec::new();
        while let Some(chunk) = reader.next_chunk()? {
            sectors.extend(chunk.iter().map(|one| one.offset / 512));
        }
        let threads = reader.tasks().iter().map(|task| task.thread).collect();
        Ok((sectors, threads, reader.tail().cloned(), reader.position()))
    }

    #[test]
    fn a_file_comes_back_and_so_does_what_a_cut_leaves() {
        let file = file();
        let whole = all(&file).expect("a capture");
        let expected = (vec![0, 8, 16, 24, 32], vec![7, 8], Some(tail()));
        assert_eq!((whole.0, whole.1, whole.2), expected);
        let mut found = Vec::new();
        for length in 0..file.len() {
            match all(&file[..length]) {
                Ok((sectors, _, tail, _)) => found.push((sectors.len(), tail)),
                Err(error) => found.push((usize::MAX, error.to_string().is_empty().then(tail))),
            }
        }
        found.dedup();
        assert_eq!(found, [(usize::MAX, None), (0, None), (3, None), (5, None)]);
    }

    #[test]
    fn what_is_no_capture_is_refused() {
        let file = file();
        let mut later = file.clone();
        later[8] = 2;
        let refusals = [
            &b"fio version 3 iolog\n"[..],
            &file[..8],
            &file[..15],
            &later,
        ];
        let refusals = refusals.map(|bytes| all(bytes).expect_err("refused").to_string());
        let expected = [
            "it is not a capture of fathom",
            "it ends before its first block",
            "it ends before its first block",
            "it has version 2 of the format, and this fathom reads version 1",
        ];
        assert_eq!(refusals, expected);
        assert!(is_capture(&file));
    }

    #[test]
    fn a_request_of_an_unknown_task_is_invalid() {
        let mut bytes = Vec::new();
        let mut writer = Writer::begin(&mut bytes, &head()).expect("memory");
        writer.add(request(1)).expect("memory");
        writer.end(&tail()).expect("memory");
        let error = all(&bytes).expect_err("refused").to_string();
        assert_eq!(error.split(" at byte").next(), Some("the block"));
    }

    proptest! {
        #[test]
        fn damage_loses_no_more_than_what_follows(at in 0_usize..500, bit in 0_u8..8) {
            let mut file = file();
            let at = at % file.len();
            file[at] ^= 1 << bit;
            if let Ok((sectors, ..)) = all(&file) {
                let expected = [0, 8, 16, 24, 32];
                prop_assert_eq!(&sectors[..], &expected[..sectors.len()]);
            }
        }
    }
}
