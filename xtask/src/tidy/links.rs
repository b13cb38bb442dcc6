//! Links between documents lead to files and headings that are there.

use std::path::{Component, Path, PathBuf};

use crate::finding::{Finding, Rule};
use crate::site::links;
use crate::sources::Source;

/// Checks the links of a Markdown document to files of the repository.
pub(super) fn check(document: &Source, sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in text_lines(&document.text) {
        for link in links(line).filter(|link| is_inside(link)) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let path = resolved(&document.path, file);
            let target = sources.iter().find(|source| source.path == path);
            let is_right = match target {
                Some(target) => heading.is_empty() || has_heading(&target.text, heading),
                None => sources.iter().any(|source| {
                    let below = source.path.strip_prefix(&path);
                    below.is_some_and(|below| below.starts_with('/'))
                }),
            };
            if !is_right {
                let message = format!("the link {link} leads nowhere");
                findings.push(Finding::new(&document.path, number, Rule::Path, message));
            }
        }
    }
    findings
}

/// Numbers and lines, without those of code.
fn text_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((index + 1, line))
    })
}

/// Whether a link leads to a file of ours. Pictures that are not text are not known here.
fn is_inside(link: &str) -> bool {
    let file = link.split('#').next().unwrap_or(link);
    let is_text = Path::new(file).extension().is_some_and(|end| end == "md");
    !link.contains(':') && (is_text || link.starts_with('#') || link.starts_with("../"))
}

/// A path from the root of the repository.
fn resolved(from: &str, file: &str) -> String {
    if file.is_empty() {
        return from.to_owned();
    }
    let mut path = PathBuf::from(from);
    path.pop();
    for part in Path::new(file).components() {
        if part == Component::ParentDir {
            path.pop();
        } else {
            path.push(part);
        }
    }
    path.display().to_string()
}

fn has_heading(text: &str, name: &str) -> bool {
    let headings = text_lines(text).filter(|(_, line)| line.starts_with('#'));
    let mut names = headings.map(|(_, line)| anchor(line.trim_start_matches('#').trim()));
    names.any(|heading| heading == name) || text.contains(&format!("<a id=\"{name}\">"))
}

/// The name that pages give a heading.
fn anchor(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let letters = lower.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '_' | '-' => Some(c),
        _ => c.is_alphanumeric().then_some(c),
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    #[test]
    fn a_link_needs_its_file_and_its_heading() {
        let text = "# Top\n[a](b.md) [b](b.md#the-_end_-of-it) [c](../x/y) [d](#top) [e](a:b)\n\
                    [f](c.md) [g](b.md#begin)\n```\n[h](d.md)\n```\n[i](../z) [j](p.svg)\n";
        let sources = [
            source("docs/a.md", text),
            source("docs/b.md", "## The `_end_` of it\n"),
            source("x/y/z", ""),
        ];
        let found = |line, link| {
            let message = format!("the link {link} leads nowhere");
            Finding::new("docs/a.md", line, Rule::Path, message)
        };
        let expected = [found(3, "c.md"), found(3, "b.md#begin"), found(7, "../z")];
        assert_eq!(check(&sources[0], &sources), expected);
    }
}
