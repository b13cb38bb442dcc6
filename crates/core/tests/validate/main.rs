//! Every rule of a specification: one workload that breaks it, and all that is said about it.

mod access;
mod good;
mod job;
mod phase;
mod turns;
mod workload;
