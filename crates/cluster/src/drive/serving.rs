//! The member's side: one thread speaks with the coordinator, another measures.

use super::Clock;
use super::parcel::{Parcel, Room};
use crate::frame::{Frames, framed};
use crate::greeting::OPENING;
use crate::link::End;
use crate::member::{Ending, Member, Order};
use crate::message::{Assignment, Estate, IntervalReport, MemberResult};
use crate::transport::{Arrival, Key, Streams};
use fathom_core::Nanos;
use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The only stream of a member.
const COORDINATOR: Key = 0;
/// How long it waits at most before it looks at the time.
const TICK: Nanos = Nanos::from_millis(100);
/// Bytes of its course that a member keeps until the coordinator has taken those before.
const ROOM_BYTES: usize = 8 << 20;
/// Progress reports wait while the system has not taken this many bytes of the stream.
const BACKLOG_BYTES: usize = 1 << 20;

/// Requests to the code that measures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Prepare, then report [`News::Ready`] for phase 0.
    Prepare(Box<Assignment>),
    /// Start a phase at this instant.
    Start(u32, Nanos),
    /// Issue nothing more; report [`News::Finished`] if the second is set.
    Stop(String, bool),
    /// Remove what a member of this machine has made that is gone, then report [`News::Left`].
    Remove(Estate),
    /// Remove what was made, and go.
    Over(Ending),
}

/// What whoever measures reports.
#[derive(Debug)]
pub enum News {
    /// Prepared for a phase.
    Ready(u32),
    /// A phase began.
    Started(u32, Nanos),
    /// An interval is complete.
    Interval(IntervalReport),
    /// A piece of its course, in the words of whoever drives both ends.
    Told(Parcel),
    /// What it will make.
    Makes(Estate),
    /// Of what this owner had made and was to be removed, these are left.
    Left(String, Vec<String>),
    /// It cannot be done.
    Failed(String),
    /// All is done.
    Finished(MemberResult),
}

/// The end of a member's conversation that whoever measures holds.
#[derive(Debug)]
pub struct Reporter {
    news: Sender<News>,
    wake: PipeWriter,
    room: Room,
}

impl Reporter {
    /// A reporter, and what it reports to.
    ///
    /// # Errors
    ///
    /// If the system gives no pipe.
    pub fn new() -> io::Result<(Self, Receiver<News>, PipeReader)> {
        let (news, receiver) = channel();
        let (reader, wake) = io::pipe()?;
        let room = Room::new(ROOM_BYTES);
        Ok((Self { news, wake, room }, receiver, reader))
    }

    /// Another one, for another thread.
    ///
    /// # Errors
    ///
    /// If the system gives no descriptor.
    pub fn another(&self) -> io::Result<Self> {
        Ok(Self {
            news: self.news.clone(),
            wake: self.wake.try_clone()?,
            room: self.room.clone(),
        })
    }

    /// Reports. Nobody hears it when the conversation is over.
    pub fn tell(&mut self, news: News) {
        if self.news.send(news).is_ok() {
            // The pipe is full only if the other side is about to look anyway.
            let _ = self.wake.write(&[1]);
        }
    }

    /// Reports a piece of its course. Waits while too much is under way.
    pub fn tell_course(&mut self, words: Vec<u8>) {
        let parcel = self.room.parcel(words);
        self.tell(News::Told(parcel));
    }
}

/// Speaks for a member until all is over; says how it ended.
///
/// # Errors
///
/// If the system does not let it wait.
pub fn serve(
    mut member: Member,
    mut streams: Streams,
    (news, mut wake): (&Receiver<News>, PipeReader),
    clock: Clock<'_>,
    commands: &Sender<Command>,
) -> io::Result<Ending> {
    streams.watch(&wake)?;
    let mut frames = Frames::new(OPENING);
    let mut arrivals = Vec::new();
    let mut scratch = [0; 64];
    loop {
        if let Some(ending) = obey(&mut member, &mut streams, commands) {
            return Ok(ending);
        }
        arrivals.clear();
        if streams.poll(TICK, &mut arrivals)? {
            let _ = wake.read(&mut scratch)?;
        }
        for arrival in &arrivals {
            arrive(&mut member, &mut streams, &mut frames, clock, arrival);
        }
        while streams.backlog(COORDINATOR) < BACKLOG_BYTES
            && let Ok(news) = news.try_recv()
        {
            report(&mut member, clock(), news);
            if let Some(ending) = obey(&mut member, &mut streams, commands) {
                return Ok(ending);
            }
        }
        member.tick(clock());
    }
}

/// Does what is to be done for a member; how it ended, if it did.
fn obey(member: &mut Member, streams: &mut Streams, commands: &Sender<Command>) -> Option<Ending> {
    while let Some(order) = member.order() {
        let command = match order {
            Order::Send(frame) => {
                streams.send(COORDINATOR, &framed(&frame));
                continue;
            }
            Order::Prepare(assignment) => Command::Prepare(assignment),
            Order::Start { phase, at } => Command::Start(phase, at),
            Order::Stop { why, report } => Command::Stop(why, report),
            Order::Remove(estate) => Command::Remove(estate),
            Order::Over(ending) => {
                // Whoever measures may be gone already.
                let _ = commands.send(Command::Over(ending.clone()));
                return Some(ending);
            }
        };
        let _ = commands.send(command);
    }
    None
}

fn arrive(
    member: &mut Member,
    streams: &mut Streams,
    frames: &mut Frames,
    clock: Clock<'_>,
    arrival: &Arrival,
) {
    match arrival {
        Arrival::Bytes(_, bytes) => {
            frames.push(bytes);
            loop {
                let was_strange = !member.trusts();
                match frames.take() {
                    Ok(Some(frame)) => member.received(clock(), &frame),
                    Ok(None) => return,
                    Err(error) => return member.closed(&error.to_string()),
                }
                if let (true, Some(key)) = (was_strange, member.seal_key()) {
                    frames.trust();
                    if streams.seals(COORDINATOR) {
                        let rest = frames.take_rest();
                        return streams.seal(COORDINATOR, End::Member, &key, &rest);
                    }
                }
            }
        }
        Arrival::Closed(_, why) => member.closed(why),
        Arrival::Connected(..) | Arrival::Unreachable(..) => {}
    }
}

fn report(member: &mut Member, now: Nanos, news: News) {
    match news {
        News::Ready(phase) => member.ready(now, phase),
        News::Started(phase, at) => member.started(now, phase, at),
        News::Interval(report) => member.interval(now, report),
        News::Told(parcel) => member.told(now, parcel.bytes()),
        News::Makes(estate) => member.makes(now, estate),
        News::Left(owner, places) => member.left(now, owner, places),
        News::Failed(why) => member.failed(now, why),
        News::Finished(result) => member.finished(now, result),
    }
}
