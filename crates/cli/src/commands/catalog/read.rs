//! The catalogue built in, with a folder of the user's, and the day that is asked for.

use crate::args::CatalogOptions;
use crate::error::{Problem, system_words};
use crate::exit::Exit;
use fathom_volume::catalog::{Catalog, CatalogFile, Date, day_of};
use std::io;
use std::path::Path;

/// A catalogue and a day.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) catalog: Catalog,
    pub(crate) at: Date,
}

/// The catalogue and the day that the options name.
pub(crate) fn known(options: &CatalogOptions) -> Result<Known, Problem> {
    let mut catalog = Catalog::embedded();
    if let Some(folder) = &options.folder {
        add(&mut catalog, folder)?;
    }
    Ok(Known {
        catalog,
        at: match options.as_of {
            Some(day) => day,
            None => day_of(fathom_engine::clock::utc_now_ns()),
        },
    })
}

fn add(catalog: &mut Catalog, folder: &Path) -> Result<(), Problem> {
    let cannot = || format!("cannot read the catalogue {}", folder.display());
    let mut found = 0;
    for path in Catalog::paths() {
        let text = match std::fs::read_to_string(folder.join(path)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => {
                return Err(Problem::new(Exit::Environment, cannot())
                    .because(format!("{path}: {}", system_words(&error))));
            }
        };
        found += 1;
        catalog
            .add(&CatalogFile { path, text: &text })
            .map_err(|error| {
                Problem::new(Exit::Usage, cannot())
                    .because(error.to_string())
                    .remedy("the columns are described in docs/catalog.md")
            })?;
    }
    if found > 0 {
        return Ok(());
    }
    Err(Problem::new(Exit::Usage, cannot())
        .because("it holds none of the files of a catalogue")
        .remedy("a folder with aws/volumes.csv, azure/prices.csv or another of them"))
}
