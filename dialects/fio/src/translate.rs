//! Whole inputs to runs.

use super::binding::Binding;
use super::bounds::Bounds;
use super::command_line::CommandLine;
use super::job::{self, Built};
use super::lexer::{self, Section, expand};
use super::lint;
use super::logs::{logs, recordings};
use super::phases::{Group, phases};
use super::processors::Processors;
use super::reading::apply;
use super::run::{FioRun, check_together, rows, sections};
use super::settings::Settings;
use super::source::{Findings, Source, TextPlace, Wrong};
use super::values::with_files;
use super::word::Word;
use fathom_core::engine::Feature;
use fathom_core::spec::validate::validate;
use fathom_core::spec::{Job, Workload};
use fathom_core::{EngineKind, Nanos};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::{Surroundings, reason};
use fathom_tools::drives::OnDrives;
use fathom_tools::translation::{Affinity, RunWishes, Standing, Translation};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

const SYNCHRONOUS: &str = "Linux 6.0 and later do not poll for synchronous requests, which pvsync2 \
                           makes; io_uring polls";

/// Seed of an input that names none: fio's own default.
const SEED: u64 = 0x89;

/// How sure it is, from 0 to 100, that a text is a job file.
pub fn detect(file: &str, text: &str) -> u8 {
    let by_name = Path::new(file)
        .extension()
        .is_some_and(|extension| extension == "fio");
    if by_name {
        return 90;
    }
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with([';', '#']));
    let begins = first.is_some_and(|line| line.starts_with('[') && line.ends_with(']'));
    let known = lines.filter(|line| {
        let key = line.split('=').next().unwrap_or_default();
        matches!(
            key,
            "rw" | "readwrite" | "ioengine" | "iodepth" | "numjobs" | "rwmixread"
        )
    });
    if begins && known.count() > 0 { 60 } else { 0 }
}

/// Translates one job file without a command line.
///
/// # Errors
///
/// All that is wrong with it.
pub fn translate_file(
    text: &str,
    file: &str,
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let line = CommandLine::parse(&[])?;
    let files = [(file.to_owned(), text.to_owned())];
    translate(&line, &files, surroundings).map(|run| run.translation)
}

/// Translates the words of a command line, and the job files that they name.
///
/// # Errors
///
/// All that is wrong with them.
pub fn translate_words(
    words: &[String],
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let line = CommandLine::parse(words)?;
    let mut files = Vec::new();
    for file in &line.files {
        let text = surroundings.read(Path::new(file)).map_err(|error| {
            let all = words.join(" ").replace(['\n', '\r'], " ");
            let start = all.find(file.as_str()).unwrap_or(0);
            let span = start..all.len().min(start + file.len());
            let source = Source::new("command line", &all);
            let mut findings = Findings::default();
            let message = format!("cannot read the job file {file}: {}", reason(&error));
            let wrong = Wrong::new(message, "the path of a job file; options begin with --");
            findings.error(&TextPlace { source, span }, wrong);
            findings.into_errors()
        })?;
        files.push((file.clone(), text));
    }
    translate(&line, &files, surroundings).map(|run| run.translation)
}

/// Translates a command line and the job files that it names, each with its name and its text.
///
/// # Errors
///
/// All that is wrong with them, each with its place.
pub fn translate(
    line: &CommandLine,
    files: &[(String, String)],
    surroundings: &dyn Surroundings,
) -> Result<FioRun, Vec<Diagnostic>> {
    let drives = [line.tool.drives.as_slice(), surroundings.drives()].concat();
    let surroundings = &OnDrives {
        world: surroundings,
        drives: &drives,
    };
    let mut run = Translator {
        line,
        surroundings,
        binding: Binding::of(&line.tool.targets),
        findings: Findings::default(),
        groups: Vec::new(),
        global_options: Vec::new(),
        bounds: Bounds::default(),
        by_name: HashMap::new(),
        tainted: false,
    };
    let mut defaults = Settings::of_fio();
    if !line.tool.own.clients.is_empty() {
        defaults.filename_format.insert_str(0, "{host}.");
    }
    if let Some(first) = line.defaults.first() {
        run.check_length(&line.defaults, &first.place);
    }
    for job in &line.jobs {
        run.check_length(&job.entries, &job.place);
    }
    if !run.findings.is_clean() {
        return Err(run.findings.into_errors());
    }
    let mut given = run.expanded(&line.defaults);
    read_patterns(&mut given, surroundings);
    run.bounds.inherit(&given);
    apply(&mut defaults, given, &mut run.findings);
    run.remember(&mut defaults, 0);
    let mut jobs = line.jobs.clone();
    for job in &mut jobs {
        job.entries = run.expanded(&job.entries);
    }
    run.sections(jobs, &defaults, true);
    for (number, (file, text)) in files.iter().enumerate() {
        let source = Source::new(file, text);
        let sections = lexer::sections(&source, surroundings, &mut run.findings);
        if sections.iter().all(Section::is_global) {
            let place = TextPlace {
                span: 0..0,
                source: Arc::clone(&source),
            };
            let wrong = Wrong::new("the file has no job", "a section, as in [job1]");
            run.findings.error(&place, wrong);
        }
        // The jobs of the command line run with those of the first file.
        run.sections(sections, &defaults, number > 0);
    }
    run.finish(name_of(line, files))
}

