//! A job as targets of a time span.

use super::{load, order};
use crate::profile::{Cache, Content, MapFlush, Target, TimeSpan};
use crate::translation::LAST_LEVEL;
use fathom_core::Op;
use fathom_core::spec::{Fill, IoClass, Job, Pacing, Phase, QueueScope, TargetOrder, Verify};
use fathom_tools::losses::Losses;
use fathom_tools::translation::{Note, RunWishes, Standing};
use fathom_tools::writers::{Bursts, is_device, paths, same};

/// What is written of a job, or named where it cannot be; anything else is a loss.
const SAID: &[&str] = &[
    "name",
    "targets",
    "engine",
    "threads",
    "queue_depth",
    "queue_scope",
    "target_order",
    "target_weights",
    "submit_batch",
    "complete_batch",
    "size",
    "offset",
    "window",
    "fresh",
    "cold",
    "warm",
    "access",
    "pacing",
    "after",
    "delay",
    "replay",
    "durability",
    "data",
    "data_file",
    "verify",
    "verify_as",
    "verify_interval",
    "verify_offset",
    "verify_backlog",
    "verify_batch",
    "stop",
    "io",
    "io_class",
    "io_level",
];

/// What is said of engines.
pub(super) const ONE_WAY: &str =
    "DISKSPD hands requests over in one way, but to files that are mapped";

