//! Licences of Fathom and of everything in its binary, with the texts that their authors ask to be
//! passed on.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::root;
use crate::metadata::{self, Package};

/// Begins of names of files that hold such a text, in lower case.
const NAMES: [&str; 5] = ["licen", "copying", "notice", "copyright", "unlicense"];

/// The whole text for the binary of a target.
pub(crate) fn all(target: &str) -> Result<String> {
    let mut text = String::from(
        "Fathom is licensed under MIT or Apache-2.0, at your option.\n\
         Below are its own licences, then its parts, each with its licence.\n",
    );
    add_folder(&mut text, &root(), "fathom")?;
    for package in metadata::shipped(target)? {
        add_package(&mut text, &package)?;
    }
    Ok(text)
}

fn add_package(text: &mut String, package: &Package) -> Result<()> {
    let title = format!(
        "{} {}: {}",
        package.name,
        package.version,
        package.license.as_deref().unwrap_or("licence not stated")
    );
    let folder = package.manifest_path.parent().context("a manifest")?;
    add_folder(text, folder, &title)
}

/// Adds the texts that lie in a folder under a title, which stands also where there is none.
fn add_folder(text: &mut String, folder: &Path, title: &str) -> Result<()> {
    text.extend(["\n==== ", title, "\n"]);
    let mut files: Vec<_> = fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .filter_map(Result::ok)
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            NAMES.iter().any(|begin| name.starts_with(begin)) && entry.path().is_file()
        })
        .collect();
    files.sort_by_key(fs::DirEntry::file_name);
    for file in files {
        let content =
            fs::read_to_string(file.path()).with_context(|| file.path().display().to_string())?;
        let name = file.file_name().to_string_lossy().into_owned();
        text.extend(["\n---- ", &name, "\n\n", content.trim_end(), "\n"]);
    }
    Ok(())
}
