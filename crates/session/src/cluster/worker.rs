//! A member: one thread speaks with the coordinator, and this one measures.

use super::brief::Brief;
use super::estate;
use super::observer::{MemberObserver, MemberStarter, Talk};
use super::plan::Travelling;
use super::series;
use crate::error::RunError;
use crate::plan::{MadeFiles, Plan};
use crate::{Control, Judged, Session};
use fathom_cluster::drive::{Admitted, Command, News, Reporter, serve};
use fathom_cluster::link::Delivery;
use fathom_cluster::message::{Assignment, Doubt, Identity, MemberResult};
use fathom_cluster::token::{Nonce, Token};
use fathom_cluster::transport::Streams;
use fathom_cluster::{Ending, Member, MemberSetup, limits};
use fathom_core::Nanos;
use fathom_device::{AllowError, AllowList};
use fathom_engine::Clock;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// How long a member waits for the coordinator's first word, and until it says otherwise for any.
const SILENCE: Nanos = Nanos::from_secs(10);

/// Phases to start, and when.
type Starts = Receiver<(u32, Nanos)>;

/// What a member must know before it speaks.
#[derive(Debug)]
pub struct MemberOptions {
    /// What it shares with the coordinator.
    pub token: Token,
    /// Random bytes.
    pub nonce: Nonce,
    /// The rank that a launcher gave it, if one did.
    pub rank: Option<u32>,
    /// By which its end can be asked for on its own host.
    pub control: Control,
    /// Whether nothing is written, whatever the coordinator asks for.
    pub read_only: bool,
    /// What may be written on this host, if it has a list; an error refuses every assignment.
    pub allow: Result<Option<Arc<AllowList>>, AllowError>,
}

fn member_setup(token: Token, nonce: Nonce, rank: Option<u32>) -> MemberSetup {
    MemberSetup {
        release: env!("CARGO_PKG_VERSION").to_owned(),
        token,
        nonce,
        delivery: Delivery::Stream,
        identity: identity(rank),
        silence: SILENCE,
    }
}

/// Speaks as a member with whoever called a server, until the caller has shown that it knows the
/// token; none if it has not within that time, or if `no_room` says why he cannot be served.
///
/// # Errors
///
/// Those of the stream. Its reads have to end after a time.
pub fn admit(
    stream: impl io::Read + io::Write,
    (token, nonce, rank): (Token, Nonce, Option<u32>),
    patience: Nanos,
    no_room: &dyn Fn() -> Option<String>,
) -> io::Result<Option<Admitted>> {
    let clock = RefCell::new(Clock::monotonic());
    let now = || clock.borrow_mut().now();
    let until = now().saturating_add(patience);
    let setup = member_setup(token, nonce, rank);
    fathom_cluster::drive::admit(stream, setup, &now, until, no_room)
}

/// Who this process is.
fn identity(rank: Option<u32>) -> Identity {
    let host = fathom_device::HostInfo::live();
    // Without it a member is taken to be on a machine of its own.
    let boot_id =
        fathom_device::input::read_text("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    Identity {
        host: host.hostname.unwrap_or_default(),
        boot_id: boot_id.trim().to_owned(),
        pid: std::process::id(),
        rank,
        memory_bytes: host.memory_bytes.unwrap_or(0),
    }
}

/// Takes part in a measurement over the only stream of `streams`, until all is over. `note` gets
/// what the user of this host should know.
///
/// # Errors
///
/// If the system gives no pipe or does not let it wait.
pub fn be_member(
    options: MemberOptions,
    streams: Streams,
    note: &(dyn Fn(&str) + Sync),
) -> io::Result<Ending> {
    let setup = member_setup(options.token, options.nonce, options.rank);
    let (read_only, allow) = (options.read_only, options.allow);
    let (mut reporter, news, wake) = Reporter::new()?;
    let teller = reporter.another()?;
    let (commands, orders) = channel();
    let (assign, assignments) = channel();
    let control = options.control;
    std::thread::scope(|scope| {
        let speaking = scope.spawn(move || {
            let clock = RefCell::new(Clock::monotonic());
            let now = || clock.borrow_mut().now();
            let member = Member::new(setup, now());
            serve(member, streams, (&news, wake), &now, &commands)
        });
        let wish = control.clone();
        scope.spawn(move || obey(&orders, assign, teller, &wish, note));
        let mut lent = Lent::default();
        while let Ok((assignment, starts)) = assignments.recv() {
            let plan = Travelling::part(&assignment).map_err(|error| error.to_string());
            let news = plan
                .and_then(|plan| restricted(plan, read_only, &allow))
                .and_then(|plan| measure(plan, &starts, &control, &mut reporter, &mut lent));
            let news = match news {
                Ok(result) => News::Finished(result),
                Err(why) => News::Failed(why),
            };
            reporter.tell(news);
        }
        lent.remove(note);
        match speaking.join() {
            Ok(ending) => ending,
            Err(_) => Err(io::Error::other("the thread that speaks panicked")),
        }
    })
}

