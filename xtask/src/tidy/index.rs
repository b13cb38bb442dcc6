//! The front page of the documentation links every page.

use crate::finding::{Finding, Rule};
use crate::sources::Source;

const FRONT: &str = "docs/README.md";

pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let Some(front) = sources.iter().find(|source| source.path == FRONT) else {
        return Vec::new();
    };
    let pages = sources.iter().filter(|source| source.is_markdown());
    pages
        .filter_map(|page| page.path.strip_prefix("docs/"))
        .filter(|page| *page != "README.md" && !front.text.contains(&format!("]({page})")))
        .map(|page| {
            let message = format!("{page} is not linked from the front page");
            Finding::new(FRONT, 0, Rule::Index, message)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    #[test]
    fn a_page_without_a_link_is_found() {
        let sources = [
            source(FRONT, "[a](a.md)"),
            source("docs/a.md", ""),
            source("docs/b/c.md", ""),
            source("README.md", ""),
        ];
        let message = "b/c.md is not linked from the front page".to_owned();
        assert_eq!(
            check(&sources),
            [Finding::new(FRONT, 0, Rule::Index, message)]
        );
    }
}
