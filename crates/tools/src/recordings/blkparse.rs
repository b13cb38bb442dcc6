//! The text of blkparse: requests that completed, gathered into seconds. Where none completed in
//! the trace, those that were issued.

use super::iostat::words;
use super::readings::{Count, Metric, Reading, Readings};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;
use std::collections::{BTreeMap, HashMap, HashSet};

const SECTOR: f64 = 512.0;
const SECOND: i128 = 1_000_000_000;
/// Seconds of a trace at most, so that a time that is wrong does not make moments without end.
const MOST_SECONDS: f64 = 1e9;

/// A request of a line: when, of which device, in which event, whether it writes, and its sectors.
#[derive(Debug)]
struct RequestLine<'a> {
    seconds: f64,
    device: &'a str,
    action: &'a str,
    writes: bool,
    sectors: f64,
}

/// Reads `8,0 3 1 0.000000000 697 C W 223490 + 8 [0]`.
fn request<'a>(row: &[(usize, &'a str)]) -> Option<RequestLine<'a>> {
    let word = |index: usize| row.get(index).map(|(_, word)| *word);
    let (major, minor) = word(0)?.split_once(',')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let seconds: f64 = word(3)?.parse().ok()?;
    let kind = word(6)?;
    let is_known = is_number(major) && is_number(minor) && (0.0..MOST_SECONDS).contains(&seconds);
    if !is_known || word(8)? != "+" || kind.contains('D') || !kind.contains(['R', 'W']) {
        return None;
    }
    Some(RequestLine {
        seconds,
        device: word(0)?,
        action: word(5)?,
        writes: kind.contains('W'),
        sectors: word(9)?.parse().ok()?,
    })
}

/// Whether a text is of it.
pub(super) fn is_text(begin: &str) -> bool {
    let mut lines = begin.lines().take(200);
    lines.any(|line| request(&words(0, line)).is_some())
}

/// Reads and writes of a second, with their sectors.
type Tally = [(f64, f64); 2];

/// Reads the lines that are requests; others are of other events, and the summary at the end.
#[expect(
    clippy::unnecessary_wraps,
    reason = "every form is read by such a function"
)]
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut seconds: HashMap<(String, bool), BTreeMap<i128, Tally>> = HashMap::new();
    let mut order: Vec<String> = Vec::new();
    let mut has_completions = false;
    let mut known: HashSet<String> = HashSet::new();
    for (at, line) in source.lines() {
        let row = words(at, &line);
        let Some(found) = request(&row) else { continue };
        let is_completion = found.action == "C";
        if !is_completion && found.action != "D" {
            continue;
        }
        has_completions |= is_completion;
        let second = found.seconds as i128;
        if !known.contains(found.device) {
            known.insert(found.device.to_owned());
            order.push(found.device.to_owned());
        }
        let of_device = seconds
            .entry((found.device.to_owned(), is_completion))
            .or_default();
        let tally = &mut of_device.entry(second).or_default()[usize::from(found.writes)];
        tally.0 += 1.0;
        tally.1 += found.sectors * SECTOR;
    }
    let mut readings = Readings::default();
    for device in order {
        let found = seconds
            .remove(&(device.clone(), has_completions))
            .unwrap_or_default();
        for (second, [reads, writes]) in found {
            let text = format!("{second} s");
            let all = [
                (Metric::Reads, reads.0),
                (Metric::ReadBytes, reads.1),
                (Metric::Writes, writes.0),
                (Metric::WrittenBytes, writes.1),
            ];
            for (metric, value) in all {
                let reading = Reading {
                    metric,
                    count: Count::Sum,
                    value,
                    span: Some(1.0),
                };
                readings.put(&device, ((second + 1) * SECOND, &text), reading);
            }
        }
    }
    let mut recording = readings.recording("blkparse", None);
    let what = if has_completions {
        "completed"
    } else {
        "issued"
    };
    recording.notes.push(format!(
        "requests that {what} are gathered into seconds; seconds without one are left out"
    ));
    Ok(recording)
}
