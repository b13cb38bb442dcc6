//! The text of CrystalDiskMark 3 to 9, and of KDiskMark: a result for each row.

use super::ReaderMatch;
use crate::evidence::{Data, Direction, Evidence, Latency, Load, Side};
use crate::number::{after, between, lead, plain, size, time};
use crate::paste::Line;

/// Lines of a text at most.
const MOST_LINES: usize = 120;

#[expect(clippy::too_many_lines, reason = "one arm for each line of an output")]
pub(crate) fn read(lines: &[Line]) -> Option<ReaderMatch> {
    let first = lines.first()?.text.trim();
    let tool = if first.starts_with("CrystalDiskMark") {
        "crystaldiskmark"
    } else if first.starts_with("KDiskMark") {
        "kdiskmark"
    } else if row(first).is_some() && row_direction(first, None).is_some() {
        "crystaldiskmark"
    } else {
        return None;
    };
    let mut found = ReaderMatch::default();
    let mut load = Load {
        // Both open the file without the page cache.
        direct: Some(true),
        ..Load::default()
    };
    let mut version = String::new();
    let mut group = None;
    for (index, line) in lines.iter().take(MOST_LINES).enumerate() {
        let text = line.text.trim();
        if index > 0 && (text.starts_with("CrystalDiskMark") || text.starts_with("KDiskMark")) {
            break;
        }
        let is_ours = if index == 0 && row(text).is_none() {
            let word = text.split_whitespace().nth(1).unwrap_or_default();
            word.trim_matches(['(', ')', ':']).clone_into(&mut version);
            true
        } else if let Some(named) = heading(text) {
            group = Some(named);
            true
        } else if let Some((label, rest)) = row(text) {
            found
                .evidence
                .extend(result(tool, line, label, rest, group));
            true
        } else if let Some(rest) = text.strip_prefix("Test") {
            let rest = rest.trim_start().strip_prefix(':').unwrap_or(rest).trim();
            let short = rest.split(['[', '(']).next().unwrap_or(rest);
            // MB of this size are MiB in all versions.
            load.size = crate::number::size_with(short.trim(), true);
            between(rest, "[", ":")
                .unwrap_or_default()
                .clone_into(&mut load.target);
            if rest.contains("0Fill") || rest.contains("0x00") {
                load.data = Some(Data::Zeros);
            }
            true
        } else {
            [
                "Date",
                "Time",
                "Mode",
                "OS",
                "Profile",
                "Comment",
                "Test Data",
                "* ",
                "---",
                "===",
                "Flexible",
            ]
            .iter()
            .any(|word| text.starts_with(word))
                || text.contains("0Fill")
                || text.contains("hiyohiyo")
                || text.contains("http")
        };
        if text.contains("0Fill") || text.contains("0 Fill") {
            load.data = Some(Data::Zeros);
        }
        if is_ours {
            found.used = index + 1;
        } else if !text.is_empty() && found.used > 0 && index > found.used + 2 {
            break;
        }
    }
    for evidence in &mut found.evidence {
        version.clone_into(&mut evidence.version);
        let own = std::mem::replace(&mut evidence.load, load.clone());
        evidence.load.block = own.block;
        evidence.load.random = own.random;
        evidence.load.depth = own.depth;
        evidence.load.jobs = own.jobs;
        evidence.load.read_percent = own.read_percent;
    }
    (!found.evidence.is_empty()).then_some(found)
}

fn heading(text: &str) -> Option<Direction> {
    match text {
        "[Read]" => Some(Direction::Read),
        "[Write]" => Some(Direction::Write),
        "[Mix]" => Some(Direction::Both),
        _ if text.starts_with("[Mix") => Some(Direction::Both),
        _ => None,
    }
}

/// The label of a row and its numbers.
fn row(text: &str) -> Option<(&str, &str)> {
    let at = text.rfind(": ").or_else(|| text.rfind(':'))?;
    // The last colon that is not within the brackets of the label.
    let (label, rest) = match text.rfind("):") {
        Some(end) => (&text[..=end], &text[end + 2..]),
        None => (&text[..at], &text[at + 1..]),
    };
    let kinds = ["SEQ", "RND", "Sequential", "Random", "Seq", "Rnd"];
    let is_row = kinds
        .iter()
        .any(|kind| label.trim_start().starts_with(kind));
    let (_, unit) = lead(rest)?;
    (is_row && unit.trim_start().get(1..4) == Some("B/s")).then_some((label.trim(), rest))
}

fn row_direction(label: &str, group: Option<Direction>) -> Option<Direction> {
    if label.contains("Read") {
        Some(Direction::Read)
    } else if label.contains("Write") {
        Some(Direction::Write)
    } else {
        group
    }
}

