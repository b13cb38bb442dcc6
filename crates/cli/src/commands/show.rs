//! `fathom show`: reports of runs that are over.

use super::{capture, results, sinks};
use crate::args::{OutputSpec, ShowArgs};
use crate::error::Error;
use crate::exit::Exit;
use fathom_device::{Door, Existing};
use fathom_report::Stored;

pub(crate) fn run(args: &ShowArgs) -> Result<Exit, Error> {
    if let Some(shown) = capture::show(args) {
        return shown;
    }
    let results = results::load(&args.runs, args.store.store.as_deref())?;
    let names: Vec<&str> = results
        .iter()
        .map(|result| result.provenance.workload.name.as_str())
        .collect();
    let asked = if args.json {
        vec![OutputSpec::named("json")]
    } else {
        let full = args.full.then(OutputSpec::text);
        let asked = args.output.iter().cloned().chain(full);
        OutputSpec::with_brief(asked.collect(), args.quiet)
    };
    let sinks = sinks::open(
        &asked,
        &names,
        &Door::default(),
        Existing::replaced_if(args.replace.overwrite),
    )?;
    for (result, sinks) in results.iter().zip(sinks) {
        let written = sinks.write(result, Stored::ById)?;
        if !args.quiet {
            sinks::tell(&written);
        }
    }
    Ok(Exit::Ok)
}
