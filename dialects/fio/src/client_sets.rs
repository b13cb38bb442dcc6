//! Which clients of a command line have which job files: each has those behind it, as in fio, and
//! one without any those of the next that has some.

use std::collections::BTreeMap;
use std::ops::Range;

/// Sets of one call at most: each is a process.
pub(super) const MOST: usize = 64;

/// What the words of a command line are, where it has clients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ClientWords {
    /// For each client, the places of its words and how many job files stood before it.
    clients: Vec<(Range<usize>, usize)>,
    /// The places of those that are neither clients nor job files.
    others: Vec<Range<usize>>,
}

/// Clients with the same job files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClientSet {
    /// The places of the clients' words.
    clients: Vec<Range<usize>>,
    pub(super) files: Vec<String>,
}

impl ClientWords {
    /// Takes words of a client, before which there are `files` job files.
    pub(super) fn client(&mut self, words: Range<usize>, files: usize) {
        self.clients.push((words, files));
    }

    /// Takes words that are neither clients nor job files.
    pub(super) fn other(&mut self, words: Range<usize>) {
        match self.others.last_mut() {
            Some(last) if last.end == words.start => last.end = words.end,
            _ => self.others.push(words),
        }
    }

    /// The sets, in the order of their first clients; none without clients.
    pub(super) fn sets(&self, files: &[String]) -> Vec<ClientSet> {
        let ends = self.clients.iter().skip(1).map(|(_, at)| *at);
        let ends = ends.chain([files.len()]);
        // What stands before the first is for the first.
        let begins = ends.clone().take(self.clients.len().saturating_sub(1));
        let begins = std::iter::once(0).chain(begins);
        let mut own: Vec<&[String]> = begins
            .zip(ends)
            .map(|(begin, end)| &files[begin..end])
            .collect();
        let last = own.iter().rev().find(|files| !files.is_empty());
        let mut next = last.copied().unwrap_or_default();
        for files in own.iter_mut().rev() {
            if files.is_empty() {
                *files = next;
            }
            next = files;
        }
        let mut sets: Vec<ClientSet> = Vec::new();
        let mut places = BTreeMap::new();
        for ((place, _), files) in self.clients.iter().zip(own) {
            let at = *places.entry(files).or_insert_with(|| {
                sets.push(ClientSet {
                    clients: Vec::new(),
                    files: files.to_vec(),
                });
                sets.len() - 1
            });
            sets[at].clients.push(place.clone());
        }
        sets
    }

    /// The part of a command line that is for the clients of one set.
    pub(super) fn line_of(&self, set: &ClientSet, words: &[String]) -> Vec<String> {
        let places = self.others.iter().chain(&set.clients);
        let words = places.flat_map(|place| &words[place.clone()]);
        let files = std::iter::once("--".to_owned()).chain(set.files.iter().cloned());
        words.cloned().chain(files).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sets of a line in which what begins with a capital letter is a client.
    fn sets(line: &str) -> Vec<String> {
        let (mut words, mut files) = (ClientWords::default(), Vec::new());
        let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
        for (at, word) in line.iter().enumerate() {
            if word.starts_with(char::is_uppercase) {
                words.client(at..at + 1, files.len());
            } else if word.starts_with('-') {
                words.other(at..at + 1);
            } else {
                files.push(word.clone());
            }
        }
        let sets = words.sets(&files).into_iter();
        sets.map(|set| words.line_of(&set, &line).join(" "))
            .collect()
    }

    #[test]
    fn each_client_has_the_files_behind_it() {
        for (line, expected) in [
            ("A B q", &["A B -- q"][..]),
            ("A p B q", &["A -- p", "B -- q"]),
            ("A p B p", &["A B -- p"]),
            ("A p B q C p", &["A C -- p", "B -- q"]),
            ("A p q B", &["A B -- p q"]),
            ("q A B q", &["A B -- q"]),
            ("p A q B r", &["A -- p q", "B -- r"]),
            ("A B q C", &["A B C -- q"]),
            (
                "-v -w A p -x B q -y",
                &["-v -w -x -y A -- p", "-v -w -x -y B -- q"],
            ),
        ] {
            assert_eq!(sets(line), expected, "{line}");
        }
        // Many are no more work for each.
        let many: Vec<String> = (0..100_000).map(|n| format!("A f{n} B")).collect();
        assert_eq!(sets(&many.join(" ")).len(), 100_000);
        assert_eq!(ClientWords::default().sets(&["q".to_owned()]), []);
    }
}
