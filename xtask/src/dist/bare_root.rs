//! Each package, put into a root that holds nothing else, and run there.
//!
//! The root of the .deb is a minimal Debian, into which its own dpkg installs it. The others are
//! unpacked into an empty folder: a static binary has to do without libraries, a shell and a name
//! service.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::program;

/// What is run inside, in a folder of the root.
const LINE: &str = "/usr/bin/fathom quick /data --size 64MiB --no-save --quiet --output json";

/// What is needed here, with the Debian packages that have it.
const NEEDED: [(&str, &str); 4] = [
    ("mmdebstrap", "mmdebstrap"),
    ("rpm2cpio", "rpm2cpio"),
    ("cpio", "cpio"),
    ("zstd", "zstd"),
];

/// A minimal Debian, and the package in it. Its apt reaches a mirror as this machine's does:
/// through the same proxy, and with the same mind about the age of a snapshot's lists.
const BARE_DEBIAN: &str = r#"
    apt-config dump Acquire >"$2.acquire"
    mmdebstrap --quiet --variant=essential --aptopt="$2.acquire" stable "$2"
    dpkg --root="$2" -i "$1"
"#;

/// Tries every package in the folder; true when all of them ran.
pub(super) fn run(folder: &Path) -> Result<bool> {
    for (name, package) in NEEDED {
        ensure!(
            program::is_there(name),
            "{name} is missing (package {package}); this needs root and Debian's packages"
        );
    }
    let mut names: Vec<String> = fs::read_dir(folder)
        .with_context(|| format!("{} (make the packages first)", folder.display()))?
        .filter_map(Result::ok)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let mut tried = 0;
    for name in names {
        let place = tempfile::tempdir().context("cannot make a folder")?;
        let root = place.path().join("root");
        fs::create_dir(&root)?;
        if !unpack(&folder.join(&name), &root)? {
            continue;
        }
        tried += 1;
        println!("{name}: {}", measure(&root)?);
    }
    ensure!(tried > 0, "there is no package in {}", folder.display());
    Ok(true)
}

/// Puts a package into a root; false for files that are none.
fn unpack(file: &Path, root: &Path) -> Result<bool> {
    let name = file.to_string_lossy();
    let shell = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-ec", script]).arg("sh").arg(file).arg(root);
        program::output(&mut command)
    };
    if name.ends_with(".deb") {
        shell(BARE_DEBIAN)?;
    } else if name.ends_with(".rpm") {
        shell("rpm2cpio \"$1\" | (cd \"$2\" && cpio --quiet -idm)")?;
    } else if name.ends_with(".tar.zst") {
        shell("zstd -dc \"$1\" | tar -x -C \"$2\" --strip-components=1")?;
    } else if name.ends_with(".oci.tar") {
        unpack_image(file, root)?;
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// Follows index and manifest to the layers, as an engine for containers does.
fn unpack_image(file: &Path, root: &Path) -> Result<()> {
    let place = tempfile::tempdir().context("cannot make a folder")?;
    tar::Archive::new(fs::File::open(file)?).unpack(place.path())?;
    let blob = |value: &Value| match value["digest"].as_str() {
        Some(digest) => Ok(place.path().join("blobs").join(digest.replace(':', "/"))),
        None => bail!("{value} names no blob"),
    };
    let read = |path: &Path| -> Result<Value> { Ok(serde_json::from_slice(&fs::read(path)?)?) };
    let index = read(&place.path().join("index.json"))?;
    let manifest = read(&blob(&index["manifests"][0])?)?;
    for layer in manifest["layers"]
        .as_array()
        .context("an image without layers")?
    {
        let packed = fs::File::open(blob(layer)?)?;
        tar::Archive::new(flate2::read::GzDecoder::new(packed)).unpack(root)?;
    }
    Ok(())
}

/// Runs it with the root as its root, in mounts of its own that end with it.
fn measure(root: &Path) -> Result<String> {
    for folder in ["proc", "sys", "dev", "data", "tmp"] {
        fs::create_dir_all(root.join(folder))?;
    }
    let script = "mount -t proc proc \"$1/proc\"; mount --bind /sys \"$1/sys\"; \
                  mount --bind /dev \"$1/dev\"; shift 0; exec chroot \"$1\" ";
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "--propagation", "private", "sh", "-ec"])
        .arg(format!("{script}{LINE}"))
        .arg("sh")
        .arg(root);
    let told = program::output(&mut command)?;
    let result: Value = serde_json::from_slice(&told).context("fathom printed no JSON")?;
    let phases = result["phases"].as_array().map_or(0, Vec::len);
    ensure!(phases > 0, "fathom measured nothing");
    Ok(format!("quick ran, {phases} phases"))
}
