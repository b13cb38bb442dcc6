//! Every option that takes a path, given a device: `paths.txt` is the table, which a test beside
//! the definition of the options holds complete.

use crate::command::Cli;
use crate::privileged::{LoopDevice, is_root};
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

const SIZE_BYTES: u64 = 64 << 10;

/// What the device holds: lines, of which any reader soon has enough.
const LINE: &str = "# kept\n\n";

const SIMULATED: &str = "run random-read-4k --target null --engine null --ios 10 --warm-up 0s";

/// A configuration of Iometer, from the corpus of that dialect.
const ICF: &str = include_str!("../../../programs/tests/corpus/iometer/bursts.icf");

/// A parameter file of vdbench that writes.
const VDB: &str = "sd=sd1,lun=new.dat,size=64k,openflags=o_direct\nwd=wd1,sd=sd1,rdpct=0\n\
                   rd=run1,wd=wd1,iorate=max,elapsed=2,interval=1\n";

/// A trace that writes.
const TRACE: &str = "fio version 3 iolog\n0 f add\n0 f open\n1 f write 0 4096\n\
                     5 f write 8192 4096\n9 f close\n";

/// One line of the table.
struct Case {
    name: String,
    kind: &'static str,
    words: &'static str,
}

fn cases() -> Vec<Case> {
    let lines = include_str!("paths.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(" | ").map(str::trim).collect();
            let [command, option, kind, words] = cells[..] else {
                panic!("{line}");
            };
            Case {
                name: format!("{command} {option}"),
                kind,
                words,
            }
        })
        .collect()
}

/// A folder with a result in it, and with links to the device under all names that are made of a
/// name.
fn folder(device: &Path) -> TempDir {
    let words =
        SIMULATED
            .split(' ')
            .chain(["--quiet", "--no-save", "--output", "json:result.json"]);
    let (ended, folder) = Cli::new(words)
        .file("test.icf", ICF)
        .file("test.vdb", VDB)
        .file("trace.log", TRACE)
        .end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("pages")).expect("a folder");
    std::fs::write(path("live.iso"), fathom_image::slot::empty()).expect("an image");
    std::fs::create_dir(path("site")).expect("a folder");
    std::fs::write(path("site/netrc"), "").expect("a site");
    let measures = ["bw", "iops", "lat", "clat", "slat", "clat_hist"];
    let logs = measures.map(|measure| format!("log_{measure}.1.log"));
    let shared = measures.map(|measure| format!("log_{measure}.log"));
    let names = ["link", "pages/fathom.1"].map(str::to_owned);
    for name in names.iter().chain(&logs).chain(&shared) {
        symlink(device, path(name)).expect("a link");
    }
    folder
}

/// The words of a case; in those of `fathom ab` the simulated run is one word.
fn words(case: &Case, device: &str) -> Vec<String> {
    let put = |word: &str| match word {
        "SIMULATED" if case.name.starts_with("ab ") => vec![SIMULATED.to_owned()],
        "SIMULATED" => SIMULATED.split(' ').map(str::to_owned).collect(),
        "RUN" => vec!["result.json".to_owned()],
        word => vec![word.replace("./DEVICE", device).replace("DEVICE", device)],
    };
    case.words.split(' ').flat_map(put).collect()
}

#[test]
fn a_device_given_to_any_option_keeps_its_bytes() {
    if !is_root("a loop device") {
        return;
    }
    let Some(device) = LoopDevice::new(SIZE_BYTES) else {
        return;
    };
    let before = LINE.repeat(SIZE_BYTES as usize / LINE.len()).into_bytes();
    std::fs::write(&device.path, &before).expect("it is ours");
    let mut folder = folder(&device.path);
    let own_name = device.path.to_string_lossy().into_owned();
    let mut wrong = Vec::new();
    for case in cases() {
        for name in [own_name.as_str(), "link"] {
            let words = words(&case, name);
            let (ended, again) = Cli::in_folder(folder, &words).end();
            folder = again;
            let is_unchanged = std::fs::read(&device.path).expect("it is ours") == before;
            // Three programs end in numbers of their own.
            let refusals: &[i32] = match case.words.split(' ').next() {
                Some("diskspd") => &[1, 2, 3],
                Some("dd") => &[1, 2],
                Some("vdbench") => &[157],
                _ => &[2, 4],
            };
            let is_refused = ended
                .status
                .is_some_and(|status| refusals.contains(&status));
            if !is_unchanged || (case.kind != "read" && !is_refused) {
                wrong.push(format!("{} {words:?}: {ended:?}", case.name));
            }
            std::fs::write(&device.path, &before).expect("it is ours");
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
