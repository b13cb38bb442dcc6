//! A job as a section.

use super::kinds::Mix;
use super::section::Section;
use super::{pacing, place, times};
use crate::fio::options::FORMS;
use crate::fio::values::written_pattern;
use crate::losses::Losses;
use crate::translation::{Note, Standing};
use fathom_core::spec::{Data, Durability, Fill, Job, Phase, Verify};

/// What is written of a job, or named where it cannot be; anything else is a loss.
const SAID: &[&str] = &[
    "name",
    "targets",
    "threads",
    "queue_depth",
    "queue_scope",
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
    "verify",
    "verify_as",
    "verify_interval",
    "stop",
    "io",
];

/// The section of a job.
///
/// # Errors
///
/// A target that fio cannot name.
pub(super) fn section(
    phase: &Phase,
    job: &Job,
    name: String,
    losses: &mut Losses,
) -> Result<Section, Note> {
    let mut section = Section::new(name);
    place::target(job, &mut section, losses)?;
    let mix = Mix::of(job, losses);
    let clones = place::clones(job, &mut section, losses);
    mix.write(&mut section);
    place::order(job, &mix, &mut section, losses);
    pacing::write(phase, job, &mix, clones, &mut section, losses);
    durability(job, &mix, &mut section, losses);
    data(job, &mix, &mut section, losses);
    verify(job, &mix, &mut section, losses);
    times::write(phase, job, clones, &mut section, losses);
    losses.rest(job, SAID, "fio");
    Ok(section)
}

fn durability(job: &Job, mix: &Mix, section: &mut Section, losses: &mut Losses) {
    let Durability {
        direct,
        write_through,
        sync,
    } = job.durability;
    section.put("direct", u8::from(direct));
    if !job.cold && !direct {
        section.put("invalidate", 0);
    }
    losses.say_if(
        job.warm,
        Standing::Approximated,
        "warm",
        "fio reads what the page cache holds and does not say that it was meant",
    );
    if write_through {
        section.put("sync", "dsync");
    }
    if let Some(sync) = sync {
        let key = if sync.data_only { "fdatasync" } else { "fsync" };
        section.put(key, sync.writes);
    }
    // Files are really written before, unless they are to grow.
    if mix.writes() && !job.fresh {
        section.put("overwrite", 1);
    }
}

fn data(job: &Job, mix: &Mix, section: &mut Section, losses: &mut Losses) {
    let data = &job.data;
    let Data {
        fill,
        compressible_to,
        duplicate,
    } = data;
    if *fill == Fill::Zero {
        return section.flag("zero_buffers");
    }
    if let Some(pattern) = written_pattern(*fill) {
        if job.verify != Verify::Off {
            section.put("verify_pattern", pattern);
        } else if pattern.contains("%o") {
            losses.say(
                Standing::Refused,
                "data",
                "fio puts offsets only into blocks that it verifies; use `verify = \"stamp\"`",
            );
        } else {
            section.put("buffer_pattern", pattern);
        }
        return;
    }
    if !mix.writes() {
        return;
    }
    if *fill == Fill::Random {
        section.flag("refill_buffers");
    }
    losses.say_if(
        *fill == Fill::Scrambled && (compressible_to.0 < 100.0 || duplicate.0 > 0.0),
        Standing::Approximated,
        "data",
        "fio fills its buffers anew for what is compressible or duplicate",
    );
    let compress = 100.0 - compressible_to.0;
    for (key, what, share) in [
        ("buffer_compress_percentage", "compressible_to", compress),
        ("dedupe_percentage", "duplicate", duplicate.0),
    ] {
        let whole = share.round();
        if whole > 0.0 {
            section.put(key, whole);
        }
        losses.say_if(
            (whole - share).abs() > 1e-9,
            Standing::Approximated,
            what,
            "fio has whole percents; rounded",
        );
    }
}

fn verify(job: &Job, mix: &Mix, section: &mut Section, losses: &mut Losses) {
    let verify = job.verify;
    let (does_verify, nearer) = match (verify, mix.writes(), mix.reads()) {
        (Verify::Off, ..) | (Verify::Stamp, false, _) => return,
        (Verify::Check, true, true) => (
            true,
            Some("fio also reads back at the end all that was written"),
        ),
        (Verify::ReadBack, false, _) => (
            true,
            Some("fio checks what the job reads, and does not read all else at the end"),
        ),
        (Verify::Stamp | Verify::Check, true, _) => (false, None),
        (Verify::Check, false, _) | (Verify::ReadBack, true, _) => (true, None),
    };
    let is_pattern = job.data.fill.is_told();
    let form = FORMS.iter().find(|(_, form)| *form == job.verify_as);
    let own = job.verify_as.is_own();
    section.put(
        "verify",
        match form {
            _ if is_pattern => "pattern",
            Some((name, _)) if !own => name,
            _ => "crc32c",
        },
    );
    if let Some(bytes) = job.verify_interval {
        section.put("verify_interval", bytes.0);
    }
    if !does_verify {
        section.put("do_verify", 0);
    }
    let stamps = "fio's blocks carry fio's own description: what one tool wrote the other cannot \
                  check";
    losses.say_if(!is_pattern && own, Standing::Approximated, "verify", stamps);
    if let Some(nearer) = nearer {
        losses.say(Standing::Approximated, "verify", nearer);
    }
}
