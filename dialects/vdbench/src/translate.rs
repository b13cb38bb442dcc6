//! From definitions to a workload.

use crate::definitions::{Definition, Definitions, Run, Storage};
use crate::loops::MOST_STEPS;
use crate::parameter::Wrong;
use crate::parse::Reading;
use crate::source::{ParameterLines, SourcePlace, Variables};
use crate::storage::counted;
use crate::{keys, words};
use fathom_core::nearest::nearest;
use fathom_core::spec::validate::validate;
use fathom_core::spec::{Phase, Verify, Workload};
use fathom_core::units::Nanos;
use fathom_tools::coverage::OptionRow;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::Surroundings;
use fathom_tools::faults::Faults;
use fathom_tools::own_names::{OwnNames, in_parentheses};
use fathom_tools::plain_job::workload;
use fathom_tools::rebinding::{Kind, Rebound, rebind};
use fathom_tools::translation::{Note, Notes, RunWishes, Standing, Translation};
use std::path::Path;

/// The longest interval that Fathom has, seconds.
const LONGEST_INTERVAL_S: u64 = 60;

/// Of runs with other intervals.
pub(crate) const INTERVALS: OptionRow = OptionRow::near(
    "interval=S of several runs, or above 60",
    "an interval of each run",
    "one for all runs: the shortest, and 60 s at most",
);

/// What is read: files one after another, and the options of the command line.
#[derive(Debug, Default)]
pub(crate) struct Input {
    /// Their names and texts.
    pub(crate) files: Vec<(String, String)>,
    pub(crate) variables: Variables,
    pub(crate) overrides: Overrides,
    /// Other paths for those of the files.
    pub(crate) targets: Vec<String>,
    /// What of the command line is not as vdbench does it.
    pub(crate) notes: Vec<Note>,
}

/// Options that replace parameters of the files.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Overrides {
    pub(crate) elapsed_s: Option<u64>,
    pub(crate) interval_s: Option<u64>,
    pub(crate) warm_up_s: Option<u64>,
    pub(crate) verify: Option<Verify>,
    pub(crate) loops: Option<u32>,
}

/// How sure it is that a text is a parameter file.
pub fn detect(_: &str, text: &str) -> u8 {
    let lines = text.trim_start_matches('\u{feff}').lines();
    let begins = |names: &[&str]| {
        let is = |line: &str| names.iter().any(|name| line.trim_start().starts_with(name));
        lines.clone().any(is)
    };
    let has_storage = begins(&["sd=", "fsd="]);
    let has_work = begins(&["wd=", "fwd="]);
    match (has_storage, has_work, begins(&["rd="])) {
        (true, true, true) => 95,
        (true, true, false) | (_, true, true) | (true, false, true) => 85,
        _ => 0,
    }
}

/// Translates a parameter file.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn translate(
    text: &str,
    file: &str,
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let input = Input {
        files: vec![(file.to_owned(), text.to_owned())],
        ..Input::default()
    };
    translated(&input, surroundings)
}

/// Translates the words after the program's name, and the files that they name.
///
/// # Errors
///
/// Everything that is wrong with them.
pub fn translate_words(
    argv: &[String],
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let words = words::read(argv)?;
    let input = words.input(&|name| surroundings.read(Path::new(name)));
    translated(&input?, surroundings)
}

pub(crate) fn translated(
    input: &Input,
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let (mut reading, begin) = read(input, surroundings)?;
    check_hosts(&mut reading);
    let Reading {
        definitions,
        mut errors,
        notes,
        ..
    } = reading;
    let verify = input.overrides.verify.unwrap_or(definitions.general.verify);
    if definitions.general.dedup > 1.0 && verify != Verify::Off {
        let message = "copies of blocks cannot be checked".to_owned();
        let remedy = "validate= or dedupratio=, one of them".to_owned();
        errors.push(begin.error((message, remedy)));
    }
    let mut translator = Translator {
        definitions: &definitions,
        storage: counted(&definitions.storage.list),
        surroundings,
        overrides: input.overrides,
        verify,
        bound: bound(&definitions, input, surroundings)?,
        errors,
        notes,
        steps: 0,
        jobs: 0,
        names: OwnNames::default(),
    };
    let phases = if translator.errors.is_empty() {
        translator.phases(&begin)
    } else {
        Vec::new()
    };
    let interval = translator.interval();
    let Translator { errors, notes, .. } = translator;
    if !errors.is_empty() {
        return Err(errors.into_vec());
    }
    let workload = Workload {
        interval,
        repeat: input.overrides.loops.unwrap_or(definitions.general.loops),
        ..named(input, phases)
    };
    let mut errors = Faults::default();
    for found in validate(&workload) {
        let message = format!("{}: {}", found.path, found.message);
        errors.push(begin.error((message, found.remedy)));
    }
    if !errors.is_empty() {
        return Err(errors.into_vec());
    }
    Ok(Translation {
        workload,
        notes: notes.into_vec(),
        wishes: RunWishes {
            keep_files: true,
            ..RunWishes::default()
        },
    })
}

