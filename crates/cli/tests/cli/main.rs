//! The whole program from outside: what is typed, what comes out, how it ends.

mod catalog;
mod command;
mod convert;
mod devices;
mod diskspd;
mod document;
mod every_profile;
mod fio;
mod foreign;
mod generate;
mod history;
mod outputs;
mod print;
mod privileged;
mod profiles;
mod ramp;
mod refusals;
mod runs;
mod show;
mod signals;
mod specification;
mod stall;
mod suite;
mod terminal;
mod usage;
mod verify;
