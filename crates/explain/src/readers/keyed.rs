//! Outputs that are lines of a name and a number: ioping, sysbench fileio, hdparm, elbencho, IOR
//! and rados bench.

use super::ReaderMatch;
use crate::evidence::{Direction, Evidence, Latency, Load, Side};
use crate::number::{after, between, lead, plain, si, size, size_with, time};
use crate::paste::Line;

/// Lines of one output at most.
const MOST_LINES: usize = 400;

fn side(direction: Direction) -> Side {
    Side {
        direction,
        ..Side::default()
    }
}

fn one(mut evidence: Evidence, lines: &[Line], used: usize) -> ReaderMatch {
    evidence.lines = (lines[0].number, lines[used - 1].number);
    ReaderMatch {
        evidence: vec![evidence],
        used,
    }
}

/// The end of an output of ioping: its requests before that only repeat.
pub(crate) fn ioping(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    let is_request = first.contains(": request=") && first.contains(" time=");
    let is_end = first.starts_with("--- ") && first.contains("ioping statistics");
    let is_summary = first.contains(" requests completed in ");
    if !(is_request || is_end || is_summary) {
        return None;
    }
    let mut evidence = Evidence::new("ioping", "ioping");
    evidence.load.depth = Some(1.0);
    evidence.load.jobs = Some(1.0);
    let mut requests = side(Direction::Read);
    let mut times = Vec::new();
    let mut used = 0;
    for (index, line) in lines.iter().enumerate() {
        let text = line.text.trim();
        if let Some((head, rest)) = text.split_once(": request=") {
            times.extend(after(rest, "time=").and_then(time));
            let parts = head.split_once("<<<").or(head.split_once(">>>"));
            if let Some((block, target)) = parts {
                evidence.load.block = size(block);
                target.trim().clone_into(&mut evidence.load.target);
                if head.contains(">>>") {
                    requests.direction = Direction::Write;
                }
            }
        } else if let Some(rest) = text.strip_prefix("--- ") {
            let target = rest.split(" ioping").next().unwrap_or(rest);
            target.clone_into(&mut evidence.load.target);
        } else if text.contains("requests completed in") {
            requests.requests = plain(text.split(' ').next().unwrap_or_default());
            if text.contains(" written") {
                requests.direction = Direction::Write;
            }
            let fields: Vec<&str> = text.split(',').map(str::trim).collect();
            requests.iops = fields
                .iter()
                .find(|field| field.ends_with("iops"))
                .and_then(|field| si(field));
            requests.rate = fields.last().and_then(|field| size(field));
            evidence.runtime_s = after(text, "completed in ")
                .and_then(time)
                .map(|time| time / 1e9);
            evidence.see("rate", line.number);
        } else if text.starts_with("generated ") {
            // The other time is the sum of the requests, without the pauses between them.
            let run = after(text, " requests in ").and_then(|rest| time(rest.split(',').next()?));
            evidence.runtime_s = run.map(|run| run / 1e9).or(evidence.runtime_s);
        } else if let Some(rest) = text.strip_prefix("min/avg/max/mdev = ") {
            requests.latency = Some(moments(rest, requests.requests));
            evidence.see("latency", line.number);
            used = index + 1;
            break;
        } else if !text.is_empty() && !text.starts_with("^C") {
            break;
        }
        used = index + 1;
    }
    if requests.latency.is_none() {
        evidence.is_cut = true;
        requests.latency = of_times(&times);
        evidence.see("latency", lines[0].number);
    }
    if !evidence.load.target.starts_with("/dev/") {
        evidence.facts.push("ioping-directory");
    }
    evidence.sides.push(requests);
    Some(one(evidence, lines, used))
}

/// `161 us / 660 us / 26.3 ms / 1.8 ms`, of a number of requests.
fn moments(text: &str, samples: Option<f64>) -> Latency {
    let times: Vec<Option<f64>> = text.split('/').map(time).collect();
    let at = |index: usize| times.get(index).copied().flatten();
    Latency {
        min: at(0),
        mean: at(1),
        max: at(2),
        deviation: at(3),
        samples,
        ..Latency::default()
    }
}

