//! Archives with the same bytes every time: owner, time and order are of the release alone.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

use super::contents::{Contents, Item};

/// Packs all files below a folder of the name and version, for whoever unpacks it anywhere.
pub(super) fn make(contents: &Contents, folder: &Path) -> Result<String> {
    let name = format!(
        "fathom-{}-{}",
        contents.release.version,
        std::env::consts::ARCH
    );
    let bytes = tar(contents, &format!("{name}/"))?;
    let file = format!("{name}.tar.zst");
    fs::write(folder.join(&file), zstd(&bytes, 19)?)?;
    Ok(file)
}

/// The files and their folders, their paths behind a prefix.
pub(super) fn tar(contents: &Contents, prefix: &str) -> Result<Vec<u8>> {
    tar_with(contents, prefix, &[])
}

/// The same with empty folders that every user may write to.
pub(super) fn tar_with(contents: &Contents, prefix: &str, open: &[&str]) -> Result<Vec<u8>> {
    let epoch_s = contents.release.epoch_s;
    let mut builder = Builder::new(Vec::new());
    for path in open {
        append(
            &mut builder,
            path,
            EntryType::Directory,
            0o1777,
            &[],
            epoch_s,
        )?;
    }
    if !prefix.is_empty() {
        append(
            &mut builder,
            prefix,
            EntryType::Directory,
            0o755,
            &[],
            epoch_s,
        )?;
    }
    for path in contents.folders() {
        let path = format!("{prefix}{path}/");
        append(
            &mut builder,
            &path,
            EntryType::Directory,
            0o755,
            &[],
            epoch_s,
        )?;
    }
    for Item { path, mode, bytes } in &contents.items {
        let path = format!("{prefix}{path}");
        append(
            &mut builder,
            &path,
            EntryType::Regular,
            *mode,
            bytes,
            epoch_s,
        )?;
    }
    builder.into_inner().context("the archive")
}

/// Some files alone, by their names.
pub(super) fn tar_of(files: &[(&str, u32, &[u8])], epoch_s: u64) -> Result<Vec<u8>> {
    let mut builder = Builder::new(Vec::new());
    for (path, mode, bytes) in files {
        append(
            &mut builder,
            path,
            EntryType::Regular,
            *mode,
            bytes,
            epoch_s,
        )?;
    }
    builder.into_inner().context("the archive")
}

fn append(
    builder: &mut Builder<Vec<u8>>,
    path: &str,
    kind: EntryType,
    mode: u32,
    bytes: &[u8],
    epoch_s: u64,
) -> Result<()> {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_mtime(epoch_s);
    header.set_uid(0);
    header.set_gid(0);
    header.set_username("root")?;
    header.set_groupname("root")?;
    header.set_size(bytes.len() as u64);
    builder
        .append_data(&mut header, path, bytes)
        .with_context(|| path.to_owned())
}

/// Without a name and a time in it.
pub(super) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// By the program: one thread, as more of them would cut the bytes otherwise.
pub(crate) fn zstd(bytes: &[u8], level: u32) -> Result<Vec<u8>> {
    let mut child = Command::new("zstd")
        .arg(format!("-{level}"))
        .args(["--single-thread", "--quiet", "--stdout", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run zstd")?;
    let mut input = child.stdin.take().context("zstd takes no input")?;
    let output = std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(bytes));
        child.wait_with_output()
    })?;
    ensure!(output.status.success(), "zstd ended with {}", output.status);
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::contents::example;

    #[test]
    fn an_archive_holds_folders_then_files_of_one_time_and_owner() {
        let bytes = tar(&example(), "").unwrap();
        let mut archive = tar::Archive::new(bytes.as_slice());
        let told: Vec<String> = archive
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let header = entry.header();
                format!(
                    "{:o} {}:{} {} {} {}",
                    header.mode().unwrap(),
                    header.uid().unwrap(),
                    header.gid().unwrap(),
                    header.mtime().unwrap(),
                    header.size().unwrap(),
                    entry.path().unwrap().display(),
                )
            })
            .collect();
        let expected = [
            "755 0:0 1700000000 0 usr/",
            "755 0:0 1700000000 0 usr/bin/",
            "755 0:0 1700000000 0 usr/share/",
            "755 0:0 1700000000 0 usr/share/doc/",
            "755 0:0 1700000000 0 usr/share/doc/fathom/",
            "755 0:0 1700000000 6 usr/bin/fathom",
            "644 0:0 1700000000 8 usr/share/doc/fathom/copyright",
        ];
        assert_eq!(told, expected);
        assert_eq!(tar(&example(), "").unwrap(), bytes);
    }
}
