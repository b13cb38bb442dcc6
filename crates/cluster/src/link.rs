//! One end of a conversation: numbers what it says, takes what the other says in its order and
//! once, and says again what may have been lost.
//!
//! Over a stream (ssh, TCP) nothing is lost or comes twice, and nothing is kept or said again:
//! repeating over a slow stream would only make it slower. Over datagrams every message is kept
//! until the other end has acknowledged it.

use crate::greeting::Greeting;
use crate::message::{Limited, TooLong};
use fathom_core::Nanos;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::VecDeque;
use std::marker::PhantomData;

/// First time after which a message that was not acknowledged is said again.
const RETRY: Nanos = Nanos::from_millis(200);
/// Longest time between two repetitions.
const RETRY_MOST: Nanos = Nanos::from_secs(1);
/// Messages that are repeated at once.
const BURST: usize = 16;

/// What a transport promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Everything arrives, once and in order, or the connection ends.
    Stream,
    /// Frames may be lost, late, or come twice.
    Datagrams,
}

/// Why a conversation cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The programs do not understand each other, or not surely.
    #[error("the coordinator is {coordinator}, the member is {member}")]
    Version {
        /// The coordinator's program.
        coordinator: Greeting,
        /// The member's.
        member: Greeting,
    },
    /// The first frame is none of fathom's.
    #[error("what came first is no greeting of fathom")]
    NoGreeting,
    /// A frame cannot be read.
    #[error("a frame came that is no message")]
    Damaged,
    /// A length is beyond its limit.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// A stream lost something.
    #[error("message {came} came after message {last}")]
    OutOfOrder {
        /// Number of the message.
        came: u64,
        /// Number of the one before.
        last: u64,
    },
}

/// Which end this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The coordinator's.
    Coordinator,
    /// The member's.
    Member,
}

#[derive(Debug)]
struct Unacknowledged {
    number: u64,
    message: Vec<u8>,
}

/// One end that says `S` and hears `R`.
#[derive(Debug)]
pub struct Link<S, R> {
    end: End,
    delivery: Delivery,
    own: Greeting,
    other: Option<Greeting>,
    /// Whether more than a greeting has come: then the other end has ours.
    is_answered: bool,
    said: u64,
    heard: u64,
    kept: VecDeque<Unacknowledged>,
    retry: Nanos,
    retry_at: Nanos,
    must_acknowledge: bool,
    kinds: PhantomData<(S, R)>,
}

/// What came.
#[derive(Debug, PartialEq)]
pub enum Heard<R> {
    /// A whole message.
    Message(R),
    /// The greeting of the other end, for the first time.
    Greeting,
    /// The greeting again: the other end may not have ours.
    GreetingAgain,
    /// What came before already, or too early, or only an acknowledgement.
    Nothing,
}

impl<S: Serialize + Limited, R: DeserializeOwned + Limited> Link<S, R> {
    /// An end that has said and heard nothing.
    pub const fn new(end: End, delivery: Delivery, own: Greeting) -> Self {
        Self {
            end,
            delivery,
            own,
            other: None,
            is_answered: false,
            said: 0,
            heard: 0,
            kept: VecDeque::new(),
            retry: RETRY,
            retry_at: Nanos::MAX,
            must_acknowledge: false,
            kinds: PhantomData,
        }
    }

    /// The frame that goes first.
    pub fn greeting(&self) -> Vec<u8> {
        self.own.to_bytes()
    }

    fn frame(&mut self, number: u64, message: &[u8]) -> Vec<u8> {
        self.must_acknowledge = false;
        let mut frame = postcard::to_stdvec(&(number, self.heard)).expect("numbers are written");
        frame.extend(message);
        frame
    }

    /// The frame of a message that must arrive.
    pub fn say(&mut self, now: Nanos, message: &S) -> Vec<u8> {
        debug_assert_eq!(message.check(), Ok(()), "own messages keep the limits");
        self.said += 1;
        let bytes = postcard::to_stdvec(&Some(message)).expect("messages are plain data");
        let frame = self.frame(self.said, &bytes);
        if self.delivery == Delivery::Datagrams {
            if self.kept.is_empty() {
                self.retry = RETRY;
                self.retry_at = now + RETRY;
            }
            self.kept.push_back(Unacknowledged {
                number: self.said,
                message: bytes,
            });
        }
        frame
    }

    /// The frame of a message that means nothing when it is late.
    pub fn mention(&mut self, message: &S) -> Vec<u8> {
        let bytes = postcard::to_stdvec(&Some(message)).expect("messages are plain data");
        self.frame(0, &bytes)
    }

    /// Frames that are due: repetitions, and an acknowledgement if nothing else carried it.
    pub fn due(&mut self, now: Nanos) -> Vec<Vec<u8>> {
        let mut frames = Vec::new();
        if now >= self.retry_at && !self.kept.is_empty() {
            if !self.is_answered {
                frames.push(self.greeting());
            }
            let kept = std::mem::take(&mut self.kept);
            for one in kept.iter().take(BURST) {
                frames.push(self.frame(one.number, &one.message));
            }
            self.kept = kept;
            self.retry = Nanos(self.retry.0.saturating_mul(2).min(RETRY_MOST.0));
            self.retry_at = now + self.retry;
        }
        if self.must_acknowledge {
            let nothing = postcard::to_stdvec(&None::<S>).expect("nothing is written");
            frames.push(self.frame(0, &nothing));
        }
        frames
    }

    /// When something is due.
    pub fn due_at(&self) -> Nanos {
        if self.must_acknowledge {
            Nanos::ZERO
        } else if self.kept.is_empty() {
            Nanos::MAX
        } else {
            self.retry_at
        }
    }

