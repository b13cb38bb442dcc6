//! The table of what runs the commands in the words of other programs.

mod rhel_iotest;

use super::{Origin, foreign};
use crate::args::ForeignCommand;
use crate::error::Error;
use crate::exit::Exit;

pub(crate) fn run(command: &ForeignCommand, origin: &Origin) -> Result<Exit, Error> {
    match command {
        ForeignCommand::RhelIotest(args) => rhel_iotest::run(args, origin),
        other => foreign::run(other.args(), origin),
    }
}
