//! All formats that are read: a file for each, and a line in the table.

pub(crate) mod crystal;
pub(crate) mod dd;
pub(crate) mod diskspd;
pub(crate) mod fio_json;
pub(crate) mod fio_options;
pub(crate) mod fio_text;
pub(crate) mod flushes;
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
    pub(crate) read: fn(&[Line]) -> Option<Found>,
}

/// What a reader found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) evidence: Vec<Evidence>,
    /// Lines that it took, at least one.
    pub(crate) used: usize,
}

/// All of them.
pub(crate) const READERS: &[Reader] = &[
    Reader {
        about: "fio text",
        read: fio_text::read,
    },
    Reader {
        about: "fio JSON",
        read: fio_json::read,
    },
    Reader {
        about: "CrystalDiskMark or KDiskMark text",
        read: crystal::read,
    },
    Reader {
        about: "DISKSPD text",
        read: diskspd::read,
    },
    Reader {
        about: "dd",
        read: dd::read,
    },
    Reader {
        about: "ioping",
        read: keyed::ioping,
    },
    Reader {
        about: "sysbench fileio",
        read: keyed::sysbench,
    },
    Reader {
        about: "hdparm",
        read: keyed::hdparm,
    },
    Reader {
        about: "elbencho",
        read: keyed::elbencho,
    },
    Reader {
        about: "IOR",
        read: keyed::ior,
    },
    Reader {
        about: "rados bench",
        read: keyed::rados,
    },
    Reader {
        about: "yabs",
        read: tables::yabs,
    },
    Reader {
        about: "mdtest",
        read: tables::mdtest,
    },
    Reader {
        about: "vdbench summary",
        read: tables::vdbench,
    },
    Reader {
        about: "bonnie++ CSV",
        read: tables::bonnie,
    },
    Reader {
        about: "bonnie++ text",
        read: tables::bonnie_text,
    },
    Reader {
        about: "iostat or sar",
        read: tables::iostat,
    },
    Reader {
        about: "vmstat",
        read: tables::vmstat,
    },
    Reader {
        about: "pveperf",
        read: flushes::pveperf,
    },
    Reader {
        about: "pg_test_fsync",
        read: flushes::pg_test_fsync,
    },
    Reader {
        about: "iozone",
        read: pools::iozone,
    },
    Reader {
        about: "iozone in the Phoronix Test Suite",
        read: pools::phoronix_iozone,
    },
    Reader {
        about: "zpool iostat",
        read: pools::zpool,
    },
    Reader {
        about: "ceph tell osd bench",
        read: pools::ceph_osd,
    },
    Reader {
        about: "metrics of etcd",
        read: flushes::etcd_metrics,
    },
    Reader {
        about: "log of etcd",
        read: flushes::etcd,
    },
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
