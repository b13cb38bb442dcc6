//! The catalogue built in, with a folder of the user's, and the day that is asked for.

use crate::args::CatalogOptions;
use crate::commands::archive::data_folder;
use crate::error::{Problem, system_words};
use crate::exit::Exit;
use fathom_volume::catalog::{Catalog, CatalogFile, Date, day_of};
use std::io;
use std::path::{Path, PathBuf};

/// A catalogue and a day.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) catalog: Catalog,
    pub(crate) at: Date,
    /// Whether nobody asked for another day.
    pub(crate) is_today: bool,
}

/// The catalogue and the day that the options name.
pub(crate) fn known(options: &CatalogOptions) -> Result<Known, Problem> {
    let mut catalog = Catalog::embedded();
    if !options.built_in
        && let Some(folder) = overlay_folder()
    {
        overlay(&mut catalog, &folder)?;
    }
    if let Some(folder) = &options.folder {
        add(&mut catalog, folder)?;
    }
    Ok(Known {
        catalog,
        at: match options.as_of {
            Some(day) => day,
            None => today(),
        },
        is_today: options.as_of.is_none(),
    })
}

pub(super) fn today() -> Date {
    day_of(fathom_engine::clock::utc_now_ns())
}

/// Where `fathom catalog refresh` keeps what it read, if there is such a place.
pub(super) fn overlay_folder() -> Option<PathBuf> {
    Some(data_folder()?.join("catalog"))
}

/// Adds what `fathom catalog refresh` kept.
fn overlay(catalog: &mut Catalog, folder: &Path) -> Result<(), Problem> {
    if !folder.is_dir() {
        return Ok(());
    }
    let names = ["prices.csv", "machine_prices.csv", "instances.csv"];
    for path in Catalog::paths().filter(|path| names.iter().any(|name| path.ends_with(name))) {
        let Ok(text) = fathom_device::input::read_text(folder.join(path)) else {
            continue;
        };
        let file = CatalogFile { path, text: &text };
        catalog.overlay(&file).map_err(|error| {
            let thing = format!("cannot read the refreshed rows in {}", folder.display());
            Problem::new(Exit::Usage, thing)
                .because(error.to_string())
                .remedy(
                    "use --built-in to ignore them, or `fathom catalog refresh` into another \
                         folder",
                )
        })?;
    }
    Ok(())
}

fn add(catalog: &mut Catalog, folder: &Path) -> Result<(), Problem> {
    let cannot = || format!("cannot read the catalogue {}", folder.display());
    let mut found = 0;
    for path in Catalog::paths() {
        let text = match fathom_device::input::read_text(folder.join(path)) {
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
        .because("it contains no file of a catalogue")
        .remedy("use a folder with aws/volumes.csv, azure/prices.csv or another of them"))
}
