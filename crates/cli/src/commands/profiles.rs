//! `fathom profiles`: what comes with the program.

use super::{listed, print, selection, show_text};
use crate::args::{ProfilesArgs, ProfilesCommand};
use crate::error::Error;
use crate::exit::Exit;
use crate::table::Table;
use fathom_tools::profiles::PROFILES;
use serde::Serialize;

/// A profile, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ProfileRow<'a> {
    name: &'a str,
    description: &'a str,
    /// Who describes such a load.
    source: &'a str,
}

pub(crate) fn run(args: &ProfilesArgs) -> Result<Exit, Error> {
    let shown = args
        .command
        .as_ref()
        .map(|ProfilesCommand::Show { name }| name);
    if let Some(name) = shown.or(args.name.as_ref()) {
        return print(selection::profile(name)?.text);
    }
    let workloads = PROFILES
        .iter()
        .map(|profile| profile.workload().map_err(Error::Text))
        .collect::<Result<Vec<_>, _>>()?;
    if args.json {
        let entries = workloads.iter().map(|workload| ProfileRow {
            name: &workload.name,
            description: &workload.description,
            source: &workload.source,
        });
        return print(&listed::document("profiles", &entries.collect::<Vec<_>>())?);
    }
    let mut table = Table::new(&["NAME", "DESCRIPTION"]);
    for workload in &workloads {
        table.row([workload.name.clone(), workload.description.clone()]);
    }
    show_text(&table.to_string())
}
