//! The text of iostat: reports of `Device` tables, with or without `-x`, `-t`, `-h`, `-s`, in
//! KiB, MiB or sectors, of all versions of sysstat since 9.

use super::columns::{self, Column};
use super::words::{Text, between_ns, figure, time_of_day};
use crate::diagnostic::Diagnostic;
use fathom_core::recording::{ProcessorSample, Recording, Sample};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Why there is no sample of it.
pub(super) const FIRST_LEFT_OUT: &str =
    "the first report is left out: without -y it is the mean since the machine was started";

/// Whether a text has a table of iostat.
pub(super) fn is_iostat(text: &str) -> bool {
    text.lines().any(|line| Head::of(line).is_some())
}

/// Reads all reports.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut reader = Reader {
        source,
        reports: Vec::new(),
        head: None,
        first_head: None,
        time: None,
        processors: None,
        host: None,
    };
    for (at, line) in source.lines() {
        reader.line(at, &line)?;
    }
    Ok(reader.recording())
}

/// The columns of a table.
#[derive(Clone, Debug, PartialEq)]
struct Head {
    columns: Vec<Column>,
    /// `iostat -h` writes the name last.
    name_last: bool,
    /// Whether it is moved in, as all lines of a quotation are.
    is_moved_in: bool,
    text: String,
}

impl Head {
    fn of(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        // Old versions translate the word (Gerät:, Périphérique:), FreeBSD has it in small letters.
        let is_name = |word: &str| {
            let word = word.trim_end_matches([':', '\u{ff1a}']);
            columns::column(word).is_none()
                && word.chars().next().is_some_and(char::is_alphabetic)
                && word
                    .chars()
                    .all(|letter| letter.is_alphabetic() || ".-".contains(letter))
        };
        let name_last = !words.clone().next().is_some_and(is_name);
        // Most lines are no heads and end here, so nothing is gathered before.
        if !name_last {
            words.next();
        } else if !words.next_back().is_some_and(is_name) {
            return None;
        }
        let words: Vec<&str> = words.collect();
        if words.is_empty() {
            return None;
        }
        let columns = words.iter().map(|word| columns::column(word));
        Some(Self {
            columns: columns.collect::<Option<_>>()?,
            name_last,
            is_moved_in: line.starts_with(char::is_whitespace),
            text: words.join(" "),
        })
    }
}

/// One table, or with `-h` the four of one report.
#[derive(Debug, Default)]
struct Report {
    at: Option<Arc<str>>,
    seconds: Option<u64>,
    processors: Option<ProcessorSample>,
    devices: Vec<(String, Sample)>,
    /// Where each of them is in that list.
    places: HashMap<String, usize>,
}

struct Reader<'a> {
    source: &'a Text,
    reports: Vec<Report>,
    head: Option<Head>,
    first_head: Option<String>,
    /// As written, and as time of day.
    time: Option<(String, u64)>,
    processors: Option<ProcessorSample>,
    host: Option<String>,
}

