//! Every dependency comes from crates.io, and ours say which versions of it will do.
//!
//! What cargo-deny calls sources and wildcards; of its checks only the advisories and yanked
//! versions need the network, and are left to it.

use crate::finding::{Finding, Rule};
use crate::metadata::Package;

/// Where the rules stand.
const LIST: &str = "deny.toml";

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

pub(super) fn check(packages: &[Package]) -> Vec<Finding> {
    packages.iter().flat_map(of_package).collect()
}

fn of_package(package: &Package) -> Vec<Finding> {
    let name = format!("{} {}", package.name, package.version);
    let found = |message: String| Finding::new(LIST, 0, Rule::Origin, message);
    match package.source.as_deref() {
        Some(CRATES_IO) => Vec::new(),
        Some(other) => vec![found(format!(
            "{name}: comes from `{other}`, not crates.io"
        ))],
        // One of ours; what lies in a folder has its version there.
        None => {
            let others = package.dependencies.iter().filter(|one| one.path.is_none());
            let open = others.filter(|one| one.req == "*");
            let message = |one: &str| format!("{name}: any version of `{one}` would do");
            open.map(|one| found(message(&one.name))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Dependency;

    #[test]
    fn what_is_not_of_crates_io_or_of_any_version_is_named() {
        let package = |name: &str, source: Option<&str>, dependencies: &[Dependency]| Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            source: source.map(str::to_owned),
            dependencies: dependencies.to_vec(),
            ..Package::default()
        };
        let needs = |name: &str, req: &str, path: Option<&str>| Dependency {
            name: name.to_owned(),
            kind: None,
            req: req.to_owned(),
            path: path.map(Into::into),
        };
        let ours = [
            needs("a", "^1", None),
            needs("b", "*", None),
            needs("fathom-core", "*", Some("/core")),
        ];
        let packages = [
            package("a", Some(CRATES_IO), &[needs("c", "*", None)]),
            package("b", Some("git+https://example.org/b"), &[]),
            package("ours", None, &ours),
        ];
        let found = |message| Finding::new(LIST, 0, Rule::Origin, message);
        let expected = vec![
            found("b 1.0.0: comes from `git+https://example.org/b`, not crates.io"),
            found("ours 1.0.0: any version of `b` would do"),
        ];
        assert_eq!(check(&packages), expected);
    }
}
