//! The answer for people.

use super::facts::Gathered;
use crate::exit::Exit;
use fathom_core::{Caveat, Level, figure};
use fathom_device::{BlockDevice, Tree};
use std::fmt::Write as _;

/// In one word or two.
pub(super) const fn verdict(exit: Exit) -> &'static str {
    match exit {
        Exit::Unfit => "unfit",
        Exit::Doubtful => "with doubts",
        _ => "fit",
    }
}

pub(super) fn draw(gathered: &Gathered, found: &[Caveat], exit: Exit) -> String {
    let mut text = String::new();
    let path = gathered.topology.path.display();
    let _ = writeln!(text, "{}  {path}", verdict(exit).to_uppercase());
    let host = &gathered.host;
    let machine = [&host.virtualisation, &host.product].into_iter().flatten();
    let machine: Vec<&str> = machine.map(String::as_str).collect();
    if !machine.is_empty() {
        let _ = writeln!(text, "machine      {}", machine.join(", "));
    }
    if let Some(mount) = &gathered.topology.mount {
        let _ = writeln!(
            text,
            "file system  {} on {}, {},{}",
            mount.fs_type,
            mount.mount_point.display(),
            mount.options,
            mount.super_options
        );
    }
    if let Some(room) = &gathered.room {
        let available = figure::volume(room.available_bytes);
        let _ = writeln!(
            text,
            "room         {available} of {}",
            figure::volume(room.total_bytes)
        );
    }
    let direct = match gathered.facts.direct_align_bytes {
        Some(0) => "none for this file".to_owned(),
        Some(unit) => format!(
            "in units of {}, says the file system",
            figure::size(unit.into())
        ),
        None => "not told: a run shows it".to_owned(),
    };
    let _ = writeln!(text, "direct I/O   {direct}");
    for row in gathered.topology.devices.iter().flat_map(Tree::rows) {
        let _ = writeln!(text, "  {}{}", row.lead, device(row.device));
    }
    for (name, link) in &gathered.links {
        let _ = writeln!(text, "link         {name}: {}", link.current);
    }
    for one in gathered.idle.iter().flatten() {
        let rate = figure::iops(one.ios_per_second);
        let bytes = figure::megabytes(one.bytes_per_second);
        let _ = writeln!(
            text,
            "others       {}: {rate} IOPS, {bytes} MB/s in 3 s",
            one.device
        );
    }
    if gathered.idle.is_none() {
        text.push_str("others       not looked for\n");
    }
    for caveat in found {
        text.push_str(&finding(caveat));
    }
    text
}

/// What was found, and what to do about it.
fn finding(caveat: &Caveat) -> String {
    let about = match caveat.subject.as_str() {
        "" => String::new(),
        subject => format!("{subject}: "),
    };
    let word = match caveat.level {
        Level::Note => "note",
        Level::Qualified => "qualified",
        Level::Suspect => "suspect",
        Level::Invalid => "invalid",
    };
    let mut text = format!("\n{word} [{}] {about}{}\n", caveat.code, caveat.message);
    if !caveat.remedy.is_empty() {
        let _ = writeln!(text, "  try: {}", caveat.remedy);
    }
    text
}

/// A device in one line.
fn device(device: &BlockDevice) -> String {
    let name = device.label.as_deref().unwrap_or(&device.name);
    let mut parts = vec![
        format!("{name}: {}", device.kind),
        figure::volume(device.size_bytes),
    ];
    let model = [&device.vendor, &device.model].into_iter().flatten();
    let model: Vec<&str> = model.map(String::as_str).collect();
    if !model.is_empty() {
        parts.push(model.join(" "));
    }
    parts.extend(
        device
            .backing_file
            .as_ref()
            .map(|file| file.display().to_string()),
    );
    if let Some(start) = device.start_bytes {
        parts.push(format!("begins at {}", figure::size(start)));
        return parts.join(", ");
    }
    let sizes = (device.logical_block_bytes, device.physical_block_bytes);
    if let (Some(logical), Some(physical)) = sizes {
        parts.push(format!("blocks of {logical} B, physically {physical} B"));
    }
    parts.extend(
        device
            .rotational
            .filter(|rotates| *rotates)
            .map(|_| "rotational".to_owned()),
    );
    parts.extend(
        device
            .scheduler
            .as_ref()
            .map(|name| format!("scheduler {name}")),
    );
    parts.extend(
        device
            .nr_requests
            .map(|number| format!("queue of {number}")),
    );
    parts.extend(
        device
            .max_sectors_kb
            .map(|most| format!("requests up to {most} KiB")),
    );
    parts.extend(
        device
            .write_cache
            .as_ref()
            .map(|cache| format!("cache {cache}")),
    );
    parts.join(", ")
}
