//! `fathom watch`: what the block devices do, interval after interval.

mod blamed;
mod hosts;
mod judge;
mod look;
mod perfmon;
mod perfmon_csv;
mod processes;
mod read;
mod record;
mod recordings;
mod rows;
mod scrape;
mod screen;
mod sinks;
mod view;

use crate::appearance;
use crate::args::WatchArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::stop::Stop;
use crate::terminal;
use blamed::Blamed;
use fathom_core::Nanos;
use fathom_core::recording::Moment;
use fathom_device::DeviceError;
use fathom_engine::Clock;
use fathom_engine::clock::utc_now_ns;
use hosts::Hosts;
use judge::Judge;
use look::Look;
use perfmon::Perfmon;
use record::Record;
use sinks::LineSinks;
use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::net::TcpListener;

/// The longest time for which nobody looks at keys and signals.
const SLICE_NS: u64 = 100_000_000;

pub(crate) fn run(args: &WatchArgs) -> Result<Exit, Error> {
    let args = &args.with_operands().map_err(|cause| {
        Problem::new(Exit::Usage, "the arguments after the devices are invalid")
            .because(cause)
            .remedy("use an interval in seconds and a count, as in `fathom watch vda 1 10`")
    })?;
    // Who says how many intervals wants to read them afterwards, as of iostat.
    let is_asked =
        args.csv || args.perfmon || args.json || args.plain || args.blame || args.count.is_some();
    let is_drawn = !is_asked && terminal::raw_stdout().is_terminal() && appearance::draws();
    let is_history = args.recordings || args.forget.is_some() || args.read.is_some();
    let is_judged = !is_history && !args.reach.is_meant() && (args.listen.is_some() || !is_drawn);
    if let Some(option) = args.limits.named().filter(|_| !is_judged) {
        let remedy = "--plain or --listen, without --hosts and --read";
        return Err(without_effect(option, remedy).into());
    }
    if args.recordings {
        return recordings::list(args);
    }
    if let Some(name) = &args.forget {
        return recordings::forget(name, args);
    }
    if let Some(file) = &args.read {
        return read::run(file, args);
    }
    let look = Source::of(args)?;
    let listener = judge::listener(args)?;
    let record = Record::of(args)?;
    if is_drawn {
        picture(args, look, record, listener)
    } else {
        let has_tables = is_asked || listener.is_none();
        lines(args, look, record, listener, has_tables)
    }
}

/// Who is looked at: this machine, or others that look at themselves.
enum Source {
    Here(Box<Look>),
    Perfmon(Perfmon),
    Hosts(Hosts),
}

impl Source {
    fn of(args: &WatchArgs) -> Result<Self, Error> {
        if let Some(hosts) = Hosts::begin(args)? {
            return Ok(Self::Hosts(hosts));
        }
        if let Some(option) = args.reach.stray() {
            let problem = without_effect(option, "--hosts");
            return Err(problem.because("this machine watches itself").into());
        }
        if let Some(look) = Perfmon::open(&args.devices) {
            return Ok(Self::Perfmon(look?));
        }
        let look = Look::new(&args.devices, &args.cgroup)?;
        Ok(Self::Here(Box::new(look)))
    }

    /// Names of the disks of which %util is the load; what those of others are is not known here.
    fn seekers(&self) -> BTreeSet<String> {
        match self {
            Self::Here(look) => look.seekers().clone(),
            Self::Perfmon(_) | Self::Hosts(_) => BTreeSet::new(),
        }
    }

    fn source_of_processes(&self) -> String {
        match self {
            Self::Here(look) => look.source_of_processes(),
            Self::Perfmon(_) => String::new(),
            Self::Hosts(_) => "each host names its own processes".to_owned(),
        }
    }

    /// Whoever says whether something limits the devices; nobody where others look at themselves.
    /// Where nobody asked for limits or metrics, the devices need not be ones that can be judged.
    fn judge(
        &self,
        args: &WatchArgs,
        listener: Option<TcpListener>,
        at: Nanos,
    ) -> Result<Option<Judge>, Error> {
        let Self::Here(_) = self else { return Ok(None) };
        let is_asked = listener.is_some() || args.limits.named().is_some();
        let judge = Judge::begin(args, listener, at);
        if is_asked {
            judge.map(Some)
        } else {
            Ok(judge.ok())
        }
    }

    fn gather(&mut self) {
        match self {
            Self::Here(look) => look.gather(),
            Self::Perfmon(_) => {}
            Self::Hosts(hosts) => hosts.gather(),
        }
    }

