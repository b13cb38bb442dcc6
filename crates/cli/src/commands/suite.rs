//! `fathom suite`: many runs as one thing.

mod folder;
mod schedule;
mod script;

use super::{Origin, measure, overrides, print, selection, verdict};
use crate::args::{
    ExplainArgs, OutputArgs, OverrideArgs, RunOptions, SafetyArgs, SaveArgs, SuiteArgs,
};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::table::Table;
use fathom_core::result::RunResult;
use fathom_core::spec::{Cursor, Workload};
use fathom_core::stats::{SteadyWindow, steady_window};
use fathom_core::{Nanos, Op, figure};
use fathom_report::{
    SuiteCell, SuiteReport, SuiteRounds, TextOptions, junit_suite, suite_markdown, suite_page,
    suite_text,
};
use fathom_tools::iotest::{sas_sentence, sas_verdict};
use fathom_tools::native;
use fathom_tools::suite::{self, Cell, SUITES, Settings, Suite};
use folder::{Folder, Plan, PlannedCell, REPORTS};
use schedule::{Schedule, WallTime};
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// How often a wait looks whether it is to end.
const WAIT_SLICE: Nanos = Nanos(200_000_000);

/// Results by pass (from 1) and cell.
type Results = BTreeMap<(u32, usize), RunResult>;

pub(crate) fn run(args: &SuiteArgs, origin: &Origin) -> Result<Exit, Error> {
    let Some(name) = &args.suite else {
        return list_suites();
    };
    let (suite, workloads) = if script::is_one(name) {
        of_script(args, name)?
    } else {
        let suite = load(name)?;
        let workloads = workloads(&suite, &args.overrides)?;
        (suite, workloads)
    };
    if args.every.is_some() && passes(args, &suite) < 2 {
        return Err(Problem::new(Exit::Usage, "--every has nothing to wait for")
            .because("there is one pass")
            .remedy("--repeat 12")
            .into());
    }
    if args.list {
        return list_cells(&suite, &workloads);
    }
    let plan = plan(args, &suite, &workloads);
    let path = args
        .into
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("fathom-{}", suite.name)));
    let folder = Folder::open(&path, &plan)?;
    // Whatever becomes of it, files that were made for it go when it ends.
    let _lent = Lent {
        places: places(args),
    };
    let mut campaign = Campaign {
        args,
        suite: &suite,
        workloads: &workloads,
        folder: &folder,
        results: BTreeMap::new(),
        worst: Exit::Ok,
    };
    let outcome = campaign.all(origin);
    let Campaign { results, worst, .. } = campaign;
    let text = |options| suite_text(&report(&suite, &results), options) + &of_sas(&results);
    if !results.is_empty() {
        folder.write(REPORTS[0], &text(TextOptions::default()))?;
        folder.write(REPORTS[1], &suite_page(&report(&suite, &results)))?;
        folder.write(REPORTS[2], &suite_markdown(&report(&suite, &results)))?;
        folder.write(REPORTS[3], &junit(&suite, &results))?;
    }
    if outcome? {
        print(&text(TextOptions::default()))?;
        Ok(worst)
    } else {
        note(&format!(
            "{} of {} runs are kept in {}; the same command goes on from there",
            results.len(),
            suite.cells.len() * plan.passes as usize,
            folder.path().display()
        ));
        Ok(Exit::Interrupted)
    }
}

/// The lines of a script, with the changes of the command line.
fn of_script(args: &SuiteArgs, name: &str) -> Result<(Suite, Vec<Workload>), Error> {
    let (suite, read) = script::read(&text_of(name)?, name, &args.map_drive)?;
    refuse_axes(&suite, &args.overrides)?;
    let typed = args.overrides.clone().without("repeat");
    let changed = read.iter().map(|workload| {
        let mut changed = overrides::apply(&typed, workload)?;
        changed.name.clone_from(&workload.name);
        Ok(changed)
    });
    let changed: Result<Vec<Workload>, Error> = changed.collect();
    Ok((suite, changed?))
}

