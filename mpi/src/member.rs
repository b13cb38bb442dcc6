//! Every rank but 0: a member, whose standard streams go to rank 0.

use crate::post::{Letter, Post};
use crate::wire::{self, Quiet, Wire};
use fathom_cluster::relay::{Down, Outlet, Piece, Up};
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::process::{Command, ExitCode, Stdio};

/// What a message is that is none.
pub(crate) const UNREAD: &str = "a message came that is none of fathom-mpi's";

pub(crate) fn run(fathom: &OsStr, rank: i32, post: &Post<'_>) -> io::Result<ExitCode> {
    let mut secret = Vec::new();
    post.broadcast(&mut secret);
    if secret.is_empty() {
        // The coordinator said why there is nothing to do.
        return Ok(ExitCode::SUCCESS);
    }
    let mut child = Command::new(fathom)
        .arg("member")
        .env("FATHOM_RANK", rank.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_start(fathom, &error))?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (mut input, output) = input
        .zip(output)
        .ok_or_else(|| io::Error::other("no pipe"))?;
    secret.push(b'\n');
    // A member that has gone already is noticed by the end of its stream.
    let _ = input.write_all(&secret);
    carry(Wire::to_process(0, input, output), post)?;
    child.wait()?;
    // What became of it, the coordinator knows and says.
    Ok(ExitCode::SUCCESS)
}

/// Carries what the member says and hears, until both have ended.
fn carry(wire: Wire, post: &Post<'_>) -> io::Result<()> {
    let mut wires = [wire];
    let mut outlet = Outlet::default();
    let mut quiet = Quiet::default();
    let mut said = Vec::new();
    // What is still asked for is said before it leaves.
    while !(wires[0].is_over() && said.is_empty()) {
        for (_, bytes) in wire::read(&mut wires, &quiet)? {
            let pieces = if bytes.is_empty() {
                vec![Piece::Ended]
            } else {
                outlet.said(&bytes)
            };
            said.extend(pieces.into_iter().map(Up::Piece));
        }
        let letters: Vec<Letter> = said.drain(..).map(|up| (0, up.to_bytes())).collect();
        let mut come = post.exchange(&letters);
        quiet.was(!(letters.is_empty() && come.is_empty()));
        while !come.is_empty() {
            for (_, bytes) in std::mem::take(&mut come) {
                match Down::read(&bytes).ok_or_else(|| io::Error::other(UNREAD))? {
                    Down::Bytes(bytes) => {
                        outlet.heard(&bytes);
                        wires[0].write(&bytes);
                    }
                    Down::Ended => wires[0].write(&[]),
                    Down::Give(interval) => said.push(Up::Whole(outlet.whole(interval))),
                    Down::Reduce(interval, columns) => {
                        let own = outlet.numbers(interval, &columns);
                        come.extend(post.add_up(&own).1);
                    }
                }
            }
        }
    }
    Ok(())
}

pub(crate) fn cannot_start(fathom: &OsStr, error: &io::Error) -> io::Error {
    let name = fathom.display();
    io::Error::other(format!(
        "cannot start {name}: {error}; FATHOM=PATH says where it is"
    ))
}
