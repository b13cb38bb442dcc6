//! Outputs of pools and clusters: zpool iostat and ceph tell osd bench; and of iozone.

use super::ReaderMatch;
use crate::evidence::{Direction, Evidence, Load, Side};
use crate::number::{after, plain, size, size_with};
use crate::paste::Line;

/// Lines of one output at most.
const MOST_LINES: usize = 400;

fn side(direction: Direction, iops: Option<f64>, rate: Option<f64>) -> Side {
    Side {
        direction,
        iops,
        rate,
        ..Side::default()
    }
}

/// The last report of each pool.
pub(crate) fn zpool(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    let is_start = ["capacity", "operations", "bandwidth"];
    if !first.split_whitespace().take(3).eq(is_start) {
        return None;
    }
    let mut found = ReaderMatch::default();
    let mut rows = 0;
    for (index, line) in lines.iter().enumerate().take(MOST_LINES) {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let is_between = line.text.trim_start().starts_with(['-', 'p']) || index == 0;
        let [pool, used, free, reads, writes, read, written] = words.as_slice() else {
            if is_between || words.is_empty() {
                continue;
            }
            break;
        };
        let (Some(reads), Some(writes)) = (size(reads), size(writes)) else {
            continue;
        };
        rows += 1;
        let sides = [
            side(Direction::Read, Some(reads), size_with(read, true)),
            side(Direction::Write, Some(writes), size_with(written, true)),
        ];
        found.evidence.retain(|known| known.title != *pool);
        let mut one = pool_of(pool, line, sides);
        // A part of a pool has no numbers of its own, or those of the whole.
        let is_whole = one.indent == 0;
        one.space = size_with(used, true)
            .zip(size_with(free, true))
            .filter(|_| is_whole);
        found.evidence.push(one);
        found.used = index + 1;
    }
    let fact = if rows == found.evidence.len() {
        "zpool-boot"
    } else {
        "zpool-first"
    };
    found
        .evidence
        .iter_mut()
        .for_each(|one| one.facts.push(fact));
    (!found.evidence.is_empty()).then_some(found)
}

/// The interval of `zpool iostat POOL 5`, and -y, which leaves out the time since the import.
pub(crate) fn load(words: &[String]) -> Load {
    let mut load = Load::default();
    let is_short = |word: &&String| word.starts_with('-') && !word.starts_with("--");
    if words.iter().filter(is_short).any(|word| word.contains('y')) {
        load.options.insert("y".to_owned(), "1".to_owned());
    }
    if let Some(interval) = words.iter().find(|word| plain(word).is_some()) {
        load.options.insert("interval".to_owned(), interval.clone());
    }
    load
}

/// What the interval says about the only report.
pub(crate) fn complete(one: &mut Evidence) {
    let is_boot = one.facts.contains(&"zpool-boot");
    if is_boot && one.option("interval").is_some() {
        one.facts.retain(|fact| *fact != "zpool-boot");
        if one.option("y").is_none() {
            one.facts.push("zpool-one");
        }
    }
}

/// A line of a pool or of a part of it.
fn pool_of(name: &str, line: &Line, sides: [Side; 2]) -> Evidence {
    let mut one = Evidence::new("zpool", "zpool-iostat");
    name.clone_into(&mut one.title);
    one.lines = (line.number, line.number);
    one.indent = line.text.len() - line.text.trim_start().len();
    one.see("rate", line.number);
    one.sides = sides.into();
    one
}

/// The least size of a pool that tells its columns from others.
const POOL_BYTES: f64 = 1e9;

/// The last line of several of one pool without headings, in exact numbers.
pub(crate) fn zpool_raw(lines: &[Line]) -> Option<ReaderMatch> {
    let row = |line: &Line| {
        let mut words = line.text.split_whitespace();
        let name = words.next()?.to_owned();
        let numbers: Vec<f64> = words.map(plain).collect::<Option<_>>()?;
        let numbers: [f64; 6] = numbers.try_into().ok()?;
        let is_pool =
            numbers[0] + numbers[1] >= POOL_BYTES && name.starts_with(char::is_alphabetic);
        is_pool.then_some((name, numbers))
    };
    let (name, _) = row(lines.first()?)?;
    let near = lines.iter().take(MOST_LINES);
    let rows: Vec<_> = near
        .map_while(|line| Some((line, row(line).filter(|(own, _)| *own == name)?.1)))
        .collect();
    let (line, [_, _, reads, writes, read, written]) = rows.last().filter(|_| rows.len() > 1)?;
    let sides = [
        side(Direction::Read, Some(*reads), Some(*read)),
        side(Direction::Write, Some(*writes), Some(*written)),
    ];
    let mut one = pool_of(&name, line, sides);
    one.facts.push("zpool-first");
    Some(ReaderMatch {
        evidence: vec![one],
        used: rows.len(),
    })
}