fn text_of(name: &str) -> Result<String, Problem> {
    std::fs::read_to_string(name).map_err(|error| {
        Problem::new(Exit::Usage, format!("cannot read the suite {name}"))
            .because(system_words(&error))
            .remedy("a TOML file, or one of the names that `fathom suite` lists")
    })
}

fn load(name: &str) -> Result<Suite, Error> {
    let is_file =
        name.contains('/') || Path::new(name).extension().is_some_and(|end| end == "toml");
    if is_file {
        return suite::parse(&text_of(name)?, name).map_err(Error::Text);
    }
    let built_in = suite::find(name).map_err(|nearest| {
        let problem = Problem::new(Exit::Usage, format!("there is no suite `{name}`"));
        match nearest {
            Some(nearest) => problem.remedy(nearest),
            None => problem.remedy("`fathom suite` lists them; a file ends in .toml"),
        }
    })?;
    built_in.suite().map_err(Error::Text)
}

fn list_suites() -> Result<Exit, Error> {
    let mut table = Table::new(&["NAME", ">RUNS", "DESCRIPTION"]);
    for built_in in SUITES {
        let suite = built_in.suite().map_err(Error::Text)?;
        table.row([suite.name, suite.cells.len().to_string(), suite.description]);
    }
    print(&table.to_string())
}

fn list_cells(suite: &Suite, workloads: &[Workload]) -> Result<Exit, Error> {
    let mut table = Table::new(&["RUN", "WORKLOAD", ">TIME"]);
    for (cell, workload) in suite.cells.iter().zip(workloads) {
        let time = duration_ns(workload);
        let time = time.map_or_else(|| "by amount".to_owned(), figure::duration);
        table.row([cell.label.clone(), cell.workload.clone(), time]);
    }
    print(&table.to_string())
}

/// Time that a workload takes, if that is known beforehand.
fn duration_ns(workload: &Workload) -> Option<u64> {
    let phases = workload.phases.iter();
    let times = phases.map(|phase| {
        let around = phase.warm_up.0 + phase.cool_down.0;
        phase.duration.map(|duration| duration.0 + around)
    });
    let once: Option<u64> = times.sum();
    once.map(|time| time * u64::from(workload.repeat))
}

/// The workload of each cell, with the changes of the suite and then those of the command line.
fn workloads(suite: &Suite, typed: &OverrideArgs) -> Result<Vec<Workload>, Error> {
    refuse_axes(suite, typed)?;
    let typed = typed.clone().without("repeat");
    suite
        .cells
        .iter()
        .map(|cell| {
            let mut workload = selection::workload(&cell.workload)?;
            if let Some(name) = &cell.phase {
                workload.phases.retain(|phase| phase.name == *name);
                if workload.phases.is_empty() {
                    let thing = format!("`{}` has no phase `{name}`", cell.workload);
                    return Err(Problem::new(Exit::Usage, thing).into());
                }
            }
            let workload = overrides::apply(&settings(cell), &workload)?;
            let mut workload = overrides::apply(&typed, &workload)?;
            change_jobs(&cell.settings, &mut workload);
            workload.name.clone_from(&cell.label);
            Ok(workload)
        })
        .collect()
}

/// Settings of a suite that hold for some jobs only.
fn change_jobs(settings: &Settings, workload: &mut Workload) {
    let phases = workload.phases.iter_mut();
    for job in phases.flat_map(|phase| &mut phase.jobs) {
        if settings.write_through && job.writes() {
            job.durability.write_through = true;
        }
        let is_sequential = job.kinds.iter().all(|kind| kind.random.0 == 0.0);
        if settings.shared_cursor && is_sequential {
            job.access.cursor = Cursor::Shared;
        }
    }
}

