//! Traces of other tools. A format is a file in this folder and a line in [`FORMATS`].

mod alibaba;
mod blkparse;
mod book;
mod events;
mod mqsim;
mod msr;
mod oracle;
mod tencent;
mod text;
mod vscsi;
mod xperf;

use crate::file::{CaptureError, Chunk, Head, MOST_REQUESTS, Source, Tail};
use crate::request::Task;
use book::{Book, Wrong};
use std::io::{self, BufRead, Read};

/// Bytes of a line at most; what is longer is no line of any format.
const MOST_LINE_BYTES: u64 = 64 << 10;

/// The formats, in the order in which they are tried.
pub(crate) const FORMATS: [&Format; 12] = [
    &vscsi::VERSION_1,
    &vscsi::VERSION_2,
    &blkparse::ISSUED,
    &blkparse::QUEUED,
    &events::PERF,
    &events::TRACE_CMD,
    &xperf::FORMAT,
    &msr::FORMAT,
    &alibaba::FORMAT,
    &tencent::FORMAT,
    &mqsim::FORMAT,
    &oracle::FORMAT,
];

/// How requests lie in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Frame {
    /// Each on a line of text.
    Line,
    /// Each in this number of bytes.
    Bytes(usize),
}

/// All that is known of a format.
#[derive(Debug)]
pub(crate) struct Format {
    /// What a trace of it is called.
    pub(crate) title: &'static str,
    /// Whether a file that starts with these bytes is one.
    pub(crate) is: fn(&[u8]) -> bool,
    pub(crate) frame: Frame,
    /// Takes the requests of a line or a record.
    pub(crate) take: fn(&[u8], &mut Book) -> Result<(), Wrong>,
    /// What the format leaves open and is assumed.
    pub(crate) assumed: Option<&'static str>,
}

/// The titles of all formats.
pub fn titles() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.title)
}

/// A trace of another tool that is being read.
pub(crate) struct Foreign {
    format: &'static Format,
    input: Box<dyn BufRead + Send>,
    book: Book,
    /// The line or the record that was read last.
    piece: Vec<u8>,
    /// Its number, from 1.
    number: u64,
    /// Pieces that are no request, and the first of them with what is wrong.
    wrong: u64,
    first_wrong: Option<(u64, String)>,
    is_cut: bool,
    tail: Option<Tail>,
}

impl Foreign {
    pub(crate) fn new(format: &'static Format, input: Box<dyn BufRead + Send>) -> Self {
        Self {
            format,
            input,
            book: Book::new(format.title),
            piece: Vec::new(),
            number: 0,
            wrong: 0,
            first_wrong: None,
            is_cut: false,
            tail: None,
        }
    }

    /// Reads the next line or record; whether there was one.
    fn read(&mut self) -> io::Result<bool> {
        self.piece.clear();
        self.number += 1;
        match self.format.frame {
            Frame::Line => {
                let mut input = (&mut self.input).take(MOST_LINE_BYTES);
                let count = input.read_until(b'\n', &mut self.piece)?;
                if count as u64 == MOST_LINE_BYTES && !self.piece.ends_with(b"\n") {
                    // The rest of a line that is too long.
                    skip_line(&mut self.input)?;
                    self.leave_out("it is longer than 64 KiB".to_owned());
                    self.piece.clear();
                    self.piece.push(b'\n');
                }
                Ok(count > 0)
            }
            Frame::Bytes(bytes) => {
                let mut input = (&mut self.input).take(bytes as u64);
                Ok(input.read_to_end(&mut self.piece)? > 0)
            }
        }
    }

    fn leave_out(&mut self, cause: String) {
        self.wrong += 1;
        self.first_wrong.get_or_insert((self.number, cause));
    }

    /// Whether the piece is whole: a number at a cut would be read as a smaller one.
    fn is_whole(&self) -> bool {
        match self.format.frame {
            Frame::Line => self.piece.ends_with(b"\n"),
            Frame::Bytes(bytes) => self.piece.len() == bytes,
        }
    }

    fn unit(&self) -> &'static str {
        match self.format.frame {
            Frame::Line => "line",
            Frame::Bytes(_) => "record",
        }
    }

    fn implausible(&self, at: u64, found: String) -> CaptureError {
        CaptureError::Implausible {
            format: self.format.title,
            piece: format!("{} {at}", self.unit()),
            found,
        }
    }

    fn end(&mut self) -> Result<(), CaptureError> {
        self.book.finish();
        let tail = self.book.tail();
        if tail.requests == 0 {
            let cause = self.first_wrong.take();
            let cause = cause.map_or_else(
                || "it has none".to_owned(),
                |(number, cause)| format!("{} {number}: {cause}", self.unit()),
            );
            let format = self.format.title;
            return Err(CaptureError::NoRequest { format, cause });
        }
        if let Some(found) = self.book.implausible_rate() {
            return Err(self.implausible(self.number - 1, found));
        }
        self.tail = Some(tail);
        Ok(())
    }
}

impl Source for Foreign {
    fn head(&self) -> &Head {
        &self.book.head
    }

    fn tasks(&self) -> &[Task] {
        &self.book.tasks
    }

    fn tail(&self) -> Option<&Tail> {
        self.tail.as_ref().filter(|_| !self.is_cut)
    }

    fn next_chunk(&mut self) -> Result<Option<Chunk>, CaptureError> {
        while self.tail.is_none() && self.book.chunk.len() < MOST_REQUESTS {
            if !self.read()? {
                self.end()?;
                break;
            }
            if !self.is_whole() {
                self.is_cut = true;
                continue;
            }
            match (self.format.take)(&self.piece, &mut self.book) {
                Ok(()) => {}
                Err(Wrong::Unit(found)) => return Err(self.implausible(self.number, found)),
                Err(Wrong::Piece(cause)) => self.leave_out(cause),
            }
        }
        let chunk = self.book.take_chunk();
        Ok((!chunk.is_empty()).then_some(chunk))
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if let Some(assumed) = self.format.assumed {
            remarks.push(assumed.to_owned());
        }
        if let Some((number, cause)) = &self.first_wrong {
            let unit = self.unit();
            let more = fathom_core::figure::plural(self.wrong, unit);
            remarks.push(format!(
                "left out: {more} without a valid request. The first is {unit} {number}: {cause}."
            ));
        }
        if self.is_cut {
            remarks.push(
                "the file ends in the middle of a request. The requests before it are used."
                    .to_owned(),
            );
        }
        remarks.extend(self.book.remarks());
        remarks
    }
}

fn skip_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(bytes.len(), |end| end + 1);
        let is_over = end.is_some() || bytes.is_empty();
        input.consume(used);
        if is_over {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests;
