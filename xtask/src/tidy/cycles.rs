//! Neighbouring modules import each other in no circle that leads through a folder.
//!
//! A module is a file together with the folder of its name. What a module and its own children
//! import of each other is theirs, and a circle of files in one folder can be read as one thing. A
//! circle through folders ties parts of a crate together.

mod imports;

use crate::finding::{Finding, Rule};
use crate::sources::Source;
use imports::{Import, imports};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// An import for each pair of modules of one folder: the one that leads deepest.
type Edges<'a> = BTreeMap<(&'a str, &'a str), &'a Import>;

/// The circles of all crates. The path of a finding names the modules of its circle, so that an
/// exception excuses no other.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, Vec<&Source>> = BTreeMap::new();
    for source in sources.iter().filter(|source| source.is_rust()) {
        if let Some((root, _)) = source.path.split_once("/src/") {
            crates.entry(root).or_default().push(source);
        }
    }
    let of_crate = |(root, sources)| of_crate(root, &imports(root, sources));
    let crates = crates
        .iter()
        .map(|(root, sources)| (*root, sources.as_slice()));
    crates.flat_map(of_crate).collect()
}

fn of_crate(root: &str, imports: &[Import]) -> Vec<Finding> {
    let mut folders: BTreeMap<&[String], Edges<'_>> = BTreeMap::new();
    for import in imports {
        let shared = import
            .from
            .iter()
            .zip(&import.to)
            .take_while(|(a, b)| a == b);
        let shared = shared.count();
        if let (Some(from), Some(to)) = (import.from.get(shared), import.to.get(shared)) {
            let edges = folders.entry(&import.from[..shared]).or_default();
            let deepest = edges.entry((from, to)).or_insert(import);
            if depth(deepest) < depth(import) {
                *deepest = import;
            }
        }
    }
    let mut findings = Vec::new();
    for (folder, edges) in &folders {
        let flat = 2 * (folder.len() + 1);
        for circle in circles(edges) {
            let mut inner = edges
                .iter()
                .filter(|((from, to), _)| circle.contains(from) && circle.contains(to));
            if inner.any(|(_, import)| depth(import) > flat) {
                findings.push(finding(root, folder, edges, &circle));
            }
        }
    }
    findings
}

fn depth(import: &Import) -> usize {
    import.from.len() + import.to.len()
}

/// The sets of modules each of which leads to all others.
fn circles<'a>(edges: &Edges<'a>) -> Vec<BTreeSet<&'a str>> {
    let mut circles: Vec<BTreeSet<&str>> = Vec::new();
    let modules: BTreeSet<&str> = edges.keys().map(|(from, _)| *from).collect();
    for module in &modules {
        let is_known = circles.iter().any(|circle| circle.contains(module));
        if !is_known && way(edges, module, module).is_some() {
            let is_tied = |other: &&str| {
                way(edges, module, other).is_some() && way(edges, other, module).is_some()
            };
            circles.push(modules.iter().copied().filter(is_tied).collect());
        }
    }
    circles
}

/// The modules on a shortest way, from the first import to `to`.
fn way<'a>(edges: &Edges<'a>, from: &'a str, to: &str) -> Option<Vec<&'a str>> {
    let mut seen = BTreeSet::new();
    let mut ways = VecDeque::from([vec![from]]);
    while let Some(way) = ways.pop_front() {
        let last = way[way.len() - 1];
        let next = edges
            .range((last, "")..)
            .take_while(|((module, _), _)| *module == last);
        for ((_, module), _) in next.filter(|((_, module), _)| seen.insert(*module)) {
            let longer = [way.as_slice(), &[*module]].concat();
            if *module == to {
                return Some(longer);
            }
            ways.push_back(longer);
        }
    }
    None
}

fn finding(root: &str, folder: &[String], edges: &Edges<'_>, circle: &BTreeSet<&str>) -> Finding {
    let names: Vec<&str> = circle.iter().copied().collect();
    let path = [&[root.to_owned(), "src".to_owned()], folder]
        .concat()
        .join("/");
    let path = format!("{path}/{{{}}}", names.join(","));
    let round = way(edges, names[0], names[0]).unwrap_or_default();
    let steps = round.windows(2).map(|step| {
        let import = edges[&(step[0], step[1])];
        format!(
            "{}:{} imports {}",
            import.file,
            import.line,
            import.to.join("::")
        )
    });
    let steps: Vec<String> = steps.collect();
    let message = format!("they import each other in a circle: {}", steps.join(", "));
    Finding::new(&path, 0, Rule::Cycle, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    fn found(sources: &[(&str, &str)]) -> Vec<String> {
        let sources = sources.iter().map(|(path, text)| source(path, text));
        let sources: Vec<Source> = sources.collect();
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_circle_through_a_folder_is_found_however_it_is_imported() {
        let expected = "a/src/{b,c}: cycle: they import each other in a circle: \
            a/src/b.rs:2 imports c::d, a/src/c.rs:1 imports b";
        for import in [
            "use crate::c::d::Y;",
            "use crate::{c::{d, e::Z}};",
            "fn f() { super::c::d::g() }",
        ] {
            let sources = [
                ("a/src/lib.rs", "mod b;\nmod c;\n"),
                ("a/src/b.rs", &format!("//! use crate::x;\n{import}\n")),
                ("a/src/c.rs", "use crate::b::X;\nmod d;\n"),
                ("a/src/c/d.rs", ""),
            ];
            assert_eq!(found(&sources), [expected], "{import}");
        }
    }

    #[test]
    fn names_are_followed_to_where_they_are_from() {
        let sources = [
            ("a/src/lib.rs", "mod b;\nmod c;\npub use c::Y;\n"),
            ("a/src/b.rs", "use crate::Y;\npub(crate) struct X;\n"),
            ("a/src/c.rs", "mod d;\npub(crate) use d::{Y, Z};\n"),
            ("a/src/c/d.rs", "use super::super::b::X;\n"),
        ];
        let expected = "a/src/{b,c}: cycle: they import each other in a circle: \
            a/src/b.rs:1 imports c::d, a/src/c/d.rs:1 imports b";
        assert_eq!(found(&sources), [expected]);
    }

    #[test]
    fn circles_of_one_folder_of_a_module_and_its_children_and_of_tests_are_left_alone() {
        let sources = [
            ("a/src/lib.rs", "mod b;\nmod c;\nmod d;\n"),
            ("a/src/b.rs", "use crate::c::X;\n"),
            ("a/src/c.rs", "use crate::b::X;\n"),
            (
                "a/src/d.rs",
                "mod e;\nuse e::Y;\n#[cfg(test)]\nmod tests {\n    use crate::f::Z;\n}\n",
            ),
            ("a/src/d/e.rs", "use super::Z;\n"),
            ("a/src/f.rs", "use crate::d::e::Y;\n"),
            ("b/src/main.rs", ""),
        ];
        assert_eq!(found(&sources), [] as [String; 0]);
    }
}
