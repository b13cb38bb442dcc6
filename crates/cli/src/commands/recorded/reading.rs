//! Reads a recording, and chooses the devices that count.

use crate::args::RecordingOptions;
use crate::commands::archive;
use crate::commands::capture::{any_trace, is_any_trace, unreadable};
use crate::commands::standard_input;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_core::nearest::nearest;
use fathom_core::recording::{DeviceSeries, Recording, Uncounted};
use fathom_core::{Bytes, Nanos};
use fathom_device::input;
use fathom_tools::recordings::{self, GivenColumns, ReadError};
use fathom_volume::catalog::Remark;
use fathom_volume::sizing::DeviceNames;
use std::io::{BufReader, Cursor};
use std::path::Path;

/// What precedes the name of a recording in the history.
const OF_HISTORY: &str = "recording:";

/// A recording, or a trace as one, and the name by which the user knows it. `store` is a history
/// other than the user's.
pub(crate) fn read(
    file: &Path,
    store: Option<&Path>,
    columns: Option<&GivenColumns>,
) -> Result<(String, Recording), Error> {
    let is_stdin = file == Path::new("-");
    let name = if is_stdin {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    };
    let cannot = |error: &std::io::Error| {
        Problem::new(Exit::Environment, format!("cannot read {name}")).because(system_words(error))
    };
    let of_history = file.to_str().and_then(|word| word.strip_prefix(OF_HISTORY));
    // What is not a regular file can be read once only.
    if columns.is_none() && file.is_file() && is_any_trace(file) {
        let (mut source, _) = any_trace(file)?;
        let read = fathom_capture::recording(source.as_mut());
        let read = read.map_err(|error| unreadable(file, &error))?;
        return Ok((name, read));
    }
    let read = if let Some(word) = of_history {
        let found = archive::open_to_read(store)?.recording(word);
        let found = found.map_err(|error| archive::problem(&error))?;
        let text = found.ok_or_else(|| unknown(word))?;
        recordings::read_from(Cursor::new(text), &name, columns)
    } else if is_stdin {
        recordings::read_from(standard_input::once()?, &name, columns)
    } else {
        let opened = input::open(file).map_err(|error| cannot(&error))?;
        recordings::read_from(BufReader::new(opened), &name, columns)
    };
    match read {
        Ok(recording) => Ok((name, recording)),
        Err(ReadError::Io(error)) => Err(cannot(&error).into()),
        Err(ReadError::Text(error)) => Err(Error::Text(vec![*error])),
    }
}

/// There is no recording of that name.
pub(crate) fn unknown(name: &str) -> Problem {
    Problem::new(Exit::Usage, format!("the history has no recording {name}"))
        .remedy("`fathom watch --recordings` lists them")
}

/// Lengths that were said, for moments that have none.
pub(super) fn set_lengths(
    recording: &mut Recording,
    file: &str,
    interval: Option<Nanos>,
) -> Result<(), Problem> {
    let Some(interval) = interval else {
        return Ok(());
    };
    let mut is_used = false;
    let series = recording.devices.iter_mut();
    for sample in series.flat_map(|series| &mut series.samples) {
        if sample.length_ns.is_none() {
            sample.length_ns = Some(interval.0);
            is_used = true;
        }
    }
    if is_used || recording.devices.is_empty() {
        return Ok(());
    }
    Err(Problem::new(Exit::Usage, "--interval has no effect")
        .because(format!("{file} contains the length of its intervals"))
        .remedy("no --interval"))
}

