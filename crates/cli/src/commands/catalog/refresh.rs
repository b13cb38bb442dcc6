//! `fathom catalog refresh`: the vendors' own feeds into the user's catalogue.

use super::read::{Known, known, overlay_folder, today};
use crate::args::{CatalogOptions, RefreshArgs};
use crate::commands::archive::no_data_folder;
use crate::commands::show_text;
use crate::commands::sinks::TextPlace;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::paragraph::wrapped;
use crate::table::Table;
use fathom_core::figure;
use fathom_device::{Door, Existing};
use fathom_volume::catalog::{Date, day_of};
use fathom_volume::feed::{
    Change, Count, Difference, Fed, FeedError, Fresh, OverlayError, OverlayFile, difference,
    overlay, read,
};
use std::fmt::Write as _;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Changes that are shown unless all are asked for.
const SHOWN: usize = 20;

pub(super) fn run(args: &RefreshArgs) -> Result<Exit, Error> {
    let known = known(&CatalogOptions::default())?;
    let folder = match &args.into {
        Some(folder) => folder.clone(),
        None => overlay_folder().ok_or_else(no_folder)?,
    };
    let mut fresh = Fresh::default();
    let mut text = String::new();
    for path in &args.from {
        let read_on = match args.read_on {
            Some(day) => day,
            None => written_on(path)?,
        };
        let fed = one(path, read_on, &mut fresh)?;
        let _ = writeln!(text, "{}", in_words(path, &fed, read_on));
    }
    fresh.complete(&known.catalog);
    if fresh.is_empty() {
        return Err(
            Problem::new(Exit::Usage, "the feeds contain nothing useful")
                .because(left_out(&fresh).unwrap_or_else(|| {
                    "no item is a volume type, machine or region of the catalogue".to_owned()
                }))
                .remedy("use the whole offer file of the region, or every page of the answer")
                .into(),
        );
    }
    let found = difference(&known.catalog, known.at, &mut fresh);
    text.push('\n');
    text.push_str(&table(&found, args.all));
    if let Some(words) = left_out(&fresh) {
        text.push_str(&wrapped(&format!("left out: {words}")));
    }
    let files = overlay(&fresh, |path| {
        fathom_device::input::read_text(folder.join(path)).ok()
    })
    .map_err(|error| refused(&folder, &error))?;
    if args.dry_run {
        text.push_str("nothing was written: --dry-run\n");
    } else {
        text.push_str(&write(&folder, files)?);
    }
    show_text(&text)
}

fn no_folder() -> Problem {
    Problem::new(Exit::Environment, "the catalogue has no folder")
        .because(no_data_folder(&[]))
        .remedy("--into DIR")
}

/// The day on which a file was written: when it was downloaded, unless somebody copied it.
fn written_on(path: &Path) -> Result<Date, Problem> {
    let cannot = |error: &std::io::Error| {
        Problem::new(Exit::Environment, format!("cannot read {}", path.display()))
            .because(system_words(error))
    };
    let data = std::fs::metadata(path).map_err(|error| cannot(&error))?;
    let modified = data.modified().map_err(|error| cannot(&error))?;
    let since = modified.duration_since(std::time::UNIX_EPOCH);
    let nanos = since.map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(0));
    Ok(day_of(nanos))
}

fn one(path: &Path, read_on: Date, fresh: &mut Fresh) -> Result<Fed, Problem> {
    let cannot = || Problem::new(Exit::Usage, format!("cannot read {}", path.display()));
    let file = fathom_device::input::open(path).map_err(|error| {
        Problem::new(Exit::Environment, format!("cannot read {}", path.display()))
            .because(system_words(&error))
    })?;
    read(BufReader::with_capacity(1 << 20, file), read_on, fresh).map_err(|error| {
        let problem = cannot().because(error.to_string());
        match error {
            FeedError::Form(_) => problem.remedy("the file as the vendor sent it, whole"),
            FeedError::Order => problem.remedy("the file as the vendor sent it"),
            FeedError::Unknown => problem.remedy(
                "an AWS offer file, DescribeInstanceTypes, Azure Retail Prices or Resource SKUs, \
                 or Google SKUs, as JSON (docs/catalog.md)",
            ),
        }
    })
}

fn in_words(path: &Path, fed: &Fed, read_on: Date) -> String {
    let kinds: Vec<&str> = fed.kinds.iter().map(|kind| kind.in_words()).collect();
    let day = fed.published.unwrap_or(read_on);
    format!(
        "{}: {} of {day}, {}",
        path.display(),
        kinds.join(" and "),
        figure::plural(fed.items as u64, "item")
    )
}

