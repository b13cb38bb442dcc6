//! One section to the jobs of the native specification that do the same.

mod access;
mod amount;
mod apart;
mod kinds;
mod pacing;
mod passes;
mod replay;
mod targets;
mod writes;

use super::settings::Settings;
use super::source::{Findings, TextPlace, Wrong};
use fathom_core::spec::{IoKind, Job, QueueScope, ReadAhead};
use fathom_core::{Bytes, EngineKind, Op};
use fathom_tools::dialects::Surroundings;
use fathom_tools::translation::Standing;

/// A section with what became of it.
pub(super) struct Built {
    pub(super) name: String,
    pub(super) place: TextPlace,
    pub(super) settings: Settings,
    /// One for all clones or one for each; two where reads and writes go apart.
    pub(super) jobs: Vec<Job>,
    /// Jobs that are one clone, or all of them.
    pub(super) parts: usize,
    /// Whether each clone ends by itself.
    pub(super) ends: bool,
    /// How many of the options given are defaults from outside of the section.
    pub(super) inherited: usize,
}

/// What the parts of a job are made from.
struct Maker<'a> {
    name: &'a str,
    /// What the section is called, after which files are, whatever `name=` says.
    section: &'a str,
    place: &'a TextPlace,
    settings: &'a Settings,
    surroundings: &'a dyn Surroundings,
    /// Paths given on the command line for jobs that name none.
    fallback: &'a [String],
}

/// Builds the jobs of a section; without any when something is wrong, which has been reported.
pub(super) fn build(
    name: &str,
    place: &TextPlace,
    settings: Settings,
    fallback: &[String],
    surroundings: &dyn Surroundings,
    findings: &mut Findings,
) -> Built {
    let mut settings = settings;
    let section = name;
    let name = settings.name.clone().unwrap_or_else(|| name.to_owned());
    targets::find_drives(&mut settings, place, surroundings.drives(), findings);
    let maker = Maker {
        name: &name,
        section,
        place,
        settings: &settings,
        surroundings,
        fallback,
    };
    let whole = maker.jobs(findings).unwrap_or_default();
    let (count, mut jobs) = (whole.len().max(1), Vec::new());
    for job in whole {
        jobs.extend(maker.apart(job, findings));
    }
    let parts = (jobs.len() / count).max(1);
    let ends = jobs.iter().all(Job::ends);
    Built {
        place: place.clone(),
        jobs,
        parts,
        ends,
        name,
        settings,
        inherited: 0,
    }
}

