//! How a text of a given size is made.

use crate::{own, seeds};

type Make = Box<dyn Fn(usize) -> String>;

/// A kind of text.
pub(crate) struct Shape {
    pub(crate) name: String,
    make: Make,
}

impl Shape {
    pub(crate) fn new(name: String, make: impl Fn(usize) -> String + 'static) -> Self {
        Self {
            name,
            make: Box::new(make),
        }
    }

    /// `each` between `before` and `after` until there are bytes enough. In `each`, `#` is the
    /// number of the time and `@` that of the time before.
    pub(crate) fn repeated(name: String, before: String, each: String, after: String) -> Self {
        Self::new(name, move |bytes| {
            let mut text = String::with_capacity(bytes + each.len() + after.len() + 64);
            text.push_str(&before);
            let is_numbered = each.contains(['#', '@']);
            let mut number = 1;
            while text.len() + after.len() < bytes {
                if is_numbered {
                    for part in each.split_inclusive(['#', '@']) {
                        let plain = part.strip_suffix(['#', '@']);
                        text.push_str(plain.unwrap_or(part));
                        match part.as_bytes().last() {
                            Some(b'#') => text.push_str(&number.to_string()),
                            Some(b'@') => text.push_str(&(number - 1).to_string()),
                            _ => {}
                        }
                    }
                } else {
                    text.push_str(&each);
                }
                number += 1;
            }
            text.push_str(&after);
            text
        })
    }

    pub(crate) fn text(&self, bytes: usize) -> String {
        (self.make)(bytes)
    }
}

/// What is repeated for every target.
const PARTS: [(&str, &str); 24] = [
    ("one line", "a"),
    ("digits", "9"),
    ("words", "a "),
    ("numbers", "# "),
    ("numbered words", "a# "),
    ("letters with dashes", "-a "),
    ("empty lines", "\n"),
    ("blanks", " "),
    ("lines", "abc\n"),
    ("lines of numbers", "# # # #\n"),
    ("pairs", "kk#=vv\n"),
    ("equals", "="),
    ("commas", "1,"),
    ("square brackets", "["),
    ("braces", "{"),
    ("parentheses", "("),
    ("keys of braces", "{\"a\":"),
    ("elements", "<a>"),
    ("quotes", "\""),
    ("variables", "${"),
    ("umlauts", "äöü€"),
    ("zeros", "\0"),
    ("backslashes", "\\"),
    ("comments", "#"),
];

/// All shapes for a target.
pub(crate) fn of(target: &str) -> Vec<Shape> {
    let mut shapes = vec![Shape::new("random bytes".to_owned(), random)];
    shapes.extend(PARTS.iter().map(|(name, part)| match *part {
        "#" => Shape::new((*name).to_owned(), |bytes| "#".repeat(bytes)),
        part => Shape::repeated(
            (*name).to_owned(),
            String::new(),
            part.to_owned(),
            String::new(),
        ),
    }));
    shapes.extend(own::of(target));
    shapes.extend(seeds::of(target));
    shapes
}

/// Bytes of a generator (xorshift), those that are no text replaced.
fn random(bytes: usize) -> String {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut drawn = Vec::with_capacity(bytes);
    while drawn.len() < bytes {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        drawn.extend(state.to_le_bytes());
    }
    let mut text = String::from_utf8_lossy(&drawn).into_owned();
    let end = (0..=bytes).rev().find(|at| text.is_char_boundary(*at));
    text.truncate(end.unwrap_or(0));
    text
}
