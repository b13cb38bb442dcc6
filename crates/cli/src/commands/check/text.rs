//! The answer for people.

use super::facts::{Built, Gathered};
use crate::exit::Exit;
use crate::paragraph::{hanging, labelled, wrapped};
use fathom_core::{Caveat, Level, figure};
use fathom_device::recognise::CloudDisk;
use fathom_device::{BlockDevice, Tree};
use std::fmt::Write as _;

/// Columns of what stands before each fact.
const LABEL: usize = 13;
/// Columns before the further lines of a device, in addition to those of its branch.
const DEVICE_INDENT: usize = 6;

/// In one word or two.
pub(super) const fn verdict(exit: Exit) -> &'static str {
    match exit {
        Exit::Unfit => "unfit",
        Exit::Doubtful => "with warnings",
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
        text.push_str(&fact("machine", &machine.join(", ")));
    }
    if let Some(mount) = &gathered.topology.mount {
        let point = mount.mount_point.display();
        let options = mount.options.split(',');
        let mut options: Vec<&str> = options.chain(mount.super_options.split(',')).collect();
        let mut seen = std::collections::BTreeSet::new();
        options.retain(|option| seen.insert(*option));
        let words = format!("{} on {point}: {}", mount.fs_type, options.join(", "));
        text.push_str(&fact("file system", &words));
    }
    if let Some(room) = &gathered.room {
        let available = figure::volume(room.available_bytes);
        let total = figure::volume(room.total_bytes);
        text.push_str(&fact("room", &format!("{available} of {total}")));
    }
    let direct = match gathered.facts.direct_align_bytes {
        Some(0) => "none for this file".to_owned(),
        Some(unit) => format!(
            "in units of {}, reported by the file system",
            figure::size(unit.into())
        ),
        None => "unknown (determined by a run)".to_owned(),
    };
    text.push_str(&fact("direct I/O", &direct));
    for row in gathered.topology.devices.iter().flat_map(Tree::rows) {
        let device = row.device;
        let name = device.label.as_deref().unwrap_or(&device.name);
        let column = row.lead.chars().count() + DEVICE_INDENT;
        text.push_str(&hanging(
            &format!("{}{name}:", row.lead),
            column,
            &in_words(device),
        ));
    }
    for one in &gathered.attached.built {
        text.push_str(&fact("array", &format!("{}: {}", one.device, built(one))));
    }
    for (name, disk) in &gathered.attached.clouds {
        text.push_str(&fact("cloud", &format!("{name}: {}", cloud(disk))));
    }
    for (name, bytes) in &gathered.attached.read_ahead {
        text.push_str(&fact(
            "read-ahead",
            &format!("{name}: {}", figure::size(*bytes)),
        ));
    }
    for (name, link) in &gathered.attached.links {
        text.push_str(&fact("link", &format!("{name}: {}", link.current)));
    }
    for one in gathered.idle.iter().flatten() {
        let rate = figure::iops(one.ios_per_second);
        let bytes = figure::megabytes(one.bytes_per_second);
        let words = format!("{}: {rate} IOPS, {bytes} MB/s in 3 s", one.device);
        text.push_str(&fact("others", &words));
    }
    if gathered.idle.is_none() {
        text.push_str(&fact("others", "not checked"));
    }
    for caveat in found {
        text.push_str(&finding(caveat));
    }
    text
}

/// A fact behind its label.
fn fact(label: &str, words: &str) -> String {
    labelled(label, LABEL, words)
}

/// How a device lies on others; equal parts are printed once.
fn built(one: &Built) -> String {
    if let Some(why) = &one.unknown {
        return format!("unknown: {why}");
    }
    let mut words: Vec<String> = Vec::new();
    for layout in &one.layout {
        let over = match layout.members {
            1 => String::new(),
            members => format!(" over {members}"),
        };
        let chunk = layout.chunk_bytes.map(figure::size);
        let chunk = chunk.map_or_else(String::new, |size| format!(", {size} at a time"));
        let word = format!("{}{over}{chunk}", layout.level);
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.join("; ")
}

fn cloud(disk: &CloudDisk) -> String {
    let id = match (&disk.id, disk.lun) {
        (Some(id), _) => format!(" {id}"),
        (None, Some(lun)) => format!(" at LUN {lun}"),
        (None, None) => String::new(),
    };
    let place = if disk.kind.is_remote() {
        "over a network"
    } else {
        "in the machine"
    };
    format!("{}{id}, {place}", disk.kind.name())
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
    let found = format!("{word} [{}] {about}{}", caveat.code, caveat.message);
    let mut text = format!("\n{}", wrapped(&found));
    if !caveat.remedy.is_empty() {
        text.push_str(&hanging("try:", 7, &caveat.remedy));
    }
    text
}

/// What a device is.
fn in_words(device: &BlockDevice) -> String {
    let mut parts = vec![device.kind.to_string(), figure::volume(device.size_bytes)];
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

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_device::Layout;
    use fathom_device::recognise::CloudDiskKind;

    #[test]
    fn arrays_are_told_by_their_stretches() {
        let layout = |level: &str, members, chunk_bytes| Layout {
            level: level.to_owned(),
            members,
            chunk_bytes,
        };
        let told = |layout: Vec<Layout>, unknown: Option<&str>| {
            built(&Built {
                device: "vg-data".to_owned(),
                layout,
                unknown: unknown.map(str::to_owned),
            })
        };
        let (striped, linear) = (
            layout("striped", 4, Some(65_536)),
            layout("linear", 1, None),
        );
        let found = [
            told(vec![striped.clone(), linear.clone(), linear], None),
            told(vec![layout("raid5", 3, Some(524_288))], None),
            told(Vec::new(), Some("permission denied")),
        ];
        let expected = [
            "striped over 4, 64 KiB at a time; linear",
            "raid5 over 3, 512 KiB at a time",
            "unknown: permission denied",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_cloud_disk_is_told_with_its_name() {
        let told = |kind, id: Option<&str>, lun| {
            let id = id.map(str::to_owned);
            cloud(&CloudDisk { kind, id, lun })
        };
        let found = [
            told(CloudDiskKind::Ebs, Some("vol-01"), None),
            told(CloudDiskKind::AzureManaged, None, Some(2)),
            told(CloudDiskKind::GoogleLocal, None, None),
        ];
        let expected = [
            "EBS volume vol-01, over a network",
            "Azure managed disk at LUN 2, over a network",
            "Google local SSD, in the machine",
        ];
        assert_eq!(found, expected);
    }
}