/// The distribution of single times; without a mean where there is none.
fn of_times(times: &[f64]) -> Option<Latency> {
    let count = Some(times.len() as f64).filter(|count| *count > 0.0)?;
    Some(Latency {
        min: times.iter().copied().reduce(f64::min),
        mean: Some(times.iter().sum::<f64>() / count),
        max: times.iter().copied().reduce(f64::max),
        samples: Some(count),
        ..Latency::default()
    })
}

/// The load of the letters of ioping.
pub(crate) fn ioping_load(words: &[String]) -> Load {
    let mut load = Load {
        direct: Some(false),
        ..Load::default()
    };
    for word in words.iter().filter(|word| word.starts_with('-')) {
        for letter in word.chars().skip(1).take_while(char::is_ascii_alphabetic) {
            load.options.insert(letter.to_string(), String::new());
        }
    }
    for (word, value) in words.iter().zip(words.iter().skip(1)) {
        let name = word.strip_prefix('-').filter(|name| name.len() == 1);
        if let Some(name) = name.filter(|_| !value.starts_with('-')) {
            load.options.insert(name.to_owned(), value.clone());
        }
    }
    load.direct = Some(load.options.contains_key("D"));
    // The working set, in a word of its own or with its letter.
    let own = |word: &String| {
        word.strip_prefix("-S")
            .filter(|rest| !rest.is_empty())
            .map(str::to_owned)
    };
    let after = words.iter().zip(words.iter().skip(1));
    let after = after.filter(|(word, _)| word.starts_with('-') && word.ends_with('S'));
    let area = words.iter().find_map(own);
    let area = area.or_else(|| after.map(|(_, value)| value.clone()).next());
    load.size = area.and_then(|area| size_with(&area, true));
    load.is_complete = true;
    load
}

