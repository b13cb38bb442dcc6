//! Files by which package managers, and a script, install a release. `xtask/templates/` has their
//! forms, which one table of facts fills.

use std::fs;

use anyhow::{Context as _, Result};
use askama::Template;

use super::facts::Facts;
use super::install::Script;
use super::shelf::Shelf;

/// Of one tool.
struct Recipe {
    /// In the folder of the release.
    file: &'static str,
    /// Ending of the files that it installs.
    ending: &'static str,
    render: fn(&Facts) -> askama::Result<String>,
}

/// The archive with manual pages and licences.
const ARCHIVE: &str = ".tar.zst";
/// The program alone.
const PROGRAM: &str = "";
const WINDOWS: &str = "-windows.zip";

const RECIPES: [Recipe; 7] = [
    Recipe {
        file: "fathom.rb",
        ending: ARCHIVE,
        render: |facts| Homebrew { facts }.render(),
    },
    Recipe {
        file: "PKGBUILD",
        ending: ARCHIVE,
        render: |facts| Pkgbuild { facts }.render(),
    },
    Recipe {
        file: ".SRCINFO",
        ending: ARCHIVE,
        render: |facts| Srcinfo { facts }.render(),
    },
    Recipe {
        file: "flake.nix",
        ending: ARCHIVE,
        render: |facts| Flake { facts }.render(),
    },
    Recipe {
        file: "install.sh",
        ending: PROGRAM,
        render: |facts| Script::new(facts).render(),
    },
    Recipe {
        file: "fathom.winget.yaml",
        ending: WINDOWS,
        render: |facts| Winget { facts }.render(),
    },
    Recipe {
        file: "fathom.scoop.json",
        ending: WINDOWS,
        render: |facts| Scoop { facts }.render(),
    },
];

/// How systems find the repositories, and the key that has to have signed them.
const SIGNED: [Recipe; 3] = [
    Recipe {
        file: "fathom.asc",
        ending: PROGRAM,
        render: |facts| Ok(facts.key.clone()),
    },
    Recipe {
        file: "fathom.sources",
        ending: PROGRAM,
        render: |facts| Apt { facts }.render(),
    },
    Recipe {
        file: "fathom.repo",
        ending: PROGRAM,
        render: |facts| Dnf { facts }.render(),
    },
];

#[derive(Template)]
#[template(path = "fathom.rb", escape = "none")]
struct Homebrew<'a> {
    facts: &'a Facts,
}

#[derive(Template)]
#[template(path = "PKGBUILD", escape = "none")]
struct Pkgbuild<'a> {
    facts: &'a Facts,
}

#[derive(Template)]
#[template(path = "SRCINFO", escape = "none")]
struct Srcinfo<'a> {
    facts: &'a Facts,
}

#[derive(Template)]
#[template(path = "flake.nix", escape = "none")]
struct Flake<'a> {
    facts: &'a Facts,
}

#[derive(Template)]
#[template(path = "winget.yaml", escape = "none")]
struct Winget<'a> {
    facts: &'a Facts,
}

#[derive(Template)]
#[template(path = "scoop.json", escape = "none")]
struct Scoop<'a> {
    facts: &'a Facts,
}

#[derive(Template)]
#[template(path = "fathom.sources", escape = "none")]
struct Apt<'a> {
    facts: &'a Facts,
}

#[derive(Template)]
#[template(path = "fathom.repo", escape = "none")]
struct Dnf<'a> {
    facts: &'a Facts,
}

impl Recipe {
    fn text(&self, facts: &Facts) -> Result<String> {
        let text = (self.render)(facts).with_context(|| self.file.to_owned())?;
        // Templates end without the last line end.
        Ok(format!("{}\n", text.trim_end()))
    }
}

/// Writes each whose files are in the folder, and gives their names.
pub(super) fn make(shelf: &Shelf<'_>) -> Result<Vec<String>> {
    let mut made = Vec::new();
    let signed = shelf.key.iter().flat_map(|_| &SIGNED);
    for recipe in RECIPES.iter().chain(signed) {
        let facts = Facts::of(shelf, recipe.ending)?;
        if facts.files.is_empty() {
            println!(
                "        {} not made: no file *{}",
                recipe.file, recipe.ending
            );
            continue;
        }
        fs::write(shelf.folder.join(recipe.file), recipe.text(&facts)?)?;
        made.push(recipe.file.to_owned());
    }
    Ok(made)
}

#[cfg(test)]
mod manifests;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::facts;

    /// The forms change only as somebody wants.
    #[test]
    fn recipes_have_the_facts_of_their_files() {
        let mut all = String::new();
        for recipe in RECIPES.iter().chain(&SIGNED) {
            // Its own tests run it.
            if recipe.file != "install.sh" {
                let text = recipe.text(&facts::example(recipe.ending)).unwrap();
                all.extend([
                    "==== ",
                    recipe.file,
                    "
",
                    &text,
                ]);
            }
        }
        insta::assert_snapshot!(all);
    }
}
