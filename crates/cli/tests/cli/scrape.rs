//! `fathom watch --listen`: what is answered to those who ask for metrics, and to those who attack.

use crate::command::{Cli, Running};
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};

const GET: &str = "GET /metrics HTTP/1.1\r\n\r\n";
const GET_OPEN: &str = "GET /metrics HTTP/1.1\r\nAccept: application/openmetrics-text\r\n\r\n";

/// A monitor, and the port that it answers at.
fn watch(words: &[&str]) -> (Running, u16) {
    let all = ["watch", "--listen", "127.0.0.1:0", "--interval", "100ms"];
    let (running, rest) = Cli::new(all.iter().chain(words))
        .start()
        .line("metrics at http://127.0.0.1:");
    let port = rest.strip_suffix("/metrics").map(str::parse);
    (running, port.expect("a path").expect("a port"))
}

fn connected(port: u16) -> TcpStream {
    TcpStream::connect(("127.0.0.1", port)).expect("it listens")
}

/// All that comes back, which ends with the connection.
fn answer(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    text
}

fn asked(port: u16, request: &str) -> (String, String) {
    let mut stream = connected(port);
    stream.write_all(request.as_bytes()).expect("it reads");
    let text = answer(stream);
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    (head.to_owned(), body.to_owned())
}

fn head(kind: &str, length: usize) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {length}\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close"
    )
}

/// The value of each sample.
fn samples(body: &str) -> BTreeMap<String, f64> {
    let lines = body.lines().filter(|line| !line.starts_with('#'));
    let sample = |line: &str| {
        let (name, value) = line.rsplit_once(' ').expect("a name and a value");
        (name.to_owned(), value.parse().expect("a number"))
    };
    lines.map(sample).collect()
}

/// Scrapes until some time was observed.
fn observed(port: u16) -> BTreeMap<String, f64> {
    loop {
        let all = samples(&asked(port, GET).1);
        if all["fathom_observed_seconds_total{}"] > 0.0 {
            return all;
        }
    }
}

fn check_end(running: Running) {
    running.send(Signal::TERM);
    let (ended, _folder) = running.end();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(130), ""));
}

#[test]
fn metrics_are_answered_until_the_monitor_ends() {
    let (running, port) = watch(&["--cap", "mine=1000000iops"]);
    let first = observed(port);
    let causes = first
        .keys()
        .filter(|name| name.starts_with("fathom_throttled{"));
    assert_eq!(
        (
            causes.count(),
            first["fathom_limit_iops{of=\"mine\",what=\"IOPS\"}"]
        ),
        (10, 1e6)
    );
    let (plain, body) = asked(port, GET);
    assert_eq!(plain, head("text/plain; version=0.0.4", body.len()));
    let (open, body) = asked(port, GET_OPEN);
    assert_eq!(
        open,
        head("application/openmetrics-text; version=1.0.0", body.len())
    );
    assert_eq!(body.lines().last(), Some("# EOF"));
    let later = samples(&body);
    let is_counter = |name: &&String| {
        name.split('{')
            .next()
            .is_some_and(|name| name.ends_with("_total"))
    };
    // Other tests make control groups and remove them meanwhile.
    let is_less = |name: &&String| later.get(*name).is_some_and(|value| *value < first[*name]);
    let went_back = first.keys().filter(is_counter).filter(is_less);
    assert_eq!(went_back.collect::<Vec<_>>(), Vec::<&String>::new());
    check_end(running);
}

/// Nobody who is silent, slow, talkative or many keeps others from their answer.
#[test]
fn those_who_attack_hold_up_nobody() {
    let (running, port) = watch(&[]);
    let silent: Vec<TcpStream> = (0..200).map(|_| connected(port)).collect();
    let mut slow = connected(port);
    let mut deaf: Vec<TcpStream> = (0..20).map(|_| connected(port)).collect();
    for stream in &mut deaf {
        stream.write_all(GET.as_bytes()).expect("it reads");
    }
    for byte in GET_OPEN.bytes().take(40) {
        // It may have made way for the others by then.
        let _ = slow.write_all(&[byte]);
        assert_eq!(asked(port, GET).0.lines().next(), Some("HTTP/1.1 200 OK"));
    }
    let mut long = connected(port);
    // It may be sent away before its last byte.
    let _ = long.write_all(&vec![b'x'; 1 << 20]);
    let mut longer = connected(port);
    let _ = longer.write_all(format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(1 << 20)).as_bytes());
    let refused = answer(longer);
    assert_eq!(
        refused.lines().next(),
        Some("HTTP/1.1 431 Request Header Fields Too Large")
    );
    let (_, two) = asked(port, &GET_OPEN.repeat(100));
    assert_eq!(two.matches("# EOF").count(), 1);
    let half = connected(port);
    half.shutdown(Shutdown::Write).expect("it is open");
    assert_eq!(answer(half), "");
    // Those who were first have made way for the others.
    let sent_away = silent.into_iter().take(100).map(answer);
    assert_eq!(sent_away.filter(|text| !text.is_empty()).count(), 0);
    observed(port);
    check_end(running);
}

#[test]
fn a_port_that_is_taken_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let said = format!(
        "error: cannot listen at {address}\n  because: address already in use\n  try:     use \
         an address of this host and a free port; port 0 takes any free one\n"
    );
    let by_name = address.replace("127.0.0.1", "localhost");
    for address in [address, by_name] {
        Cli::new(["watch", "--listen", &address]).check(4, "", &said);
    }
}

#[test]
fn limits_without_anything_to_compare_are_refused() {
    let said = "error: --cap has nothing to change\n  try:     --plain or --listen, without \
                --hosts and --read\n";
    Cli::new(["watch", "--read", "x", "--cap", "a=1iops"]).check(2, "", said);
}

/// Tables are printed where somebody asks for them.
#[test]
fn tables_are_printed_on_request() {
    let words = "watch --listen 0 --interval 100ms --count 1 --json";
    let (ended, _folder) = Cli::line(words).end();
    assert_eq!((ended.status, ended.stdout.lines().count()), (Some(0), 2));
}
