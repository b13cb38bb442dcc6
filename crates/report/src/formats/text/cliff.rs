//! How much the storage takes fast, and how fast it is then.

use super::probes::Block;
use crate::figure::{duration, megabytes, volume};
use crate::page::Entry;
use crate::sparkline::sparkline;
use crate::table::{Align, Table};
use fathom_core::result::{Cliff, CliffReport};

/// Characters of the picture at most.
const BARS: usize = 60;

pub(super) fn block(report: &CliffReport) -> Block {
    let mut entries = vec![Entry {
        label: "cliff".to_owned(),
        text: sentence(report),
    }];
    if report.limit_bytes < report.asked_bytes {
        entries.push(Entry {
            label: "room".to_owned(),
            text: format!(
                "the target has space for {} of the requested {}",
                volume(report.limit_bytes),
                volume(report.asked_bytes)
            ),
        });
    }
    if let Some(cliff) = &report.cliff {
        entries.push(Entry {
            label: "buffer".to_owned(),
            text: buffer(cliff),
        });
    }
    if report.bytes_per_second.len() > 1 {
        entries.push(Entry {
            label: "course".to_owned(),
            text: sparkline(&report.bytes_per_second, BARS),
        });
    }
    Block {
        heading: "fast write cache",
        table: table(report),
        entries,
    }
}

fn table(report: &CliffReport) -> Table {
    let mut table = Table::default();
    for name in ["written", "of", "in", "MB/s"] {
        table.column(name, Align::Right);
    }
    let seconds = report.measured_ns as f64 / 1e9;
    table.row(vec![
        volume(report.written_bytes),
        volume(report.limit_bytes),
        duration(report.measured_ns),
        if seconds > 0.0 {
            megabytes(report.written_bytes as f64 / seconds)
        } else {
            String::new()
        },
    ]);
    table
}

fn sentence(report: &CliffReport) -> String {
    let Some(cliff) = &report.cliff else {
        return format!(
            "no drop within {} of sequential writes; the behaviour beyond it is unknown, and so is \
             a buffer that fills within three intervals of {}",
            volume(report.written_bytes),
            duration(report.interval_ns)
        );
    };
    format!(
        "first {} at {} MB/s, then {} MB/s. A benchmark of {} would have reported {} MB/s",
        volume(cliff.accepted_bytes as u64),
        megabytes(cliff.burst_bytes_per_second),
        megabytes(cliff.drain_bytes_per_second),
        duration(cliff.after_ns),
        megabytes(cliff.burst_bytes_per_second)
    )
}

fn buffer(cliff: &Cliff) -> String {
    format!(
        "{}, if it empties at the later rate during the writes; idle, it is empty again after {} \
         at that rate",
        volume(cliff.capacity_bytes as u64),
        duration((cliff.capacity_bytes / cliff.drain_bytes_per_second * 1e9) as u64)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(cliff: Option<Cliff>) -> Vec<(String, String)> {
        let report = CliffReport {
            asked_bytes: 500_000_000_000,
            limit_bytes: 200_000_000_000,
            written_bytes: 200_000_000_000,
            measured_ns: 195_000_000_000,
            interval_ns: 100_000_000,
            bytes_per_second: Vec::new(),
            cliff,
        };
        let block = block(&report);
        assert_eq!(
            block.table.rows(),
            [["200 GB", "200 GB", "3 min 15 s", "1,026"]]
        );
        let entries = block.entries.into_iter();
        entries.map(|entry| (entry.label, entry.text)).collect()
    }

    fn entry(label: &str, text: &str) -> (String, String) {
        (label.to_owned(), text.to_owned())
    }

    #[test]
    fn the_sentence_says_what_a_short_benchmark_would_have_reported() {
        let room = "the target has space for 200 GB of the requested 500 GB";
        let cliff = Cliff {
            burst_bytes_per_second: 4.4e9,
            drain_bytes_per_second: 0.52e9,
            accepted_bytes: 112e9,
            after_ns: 25_500_000_000,
            capacity_bytes: 98.7e9,
        };
        let sentence = "first 112 GB at 4,400 MB/s, then 520.0 MB/s. A benchmark of 25.5 s would \
                        have reported 4,400 MB/s";
        let buffer = "98.7 GB, if it empties at the later rate during the writes; idle, it is \
                      empty again after 3 min 10 s at that rate";
        assert_eq!(
            texts(Some(cliff)),
            [
                entry("cliff", sentence),
                entry("room", room),
                entry("buffer", buffer)
            ]
        );
        let sentence = "no drop within 200 GB of sequential writes; the behaviour beyond it is \
                        unknown, and so is a buffer that fills within three intervals of 100 ms";
        assert_eq!(texts(None), [entry("cliff", sentence), entry("room", room)]);
    }
}
