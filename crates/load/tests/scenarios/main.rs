//! Whole phases in virtual time, with answers known from arithmetic or queueing theory.

mod bursts;
mod closed_loop;
mod delays;
mod edges;
mod hanging;
mod misfortune;
mod open_loop;
mod placement;
mod replay;
mod scenario;
mod slowest;
mod steady;
mod verification;
mod wake_ups;
mod zoned;
