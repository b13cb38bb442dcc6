//! How one coordinator copes with thousands of members: real frames over loopback, made-up loads.
//!
//! `fathom-swarm [MEMBERS…]` measures 1,000 and 10,000 without numbers. The members are one other
//! process, so that memory and processor time are the coordinator's alone.
#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "the table is its purpose, and its members are a program of its own"
)]

use anyhow::{Context as _, bail};
use fathom_cluster::drive::{Watcher, coordinate};
use fathom_cluster::fixture::MadeUp;
use fathom_cluster::fixture::network::setup;
use fathom_cluster::fixture::swarm::swarm;
use fathom_cluster::link::Delivery;
use fathom_cluster::transport::Listener;
use fathom_cluster::{Coordinator, Event, Rules};
use fathom_core::Nanos;
use fathom_engine::Clock;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::cell::RefCell;
use std::process::Command;

/// What each member makes up: five seconds, the first of them warm-up.
const MADE_UP: MadeUp = MadeUp {
    phases: 1,
    intervals: 5,
    interval: Nanos::from_secs(1),
    requests: 200,
};

/// What is noted while it goes on.
#[derive(Default)]
struct Notes {
    begin: Nanos,
    ready: Nanos,
    start: Nanos,
    /// From the end of each interval to when all members had reported it, nanoseconds.
    lags_ns: Vec<u64>,
    silent: usize,
    lost: usize,
}

impl Watcher for Notes {
    fn event(&mut self, now: Nanos, event: &Event) {
        match event {
            Event::Starting { lead, .. } => {
                self.ready = now.saturating_sub(self.begin);
                self.start = now + *lead;
            }
            Event::Interval { interval, .. } => {
                let end = self.start.0 + (interval + 1) * MADE_UP.interval.0;
                self.lags_ns.push(now.0.saturating_sub(end));
            }
            Event::Silent(..) => self.silent += 1,
            Event::Lost(..) => self.lost += 1,
            _ => {}
        }
    }
}

/// Two sockets for each member are one here and one there, and a few more.
fn raise_limit() -> anyhow::Result<()> {
    let limit = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    setrlimit(Resource::Nofile, most).context("cannot raise the limit of open files")
}

/// Share of the memory of this process in KiB, shared pages by their part.
fn memory_kib() -> anyhow::Result<u64> {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup")?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.context("no Pss is stated")?.parse()?)
}

/// Processor time of this thread in nanoseconds.
fn cpu_ns() -> anyhow::Result<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(text
        .split_whitespace()
        .next()
        .context("no time is stated")?
        .parse()?)
}

fn members(address: &str, count: &str) -> anyhow::Result<()> {
    let clock = RefCell::new(Clock::monotonic());
    let now = || clock.borrow_mut().now();
    let count: u32 = count.parse()?;
    let reported = swarm(address.parse()?, count, MADE_UP, &now)?;
    if reported != count as usize {
        bail!("{reported} of {count} members reported");
    }
    Ok(())
}

fn measure(count: usize) -> anyhow::Result<()> {
    let clock = RefCell::new(Clock::monotonic());
    let now = || clock.borrow_mut().now();
    let mut listener = Listener::bind("127.0.0.1:0")?;
    let address = listener.address()?.to_string();
    let rules = Rules {
        patience: Nanos::from_secs(60),
        ..Rules::default()
    };
    let before_ns = cpu_ns()?;
    let mut notes = Notes {
        begin: now(),
        ..Notes::default()
    };
    let mut coordinator = Coordinator::new(setup(count, 1, rules, Delivery::Stream), now());
    let own = std::env::current_exe()?;
    let mut child = Command::new(own)
        .args(["members", &address, &count.to_string()])
        .spawn()?;
    coordinate(&mut coordinator, &mut listener, &now, &mut notes)?;
    let memory = memory_kib()?;
    let cpu_ms = (cpu_ns()? - before_ns) / 1_000_000;
    let outcome = coordinator.outcome();
    drop(listener);
    let ended = child.wait()?;
    let said = outcome
        .members
        .iter()
        .filter_map(|member| member.result.as_ref());
    let said: u64 = said
        .flat_map(|one| &one.phases[0])
        .map(|counts| counts.ios)
        .sum();
    let merged: u64 = outcome.phases[0]
        .series
        .iter()
        .map(|one| one.service.len())
        .sum();
    let (first, last, error) = outcome.starts(0).context("nobody started")?;
    let errors = outcome.members.iter().filter_map(|one| one.offset_ns);
    let offset = errors.map(|(_, error)| error).max().unwrap_or(0);
    println!(
        "| {count} | {} | {:.2} s | {} ms | {:.1} ms ± {:.1} ms | {:.2} ms | {} MiB | {cpu_ms} ms \
         | {merged} = {said}: {} | {} silent, {} lost, {} |",
        outcome.finished(),
        notes.ready.as_secs_f64(),
        notes.lags_ns.iter().max().copied().unwrap_or(0) / 1_000_000,
        (last - first) as f64 / 1e6,
        error as f64 / 1e6,
        offset as f64 / 1e6,
        memory / 1024,
        merged == said,
        notes.silent,
        notes.lost,
        if ended.success() {
            "all reported"
        } else {
            "not all reported"
        },
    );
    Ok(())
}

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    raise_limit()?;
    if let [word, address, count] = words.as_slice()
        && word == "members"
    {
        return members(address, count);
    }
    println!(
        "| members | finished | ready after | longest lag | starts within | offsets known to | \
         memory | processor | merged = said | trouble |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |");
    let counts: Result<Vec<usize>, _> = words.iter().map(|word| word.parse()).collect();
    let counts = counts.context("usage: fathom-swarm [MEMBERS…]")?;
    for count in if counts.is_empty() {
        vec![1000, 10_000]
    } else {
        counts
    } {
        measure(count)?;
    }
    Ok(())
}