    fn begin(&mut self, clock: &mut Clock) -> Result<Nanos, Error> {
        match self {
            Self::Here(look) => Ok(look.begin(clock)?),
            Self::Perfmon(look) => Ok(look.begin(clock)?),
            Self::Hosts(hosts) => {
                hosts.wait();
                Ok(clock.now())
            }
        }
    }

    fn again(&mut self, clock: &mut Clock) -> Result<Moment, Error> {
        match self {
            Self::Here(look) => Ok(look.again(clock)?),
            Self::Perfmon(look) => Ok(look.again(clock)?),
            Self::Hosts(hosts) => hosts.again(),
        }
    }
}

fn lines(
    args: &WatchArgs,
    mut look: Source,
    mut record: Option<Record>,
    listener: Option<TcpListener>,
    has_tables: bool,
) -> Result<Exit, Error> {
    let stop = Stop::default();
    stop.listen()?;
    let mut out = has_tables.then(|| LineSinks::new(args, look.source_of_processes()));
    let mut blamed = Blamed::of(args)?;
    out.as_ref().map_or(Ok(()), LineSinks::begin)?;
    let mut clock = Clock::monotonic();
    let mut next = look.begin(&mut clock)?;
    let start_ns = utc_now_ns();
    let mut judge = look.judge(args, listener, next)?;
    let end = |out: Option<LineSinks>, judge: Option<Judge>, mut blamed: Blamed| {
        let (blame, has_cause) = blamed.end().unzip();
        let has_cause = has_cause.unwrap_or(false);
        let judged = judge.and_then(|judge| judge.sentence(start_ns, has_cause));
        let sentences = blame.into_iter().chain(judged);
        out.map_or(Ok(()), |out| out.end(sentences))
    };
    for _ in 0..args.count.unwrap_or(u64::MAX) {
        next = next + args.interval;
        while clock.now() < next && !stop.is_asked() {
            let slice = (clock.latest() + Nanos(SLICE_NS)).min(next);
            clock.wait_until(slice, Nanos(0));
            look.gather();
            blamed.gather();
            if let Some(judge) = &mut judge {
                judge.sample();
            }
        }
        if stop.is_asked() {
            // What was written so far is whole: a recording ends with its last moment.
            end(out, judge, blamed)?;
            return Ok(Exit::Interrupted);
        }
        let mut moment = look.again(&mut clock)?;
        let cause = blamed.add(&mut moment);
        if let Some(record) = &mut record {
            record.write(&moment)?;
        }
        if let Some(out) = &mut out {
            out.write(&moment, &look.seekers())?;
            out.remark(cause)?;
        }
        // A disk that went away ends what can be said of the whole time.
        if judge
            .as_mut()
            .is_some_and(|judge| !judge.look(&moment, clock.now()))
        {
            judge = None;
        }
    }
    end(out, judge, blamed)?;
    Ok(Exit::Ok)
}

fn picture(
    args: &WatchArgs,
    mut look: Source,
    mut record: Option<Record>,
    listener: Option<TcpListener>,
) -> Result<Exit, Error> {
    let stop = Stop::default();
    stop.listen()?;
    let mut clock = Clock::monotonic();
    let mut next = look.begin(&mut clock)?;
    let mut judge = None;
    if listener.is_some() {
        judge = look.judge(args, listener, next)?;
    }
    let mut screen =
        screen::Screen::take(stop.clone(), look.seekers(), args.interval).map_err(|error| {
            Problem::new(Exit::Environment, "cannot take the terminal")
                .because(crate::error::system_words(&error))
                .remedy("--plain, which writes lines")
        })?;
    for _ in 0..args.count.unwrap_or(u64::MAX) {
        next = next + args.interval;
        while clock.now() < next {
            screen.turn();
            if stop.is_asked() {
                let interrupted = stop.is_interrupted();
                return Ok(if interrupted {
                    Exit::Interrupted
                } else {
                    Exit::Ok
                });
            }
            let slice = (clock.latest() + Nanos(SLICE_NS)).min(next);
            clock.wait_until(slice, Nanos(0));
            look.gather();
            if let Some(judge) = &mut judge {
                judge.sample();
            }
        }
        let moment = look.again(&mut clock)?;
        if let Some(record) = &mut record {
            record.write(&moment)?;
        }
        if let Some(judge) = &mut judge {
            judge.look(&moment, clock.now());
        }
        screen.take_in(moment);
    }
    Ok(Exit::Ok)
}

/// An option that needs another one.
fn without_effect(option: &str, needs: &str) -> Problem {
    Problem::new(Exit::Usage, format!("{option} has nothing to change")).remedy(needs)
}

/// A device that cannot be looked at.
fn unreadable(error: &DeviceError) -> Problem {
    Problem::new(Exit::Environment, "cannot watch the devices").because(error.to_string())
}
