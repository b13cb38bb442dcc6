//! From what a file says to a workload.

use super::icf::{Access, At, Icf, Spec, Worker};
use super::lines::IcfLines;
use super::options;
use super::parse::parse;
use fathom_core::nearest::nearest;
use fathom_core::op::Op;
use fathom_core::spec::validate::{MOST_JOBS, validate};
use fathom_core::spec::{Data, IoKind, Job, Pacing, Phase};
use fathom_core::units::{Bytes, Nanos, Percent};
use fathom_tools::coverage::OptionRow;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::Surroundings;
use fathom_tools::drives::{Drive, found, on_drive, raw_device};
use fathom_tools::faults::Faults;
use fathom_tools::own_names::{OwnNames, in_parentheses};
use fathom_tools::plain_job::{job, workload};
use fathom_tools::translation::{Note, Notes, RunWishes, Translation};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Bytes of a sector, in which Iometer counts.
const SECTOR: u64 = 512;
/// Longest step, seconds: ten years.
const LONGEST_SECONDS: u64 = 10 * 365 * 24 * 3600;
/// Largest request.
const MOST_BYTES: u64 = 1 << 30;
/// Deepest queue.
const DEEPEST: u64 = 32_768;
/// The file that Iometer makes on a volume.
const FILE: &str = "iobw.tst";

/// The specification that has a worker wait for the others.
const IDLE: &str = "Idle";

/// How sure it is that a text is a configuration file.
pub fn detect(file: &str, text: &str) -> u8 {
    let is_named = std::path::Path::new(file)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("icf"));
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let is_begun = lines.next().is_some_and(|line| {
        let word = line.split_whitespace().next().unwrap_or_default();
        word.eq_ignore_ascii_case("version")
    });
    let has_keys = lines.take(20).any(|line| line.starts_with('\''));
    match (is_named, is_begun && has_keys) {
        (_, true) => 95,
        (true, false) => 60,
        (false, false) => 0,
    }
}

/// Translates a file.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn translate(
    text: &str,
    file: &str,
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    translate_timed(text, file, false, surroundings.drives())
}

/// The same; `is_timed` says that the measured time is given separately, whatever the file says.
pub(super) fn translate_timed(
    text: &str,
    file: &str,
    is_timed: bool,
    drives: &[Drive],
) -> Result<Translation, Vec<Diagnostic>> {
    let mut lines = IcfLines::new(text, file);
    let icf = parse(&mut lines)?;
    let mut translator = Translator {
        lines: &lines,
        is_timed,
        drives,
        errors: Faults::default(),
        notes: Notes::default(),
    };
    let phases = translator.phases(icf.clone());
    if !translator.errors.is_empty() {
        return Err(translator.errors.into_vec());
    }
    let name = std::path::Path::new(file)
        .file_stem()
        .map(|stem| stem.to_string_lossy().trim().to_owned())
        .filter(|stem| !stem.is_empty());
    let mut workload = workload(
        name.as_deref().unwrap_or("iometer"),
        format!("Iometer: {file}"),
        phases,
    );
    workload.description = icf.setup.description;
    // Without a fixed seed Iometer draws one for each run, as Fathom does.
    workload.seed = icf.workers.iter().find_map(|worker| worker.seed);
    // What the rules of a workload refuse and no line was blamed for yet: names that are missing,
    // times beyond all reason.
    let refused: Vec<Diagnostic> = validate(&workload)
        .into_iter()
        .map(|found| {
            let message = format!("{}: {}", found.path, found.message);
            lines.error(0..0, message, &found.remedy)
        })
        .collect();
    if !refused.is_empty() {
        return Err(refused);
    }
    Ok(Translation {
        workload,
        notes: translator.notes.into_vec(),
        wishes: RunWishes::default(),
    })
}

struct Translator<'t> {
    lines: &'t IcfLines<'t>,
    /// Whether the measured time is given separately.
    is_timed: bool,
    /// Where drives of Windows are here.
    drives: &'t [Drive],
    errors: Faults,
    notes: Notes,
}

