//! What formats share in which a workload can be written.

use crate::drives::RAW;
use crate::losses::Losses;
use crate::translation::{Note, RunWishes, Standing};
use fathom_core::SmallSort as _;
use fathom_core::spec::{HotRange, Job, Pacing, Phase, Workload};
use fathom_core::{Bytes, Nanos};
use std::collections::HashMap;

/// A workload in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text, without the notes.
    pub text: String,
    /// What of the workload is not in the text as it was, the gravest first. With one that is
    /// refused the text is a different load.
    pub notes: Vec<Note>,
}

/// A format in which a workload can be written.
#[derive(Debug)]
pub struct Writer {
    /// Name for the command line, as in `diskspd-xml`.
    pub name: &'static str,
    /// What it writes, in one line.
    pub description: &'static str,
    /// Writes a workload, with what else the run is to do.
    pub write: Write,
    /// Lines as comments of the format; none where it has no comments.
    pub comment: Option<fn(lines: &[String]) -> String>,
}

/// The type of [`Writer::write`]. Its error is why the format can say nothing near the workload.
pub type Write = fn(&Workload, &RunWishes) -> Result<Written, Note>;

/// Columns in which comments are wrapped.
const WIDTH: usize = 96;

/// Wraps the lines to 96 columns, each after `sign`.
pub fn prefixed(sign: &str, lines: &[String]) -> String {
    let wrapped = lines.iter().flat_map(|line| wrapped(line));
    let lines: Vec<String> = wrapped.map(|line| format!("{sign} {line}\n")).collect();
    lines.concat()
}

/// A line broken between words, what follows indented.
fn wrapped(line: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        match lines.last_mut() {
            Some(last) if last.chars().count() + 1 + word.chars().count() <= WIDTH => {
                last.push(' ');
                last.push_str(word);
            }
            Some(_) => lines.push(format!("  {word}")),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Refuses workloads that deal with files: other formats have bytes alone.
pub fn only_bytes(workload: &Workload) -> Result<(), Note> {
    let mut jobs = workload.phases.iter().flat_map(|phase| &phase.jobs);
    jobs.find(|job| job.files.is_some()).map_or(Ok(()), |job| {
        let message = format!("job `{}` makes, looks at or removes files", job.name);
        Err(Note::new(Standing::Refused, "files", message))
    })
}

/// What of a job's begin, end and requests only we have.
pub fn begin_and_end(job: &Job, losses: &mut Losses) {
    losses.say_if(
        job.delay > Nanos::ZERO,
        Standing::Refused,
        "delay",
        "jobs begin together",
    );
    losses.say_if(
        job.stop.time.is_some(),
        Standing::Refused,
        "stop",
        "a job has no end of its own by time",
    );
    losses.say_if(
        !job.sync_pattern.is_empty(),
        Standing::Refused,
        "sync_pattern",
        "flushes follow the same number of writes each",
    );
    losses.say_if(
        !job.pauses.is_empty(),
        Standing::Refused,
        "pauses",
        "pauses are equal; the mean pause stands for them",
    );
    losses.say_if(
        job.rate_curve.is_some(),
        Standing::Refused,
        "rate_curve",
        "a rate is constant; the mean rate stands for the curve",
    );
    losses.say_if(
        job.replay.is_some(),
        Standing::Refused,
        "replay",
        "the requests are drawn as `io` sums up the trace",
    );
}

/// From here on a rate that was rounded is another one.
const NEAR: f64 = 0.01;

/// Says of a rate that was rounded how far it is off.
pub fn rounded_rate(error: f64, why: &str, losses: &mut Losses) {
    let message = format!("{why}; {}", off(error));
    if error > NEAR {
        losses.say(Standing::Refused, "rate", message);
    } else if error > 1e-9 {
        losses.say(Standing::Approximated, "rate", message);
    }
}

/// How far a rate that was rounded is off.
fn off(error: f64) -> String {
    if error < 0.001 {
        "less than 0.1 % off".to_owned()
    } else {
        format!("{:.1} % off", error * 100.0)
    }
}

/// Puts the lines into an XML comment.
pub fn xml_comment(lines: &[String]) -> String {
    // Two hyphens would end the comment.
    let lines: Vec<String> = lines.iter().map(|line| line.replace("--", "- -")).collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!("<!--\n{}-->\n", prefixed(" ", &lines))
    }
}

/// The path that a target stands for: itself, or the scratch file that `fathom run` makes in the
/// current directory for a role that nobody binds.
pub fn path(target: &str) -> String {
    let folder = |path: &str| path == "." || path == ".." || path.ends_with('/');
    match target.strip_prefix('@') {
        Some(role) => format!("fathom-{}.dat", role.replace('/', "-")),
        None if folder(target) => format!("{}/{SCRATCH}", target.trim_end_matches('/')),
        None => target.to_owned(),
    }
}

/// The scratch file of a run without a target.
const SCRATCH: &str = "fathom-data.dat";

/// The paths of a job's targets.
pub fn paths(job: &Job, losses: &mut Losses) -> Vec<String> {
    let open = job.targets.is_empty() || job.targets.iter().any(|target| target.starts_with('@'));
    let message = "the run was to name the target; the scratch file that `fathom run` makes for \
                   want of one stands for it, and --target names another";
    losses.say_if(open, Standing::Kept, "targets", message);
    if job.targets.is_empty() {
        return vec![SCRATCH.to_owned()];
    }
    job.targets.iter().map(|target| path(target)).collect()
}

/// Bytes of the part of each target that is used, where the job says it.
pub fn used_bytes(job: &Job) -> Option<u64> {
    let whole = job.size.filter(|_| !is_device(job));
    let whole = whole.map(|size| size.0.saturating_sub(job.offset.0));
    job.window.map(|window| window.0).or(whole)
}

/// Whether the targets are devices, whose size nobody chooses.
pub fn is_device(job: &Job) -> bool {
    !job.targets.is_empty() && job.targets.iter().all(|target| is_device_path(target))
}

/// Whether a path is that of a device, by its name. File systems below `/dev` hold files, and the
/// names of open files stand for anything.
pub fn is_device_path(path: &str) -> bool {
    const OTHERS: [&str; 5] = ["shm/", "hugepages/", "mqueue/", "std", "fd/"];
    if path.starts_with(RAW) {
        // A disk or volume of Windows.
        return true;
    }
    let name = path.strip_prefix("/dev/");
    name.is_some_and(|name| !OTHERS.iter().any(|other| name.starts_with(other)))
}

/// Whether any request continues from the one before.
pub fn is_sequential(job: &Job) -> bool {
    job.kinds.iter().any(|kind| kind.random.0 < 100.0)
}

/// Whether any request goes to a random place.
pub fn is_random(job: &Job) -> bool {
    job.kinds.iter().any(|kind| kind.random.0 > 0.0)
}

/// How often the jobs of a phase that work in bursts do so.
pub struct Bursts<'a> {
    /// By the name of a job: how often the first of those that it follows has a burst.
    every: HashMap<&'a str, Option<Nanos>>,
}

