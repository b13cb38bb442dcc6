//! `fathom suite`: many runs as one thing.

mod folder;
mod list;
mod outputs;
mod remaining;
mod runs;
mod schedule;
mod script;

use super::outbox::{self, AtTheEnd};
use super::{Origin, cluster, listed, member, overrides, print, selection, show_text};
use crate::args::{Formats as _, OverrideArgs, RunOptions, SaveArgs, SuiteArgs, SuiteFormat};
use crate::aside;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::platform;
use crate::stop::Stop;
use crate::table::Table;
use fathom_core::Nanos;
use fathom_core::result::RunResult;
use fathom_core::spec::{Cursor, Workload};
use fathom_device::{input, serial};
use fathom_engine::Clock;
use fathom_iotest::{sas_sentence, sas_verdict};
use fathom_report::{
    SuiteCell, SuiteReport, SuiteRounds, TextOptions, ascii, junit_suite, suite_markdown,
    suite_names, suite_page, suite_text,
};
use fathom_session::blame;
use fathom_session::campaign::{Campaign, Results, followed, steadiness};
use fathom_session::cluster::Cluster;
use fathom_tools::native;
use fathom_tools::suite::{self, Cell, SUITES, Settings, Suite};
use folder::{Folder, Plan, PlannedCell};
pub(super) use list::{SuiteDocument, SuiteRow};
use outputs::Outputs;
use remaining::Remaining;
use runs::Runs;
use schedule::{Schedule, WallTime};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How often a wait looks whether it is to end.
const WAIT_SLICE: Nanos = Nanos(200_000_000);

pub(crate) fn run(args: &SuiteArgs, origin: &Origin) -> Result<Exit, Error> {
    if let Some(exit) = member::be_launched(&args.cluster)? {
        return Ok(exit);
    }
    let Some(name) = &args.suite else {
        return list_suites(args.json);
    };
    let (suite, workloads) = named(args, name)?;
    refuse_pointless_schedule(args, &suite)?;
    if args.list {
        return show_list(args, &suite, &workloads);
    }
    refuse_json(args)?;
    refuse_unbound(args, &suite, &workloads)?;
    refuse_blame(args, &suite, &workloads)?;
    let outputs = Outputs::open(args)?;
    // One for all runs: what is asked between two of them is heard too.
    let stop = Stop::default();
    stop.listen()?;
    let plan = plan(args, &suite, &workloads)?;
    let path = args
        .into
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("fathom-{}", suite.name)));
    let folder = Folder::open(&path, &plan)?;
    // Whatever becomes of it, files that were made for it go when it ends.
    let _lent = Lent {
        places: places(args),
    };
    let told = (!args.quiet).then_some(suite.name.as_str());
    let mut runs = Runs {
        args,
        suite: &suite,
        titles: suite_names(&report(&suite, &Results::default())),
        workloads: &workloads,
        folder: &folder,
        origin,
        schedule: Schedule::new(args.every, told, WallTime::new(stop.clone())),
        stop,
        worst: Exit::Ok,
        has_made: false,
        departing: departing(&args.save)?,
        remaining: Remaining::new(&workloads, plan.passes, args.engine.engine.is_real()),
        clock: Clock::monotonic(),
        members: members(args, &workloads)?,
    };
    let seed = args.overrides.get("seed").unwrap_or(1);
    let shuffled = args.shuffle.then_some(seed);
    let mut campaign = Campaign::new(&suite, plan.passes).shuffled(shuffled);
    let outcome = campaign.run(&mut runs);
    let (results, worst, has_made) = (campaign.results(), runs.worst, runs.has_made);
    keep_reports(&folder, &suite, results)?;
    if outcome? {
        let render = |format, looks| rendered(format, looks, &suite, results);
        outputs.tell(args, render)?;
        if has_made {
            return Ok(worst);
        }
        all_kept(args, &folder, results.len()).map(|()| worst)
    } else {
        note(&format!(
            "{} of {} runs are saved in {}. Run the same command again to resume",
            results.len(),
            suite.cells.len() * plan.passes as usize,
            folder.path().display()
        ));
        Ok(Exit::Interrupted)
    }
}

/// A suite with its workloads, by the name of a file, of a script or of one that is built in.
fn named(args: &SuiteArgs, name: &str) -> Result<(Suite, Vec<Workload>), Error> {
    if script::is_one(name) {
        return of_script(args, name);
    }
    let suite = load(name)?;
    let workloads = workloads(&suite, &args.overrides)?;
    Ok((suite, workloads))
}

