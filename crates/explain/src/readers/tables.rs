//! Outputs that are tables: yabs, mdtest, vdbench, bonnie++, iostat, sar and vmstat.

use super::ReaderMatch;
use crate::evidence::{Direction, Evidence, Latency, Moment, Side};
use crate::number::{plain, si, size, size_with};
use crate::paste::Line;
use crate::utilisation::{ALWAYS, BUSY, MOST};

fn evidence(tool: &'static str, format: &'static str, title: &str, line: &Line) -> Evidence {
    let mut evidence = Evidence::new(tool, format);
    title.clone_into(&mut evidence.title);
    evidence.lines = (line.number, line.number);
    evidence.see("rate", line.number);
    evidence
}

/// The table of disk tests of yabs, which runs fio with direct I/O, 64 requests and 2 jobs.
pub(crate) fn yabs(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    let sizes = first
        .strip_prefix("Block Size")?
        .trim_start()
        .strip_prefix('|')?;
    if !first.contains("IOPS") {
        return None;
    }
    let mut all: Vec<Evidence> = sizes
        .split('|')
        .filter_map(|cell| {
            let name = cell.split('(').next().unwrap_or(cell).trim();
            let mut one = evidence("fio", "yabs", &format!("yabs {name}"), &lines[0]);
            one.load.block = Some(size_with(name, true)?);
            one.load.random = Some(true);
            one.load.direct = Some(true);
            one.load.depth = Some(64.0);
            one.load.jobs = Some(2.0);
            one.load.read_percent = Some(50.0);
            Some(one)
        })
        .collect();
    let mut used = 1;
    for (index, line) in lines.iter().enumerate().skip(1).take(6) {
        let mut cells = line.text.trim().split('|');
        let direction = match cells.next().unwrap_or_default().trim() {
            "Read" => Direction::Read,
            "Write" => Direction::Write,
            "Total" | "------" | "" => {
                used = index + 1;
                continue;
            }
            _ => break,
        };
        for (one, cell) in all.iter_mut().zip(cells) {
            let iops = cell
                .split_once('(')
                .and_then(|(_, iops)| si(iops.trim_end_matches([')', ' '])));
            one.sides.push(Side {
                direction,
                rate: size(cell),
                iops,
                ..Side::default()
            });
            one.lines.1 = line.number;
        }
        used = index + 1;
    }
    all.retain(|one| !one.sides.is_empty());
    (!all.is_empty()).then_some(ReaderMatch {
        evidence: all,
        used,
    })
}

/// Rates of files of mdtest.
pub(crate) fn mdtest(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    if !(first.starts_with("SUMMARY") && (first.contains("rate") || first.contains("iterations"))) {
        return None;
    }
    let mut found = ReaderMatch::default();
    for (index, line) in lines.iter().enumerate().take(40) {
        let text = line.text.trim();
        if text.starts_with("-- finished") {
            found.used = index + 1;
            break;
        }
        let Some((name, rest)) = text.split_once(':') else {
            continue;
        };
        let numbers: Vec<f64> = rest.split_whitespace().filter_map(plain).collect();
        let (true, Some(mean)) = (
            name.starts_with("File") || name.starts_with("Directory"),
            numbers.get(2),
        ) else {
            continue;
        };
        let mut one = evidence("mdtest", "mdtest", name.trim(), line);
        one.facts.push("mdtest-cached");
        one.sides.push(Side {
            direction: Direction::Both,
            iops: Some(*mean),
            ..Side::default()
        });
        found.evidence.push(one);
        found.used = index + 1;
    }
    (!found.evidence.is_empty()).then_some(found)
}

