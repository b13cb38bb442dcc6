//! The last lines of dd: GNU, busybox, BSD and macOS, in any language.

use super::ReaderMatch;
use crate::evidence::{Data, Direction, Evidence, Load, Side};
use crate::number::{lead, plain, size_with};
use crate::paste::Line;

pub(crate) fn read(lines: &[Line]) -> Option<ReaderMatch> {
    let (shown, series) = progress(lines);
    let mut found = end(lines.get(shown..)?)?;
    found.used += shown;
    if let Some(one) = found.evidence.first_mut().filter(|_| shown > 0) {
        one.lines.0 = lines[0].number;
        one.see("series", lines[0].number);
        one.series = series;
    }
    Some(found)
}

/// Progress lines of one run at most, and seconds between two of them.
const MOST_LINES: usize = 10_000;
const STEP_S: f64 = 5.0;
/// Without the end of the run, lines that come each second; others may be runs of their own.
const EACH_S: f64 = 1.5;
/// Lines between the records and the time of the shell.
const MOST_TO_TIME: usize = 3;

/// Lines of `status=progress` before the end of a run, and the rate in each second of them.
fn progress(lines: &[Line]) -> (usize, Option<(f64, Vec<f64>)>) {
    let mut last = (0.0, 0.0);
    let mut rates = Vec::new();
    let mut shown = 0;
    let mut longest = 0.0_f64;
    for line in lines.iter().take(MOST_LINES) {
        let Some((bytes, seconds)) = copied(line.text.trim()) else {
            break;
        };
        let (more, step) = (bytes - last.0, seconds - last.1);
        if more <= 0.0 || step <= 0.0 || shown > 0 && step > STEP_S {
            break;
        }
        longest = longest.max(step);
        rates.resize(seconds.min(1e5).round() as usize, more / step);
        last = (bytes, seconds);
        shown += 1;
    }
    // The last line is the end of a run that was cut, or a run of its own.
    let is_ended = lines
        .get(shown)
        .is_some_and(|line| records(line.text.trim()).is_some());
    let shown = if is_ended {
        shown
    } else {
        shown.saturating_sub(1)
    };
    let is_long = shown >= 3 && (is_ended || longest <= EACH_S);
    match (is_ended, is_long) {
        (_, true) => (shown, Some((1.0, rates))),
        (true, false) => (shown, None),
        (false, false) => (0, None),
    }
}

fn end(lines: &[Line]) -> Option<ReaderMatch> {
    let mut blocks = None;
    let mut start = lines.first()?.number;
    for (index, line) in lines.iter().take(4).enumerate() {
        let text = line.text.trim();
        if let Some((full, part)) = records(text) {
            if index == 0 {
                start = line.number;
            }
            // The second of the pair counts: what was written.
            blocks = Some(full + part);
            continue;
        }
        let Some((bytes, seconds)) = copied(text) else {
            return timed(blocks.filter(|_| index == 2)?, start, &lines[index..]);
        };
        let mut evidence = copy((start, line.number), seconds);
        evidence.load.block = blocks
            .filter(|blocks| *blocks > 0.0)
            .map(|blocks| (bytes / blocks).ceil());
        // busybox has `(64.0MB)`, all others `(67 MB)`.
        let sum = text.split(['(', ')']).nth(1).unwrap_or_default();
        let is_binary = !sum.contains(' ') && size_with(sum, true) != size_with(sum, false);
        let near = |sum: f64| (sum / bytes - 1.0).abs() < 0.01;
        if is_binary && size_with(sum, true).is_some_and(near) {
            evidence.facts.push("dd-binary");
        }
        evidence.sides.push(Side {
            direction: Direction::Both,
            bytes: Some(bytes),
            rate: Some(bytes / seconds),
            requests: blocks,
            iops: blocks.map(|blocks| blocks / seconds),
            ..Side::default()
        });
        return Some(ReaderMatch {
            evidence: vec![evidence],
            used: index + 1,
        });
    }
    None
}

/// One stream in some lines, the last of which has the time.
fn copy(lines: (usize, usize), seconds: f64) -> Evidence {
    let mut evidence = Evidence::new("dd", "dd");
    evidence.lines = lines;
    evidence.runtime_s = Some(seconds);
    evidence.load.depth = Some(1.0);
    evidence.load.jobs = Some(1.0);
    evidence.load.random = Some(false);
    evidence.see("rate", lines.1);
    evidence
}