/// Puts the bytes of files that patterns name in their place.
fn read_patterns(entries: &mut [lexer::Entry], surroundings: &dyn Surroundings) {
    for entry in entries {
        if let ("buffer_pattern" | "verify_pattern", Some(value)) =
            (entry.key.as_str(), &mut entry.value)
        {
            *value = with_files(value, surroundings);
        }
    }
}

/// The name of the workload: that of the first file or job.
fn name_of(line: &CommandLine, files: &[(String, String)]) -> String {
    let of_file = files.first().and_then(|(file, _)| {
        let stem = Path::new(file).file_stem()?;
        Some(stem.to_string_lossy().into_owned())
    });
    let of_job = line.jobs.first().map(|job| job.name.clone());
    let name = of_job.or(of_file).unwrap_or_default();
    if name.trim().is_empty() || name == "-" {
        "fio".to_owned()
    } else {
        name
    }
}

struct Translator<'a> {
    line: &'a CommandLine,
    surroundings: &'a dyn Surroundings,
    binding: Binding,
    findings: Findings,
    groups: Vec<Group>,
    global_options: Vec<(String, String)>,
    bounds: Bounds,
    /// The last section of a name: its group, and its place there, which is the first of the name.
    by_name: HashMap<String, (usize, usize)>,
    /// Whether defaults are wrong, so that what is wrong with jobs may follow from it.
    tainted: bool,
}