/// An option that would make all points of an axis the same.
fn refuse_axes(suite: &Suite, typed: &OverrideArgs) -> Result<(), Problem> {
    let axes = [
        ("read", "read"),
        ("random", "random"),
        ("block_size", "block-size"),
        ("queue_depth", "queue-depth"),
        ("threads", "threads"),
    ];
    let varies = |axis: &str| {
        let mut places = suite.cells.iter().flat_map(|cell| &cell.place);
        places.any(|(name, _)| name == axis)
    };
    let lost = axes
        .iter()
        .find(|(axis, option)| typed.has(option) && varies(axis));
    match lost {
        None => Ok(()),
        Some((axis, option)) => Err(Problem::new(
            Exit::Usage,
            format!("--{option} does not suit the suite `{}`", suite.name),
        )
        .because(format!("its runs differ in {}", axis.replace('_', " ")))
        .remedy(format!("without --{option}, or a suite file of your own"))),
    }
}

fn settings(cell: &Cell) -> OverrideArgs {
    let settings = &cell.settings;
    OverrideArgs::default()
        .with("block-size", settings.block_size)
        .with("read", settings.read)
        .with("random", settings.random)
        .with("queue-depth", settings.queue_depth)
        .with("threads", settings.threads)
        .with("time", settings.time)
        .with("warm-up", settings.warm_up)
        .with("size", settings.size)
        .with("bytes", settings.bytes)
}

fn plan(args: &SuiteArgs, suite: &Suite, workloads: &[Workload]) -> Plan {
    let cells = suite.cells.iter().zip(workloads);
    Plan {
        suite: suite.name.clone(),
        cells: cells
            .map(|(cell, workload)| PlannedCell {
                label: cell.label.clone(),
                workload: native::print(workload),
            })
            .collect(),
        targets: args
            .target
            .iter()
            .map(|target| {
                let path = std::path::absolute(&target.path).unwrap_or(target.path.clone());
                path.display().to_string()
            })
            .collect(),
        passes: passes(args, suite),
        shuffled: args.shuffle,
    }
}

/// Where the runs make their files.
fn places(args: &SuiteArgs) -> Vec<PathBuf> {
    let typed = args.target.iter().map(|target| target.path.clone());
    let mut places: Vec<PathBuf> = typed.collect();
    if places.is_empty() {
        places.push(PathBuf::from("."));
    }
    // The process may change its directory, the files do not move with it.
    for place in &mut places {
        *place = std::path::absolute(&*place).unwrap_or(place.clone());
    }
    places
}

/// Passes at most.
fn passes(args: &SuiteArgs, suite: &Suite) -> u32 {
    match &suite.rounds {
        Some(rounds) => args.overrides.get("repeat").unwrap_or(rounds.max),
        None => args.overrides.get("repeat").unwrap_or(1),
    }
}

struct Campaign<'a> {
    args: &'a SuiteArgs,
    suite: &'a Suite,
    workloads: &'a [Workload],
    folder: &'a Folder,
    results: Results,
    worst: Exit,
}

