//! The kernel's messages, as `<linux/fuse.h>` lays them out; all numbers are those of the machine.

/// Name of the only file.
pub(super) const NAME: &str = "data";
/// Most bytes of a write.
const MAX_WRITE: u32 = 128 << 10;
/// What a message may take: a write and its headers.
pub(super) const BUFFER_BYTES: usize = MAX_WRITE as usize + 4096;
/// Numbers of the folder and of the file.
const ROOT: u64 = 1;
const FILE: u64 = 2;
/// How long the kernel may rely on names and attributes, in seconds.
const VALID_S: u64 = 60;
/// Bytes of the header of a request.
const HEADER: usize = 40;
/// Errors: no such file, and a request that is not served.
const ENOENT: i32 = -2;
const ENOSYS: i32 = -38;

/// What a request asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body<'a> {
    Init,
    Lookup {
        name: &'a [u8],
    },
    Attributes,
    Open,
    Read {
        offset: u64,
        size: usize,
    },
    Write {
        offset: u64,
        bytes: &'a [u8],
    },
    Sync,
    Space,
    /// Nothing that has to be answered by more than that it is done.
    Done,
    /// Not to be answered.
    Silent,
    Unknown,
}

/// One request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    pub(super) unique: u64,
    node: u64,
    pub(super) body: Body<'a>,
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

impl<'a> Request<'a> {
    /// That of a message; none of one that is cut off.
    pub(super) fn of(message: &'a [u8]) -> Option<Self> {
        let opcode = u32_at(message, 4)?;
        let rest = message.get(HEADER..)?;
        let body = match opcode {
            1 => Body::Lookup {
                name: rest.split(|byte| *byte == 0).next().unwrap_or_default(),
            },
            2 | 36 | 42 => Body::Silent,
            3 | 4 => Body::Attributes,
            14 | 27 => Body::Open,
            15 => Body::Read {
                offset: u64_at(rest, 8)?,
                size: u32_at(rest, 16)? as usize,
            },
            16 => Body::Write {
                offset: u64_at(rest, 8)?,
                bytes: rest.get(40..40 + u32_at(rest, 16)? as usize)?,
            },
            17 => Body::Space,
            20 => Body::Sync,
            // Closing and flushing of descriptors, an empty listing, access.
            18 | 25 | 28 | 29 | 30 | 34 | 38 => Body::Done,
            26 => Body::Init,
            _ => Body::Unknown,
        };
        Some(Self {
            unique: u64_at(message, 8)?,
            node: u64_at(message, 16)?,
            body,
        })
    }

    /// The answer to what is not of the file's content; empty where there is none.
    pub(super) fn answer(&self, size: u64) -> Vec<u8> {
        let answered = |payload: &[u8]| reply(self.unique, 0, payload);
        match self.body {
            Body::Init => answered(&init()),
            Body::Lookup { name } if self.node == ROOT && name == NAME.as_bytes() => {
                let mut entry = Vec::new();
                for field in [FILE, 0, VALID_S, VALID_S, 0] {
                    entry.extend(field.to_ne_bytes());
                }
                entry.extend(attributes(FILE, size));
                answered(&entry)
            }
            Body::Lookup { .. } => reply(self.unique, ENOENT, &[]),
            Body::Attributes => {
                let mut found = Vec::new();
                found.extend(VALID_S.to_ne_bytes());
                found.extend(0_u64.to_ne_bytes());
                found.extend(attributes(self.node, size));
                answered(&found)
            }
            // Several direct writes at once (bit 6).
            Body::Open => answered(&numbers(&[0, 0, 1 << 6, 0])),
            Body::Space => {
                let mut space = Vec::new();
                for field in [1_u64 << 20, 1 << 19, 1 << 19, 2, 0] {
                    space.extend(field.to_ne_bytes());
                }
                space.extend(numbers(&[4096, 255, 4096, 0, 0, 0, 0, 0, 0, 0]));
                answered(&space)
            }
            Body::Done => answered(&[]),
            Body::Unknown => reply(self.unique, ENOSYS, &[]),
            Body::Silent | Body::Read { .. } | Body::Write { .. } | Body::Sync => Vec::new(),
        }
    }
}

/// A message to the kernel: an error, or what was asked for.
pub(super) fn reply(unique: u64, error: i32, payload: &[u8]) -> Vec<u8> {
    let length = 16 + payload.len() as u32;
    let mut message = length.to_ne_bytes().to_vec();
    message.extend(error.to_ne_bytes());
    message.extend(unique.to_ne_bytes());
    message.extend(payload);
    message
}

/// The payload of a write that moved `bytes` bytes.
pub(super) fn written(bytes: usize) -> Vec<u8> {
    numbers(&[bytes as u32, 0])
}

fn numbers(fields: &[u32]) -> Vec<u8> {
    fields
        .iter()
        .flat_map(|field| field.to_ne_bytes())
        .collect()
}

/// Version 7.31: reads in parallel (bit 0), writes of more than a page (5), parallel direct
/// requests (15), and as many at once as somebody may have in flight.
fn init() -> Vec<u8> {
    let flags = 1 | 1 << 5 | 1 << 15;
    let mut payload = numbers(&[7, 31, 128 << 10, flags]);
    payload.extend(4096_u16.to_ne_bytes());
    payload.extend(3072_u16.to_ne_bytes());
    payload.extend(numbers(&[MAX_WRITE, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    payload
}

/// A folder or a file of root's, of these bytes.
fn attributes(node: u64, size: u64) -> Vec<u8> {
    let (mode, size) = if node == FILE {
        (0o100_644, size)
    } else {
        (0o040_755, 0)
    };
    let mut all = Vec::new();
    for field in [node, size, size.div_ceil(512), 0, 0, 0] {
        all.extend(field.to_ne_bytes());
    }
    all.extend(numbers(&[0, 0, 0, mode, 1, 0, 0, 0, 4096, 0]));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_the_lengths_of_the_protocol() {
        let request = |body| Request {
            unique: 7,
            node: ROOT,
            body,
        };
        let length = |body| request(body).answer(4096).len() - 16;
        assert_eq!(length(Body::Init), 64);
        assert_eq!(length(Body::Lookup { name: b"data" }), 128);
        assert_eq!(length(Body::Attributes), 104);
        assert_eq!(length(Body::Open), 16);
        assert_eq!(length(Body::Space), 80);
        assert_eq!(written(512), [0, 2, 0, 0, 0, 0, 0, 0]);
        assert_eq!(request(Body::Silent).answer(0), Vec::<u8>::new());
        let refused = request(Body::Lookup { name: b"other" }).answer(0);
        assert_eq!(refused, reply(7, ENOENT, &[]));
    }

    #[test]
    fn a_read_is_taken_apart() {
        let mut message = numbers(&[80, 15]);
        for field in [9_u64, FILE, 0, 0, 5, 8192] {
            message.extend(field.to_ne_bytes());
        }
        message.extend(numbers(&[4096, 0, 0, 0, 0, 0]));
        let request = Request::of(&message).expect("it is whole");
        assert_eq!((request.unique, request.node), (9, FILE));
        assert!(matches!(
            request.body,
            Body::Read {
                offset: 8192,
                size: 4096
            }
        ));
        assert!(Request::of(&message[..50]).is_none());
    }
}