impl Translator<'_> {
    fn phases(&mut self, mut icf: Icf) -> Vec<Phase> {
        self.note_all(&icf);
        icf.workers.retain(|worker| !worker.network);
        self.workers_by_default(&mut icf);
        let specs = std::mem::take(&mut icf.specs);
        for spec in &specs {
            self.check_spec(spec);
        }
        let seconds = self.run_seconds(&icf);
        self.check_test_type(&icf);
        let rounds = icf.workers.iter().map(|worker| worker.specs.len()).max();
        if rounds.unwrap_or(0).saturating_mul(icf.workers.len()) > MOST_JOBS {
            let message = format!("all steps together have more than {MOST_JOBS} workers");
            let remedy = "fewer specifications for each worker, or fewer workers";
            self.errors.push(self.lines.error(0..0, message, remedy));
            return Vec::new();
        }
        let mut phases: Vec<Phase> = Vec::new();
        let mut taken = OwnNames::default();
        let mut known: BTreeMap<&str, &Spec> = BTreeMap::new();
        for spec in &specs {
            known.entry(&spec.name.value).or_insert(spec);
        }
        for round in 0..rounds.unwrap_or(0) {
            let (named, assigned) = self.assigned(&icf, &known, round);
            let jobs = self.jobs(&assigned);
            if jobs.is_empty() {
                continue;
            }
            phases.push(Phase {
                name: taken.own(&named, in_parentheses),
                warm_up: Nanos::from_secs(icf.setup.ramp_seconds.min(LONGEST_SECONDS)),
                duration: Some(Nanos::from_secs(seconds)),
                jobs,
                ..Phase::plain()
            });
        }
        if phases.is_empty() && self.errors.is_empty() {
            let message = "the file assigns no access specification to a disk worker";
            let remedy = "give it an access specification, and a worker that has it assigned";
            self.errors.push(self.lines.error(0..0, message, remedy));
        }
        phases
    }

    /// Refuses tests that go through numbers of workers, targets or outstanding I/Os.
    fn check_test_type(&mut self, icf: &Icf) {
        if let Some(kind) = icf
            .setup
            .test_type
            .as_ref()
            .filter(|at| at.value != "NORMAL")
        {
            let message = format!(
                "a test of type `{}` cannot be honoured: {}",
                kind.value,
                options::CYCLES.remark
            );
            let error = self.lines.error(kind.place.clone(), message, "NORMAL");
            self.errors.push(error);
        }
    }

    /// What can be said of the file as a whole.
    fn note_all(&mut self, icf: &Icf) {
        for key in &icf.unknown {
            self.note(&options::UNKNOWN, key.clone());
        }
        if icf.managers.len() > 1 {
            let names: Vec<&str> = icf.managers.iter().map(|at| at.value.as_str()).collect();
            self.note(&options::MANAGERS, names.join(", "));
        }
        for worker in &icf.workers {
            let name = &worker.name.value;
            if worker.network {
                self.note(&options::NETWORK, name.clone());
                continue;
            }
            if worker.connection_rate {
                self.note(
                    &options::CONNECTIONS,
                    format!("{name}: test connection rate"),
                );
            }
            if worker.seed.is_some() {
                self.note(&options::SEED, format!("{name}: fixed seed"));
            }
            if worker.sectors == 0 {
                self.note(&options::SIZE_ALL, format!("{name}: Disk maximum size 0"));
            }
            match worker.pattern {
                0 => self.note(
                    &options::PATTERN_REPEATING,
                    format!("{name}: Data pattern 0"),
                ),
                1 => self.note(&options::PATTERN_PSEUDO, format!("{name}: Data pattern 1")),
                _ => {}
            }
            if worker.targets.is_empty() {
                self.note(&options::NO_TARGET, format!("{name}: no target"));
            }
        }
        let disks = icf.workers.iter().filter(|worker| !worker.network);
        let targets = disks.flat_map(|worker| &worker.targets);
        let mut seen: HashSet<&str> = HashSet::new();
        for target in targets {
            let name = target.value.as_str();
            let is_role = target_of(name, self.drives).starts_with('@');
            if is_role && seen.insert(name) {
                let message = format!(
                    "it becomes the role `{0}`: --target {0}=PATH",
                    role_of(name)
                );
                self.notes
                    .add(Note::new(options::ROLE.standing, name, message));
            }
        }
    }

    fn note(&mut self, row: &OptionRow, what: String) {
        let note = Note::new(row.standing, what, row.remark);
        self.notes.add(note);
    }

    /// A file of specifications alone still has workers.
    fn workers_by_default(&mut self, icf: &mut Icf) {
        if !icf.workers.is_empty() || icf.specs.is_empty() {
            return;
        }
        let has_default = icf.specs.iter().any(|spec| spec.by_default);
        let chosen = icf
            .specs
            .iter()
            .filter(|spec| spec.by_default || !has_default);
        let specs: Vec<At<String>> = chosen.map(|spec| spec.name.clone()).collect();
        let count = icf.setup.default_workers.unwrap_or(1).clamp(1, 4096);
        self.note(&options::DEFAULTS, "no worker".to_owned());
        icf.workers = (1..=count)
            .map(|number| Worker {
                name: At {
                    value: format!("Worker {number}"),
                    place: 0..0,
                },
                pattern: 2,
                specs: specs.clone(),
                ..Worker::default()
            })
            .collect();
    }

    fn run_seconds(&mut self, icf: &Icf) -> u64 {
        let (place, message) = match &icf.setup.run_seconds {
            Some(time) if (1..=LONGEST_SECONDS).contains(&time.value) => return time.value,
            Some(time) if time.value > 0 => (
                time.place.clone(),
                "a step of more than ten years is not possible".to_owned(),
            ),
            // It takes the place of this one.
            _ if self.is_timed => return 1,
            Some(time) => (
                time.place.clone(),
                format!(
                    "a run time of 0 cannot be honoured: {}",
                    options::ENDLESS.remark
                ),
            ),
            None => (0..0, "the file has no run time".to_owned()),
        };
        let remedy = "give hours, minutes and seconds below `'Run Time`, or `--time` to \
                      `fathom iometer`";
        self.errors.push(self.lines.error(place, message, remedy));
        1
    }

    fn check_spec(&mut self, spec: &Spec) {
        let sum: u64 = spec.lines.iter().map(|line| line.of_size).sum();
        if spec.name.value == IDLE && spec.lines.is_empty() {
            return;
        }
        let mut error = |place: std::ops::Range<usize>, message: String, remedy: &str| {
            self.errors.push(self.lines.error(place, message, remedy));
        };
        if sum != 100 {
            let message = format!("the lines of `{}` have {sum} % together", spec.name.value);
            error(spec.name.place.clone(), message, "make their shares 100 %");
        }
        for line in &spec.lines {
            let place = || line.place.clone();
            if line.reply > 0 {
                let message = format!("a reply cannot be honoured: {}", options::REPLY.remark);
                error(place(), message, "0 as the last number");
            }
            if line.size == 0 || !line.size.is_multiple_of(SECTOR) || line.size > MOST_BYTES {
                let message = format!("direct I/O cannot move {} bytes", line.size);
                error(place(), message, "a multiple of 512 up to 1 GiB");
            }
            if !line.align.is_multiple_of(SECTOR) {
                let message = format!("direct I/O cannot begin at multiples of {}", line.align);
                error(place(), message, "a multiple of 512, or 0");
            }
        }
        self.note_pauses(spec);
    }

    fn note_pauses(&mut self, spec: &Spec) {
        let lines = &spec.lines;
        let Some(first) = lines.first() else { return };
        let paused = lines.iter().any(|line| line.delay_ms > 0);
        let alike = |line: &Access| (line.delay_ms, line.burst) == (first.delay_ms, first.burst);
        if paused && lines.iter().all(alike) {
            self.note(&options::DELAY, format!("{}: delay", spec.name.value));
        } else if paused {
            self.note(&options::DELAYS, format!("{}: delay", spec.name.value));
        }
        if lines.len() > 1 && lines.iter().any(|line| line.burst > 1) {
            self.note(&options::BURST, format!("{}: burst", spec.name.value));
        }
    }

    /// What each worker does in a round, and what the round is called.
    fn assigned<'a>(
        &mut self,
        icf: &'a Icf,
        specs: &BTreeMap<&str, &'a Spec>,
        round: usize,
    ) -> (String, Vec<(&'a Worker, Option<&'a Spec>)>) {
        let mut names: Vec<&str> = Vec::new();
        let mut named: HashSet<&str> = HashSet::new();
        let mut all = Vec::new();
        for worker in &icf.workers {
            let Some(name) = worker.specs.get(round) else {
                all.push((worker, None));
                continue;
            };
            let found = specs.get(name.value.as_str()).copied();
            if found.is_none() && name.value != IDLE {
                let known = specs.keys().copied().filter(|_| !self.errors.is_full());
                let mut error = self.lines.error(
                    name.place.clone(),
                    format!("there is no access specification `{}`", name.value),
                    "define it in the section ACCESS SPECIFICATIONS",
                );
                error.suggestion =
                    nearest(&name.value, known).map(|meant| format!("did you mean `{meant}`?"));
                self.errors.push(error);
            }
            let found = found.filter(|spec| !spec.lines.is_empty());
            if found.is_some() && named.insert(&name.value) {
                names.push(&name.value);
            }
            all.push((worker, found));
        }
        let name = match names[..] {
            [] => IDLE.to_owned(),
            [one] => one.to_owned(),
            [first, ..] => format!("{first} and {} more", names.len() - 1),
        };
        (name, all)
    }

    fn jobs(&mut self, assigned: &[(&Worker, Option<&Spec>)]) -> Vec<Job> {
        let mut jobs: Vec<Job> = Vec::new();
        let mut taken = OwnNames::default();
        for (worker, spec) in assigned {
            let Some(spec) = spec else {
                continue;
            };
            let mut job = self.job(worker, spec);
            job.name = taken.own(&job.name, in_parentheses);
            jobs.push(job);
        }
        jobs
    }

    fn job(&mut self, worker: &Worker, spec: &Spec) -> Job {
        let name = Some(worker.name.value.trim()).filter(|name| !name.is_empty());
        let mut job = job(name.unwrap_or("Worker"));
        let targets = worker.targets.iter();
        job.targets = targets
            .map(|target| target_of(&target.value, self.drives))
            .collect();
        let own = worker.outstanding.as_ref();
        let depth = own.map_or(1, |at| at.value);
        if depth == 0 || depth > DEEPEST {
            let place = own.map_or(0..0, |at| at.place.clone());
            let message = format!("{depth} outstanding I/Os are not possible");
            self.errors
                .push(self.lines.error(place, message, "choose 1 to 32768"));
        }
        job.queue_depth = depth.clamp(1, DEEPEST) as u32;
        job.offset = Bytes(worker.first_sector.saturating_mul(SECTOR));
        if worker.sectors > 0 {
            job.window = Some(Bytes(worker.sectors.saturating_mul(SECTOR)));
            self.check_window(worker, spec);
        }
        job.durability.direct = true;
        job.data = data_of(worker.pattern);
        job.pacing = pacing_of(&spec.lines);
        job.kinds = kinds_of(&spec.lines);
        job
    }

    fn check_window(&mut self, worker: &Worker, spec: &Spec) {
        let bytes = worker.sectors.checked_mul(SECTOR);
        let first = worker.first_sector.checked_mul(SECTOR);
        let end = bytes.zip(first).and_then(|(a, b)| a.checked_add(b));
        let largest = spec.lines.iter().map(|line| line.size).max().unwrap_or(0);
        let fits = end.is_some_and(|end| i64::try_from(end).is_ok());
        if !fits || bytes.is_none_or(|bytes| bytes < largest) {
            let message = format!(
                "{} sectors from sector {} do not hold a request of {largest} bytes",
                worker.sectors, worker.first_sector
            );
            let place = worker.name.place.clone();
            let remedy = "another `Disk maximum size` for this worker, or 0";
            let error = self.lines.error(place, message, remedy);
            self.errors.push(error);
        }
    }
}

