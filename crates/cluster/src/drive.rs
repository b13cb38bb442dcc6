//! Machines of states on transports, by a clock that the caller hands in.

mod coordinating;
mod door;
mod parcel;
mod serving;

pub use coordinating::{Watcher, Wires, coordinate};
pub use door::{Admitted, admit};
pub use parcel::{Parcel, Room};
pub use serving::{Command, News, Reporter, serve};

use fathom_core::Nanos;

/// Reads the time: nanoseconds that never go back.
pub type Clock<'a> = &'a dyn Fn() -> Nanos;
