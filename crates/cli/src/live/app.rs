//! What is known of the run so far, ready to be shown. Fed by events, reads nothing else.

use super::course::PhaseChart;
use fathom_core::Op;
use fathom_core::figure::plural;
use fathom_core::interval::Part;
use fathom_core::result::{IntervalOp, IntervalResult, PhaseResult};
use fathom_core::spec::{Phase, Workload};
use fathom_session::{Event, HostNow};

/// The run so far.
#[derive(Clone, Debug)]
pub(crate) struct App {
    pub(crate) workload: String,
    pub(crate) targets: String,
    pub(crate) engine: Option<String>,
    pub(crate) stage: Stage,
    pub(crate) phase: Option<PhaseState>,
    /// Figures of the last interval, one for each operation of each job.
    pub(crate) rows: Vec<LiveOp>,
    /// Each host, where several measure together.
    pub(crate) hosts: Vec<HostNow>,
    /// What happened among them that changes the result.
    pub(crate) notes: Vec<String>,
    /// Figures of the phases that are over, one for each operation of each job.
    pub(crate) done: Vec<LiveOp>,
    /// The phases over time, the one that runs last.
    pub(crate) courses: Vec<PhaseChart>,
    pub(crate) stopping: bool,
    pub(crate) paused: bool,
    pub(crate) help: bool,
    /// Length of every phase of every repeat, where it is known beforehand.
    schedule: Vec<Option<u64>>,
}

/// What is being done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Preparing,
    Layout(Amount),
    Load,
    WriteBack(String),
    Verify(Amount),
}

/// Bytes done of bytes to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Amount {
    pub(crate) path: String,
    pub(crate) done_bytes: u64,
    pub(crate) total_bytes: u64,
}

/// The phase that runs.
#[derive(Clone, Debug)]
pub(crate) struct PhaseState {
    pub(crate) name: String,
    /// From 1.
    pub(crate) number: usize,
    pub(crate) count: usize,
    pub(crate) part: Part,
    pub(crate) elapsed_ns: u64,
    jobs: Vec<String>,
    warm_up_ns: u64,
    duration_ns: Option<u64>,
    cool_down_ns: u64,
}

impl PhaseState {
    /// Whether it is one of many short rounds, which are no news one by one.
    pub(crate) fn is_brief(&self) -> bool {
        let length = self
            .duration_ns
            .map(|duration_ns| self.warm_up_ns + duration_ns);
        length.is_some_and(|length_ns| length_ns < 500_000_000)
    }

    /// Of the event that begins a phase.
    pub(crate) fn started(event: &Event<'_>) -> Option<Self> {
        let Event::PhaseStart {
            name,
            index,
            count,
            jobs,
            warm_up_ns,
            duration_ns,
            cool_down_ns,
        } = event
        else {
            return None;
        };
        Some(Self {
            name: (*name).to_owned(),
            number: index + 1,
            count: *count,
            part: if *warm_up_ns > 0 {
                Part::WarmUp
            } else {
                Part::Measure
            },
            elapsed_ns: 0,
            jobs: jobs.iter().map(|&job| job.to_owned()).collect(),
            warm_up_ns: *warm_up_ns,
            duration_ns: *duration_ns,
            cool_down_ns: *cool_down_ns,
        })
    }

    /// Whole length with warm-up and cool-down, if it is known.
    pub(crate) fn total_ns(&self) -> Option<u64> {
        Some(self.warm_up_ns + self.duration_ns? + self.cool_down_ns)
    }

    /// Time since the start of the part, and its length if that is known.
    pub(crate) fn in_part(&self, part: Part, elapsed_ns: u64) -> (u64, Option<u64>) {
        let measured = self.duration_ns.unwrap_or(0);
        let (begin, length) = match part {
            Part::WarmUp => (0, Some(self.warm_up_ns)),
            Part::Measure => (self.warm_up_ns, self.duration_ns),
            Part::CoolDown => (self.warm_up_ns + measured, Some(self.cool_down_ns)),
        };
        (elapsed_ns.saturating_sub(begin), length)
    }

    /// One row for each operation of each job in the interval. A job is named only when there are
    /// several.
    pub(crate) fn rows(&self, interval: &IntervalResult) -> Vec<LiveOp> {
        let mut rows = Vec::new();
        for one in &interval.jobs {
            let name = match self.jobs.get(one.job as usize) {
                Some(name) if self.jobs.len() > 1 => name.as_str(),
                _ => "",
            };
            let ops = Op::ALL.into_iter();
            rows.extend(
                ops.filter_map(|op| {
                    Some(LiveOp::of(name, op, one.ops.get(op)?, interval.length_ns))
                }),
            );
        }
        rows
    }
}

/// One operation of one job in one interval.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LiveOp {
    pub(crate) job: String,
    pub(crate) op: Op,
    pub(crate) iops: f64,
    pub(crate) bytes_per_second: f64,
    pub(crate) p50_ns: Option<u64>,
    pub(crate) p99_ns: Option<u64>,
    pub(crate) p999_ns: Option<u64>,
    pub(crate) max_ns: Option<u64>,
    /// In the phase so far when shown in a table, else in the interval.
    pub(crate) errors: u64,
}

