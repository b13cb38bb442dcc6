//! Which clients of a command line have which job files: each has those behind it, as in fio, and
//! one without any those of the next that has some.

/// What the words of a command line are, where it has clients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ClientWords {
    /// For each client, its words and how many job files stood before it.
    clients: Vec<(Vec<String>, usize)>,
    /// Neither clients nor job files.
    others: Vec<String>,
}

/// Clients with the same job files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClientSet {
    /// The words of the clients.
    clients: Vec<String>,
    pub(super) files: Vec<String>,
}

impl ClientWords {
    /// Takes words of a client, before which so many job files stand.
    pub(super) fn client(&mut self, words: &[String], files: usize) {
        self.clients.push((words.to_vec(), files));
    }

    /// Takes words that are neither clients nor job files.
    pub(super) fn other(&mut self, words: &[String]) {
        self.others.extend_from_slice(words);
    }

    /// The sets, in the order of their first clients; none without clients.
    pub(super) fn sets(&self, files: &[String]) -> Vec<ClientSet> {
        let ends = self.clients.iter().skip(1).map(|(_, at)| *at);
        let ends = ends.chain([files.len()]);
        // What stands before the first is for the first.
        let begins = ends.clone().take(self.clients.len().saturating_sub(1));
        let begins = std::iter::once(0).chain(begins);
        let own: Vec<&[String]> = begins
            .zip(ends)
            .map(|(begin, end)| &files[begin..end])
            .collect();
        let has_some = |files: &&&[String]| !files.is_empty();
        let last = own.iter().rev().find(has_some).copied().unwrap_or_default();
        let mut sets: Vec<ClientSet> = Vec::new();
        for (number, (words, _)) in self.clients.iter().enumerate() {
            let files = own[number..].iter().find(has_some).copied().unwrap_or(last);
            let known = sets.iter().position(|set| set.files == files);
            let at = known.unwrap_or(sets.len());
            if known.is_none() {
                sets.push(ClientSet {
                    clients: Vec::new(),
                    files: files.to_vec(),
                });
            }
            sets[at].clients.extend_from_slice(words);
        }
        sets
    }

    /// The command line of the clients of one set.
    pub(super) fn line_of(&self, set: &ClientSet) -> Vec<String> {
        let words = self.others.iter().chain(&set.clients).chain(&set.files);
        words.cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sets of a line in which what begins with a capital letter is a client.
    fn sets(line: &str) -> Vec<String> {
        let (mut words, mut files) = (ClientWords::default(), Vec::new());
        for word in line.split(' ') {
            if word.starts_with(char::is_uppercase) {
                words.client(&[word.to_owned()], files.len());
            } else {
                files.push(word.to_owned());
            }
        }
        let sets = words.sets(&files).into_iter();
        sets.map(|set| words.line_of(&set).join(" ")).collect()
    }

    #[test]
    fn each_client_has_the_files_behind_it() {
        for (line, expected) in [
            ("A B q", &["A B q"][..]),
            ("A p B q", &["A p", "B q"]),
            ("A p B p", &["A B p"]),
            ("A p B q C p", &["A C p", "B q"]),
            ("A p q B", &["A B p q"]),
            ("q A B q", &["A B q"]),
            ("p A q B r", &["A p q", "B r"]),
            ("A B q C", &["A B C q"]),
        ] {
            assert_eq!(sets(line), expected, "{line}");
        }
        assert_eq!(ClientWords::default().sets(&["q".to_owned()]), []);
    }
}
