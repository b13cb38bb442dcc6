//! `fathom catalog`: what is known of volumes, instances and prices, and who says so.

mod census;
mod footnotes;
mod listing;
mod one;
mod read;
mod refresh;

pub(crate) use footnotes::Footnotes;
pub(crate) use read::{Known, known};
pub(crate) use refresh::outdated;

use super::show_text;
use crate::args::{CatalogAction, CatalogArgs};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::on_terminal;
use fathom_volume::catalog::{Cloud, Unknown};

#[cfg(test)]
pub(super) use one::VolumeDocument;

pub(crate) fn run(args: &CatalogArgs) -> Result<Exit, Error> {
    if let Some(CatalogAction::Refresh(refresh)) = &args.action {
        return refresh::run(refresh);
    }
    let known = known(&args.catalog)?;
    let (cloud, name) = question(&args.words)?;
    refuse_idle(args, cloud, name)?;
    let text = match (cloud, name) {
        (_, Some(name)) if args.sources => {
            let thing = format!("--sources counts rows of a cloud, not of {name}");
            return Err(Problem::new(Exit::Usage, thing)
                .remedy(format!("`fathom catalog {name}` names its sources"))
                .into());
        }
        (cloud, None) if args.sources => census::show(&known, cloud, args.json)?,
        (cloud, Some(name)) => one::show(&known, cloud, name, args)?,
        (cloud, None) if args.instances => listing::instances(&known, cloud, args.json)?,
        (cloud, None) => listing::volumes(&known, cloud, args.json)?,
    };
    show_text(&on_terminal(text))
}

/// A cloud, a name, or both in this order.
fn question(words: &[String]) -> Result<(Option<Cloud>, Option<&str>), Problem> {
    match words {
        [] => Ok((None, None)),
        [word] => Ok(match Cloud::of_folder(word) {
            Some(cloud) => (Some(cloud), None),
            None => (None, Some(word)),
        }),
        [cloud, name, ..] => match Cloud::of_folder(cloud) {
            Some(cloud) => Ok((Some(cloud), Some(name))),
            None => Err(
                Problem::new(Exit::Usage, format!("`{cloud}` is not a cloud"))
                    .remedy(Cloud::ALL.map(Cloud::name).join(", ")),
            ),
        },
    }
}

/// Options that would change nothing.
fn refuse_idle(
    args: &CatalogArgs,
    cloud: Option<Cloud>,
    name: Option<&str>,
) -> Result<(), Problem> {
    let idle = |option: &str, because: &str, remedy: &str| {
        Err(
            Problem::new(Exit::Usage, format!("{option} has nothing to change"))
                .because(because)
                .remedy(remedy),
        )
    };
    if args.instances && (name.is_some() || cloud.is_none()) {
        return idle(
            "--instances",
            "it lists those of one cloud",
            "`fathom catalog aws --instances`",
        );
    }
    if args.region.is_some() && name.is_none() {
        return idle(
            "--region",
            "no prices are shown",
            "the name of a volume type",
        );
    }
    Ok(())
}

/// A name that the catalogue does not know, in our form of a message.
pub(crate) fn unknown(error: &Unknown) -> Problem {
    let problem = Problem::new(Exit::Usage, error.to_string());
    match &error.nearest {
        Some(nearest) => problem.remedy(nearest.clone()),
        None => problem.remedy("`fathom catalog` lists what is known; --catalog adds to it"),
    }
}