fn result(
    tool: &'static str,
    line: &Line,
    label: &str,
    rest: &str,
    group: Option<Direction>,
) -> Option<Evidence> {
    let direction = row_direction(label, group)?;
    let mut evidence = Evidence::new(tool, "crystaldiskmark-text");
    evidence.title = match direction {
        _ if label.contains("Read") || label.contains("Write") => label.to_owned(),
        Direction::Read => format!("Read {label}"),
        Direction::Write => format!("Write {label}"),
        Direction::Both => format!("Mix {label}"),
    };
    evidence.lines = (line.number, line.number);
    let load = &mut evidence.load;
    load.random = Some(label.starts_with('R'));
    load.read_percent = match direction {
        Direction::Read => Some(100.0),
        Direction::Write => Some(0.0),
        Direction::Both => None,
    };
    let field = |name: &str| {
        let bracket = after(label, "(")?;
        let rest = after(bracket, name)?.trim_start().strip_prefix('=')?;
        plain(rest.split([',', ')']).next()?)
    };
    load.depth = field("Q").or_else(|| field("QD"));
    load.jobs = field("T");
    let words = label.split_whitespace().skip(1);
    let joined = words.collect::<Vec<_>>().join(" ");
    let sized = joined
        .split('(')
        .next()
        .unwrap_or_default()
        .replace("Read", "")
        .replace("Write", "");
    load.block = crate::number::size_with(sized.trim(), true);
    if load.depth.is_none() {
        load.depth = Some(1.0);
    }
    load.jobs.get_or_insert(1.0);
    let rate = size(rest)?;
    let iops = between(rest, "[", "IOPS").and_then(plain);
    let mean = between(rest, "<", ">").and_then(time);
    evidence.sides.push(Side {
        direction,
        iops,
        rate: Some(rate),
        latency: mean.map(|mean| Latency {
            mean: Some(mean),
            ..Latency::default()
        }),
        ..Side::default()
    });
    evidence.see("rate", line.number);
    Some(evidence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::lines;

    /// Title, block, depth, rate and mean latency.
    type Row = (String, Option<f64>, Option<f64>, Option<f64>, Option<f64>);

    fn rows(text: &str) -> Vec<Row> {
        let found = read(&lines(text)).expect("a result");
        let rows = found.evidence.into_iter().map(|one| {
            let side = &one.sides[0];
            let mean = side.latency.as_ref().and_then(|latency| latency.mean);
            (one.title, one.load.block, one.load.depth, side.rate, mean)
        });
        rows.collect()
    }

    #[test]
    fn rows_of_old_and_new_versions_are_read() {
        let old = "CrystalDiskMark 3.0.1 x64 (C) 2007-2010 hiyohiyo\n\
                   \x20         Sequential Read :   473.207 MB/s\n\
                   \x20       Random Write 512KB :   300.5 MB/s\n\
                   \x20   Random Read 4KB (QD=32) :   100.0 MB/s [ 24414.1 IOPS]\n\
                   \n  Test : 1000 MB [C: 45.6% (1/2 GB)] (x5)\n";
        let new = "CrystalDiskMark 8.0.4 x64 (C) 2007-2021 hiyohiyo\n[Read]\n\
                   \x20 SEQ    1MiB (Q=  8, T= 1):  3539.6 MB/s [   3375.6 IOPS] <  2366.95 us>\n\
                   [Write]\n\
                   \x20 RND    4KiB (Q=  1, T= 1):   200.5 MB/s [  48949.2 IOPS] <    20.30 us>\n\
                   \nProfile: Default\n   Test: 1 GiB (x5) [C: 32% (1/2GiB)]\n";
        let expected_old = [
            (
                "Sequential Read".to_owned(),
                None,
                Some(1.0),
                Some(473.207e6),
                None,
            ),
            (
                "Random Write 512KB".to_owned(),
                Some(524_288.0),
                Some(1.0),
                Some(300.5e6),
                None,
            ),
            (
                "Random Read 4KB (QD=32)".to_owned(),
                Some(4096.0),
                Some(32.0),
                Some(100e6),
                None,
            ),
        ];
        assert_eq!(rows(old), expected_old);
        let expected_new = [
            (
                "Read SEQ    1MiB (Q=  8, T= 1)".to_owned(),
                Some(1_048_576.0),
                Some(8.0),
                Some(3539.6e6),
                Some(2_366_950.0),
            ),
            (
                "Write RND    4KiB (Q=  1, T= 1)".to_owned(),
                Some(4096.0),
                Some(1.0),
                Some(200.5e6),
                Some(20_300.0),
            ),
        ];
        assert_eq!(rows(new), expected_new);
    }
}