/// The line of averages of vdbench.
pub(crate) fn vdbench(lines: &[Line]) -> Option<ReaderMatch> {
    let line = lines.first()?;
    let at = line.text.find("avg_")?;
    let mut cells = line.text[at..].split_whitespace();
    let (name, numbers): (&str, Vec<f64>) = (cells.next()?, cells.filter_map(plain).collect());
    let [iops, mib, block, read, response, ..] = numbers.as_slice() else {
        return None;
    };
    let (from, to) = name.strip_prefix("avg_")?.split_once('-')?;
    let mut one = evidence("vdbench", "vdbench", name, line);
    one.runtime_s = plain(from).zip(plain(to)).map(|(from, to)| to - from + 1.0);
    one.load.block = Some(*block);
    one.load.read_percent = Some(*read);
    one.load.warm_up_s = plain(from).map(|from| from - 1.0);
    one.sides.push(Side {
        direction: match *read {
            100.0 => Direction::Read,
            0.0 => Direction::Write,
            _ => Direction::Both,
        },
        iops: Some(*iops),
        rate: Some(mib * 1_048_576.0),
        latency: Some(Latency {
            mean: Some(response * 1e6),
            max: numbers.get(7).map(|max| max * 1e6).filter(|max| *max > 0.0),
            ..Latency::default()
        }),
        ..Side::default()
    });
    Some(ReaderMatch {
        evidence: vec![one],
        used: 1,
    })
}

/// Percentage of a processor from which a column of bonnie++ is the processor's.
const FULL: f64 = 90.0;

/// The line of comma-separated values of bonnie++ 1.9x and 2.
pub(crate) fn bonnie(lines: &[Line]) -> Option<ReaderMatch> {
    let line = lines.first()?;
    let cells: Vec<&str> = line.text.trim().split(',').collect();
    let is_version = |cell: &str| plain(cell).is_some_and(|version| (1.9..3.0).contains(&version));
    if cells.len() < 20
        || !is_version(cells[0])
        || !is_version(cells[1].trim_end_matches(char::is_alphabetic))
    {
        return None;
    }
    rates_of_bonnie(line, &cells, 5, [9, 15, 17], 1)
}

/// The table of bonnie++ for people.
pub(crate) fn bonnie_text(lines: &[Line]) -> Option<ReaderMatch> {
    if !lines.first()?.text.contains("-Sequential Output-") {
        return None;
    }
    let near = lines.iter().take(5);
    let heads = near.clone().position(|line| line.text.contains("K/sec"))?;
    let line = lines.get(heads + 1)?;
    let cells: Vec<&str> = line.text.split_whitespace().collect();
    rates_of_bonnie(line, &cells, 1, [4, 10, 12], heads + 2)
}

/// Block writes, block reads and seeks by their columns. Those that were too fast have `+++`.
fn rates_of_bonnie(
    line: &Line,
    cells: &[&str],
    size: usize,
    columns: [usize; 3],
    used: usize,
) -> Option<ReaderMatch> {
    let names = [
        ("block writes", Direction::Write),
        ("block reads", Direction::Read),
        ("seeks", Direction::Both),
    ];
    let all = columns.into_iter().zip(names);
    let all = all.filter_map(|(at, (name, direction))| {
        let number = plain(cells.get(at)?)?;
        let mut one = evidence("bonnie++", "bonnie", name, line);
        one.load.size = size_with(cells.get(size)?, true);
        one.load.random = Some(direction == Direction::Both);
        let is_seek = direction == Direction::Both;
        one.sides.push(Side {
            direction,
            iops: is_seek.then_some(number),
            rate: (!is_seek).then_some(number * 1024.0),
            ..Side::default()
        });
        one.facts.push("bonnie-cached");
        let share = cells.get(at - 1).and_then(|cell| plain(cell));
        if share.is_some_and(|share| share >= FULL) {
            one.facts.push("bonnie-characters");
        }
        Some(one)
    });
    let evidence: Vec<Evidence> = all.collect();
    (!evidence.is_empty()).then_some(ReaderMatch { evidence, used })
}

