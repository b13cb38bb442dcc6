//! From bytes to evidence: which lines are which result, and which command made it.

use crate::command::{self, Command};
use crate::evidence::{Evidence, INVALID, Load};
use crate::inferred;
use crate::layers;
use crate::mentions;
use crate::number::{after, plain};
use crate::paste::{self, Line};
use crate::readers::{CALLERS, READERS, fio_options, tables};
use crate::results;
use crate::stated;
use fathom_core::result::{Origin, RunResult};
use std::collections::BTreeMap;

/// What a paste holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Results, in their order.
    pub evidence: Vec<Evidence>,
    /// Loads without a result: command lines and job files.
    pub planned: Vec<Evidence>,
    /// Formats that were recognised, with the first and the last line of each result.
    pub recognised: Vec<(String, (usize, usize))>,
    /// Lines that are neither empty nor part of anything that was recognised.
    pub ignored: usize,
    /// A file in a language that is no result, if it is one: its name, and what to do with it.
    pub language: Option<(&'static str, &'static str)>,
}

/// Documents that begin like JSON and are tried in vain, before no more are tried.
const MOST_DOCUMENTS: usize = 16;

/// Bytes of a line that is a heading.
const LONGEST_HEADING: usize = 60;

/// Results in one paste at most.
const MOST_RESULTS: usize = 10_000;

/// Reads the text of a paste without what surrounds it, as results of formats that no reader here
/// knows: our own and those of `fathom import`.
pub type Importer<'a> = &'a dyn Fn(&str) -> Vec<RunResult>;

/// Reads all results in the bytes of a paste; `import` is tried where nothing else reads one.
pub fn read(bytes: &[u8], import: Importer<'_>) -> Reading {
    let text = paste::decode(bytes);
    let lines = paste::lines(&text);
    let mut scan = Scan::default();
    if lines.len() == paste::MOST_LINES {
        scan.reading.ignored = text.matches('\n').count() + 1 - lines.len();
    }
    let mut at = 0;
    while at < lines.len() && scan.reading.evidence.len() < MOST_RESULTS {
        at += scan.step(&lines[at..]);
    }
    if scan.reading.evidence.is_empty() {
        scan.import(&lines, import);
    }
    let mut reading = scan.finish();
    let is_on_zfs = lines.iter().any(|line| names_zfs(&line.text));
    let layers = layers::named(lines.iter().map(|line| line.text.as_str()));
    let mentions = mentions::said(lines.iter().map(|line| line.text.as_str()));
    let failing = mentions::failing(lines.iter().map(|line| line.text.as_str()));
    let results: Vec<_> = reading.recognised.iter().map(|(_, lines)| *lines).collect();
    let limits = stated::limits(&lines, &results);
    let drives = stated::drives(lines.iter().map(|line| line.text.as_str()));
    for evidence in reading.evidence.iter_mut().chain(&mut reading.planned) {
        evidence.load.is_on_zfs = is_on_zfs;
        evidence.load.layers.clone_from(&layers);
        evidence.load.mentions.clone_from(&mentions);
        failing.clone_into(&mut evidence.load.failing);
        evidence.load.limits.clone_from(&limits);
        evidence.load.drives = drives;
    }
    if reading.evidence.is_empty() && reading.planned.is_empty() {
        reading.language = language_of(&lines);
    }
    reading
}

#[derive(Default)]
struct Scan {
    reading: Reading,
    /// Commands, and whether a result followed.
    commands: Vec<(Command, bool)>,
    jobs: JobFile,
    documents: usize,
    /// The last line of text since the last command.
    heading: String,
    /// Whether the page cache was emptied since the last command.
    is_cache_dropped: bool,
    /// The error that ended a run without a result.
    failed: Option<f64>,
}

impl Scan {
    /// Takes what begins at the first line; answers how many lines it has.
    fn step(&mut self, lines: &[Line]) -> usize {
        let text = lines[0].text.trim_start();
        if text.is_empty() {
            return 1;
        }
        if let Some(command) = command::read(lines) {
            let used = command.used;
            let command = Command {
                heading: std::mem::take(&mut self.heading),
                is_cache_dropped: std::mem::take(&mut self.is_cache_dropped),
                ..command
            };
            self.commands.push((command, false));
            self.jobs.current = None;
            return used;
        }
        let is_document = text.starts_with(['{', '[']);
        if !(is_document && self.documents >= MOST_DOCUMENTS) {
            let has_intervals = self.has_intervals();
            for reader in READERS {
                let read = match reader.about {
                    tables::IOSTAT if has_intervals => tables::iostat_intervals,
                    _ => reader.read,
                };
                if let Some(found) = read(lines) {
                    let used = found.used.clamp(1, lines.len());
                    let range = (lines[0].number, lines[used - 1].number);
                    self.reading
                        .recognised
                        .push((reader.about.to_owned(), range));
                    for evidence in found.evidence {
                        self.take(evidence);
                    }
                    return used;
                }
            }
            let is_section = text.starts_with('[') && text.ends_with(']');
            self.documents += usize::from(is_document && !is_section);
        }
        self.note(text);
        if !self.jobs.take(&lines[0].text) {
            self.reading.ignored += 1;
        }
        1
    }