/// The path of a target, or its role: a drive that is here has the file that Iometer makes there,
/// and a physical drive of a Windows is itself.
fn target_of(name: &str, drives: &[Drive]) -> String {
    if name.starts_with('/') {
        return name.to_owned();
    }
    // A file on a drive.
    let below = on_drive(name).and_then(|(_, rest)| rest.strip_prefix(['\\', '/']));
    let is_file = below.is_some_and(|rest| !rest.is_empty() && !rest.starts_with([' ', '"']));
    if let Some(here) = is_file.then(|| found(name, drives)).flatten() {
        return here;
    }
    let (kind, number) = name.split_once(':').unwrap_or_default();
    if kind.eq_ignore_ascii_case("physicaldrive")
        && let Some(here) = raw_device(&format!("#{number}"), drives)
    {
        return here;
    }
    // A volume by its letter, with or without its label: `C:`, `C: "System"`.
    let volume = name.split([' ', '"']).next().unwrap_or_default();
    let volume = on_drive(volume).filter(|(_, rest)| rest.is_empty() || *rest == "\\");
    let here = volume.and_then(|_| found(&name[..2], drives));
    here.map_or_else(
        || format!("@{}", role_of(name)),
        |here| Path::new(&here).join(FILE).display().to_string(),
    )
}

