//! Rust source seen as text: enough of its surface to tell code from comments and strings.
//!
//! This is no parser. Sources are formatted by rustfmt before `tidy` looks at them, which is what
//! makes so little sufficient.

/// The code with comments and the insides of string and character literals turned into spaces.
/// Line breaks stay, so line numbers do.
pub(crate) fn code_only(source: &str) -> String {
    let mut rest = source;
    let mut code = String::with_capacity(source.len());
    while let Some(next) = rest.chars().next() {
        let hidden = hidden_prefix(rest, code.chars().next_back());
        if hidden == 0 {
            code.push(next);
            rest = &rest[next.len_utf8()..];
        } else {
            blank(&rest[..hidden], &mut code);
            rest = &rest[hidden..];
        }
    }
    code
}

/// Comments and literals in order: the position of each in the source, and its text with its marks.
pub(crate) fn hidden(source: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut position = 0;
    while let Some(next) = source[position..].chars().next() {
        let before = source[..position].chars().next_back();
        let length = hidden_prefix(&source[position..], before);
        if length > 0 {
            found.push((position, &source[position..position + length]));
        }
        position += length.max(next.len_utf8());
    }
    found
}

/// The line, counted from 1, of a byte position.
pub(crate) fn line_at(text: &str, position: usize) -> usize {
    1 + text[..position].matches('\n').count()
}

/// The byte position of the trailing `#[cfg(test)] mod tests {`, if the file ends with one.
pub(crate) fn test_module(source: &str) -> Option<usize> {
    let mut position = 0;
    let mut attribute = None;
    for line in source.split_inclusive('\n') {
        match line.trim_end() {
            "#[cfg(test)]" => attribute = attribute.or(Some(position)),
            "mod tests {" if attribute.is_some() => return attribute,
            other if other.starts_with("#[") => {}
            _ => attribute = None,
        }
        position += line.len();
    }
    None
}

/// The part of a file that only tests compile: everything below a `tests` folder or in a
/// `tests.rs`, else the trailing test module. Comments and strings are blank; line numbers hold.
pub(crate) fn test_code(path: &str, source: &str) -> String {
    let whole = path.ends_with("/tests.rs") || path.split('/').any(|folder| folder == "tests");
    let start = if whole { Some(0) } else { test_module(source) };
    start.map_or_else(String::new, |start| {
        let mut code = "\n".repeat(line_at(source, start) - 1);
        code.push_str(&code_only(&source[start..]));
        code
    })
}

/// The part of a file that is no test; the counterpart of [`test_code`].
pub(crate) fn product_code(path: &str, source: &str) -> String {
    if path.ends_with("/tests.rs") || path.split('/').any(|folder| folder == "tests") {
        return String::new();
    }
    code_only(&source[..test_module(source).unwrap_or(source.len())])
}

/// The text inside the bracket that opens at `open`, without the brackets.
pub(crate) fn inside(code: &str, open: usize) -> &str {
    let mut depth = 0_usize;
    for (offset, byte) in code.as_bytes()[open..].iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &code[(open + 1).min(open + offset)..open + offset];
        }
    }
    &code[open..]
}

/// The length of the comment or literal that `rest` starts with; 0 if it starts with code.
fn hidden_prefix(rest: &str, before: Option<char>) -> usize {
    let after_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if rest.starts_with("//") {
        rest.find('\n').unwrap_or(rest.len())
    } else if rest.starts_with("/*") {
        block_comment(rest)
    } else if rest.starts_with('"') {
        quoted(rest)
    } else if rest.starts_with('\'') {
        character(rest)
    } else if after_word && !matches!(before, Some('b' | 'c')) {
        0
    } else {
        raw_string(rest)
    }
}

fn block_comment(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let (mut position, mut depth) = (0, 0_usize);
    while position < bytes.len() {
        if bytes[position..].starts_with(b"/*") {
            depth += 1;
            position += 2;
        } else if bytes[position..].starts_with(b"*/") {
            depth -= 1;
            position += 2;
            if depth == 0 {
                return position;
            }
        } else {
            position += 1;
        }
    }
    rest.len()
}

fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (position, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return position + 1,
            _ => {}
        }
    }
    rest.len()
}

/// A character literal, or 0 for a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => {
            chars.next();
            chars
                .find(|(_, c)| *c == '\'')
                .map_or(0, |(position, _)| position + 1)
        }
        Some(_) => match chars.next() {
            Some((position, '\'')) => position + 1,
            _ => 0,
        },
        None => 0,
    }
}

fn raw_string(rest: &str) -> usize {
    let Some(fence) = rest.strip_prefix('r') else {
        return 0;
    };
    let hashes = fence.bytes().take_while(|byte| *byte == b'#').count();
    if fence.as_bytes().get(hashes) != Some(&b'"') {
        return 0;
    }
    let body = hashes + 2;
    let end = format!("\"{}", "#".repeat(hashes));
    rest[body..]
        .find(&end)
        .map_or(rest.len(), |length| body + length + end.len())
}

fn blank(hidden: &str, code: &mut String) {
    code.extend(hidden.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_turn_into_spaces() {
        let cases = [
            ("let a = 1; // b\nc", "let a = 1;     \nc"),
            ("a /* b /* c */ d\n */ e", "a               \n    e"),
            (
                r#"f("a\"b", 'c', '\'', '\u{41}')"#,
                "f(      ,    ,     ,         )",
            ),
            ("x(r#\"a\"b\"#, br\"c\")", "x(        , b    )"),
            ("fn f<'a>(x: &'a str)", "fn f<'a>(x: &'a str)"),
            ("for r in pour { }", "for r in pour { }"),
        ];
        for (source, code) in cases {
            assert_eq!(code_only(source), code, "{source}");
        }
    }

    #[test]
    fn the_test_module_is_found_only_as_a_block_of_that_name() {
        let with = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n}\n";
        let with_more = "fn a() {}\n#[cfg(test)]\n#[expect(x)]\nmod tests {\n}\n";
        let declared = "#[cfg(test)]\nmod tests;\nfn a() {}\n";
        let helper = "#[cfg(test)]\nfn helper() {}\nmod tests {\n}\n";
        assert_eq!(test_module(with), Some(11));
        assert_eq!(test_module(with_more), Some(10));
        assert_eq!(test_module(declared), None);
        assert_eq!(test_module(helper), None);
    }

    #[test]
    fn test_and_product_code_split_at_the_test_module() {
        let source = "a;\n#[cfg(test)]\nmod tests {\nb;\n}\n";
        let cases = [
            (
                "crates/x/src/y.rs",
                "a;\n",
                "\n#[cfg(test)]\nmod tests {\nb;\n}\n",
            ),
            ("crates/x/tests/y.rs", "", source),
            ("crates/x/src/y/tests.rs", "", source),
        ];
        for (path, product, test) in cases {
            assert_eq!(product_code(path, source), product, "{path}");
            assert_eq!(test_code(path, source), test, "{path}");
        }
    }

    #[test]
    fn the_inside_of_a_bracket_ends_at_its_partner() {
        assert_eq!(inside("f(a[1], (b)) + c", 1), "a[1], (b)");
        assert_eq!(inside("f()", 1), "");
    }
}
