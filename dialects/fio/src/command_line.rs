//! The words after `fathom fio`: files, options of the command, and jobs.

use super::client_sets::{ClientSet, ClientWords, MOST};
use super::lexer::{Entry, Section};
use super::option::{FioOption, OptionForm};
use super::options;
use super::source::{Findings, Source, TextPlace, Wrong};
use super::tool::{self, TOKEN_FILE, Tool, ToolOption};
use fathom_core::nearest::nearest;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::servers::Serving;
use std::ops::Range;
use std::sync::Arc;

/// The name under which the words are quoted.
const FILE: &str = "command line";

/// A command line, read but not yet understood.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// Job files, in their order; `-` is standard input.
    pub files: Vec<String>,
    /// The options that are no job options.
    pub tool: Tool,
    /// Defaults for all jobs.
    pub(super) defaults: Vec<Entry>,
    /// The jobs on the command line.
    pub(super) jobs: Vec<Section>,
    /// The words, where there are clients.
    pub(super) client_words: ClientWords,
    /// Clients with job files of their own, where not all have the same.
    pub(super) client_sets: Vec<ClientSet>,
}

impl CommandLine {
    /// Reads the words after the name of the program.
    ///
    /// # Errors
    ///
    /// All that is wrong with them.
    pub fn parse(words: &[String]) -> Result<Self, Vec<Diagnostic>> {
        let mut findings = Findings::default();
        let mut reader = Reader::new(words);
        let mut line = Self {
            files: Vec::new(),
            tool: Tool::default(),
            defaults: Vec::new(),
            jobs: Vec::new(),
            client_words: ClientWords::default(),
            client_sets: Vec::new(),
        };
        while let Some(word) = reader.next() {
            let begin = words.len() - reader.left() - 1;
            let before = (line.files.len(), line.tool.own.clients.len());
            let output = line.tool.own.output.take();
            line.word(&word, &mut reader, &mut findings);
            let own = begin..words.len() - reader.left();
            if line.tool.own.clients.len() > before.1 {
                line.client_words.client(own, before.0);
            } else if line.tool.own.output.is_none()
                && line.files.len() == before.0
                && word.text != "--"
            {
                line.client_words.other(own);
            }
            line.tool.own.output = line.tool.own.output.or(output);
            if findings.is_hopeless() {
                break;
            }
        }
        if line.tool.as_written && line.tool.one_by_one {
            let wrong = Wrong::new(
                "jobs cannot run at once and one after another",
                "one of --as-written and --one-by-one",
            );
            findings.error(&reader.whole(), wrong);
        }
        line.share_files(&reader, &mut findings);
        line.check_server(&reader, &mut findings);
        if findings.is_clean() {
            Ok(line)
        } else {
            Err(findings.into_errors())
        }
    }

    /// A server runs what its clients send, and nothing else.
    fn check_server(&self, reader: &Reader, findings: &mut Findings) {
        let own = &self.tool.own;
        let has_jobs = !self.jobs.is_empty() || !self.files.is_empty();
        let wrong = match (&self.tool.server, &self.tool.pid_file) {
            (None, Some(_)) => Wrong::new(
                "only a server goes on in the background",
                "--server with --daemonize",
            ),
            (Some(_), _) if has_jobs || !own.clients.is_empty() => Wrong::new(
                "a server runs what its clients send, and no jobs of its own",
                "run these jobs without --client, in a separate call",
            ),
            (Some(_), _) if self.tool != self.tool.of_server() => Wrong::new(
                "a server has no use for an option of this call",
                "--server with --daemonize, --token-file, --readonly, --quiet and --notes alone",
            ),
            _ => return,
        };
        findings.error(&reader.whole(), wrong);
    }

    /// The server that is to be, if one is asked for.
    pub(super) fn serving(&self) -> Option<Serving> {
        let place = self.tool.server.clone()?;
        let own = &self.tool.own;
        let words = own.cluster.iter();
        let mut files = words.filter_map(|word| word.strip_prefix(TOKEN_FILE));
        Some(Serving {
            place,
            pid_file: self.tool.pid_file.clone().map(Into::into),
            token_file: files.next_back().map(Into::into),
            read_only: own.read_only,
            says: match (own.quiet, own.notes) {
                (true, _) => Some(false),
                (false, true) => Some(true),
                (false, false) => None,
            },
        })
    }

    /// fio gives each client the files behind it.
    fn share_files(&mut self, reader: &Reader, findings: &mut Findings) {
        let mut sets = self.client_words.sets(&self.files);
        match sets.len() {
            0 => {}
            1 => self.files = sets.remove(0).files,
            _ if self.files.iter().any(|file| file == "-") => {
                let wrong = Wrong::new(
                    "standard input is read once, and not all clients have the same job files",
                    "a file in the place of -",
                );
                findings.error(&reader.whole(), wrong);
            }
            many if many > MOST => {
                let wrong = Wrong::new(
                    format!("{many} clients have jobs of their own, and {MOST} may"),
                    "several calls, or the same job files for more of them",
                );
                findings.error(&reader.whole(), wrong);
            }
            _ => self.client_sets = sets,
        }
    }

