//! `fathom devices`: the block devices of the machine.

use super::{listed, print, show_text};
use crate::args::DevicesArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::table::Table;
use fathom_core::figure;
use fathom_device::tree::{Tree, TreeRow};
use fathom_device::{BlockDevice, DeviceError, System, list_devices};

const HEADS: [&str; 9] = [
    "DEVICE",
    ">SIZE",
    "TYPE",
    "MODEL",
    "SCHEDULER",
    ">QUEUE",
    "ROTATIONAL",
    "FILE SYSTEM",
    "MOUNTED ON",
];

pub(crate) fn run(args: &DevicesArgs) -> Result<Exit, Error> {
    let trees = System::live()
        .and_then(|system| list_devices(&system, args.all))
        .map_err(|error| unreadable(&error))?;
    if args.json {
        return print(&listed::document("devices", &trees)?);
    }
    show_text(&table(&trees).to_string())
}

fn unreadable(error: &DeviceError) -> Problem {
    Problem::new(Exit::Environment, "cannot list the block devices").because(error.to_string())
}

fn table(trees: &[Tree]) -> Table {
    let mut table = Table::new(&HEADS);
    for row in trees.iter().flat_map(Tree::rows) {
        table.row(cells(&row));
    }
    table
}

fn cells(row: &TreeRow<'_>) -> [String; 9] {
    let device = row.device;
    let name = device.label.as_deref().unwrap_or(&device.name);
    // What a partition has from its disk is shown once, at the disk.
    let is_whole = device.disk.is_none();
    let whole = |text: Option<String>| text.filter(|_| is_whole).unwrap_or_default();
    let unique = |texts: Vec<String>| {
        let mut seen: Vec<String> = Vec::new();
        for text in texts {
            if !seen.contains(&text) {
                seen.push(text);
            }
        }
        seen.join(", ")
    };
    let mounts = &device.mount_points;
    let file_systems = mounts.iter().map(|mount| mount.fs_type.clone()).collect();
    let places = mounts.iter().map(|mount| mount.path.display().to_string());
    [
        format!("{}{name}", row.lead),
        figure::volume(device.size_bytes),
        kind(device),
        model(device),
        whole(device.scheduler.clone()),
        whole(device.nr_requests.map(|number| number.to_string())),
        whole(
            device
                .rotational
                .map(|is| if is { "yes" } else { "no" }.to_owned()),
        ),
        unique(file_systems),
        unique(places.collect()),
    ]
}

fn kind(device: &BlockDevice) -> String {
    let mut words = vec![device.kind.to_string()];
    let marks = [
        (device.read_only, "read-only"),
        (device.removable, "removable"),
        (device.is_swap, "swap"),
    ];
    words.extend(
        marks
            .into_iter()
            .filter(|(is_so, _)| *is_so)
            .map(|(_, word)| word.to_owned()),
    );
    words.join(", ")
}

/// Vendor and model, or the file behind a loop device.
fn model(device: &BlockDevice) -> String {
    if let Some(file) = &device.backing_file {
        return file.display().to_string();
    }
    let words = [&device.vendor, &device.model].into_iter().flatten();
    words.map(String::as_str).collect::<Vec<_>>().join(" ")
}
