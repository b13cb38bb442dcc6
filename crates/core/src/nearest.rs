//! What a misspelt name was probably meant to be.

/// The known name that takes the fewest edits to get from `name`, if it takes so few that it was
/// probably meant: a third of its letters, at least one. The first of equals.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase().replace('-', "_");
    let letters = name.chars().count();
    known
        .into_iter()
        // It takes at least as many edits as there are letters more or less.
        .filter(|other| letters.abs_diff(other.chars().count()) <= allowed(other))
        .map(|other| (distance(&name, &other.replace('-', "_")), other))
        .filter(|(edits, other)| *edits <= allowed(other))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, other)| other)
}

fn allowed(known: &str) -> usize {
    (known.len() / 3).max(1)
}

/// Letters to insert, drop or replace, and neighbours to swap, to turn `a` into `b` (optimal
/// string alignment).
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        let cases = [
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "", 3),
            ("thread", "threads", 1),
            ("raed", "read", 1),
            ("blok_size", "block_size", 1),
            ("kitten", "sitting", 3),
        ];
        for (a, b, edits) in cases {
            assert_eq!(distance(a, b), edits, "{a} {b}");
            assert_eq!(distance(b, a), edits, "{b} {a}");
        }
    }

    #[test]
    fn only_what_is_near_is_suggested() {
        let known = ["threads", "queue_depth", "read", "random"];
        let cases = [
            ("thread", Some("threads")),
            ("queue-depth", Some("queue_depth")),
            ("Queuedepth", Some("queue_depth")),
            ("rad", Some("read")),
            ("colour", None),
            ("", None),
        ];
        for (name, suggested) in cases {
            assert_eq!(nearest(name, known), suggested, "{name}");
        }
    }
}
