//! What an outlet and a junction say to each other.

use crate::message::ToCoordinator;
use fathom_core::interval::Part;
use serde::{Deserialize, Serialize};

/// An interval: number of its phase, and of it there.
pub type Interval = (u32, u64);

/// A histogram of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Column {
    /// Number of its series.
    pub series: u16,
    /// Whether it is that of response times.
    pub response: bool,
}

/// A report without its histograms, which are kept where it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// Of which interval.
    pub interval: Interval,
    /// In which part of the phase that lies.
    pub part: Part,
    /// Its middle, nanoseconds after the instant at which the phase was to begin.
    pub middle_ns: i64,
    /// How long it is.
    pub length_ns: u64,
    /// Which histograms there are, rising.
    pub columns: Vec<Column>,
    /// The frame of the report without them.
    pub frame: Vec<u8>,
}

/// A piece of what a member says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// Bytes of its stream.
    Bytes(Vec<u8>),
    /// A report whose histograms may be added up.
    Held(Held),
    /// The stream has ended.
    Ended,
}

/// From an outlet to the junction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Up {
    /// A piece of what its member says.
    Piece(Piece),
    /// The report that was asked for, whole: bytes of the stream.
    Whole(Vec<u8>),
}

/// From the junction to an outlet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Down {
    /// Bytes for its member.
    Bytes(Vec<u8>),
    /// Nothing more comes.
    Ended,
    /// The report of this interval is wanted whole.
    Give(Interval),
    /// All add up these histograms of this interval now.
    Reduce(Interval, Vec<Column>),
}

macro_rules! as_bytes {
    ($($letter:ty),*) => {$(
        impl $letter {
            /// As bytes.
            ///
            /// # Panics
            ///
            /// Never: it is plain data.
            pub fn to_bytes(&self) -> Vec<u8> {
                postcard::to_stdvec(self).expect("it is plain data")
            }

            /// Reads bytes; none if they are something else.
            pub fn read(bytes: &[u8]) -> Option<Self> {
                postcard::from_bytes(bytes).ok()
            }
        }
    )*};
}

as_bytes!(Up, Down);

/// A frame of a link, open: what goes before its message, and that.
pub(super) fn open(frame: &[u8]) -> Option<(&[u8], ToCoordinator)> {
    let (_, message): ((u64, u64), _) = postcard::take_from_bytes(frame).ok()?;
    let head = &frame[..frame.len() - message.len()];
    let message: Option<ToCoordinator> = postcard::from_bytes(message).ok()?;
    Some((head, message?))
}

/// The frame of a message with what goes before it.
pub(super) fn closed(head: &[u8], message: ToCoordinator) -> Vec<u8> {
    let message = postcard::to_stdvec(&Some(message)).expect("messages are plain data");
    [head, &message].concat()
}