/// An old dd, which states no rate, with the time that the shell measured.
fn timed(blocks: f64, start: usize, lines: &[Line]) -> Option<ReaderMatch> {
    let mut near = lines.iter().take(MOST_TO_TIME).enumerate();
    let (index, seconds) = near.find_map(|(index, line)| Some((index, real(&line.text)?)))?;
    let mut evidence = copy((start, lines[index].number), seconds);
    // The command has the size of a block, and with it the bytes.
    evidence.sides.push(Side {
        direction: Direction::Both,
        requests: Some(blocks),
        iops: Some(blocks / seconds),
        ..Side::default()
    });
    Some(ReaderMatch {
        evidence: vec![evidence],
        used: 2 + index + 1,
    })
}

/// Seconds of `real 0m37.927s`, as bash prints them.
fn real(text: &str) -> Option<f64> {
    let rest = text.trim().strip_prefix("real")?.trim();
    let (minutes, seconds) = rest.strip_suffix('s')?.split_once('m')?;
    let seconds = plain(minutes)? * 60.0 + plain(seconds)?;
    (seconds > 0.0).then_some(seconds)
}

/// `64+0 records in`, in any language.
fn records(text: &str) -> Option<(f64, f64)> {
    let (counts, rest) = text.split_once(' ')?;
    let (full, part) = counts.split_once('+')?;
    (rest.len() < 60).then_some(())?;
    Some((plain(full)?, plain(part)?))
}

/// `67108864 bytes (67 MB, 64 MiB) copied, 0.0135287 s, 5.0 GB/s`, or
/// `67108864 bytes transferred in 0.5 secs (134217728 bytes/sec)`.
fn copied(text: &str) -> Option<(f64, f64)> {
    let (bytes, rest) = text.split_once(' ')?;
    let bytes = plain(bytes).filter(|bytes| *bytes > 0.0)?;
    let word = rest.trim_start().to_lowercase();
    let is_bytes = ["byte", "octet", "bajt", "oktett", "байт", "バイト", "字节"]
        .iter()
        .any(|name| word.starts_with(name));
    if !is_bytes {
        return None;
    }
    if let Some((_, after)) = rest.split_once(" transferred in ") {
        let (seconds, _) = lead(after)?;
        return (seconds > 0.0).then_some((bytes, seconds));
    }
    // After the bracket, the first number that has a unit of seconds.
    let after = rest.rsplit_once(')').map_or(rest, |(_, after)| after);
    let mut words = after.split(|sign: char| sign.is_whitespace()).peekable();
    while let Some(word) = words.next() {
        let seconds = plain(word.trim_end_matches(','));
        let unit = words.peek().map_or("", |unit| unit.trim_end_matches(','));
        if let Some(seconds) = seconds
            && unit.starts_with(['s', 'S', 'с', '秒'])
        {
            return (seconds > 0.0).then_some((bytes, seconds));
        }
    }
    None
}

/// The load of operands.
pub(crate) fn load(words: &[String]) -> Load {
    let mut load = Load {
        is_complete: true,
        depth: Some(1.0),
        jobs: Some(1.0),
        random: Some(false),
        ..Load::default()
    };
    for word in words {
        if let Some((name, value)) = word.split_once('=') {
            load.options.insert(name.to_owned(), value.to_owned());
        }
    }
    let get = |name: &str| {
        load.options
            .get(name)
            .map(String::as_str)
            .unwrap_or_default()
    };
    let (from, to) = (get("if").to_owned(), get("of").to_owned());
    let is_source = |path: &str| ["/dev/zero", "/dev/urandom", "/dev/random"].contains(&path);
    // What is written to /dev/zero is dropped, as by /dev/null.
    let is_write = !["", "/dev/null", "/dev/zero"].contains(&to.as_str());
    let is_read = !from.is_empty() && !is_source(&from);
    load.block = size_with(get("bs"), true)
        .or_else(|| size_with(get("obs"), true))
        .or(Some(512.0));
    let has = |name: &str, flag: &str| get(name).split(',').any(|word| word == flag);
    let converted = format!(",{},", get("conv"));
    // A flag is of one side: oflag=direct reads through the page cache.
    let is_direct = |is_used: bool, name: &str| !is_used || has(name, "direct");
    load.direct =
        Some((is_read || is_write) && is_direct(is_read, "iflag") && is_direct(is_write, "oflag"));
    if is_write {
        if has("oflag", "dsync") || has("oflag", "sync") {
            load.flush_every = Some(1.0);
        }
        load.flush_at_end =
            Some(converted.contains(",fsync,") || converted.contains(",fdatasync,"));
    }
    load.data = match from.as_str() {
        "/dev/zero" => Some(Data::Zeros),
        "/dev/urandom" | "/dev/random" => Some(Data::Random),
        _ => None,
    };
    load.read_percent = match (is_read, is_write) {
        (true, false) => Some(100.0),
        (false, true) => Some(0.0),
        _ => None,
    };
    load.target = if is_write { to } else { from };
    load
}