#[expect(clippy::too_many_lines, reason = "one arm for each line of an output")]
pub(crate) fn sysbench(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    let is_start = first.starts_with("sysbench ") && first.contains("LuaJIT")
        || first.starts_with("sysbench 0.")
        || first.starts_with("Extra file open flags:")
        || first == "File operations:"
        || first == "Throughput:"
        || first.starts_with("Operations performed:");
    if !is_start {
        return None;
    }
    let mut evidence = Evidence::new("sysbench", "sysbench-fileio");
    evidence.load.depth = Some(1.0);
    let (mut reads, mut writes) = (side(Direction::Read), side(Direction::Write));
    let mut latency = Latency::default();
    let (mut used, mut is_fileio, mut blank) = (1, false, 0);
    let mut seconds = Vec::new();
    for (index, line) in lines.iter().enumerate().take(MOST_LINES) {
        let text = line.text.trim();
        seconds.extend(interval_of_sysbench(text));
        let (key, value) = text.split_once(':').unwrap_or((text, ""));
        let value = value.trim();
        let positive = || plain(value).filter(|number| *number > 0.0);
        match key.trim() {
            "Extra file open flags" => {
                evidence.load.direct = Some(value.contains("direct"));
                is_fileio = true;
            }
            "Number of threads" => evidence.load.jobs = plain(value),
            "reads/s" => reads.iops = positive(),
            "writes/s" => {
                writes.iops = positive();
                is_fileio = true;
            }
            "fsyncs/s" if positive().is_some() => {
                evidence.flushes = positive();
                evidence.facts.push("sysbench-flush");
                evidence.see("flush", line.number);
            }
            "read, MiB/s" => reads.rate = positive().map(|mib| mib * 1_048_576.0),
            "written, MiB/s" => {
                writes.rate = positive().map(|mib| mib * 1_048_576.0);
                is_fileio = true;
            }
            "total time" | "Total time" => evidence.runtime_s = plain(value.trim_end_matches('s')),
            "min" => latency.min = millis(value),
            "avg" => latency.mean = millis(value),
            "max" => latency.max = millis(value),
            "95th percentile" | "approx.  95 percentile" => {
                latency
                    .percentiles
                    .extend(millis(value).map(|time| (95.0, time)));
            }
            _ if key.ends_with(" total file size") => {
                evidence.load.size = size(key);
            }
            _ if key.starts_with("Block size ") => {
                evidence.load.block = size_with(&key["Block size ".len()..], true);
            }
            _ if key.starts_with("Doing ") => {
                is_fileio = true;
                evidence.load.random = Some(key.contains("random"));
                key["Doing ".len()..].clone_into(&mut evidence.title);
            }
            _ if text.ends_with("Requests/sec executed") => {
                let both = plain(text.split(' ').next().unwrap_or_default());
                if reads.requests.unwrap_or(0.0) >= writes.requests.unwrap_or(0.0) {
                    reads.iops = both;
                } else {
                    writes.iops = both;
                }
                is_fileio = true;
            }
            "Operations performed" => {
                reads.requests = plain(value.split(' ').next().unwrap_or_default());
                writes.requests = between(value, "Read, ", " Write").and_then(plain);
            }
            _ => {}
        }
        blank = if text.is_empty() { blank + 1 } else { 0 };
        let is_end = key.trim().starts_with("execution time") || blank > 3;
        used = index + 1;
        if is_end {
            break;
        }
    }
    if !is_fileio {
        return None;
    }
    // An output that was cut before its end has its intervals only.
    if reads.rate.is_none() && writes.rate.is_none() && !seconds.is_empty() {
        let count = seconds.len() as f64;
        let mean = |at: usize| {
            let sum: f64 = seconds.iter().map(|one| one[at]).sum();
            Some(sum / count).filter(|mean| *mean > 0.0)
        };
        (reads.rate, writes.rate, evidence.flushes) = (mean(0), mean(1), mean(2));
        evidence.is_cut = true;
    }
    let mut sides: Vec<Side> = [reads, writes]
        .into_iter()
        .filter(|side| side.iops.is_some() || side.rate.is_some())
        .collect();
    // The latency mixes reads, writes and flushes: it is of one of them only where that is alone.
    if let [one] = sides.as_mut_slice()
        && latency.mean.is_some_and(|mean| mean > 0.0)
    {
        one.latency = Some(latency);
    }
    evidence.sides = sides;
    evidence.see("rate", lines[0].number);
    evidence.is_measured().then(|| one(evidence, lines, used))
}

/// Bytes read and written a second, and flushes, of `[ 1s ] reads: 0.00 MiB/s writes: 1.09 MiB/s
/// fsyncs: 8829.31/s latency (ms,95%): 0.099`.
fn interval_of_sysbench(text: &str) -> Option<[f64; 3]> {
    if !text.starts_with("[ ") {
        return None;
    }
    let field = |name: &str| lead(after(text, name)?).map(|(number, _)| number);
    Some([
        field("reads: ")? * 1_048_576.0,
        field("writes: ")? * 1_048_576.0,
        field("fsyncs: ")?,
    ])
}

/// The load of the options of sysbench.
pub(crate) fn sysbench_load(words: &[String]) -> Load {
    let mut load = Load {
        is_complete: words.iter().any(|word| word == "run"),
        depth: Some(1.0),
        ..Load::default()
    };
    let options = words.iter().filter_map(|word| word.strip_prefix("--"));
    load.options = options
        .map(|option| option.split_once('=').unwrap_or((option, "")))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let get = |name: &str| load.options.get(name).map(String::as_str);
    let is_fileio = words.iter().any(|word| word == "fileio") || get("test") == Some("fileio");
    if !is_fileio {
        return load;
    }
    let size = |name: &str, default: &str| size_with(get(name).unwrap_or(default), true);
    load.block = size("file-block-size", "16K");
    load.size = size("file-total-size", "2G");
    let every = get("file-fsync-freq").map_or(Some(100.0), plain);
    load.flush_every = match get("file-fsync-all") {
        Some("" | "on") => Some(1.0),
        _ => every.filter(|every| *every > 0.0),
    };
    load.jobs = get("threads")
        .or(get("num-threads"))
        .map_or(Some(1.0), plain);
    load.random = get("file-test-mode").map(|mode| mode.starts_with("rnd"));
    load.direct = Some(get("file-extra-flags").is_some_and(|flags| flags.contains("direct")));
    load
}

