//! All formats that are read: a file for each, and a line in the table.

pub(crate) mod crystal;
pub(crate) mod dbench;
pub(crate) mod dd;
pub(crate) mod diskspd;
pub(crate) mod fio_json;
pub(crate) mod fio_log;
pub(crate) mod fio_options;
mod fio_progress;
pub(crate) mod fio_text;
pub(crate) mod flushes;
pub(crate) mod kbench;
pub(crate) mod keyed;
pub(crate) mod pools;
pub(crate) mod tables;

use crate::evidence::{Evidence, Load};
use crate::paste::Line;

/// A format of results.
pub(crate) struct Reader {
    /// What is recognised, in words.
    pub(crate) about: &'static str,
    /// Reads the results that begin at the first line, if it begins one. It looks at no more lines
    /// than it says it used, but for a number that is fixed.
    pub(crate) read: fn(&[Line]) -> Option<ReaderMatch>,
}

impl Reader {
    const fn new(about: &'static str, read: fn(&[Line]) -> Option<ReaderMatch>) -> Self {
        Self { about, read }
    }
}

/// What a reader found.
#[derive(Debug, Default)]
pub(crate) struct ReaderMatch {
    pub(crate) evidence: Vec<Evidence>,
    /// Lines that it took, at least one.
    pub(crate) used: usize,
}

/// All of them.
pub(crate) const READERS: &[Reader] = &[
    Reader::new("fio text", fio_text::read),
    Reader::new("fio JSON", fio_json::read),
    Reader::new("fio log of requests", fio_log::read),
    Reader::new("CrystalDiskMark or KDiskMark text", crystal::read),
    Reader::new("DISKSPD text", diskspd::read),
    Reader::new("dd", dd::read),
    Reader::new("ioping", keyed::ioping),
    Reader::new("sysbench fileio", keyed::sysbench),
    Reader::new("hdparm", keyed::hdparm),
    Reader::new("elbencho", keyed::elbencho),
    Reader::new("IOR", keyed::ior),
    Reader::new("rados bench", keyed::rados),
    Reader::new("yabs", tables::yabs),
    Reader::new("dbench summary", dbench::read),
    Reader::new("kbench summary", kbench::read),
    Reader::new("mdtest", tables::mdtest),
    Reader::new("vdbench summary", tables::vdbench),
    Reader::new("bonnie++ CSV", tables::bonnie),
    Reader::new("bonnie++ text", tables::bonnie_text),
    Reader::new(tables::IOSTAT, tables::iostat),
    Reader::new("vmstat", tables::vmstat),
    Reader::new("pveperf", flushes::pveperf),
    Reader::new("pg_test_fsync", flushes::pg_test_fsync),
    Reader::new("iozone", pools::iozone),
    Reader::new("iozone in the Phoronix Test Suite", pools::phoronix_iozone),
    Reader::new("zpool iostat", pools::zpool),
    Reader::new("zpool iostat -pH", pools::zpool_raw),
    Reader::new("ceph tell osd bench", pools::ceph_osd),
    Reader::new("metrics of etcd", flushes::etcd_metrics),
    Reader::new("log of etcd", flushes::etcd),
];

/// What is recognised, in words.
pub fn formats() -> impl Iterator<Item = &'static str> {
    READERS.iter().map(|reader| reader.about)
}

/// A tool whose command line says what its output does not.
pub(crate) struct Caller {
    pub(crate) tool: &'static str,
    /// The load that the words ask for.
    pub(crate) load: fn(&[String]) -> Load,
    /// What the command line says about the numbers of a result of the tool.
    pub(crate) complete: fn(&mut Evidence),
}

/// All of them.
pub(crate) const CALLERS: &[Caller] = &[
    Caller {
        tool: "fio",
        load: fio_options::load,
        complete: fio_options::complete,
    },
    Caller {
        tool: "dd",
        load: dd::load,
        complete: dd::complete,
    },
    Caller {
        tool: "diskspd",
        load: diskspd::load,
        complete: |_| {},
    },
    Caller {
        tool: "ioping",
        load: keyed::ioping_load,
        complete: |_| {},
    },
    Caller {
        tool: "sysbench",
        load: keyed::sysbench_load,
        complete: |_| {},
    },
    Caller {
        tool: "zpool",
        load: pools::load,
        complete: pools::complete,
    },
    Caller {
        tool: "ior",
        load: keyed::ior_load,
        complete: |_| {},
    },
    Caller {
        tool: "elbencho",
        load: keyed::elbencho_load,
        complete: |_| {},
    },
];

/// Bytes that are tried as one JSON document at most, and how far a key of it is looked for.
const JSON_BYTES: usize = 64 << 20;
const KEY_WITHIN: usize = 400;

/// The JSON document that begins at the first line and has `key` near its start, and its lines.
///
/// A document that does not end is left; the key makes that so rare that no text is read often.
pub(crate) fn json(lines: &[Line], key: &str) -> Option<(serde_json::Value, usize)> {
    let first = lines.first()?.text.trim_start();
    if !first.starts_with(['{', '[']) {
        return None;
    }
    let near = lines.iter().take(KEY_WITHIN);
    if !near.clone().any(|line| line.text.contains(key)) {
        return None;
    }
    let mut text = String::new();
    let mut ends = Vec::new();
    for line in lines {
        text.push_str(&line.text);
        text.push('\n');
        ends.push(text.len());
        if text.len() > JSON_BYTES {
            break;
        }
    }
    let mut stream = serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>();
    let document = stream.next()?.ok()?;
    let end = stream.byte_offset();
    let used = ends.iter().position(|at| *at >= end)? + 1;
    Some((document, used))
}
