//! The same made-up members over children's streams, over TCP and in the simulator: one result, to
//! the last byte. A program of its own, because it starts itself as the members.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "it has no harness that would say what was tested, and files of its own"
)]

use fathom_cluster::drive::{Reporter, Watcher, coordinate, serve};
use fathom_cluster::fixture::network::{member_setup, setup};
use fathom_cluster::fixture::{MadeUp, Simulation, Weather};
use fathom_cluster::link::Delivery;
use fathom_cluster::token::{SealKey, Token};
use fathom_cluster::transport::{Arrival, Children, Key, Launch, Listener, Streams, Transport};
use fathom_cluster::{Coordinator, Ending, Event, MeasurementOutcome, Member, Rules};
use fathom_core::{Nanos, State};
use sha2::{Digest as _, Sha256};
use std::io;
use std::net::{IpAddr, Ipv4Addr, TcpStream, UdpSocket};
use std::os::fd::AsFd as _;
use std::path::Path;

const MEMBERS: usize = 8;
const PHASES: usize = 2;
const MADE_UP: MadeUp = MadeUp {
    phases: PHASES as u32,
    intervals: 5,
    interval: Nanos::from_secs(1),
    requests: 20,
};

/// Monotonic time, ahead by what makes the clocks of members differ.
fn clock(ahead_s: u64) -> Nanos {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    Nanos((time.tv_sec as u64 + ahead_s) * 1_000_000_000 + time.tv_nsec as u64)
}

/// What is told, in sentences.
#[derive(Default)]
struct Sentences(Vec<String>);

impl Watcher for Sentences {
    fn event(&mut self, _now: Nanos, event: &Event) {
        self.0.push(event.to_string());
    }
}

/// A member on this stream, until all is over.
fn be_member(rank: u32, streams: Streams) -> Ending {
    let now = || clock(u64::from(rank) * 1000);
    let member = Member::new(member_setup(rank, Delivery::Stream), now());
    let (mut reporter, news, wake) = Reporter::new().expect("a pipe");
    let (commands, orders) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let measuring = scope.spawn(move || MADE_UP.obey(&orders, &mut reporter));
        let ended = serve(member, streams, (&news, wake), &now, &commands);
        drop(commands);
        measuring.join().expect("no panic");
        ended.expect("it could wait")
    })
}

/// Takes the token, a line, from standard input; what follows stays there.
fn skip_line() -> Vec<u8> {
    let stdin = std::io::stdin();
    let mut line = Vec::new();
    let mut byte = [0];
    while rustix::io::read(stdin.as_fd(), &mut byte).expect("a line") == 1 && byte[0] != b'\n' {
        line.push(byte[0]);
    }
    line
}

fn gather(transport: &mut dyn Transport, rules: Rules) -> (MeasurementOutcome, Vec<String>) {
    let setup = setup(MEMBERS, PHASES, rules, Delivery::Stream);
    let mut coordinator = Coordinator::new(setup, clock(0));
    let mut told = Sentences::default();
    coordinate(&mut coordinator, transport, &|| clock(0), &mut told).expect("the transport");
    (coordinator.outcome(), told.0)
}

fn token() -> Token {
    Token::new(b"the token of all members").expect("long enough")
}

fn over_children(rules: Rules, broken: Option<Launch>) -> (MeasurementOutcome, Vec<String>) {
    let program = std::env::current_exe().expect("this program");
    let program = program.to_str().expect("a plain path");
    let launch = |rank: usize| {
        Launch::Words(vec![
            program.to_owned(),
            "member".to_owned(),
            rank.to_string(),
        ])
    };
    let mut launches: Vec<Launch> = (0..MEMBERS).map(launch).collect();
    if let Some(broken) = broken {
        launches[3] = broken;
    }
    let mut transport = Children::new(launches, &token()).expect("a set to wait on");
    gather(&mut transport, rules)
}

/// Listens, and notes of each connection whether it is sealed.
struct Noting(Listener, Vec<bool>);

impl Transport for Noting {
    fn poll(&mut self, wait: Nanos, arrivals: &mut Vec<Arrival>) -> io::Result<()> {
        self.0.poll(wait, arrivals)?;
        let connected = arrivals.iter().filter_map(|arrival| match arrival {
            Arrival::Connected(key, _) => Some(self.0.seals(*key)),
            _ => None,
        });
        self.1.extend(connected);
        Ok(())
    }

    fn send(&mut self, key: Key, bytes: &[u8]) {
        self.0.send(key, bytes);
    }

    fn close(&mut self, key: Key) {
        self.0.close(key);
    }

    fn seals(&self, key: Key) -> bool {
        self.0.seals(key)
    }

    fn trust(&mut self, key: Key, seal: &SealKey) {
        self.0.trust(key, seal);
    }
}

/// What came of it over connections to this address, and which of them were sealed.
fn over_tcp(address: IpAddr) -> (MeasurementOutcome, Vec<bool>) {
    let listener = Listener::bind((address, 0)).expect("an address of this machine");
    let address = listener.address().expect("bound");
    let mut listener = Noting(listener, Vec::new());
    std::thread::scope(|scope| {
        let join = |rank| {
            scope.spawn(move || {
                let stream = TcpStream::connect(address).expect("it listens");
                let mut streams = Streams::new().expect("a set to wait on");
                streams.add_connection(0, stream).expect("a stream");
                be_member(rank, streams)
            })
        };
        let members: Vec<_> = (0..MEMBERS as u32).map(join).collect();
        let outcome = gather(&mut listener, Rules::default()).0;
        let Noting(listener, sealed) = listener;
        drop(listener);
        for member in members {
            assert_eq!(member.join().expect("no panic"), Ending::Reported);
        }
        (outcome, sealed)
    })
}

