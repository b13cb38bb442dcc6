//! What the modules of a crate import of each other.

use crate::rust_text::{line_at, product_code};
use crate::sources::Source;
use std::collections::{BTreeMap, BTreeSet};

/// A module that another one names.
#[derive(Debug)]
pub(super) struct Import {
    /// The module that names it, by its path in the crate.
    pub(super) from: Vec<String>,
    pub(super) to: Vec<String>,
    /// Where it does.
    pub(super) file: String,
    pub(super) line: usize,
}

/// A path in the code of a module, as it stands there.
struct Name<'a> {
    path: Vec<&'a str>,
    position: usize,
    is_exported: bool,
}

/// What each name leads to that a module exports.
type Exports = BTreeMap<(Vec<String>, String), Vec<String>>;

/// All imports of one module of a crate by another.
pub(super) fn imports(root: &str, sources: &[&Source]) -> Vec<Import> {
    let paths = sources.iter().map(|source| module(root, &source.path));
    let modules: BTreeSet<Vec<String>> = paths.clone().collect();
    let mut exports = Exports::new();
    let mut imports = Vec::new();
    for (source, from) in sources.iter().zip(paths) {
        let code = product_code(&source.path, &source.text);
        for name in names(&code) {
            let Some(to) = absolute(&modules, &from, &name.path) else {
                continue;
            };
            if let (true, Some(last)) = (name.is_exported, to.last()) {
                exports.insert((from.clone(), last.clone()), to.clone());
            }
            imports.push(Import {
                from: from.clone(),
                to,
                file: source.path.clone(),
                line: line_at(&code, name.position),
            });
        }
    }
    for import in &mut imports {
        import.to = origin(&modules, &exports, &import.to);
    }
    imports
}

/// The module that a file is.
fn module(root: &str, path: &str) -> Vec<String> {
    let path = path.trim_start_matches(root).trim_start_matches("/src/");
    let parts = path.trim_end_matches(".rs").split('/');
    let parts = parts.filter(|part| !matches!(*part, "lib" | "main" | "mod"));
    parts.map(str::to_owned).collect()
}

/// A path from the root of the crate; none of what is in another crate.
fn absolute(
    modules: &BTreeSet<Vec<String>>,
    from: &[String],
    path: &[&str],
) -> Option<Vec<String>> {
    let supers = path.iter().take_while(|part| **part == "super").count();
    let (base, rest) = match path.first()? {
        &"crate" => (&[][..], &path[1..]),
        &"self" => (from, &path[1..]),
        &"super" => (&from[..from.len().saturating_sub(supers)], &path[supers..]),
        child => {
            let child = [from, &[(*child).to_owned()]].concat();
            (modules.contains(&child).then_some(from)?, path)
        }
    };
    let rest = rest.iter().filter(|part| !matches!(**part, "self" | "*"));
    let rest = rest.map(|part| (*part).to_owned());
    Some(base.iter().cloned().chain(rest).collect())
}

/// The module in which what a path names is defined, through those that only export it.
fn origin(modules: &BTreeSet<Vec<String>>, exports: &Exports, path: &[String]) -> Vec<String> {
    let mut path = path.to_vec();
    // Exports that lead in a circle are none that compile.
    for _ in 0..8 {
        let lengths = (0..=path.len()).rev();
        let length = lengths.into_iter().find(|n| modules.contains(&path[..*n]));
        let length = length.unwrap_or_default();
        let (module, rest) = path.split_at(length);
        let name = rest.first().cloned().unwrap_or_default();
        match exports.get(&(module.to_vec(), name)) {
            Some(to) if *to != path => path = [to.as_slice(), &rest[1..]].concat(),
            _ => return module.to_vec(),
        }
    }
    path
}

/// The paths of `use` and those that begin with `crate`, `self` or `super`.
fn names(code: &str) -> Vec<Name<'_>> {
    let tokens = tokens(code);
    let text = |at: usize| tokens.get(at).map_or("", |(_, text)| *text);
    let mut names = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let before = at.checked_sub(1).map_or("", text);
        let begin = at;
        let mut paths = Vec::new();
        if text(at) == "use" {
            at = tree(&tokens, at + 1, Vec::new(), &mut paths);
        } else if matches!(text(at), "crate" | "self" | "super") && text(at + 1) == "::" {
            at = tree(&tokens, at, Vec::new(), &mut paths);
        }
        let is_exported = text(begin) == "use" && matches!(before, "pub" | ")");
        names.extend(paths.into_iter().map(|path| Name {
            path,
            position: tokens[begin].0,
            is_exported,
        }));
        at = at.max(begin + 1);
    }
    names
}

/// Words, `::` and single signs, with their positions.
fn tokens(code: &str) -> Vec<(usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = code[at..].chars().next() {
        let rest = &code[at..];
        let length = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() {
            tokens.push((at, &rest[..length]));
        }
        at += length;
    }
    tokens
}

/// Reads the paths of an import that begins there, behind `path`; where it ends.
fn tree<'a>(
    tokens: &[(usize, &'a str)],
    mut at: usize,
    mut path: Vec<&'a str>,
    paths: &mut Vec<Vec<&'a str>>,
) -> usize {
    // A word behind another one is the next of the code.
    let mut is_open = true;
    loop {
        match tokens.get(at).map(|(_, text)| *text) {
            Some("::") => {
                is_open = true;
                at += 1;
            }
            // The other name is of no matter.
            Some("as") => at += 2,
            Some("{") => {
                at += 1;
                loop {
                    match tokens.get(at).map(|(_, text)| *text) {
                        None | Some("}") => return at + 1,
                        Some(",") => at += 1,
                        // What is no path is stepped over.
                        Some(_) => at = tree(tokens, at, path.clone(), paths).max(at + 1),
                    }
                }
            }
            Some(word) if is_part(word) && is_open => {
                path.push(word);
                is_open = false;
                at += 1;
            }
            _ => {
                paths.push(path);
                return at;
            }
        }
    }
}

fn is_part(word: &str) -> bool {
    word == "*" || word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}
