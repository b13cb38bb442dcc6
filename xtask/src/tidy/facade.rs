//! `lib.rs` and `mod.rs` list the contents; the logic is in files named after it.

use crate::finding::{Finding, Rule};
use crate::rust_text::{code_only, inside, line_at};
use crate::sources::Source;

pub(super) fn check(source: &Source) -> Vec<Finding> {
    if !matches!(source.file_name(), "lib.rs" | "mod.rs") {
        return Vec::new();
    }
    let code = code_only(&source.text);
    let mut findings = Vec::new();
    let mut position = 0;
    while let Some(start) = next_token(&code, position) {
        let item = item_at(&code, start);
        if !is_facade(item) {
            let head: Vec<&str> = item.split_whitespace().take(3).collect();
            let message = format!(
                "`{} ...` is more than a module or a re-export: give it a file of its own",
                head.join(" ")
            );
            let line = line_at(&code, start);
            findings.push(Finding::new(&source.path, line, Rule::Facade, message));
        }
        position = start + item.len();
    }
    findings
}

fn next_token(code: &str, position: usize) -> Option<usize> {
    code[position..]
        .find(|c: char| !c.is_whitespace())
        .map(|offset| position + offset)
}

/// The attribute or item that starts at `start`.
fn item_at(code: &str, start: usize) -> &str {
    let rest = &code[start..];
    if rest.starts_with('#') {
        let open = rest.find('[').unwrap_or(0);
        return &rest[..open + inside(rest, open).len() + 2];
    }
    let is_use = words(rest).next() == Some("use");
    let mut position = 0;
    while let Some(offset) = rest[position..].find(['(', '[', '{', ';']) {
        let at = position + offset;
        if rest[at..].starts_with(';') {
            return &rest[..=at];
        }
        let end = (at + inside(rest, at).len() + 2).min(rest.len());
        if rest[at..].starts_with('{') && !is_use {
            return &rest[..end];
        }
        position = end;
    }
    rest
}

fn is_facade(item: &str) -> bool {
    let ends_plainly = item.ends_with(';');
    item.starts_with('#') || (ends_plainly && matches!(words(item).next(), Some("mod" | "use")))
}

/// The words of an item after its visibility.
fn words(item: &str) -> impl Iterator<Item = &str> {
    let item = item
        .strip_prefix("pub")
        .filter(|rest| !rest.starts_with('_'))
        .unwrap_or(item);
    let item = if item.starts_with('(') {
        &item[inside(item, 0).len() + 2..]
    } else {
        item
    };
    item.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    #[test]
    fn docs_attributes_modules_and_re_exports_are_a_facade() {
        let text = "//! What it is for: fn main() {}\n#![forbid(unsafe_code)]\n\n\
            mod a;\npub mod b;\npub(crate) mod c;\n#[cfg(test)]\nmod tests;\n\
            pub use a::{A, b::{B, C}};\nuse c::*;\n/* fn f() {} */\n";
        assert_eq!(check(&source("crates/x/src/lib.rs", text)), []);
    }

    #[test]
    fn everything_else_is_not() {
        let text = "mod a;\npub fn f(a: [u8; 2]) -> u8 { 1 }\nconst B: u8 = 2;\n\
            mod c { fn d() {} }\nmacro_rules! e { () => {} }\n\
            public_macro!{ a }\npub use a::A;\n";
        let more = "is more than a module or a re-export: give it a file of its own";
        let found = |line, head| {
            let message = format!("`{head} ...` {more}");
            Finding::new("src/mod.rs", line, Rule::Facade, message)
        };
        let expected = [
            found(2, "pub fn f(a:"),
            found(3, "const B: u8"),
            found(4, "mod c {"),
            found(5, "macro_rules! e {"),
            found(6, "public_macro!{ a }"),
        ];
        assert_eq!(check(&source("src/mod.rs", text)), expected);
    }

    #[test]
    fn other_files_may_hold_what_they_like() {
        assert_eq!(check(&source("src/main.rs", "fn main() {}\n")), []);
    }
}
