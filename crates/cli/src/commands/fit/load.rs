//! The recorded load: its requests, or the twin that makes them.

use crate::args::FitArgs;
use crate::commands::capture::{any_trace, unreadable};
use crate::commands::learn::{self, Learned};
use crate::commands::selection;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_capture::learn::{LoadKind, Loop, Role};
use fathom_capture::{CaptureError, Selection};
use fathom_core::spec::{Replay, Workload};
use fathom_core::trace::{Trace, TraceRequest};
use fathom_core::{Nanos, Op, Percent, figure};
use fathom_session::twin::play_on;
use fathom_volume::fit::{Method, Original, Responses};
use fathom_volume::{Flow, FlowKind, System};
use std::borrow::Cow;
use std::path::Path;

/// Requests that are replayed at most: 128 MB of memory.
const MOST_REQUESTS: u64 = 4_000_000;
/// Length of a twin's run at most: on a fast target it may make many more requests than recorded.
const MOST_OF_TWIN: Nanos = Nanos::from_secs(30);
/// The share of the requests of closed roles from which the load is closed.
const CLOSED: f64 = 0.01;

/// What comes to a target: recorded requests, or those of a twin.
pub(super) struct Load {
    pub(super) original: Original,
    pub(super) notes: Vec<String>,
    /// Operations and sizes, for the bill.
    pub(super) flow: Flow,
    /// Requests a second that are asked for.
    pub(super) asked_iops: f64,
    pub(super) source: Source,
    /// Whether requests wait for earlier ones, and why that is thought.
    pub(super) kind: LoadKind,
    reason: String,
    /// Whether the twin was asked for.
    is_twin_stated: bool,
}

pub(super) enum Source {
    /// In their order, at the speed asked for, with the length of the trace.
    Trace(Vec<TraceRequest>, Nanos),
    Twin(Box<Workload>, Nanos),
}

impl Load {
    /// Reads it; how near a twin is matters where it runs.
    pub(super) fn read(args: &FitArgs, on_path: bool) -> Result<Self, Error> {
        let learned = learn::learn(&args.trace, args.load)?;
        if learned.windows.is_out_of_order() {
            let thing = format!("the rate of {} is not known", args.trace.display());
            return Err(Problem::new(Exit::Environment, thing)
                .because("more than 1 % of its requests are out of order")
                .remedy("sort its lines by time")
                .into());
        }
        let mut notes = learned.remarks.clone();
        let closed_share = share(&learned.roles, is_closed);
        let unknown = share(&learned.roles, |role| !role.is_pace_known);
        if unknown > CLOSED && args.load == Some(LoadKind::Closed) {
            return Err(without_times(args).into());
        }
        if unknown > CLOSED && args.load.is_none() {
            let percent = figure::percent(unknown * 100.0);
            notes.push(format!(
                "it is not known whether {percent} of the requests wait for earlier ones. They are \
                 replayed at their recorded times"
            ));
        }
        let (touched_bytes, trace) = packed(args.scale, trace(args)?, &mut notes);
        let original = original(args, &learned, touched_bytes)?;
        let length = Nanos((learned.length_ns as f64 / args.scale).round() as u64);
        let flow = flow(&learned.roles);
        let kind = if closed_share > CLOSED {
            LoadKind::Closed
        } else {
            LoadKind::Open
        };
        let wants_twin = args.path.time.is_some() || args.path.twin.is_some();
        let source = match trace {
            Some(trace) if kind == LoadKind::Open && !wants_twin => {
                Source::Trace(trace.requests, length)
            }
            _ => twin(args, &learned)?,
        };
        if let Source::Twin(workload, _) = &source
            && on_path
            && args.path.twin.is_none()
        {
            notes.push(learn::nearness(workload.as_ref().clone(), &learned)?);
        }
        Ok(Self {
            is_twin_stated: wants_twin,
            asked_iops: original.iops * args.scale,
            original,
            notes,
            flow,
            source,
            reason: if args.load.is_some() {
                "as --load states".to_owned()
            } else if kind == LoadKind::Open && unknown > CLOSED {
                "as assumed".to_owned()
            } else {
                let closed = figure::percent(closed_share * 100.0);
                format!("{closed} of the requests wait for earlier ones")
            },
            kind,
        })
    }