impl Translator<'_> {
    /// Options of the command line know the variables as well.
    fn expanded(&self, entries: &[lexer::Entry]) -> Vec<lexer::Entry> {
        let mut entries = entries.to_vec();
        for value in entries.iter_mut().filter_map(|entry| entry.value.as_mut()) {
            *value = expand(value, self.surroundings).into_owned();
        }
        entries
    }

    /// Whether a section has no more options than anybody would write.
    fn check_length(&mut self, entries: &[lexer::Entry], place: &TextPlace) -> bool {
        let is_short = entries.len() <= lexer::MOST_OPTIONS;
        if !is_short {
            let wrong = Wrong::new(
                format!("more than {} options in one section", lexer::MOST_OPTIONS),
                "each option once; fio has some hundred of them",
            );
            self.findings.error(place, wrong);
        }
        is_short
    }

    /// The sections of one file, or the jobs of the command line: with `apart` a stonewall is
    /// implied before the first.
    fn sections(&mut self, sections: Vec<Section>, defaults: &Settings, apart: bool) {
        let mut global = defaults.clone();
        let known = self.groups.len();
        let begin = if apart {
            known
        } else {
            known.saturating_sub(1)
        };
        for mut section in sections {
            if self.findings.is_hopeless() {
                return;
            }
            if !self.check_length(&section.entries, &section.place) {
                continue;
            }
            read_patterns(&mut section.entries, self.surroundings);
            if section.is_global() {
                let before = global.given.len();
                self.bounds.inherit(&section.entries);
                apply(&mut global, section.entries, &mut self.findings);
                // A section keeps the name in its brackets.
                global.name.clone_from(&defaults.name);
                self.remember(&mut global, before);
                continue;
            }
            let chosen = &self.line.tool.sections;
            if !chosen.is_empty() && !chosen.contains(&section.name) {
                continue;
            }
            let Some(mut built) = self.section(section, &global) else {
                return;
            };
            let wall = built.settings.stonewall || self.line.tool.one_by_one;
            let waits = self.waits(&mut built, begin);
            if wall || waits || begin == self.groups.len() {
                self.groups.push(Vec::new());
            }
            self.push(built);
        }
        let at_once = self.groups.get(begin..).unwrap_or_default();
        if let ([only], false) = (at_once, self.line.tool.as_written) {
            lint::check_at_once(only, &mut self.findings);
        }
    }

    /// Puts a section into the last group.
    fn push(&mut self, built: Built) {
        let number = self.groups.len().saturating_sub(1);
        let Some(group) = self.groups.last_mut() else {
            return;
        };
        let place = (number, group.len());
        let known = self.by_name.get(&built.name);
        if known.is_none_or(|(group, _)| *group != number) {
            self.by_name.insert(built.name.clone(), place);
        }
        group.push(built);
    }

    /// Builds a section; none where there is more than anybody could run.
    fn section(&mut self, section: Section, global: &Settings) -> Option<Built> {
        let before = self.findings.errors();
        if let Err(wrong) = self.bounds.check_inherited(global.filenames.len()) {
            self.findings.error(&section.place, wrong);
            return None;
        }
        let mut settings = global.clone();
        let Section {
            name,
            place,
            entries,
        } = section;
        apply(&mut settings, entries, &mut self.findings);
        self.pin_to_nodes(&mut settings, &place);
        if let Err(wrong) = self.binding.put(&mut settings, self.surroundings) {
            let word = settings.word("filename");
            let place = word.map_or(&place, |word| &word.place);
            self.findings.error(place, wrong);
        }
        if let Err(wrong) = self.bounds.add(&settings) {
            self.findings.error(&place, wrong);
            return None;
        }
        let inherited = global.given.len();
        let was_clean = !self.tainted && before == self.findings.errors();
        let mut ignored = Findings::default();
        let mut built = job::build(
            &name,
            &place,
            settings,
            &self.binding.plain,
            self.surroundings,
            if was_clean {
                &mut self.findings
            } else {
                &mut ignored
            },
        );
        built.inherited = inherited;
        let pattern = built.settings.pattern;
        let destroys = built.jobs.iter().any(Job::destroys);
        if self.line.tool.own.read_only && (pattern.writes() || pattern.trims() || destroys) {
            let message = format!("the job `{}` writes", built.name);
            let wrong = Wrong::new(message, "without --readonly");
            self.findings.error(&built.place, wrong);
        }
        Some(built)
    }

    /// Pins to the processors of the nodes that were named.
    fn pin_to_nodes(&mut self, settings: &mut Settings, place: &TextPlace) {
        let mut all = Vec::new();
        for node in &settings.nodes {
            let path = format!("/sys/devices/system/node/node{node}/cpulist");
            let text = self.surroundings.read(Path::new(&path));
            let found = text.ok().and_then(|text| Processors::of(text.trim()));
            match found {
                Some(found) => all.push(found),
                None if self.surroundings.is_elsewhere() => {}
                None => {
                    let word = settings.word("numa_cpu_nodes");
                    let place = word.map_or(place, |word| &word.value_place);
                    let message = format!("there is no node {node} on this machine");
                    let remedy = "the nodes below /sys/devices/system/node";
                    self.findings.error(place, Wrong::new(message, remedy));
                    return;
                }
            }
        }
        if !all.is_empty() {
            settings.processors = Some(Processors::together(all));
        }
    }

    /// Whether a section waits for the only one that would run with it. For one that ends by time
    /// it begins later, and for one of an earlier group it need not wait.
    fn waits(&mut self, built: &mut Built, begin: usize) -> bool {
        let Some(name) = built.settings.wait_for.clone() else {
            return false;
        };
        let last = self.groups.len().checked_sub(1);
        let last = last.filter(|number| *number >= begin);
        let Some((number, running)) = last.and_then(|last| Some((last, self.groups.get(last)?)))
        else {
            self.not_before(built, &name);
            return false;
        };
        let known = self.by_name.get(&name).filter(|(group, _)| *group >= begin);
        let Some((_, place)) = known.filter(|(group, _)| *group == number) else {
            if known.is_none() {
                self.not_before(built, &name);
            }
            return false;
        };
        let awaited = &running[*place];
        if running.len() == 1 {
            return true;
        }
        let other = &awaited.settings;
        if awaited.ends || other.runtime == Nanos::ZERO {
            self.not_before(built, &name);
            return false;
        }
        let settings = &mut built.settings;
        settings.start_delay = settings.start_delay.max(other.start_delay);
        let taken = other.ramp.saturating_add(other.runtime);
        settings.waits = other.waits.saturating_add(taken);
        false
    }

    fn not_before(&mut self, built: &Built, name: &str) {
        if let Some(word) = built.settings.word("wait_for") {
            let wrong = Wrong::new(
                format!("`{name}` is no job whose end is known when this one is to begin"),
                "a job before this one, alone or with time_based; or stonewall, which waits for \
                 all of them",
            );
            self.findings.error(&word.place, wrong);
        }
    }

    fn remember(&mut self, settings: &mut Settings, before: usize) {
        self.tainted |= !self.findings.is_clean();
        // fio leaves out flags.
        let given = settings.given.iter().skip(before);
        for word in given.filter(|word| word.value.is_some()) {
            let pair = (word.name.to_owned(), word.text().to_owned());
            self.global_options.push(pair);
        }
        settings.keep_last_mentions();
    }

    fn finish(mut self, name: String) -> Result<FioRun, Vec<Diagnostic>> {
        if self.groups.is_empty() && self.findings.is_clean() {
            self.nothing_to_run();
        }
        if let Some((place, wrong)) = self.binding.unused() {
            self.findings.error(&place, wrong);
        }
        if !self.findings.is_clean() {
            return Err(self.findings.into_errors());
        }
        lint::check(&self.groups, &mut self.findings);
        check_together(&self.groups, &mut self.findings);
        self.engines_by_job();
        let phases = phases(&mut self.groups, &mut self.findings);
        let workload = Workload {
            name,
            source: "fio".to_owned(),
            seed: self.seed(),
            phases,
            ..Workload::plain()
        };
        self.validate(&workload);
        let wishes = self.wishes();
        let recordings = recordings(&self.groups, &workload.phases, &mut self.findings);
        if !self.findings.is_clean() {
            return Err(self.findings.into_errors());
        }
        let jobs = rows(&self.groups, &workload.phases);
        let sections = sections(&self.groups);
        let logs = logs(&self.groups, &workload.phases);
        let warnings = self.findings.take_warnings();
        let disk_util = self.all().any(|built| built.settings.wanted.disk_util);
        Ok(FioRun {
            translation: Translation {
                workload,
                notes: self.findings.take_notes(),
                wishes,
            },
            warnings,
            global_options: self.global_options,
            jobs,
            sections,
            logs,
            recordings,
            disk_util,
        })
    }

    /// Says that there is no job.
    fn nothing_to_run(&mut self) {
        let source = Source::new("command line", "");
        let place = TextPlace { span: 0..0, source };
        let wrong = if self.line.tool.sections.is_empty() {
            Wrong::new(
                "no job is given",
                "a job file, or --name=NAME with its options",
            )
        } else {
            Wrong::new(
                "no section has the name asked for",
                "--section as the file writes it",
            )
        };
        self.findings.error(&place, wrong);
    }

    fn all(&self) -> impl Iterator<Item = &Built> {
        self.groups.iter().flatten()
    }

    /// The last seed that is named, or that of all runs unless none is to be repeated.
    fn seed(&self) -> Option<u64> {
        let seeds = self.all().filter_map(|built| built.settings.seed);
        let repeats = || self.all().any(|built| built.settings.repeats_seed);
        seeds.last().or_else(|| repeats().then_some(SEED))
    }

    /// The rules of the native specification, reported at the section that breaks them.
    fn validate(&mut self, workload: &Workload) {
        for violation in validate(workload) {
            // Each is looked up among the sections of its group.
            if self.findings.is_hopeless() {
                return;
            }
            let index = |word: &str| {
                let (_, rest) = violation.path.split_once(word)?;
                rest.split(']').next()?.parse::<usize>().ok()
            };
            let group = index("phase[").and_then(|phase| self.groups.get(phase));
            let mut job = index("job[").unwrap_or(0);
            let built = group.and_then(|group| {
                group.iter().find(|built| {
                    let is_here = job < built.jobs.len();
                    job = job.wrapping_sub(if is_here { 0 } else { built.jobs.len() });
                    is_here
                })
            });
            let Some(place) = built.map(|built| built.place.clone()) else {
                continue;
            };
            let wrong = Wrong::new(violation.message, violation.remedy);
            self.findings.error(&place, wrong);
        }
    }

    /// Only rings can be polled for, and for what is synchronous Linux 6.0 and later do not poll,
    /// whoever asks.
    fn check_polling(&mut self) {
        for built in self.groups.iter_mut().flatten() {
            let settings = &mut built.settings;
            let engine = settings.word("ioengine").map_or("", |word| word.text());
            if engine.trim() == "pvsync2" && settings.wishes.completion_polling {
                settings.wishes.completion_polling = false;
                let what = settings.word("hipri").map_or_else(String::new, Word::what);
                self.findings.note(Standing::Ignored, &what, SYNCHRONOUS);
            }
        }
        let jobs = self.groups.iter().flatten();
        let asked = jobs.flat_map(|built| {
            let words = [
                (built.settings.wishes.completion_polling, "hipri"),
                (built.settings.wishes.submission_polling, "sqthread_poll"),
            ];
            let is_ring = matches!(
                built.settings.engine.fathom,
                Some(kind) if kind.lacks(Feature::Polling).is_none()
            );
            let asked = words
                .into_iter()
                .filter(move |(asked, _)| *asked && !is_ring);
            asked.filter_map(|(_, name)| Some(built.settings.word(name)?.place.clone()))
        });
        for place in asked.collect::<Vec<_>>() {
            let wrong = Wrong::new(
                "only io_uring and io_uring_cmd can poll",
                "ioengine=io_uring",
            );
            self.findings.error(&place, wrong);
        }
    }

    /// The engine of each section.
    fn engines(&self) -> Vec<Option<EngineKind>> {
        self.all()
            .map(|built| built.settings.engine.fathom)
            .collect()
    }

    /// Gives each job the engine of its section, where they differ.
    fn engines_by_job(&mut self) {
        let engines = self.engines();
        if engines.windows(2).all(|pair| pair[0] == pair[1]) {
            return;
        }
        for built in self.groups.iter_mut().flatten() {
            let engine = built.settings.engine.fathom;
            built.jobs.iter_mut().for_each(|job| job.engine = engine);
        }
    }

    /// Says which sections do not get their files removed, since others keep theirs.
    fn note_kept_files(&mut self) {
        let removes = |built: &&Built| !built.settings.wishes.keep_files;
        if self.all().all(|built| removes(&built)) {
            return;
        }
        let words = self.all().filter(removes);
        let words = words.filter_map(|built| built.settings.word("unlink"));
        let words: Vec<String> = words.map(Word::what).collect();
        for what in words {
            let message = "the files of all sections stay where those of any do";
            self.findings.note(Standing::Approximated, &what, message);
        }
    }

    fn wishes(&mut self) -> RunWishes {
        self.check_polling();
        self.note_kept_files();
        let engines = self.engines();
        // Of several, each job has its own.
        let one_for_all = engines.windows(2).all(|pair| pair[0] == pair[1]);
        let engine = engines.first().filter(|_| one_for_all).copied().flatten();
        let wishes = self.all().map(|built| {
            let settings = &built.settings;
            RunWishes {
                tolerated: settings.goes_on_with.clone().and(settings.ignores.clone()),
                ..settings.wishes.clone()
            }
        });
        let mut wishes = wishes.reduce(together).unwrap_or_default();
        let named = self
            .all()
            .filter_map(|built| built.settings.processors.as_ref());
        let named: Vec<Arc<Processors>> = named.cloned().collect();
        if !named.is_empty() {
            wishes.affinity = Affinity::List(Processors::together(named).list());
        }
        RunWishes { engine, ..wishes }
    }
}

/// What jobs wish that share a run: what any of them asks for beyond the usual.
fn together(one: RunWishes, other: RunWishes) -> RunWishes {
    RunWishes {
        huge_pages: one.huge_pages || other.huge_pages,
        submission_polling: one.submission_polling || other.submission_polling,
        submission_cpu: one.submission_cpu.or(other.submission_cpu),
        completion_polling: one.completion_polling || other.completion_polling,
        keep_files: one.keep_files || other.keep_files,
        stop_on_error: one.stop_on_error && other.stop_on_error,
        tolerated: one.tolerated.and(other.tolerated),
        ..one
    }
}