/// The address by which other machines know this one. The kernel looks up a route; nothing is sent.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

fn simulated() -> MeasurementOutcome {
    let setup = setup(MEMBERS, PHASES, Rules::default(), Delivery::Stream);
    let simulation = Simulation::new(setup, MADE_UP.intervals, Weather::calm(), &[], 3);
    simulation.run(Nanos::from_secs(100)).outcome
}

fn equal_bytes() {
    let expected = simulated();
    assert_eq!(expected.state(), State::Valid);
    let (children, told) = over_children(Rules::default(), None);
    assert_eq!(children.state(), State::Valid, "{told:?}");
    assert_eq!(children.sums(), expected.sums());
    let own = own_address().map(|address| (address, true));
    if own.is_none() {
        println!("between machines: skipped, no address but the loopback");
    }
    let loopback = (Ipv4Addr::LOCALHOST.into(), false);
    for (address, is_sealed) in [loopback].into_iter().chain(own) {
        let (tcp, sealed) = over_tcp(address);
        assert_eq!(tcp.state(), State::Valid);
        assert_eq!(tcp.sums(), expected.sums());
        assert_eq!(sealed, [is_sealed; MEMBERS]);
    }
    println!(
        "simulated, children, tcp: {} equal bytes",
        expected.sums().len()
    );
}

fn a_child_that_fails_is_named() {
    let words = |text: &str| Launch::Words(text.split(' ').map(str::to_owned).collect());
    let rules = Rules {
        allow_missing: true,
        ..Rules::default()
    };
    for (launch, why) in [
        (
            words("/no/such/program"),
            "cannot run /no/such/program: No such file or directory (os error 2)",
        ),
        (
            words("ls /no/such/host"),
            "ls: cannot access '/no/such/host': No such file or directory",
        ),
        (
            words("echo Welcome to h3"),
            "instead of fathom, this answered: `Welcome to h3`; if a shell \
             printed it, make its start-up files silent where there is no terminal",
        ),
    ] {
        let (outcome, told) = over_children(rules, Some(launch));
        let expected = format!("h3 (rank 3) is missing: {why}");
        let of_h3 = told.iter().filter(|line| line.starts_with("h3 "));
        assert_eq!(of_h3.collect::<Vec<_>>(), [&expected]);
        assert_eq!(
            (outcome.state(), outcome.finished()),
            (State::Qualified, MEMBERS - 1)
        );
    }
    println!("children that fail: named");
}

/// The coordinator of members that somebody else connects (`mpi/try`): it says where it is in the
/// file of `--rendezvous`, as `fathom` does, has a member of its own, and prints what came out.
fn coordinate_at(place: &Path) {
    let mut listener = Listener::bind("127.0.0.1:0").expect("loopback");
    let address = listener.address().expect("bound");
    let text = [token().secret(), format!("\n{address}\n").as_bytes()].concat();
    let draft = place.with_extension("new");
    std::fs::write(&draft, text).expect("a file");
    std::fs::rename(&draft, place).expect("a name");
    let own = std::thread::spawn(move || {
        let stream = TcpStream::connect(address).expect("it listens");
        let mut streams = Streams::new().expect("a set to wait on");
        streams.add_connection(0, stream).expect("a stream");
        be_member(0, streams)
    });
    let (outcome, told) = gather(&mut listener, Rules::default());
    drop(listener);
    own.join().expect("no panic");
    assert_eq!(outcome.state(), State::Valid, "{told:?}");
    println!("{}", digest(&outcome));
}

/// What tells one result from another.
fn digest(outcome: &MeasurementOutcome) -> String {
    let bytes = Sha256::digest(outcome.sums());
    let hex = bytes.iter().map(|byte| format!("{byte:02x}"));
    hex.collect::<String>()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let word = arguments.get(1).map_or("", String::as_str);
    if word == "simulate" {
        return println!("{}", digest(&simulated()));
    }
    if word == "coordinate" {
        let mut places = arguments.iter();
        let place = places.find_map(|word| word.strip_prefix("--rendezvous=file:"));
        return coordinate_at(Path::new(place.expect("a place")));
    }
    if word == "member" {
        assert_eq!(skip_line(), token().secret());
        let rank = std::env::var("FATHOM_RANK").unwrap_or_else(|_| arguments[2].clone());
        let rank = rank.parse().expect("a rank");
        let (input, output) = (std::io::stdin(), std::io::stdout());
        let owned =
            |fd: std::os::fd::BorrowedFd<'_>| fd.try_clone_to_owned().expect("a descriptor");
        let mut streams = Streams::new().expect("a set to wait on");
        let (read, write) = (owned(input.as_fd()), Some(owned(output.as_fd())));
        streams.add(0, read, write, None).expect("a stream");
        be_member(rank, streams);
        return;
    }
    equal_bytes();
    a_child_that_fails_is_named();
}
