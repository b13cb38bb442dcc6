//! Captured block requests: from the kernel's events to a file, and from the file to a summary or
//! to a trace that a job replays.
//!
//! - [`layout`] and [`page`]: the pages of the kernel's ring buffer, read by the layouts that the
//!   kernel describes.
//! - [`matching`]: from events to requests with their service times.
//! - [`mod@file`]: requests in chunks of columns. `docs/capture.md` describes the format.
//! - [`door`]: the one door for captures and for the traces of other tools, each of which is a file
//!   in `foreign/`.
//! - [`summary`]: who requested how much, how, and how long it took.
//! - [`selection`] and [`targets`]: which requests of a trace are replayed, and where to.
//! - [`mod@trace`]: the requests as a job makes them again.
//! - [`learn`]: a workload like a trace.
//! - [`blame`]: where the time of slow requests went, and who was ahead of them.
//!
//! Nothing here opens a file or reads a clock: events and bytes are handed in.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod blame;
pub mod door;
pub mod event;
pub mod file;
pub mod flags;
mod foreign;
mod front;
pub mod layout;
pub mod learn;
pub mod matching;
pub mod page;
pub mod recorded;
mod recording;
pub mod request;
pub mod selection;
pub mod summary;
pub mod targets;
pub mod trace;
pub mod varint;
mod volumes;

pub use door::{is_trace, open};
pub use event::{Event, EventKind};
pub use file::{CaptureError, Chunk, Head, Reader, Source, Tail, Writer, is_capture};
pub use flags::Flags;
pub use foreign::titles;
pub use layout::{Layout, Layouts};
pub use matching::{Followed, Matched, Matcher};
pub use page::events_of_page;
pub use recorded::Recorded;
pub use recording::recording;
pub use request::{Above, Early, Last, Request, Task};
pub use selection::Selection;
pub use summary::{Row, Summary, Summing};
pub use targets::Targets;
pub use trace::trace;
