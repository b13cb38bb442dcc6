//! The packages of Debian that the image is made of: downloaded and unpacked, never installed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::dist::program;

/// The package that depends on the kernel of the release.
const KERNEL: &str = "linux-image-amd64";

/// What boots, what runs in the image, and the libraries of it.
const NAMES: [&str; 37] = [
    "busybox-static",
    "ca-certificates",
    "gcc-12-base",
    "grub-common",
    "grub-efi-amd64-bin",
    "grub-pc-bin",
    "libc6",
    "libcap2",
    "libcom-err2",
    "libcrypt1",
    "libdbus-1-3",
    "libedit2",
    "libbsd0",
    "libmd0",
    "libfido2-1",
    "libcbor0.8",
    "libudev1",
    "libtinfo6",
    "libgcc-s1",
    "libgcrypt20",
    "libgpg-error0",
    "libgssapi-krb5-2",
    "libjson-c5",
    "libk5crypto3",
    "libkeyutils1",
    "libkrb5-3",
    "libkrb5support0",
    "liblz4-1",
    "liblzma5",
    "libnvme1",
    "libpcre2-8-0",
    "libselinux1",
    "libssl3",
    "libstdc++6",
    "libsystemd0",
    "libzstd1",
    "zlib1g",
];

/// Programs, which need the libraries.
const PROGRAMS: [&str; 4] = [
    "nvme-cli",
    "openssh-client",
    "smartmontools",
    "systemd-boot-efi",
];

/// A package that was unpacked.
#[derive(Clone, Debug)]
pub struct Package {
    pub name: String,
    pub version: String,
    pub root: PathBuf,
}

/// All of them.
#[derive(Clone, Debug)]
pub struct Packages {
    pub all: Vec<Package>,
}

/// The kernel in its package.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The file that a loader starts.
    pub image: PathBuf,
    /// Its release, as `uname -r` says it.
    pub release: String,
    /// The folder of its modules.
    pub modules: PathBuf,
}

impl Packages {
    /// Downloads those that are not in the folder yet, in the versions that apt knows; `more` are
    /// for others than the live image.
    pub fn gather(folder: &Path, more: &[&str]) -> Result<Self> {
        let debs = folder.join("packages");
        fs::create_dir_all(&debs)?;
        let kernel = depends(KERNEL)?;
        let mut names: Vec<&str> = NAMES
            .iter()
            .chain(&PROGRAMS)
            .copied()
            .chain([kernel.as_str()])
            .chain(more.iter().copied())
            .collect();
        names.sort_unstable();
        names.dedup();
        let versions = candidates(&names)?;
        let file = |name: &str| {
            let version = versions.get(name).map(|text| text.replace(':', "%3a"));
            version.map(|version| format!("{name}_{version}_"))
        };
        let is_there = |name: &&&str| {
            file(name).is_some_and(|start| found(&debs, &start).is_ok_and(|one| one.is_some()))
        };
        let absent: Vec<&&str> = names.iter().filter(|name| !is_there(name)).collect();
        if !absent.is_empty() {
            println!("downloads {} packages of Debian", absent.len());
            let mut command = Command::new("apt-get");
            command.arg("download").args(absent).current_dir(&debs);
            program::output(&mut command)?;
        }
        let mut all = Vec::new();
        for name in names {
            let version = versions
                .get(name)
                .with_context(|| format!("{name} is unknown to apt"))?;
            let start = format!("{name}_{}_", version.replace(':', "%3a"));
            let deb = found(&debs, &start)?.with_context(|| format!("no package {start}*.deb"))?;
            let root = folder
                .join("unpacked")
                .join(deb.file_stem().unwrap_or_default());
            if !root.exists() {
                let part = root.with_extension("part");
                fs::create_dir_all(&part)?;
                program::output(Command::new("dpkg-deb").arg("-x").args([&deb, &part]))?;
                fs::rename(&part, &root)?;
            }
            all.push(Package {
                name: name.to_owned(),
                version: version.clone(),
                root,
            });
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { all })
    }

    /// A file of any of them, by its path below `/` as the package has it.
    pub fn file(&self, path: &str) -> Result<PathBuf> {
        let mut places = self.all.iter().map(|package| package.root.join(path));
        places
            .find(|place| place.exists())
            .with_context(|| format!("no package has {path}"))
    }

    /// Finds the kernel among the packages.
    pub fn kernel(&self) -> Result<Kernel> {
        let is_kernel = |package: &&Package| package.root.join("lib/modules").exists();
        let package = self.all.iter().find(is_kernel).context("no kernel")?;
        let mut folders = fs::read_dir(package.root.join("lib/modules"))?;
        let modules = folders.next().context("no modules")??.path();
        let release = modules.file_name().unwrap_or_default();
        let release = release.to_string_lossy().into_owned();
        Ok(Kernel {
            image: package.root.join(format!("boot/vmlinuz-{release}")),
            release,
            modules,
        })
    }
}

/// The file in a folder whose name begins so.
fn found(folder: &Path, start: &str) -> Result<Option<PathBuf>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(start) && name.ends_with(".deb") {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// The first package that one depends on.
fn depends(name: &str) -> Result<String> {
    let told = program::text(Command::new("apt-cache").args(["depends", name]))?;
    let mut lines = told.lines();
    let line = lines.find_map(|line| line.trim().strip_prefix("Depends: "));
    let package = line.with_context(|| {
        format!("apt knows no {name}: the image is made on Debian, after `apt-get update`")
    })?;
    ensure!(!package.starts_with('<'), "{name} depends on {package}");
    Ok(package.to_owned())
}

/// The version of each package that would be downloaded.
fn candidates(names: &[&str]) -> Result<BTreeMap<String, String>> {
    let mut command = Command::new("apt-cache");
    command.args(["show", "--no-all-versions"]).args(names);
    let told = program::text(&mut command)?;
    let mut versions = BTreeMap::new();
    let mut package = None;
    for line in told.lines() {
        if let Some(name) = line.strip_prefix("Package: ") {
            package = Some(name.to_owned());
        } else if let (Some(version), Some(name)) = (line.strip_prefix("Version: "), &package) {
            versions.insert(name.clone(), version.to_owned());
        }
    }
    Ok(versions)
}
