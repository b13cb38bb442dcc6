//! The table of other programs: all that is known of one is in its folder, which gives its row.

mod inputs;
mod results;
mod writers;

pub use inputs::{detect, dialects, find};
pub use results::{detect_result, read_results, result_formats};
pub use writers::{writer, writers};

use crate::program::Program;
use crate::{dd, diskspd, fio, iometer, ior, iotest, mdtest};

/// All of them.
pub static PROGRAMS: [&Program; 7] = [
    &fio::PROGRAM,
    &diskspd::PROGRAM,
    &iotest::PROGRAM,
    &dd::PROGRAM,
    &iometer::PROGRAM,
    &mdtest::PROGRAM,
    &ior::PROGRAM,
];
