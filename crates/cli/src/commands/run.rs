//! `fathom run`: workloads by name or file, one after another.

use super::{Origin, measure, member, selection};
use crate::args::RunArgs;
use crate::error::Error;
use crate::exit::Exit;

pub(crate) fn run(args: &RunArgs, origin: &Origin) -> Result<Exit, Error> {
    if let Some(exit) = member::be_launched(&args.options.cluster)? {
        return Ok(exit);
    }
    let names = args.workloads.iter();
    let workloads = names
        .map(|name| selection::workload(name))
        .collect::<Result<Vec<_>, _>>()?;
    measure::all(&workloads, &args.target, &args.options, origin)
}