/// Where files were made that the next measurement may use; they go with the member.
#[derive(Debug, Default)]
struct Lent(BTreeSet<PathBuf>);

impl Lent {
    fn note(&mut self, plan: &Plan) {
        if plan.made_files == MadeFiles::Lent {
            self.0.extend(estate::places(plan));
        }
    }

    fn remove(&self, note: &(dyn Fn(&str) + Sync)) {
        for place in &self.0 {
            if let Err(error) = fathom_device::scratch::remove_own(place)
                && error.kind() != io::ErrorKind::NotFound
            {
                note(&format!("could not remove {}: {error}", place.display()));
            }
        }
    }
}

/// Hands on what the coordinator orders. When it has nothing more to order, nobody waits for a
/// start any longer.
fn obey(
    orders: &Receiver<Command>,
    assign: Sender<(Box<Assignment>, Starts)>,
    mut reporter: Reporter,
    control: &Control,
    note: &(dyn Fn(&str) + Sync),
) {
    let mut start = None;
    while let Ok(command) = orders.recv() {
        // Whoever measures may have come to an end by itself.
        match command {
            Command::Prepare(assignment) => {
                let (begin, starts) = channel();
                start = Some(begin);
                drop(assign.send((assignment, starts)));
            }
            Command::Start(phase, at) => drop(start.as_ref().map(|start| start.send((phase, at)))),
            Command::Stop(why, true) => {
                note(&format!("ends: {why}"));
                control.finish();
                // Nobody waits for a start that will not come.
                drop((assign, start));
                return leave(orders, &mut reporter);
            }
            Command::Stop(why, false) => {
                note(&format!("stops: {why}"));
                control.interrupt();
                control.interrupt();
            }
            Command::Remove(estate) => reporter.tell(estate::settle(estate)),
            Command::Over(ending) => {
                if let Ending::Refused(why) = ending {
                    note(&format!("is not part of the measurement: {why}"));
                }
                return;
            }
        }
    }
}

/// The end has been ordered; what others left may be to be removed, and then only its word is to
/// come.
fn leave(orders: &Receiver<Command>, reporter: &mut Reporter) {
    while let Ok(command) = orders.recv() {
        match command {
            Command::Remove(estate) => reporter.tell(estate::settle(estate)),
            Command::Over(_) => return,
            _ => {}
        }
    }
}

/// The plan with what this host allows.
fn restricted(
    mut plan: Plan,
    read_only: bool,
    allow: &Result<Option<Arc<AllowList>>, AllowError>,
) -> Result<Plan, String> {
    plan.permissions.read_only |= read_only;
    let list = allow.as_ref().map_err(|error| {
        let (thing, cause, remedy) = (error.thing(), &error.cause, &error.remedy);
        format!("{thing}: {cause}; {remedy}")
    })?;
    plan.permissions.allow.clone_from(list);
    Ok(plan)
}

fn measure(
    plan: Plan,
    starts: &Starts,
    control: &Control,
    reporter: &mut Reporter,
    lent: &mut Lent,
) -> Result<MemberResult, String> {
    lent.note(&plan);
    if let Some(estate) = estate::of(&plan) {
        reporter.tell(News::Makes(estate));
    }
    let talk = Talk::new(reporter);
    let mut starter = MemberStarter {
        talk: &talk,
        starts,
        clock: Clock::monotonic(),
    };
    let apart = plan.hosts_apart;
    let has_journals = !plan.journals.is_empty();
    let session = Session::new(plan)
        .stopped_by(control)
        .started_by(&mut starter);
    let judged = session.measure(&mut MemberObserver {
        talk: &talk,
        has_journals,
    });
    let result = |judged| result(judged, apart);
    judged.map(result).map_err(|error| sentence(&error))
}

fn sentence(error: &RunError) -> String {
    let because = error.because().map(|why| format!(": {why}"));
    let remedy = error.remedy().map(|what| format!("; {what}"));
    format!(
        "{error}{}{}",
        because.unwrap_or_default(),
        remedy.unwrap_or_default()
    )
}

/// What a member says at its end.
pub(super) fn result(judged: Judged, apart: bool) -> MemberResult {
    let result = judged.into_result();
    let doubts = result.caveats.iter().take(limits::CAVEATS);
    let doubts = doubts.map(|caveat| Doubt {
        code: caveat.code.clone(),
        level: caveat.level,
        message: caveat.message.clone(),
        remedy: caveat.remedy.clone(),
        subject: caveat.subject.clone(),
    });
    MemberResult {
        phases: result.phases.iter().map(series::totals).collect(),
        slowest: series::slowest(&result.phases),
        doubts: doubts.collect(),
        devices: super::checks::devices(&result.provenance.targets),
        brief: Brief::fitting(&result, apart),
    }
}