impl Campaign<'_> {
    /// Runs what is missing; false if the user wished to leave.
    fn all(&mut self, origin: &Origin) -> Result<bool, Error> {
        let told = (!self.args.quiet).then_some(self.suite.name.as_str());
        let mut schedule = Schedule::new(self.args.every, told, WallTime::new());
        for pass in 1..=passes(self.args, self.suite) {
            // A pass that is there from before is not waited for.
            if !self.is_there(pass)? && !schedule.begin(pass)? {
                return Ok(false);
            }
            for cell in self.order(pass) {
                if !self.one(pass, cell, origin)? {
                    return Ok(false);
                }
            }
            if steadiness(self.suite, &self.results).is_some_and(|(_, reached)| reached) {
                break;
            }
        }
        Ok(true)
    }

    /// Whether all runs of a pass are kept already.
    fn is_there(&self, pass: u32) -> Result<bool, Error> {
        for (cell, of) in self.suite.cells.iter().enumerate() {
            let place = self.folder.place(pass, cell, &of.label);
            if Folder::result(&place)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn order(&self, pass: u32) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.suite.cells.len()).collect();
        if self.args.shuffle {
            let seed = self.args.overrides.get("seed").unwrap_or(1);
            shuffle(&mut order, seed ^ (u64::from(pass) << 32));
        }
        order
    }

    fn one(&mut self, pass: u32, cell: usize, origin: &Origin) -> Result<bool, Error> {
        let label = &self.suite.cells[cell].label;
        let place = self.folder.place(pass, cell, label);
        if let Some(mut result) = Folder::result(&place)? {
            // What is asked may be asked anew.
            let required = self.args.require.iter();
            result.requirements = required.map(|one| one.of(&result)).collect();
            let exit = verdict::exit_of(&result, &self.args.require);
            self.worst = self.worst.max(exit);
            self.results.insert((pass, cell), result);
            return Ok(true);
        }
        if !self.args.quiet {
            let total = self.suite.cells.len();
            let number = self.results.keys().filter(|(of, _)| *of == pass).count() + 1;
            note(&format!(
                "suite {}: pass {pass}, run {number} of {total}: {label}",
                self.suite.name
            ));
        }
        let options = self.options();
        let mut kept = None;
        let exit = measure::each(
            std::slice::from_ref(&self.workloads[cell]),
            &self.args.target,
            &options,
            origin,
            &mut |result| {
                kept = Some(result.clone());
                Ok(())
            },
        )?;
        if exit == Exit::Interrupted {
            return Ok(false);
        }
        self.worst = self.worst.max(exit);
        if let Some(result) = kept {
            self.folder.keep(&place, &result)?;
            self.results.insert((pass, cell), result);
        }
        Ok(true)
    }

    /// The options of one run. Nothing of it is printed, all of it is in the suite's report; its
    /// files are lent to the next run, which would only lay them out again.
    fn options(&self) -> RunOptions {
        RunOptions {
            overrides: OverrideArgs::default(),
            engine: self.args.engine.clone(),
            safety: SafetyArgs {
                lends: true,
                ..self.args.safety.clone()
            },
            explain: ExplainArgs {
                require: self.args.require.clone(),
                ..ExplainArgs::default()
            },
            output: OutputArgs {
                quiet: self.args.quiet,
                no_live: self.args.no_live,
                as_listed: true,
                ..OutputArgs::default()
            },
            save: self.save(),
        }
    }

    /// All runs of a suite have its tag.
    fn save(&self) -> SaveArgs {
        let mut save = self.args.save.clone();
        if !save.no_save {
            save.tag.push(format!("suite:{}", self.suite.name));
        }
        save
    }
}

/// Removes the files that the runs have made and lent to each other, once the last has ended.
struct Lent {
    places: Vec<PathBuf>,
}

impl Drop for Lent {
    fn drop(&mut self) {
        for place in &self.places {
            if let Err(error) = fathom_device::scratch::remove_own(place) {
                note(&format!(
                    "a scratch file in {} could not be removed: {}",
                    place.display(),
                    system_words(&error)
                ));
            }
        }
    }
}

/// Fisher and Yates's shuffle by splitmix64, so that a seed is an order on every machine.
fn shuffle(order: &mut [usize], seed: u64) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    for last in (1..order.len()).rev() {
        let other = (u128::from(next()) * (last as u128 + 1)) >> 64;
        order.swap(last, other as usize);
    }
}

/// Requests a second of the cell that is followed, by pass.
fn followed(suite: &Suite, results: &Results) -> Option<Vec<f64>> {
    let rounds = suite.rounds.as_ref()?;
    let cell = suite
        .cells
        .iter()
        .position(|cell| cell.label == rounds.follow)?;
    let of_cell = results.iter().filter(|((_, of), _)| *of == cell);
    Some(of_cell.map(|(_, result)| iops(result)).collect())
}

fn iops(result: &RunResult) -> f64 {
    let jobs = result.phases.iter().flat_map(|phase| &phase.jobs);
    let ops = jobs.flat_map(fathom_core::result::JobResult::ops);
    ops.filter(|(op, _)| *op != Op::Flush)
        .map(|(_, result)| result.iops)
        .sum()
}

