//! `fathom throttled`: whether the storage is limited now, by what, since when, until when.

use super::limits::limits;
use super::{listed, print, show_text};
use crate::args::ThrottledArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::{on_terminal, wrapped};
use crate::stop::Stop;
use crate::table::Table;
use fathom_core::Nanos;
use fathom_core::units::rfc3339;
use fathom_device::{Container, DeviceError, cgroups_of_task, name_of_process};
use fathom_engine::Clock;
use fathom_engine::clock::utc_now_ns;
use fathom_session::live::{Eye, Observation, Scope};
use fathom_verdict::live::{Answer, Cause, Evidence, Live, Standing};
use serde::Serialize;
use std::fmt::Write as _;

/// Spans that the observation is cut into, each long enough that limits show in it.
const SPANS: u64 = 5;
const LONGEST_SPAN: Nanos = Nanos::from_secs(1);
/// Time between two samples of the requests in a driver.
const SAMPLE: Nanos = Nanos::from_millis(50);

/// What is printed.
struct Shown<'a> {
    args: &'a ThrottledArgs,
    disks: Vec<String>,
    answer: Answer,
    /// Start of the observation, UTC.
    start_ns: u64,
    length_ns: u64,
    notes: Vec<String>,
}

/// Whether the storage is limited, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ThrottledDocument<'a> {
    standing: Standing,
    cause: Option<&'a Cause>,
    /// The answer.
    sentence: String,
    /// Since when it is limited, UTC.
    since: Option<String>,
    /// Whether the limit is older than the observation.
    since_is_earlier: Option<bool>,
    /// Until when, as a clause; empty where it is not limited.
    until: &'a str,
    /// Seconds until burst credit is used up at the present rate.
    credit_empty_in_s: Option<f64>,
    evidence: &'a [Evidence],
    /// Start of the observation, UTC.
    started: String,
    /// Length of the observation, nanoseconds.
    length_ns: u64,
    disks: &'a [String],
    /// The process of `--pid`.
    process: Option<Process>,
    notes: &'a [String],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Process {
    pid: i32,
    /// Null if it has ended.
    name: Option<String>,
    container: Option<Container>,
    /// Its control groups.
    groups: Vec<String>,
}

impl Process {
    fn of(pid: i32) -> Self {
        let groups = cgroups_of_task(pid);
        Self {
            pid,
            name: name_of_process(pid),
            container: Container::of(&groups),
            groups,
        }
    }
}

pub(crate) fn run(args: &ThrottledArgs) -> Result<Exit, Error> {
    let stop = Stop::default();
    stop.listen()?;
    let scope = match args.pid {
        Some(pid) => Scope::of_process(pid),
        None if args.paths.is_empty() => Scope::everything(),
        None => Scope::of_paths(&args.paths),
    };
    let eye = scope.and_then(Eye::open).map_err(|error| unseen(&error))?;
    if eye.is_blind() {
        let problem = Problem::new(Exit::Environment, "nothing to look at");
        return Err(problem
            .because("no block device and no NFS mount is below it")
            .remedy("use a name or path from `fathom devices`, or a file on a device")
            .into());
    }
    let limits = limits(&args.limits, !args.paths.is_empty(), &eye)?;
    let disks = eye.disks().map(str::to_owned).collect();
    let live = Live::new(limits.caps, limits.credit);
    let mut clock = Clock::monotonic();
    let start_ns = utc_now_ns();
    let mut observation =
        Observation::begin(eye, live, clock.now().0).map_err(|error| unseen(&error))?;
    let end = clock.latest() + args.time;
    let span = Nanos(args.time.0 / SPANS).min(LONGEST_SPAN);
    while clock.now() < end && !stop.is_asked() {
        let next = (clock.latest() + span).min(end);
        while clock.now() < next && !stop.is_asked() {
            let sample = (clock.latest() + SAMPLE).min(next);
            clock.wait_until(sample, Nanos(0));
            observation.sample();
        }
        let looked = observation.look(clock.now().0);
        looked.map_err(|error| unseen(&error))?;
    }
    let (answer, length_ns) = observation.answer().map_err(|error| unseen(&error))?;
    let mut notes = limits.notes;
    if answer.standing == Standing::Busy && limits.is_unknown {
        let note = "note: the limits of the volume and the instance are unknown; name them with \
                    --volume, --instance or --cap";
        notes.push(note.to_owned());
    }
    let shown = Shown {
        args,
        disks,
        answer,
        start_ns,
        length_ns,
        notes,
    };
    if args.json {
        print(&shown.json()?)?;
    } else {
        show_text(&on_terminal(shown.text()))?;
    }
    Ok(match shown.answer.standing {
        _ if stop.is_interrupted() => Exit::Interrupted,
        Standing::Limited => Exit::LimitMissed,
        Standing::Busy | Standing::Idle => Exit::Ok,
    })
}

fn unseen(error: &DeviceError) -> Problem {
    Problem::new(Exit::Environment, "cannot look at the storage")
        .because(error.to_string())
        .remedy("use a name or path from `fathom devices`, or a process that runs")
}

impl Shown<'_> {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n", self.answer.sentence(self.start_ns));
        if let Some(process) = self.process() {
            let _ = writeln!(text, "{process}\n");
        }
        let mut table = Table::new(&["", "OF", "MEASURED", ">NOW", ">LIMIT"]);
        for one in &self.answer.evidence {
            let mark = if one.is_cause { "*" } else { "" };
            let (value, limit) = one.printed();
            table.row([mark, &one.subject, one.what, &value, &limit].map(str::to_owned));
        }
        text += &table.to_string();
        if !self.notes.is_empty() {
            text.push('\n');
        }
        for note in &self.notes {
            text += &wrapped(note);
        }
        text
    }

    /// The process that was named, with what it runs in.
    fn process(&self) -> Option<String> {
        let pid = self.args.pid?;
        let name = name_of_process(pid).unwrap_or_else(|| "ended".to_owned());
        let mut words = vec![format!("process {pid} ({name})")];
        if let Some(container) = Container::of(&cgroups_of_task(pid)) {
            let pod = container.pod.or(container.pod_uid);
            words.extend(pod.map(|pod| format!("pod {pod}")));
            words.extend(container.id.map(|id| format!("container {id}")));
        }
        Some(words.join(", "))
    }

    fn json(&self) -> Result<String, Problem> {
        let answer = &self.answer;
        let document = ThrottledDocument {
            standing: answer.standing,
            cause: answer.cause.as_ref(),
            sentence: answer.sentence(self.start_ns),
            since: answer.since_utc(self.start_ns),
            since_is_earlier: answer.since.map(|since| since.is_earlier),
            until: &answer.until,
            credit_empty_in_s: answer.credit_empty_in_s,
            evidence: &answer.evidence,
            started: rfc3339(self.start_ns),
            length_ns: self.length_ns,
            disks: &self.disks,
            process: self.args.pid.map(Process::of),
            notes: &self.notes,
        };
        listed::stamped("throttled", &document)
    }
}
