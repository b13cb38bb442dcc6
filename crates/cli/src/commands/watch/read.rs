//! Recordings shown: our own, and the text of iostat and sar.

use super::rows::{self, HEADS};
use super::sinks::{CSV_HEAD, csv_row};
use crate::args::WatchArgs;
use crate::commands::{recorded, show_text};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::wrapped;
use crate::table::Table;
use crate::terminal;
use fathom_core::figure;
use fathom_core::foreign::visible;
use fathom_core::recording::{Recording, Sample};
use fathom_report::traced_sentence;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::Path;

pub(super) fn run(file: &Path, args: &WatchArgs) -> Result<Exit, Error> {
    let store = args.store.store.as_deref();
    let (name, mut recording) = recorded::read(file, store, None)?;
    choose(&mut recording, args, &name)?;
    if !args.json && !args.csv {
        let mut text = tables(&recording);
        explain(&recording, args.blame, &mut text);
        return show_text(&text);
    }
    // As it is written, however long it is.
    let mut out = BufWriter::new(terminal::stdout());
    let written = if args.json {
        let json = serde_json::to_writer_pretty(&mut out, &recording);
        json.map_err(io::Error::from)
            .and_then(|()| out.write_all(b"\n"))
    } else {
        csv(&recording, &mut out)
    };
    let written = written.and_then(|()| out.flush());
    written.map_err(|error| Error::stdout(&error))?;
    Ok(Exit::Ok)
}

/// Leaves the series of the devices that were named.
fn choose(recording: &mut Recording, args: &WatchArgs, file: &str) -> Result<(), Problem> {
    if args.devices.is_empty() {
        return Ok(());
    }
    let node = |path: &Path| {
        let path = path.strip_prefix("/dev").unwrap_or(path);
        path.to_string_lossy().into_owned()
    };
    let wanted: Vec<String> = args.devices.iter().map(|path| node(path)).collect();
    let known: Vec<&str> = recording
        .devices
        .iter()
        .map(|one| one.device.as_str())
        .collect();
    if let Some(missing) = wanted.iter().find(|name| !known.contains(&name.as_str())) {
        let thing = format!("{file} has no device {missing}");
        let remedy = format!("one of {}", known.join(", "));
        return Err(Problem::new(Exit::Usage, thing).remedy(remedy));
    }
    recording.devices.retain(|one| wanted.contains(&one.device));
    recording.groups.retain(|one| wanted.contains(&one.device));
    Ok(())
}

/// A table for each series.
fn tables(recording: &Recording) -> String {
    let on = recording
        .host
        .as_ref()
        .map_or_else(String::new, |host| format!(" on {host}"));
    let mut text = format!("recorded by {}{on}\n", recording.tool);
    for note in &recording.notes {
        let _ = writeln!(text, "note: {note}");
    }
    let mut misled = false;
    for series in &recording.devices {
        let _ = write!(
            text,
            "\n{}\n{}",
            series.device,
            table(&series.samples, &mut misled)
        );
    }
    for series in &recording.groups {
        let name = format!("{} on {}", series.group, series.device);
        let _ = write!(text, "\n{name}\n{}", table(&series.samples, &mut misled));
    }
    if misled {
        let _ = writeln!(text, "\n{}", rows::MISLEADS);
    }
    text
}

/// What slow requests waited for. That it was not recorded is stated if it is asked for.
fn explain(recording: &Recording, is_asked: bool, text: &mut String) {
    if recording.blames.is_empty() && is_asked {
        let missing = "no explanation of slow requests was recorded; record with --blame";
        let _ = write!(text, "\n{missing}\n");
    }
    for one in &recording.blames {
        let sentence = format!(
            "until {}: {}",
            visible(&one.at),
            traced_sentence(&one.blame)
        );
        let _ = write!(text, "\n{}", wrapped(&sentence));
    }
}

fn table(samples: &[Sample], misled: &mut bool) -> Table {
    // Where reads and writes are not distinguished, only their sum is known.
    let is_joint = samples
        .iter()
        .any(|sample| sample.reads_per_second.is_none());
    let mut heads = vec!["at"];
    if is_joint {
        heads.extend([">IOPS", ">await"]);
    }
    heads.extend(HEADS);
    let mut table = Table::new(&heads);
    for sample in samples {
        // What the device is, nobody knows here.
        let is_marked = rows::misleads("", sample, &BTreeSet::new());
        *misled |= is_marked;
        let mut cells = vec![sample.at.as_deref().unwrap_or("-").to_owned()];
        if is_joint {
            let wait = sample.await_ms.map(rows::wait);
            cells.push(figure::iops(sample.ios_per_second));
            cells.push(wait.unwrap_or_else(|| "-".to_owned()));
        }
        cells.extend(rows::cells(sample, is_marked));
        table.row(cells);
    }
    table
}

fn csv(recording: &Recording, out: &mut impl Write) -> io::Result<()> {
    let mut by_time: HashMap<&str, (f64, f64)> = HashMap::new();
    for one in &recording.processors {
        if let Some(at) = &one.at {
            let shares = (one.iowait_percent, one.steal_percent);
            by_time.entry(at).or_insert(shares);
        }
    }
    let shares = |sample: &Sample| by_time.get(sample.at.as_deref()?).copied();
    out.write_all(CSV_HEAD.as_bytes())?;
    for one in &recording.devices {
        for sample in &one.samples {
            let row = csv_row("", &one.device, sample, shares(sample));
            out.write_all(row.as_bytes())?;
        }
    }
    for one in &recording.groups {
        for sample in &one.samples {
            let row = csv_row(&one.group, &one.device, sample, shares(sample));
            out.write_all(row.as_bytes())?;
        }
    }
    Ok(())
}
