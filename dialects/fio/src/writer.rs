//! A workload as a job file of fio.
//!
//! A job becomes a section, a phase a `stonewall`. Each option is written by its row in the table
//! of options, where it is read, too; here is the loop over them. What fio cannot say is named, and
//! where there is something near it, that is written.

use super::option::{At, By, FioOption};
use super::options;
use super::write::{OfJob, OfRun, Pen, Section, Turn, render, unsaid};
use fathom_core::SmallSort as _;
use fathom_core::spec::{Job, Phase, Workload};
use fathom_tools::losses::Losses;
use fathom_tools::translation::{Note, RunWishes, Standing};
use fathom_tools::writers::{Bursts, Written, only_bytes};

/// Most times that phases are written out.
const MOST_REPEATS: u32 = 100;

/// What several options write of a job, or name where they cannot. With what each says by itself it
/// is all; anything else is a loss.
const SAID: &[&str] = &[
    "name",
    "targets",
    "threads",
    "queue_depth",
    "queue_scope",
    "size",
    "offset",
    "window",
    "fresh",
    "access",
    "pacing",
    "after",
    "delay",
    "replay",
    "data_file",
    "durability",
    "data",
    "verify",
    "verify_as",
    "stop",
    "io",
];

/// Writes a job file.
///
/// # Errors
///
/// Why there is none that comes near: a path that fio cannot name.
pub(crate) fn write(workload: &Workload, wishes: &RunWishes) -> Result<Written, Note> {
    only_bytes(workload)?;
    let mut losses = Losses::default();
    let rows = rows();
    let run = OfRun { workload, wishes };
    let mut all = Section::new("global");
    of_run(&rows, &run, |at| at < At::Engine(0), &mut all, &mut losses);
    unsaid::of_run(&run, &mut losses);
    let repeats = repeats(workload, &mut losses);
    let several = workload
        .phases
        .iter()
        .map(|phase| phase.jobs.len())
        .sum::<usize>()
        > 1;
    let mut phases = Vec::new();
    for phase in &workload.phases {
        let named = |job: &str| match (several, workload.phases.len()) {
            (false, _) => None,
            (true, 1) => Some(job.to_owned()),
            (true, _) => Some(format!("{}/{job}", phase.name)),
        };
        let mut sections = Vec::new();
        let bursts = Bursts::of(phase);
        for job in &phase.jobs {
            let name = section_name(workload, phase, &job.name);
            let place = named(&job.name);
            losses.of(place.clone());
            sections.push(of_job(
                &rows,
                (phase, &bursts),
                job,
                name,
                place,
                &mut losses,
            )?);
        }
        losses.of(None);
        phases.push(sections);
    }
    names(workload, &phases, &mut losses);
    let mut sections = Vec::new();
    for number in 0..repeats as usize * phases.len() {
        for (index, section) in phases[number % phases.len()].iter().enumerate() {
            let turn = match (index, number) {
                (0, 0) => Turn::First,
                (0, _) => Turn::After,
                _ => Turn::Beside,
            };
            sections.push(of_turn(&rows, turn, section.clone(), &mut losses));
        }
    }
    of_run(&rows, &run, |at| at >= At::Engine(0), &mut all, &mut losses);
    Ok(Written {
        text: render(all, sections),
        notes: losses.into_notes(),
    })
}

/// The options that are written, in the order of a job file.
fn rows() -> Vec<(&'static FioOption, At, By)> {
    let written = options::all().flat_map(|option| {
        let writings = option.writing.into_iter().chain(option.second);
        writings.map(move |writing| (option, writing.at, writing.by))
    });
    let mut rows: Vec<_> = written.collect();
    rows.small_sort_by_key(|(_, at, _)| *at);
    rows
}

