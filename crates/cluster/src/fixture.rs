//! Made-up members, for the tests of this crate and the swarm of the benches.

pub mod hostile;
pub mod load;
pub mod member;
pub mod network;
pub mod swarm;

pub use load::MadeUpLoad;
pub use member::MadeUp;
pub use network::{Fault, FaultKind, Report, Simulation, Weather};
