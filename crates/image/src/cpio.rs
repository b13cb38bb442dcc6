//! Archives in the form `newc`, from which a kernel fills its first file system
//! (Documentation/driver-api/early-userspace/buffer-format.rst of Linux).

/// Kinds of entries, in the upper bits of their mode (stat(2)).
const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
const LINK: u32 = 0o120_000;

/// The name of the entry after which nothing comes.
const TRAILER: &str = "TRAILER!!!";

/// Bytes of the header of an entry, before its name.
pub(crate) const HEADER_BYTES: usize = 110;

/// An archive that grows entry by entry. Everything in it belongs to root and is of one time, so
/// that the same entries give the same bytes.
#[derive(Clone, Debug)]
pub struct Archive {
    bytes: Vec<u8>,
    epoch_s: u32,
    entries: u32,
}

impl Archive {
    /// An empty one, whose entries are of this time, in seconds since 1970.
    pub const fn new(epoch_s: u32) -> Self {
        Self {
            bytes: Vec::new(),
            epoch_s,
            entries: 0,
        }
    }

    /// A folder; those above it have to be there by then.
    pub fn folder(&mut self, path: &str, mode: u32) {
        self.entry(path, FOLDER | mode, &[]);
    }

    /// A regular file.
    pub fn file(&mut self, path: &str, mode: u32, content: &[u8]) {
        self.entry(path, FILE | mode, content);
    }

    /// A symbolic link.
    pub fn link(&mut self, path: &str, to: &str) {
        self.entry(path, LINK | 0o777, to.as_bytes());
    }

    /// The archive with its end.
    pub fn finish(mut self) -> Vec<u8> {
        self.put(0, 0, TRAILER, &[]);
        self.bytes
    }

    fn entry(&mut self, path: &str, mode: u32, content: &[u8]) {
        self.entries += 1;
        self.put(self.entries, mode, path, content);
    }

    fn put(&mut self, inode: u32, mode: u32, name: &str, content: &[u8]) {
        let links = if mode & FOLDER == FOLDER { 2 } else { 1 };
        let time = if inode == 0 { 0 } else { self.epoch_s };
        // inode, mode, user, group, links, time, size, four device numbers, length of the name, sum
        let fields = [
            inode,
            mode,
            0,
            0,
            links,
            time,
            content.len() as u32,
            0,
            0,
            0,
            0,
            name.len() as u32 + 1,
            0,
        ];
        self.bytes.extend_from_slice(b"070701");
        for field in fields {
            self.bytes
                .extend_from_slice(format!("{field:08X}").as_bytes());
        }
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(0);
        self.pad();
        self.bytes.extend_from_slice(content);
        self.pad();
    }

    fn pad(&mut self) {
        let whole = self.bytes.len().next_multiple_of(4);
        self.bytes.resize(whole, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stand_one_after_another_each_on_a_word() {
        let mut archive = Archive::new(0x65);
        archive.folder("etc", 0o755);
        archive.file("etc/a", 0o600, b"hello");
        archive.link("b", "etc/a");
        let text = String::from_utf8(archive.finish()).unwrap();
        let expected = [
            "070701 00000001 000041ED 00000000 00000000 00000002 00000065 00000000 \
             00000000 00000000 00000000 00000000 00000004 00000000 etc\0\0\0",
            "070701 00000002 00008180 00000000 00000000 00000001 00000065 00000005 \
             00000000 00000000 00000000 00000000 00000006 00000000 etc/a\0hello\0\0\0",
            "070701 00000003 0000A1FF 00000000 00000000 00000001 00000065 00000005 \
             00000000 00000000 00000000 00000000 00000002 00000000 b\0etc/a\0\0\0",
            "070701 00000000 00000000 00000000 00000000 00000001 00000000 00000000 \
             00000000 00000000 00000000 00000000 0000000B 00000000 TRAILER!!!\0\0\0\0",
        ];
        let expected = expected.concat().replace(' ', "");
        assert_eq!(text, expected);
        assert!(text.len().is_multiple_of(4));
    }
}
