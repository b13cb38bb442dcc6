//! The package of Red Hat, SUSE and their descendants, by their own program.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::contents::{Contents, Item};
use super::program;
use super::release::{DESCRIPTION, LICENCE};

/// Makes it.
pub(super) fn make(contents: &Contents, folder: &Path) -> Result<String> {
    let workplace = tempfile::tempdir().context("cannot make a folder")?;
    let tree = workplace.path().join("tree");
    for item in &contents.items {
        let path = tree.join(&item.path);
        fs::create_dir_all(path.parent().unwrap_or(&tree))?;
        fs::write(&path, &item.bytes)?;
    }
    let text = specification(contents);
    let file = workplace.path().join("fathom.spec");
    fs::write(&file, text)?;
    let define = |name: &str, value: &str| ["--define".to_owned(), format!("{name} {value}")];
    let mut command = Command::new("rpmbuild");
    command
        .arg("-bb")
        .args(["--target", std::env::consts::ARCH])
        .args(define("_topdir", &workplace.path().display().to_string()))
        .args(define("tree", &tree.display().to_string()))
        .args(define("_buildhost", "localhost"))
        .args(define("use_source_date_epoch_as_buildtime", "1"))
        .args(define("clamp_mtime_to_source_date_epoch", "1"))
        .args(define("_binary_payload", "w9.gzdio"))
        .arg(&file)
        .env("SOURCE_DATE_EPOCH", contents.release.epoch_s.to_string());
    program::output(&mut command)?;
    let name = format!(
        "fathom-{}-1.{}.rpm",
        contents.release.version,
        std::env::consts::ARCH
    );
    let made = workplace
        .path()
        .join("RPMS")
        .join(std::env::consts::ARCH)
        .join(&name);
    fs::copy(&made, folder.join(&name)).with_context(|| made.display().to_string())?;
    Ok(name)
}

/// What rpmbuild reads. The files are made already, so nothing is built, stripped or searched for
/// what it may depend on.
fn specification(contents: &Contents) -> String {
    let mut text = format!(
        "Name: fathom\n\
         Version: {}\n\
         Release: 1\n\
         Summary: {}\n\
         License: {LICENCE}\n\
         AutoReqProv: no\n\
         Recommends: openssh-clients\n\
         %global debug_package %{{nil}}\n\
         %global __os_install_post %{{nil}}\n\
         %description\n\
         {DESCRIPTION}\
         %install\n\
         cp -a %{{tree}}/. %{{buildroot}}\n\
         find %{{buildroot}} -exec touch -h -d @{} {{}} +\n\
         %files\n",
        contents.release.version, contents.release.summary, contents.release.epoch_s
    );
    let line = |item: &Item| {
        format!(
            "%attr({:o}, root, root) /{}
",
            item.mode, item.path
        )
    };
    text.extend(contents.items.iter().map(line));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::contents::example;

    #[test]
    fn the_specification_lists_every_file_with_its_mode() {
        let text = specification(&example());
        let (_, files) = text.split_once("%files\n").unwrap();
        let expected = "\
%attr(755, root, root) /usr/bin/fathom
%attr(644, root, root) /usr/share/doc/fathom/copyright
";
        assert_eq!(files, expected);
    }
}