    /// Whether the last command of iostat leaves out the report since boot.
    fn has_intervals(&self) -> bool {
        let mut commands = self.commands.iter().rev().map(|(command, _)| command);
        let last = commands.find(|command| command.tool == "iostat");
        last.is_some_and(|command| {
            let is_short = |word: &&String| word.starts_with('-') && !word.starts_with("--");
            let mut words = command.words.iter().filter(is_short);
            words.any(|word| word.contains('y'))
        })
    }

    /// Keeps what a line between results says about the next one.
    fn note(&mut self, text: &str) {
        if text.contains("drop_caches") {
            let is_refused = ["denied", "Read-only", "not permitted"];
            let is_refused = is_refused.iter().any(|word| text.contains(word));
            self.is_cache_dropped =
                text.contains('>') && !is_refused || text.contains("drop_caches=");
        }
        let is_of_tool = ["fio:", "dd:", "io_u error"]
            .iter()
            .any(|start| text.contains(start));
        // In words of the asker too, but not in a line of another program.
        let is_said = text.contains("error") && !text.contains(": ");
        if text.contains("Invalid argument") && (is_of_tool || is_said) {
            self.failed = Some(INVALID);
        } else if text.starts_with("fio: pid=") {
            let code = after(text, "err=").and_then(|rest| plain(rest.split('/').next()?));
            self.failed = self.failed.or(code.filter(|code| *code > 0.0));
        }
        let text = text.trim();
        let words = text.trim_matches([' ', '#', '*', '=', '[', ']', ':', '\t']);
        let letters = words.chars().filter(|sign| sign.is_alphabetic()).count();
        let is_text = letters * 3 > words.len() && words.len() <= LONGEST_HEADING;
        // A command that no result follows, and its output, stand above results too.
        let is_marked = text.starts_with("##") || text.ends_with(':') || text.ends_with(']');
        let is_marked = is_marked || text.starts_with(['*', '=']) || is_numbered(text);
        if is_text && is_marked {
            words.clone_into(&mut self.heading);
        }
    }

    /// Results of the other readers. Commands around them are not part of their text.
    fn import(&mut self, lines: &[Line], import: Importer<'_>) {
        let mut text = String::new();
        let mut commands = self.commands.iter().peekable();
        for line in lines {
            let is_over = |(one, _): &&(Command, bool)| one.line + one.used <= line.number;
            while commands.next_if(is_over).is_some() {}
            if commands
                .peek()
                .is_none_or(|(one, _)| line.number < one.line)
            {
                text += &line.text;
                text.push('\n');
            }
        }
        let range = (1, lines.len());
        let results = import(&text);
        for result in &results {
            for evidence in results::of_result(result, range) {
                self.take(evidence);
            }
        }
        if !results.is_empty() {
            self.reading.ignored = 0;
            self.reading
                .recognised
                .push((format_of(&results[0]), range));
        }
    }

    fn take(&mut self, mut evidence: Evidence) {
        let last = self
            .commands
            .iter_mut()
            .rev()
            .find(|(command, _)| command.tool == evidence.tool);
        if let Some((command, is_used)) = last
            && !(*is_used && evidence.tool == "dd" && !command.repeats)
        {
            *is_used = true;
            complete(&mut evidence, &command.clone());
        } else if let Some(load) = self
            .jobs
            .load(&evidence.title)
            .filter(|_| evidence.tool == "fio")
        {
            merge(&mut evidence.load, load);
            fio_options::complete(&mut evidence);
        }
        let is_head = evidence.tool == "diskspd" && !evidence.is_measured();
        if is_head {
            self.reading.planned.push(evidence);
        } else {
            self.reading.evidence.push(evidence);
        }
    }

