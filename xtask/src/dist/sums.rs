//! `SHA256SUMS`, as `sha256sum --check` reads it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest as _, Sha256};

/// Name of the file.
pub(crate) const NAME: &str = "SHA256SUMS";

/// Writes it for the named files of the folder, and prints it.
pub(crate) fn write(folder: &Path, names: &[String]) -> Result<()> {
    let mut names = names.to_vec();
    names.sort();
    let line = |name: &String| {
        let bytes = fs::read(folder.join(name)).with_context(|| name.clone())?;
        Ok(format!("{:x}  {name}\n", Sha256::digest(&bytes)))
    };
    let text: String = names.iter().map(line).collect::<Result<_>>()?;
    fs::write(folder.join(NAME), &text).context(NAME)?;
    print!("{text}");
    Ok(())
}