/// The definitions of all files, and where the first file begins.
fn read(
    input: &Input,
    surroundings: &dyn Surroundings,
) -> Result<(Reading, SourcePlace), Vec<Diagnostic>> {
    let mut lines = ParameterLines::new(surroundings, &input.variables);
    for note in &input.notes {
        lines.notes.add(note.clone());
    }
    let files = input.files.iter();
    let begins: Vec<SourcePlace> = files.map(|(name, text)| lines.read(text, name)).collect();
    let Some(begin) = begins.into_iter().next() else {
        return Err(Vec::new());
    };
    let unused: Vec<String> = lines.unused().cloned().collect();
    for name in unused {
        let message = format!("no line has the variable `${name}`");
        let error = begin.error((message, "leave it out".to_owned()));
        lines.errors.push(error);
    }
    // Values that are missing make no sense of what follows.
    if !lines.errors.is_empty() {
        return Err(lines.errors.into_vec());
    }
    Ok((Reading::of(lines), begin))
}

/// A workload that is called after its first file.
fn named(input: &Input, phases: Vec<Phase>) -> Workload {
    let names: Vec<&str> = input.files.iter().map(|(name, _)| name.as_str()).collect();
    let stem = names.first().and_then(|name| Path::new(name).file_stem());
    let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
    let name = stem.filter(|stem| !stem.trim().is_empty());
    let name = name.as_deref().unwrap_or("vdbench");
    workload(name, format!("vdbench -f {}", names.join(" ")), phases)
}

/// Other hosts are named by Fathom's own option.
fn check_hosts(reading: &mut Reading) {
    let is_here = |system: &str| ["localhost", "127.0.0.1", "::1"].contains(&system);
    let hosts = &reading.definitions.hosts.list;
    let others = hosts.iter().enumerate().filter(|(index, host)| {
        *index > 0
            || host
                .is
                .system
                .as_deref()
                .is_some_and(|system| !is_here(system))
    });
    let others: Vec<(SourcePlace, String)> = others
        .map(|(_, host)| {
            let system = host.is.system.as_ref().unwrap_or(&host.name);
            (
                host.place.clone(),
                format!("the host `{system}` is not possible here"),
            )
        })
        .collect();
    for (place, message) in others {
        reading.wrong(
            &place,
            (message, format!("without hd=: {}", keys::ELSEWHERE)),
        );
    }
}

/// The paths of a file, and those that replace them.
fn bound(
    definitions: &Definitions,
    input: &Input,
    surroundings: &dyn Surroundings,
) -> Result<Rebound, Vec<Diagnostic>> {
    if input.targets.is_empty() {
        return Ok(Rebound::new());
    }
    let storage = counted(&definitions.storage.list);
    let luns = storage.iter().filter_map(|one| one.is.lun.as_deref());
    let systems = definitions.file_systems.list.iter();
    let anchors: Vec<&str> = systems.filter_map(|one| one.is.anchor.as_deref()).collect();
    let kind = if anchors.is_empty() {
        Kind::Files
    } else {
        Kind::Folders
    };
    let mut names: Vec<&str> = luns.chain(anchors).collect();
    names.sort_unstable();
    names.dedup();
    rebind(&input.targets, &names, kind, surroundings)
}

/// Makes phases of runs.
pub(crate) struct Translator<'a> {
    pub(crate) definitions: &'a Definitions,
    pub(crate) storage: Vec<Definition<Storage>>,
    pub(crate) surroundings: &'a dyn Surroundings,
    overrides: Overrides,
    pub(crate) verify: Verify,
    bound: Rebound,
    errors: Faults,
    notes: Notes,
    /// Runs of all loops so far.
    steps: usize,
    /// Jobs of all of them.
    pub(crate) jobs: usize,
    names: OwnNames,
}