    fn word(&mut self, word: &Piece, reader: &mut Reader, findings: &mut Findings) {
        if let Some(dash) = word
            .text
            .chars()
            .next()
            .filter(|c| "\u{2013}\u{2014}".contains(*c))
        {
            let message = format!("`{dash}` is a dash of typography, not of options");
            return findings.error(&word.place, Wrong::new(message, "type -- instead"));
        }
        let Some(body) = word.text.strip_prefix('-').filter(|body| !body.is_empty()) else {
            return self.files.push(word.text.clone());
        };
        let (body, is_single) = match body.strip_prefix('-') {
            Some("") => {
                while let Some(file) = reader.next() {
                    self.files.push(file.text);
                }
                return;
            }
            Some(long) => (long, false),
            None => (body, true),
        };
        let (name, value) = match body.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (body, None),
        };
        let letter = tool::of_letter(name).filter(|_| is_single).map(Known::Tool);
        match letter.or_else(|| find(name)) {
            // Without a value it is Fathom's permission; files are laid out in any case.
            Some(Known::Job(option)) if option.name == "overwrite" && value.is_none() => {
                self.tool.own.overwrite = true;
            }
            Some(Known::Job(option)) => {
                let value = value.or_else(|| match option.form {
                    OptionForm::Value => reader.value_if(true),
                    OptionForm::Flag => None,
                    // Whatever that is, as fio takes it.
                    OptionForm::Text => reader.next().map(|piece| piece.text),
                });
                if option.form == OptionForm::Text && value.is_none() {
                    let message = format!("--{name} needs a value");
                    let remedy = format!("as in --{name}=PREFIX");
                    return findings.error(&word.place, Wrong::new(message, remedy));
                }
                self.job_option(word, name, value);
            }
            Some(Known::Tool(option)) => {
                let value = value.or_else(|| reader.value_if(option.takes_value));
                self.tool_option(word, option, value, findings);
            }
            None => {
                let known = tool::TOOL_OPTIONS.iter().map(|option| option.name);
                let close = (!findings.is_full())
                    .then(|| nearest(name, known).or_else(|| options::probably(name)))
                    .flatten();
                let message = format!("unknown option `--{name}`");
                let remedy = "docs/dialects/fio.md lists all options";
                let close = close.map(|close| format!("--{close}"));
                let wrong = Wrong::new(message, remedy).suggest(close.as_deref());
                let mut place = word.place.clone();
                place.span.end = place.span.start + word.text.find('=').unwrap_or(word.text.len());
                findings.error(&place, wrong);
            }
        }
    }

    fn job_option(&mut self, word: &Piece, name: &str, value: Option<String>) {
        let mut value_place = word.place.clone();
        if let Some(equals) = word.text.find('=').filter(|at| at + 1 < word.text.len()) {
            value_place.span.start += equals + 1;
        }
        let entry = Entry {
            key: name.to_owned(),
            value,
            place: word.place.clone(),
            value_place,
        };
        if name == "name" {
            // It begins a section, and is the first of its options, which fio's JSON lists.
            self.jobs.push(Section {
                name: entry.value.clone().unwrap_or_default(),
                place: word.place.clone(),
                entries: entry.value.is_some().then_some(entry).into_iter().collect(),
            });
            return;
        }
        match self.jobs.last_mut() {
            Some(job) => job.entries.push(entry),
            None => self.defaults.push(entry),
        }
    }

    fn tool_option(
        &mut self,
        word: &Piece,
        option: &ToolOption,
        value: Option<String>,
        findings: &mut Findings,
    ) {
        let Some(set) = option.set else {
            let message = format!("--{} is not supported", option.name);
            return findings.error(&word.place, Wrong::new(message, option.remark));
        };
        if option.takes_value && value.is_none() {
            let message = format!("--{} needs a value", option.name);
            return findings.error(&word.place, Wrong::new(message, option.remark));
        }
        if let Err(wrong) = set(&mut self.tool, &value.unwrap_or_default()) {
            findings.error(&word.place, wrong);
        }
    }
}

enum Known {
    Job(&'static FioOption),
    Tool(&'static ToolOption),
}

/// The option of this name, or the only one that begins with it.
fn find(name: &str) -> Option<Known> {
    if let Some(option) = tool::find(name) {
        return Some(Known::Tool(option));
    }
    if let Some(option) = options::find(name) {
        return Some(Known::Job(option));
    }
    let begins = |known: &&str| !name.is_empty() && known.starts_with(name);
    let names = tool::TOOL_OPTIONS.iter().map(|option| option.name);
    let all = names.chain(options::all().flat_map(FioOption::names));
    let mut fitting = all.filter(begins);
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => find(only),
        _ => None,
    }
}

/// One word with its place in the line.
struct Piece {
    text: String,
    place: TextPlace,
}

/// The words, each taken out of the line when its turn has come: there may be millions.
struct Reader {
    source: Arc<Source>,
    /// Where those stand that are left, the next one last.
    spans: Vec<Range<usize>>,
}

impl Reader {
    fn new(words: &[String]) -> Self {
        // A line end inside a word would tear the line that is quoted.
        let line = words.join(" ").replace(['\n', '\r'], " ");
        let mut at = 0;
        let place = |word: &String| {
            let span = at..at + word.len();
            at = span.end + 1;
            span
        };
        let mut spans: Vec<Range<usize>> = words.iter().map(place).collect();
        spans.reverse();
        Self {
            source: Source::new(FILE, &line),
            spans,
        }
    }

    fn next(&mut self) -> Option<Piece> {
        let span = self.spans.pop()?;
        Some(Piece {
            text: self.source.text[span.clone()].to_owned(),
            place: TextPlace {
                source: Arc::clone(&self.source),
                span,
            },
        })
    }

    /// The next word, if the option before it needs a value and this can be one.
    fn value_if(&mut self, needed: bool) -> Option<String> {
        let next = self.spans.last()?;
        if !needed || self.source.text[next.clone()].starts_with("--") {
            return None;
        }
        self.next().map(|piece| piece.text)
    }

    /// Words that are left.
    fn left(&self) -> usize {
        self.spans.len()
    }

    fn whole(&self) -> TextPlace {
        TextPlace {
            source: Arc::clone(&self.source),
            span: 0..self.source.text.len(),
        }
    }
}
