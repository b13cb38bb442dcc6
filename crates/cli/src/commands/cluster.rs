//! A measurement from many hosts: who takes part, and how they are reached.

mod launcher;
mod meeting;
mod pmi;
mod push;
mod secret;
mod servers;
mod watching;

pub(crate) use launcher::own_rank;
pub(super) use launcher::{find_of_job, joined_rank};
pub(super) use meeting::{connect, find};
pub(super) use push::Copies;
pub(super) use secret::{SERVER_TOKEN, from_line, named_token_file, token_file};
pub(crate) use secret::{from_file, random};
pub(super) use servers::{address, clients};
pub(super) use watching::{ProgressLines, Watched};

use crate::args::{ClusterArgs, ReachArgs, Rendezvous, RunOptions, SharedArg, TargetArg};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_cluster::token::Token;
use fathom_cluster::transport::{Arrival, Children, Key, Launch, Listener, Transport};
use fathom_cluster::{HostList, Rules};
use fathom_core::Nanos;
use fathom_core::spec::Workload;
use fathom_device::input;
use fathom_session::cluster::{Cluster, ClusterPlan, Sharing};
use launcher::Launched;
use secret::token_of_servers;
use std::io::{self, Read as _};
use std::net::Ipv4Addr;
use std::path::Path;

/// How long members may take that a launcher starts: queues, loaders and slow file systems.
const LAUNCHED_PATIENCE: Nanos = Nanos::from_secs(60);
/// Bytes of a file of hosts that are read.
const HOSTS_BYTES: u64 = 1 << 20;
/// Added to the join timeout for each group of hosts that is reached at once.
const GROUP_PATIENCE: Nanos = Nanos::from_secs(1);
const GROUP: u64 = 16;

/// Refuses what many hosts do not do.
pub(super) fn check(
    options: &RunOptions,
    targets: &[TargetArg],
    workloads: &[Workload],
) -> Result<(), Problem> {
    let refuse = |thing: &str, cause: &str, remedy: &str| {
        let problem = Problem::new(Exit::Usage, thing).because(cause);
        Err(problem.remedy(remedy))
    };
    let explain = &options.explain;
    if explain.probes() {
        return refuse(
            "many hosts cannot be asked why they are not faster",
            "--find-limit, --probe and --cliff change the load of one host",
            "run them on one of the hosts",
        );
    }
    if explain.tracing.blame {
        return Err(untraced());
    }
    if !explain.cap.is_empty() {
        return refuse(
            "--cap has nothing to change",
            "what limits the sum of many hosts is not looked for",
            "without it",
        );
    }
    let is_homeless = |workload: &Workload| workload.named_paths().next().is_none();
    if targets.is_empty() && options.engine.engine.is_real() && workloads.iter().any(is_homeless) {
        return refuse(
            "many hosts need a --target",
            "their working directories are not this one",
            "--target PATH, which may hold {host}, {rank} and {index}",
        );
    }
    Ok(())
}

/// Refuses `--blame` of many hosts.
pub(super) fn untraced() -> Problem {
    Problem::new(Exit::Usage, "many hosts cannot be traced")
        .because("--blame reads the kernel's events of one host")
        .remedy("`fathom capture --events blame` on one of the hosts during the run")
}

/// The host of each member by rank, as far as they are named; none where a launcher chooses.
pub(super) fn host_names(args: &ClusterArgs) -> Result<Option<Vec<String>>, Error> {
    if !args.is_meant() || args.launched || args.launch.is_some() {
        return Ok(None);
    }
    if !args.servers.is_empty() {
        let hosts = args.servers.iter().map(|server| match &server.place.host {
            host if host.is_empty() => server.host.clone(),
            host => host.clone(),
        });
        return Ok(Some(hosts.collect()));
    }
    let per_host = args.per_host.unwrap_or(1) as usize;
    let hosts = hosts(&args.reach)?.0.into_iter();
    Ok(Some(hosts.flat_map(|host| vec![host; per_host]).collect()))
}

/// The members that the options name; they are called when the first measurement begins.
pub(super) fn gather(args: &ClusterArgs) -> Result<Cluster, Error> {
    let (transport, plan) = reach(args)?;
    Cluster::new(plan, transport).map_err(|error| cannot_wait(&error).into())
}

type Reached = (Box<dyn Transport>, ClusterPlan);