impl<'a> Bursts<'a> {
    /// Of the jobs of a phase, each of which is walked over once, however long the chains are.
    pub fn of(phase: &'a Phase) -> Self {
        let mut by_name: HashMap<&str, &Job> = HashMap::with_capacity(phase.jobs.len());
        for job in &phase.jobs {
            by_name.entry(&job.name).or_insert(job);
        }
        let mut every: HashMap<&str, Option<Nanos>> = HashMap::with_capacity(by_name.len());
        for job in &phase.jobs {
            let mut walked = Vec::new();
            let mut at = job;
            // Should jobs follow each other in a circle, the walk comes to its own begin.
            let found = loop {
                if let Some(known) = every.get(at.name.as_str()) {
                    break *known;
                }
                every.insert(&at.name, None);
                walked.push(at.name.as_str());
                match at.after.as_deref().and_then(|name| by_name.get(name)) {
                    Some(before) => at = before,
                    None => break interval(at),
                }
            };
            every.extend(walked.into_iter().map(|name| (name, found)));
        }
        Self { every }
    }

    /// Bytes a second of a job, in the mean.
    pub fn rate(&self, job: &Job) -> Option<f64> {
        let bytes = match job.pacing {
            Pacing::Cyclic { bytes, .. } | Pacing::Triggered { bytes } => bytes,
            Pacing::Closed { .. } | Pacing::Open { .. } => return None,
        };
        let every = self.every.get(job.name.as_str()).copied().flatten()?;
        Some(bytes.0 as f64 / every.as_secs_f64())
    }
}

/// How often a job has a burst by the clock.
fn interval(job: &Job) -> Option<Nanos> {
    match job.pacing {
        Pacing::Cyclic { every, .. } => Some(every).filter(|every| every.0 > 0),
        _ => None,
    }
}

/// Weights as whole percents that come to 100: what is left by rounding down goes to those that
/// lost most.
pub fn whole_percents(weights: &[f64]) -> Vec<u32> {
    let sum: f64 = weights.iter().sum();
    let exact: Vec<f64> = weights.iter().map(|weight| weight / sum * 100.0).collect();
    // Nearly whole ones are whole.
    let floor = |share: &f64| (share + 1e-9).floor();
    let mut whole: Vec<u32> = exact.iter().map(|share| floor(share) as u32).collect();
    let mut order: Vec<usize> = (0..exact.len()).collect();
    order.small_sort_by(|a, b| {
        (exact[*b] - floor(&exact[*b])).total_cmp(&(exact[*a] - floor(&exact[*a])))
    });
    let missing = 100_u32.saturating_sub(whole.iter().sum());
    for index in order.into_iter().take(missing as usize) {
        whole[index] += 1;
    }
    whole
}

