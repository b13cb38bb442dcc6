//! Fathom for Windows: a ZIP archive with the program, the licences and the bill of materials.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::contents::Contents;
use super::{binary, notices, root, sbom, zip};

const TARGET: &str = "x86_64-pc-windows-gnu";

/// Largest program that is shipped, in bytes.
const LARGEST_BYTES: usize = 25_000_000;

/// Makes it.
pub(super) fn make(contents: &Contents, folder: &Path) -> Result<String> {
    let built = binary::build_for(&contents.release, TARGET, "fathom.exe", &[])?;
    let program = fs::read(&built).with_context(|| built.display().to_string())?;
    ensure!(
        program.len() < LARGEST_BYTES,
        "fathom.exe has {} bytes, more than {LARGEST_BYTES}",
        program.len()
    );
    let guide = fs::read(root().join("docs/windows.md")).context("docs/windows.md")?;
    let licences = notices::all(TARGET)?;
    let (bill, _) = sbom::of(&contents.release, TARGET)?;
    let version = &contents.release.version;
    let archive = format!("fathom-{version}-x86_64-windows.zip");
    let packed = zip::of(&[
        ("fathom.exe", &program),
        ("LICENCES.txt", licences.as_bytes()),
        ("fathom.cdx.json", bill.as_bytes()),
        ("windows.md", &guide),
    ])?;
    fs::write(folder.join(&archive), &packed).context("the archive")?;
    println!("        fathom.exe, {} bytes", program.len());
    Ok(archive)
}
