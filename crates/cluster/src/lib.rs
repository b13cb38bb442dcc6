//! Many hosts, one measurement: a coordinator and its members.
//!
//! [`Coordinator`] and [`Member`] are machines of states that do nothing by themselves: frames and
//! the time go in, frames and orders come out. A simulated network drives ten thousand of them in
//! a test; streams of ssh and of TCP drive them for real.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

pub mod clock_offset;
pub mod coordinator;
pub mod drive;
pub mod event;
#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
pub mod frame;
pub mod glance;
pub mod greeting;
pub mod hosts;
pub mod limits;
pub mod link;
pub mod member;
pub mod merged;
pub mod message;
pub mod relay;
pub mod seal;
pub mod setup;
pub mod slots;
pub mod timeline;
pub mod token;
pub mod transport;

pub use clock_offset::ClockOffset;
pub use coordinator::{Action, Coordinator, LinkId, MeasurementOutcome, MemberOutcome};
pub use event::{Event, Name};
pub use hosts::{HostList, HostListError};
pub use member::{Ending, Member, MemberSetup, Order};
pub use setup::{Rules, Setup, Task};
pub use slots::Slots;