    fn finish(mut self) -> Reading {
        // A command that was pasted below its only result.
        for (command, is_used) in &mut self.commands {
            let of_tool = |one: &&mut Evidence| one.tool == command.tool;
            let mut own: Vec<_> = self.reading.evidence.iter_mut().filter(of_tool).collect();
            if !*is_used && own.len() == 1 && own[0].load.command.is_empty() {
                complete(own[0], command);
                *is_used = true;
            }
        }
        for (command, is_used) in &self.commands {
            if !is_used {
                let mut evidence = Evidence::new(command.tool, "command");
                let is_of_jobs = !self.jobs.sections.is_empty();
                evidence.errors = self.failed.filter(|_| !is_of_jobs).unwrap_or(0.0);
                evidence.lines = (command.line, command.line + command.used - 1);
                complete(&mut evidence, command);
                self.reading.planned.push(evidence);
            }
        }
        let has_fio = self.reading.evidence.iter().any(|one| one.tool == "fio");
        if !has_fio {
            for (name, options) in &self.jobs.sections {
                let mut evidence = Evidence::new("fio", "fio-job");
                evidence.errors = self.failed.unwrap_or(0.0);
                name.clone_into(&mut evidence.title);
                let mut all = self.jobs.global.clone();
                all.extend(options.clone());
                evidence.load = fio_options::of_options(all);
                evidence.load.is_complete = true;
                fio_options::complete(&mut evidence);
                self.reading.planned.push(evidence);
            }
        }
        for caller in CALLERS {
            for evidence in &mut self.reading.evidence {
                if evidence.tool == caller.tool {
                    (caller.complete)(evidence);
                }
            }
        }
        self.reading
            .evidence
            .iter_mut()
            .for_each(inferred::complete);
        compare(&mut self.reading.evidence);
        self.reading
    }
}

/// Whether a line begins as a numbered heading does: `1.` or `2)`.
fn is_numbered(text: &str) -> bool {
    let rest = text.trim_start_matches(|sign: char| sign.is_ascii_digit());
    rest.len() < text.len()
        && rest.starts_with(['.', ')'])
        && !rest[1..].starts_with(char::is_numeric)
}

/// Whether one of its words is ZFS or one of its commands.
fn names_zfs(text: &str) -> bool {
    // Nearly all lines have no such letter, and are read no further.
    if !text.bytes().any(|byte| matches!(byte, b'z' | b'Z')) {
        return false;
    }
    let words = text.split(|sign: char| !sign.is_ascii_alphanumeric());
    let names = ["zfs", "zpool", "openzfs", "zvol"];
    words
        .into_iter()
        .any(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name)))
}

fn format_of(result: &RunResult) -> String {
    match &result.provenance.origin {
        Origin::Imported { format, .. } => format.clone(),
        _ => "result of fathom".to_owned(),
    }
}

/// Tools that print MB of 1,000,000 bytes.
const DECIMAL: [&str; 3] = ["crystaldiskmark", "kdiskmark", "dd"];

/// Notes what makes results of one paste hard to compare.
fn compare(all: &mut [Evidence]) {
    let differ = |key: fn(&Evidence) -> Option<&str>| {
        let mut keys = all.iter().filter_map(key);
        keys.next()
            .is_some_and(|first| keys.any(|key| key != first))
    };
    let units = differ(|one| {
        let is_decimal = DECIMAL.contains(&one.tool);
        let is_load = !one.is_watched();
        Some(if is_decimal { "MB" } else { "MiB" }).filter(|_| is_load && !one.sides.is_empty())
    });
    let versions = differ(|one| {
        let major = one.version.split('.').next()?;
        (one.tool == "fio" && !major.is_empty()).then_some(major)
    });
    let found = [(units, "mixed-units"), (versions, "mixed-versions")];
    for (_, fact) in found.into_iter().filter(|(is_found, _)| *is_found) {
        for one in all.iter_mut() {
            one.facts.push(fact);
        }
    }
}

/// Adds what a command line says to what the output shows.
fn complete(evidence: &mut Evidence, command: &Command) {
    let caller = CALLERS.iter().find(|caller| caller.tool == command.tool);
    let mut load = caller.map_or_else(Load::default, |caller| (caller.load)(&command.words));
    if caller.is_some() {
        load.command = std::iter::once(command.tool.to_owned())
            .chain(command.words.iter().cloned())
            .collect();
    }
    load.folder.clone_from(&command.folder);
    load.heading.clone_from(&command.heading);
    load.is_parallel = command.is_parallel;
    load.is_cache_dropped = command.is_cache_dropped;
    evidence.see("command", command.line);
    merge(&mut evidence.load, load);
    if let Some(caller) = caller {
        (caller.complete)(evidence);
    }
}

