//! Peers that do not know the secret: silent ones, ones that send without end, and ones that stand
//! between a client and a server; and what a host's list does not let be written for those who do.

mod allowed;
mod servers;

use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::siege::Siege;
use crate::siege::line::GroupLines;

/// Connections that say nothing, more than the coordinator may open files.
const SILENT: usize = 80;
/// Files that the coordinator may open.
const FILES: &str = "prlimit --nofile=64";
/// What one peer tries to send.
const FLOOD_BYTES: usize = 64 << 20;

/// Waits for a tenth of a second.
fn pause() {
    let time = rustix::event::Timespec {
        tv_sec: 0,
        tv_nsec: 100_000_000,
    };
    // Nothing is waited for but the time.
    let _ = rustix::event::poll(&mut [], Some(&time));
}

/// The address in a file of `--rendezvous`, once it is there.
fn address(place: &Path) -> Result<String> {
    for _ in 0..600 {
        if let Ok(text) = std::fs::read_to_string(place)
            && let Some(line) = text.lines().find(|line| line.starts_with("127.0.0.1:"))
        {
            return Ok(line.to_owned());
        }
        pause();
    }
    anyhow::bail!("the coordinator did not say where it listens")
}

/// Bytes that a peer takes of what is sent without end.
fn flood(address: &str) -> Result<usize> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_write_timeout(Some(Duration::from_secs(5)))?;
    let mut sent = 0;
    while sent < FLOOD_BYTES {
        match stream.write(&[b'x'; 8 << 10]) {
            Ok(bytes) => sent += bytes,
            Err(_) => break,
        }
    }
    Ok(sent)
}

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    siege.go_on()?;
    let folder = tempfile::tempdir()?;
    let place = folder.path().join("place");
    std::fs::write(folder.path().join("data"), vec![1; 1 << 20])?;
    // The member comes when the strangers have had their turn.
    let words = [
        "run".to_owned(),
        "random-read-4k".to_owned(),
        "--time=1s".to_owned(),
        "--warm-up=0s".to_owned(),
        "--no-save".to_owned(),
        "--target".to_owned(),
        folder.path().join("data").display().to_string(),
        "--size=1MiB".to_owned(),
        "--members=1".to_owned(),
        format!("--rendezvous=file:{}", place.display()),
        format!(
            "--launch=sh -c 'while [ ! -e {}/go ]; do sleep 0.1; done; exec \"$@\"' sh",
            folder.path().display()
        ),
    ];
    let call = siege.fathom.call(words).inside(folder.path());
    let running = call.within(FILES).patience_s(90).start()?;
    let at = address(&place)?;
    let sent = flood(&at).context("a peer")?;
    let silent: Vec<TcpStream> = (0..SILENT)
        .filter_map(|_| TcpStream::connect(&at).ok())
        .collect();
    std::fs::write(folder.path().join("go"), "")?;
    let ended = running.end()?;
    lines.add(
        format!("{SILENT} silent connections to a coordinator with 64 files"),
        "the measurement ends with a result",
        format!("{}; {} connected", ended.told(), silent.len()),
        ended.status == Some(0) && silent.len() == SILENT,
    );
    lines.add(
        "a peer that sends 64 MiB to a coordinator",
        "it is not read",
        format!("{} KiB taken", sent >> 10),
        sent < FLOOD_BYTES / 4,
    );
    servers::run(siege, lines)?;
    allowed::run(siege, lines)
}
