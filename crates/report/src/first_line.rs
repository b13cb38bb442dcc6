//! The first line of every format: the disk, what it did, how far the run came, and how far that
//! can be trusted, in one sentence.

use crate::figure::{iops, megabytes, significant, size, time};
use fathom_core::SmallSort as _;
use fathom_core::result::{
    JobResult, LoadModel, Origin, PhaseResult, RequirementOutcome, RequirementReport, ResultField,
    RunResult,
};
use fathom_core::spec::Job;
use fathom_core::{Caveat, Level, Op, State};
use fathom_programs::sentence;
use fathom_verdict::Code;

/// Numbers of a sentence.
const NUMBERS: usize = 3;
/// Requests of this size and more are reported in bytes a second.
const LARGE_BYTES: f64 = 65_536.0;

/// The first line as a sentence with its trust, as in `vda, 275 GB virtio, ext4: reads 1.60 GB/s;
/// trust: qualified`: the subject of a mail.
pub fn first_line(result: &RunResult) -> String {
    format!(
        "{}; trust: {}",
        answer(result),
        trust(result).to_lowercase()
    )
}

/// The same without the trust, for formats that show the state by itself.
pub(crate) fn answer(result: &RunResult) -> String {
    let subject = subject(result);
    let mut text = match numbers(result) {
        Some(numbers) => format!("{subject}: {numbers}"),
        None => format!("{subject}: nothing was measured"),
    };
    // What a result shows that is none of the storage's is not met by the storage.
    let fitness = fitness(&result.requirements).filter(|_| result.state != State::Invalid);
    if let Some(fitness) = fitness {
        text += &format!("; {fitness}");
    }
    if let Some(interruption) = result.interruption() {
        text += &format!("; {interruption}");
    }
    text
}

/// Whether what was required is met, which is why somebody ran it.
fn fitness(requirements: &[RequirementReport]) -> Option<String> {
    let all = requirements.len();
    let of = |outcome| {
        requirements
            .iter()
            .filter(move |one| one.outcome == outcome)
    };
    let missed = of(RequirementOutcome::Missed).count();
    let undecided = of(RequirementOutcome::Undecided).count();
    Some(match (missed, undecided) {
        _ if all == 0 => return None,
        (1, _) => format!("misses {}", of(RequirementOutcome::Missed).next()?.text),
        (2.., _) => format!("misses {missed} of {all} requirements"),
        (0, 1) if all == 1 => format!("{} is undecided", requirements[0].text),
        (0, 1..) => format!("{undecided} of {all} requirements are undecided"),
        (0, 0) if all == 1 => format!("meets {}", requirements[0].text),
        (0, 0) => format!("meets all {all} requirements"),
    })
}

/// How far the result can be trusted, in one word or two.
pub(crate) fn trust(result: &RunResult) -> &'static str {
    // A result is invalid without a reason until it is evaluated.
    let reasons = result.caveats.iter();
    let mut decide = reasons.filter(|caveat| caveat.level != Level::Note);
    let is_judged =
        result.state == State::Valid || decide.any(|caveat| caveat.level.state() == result.state);
    if is_judged {
        result.state.word()
    } else {
        "NOT CHECKED"
    }
}

/// What the numbers are those of.
fn subject(result: &RunResult) -> String {
    let provenance = &result.provenance;
    let disk = match provenance.disk() {
        none if none.is_empty() => provenance.workload.name.clone(),
        disk => disk,
    };
    match &provenance.origin {
        Origin::Measured => disk,
        Origin::Simulated { .. } => format!("simulated {disk}"),
        Origin::Imported { tool, .. } => format!("{disk}, measured by {tool}"),
    }
}

/// The answer of a command that asks one question, else the best figures of the phases.
fn numbers(result: &RunResult) -> Option<String> {
    if let Some(ramp) = &result.ramp {
        return ramp.answer_words();
    }
    let course = courses(result).into_iter().next().map(|one| one.words);
    course
        .or_else(|| sentence(result))
        .or_else(|| figures(result))
}