    pub(super) const fn method(&self) -> Method {
        match self.source {
            Source::Trace(..) => Method::Replay,
            Source::Twin(..) => Method::Twin,
        }
    }

    pub(super) fn method_words(&self) -> String {
        let reason = &self.reason;
        let kind = match self.kind {
            LoadKind::Open => format!("The load is open: {reason}"),
            LoadKind::Closed => {
                format!("The load is closed: {reason}. Another disk changes its rate")
            }
        };
        let Source::Twin(_, length) = &self.source else {
            return format!("the recorded requests at their recorded times. {kind}");
        };
        let length = figure::duration(length.0);
        let many = if self.is_twin_stated {
            String::new()
        } else if self.kind == LoadKind::Open {
            let most = figure::count(MOST_REQUESTS);
            format!(": more than {most} requests are not replayed")
        } else {
            String::new()
        };
        format!("the twin of the trace for {length}{many}. {kind}")
    }

    /// The requests that come to a target, in their order, and the length of the load.
    pub(super) fn requests_on(
        &self,
        system: &System,
    ) -> Result<(Cow<'_, [TraceRequest]>, Nanos), Error> {
        match &self.source {
            Source::Trace(requests, length) => Ok((requests.into(), *length)),
            Source::Twin(workload, length) => {
                let played = play_on(workload, Box::new(system.clone())).map_err(|error| {
                    Problem::new(Exit::Defect, "cannot generate the requests of the twin")
                        .because(error.to_string())
                })?;
                let requests = played.requests.iter().filter_map(|request| {
                    let len = u32::try_from(request.bytes).unwrap_or(u32::MAX);
                    let (at, op) = (Nanos(request.at_ns), request.flags.op()?);
                    Some(TraceRequest::new(at, op, request.offset, len))
                });
                Ok((Cow::Owned(requests.collect()), *length))
            }
        }
    }

    /// How much the rate on a target may differ from that of a window of the trace: nothing where
    /// its instants are given.
    pub(super) fn floor_of_rate(&self) -> f64 {
        match self.source {
            Source::Trace(..) => 0.0,
            Source::Twin(..) => self.original.floor_of_rate.unwrap_or(0.0),
        }
    }
}

/// A twin that may have been edited, which has one phase.
fn own_twin(file: &Path) -> Result<Workload, Error> {
    let name = file.display();
    let workload = selection::workload(&name.to_string())?;
    match workload.phases.len() {
        1 => Ok(workload),
        phases => Err(Problem::new(Exit::Usage, format!("{name} is no twin"))
            .because(format!("it has {phases} phases, and a twin has one"))
            .remedy(format!("fathom learn TRACE -o {name}"))
            .into()),
    }
}

/// A closed load is known by the times that requests take.
fn without_times(args: &FitArgs) -> Problem {
    let thing = format!(
        "cannot treat the load of {} as closed",
        args.trace.display()
    );
    Problem::new(Exit::Usage, thing)
        .because("the trace has no service times, so that the number in flight is not known")
        .remedy("omit --load, or use a trace of `fathom capture`")
}

fn share(roles: &[Role], is_of: impl Fn(&Role) -> bool) -> f64 {
    let all: u64 = roles.iter().map(|role| role.requests).sum();
    let own = roles.iter().filter(|role| is_of(role));
    own.map(|role| role.requests).sum::<u64>() as f64 / all as f64
}

fn is_closed(role: &Role) -> bool {
    role.is_pace_known && matches!(role.pace, Loop::Closed { .. })
}

/// The requests; none of a trace with too many of them.
fn trace(args: &FitArgs) -> Result<Option<Trace>, Error> {
    let (mut source, _) = any_trace(&args.trace)?;
    let all = Selection::new(&Replay::all(""), None);
    match fathom_capture::trace(source.as_mut(), MOST_REQUESTS, all) {
        Ok(trace) => Ok(Some(trace)),
        Err(CaptureError::TooLong { .. }) => Ok(None),
        Err(error) => Err(unreadable(&args.trace, &error).into()),
    }
}