impl Translator<'_> {
    fn phases(&mut self, begin: &SourcePlace) -> Vec<Phase> {
        let definitions = self.definitions;
        let mut phases = Vec::new();
        for run in &definitions.runs.list {
            let made = match (run.is.work.is_empty(), run.is.file_work.is_empty()) {
                (false, true) => self.raw(run),
                (true, false) => self.on_files(run),
                _ => Err((
                    format!("the run `{}` needs workloads", run.name),
                    "wd= or fwd=, one of them".to_owned(),
                )),
            };
            match made {
                Ok(made) => phases.extend(made),
                Err(wrong) => self.errors.push(run.place.error(wrong)),
            }
            if self.errors.is_hopeless() || self.steps > MOST_STEPS {
                break;
            }
        }
        if definitions.runs.list.is_empty() {
            let message = "the file has no run".to_owned();
            let remedy = "`rd=run1,wd=wd1,iorate=max,elapsed=60,interval=1`".to_owned();
            self.errors.push(begin.error((message, remedy)));
        }
        phases
    }

    /// Counts the runs of loops; an error if there are too many.
    pub(crate) fn count(&mut self, steps: Option<usize>) -> Result<(), Wrong> {
        self.steps = self.steps.saturating_add(steps.unwrap_or(MOST_STEPS + 1));
        if self.steps <= MOST_STEPS {
            return Ok(());
        }
        let message = format!("the loops of the file have more than {MOST_STEPS} runs together");
        Err((message, "shorter lists, or fewer loops".to_owned()))
    }

    /// The path that replaces one of the file.
    pub(crate) fn path(&self, path: &str) -> String {
        self.bound
            .get(path)
            .cloned()
            .unwrap_or_else(|| path.to_owned())
    }

    pub(crate) fn note(&mut self, standing: Standing, what: &str, message: &str) {
        self.notes.add(Note::new(standing, what, message));
    }

    /// The definitions of these names; `*` at the end is any end.
    pub(crate) fn chosen<'d, T>(
        kind: &str,
        names: &[String],
        all: &'d [Definition<T>],
    ) -> Result<Vec<&'d Definition<T>>, Wrong> {
        let mut chosen: Vec<&Definition<T>> = Vec::new();
        for name in names {
            let before = chosen.len();
            let is = |one: &&Definition<T>| match name.strip_suffix('*') {
                Some(stem) => one.name.starts_with(stem),
                None => one.name == *name || name == "default",
            };
            chosen.extend(all.iter().filter(is));
            if chosen.len() == before {
                let meant = nearest(name, all.iter().map(|one| one.name.as_str()));
                let remedy = match meant {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("define it with `{kind}={name}` before"),
                };
                return Err((format!("there is no `{kind}={name}`"), remedy));
            }
        }
        let mut seen = std::collections::HashSet::new();
        chosen.retain(|one| seen.insert(one.name.as_str()));
        Ok(chosen)
    }

    /// A phase without jobs. `whole` says that all of its time is measured.
    pub(crate) fn phase(
        &mut self,
        run: &Definition<Run>,
        suffix: &str,
        whole: bool,
    ) -> Result<Phase, Wrong> {
        let elapsed = self.overrides.elapsed_s.unwrap_or(run.is.elapsed_s);
        let interval = self.interval_s(&run.is);
        let warm_up = self.overrides.warm_up_s.unwrap_or(run.is.warm_up_s);
        if elapsed < 2 * interval {
            let message = format!("{elapsed} s are less than two intervals of {interval} s");
            return Err((
                message,
                "a longer elapsed= or a shorter interval=".to_owned(),
            ));
        }
        let (warm_up, measured) = match (whole, warm_up) {
            (true, _) => (0, elapsed),
            // The first interval is in none of vdbench's averages.
            (false, 0) => (interval, elapsed - interval),
            (false, warm_up) => (warm_up, elapsed),
        };
        Ok(Phase {
            name: self
                .names
                .own(&format!("{}{suffix}", run.name), in_parentheses),
            warm_up: Nanos::from_secs(warm_up),
            duration: Some(Nanos::from_secs(measured)),
            ..Phase::plain()
        })
    }

    fn interval_s(&self, run: &Run) -> u64 {
        let elapsed = self.overrides.elapsed_s.unwrap_or(run.elapsed_s);
        let given = self.overrides.interval_s.or(run.interval_s);
        given.unwrap_or((elapsed / 2).clamp(1, LONGEST_INTERVAL_S))
    }

    /// The interval of all runs.
    fn interval(&mut self) -> Nanos {
        let runs = self.definitions.runs.list.iter();
        let all: Vec<u64> = runs.map(|run| self.interval_s(&run.is)).collect();
        let shortest = all
            .iter()
            .copied()
            .min()
            .unwrap_or(1)
            .clamp(1, LONGEST_INTERVAL_S);
        if all.iter().any(|one| *one != shortest) {
            self.note(INTERVALS.standing, "interval", INTERVALS.remark);
        }
        Nanos::from_secs(shortest)
    }
}