/// The direction is that of the operands.
pub(crate) fn complete(evidence: &mut Evidence) {
    if let Some(side) = evidence.sides.first_mut() {
        side.direction = match evidence.load.read_percent {
            Some(100.0) => Direction::Read,
            Some(0.0) => Direction::Write,
            _ => Direction::Both,
        };
        let known = side.requests.zip(evidence.load.block);
        if let (None, Some((requests, block))) = (side.bytes, known) {
            side.bytes = Some(requests * block);
            side.rate = evidence.runtime_s.map(|seconds| requests * block / seconds);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::lines;

    #[test]
    fn progress_is_no_result() {
        let text = "33554432 bytes (34 MB, 32 MiB) copied, 1 s, 33 MB/s\n64+0 records in\n64+0 \
                    records out\n67108864 bytes (67 MB, 64 MiB) copied, 2.0 s, 34 MB/s";
        let found = read(&lines(text)).expect("a result");
        assert_eq!((found.used, found.evidence[0].runtime_s), (4, Some(2.0)));
    }

    #[test]
    fn progress_is_a_series() {
        let mut text = String::new();
        let mut sum = 0_u64;
        for second in 1..=12_u64 {
            sum += if second <= 6 { 800_000_000 } else { 90_000_000 };
            text += &format!("{sum} bytes (1 GB, 1 GiB) copied, {second} s, 1 MB/s\n");
        }
        text += "80+0 records in\n80+0 records out\n5340000000 bytes (5.3 GB, 5.0 GiB) copied, \
                 12.4 s, 431 MB/s\n";
        let found = read(&lines(&text)).expect("a result");
        let one = &found.evidence[0];
        let rates = [vec![800e6; 6], vec![90e6; 6]].concat();
        assert_eq!((found.used, &one.series), (15, &Some((1.0, rates))));
        // Runs of their own are no progress of each other.
        let apart = "1000 bytes (1 kB) copied, 1 s, 1 kB/s\n1000 bytes (1 kB) copied, 2 s, 1 kB/s";
        assert_eq!(read(&lines(apart)).expect("a result").used, 1);
    }

    #[test]
    fn every_dialect_is_read() {
        let texts = [
            "64+0 records in\n64+0 records out\n67108864 bytes (67 MB, 64 MiB) copied, 0.5 s, \
                134 MB/s",
            "64+0 records in\n64+0 records out\n67108864 bytes (67 MB) copied, 0.5 s, 134 MB/s",
            "64+0 records in\n64+0 records out\n67108864 bytes transferred in 0.500000 secs \
                (134217728 bytes/sec)",
            "64+0 records in\n64+0 records out\n67108864 bytes (64.0MB) copied, 0.500000 \
                seconds, 128.0MB/s",
            "64+0 Datensätze ein\n64+0 Datensätze aus\n67108864 Bytes (67 MB, 64 MiB) kopiert, \
                0,5 s, 134 MB/s",
        ];
        for text in texts {
            let found = read(&lines(text)).expect("a result");
            let one = &found.evidence[0];
            let numbers = (one.load.block, one.runtime_s, one.sides[0].rate, found.used);
            assert_eq!(
                numbers,
                (Some(1_048_576.0), Some(0.5), Some(134_217_728.0), 3),
                "{text}"
            );
        }
    }
}
