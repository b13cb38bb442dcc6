//! `fathom run`: workloads by name or file, one after another. A profile of an application is
//! held to what the application requires.

use super::{Origin, measure, member, selection};
use crate::args::RunArgs;
use crate::error::Error;
use crate::exit::Exit;
use fathom_verdict::Application;

pub(crate) fn run(args: &RunArgs, origin: &Origin) -> Result<Exit, Error> {
    if let Some(exit) = member::be_launched(&args.options.cluster)? {
        return Ok(exit);
    }
    let names = args.workloads.iter();
    let workloads = names
        .map(|name| selection::workload(name))
        .collect::<Result<Vec<_>, _>>()?;
    let mut options = args.options.clone();
    // With several workloads a requirement of one would be asked of the results of all.
    if let [name] = args.workloads.as_slice() {
        let needs = Application::of_profile(name).map(|need| need.requirement(1.0));
        let needs = needs.filter_map(Result::ok);
        options.explain.require.extend(needs);
    }
    measure::all(&workloads, &args.target, &options, origin)
}
