//! Tests compare whole values and do not wait by the clock.

use crate::finding::{Finding, Rule};
use crate::rust_text::{inside, line_at, test_code};
use crate::sources::Source;

const CONTAINS: &str = ".contains(";
const SLEEP: &str = "thread::sleep";

pub(super) fn check(source: &Source) -> Vec<Finding> {
    let code = test_code(&source.path, &source.text);
    let found = |position, rule, message: &str| {
        Finding::new(&source.path, line_at(&code, position), rule, message)
    };
    let partial = partial_assertions(&code).into_iter().map(|at| {
        found(
            at,
            Rule::Contains,
            "a part may match by chance: compare the whole value",
        )
    });
    let sleeping = code
        .match_indices(SLEEP)
        .map(|(at, _)| found(at, Rule::Sleep, "use virtual time, or poll with a deadline"));
    partial.chain(sleeping).collect()
}

/// Where an assertion asks whether something contains something; a number in a range is fine,
/// there the range is the whole expectation.
fn partial_assertions(code: &str) -> Vec<usize> {
    let mut positions = Vec::new();
    for (start, _) in code.match_indices("assert") {
        let name: usize = code[start..]
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(code.len(), |length| start + length);
        if !code[name..].starts_with("!(") {
            continue;
        }
        let open = name + 1;
        let body = inside(code, open);
        let asked = body
            .match_indices(CONTAINS)
            .map(|(offset, _)| open + 1 + offset);
        positions.extend(asked.filter(|at| !is_range(&code[open..*at])));
    }
    positions
}

/// Whether the text ends with a range in parentheses.
fn is_range(receiver: &str) -> bool {
    let mut depth = 0_usize;
    for (position, byte) in receiver.bytes().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return receiver[position..].contains("..");
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    fn in_tests(body: &str) -> Source {
        source(
            "src/a.rs",
            &format!("fn a() {{}}\n#[cfg(test)]\nmod tests {{\n{body}}}\n"),
        )
    }

    #[test]
    fn a_partial_assertion_is_found_over_several_lines() {
        let body = concat!("assert!(\n  text\n    .conta", "ins(\"a\")\n);\n");
        let message = "a part may match by chance: compare the whole value";
        let expected = [Finding::new("src/a.rs", 6, Rule::Contains, message)];
        assert_eq!(check(&in_tests(body)), expected);
    }

    #[test]
    fn every_form_of_assertion_counts() {
        for form in ["assert_eq", "prop_assert", "debug_assert", "assert_ne"] {
            let body = format!("{form}!(a.b(){CONTAINS}c), true);\n");
            let message = "a part may match by chance: compare the whole value";
            let expected = [Finding::new("src/a.rs", 4, Rule::Contains, message)];
            assert_eq!(check(&in_tests(&body)), expected, "{form}");
        }
    }

    #[test]
    fn ranges_strings_and_product_code_are_free() {
        let range = format!("assert!((1..=f(2)){CONTAINS}&x));\n");
        let string = format!("assert_eq!(a, \"b{CONTAINS}c)\");\n");
        let outside = format!("if a{CONTAINS}b) {{ assert!(c); }}\n");
        for body in [range, string, outside] {
            assert_eq!(check(&in_tests(&body)), [], "{body}");
        }
        let product = format!("fn a() {{ assert!(b{CONTAINS}c)) }}\n");
        assert_eq!(check(&source("src/a.rs", &product)), []);
    }

    #[test]
    fn sleeping_is_found_in_test_files() {
        let text = format!("use std::{SLEEP};\n");
        let message = "use virtual time, or poll with a deadline";
        let expected = [Finding::new("tests/a.rs", 1, Rule::Sleep, message)];
        assert_eq!(check(&source("tests/a.rs", &text)), expected);
        assert_eq!(check(&source("src/a.rs", &text)), []);
    }
}