/// Milliseconds, with or without their unit, in nanoseconds.
fn millis(text: &str) -> Option<f64> {
    Some(plain(text.trim_end_matches("ms"))? * 1e6)
}

/// Starts of lines between the name of a device and its times.
const SETTINGS: [&str; 5] = ["HDIO_", "SG_IO", "setting ", "readahead", "multcount"];

/// The name of a device, and the lines below it; or one line alone.
pub(crate) fn hdparm(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    let target = first
        .strip_suffix(':')
        .filter(|target| target.starts_with("/dev/") && !target.contains(' '));
    let Some(target) = target else {
        return timing(lines.first()?);
    };
    let mut found = ReaderMatch::default();
    for (index, line) in lines.iter().enumerate().take(MOST_LINES).skip(1) {
        let text = line.text.trim();
        if let Some(own) = timing(line) {
            found.evidence.extend(own.evidence);
            found.used = index + 1;
        } else if !text.is_empty() && !SETTINGS.iter().any(|start| text.starts_with(start)) {
            break;
        }
    }
    for one in &mut found.evidence {
        target.clone_into(&mut one.load.target);
    }
    (found.used > 0).then_some(found)
}

fn timing(line: &Line) -> Option<ReaderMatch> {
    let text = line.text.trim();
    let rest = text.strip_prefix("Timing ")?;
    let (kind, rest) = rest.split_once(" reads:")?;
    let rate = size_with(rest[rest.rfind('=')? + 1..].trim_start(), true)?;
    let mut evidence = Evidence::new("hdparm", "hdparm");
    evidence.title = match kind {
        "cached" | "buffer-cache" | "O_DIRECT cached" => "cached reads".to_owned(),
        _ => "disk reads".to_owned(),
    };
    evidence.load.direct = Some(kind.contains("O_DIRECT"));
    if kind == "buffered disk" {
        // It drops the cache of the device before.
        evidence.load.direct = None;
    }
    evidence.load.random = Some(false);
    evidence.load.depth = Some(1.0);
    evidence.runtime_s = after(rest, " in ").and_then(time).map(|time| time / 1e9);
    evidence.sides.push(Side {
        rate: Some(rate),
        bytes: size_with(rest, true),
        ..side(Direction::Read)
    });
    evidence.see("rate", line.number);
    Some(one(evidence, std::slice::from_ref(line), 1))
}

pub(crate) fn elbencho(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    if !(first.starts_with("OPERATION") && first.contains("RESULT TYPE")) {
        return None;
    }
    let mut found = ReaderMatch::default();
    for (index, line) in lines.iter().enumerate().take(MOST_LINES) {
        let text = line.text.as_str();
        let word = text.split_whitespace().next().unwrap_or_default();
        let direction = match word {
            "READ" => Some(Direction::Read),
            "WRITE" => Some(Direction::Write),
            _ if word.starts_with("RWMIX") => Some(Direction::Both),
            _ => None,
        };
        if let Some(direction) = direction {
            let mut evidence = Evidence::new("elbencho", "elbencho");
            word.clone_into(&mut evidence.title);
            evidence.lines = (line.number, line.number);
            evidence.sides.push(side(direction));
            found.evidence.push(evidence);
        }
        let Some((name, value)) = text.split_once(':') else {
            found.used = index + 1;
            continue;
        };
        found.used = index + 1;
        let Some(evidence) = found.evidence.last_mut() else {
            continue;
        };
        evidence.lines.1 = line.number;
        let number = value.split_whitespace().last().and_then(plain);
        let own = &mut evidence.sides[0];
        if name.contains("Throughput MiB/s") {
            own.rate = number.map(|mib| mib * 1_048_576.0);
        } else if name.contains("IOPS") {
            own.iops = number;
        } else if name.contains("Total MiB") {
            own.bytes = number.map(|mib| mib * 1_048_576.0);
        } else if name.contains("Elapsed") {
            evidence.runtime_s = value
                .split_whitespace()
                .last()
                .and_then(time)
                .map(|time| time / 1e9);
        } else if name.contains("IO lat") || name.contains("IO latency") {
            let field = |field: &str| after(value, field).and_then(time);
            own.latency = Some(Latency {
                min: field("min="),
                mean: field("avg="),
                max: field("max="),
                ..Latency::default()
            });
        }
    }
    (!found.evidence.is_empty()).then_some(found)
}