/// Sizes that were stated, for a recording that counts only half of what makes them; what it does
/// not count otherwise.
pub(super) fn set_size(
    recording: &mut Recording,
    file: &str,
    size: Option<Bytes>,
) -> Result<Option<Uncounted>, Problem> {
    let Some(size) = size else {
        return Ok(recording.uncounted);
    };
    if recording.uncounted.is_none() {
        return Err(Problem::new(Exit::Usage, "--block-size has no effect")
            .because(format!("{file} counts both requests and bytes"))
            .remedy("no --block-size"));
    }
    let before = recording.devices.clone();
    recording.sized(size.0 as f64);
    let stated = recording.devices.iter_mut().zip(&before);
    let stated = stated.flat_map(|(one, old)| one.samples.iter_mut().zip(&old.samples));
    for (sample, counted) in stated {
        // The bytes of one kind may be counted.
        if counted.read_bytes_per_second > 0.0 {
            sample.read_bytes_per_second = counted.read_bytes_per_second;
        }
        if counted.written_bytes_per_second > 0.0 {
            sample.written_bytes_per_second = counted.written_bytes_per_second;
        }
    }
    recording
        .notes
        .retain(|note| !note.contains("--block-size"));
    Ok(None)
}

/// The series of the devices that count.
pub(super) fn choose<'a>(
    recording: &'a Recording,
    file: &str,
    options: &RecordingOptions,
    remarks: &mut Vec<Remark>,
) -> Result<Vec<&'a DeviceSeries>, Problem> {
    let all = || {
        recording
            .devices
            .iter()
            .filter(|one| !one.samples.is_empty())
    };
    let names: Vec<&str> = all().map(|one| one.device.as_str()).collect();
    if names.is_empty() {
        return Err(
            Problem::new(Exit::Usage, format!("{file} contains no intervals"))
                .because(
                    "no device data found. The first iostat report covers the time since boot and \
                     is ignored, and counters need two readings",
                )
                .remedy("use a recording of several intervals, as of `iostat -x 10 8640`"),
        );
    }
    let devices = DeviceNames::of(&names);
    let mut chosen: Vec<&DeviceSeries> = Vec::new();
    for wanted in &options.device {
        let wanted = wanted.strip_prefix("/dev/").unwrap_or(wanted);
        let Some(series) = all().find(|one| one.device == wanted) else {
            let problem = Problem::new(Exit::Usage, format!("{file} has no device {wanted}"));
            return Err(match nearest(wanted, names.iter().copied()) {
                Some(nearest) => problem.remedy(nearest),
                None => problem.remedy(format!("one of {}", names.join(", "))),
            });
        };
        if !chosen.iter().any(|known| known.device == series.device) {
            chosen.push(series);
        }
    }
    if chosen.is_empty() {
        chosen = all().filter(|one| !devices.is_above(&one.device)).collect();
        let above: Vec<&str> = names
            .iter()
            .copied()
            .filter(|name| devices.is_above(name))
            .collect();
        if chosen.is_empty() {
            chosen = all().collect();
        } else if !above.is_empty() {
            remarks.push(Remark::note(format!(
                "left out, because by their names they are part of others: {}",
                above.join(", ")
            )));
        }
        let busy =
            |series: &&DeviceSeries| series.samples.iter().any(|one| one.ios_per_second > 0.0);
        if chosen.iter().any(busy) {
            chosen.retain(busy);
        }
    }
    refuse_twice(&chosen, &devices)?;
    let idle = chosen
        .iter()
        .all(|one| one.samples.iter().all(|one| one.ios_per_second <= 0.0));
    if idle {
        return Err(
            Problem::new(Exit::Usage, format!("no load can be derived from {file}"))
                .because("nothing was read or written during the recording")
                .remedy("record while the load is running"),
        );
    }
    Ok(chosen)
}

/// What a device does is counted once more below it.
fn refuse_twice(chosen: &[&DeviceSeries], devices: &DeviceNames<'_>) -> Result<(), Problem> {
    let above = |one: &&&DeviceSeries| devices.is_above(&one.device);
    let count = chosen.iter().filter(above).count();
    if count == 0 || count == chosen.len() {
        return Ok(());
    }
    let names: Vec<&str> = chosen
        .iter()
        .filter(above)
        .map(|one| one.device.as_str())
        .collect();
    Err(Problem::new(Exit::Usage, "the devices cannot be added up")
        .because(format!(
            "by their names these are layers of others, and would count twice: {}",
            names.join(", ")
        ))
        .remedy("use --device for the disks, or for the layers on them"))
}