fn reach(args: &ClusterArgs) -> Result<Reached, Error> {
    if args.launched || args.launch.is_some() {
        return launched(args);
    }
    if !args.servers.is_empty() {
        return served(args);
    }
    let members = host_names(args)?.unwrap_or_default();
    let token = token(args)?;
    let own = ["member".to_owned()];
    let (calls, copies) = calls(&args.reach, &members, &own, args.allow_missing)?;
    let launch = |call| match call {
        Ok(words) => Launch::Words(words),
        Err(why) => Launch::Unreachable(why),
    };
    let launches = calls.into_iter().map(launch).collect();
    let children = Children::new(launches, &token).map_err(|error| cannot_wait(&error))?;
    let transport = Remote {
        children,
        _copies: copies,
    };
    let patience =
        Nanos(Rules::default().patience.0 + (members.len() as u64 - 1) / GROUP * GROUP_PATIENCE.0);
    let program = program(&args.reach);
    let name = program
        .split_whitespace()
        .next()
        .unwrap_or(program)
        .to_owned();
    let cluster = plan(args, members, token, patience, name)?;
    Ok((Box::new(transport), cluster))
}

/// Members that servers start, which know the secret.
fn served(args: &ClusterArgs) -> Result<Reached, Error> {
    let token = token_of_servers(args.token_file.as_deref())?;
    let launches = args.servers.iter().map(|server| server.launch.clone());
    let children = Children::new(launches.collect(), &token);
    let children = children.map_err(|error| cannot_wait(&error))?;
    let hosts = args.servers.iter().map(|server| server.host.clone());
    let patience = Rules::default().patience;
    let cluster = plan(args, hosts.collect(), token, patience, "servers".to_owned())?;
    Ok((Box::new(children), cluster))
}

fn launched(args: &ClusterArgs) -> Result<Reached, Error> {
    let count = launcher::members(args)?;
    let token = token(args)?;
    let address = match &args.rendezvous {
        Some(Rendezvous::Address(address)) => meeting::bound_to(address),
        _ if args.launched && launcher::is_on_one_host() => (Ipv4Addr::LOCALHOST, 0).into(),
        _ => {
            let hosts = launcher::hosts(args).unwrap_or_default();
            let address = meeting::towards(&hosts.0);
            (address.unwrap_or(Ipv4Addr::UNSPECIFIED.into()), 0).into()
        }
    };
    let listener = Listener::bind(address).map_err(|error| {
        Problem::new(Exit::Environment, "cannot listen for members").because(system_words(&error))
    })?;
    let started = launcher::start(args, &listener, &token)?;
    let hosts = vec![String::new(); count as usize];
    let name = args.launch.as_deref().unwrap_or_else(|| launcher::name());
    let name = name.to_owned();
    let cluster = plan(args, hosts, token, LAUNCHED_PATIENCE, name)?;
    Ok((Box::new(Launched::new(listener, started)), cluster))
}

fn plan(
    args: &ClusterArgs,
    hosts: Vec<String>,
    token: Token,
    patience: Nanos,
    transport: String,
) -> Result<ClusterPlan, Error> {
    let sharing = match args.shared {
        None => Sharing::Spread,
        Some(SharedArg::Disjoint) => Sharing::Disjoint,
        Some(SharedArg::Interleaved) => Sharing::Interleaved,
        Some(SharedArg::Common) => Sharing::Common,
    };
    let usual = Rules::default();
    let silence = args.silence.unwrap_or(usual.silence);
    Ok(ClusterPlan {
        hosts,
        sharing,
        shift_reads: args.shift_reads.unwrap_or(0),
        server_memory: args.server_memory,
        token,
        entropy: random()?,
        rules: Rules {
            patience: args.patience.unwrap_or(patience),
            silence,
            heartbeat: Nanos(usual.heartbeat.0.min(silence.0 / 4).max(1)),
            allow_missing: args.allow_missing,
            invalid_below_percent: args.invalid_below.unwrap_or(usual.invalid_below_percent),
            ..usual
        },
        transport,
    })
}

fn token(args: &ClusterArgs) -> Result<Token, Error> {
    match &args.token_file {
        Some(path) => from_file(path),
        None => Ok(Token::random(&random()?)),
    }
}

/// Who measures together, in the words that a later call has to repeat.
pub(super) fn in_words(args: &ClusterArgs) -> Result<Vec<String>, Error> {
    if !args.is_meant() {
        return Ok(Vec::new());
    }
    let mut words = match &args.launch {
        Some(launcher) => vec![format!("--launch \"{launcher}\"")],
        None if args.launched => vec!["--launched".to_owned()],
        None => vec![format!("--hosts {}", hosts(&args.reach)?.0.join(","))],
    };
    let numbers = [
        ("--per-host", args.per_host),
        ("--members", args.members),
        ("--shift-reads", args.shift_reads),
    ];
    let given = numbers
        .iter()
        .filter_map(|(name, one)| Some((name, (*one)?)));
    words.extend(given.map(|(name, number)| format!("{name} {number}")));
    if let Some(shared) = args.shared {
        let name = match shared {
            SharedArg::Disjoint => "disjoint",
            SharedArg::Interleaved => "interleaved",
            SharedArg::Common => "common",
        };
        words.push(format!("--shared={name}"));
    }
    Ok(words)
}