    /// Reads a frame.
    ///
    /// # Errors
    ///
    /// [`LinkError`]; the conversation is over then.
    pub fn hear(&mut self, now: Nanos, frame: &[u8]) -> Result<Heard<R>, LinkError> {
        if let Some(greeting) = Greeting::read(frame) {
            return self.greeted(greeting);
        }
        if self.other.is_none() {
            return match self.delivery {
                Delivery::Stream => Err(LinkError::NoGreeting),
                Delivery::Datagrams => Ok(Heard::Nothing),
            };
        }
        self.is_answered = true;
        let damaged = |_| LinkError::Damaged;
        let ((number, acknowledged), rest): ((u64, u64), _) =
            postcard::take_from_bytes(frame).map_err(damaged)?;
        self.acknowledge(now, acknowledged);
        let repeated = number != 0 && number <= self.heard;
        let early = number > self.heard + 1;
        self.must_acknowledge |= number != 0 && self.delivery == Delivery::Datagrams;
        if repeated || early {
            if self.delivery == Delivery::Stream {
                let last = self.heard;
                return Err(LinkError::OutOfOrder { came: number, last });
            }
            return Ok(Heard::Nothing);
        }
        let message: Option<R> = postcard::from_bytes(rest).map_err(damaged)?;
        if number != 0 {
            self.heard = number;
        }
        let Some(message) = message else {
            return Ok(Heard::Nothing);
        };
        message.check()?;
        Ok(Heard::Message(message))
    }

    fn acknowledge(&mut self, now: Nanos, up_to: u64) {
        let before = self.kept.len();
        while self.kept.front().is_some_and(|one| one.number <= up_to) {
            self.kept.pop_front();
        }
        if self.kept.len() < before {
            self.retry = RETRY;
            self.retry_at = now + RETRY;
        }
    }

    fn greeted(&mut self, greeting: Greeting) -> Result<Heard<R>, LinkError> {
        if self.own != greeting {
            let own = self.own.clone();
            let (coordinator, member) = match self.end {
                End::Coordinator => (own, greeting),
                End::Member => (greeting, own),
            };
            return Err(LinkError::Version {
                coordinator,
                member,
            });
        }
        if self.other.is_some() {
            return Ok(Heard::GreetingAgain);
        }
        self.other = Some(greeting);
        Ok(Heard::Greeting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{ToCoordinator, ToMember};

    type Ours = Link<ToMember, ToCoordinator>;
    type Theirs = Link<ToCoordinator, ToMember>;

    fn pair(delivery: Delivery) -> (Ours, Theirs) {
        let greeting = Greeting::of("0.1.0");
        let mut ours = Ours::new(End::Coordinator, delivery, greeting.clone());
        let mut theirs = Theirs::new(End::Member, delivery, greeting);
        let heard = theirs.hear(Nanos::ZERO, &ours.greeting());
        assert_eq!(heard, Ok(Heard::Greeting));
        let heard = ours.hear(Nanos::ZERO, &theirs.greeting());
        assert_eq!(heard, Ok(Heard::Greeting));
        (ours, theirs)
    }

    #[test]
    fn both_versions_are_named() {
        let old = Ours::new(End::Coordinator, Delivery::Stream, Greeting::of("0.1.0"));
        let mut new = Theirs::new(End::Member, Delivery::Stream, Greeting::of("0.2.0"));
        let error = new.hear(Nanos::ZERO, &old.greeting()).expect_err("another");
        assert_eq!(
            error.to_string(),
            "the coordinator is fathom 0.1.0 (protocol 2), the member is fathom 0.2.0 (protocol 2)"
        );
    }

    #[test]
    fn what_was_lost_is_said_again_and_heard_once() {
        let (mut ours, mut theirs) = pair(Delivery::Datagrams);
        let lost = ours.say(Nanos::ZERO, &ToMember::Challenge([1; 32]));
        let early = ours.say(Nanos::ZERO, &ToMember::End);
        assert_eq!(theirs.hear(Nanos::ZERO, &early), Ok(Heard::Nothing));
        assert_eq!(ours.due(Nanos(1)), Vec::<Vec<u8>>::new());
        let again = ours.due(RETRY);
        assert_eq!(again.len(), 3);
        assert_eq!(theirs.hear(RETRY, &again[0]), Ok(Heard::GreetingAgain));
        let heard = theirs.hear(RETRY, &again[1]);
        assert_eq!(heard, Ok(Heard::Message(ToMember::Challenge([1; 32]))));
        assert_eq!(theirs.hear(RETRY, &lost), Ok(Heard::Nothing));
        let heard = theirs.hear(RETRY, &again[2]);
        assert_eq!(heard, Ok(Heard::Message(ToMember::End)));
        let acknowledgement = theirs.due(RETRY);
        assert_eq!(acknowledgement.len(), 1);
        assert_eq!(ours.hear(RETRY, &acknowledgement[0]), Ok(Heard::Nothing));
        assert_eq!(ours.due_at(), Nanos::MAX);
    }

    #[test]
    fn a_stream_repeats_nothing_and_allows_no_repetition() {
        let (mut ours, mut theirs) = pair(Delivery::Stream);
        let frame = ours.say(Nanos::ZERO, &ToMember::End);
        assert_eq!(ours.due_at(), Nanos::MAX);
        let heard = theirs.hear(Nanos::ZERO, &frame);
        assert_eq!(heard, Ok(Heard::Message(ToMember::End)));
        assert_eq!(
            theirs.hear(Nanos::ZERO, &frame),
            Err(LinkError::OutOfOrder { came: 1, last: 1 })
        );
        let next = ours.say(Nanos::ZERO, &ToMember::End);
        let damaged = theirs.hear(Nanos::ZERO, &next[..2]);
        assert_eq!(damaged, Err(LinkError::Damaged));
    }
}