/// Names of columns of iostat and sar, in their versions, and the factor to requests or bytes per
/// second or to nanoseconds.
const COLUMNS: [(&str, Column, f64); 26] = [
    ("r/s", Column::Reads, 1.0),
    ("w/s", Column::Writes, 1.0),
    ("rkB/s", Column::ReadBytes, 1024.0),
    ("wkB/s", Column::WriteBytes, 1024.0),
    ("rMB/s", Column::ReadBytes, 1_048_576.0),
    ("wMB/s", Column::WriteBytes, 1_048_576.0),
    ("rsec/s", Column::ReadBytes, 512.0),
    ("wsec/s", Column::WriteBytes, 512.0),
    ("rd_sec/s", Column::ReadBytes, 512.0),
    ("wr_sec/s", Column::WriteBytes, 512.0),
    ("kB_read/s", Column::ReadBytes, 1024.0),
    ("kB_wrtn/s", Column::WriteBytes, 1024.0),
    ("r_await", Column::ReadWait, 1e6),
    ("w_await", Column::WriteWait, 1e6),
    ("await", Column::Wait, 1e6),
    ("aqu-sz", Column::Queue, 1.0),
    ("avgqu-sz", Column::Queue, 1.0),
    ("%util", Column::Util, 1.0),
    ("tps", Column::All, 1.0),
    ("areq-sz", Column::Other, 1.0),
    ("svctm", Column::Service, 1.0),
    ("d/s", Column::Discards, 1.0),
    ("f/s", Column::Flushes, 1.0),
    ("rrqm/s", Column::ReadMerges, 1.0),
    ("wrqm/s", Column::WriteMerges, 1.0),
    ("f_await", Column::FlushWait, 1e6),
];

#[derive(Clone, Copy, PartialEq)]
enum Column {
    Reads,
    Writes,
    All,
    ReadBytes,
    WriteBytes,
    ReadWait,
    WriteWait,
    Wait,
    Queue,
    Util,
    Service,
    Discards,
    Flushes,
    FlushWait,
    ReadMerges,
    WriteMerges,
    Other,
}

/// The name of the format.
pub(crate) const IOSTAT: &str = "iostat or sar";

/// Reports of iostat -x or sar -d; the first of iostat is of the time since boot.
pub(crate) fn iostat(lines: &[Line]) -> Option<ReaderMatch> {
    reports_of(lines, false)
}

/// Reports of `iostat -y`, which has none of the time since boot.
pub(crate) fn iostat_intervals(lines: &[Line]) -> Option<ReaderMatch> {
    reports_of(lines, true)
}

fn reports_of(lines: &[Line], is_interval: bool) -> Option<ReaderMatch> {
    let first = lines.first()?;
    let heads = heads(&first.text)?;
    let is_sar = first.text.contains("DEV");
    let mut reports: Vec<Vec<Evidence>> = vec![Vec::new()];
    let mut used = 1;
    let mut current = heads;
    let mut name: Option<&str> = None;
    for (index, line) in lines.iter().enumerate().skip(1) {
        let text = line.text.trim();
        // A long name has a line of its own.
        let whole = name.take().map(|name| Line {
            number: line.number,
            text: format!("{name} {text}"),
        });
        if let Some(one) = whole.and_then(|whole| device(&whole, &current, is_sar)) {
            reports.last_mut().expect("there is one").push(one);
        } else if text.starts_with("Average:") {
            // Of the reports above it.
        } else if is_lone_name(text) {
            name = Some(text);
            continue;
        } else if let Some(next) = self::heads(text) {
            current = next;
            reports.push(Vec::new());
        } else if let Some(one) = device(line, &current, is_sar) {
            reports.last_mut().expect("there is one").push(one);
        } else if !is_between(text) {
            break;
        }
        used = index + 1;
    }
    let kept = if reports.len() > 1 && !is_sar && !is_interval {
        &reports[1..]
    } else {
        &reports[..]
    };
    let mut evidence = busiest(kept);
    // A device that comes again under one heading was cut out of several reports.
    let is_one = reports.len() == 1 && evidence.iter().all(|one| one.others.count == 0);
    for one in &mut evidence {
        one.table = Some(first.number);
        if is_one && !is_sar && !is_interval {
            one.facts.push("iostat-first");
        }
        // Above 100 % it is a fault of the accounting, which a rule names.
        let busiest = one.busiest().map_or(0.0, |(_, util)| util);
        if (BUSY..MOST).contains(&busiest) {
            one.facts.push("iostat-util");
        }
    }
    (!evidence.is_empty()).then_some(ReaderMatch { evidence, used })
}

