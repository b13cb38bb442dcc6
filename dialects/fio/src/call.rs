//! fio called: its words and job files in, its layouts out.

use super::apart::FioApart;
use super::layout::{heading, is_failed};
use super::logs::FioRecording;
use super::{
    CommandLine, FioJob, FioLayout, FioRun, FioStyle, after, answer as reply, formats, parsing,
    server, translate, write_fio,
};
use fathom_core::Nanos;
use fathom_core::result::{ErrorTally, RunResult};
use fathom_tools::call::{
    Call, Given, JobsByPhase, LaterFile, Meanwhile, OwnWords, Refusal, Reply, Said,
};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::Surroundings;
use fathom_tools::drives::Drive;
use fathom_tools::request_log::RequestLog;
use fathom_tools::servers::ServerPlace;
use fathom_tools::translation::Translation;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// What a target has that is not here, where an input is only looked at: more than any job asks
/// for.
const ROOM_BYTES: u64 = 1 << 60;

/// Intervals are not shorter.
const SHORTEST_INTERVAL: Nanos = Nanos::from_millis(100);

pub(super) struct CallOptions {
    line: CommandLine,
    run: FioRun,
    pub(super) layout: FioLayout,
}

/// What is answered to one who is no server.
enum Answered {
    Text(String),
    Run(Box<CallOptions>),
}

/// Answers a call.
pub(super) fn answer(given: &Given<'_>) -> Result<Reply, Refusal> {
    let line = CommandLine::parse(given.words)?;
    if let Some(serving) = line.serving() {
        return Ok(Reply::Serve(serving));
    }
    if line.client_sets.is_empty() || line.tool.question.is_some() {
        return Ok(match one(line, given)? {
            Answered::Text(text) => Reply::Text(text),
            Answered::Run(asked) => Reply::Run(asked),
        });
    }
    let (mut texts, mut parts) = (String::new(), Vec::new());
    for set in &line.client_sets {
        let words = line.client_words.line_of(set, given.words);
        match one(CommandLine::parse(&words)?, given)? {
            Answered::Text(text) => texts += &text,
            Answered::Run(asked) => parts.push((words, asked)),
        }
    }
    if parts.is_empty() {
        return Ok(Reply::Text(texts));
    }
    Ok(Reply::Apart(Box::new(FioApart::new(line.tool, parts))))
}

/// Answers a call for clients that have the same jobs, or for this machine.
fn one(line: CommandLine, given: &Given<'_>) -> Result<Answered, Refusal> {
    let files = line.files.iter().map(|file| read(file, given));
    let files = files.collect::<Result<Vec<_>, _>>()?;
    if let Some(question) = &line.tool.question {
        let text = reply(question, &line, &files, given.surroundings)?;
        return Ok(Answered::Text(text));
    }
    let somewhere = Somewhere(given.surroundings, Some(ROOM_BYTES));
    let elsewhere = Somewhere(given.surroundings, None);
    let surroundings: &dyn Surroundings = if line.tool.own.parse_only {
        &somewhere
    } else if line.tool.is_elsewhere() {
        &elsewhere
    } else {
        given.surroundings
    };
    if let Some(text) = parsed(&line, &files, surroundings)? {
        return Ok(Answered::Text(text));
    }
    let mut run = translate(&line, &files, surroundings)?;
    if let Some(every) = line.tool.status_every {
        // Nearly all of the reported values have to be known by then.
        let interval = &mut run.translation.workload.interval;
        *interval = (*interval).min(Nanos(every.0 / 4)).max(SHORTEST_INTERVAL);
    }
    let layout = FioLayout {
        idleness: line.tool.idleness,
        process: given.process,
        clients: (!line.tool.own.clients.is_empty()).then(Vec::new),
        ..FioLayout::asked(&run)
    };
    Ok(Answered::Run(Box::new(CallOptions { line, run, layout })))
}

/// The answer to an input that is only read and not run: one without a job, and one whose options
/// are all to be printed.
fn parsed(
    line: &CommandLine,
    files: &[(String, String)],
    surroundings: &dyn Surroundings,
) -> Result<Option<String>, Vec<Diagnostic>> {
    let has_job = !line.jobs.is_empty() || !files.is_empty();
    if !line.tool.own.parse_only || has_job && !line.tool.tells_options() {
        return Ok(None);
    }
    if has_job {
        translate(line, files, surroundings)?;
    } else {
        parsing::read_defaults(line)?;
    }
    Ok(Some(if line.tool.tells_options() {
        parsing::told(line, files, surroundings)
    } else {
        String::new()
    }))
}

/// A world in which targets are on other machines: with a size, for those who only look at an
/// input, what is not here has that room; without one nothing is known of any.
struct Somewhere<'a>(&'a dyn Surroundings, Option<u64>);

impl Surroundings for Somewhere<'_> {
    fn size_bytes(&self, path: &Path) -> Option<u64> {
        let room = self.1?;
        self.0.size_bytes(path).or(Some(room))
    }

    fn free_bytes(&self, path: &Path) -> Option<u64> {
        let room = self.1?;
        self.0.free_bytes(path).or(Some(room))
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        self.0.read(path)
    }

    fn read_bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.read_bytes(path)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.0.variable(name)
    }

    fn drives(&self) -> &[Drive] {
        self.0.drives()
    }

    fn is_elsewhere(&self) -> bool {
        self.1.is_some()
    }

    fn has_targets_elsewhere(&self) -> bool {
        self.1.is_none()
    }
}