/// A role is one word: letters and digits of the name, with hyphens between them.
fn role_of(name: &str) -> String {
    let mut role = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            role.push(c.to_ascii_lowercase());
        } else if !role.is_empty() && !role.ends_with('-') {
            role.push('-');
        }
    }
    let role = role.trim_end_matches('-');
    if role.is_empty() { "disk" } else { role }.to_owned()
}

fn data_of(pattern: u64) -> Data {
    let compressible_to = if pattern == 0 {
        Percent(1.0)
    } else {
        Percent::ALL
    };
    Data {
        compressible_to,
        ..Data::PLAIN
    }
}

/// Requests of a line by bursts: how much it weighs.
fn weight(line: &Access) -> f64 {
    line.of_size as f64 * line.burst as f64
}

fn pacing_of(lines: &[Access]) -> Pacing {
    let total: u64 = lines.iter().map(|line| line.of_size).sum();
    let mean = |value: fn(&Access) -> u64| {
        let sum: f64 = lines
            .iter()
            .map(|line| line.of_size as f64 * value(line) as f64)
            .sum();
        sum / total.max(1) as f64
    };
    let think = Nanos((mean(|line| line.delay_ms) * 1e6).round() as u64);
    if think == Nanos::ZERO {
        return Pacing::CLOSED;
    }
    Pacing::Closed {
        think,
        burst: (mean(|line| line.burst).round() as u64).max(1),
    }
}