/// What is known of `load` and not of `known`.
fn merge(known: &mut Load, load: Load) {
    known.direct = known.direct.or(load.direct);
    known.block = load.block.filter(|_| known.block.is_none()).or(known.block);
    known.random = known.random.or(load.random);
    known.read_percent = match known.read_percent {
        // fio's first line shows that a load is mixed, but not how.
        Some(50.0) => load.read_percent.or(Some(50.0)),
        other => other.or(load.read_percent),
    };
    known.depth = known.depth.or(load.depth);
    known.jobs = known.jobs.or(load.jobs);
    if known.engine.is_empty() {
        known.engine = load.engine;
    }
    known.size = known.size.or(load.size);
    if known.target.is_empty() {
        known.target = load.target;
    }
    if known.folder.is_empty() {
        known.folder = load.folder;
    }
    if known.heading.is_empty() {
        known.heading = load.heading;
    }
    known.is_parallel |= load.is_parallel;
    known.is_cache_dropped |= load.is_cache_dropped;
    known.flush_every = known.flush_every.or(load.flush_every);
    known.flush_at_end = known.flush_at_end.or(load.flush_at_end);
    known.data = known.data.or(load.data);
    known.is_limited |= load.is_limited;
    known.warm_up_s = known.warm_up_s.or(load.warm_up_s);
    known.no_latency |= load.no_latency;
    known.is_complete |= load.is_complete;
    for (name, value) in load.options {
        known.options.entry(name).or_insert(value);
    }
    if known.command.is_empty() {
        known.command = load.command;
    }
}

/// A section of a job file.
#[derive(Clone, Copy, Debug)]
enum JobSection {
    Global,
    Job(usize),
}

/// A job file of fio in a paste.
#[derive(Debug, Default)]
struct JobFile {
    global: BTreeMap<String, String>,
    sections: Vec<(String, BTreeMap<String, String>)>,
    /// The section that lines belong to.
    current: Option<JobSection>,
}

impl JobFile {
    /// Takes a line if it belongs to a job file.
    fn take(&mut self, line: &str) -> bool {
        let text = line.trim();
        let name = text
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        if let Some(name) = name.filter(|name| !name.is_empty() && name.len() < 200) {
            self.current = Some(if name == "global" {
                JobSection::Global
            } else {
                self.sections.push((name.to_owned(), BTreeMap::new()));
                JobSection::Job(self.sections.len() - 1)
            });
            return true;
        }
        let Some(section) = self.current else {
            return false;
        };
        if text.starts_with([';', '#']) {
            return true;
        }
        let (key, value) = text.split_once('=').unwrap_or((text, "1"));
        let key = key.trim();
        let is_key = !key.is_empty()
            && key.len() < 40
            && key
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        if !is_key {
            self.current = None;
            return false;
        }
        let options = match section {
            JobSection::Global => &mut self.global,
            JobSection::Job(index) => &mut self.sections[index].1,
        };
        options.insert(key.to_owned(), value.trim().to_owned());
        true
    }

    fn load(&self, title: &str) -> Option<Load> {
        let (_, own) = self.sections.iter().rev().find(|(name, _)| name == title)?;
        let mut options = self.global.clone();
        options.extend(own.clone());
        let mut load = fio_options::of_options(options);
        load.is_complete = true;
        Some(load)
    }
}

/// Files that are no results: first words of their lines, what they are, and what to do with them.
const LANGUAGES: [Language; 7] = [
    (
        &["sd=", "wd=", "rd=", "fsd=", "fwd=", "hd="],
        "a vdbench parameter file",
        CONVERT,
    ),
    (
        &["'TEST SETUP", "'MANAGER NAME", "'ACCESS SPECIFICATIONS"],
        "an Iometer configuration file",
        CONVERT,
    ),
    (&["<Profile>"], "a DISKSPD profile", CONVERT),
    (
        &["rw=", "readwrite=", "ioengine="],
        "a fio job file",
        CONVERT,
    ),
    (
        &["define process", "define fileset", "define file "],
        "a filebench script",
        "describe the load in TOML; docs/specification.md has the keys",
    ),
    (
        &["IOR START", "IOR STOP"],
        "an IOR script",
        "use `fathom ior -f FILE`",
    ),
    (
        &["#!/bin/", "#!/usr/bin/"],
        "a script",
        "run it and give its output to `fathom explain`",
    ),
];

const CONVERT: &str = "use `fathom convert --to native FILE` to make a workload of it";

/// Words, a noun, and advice.
type Language = (&'static [&'static str], &'static str, &'static str);

fn language_of(lines: &[Line]) -> Option<(&'static str, &'static str)> {
    let near = lines.iter().take(200).map(|line| line.text.trim_start());
    let of = |words: &[&str]| {
        near.clone()
            .any(|line| words.iter().any(|word| line.starts_with(word)))
    };
    let found = LANGUAGES.iter().find(|(words, ..)| of(words))?;
    Some((found.1, found.2))
}

/// What a text is that is neither a result nor a workload in TOML, and what to do with it.
pub fn language(text: &str) -> Option<(&'static str, &'static str)> {
    language_of(&paste::lines(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_beyond_the_most_are_ignored_and_counted() {
        let text = "\n".repeat(paste::MOST_LINES + 4);
        let reading = read(text.as_bytes(), &|_| Vec::new());
        assert_eq!((reading.ignored, reading.evidence.len()), (5, 0));
    }
}
