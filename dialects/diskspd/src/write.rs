//! A workload as DISKSPD says it: a phase becomes a time span, a job its targets.
//!
//! Both forms are written from one [`Profile`]. What DISKSPD cannot say is named, and where there
//! is something near it, that is written.

mod argv;
mod job;
mod load;
mod order;

pub(crate) use job::source;

use super::profile::{Content, Profile, TimeSpan};
use super::xml::profile_element;
use fathom_core::spec::{Phase, Workload};
use fathom_core::{EngineKind, Nanos};
use fathom_tools::losses::Losses;
use fathom_tools::translation::{Affinity, Note, RunWishes, Standing};
use fathom_tools::writers::{Bursts, Written, only_bytes};

/// Most times that phases are written out.
const MOST_REPEATS: u32 = 100;

/// Measured seconds of a phase that DISKSPD cannot end otherwise.
const DEFAULT_S: u32 = 60;

/// Writes an XML profile.
///
/// # Errors
///
/// Why there is none that comes near.
pub(crate) fn xml(workload: &Workload, wishes: &RunWishes) -> Result<Written, Note> {
    let mut losses = Losses::default();
    let profile = profile(workload, wishes, &mut losses)?;
    let has = |span: &TimeSpan, content: &Content| {
        let mut targets = span.targets.iter();
        targets.any(|target| target.content == *content && target.write_percent > 0)
    };
    losses.say_if(
        workload.seed.is_none(),
        Standing::Approximated,
        "seed",
        "a profile has no word for a new seed in each run; it is DISKSPD's own, 0",
    );
    let both = |span: &TimeSpan| has(span, &Content::Random) && has(span, &Content::Counting);
    losses.say_if(
        profile.spans.iter().any(both),
        Standing::Approximated,
        "data",
        "DISKSPD says of a time span that writes carry random bytes: those of the bytes 0 to 255 \
         do so too",
    );
    Ok(Written {
        text: profile_element(&profile).render(),
        notes: losses.into_notes(),
    })
}

/// Writes a command line, the program's name first.
///
/// # Errors
///
/// Why there is none that comes near, as of several phases.
pub(crate) fn command_line(workload: &Workload, wishes: &RunWishes) -> Result<Written, Note> {
    let mut losses = Losses::default();
    let profile = profile(workload, wishes, &mut losses)?;
    let words = argv::words(&profile)?;
    Ok(Written {
        text: words.join(" ") + "\n",
        notes: losses.into_notes(),
    })
}

fn profile(workload: &Workload, wishes: &RunWishes, losses: &mut Losses) -> Result<Profile, Note> {
    only_bytes(workload)?;
    let mut spans = Vec::new();
    let several = workload
        .phases
        .iter()
        .map(|phase| phase.jobs.len())
        .sum::<usize>()
        > 1;
    for phase in &workload.phases {
        let mut span = span(workload, phase, wishes, losses);
        let bursts = Bursts::of(phase);
        for job in &phase.jobs {
            losses.of(several.then(|| match workload.phases.as_slice() {
                [_] => job.name.clone(),
                _ => format!("{}/{}", phase.name, job.name),
            }));
            job::targets((phase, &bursts), job, wishes, &mut span, losses)?;
        }
        losses.of(None);
        spans.push(span);
    }
    let repeat = repeats(workload, losses);
    of_run(workload, wishes, losses);
    losses.say(
        Standing::Ignored,
        "name",
        "DISKSPD has no names for workloads, phases and jobs, and no description or source",
    );
    let count = spans.len() * repeat as usize;
    Ok(Profile {
        spans: spans.into_iter().cycle().take(count).collect(),
        ..Profile::default()
    })
}

fn repeats(workload: &Workload, losses: &mut Losses) -> u32 {
    if workload.repeat > MOST_REPEATS {
        let message =
            format!("time spans are written out {MOST_REPEATS} times at most; here, once");
        losses.say(Standing::Refused, "repeat", message);
        return 1;
    }
    losses.say_if(
        workload.repeat > 1,
        Standing::Kept,
        "repeat",
        "the time spans are written out as often, one after another",
    );
    workload.repeat.max(1)
}