impl Maker<'_> {
    fn jobs(&self, findings: &mut Findings) -> Option<Vec<Job>> {
        let clones = self.settings.clones;
        let all = (0..clones)
            .map(|clone| self.job(clone, findings))
            .collect::<Option<Vec<_>>>()?;
        let alike = all.windows(2).all(|pair| {
            let (one, other) = (&pair[0], &pair[1]);
            let alike = one.targets == other.targets && one.offset == other.offset;
            alike && one.stop == other.stop && one.replay.is_none()
        });
        if clones < 2 || !alike || !self.settings.group_reporting {
            return Some(all);
        }
        let mut job = all.into_iter().next()?;
        self.name.clone_into(&mut job.name);
        multiply(&mut job, clones as u32);
        Some(vec![job])
    }

    fn job(&self, clone: u64, findings: &mut Findings) -> Option<Job> {
        let settings = self.settings;
        if !settings.replays.traces.is_empty() {
            return self.replayed(clone, findings);
        }
        let targets = self.targets(clone);
        let kinds = self.kinds();
        let region = self.region(&targets, clone, findings)?;
        self.check_there(&targets, region.file.unwrap_or(0), findings)?;
        let stop = self.stop(&region, &kinds, findings)?;
        let writes = kinds.iter().any(|kind| kind.op == Op::Write);
        self.check_flushes(writes, findings)?;
        let durability = self.durability(writes);
        self.note_mapping(findings);
        let passes = self.writes_of_pass(&kinds, &stop, &region, findings);
        let length = self.written_length(&targets, &region, &stop);
        let common = self.common(clone, kinds, findings)?;
        let mut job = Job {
            targets,
            size: length.or(region.file).map(Bytes),
            offset: Bytes(region.offset),
            window: region.window.map(Bytes),
            access: self.access(&common.kinds, findings)?,
            pacing: self.pacing(&common.kinds, findings)?,
            sync_at_end: settings.syncs_at_end && writes,
            durability,
            stop,
            ..common
        };

        job.fresh = self.grows(&job, &region);
        let cold_again = job.cold.then(|| self.pass_bytes(&region)).flatten();
        job.set_compat(|compat| {
            compat.idle |= region.is_unused;
            compat.verify_backlog = compat.verify_backlog.or(passes);
            compat.cold_again = cold_again.map(Bytes);
        });
        let may_fill = job.fresh || amount::are_devices(&job.targets);
        if settings.fills && !job.compat().idle && !may_fill {
            let wrong = Wrong::new(
                "only writes in order fill a file system",
                "rw=write for all of the file, without mmap and the options that check or mix",
            );
            self.error(findings, "fill_device", wrong);
            return None;
        }
        Some(job)
    }

    /// What jobs have in common whose requests are drawn, and those whose requests are recorded:
    /// what is said of bytes, of how they are checked and of who asks for them holds for both.
    fn common(&self, clone: u64, kinds: Vec<IoKind>, findings: &mut Findings) -> Option<Job> {
        let settings = self.settings;
        let name = if settings.clones > 1 {
            format!("{}.{clone}", self.name)
        } else {
            self.name.to_owned()
        };
        let (verify_as, verify_interval) = self.block_form(&kinds);
        let backlog = self.backlog(&kinds);
        let (io_class, io_level) = self.priority();
        let mut job = Job {
            name,
            io_class,
            io_level,
            queue_depth: self.depth(findings),
            queue_scope: QueueScope::Shared,
            cold: settings.invalidate && !settings.is_direct(),
            data: self.data(findings)?,
            verify: self.verify(&kinds),
            complete_batch: self.complete_batch(),
            kinds,
            ..settings.job.clone()
        };
        let read_ahead = read_ahead(&job).filter(|_| !settings.is_untold);
        job.set_compat(|compat| {
            compat.verify_as = verify_as;
            compat.verify_interval = verify_interval;
            compat.verify_backlog = backlog;
            compat.read_ahead = read_ahead;
        });
        Some(job)
    }

    /// Completions that are waited for: those down to `iodepth_low`, if that is given.
    fn complete_batch(&self) -> Option<u32> {
        let settings = self.settings;
        let (depth, low) = (settings.depth, settings.depth_low);
        let waves = low > 0 && low < depth && !settings.engine.synchronous;
        if waves {
            return Some((depth - low) as u32);
        }
        settings.job.complete_batch
    }

    fn depth(&self, findings: &mut Findings) -> u32 {
        let settings = self.settings;
        if settings.serializes && settings.depth > 1 && !settings.engine.synchronous {
            let wrong = Wrong::new(
                "requests in flight that overlap do not wait for each other",
                "iodepth=1, or without serialize_overlap",
            );
            self.error(findings, "serialize_overlap", wrong);
        }
        if !self.settings.engine.synchronous {
            return self.settings.depth as u32;
        }
        if let (Some(word), true) = (self.settings.word("iodepth"), self.settings.depth > 1) {
            let reason = "a synchronous engine keeps one request in flight";
            findings.note(Standing::Ignored, &word.what(), reason);
        }
        1
    }

    /// Whether the files of the job are made by its own writes, as fio does it.
    fn grows(&self, job: &Job, region: &amount::Region) -> bool {
        let settings = self.settings;
        let pattern = settings.pattern;
        let writes_only = pattern.writes() && !pattern.reads() && !pattern.trims();
        let in_order = !settings.pattern.random && settings.pattern_step.is_none();
        let each_once = settings.makes_on_open
            && job.access.without_repetition
            && job.kinds.iter().all(|kind| kind.random.0 >= 100.0);
        let filled = job
            .stop
            .bytes
            .is_some_and(|bytes| bytes.0 >= region.amount && settings.runtime.0 == 0);
        let unit = self.smallest_block().max(1);
        // fio makes files as long as they are to be, however little of them is written.
        let all = region.length.saturating_mul(job.targets.len() as u64);
        let whole = region.length.is_multiple_of(unit) && region.amount >= all;
        // What is left at the end for none of the sizes is not written.
        let to_the_end = job.kinds.iter().all(|kind| kind.block_size.0 % unit == 0);
        let begins = region.offset == 0 && self.are_absent(&job.targets);
        writes_only
            && (in_order || each_once)
            && filled
            && whole
            && to_the_end
            && region.amount > 0
            && (begins || settings.fills)
            && !job.compat().idle
            && job.stop.ios.is_none()
            && (!settings.overwrite || settings.makes_on_open)
            && settings.steady.is_none()
            && settings.engine.fathom != Some(EngineKind::Null)
            // A mapping is as long as its file.
            && !settings.maps()
            && !amount::are_devices(&job.targets)
    }

    /// An error at an option, or at the head of the section where it is not given.
    fn error(&self, findings: &mut Findings, option: &str, wrong: Wrong) {
        let word = self.settings.word(option);
        findings.error(word.map_or(self.place, |word| &word.place), wrong);
    }
}

/// One job with a thread for each clone: what fio counts for a clone, Fathom counts for all.
fn multiply(job: &mut Job, threads: u32) {
    let factor = u64::from(threads);
    job.threads = threads;
    job.stop.bytes = job
        .stop
        .bytes
        .map(|bytes| Bytes(bytes.0.saturating_mul(factor)));
    job.stop.ios = job.stop.ios.map(|ios| ios.saturating_mul(factor));
    job.fresh = false;
    pacing::multiply(&mut job.pacing, f64::from(threads));
}

/// The hint for reads in order, which fio gives the kernel too.
fn read_ahead(job: &Job) -> Option<ReadAhead> {
    (job.is_read_ahead() && !job.is_random()).then_some(ReadAhead::Sequential)
}