/// The options that are the same for all jobs, of one part of the file.
fn of_run(
    rows: &[(&'static FioOption, At, By)],
    run: &OfRun<'_>,
    is_part: fn(At) -> bool,
    section: &mut Section,
    losses: &mut Losses,
) {
    for (option, at, by) in rows {
        if let (By::Run(write), true) = (by, is_part(*at)) {
            write(run, &mut pen(option, section, losses));
        }
    }
}

/// The section of a job.
///
/// # Errors
///
/// A target that fio cannot name.
fn of_job(
    rows: &[(&'static FioOption, At, By)],
    (phase, bursts): (&Phase, &Bursts<'_>),
    job: &Job,
    name: String,
    place: Option<String>,
    losses: &mut Losses,
) -> Result<Section, Note> {
    let mut section = Section::new(name);
    // Of requests and clones it is said behind the targets.
    let mut later = Losses::default();
    later.of(place);
    let of = OfJob::new(phase, bursts, job, losses, &mut later)?;
    let mut part = |from: At, to: At, losses: &mut Losses| {
        for (option, at, by) in rows {
            if let (By::Job(write), true) = (by, (from..to).contains(at)) {
                write(&of, &mut pen(option, &mut section, losses));
            }
        }
    };
    part(At::Target(0), At::Clones(0), losses);
    losses.append(later);
    part(At::Clones(0), At::Pace(0), losses);
    unsaid::of_order(&of, losses);
    unsaid::of_pace(&of, losses);
    part(At::Pace(0), At::Time(0), losses);
    unsaid::of_time(&of, losses);
    part(At::Time(0), At::Turn(0), losses);
    part(At::Command(0), At::Command(u8::MAX), losses);
    let alone = rows.iter().flat_map(|(option, ..)| option.says);
    let said: Vec<&str> = SAID.iter().chain(alone).copied().collect();
    losses.rest(job, &said, "fio");
    Ok(section)
}

/// A section where it stands among others.
fn of_turn(
    rows: &[(&'static FioOption, At, By)],
    turn: Turn,
    mut section: Section,
    losses: &mut Losses,
) -> Section {
    for (option, _, by) in rows {
        if let By::Turn(write) = by {
            write(turn, &mut pen(option, &mut section, losses));
        }
    }
    section
}

fn pen<'a>(option: &FioOption, section: &'a mut Section, losses: &'a mut Losses) -> Pen<'a> {
    Pen {
        key: option.spelt,
        section,
        losses,
    }
}

fn repeats(workload: &Workload, losses: &mut Losses) -> u32 {
    if workload.repeat > MOST_REPEATS {
        let message = format!("phases are written out {MOST_REPEATS} times at most; here, once");
        losses.say(Standing::Refused, "repeat", message);
        return 1;
    }
    losses.say_if(
        workload.repeat > 1,
        Standing::Kept,
        "repeat",
        "the phases are written out as often, one after another",
    );
    workload.repeat.max(1)
}

/// The phase's name where the phase has one job and the file several phases, else the job's.
fn section_name(workload: &Workload, phase: &Phase, job: &str) -> String {
    let name = if workload.phases.len() > 1 && phase.jobs.len() == 1 {
        phase.name.as_str()
    } else {
        job
    };
    let sign = |c: char| c.is_control() || ";#[]${}".contains(c);
    let name = name.replace(sign, "-").trim().to_owned();
    match name.as_str() {
        "" => "job".to_owned(),
        global if global.starts_with("global") => format!("job-{global}"),
        _ => name,
    }
}

/// Says which names are lost.
fn names(workload: &Workload, phases: &[Vec<Section>], losses: &mut Losses) {
    let mut lost = false;
    for (phase, sections) in workload.phases.iter().zip(phases) {
        let mut jobs = phase.jobs.iter().zip(sections);
        lost |= jobs.any(|(job, section)| job.name != section.name);
        lost |= match sections.as_slice() {
            [only] => only.name != phase.name,
            many => {
                let first = many.first().map_or("", |first| first.name.as_str());
                phase.name != format!("{first} and {} more", many.len().saturating_sub(1))
            }
        };
    }
    losses.say_if(
        lost,
        Standing::Ignored,
        "phase.name",
        "fio has names for sections only: a phase of one job is called after it or it after the \
         phase",
    );
    losses.say(
        Standing::Ignored,
        "name",
        "a job file has no name, description or source but in comments",
    );
}
