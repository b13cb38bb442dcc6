//! The documentation as a site with search, by mdBook. Its chapters are the questions of
//! `docs/README.md`, so that there is one table of contents.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::dist::program;
use crate::metadata;
use crate::sources::{self, Source};

const FRONT: &str = "docs/README.md";

/// The first page of the site.
const START: &str = "README.md";

/// Pages of the repository in addition to those of docs/, which link them.
const OTHERS: [&str; 3] = ["CHANGELOG.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/// Each page stays under its name, README too, as links have it.
const BOOK: &str = "\
[book]
title = \"Fathom\"
src = \"src\"

[build]
use-default-preprocessors = false

[output.html]
no-section-label = true
";

/// Builds it in `target/site/book`.
pub(crate) fn run() -> Result<bool> {
    ensure!(
        program::is_there("mdbook"),
        "mdbook is missing. Install it with cargo install --locked mdbook"
    );
    let folder = metadata::members()?.target_directory.join("site");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(folder.join("src"))?;
    // The same folders as in the repository, so that links stay as they are.
    let mut copy = Command::new("cp");
    copy.args(["-r", "docs", "deploy", START]).args(OTHERS);
    program::output(copy.arg(folder.join("src")).current_dir(sources::root()))?;
    fs::write(folder.join("src/SUMMARY.md"), summary(&sources::all()?)?)?;
    fs::write(folder.join("book.toml"), BOOK)?;
    program::output(Command::new("mdbook").arg("build").arg(&folder))?;
    println!("{}", folder.join("book/index.html").display());
    Ok(true)
}

/// The table of contents: a part for each heading of the front page, a chapter for each page that
/// it links for the first time, under the question of its row.
fn summary(all: &[Source]) -> Result<String> {
    let page = |path: &str| all.iter().find(|source| source.path == path);
    let front = page(FRONT).context(FRONT)?;
    let mut text = format!("[Fathom]({START})\n[{}]({FRONT})\n", title(front));
    let mut seen = BTreeSet::new();
    for line in front.text.lines() {
        if let Some(part) = line.strip_prefix("## ") {
            text.extend(["\n# ", part, "\n\n"]);
        }
        let mut question = line.split('|').nth(1).map(str::trim);
        for link in links(line) {
            let name = link.split('#').next().unwrap_or(link);
            let path = format!("docs/{name}");
            let Some(page) = page(&path).filter(|_| seen.insert(name)) else {
                continue;
            };
            let title = question
                .take()
                .map_or_else(|| title(page).to_owned(), capitalized);
            text.extend(["- [", &title, "](", &path, ")\n"]);
        }
    }
    text.push_str("\n# About the project\n\n");
    for path in OTHERS {
        let page = page(path).with_context(|| path.to_owned())?;
        text.extend(["- [", title(page), "](", path, ")\n"]);
    }
    Ok(text)
}

/// Targets of the links of a line.
pub(crate) fn links(line: &str) -> impl Iterator<Item = &str> {
    let ends = line.split("](").skip(1);
    ends.filter_map(|after| after.split(')').next())
}

fn title(page: &Source) -> &str {
    let heading = page.text.lines().find_map(|line| line.strip_prefix("# "));
    heading.unwrap_or(page.file_name())
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    #[test]
    fn questions_are_chapters_and_each_page_is_one() {
        let front = "# Documentation\n\n## I have a disk\n\n| I want to | page |\n| --- | --- |\n\
                     | how fast it is | [a](a.md), [b](x/b.md) |\n| why | [a](a.md#why) |\n";
        let mut all = vec![
            source(FRONT, front),
            source("docs/a.md", "# Page a\n"),
            source("docs/x/b.md", "# Page b\n"),
        ];
        all.extend(OTHERS.map(|path| source(path, "# Other\n")));
        let expected = "\
[Fathom](README.md)
[Documentation](docs/README.md)

# I have a disk

- [How fast it is](docs/a.md)
- [Page b](docs/x/b.md)

# About the project

- [Other](CHANGELOG.md)
- [Other](ARCHITECTURE.md)
- [Other](CONTRIBUTING.md)
";
        assert_eq!(summary(&all).unwrap(), expected);
    }
}