/// The JSON of one OSD, without the braces around it.
pub(crate) fn ceph_osd(lines: &[Line]) -> Option<ReaderMatch> {
    let value = |text: &str, key: &str| {
        let rest = after(text, key)?.trim_start_matches([' ', ':']);
        plain(rest.trim().trim_end_matches([',', '}']))
    };
    value(&lines.first()?.text, "\"bytes_written\"")?;
    let mut one = Evidence::new("ceph", "ceph-osd-bench");
    let mut used = 0;
    let mut write = side(Direction::Write, None, None);
    for line in lines.iter().take(6) {
        let text = line.text.as_str();
        if !text.contains('"') {
            break;
        }
        used += 1;
        one.lines.1 = line.number;
        write.bytes = write.bytes.or(value(text, "\"bytes_written\""));
        one.load.block = one.load.block.or(value(text, "\"blocksize\""));
        one.runtime_s = one.runtime_s.or(value(text, "\"elapsed_sec\""));
        write.rate = write.rate.or(value(text, "\"bytes_per_sec\""));
        write.iops = write.iops.or(value(text, "\"iops\""));
    }
    one.lines.0 = lines[0].number;
    one.see("rate", one.lines.0);
    one.facts.push("ceph-osd-bench");
    one.sides.push(write);
    (used > 2).then_some(ReaderMatch {
        evidence: vec![one],
        used,
    })
}

/// The table of iozone, in KiB a second.
pub(crate) fn iozone(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    let words: Vec<&str> = first.split_whitespace().collect();
    if words.get(..4) != Some(&["kB", "reclen", "write", "rewrite"]) {
        return None;
    }
    let kinds = [
        ("write", 2, Direction::Write, false),
        ("read", 4, Direction::Read, false),
        ("random read", 6, Direction::Read, true),
        ("random write", 7, Direction::Write, true),
    ];
    let mut found = ReaderMatch::default();
    for (index, line) in lines.iter().enumerate().skip(1).take(MOST_LINES) {
        let cells: Option<Vec<f64>> = line.text.split_whitespace().map(plain).collect();
        let Some(cells) = cells.filter(|cells| cells.len() >= 4) else {
            break;
        };
        found.used = index + 1;
        for (title, column, direction, is_random) in kinds {
            let Some(rate) = cells.get(column).filter(|rate| **rate > 0.0) else {
                continue;
            };
            let mut one = Evidence::new("iozone", "iozone");
            title.clone_into(&mut one.title);
            one.lines = (line.number, line.number);
            one.see("rate", line.number);
            one.load.size = Some(cells[0] * 1024.0);
            one.load.block = Some(cells[1] * 1024.0);
            one.load.random = Some(is_random);
            one.load.depth = Some(1.0);
            one.sides.push(side(direction, None, Some(rate * 1024.0)));
            found.evidence.push(one);
        }
    }
    (!found.evidence.is_empty()).then_some(found)
}

/// One test of iozone as the Phoronix Test Suite prints it.
pub(crate) fn phoronix_iozone(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    let field = |name: &str| after(first, name).and_then(|rest| rest.split([' ', ']', ':']).next());
    let record = field("Record Size: ")?;
    let file = field("File Size: ")?;
    let test = after(first, "Disk Test: ")?;
    let mut one = Evidence::new("iozone", "phoronix-iozone");
    let direction = match test.split(' ').next()? {
        "Read" => Direction::Read,
        _ => Direction::Write,
    };
    let end = lines.iter().take(60).position(|line| {
        let text = line.text.trim();
        text.starts_with("Average:") && text.contains("MB/s")
    })?;
    let rate = after(lines[end].text.as_str(), "Average:")?.trim();
    one.load.block = size_with(record.trim_end_matches('b'), true);
    one.load.size = size_with(file, true);
    one.load.random = Some(false);
    one.load.depth = Some(1.0);
    one.lines = (lines[0].number, lines[end].number);
    one.see("rate", lines[end].number);
    one.sides.push(side(direction, None, size_with(rate, true)));
    Some(ReaderMatch {
        evidence: vec![one],
        used: end + 1,
    })
}