impl Reader<'_> {
    fn line(&mut self, at: usize, line: &str) -> Result<(), Box<Diagnostic>> {
        if let Some(head) = Head::of(line) {
            let first = self.first_head.get_or_insert_with(|| head.text.clone());
            if *first == head.text {
                let (text, seconds) = self.time.take().unzip();
                self.reports.push(Report {
                    at: text.map(Into::into),
                    seconds,
                    processors: self.processors.take(),
                    devices: Vec::new(),
                    places: HashMap::new(),
                });
            }
            self.head = Some(head);
            return Ok(());
        }
        let words: Vec<(usize, &str)> = words(at, line);
        let Some((_, first)) = words.first() else {
            self.head = None;
            return Ok(());
        };
        // FreeBSD writes its title above each table.
        if words
            .iter()
            .map(|(_, word)| *word)
            .eq(["extended", "device", "statistics"])
        {
            self.head = None;
            return Ok(());
        }
        if *first == "avg-cpu:" {
            self.head = None;
            self.processors = Some(ProcessorSample::default());
            return Ok(());
        }
        if self.head.is_none() {
            self.preamble(&words);
            return Ok(());
        }
        // `iostat -g` moves the sum of a group in.
        let is_group = line.starts_with(char::is_whitespace)
            && self
                .head
                .as_ref()
                .is_some_and(|head| !head.is_moved_in && !head.name_last);
        self.row(&words, is_group)
    }

    /// What stands before a table: the machine, the time, the shares of the processors.
    fn preamble(&mut self, words: &[(usize, &str)]) {
        let texts: Vec<&str> = words.iter().map(|(_, word)| *word).collect();
        let named = |word: &&str| word.starts_with('(') && word.ends_with(')');
        if texts[0] == "Linux" {
            let name = texts.iter().copied().find(named);
            self.host = name.map(|name| name.trim_matches(['(', ')']).to_owned());
            return;
        }
        if let Some((index, _)) = texts
            .iter()
            .enumerate()
            .find(|(_, word)| time_of_day(word, None).is_some())
        {
            let half = texts.get(index + 1).copied();
            if let Some(seconds) = time_of_day(texts[index], half) {
                self.time = Some((texts.join(" "), seconds));
            }
            return;
        }
        let shares: Option<Vec<f64>> = texts
            .iter()
            .map(|word| figure(word).map(|(number, _)| number))
            .collect();
        if let (Some(found), Some([user, nice, system, iowait, steal, _idle])) =
            (&mut self.processors, shares.as_deref())
        {
            found.user_percent = user + nice;
            found.system_percent = *system;
            found.iowait_percent = *iowait;
            found.steal_percent = *steal;
        }
    }

    fn row(&mut self, words: &[(usize, &str)], is_group: bool) -> Result<(), Box<Diagnostic>> {
        let (Some(head), Some(report)) = (&self.head, self.reports.last_mut()) else {
            return Ok(());
        };
        let wanted = head.columns.len() + 1;
        if words.len() != wanted {
            let (from, to) = (words[0], words[words.len() - 1]);
            let span: Range<usize> = from.0..to.0 + to.1.len();
            let message = format!("a row of {} words under a head of {wanted}", words.len());
            let text = self.source.between(span.clone());
            return Err(Box::new(self.source.error(span.start, &text, message)));
        }
        let (name, figures) = if head.name_last {
            (words[wanted - 1].1, &words[..wanted - 1])
        } else {
            (words[0].1, &words[1..])
        };
        let name = if is_group {
            format!("group {name}")
        } else {
            name.to_owned()
        };
        let index = *report.places.entry(name).or_insert_with_key(|name| {
            report.devices.push((name.clone(), Sample::default()));
            report.devices.len() - 1
        });
        let sample = &mut report.devices[index].1;
        for ((at, word), column) in figures.iter().zip(&head.columns) {
            columns::put(*column, word, sample)
                .ok_or_else(|| self.source.error(*at, word, "expected a number".to_owned()))?;
        }
        Ok(())
    }

    fn recording(self) -> Recording {
        let mut recording = Recording {
            tool: "iostat".to_owned(),
            host: self.host,
            ..Recording::default()
        };
        let alone = self.reports.len() == 1;
        recording.notes.push(if alone {
            "the only report is taken as it is; without -y it is the mean since the machine was \
             started"
                .to_owned()
        } else {
            FIRST_LEFT_OUT.to_owned()
        });
        if self.first_head.is_some_and(|head| head.contains("w+d")) {
            let note = "bytes that were discarded count as written (kB_w+d/s); `iostat -x` tells \
                        them apart";
            recording.notes.push(note.to_owned());
        }
        let mut before: Option<u64> = None;
        for (index, report) in self.reports.into_iter().enumerate() {
            let length_ns = before
                .zip(report.seconds)
                .and_then(|(from, to)| between_ns(from, to));
            before = report.seconds;
            if index == 0 && !alone {
                continue;
            }
            if let Some(shares) = report.processors {
                recording.processors.push(ProcessorSample {
                    at: report.at.clone(),
                    ..shares
                });
            }
            for (name, mut sample) in report.devices {
                columns::complete(&mut sample);
                sample.at.clone_from(&report.at);
                sample.length_ns = length_ns;
                recording.device(&name).samples.push(sample);
            }
        }
        recording
    }
}

/// The words of a line with their places in the text.
pub(super) fn words(at: usize, line: &str) -> Vec<(usize, &str)> {
    let begin = line.as_ptr().addr();
    let place = |word: &str| at + word.as_ptr().addr() - begin;
    line.split_whitespace()
        .map(|word| (place(word), word))
        .collect()
}
