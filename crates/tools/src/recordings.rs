//! What monitors wrote down about devices, all turned into one [`Recording`]: our own files, the
//! text and JSON of iostat, sar and sadf, vmstat, exports of CloudWatch, Azure Monitor and
//! Windows' Performance Monitor.

mod azure_monitor;
mod cloudwatch;
mod columns;
mod instants;
mod iostat;
mod json;
mod own;
mod perfmon;
mod readings;
mod sadf;
mod sar;
mod table;
mod vmstat;
mod words;

use crate::diagnostic::Diagnostic;
use crate::results::encoding;
use fathom_core::recording::Recording;
use std::io::{self, BufRead, Read as _};
use words::Text;

/// Bytes of UTF-16 that are taken into memory at most.
const MOST_UTF16_BYTES: u64 = 1 << 30;

/// Why there is no recording.
#[derive(Debug)]
pub enum ReadError {
    /// It cannot be read.
    Io(io::Error),
    /// It is no recording of any kind, or the first line of one that cannot be understood.
    Text(Box<Diagnostic>),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Box<Diagnostic>> for ReadError {
    fn from(error: Box<Diagnostic>) -> Self {
        Self::Text(error)
    }
}

impl From<Diagnostic> for ReadError {
    fn from(error: Diagnostic) -> Self {
        Self::Text(Box::new(error))
    }
}

/// Reads a recording, whoever made it; `file` names it in errors. Of the text a line or a
/// value of a list is held at a time (of CloudWatch the points of one metric).
///
/// # Errors
///
/// [`ReadError`].
pub fn read_from(mut from: impl BufRead + 'static, file: &str) -> Result<Recording, ReadError> {
    let mut begin = Vec::new();
    from.by_ref().take(2).read_to_end(&mut begin)?;
    if encoding::is_utf16(&begin) {
        let invalid = |words| io::Error::new(io::ErrorKind::InvalidData, words);
        from.take(MOST_UTF16_BYTES).read_to_end(&mut begin)?;
        if begin.len() as u64 > MOST_UTF16_BYTES {
            return Err(invalid("it is UTF-16 of more than 1 GiB; convert it to UTF-8").into());
        }
        return Ok(read(&encoding::decode(begin).map_err(invalid)?, file)?);
    }
    from.by_ref()
        .take(own::BEGIN.len() as u64)
        .read_to_end(&mut begin)?;
    let is_own = own::is_own(&begin);
    let mut from = io::Cursor::new(begin).chain(from);
    if is_own {
        return own::read(&mut from, file);
    }
    let source = Text::of(from, file)?;
    let recording = of_others(&source);
    match source.failed() {
        Some(error) => Err(error.into()),
        None => Ok(recording?),
    }
}

/// Reads a recording out of a text that is there, as [`read_from`] does.
///
/// # Errors
///
/// A text that is no recording of any kind, or the first line of one that cannot be understood.
pub fn read(text: &str, file: &str) -> Result<Recording, Box<Diagnostic>> {
    let source = Text::new(text, file);
    if own::is_own(text.as_bytes()) {
        return own::read(&mut text.as_bytes(), file).map_err(|error| match error {
            ReadError::Text(error) => error,
            ReadError::Io(error) => {
                let first = text.lines().next().unwrap_or_default();
                let refusal = source.refuse(first, &error.to_string());
                Box::new(refusal.with("a file that can be read"))
            }
        });
    }
    of_others(&source)
}

/// Reads what somebody else wrote.
fn of_others(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    if let Some(form) = FORMS.iter().find(|form| (form.is)(source)) {
        return (form.read)(source);
    }
    let first = source.begin.lines().next().unwrap_or_default();
    let refusal = source.refuse(first, "this is no recording of devices");
    let remedy = "give a file of `fathom watch --record`, or the text of `iostat -x` or `sar -d`; \
                  docs/need.md lists what else is read";
    Err(Box::new(refusal.with(remedy)))
}

/// A form in which others write.
struct Form {
    is: fn(&Text) -> bool,
    read: fn(&Text) -> Result<Recording, Box<Diagnostic>>,
}

/// Those with the clearest marks first.
const FORMS: [Form; 9] = [
    Form {
        is: |source| sadf::is_json(&source.begin),
        read: sadf::read_json,
    },
    Form {
        is: |source| cloudwatch::is_json(&source.begin),
        read: cloudwatch::read_json,
    },
    Form {
        is: sadf::is_lines,
        read: sadf::read_lines,
    },
    Form {
        is: perfmon::is_csv,
        read: perfmon::read,
    },
    Form {
        is: cloudwatch::is_csv,
        read: cloudwatch::read_csv,
    },
    Form {
        is: azure_monitor::is_csv,
        read: azure_monitor::read,
    },
    Form {
        is: |source| vmstat::is_vmstat(&source.begin),
        read: vmstat::read,
    },
    Form {
        is: |source| iostat::is_iostat(&source.begin),
        read: iostat::read,
    },
    Form {
        is: |source| sar::is_sar(&source.begin),
        read: sar::read,
    },
];