impl LiveOp {
    fn of(job: &str, op: Op, figures: &IntervalOp, length_ns: u64) -> Self {
        let seconds = (length_ns as f64 / 1e9).max(1e-9);
        let service = &figures.service_ns;
        Self {
            job: job.to_owned(),
            op,
            iops: figures.ios as f64 / seconds,
            bytes_per_second: figures.bytes as f64 / seconds,
            p50_ns: service.percentile("50"),
            p99_ns: service.percentile("99"),
            p999_ns: service.percentile("99.9"),
            max_ns: (service.count > 0).then_some(service.max),
            errors: figures.errors,
        }
    }

    /// The figures of a phase that is over.
    fn of_phase(phase: &PhaseResult) -> Vec<Self> {
        let mut rows = Vec::new();
        for job in &phase.jobs {
            for (op, result) in job.ops.present() {
                let times = &result.service_ns;
                let name = match phase.jobs.len() {
                    1 => phase.name.clone(),
                    _ => format!("{} {}", phase.name, job.name),
                };
                rows.push(Self {
                    job: name,
                    op,
                    iops: result.iops,
                    bytes_per_second: result.bytes_per_second,
                    p50_ns: times.percentile("50"),
                    p99_ns: times.percentile("99"),
                    p999_ns: times.percentile("99.9"),
                    max_ns: (times.count > 0).then_some(times.max),
                    errors: result.errors,
                });
            }
        }
        rows
    }

    /// `read`, or `oltp read` when there are several jobs.
    pub(crate) fn label(&self) -> String {
        if self.job.is_empty() {
            self.op.name().to_owned()
        } else {
            format!("{} {}", self.job, self.op.name())
        }
    }
}

impl App {
    pub(crate) fn new(workload: &Workload, targets: String) -> Self {
        let once = workload.phases.iter().map(length_of);
        let schedule = (0..workload.repeat).flat_map(|_| once.clone()).collect();
        Self {
            workload: workload.name.clone(),
            targets,
            engine: None,
            stage: Stage::Preparing,
            phase: None,
            rows: Vec::new(),
            hosts: Vec::new(),
            notes: Vec::new(),
            done: Vec::new(),
            courses: Vec::new(),
            stopping: false,
            paused: false,
            help: false,
            schedule,
        }
    }

    /// Takes in what happened.
    pub(crate) fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Engine { name, .. } => self.engine = Some((*name).to_owned()),
            // For those who keep the run or its requests.
            Event::Begin { .. }
            | Event::Prepared { .. }
            | Event::Leg { .. }
            | Event::Writes { .. }
            | Event::Account { .. }
            | Event::Requests { .. }
            | Event::Member { .. }
            | Event::RequestsLost { .. }
            | Event::RequestsWaited { .. } => {}
            Event::Members { line, matters } => {
                if *matters {
                    self.notes.push((*line).to_owned());
                }
            }
            Event::Hosts { hosts } => {
                self.hosts = hosts.to_vec();
                // Which engine each of them has, they know.
                self.engine = Some(plural(hosts.len() as u64, "host"));
            }
            Event::Layout {
                path,
                done_bytes,
                total_bytes,
            } => self.stage = Stage::Layout(amount(path, *done_bytes, *total_bytes)),
            Event::PhaseStart { .. } => {
                self.stage = Stage::Load;
                self.phase = PhaseState::started(event);
                self.rows.clear();
                let begin_ns = self.courses.last().map_or(0, PhaseChart::end_ns);
                if let Some(phase) = &self.phase {
                    let label = format!("{} {}", phase.number, phase.name);
                    self.courses.push(PhaseChart::new(label, begin_ns));
                }
            }
            Event::Interval { interval } => self.take_interval(interval),
            Event::Tick { part, elapsed_ns } => {
                if let Some(phase) = &mut self.phase {
                    phase.part = *part;
                    phase.elapsed_ns = *elapsed_ns;
                }
            }
            Event::WriteBack { path } => self.stage = Stage::WriteBack((*path).to_owned()),
            Event::PhaseEnd { result } => {
                self.stage = Stage::Preparing;
                self.done.extend(LiveOp::of_phase(result));
                self.rows.clear();
            }
            Event::Verify {
                path,
                done_bytes,
                total_bytes,
            } => self.stage = Stage::Verify(amount(path, *done_bytes, *total_bytes)),
        }
    }

    fn take_interval(&mut self, interval: &IntervalResult) {
        let Some(phase) = &self.phase else { return };
        let mut rows = phase.rows(interval);
        for row in &mut rows {
            let same = |old: &&LiveOp| old.job == row.job && old.op == row.op;
            row.errors += self.rows.iter().find(same).map_or(0, |old| old.errors);
        }
        if let Some(course) = self.courses.last_mut() {
            course.take(interval);
        }
        self.rows = rows;
    }

    /// What to show while the display is held.
    pub(crate) fn paused(&self) -> Self {
        Self {
            paused: true,
            ..self.clone()
        }
    }

    /// The right edge of the charts: the whole run where its length is known, else what has passed.
    pub(crate) fn end_ns(&self) -> u64 {
        let passed = self.courses.last().map_or(0, PhaseChart::end_ns);
        let known: Option<u64> = self.schedule.iter().copied().sum();
        known.unwrap_or(0).max(passed).max(1)
    }

    /// Time left in the phase and in the whole run, where they are known.
    pub(crate) fn left_ns(&self) -> (Option<u64>, Option<u64>) {
        let Some(phase) = &self.phase else {
            return (None, None);
        };
        let left = phase
            .total_ns()
            .map(|total| total.saturating_sub(phase.elapsed_ns));
        let later = self.schedule.get(phase.number..).unwrap_or_default();
        let later: Option<u64> = later.iter().copied().sum();
        let unplanned = phase.total_ns().map(|one| one * self.unplanned() as u64);
        let sum = left.zip(later).zip(unplanned);
        (left, sum.map(|((left, later), more)| left + later + more))
    }

    /// Steps of a ramp that will follow and are not planned yet: they may be as long as this one.
    pub(crate) fn unplanned(&self) -> usize {
        let phase = self.phase.as_ref();
        let planned = |number: usize| self.schedule.len().max(number);
        phase.map_or(0, |phase| phase.count.saturating_sub(planned(phase.number)))
    }
}

