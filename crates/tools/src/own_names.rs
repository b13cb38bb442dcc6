//! Names that have to differ: what is taken already gets a number.

use std::collections::{HashMap, HashSet};

/// Names that are taken.
#[derive(Clone, Debug, Default)]
pub struct OwnNames {
    taken: HashSet<String>,
    /// The number that a name had last: of a hundred thousand alike nobody counts from the first.
    last: HashMap<String, usize>,
}

impl OwnNames {
    /// The name, or the name with the first number that is free, as `numbered` puts them together;
    /// taken from now on.
    pub fn own(&mut self, name: &str, numbered: fn(&str, usize) -> String) -> String {
        let mut own = name.to_owned();
        while !self.taken.insert(own.clone()) {
            let number = self.last.entry(name.to_owned()).or_insert(1);
            *number += 1;
            own = numbered(name, *number);
        }
        own
    }
}

/// A number in parentheses.
pub fn in_parentheses(name: &str, number: usize) -> String {
    format!("{name} ({number})")
}

/// A number after a hash sign.
pub fn after_hash(name: &str, number: usize) -> String {
    format!("{name} #{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_gets_the_first_number_that_is_free() {
        let mut names = OwnNames::default();
        let wanted = ["a", "a", "a (3)", "a", "b", "a (3)"];
        let own = wanted.map(|name| names.own(name, in_parentheses));
        assert_eq!(own, ["a", "a (2)", "a (3)", "a (4)", "b", "a (3) (2)"]);
        let own = ["x", "x"].map(|name| names.own(name, after_hash));
        assert_eq!(own, ["x", "x #2"]);
    }
}