/// A job file by its name.
fn read(file: &str, given: &Given<'_>) -> Result<(String, String), Refusal> {
    let text = (given.read)(file).and_then(|bytes| {
        let text = String::from_utf8(bytes);
        text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text"))
    });
    let text = text.map_err(|error| Refusal::File {
        thing: format!("cannot read the job file {file}"),
        error,
        remedy: "the path of a job file; options begin with --",
    })?;
    Ok((file.to_owned(), text))
}

impl CallOptions {
    /// The jobs of wanted sections, by phase.
    fn jobs_with(&self, wanted: fn(&FioJob) -> bool) -> JobsByPhase {
        let mut found = JobsByPhase::new();
        for row in self.run.jobs.iter().filter(|row| wanted(row)) {
            let jobs = found.entry(row.phase.clone()).or_default();
            jobs.extend(row.members.iter().cloned());
        }
        found
    }
}

impl Call for CallOptions {
    fn translation(&self) -> &Translation {
        &self.run.translation
    }

    fn translation_mut(&mut self) -> &mut Translation {
        &mut self.run.translation
    }

    fn warnings(&self) -> &[Diagnostic] {
        &self.run.warnings
    }

    fn own(&self) -> Option<&OwnWords> {
        Some(&self.line.tool.own)
    }

    fn served_by(&mut self, servers: Vec<ServerPlace>) {
        self.layout.clients = Some(servers);
    }

    fn server_of_line(&self, line: &str) -> Option<ServerPlace> {
        server::server_of_line(line)
    }

    fn not_of_many_hosts(&self, named: bool) -> Option<(&'static str, &'static str)> {
        let tool = &self.line.tool;
        let is_apart = !tool.own.clients.is_empty();
        let all = [
            (
                tool.logs_bandwidth,
                "logs of the bandwidth are not written for many hosts",
                "without --bandwidth-log",
            ),
            (
                !self.run.recordings.is_empty(),
                "traces of requests are not supported with several hosts",
                "without write_iolog; write_lat_log and the like are",
            ),
            (
                !self.run.logs.is_empty() && !named,
                "logs of requests are not supported with hosts chosen by a launcher",
                "--hosts or --client, which name them",
            ),
            (
                !self.splits().is_empty() && !is_apart,
                "the parts of a latency are not supported with several hosts",
                "--client in the place of --hosts, which tells each host apart",
            ),
            (
                tool.status_every.is_some(),
                "many hosts report at the end",
                "without --status-interval",
            ),
        ];
        let first = all.into_iter().find(|(is_wanted, ..)| *is_wanted);
        first.map(|(_, thing, remedy)| (thing, remedy))
    }

    fn is_own_result(&self, head: &[u8]) -> bool {
        formats::is_result(head)
    }

    fn logs(&self, host: Option<&str>) -> Vec<RequestLog> {
        let directory = Path::new(self.logs_directory().unwrap_or_default());
        let logs = self.run.logs.iter();
        let logs = logs.map(|log| log.request_log(directory, host));
        let traces = self.run.recordings.iter();
        logs.chain(traces.map(FioRecording::request_log)).collect()
    }

    fn logs_directory(&self) -> Option<&str> {
        self.line.tool.logs_directory.as_deref()
    }

    fn later_files(&self) -> &[LaterFile] {
        if self.line.tool.logs_bandwidth {
            &after::BANDWIDTHS
        } else {
            &[]
        }
    }

    fn fails(&self, result: &RunResult) -> Option<bool> {
        Some(is_failed(result, &self.layout))
    }

    fn splits(&self) -> JobsByPhase {
        self.jobs_with(|row| row.submission_percentiles || row.total_percentiles)
    }

    fn tells_meanwhile(&self) -> Option<Meanwhile> {
        Some(Meanwhile {
            every: self.line.tool.status_every,
        })
    }

    fn said_before(&self) -> String {
        let styles = self.line.tool.styles();
        if styles.contains(&FioStyle::Normal) {
            heading::lines(&self.run.sections)
        } else {
            String::new()
        }
    }

    fn said_meanwhile(&self, result: &RunResult) -> String {
        let layout = FioLayout {
            is_interim: true,
            ..self.layout.clone()
        };
        let styles = self.line.tool.styles();
        let texts = styles.iter();
        let texts = texts.map(|style| write_fio(result, &layout, *style));
        texts.collect()
    }

    fn said(&self, result: &RunResult, _asked: bool, _quiet: bool) -> Said {
        let styles = self.line.tool.styles();
        let texts = styles.iter();
        let texts = texts.map(|style| write_fio(result, &self.layout, *style));
        Said {
            out: texts.collect(),
            err: mismatches(result),
            judged: true,
        }
    }
}

/// Says as fio does which blocks are not what was written there.
pub(super) fn mismatches(result: &RunResult) -> String {
    let jobs = result.phases.iter().flat_map(|phase| &phase.jobs);
    let errors = jobs.flat_map(|job| &job.errors);
    let mut text = String::new();
    for error in errors.filter(|error| error.errno == 0) {
        for offset in &error.first_offsets {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "verify: bad block at file {} offset {offset}: {}",
                error.target, error.message
            );
        }
        let listed = error.first_offsets.len();
        if listed >= ErrorTally::offsets_kept(0) || error.count > listed as u64 {
            let _ = writeln!(
                text,
                "verify: the bad blocks of file {} are more than are listed, and were found by {} \
                 reads",
                error.target, error.count
            );
        }
    }
    text
}
