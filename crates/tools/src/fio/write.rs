//! A workload as a job file of fio.
//!
//! A job becomes a section, a phase a `stonewall`. What fio cannot say is named, and where there is
//! something near it, that is written.

mod job;
mod kinds;
mod pacing;
mod place;
mod section;
mod times;

use crate::losses::Losses;
use crate::translation::{Affinity, Note, RunWishes, Standing};
use crate::writers::Written;
use fathom_core::Nanos;
use fathom_core::spec::{Phase, Workload};
pub(crate) use place::zones;
use section::{Section, render};

/// Most times that phases are written out.
const MOST_REPEATS: u32 = 100;

/// Largest seed that fio reads.
const LARGEST_SEED: u64 = i64::MAX as u64;

/// Writes a job file.
///
/// # Errors
///
/// Why there is none that comes near: a path that fio cannot name.
pub(crate) fn write(workload: &Workload, wishes: &RunWishes) -> Result<Written, Note> {
    let mut losses = Losses::default();
    let mut all = of_workload(workload, wishes, &mut losses);
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
        for job in &phase.jobs {
            losses.of(named(&job.name));
            sections.push(job::section(
                phase,
                job,
                section_name(workload, phase, &job.name),
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
            let mut section = section.clone();
            if index > 0 {
                section.flag("new_group");
            } else if number > 0 {
                section.flag("stonewall");
            }
            sections.push(section);
        }
    }
    engine(workload, wishes, &mut all, &mut losses);
    Ok(Written {
        text: render(all, sections),
        notes: losses.into_notes(),
    })
}

/// The options that are the same for all jobs.
fn of_workload(workload: &Workload, wishes: &RunWishes, losses: &mut Losses) -> Section {
    let mut all = Section::new("global");
    all.flag("group_reporting");
    let seed = workload.seed & LARGEST_SEED;
    if wishes.fresh_seed {
        all.put("randrepeat", 0);
    } else {
        all.put("randseed", seed);
    }
    losses.say_if(
        seed != workload.seed && !wishes.fresh_seed,
        Standing::Approximated,
        "seed",
        "fio's seeds end at 2^63, so it is another one",
    );
    losses.say_if(
        workload.interval != Nanos::from_secs(1),
        Standing::Ignored,
        "interval",
        "a job file does not say at which times the run reports",
    );
    if !wishes.stop_on_error {
        all.put("continue_on_error", "all");
    }
    losses.say_if(
        !wishes.keep_files,
        Standing::Ignored,
        "keep",
        "fio leaves the files that it made, where Fathom removes its own; unlink=1 would remove \
         yours as well",
    );
    if wishes.huge_pages {
        all.put("mem", "shmhuge");
    }
    if wishes.completion_polling {
        all.flag("hipri");
    }
    if wishes.submission_polling {
        all.flag("sqthread_poll");
    }
    match &wishes.affinity {
        Affinity::Free => {}
        Affinity::RoundRobin => losses.say(
            Standing::Approximated,
            "affinity",
            "fio pins to processors by number, which the workload does not name; \
             cpus_allowed=0-N with cpus_allowed_policy=split",
        ),
        Affinity::List(list) => {
            let list: Vec<String> = list.iter().map(u32::to_string).collect();
            all.put("cpus_allowed", list.join(","));
            all.put("cpus_allowed_policy", "split");
        }
    }
    losses.say_if(
        !wishes.directories.is_empty(),
        Standing::Ignored,
        "directories",
        "fio makes no directories; make them before",
    );
    all
}

/// The engine: the one that was wished for, or Fathom's own choice.
fn engine(workload: &Workload, wishes: &RunWishes, all: &mut Section, losses: &mut Losses) {
    let mut jobs = workload.phases.iter().flat_map(|phase| &phase.jobs);
    let deep = jobs.any(|job| job.queue_depth > 1 || job.targets.len() > 1);
    let engine = match wishes.engine {
        Some(name @ ("libaio" | "null")) => name,
        Some("psync") if !deep => "psync",
        _ => "io_uring",
    };
    losses.say_if(
        wishes.engine.is_some_and(|wish| wish != engine),
        Standing::Approximated,
        "engine",
        "fio's synchronous engines keep one request in flight, so it is io_uring",
    );
    all.put("ioengine", engine);
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
