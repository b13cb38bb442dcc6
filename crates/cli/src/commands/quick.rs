//! `fathom quick`: the profile of that name on one path.

use super::{Origin, measure, selection};
use crate::args::{QuickArgs, TargetArg};
use crate::error::Error;
use crate::exit::Exit;

pub(crate) fn run(args: &QuickArgs, origin: &Origin) -> Result<Exit, Error> {
    let workload = selection::workload("quick")?;
    let target = TargetArg {
        role: None,
        path: args.path.clone(),
    };
    measure::all(&[workload], &[target], &args.options, origin)
}
