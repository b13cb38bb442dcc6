//! The text of `sar -d`, with or without `-p`, and of `sar -b`, of all versions of sysstat since 9.
//! Reads and writes are not distinguished in `sar -d`; `sar -b` is of all disks together.

use super::columns::{self, Column};
use super::iostat::words;
use super::words::{Text, between_ns, time_of_day};
use crate::diagnostic::Diagnostic;
use fathom_core::recording::{Recording, Sample};

/// The name of all disks together.
pub(super) const ALL_DISKS: &str = "all disks";

/// Leaves out the sum of all disks where each of them is there too.
pub(super) fn without_sum(recording: &mut Recording) {
    if recording.devices.iter().any(|one| one.device != ALL_DISKS) {
        recording.devices.retain(|one| one.device != ALL_DISKS);
        recording.notes.push(super::sadf::JOINT.to_owned());
    }
}

/// Whether a text has a table of `sar -d` or `sar -b`.
pub(super) fn is_sar(text: &str) -> bool {
    text.lines().any(|line| Head::of(line).is_some())
}

/// Reads all rows but the averages.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut recording = Recording {
        tool: "sar".to_owned(),
        ..Recording::default()
    };
    let mut head: Option<Head> = None;
    let mut clock = Times::default();
    for (at, line) in source.lines() {
        let words = words(at, &line);
        let texts: Vec<&str> = words.iter().map(|(_, word)| *word).collect();
        if let Some(found) = Head::of(&line) {
            clock.begin(found.begin);
            head = Some(found);
            continue;
        }
        match (texts.first(), &head) {
            (Some(&"Linux"), _) => {
                let named = |word: &&&str| word.starts_with('(') && word.ends_with(')');
                let name = texts.iter().find(named);
                recording.host = name.map(|name| name.trim_matches(['(', ')']).to_owned());
            }
            (None, _) => head = None,
            (Some(_), Some(_)) if texts.contains(&"RESTART") => clock = Times::default(),
            // What is no time of day is the average at the end, in the words of the language.
            (Some(first), Some(head)) if !is_average(first, texts.get(1)) => {
                let (name, mut sample, seconds) = row(source, head, &words)?;
                sample.length_ns = clock.at(seconds);
                recording.device(name).samples.push(sample);
            }
            (Some(_), _) => {}
        }
    }
    without_sum(&mut recording);
    Ok(recording)
}

/// `Average:`, `Moyenne :`, `平均値:`.
fn is_average(first: &str, second: Option<&&str>) -> bool {
    let ends = |word: &str| word.ends_with([':', '\u{ff1a}']);
    let is_time = first.starts_with(|letter: char| letter.is_ascii_digit());
    !is_time && (ends(first) || second.is_some_and(|word| ends(word)))
}

/// The times of rows: a row's span began at the last time before its own.
#[derive(Debug, Default)]
struct Times {
    before: Option<u64>,
    now: Option<u64>,
}

impl Times {
    /// The head of a table has the time at which its first span begins.
    fn begin(&mut self, seconds: u64) {
        if self.now != Some(seconds) {
            *self = Self {
                before: None,
                now: Some(seconds),
            };
        }
    }

    fn at(&mut self, seconds: u64) -> Option<u64> {
        if self.now != Some(seconds) {
            self.before = self.now;
            self.now = Some(seconds);
        }
        between_ns(self.before?, seconds)
    }
}

/// The columns of a table.
#[derive(Clone, Debug)]
struct Head {
    /// None for the name of the device.
    columns: Vec<Option<Column>>,
    /// Words of the time: with AM or PM two.
    time_words: usize,
    begin: u64,
}

impl Head {
    fn of(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let half = words.get(1).copied();
        let begin = time_of_day(words.first()?, half)?;
        let time_words = if matches!(half, Some("AM" | "PM")) {
            2
        } else {
            1
        };
        let heads = &words[time_words..];
        if !heads.contains(&"DEV") && !heads.contains(&"rtps") {
            return None;
        }
        let column = |head: &&str| match *head {
            "DEV" => Some(None),
            head => columns::column(head).map(Some),
        };
        Some(Self {
            columns: heads.iter().map(column).collect::<Option<_>>()?,
            time_words,
            begin,
        })
    }
}

/// The device of a row, its sample without its length, and its time of day.
fn row<'a>(
    source: &Text,
    head: &Head,
    words: &[(usize, &'a str)],
) -> Result<(&'a str, Sample, u64), Box<Diagnostic>> {
    let (at, first) = words[0];
    let half = words.get(1).map(|(_, word)| *word);
    let seconds = time_of_day(first, half)
        .ok_or_else(|| source.error(at, first, "expected a time of day".to_owned()))?;
    let wanted = head.time_words + head.columns.len();
    if words.len() != wanted {
        let message = format!("a row of {} words under a head of {wanted}", words.len());
        return Err(Box::new(source.error(at, first, message)));
    }
    let (time, figures) = words.split_at(head.time_words);
    let time: Vec<&str> = time.iter().map(|(_, word)| *word).collect();
    let mut sample = Sample {
        at: Some(time.join(" ").into()),
        ..Sample::default()
    };
    let mut name = ALL_DISKS;
    for ((at, word), column) in figures.iter().zip(&head.columns) {
        match column {
            None => name = word,
            Some(column) => columns::put(*column, word, &mut sample)
                .ok_or_else(|| source.error(*at, word, "expected a number".to_owned()))?,
        }
    }
    columns::complete(&mut sample);
    Ok((name, sample, seconds))
}
