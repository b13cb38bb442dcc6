//! The house rules that neither rustfmt nor clippy checks.

mod assertions;
mod cycles;
mod english;
mod exceptions;
mod facade;
mod fences;
mod index;
mod lengths;
mod licences;
mod links;
mod names;
mod origins;
mod paths;
mod platforms;
mod purity;
mod toolchain;
mod words;

use anyhow::Result;

use crate::finding::Finding;
use crate::layers::{self, LayerTable};
use crate::metadata;
use crate::sources;

/// Checks everything and prints what was found; true when nothing was.
pub(crate) fn run() -> Result<bool> {
    let sources = sources::all()?;
    let table = LayerTable::parse(&sources::read(layers::TABLE)?)?;
    let members = metadata::members()?.packages;

    let mut findings = table.check(&members);
    findings.extend(layers::check_document(
        &table,
        &sources::read(layers::DOCUMENT)?,
    ));
    findings.extend(fences::check(&table, &members, &sources));
    let packages = metadata::everything()?.packages;
    findings.extend(licences::check(&sources::read(licences::LIST)?, &packages)?);
    findings.extend(origins::check(&packages));
    findings.extend(cycles::check(&sources));
    findings.extend(index::check(&sources));
    let english = english::count(&sources);
    let (over, notes) = english::check(&sources::read(english::LIMITS)?, &english)?;
    findings.extend(over);
    for source in &sources {
        findings.extend(words::check(source));
        if source.is_rust() {
            findings.extend(lengths::check(source));
            findings.extend(facade::check(source));
            findings.extend(names::check(source));
            findings.extend(assertions::check(source));
            findings.extend(purity::check(&table, source));
            findings.extend(platforms::check(source));
        } else if source.is_markdown() {
            findings.extend(paths::check(source, &sources));
            findings.extend(links::check(source, &sources));
            findings.extend(toolchain::check(&members, source));
        }
    }
    let mut findings = exceptions::apply(&sources::read(exceptions::LIST)?, findings)?;
    findings.sort();

    for note in sources.iter().filter_map(lengths::note).chain(notes) {
        println!("note: {note}");
    }
    for finding in &findings {
        println!("{finding}");
    }
    Ok(summary(sources.len(), &findings))
}

fn summary(files: usize, findings: &[Finding]) -> bool {
    match findings.len() {
        0 => println!("tidy: {files} files, nothing found"),
        1 => println!("tidy: {files} files, 1 finding"),
        count => println!("tidy: {files} files, {count} findings"),
    }
    findings.is_empty()
}
