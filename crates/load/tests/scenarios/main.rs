//! Whole phases in virtual time, with answers known from arithmetic or queueing theory.

mod open_loop;
mod scenario;