/// A job that served less of the offered rate was limited by the storage.
const SERVED: f64 = 0.98;

/// One operation of a phase, all jobs together, the mean of its repeats.
struct Figure {
    op: Op,
    iops: f64,
    bytes_per_second: f64,
    /// Bytes of each request, where all are alike.
    bytes: Option<u64>,
    is_random: bool,
    p99_ns: Option<u64>,
    /// Mean time of a commit, nanoseconds, where the requests are commits.
    commit_ns: Option<f64>,
    /// Whether the load sets the rate, so that it says nothing about what the storage can do.
    is_set: bool,
}

/// Whether a job had the rate that its load sets, and not the most that the storage can do.
fn has_set_rate(job: &JobResult) -> bool {
    let ops = job.ops.iter().filter(|(op, _)| *op != Op::Flush);
    let served: f64 = ops
        .filter_map(|(_, found)| Some(found.as_ref()?.iops))
        .sum();
    match job.load_model {
        LoadModel::Closed => false,
        LoadModel::Bursts => true,
        LoadModel::Open => job.offered_iops.is_none_or(|set| served > SERVED * set),
    }
}

impl Figure {
    fn all(result: &RunResult) -> Vec<Self> {
        let mut all = Vec::new();
        for (index, phase) in result.phases.iter().enumerate() {
            let is_same = |other: &&PhaseResult| other.name == phase.name;
            if result.phases[..index].iter().any(|other| is_same(&other)) {
                continue;
            }
            let repeats: Vec<&PhaseResult> = result.phases.iter().filter(is_same).collect();
            let ops = Op::ALL.into_iter().filter(|op| *op != Op::Flush);
            all.extend(ops.filter_map(|op| Self::of(result, &repeats, op)));
        }
        all
    }

    fn of(result: &RunResult, repeats: &[&PhaseResult], op: Op) -> Option<Self> {
        let first = repeats.first()?;
        let jobs: Vec<(&JobResult, Option<&Job>)> = result
            .job_specs(first)
            .filter(|(job, _)| job.ops.get(op).is_some())
            .collect();
        let (job, spec) = *jobs.first()?;
        let own = job.ops.get(op)?;
        let sum = |of: fn(&fathom_core::result::OpResult) -> f64| -> f64 {
            let jobs = repeats.iter().flat_map(|phase| &phase.jobs);
            let sum: f64 = jobs.filter_map(|job| job.ops.get(op)).map(of).sum();
            sum / repeats.len() as f64
        };
        let kinds = jobs.iter().filter_map(|(_, spec)| *spec);
        let kinds = kinds.flat_map(|spec| spec.kinds.iter().filter(|kind| kind.op == op));
        let shapes: Vec<(u64, bool)> = kinds
            .map(|kind| (kind.block_size.0, kind.random.0 >= 100.0))
            .collect();
        let same = shapes
            .first()
            .filter(|one| shapes.iter().all(|other| other == *one));
        let times = match job.load_model {
            LoadModel::Open => &own.response_ns,
            LoadModel::Closed | LoadModel::Bursts => &own.service_ns,
        };
        let is_alone = jobs.len() == 1 && repeats.len() == 1;
        let is_commit =
            |spec: &Job| spec.flushes_each_write() && job.threads == 1 && job.queue_depth == 1;
        let flush = job.ops.get(Op::Flush).filter(|flush| flush.ios > 0);
        let flush = flush.filter(|_| op == Op::Write && spec.is_some_and(is_commit));
        Some(Self {
            op,
            iops: sum(|one| one.iops),
            bytes_per_second: sum(|one| one.bytes_per_second),
            bytes: same.map(|(bytes, _)| *bytes),
            is_random: same.is_some_and(|(_, random)| *random),
            p99_ns: times.percentile("99").filter(|_| is_alone),
            // Means add up, percentiles do not.
            commit_ns: flush.map(|flush| times.mean + flush.service_ns.mean),
            is_set: jobs.iter().all(|(job, _)| has_set_rate(job)),
        })
    }

