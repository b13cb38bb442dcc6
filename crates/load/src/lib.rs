//! The load: workers that put a workload on storage, and what adds up what they saw.
#![forbid(unsafe_code)]

mod aligned;
pub mod cleanup;
pub mod control;
pub mod fill;
#[cfg(test)]
mod fixture;
pub mod layout;
pub mod observer;
pub mod pacer;
pub mod permutation;
pub mod place;
pub mod plan;
pub mod prepare;
pub mod random;
pub mod seed;
pub mod shared;
pub mod slots;
pub mod stream;
pub mod tally;
pub mod timeline;
pub mod verify;
pub mod worker;

pub use fill::Filler;