/// A time between repetitions of which there is one.
fn refuse_pointless_schedule(args: &SuiteArgs, suite: &Suite) -> Result<(), Problem> {
    if args.every.is_none() || passes(args, suite) > 1 {
        return Ok(());
    }
    let problem = Problem::new(Exit::Usage, "--every has no effect");
    let problem = problem.because("there is only one repetition");
    Err(problem.remedy("--repeat 12"))
}

/// Says that nothing was measured, because the folder has all runs. Who did not name the folder
/// did not ask for the runs of another day.
fn all_kept(args: &SuiteArgs, folder: &Folder, runs: usize) -> Result<(), Error> {
    let path = folder.path().display();
    let runs = fathom_core::figure::plural(runs as u64, "run");
    // Requirements may be asked anew.
    if args.into.is_some() || !args.require.is_empty() {
        aside::say(&format!(
            "nothing was measured: {path} has all {runs} already"
        ));
        return Ok(());
    }
    let problem = Problem::new(Exit::Usage, "nothing was measured");
    let problem = problem.because(format!("the folder {path} has all {runs} already"));
    Err(problem
        .remedy("use --into DIRECTORY with a new directory")
        .into())
}

/// Saves the report of the whole in the folder of the results, if there are any, in all its
/// formats.
fn keep_reports(folder: &Folder, suite: &Suite, results: &Results) -> Result<(), Error> {
    if results.is_empty() {
        return Ok(());
    }
    for &(_, format) in SuiteFormat::ALL {
        let text = rendered(format, TextOptions::default(), suite, results);
        folder.write(folder::report(format), &text)?;
    }
    Ok(())
}

/// The report of the whole in a format; as text with the looks of where it goes.
fn rendered(format: SuiteFormat, looks: TextOptions, suite: &Suite, results: &Results) -> String {
    match format {
        SuiteFormat::Text => {
            let text = suite_text(&report(suite, results), looks) + &of_sas(results);
            if looks.ascii { ascii(&text) } else { text }
        }
        SuiteFormat::Html => suite_page(&report(suite, results)),
        SuiteFormat::Markdown => suite_markdown(&report(suite, results)),
        SuiteFormat::Junit => junit(suite, results),
    }
}

/// The lines of a script, with the changes of the command line.
fn of_script(args: &SuiteArgs, name: &str) -> Result<(Suite, Vec<Workload>), Error> {
    let drives = [args.drives.map_drive.clone(), platform::own_drives()].concat();
    let (suite, read) = script::read(&text_of(name)?, name, &drives)?;
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
    input::read_text(name).map_err(|error| {
        Problem::new(Exit::Usage, format!("cannot read the suite {name}"))
            .because(system_words(&error))
            .remedy("use a TOML file, or a name that `fathom suite` lists")
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

fn show_list(args: &SuiteArgs, suite: &Suite, workloads: &[Workload]) -> Result<Exit, Error> {
    let list = SuiteDocument::of(suite, workloads, passes(args, suite));
    if args.json {
        return print(&listed::stamped("suite", &list)?);
    }
    show_text(&list.text())
}

fn refuse_json(args: &SuiteArgs) -> Result<(), Problem> {
    if !args.json {
        return Ok(());
    }
    Err(Problem::new(Exit::Usage, "--json has no effect")
        .because("it prints a list")
        .remedy("--list, or the results folder of --into, which has JSON"))
}

fn list_suites(as_json: bool) -> Result<Exit, Error> {
    let rows = SUITES.iter().map(|built_in| {
        let suite = built_in.suite().map_err(Error::Text)?;
        Ok(SuiteRow {
            name: suite.name,
            description: suite.description,
            runs: suite.cells.len(),
        })
    });
    let rows: Vec<SuiteRow> = rows.collect::<Result<_, Error>>()?;
    if as_json {
        return print(&listed::document("suites", &rows)?);
    }
    let mut table = Table::new(&["NAME", ">RUNS", "DESCRIPTION"]);
    for suite in rows {
        table.row([suite.name, suite.runs.to_string(), suite.description]);
    }
    show_text(&table.to_string())
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
        if let Some(target) = &settings.target {
            job.targets = vec![target.clone()];
        }
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
            format!("--{option} cannot be used with the suite `{}`", suite.name),
        )
        .because(format!("its runs differ in {}", axis.replace('_', " ")))
        .remedy(format!("omit --{option}, or use your own suite file"))),
    }
}