/// What was left out, and why.
fn left_out(fresh: &Fresh) -> Option<String> {
    let words = fresh.left_out.iter();
    let words: Vec<String> = words
        .map(|(why, count)| format!("{why} ({})", figure::count(*count as u64)))
        .collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// What changed.
fn table(found: &Difference, all: bool) -> String {
    let mut text = String::new();
    let mut counts = Table::new(&["", ">AS KNOWN", ">CHANGED", ">NEW"]);
    let kinds = [
        ("prices of volumes", found.prices),
        ("prices of machines", found.machine_prices),
        ("limits of machines", found.instances),
    ];
    for (name, Count { same, changed, new }) in kinds {
        let counted = [same, changed, new].map(|count| figure::count(count as u64));
        let [same, changed, new] = counted;
        counts.row([name.to_owned(), same, changed, new]);
    }
    let _ = writeln!(text, "{counts}");
    let most = if all { usize::MAX } else { SHOWN };
    let shown: Vec<&Change> = found.changes.iter().take(most).collect();
    if shown.is_empty() {
        return text;
    }
    let mut rows = Table::new(&["REGION", "NAME", "WHAT", ">CATALOGUE", ">FEED", ">CHANGE"]);
    for change in &shown {
        let share = change.before.map_or_else(
            || "new".to_owned(),
            |_| format!("{:+.1} %", change.share() * 100.0),
        );
        rows.row([
            change.region.clone().unwrap_or_default(),
            change.name.clone(),
            change.what.clone(),
            change.before.map_or_else(String::new, amount),
            amount(change.now),
            share,
        ]);
    }
    let _ = writeln!(text, "{rows}");
    if found.changes.len() > shown.len() {
        let more = found.changes.len() - shown.len();
        let _ = writeln!(
            text,
            "{} more; --all shows them\n",
            figure::count(more as u64)
        );
    }
    let jumps = found.changes.iter().filter(|change| change.is_jump).count();
    if jumps > 0 {
        text.push_str(&wrapped(&format!(
            "warning: {} more than three times the catalogue value, or less than a third. Check \
             them before you buy anything",
            match jumps {
                1 => "one value is".to_owned(),
                many => format!("{} figures are", figure::count(many as u64)),
            }
        )));
    }
    text
}

/// A price or a limit with as many digits as it has.
fn amount(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    rounded.to_string()
}

fn refused(folder: &Path, error: &OverlayError) -> Problem {
    let thing = format!("cannot add to the catalogue in {}", folder.display());
    let problem = Problem::new(Exit::Usage, thing).because(error.to_string());
    match error {
        OverlayError::Foreign(_) => problem.remedy("use --into with your own folder"),
        _ => problem.remedy("the feed as the vendor sent it"),
    }
}

/// Writes the files, each through the door.
fn write(folder: &Path, files: Vec<OverlayFile>) -> Result<String, Error> {
    let mut text = String::new();
    let mut places: Vec<(PathBuf, TextPlace, OverlayFile)> = Vec::new();
    for file in files {
        let path = folder.join(file.path);
        if let Some(parent) = path.parent() {
            Door::default().make_folder(parent).map_err(|error| {
                Problem::new(
                    Exit::Environment,
                    format!("cannot make {}", parent.display()),
                )
                .because(error.cause())
                .remedy("--into for another folder")
            })?;
        }
        let place = TextPlace::open(&path, Existing::Replaced)?;
        places.push((path, place, file));
    }
    for (path, place, file) in places {
        place.write(&file.text)?;
        let _ = writeln!(
            text,
            "written: {} ({}, {} new)",
            path.display(),
            figure::plural(file.rows as u64, "row"),
            figure::count(file.added as u64)
        );
    }
    Ok(text)
}

/// What is to be said of prices that were read long ago: of each cloud the oldest of those that
/// were used.
pub(crate) fn outdated<'a>(
    known: &Known,
    used: impl Iterator<Item = (fathom_volume::Cloud, &'a fathom_volume::catalog::Evidence)>,
) -> Vec<String> {
    if !known.is_today {
        return Vec::new();
    }
    let mut oldest: std::collections::BTreeMap<fathom_volume::Cloud, Date> =
        std::collections::BTreeMap::new();
    for (cloud, evidence) in used {
        if let Some(day) = evidence.as_of.date() {
            let known = oldest.entry(cloud).or_insert(day);
            *known = (*known).min(day);
        }
    }
    let age = |day: Date| today().since(day).map_or(0, |span| span.get_days());
    let old = oldest.into_iter().filter(|(_, day)| age(*day) > OLD_DAYS);
    old.map(|(cloud, day)| {
        format!(
            "the oldest price of {cloud} used here is from {day}, {} days ago. `fathom catalog \
             refresh` reads current prices from the vendor's feed",
            figure::count(u64::from(age(day).unsigned_abs()))
        )
    })
    .collect()
}

/// Days after which prices are called old.
const OLD_DAYS: i32 = 90;