/// The load of elbencho's options.
pub(crate) fn elbencho_load(words: &[String]) -> Load {
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let value = |names: &[&str]| {
        let at = words
            .iter()
            .position(|word| names.contains(&word.as_str()))?;
        words.get(at + 1)
    };
    Load {
        direct: Some(has(&["--direct"])),
        random: Some(has(&["--rand"])),
        block: value(&["-b", "--block"]).and_then(|text| size_with(text, true)),
        size: value(&["-s", "--size"]).and_then(|text| size_with(text, true)),
        jobs: value(&["-t", "--threads"]).and_then(|text| plain(text)),
        depth: value(&["--iodepth"])
            .and_then(|text| plain(text))
            .or(Some(1.0)),
        ..Load::default()
    }
}

/// Options of IOR that have no value.
const FLAGS_OF_IOR: [&str; 10] = ["-C", "-D", "-e", "-F", "-k", "-K", "-r", "-w", "-W", "-z"];

pub(crate) fn ior_load(words: &[String]) -> Load {
    let mut load = Load::default();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next().filter(|word| word.starts_with('-')) {
        let value = words
            .next_if(|next| !FLAGS_OF_IOR.contains(&word.as_str()) && !next.starts_with('-'))
            .cloned();
        load.options.insert(word.clone(), value.unwrap_or_default());
        if word == "-D" {
            words.next_if(|next| plain(next).is_some());
        }
    }
    let bytes = |name: &str| size_with(load.options.get(name)?, true);
    load.block = bytes("-t");
    load.size = bytes("-b");
    load.random = Some(load.options.contains_key("-z"));
    let (reads, writes) = ["-r", "-w"]
        .map(|name| load.options.contains_key(name))
        .into();
    load.read_percent = match (reads, writes) {
        (true, false) => Some(100.0),
        (false, true) => Some(0.0),
        _ => None,
    };
    load
}

pub(crate) fn ior(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    if !(first.starts_with("IOR-")
        || first.starts_with("Max Write:")
        || first.starts_with("Max Read:"))
    {
        return None;
    }
    let mut evidence = Evidence::new("ior", "ior");
    if let Some(version) = first.strip_prefix("IOR-") {
        version
            .split([':', ' '])
            .next()
            .unwrap_or_default()
            .clone_into(&mut evidence.version);
    }
    let mut used = 1;
    for (index, line) in lines.iter().enumerate().take(MOST_LINES) {
        let text = line.text.trim();
        let (key, value) = text.split_once([':', '=']).unwrap_or((text, ""));
        let value = value.trim();
        match key.trim() {
            "xfersize" => evidence.load.block = size(value),
            "aggregate filesize" => evidence.load.size = size(value),
            "tasks" | "clients" => evidence.load.jobs = lead(value).map(|(number, _)| number),
            "ordering in a file" => evidence.load.random = Some(value.starts_with("random")),
            "test filename" => value.clone_into(&mut evidence.load.target),
            "Max Write" | "Max Read" => {
                let direction = if key.trim() == "Max Write" {
                    Direction::Write
                } else {
                    Direction::Read
                };
                let rate = lead(value).map(|(mib, _)| mib * 1_048_576.0);
                if rate.is_some_and(|rate| rate > 0.0) {
                    evidence.sides.push(Side {
                        rate,
                        ..side(direction)
                    });
                    evidence.see("rate", line.number);
                }
                used = index + 1;
            }
            _ if text.starts_with("Finished") => {
                used = index + 1;
                break;
            }
            _ => {}
        }
        if index > 0 && text.starts_with("IOR-") {
            break;
        }
    }
    evidence.load.depth = Some(1.0);
    if evidence.sides.len() > 1 {
        evidence.facts.push("ior-reread");
    }
    evidence.is_measured().then(|| one(evidence, lines, used))
}