/// The last window of rounds, and whether it passes.
fn steadiness(suite: &Suite, results: &Results) -> Option<(SteadyWindow, bool)> {
    let rounds = suite.rounds.as_ref()?;
    let followed = followed(suite, results)?;
    let window = followed.len().checked_sub(rounds.window as usize)?;
    let window = steady_window(&followed[window..])?;
    let passes = window.passes(rounds.range.0, rounds.slope.0);
    Some((window, passes))
}

fn report<'a>(suite: &'a Suite, results: &'a Results) -> SuiteReport<'a> {
    let cells = suite.cells.iter().enumerate();
    let steadiness = steadiness(suite, results);
    SuiteReport {
        name: &suite.name,
        description: &suite.description,
        cells: cells
            .map(|(index, cell)| SuiteCell {
                label: &cell.label,
                group: cell.run,
                place: &cell.place,
                results: results
                    .iter()
                    .filter(|((_, of), _)| *of == index)
                    .map(|(_, result)| result)
                    .collect(),
            })
            .collect(),
        rounds: suite.rounds.as_ref().map(|rounds| SuiteRounds {
            follow: &rounds.follow,
            rounds: followed(suite, results).unwrap_or_default(),
            reached: steadiness.as_ref().is_some_and(|(_, reached)| *reached),
            window: steadiness.map(|(window, _)| window),
        }),
    }
}

/// What SAS would say of the runs that ask what it asks, each by its last pass; empty where none
/// does.
fn of_sas(results: &Results) -> String {
    let mut last: BTreeMap<usize, &RunResult> = BTreeMap::new();
    for ((_, cell), result) in results {
        if sas_sentence(result).is_some() {
            last.insert(*cell, result);
        }
    }
    let named: Vec<(&str, &RunResult)> = last
        .values()
        .map(|result| (result.provenance.workload.name.as_str(), *result))
        .collect();
    if named.is_empty() {
        String::new()
    } else {
        format!("\n{}", sas_verdict(&named).0)
    }
}

/// All runs for CI.
fn junit(suite: &Suite, results: &Results) -> String {
    let labels = labels(suite, results);
    let labels = labels.iter().map(String::as_str);
    let runs: Vec<(&str, &RunResult)> = labels.zip(results.values()).collect();
    junit_suite(&suite.name, &runs)
}

/// What the runs are called: by their cell, and by their pass where there are several.
fn labels(suite: &Suite, results: &Results) -> Vec<String> {
    let several = results.keys().any(|(pass, _)| *pass > 1);
    let label = |(pass, cell): &(u32, usize)| {
        let label = &suite.cells[*cell].label;
        if several {
            format!("{label}, pass {pass}")
        } else {
            label.clone()
        }
    };
    results.keys().map(label).collect()
}

fn note(text: &str) {
    // Only a note: where it cannot be written, the suite can do without.
    let _ = writeln!(io::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The profile has the runs of the study as phases, the suite as runs of their own.
    #[test]
    fn the_runs_of_the_ec2_study_are_those_of_its_matrix() {
        let suite = load("ec2-study").expect("a suite");
        let runs = workloads(&suite, &OverrideArgs::default()).expect("workloads");
        let matrix = selection::workload("ec2-matrix").expect("a profile");
        let told = |workload: &Workload, phase: usize| {
            let job = &workload.phases[phase].jobs[0];
            let kind = &job.kinds[0];
            format!(
                "{:?} {} {} x{} d{} {:?} {:?} {:?}",
                kind.op,
                kind.block_size,
                kind.random,
                job.threads,
                job.queue_depth,
                job.size,
                job.durability,
                job.access.cursor,
            )
        };
        let mut of_suite: Vec<String> = runs.iter().map(|run| told(run, 0)).collect();
        let phases = 0..matrix.phases.len();
        let mut of_profile: Vec<String> = phases.map(|phase| told(&matrix, phase)).collect();
        of_suite.sort();
        of_profile.sort();
        assert_eq!(of_suite, of_profile);
    }
}
