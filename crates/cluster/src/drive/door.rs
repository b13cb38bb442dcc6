//! Who calls a server is let in before a process is started for him: the server itself is a member
//! until the coordinator has shown that it knows the token. The process that goes on gets what was
//! received, and goes through it again without sending what was sent.

use super::Clock;
use crate::frame::{Frames, framed};
use crate::greeting::OPENING;
use crate::limits;
use crate::link::End;
use crate::member::{Member, MemberSetup, Order};
use crate::seal::Seal;
use fathom_core::Nanos;
use std::io::{self, Read, Write};

/// What was exchanged with a coordinator that knows the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admitted {
    /// Bytes that came.
    pub received: Vec<u8>,
    /// Frames that were sent.
    pub sent: usize,
}

/// Speaks with whoever called, until he has shown that he knows the token; none if he does not, or
/// if the server has no room, which it says.
///
/// # Errors
///
/// Those of the stream. Its reads have to end after a time.
pub fn admit(
    mut stream: impl Read + Write,
    setup: MemberSetup,
    clock: Clock<'_>,
    until: Nanos,
    no_room: &dyn Fn() -> Option<String>,
) -> io::Result<Option<Admitted>> {
    let mut member = Member::new(setup, clock());
    let mut frames = Frames::new(OPENING);
    let mut chunk = [0; limits::STRANGER_BYTES];
    let mut found = Admitted {
        received: Vec::new(),
        sent: 0,
    };
    loop {
        while let Some(order) = member.order() {
            let Order::Send(frame) = order else {
                return Ok(None);
            };
            stream.write_all(&framed(&frame))?;
            found.sent += 1;
        }
        if let Some(key) = member.seal_key() {
            let Some(why) = no_room() else {
                return Ok(Some(found));
            };
            let (mut plain, mut out) = (Vec::new(), Vec::new());
            let mut seal = Seal::new(End::Member, &key, &mut out).map_err(io::Error::other)?;
            let mut came = frames.take_rest();
            while !seal.is_agreed() && clock() < until {
                let opened = seal.open(&came, &mut plain, &mut out);
                opened.map_err(io::Error::other)?;
                if !seal.is_agreed() {
                    let count = stream.read(&mut chunk)?;
                    came = chunk[..count].to_vec();
                }
            }
            member.decline(clock(), why);
            while let Some(Order::Send(frame)) = member.order() {
                seal.seal(&framed(&frame), &mut out);
            }
            stream.write_all(&out)?;
            return Ok(None);
        }
        match frames.take() {
            Ok(Some(frame)) => {
                member.received(clock(), &frame);
                continue;
            }
            Ok(None) => {}
            Err(_) => return Ok(None),
        }
        let count = stream.read(&mut chunk)?;
        found.received.extend(&chunk[..count]);
        let is_much = found.received.len() > limits::STRANGER_TOTAL_BYTES;
        if count == 0 || is_much || clock() >= until {
            return Ok(None);
        }
        frames.push(&chunk[..count]);
    }
}
