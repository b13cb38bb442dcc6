//! `fathom need`: from a recording to what a load needs of storage.

mod array;
mod disks;
mod json;
mod machines;
mod played;
mod profile;
mod text;

use super::catalog::{Known, known};
use super::recorded::{Needed, Recorded};
use super::sinks::TextPlace;
use crate::args::{NeedArgs, NeedFormat};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::fitted;
use crate::width;
use disks::Disks;
use fathom_device::Existing;
use fathom_volume::sizing::{Peak, SasRule};
use machines::Machines;
use played::Played;
use std::path::Path;

#[cfg(test)]
pub(super) use json::{ArrayDocument, NeedDocument, OF_BYTES, SasNeedDocument};

pub(crate) fn run(args: &NeedArgs) -> Result<Exit, Error> {
    refuse_two_texts(args)?;
    refuse_idle(args)?;
    let existing = Existing::replaced_if(args.replace.overwrite);
    let place = args.profile.as_deref();
    let place = place
        .map(|path| TextPlace::open(path, existing))
        .transpose()?;
    let page = args.output.file.as_deref().unwrap_or(Path::new("-"));
    let page = TextPlace::open(page, existing)?;
    let known = known(&args.catalog)?;
    if let Some(disks) = &args.disks.disks {
        return array::answer(args, disks, &known, page);
    }
    let Some(file) = &args.file else {
        return of_cores(args, &known, place, page);
    };
    let recorded = Recorded::read(file, &args.recording, args.block_size)?;
    let needed = recorded.needed();
    let report = Report {
        disks: Disks::of(&args.disks, &known, needed.as_ref().ok())?,
        played: played::play(args, &known, &recorded)?,
        sas: args.sas.rule(),
        machines: match (&needed, machines::is_asked(args)) {
            (Ok(needed), true) => {
                let of_sas = args.sas.rule().map(profile::peak_of_sas);
                let peaks: Vec<Peak> = needed.peaks.iter().cloned().chain(of_sas).collect();
                Some(Machines::of(args, &known, &peaks)?)
            }
            _ => None,
        },
        recorded: &recorded,
    };
    if let Some(place) = place {
        recorded.refuse_unsized()?;
        let needed = recorded.needed()?;
        place.write(&profile::of_recording(&recorded, &needed))?;
        if args.profile.as_deref() == Some(Path::new("-")) {
            return Ok(Exit::Ok);
        }
    }
    let needed = match needed {
        Ok(needed) => Some(needed),
        // What each device did is worth telling, unless what they need together was asked for.
        Err(_) if !asks_for_need(args) => None,
        Err(problem) => return Err(problem.into()),
    };
    match args.format() {
        NeedFormat::Text => page.write_words(&text::page(&report, needed.as_ref()))?,
        NeedFormat::Json => page.write(&json::document(&report, needed.as_ref())?)?,
    }
    Ok(Exit::Ok)
}

/// All that is shown.
struct Report<'a> {
    recorded: &'a Recorded,
    disks: Disks,
    played: Vec<Played>,
    sas: Option<SasRule>,
    machines: Option<Machines>,
}

/// Whether options are given that work on the need of all devices.
const fn asks_for_need(args: &NeedArgs) -> bool {
    let disks = &args.disks;
    args.recording.by.is_some()
        || args.recording.growth.is_some()
        || disks.disk_iops.is_some()
        || disks.link.is_some()
}

/// Options that would change nothing.
fn refuse_idle(args: &NeedArgs) -> Result<(), Problem> {
    let disks = &args.disks;
    let asks_machines = machines::is_asked(args);
    let asks_catalogue = !args.volume.is_empty() || disks.link.is_some();
    let idle = [
        (
            "--disk-throughput",
            disks.disk_throughput.is_some()
                && disks.disk_iops.is_none()
                && disks.link.is_none()
                && disks.disks.is_none(),
            "use --disk-iops for the disks of an array, or --link for those of a bus",
        ),
        (
            "--instance",
            args.instance.instance.is_some()
                && args.volume.is_empty()
                && (args.file.is_some() || args.sas.sas_cores.is_none()),
            "use --volume, for the volume attached to it, or --sas-cores without a recording",
        ),
        (
            "--growth N/year",
            args.recording.yearly().is_some(),
            "use `fathom plan --years`, or --growth N",
        ),
        (
            "--block-size",
            args.block_size.is_some() && args.file.is_none(),
            "give a recording",
        ),
        (
            "--as-of",
            args.catalog.as_of.is_some() && args.volume.is_empty() && !asks_machines,
            "use --volume, whose limits depend on the date",
        ),
        (
            "--catalog",
            args.catalog.folder.is_some()
                && !asks_catalogue
                && !asks_machines
                && disks.disks.is_none(),
            "use --volume or --link",
        ),
    ];
    match idle.into_iter().find(|(_, is_idle, _)| *is_idle) {
        None => Ok(()),
        Some((option, _, remedy)) => {
            let thing = format!("{option} has nothing to change");
            Err(Problem::new(Exit::Usage, thing).remedy(remedy))
        }
    }
}

/// Two texts on standard output would be one that nobody can read.
fn refuse_two_texts(args: &NeedArgs) -> Result<(), Problem> {
    let to_stdout = args.profile.as_deref() == Some(Path::new("-"));
    if to_stdout && args.format() == NeedFormat::Json {
        return Err(
            Problem::new(Exit::Usage, "two outputs cannot both go to standard output")
                .remedy("--profile FILE"),
        );
    }
    Ok(())
}

/// The need by the rule of SAS, without a recording.
fn of_cores(
    args: &NeedArgs,
    known: &Known,
    place: Option<TextPlace>,
    page: TextPlace,
) -> Result<Exit, Error> {
    let idle = [
        ("--block-size", args.block_size.is_some()),
        ("--volume", !args.volume.is_empty()),
        ("--disk-iops", args.disks.disk_iops.is_some()),
        ("--disk-throughput", args.disks.disk_throughput.is_some()),
        ("--link", args.disks.link.is_some()),
    ];
    let mut all = args.recording.given().into_iter().chain(idle);
    if let Some((option, _)) = all.find(|(_, is_set)| *is_set) {
        return Err(Problem::new(Exit::Usage, format!("{option} has no effect"))
            .because("there is no recording")
            .remedy("use a recording, or --sas-cores alone")
            .into());
    }
    let Some(rule) = args.sas.rule() else {
        return Err(Problem::new(Exit::Usage, "there is no recording").into());
    };
    if let Some(place) = place {
        place.write(&profile::of_sas(rule))?;
        if args.profile.as_deref() == Some(Path::new("-")) {
            return Ok(Exit::Ok);
        }
    }
    let machines = Machines::of(args, known, &[profile::peak_of_sas(rule)])?;
    if args.format() == NeedFormat::Json {
        page.write(&json::of_sas(rule, &machines)?)?;
        return Ok(Exit::Ok);
    }
    let own = machines.own().map(|own| text::of_machine(rule, own));
    let answer = format!(
        "{}{}\n{}",
        text::of_sas(rule),
        own.unwrap_or_default(),
        machines.text()
    );
    page.write(&fitted(&answer, width::of_pages()))?;
    Ok(Exit::Ok)
}

/// The rate and the bytes a second of the moments that count, the most of each.
fn most(needed: &Needed<'_>) -> (f64, f64) {
    let peaks = needed.peaks.iter();
    peaks.fold((0.0_f64, 0.0_f64), |(iops, bytes), peak| {
        (iops.max(peak.iops), bytes.max(peak.bytes_per_second()))
    })
}