/// The space that requests touch, and the requests at the speed asked for, without unused space.
fn packed(scale: f64, trace: Option<Trace>, notes: &mut Vec<String>) -> (u64, Option<Trace>) {
    let Some(trace) = trace else {
        return (0, None);
    };
    let disks = trace.files.len();
    if disks > 1 {
        let disks = figure::plural(disks as u64, "disk");
        notes.push(format!("the requests of {disks} share the target"));
    }
    let packed = trace.prepared(&Replay {
        speed: Some(Percent(scale * 100.0)),
        packed: true,
        ..Replay::all("")
    });
    let touched = packed.end_bytes().next_multiple_of(1 << 20);
    (touched, Some(packed))
}

/// The original, from its own service times.
fn original(args: &FitArgs, learned: &Learned, touched_bytes: u64) -> Result<Original, Error> {
    let counts = learned.roles.iter().map(|role| role.requests);
    let requests: u64 = counts.sum();
    let mut services = Responses::new(Nanos(learned.length_ns), requests);
    let mut arrivals = services.clone();
    let (mut last_ns, mut gap_ns) = (0, 0);
    learn::read(&args.trace, |chunk, _| {
        for request in chunk {
            if request.flags.op().is_none_or(|op| op == Op::Flush) {
                continue;
            }
            arrivals.add(Nanos(request.at_ns), Nanos::ZERO);
            gap_ns = gap_ns.max(request.at_ns.saturating_sub(last_ns));
            last_ns = last_ns.max(request.at_ns);
            if let Some(service_ns) = request.service_ns {
                services.add(Nanos(request.at_ns), Nanos(service_ns));
            }
        }
    })?;
    let bytes = learned.roles.iter().map(|role| role.bytes_per_second);
    let seconds = Nanos(learned.length_ns).as_secs_f64();
    let touched = learned.roles.iter().map(|role| role.footprint_bytes);
    Ok(Original {
        requests,
        seconds,
        iops: requests as f64 / seconds,
        bytes_per_second: bytes.sum(),
        p50_ns: services.percentile(0.5),
        p99_ns: services.percentile(0.99),
        p999_ns: services.percentile(0.999),
        floor_of_rate: arrivals.floor_of_rate(),
        floor_of_p50: services.floor(0.5),
        floor_of_p99: services.floor(0.99),
        longest_gap_seconds: Nanos(gap_ns).as_secs_f64(),
        touched_bytes: if touched_bytes > 0 {
            touched_bytes
        } else {
            touched.sum()
        },
    })
}

/// Operations and sizes of all roles.
fn flow(roles: &[Role]) -> Flow {
    let kinds = roles.iter().flat_map(|role| {
        let all: f64 = role.kinds.iter().map(|kind| kind.weight).sum();
        role.kinds.iter().map(move |kind| FlowKind {
            op: kind.op,
            bytes: kind.block_size.0 as f64,
            sequential: role.sequential_share,
            together: 1.0,
            weight: kind.weight / all * role.iops,
        })
    });
    Flow {
        kinds: kinds.collect(),
    }
}

/// The twin, whose load cannot be scaled by a factor: closed roles make what they get.
fn twin(args: &FitArgs, learned: &Learned) -> Result<Source, Error> {
    if (args.scale - 1.0).abs() > f64::EPSILON {
        let problem = Problem::new(Exit::Usage, "--scale cannot be used with this trace");
        return Err(problem
            .because("requests of the trace wait for earlier ones, so that their rate is not given")
            .remedy(
                "treat the load as open with --load open. Or write the twin with `fathom learn \
                 TRACE -o twin.toml`, add threads there, and run `fathom simulate twin.toml`",
            )
            .into());
    }
    let mut workload = match &args.path.twin {
        Some(file) => own_twin(file)?,
        None => learn::twin(&args.trace, learned),
    };
    let length = Nanos(learn::shorten(&mut workload, learned)).min(MOST_OF_TWIN);
    let length = args.path.time.unwrap_or(length);
    for phase in &mut workload.phases {
        phase.duration = Some(length);
    }
    Ok(Source::Twin(Box::new(workload), length))
}
