//! Every dependency comes under at least one licence of the list in `deny.toml`.
//!
//! cargo-deny checks the same, and more, before a release; it takes minutes to install, and this
//! takes none.

use std::iter::Peekable;
use std::vec::IntoIter;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::finding::{Finding, Rule};
use crate::metadata::Package;

/// Where the list stands.
pub(super) const LIST: &str = "deny.toml";

#[derive(Deserialize)]
struct DenyConfig {
    licenses: Licences,
}

#[derive(Deserialize)]
struct Licences {
    allow: Vec<String>,
}

pub(super) fn check(list: &str, packages: &[Package]) -> Result<Vec<Finding>> {
    let config: DenyConfig = toml::from_str(list).with_context(|| format!("cannot read {LIST}"))?;
    let allow = config.licenses.allow;
    let refused = packages.iter().filter_map(|package| {
        let expression = package.license.as_deref().unwrap_or("none stated");
        let permitted = is_permitted(expression, &allow);
        let message = format!(
            "{} {}: licence `{expression}` is not on it",
            package.name, package.version
        );
        (!permitted).then(|| Finding::new(LIST, 0, Rule::Licence, message))
    });
    Ok(refused.collect())
}

/// Whether the expression can be met by allowed licences alone. The grammar is SPDX's (AND binds
/// tighter than OR, WITH belongs to its licence), with the old `/` for OR.
fn is_permitted(expression: &str, allow: &[String]) -> bool {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let words: Vec<String> = spaced.split_whitespace().map(str::to_owned).collect();
    let mut words = words.into_iter().peekable();
    either(&mut words, allow) == Some(true) && words.next().is_none()
}

type LicenceWords = Peekable<IntoIter<String>>;

/// `None` where the text is no expression.
fn either(words: &mut LicenceWords, allow: &[String]) -> Option<bool> {
    let mut permitted = both(words, allow)?;
    while words.next_if_eq("OR").is_some() {
        permitted |= both(words, allow)?;
    }
    Some(permitted)
}

fn both(words: &mut LicenceWords, allow: &[String]) -> Option<bool> {
    let mut permitted = one(words, allow)?;
    while words.next_if_eq("AND").is_some() {
        permitted &= one(words, allow)?;
    }
    Some(permitted)
}

fn one(words: &mut LicenceWords, allow: &[String]) -> Option<bool> {
    let mut name = words.next()?;
    if name == "(" {
        let permitted = either(words, allow)?;
        return words.next_if_eq(")").map(|_| permitted);
    }
    if words.next_if_eq("WITH").is_some() {
        name = format!("{name} WITH {}", words.next()?);
    }
    Some(allow.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_permitted_when_allowed_licences_can_meet_it() {
        let allow = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
        let cases = [
            ("MIT", true),
            ("MIT/GPL-2.0", true),
            ("MIT OR LGPL-2.1-or-later", true),
            ("GPL-3.0-or-later", false),
            ("MIT AND GPL-2.0-only", false),
            ("GPL-2.0-only OR MIT AND Apache-2.0", true),
            ("(GPL-2.0-only OR MIT) AND AGPL-3.0", false),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("MIT WITH LLVM-exception", false),
            ("(MIT", false),
            ("MIT Apache-2.0", false),
            ("", false),
        ];
        for (expression, permitted) in cases {
            assert_eq!(is_permitted(expression, &allow), permitted, "{expression}");
        }
    }

    #[test]
    fn a_refused_package_is_named_with_its_licence() {
        let package = |name: &str, license: Option<&str>| Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: license.map(str::to_owned),
            ..Package::default()
        };
        let packages = [
            package("a", Some("MIT")),
            package("b", Some("AGPL-3.0-only")),
            package("c", None),
        ];
        let found = |message| Finding::new(LIST, 0, Rule::Licence, message);
        let expected = vec![
            found("b 1.0.0: licence `AGPL-3.0-only` is not on it"),
            found("c 1.0.0: licence `none stated` is not on it"),
        ];
        assert_eq!(
            check("[licenses]\nallow = [\"MIT\"]\n", &packages).unwrap(),
            expected
        );
    }
}