/// Whether two shares in percent are the same but for the noise of arithmetic.
pub fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-6 * one.abs().max(other.abs()).max(1.0)
}

/// The largest request, or one byte.
pub fn largest(job: &Job) -> u64 {
    job.largest_io().max(Bytes(1)).0
}

/// Ranges in whole percents, the one for what they leave among them, and whether that is exact.
pub fn zones(ranges: &[HotRange]) -> (Vec<(u32, u32)>, bool) {
    let ios: f64 = ranges.iter().fold(0.0, |sum, range| sum + range.ios.0);
    let of: f64 = ranges.iter().fold(0.0, |sum, range| sum + range.of.0);
    let mut all: Vec<(f64, f64)> = ranges
        .iter()
        .map(|range| (range.ios.0, range.of.0))
        .collect();
    if of < 100.0 - 1e-6 {
        all.push(((100.0 - ios).max(0.0), 100.0 - of));
    }
    let column = |pick: fn(&(f64, f64)) -> f64| -> Vec<f64> { all.iter().map(pick).collect() };
    let (ios, of) = (column(|pair| pair.0), column(|pair| pair.1));
    let whole: Vec<(u32, u32)> = whole_percents(&ios)
        .into_iter()
        .zip(whole_percents(&of))
        .collect();
    let exact = whole.iter().zip(&all).all(|(whole, exact)| {
        same(f64::from(whole.0), exact.0) && same(f64::from(whole.1), exact.1)
    });
    (merged(whole), exact)
}

/// Without ranges that rounding has left without a place: their requests go to the next.
fn merged(zones: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let mut kept: Vec<(u32, u32)> = Vec::new();
    let mut homeless = 0;
    for (ios, of) in zones {
        if of == 0 {
            homeless += ios;
        } else {
            kept.push((ios + homeless, of));
            homeless = 0;
        }
    }
    if let Some(last) = kept.last_mut() {
        last.0 += homeless;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_become_whole_percents_of_a_hundred() {
        let cases: [(&[f64], &[u32]); 5] = [
            (&[70.0, 30.0], &[70, 30]),
            (&[1.0, 1.0, 1.0], &[34, 33, 33]),
            (&[2.0, 1.0], &[67, 33]),
            (&[0.2, 0.1, 0.7], &[20, 10, 70]),
            (&[999.0, 1.0], &[100, 0]),
        ];
        for (weights, whole) in cases {
            assert_eq!(whole_percents(weights), whole, "{weights:?}");
        }
    }

    #[test]
    fn bursts_go_as_often_as_the_first_of_their_chain() {
        let job = |name: &str, after: Option<&str>, pacing| Job {
            name: name.to_owned(),
            after: after.map(str::to_owned),
            pacing,
            ..Job::plain()
        };
        let bytes = Bytes(1_000_000);
        let every = Nanos::from_secs(2);
        let cyclic = || Pacing::Cyclic { every, bytes };
        let triggered = || Pacing::Triggered { bytes };
        let mut jobs = vec![
            // The last of the chain stands first.
            job("c", Some("b"), triggered()),
            job("b", Some("a"), triggered()),
            job("a", None, cyclic()),
            job("alone", None, triggered()),
            job("one", Some("other"), triggered()),
            job("other", Some("one"), triggered()),
            job("plain", Some("a"), Job::plain().pacing),
        ];
        let long = 50_000;
        jobs.extend((0..long).map(|number| {
            let before = if number == 0 {
                "a".to_owned()
            } else {
                format!("j{}", number - 1)
            };
            job(&format!("j{number}"), Some(&before), triggered())
        }));
        let phase = Phase {
            jobs,
            ..Phase::plain()
        };
        let bursts = Bursts::of(&phase);
        let rates: Vec<Option<f64>> = phase.jobs.iter().map(|job| bursts.rate(job)).collect();
        let half = Some(500_000.0);
        assert_eq!(rates[..7], [half, half, half, None, None, None, None]);
        assert_eq!(rates[7..], vec![half; long]);
    }

    #[test]
    fn comments_stay_comments() {
        let lines = ["a -- b".to_owned(), "c\nd".to_owned()];
        assert_eq!(prefixed(";", &lines), "; a -- b\n; c d\n");
        let long = ["word".repeat(20), "x".repeat(30)].join(" ");
        let broken = format!("# {}\n#   {}\n", "word".repeat(20), "x".repeat(30));
        assert_eq!(prefixed("#", &[long]), broken);
        assert_eq!(xml_comment(&lines), "<!--\n  a - - b\n  c d\n-->\n");
        assert_eq!(xml_comment(&[]), "");
    }

    #[test]
    fn targets_without_a_path_get_that_of_the_scratch_file() {
        let cases = [
            ("@wij", "fathom-wij.dat"),
            ("/data/", "/data/fathom-data.dat"),
            (".", "./fathom-data.dat"),
            ("/data/x", "/data/x"),
        ];
        for (target, found) in cases {
            assert_eq!(path(target), found);
        }
    }
}