fn length_of(phase: &Phase) -> Option<u64> {
    // A steady state or an amount may end it earlier; then the time is the longest it can take.
    Some(phase.warm_up.0 + phase.duration?.0 + phase.cool_down.0)
}

fn amount(path: &str, done_bytes: u64, total_bytes: u64) -> Amount {
    Amount {
        path: path.to_owned(),
        done_bytes,
        total_bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use fathom_tools::native;

    const SECOND_NS: u64 = 1_000_000_000;

    fn app(duration: &str) -> App {
        let phase = |name: &str| {
            format!(
                "[[phase]]\nname = \"{name}\"\nwarm_up = \"1s\"\n{duration}\ncool_down = \"2s\"\n\
                 [[phase.job]]\nname = \"one\"\nsize = \"1GiB\"\nblock_size = \"4KiB\"\n\
                 stop = {{ ios = 1000 }}\n"
            )
        };
        let text = format!("name = \"w\"\nrepeat = 2\n{}{}", phase("a"), phase("b"));
        let workload = native::parse(&text, "w.toml").unwrap();
        App::new(&workload, "/data".to_owned())
    }

    fn start(index: usize, duration_ns: Option<u64>) -> Event<'static> {
        Event::PhaseStart {
            name: "a",
            index,
            count: 4,
            jobs: vec!["one"],
            warm_up_ns: SECOND_NS,
            duration_ns,
            cool_down_ns: 2 * SECOND_NS,
        }
    }

    #[test]
    fn the_time_left_counts_later_phases_and_repeats() {
        let mut app = app("duration = \"7s\"");
        assert_eq!(app.left_ns(), (None, None));
        app.take(&start(1, Some(7 * SECOND_NS)));
        app.take(&Event::Tick {
            part: Part::Measure,
            elapsed_ns: 4 * SECOND_NS,
        });
        assert_eq!(app.left_ns(), (Some(6 * SECOND_NS), Some(26 * SECOND_NS)));
    }

    #[test]
    fn steps_that_are_not_planned_yet_are_as_long_as_this_one() {
        let mut app = app("duration = \"7s\"");
        let Event::PhaseStart {
            name, index, jobs, ..
        } = start(1, None)
        else {
            unreachable!("it is the start of a phase");
        };
        app.take(&Event::PhaseStart {
            name,
            index,
            count: 10,
            jobs,
            warm_up_ns: SECOND_NS,
            duration_ns: Some(7 * SECOND_NS),
            cool_down_ns: 2 * SECOND_NS,
        });
        // This step, the two that are planned, and six more.
        assert_eq!(app.left_ns().1, Some(90 * SECOND_NS));
        assert_eq!(app.unplanned(), 6);
    }

    #[test]
    fn an_unknown_length_has_no_time_left() {
        let mut app = app("");
        app.take(&start(0, None));
        assert_eq!(app.left_ns(), (None, None));
    }

    #[test]
    fn errors_add_up_within_a_phase() {
        let interval = fixture::interval(Part::Measure, 0, 500, &[0]);
        let event = Event::Interval {
            interval: &interval,
        };
        let errors = |app: &App| app.rows.iter().map(|row| row.errors).collect::<Vec<_>>();
        let mut app = app("duration = \"7s\"");
        app.take(&event);
        assert_eq!(errors(&app), Vec::<u64>::new());
        app.take(&fixture::phase_start(&["one"]));
        app.take(&event);
        app.take(&event);
        assert_eq!(errors(&app), [0, 4]);
        app.take(&fixture::phase_start(&["one"]));
        app.take(&event);
        assert_eq!(errors(&app), [0, 2]);
        assert_eq!(app.courses.len(), 2);
    }
}
