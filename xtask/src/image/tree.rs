//! The first file system of the image, before it is packed.

use std::collections::BTreeMap;

use fathom_image::Archive;

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Folder,
    File { mode: u32, bytes: Vec<u8> },
    Link { to: String },
}

/// Paths below `/`, each with its content; a folder comes before what is in it.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub nodes: BTreeMap<String, Node>,
}

impl Tree {
    pub fn folder(&mut self, path: &str) {
        self.above(path);
        self.nodes.insert(path.to_owned(), Node::Folder);
    }

    pub fn file(&mut self, path: &str, mode: u32, bytes: Vec<u8>) {
        self.above(path);
        let node = Node::File { mode, bytes };
        self.nodes.insert(path.to_owned(), node);
    }

    pub fn link(&mut self, path: &str, to: &str) {
        self.above(path);
        let to = to.to_owned();
        self.nodes.insert(path.to_owned(), Node::Link { to });
    }

    pub fn has(&self, path: &str) -> bool {
        self.nodes.contains_key(path)
    }

    fn above(&mut self, path: &str) {
        for (cut, _) in path.match_indices('/') {
            let folder = path[..cut].to_owned();
            self.nodes.entry(folder).or_insert(Node::Folder);
        }
    }

    /// As an archive for the kernel.
    pub fn pack(&self, epoch_s: u64) -> Vec<u8> {
        let mut archive = Archive::new(epoch_s as u32);
        for (path, node) in &self.nodes {
            match node {
                Node::Folder => archive.folder(path, folder_mode(path)),
                Node::File { mode, bytes } => archive.file(path, *mode, bytes),
                Node::Link { to } => archive.link(path, to),
            }
        }
        archive.finish()
    }
}

/// OpenSSH takes keys from folders that are root's alone.
fn folder_mode(path: &str) -> u32 {
    if path.starts_with("root") {
        0o700
    } else {
        0o755
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_before_what_is_in_them() {
        let mut tree = Tree::default();
        tree.file("root/.ssh/config", 0o600, Vec::new());
        tree.link("bin/sh", "busybox");
        tree.folder("bin");
        let paths: Vec<&str> = tree.nodes.keys().map(String::as_str).collect();
        let expected = ["bin", "bin/sh", "root", "root/.ssh", "root/.ssh/config"];
        assert_eq!(paths, expected);
        assert_eq!(tree.pack(7), tree.pack(7));
    }
}