    fn is_large(&self) -> bool {
        self.bytes_per_second >= self.iops * LARGE_BYTES
    }

    /// The order in which people ask: how fast it reads, how many requests, what a commit takes.
    fn rank(&self) -> u8 {
        match (self.op, self.commit_ns, self.is_large()) {
            (_, Some(_), _) => 2,
            (Op::Read, _, true) => 0,
            (Op::Read, _, false) => 1,
            (Op::Write, _, true) => 3,
            (Op::Write, _, false) => 4,
            _ => 5,
        }
    }

    fn words(&self) -> String {
        let name = self.op.name();
        if let Some(commit_ns) = self.commit_ns {
            return format!("a commit takes {}", time(commit_ns));
        }
        let set = if self.is_set { " at a set rate" } else { "" };
        if self.is_large() {
            return match self.bytes_per_second {
                fast if fast >= 999.5e6 => format!("{name}s {} GB/s{set}", significant(fast / 1e9)),
                slow => format!("{name}s {} MB/s{set}", megabytes(slow)),
            };
        }
        let order = if self.is_random { "random " } else { "" };
        let bytes = self.bytes.filter(|bytes| *bytes > 0);
        let bytes = bytes.map(|bytes| size(bytes) + " ").unwrap_or_default();
        format!("{} {order}{bytes}{name} IOPS{set}", iops(self.iops))
    }
}

/// The best figure of each kind.
fn figures(result: &RunResult) -> Option<String> {
    let knows = |field: ResultField| result.provenance.origin.knows(field);
    let mut best: Vec<Figure> = Vec::new();
    let mut all = Figure::all(result);
    let is_zero = |one: &Figure| one.iops <= 0.0 && one.bytes_per_second <= 0.0;
    // An operation that completed nothing says nothing, unless none did.
    if !all.iter().all(is_zero) {
        all.retain(|one| !is_zero(one));
    }
    for figure in all {
        let is_known = if figure.is_large() {
            knows(ResultField::BytesPerSecond)
        } else {
            knows(ResultField::Iops)
        };
        let value = |one: &Figure| match one.commit_ns {
            Some(ns) => -ns,
            None if one.is_large() => one.bytes_per_second,
            None => one.iops,
        };
        match best.iter_mut().find(|one| one.rank() == figure.rank()) {
            _ if !is_known => {}
            Some(known) if value(known) < value(&figure) => *known = figure,
            Some(_) => {}
            None => best.push(figure),
        }
    }
    best.small_sort_by_key(Figure::rank);
    best.truncate(NUMBERS);
    let mut words: Vec<String> = best.iter().map(Figure::words).collect();
    if let [only] = &best[..]
        && let Some(p99_ns) = only.p99_ns
        && only.commit_ns.is_none()
    {
        words.push(format!("p99 {}", time(p99_ns as f64)));
    }
    (!words.is_empty()).then(|| words.join(", "))
}

/// What becomes of the load of a phase.
#[derive(Debug)]
pub(crate) struct PhaseCourse {
    /// In a line, with the name of the phase where there are several.
    pub(crate) words: String,
    /// Whether it ever gets another rate than at first.
    pub(crate) changes: bool,
}