/// Adds the targets of a job.
///
/// # Errors
///
/// A target that is none here, or a job without reads and writes.
pub(super) fn targets(
    (phase, bursts): (&Phase, &Bursts<'_>),
    job: &Job,
    wishes: &RunWishes,
    span: &mut TimeSpan,
    losses: &mut Losses,
) -> Result<(), Note> {
    let paths = paths(job, losses);
    for path in &paths {
        refuse(path)?;
    }
    let mut target = Target {
        large_pages: wishes.huge_pages,
        ..Target::default()
    };
    load::write(job, &mut target, losses)?;
    // One job over several targets is a pool of threads, and a time span is one pool or none.
    let pool = paths.len() > 1 && phase.jobs.len() == 1;
    threads(job, paths.len(), pool, &mut target, span, losses);
    place(job, &mut target, losses);
    order::write(job, &mut target, losses);
    load::pacing(bursts, job, paths.len(), &mut target, losses);
    let engine = job.engine.or(wishes.engine);
    target.memory_mapped = engine.is_some_and(|kind| kind.capabilities().maps_targets);
    losses.say_if(
        job.engine.is_some() && !target.memory_mapped,
        Standing::Ignored,
        "engine",
        ONE_WAY,
    );
    durability(job, &mut target, losses);
    target.priority = priority(job, losses);
    let writes = target.write_percent > 0;
    target.content = content(job, writes, losses);
    losses.say_if(
        job.verify != Verify::Off && (writes || job.verify != Verify::Stamp),
        Standing::Refused,
        "verify",
        "DISKSPD does not check what it reads",
    );
    losses.rest(job, SAID, "DISKSPD");
    for (index, path) in paths.into_iter().enumerate() {
        let weight = job.compat().target_weights.get(index).copied();
        span.targets.push(Target {
            path,
            weight: weight.unwrap_or(target.weight),
            ..target.clone()
        });
    }
    Ok(())
}

fn refuse(path: &str) -> Result<(), Note> {
    let letters: Vec<char> = path.chars().collect();
    let why = if path.contains('\\') || letters.get(1) == Some(&':') || path.starts_with('#') {
        "it would be one of Windows"
    } else if path.starts_with('*') {
        "it would mean a target given with the profile"
    } else if path.trim() != path || path.is_empty() || path.contains(char::is_control) {
        "of its blanks"
    } else {
        return Ok(());
    };
    let message = format!("DISKSPD cannot name the target {path:?} because {why}; rename it");
    Err(Note::new(Standing::Refused, "targets", message))
}

fn threads(
    job: &Job,
    targets: usize,
    pool: bool,
    target: &mut Target,
    span: &mut TimeSpan,
    losses: &mut Losses,
) {
    if pool {
        span.threads = job.threads;
        // With one queue over all targets DISKSPD takes neither rates nor pauses.
        if job.queue_scope == QueueScope::Shared && job.pacing == Pacing::CLOSED {
            span.outstanding = job.queue_depth;
            losses.say_if(
                targets > 1 && job.compat().target_order != Some(TargetOrder::Drawn),
                Standing::Approximated,
                "target_order",
                "DISKSPD draws the target of each request",
            );
            return;
        }
    } else {
        target.threads = job.threads;
    }
    target.outstanding = job.queue_depth;
    if targets < 2 {
        return;
    }
    losses.say_if(
        job.compat().target_order.is_some(),
        Standing::Approximated,
        "target_order",
        "DISKSPD keeps as many requests at each target",
    );
    losses.say_if(
        !job.compat().target_weights.is_empty(),
        Standing::Refused,
        "target_weights",
        "DISKSPD gives targets shares in a pool of threads with one queue for all of them",
    );
    let message = "with other jobs, each target has its own threads: the same number for each";
    losses.say_if(!pool, Standing::Approximated, "targets", message);
    if job.queue_scope == QueueScope::Shared {
        let targets = targets as u32;
        target.outstanding = job.queue_depth.div_ceil(targets);
        let message = "the outstanding requests are shared out evenly among the targets";
        losses.say(Standing::Approximated, "queue_scope", message);
    }
}

fn place(job: &Job, target: &mut Target, losses: &mut Losses) {
    let message = "DISKSPD submits and completes requests one by one";
    let (submit, complete) = (job.submit_batch.is_some(), job.complete_batch.is_some());
    losses.say_if(submit, Standing::Ignored, "submit_batch", message);
    losses.say_if(complete, Standing::Ignored, "complete_batch", message);
    target.base_bytes = job.offset.0;
    target.max_bytes = job
        .window
        .map(|window| job.offset.0.saturating_add(window.0));
    if let Some(size) = job.size.filter(|_| !is_device(job)) {
        target.file_bytes = Some(size.0);
        if target.max_bytes == Some(size.0) {
            target.max_bytes = None;
        }
    } else {
        losses.say(
            Standing::Kept,
            "size",
            "without one the target has to be there",
        );
    }
    losses.say_if(
        job.fresh,
        Standing::Approximated,
        "fresh",
        "DISKSPD fills a file before it is written",
    );
    let direct = job.durability.direct;
    losses.say_if(
        job.cold && !direct && job.reads(),
        Standing::Refused,
        "cold",
        "DISKSPD reads from the page cache what is in it",
    );
    losses.say_if(
        job.cold && !direct && !job.reads(),
        Standing::Approximated,
        "cold",
        "DISKSPD does not empty the page cache before",
    );
}

fn durability(job: &Job, target: &mut Target, losses: &mut Losses) {
    losses.say_if(
        job.warm,
        Standing::Approximated,
        "warm",
        "DISKSPD reads from the page cache without marking it as intended",
    );
    if job.durability.direct {
        target.cache = Cache::Uncached;
    }
    let through = job.durability.write_through && target.write_percent > 0;
    if target.memory_mapped {
        target.flush = through.then_some(MapFlush::View);
    } else {
        target.write_through = through;
    }
    losses.say_if(
        job.durability.sync.is_some() && job.kinds.iter().any(|kind| kind.op == Op::Write),
        Standing::Refused,
        "sync",
        "DISKSPD does not flush; write_through, which is -Sw, makes each write durable",
    );
}

/// Very low, low or normal.
fn priority(job: &Job, losses: &mut Losses) -> u8 {
    let (priority, is_so) = match (job.io_class, job.io_level) {
        (None, _) => (3, true),
        (Some(IoClass::Idle), _) => (1, true),
        (Some(IoClass::BestEffort), Some(LAST_LEVEL)) => (2, true),
        (Some(IoClass::BestEffort | IoClass::RealTime), _) => (3, false),
    };
    let message = "DISKSPD's priorities are very low, low and normal; it is normal";
    losses.say_if(!is_so, Standing::Approximated, "io_class", message);
    priority
}

/// The content of a file, if writes carry it.
pub(crate) fn source(job: &Job) -> Option<Content> {
    let file = job.compat().data_file.as_ref()?;
    Some(Content::Buffer {
        bytes: file.size.0,
        file: Some(file.path.clone()),
    })
}

fn content(job: &Job, writes: bool, losses: &mut Losses) -> Content {
    let data = &job.data;
    if let Some(source) = source(job) {
        return source;
    }
    match data.fill {
        Fill::Zero => return Content::Zero,
        Fill::Counting => return Content::Counting,
        Fill::Pattern(_) | Fill::Ior(_) => {
            losses.say(
                Standing::Approximated,
                "data",
                "the one pattern of DISKSPD is the bytes 0 to 255",
            );
            return Content::Counting;
        }
        Fill::Random | Fill::File => {}
        Fill::Scrambled => losses.say_if(
            writes,
            Standing::Approximated,
            "data",
            "DISKSPD makes its random bytes anew for each write",
        ),
    }
    losses.say_if(
        writes && !(same(data.compressible_to.0, 100.0) && same(data.duplicate.0, 0.0)),
        Standing::Approximated,
        "data",
        "DISKSPD's random bytes can neither be compressed nor deduplicated",
    );
    Content::Random
}