/// What else the run is to do.
fn of_run(workload: &Workload, wishes: &RunWishes, losses: &mut Losses) {
    losses.say_if(
        workload.salt.is_some(),
        Standing::Ignored,
        "salt",
        "DISKSPD draws random content anew in each run",
    );
    losses.say_if(
        !wishes.keep_files,
        Standing::Ignored,
        "keep",
        "DISKSPD leaves the files that it made, where Fathom removes its own",
    );
    losses.say_if(
        wishes
            .engine
            .is_some_and(|engine| !matches!(engine, EngineKind::IoUring | EngineKind::Mmap)),
        Standing::Ignored,
        "engine",
        job::ONE_WAY,
    );
    losses.say_if(
        wishes.submission_polling || wishes.completion_polling,
        Standing::Approximated,
        "polling",
        "DISKSPD waits for completions; nothing is polled for",
    );
    losses.say_if(
        !wishes.directories.is_empty(),
        Standing::Ignored,
        "directories",
        "DISKSPD makes no directories; make them before",
    );
}

fn span(workload: &Workload, phase: &Phase, wishes: &RunWishes, losses: &mut Losses) -> TimeSpan {
    let (no_affinity, affinity) = match &wishes.affinity {
        Affinity::Free => (true, Vec::new()),
        Affinity::RoundRobin => (false, Vec::new()),
        Affinity::List(list) => {
            let known = list.iter().filter_map(|cpu| u8::try_from(*cpu).ok());
            let known: Vec<(u16, u8)> = known.map(|cpu| (0, cpu)).collect();
            losses.say_if(
                known.len() < list.len(),
                Standing::Approximated,
                "affinity",
                "DISKSPD counts processors to 255 without groups; those beyond are left out",
            );
            (known.is_empty(), known)
        }
    };
    TimeSpan {
        duration_s: duration(phase, losses),
        warm_up_s: seconds(phase.warm_up, "warm_up", losses),
        cool_down_s: seconds(phase.cool_down, "cool_down", losses),
        seed: workload.seed.map_or(0, |number| seed(number, losses)),
        fresh_seed: workload.seed.is_none(),
        no_affinity,
        affinity,
        measure_latency: true,
        iops_bucket_ms: bucket(workload.interval, losses),
        ..TimeSpan::default()
    }
}

/// Its seeds have 32 bits.
fn seed(seed: u64, losses: &mut Losses) -> u64 {
    losses.say_if(
        seed > u64::from(u32::MAX),
        Standing::Approximated,
        "seed",
        "DISKSPD's seeds have 32 bits; it is the remainder",
    );
    seed & u64::from(u32::MAX)
}

/// The buckets of its time series; a second goes without saying.
fn bucket(interval: Nanos, losses: &mut Losses) -> Option<u32> {
    let ms = (interval.0 / 1_000_000).clamp(1, u64::from(u32::MAX));
    losses.say_if(
        Nanos::from_millis(ms) != interval,
        Standing::Ignored,
        "interval",
        "DISKSPD counts whole milliseconds",
    );
    (ms != 1000).then_some(ms as u32)
}

fn duration(phase: &Phase, losses: &mut Losses) -> u32 {
    losses.say_if(
        phase.drain_timeout != Phase::plain().drain_timeout,
        Standing::Approximated,
        "drain_timeout",
        "DISKSPD waits for requests in flight without a limit",
    );
    losses.say_if(
        phase.steady.is_some(),
        Standing::Refused,
        "steady",
        "DISKSPD does not look whether a load is steady; it runs for the time of the window",
    );
    let window = phase.steady.as_ref().map(|rule| {
        let window = rule.round.0.saturating_mul(u64::from(rule.rounds));
        Nanos(window)
    });
    let ends = phase.jobs.iter().any(|job| job.stop.is_set());
    let message = match phase.duration {
        Some(_) => "DISKSPD ends by the clock only: the job goes on to the end of its time",
        None => "DISKSPD ends by the clock only: it runs for 60 seconds",
    };
    losses.say_if(ends, Standing::Refused, "stop", message);
    match phase.duration.or(window) {
        Some(duration) => seconds(duration, "duration", losses).max(1),
        None => DEFAULT_S,
    }
}

/// Whole seconds, upwards.
fn seconds(time: Nanos, what: &'static str, losses: &mut Losses) -> u32 {
    let seconds = time.0.div_ceil(1_000_000_000);
    losses.say_if(
        Nanos::from_secs(seconds) != time,
        Standing::Approximated,
        what,
        "DISKSPD counts whole seconds; rounded up",
    );
    u32::try_from(seconds).unwrap_or(u32::MAX)
}