/// The courses of all phases on a simulated volume.
pub(crate) fn courses(result: &RunResult) -> Vec<PhaseCourse> {
    let caveats = result.caveats.iter();
    let told: Vec<&Caveat> = caveats.filter(|caveat| Code::Course.is(caveat)).collect();
    let phases = told.chunk_by(|one, other| one.subject == other.subject);
    let course = |sentences: &[&Caveat]| {
        let first = sentences.first()?;
        Some(PhaseCourse {
            words: match first.subject.as_str() {
                "" => first.message.clone(),
                phase => format!("{phase}: {}", first.message),
            },
            // All of it, and what lasts.
            changes: sentences.len() > 2,
        })
    };
    phases.filter_map(course).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture::{self, JobPlan, Stream};

    #[test]
    fn a_commit_at_a_set_rate_includes_the_wait_of_its_write() {
        let stream = Stream::random(Op::Write, 4096, vec![200; 5]);
        let job = JobPlan::closed("wal", 1, vec![stream]);
        let mut result = fixture::run("log", &[("wal", vec![job])]);
        let sync = fathom_core::spec::SyncEvery {
            writes: 1,
            data_only: true,
        };
        result.provenance.workload.phases[0].jobs[0].durability.sync = Some(sync);
        let job = &mut result.phases[0].jobs[0];
        job.load_model = LoadModel::Open;
        let write = job.ops[Op::Write].as_mut().expect("it writes");
        write.response_ns.mean = 50e6;
        let mut flush = write.clone();
        flush.service_ns.mean = 1e6;
        job.ops[Op::Flush] = Some(flush);
        assert_eq!(numbers(&result).as_deref(), Some("a commit takes 51.0 ms"));
    }

    #[test]
    fn it_says_whether_the_requirements_are_met() {
        use RequirementOutcome::{Met, Missed, Undecided};
        let said = |outcomes: &[RequirementOutcome]| {
            let required = |outcome: &RequirementOutcome| RequirementReport {
                text: "flush.p99<=10ms".to_owned(),
                outcome: *outcome,
                checks: Vec::new(),
            };
            fitness(&outcomes.iter().map(required).collect::<Vec<_>>())
        };
        assert_eq!(said(&[]), None);
        let shown: Vec<String> = [
            &[Met][..],
            &[Missed],
            &[Met, Met],
            &[Undecided],
            &[Met, Undecided],
            &[Missed, Undecided],
            &[Missed, Missed, Met],
        ]
        .into_iter()
        .filter_map(said)
        .collect();
        let expected = [
            "meets flush.p99<=10ms",
            "misses flush.p99<=10ms",
            "meets all 2 requirements",
            "flush.p99<=10ms is undecided",
            "1 of 2 requirements are undecided",
            "misses flush.p99<=10ms",
            "misses 2 of 3 requirements",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn one_sentence_has_disk_numbers_and_trust() {
        let job = |ios: u64, bytes: u64| {
            let stream = Stream::random(Op::Read, bytes, vec![ios; 5]);
            vec![JobPlan::closed("read", 4, vec![stream])]
        };
        let phases = [("small", job(1_000, 4096)), ("large", job(2_000, 1 << 20))];
        let mut result = fixture::run("two", &phases);
        result.state = State::Valid;
        let disk = result.provenance.disk();
        let numbers = "reads 2.10 GB/s, 1,000 random 4 KiB read IOPS";
        assert_eq!(
            first_line(&result),
            format!("{disk}: {numbers}; trust: valid")
        );
        // An operation without a completed request has no place in the line.
        let mut idle = result.clone();
        let jobs = &mut idle.phases[1].jobs[0].ops;
        jobs[Op::Write].clone_from(&result.phases[0].jobs[0].ops[Op::Read]);
        let write = jobs[Op::Write].as_mut().expect("it was set");
        (write.iops, write.bytes_per_second) = (0.0, 0.0);
        assert_eq!(first_line(&idle), first_line(&result));
        result.phases.truncate(1);
        result.state = State::Suspect;
        let numbers = "1,000 random 4 KiB read IOPS";
        let p99 = result.phases[0].jobs[0].ops[Op::Read].as_ref();
        let p99 = p99.and_then(|op| op.service_ns.percentile("99"));
        let p99 = p99.map(|p99| format!(", p99 {}", time(p99 as f64)));
        let expected = format!(
            "{disk}: {numbers}{}; interrupted after 1 of 2 phases; trust: not checked",
            p99.unwrap_or_default()
        );
        assert_eq!(first_line(&result), expected);
        result.provenance.origin = Origin::Simulated {
            model: "2x gp3".to_owned(),
        };
        result.phases.clear();
        result.state = State::Valid;
        let expected = "simulated 2x gp3: nothing was measured; trust: valid";
        assert_eq!(first_line(&result), expected);
    }
}
