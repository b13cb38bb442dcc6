//! Virtual time: a world of simulated volumes, and a driver that interleaves workers in it.

mod driver;
mod volume;
mod world;

pub use driver::{Actor, Step, drive};
pub use fathom_volume::model::{Counters, Level, VolumeModel, VolumeState};
pub use volume::{SimVolume, Stall};
pub use world::{RequestedBytes, World, WorldRef};