/// The columns of a heading, by their places from the end, as times stand before the device.
fn heads(text: &str) -> Option<Vec<(Column, f64)>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words
        .iter()
        .position(|word| matches!(*word, "Device" | "Device:" | "DEV"))?;
    let columns = words[at + 1..].iter().map(|word| {
        let found = COLUMNS.iter().find(|(name, ..)| name == word);
        found.map_or((Column::Other, 1.0), |(_, column, factor)| {
            (*column, *factor)
        })
    });
    let columns: Vec<(Column, f64)> = columns.collect();
    let is_table = columns
        .iter()
        .any(|(column, _)| matches!(column, Column::Reads | Column::All));
    is_table.then_some(columns)
}

fn device(line: &Line, columns: &[(Column, f64)], is_sar: bool) -> Option<Evidence> {
    let words: Vec<&str> = line.text.split_whitespace().collect();
    let name_at = words.len().checked_sub(columns.len() + 1)?;
    let values: Option<Vec<f64>> = words[name_at + 1..]
        .iter()
        .map(|word| plain(word))
        .collect();
    let values = values?;
    let get = |wanted: Column| {
        let found = columns.iter().position(|(column, _)| *column == wanted)?;
        Some(values[found] * columns[found].1)
    };
    let tool = if is_sar { "sar" } else { "iostat" };
    let mut one = evidence(tool, "iostat", words[name_at], line);
    let wait = |own: Column| {
        get(own)
            .or_else(|| get(Column::Wait))
            .filter(|wait| *wait > 0.0)
    };
    for (direction, iops, rate, own) in [
        (
            Direction::Read,
            Column::Reads,
            Column::ReadBytes,
            Column::ReadWait,
        ),
        (
            Direction::Write,
            Column::Writes,
            Column::WriteBytes,
            Column::WriteWait,
        ),
    ] {
        let side = Side {
            direction,
            iops: get(iops).filter(|iops| *iops > 0.0),
            rate: get(rate).filter(|rate| *rate > 0.0),
            latency: wait(own).map(|mean| Latency {
                mean: Some(mean),
                ..Latency::default()
            }),
            ..Side::default()
        };
        if side.iops.is_some() || side.rate.is_some() {
            one.sides.push(side);
        }
    }
    one.all_iops = match get(Column::Reads) {
        None => get(Column::All),
        Some(_) => get(Column::Discards).filter(|_| one.sides.is_empty()),
    };
    one.flushes = get(Column::Flushes).filter(|flushes| *flushes > 0.0);
    one.flush = one.flushes.and(get(Column::FlushWait)).map(|mean| Latency {
        mean: Some(mean),
        ..Latency::default()
    });
    one.see("flush", line.number);
    if get(Column::Service).is_some() {
        one.facts.push("iostat-svctm");
    }
    one.load.direct = None;
    one.disks.push(crate::evidence::Disk {
        name: words[name_at].to_owned(),
        util: get(Column::Util),
        merged: (
            get(Column::ReadMerges).unwrap_or(0.0),
            get(Column::WriteMerges).unwrap_or(0.0),
        ),
        ..crate::evidence::Disk::default()
    });
    Some(one)
}

fn is_lone_name(text: &str) -> bool {
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || "-_!/".contains(sign);
    text.starts_with(|sign: char| sign.is_ascii_alphabetic()) && text.chars().all(is_name)
}

/// Lines between the reports: times, the processors, and blank ones.
fn is_between(text: &str) -> bool {
    text.is_empty()
        || text.starts_with("avg-cpu")
        || text.starts_with("Linux ")
        || text.starts_with("Average:")
        || text.starts_with(|sign: char| sign.is_ascii_digit())
}

/// Devices of one table that are looked at.
const MOST_DEVICES: usize = 64;

/// Percentage of time with a request within which two reports are equally busy: then the one with
/// more requests waiting counts.
const ALIKE: f64 = 10.0;

