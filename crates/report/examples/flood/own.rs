//! Shapes of one target: what its language makes deep, long, or dependent on what stands before.

use crate::shape::Shape;

/// A line for each: the target, the name of the shape, what stands before, what is repeated (`#` is
/// the number of the time, `@` that of the time before), and what stands after, between tabs. Of
/// escapes there are `\n`, `\\` and `\u{…}`.
const ROWS: &str = include_str!("own.tsv");

/// Those of a target.
pub(crate) fn of(target: &str) -> Vec<Shape> {
    let rows = ROWS.lines().map(|row| row.split('\t').collect::<Vec<_>>());
    let shape = |row: Vec<&str>| match row.as_slice() {
        [of, name, parts @ ..] if *of == target => {
            let [before, each, after] = <[&str; 3]>::try_from(parts).ok()?.map(plain);
            Some(Shape::repeated(format!("own: {name}"), before, each, after))
        }
        _ => None,
    };
    rows.filter_map(shape).collect()
}

/// A part without its escapes.
fn plain(part: &str) -> String {
    let mut text = String::new();
    let mut rest = part;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let mut letters = after.chars();
        match letters.next() {
            Some('n') => text.push('\n'),
            Some('u') => {
                let number = after.split(['{', '}']).nth(1).unwrap_or_default();
                let sign = u32::from_str_radix(number, 16)
                    .ok()
                    .and_then(char::from_u32);
                text.extend(sign);
                rest = after.split_once('}').map_or("", |(_, rest)| rest);
                continue;
            }
            other => text.extend(other),
        }
        rest = letters.as_str();
    }
    text + rest
}