/// Runs whose jobs have nowhere to go: said before the first of the others is made.
fn refuse_unbound(args: &SuiteArgs, suite: &Suite, workloads: &[Workload]) -> Result<(), Problem> {
    let unnamed = args.target.iter().filter(|target| target.role.is_none());
    let unnamed: Vec<&Path> = unnamed.map(|target| target.path.as_path()).collect();
    let for_all = match unnamed[..] {
        [] => args.target.is_empty(),
        // What a path is on other hosts, they know.
        [only] => !args.engine.engine.is_real() || args.cluster.is_meant() || only.is_dir(),
        _ => false,
    };
    if for_all {
        return Ok(());
    }
    let is_bound = |role: &str| {
        let mut bound = args
            .target
            .iter()
            .filter_map(|target| target.role.as_deref());
        bound.any(|known| known == role)
    };
    let cells = suite.cells.iter().zip(workloads);
    let jobs = cells.flat_map(|(cell, workload)| {
        let phases = workload.phases.iter();
        let jobs = phases.flat_map(|phase| &phase.jobs);
        jobs.map(move |job| (cell.label.as_str(), job))
    });
    let mut missing: Vec<&str> = Vec::new();
    for (label, job) in jobs {
        if job.targets.is_empty() && unnamed.is_empty() {
            return Err(Problem::new(
                Exit::Usage,
                format!(
                    "the run {label} of the suite `{}` has no target",
                    suite.name
                ),
            )
            .because("it has no role, but each target is given for a role")
            .remedy("use --target PATH for the runs without a role"));
        }
        let roles = job.targets.iter().filter_map(|one| one.strip_prefix('@'));
        for role in roles.filter(|role| !is_bound(role)) {
            if !missing.contains(&role) {
                missing.push(role);
            }
        }
    }
    let Some(first) = missing.first() else {
        return Ok(());
    };
    Err(Problem::new(
        Exit::Usage,
        format!("the suite `{}` has no target for all its roles", suite.name),
    )
    .because(format!("there is no target for {}", missing.join(", ")))
    .remedy(format!(
        "use --target {first}=PATH and so on, or --target DIRECTORY for all roles"
    )))
}

/// Runs whose block requests cannot be traced: reported before the first run is made.
fn refuse_blame(args: &SuiteArgs, suite: &Suite, workloads: &[Workload]) -> Result<(), Problem> {
    if !args.tracing.blame {
        return Ok(());
    }
    if args.cluster.is_meant() {
        return Err(cluster::untraced());
    }
    let engine = args.engine.engine.0;
    for (cell, workload) in suite.cells.iter().zip(workloads) {
        blame::check_workload(workload, engine).map_err(|error| {
            let thing = format!("the run {}: {error}", cell.label);
            Problem {
                thing,
                ..super::run_problem(&error)
            }
        })?;
    }
    Ok(())
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

fn plan(args: &SuiteArgs, suite: &Suite, workloads: &[Workload]) -> Result<Plan, Error> {
    let cells = suite.cells.iter().zip(workloads);
    Ok(Plan {
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
                let path = &target.path;
                match serial::of_path(path) {
                    Some(_) => path.clone(),
                    None => std::path::absolute(path).unwrap_or_else(|_| path.clone()),
                }
                .display()
                .to_string()
            })
            .collect(),
        members: cluster::in_words(&args.cluster)?,
        passes: passes(args, suite),
        shuffled: args.shuffle,
    })
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

/// The members that measure all runs, if there are.
fn members(args: &SuiteArgs, workloads: &[Workload]) -> Result<Option<Cluster>, Error> {
    if !args.cluster.is_meant() {
        return Ok(None);
    }
    let options = RunOptions {
        engine: args.engine.clone(),
        ..RunOptions::default()
    };
    cluster::check(&options, &args.target, workloads)?;
    cluster::gather(&args.cluster).map(Some)
}

/// The results that are sent when the last run has ended, if there are places for them.
fn departing(save: &SaveArgs) -> Result<AtTheEnd, Problem> {
    let is_any = !outbox::places(&save.deliver)?.is_empty() && !save.no_save;
    let store = is_any.then(|| save.store.store.clone());
    Ok(AtTheEnd::new(store))
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
            format!("{label}, repetition {pass}")
        } else {
            label.clone()
        }
    };
    results.keys().map(label).collect()
}

fn note(text: &str) {
    aside::say(text);
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
