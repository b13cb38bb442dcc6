//! The columns of iostat and sar, of all versions of sysstat since 9, by their heads.

use super::words::figure;
use fathom_core::recording::Sample;

const KIB: f64 = 1024.0;
const MIB: f64 = 1024.0 * 1024.0;
const SECTOR: f64 = 512.0;

/// What a column means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Column {
    /// Transfers a second, all kinds together.
    Transfers,
    Reads,
    Writes,
    Discards,
    Flushes,
    /// In units of this number of bytes.
    ReadBytes(f64),
    /// Of reads and writes together.
    Bytes(f64),
    WrittenBytes(f64),
    Await,
    ReadAwait,
    WriteAwait,
    QueueDepth,
    Busy,
    /// Known, and derived from others or of no use here.
    Other,
}

/// The column of a head; none if no sysstat has one of that name.
pub(super) fn column(head: &str) -> Option<Column> {
    Some(match head {
        "tps" => Column::Transfers,
        "r/s" | "rtps" => Column::Reads,
        "w/s" | "wtps" => Column::Writes,
        "d/s" | "dtps" => Column::Discards,
        "f/s" => Column::Flushes,
        "rkB/s" | "kB_read/s" | "kr/s" => Column::ReadBytes(KIB),
        "kB/s" | "kB_r+w/s" => Column::Bytes(KIB),
        "MB/s" | "MB_r+w/s" => Column::Bytes(MIB),
        "Blk_r+w/s" => Column::Bytes(SECTOR),
        "wkB/s" | "kB_wrtn/s" | "kw/s" | "kB_w+d/s" => Column::WrittenBytes(KIB),
        "rMB/s" | "MB_read/s" => Column::ReadBytes(MIB),
        "wMB/s" | "MB_wrtn/s" | "MB_w+d/s" => Column::WrittenBytes(MIB),
        "rsec/s" | "Blk_read/s" | "rd_sec/s" | "bread/s" => Column::ReadBytes(SECTOR),
        "wsec/s" | "Blk_wrtn/s" | "wr_sec/s" | "bwrtn/s" => Column::WrittenBytes(SECTOR),
        "await" | "ms/t" | "svc_t" => Column::Await,
        "r_await" | "ms/r" => Column::ReadAwait,
        "w_await" | "ms/w" => Column::WriteAwait,
        "aqu-sz" | "avgqu-sz" | "qlen" => Column::QueueDepth,
        "%util" | "%b" => Column::Busy,
        "rrqm/s" | "wrqm/s" | "drqm/s" | "rqm/s" | "%rqm" | "ms/o" | "%rrqm" | "%wrqm"
        | "%drqm" | "rareq-sz" | "wareq-sz" | "dareq-sz" | "areq-sz" | "avgrq-sz" | "svctm"
        | "d_await" | "f_await" | "dkB/s" | "dMB/s" | "dsec/s" | "bkB/s" | "kB_dscd/s"
        | "MB_dscd/s" | "Blk_dscd/s" | "kB_read" | "kB_wrtn" | "kB_dscd" | "MB_read"
        | "MB_wrtn" | "MB_dscd" | "Blk_read" | "Blk_wrtn" | "Blk_dscd" | "kB_w+d" | "MB_w+d"
        | "Blk_w+d" | "bdscd/s" => Column::Other,
        _ => return None,
    })
}

/// Puts the figure of a column into a sample; none if it is no figure.
pub(super) fn put(column: Column, word: &str, into: &mut Sample) -> Option<()> {
    let (number, factor) = figure(word)?;
    // Numbers of `iostat -h` bring their own unit.
    let bytes = |unit: f64| number * factor.unwrap_or(unit);
    let plain = number * factor.map_or(1.0, |factor| factor);
    match column {
        Column::Transfers => into.ios_per_second = plain,
        Column::Reads => into.reads_per_second = Some(plain),
        Column::Writes => into.writes_per_second = Some(plain),
        Column::Discards => into.discards_per_second = Some(plain),
        Column::Flushes => into.flushes_per_second = Some(plain),
        Column::ReadBytes(unit) | Column::Bytes(unit) => into.read_bytes_per_second = bytes(unit),
        Column::WrittenBytes(unit) => into.written_bytes_per_second = bytes(unit),
        Column::Await => into.await_ms = Some(number),
        Column::ReadAwait => into.read_await_ms = Some(number),
        Column::WriteAwait => into.write_await_ms = Some(number),
        Column::QueueDepth => into.queue_depth = Some(number),
        Column::Busy => into.busy_percent = Some(number),
        Column::Other => {}
    }
    Some(())
}

/// Makes a sample whole once all its columns are in: what follows from others, and nothing where
/// nothing completed.
pub(super) fn complete(sample: &mut Sample) {
    let (reads, writes) = (sample.reads_per_second, sample.writes_per_second);
    if let (Some(reads), Some(writes)) = (reads, writes) {
        sample.ios_per_second = reads + writes;
        let mean = |read: f64, write: f64| (reads * read + writes * write) / (reads + writes);
        if sample.await_ms.is_none() {
            let parts = sample.read_await_ms.zip(sample.write_await_ms);
            sample.await_ms = parts.map(|(read, write)| mean(read, write));
        }
    }
    let none_of = |rate: Option<f64>| rate == Some(0.0);
    if none_of(reads) {
        sample.read_await_ms = None;
    }
    if none_of(writes) {
        sample.write_await_ms = None;
    }
    if sample.ios_per_second == 0.0 {
        sample.await_ms = None;
    }
}
