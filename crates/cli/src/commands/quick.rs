//! `fathom quick`: the profile of that name on one path.

use super::{Origin, measure, member, selection};
use crate::args::{QuickArgs, TargetArg};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_device::serial;

pub(crate) fn run(args: &QuickArgs, origin: &Origin) -> Result<Exit, Error> {
    if let Some(exit) = member::be_launched(&args.options.cluster)? {
        return Ok(exit);
    }
    // A misspelt mount point must not be measured as a new file on the disk above it. Paths of
    // other hosts are not known here.
    let is_here = !args.options.cluster.is_meant() && serial::of_path(args.place()).is_none();
    if is_here && !args.place().exists() {
        let path = args.place().display();
        return Err(
            Problem::new(Exit::Environment, format!("there is no {path}"))
                .because("quick measures an existing directory, file or device")
                .remedy(format!(
                    "use another path, or `fathom run quick --target {path}` to create a file"
                ))
                .into(),
        );
    }
    let workload = selection::workload("quick")?;
    let target = TargetArg {
        role: None,
        path: args.place().clone(),
    };
    measure::all(&[workload], &[target], &args.options, origin)
}