/// Its rows by the second, its summary, or both.
pub(crate) fn rados(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    let mut evidence = Evidence::new("rados", "rados-bench");
    let mut all = side(Direction::Both);
    let mut latency = Latency::default();
    let rows = rados_rows(lines, &mut evidence, &mut all, &mut latency);
    if rows == 0 && !first.starts_with("Total time run:") {
        return None;
    }
    let mut used = rows;
    for (index, line) in lines.iter().enumerate().skip(rows).take(30) {
        let Some((key, value)) = line.text.trim().split_once(':') else {
            break;
        };
        let number = lead(value).map(|(number, _)| number);
        match key.trim() {
            "Total time run" => evidence.runtime_s = number,
            "Total writes made" => {
                all.direction = Direction::Write;
                all.requests = number;
            }
            "Total reads made" => {
                all.direction = Direction::Read;
                all.requests = number;
            }
            "Write size" | "Read size" => evidence.load.block = number,
            "Bandwidth (MB/sec)" => all.rate = number.map(|mib| mib * 1_048_576.0),
            "Average IOPS" => all.iops = number,
            "Average Latency(s)" | "Average Latency" => {
                latency.mean = number.map(|time| time * 1e9);
            }
            "Max latency(s)" | "Max latency" => latency.max = number.map(|time| time * 1e9),
            "Min latency(s)" | "Min latency" => latency.min = number.map(|time| time * 1e9),
            "Stddev Latency(s)" => latency.deviation = number.map(|time| time * 1e9),
            _ => {}
        }
        used = index + 1;
    }
    all.latency = latency.mean.is_some().then_some(latency);
    evidence.is_cut = used == rows;
    evidence.facts.push("rados-objects");
    evidence.sides.push(all);
    evidence.see("rate", lines[0].number);
    (used > 3).then(|| one(evidence, lines, used))
}

/// The rows of rados bench, below its first line with the number of requests in flight: how many
/// lines they are.
fn rados_rows(
    lines: &[Line],
    evidence: &mut Evidence,
    all: &mut Side,
    latency: &mut Latency,
) -> usize {
    let first = lines[0].text.trim();
    let Some(rest) = first.strip_prefix("Maintaining ") else {
        return 0;
    };
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [depth, "concurrent", kind, ..] = words[..] else {
        return 0;
    };
    evidence.load.depth = plain(depth);
    all.direction = match kind {
        "writes" => Direction::Write,
        _ => Direction::Read,
    };
    evidence.load.block = after(rest, " of ")
        .and_then(|rest| lead(rest))
        .map(|(size, _)| size);
    let mut used = 1;
    let mut rates = Vec::new();
    for (index, line) in lines.iter().enumerate().skip(1) {
        let text = line.text.trim();
        let cells: Vec<Option<f64>> = text.split_whitespace().map(plain).collect();
        match cells[..] {
            [
                Some(second),
                Some(_),
                Some(_),
                finished,
                mean,
                rate,
                _,
                time,
            ] => {
                evidence.runtime_s = Some(second);
                all.requests = finished.or(all.requests);
                all.rate = mean.map(|mib| mib * 1_048_576.0).or(all.rate);
                latency.mean = time.map(|time| time * 1e9).or(latency.mean);
                rates.extend(rate.filter(|_| second > 0.0).map(|mib| mib * 1_048_576.0));
            }
            _ if text.starts_with("sec ") || text.starts_with("Object prefix") => {}
            _ if text.contains("min lat:") => {}
            _ => break,
        }
        used = index + 1;
    }
    evidence.series = (rates.len() > 1).then_some((1.0, rates));
    used
}