/// Reads and writes of every line, each as often as the line says.
fn kinds_of(lines: &[Access]) -> Vec<IoKind> {
    let mut kinds = Vec::new();
    for line in lines {
        for (op, share) in [(Op::Read, line.reads), (Op::Write, 100 - line.reads)] {
            let weight = weight(line) * share as f64 / 100.0;
            if weight > 0.0 {
                kinds.push(IoKind {
                    op,
                    block_size: Bytes(line.size),
                    random: Percent(line.random as f64),
                    align: Bytes(line.align.max(SECTOR)),
                    weight,
                });
            }
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_windows_become_roles() {
        let cases = [
            ("C: \"System Disk\"", "c-system-disk"),
            ("PHYSICALDRIVE:1", "physicaldrive-1"),
            ("TEST: Synthetic Disk", "test-synthetic-disk"),
            ("\"\"", "disk"),
            ("ü", "disk"),
        ];
        for (name, role) in cases {
            assert_eq!(role_of(name), role, "{name}");
        }
        let drives = [fathom_tools::drive("c=/mnt/c").expect("a drive")];
        assert_eq!(target_of("/dev/sdb", &drives), "/dev/sdb");
        assert_eq!(target_of("D:", &drives), "@d");
        assert_eq!(target_of("C: \"System\"", &drives), "/mnt/c/iobw.tst");
        assert_eq!(target_of(r#"c:\ "System""#, &drives), "/mnt/c/iobw.tst");
        assert_eq!(target_of(r"c:\a b\io.tst", &drives), "/mnt/c/a b/io.tst");
        assert_eq!(target_of(r"d:\io.tst", &drives), "@d-io-tst");
        assert_eq!(target_of("PHYSICALDRIVE:1", &drives), "@physicaldrive-1");
        let windows = fathom_tools::drives::own();
        let disk = target_of("PHYSICALDRIVE:1", &windows);
        assert_eq!(disk, r"\\.\PhysicalDrive1");
        assert_eq!(target_of("C: \"System\"", &[]), "@c-system");
    }
}
