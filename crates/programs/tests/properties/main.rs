//! What holds for every workload and for every text.

mod convert;
mod generators;
mod native;
mod sayable;
