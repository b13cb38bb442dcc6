//! Whole phases in virtual time, with answers known from arithmetic or queueing theory.

mod bursts;
mod closed_loop;
mod edges;
mod misfortune;
mod open_loop;
mod placement;
mod scenario;
mod steady;
mod verification;
