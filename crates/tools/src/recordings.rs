//! What monitors wrote down about devices, all turned into one [`Recording`]: our own files, and
//! what others write, a file for each with a line in the table `FORMS`.

mod atop;
mod awr;
mod azure_monitor;
mod blkparse;
mod cloudwatch;
mod collectl;
mod columns;
mod columns_given;
mod convertible;
mod counter_name;
mod dstat;
mod get_counter;
mod google_monitoring;
mod instants;
mod iostat;
mod json;
mod metric_name;
mod nmon;
mod own;
mod perfmon;
mod prefix;
mod prometheus;
mod readings;
mod sadf;
mod sadf_xml;
mod sar;
mod series;
mod series_csv;
mod sql_server;
mod table;
mod unpacked;
mod vmstat;
mod words;

use crate::diagnostic::Diagnostic;
use crate::results::encoding;
pub use columns_given::GivenColumns;
use fathom_core::recording::Recording;
use prefix::Prefix;
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
/// With `columns` it is a CSV whose columns these are.
///
/// # Errors
///
/// [`ReadError`].
pub fn read_from(
    from: impl BufRead + 'static,
    file: &str,
    columns: Option<&GivenColumns>,
) -> Result<Recording, ReadError> {
    let mut from = unpacked::of(from)?;
    let mut begin = Vec::new();
    from.by_ref()
        .take(own::BEGIN.len() as u64)
        .read_to_end(&mut begin)?;
    if let Some((what, remedy)) = convertible::by_begin(&begin) {
        let source = Text::new("", file);
        return Err(source
            .refuse("", &format!("this is {what}"))
            .with(remedy)
            .into());
    }
    if encoding::is_utf16(&begin) {
        let invalid = |words| io::Error::new(io::ErrorKind::InvalidData, words);
        from.take(MOST_UTF16_BYTES).read_to_end(&mut begin)?;
        if begin.len() as u64 > MOST_UTF16_BYTES {
            return Err(invalid("it is UTF-16 of more than 1 GiB; convert it to UTF-8").into());
        }
        let text = encoding::decode(begin).map_err(invalid)?;
        return of_text(Text::new(&text, file), columns);
    }
    let is_own = own::is_own(&begin) && columns.is_none();
    let mut from = io::Cursor::new(begin).chain(from);
    if is_own {
        return own::read(&mut from, file);
    }
    let source = Text::of(from, file)?;
    of_text(source, columns)
}

/// Tools that count requests as a device gets them, after the kernel merged them.
const AFTER_MERGING: [&str; 9] = [
    "atop", "blkparse", "collectl", "dstat", "fathom", "iostat", "sadf", "sar", "vmstat",
];

/// Whether requests that a tool counts are known to be those after merging.
pub fn is_after_merging(tool: &str) -> bool {
    let name = tool.split(' ').next().unwrap_or_default();
    AFTER_MERGING.contains(&name)
}

/// Reads a recording out of a text that is there, as [`read_from`] does.
///
/// # Errors
///
/// A text that is no recording of any kind, or the first line of one that cannot be understood.
pub fn read(text: &str, file: &str) -> Result<Recording, Box<Diagnostic>> {
    let from = io::Cursor::new(text.as_bytes().to_vec());
    read_from(from, file, None).map_err(|error| match error {
        ReadError::Text(error) => error,
        ReadError::Io(error) => {
            let first = text.lines().next().unwrap_or_default();
            let refusal = Text::new("", file).refuse(first, &error.to_string());
            Box::new(refusal.with("a file that can be read"))
        }
    })
}

/// Reads what somebody else wrote.
fn of_text(source: Text, columns: Option<&GivenColumns>) -> Result<Recording, ReadError> {
    let mut source = source;
    // A quote of what has times before its lines.
    for _ in 0..2 {
        match Prefix::of(&source.begin) {
            // No form has a mark of a quote before every line; some have a time.
            Some(prefix) if prefix == Prefix::Quote || form(&source).is_none() => {
                source = source.peeled(prefix);
            }
            _ => break,
        }
    }
    let recording = match (columns, form(&source)) {
        (Some(columns), _) => columns_given::read(&source, columns),
        (None, Some((_, read))) => read(&source),
        (None, None) => Err(unknown(&source)),
    };
    match source.failed() {
        Some(error) => Err(error.into()),
        None => Ok(recording?),
    }
}

fn unknown(source: &Text) -> Box<Diagnostic> {
    if let Some((what, remedy)) = convertible::by_name(source.name()) {
        return Box::new(source.refuse("", &format!("this is {what}")).with(remedy));
    }
    let first = source.begin.lines().next().unwrap_or_default();
    let remedy = "give a file of `fathom watch --record`, the text of `iostat -x` or `sar -d`, or \
                  of a CSV its columns: --columns time=1,read_iops=2; docs/need.md lists what else \
                  is read";
    Box::new(
        source
            .refuse(first, "this is no recording of devices")
            .with(remedy),
    )
}

/// How a form of others is recognised, and how it is read.
type RecordingFormat = (
    fn(&Text) -> bool,
    fn(&Text) -> Result<Recording, Box<Diagnostic>>,
);

/// Those with the clearest marks first.
const FORMS: [RecordingFormat; 22] = [
    (|source| sadf::is_json(&source.begin), sadf::read_json),
    (
        |source| cloudwatch::is_json(&source.begin),
        cloudwatch::read_json,
    ),
    (
        |source| prometheus::is_json(&source.begin),
        prometheus::read,
    ),
    (
        |source| google_monitoring::is_json(&source.begin),
        google_monitoring::read,
    ),
    (
        |source| azure_monitor::is_json(&source.begin),
        azure_monitor::read,
    ),
    (|source| sadf_xml::is_xml(&source.begin), sadf_xml::read),
    (sadf::is_lines, sadf::read_lines),
    (perfmon::is_csv, perfmon::read),
    (dstat::is_csv, dstat::read),
    (sql_server::is_table, sql_server::read),
    (|source| nmon::is_nmon(&source.begin), nmon::read),
    (|source| atop::is_atop(&source.begin), atop::read),
    (
        |source| collectl::is_plot(&source.begin),
        collectl::read_plot,
    ),
    (|source| awr::is_awr(&source.begin), awr::read),
    (series_csv::is_csv, series_csv::read),
    (
        |source| get_counter::is_text(&source.begin),
        get_counter::read,
    ),
    (
        |source| collectl::is_table(&source.begin),
        collectl::read_table,
    ),
    (|source| vmstat::is_vmstat(&source.begin), vmstat::read),
    (|source| iostat::is_iostat(&source.begin), iostat::read),
    (|source| sar::is_sar(&source.begin), sar::read),
    (|source| blkparse::is_text(&source.begin), blkparse::read),
    (
        |source| dstat::is_screen(&source.begin),
        dstat::refuse_screen,
    ),
];

fn form(source: &Text) -> Option<&'static RecordingFormat> {
    FORMS.iter().find(|form| (form.0)(source))
}