/// The hosts that are named.
pub(super) fn hosts(args: &ReachArgs) -> Result<HostList, Error> {
    if let Some(hosts) = &args.hosts {
        return Ok(hosts.clone());
    }
    let Some(path) = &args.hosts_file else {
        return Err(Problem::new(Exit::Usage, "no hosts are named").into());
    };
    hosts_of_file(path)
}

fn hosts_of_file(path: &Path) -> Result<HostList, Error> {
    let (text, thing) = text_of_hosts(path)?;
    list_of_hosts(&text, thing)
}

/// What is in a file of hosts, and what cannot be done if that is wrong.
fn text_of_hosts(path: &Path) -> Result<(String, String), Error> {
    let thing = format!("cannot take hosts from {}", path.display());
    let mut text = String::new();
    let read = input::open(path).and_then(|file| file.take(HOSTS_BYTES).read_to_string(&mut text));
    match read {
        Ok(_) => Ok((text, thing)),
        Err(error) => Err(Problem::new(Exit::Environment, thing)
            .because(system_words(&error))
            .into()),
    }
}

fn list_of_hosts(text: &str, thing: String) -> Result<HostList, Error> {
    HostList::of_file(text).map_err(|error| {
        let problem = Problem::new(Exit::Usage, thing).because(error.to_string());
        problem.remedy("a host in each line, as db[1-8]").into()
    })
}

/// The program that runs another on a host.
fn program(args: &ReachArgs) -> &str {
    args.ssh.as_deref().unwrap_or("ssh")
}

/// What runs another program on a host, with its arguments.
fn way(args: &ReachArgs, host: &str) -> Vec<String> {
    let program = program(args);
    let mut words: Vec<String> = program.split_whitespace().map(str::to_owned).collect();
    let name = words
        .first()
        .map(std::path::Path::new)
        .and_then(|path| path.file_name());
    if name.is_some_and(|name| name == "ssh") {
        // A host that is down is said within the time that hosts have; keys only, since nobody
        // could answer a question; and a connection that is cut ends.
        let options = [
            "-T",
            "-oBatchMode=yes",
            "-oConnectTimeout=4",
            "-oServerAliveInterval=2",
            "-oServerAliveCountMax=4",
        ];
        words.extend(options.map(str::to_owned));
    }
    words.push(host.to_owned());
    words
}

/// A command line, or why there is none.
pub(super) type Call = Result<Vec<String>, String>;

/// How fathom is started on each of these hosts with words of its own, and what was brought there
/// for it.
pub(super) fn calls(
    args: &ReachArgs,
    hosts: &[String],
    own: &[String],
    may_miss: bool,
) -> Result<(Vec<Call>, Copies), Error> {
    let mut here: Vec<push::Host> = Vec::new();
    let mut numbers = Vec::new();
    for name in hosts {
        let place = here.iter().position(|host| host.name == *name);
        let place = place.unwrap_or_else(|| {
            here.push(push::Host {
                name: name.clone(),
                reach: way(args, name),
                members: 0,
            });
            here.len() - 1
        });
        numbers.push(here[place].members);
        here[place].members += 1;
    }
    let copies = match &args.push {
        Some(file) => Copies::bring(here, file, may_miss)?,
        None => Copies::default(),
    };
    let fathom = args.fathom.as_deref().unwrap_or("fathom");
    let usual = || Ok(fathom.split_whitespace().map(str::to_owned).collect());
    let call = |(host, number): (&String, usize)| {
        let program: Call = copies.call(host, number).unwrap_or_else(usual);
        let words = |program| [way(args, host), program, own.to_vec()].concat();
        program.map(words)
    };
    let calls = hosts.iter().zip(numbers).map(call).collect();
    Ok((calls, copies))
}

/// Members on hosts, and the copies that they run from.
struct Remote {
    children: Children,
    /// They go after the members.
    _copies: Copies,
}

impl Transport for Remote {
    fn poll(&mut self, wait: Nanos, arrivals: &mut Vec<Arrival>) -> io::Result<()> {
        self.children.poll(wait, arrivals)
    }

    fn send(&mut self, key: Key, bytes: &[u8]) {
        self.children.send(key, bytes);
    }

    fn close(&mut self, key: Key) {
        self.children.close(key);
    }

    fn call(&mut self, rank: u32) -> bool {
        self.children.call(rank)
    }
}

fn cannot_wait(error: &io::Error) -> Problem {
    Problem::new(Exit::Environment, "cannot wait for members").because(system_words(error))
}