/// The busiest report of each device, which is what people ask about.
fn busiest(reports: &[Vec<Evidence>]) -> Vec<Evidence> {
    let mut busiest: Vec<Evidence> = Vec::new();
    let busy = |one: &Evidence| one.busiest().map_or(0.0, |(_, util)| util);
    let is_shown = |one: &&Evidence| !one.sides.is_empty() || busy(one) >= ALWAYS;
    for one in reports.iter().flatten().filter(is_shown) {
        let has_room = busiest.len() < MOST_DEVICES;
        let known = busiest.iter_mut().find(|known| known.title == one.title);
        match known {
            Some(known) => {
                let held = |one: &Evidence| one.in_flight().unwrap_or(0.0);
                let is_alike = (busy(one) - busy(known)).abs() <= ALIKE;
                let by_queue = held(one).total_cmp(&held(known));
                let is_busier = if is_alike && by_queue.is_ne() {
                    by_queue.is_gt()
                } else {
                    busy(one) > busy(known)
                };
                let (mut most, other) = if is_busier {
                    (one.clone(), std::mem::take(known))
                } else {
                    (std::mem::take(known), one.clone())
                };
                most.others.count = most.others.count.max(other.others.count) + 1;
                most.others.most_busy = (most.others.most_busy)
                    .max(other.others.most_busy)
                    .max(busy(&other));
                let waits = [most.others.longest_wait_ns, other.others.longest_wait_ns];
                let waits = waits.into_iter().chain([other.mean_latency()]).flatten();
                most.others.longest_wait_ns = waits.reduce(f64::max);
                let calmest = [most.others.calmest, other.others.calmest, moment(&other)];
                let calmest = calmest.into_iter().flatten();
                most.others.calmest = calmest.min_by(|a, b| a.util.total_cmp(&b.util));
                *known = most;
            }
            None if has_room => busiest.push(one.clone()),
            None => {}
        }
    }
    busiest
}

/// The device in a report, if it had requests.
fn moment(one: &Evidence) -> Option<Moment> {
    Some(Moment {
        util: one.busiest()?.1,
        iops: one.iops()?,
        rate: one.rate()?,
    })
}

/// Reports of vmstat: blocks in and out, of 1 KiB.
pub(crate) fn vmstat(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    if !first.starts_with("procs ") || !first.contains("-io-") {
        return None;
    }
    let heads: Vec<&str> = lines.get(1)?.text.split_whitespace().collect();
    let at = |name: &str| heads.iter().position(|head| *head == name);
    let (bi, bo) = (at("bi")?, at("bo")?);
    let mut rows: Vec<(f64, f64)> = Vec::new();
    let mut used = 2;
    for (index, line) in lines.iter().enumerate().skip(2) {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let pair = words
            .get(bi)
            .and_then(|word| plain(word))
            .zip(words.get(bo).and_then(|word| plain(word)));
        match pair.filter(|_| words.len() >= heads.len()) {
            Some(pair) => rows.push(pair),
            None if line.text.trim_start().starts_with("procs")
                || line.text.trim_start().starts_with("r ") => {}
            None => break,
        }
        used = index + 1;
    }
    // The first report is of the time since boot.
    let kept = if rows.len() > 1 {
        &rows[1..]
    } else {
        &rows[..]
    };
    let count = kept.len() as f64;
    let mean = |pick: fn(&(f64, f64)) -> f64| kept.iter().map(pick).sum::<f64>() / count * 1024.0;
    let mut one = evidence("vmstat", "vmstat", "", &lines[0]);
    for (direction, rate) in [
        (Direction::Read, mean(|row| row.0)),
        (Direction::Write, mean(|row| row.1)),
    ] {
        if rate > 0.0 {
            one.sides.push(Side {
                direction,
                rate: Some(rate),
                ..Side::default()
            });
        }
    }
    one.facts.push("vmstat-blocks");
    (!rows.is_empty() && one.is_measured()).then_some(ReaderMatch {
        evidence: vec![one],
        used,
    })
}
