//! Fathom for Windows: a ZIP archive with the program, the licences and the bill of materials.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::contents::Contents;
use super::{binary, notices, program, root, sbom, zip};

const TARGET: &str = "x86_64-pc-windows-gnu";

/// Reads the names of libraries that a program needs; it comes with the compiler.
const OBJDUMP: &str = "x86_64-w64-mingw32-objdump";

/// The licences of the C runtime that is linked into the program, which ask to be passed on with
/// it.
const RUNTIME: &str = "/usr/share/doc/mingw-w64-x86-64-dev/copyright";

/// Largest program that is shipped, in bytes.
const LARGEST_BYTES: usize = 25_000_000;

/// Makes it.
pub(super) fn make(contents: &Contents, folder: &Path) -> Result<String> {
    let built = binary::build_for(&contents.release, TARGET, "fathom.exe", &[])?;
    let bytes = fs::read(&built).with_context(|| built.display().to_string())?;
    ensure!(
        bytes.len() < LARGEST_BYTES,
        "fathom.exe has {} bytes, more than {LARGEST_BYTES}",
        bytes.len()
    );
    let headers = program::text(Command::new(OBJDUMP).arg("--private-headers").arg(&built))?;
    let missing = foreign(&headers);
    ensure!(
        missing.is_empty(),
        "fathom.exe needs {} to start, which not every Windows has",
        missing.join(", ")
    );
    let guide = fs::read(root().join("docs/windows.md")).context("docs/windows.md")?;
    let runtime = fs::read_to_string(RUNTIME)
        .with_context(|| format!("{RUNTIME} of Debian's package mingw-w64-x86-64-dev"))?;
    let licences = format!(
        "{}\n==== mingw-w64 runtime\n\n{}\n",
        notices::all(TARGET)?,
        runtime.trim_end()
    );
    let (bill, _) = sbom::of(&contents.release, TARGET)?;
    let version = &contents.release.version;
    let archive = format!("fathom-{version}-x86_64-windows.zip");
    let packed = zip::of(&[
        ("fathom.exe", &bytes),
        ("LICENCES.txt", licences.as_bytes()),
        ("fathom.cdx.json", bill.as_bytes()),
        ("windows.md", &guide),
    ])?;
    fs::write(folder.join(&archive), &packed).context("the archive")?;
    println!("        fathom.exe, {} bytes", bytes.len());
    Ok(archive)
}

/// Libraries that some editions of Windows lack, as Nano Server: the program loads them itself.
const LOADED: [&str; 2] = ["pdh.dll", "rstrtmgr.dll"];

/// The libraries that a program needs and not every Windows has. Those of the compiler begin with
/// `lib`.
fn foreign(headers: &str) -> Vec<&str> {
    let lines = headers.lines().map(str::trim);
    let names = lines.filter_map(|line| line.strip_prefix("DLL Name: "));
    let is_foreign = |name: &&str| {
        name.starts_with("lib") || LOADED.iter().any(|one| one.eq_ignore_ascii_case(name))
    };
    names.filter(is_foreign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_of_the_compiler_is_none_of_windows() {
        let headers = "\tDLL Name: KERNEL32.dll\n\tvma:  Hint/Ord Member-Name Bound-To\n\
                       \tDLL Name: libgcc_s_seh-1.dll\n\tDLL Name: libwinpthread-1.dll\n\
                       \tDLL Name: pdh.dll\n";
        assert_eq!(
            foreign(headers),
            ["libgcc_s_seh-1.dll", "libwinpthread-1.dll", "pdh.dll"]
        );
        assert_eq!(foreign("\tDLL Name: ntdll.dll\n"), [""; 0]);
    }
}
